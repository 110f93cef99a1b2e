"""Setting up: seats, terrain, deployment; drawn anew in each trial by role and slot."""

from __future__ import annotations

from ftsim.addressed import die
from ftsim.games.triumph.battle.army_cards import (
    has_ambush,
    lay_defenses,
    lie_in_ambush,
    place_train,
    plan_ambush,
    ready_cards,
    show_cards,
    too_near,
    undo_lines,
)
from ftsim.games.triumph.battle.contact import lane_of, match_rows
from ftsim.games.triumph.battle.dice import numbered_word, second_word_of, side_word, word_of
from ftsim.games.triumph.battle.exchanges import look_like
from ftsim.games.triumph.battle.forms import become_real
from ftsim.games.triumph.battle.layout import (
    AMBUSHES,
    AWAY,
    BEGIN,
    BOARD,
    CAMP,
    CAMP_AT,
    CAMP_KIND,
    CARRIER,
    CENTRE,
    COST,
    DELAYED,
    DRAWN_BOARD,
    E_AMBUSH,
    E_ATTACH,
    E_DEPLOY,
    E_TERRAIN,
    END,
    EXCH,
    FACE,
    FAKE,
    FIRST,
    FLAGS,
    FLIP,
    FOR_AMBUSH,
    FOR_DEPLOY,
    FOR_TERRAIN,
    FRONT_ROW,
    GONE,
    HARD,
    HERO,
    IS_CAMP,
    LAID,
    LANES,
    LENT,
    LOG_ROOM,
    LOGGED,
    ON_BOARD,
    OPEN_BOARD,
    OWNER,
    P_LINE,
    PAR,
    PLACE,
    RESERVE,
    RIDER,
    ROLE,
    ROWS_DEEP,
    SEAT,
    SHOWN,
    SIDE,
    SIZE,
    SKIRMISH,
    SPEC,
    ST,
    STANDING,
    STATUS,
    STRIDE,
    SUPPORTS,
    TARGET,
    TERR,
    TOPOGRAPHY,
    TRAIN,
    TRIAL,
    TYPE,
    WING,
    WORLD,
    World,
)  # fmt: skip
from ftsim.games.triumph.battle.outcomes import homeward, note, put
from ftsim.kernels import kernel

#: Stands in the first line at most.
WIDTH = 20


@kernel(f"int64({WORLD}, int64, int64, int64)")
def own_place(w: World, owner: int, lane: int, row: int) -> int:
    """The place of a lane and a row as a side counts them: from its left, from its own edge."""
    par = w[PAR]
    if w[SIDE][owner, SEAT] == 1:
        lane, row = par[LANES] - 1 - lane, par[ROWS_DEEP] - 1 - row
    return (lane + 2) * par[STRIDE] + row + 2


@kernel(f"void({WORLD})")
def clear_board(w: World) -> None:
    """An empty open board, with its edges marked."""
    par = w[PAR]
    board, terr = w[BOARD], w[TERR]
    for p in range(par[SIZE]):
        board[p] = -2
        terr[p] = 0
    for lane in range(par[LANES]):
        for row in range(par[ROWS_DEEP]):
            board[(lane + 2) * par[STRIDE] + row + 2] = -1


@kernel(f"int64({WORLD}, int64)")
def box_of(w: World, k: int) -> int:
    """The box of the k-th piece of terrain: the k-th largest word."""
    chosen = -1
    limit = 1 << 40
    for _ in range(k + 1):
        chosen, most = -1, -1
        for b in range(6):
            word = numbered_word(w, b, FOR_TERRAIN)
            if word > most and word < limit:
                chosen, most = b, word
        limit = most
    return chosen


