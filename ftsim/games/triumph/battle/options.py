"""What a player decides about cards, by expected exchange values; every policy uses these.

Mechanisms are elsewhere: here stands only whether, when and where a card is used.
"""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_at, enemy_in_front, exchange, row_of, step
from ftsim.games.triumph.battle.exchanges import placed_exchange
from ftsim.games.triumph.battle.layout import (
    AT_HOME,
    BEGIN,
    BOARD,
    CAMP_KIND,
    CARDS_LEFT,
    CHARGES,
    COMMAND_NEAR,
    DEFENSE_KIND,
    DELAYED,
    DEPTH,
    E_HOLDS,
    END,
    EXCH,
    FACE,
    FAKE,
    FLAGS,
    FLYING,
    FOOT,
    FRONT_ROW,
    GENERAL,
    GROUND_MASK,
    HARD,
    HERO,
    HOLD_CLASS,
    HOLDS_THE_LINE,
    IS_CAMP,
    MOVE,
    MOVED,
    NO_CONTACT,
    ON_BOARD,
    OPEN_ORDER,
    OWNER,
    P_AMBUSH,
    P_DEFENDS,
    P_ILLUSION,
    P_LEAVES,
    P_LINE,
    P_NEARER,
    P_THREAT,
    PAR,
    PIPS,
    PLACE,
    RANGE,
    REAL,
    RIDING,
    ROLE,
    ROWS_DEEP,
    S_DIFFICULT,
    S_GROUND,
    SHOOT,
    SHOWABLE,
    SHOWN,
    SIDE,
    SLOWED,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    TERR,
    TRAIN,
    TURN,
    TYPE,
    WAITS,
    WORLD,
    World,
)
from ftsim.games.triumph.battle.movement import gap, in_contact, order_cost, slows
from ftsim.games.triumph.battle.outcomes import homeward, note
from ftsim.kernels import kernel

# Values of `spec[SHOWABLE]`: what others may look like, and what may look like others (FT 39.2).
MAY_BE_SHOWN, MAY_BE_DISGUISED = 1, 2
#: MU a stand on transports keeps from enemies, so that nothing is won by riding on.
KEPT_OFF = 5


@kernel(f"int64({WORLD}, int64)")
def camp_in_use(w: World, owner: int) -> int:
    """Which camp a side uses: a fortified one, unless the enemy gains by attacking even that and it may hide (FT 48).

    The row of the camp, or -1 without one.
    """
    spec, side = w[SPEC], w[SIDE]
    train, camp = -1, -1
    for i in range(side[owner, BEGIN], side[owner, END]):
        if spec[i, FLAGS] & IS_CAMP:
            if spec[i, CAMP_KIND] == TRAIN:
                train = i
            else:
                camp = i
    if train < 0 or camp < 0:
        return max(train, camp)
    enemy = 1 - owner
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if not spec[j, FLAGS] & (IS_CAMP | NO_CONTACT) and not spec[j, FAKE] and w[EXCH][j, camp] > 0:
            return train
    return camp


@kernel(f"int64({WORLD}, int64, int64)")
def fake_value(w: World, owner: int, model: int) -> int:
    """What a fake stand of a type deters: a share of what it seems to take from an enemy, on average."""
    side, spec = w[SIDE], w[SPEC]
    enemy = 1 - owner
    total, count = 0, 0
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if spec[j, FAKE] or spec[j, ROLE] == HERO or spec[j, FLAGS] & IS_CAMP:
            continue
        total += max(w[EXCH][model, j], 0)
        count += 1
    return total * w[PAR][P_ILLUSION] // (100 * max(count, 1))


@kernel(f"int64({WORLD}, int64, int64, int64)")
def disguise_value(w: World, owner: int, i: int, model: int) -> int:
    """What a disguise gains: attacks lured that lose and attacks deterred that win, on average, and a better move."""
    side, spec, exch = w[SIDE], w[SPEC], w[EXCH]
    enemy = 1 - owner
    total, count = 0, 0
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if spec[j, FAKE] or spec[j, ROLE] == HERO or spec[j, FLAGS] & IS_CAMP:
            continue
        total += (int(exch[j, model] > 0) - int(exch[j, i] > 0)) * exch[i, j]
        count += 1
    faster = spec[model, MOVE] - spec[i, MOVE]
    return total // max(count, 1) + faster * w[PAR][P_NEARER]


