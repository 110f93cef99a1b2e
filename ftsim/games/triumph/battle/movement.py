"""Moves: zones of control, what a stand can reach, groups, and what an order costs (Triumph! 31-56; FT 4)."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_at, enemy_in_front, lane_of, neighbour, row_of, step
from ftsim.games.triumph.battle.layout import (
    ALL_ROUND,
    AWAY,
    AWAY_COST,
    AWAY_OUT,
    BEGIN,
    BEST,
    BOARD,
    CARRIER,
    CLOSEST,
    COMMAND_FAR,
    COMMAND_NEAR,
    CRAVEN,
    DANGEROUS,
    E_GROUP,
    E_HELPED,
    E_MOVE,
    END,
    FACE,
    FLAGS,
    FLED,
    FLYING,
    GENERAL,
    GENERAL_LOST,
    GONE,
    GROUP,
    HARD,
    HEAD,
    HELPED,
    HELPS_ONCE,
    HIGH_MASK,
    HIGH_MOVE,
    HOLDS,
    IS_CAMP,
    MEMBERS,
    MOVE,
    MOVED,
    NO_CONTACT,
    NO_ZONE,
    NOW_SHY,
    ON_BOARD,
    ORDER_COST,
    OUT_COST,
    OWNER,
    PAR,
    PIPS,
    PLACE,
    REGENERATES,
    RIDER,
    RIDING,
    SHOOT,
    SIDE,
    SIGHT_MASK,
    SIZE,
    SLOWED,
    SPEC,
    ST,
    STAND_OFF,
    STATUS,
    STRIDE,
    SUBCOMMANDER,
    SURCHARGE,
    TARGET,
    TERR,
    WORLD,
    ZONE,
    World,
)
from ftsim.games.triumph.battle.outcomes import homeward, note, put
from ftsim.kernels import kernel

#: The place of a stand that is to go Away: a corner outside the board.
TO_AWAY = 0


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def gap(w: World, one: int, other: int) -> int:
    """Free MU between two places: 2 a lane, 1 a row, the greater of both."""
    lanes = abs(lane_of(w, one) - lane_of(w, other))
    rows = abs(row_of(w, one) - row_of(w, other))
    return max(2 * (lanes - 1), rows - 1, 0)


@kernel(f"int64({WORLD}, int64)")
def in_contact(w: World, i: int) -> int:
    """Whether a stand touches an enemy, by its own front or an enemy's."""
    st, stride = w[ST], w[PAR][STRIDE]
    if enemy_in_front(w, i) >= 0:
        return 1
    place = st[i, PLACE]
    for facing in range(4):
        z = enemy_at(w, i, place + step(facing, stride))
        if z >= 0 and not w[SPEC][z, FLAGS] & IS_CAMP and enemy_in_front(w, z) == i:
            return 1
    return 0


@kernel(f"void({WORLD}, int64)")
def mark_zones(w: World, owner: int) -> None:
    """Mark the zones of control of a side: two places ahead, one sideways; War Wagons all round (Triumph! 51)."""
    st, spec, board, par = w[ST], w[SPEC], w[BOARD], w[PAR]
    zone = w[ZONE][owner]
    for p in range(par[SIZE]):
        zone[p] = 0
    for i in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
        if st[i, STATUS] != ON_BOARD or spec[i, FLAGS] & NO_ZONE:
            continue
        for turn in range(4):
            if turn and not spec[i, FLAGS] & ALL_ROUND:
                break
            facing = (st[i, FACE] + turn) & 3
            ahead = step(facing, par[STRIDE])
            p = st[i, PLACE]
            for _ in range(1 if facing & 1 else 2):
                p += ahead
                if board[p] == -2:
                    break
                zone[p] = 1
                if board[p] >= 0:
                    break


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def owns_zone(w: World, j: int, place: int) -> int:
    """Whether a place lies in the zone of control of a stand."""
    st, board, par = w[ST], w[BOARD], w[PAR]
    for turn in range(4):
        if turn and not w[SPEC][j, FLAGS] & ALL_ROUND:
            break
        facing = (st[j, FACE] + turn) & 3
        ahead = step(facing, par[STRIDE])
        p = st[j, PLACE]
        for _ in range(1 if facing & 1 else 2):
            p += ahead
            if p == place:
                return 1
            if board[p] != -1:
                break
    return 0


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def is_hard(w: World, i: int, place: int) -> int:
    """Whether the terrain in a place is difficult to a stand."""
    kind = w[TERR][place]
    return (w[SPEC][i, HARD] >> kind) & 1 if kind > 0 else 0


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def slows(w: World, i: int, place: int) -> int:
    """Whether the terrain in a place leaves a stand 3 MU: mounted, and foot on ground transports (35.2; FT 45.4)."""
    return is_hard(w, i, place) if w[SPEC][i, FLAGS] & SLOWED else 0


