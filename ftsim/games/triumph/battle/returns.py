"""Leaving the board and coming back: Away (FT 7, 26), Regenerate (FT 52), heroes, and Craven stands that slip off.

Each is an order like a move, weighed by what it is expected to gain.
"""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_at, enemy_in_front, exchange, lane_of, match_rows, step
from ftsim.games.triumph.battle.exchanges import plain_exchange
from ftsim.games.triumph.battle.flight import NO_MORE, NOT_HERE, flight, offset
from ftsim.games.triumph.battle.layout import (
    AS_MOUNTED,
    AWAY,
    AWAY_COST,
    AWAY_GAP,
    AWAY_SHARE,
    BEGIN,
    BEST,
    BEST_GAIN,
    BOARD,
    CARRIER,
    COST,
    CRAVEN,
    DEMOTED,
    E_ATTACH,
    E_LEAVES,
    E_REGENERATES,
    E_RETURNS,
    E_RISES_AWAY,
    END,
    FACE,
    FLAGS,
    FLED,
    FLYING,
    GENERAL,
    GONE,
    HEAD,
    HERE,
    HERO,
    HERO_CLEAR,
    HERO_MOVE,
    HIGH_MASK,
    IS_CAMP,
    IS_GENERAL,
    LANES,
    LEAVES,
    MOVE,
    MOVED,
    NEAR,
    NO_CONTACT,
    NOW_NEARER,
    ON_BOARD,
    OWNER,
    P_AWAY,
    P_THREAT,
    PAR,
    PLACE,
    POINTS_LOST,
    REGENERATES,
    RESERVE,
    RETURN_ROWS,
    RIDER,
    RIDING,
    ROLE,
    SENDS_AWAY,
    SIDE,
    SPEC,
    ST,
    STAND_OFF,
    STATUS,
    STRIDE,
    TERR,
    THRESHOLD,
    W_AWAY,
    W_DESTROYED,
    WORLD,
    ZONE,
    World,
)
from ftsim.games.triumph.battle.movement import (
    TO_AWAY,
    gap,
    in_contact,
    is_hard,
    move_single,
    near_enemies,
    order_cost,
)
from ftsim.games.triumph.battle.outcomes import homeward, note, put, take_off
from ftsim.games.triumph.battle.setup import own_place
from ftsim.kernels import kernel


