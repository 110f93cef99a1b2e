"""What happens to stands after a combat: falling back, evading, panicking, pursuing, being lost (Triumph! 78-84)."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_on_flank_or_rear, match_rows, step
from ftsim.games.triumph.battle.layout import (
    AWAY,
    BOARD,
    CAMP_AT,
    CARRIER,
    COST,
    DEPTH,
    DESTROYED,
    E_FATE,
    E_LOST,
    E_PURSUES,
    E_REVEALS,
    E_STEP,
    EVADES,
    FACE,
    FAKE,
    FALLS_BACK,
    FLAGS,
    FLED,
    FLYING,
    GENERAL,
    GENERAL_LOST,
    GOES_AWAY,
    GONE,
    IS_CAMP,
    LOG,
    LOG_ROOM,
    LOGGED,
    MASSIVE,
    MOVE,
    ON_BOARD,
    OPEN_ORDER,
    OWNER,
    PANICS,
    PAR,
    PASS_ALL,
    PLACE,
    POINTS_LOST,
    PUSHED,
    REAL,
    RETREAT_ALL,
    RIDER,
    SEAT,
    SHOWN,
    SIDE,
    SKIRMISHES,
    SPEC,
    ST,
    STANDS,
    STATUS,
    STRIDE,
    TURN,
    WORLD,
    World,
)  # fmt: skip
from ftsim.kernels import kernel


@kernel(f"void({WORLD}, int64, int64, int64, int64, int64)")
def note(w: World, event: int, who: int, first: int, second: int, third: int) -> None:
    """Write an event into the log, if there is room."""
    log = w[LOG]
    k = w[PAR][LOGGED]
    if k < w[PAR][LOG_ROOM]:
        log[k, 0] = w[PAR][TURN]
        log[k, 1] = event
        log[k, 2] = who
        log[k, 3] = first
        log[k, 4] = second
        log[k, 5] = third
        w[PAR][LOGGED] = k + 1


@kernel(f"void({WORLD}, int64, int64)")
def put(w: World, i: int, place: int) -> None:
    """Move a stand to a free place, or onto the board."""
    st, board = w[ST], w[BOARD]
    if st[i, STATUS] == ON_BOARD and board[st[i, PLACE]] == i:
        board[st[i, PLACE]] = -1
    st[i, PLACE] = place
    st[i, STATUS] = ON_BOARD
    board[place] = i


@kernel(f"void({WORLD}, int64, int64)")
def take_off(w: World, i: int, status: int) -> None:
    """Take a stand off the board; a hero on it goes Away, and a lost general stays lost."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    if st[i, STATUS] == ON_BOARD and w[BOARD][st[i, PLACE]] == i:
        w[BOARD][st[i, PLACE]] = -1
    st[i, STATUS] = status
    if status == GONE:
        owner = spec[i, OWNER]
        side[owner, POINTS_LOST] += w[REAL][i, COST]
        if side[owner, GENERAL] == i:
            side[owner, GENERAL_LOST] = 1
        if side[owner, CAMP_AT] == i:
            side[owner, CAMP_AT] = -1
        rider = st[i, RIDER]
        if rider >= 0:  # FT 39.7.a
            st[rider, STATUS] = AWAY
            st[rider, CARRIER] = -1
            st[i, RIDER] = -1
            match_rows(w, i)
        note(w, E_LOST, i, st[i, PLACE], 0, 0)


@kernel(f"void({WORLD}, int64, int64)")
def vanish(w: World, i: int, by: int) -> None:
    """Take a fake stand of Illusion off the board: no loss (FT 39.7)."""
    st = w[ST]
    note(w, E_REVEALS, i, st[i, PLACE], st[i, SHOWN], by)
    if st[i, STATUS] == ON_BOARD and w[BOARD][st[i, PLACE]] == i:
        w[BOARD][st[i, PLACE]] = -1
    st[i, STATUS] = GONE
    st[i, SHOWN] = -1