@kernel(f"void({WORLD}, int64, int64)")
def choose_illusions(w: World, owner: int, number: int) -> None:
    """Choose the illusions of a side before deployment: write into `SHOWN` whom each shows (FT 39.1-39.2)."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    for _ in range(number):
        best, who, shows = 0, -1, -1
        fake = -1
        for i in range(end - 1, begin - 1, -1):
            if spec[i, FAKE] and st[i, SHOWN] < 0:
                fake = i
        for model in range(begin, end):
            if not spec[model, SHOWABLE] & MAY_BE_SHOWN:
                continue
            value = fake_value(w, owner, model)
            if fake >= 0 and value > best:
                best, who, shows = value, fake, model
            for i in range(begin, end):
                if (
                    not spec[i, SHOWABLE] & MAY_BE_DISGUISED
                    or st[i, SHOWN] >= 0
                    or spec[i, DELAYED]
                    or spec[i, TYPE] == spec[model, TYPE]
                    or (spec[i, FLAGS] ^ spec[model, FLAGS]) & FLYING
                ):
                    continue
                value = disguise_value(w, owner, i, model)
                if value > best:
                    best, who, shows = value, i, model
        if who < 0:
            break
        st[who, SHOWN] = shows


@kernel(f"int64({WORLD}, int64)")
def shows_itself(w: World, i: int) -> int:
    """Whether a disguised stand shows itself: to attack an enemy that it can reach and beat, or to shoot."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    if spec[i, FAKE] or st[i, SHOWN] < 0 or st[i, STATUS] != ON_BOARD:
        return 0
    enemy = 1 - spec[i, OWNER]
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] != ON_BOARD:
            continue
        far = gap(w, st[i, PLACE], st[j, PLACE])
        if w[REAL][i, SHOOT] and far <= w[REAL][i, RANGE] and not spec[j, FLAGS] & IS_CAMP:
            return 1
        if far <= w[REAL][i, MOVE] and placed_exchange(w, i, j, 0, 0) > 0:
            return 1
    return 0