@kernel(f"int64({WORLD}, int64, int64)")
def near_enemies(w: World, i: int, place: int) -> int:
    """Whether a place is within 4 MU of an enemy stand or camp, where transports never go (FT 45.5)."""
    st, side = w[ST], w[SIDE]
    enemy = 1 - w[SPEC][i, OWNER]
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] == ON_BOARD and gap(w, place, st[j, PLACE]) <= 4:
            return 1
    return 0


@kernel(f"int64({WORLD}, int64, int64)")
def is_dangerous(w: World, i: int, j: int) -> int:
    """Whether a Flying stand may not make contact with an enemy (FT 11, 30.1.c)."""
    return 1 if w[SPEC][i, FLAGS] & CRAVEN or w[SPEC][j, FLAGS] & DANGEROUS else 0


@kernel(f"int64({WORLD}, int64, int64, int64, int64)")
def may_end(w: World, i: int, place: int, facing: int, length: int) -> int:
    """Whether a Flying or Craven stand may end a move of some length in a free place (FT 9.1, 9.2, 11, 30.1)."""
    spec, par = w[SPEC], w[PAR]
    if spec[i, FLAGS] & CRAVEN and w[ZONE][1 - spec[i, OWNER], place]:
        return 0
    if not spec[i, FLAGS] & FLYING:
        return 1
    if spec[i, FLAGS] & RIDING:  # FT 45.4, 45.5
        start = w[ST][i, PLACE]
        if near_enemies(w, i, start) or near_enemies(w, i, place) or (is_hard(w, i, start) and length > 3):
            return 0
    if (par[HIGH_MASK] >> w[TERR][place]) & 1 and (length > par[HIGH_MOVE] or spec[i, FLAGS] & STAND_OFF):
        return 0
    for turn in range(4):
        z = enemy_at(w, i, place + step((facing + turn) & 3, par[STRIDE]))
        if z < 0:
            continue
        touches = turn == 0 or (not w[SPEC][z, FLAGS] & IS_CAMP and neighbour(w, z, 0) == place)
        if touches and (spec[i, FLAGS] & NO_CONTACT or is_dangerous(w, i, z)):
            return 0
    return 1


