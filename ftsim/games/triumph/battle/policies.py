"""Players: how a side spends its command points.

Scores are integers in the units of `contact.weigh`, so that compiled and plain runs agree.
"""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import (
    enemy_at,
    enemy_in_front,
    exchange,
    lane_of,
    row_of,
    side_of_contact,
    step,
)
from ftsim.games.triumph.battle.flight import NO_MORE
from ftsim.games.triumph.battle.layout import (
    ALL_ROUND,
    AWAY,
    BEGIN,
    BEST,
    BEST_FACE,
    BEST_GAIN,
    BOARD,
    END,
    EXCH,
    FACE,
    FAKE,
    FLAGS,
    GONE,
    GROUP,
    HEAD,
    HERE,
    HOLDS,
    IS_CAMP,
    MOVE,
    MOVED,
    NEAR,
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
    RIDING,
    SHOOT,
    SIDE,
    SLOWED,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    TARGET,
    TURN,
    WORLD,
    ZONE,
    World,
)
from ftsim.games.triumph.battle.movement import (
    can_reach,
    destination,
    find_groups,
    group_cost,
    group_reach,
    has_orders,
    in_contact,
    is_hard,
    move_group,
    owns_zone,
    single_cost,
)
from ftsim.games.triumph.battle.options import waits
from ftsim.games.triumph.battle.outcomes import homeward
from ftsim.games.triumph.battle.returns import (
    carry_out,
    charge_worth,
    comes_elsewhere,
    landing,
    lands,
    look_round,
    may_come,
    off_board_value,
    unsettled,
    weigh_leaving,
)
from ftsim.games.triumph.battle.shooting import sees, shot_kind
from ftsim.kernels import kernel

ADVANCE, GREEDY = range(2)


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


# ---------------------------------------------------------------- advance


