"""Players: how a side spends its command points.

Scores are integers in the units of `contact.weigh`, so that compiled and plain runs agree.
"""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_in_front, exchange, step
from ftsim.games.triumph.battle.layout import (
    AS_MOUNTED,
    BEGIN,
    BEST,
    BEST_FACE,
    BEST_GAIN,
    BOARD,
    END,
    EXCH,
    FACE,
    FLAGS,
    GROUP,
    IS_CAMP,
    MOVE,
    MOVED,
    NO_CONTACT,
    ON_BOARD,
    OWNER,
    P_NEARER,
    P_OVERLAP,
    P_PATIENCE,
    P_TARGET,
    P_THREAT,
    PAR,
    PIPS,
    PLACE,
    POLICY,
    RANGE,
    SHOOT,
    SIDE,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    TERR,
    TURN,
    WORLD,
    World,
)  # fmt: skip
from ftsim.games.triumph.battle.movement import (
    can_reach,
    destination,
    find_groups,
    group_cost,
    group_reach,
    in_contact,
    move_group,
    move_single,
    order_cost,
)  # fmt: skip
from ftsim.games.triumph.battle.outcomes import homeward
from ftsim.games.triumph.battle.shooting import shot_kind
from ftsim.kernels import kernel

ADVANCE, GREEDY = range(2)


@kernel(f"int64({WORLD}, int64, int64)")
def own_lanes(w: World, i: int, place: int) -> int:
    """Lanes from a stand to a place, to its side's right."""
    stride = w[PAR][STRIDE]
    lanes = place // stride - w[ST][i, PLACE] // stride
    return lanes if homeward(w, w[SPEC][i, OWNER]) == 0 else -lanes


@kernel(f"int64({WORLD}, int64, int64)")
def own_rows(w: World, i: int, place: int) -> int:
    """Rows from a stand to a place, towards the enemy's edge."""
    stride = w[PAR][STRIDE]
    rows = place % stride - w[ST][i, PLACE] % stride
    return rows if homeward(w, w[SPEC][i, OWNER]) == 0 else -rows


@kernel(f"int64({WORLD}, int64, int64, int64)")
def turns_to(w: World, i: int, facing: int, moves: int) -> int:
    """Quarter-turns at the end of a move, or on the spot, to look in a facing."""
    start = homeward(w, w[SPEC][i, OWNER]) if moves else w[ST][i, FACE]
    wrong = (facing - start) & 3
    return 2 if wrong == 2 else (1 if wrong else 0)