@kernel(f"int64({WORLD}, int64, int64, int64, int64)")
def can_reach(w: World, i: int, sideways: int, ahead: int, turns: int) -> int:
    """Whether a stand can move `sideways` lanes to its right, then `ahead` rows, with `turns` quarter-turns after.

    It looks where it heads while it moves; turning there first costs too. Sideways movement
    ends in an enemy zone, and a stand that starts in one only moves straight.
    """
    st, board, par = w[ST], w[BOARD], w[PAR]
    owner = w[SPEC][i, OWNER]
    home = st[i, HEAD]
    wrong = (st[i, FACE] - home) & 3
    spent = turns + (2 if wrong == 2 else (1 if wrong else 0)) + 2 * abs(sideways) + ahead
    most = w[SPEC][i, MOVE]
    if spent > most:
        return 0
    zone = w[ZONE][1 - owner]
    forward = step(home, par[STRIDE])
    right = step((home + 1) & 3, par[STRIDE])
    p = st[i, PLACE]
    if sideways and zone[p]:
        return 0
    riding = w[SPEC][i, FLAGS] & RIDING
    if riding and near_enemies(w, i, p):
        return 0
    shuns = w[SPEC][i, FLAGS] & CRAVEN and not zone[p]  # FT 30.1.a
    slow = slows(w, i, p)
    sign = 1 if sideways > 0 else -1
    for k in range(abs(sideways)):
        p += sign * right
        if board[p] != -1:
            return 0
        if zone[p] and (shuns or k + 1 < abs(sideways)):
            return 0
        slow = slow or slows(w, i, p)
        if riding and near_enemies(w, i, p):
            return 0
    for _ in range(ahead):
        p += forward
        if board[p] != -1 or (shuns and zone[p]):
            return 0
        slow = slow or slows(w, i, p)
        if riding and near_enemies(w, i, p):
            return 0
    if riding and w[SPEC][i, FLAGS] & FLYING:  # FT 45.4: where it begins and ends
        slow = is_hard(w, i, w[ST][i, PLACE]) or is_hard(w, i, p)
    if slow and spent > 3:  # Triumph! 35.2
        return 0
    if w[SPEC][i, FLAGS] & CRAVEN and zone[p]:  # FT 30.1.d
        return 0
    if w[SPEC][i, FLAGS] & STAND_OFF and is_hard(w, i, p):
        return 0
    if w[SPEC][i, FLAGS] & NO_CONTACT and enemy_at(w, i, p + forward) >= 0:
        return 0
    return 1


@kernel(f"int64({WORLD}, int64, int64, int64)")
def destination(w: World, i: int, sideways: int, ahead: int) -> int:
    """The place of a move that `can_reach` allows."""
    home = w[ST][i, HEAD]
    stride = w[PAR][STRIDE]
    return w[ST][i, PLACE] + sideways * step((home + 1) & 3, stride) + ahead * step(home, stride)


@kernel(f"void({WORLD}, int64)")
def find_groups(w: World, owner: int) -> None:
    """Number the groups of a side: stands that may move together, joined in a row or in a lane.

    Stands look to the enemy's edge, have not moved, are neither in contact nor in difficult terrain.
    Those that may not make contact go alone, and so do those that keep away from a near enemy.
    """
    st, spec, board, side, par = w[ST], w[SPEC], w[BOARD], w[SIDE], w[PAR]
    home = homeward(w, owner)
    begin, end = side[owner, BEGIN], side[owner, END]
    for i in range(begin, end):
        st[i, GROUP] = -1
        if (
            st[i, STATUS] == ON_BOARD
            and not st[i, MOVED]
            and st[i, FACE] == home
            and not st[i, HOLDS]
            and not spec[i, FLAGS] & (IS_CAMP | NO_CONTACT)
            and not (par[NOW_SHY] and st[i, CLOSEST] <= 16 and (spec[i, MOVE] > 4 or spec[i, SHOOT]))
            and not is_hard(w, i, st[i, PLACE])
            and not in_contact(w, i)
            and not (spec[i, FLAGS] & CRAVEN and w[ZONE][1 - owner, st[i, PLACE]])
        ):
            st[i, GROUP] = -2
    number = 0
    for i in range(begin, end):
        if st[i, GROUP] != -2:
            continue
        st[i, GROUP] = number
        # `TARGET` lists the members found so far, from the first row of the side on.
        st[begin, TARGET] = i
        seen, found = 0, 1
        while seen < found:
            place = st[st[begin + seen, TARGET], PLACE]
            seen += 1
            for facing in range(4):  # flyers are groups of their own
                j = board[place + step(facing, par[STRIDE])]
                if begin <= j < end and st[j, GROUP] == -2 and (spec[j, FLAGS] ^ spec[i, FLAGS]) & FLYING == 0:
                    st[j, GROUP] = number
                    st[begin + found, TARGET] = j
                    found += 1
        st[begin + number, MEMBERS] = found
        number += 1
    if number < end - begin:
        st[begin + number, MEMBERS] = 0


