"""What a side sees before it gives orders: which enemies are near a stand, and which contacts it can make."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import lane_of, row_of, step
from ftsim.games.triumph.battle.layout import (
    ALL_ROUND,
    BEGIN,
    BOARD,
    CLOSEST,
    END,
    FACE,
    FAKE,
    FLAGS,
    HEAD,
    HOLDS,
    IS_CAMP,
    MOVE,
    MOVED,
    NEAR,
    NO_CONTACT,
    ON_BOARD,
    OWNER,
    PAR,
    PIPS,
    PLACE,
    RANGE,
    RIDING,
    SHOOT,
    SIDE,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    TARGET,
    WORLD,
    ZONE,
    World,
)
from ftsim.games.triumph.battle.movement import can_reach, in_contact, owns_zone, single_cost
from ftsim.games.triumph.battle.options import waits
from ftsim.games.triumph.battle.outcomes import homeward
from ftsim.games.triumph.battle.returns import look_round, may_come
from ftsim.games.triumph.battle.shooting import sees
from ftsim.kernels import kernel


@kernel(f"int64({WORLD}, int64, int64)")
def own_lanes(w: World, i: int, place: int) -> int:
    """Lanes from a stand to a place, to the right of where it heads."""
    lanes = lane_of(w, place) - lane_of(w, w[ST][i, PLACE])
    return lanes if w[ST][i, HEAD] == 0 else -lanes


@kernel(f"int64({WORLD}, int64, int64)")
def own_rows(w: World, i: int, place: int) -> int:
    """Rows from a stand to a place, in the direction it heads."""
    rows = row_of(w, place) - row_of(w, w[ST][i, PLACE])
    return rows if w[ST][i, HEAD] == 0 else -rows


@kernel(f"int64({WORLD}, int64, int64, int64)")
def turns_to(w: World, i: int, facing: int, moves: int) -> int:
    """Quarter-turns at the end of a move, or on the spot, to look in a facing."""
    start = w[ST][i, HEAD] if moves else w[ST][i, FACE]
    wrong = (facing - start) & 3
    return 2 if wrong == 2 else (1 if wrong else 0)


@kernel(f"int64({WORLD}, int64, int64, int64)")
def contact_move(w: World, i: int, j: int, facing: int) -> int:
    """Whether `i` can move into the place beside `j` from which it looks at it in a facing."""
    if w[SPEC][i, FLAGS] & RIDING:  # FT 45.5
        return 0
    here = w[ST][i, PLACE]
    place = w[ST][j, PLACE] - step(facing, w[PAR][STRIDE])
    # Triumph! 51: from an enemy zone straight on, or turning to its owner, and nothing else.
    held = w[ZONE][1 - w[SPEC][i, OWNER]][here]
    if held and (place == here or facing != w[ST][i, FACE]) and not owns_zone(w, j, here):
        return 0
    if place == here:
        wrong = turns_to(w, i, facing, 0)
        return 1 if 0 < wrong <= w[SPEC][i, MOVE] and not w[SPEC][i, FLAGS] & NO_CONTACT else 0
    if w[BOARD][place] != -1 or w[SPEC][i, FLAGS] & NO_CONTACT:
        return 0
    ahead = own_rows(w, i, place)
    if ahead < 0:
        return 0
    turns = turns_to(w, i, facing, 1)
    if turns == 2:
        return 0
    return can_reach(w, i, own_lanes(w, i, place), ahead, turns)


@kernel(f"int64({WORLD}, int64, int64)")
def distance_to_enemy(w: World, i: int, place: int) -> int:
    """Twice the lanes plus the rows from a place to the nearest enemy."""
    st = w[ST]
    enemy = 1 - w[SPEC][i, OWNER]
    lane, row = lane_of(w, place), row_of(w, place)
    nearest = 9999
    for j in range(w[SIDE][enemy, BEGIN], w[SIDE][enemy, END]):
        if st[j, STATUS] == ON_BOARD:
            nearest = min(nearest, 2 * abs(lane_of(w, st[j, PLACE]) - lane) + abs(row_of(w, st[j, PLACE]) - row))
    return nearest


@kernel(f"int64({WORLD}, int64)")
def may_move(w: World, i: int) -> int:
    """Whether a stand can be given an order: on the board, not moved, not in contact, and affordable."""
    st, spec = w[ST], w[SPEC]
    if st[i, STATUS] != ON_BOARD:
        return 1 if may_come(w, i) and single_cost(w, i) <= w[SIDE][spec[i, OWNER], PIPS] else 0
    if st[i, MOVED] or spec[i, FLAGS] & IS_CAMP or in_contact(w, i):
        return 0
    if spec[i, FAKE]:  # a choice: what is not there moves with groups only
        return 0
    return 1 if single_cost(w, i) <= w[SIDE][spec[i, OWNER], PIPS] else 0


@kernel(f"void({WORLD}, int64)")
def list_near(w: World, i: int) -> None:
    """Mark in `NEAR` the enemies that can matter to a stand after a move: a bit each, by their order."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    if st[i, STATUS] != ON_BOARD:
        st[i, CLOSEST] = 0
        look_round(w, i)
        return
    lane, row = lane_of(w, st[i, PLACE]), row_of(w, st[i, PLACE])
    enemy = 1 - spec[i, OWNER]
    begin = side[enemy, BEGIN]
    nearest = 9999
    for j in range(begin, side[enemy, END]):
        if st[j, STATUS] == ON_BOARD:
            far = 2 * abs(lane_of(w, st[j, PLACE]) - lane) + abs(row_of(w, st[j, PLACE]) - row)
            st[j, TARGET] = far
            nearest = min(nearest, far)
    home = homeward(w, spec[i, OWNER])
    # A stand that has passed every enemy near it turns round.
    st[i, HEAD] = (home + 2) & 3
    near = 0
    for j in range(begin, side[enemy, END]):
        reach = max(nearest + 2 * spec[i, MOVE], spec[i, MOVE] + spec[j, MOVE] + 1)
        if st[j, STATUS] == ON_BOARD and st[j, TARGET] <= reach:
            near |= 1 << (j - begin)
            rows = row_of(w, st[j, PLACE]) - row
            if (rows if home == 0 else -rows) >= -1:
                st[i, HEAD] = home
    st[i, NEAR] = near
    st[i, CLOSEST] = nearest
    st[i, HOLDS] = waits(w, i)
    if spec[i, SHOOT] and spec[i, RANGE] > 3:  # HA-6: Artillery shoots only if it has not moved
        for j in range(begin, side[enemy, END]):
            target = st[j, STATUS] == ON_BOARD and not spec[j, FLAGS] & IS_CAMP and not in_contact(w, j)
            if target and sees(w, i, j, spec[i, RANGE], spec[i, FLAGS] & ALL_ROUND):
                st[i, HOLDS] = 1
