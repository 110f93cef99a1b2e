"""Army and event cards at work: at the set-up, at the start and at the end of a movement phase.

Whether, when and where they are used is decided in `options`.
"""

from __future__ import annotations

from ftsim.addressed import die
from ftsim.games.triumph.battle.contact import lane_of, match_rows, row_of, step
from ftsim.games.triumph.battle.dice import side_word
from ftsim.games.triumph.battle.forms import drop_transports, ride, see_through, show_again, wear
from ftsim.games.triumph.battle.illusions import reveal, reveal_near
from ftsim.games.triumph.battle.layout import (
    AMBUSH,
    AMBUSHES,
    ARRIVES_AT,
    ARRIVES_MOVED,
    AWAY,
    BEGIN,
    BEST_GAIN,
    BOARD,
    CAMP_AT,
    CAMP_KIND,
    CARDS,
    CARDS_LEFT,
    CARRIER,
    CHARGES_THROUGH,
    COST,
    DEFENSE_KIND,
    DEFENSES,
    DELAYED,
    E_AMBUSH,
    E_ARRIVES,
    E_ATTACH,
    E_CHARGES,
    E_DEFENSE,
    E_DEPLOY,
    E_SHOWS,
    END,
    EXCH,
    FACE,
    FAKE,
    FLAGS,
    FOR_AMBUSH,
    FRONT_ROW,
    GONE,
    HARD,
    HELPED,
    HERO,
    ILLUSIONS,
    IS_CAMP,
    LAID,
    LANES,
    MOVE,
    MOVED,
    NO_CONTACT,
    ON_BOARD,
    OWNER,
    P_NEARER,
    PAR,
    PIPS,
    PLACE,
    POLICY,
    RESERVE,
    RIDER,
    RIDING,
    ROLE,
    ROWS_DEEP,
    SHOWN,
    SIDE,
    SPEC,
    ST,
    STANDING,
    STATUS,
    STRIDE,
    TERR,
    TRAIN,
    TRANSPORTS,
    WAITS,
    WORLD,
    ZONE,
    World,
)
from ftsim.games.triumph.battle.movement import (
    command_distance,
    gap,
    mark_zones,
    move_single,
    near_enemies,
    order_cost,
)
from ftsim.games.triumph.battle.options import (
    ambush_merit,
    ambush_value,
    camp_in_use,
    charge_place,
    choose_illusions,
    defense_gain,
    exchange_at,
    may_ambush,
    shows_itself,
    wants_off,
    will_wait,
)
from ftsim.games.triumph.battle.outcomes import homeward, note, put
from ftsim.kernels import kernel

#: Command points that bring in a group of Delayed Entry (FT 32.1).
ARRIVAL_COST = 5
#: The policy that always advances: it ignores Prepared Defenses.
ADVANCES = 0
#: Rows from the own edge within which defenses may lie (FT 49.1): 12 MU.
DEFENSE_ROWS = 12
#: Moves from which on an enemy is one that a Pack Train hides from.
FAST = 5


@kernel(f"int64({WORLD}, int64, int64, int64)")
def place_of(w: World, owner: int, lane: int, row: int) -> int:
    """The place of a lane and a row as a side counts them, as `setup.own_place`."""
    par = w[PAR]
    if homeward(w, owner) != 0:
        lane, row = par[LANES] - 1 - lane, par[ROWS_DEEP] - 1 - row
    return (lane + 2) * par[STRIDE] + row + 2


# ---------------------------------------------------------------- before and during deployment