@kernel(f"int64({WORLD}, int64)")
def points_lost(w: World, owner: int) -> int:
    """Half-points that count as lost: what is lost, and a share of what is Away or in reserve, in quarters."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    quarters = 4 * side[owner, POINTS_LOST]
    for i in range(side[owner, BEGIN], side[owner, END]):
        carrier = st[i, CARRIER]
        if st[i, STATUS] == AWAY or (carrier >= 0 and st[carrier, STATUS] == AWAY):
            quarters += par[AWAY_SHARE] * spec[i, COST]
        elif st[i, STATUS] == RESERVE and st[i, CARRIER] < 0:
            quarters += 2 * spec[i, COST]  # FT 32.3
    return quarters


@kernel(f"int64({WORLD}, int64)")
def may_come(w: World, i: int) -> int:
    """Whether a stand or hero with no place of its own on the board may come to one this turn."""
    status, carrier = w[ST][i, STATUS], w[ST][i, CARRIER]
    if w[ST][i, MOVED]:
        return 0
    if carrier >= 0:  # a hero may ride from one stand to another
        return 1 if w[ST][carrier, STATUS] == ON_BOARD and w[PAR][HERO_MOVE] and not in_contact(w, carrier) else 0
    return 1 if status == AWAY or (status == GONE and w[SPEC][i, REGENERATES]) else 0


@kernel(f"int64({WORLD}, int64)")
def off_board_value(w: World, i: int) -> int:
    """What it is worth to be Away or lost, in the units of `worth.place_worth`."""
    par, rider = w[PAR], w[ST][i, RIDER]
    cost = w[SPEC][i, COST] + (w[SPEC][rider, COST] if rider >= 0 else 0)
    share = par[W_DESTROYED] if w[ST][i, STATUS] == GONE else par[W_AWAY]
    return -36 * share * cost - par[NOW_NEARER] * par[P_AWAY]


@kernel(f"int64({WORLD}, int64, int64)")
def is_clear(w: World, owner: int, place: int) -> int:
    """Whether a place lies outside enemy zones and far enough from every enemy to return from Away there."""
    st, side = w[ST], w[SIDE]
    if w[ZONE][1 - owner, place]:
        return 0
    for j in range(side[1 - owner, BEGIN], side[1 - owner, END]):
        if st[j, STATUS] == ON_BOARD and gap(w, place, st[j, PLACE]) < w[PAR][AWAY_GAP]:
            return 0
    return 1


@kernel(f"int64({WORLD}, int64, int64)")
def may_stand(w: World, i: int, place: int) -> int:
    """Whether a stand that comes onto the board may stand in a place: free, and for Artillery and War Wagons even."""
    if place < 0 or w[BOARD][place] != -1 or (w[SPEC][i, FLAGS] & RIDING and near_enemies(w, i, place)):
        return 0
    for facing in range(4):
        if enemy_at(w, i, place + step(facing, w[PAR][STRIDE])) >= 0:
            return 0
    if w[SPEC][i, FLAGS] & STAND_OFF:
        tall = w[SPEC][i, FLAGS] & FLYING and (w[PAR][HIGH_MASK] >> w[TERR][place]) & 1
        return 0 if tall or is_hard(w, i, place) else 1
    return 1


@kernel(f"int64({WORLD}, int64, int64)")
def place_from_away(w: World, i: int, k: int) -> int:
    """The k-th place to return to from Away that a policy should weigh.

    As near as allowed to each enemy on each side, looking at it; then beside and behind each friend.
    """
    st, side, par = w[ST], w[SIDE], w[PAR]
    owner = w[SPEC][i, OWNER]
    home = homeward(w, owner)
    begin = side[1 - owner, BEGIN]
    enemies = side[1 - owner, END] - begin
    rows, lanes = max(par[AWAY_GAP] + 1, 2), max((par[AWAY_GAP] + 1) // 2 + 1, 2)
    place, facing = -1, home
    if k < 4 * enemies:
        j, turn = begin + k // 4, k & 3
        facing = (home + turn) & 3
        if st[j, STATUS] != ON_BOARD:
            return NOT_HERE
        if turn & 1:
            place = offset(w, st[j, PLACE], -lanes if turn == 1 else lanes, 0, home)
        else:
            place = offset(w, st[j, PLACE], 0, -rows if turn == 0 else rows, home)
    else:
        k -= 4 * enemies
        j = side[owner, BEGIN] + k // 3
        if j >= side[owner, END]:
            return NO_MORE
        if j == i or st[j, STATUS] != ON_BOARD:
            return NOT_HERE
        across = 1 if k % 3 == 0 else (-1 if k % 3 == 1 else 0)
        place = offset(w, st[j, PLACE], across, 0 if across else -1, home)
    if may_stand(w, i, place) and is_clear(w, owner, place):
        return 4 * place + facing
    return NOT_HERE


@kernel(f"int64({WORLD}, int64, int64)")
def place_on_flank(w: World, i: int, k: int) -> int:
    """The k-th place where a stand may come back from the dead: in the outer lanes, out of zones (Triumph! 40.8)."""
    par = w[PAR]
    owner = w[SPEC][i, OWNER]
    if k >= 2 * par[RETURN_ROWS]:
        return NO_MORE
    place = own_place(w, owner, 0 if k & 1 else par[LANES] - 1, k // 2)
    if may_stand(w, i, place) and not w[ZONE][1 - owner, place]:
        return 4 * place + homeward(w, owner)
    return NOT_HERE


@kernel(f"int64({WORLD}, int64, int64)")
def place_behind(w: World, i: int, k: int) -> int:
    """The k-th place straight back to which a Craven stand may slip out of enemy zones (FT 30.1.d)."""
    st = w[ST]
    back = -step(st[i, FACE], w[PAR][STRIDE])
    place, length = st[i, PLACE], k + 1
    if length > w[SPEC][i, MOVE]:
        return NO_MORE
    for _ in range(length):
        place += back
        if w[BOARD][place] != -1:
            return NO_MORE
        if w[SPEC][i, AS_MOUNTED] and length > 3 and is_hard(w, i, place):  # Triumph! 35.2
            return NO_MORE
    if w[ZONE][1 - w[SPEC][i, OWNER], place] or (w[SPEC][i, FLAGS] & STAND_OFF and is_hard(w, i, place)):
        return NOT_HERE
    return 4 * place + st[i, FACE]


@kernel(f"int64({WORLD}, int64)")
def lands(w: World, i: int) -> int:
    """Whether `landing` lists the moves of a stand: in flight, onto the board, or slipping off."""
    flags = w[SPEC][i, FLAGS]
    if w[ST][i, STATUS] != ON_BOARD:
        return may_come(w, i)
    return 1 if flags & FLYING or (flags & CRAVEN and w[ZONE][1 - w[SPEC][i, OWNER], w[ST][i, PLACE]]) else 0


@kernel(f"int64({WORLD}, int64, int64)")
def landing(w: World, i: int, k: int) -> int:
    """The k-th such move, as four times the place plus the facing; `NOT_HERE`, and at last `NO_MORE`."""
    if w[ST][i, STATUS] == AWAY:
        return place_from_away(w, i, k)
    if w[ST][i, STATUS] == GONE:
        return place_on_flank(w, i, k)
    if w[SPEC][i, FLAGS] & FLYING:
        return flight(w, i, k)
    return place_behind(w, i, k)


@kernel(f"void({WORLD}, int64)")
def look_round(w: World, i: int) -> None:
    """All enemies on the board matter to who comes onto it."""
    st, side = w[ST], w[SIDE]
    enemy = 1 - w[SPEC][i, OWNER]
    near = 0
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] == ON_BOARD:
            near |= 1 << (j - side[enemy, BEGIN])
    st[i, NEAR] = near
    st[i, HEAD] = homeward(w, w[SPEC][i, OWNER])


@kernel(f"int64({WORLD}, int64, int64)")
def lent_worth(w: World, hero: int, i: int) -> int:
    """How much better a stand fights with a hero: the enemy in front of it, or the nearest, who counts less."""
    st, side = w[ST], w[SIDE]
    enemy = 1 - w[SPEC][i, OWNER]
    front = enemy_in_front(w, i)
    j, nearest = front, 9999
    if front < 0:
        for z in range(side[enemy, BEGIN], side[enemy, END]):
            if st[z, STATUS] == ON_BOARD and not w[SPEC][z, FLAGS] & IS_CAMP:
                far = gap(w, st[i, PLACE], st[z, PLACE])
                if far < nearest:
                    nearest, j = far, z
    if j < 0:
        return 0
    worth, kept = 0, st[i, RIDER]
    for turn in range(2):
        st[i, RIDER] = hero if turn == 0 else -1
        match_rows(w, i)
        value = exchange(w, i, j) if front >= 0 else plain_exchange(w, i, j) * w[PAR][P_THREAT] // 100
        worth += value if turn == 0 else -value
    if kept >= 0:
        st[i, RIDER] = kept
        match_rows(w, i)
    return max(worth, 0)


@kernel(f"void({WORLD}, int64)")
def best_carrier(w: World, hero: int) -> None:
    """The stand that a hero does most good on: coming from Away, or riding into a fight (FT 14, 39.7.a)."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    owner, old = spec[hero, OWNER], st[hero, CARRIER]
    most = 0 if old >= 0 else -1
    base = lent_worth(w, hero, old) if old >= 0 else -36 * w[PAR][W_AWAY] * spec[hero, COST]
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, STATUS] != ON_BOARD or spec[i, FLAGS] & IS_CAMP or st[i, RIDER] >= 0:
            continue
        if old >= 0:
            if enemy_in_front(w, i) < 0 or gap(w, st[old, PLACE], st[i, PLACE]) > w[PAR][HERO_MOVE]:
                continue
        elif w[PAR][HERO_CLEAR] and not is_clear(w, owner, st[i, PLACE]):
            continue
        gain = lent_worth(w, hero, i) - base
        if gain > most:
            most = gain
            st[hero, BEST], st[hero, BEST_GAIN], st[hero, HERE] = i, gain, 9998


