"""The players `greedy`, `hold` and `skirmish`: the order that gains most for its cost, on exact exchanges."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_at, enemy_in_front, lowest, step
from ftsim.games.triumph.battle.flight import NO_MORE
from ftsim.games.triumph.battle.layout import (
    AWAY,
    BEGIN,
    BEST,
    BEST_FACE,
    BEST_GAIN,
    BOARD,
    CLOSEST,
    CRAVEN,
    DUE,
    END,
    FACE,
    FIGHT,
    FLAGS,
    FLYING,
    GROUP,
    HEAD,
    HOLDS,
    IS_CAMP,
    LEAVES,
    MEMBERS,
    MOVE,
    MOVED,
    NEAR,
    NO_CONTACT,
    NOW_FIGHTS,
    NOW_NEARER,
    ON_BOARD,
    OWNER,
    P_LINE,
    PAR,
    PIPS,
    PLACE,
    RIDING,
    SIDE,
    SLOWED,
    SPEC,
    ST,
    STAND_OFF,
    STATUS,
    STRIDE,
    WORLD,
    ZONE,
    World,
)
from ftsim.games.triumph.battle.lookout import contact_move, list_near, may_move, own_lanes, own_rows
from ftsim.games.triumph.battle.movement import (
    can_reach,
    find_groups,
    group_cost,
    group_reach,
    has_orders,
    in_contact,
    is_hard,
    move_group,
    single_cost,
)
from ftsim.games.triumph.battle.outcomes import homeward
from ftsim.games.triumph.battle.returns import (
    carry_out,
    charge_worth,
    comes_elsewhere,
    landing,
    lands,
    may_come,
    off_board_value,
    touched,
    weigh_leaving,
    whereabouts,
)
from ftsim.games.triumph.battle.shooting import shot_kind
from ftsim.games.triumph.battle.worth import (
    FIGHTS_WITHIN,
    bout,
    bouts_beside,
    is_shy,
    note_fights,
    place_worth,
    worth_at,
)
from ftsim.kernels import kernel


@kernel(f"int64({WORLD}, int64, int64)")
def beside_a_fight(w: World, i: int, place: int) -> int:
    """Whether a friend beside a place fights to his front."""
    right = step((w[ST][i, HEAD] + 1) & 3, w[PAR][STRIDE])
    for sign in (-1, 1):
        k = w[BOARD][place + sign * right]
        if k >= 0 and w[SPEC][k, OWNER] == w[SPEC][i, OWNER] and enemy_in_front(w, k) >= 0:
            return 1
    return 0


@kernel(f"void({WORLD}, int64, int64, int64, int64)")
def consider(w: World, i: int, place: int, facing: int, here: int) -> None:
    """Keep a move if it gains more than the best so far."""
    st = w[ST]
    gain = worth_at(w, i, place, facing) - here
    if gain > st[i, BEST_GAIN]:
        st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, facing, gain


@kernel(f"void({WORLD}, int64, int64)")
def straight_moves(w: World, i: int, here: int) -> None:
    """Moves that end looking where the stand heads: some lanes aside, then rows ahead."""
    st, spec, board, par = w[ST], w[SPEC], w[BOARD], w[PAR]
    home, start = st[i, HEAD], st[i, PLACE]
    forward, right = step(home, par[STRIDE]), step((home + 1) & 3, par[STRIDE])
    wrong = (st[i, FACE] - home) & 3
    turns = 2 if wrong == 2 else (1 if wrong else 0)
    zone = w[ZONE][1 - spec[i, OWNER]]
    near = st[i, CLOSEST] <= 2 * spec[i, MOVE] + 8
    shoots = near and shot_kind(w, i) >= 0
    mounted = spec[i, FLAGS] & SLOWED
    careful = spec[i, FLAGS] & (CRAVEN | RIDING)
    for sign in (1, -1):
        p, lanes = start, 0
        slow = mounted and is_hard(w, i, p)
        while True:
            if sign == 1 or lanes > 0:
                most = (min(spec[i, MOVE], 3) if slow else spec[i, MOVE]) - turns - 2 * lanes
                q, top = p, 0
                while top < most and board[q + forward] == -1:
                    q += forward
                    top += 1
                    if mounted and not slow and is_hard(w, i, q):  # Triumph! 35.2
                        most = min(most, 3 - turns - 2 * lanes)
                        if top > most:
                            top -= 1
                            break
                for ahead in range(0 if lanes else 1, top + 1):
                    q = p + ahead * forward
                    if not (
                        ahead == top or (ahead == top // 2 and ahead) or shoots or (near and beside_a_fight(w, i, q))
                    ):
                        continue
                    if spec[i, FLAGS] & STAND_OFF and is_hard(w, i, q):
                        continue
                    if spec[i, FLAGS] & NO_CONTACT and enemy_at(w, i, q + forward) >= 0:
                        continue
                    if careful and not can_reach(w, i, sign * lanes, ahead, 0):
                        continue
                    consider(w, i, q, home, here)
            if zone[p] or not near or lanes == 2:  # Triumph! 51
                break
            p += sign * right
            lanes += 1
            if 2 * lanes + turns > spec[i, MOVE] or board[p] != -1:
                break
            slow = slow or (mounted and is_hard(w, i, p))
            if slow and 2 * lanes + turns > 3:
                break


@kernel(f"void({WORLD}, int64, int64)")
def straight_back(w: World, i: int, here: int) -> None:
    """Moves straight back, facing kept."""
    st, spec, board = w[ST], w[SPEC], w[BOARD]
    back = -step(st[i, FACE], w[PAR][STRIDE])
    p = st[i, PLACE]
    slow = spec[i, FLAGS] & SLOWED and is_hard(w, i, p)
    for k in range(1, spec[i, MOVE] + 1):
        p += back
        slow = slow or (spec[i, FLAGS] & SLOWED and is_hard(w, i, p))
        if board[p] != -1 or (slow and k > 3):
            break
        consider(w, i, p, st[i, FACE], here)


@kernel(f"void({WORLD}, int64, int64)")
def weigh_landings(w: World, i: int, here: int) -> None:
    """The flight, return or escape of a stand taken up from the board that gains most over staying."""
    st, k, spot = w[ST], 0, 0
    while spot != NO_MORE:
        spot = landing(w, i, k)
        k += 1
        if spot >= 0:
            gain = worth_at(w, i, spot >> 2, spot & 3) - here
            if st[i, STATUS] == AWAY:
                gain += charge_worth(w, i, spot >> 2, spot & 3)
            if gain > st[i, BEST_GAIN]:
                st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = spot >> 2, spot & 3, gain


@kernel(f"void({WORLD}, int64)")
def best_single(w: World, i: int) -> None:
    """The single move that gains most; `BEST_GAIN` is 0 without one."""
    st, spec, par, board = w[ST], w[SPEC], w[PAR], w[BOARD]
    st[i, BEST_GAIN] = 0
    st[i, DUE] = 0
    if may_come(w, i):
        if not comes_elsewhere(w, i):
            weigh_landings(w, i, off_board_value(w, i))
        return
    if st[i, STATUS] != ON_BOARD or st[i, MOVED] or st[i, HOLDS] or spec[i, FLAGS] & IS_CAMP or in_contact(w, i):
        return
    home, old = st[i, HEAD], st[i, PLACE]
    board[old] = -1
    fights = par[NOW_FIGHTS] and st[i, CLOSEST] <= FIGHTS_WITHIN + 1
    if fights:
        bouts_beside(w, spec[i, OWNER], old, 1)
    here = worth_at(w, i, old, st[i, FACE])
    if lands(w, i):
        weigh_landings(w, i, here)
        board[old] = i
        if fights:
            bouts_beside(w, spec[i, OWNER], old, 1)
        weigh_leaving(w, i, here)
        return
    near, begin = st[i, NEAR], w[SIDE][1 - spec[i, OWNER], BEGIN]
    if spec[i, FLAGS] & NO_CONTACT or st[i, CLOSEST] > 2 * spec[i, MOVE] + 4:
        near = 0
    while near:
        j = begin + lowest(w, near)
        near &= near - 1
        lanes, rows = own_lanes(w, i, st[j, PLACE]), own_rows(w, i, st[j, PLACE])
        if rows < -1 or 2 * (abs(lanes) - 1) + rows - 1 > spec[i, MOVE]:
            continue
        for turn in range(4):
            facing = (home + turn) & 3
            if contact_move(w, i, j, facing):
                consider(w, i, st[j, PLACE] - step(facing, par[STRIDE]), facing, here)
    straight_moves(w, i, here)
    if is_shy(w, i) and st[i, CLOSEST] <= 12 and not spec[i, FLAGS] & (CRAVEN | RIDING):
        straight_back(w, i, here)
    board[old] = i
    if fights:
        bouts_beside(w, spec[i, OWNER], old, 1)
    weigh_leaving(w, i, here)


@kernel(f"void({WORLD}, int64, int64, int64)")
def shift_group(w: World, owner: int, group: int, rows: int) -> None:
    """Set a group down some rows farther on, for a look."""
    st, board, side = w[ST], w[BOARD], w[SIDE]
    forward = step(homeward(w, owner), w[PAR][STRIDE])
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, GROUP] == group:
            board[st[i, PLACE]] = -1
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, GROUP] == group:
            st[i, PLACE] += rows * forward
            board[st[i, PLACE]] = i


@kernel(f"int64({WORLD}, int64, int64, int64)")
def group_worth(w: World, owner: int, group: int, fights: int) -> int:
    """What the places of a group are worth; with `fights`, also what all other fights are."""
    st, worth = w[ST], 0
    for i in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
        if st[i, GROUP] == group:
            worth += place_worth(w, i, 0)
        elif fights and st[i, FIGHT]:
            worth += bout(w, i)
    return worth


@kernel(f"void({WORLD}, int64)")
def greedy(w: World, owner: int) -> None:
    """The order that gains most for its cost, while one gains anything."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    begin, end = side[owner, BEGIN], side[owner, END]
    for i in range(begin, end):
        st[i, BEST_GAIN] = 0
        list_near(w, i)
        st[i, DUE] = 1
    while has_orders(w, owner):
        note_fights(w, owner)
        find_groups(w, owner)
        best, far, gain_best, cost_best = -1, 0, 0, 1
        for group in range(end - begin):
            members = st[begin + group, MEMBERS]
            if members == 0:
                break
            if members < 2:
                continue
            cost = group_cost(w, owner, group)
            if cost > side[owner, PIPS]:
                continue
            cost = max(cost, 1)
            rows = group_reach(w, owner, group)
            here = group_worth(w, owner, group, par[NOW_FIGHTS]) if rows > 0 else 0
            for _ in range(2):
                if rows > 0:
                    shift_group(w, owner, group, rows)
                    gain = group_worth(w, owner, group, par[NOW_FIGHTS]) - here
                    shift_group(w, owner, group, -rows)
                    if gain * cost_best > gain_best * cost:
                        best, far, gain_best, cost_best = group, rows, gain, cost
                rows //= 2
        who = -1
        for i in range(begin, end):
            if st[i, DUE]:
                if st[i, CLOSEST] > 2 * spec[i, MOVE] + 8 and not spec[i, FLAGS] & (FLYING | LEAVES):
                    # Far from every enemy there is only straight ahead: what that can gain at most.
                    most = par[NOW_NEARER] * spec[i, MOVE] + 4 * par[P_LINE]
                    if most * cost_best <= gain_best:
                        continue
                best_single(w, i)
            if st[i, BEST_GAIN] <= 0 or not may_move(w, i):
                continue
            cost = max(single_cost(w, i), 1)  # the point of a Subcommander is no reason to go first
            if st[i, BEST_GAIN] * cost_best > gain_best * cost:
                who, gain_best, cost_best = i, st[i, BEST_GAIN], cost
        if who >= 0:
            side[owner, PIPS] -= single_cost(w, who)
            old = whereabouts(w, who)
            carry_out(w, who, st[who, BEST], st[who, BEST_FACE])
            st[who, BEST_GAIN] = 0
            new = whereabouts(w, who)
            for i in range(begin, end):
                if i != who and touched(w, i, old, new):
                    st[i, DUE] = 1
        elif best >= 0:
            side[owner, PIPS] -= group_cost(w, owner, best)
            move_group(w, owner, best, far)
            for i in range(begin, end):
                st[i, DUE] = 1
        else:
            break
