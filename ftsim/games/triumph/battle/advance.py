"""The player `advance`: everybody forward, and into every contact there is."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_at, lowest, step
from ftsim.games.triumph.battle.flight import NO_MORE
from ftsim.games.triumph.battle.layout import (
    BEGIN,
    BEST,
    BEST_FACE,
    BEST_GAIN,
    END,
    FLAGS,
    GONE,
    GROUP,
    HEAD,
    HERE,
    HOLDS,
    IS_CAMP,
    MEMBERS,
    MOVE,
    MOVED,
    NEAR,
    ON_BOARD,
    OWNER,
    PAR,
    PIPS,
    PLACE,
    SIDE,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    WORLD,
    World,
)
from ftsim.games.triumph.battle.lookout import (
    contact_move,
    distance_to_enemy,
    list_near,
    may_move,
    own_lanes,
    own_rows,
)
from ftsim.games.triumph.battle.movement import (
    can_reach,
    destination,
    find_groups,
    group_cost,
    group_reach,
    has_orders,
    in_contact,
    move_group,
    single_cost,
)
from ftsim.games.triumph.battle.outcomes import homeward
from ftsim.games.triumph.battle.returns import (
    carry_out,
    comes_elsewhere,
    landing,
    lands,
    may_come,
    touched,
    whereabouts,
)
from ftsim.games.triumph.battle.worth import contact_worth, note_fights
from ftsim.kernels import kernel


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


@kernel(f"void({WORLD}, int64, int64)")
def best_approach(w: World, i: int, contacts: int) -> None:
    """The move of a stand into contact, or nearest to an enemy; `BEST_GAIN` is below 0 without one.

    With `contacts` only those into contact are looked for.

    `HERE` holds how far from an enemy it would be; in contact, less the more its fights are worth.
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
    here, most = 9999, -(1 << 40)
    home = st[i, HEAD]
    near, begin = st[i, NEAR], w[SIDE][1 - spec[i, OWNER], BEGIN]
    while near:
        j = begin + lowest(w, near)
        near &= near - 1
        lanes, rows = own_lanes(w, i, st[j, PLACE]), own_rows(w, i, st[j, PLACE])
        here = min(here, 2 * abs(lanes) + abs(rows))
        if rows < -1 or 2 * (abs(lanes) - 1) + rows - 1 > spec[i, MOVE]:
            continue
        for turn in range(4):
            facing = (home + turn) & 3
            if not contact_move(w, i, j, facing):
                continue
            place = st[j, PLACE] - step(facing, par[STRIDE])
            worth = contact_worth(w, i, place, facing)
            if worth > most:
                most = worth
                st[i, BEST], st[i, BEST_FACE], st[i, BEST_GAIN] = place, facing, 1
                st[i, HERE] = -worth
    if st[i, BEST_GAIN] == 1 or contacts:
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
def move_nearest(w: World, owner: int, contacts: int) -> None:
    """Move the stands that come nearest to an enemy, or only those that come into contact."""
    st, side = w[ST], w[SIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    while has_orders(w, owner):
        who, nearest = -1, 0 if contacts else 10_000
        for i in range(begin, end):
            if st[i, BEST_GAIN] >= 0 and st[i, HERE] < nearest and may_move(w, i):
                who, nearest = i, st[i, HERE]
        if who < 0:
            break
        side[owner, PIPS] -= single_cost(w, who)
        old = whereabouts(w, who)
        carry_out(w, who, st[who, BEST], st[who, BEST_FACE])
        note_fights(w, owner)
        st[who, BEST_GAIN] = -1
        new = whereabouts(w, who)
        for i in range(begin, end):
            if i != who and touched(w, i, old, new):
                best_approach(w, i, contacts)


@kernel(f"void({WORLD}, int64)")
def advance(w: World, owner: int) -> None:
    """Contacts that gain first, then groups with most rows times members, other contacts, the nearest stands."""
    st, side = w[ST], w[SIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    for i in range(begin, end):
        list_near(w, i)
    note_fights(w, owner)
    for i in range(begin, end):
        best_approach(w, i, 1)
    move_nearest(w, owner, 1)
    while has_orders(w, owner):
        find_groups(w, owner)
        best, most, far = -1, 0, 0
        for group in range(end - begin):
            members = st[begin + group, MEMBERS]
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
    note_fights(w, owner)
    for i in range(begin, end):
        best_approach(w, i, 0)
    move_nearest(w, owner, 0)