@kernel(f"void({WORLD})")
def ready_cards(w: World) -> None:
    """Before anybody deploys: which camp, which illusions, who lies in ambush."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    for owner in range(2):
        side[owner, WAITS] = 0
        camp = camp_in_use(w, owner)
        for i in range(side[owner, BEGIN], side[owner, END]):
            if spec[i, FLAGS] & IS_CAMP and i != camp:
                st[i, STATUS] = GONE
    for owner in range(2):
        if side[owner, CARDS + ILLUSIONS]:
            choose_illusions(w, owner, side[owner, CARDS + ILLUSIONS])
    for i in range(w[PAR][STANDING]):
        if st[i, SHOWN] >= 0:
            st[i, STATUS] = RESERVE
            wear(w, i)


@kernel(f"int64({WORLD}, int64, int64)")
def too_near(w: World, owner: int, place: int) -> int:
    """Whether a place is within 2 MU of an enemy: nobody deploys there (FT 24.2)."""
    st, side = w[ST], w[SIDE]
    enemy = 1 - owner
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] == ON_BOARD and gap(w, place, st[j, PLACE]) <= 2:
            return 1
    return 0


@kernel(f"int64({WORLD}, int64)")
def box_at(w: World, place: int) -> int:
    """The box of terrain that a place lies in: six of 8 lanes by 16 rows."""
    return min((lane_of(w, place) - 2) // 8, 2) + 3 * min((row_of(w, place) - 2) // 16, 1)


@kernel(f"int64({WORLD}, int64)")
def has_ambush(w: World, owner: int) -> int:
    """Whether a side may lie in ambush on this board (FT 24)."""
    card, topography = w[SIDE][owner, CARDS + AMBUSH], w[PAR][LAID]
    if card == 0 or topography < 0:
        return 0
    return 1 if card == 1 or card - 2 == topography else 0


@kernel(f"int64({WORLD}, int64)")
def best_ambush(w: World, i: int) -> int:
    """The best place for an ambush beyond the own zone that is worth it, or -1; its value goes into `BEST_GAIN`."""
    st, side, par = w[ST], w[SIDE], w[PAR]
    owner = w[SPEC][i, OWNER]
    boxes = 0  # places in use beyond the zone, four bits a box
    for k in range(side[owner, BEGIN], side[owner, END]):
        if st[k, AMBUSHES] == 2:
            boxes += 1 << (4 * box_at(w, st[k, PLACE]))
    best, most = -1, 0
    for row in range(par[ROWS_DEEP]):
        for lane in range(par[LANES]):
            place = place_of(w, owner, lane, row)
            if w[TERR][place] <= 0 or w[BOARD][place] != -1 or may_ambush(w, i, place) != 2:
                continue
            if (boxes >> (4 * box_at(w, place))) & 15 >= 2 or too_near(w, owner, place):
                continue
            value = ambush_value(w, i, place)
            if value > most:
                best, most = place, value
    st[i, BEST_GAIN] = most
    return best


@kernel(f"void({WORLD}, int64)")
def plan_ambush(w: World, owner: int) -> None:
    """Roll a d6, and hold back so many stands that would gain most by an ambush (FT 24.1)."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    for i in range(begin, end):
        st[i, BEST_GAIN] = 0
        reserved = spec[i, DELAYED] or spec[i, ROLE] == HERO or st[i, STATUS] == GONE or st[i, SHOWN] >= 0
        if not reserved and not spec[i, FLAGS] & IS_CAMP and ambush_merit(w, i) > 0:
            best_ambush(w, i)
    for _ in range(die(side_word(w, owner, FOR_AMBUSH), 6)):
        best = -1
        for i in range(begin, end):
            free = st[i, BEST_GAIN] > 0 and not st[i, AMBUSHES]
            if free and (best < 0 or st[i, BEST_GAIN] > st[best, BEST_GAIN]):
                best = i
        if best < 0:
            break
        st[best, AMBUSHES] = 1


@kernel(f"int64({WORLD}, int64)")
def lie_in_ambush(w: World, i: int) -> int:
    """Put a stand that was held back into its best ambush; 0 if there is none worth it any more (FT 24.2)."""
    st = w[ST]
    best = best_ambush(w, i)
    if best < 0:
        return 0
    put(w, i, best)
    st[i, FACE] = homeward(w, w[SPEC][i, OWNER])
    st[i, AMBUSHES] = 2
    note(w, E_DEPLOY, i, best, st[i, FACE], 0)
    note(w, E_AMBUSH, i, best, 0, 0)
    return 1


@kernel(f"void({WORLD})")
def undo_lines(w: World) -> None:
    """Take both lines off the board again."""
    st, board = w[ST], w[BOARD]
    for i in range(w[PAR][STANDING]):
        if st[i, STATUS] == ON_BOARD:
            board[st[i, PLACE]] = -1
            st[i, STATUS] = RESERVE