@kernel(f"int64({WORLD}, int64, int64, int64)")
def contact_move(w: World, i: int, j: int, facing: int) -> int:
    """Whether `i` can move into the place beside `j` from which it looks at it in a facing."""
    place = w[ST][j, PLACE] - step(facing, w[PAR][STRIDE])
    if place == w[ST][i, PLACE]:
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
    st, stride = w[ST], w[PAR][STRIDE]
    enemy = 1 - w[SPEC][i, OWNER]
    lane, row = place // stride, place % stride
    nearest = 9999
    for j in range(w[SIDE][enemy, BEGIN], w[SIDE][enemy, END]):
        if st[j, STATUS] == ON_BOARD:
            nearest = min(nearest, 2 * abs(st[j, PLACE] // stride - lane) + abs(st[j, PLACE] % stride - row))
    return nearest


@kernel(f"int64({WORLD}, int64)")
def may_move(w: World, i: int) -> int:
    """Whether a stand can be given an order: on the board, not moved, not in contact, and affordable."""
    st, spec = w[ST], w[SPEC]
    if st[i, STATUS] != ON_BOARD or st[i, MOVED] or spec[i, FLAGS] & IS_CAMP or in_contact(w, i):
        return 0
    return 1 if order_cost(w, i) <= w[SIDE][spec[i, OWNER], PIPS] else 0


# ---------------------------------------------------------------- advance


@kernel(f"void({WORLD}, int64)")
def best_approach(w: World, i: int) -> None:
    """The move of a stand into contact, or nearest to an enemy; `BEST_GAIN` is below 0 without one."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    enemy = 1 - spec[i, OWNER]
    st[i, BEST_GAIN] = -1
    here = distance_to_enemy(w, i, st[i, PLACE])
    shortest = 9999
    home = homeward(w, spec[i, OWNER])
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] != ON_BOARD:
            continue
        lanes, rows = own_lanes(w, i, st[j, PLACE]), own_rows(w, i, st[j, PLACE])
        if rows < -1 or 2 * (abs(lanes) - 1) + rows - 1 > spec[i, MOVE]:
            continue
        for turn in range(4):
            facing = (home + turn) & 3
            if not contact_move(w, i, j, facing):
                continue
            place = st[j, PLACE] - step(facing, par[STRIDE])
            length = 2 * abs(own_lanes(w, i, place)) + own_rows(w, i, place) + turns_to(w, i, facing, 1)
            if length < shortest:
                shortest = length
                st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, facing, 1000 - length
    if shortest < 9999:
        return
    nearest = here
    for sideways in range(-2, 3):
        for ahead in range(spec[i, MOVE], -1, -1):
            if sideways == 0 and ahead == 0:
                continue
            if can_reach(w, i, sideways, ahead, 0):
                place = destination(w, i, sideways, ahead)
                far = distance_to_enemy(w, i, place)
                if far < nearest:
                    nearest = far
                    st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, home, here - far
                break


@kernel(f"void({WORLD}, int64)")
def advance(w: World, owner: int) -> None:
    """Groups with most rows times members first, then the single stand nearest to an enemy."""
    st, side = w[ST], w[SIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    while side[owner, PIPS] > 0:
        find_groups(w, owner)
        best, most, far = -1, 0, 0
        for group in range(end - begin):
            members = 0
            for i in range(begin, end):
                if st[i, GROUP] == group:
                    members += 1
            if members == 0:
                break
            if members < 2 or group_cost(w, owner, group) > side[owner, PIPS]:
                continue
            rows = group_reach(w, owner, group)
            if rows * members > most:
                best, most, far = group, rows * members, rows
        if best < 0:
            break
        side[owner, PIPS] -= group_cost(w, owner, best)
        move_group(w, owner, best, far)
    while side[owner, PIPS] > 0:
        who, nearest = -1, 99999
        for i in range(begin, end):
            if not may_move(w, i):
                continue
            best_approach(w, i)
            if st[i, BEST_GAIN] < 0:
                continue
            far = distance_to_enemy(w, i, st[i, BEST])
            if far < nearest:
                who, nearest = i, far
        if who < 0:
            break
        side[owner, PIPS] -= order_cost(w, who)
        move_single(w, who, st[who, BEST], st[who, BEST_FACE])


# ---------------------------------------------------------------- greedy


@kernel(f"int64({WORLD}, int64)")
def place_value(w: World, i: int) -> int:
    """What it is worth to a stand to be where it is, looking where it looks."""
    st, spec, side, par, board = w[ST], w[SPEC], w[SIDE], w[PAR], w[BOARD]
    front = enemy_in_front(w, i)
    if front >= 0:
        return exchange(w, i, front)
    stride = par[STRIDE]
    place = st[i, PLACE]
    lane, row = place // stride, place % stride
    owner = spec[i, OWNER]
    enemy = 1 - owner
    nearest, threat = 9999, 0
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] != ON_BOARD:
            continue
        lanes = abs(st[j, PLACE] // stride - lane)
        rows = abs(st[j, PLACE] % stride - row)
        nearest = min(nearest, 2 * lanes + rows)
        if not spec[j, FLAGS] & (NO_CONTACT | IS_CAMP) and 2 * lanes + rows - 1 <= spec[j, MOVE]:
            threat = max(threat, w[EXCH][j, i])
    value = -par[P_NEARER] * nearest
    patience = max(par[P_PATIENCE] - par[TURN], 0)
    value -= threat * par[P_THREAT] * patience // (100 * par[P_PATIENCE])
    if shot_kind(w, i) >= 0:
        reach = spec[i, RANGE] if spec[i, SHOOT] else 3
        if nearest <= reach + 2:
            value += par[P_TARGET]
    home = homeward(w, owner)
    if st[i, FACE] == home:
        right = step((home + 1) & 3, stride)
        for sign in (-1, 1):
            k = board[place + sign * right]
            if k >= 0 and spec[k, OWNER] == owner and st[k, FACE] == home and enemy_in_front(w, k) >= 0:
                value += par[P_OVERLAP]
    return value


@kernel(f"int64({WORLD}, int64, int64, int64)")
def value_at(w: World, i: int, place: int, facing: int) -> int:
    """`place_value` as if the stand were somewhere else."""
    st, board = w[ST], w[BOARD]
    old, face = st[i, PLACE], st[i, FACE]
    board[old] = -1
    st[i, PLACE], st[i, FACE] = place, facing
    board[place] = i
    value = place_value(w, i)
    board[place] = -1
    st[i, PLACE], st[i, FACE] = old, face
    board[old] = i
    return value


@kernel(f"void({WORLD}, int64)")
def best_single(w: World, i: int) -> None:
    """The single move that gains most; `BEST_GAIN` is 0 without one."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    owner = spec[i, OWNER]
    enemy, home = 1 - owner, homeward(w, owner)
    st[i, BEST_GAIN] = 0
    if st[i, STATUS] != ON_BOARD or st[i, MOVED] or spec[i, FLAGS] & IS_CAMP or in_contact(w, i):
        return
    here = place_value(w, i)
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] != ON_BOARD or spec[i, FLAGS] & NO_CONTACT:
            continue
        lanes, rows = own_lanes(w, i, st[j, PLACE]), own_rows(w, i, st[j, PLACE])
        if rows < -1 or 2 * (abs(lanes) - 1) + rows - 1 > spec[i, MOVE]:
            continue
        for turn in range(4):
            facing = (home + turn) & 3
            if contact_move(w, i, j, facing):
                place = st[j, PLACE] - step(facing, par[STRIDE])
                gain = value_at(w, i, place, facing) - here
                if gain > st[i, BEST_GAIN]:
                    st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, facing, gain
    most = min(spec[i, MOVE], 3) if spec[i, AS_MOUNTED] and w[TERR][st[i, PLACE]] > 0 else spec[i, MOVE]
    for sideways in (0, -1, 1):
        ahead = most - 2 * abs(sideways)
        while ahead >= 0:
            if (sideways or ahead) and can_reach(w, i, sideways, ahead, 0):
                place = destination(w, i, sideways, ahead)
                gain = value_at(w, i, place, home) - here
                if gain > st[i, BEST_GAIN]:
                    st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, home, gain
                ahead //= 2
                if ahead == 0:
                    break
            else:
                ahead -= 1


@kernel(f"int64({WORLD}, int64, int64, int64)")
def group_gain(w: World, owner: int, group: int, rows: int) -> int:
    """What a group gains by moving so many rows together."""
    st, board, side, par = w[ST], w[BOARD], w[SIDE], w[PAR]
    begin, end = side[owner, BEGIN], side[owner, END]
    forward = step(homeward(w, owner), par[STRIDE])
    gain = 0
    for i in range(begin, end):
        if st[i, GROUP] == group:
            gain -= place_value(w, i)
    for turn in range(2):
        sign = 1 if turn == 0 else -1
        for i in range(begin, end):
            if st[i, GROUP] == group:
                board[st[i, PLACE]] = -1
        for i in range(begin, end):
            if st[i, GROUP] == group:
                st[i, PLACE] += sign * rows * forward
                board[st[i, PLACE]] = i
        if turn == 0:
            for i in range(begin, end):
                if st[i, GROUP] == group:
                    gain += place_value(w, i)
    return gain


@kernel(f"void({WORLD}, int64)")
def greedy(w: World, owner: int) -> None:
    """The order that gains most for its cost, while one gains anything."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    begin, end = side[owner, BEGIN], side[owner, END]
    for i in range(begin, end):
        best_single(w, i)
    while side[owner, PIPS] > 0:
        find_groups(w, owner)
        best, far, gain_best, cost_best = -1, 0, 0, 1
        for group in range(end - begin):
            members = 0
            for i in range(begin, end):
                if st[i, GROUP] == group:
                    members += 1
            if members == 0:
                break
            if members < 2:
                continue
            cost = group_cost(w, owner, group)
            if cost > side[owner, PIPS]:
                continue
            rows = group_reach(w, owner, group)
            while rows > 0:
                gain = group_gain(w, owner, group, rows)
                if gain * cost_best > gain_best * cost:
                    best, far, gain_best, cost_best = group, rows, gain, cost
                rows //= 2
        who = -1
        for i in range(begin, end):
            if st[i, BEST_GAIN] <= 0 or not may_move(w, i):
                continue
            cost = order_cost(w, i)
            if st[i, BEST_GAIN] * cost_best > gain_best * cost:
                who, gain_best, cost_best = i, st[i, BEST_GAIN], cost
        if who >= 0:
            side[owner, PIPS] -= cost_best
            old = st[who, PLACE]
            move_single(w, who, st[who, BEST], st[who, BEST_FACE])
            st[who, BEST_GAIN] = 0
            stride = par[STRIDE]
            for i in range(begin, end):
                lane = st[i, PLACE] // stride
                near = abs(lane - old // stride) <= 2 or abs(lane - st[who, PLACE] // stride) <= 2
                if near and i != who:
                    best_single(w, i)
        elif best >= 0:
            side[owner, PIPS] -= cost_best
            move_group(w, owner, best, far)
            for i in range(begin, end):
                best_single(w, i)
        else:
            break
    for i in range(begin, end):
        if spec[i, FLAGS] & IS_CAMP:
            st[i, BEST_GAIN] = 0


@kernel(f"void({WORLD}, int64)")
def give_orders(w: World, owner: int) -> None:
    """Spend the command points of a side as its policy does."""
    if w[SIDE][owner, POLICY] == GREEDY:
        greedy(w, owner)
    else:
        advance(w, owner)