@kernel(f"int64({WORLD}, int64)")
def wants_off(w: World, i: int) -> int:
    """Whether a stand leaves its transports: an enemy can come so near that it must, or they bring it no nearer."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    enemy = 1 - spec[i, OWNER]
    nearest = 9999
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] != ON_BOARD:
            continue
        far = gap(w, st[i, PLACE], st[j, PLACE])
        nearest = min(nearest, far)
        if not spec[j, FLAGS] & (NO_CONTACT | IS_CAMP) and far <= spec[j, MOVE] + KEPT_OFF - 1:
            return 1
    return 1 if nearest - KEPT_OFF < w[REAL][i, MOVE] else 0


@kernel(f"int64({WORLD}, int64, int64)")
def ambush_value(w: World, i: int, place: int) -> int:
    """What an ambush promises: the best attack from there, less the attacks that it invites once it leaves.

    Who can come in two turns comes. Far from the general, where help is dear, it is only for enemies who never come.
    """
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    owner = spec[i, OWNER]
    general = side[owner, GENERAL]
    led = general >= 0 and st[general, STATUS] == ON_BOARD and gap(w, place, st[general, PLACE]) <= par[COMMAND_NEAR]
    best, worst = 0, 0
    for j in range(side[1 - owner, BEGIN], side[1 - owner, END]):
        if st[j, STATUS] != ON_BOARD:
            continue
        far = gap(w, place, st[j, PLACE])
        if far <= spec[i, MOVE] + 2:
            best = max(best, w[EXCH][i, j])
        if spec[j, FLAGS] & (NO_CONTACT | IS_CAMP):
            continue
        if not led:
            return 0
        if far <= spec[j, MOVE] + 4:
            worst += max(w[EXCH][j, i], 0)
    return best - worst * par[P_AMBUSH] // 100


@kernel(f"int64({WORLD}, int64, int64)")
def may_ambush(w: World, i: int, place: int) -> int:
    """Whether a stand may lie in ambush in a place, enemies apart (FT 24.2).

    1 within its own zone, 2 beyond it, 0 not at all.
    """
    spec, par = w[SPEC], w[PAR]
    kind = w[TERR][place]
    if kind <= 0 or not (par[GROUND_MASK] >> kind) & 1 or kind == par[DEFENSE_KIND]:
        return 0
    if spec[i, FLAGS] & NO_CONTACT and (spec[i, HARD] >> kind) & 1:
        return 0
    row = row_of(w, place) - 2
    if homeward(w, spec[i, OWNER]) != 0:
        row = par[ROWS_DEEP] - 1 - row
    if row <= par[FRONT_ROW]:
        return 1
    if par[ROWS_DEEP] - 1 - row < 8:
        return 0
    light = spec[i, FLAGS] & OPEN_ORDER and spec[i, FLAGS] & FOOT
    return 2 if light or (spec[i, AT_HOME] >> kind) & 1 else 0


@kernel(f"int64({WORLD}, int64)")
def ambush_merit(w: World, i: int) -> int:
    """How well a stand does from ambush: its mean exchange with the enemy, who is hindered there as he is."""
    spec, side, par = w[SPEC], w[SIDE], w[PAR]
    enemy = 1 - spec[i, OWNER]
    total, count = 0, 0
    ground = par[GROUND_MASK]
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if spec[j, FAKE] or spec[j, ROLE] == HERO or spec[j, FLAGS] & IS_CAMP:
            continue
        at_i = par[S_GROUND] | (par[S_DIFFICULT] if spec[i, HARD] & ground else 0)
        at_j = par[S_GROUND] | (par[S_DIFFICULT] if spec[j, HARD] & ground else 0)
        total += placed_exchange(w, i, j, at_i, at_j)
        count += 1
    return total // max(count, 1)


@kernel(f"int64({WORLD}, int64, int64)")
def defense_gain(w: World, owner: int, i: int) -> int:
    """What a stand gains behind a defense: enemies that must stand in it to attack, on average."""
    spec, side, par = w[SPEC], w[SIDE], w[PAR]
    enemy = 1 - owner
    total, count = 0, 0
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if spec[j, FAKE] or spec[j, ROLE] == HERO or spec[j, FLAGS] & (IS_CAMP | NO_CONTACT):
            continue
        hindered = par[S_DIFFICULT] if (spec[j, HARD] >> par[DEFENSE_KIND]) & 1 else 0
        total += placed_exchange(w, i, j, 0, par[S_GROUND] | hindered) - w[EXCH][i, j]
        count += 1
    return total // max(count, 1)


@kernel(f"int64({WORLD}, int64)")
def will_wait(w: World, owner: int) -> int:
    """Whether a side with defenses waits behind them: half of the enemies are slow in them, as mounted are."""
    side, spec = w[SIDE], w[SPEC]
    enemy = 1 - owner
    slow, count = 0, 0
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if spec[j, FAKE] or spec[j, ROLE] == HERO or spec[j, FLAGS] & IS_CAMP:
            continue
        count += 1
        if spec[j, FLAGS] & SLOWED and (spec[j, HARD] >> w[PAR][DEFENSE_KIND]) & 1:
            slow += 1
    return 1 if 2 * slow >= count else 0


@kernel(f"int64({WORLD}, int64)")
def waits(w: World, i: int) -> int:
    """Whether a stand stays where it is because its side has defenses and patience left.

    It waits until an enemy comes into reach; behind a defense, one that it beats.
    """
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    owner = spec[i, OWNER]
    if not side[owner, WAITS] or par[TURN] > par[P_DEFENDS]:
        return 0
    home = homeward(w, owner)
    ahead = w[TERR][st[i, PLACE] + step(home, par[STRIDE])]
    behind = ahead == par[DEFENSE_KIND] and st[i, FACE] == home
    enemy = 1 - owner
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        enemy_there = st[j, STATUS] == ON_BOARD and not spec[j, FLAGS] & IS_CAMP
        if not enemy_there or (behind and w[EXCH][i, j] <= 0):
            continue
        if gap(w, st[i, PLACE], st[j, PLACE]) <= spec[i, MOVE] * par[P_LEAVES] // 100:
            return 0
    return 1


@kernel(f"int64({WORLD}, int64, int64)")
def standing(w: World, i: int, place: int) -> int:
    """What a stand may expect in a place, facing kept: the fight in its front, or threats and open flanks."""
    st, spec, side, par, board = w[ST], w[SPEC], w[SIDE], w[PAR], w[BOARD]
    old = st[i, PLACE]
    board[old] = -1
    st[i, PLACE] = place
    board[place] = i
    front = enemy_in_front(w, i)
    enemy = 1 - spec[i, OWNER]
    value = 0
    if front >= 0:
        value = exchange(w, i, front)
    else:
        threat = 0
        for j in range(side[enemy, BEGIN], side[enemy, END]):
            attacks = st[j, STATUS] == ON_BOARD and not spec[j, FLAGS] & (NO_CONTACT | IS_CAMP)
            if attacks and gap(w, place, st[j, PLACE]) <= spec[j, MOVE]:
                threat = max(threat, w[EXCH][j, i])
        value = -threat * par[P_THREAT] // 100
    right = step((st[i, FACE] + 1) & 3, par[STRIDE])
    for sign in (-1, 1):
        k = board[place + sign * right]
        if k >= 0 and spec[k, OWNER] == spec[i, OWNER]:
            continue
        for j in range(side[enemy, BEGIN], side[enemy, END]):
            if j != front and st[j, STATUS] == ON_BOARD and gap(w, place + sign * right, st[j, PLACE]) <= 2:
                value -= 2 * par[P_LINE]
                break
    board[place] = -1
    st[i, PLACE] = old
    board[old] = i
    return value


@kernel(f"int64({WORLD}, int64)")
def holds_the_line(w: World, i: int) -> int:
    """Whether a winner that would pursue stays by Hold the Line: it stands better where it is (FT 38)."""
    st, spec, board, side = w[ST], w[SPEC], w[BOARD], w[SIDE]
    if spec[i, HOLD_CLASS] == 0:
        return 0
    left = CARDS_LEFT + HOLDS_THE_LINE + spec[i, HOLD_CLASS] - 1
    owner = spec[i, OWNER]
    if side[owner, left] == 0:
        return 0
    ahead = step(st[i, FACE], w[PAR][STRIDE])
    place = st[i, PLACE]
    for _ in range(spec[i, DEPTH]):
        if board[place + ahead] != -1:
            break
        place += ahead
    if place == st[i, PLACE] or standing(w, i, place) >= standing(w, i, st[i, PLACE]):
        return 0
    side[owner, left] -= 1
    note(w, E_HOLDS, i, st[i, PLACE], side[owner, left], 0)
    return 1


@kernel(f"int64({WORLD}, int64, int64)")
def exchange_at(w: World, i: int, place: int) -> int:
    """Expected exchange with the enemy in front if the stand were in a free place, facing kept; 0 without one."""
    st, board = w[ST], w[BOARD]
    old = st[i, PLACE]
    board[old] = -1
    st[i, PLACE] = place
    board[place] = i
    front = enemy_in_front(w, i)
    value = exchange(w, i, front) if front >= 0 else 0
    board[place] = -1
    st[i, PLACE] = old
    board[old] = i
    return value


@kernel(f"int64({WORLD}, int64)")
def charge_place(w: World, i: int) -> int:
    """Where a stand would charge through friendly close order foot into a fight that it gains by, or -1 (FT 29)."""
    st, spec, board, par = w[ST], w[SPEC], w[BOARD], w[PAR]
    owner = spec[i, OWNER]
    home = homeward(w, owner)
    if not spec[i, CHARGES] or st[i, STATUS] != ON_BOARD or st[i, MOVED] or st[i, FACE] != home:
        return -1
    if spec[i, FLAGS] & (NO_CONTACT | RIDING) or in_contact(w, i) or order_cost(w, i) > w[SIDE][owner, PIPS]:
        return -1
    ahead = step(home, par[STRIDE])
    crossed = 0
    slow = slows(w, i, st[i, PLACE])
    for k in range(1, spec[i, MOVE] + 1):
        place = st[i, PLACE] + k * ahead
        slow = slow or slows(w, i, place)
        if slow and k > 3:
            break
        j = board[place]
        if j == -1:
            if not crossed:
                break  # the way is free, an ordinary move does it
            if enemy_at(w, i, place + ahead) >= 0:
                return place if exchange_at(w, i, place) > 0 else -1
            continue
        if j < 0 or spec[j, OWNER] != owner or not spec[j, FLAGS] & FOOT:
            break
        if not spec[j, FLAGS] & OPEN_ORDER:
            crossed = 1
    return -1