@kernel(f"void({WORLD}, int64)")
def list_near(w: World, i: int) -> None:
    """Mark in `NEAR` the enemies that can matter to a stand after a move: a bit each, by their order."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    if st[i, STATUS] != ON_BOARD:
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
    st[i, HOLDS] = waits(w, i)
    if spec[i, SHOOT] and spec[i, RANGE] > 3:  # HA-6: Artillery shoots only if it has not moved
        for j in range(begin, side[enemy, END]):
            target = st[j, STATUS] == ON_BOARD and not spec[j, FLAGS] & IS_CAMP and not in_contact(w, j)
            if target and sees(w, i, j, spec[i, RANGE], spec[i, FLAGS] & ALL_ROUND):
                st[i, HOLDS] = 1


@kernel(f"void({WORLD}, int64)")
def nearest_landing(w: World, i: int) -> None:
    """The flight or return into contact, or nearest to an enemy; of who is not on the board, any return."""
    st, k, spot = w[ST], 0, 0
    if comes_elsewhere(w, i):
        return
    nearest = distance_to_enemy(w, i, st[i, PLACE]) if st[i, STATUS] == ON_BOARD else 9999
    lost = st[i, STATUS] == GONE
    while spot != NO_MORE:
        spot = landing(w, i, k)
        k += 1
        if spot < 0:
            continue
        far = distance_to_enemy(w, i, spot >> 2)
        if enemy_at(w, i, (spot >> 2) + step(spot & 3, w[PAR][STRIDE])) >= 0:
            far = 1
        if far < nearest:
            nearest = far
            st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = spot >> 2, spot & 3, 1
            st[i, HERE] = 0 if lost else far


@kernel(f"void({WORLD}, int64)")
def best_approach(w: World, i: int) -> None:
    """The move of a stand into contact, or nearest to an enemy; `BEST_GAIN` is below 0 without one.

    `HERE` holds how far from an enemy it would be.
    """
    st, spec, par = w[ST], w[SPEC], w[PAR]
    st[i, BEST_GAIN] = -1
    if may_come(w, i):
        nearest_landing(w, i)
        return
    if st[i, STATUS] != ON_BOARD or st[i, MOVED] or st[i, HOLDS] or spec[i, FLAGS] & IS_CAMP or in_contact(w, i):
        return
    if lands(w, i):
        nearest_landing(w, i)
        return
    shortest, here = 9999, 9999
    home = st[i, HEAD]
    near, j = st[i, NEAR], w[SIDE][1 - spec[i, OWNER], BEGIN] - 1
    while near:
        j += 1
        hit = near & 1
        near >>= 1
        if not hit:
            continue
        lanes, rows = own_lanes(w, i, st[j, PLACE]), own_rows(w, i, st[j, PLACE])
        here = min(here, 2 * abs(lanes) + abs(rows))
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
                st[i, HERE] = 1
    if shortest < 9999:
        return
    nearest = here
    for sideways in (0, -1, 1, -2, 2):
        if sideways and here > 2 * spec[i, MOVE] + 8:
            break
        for ahead in range(spec[i, MOVE] - 2 * abs(sideways), -1, -1):
            if sideways == 0 and ahead == 0:
                continue
            if can_reach(w, i, sideways, ahead, 0):
                place = destination(w, i, sideways, ahead)
                _lane, _row = lane_of(w, place), row_of(w, place)
                far = distance_to_enemy(w, i, place)
                if far < nearest:
                    nearest = far
                    st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, home, here - far
                    st[i, HERE] = far
                break


@kernel(f"int64({WORLD}, int64, int64, int64)")
def group_nears(w: World, owner: int, group: int, rows: int) -> int:
    """How much nearer to enemies a group comes by moving so many rows."""
    st, side, par = w[ST], w[SIDE], w[PAR]
    forward = step(homeward(w, owner), par[STRIDE])
    nearer = 0
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, GROUP] == group:
            place = st[i, PLACE]
            nearer += distance_to_enemy(w, i, place) - distance_to_enemy(w, i, place + rows * forward)
    return nearer


@kernel(f"void({WORLD}, int64, int64)")
def move_nearest(w: World, owner: int, within: int) -> None:
    """Move the stands that come nearest to an enemy, as long as that is within a distance."""
    st, side = w[ST], w[SIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    while has_orders(w, owner):
        who, nearest = -1, within + 1
        for i in range(begin, end):
            if st[i, BEST_GAIN] >= 0 and st[i, HERE] < nearest and may_move(w, i):
                who, nearest = i, st[i, HERE]
        if who < 0:
            break
        side[owner, PIPS] -= single_cost(w, who)
        old = st[who, PLACE]
        carry_out(w, who, st[who, BEST], st[who, BEST_FACE])
        st[who, BEST_GAIN] = -1
        for i in range(begin, end):
            lane = lane_of(w, st[i, PLACE])
            near = abs(lane - lane_of(w, old)) <= 2 or abs(lane - lane_of(w, st[who, PLACE])) <= 2
            if (near or unsettled(w, i, st[who, PLACE])) and i != who:
                best_approach(w, i)


@kernel(f"void({WORLD}, int64)")
def advance(w: World, owner: int) -> None:
    """Stands that reach an enemy first, then groups with most rows times members, then the nearest stand."""
    st, side = w[ST], w[SIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    for i in range(begin, end):
        list_near(w, i)
        best_approach(w, i)
    move_nearest(w, owner, 1)
    while has_orders(w, owner):
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
            if rows * members > most and group_nears(w, owner, group, rows) > 0:
                best, most, far = group, rows * members, rows
        if best < 0:
            break
        side[owner, PIPS] -= group_cost(w, owner, best)
        move_group(w, owner, best, far)
    for i in range(begin, end):
        best_approach(w, i)
    move_nearest(w, owner, 9999)


@kernel(f"int64({WORLD}, int64)")
def place_value(w: World, i: int) -> int:
    """What it is worth to a stand to be where it is, looking where it looks."""
    st, spec, par, board = w[ST], w[SPEC], w[PAR], w[BOARD]
    front = enemy_in_front(w, i)
    if front >= 0:
        value = exchange(w, i, front)
        other = enemy_in_front(w, front)
        if side_of_contact(w, front, i) and other >= 0 and other != i and side_of_contact(w, other, front) == 0:
            return par[P_OVERLAP]  # it fights somebody else: that is an overlap, no fight of its own
        return value
    stride = par[STRIDE]
    place = st[i, PLACE]
    lane, row = lane_of(w, place), row_of(w, place)
    owner = spec[i, OWNER]
    nearest, threat = 9999, 0
    near, j = st[i, NEAR], w[SIDE][1 - owner, BEGIN] - 1
    while near:
        j += 1
        hit = near & 1
        near >>= 1
        if not hit:
            continue
        far = 2 * abs(lane_of(w, st[j, PLACE]) - lane) + abs(row_of(w, st[j, PLACE]) - row)
        nearest = min(nearest, far)
        if far - 1 <= spec[j, MOVE] and not spec[j, FLAGS] & (NO_CONTACT | IS_CAMP):
            threat = max(threat, w[EXCH][j, i])
    value = -par[P_NEARER] * nearest
    patience = max(par[P_PATIENCE] - par[TURN], 0)
    value -= threat * par[P_THREAT] * patience // (100 * par[P_PATIENCE])
    if shot_kind(w, i) >= 0:
        reach = spec[i, RANGE] if spec[i, SHOOT] else 3
        if nearest <= reach + 2:
            value += par[P_TARGET]
    home = homeward(w, owner)
    if nearest <= 6 and st[i, FACE] == home:
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
    there = board[old]  # another, if the stand is not on the board
    if there == i:
        board[old] = -1
    st[i, PLACE], st[i, FACE] = place, facing
    board[place] = i
    value = place_value(w, i)
    board[place] = -1
    st[i, PLACE], st[i, FACE] = old, face
    board[old] = there
    return value


@kernel(f"void({WORLD}, int64, int64)")
def weigh_landings(w: World, i: int, here: int) -> None:
    """The flight, return or escape that gains most over what staying is worth."""
    st, k, spot = w[ST], 0, 0
    while spot != NO_MORE:
        spot = landing(w, i, k)
        k += 1
        if spot >= 0:
            gain = value_at(w, i, spot >> 2, spot & 3) - here
            if st[i, STATUS] == AWAY:
                gain += charge_worth(w, i, spot >> 2, spot & 3)
            if gain > st[i, BEST_GAIN]:
                st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = spot >> 2, spot & 3, gain


@kernel(f"void({WORLD}, int64)")
def best_single(w: World, i: int) -> None:
    """The single move that gains most; `BEST_GAIN` is 0 without one, `HERE` the worth of staying."""
    st, spec, par = w[ST], w[SPEC], w[PAR]
    home = st[i, HEAD]
    st[i, BEST_GAIN] = 0
    if may_come(w, i):
        if not comes_elsewhere(w, i):
            weigh_landings(w, i, off_board_value(w, i))
        return
    if st[i, STATUS] != ON_BOARD or st[i, MOVED] or st[i, HOLDS] or spec[i, FLAGS] & IS_CAMP or in_contact(w, i):
        return
    here = place_value(w, i)
    st[i, HERE] = here
    if lands(w, i):
        weigh_landings(w, i, here)
        weigh_leaving(w, i, here)
        return
    closest = 9999
    near, j = st[i, NEAR], w[SIDE][1 - spec[i, OWNER], BEGIN] - 1
    while near:
        j += 1
        hit = near & 1
        near >>= 1
        if not hit:
            continue
        lanes, rows = own_lanes(w, i, st[j, PLACE]), own_rows(w, i, st[j, PLACE])
        closest = min(closest, 2 * abs(lanes) + abs(rows))
        if spec[i, FLAGS] & NO_CONTACT or rows < -1 or 2 * (abs(lanes) - 1) + rows - 1 > spec[i, MOVE]:
            continue
        for turn in range(4):
            facing = (home + turn) & 3
            if contact_move(w, i, j, facing):
                place = st[j, PLACE] - step(facing, par[STRIDE])
                gain = value_at(w, i, place, facing) - here
                if gain > st[i, BEST_GAIN]:
                    st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, facing, gain
    slow = spec[i, FLAGS] & SLOWED and is_hard(w, i, st[i, PLACE])
    most = min(spec[i, MOVE], 3) if slow else spec[i, MOVE]
    # Far from every enemy there is only straight ahead.
    for sideways in (0, -1, 1):
        if sideways and closest > 2 * spec[i, MOVE] + 8:
            break
        ahead = most - 2 * abs(sideways)
        tries = 0
        while ahead >= 0 and tries < 2:
            if (sideways or ahead) and can_reach(w, i, sideways, ahead, 0):
                place = destination(w, i, sideways, ahead)
                gain = value_at(w, i, place, home) - here
                if gain > st[i, BEST_GAIN]:
                    st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, home, gain
                tries += 1
                ahead //= 2
                if ahead == 0:
                    break
            else:
                ahead -= 1
    weigh_leaving(w, i, here)


@kernel(f"int64({WORLD}, int64, int64, int64)")
def group_gain(w: World, owner: int, group: int, rows: int) -> int:
    """What a group gains by moving so many rows together; `HERE` holds what staying is worth."""
    st, board, side, par = w[ST], w[BOARD], w[SIDE], w[PAR]
    begin, end = side[owner, BEGIN], side[owner, END]
    forward = step(homeward(w, owner), par[STRIDE])
    gain = 0
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
                    gain += place_value(w, i) - st[i, HERE]
    return gain


@kernel(f"void({WORLD}, int64)")
def greedy(w: World, owner: int) -> None:
    """The order that gains most for its cost, while one gains anything."""
    st, spec, side, _par = w[ST], w[SPEC], w[SIDE], w[PAR]
    begin, end = side[owner, BEGIN], side[owner, END]
    for i in range(begin, end):
        list_near(w, i)
        best_single(w, i)
    while has_orders(w, owner):
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
            cost = max(cost, 1)
            rows = group_reach(w, owner, group)
            for _ in range(2):
                if rows > 0:
                    gain = group_gain(w, owner, group, rows)
                    if gain * cost_best > gain_best * cost:
                        best, far, gain_best, cost_best = group, rows, gain, cost
                rows //= 2
        who = -1
        for i in range(begin, end):
            if st[i, BEST_GAIN] <= 0 or not may_move(w, i):
                continue
            cost = max(single_cost(w, i), 1)  # the point of a Subcommander is no reason to go first
            if st[i, BEST_GAIN] * cost_best > gain_best * cost:
                who, gain_best, cost_best = i, st[i, BEST_GAIN], cost
        if who >= 0:
            side[owner, PIPS] -= single_cost(w, who)
            old = st[who, PLACE]
            carry_out(w, who, st[who, BEST], st[who, BEST_FACE])
            st[who, BEST_GAIN] = 0
            for i in range(begin, end):
                lane = lane_of(w, st[i, PLACE])
                near = abs(lane - lane_of(w, old)) <= 2 or abs(lane - lane_of(w, st[who, PLACE])) <= 2
                if (near or unsettled(w, i, st[who, PLACE])) and i != who:
                    best_single(w, i)
        elif best >= 0:
            side[owner, PIPS] -= group_cost(w, owner, best)
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