@kernel(f"int64({WORLD}, int64, int64)")
def group_reach(w: World, owner: int, group: int) -> int:
    """How many rows a group can move straight ahead together, until one is blocked or in contact."""
    st, spec, board, side, par = w[ST], w[SPEC], w[BOARD], w[SIDE], w[PAR]
    home = homeward(w, owner)
    forward = step(home, par[STRIDE])
    rows = 99
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, GROUP] == group:
            rows = min(rows, spec[i, MOVE])
    far = 0
    for k in range(1, rows + 1):
        free, met = True, False
        for i in range(side[owner, BEGIN], side[owner, END]):
            if st[i, GROUP] != group:
                continue
            p = st[i, PLACE] + k * forward
            j = board[p]
            if j != -1 and not (j >= 0 and spec[j, OWNER] == owner and st[j, GROUP] == group):
                free = False
                break
            if is_hard(w, i, p) and (spec[i, FLAGS] & STAND_OFF or (spec[i, FLAGS] & SLOWED and k > 3)):
                free = False
                break
            if spec[i, FLAGS] & RIDING and near_enemies(w, i, p):
                free = False
                break
            if spec[i, FLAGS] & (CRAVEN | FLYING) and not may_end(w, i, p, home, k):
                free = False
                break
            z = enemy_at(w, i, p + forward)
            if z >= 0:
                if spec[i, FLAGS] & NO_CONTACT:
                    free = False
                    break
                met = True
        if not free:
            break
        far = k
        if met:
            break
    return far


@kernel(f"int64({WORLD}, int64)", inline=True)
def helps(w: World, i: int) -> int:
    """1 when a Subcommander on a stand has his point left for this turn (FT 56; 4.1.d)."""
    rider = w[ST][i, RIDER]
    if rider < 0 or not w[SPEC][rider, FLAGS] & SUBCOMMANDER:
        return 0
    return 0 if w[SIDE][w[SPEC][i, OWNER], HELPED] and w[PAR][HELPS_ONCE] else 1


@kernel(f"void({WORLD}, int64)")
def take_help(w: World, i: int) -> None:
    """Use up the point of a Subcommander on a stand that was given an order."""
    if helps(w, i):
        w[SIDE][w[SPEC][i, OWNER], HELPED] = 1
        note(w, E_HELPED, w[ST][i, RIDER], 0, 0, 0)


@kernel(f"int64({WORLD}, int64, int64)")
def group_helped(w: World, owner: int, group: int) -> int:
    """1 when a group has a Subcommander with his point in it."""
    for i in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
        if w[ST][i, GROUP] == group and helps(w, i):
            return 1
    return 0


@kernel(f"void({WORLD}, int64, int64, int64)")
def move_group(w: World, owner: int, group: int, rows: int) -> None:
    """Move a group straight ahead."""
    st, board, side, par = w[ST], w[BOARD], w[SIDE], w[PAR]
    forward = step(homeward(w, owner), par[STRIDE])
    leader = -1
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, GROUP] == group:
            board[st[i, PLACE]] = -1
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, GROUP] == group:
            st[i, PLACE] += rows * forward
            board[st[i, PLACE]] = i
            st[i, MOVED] = 1
            st[i, FLED] = 0
            if leader < 0:
                leader = i
            note(w, E_MOVE, i, st[i, PLACE], st[i, FACE], 1)
    if leader >= 0:
        note(w, E_GROUP, leader, rows, 0, 0)
        for i in range(side[owner, BEGIN], side[owner, END]):
            if st[i, GROUP] == group:
                take_help(w, i)


@kernel(f"void({WORLD}, int64, int64, int64)")
def move_single(w: World, i: int, place: int, facing: int) -> None:
    """Move one stand."""
    if place != w[ST][i, PLACE]:
        put(w, i, place)
    w[ST][i, FACE] = facing
    w[ST][i, MOVED] = 1
    w[ST][i, FLED] = 0
    note(w, E_MOVE, i, place, facing, 0)
    take_help(w, i)