@kernel(f"void({WORLD}, int64[:, ::1])")
def lay_terrain(w: World, topographies: World) -> None:
    """Patches of terrain by topography: as the first side sees the board, so that seats may be swapped.

    Six boxes of 8 lanes by 16 rows, at most one patch of 3 lanes by 5 rows in each. A row of
    `topographies` holds the number of pieces for each roll of two dice, the compulsory kind, how
    many optional kinds there are, and these.
    """
    par = w[PAR]
    par[LAID] = OPEN_BOARD
    if par[TOPOGRAPHY] == OPEN_BOARD or par[LANES] < 24 or par[ROWS_DEEP] < 32:
        return
    home = par[TOPOGRAPHY]
    if home == DRAWN_BOARD:
        home = numbered_word(w, 902, FOR_TERRAIN) * topographies.shape[0] >> 32
    par[LAID] = home
    table = topographies[home]
    roll = die(numbered_word(w, 900, FOR_TERRAIN), 6) + die(numbered_word(w, 901, FOR_TERRAIN), 6)
    pieces = min(table[roll - 2], 6)
    for k in range(pieces):
        # The box with the largest word among those that are left.
        box, most = -1, -1
        for b in range(6):
            word = numbered_word(w, b, FOR_TERRAIN)
            if word > most:
                taken = 0
                for earlier in range(k):
                    if box_of(w, earlier) == b:
                        taken = 1
                if not taken:
                    box, most = b, word
        kind = table[11] if k == 0 else table[13 + (numbered_word(w, 100 + box, FOR_TERRAIN) * table[12] >> 32)]
        lane = (box % 3) * 8 + (numbered_word(w, 200 + box, FOR_TERRAIN) * 6 >> 32)
        row = (box // 3) * 16 + (numbered_word(w, 300 + box, FOR_TERRAIN) * 12 >> 32)
        for x in range(3):
            for y in range(5):
                w[TERR][own_place(w, 0, lane + x, row + y)] = kind
        note(w, E_TERRAIN, kind, own_place(w, 0, lane, row), own_place(w, 0, lane + 2, row + 4), 0)


@kernel(f"void({WORLD}, int64, int64)")
def seat(w: World, i: int, place: int) -> None:
    """Put a stand on the board, looking to the enemy's edge."""
    put(w, i, place)
    w[ST][i, FACE] = homeward(w, w[SPEC][i, OWNER])
    note(w, E_DEPLOY, i, place, w[ST][i, FACE], 0)


@kernel(f"void({WORLD}, int64)")
def deploy_line(w: World, owner: int) -> None:
    """The battle line: foot in the centre, fast and mounted on drawn wings, in a drawn order.

    Types that support each other stand two deep when there are at least four of them.
    """
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    begin, end = side[owner, BEGIN], side[owner, END]
    columns = 0
    for i in range(begin, end):
        st[i, TARGET] = -1
        role = spec[i, ROLE]
        if (role != CENTRE and role != WING) or st[i, STATUS] == GONE or spec[i, DELAYED] or st[i, AMBUSHES]:
            continue
        part = 2
        if role == WING or spec[i, FAKE]:
            # Outermost on a drawn wing what is not there, so that no gap opens when it vanishes.
            out = 1 if spec[i, FAKE] else 0
            part = 1 - out if second_word_of(w, i, FOR_DEPLOY) < 1 << 31 else 3 + out
        st[i, TARGET] = (part << 32) + word_of(w, i, FOR_DEPLOY)
        columns += 1
    # Who stands behind whom: the second, fourth, ... of a type in the drawn order.
    for i in range(begin, end):
        if st[i, TARGET] < 0 or not spec[i, FLAGS] & SUPPORTS or par[LANES] < 3:
            continue
        count, before = 0, 0
        for k in range(begin, end):
            if spec[k, TYPE] == spec[i, TYPE] and spec[k, ROLE] == spec[i, ROLE]:
                count += 1
                key_i = st[i, TARGET] & ~(1 << 62)
                key_k = st[k, TARGET] & ~(1 << 62)
                if k != i and key_k < key_i:
                    before += 1
        if count >= 4 and before & 1:
            st[i, TARGET] |= 1 << 62
            columns -= 1
    width = min(columns, WIDTH, par[LANES])
    start = (par[LANES] - width) // 2
    placed = 0
    while True:
        who, least = -1, 1 << 61
        for i in range(begin, end):
            if 0 <= st[i, TARGET] < least:
                who, least = i, st[i, TARGET]
        if who < 0:
            break
        st[who, TARGET] = -1
        lane, row = start + placed % width, par[FRONT_ROW] - 2 * (placed // width)
        seat(w, who, own_place(w, owner, lane, row))
        placed += 1
        if spec[who, FLAGS] & SUPPORTS:
            # The next of its type in the drawn order stands behind it.
            partner, next_key = -1, 1 << 61
            for k in range(begin, end):
                if st[k, TARGET] > 0 and st[k, TARGET] >> 62 and spec[k, TYPE] == spec[who, TYPE]:
                    key = st[k, TARGET] & ~(1 << 62)
                    if least < key < next_key:
                        partner, next_key = k, key
            if partner >= 0:
                st[partner, TARGET] = -1
                seat(w, partner, own_place(w, owner, lane, row - 1))


@kernel(f"int64({WORLD}, int64)")
def attach(w: World, hero: int) -> int:
    """Put a hero on the dearest stand of his side without one that is on the board; 1 if there is any."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    owner = spec[hero, OWNER]
    best = -1
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, STATUS] != ON_BOARD or spec[i, FLAGS] & IS_CAMP or st[i, RIDER] >= 0 or spec[i, ROLE] == HERO:
            continue
        if st[i, SHOWN] >= 0:  # FT 39: heroes keep to what is there
            continue
        if best < 0 or spec[i, COST] > spec[best, COST]:
            best = i
    if best < 0:
        st[hero, STATUS] = AWAY
        return 0
    st[best, RIDER] = hero
    st[hero, CARRIER] = best
    st[hero, STATUS] = RESERVE
    match_rows(w, best)
    return 1


@kernel(f"void({WORLD}, int64)")
def deploy_rest(w: World, owner: int) -> None:
    """Skirmishers where they face the best exchanges, then heroes on the dearest stands, and the camp."""
    st, spec, side, par, board = w[ST], w[SPEC], w[SIDE], w[PAR], w[BOARD]
    begin, end = side[owner, BEGIN], side[owner, END]
    enemy = 1 - owner
    for i in range(begin, end):
        if (spec[i, ROLE] != SKIRMISH and not st[i, AMBUSHES]) or st[i, STATUS] == GONE or spec[i, DELAYED]:
            continue
        if st[i, AMBUSHES] and lie_in_ambush(w, i):
            continue
        best, most, nearest = -1, 0, 0
        for row in range(par[FRONT_ROW], max(par[FRONT_ROW] - 4, -1), -1):
            for lane in range(par[LANES]):
                place = own_place(w, owner, lane, row)
                if board[place] != -1 or too_near(w, owner, place):
                    continue
                value, met = 0, 0
                for j in range(side[enemy, BEGIN], side[enemy, END]):
                    if st[j, STATUS] != ON_BOARD:
                        continue
                    if abs(lane_of(w, st[j, PLACE]) - lane_of(w, place)) <= 1:
                        value += w[EXCH][i, j]
                        met += 1
                # Beside a friend they lengthen the line; ground that hinders them is for others.
                friends = 0
                for side_lane in (lane - 1, lane + 1):
                    k = board[own_place(w, owner, side_lane, row)]
                    if k >= 0 and spec[k, OWNER] == owner:
                        friends += 1
                if met == 0 and friends == 0:
                    continue
                value += 2 * par[P_LINE] * friends
                if (spec[i, HARD] >> w[TERR][place]) & 1:
                    value -= 4 * par[P_LINE]
                middle = -abs(2 * lane + 1 - par[LANES])
                if best < 0 or value > most or (value == most and middle > nearest):
                    best, most, nearest = place, value, middle
            if best >= 0:
                break
        if best < 0:
            for row in range(par[FRONT_ROW], -1, -1):
                for lane in range(par[LANES]):
                    place = own_place(w, owner, lane, row)
                    if best < 0 and board[place] == -1 and not too_near(w, owner, place):
                        best = place
        if best >= 0:
            seat(w, i, best)
    for h in range(begin, end):
        if spec[h, ROLE] == HERO and not spec[h, DELAYED] and attach(w, h):
            note(w, E_ATTACH, h, st[h, CARRIER], 0, 0)
    for i in range(begin, end):
        if spec[i, ROLE] != CAMP or st[i, STATUS] == GONE or spec[i, CAMP_KIND] == TRAIN:
            continue
        third = max(par[LANES] // 3, 1)
        lane = (par[LANES] - third) // 2 + (side_word(w, owner, FOR_DEPLOY) * third >> 32)
        for k in range(par[LANES]):
            place = own_place(w, owner, (lane + k) % par[LANES], 0)
            if board[place] == -1:
                seat(w, i, place)
                side[owner, CAMP_AT] = i
                break


@kernel(f"void({WORLD}, int64[:, ::1])")
def set_up(w: World, topographies: World) -> None:
    """Seats and first move by the trial's number, then terrain, lines, skirmishers, heroes, camps."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    side[0, SEAT] = (par[TRIAL] ^ par[FLIP]) & 1
    side[1, SEAT] = 1 - side[0, SEAT]
    par[FIRST] = (par[TRIAL] >> 1) & 1
    clear_board(w)
    lay_terrain(w, topographies)
    for i in range(par[STANDING]):
        st[i, STATUS] = GONE if spec[i, FAKE] else RESERVE
        st[i, RIDER] = -1
        st[i, CARRIER] = -1
        st[i, SHOWN] = -1
        st[i, AMBUSHES] = 0
        if st[i, LENT]:
            become_real(w, i)
            look_like(w, i, i)
    ready_cards(w)
    if has_ambush(w, 0) or has_ambush(w, 1):
        # Who is held back is decided by the lines as they would stand; then they are set up without.
        logged = par[LOGGED]
        par[LOGGED] = par[LOG_ROOM]
        deploy_line(w, 0)
        deploy_line(w, 1)
        for owner in range(2):
            if has_ambush(w, owner):
                plan_ambush(w, owner)
        undo_lines(w)
        par[LOGGED] = logged
        for owner in range(2):
            if has_ambush(w, owner):
                note(w, E_AMBUSH, owner, -1, die(side_word(w, owner, FOR_AMBUSH), 6), 0)
    deploy_line(w, 0)
    deploy_line(w, 1)
    lay_defenses(w, 0)
    lay_defenses(w, 1)
    deploy_rest(w, 1 - par[FIRST])
    deploy_rest(w, par[FIRST])
    place_train(w, 1 - par[FIRST])
    place_train(w, par[FIRST])
    show_cards(w)