@kernel(f"int64({WORLD}, int64, int64, int64)")
def charge_worth(w: World, i: int, place: int, facing: int) -> int:
    """What a stand in a free place could gain by a straight charge next turn, at the weight of a threat."""
    st, board = w[ST], w[BOARD]
    if w[SPEC][i, FLAGS] & NO_CONTACT:
        return 0
    ahead, left = step(facing, w[PAR][STRIDE]), w[SPEC][i, MOVE]
    # To the side it first looks home, moves 2 MU a lane, and turns again.
    sideways = (facing - homeward(w, w[SPEC][i, OWNER])) & 1
    left = (left - 2) // 2 if sideways else left
    while enemy_at(w, i, place + ahead) < 0:
        place += ahead
        left -= 1
        if left < 0 or board[place] != -1:
            return 0
    old, face, there = st[i, PLACE], st[i, FACE], board[st[i, PLACE]]
    if there == i:
        board[old] = -1
    st[i, PLACE], st[i, FACE] = place, facing
    board[place] = i
    worth = exchange(w, i, enemy_at(w, i, place + ahead)) * w[PAR][P_THREAT] // 100
    board[place] = -1
    st[i, PLACE], st[i, FACE] = old, face
    board[old] = there
    return max(worth, 0)


@kernel(f"int64({WORLD}, int64)")
def prospect(w: World, i: int) -> int:
    """The best charge that a stand could prepare by returning from Away, at half its worth for the turns it takes."""
    best, k, spot = 0, 0, 0
    enemy = 1 - w[SPEC][i, OWNER]
    while k < 4 * (w[SIDE][enemy, END] - w[SIDE][enemy, BEGIN]):
        spot = place_from_away(w, i, k)
        k += 1
        if spot >= 0:
            best = max(best, charge_worth(w, i, spot >> 2, spot & 3))
    return best // 2