@kernel("int64(int64, int64, int64)")
def on_the_way(whole: int, k: int, steps: int) -> int:
    """The k-th of `steps` parts of a distance, rounded alike in both directions."""
    part = (2 * abs(whole) * k + steps) // (2 * steps)
    return part if whole >= 0 else -part


@kernel(f"int64({WORLD}, int64, int64)")
def clear_line(w: World, one: int, other: int) -> int:
    """Whether no terrain that blocks sight lies between two places."""
    par, terr = w[PAR], w[TERR]
    if par[SIGHT_MASK] == 0:
        return 1
    stride = par[STRIDE]
    lane, row = lane_of(w, one), row_of(w, one)
    lanes, rows = lane_of(w, other) - lane, row_of(w, other) - row
    steps = max(abs(lanes), abs(rows))
    for k in range(1, steps):
        p = (lane + on_the_way(lanes, k, steps)) * stride + row + on_the_way(rows, k, steps)
        kind = terr[p]
        if kind > 0 and (par[SIGHT_MASK] >> kind) & 1:
            return 0
    return 1


@kernel(f"int64({WORLD}, int64)", inline=True)
def command_distance(w: World, i: int) -> int:
    """1 when a stand is out of its general's reach: 8 MU, or 16 in a straight clear line (Triumph! 31)."""
    st, par = w[ST], w[PAR]
    owner = w[SPEC][i, OWNER]
    if w[SIDE][owner, GENERAL_LOST]:
        return 1
    if st[i, STATUS] == AWAY:
        return par[AWAY_OUT]
    general = w[SIDE][owner, GENERAL]
    if general < 0:
        return 0
    if st[general, STATUS] != ON_BOARD:
        return 1
    away = gap(w, st[i, PLACE], st[general, PLACE])
    if away <= par[COMMAND_NEAR]:
        return 0
    if away > par[COMMAND_FAR]:
        return 1
    return 0 if clear_line(w, st[i, PLACE], st[general, PLACE]) else 1


@kernel(f"int64({WORLD}, int64)", inline=True)
def order_cost(w: World, i: int) -> int:
    """Command points to move one stand: 1, a surcharge, 1 out of command, 1 less by a Subcommander (FT 4; 30-31)."""
    cost = w[PAR][ORDER_COST] + w[SPEC][i, SURCHARGE] + w[PAR][OUT_COST] * command_distance(w, i)
    return cost - helps(w, i)


@kernel(f"int64({WORLD}, int64)")
def single_cost(w: World, i: int) -> int:
    """Command points for the order that a stand would be given: to or from Away costs more (FT 7)."""
    st = w[ST]
    if st[i, STATUS] == GONE:  # FT 52.1
        return w[SPEC][i, REGENERATES] - 1
    if st[i, CARRIER] >= 0:  # a hero changes stands
        return w[PAR][ORDER_COST] + w[PAR][OUT_COST] * command_distance(w, st[i, CARRIER])
    away = st[i, STATUS] == AWAY or st[i, BEST] == TO_AWAY
    return order_cost(w, i) + (w[PAR][AWAY_COST] if away else 0)


@kernel(f"int64({WORLD}, int64, int64)")
def group_cost(w: World, owner: int, group: int) -> int:
    """Command points to move a group: the dearest member counts."""
    cost = 1
    for i in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
        if w[ST][i, GROUP] == group:
            cost = max(cost, order_cost(w, i) + helps(w, i))
    return cost - group_helped(w, owner, group)


@kernel(f"int64({WORLD}, int64)")
def has_orders(w: World, owner: int) -> int:
    """Whether a side can give an order: with a point, or with the point of a Subcommander."""
    if w[SIDE][owner, PIPS] > 0:
        return 1
    for i in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
        if w[ST][i, STATUS] == ON_BOARD and helps(w, i):
            return 1
    return 0