@kernel(f"void({WORLD}, int64)")
def lay_defenses(w: World, owner: int) -> None:
    """Lay Prepared Defenses before the stands of the centre third that gain most by them, side by side (FT 49.1).

    A side that always advances would stumble over its own: it lays none.
    """
    _st, spec, side, par, board = w[ST], w[SPEC], w[SIDE], w[PAR], w[BOARD]
    number = side[owner, CARDS + DEFENSES]
    row = par[FRONT_ROW] + 1
    if number == 0 or side[owner, POLICY] == ADVANCES or row >= min(DEFENSE_ROWS, par[ROWS_DEEP] // 2):
        return
    third = max(par[LANES] // 3, 1)
    first = (par[LANES] - third) // 2
    best, most, length = -1, 0, 0
    for start in range(first, first + third):
        total = 0
        for lane in range(start, min(start + number, first + third)):
            place = place_of(w, owner, lane, row)
            i = board[place_of(w, owner, lane, row - 1)]
            if w[TERR][place] != 0 or board[place] != -1 or i < 0 or spec[i, OWNER] != owner or spec[i, FAKE]:
                break
            total += defense_gain(w, owner, i)
            if total > most:
                best, most, length = start, total, lane - start + 1
    for k in range(length):
        place = place_of(w, owner, best + k, row)
        w[TERR][place] = par[DEFENSE_KIND]
        note(w, E_DEFENSE, owner, place, 0, 0)
    if length:
        side[owner, WAITS] = will_wait(w, owner)


@kernel(f"void({WORLD}, int64)")
def place_train(w: World, owner: int) -> None:
    """Put a Pack Train onto the base edge, as far from fast enemies as can be, after everybody else (FT 48)."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    enemy = 1 - owner
    for i in range(side[owner, BEGIN], side[owner, END]):
        if spec[i, CAMP_KIND] != TRAIN or st[i, STATUS] != RESERVE or not spec[i, FLAGS] & IS_CAMP:
            continue
        best, most = -1, -1
        for fast in range(1, -1, -1):
            for lane in range(par[LANES]):
                place = place_of(w, owner, lane, 0)
                if w[BOARD][place] != -1:
                    continue
                far = 9999
                for j in range(side[enemy, BEGIN], side[enemy, END]):
                    if st[j, STATUS] == ON_BOARD and (spec[j, MOVE] >= FAST or not fast):
                        lanes = abs(lane_of(w, st[j, PLACE]) - lane_of(w, place))
                        far = min(far, 2 * lanes + abs(row_of(w, st[j, PLACE]) - row_of(w, place)))
                if far < 9999 and far > most:
                    best, most = place, far
            if best >= 0:
                break
        if best >= 0:
            put(w, i, best)
            st[i, FACE] = homeward(w, owner)
            note(w, E_DEPLOY, i, best, st[i, FACE], 0)
            side[owner, CAMP_AT] = i


@kernel(f"void({WORLD})")
def show_cards(w: World) -> None:
    """After the deployment: who shows what, and who rides on transports."""
    st, spec = w[ST], w[SPEC]
    for i in range(w[PAR][STANDING]):
        if st[i, SHOWN] >= 0 and st[i, STATUS] == ON_BOARD:
            note(w, E_SHOWS, i, st[i, SHOWN], 0, 0)
        if spec[i, TRANSPORTS] and st[i, STATUS] == ON_BOARD:
            ride(w, i)


# ---------------------------------------------------------------- in a movement phase


@kernel(f"int64({WORLD}, int64, int64, int64)")
def free_row(w: World, owner: int, lane: int, row: int) -> int:
    """The farthest free row of a lane, up to a row, outside enemy zones and out of contact; -1 without one."""
    st, side, par = w[ST], w[SIDE], w[PAR]
    enemy = 1 - owner
    for r in range(row, -1, -1):
        place = place_of(w, owner, lane, r)
        if w[BOARD][place] != -1 or w[ZONE][enemy][place]:
            continue
        touched = False
        for facing in range(4):
            j = w[BOARD][place + step(facing, par[STRIDE])]
            if side[enemy, BEGIN] <= j < side[enemy, END] and st[j, STATUS] == ON_BOARD:
                touched = True
        if not touched:
            return r
    return -1


@kernel(f"void({WORLD}, int64)")
def arrive(w: World, owner: int) -> None:
    """Bring in everybody of Delayed Entry as one group for 5 points, on an outer lane (FT 32.1; 40.8).

    On the flank where the stands expect the best exchanges with the least way.
    """
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    if side[owner, PIPS] < ARRIVAL_COST:
        return
    begin, end = side[owner, BEGIN], side[owner, END]
    enemy = 1 - owner
    stands, heroes = 0, 0
    for i in range(begin, end):
        if spec[i, DELAYED] and st[i, STATUS] == RESERVE and st[i, CARRIER] < 0:
            if spec[i, ROLE] == HERO:
                heroes += 1
            else:
                stands += 1
    if stands + heroes == 0:
        return
    mark_zones(w, enemy)
    front = (par[ROWS_DEEP] // 2 if par[ARRIVES_AT] == 0 else par[FRONT_ROW] + 1) - 1
    best, most = -1, 0
    for turn in range(2):
        lane = 0 if turn == 0 else par[LANES] - 1
        row = free_row(w, owner, lane, front)
        if row < 0:
            continue
        place = place_of(w, owner, lane, row)
        value = 0
        for i in range(begin, end):
            if not spec[i, DELAYED] or st[i, STATUS] != RESERVE or spec[i, ROLE] == HERO:
                continue
            gain, found = 0, False
            for j in range(side[enemy, BEGIN], side[enemy, END]):
                if st[j, STATUS] != ON_BOARD:
                    continue
                way = 2 * abs(lane_of(w, st[j, PLACE]) - lane_of(w, place))
                way += abs(row_of(w, st[j, PLACE]) - row_of(w, place))
                each = w[EXCH][i, j] - par[P_NEARER] * way
                if not found or each > gain:
                    gain, found = each, True
            value += gain
        if best < 0 or value > most:
            best, most = lane, value
    if best < 0:
        return
    came = 0
    row = front
    for i in range(begin, end):
        if not spec[i, DELAYED] or st[i, STATUS] != RESERVE or spec[i, ROLE] == HERO:
            continue
        fits = free_row(w, owner, best, row)
        while fits >= 0 and spec[i, FLAGS] & NO_CONTACT:
            kind = w[TERR][place_of(w, owner, best, fits)]
            if kind <= 0 or not (spec[i, HARD] >> kind) & 1:
                break
            fits = free_row(w, owner, best, fits - 1)
        if fits < 0:
            continue
        put(w, i, place_of(w, owner, best, fits))
        st[i, FACE] = homeward(w, owner)
        st[i, MOVED] = par[ARRIVES_MOVED]
        st[i, AMBUSHES] = 3
        note(w, E_ARRIVES, i, st[i, PLACE], st[i, FACE], 0)
        came += 1
        if spec[i, TRANSPORTS]:
            ride(w, i)
    for h in range(begin, end):
        if spec[h, ROLE] != HERO or not spec[h, DELAYED] or st[h, STATUS] != RESERVE or st[h, CARRIER] >= 0:
            continue
        carrier = -1
        for i in range(begin, end):
            free = st[i, AMBUSHES] == 3 and st[i, STATUS] == ON_BOARD and st[i, RIDER] < 0
            if free and (carrier < 0 or spec[i, COST] > spec[carrier, COST]):
                carrier = i
        came += 1
        if carrier < 0:
            st[h, STATUS] = AWAY
            note(w, E_ARRIVES, h, -1, 0, 0)
            continue
        st[carrier, RIDER] = h
        st[h, CARRIER] = carrier
        match_rows(w, carrier)
        note(w, E_ATTACH, h, carrier, 0, 0)
    for i in range(begin, end):
        if st[i, AMBUSHES] == 3:
            st[i, AMBUSHES] = 0
    if came:
        side[owner, PIPS] -= ARRIVAL_COST


@kernel(f"void({WORLD}, int64)")
def begin_movement(w: World, owner: int) -> None:
    """What comes before the orders of a side: arrivals, disguises thrown off, transports left, charges through."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    side[owner, HELPED] = 0
    arrive(w, owner)
    see_through(w, owner)
    for i in range(side[owner, BEGIN], side[owner, END]):
        if st[i, SHOWN] >= 0 and shows_itself(w, i):
            reveal(w, i, 0)
        if spec[i, FLAGS] & RIDING and st[i, STATUS] == ON_BOARD and near_enemies(w, i, st[i, PLACE]):
            # FT 45.6: a move of base cost 0 that goes nowhere.
            cost = command_distance(w, i)
            if cost <= side[owner, PIPS]:
                side[owner, PIPS] -= cost
                st[i, MOVED] = 1
                drop_transports(w, i)
    while side[owner, CARDS_LEFT + CHARGES_THROUGH] > 0:
        best, most, where = -1, 0, -1
        for i in range(side[owner, BEGIN], side[owner, END]):
            place = charge_place(w, i)
            if place >= 0:
                value = exchange_at(w, i, place)
                if value > most:
                    best, most, where = i, value, place
        if best < 0:
            break
        side[owner, CARDS_LEFT + CHARGES_THROUGH] -= 1
        side[owner, PIPS] -= order_cost(w, best)
        note(w, E_CHARGES, best, where, side[owner, CARDS_LEFT + CHARGES_THROUGH], 0)
        move_single(w, best, where, st[best, FACE])


@kernel(f"void({WORLD}, int64)")
def end_movement(w: World, owner: int) -> None:
    """What comes after the orders of a side: transports left, illusions near enemies revealed."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    for i in range(side[owner, BEGIN], side[owner, END]):
        if not spec[i, FLAGS] & RIDING or st[i, STATUS] != ON_BOARD or not wants_off(w, i):
            continue
        if not st[i, MOVED]:
            cost = order_cost(w, i)
            if cost > side[owner, PIPS]:
                continue
            side[owner, PIPS] -= cost
            st[i, MOVED] = 1
        drop_transports(w, i)
    show_again(w, owner)
    reveal_near(w)