@kernel(f"int64({WORLD}, int64)")
def comes_elsewhere(w: World, i: int) -> int:
    """Weigh what needs no place on the board: a hero joins a stand, a lost stand rises to Away (FT 52.1.c)."""
    st = w[ST]
    if w[SPEC][i, ROLE] == HERO:
        best_carrier(w, i)
        return 1
    if st[i, STATUS] == GONE and w[SPEC][i, FLAGS] & SENDS_AWAY:
        st[i, BEST], st[i, HERE] = TO_AWAY, 0
        st[i, BEST_GAIN] = 36 * (w[PAR][W_DESTROYED] - w[PAR][W_AWAY]) * w[SPEC][i, COST]
        return 1
    return 0


@kernel(f"void({WORLD}, int64, int64)")
def weigh_leaving(w: World, i: int, here: int) -> None:
    """Whether going Away gains more for its cost than the best move; it must not lose the battle (FT 7)."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    if st[i, STATUS] != ON_BOARD or not spec[i, FLAGS] & LEAVES or spec[i, FLAGS] & IS_GENERAL:
        return
    gain = off_board_value(w, i) + prospect(w, i) - here
    cost = order_cost(w, i)
    if gain <= 0 or gain * cost <= st[i, BEST_GAIN] * (cost + par[AWAY_COST]):
        return
    rider = st[i, RIDER]
    points = spec[i, COST] + (spec[rider, COST] if rider >= 0 else 0)
    owner = spec[i, OWNER]
    if points_lost(w, owner) + par[AWAY_SHARE] * points < 4 * side[owner, THRESHOLD]:
        st[i, BEST], st[i, BEST_GAIN] = TO_AWAY, gain


@kernel(f"void({WORLD}, int64, int64)")
def join(w: World, hero: int, i: int) -> None:
    """A hero joins a stand."""
    st = w[ST]
    old = st[hero, CARRIER]
    if old >= 0:
        st[old, RIDER] = -1
        match_rows(w, old)
    st[i, RIDER] = hero
    st[hero, CARRIER], st[hero, STATUS], st[hero, MOVED] = i, RESERVE, 1
    match_rows(w, i)
    note(w, E_ATTACH, hero, i, 0, 0)


@kernel(f"void({WORLD}, int64, int64, int64)")
def carry_out(w: World, i: int, place: int, facing: int) -> None:
    """Carry out an order to one stand or hero."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    owner = spec[i, OWNER]
    status = st[i, STATUS]
    if spec[i, ROLE] == HERO:
        join(w, i, place)
        return
    st[i, MOVED] = 1
    if status == GONE:
        side[owner, POINTS_LOST] -= spec[i, COST]  # FT 52.1.a
        if side[owner, GENERAL] == i:
            st[i, DEMOTED] = 1
            match_rows(w, i)
        if place == TO_AWAY:
            st[i, STATUS] = AWAY
            note(w, E_RISES_AWAY, i, 0, 0, 0)
            return
    elif place == TO_AWAY:
        note(w, E_LEAVES, i, st[i, PLACE], 0, 0)
        take_off(w, i, AWAY)
        return
    if status == ON_BOARD:
        move_single(w, i, place, facing)
        return
    put(w, i, place)
    st[i, FACE], st[i, FLED] = facing, 0
    note(w, E_REGENERATES if status == GONE else E_RETURNS, i, place, facing, 0)


@kernel(f"int64({WORLD}, int64, int64)")
def unsettled(w: World, i: int, place: int) -> int:
    """Whether a move into a place may spoil the move a stand had in mind, however far it stands."""
    st = w[ST]
    return 1 if st[i, STATUS] != ON_BOARD or st[i, BEST] == place or w[SPEC][i, FLAGS] & FLYING else 0


@kernel(f"int64({WORLD}, int64)")
def whereabouts(w: World, i: int) -> int:
    """The place of a stand or of who carries a hero; -1 for who is not on the board."""
    st = w[ST]
    if st[i, CARRIER] >= 0:
        i = st[i, CARRIER]
    return st[i, PLACE] if st[i, STATUS] == ON_BOARD else -1


@kernel(f"int64({WORLD}, int64, int64, int64)")
def touched(w: World, i: int, old: int, new: int) -> int:
    """Whether a move from one place to another, -1 for off the board, may change what a stand had in mind."""
    lane = lane_of(w, w[ST][i, PLACE])
    near = (old >= 0 and abs(lane - lane_of(w, old)) <= 2) or (new >= 0 and abs(lane - lane_of(w, new)) <= 2)
    return 1 if near or unsettled(w, i, new) else 0