@kernel(f"int64({WORLD}, int64, int64, int64)")
def give_way(w: World, i: int, place: int, back: int) -> int:
    """Make room in a place for a stand that falls back into whoever is there (Triumph! 80-81; FT 10.5, 43.1).

    0 if the place is free now, 1 if the stand passes to the next one, 2 if it goes Away, 3 if it is lost.
    """
    st, spec, board = w[ST], w[SPEC], w[BOARD]
    j = board[place]
    if j < 0:
        return 3  # the edge of the board
    friend = spec[j, OWNER] == spec[i, OWNER]
    massive = spec[i, FLAGS] & MASSIVE
    passes = (massive or w[PAR][PASS_ALL]) and friend and spec[j, FLAGS] & SKIRMISHES
    if passes and not spec[j, FLAGS] & MASSIVE and board[place + back] == -1:  # Triumph! 81.1.c
        return 1
    if massive and not spec[j, FLAGS] & IS_CAMP:
        if not spec[j, FLAGS] & MASSIVE:  # FT 43.1.c
            note(w, E_FATE, j, DESTROYED, 0, 0)
            take_off(w, j, GONE)
            return 0
        if friend:
            take_off(w, i, GONE)
            take_off(w, j, GONE)
            return 3
    if spec[i, FLAGS] & FLYING and spec[i, FLAGS] & OPEN_ORDER and (friend or not spec[j, FLAGS] & FLYING):
        return 2  # FT 10.5
    if not friend or spec[j, FLAGS] & IS_CAMP:
        return 3
    if spec[j, FLAGS] & MASSIVE:  # FT 43.1.b, d
        return 3
    if st[j, FACE] == st[i, FACE] and not st[j, FLED]:
        beyond = board[place + back]
        if beyond == -1:
            put(w, j, place + back)
            note(w, E_STEP, j, place + back, st[j, FACE], PUSHED)
            return 0
        if beyond >= 0 and spec[beyond, OWNER] == spec[i, OWNER] and spec[beyond, FLAGS] & MASSIVE:
            note(w, E_FATE, j, DESTROYED, 0, 0)  # FT 43.1.b: pushed into a Massive friend
            take_off(w, j, GONE)
            return 0
    take_off(w, i, GONE)
    take_off(w, j, GONE)
    return 3


@kernel(f"int64({WORLD}, int64)")
def fall_back(w: World, i: int) -> int:
    """Fall back by the base depth, facing kept; 1 if the stand is lost or goes Away by it (Triumph! 80-82)."""
    st, board = w[ST], w[BOARD]
    back = -step(st[i, FACE], w[PAR][STRIDE])
    left = w[SPEC][i, DEPTH]
    while left > 0:
        place = st[i, PLACE] + back
        left -= 1
        j = board[place]
        if j >= 0 and w[SPEC][j, FAKE]:
            vanish(w, j, 1)
        if board[place] != -1:
            what = give_way(w, i, place, back)
            if what == 1:
                place += back
                left -= 1
            elif what == 2:
                note(w, E_FATE, i, GOES_AWAY, 0, 0)
                take_off(w, i, AWAY)
                return 1
            elif what == 3:
                if st[i, STATUS] == ON_BOARD:
                    take_off(w, i, GONE)
                return 1
        put(w, i, place)
    note(w, E_STEP, i, st[i, PLACE], st[i, FACE], 0)
    return 0


@kernel(f"int64({WORLD}, int64, int64, int64)")
def run(w: World, i: int, rows: int, facing: int) -> int:
    """Run straight on until something stands in the way; 1 if the stand leaves the board and is lost."""
    st, board = w[ST], w[BOARD]
    ahead = step(facing, w[PAR][STRIDE])
    for _ in range(rows):
        place = st[i, PLACE] + ahead
        if board[place] == -2:
            take_off(w, i, GONE)
            return 1
        if board[place] != -1:
            break
        put(w, i, place)
    note(w, E_STEP, i, st[i, PLACE], st[i, FACE], 0)
    return 0


@kernel(f"void({WORLD}, int64, int64, int64)")
def suffer(w: World, i: int, fate: int, close: int) -> None:
    """Carry out the fate of a beaten stand; `close` when it was beaten in close combat."""
    st, spec = w[ST], w[SPEC]
    note(w, E_FATE, i, fate, 0, 0)
    if fate == DESTROYED:
        take_off(w, i, GONE)
        return
    if fate == GOES_AWAY:
        take_off(w, i, AWAY)
        return
    if fate == STANDS:
        return
    # Triumph! 80.2: no retreat with an enemy on flank or rear.
    if close and (fate == FALLS_BACK or w[PAR][RETREAT_ALL]) and enemy_on_flank_or_rear(w, i):
        take_off(w, i, GONE)
        return
    if fall_back(w, i):
        return
    if fate == EVADES:
        run(w, i, 4, (st[i, FACE] + 2) & 3)  # Triumph! 83.1
    elif fate == PANICS:  # Triumph! 84.1: about-face and a full move
        st[i, FACE] = (st[i, FACE] + 2) & 3
        st[i, FLED] = 1  # it keeps no formation until an order rallies it
        run(w, i, spec[i, MOVE], st[i, FACE])


@kernel(f"void({WORLD}, int64)")
def pursue(w: World, i: int) -> None:
    """Follow up by the base depth, stopping before any stand (Triumph! 78)."""
    st, board = w[ST], w[BOARD]
    ahead = step(st[i, FACE], w[PAR][STRIDE])
    moved = 0
    for _ in range(w[SPEC][i, DEPTH]):
        if board[st[i, PLACE] + ahead] != -1:
            break
        put(w, i, st[i, PLACE] + ahead)
        moved += 1
    if moved:
        note(w, E_PURSUES, i, st[i, PLACE], 0, 0)


@kernel(f"int64({WORLD}, int64)")
def homeward(w: World, owner: int) -> int:
    """The facing in which a side looks at the enemy's edge."""
    return 0 if w[SIDE][owner, SEAT] == 0 else 2
