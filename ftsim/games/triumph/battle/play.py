"""A battle from set-up to victory, and blocks of battles."""

from __future__ import annotations

from ftsim.addressed import die
from ftsim.games.triumph.battle.army_cards import begin_movement, end_movement
from ftsim.games.triumph.battle.contact import match_rows
from ftsim.games.triumph.battle.dice import side_word, word_of
from ftsim.games.triumph.battle.exchanges import weigh_all
from ftsim.games.triumph.battle.fighting import close_combat_phase
from ftsim.games.triumph.battle.layout import (
    ACTIVE,
    AWAY,
    BEGIN,
    CAMP_AT,
    CARD_COLUMNS,
    CARDS,
    CARDS_LEFT,
    COMBATS,
    COST,
    DEMOTED,
    E_COMMAND,
    E_END,
    END,
    EXCH,
    FIRST,
    FLAGS,
    FLED,
    FOR_COMMAND,
    FOR_SEAT,
    FORCE_FATE,
    FORCE_TURN,
    FORCED,
    FOUGHT,
    GENERAL,
    GENERAL_LOST,
    GONE,
    HAS_ZONE,
    IS_CAMP,
    IS_GENERAL,
    LOGGED,
    MAX_TURNS,
    MOVED,
    NEGATE_ZONE,
    ON_BOARD,
    OWNER,
    PAR,
    PIPS,
    POINTS_LOST,
    POLICY,
    REAL,
    RESULT,
    RIDER,
    SEAT,
    SHOTS,
    SIDE,
    SPEC,
    SPEC_COLUMNS,
    SPENT,
    ST,
    ST_COLUMNS,
    STANDING,
    STATUS,
    THRESHOLD,
    TRIAL,
    TURN,
    UNRELIABLE,
    WORLD,
    World,
)  # fmt: skip
from ftsim.games.triumph.battle.movement import has_orders, in_contact, mark_zones
from ftsim.games.triumph.battle.outcomes import note, suffer, take_off
from ftsim.games.triumph.battle.policies import give_orders
from ftsim.games.triumph.battle.returns import points_lost
from ftsim.games.triumph.battle.setup import set_up
from ftsim.games.triumph.battle.shooting import shooting_phase
from ftsim.kernels import kernel

#: Columns of a trial's outcome.
O_RESULT, O_TURNS, O_LOST_A, O_LOST_B, O_COMBATS, O_SHOTS, O_FIRST, O_SEAT = range(8)
OUTCOME_COLUMNS = 8


@kernel(f"int64({WORLD})")
def decided(w: World) -> int:
    """1 or -1 when the first or the second army has won: a third of the enemy's points, and more than one's own."""
    side = w[SIDE]
    a, b = points_lost(w, 0), points_lost(w, 1)
    if b >= 4 * side[1, THRESHOLD] and b > a:
        return 1
    if a >= 4 * side[0, THRESHOLD] and a > b:
        return -1
    return 0


@kernel(f"int64({WORLD}, int64)")
def menace(w: World, i: int) -> int:
    """What a stand would take from the enemies on the board, in plain fights."""
    enemy = 1 - w[SPEC][i, OWNER]
    total = 0
    for j in range(w[SIDE][enemy, BEGIN], w[SIDE][enemy, END]):
        if w[ST][j, STATUS] == ON_BOARD:
            total += w[EXCH][i, j]
    return total


@kernel(f"void({WORLD}, int64)")
def command_phase(w: World, owner: int) -> None:
    """Roll for command points; on a 1 the dearest Unreliable stand out of contact is lost (FT 60.1)."""
    st, side = w[ST], w[SIDE]
    roll = die(side_word(w, owner, FOR_COMMAND), 6)
    side[owner, PIPS] = roll
    note(w, E_COMMAND, owner, roll, 0, 0)
    if roll == 1:
        worst = -1
        for i in range(side[owner, BEGIN], side[owner, END]):
            if not w[REAL][i, FLAGS] & UNRELIABLE or st[i, STATUS] not in (ON_BOARD, AWAY):
                continue
            if st[i, STATUS] == ON_BOARD and in_contact(w, i):
                continue
            cost = w[REAL][i, COST] - (w[REAL][worst, COST] if worst >= 0 else 0)
            if cost > 0 or (cost == 0 and menace(w, i) > menace(w, worst)):  # FT 60.1.a: the enemy chooses
                worst = i
        if worst >= 0:
            take_off(w, worst, GONE)


@kernel(f"void({WORLD})")
def play_turn(w: World) -> None:
    """One player turn."""
    st, par = w[ST], w[PAR]
    active = par[ACTIVE]
    for i in range(par[STANDING]):
        st[i, MOVED] = 0
        st[i, FOUGHT] = 0
    command_phase(w, active)
    mark_zones(w, 1 - active)
    begin_movement(w, active)
    if has_orders(w, active):
        give_orders(w, active)
    end_movement(w, active)
    shooting_phase(w)
    close_combat_phase(w)


@kernel(f"void({WORLD})")
def force_fate(w: World) -> None:
    """A drawn stand of the first army that is in contact suffers a given fate, to measure loss weights; once."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    best, most = -1, -1
    for i in range(side[0, BEGIN], side[0, END]):
        if st[i, STATUS] != ON_BOARD or spec[i, FLAGS] & IS_CAMP or not in_contact(w, i):
            continue
        if word_of(w, i, FOR_SEAT) > most:
            best, most = i, word_of(w, i, FOR_SEAT)
    if best >= 0:
        par[FORCED] = 1
        suffer(w, best, par[FORCE_FATE], 0)


@kernel(f"void({WORLD}, int64[:, ::1])")
def play(w: World, topographies: World) -> None:
    """One trial; the result is 1 when the first army wins, -1 when the second does, 0 for a draw."""
    spec, st, side, par = w[SPEC], w[ST], w[SIDE], w[PAR]
    par[TURN] = 0
    par[LOGGED] = 0
    par[COMBATS] = 0
    par[SHOTS] = 0
    par[FORCED] = 0
    for i in range(par[STANDING]):
        st[i, SPENT] = 0
        st[i, FLED] = 0
        if st[i, RIDER] >= 0 or st[i, DEMOTED]:  # from the trial before
            st[i, RIDER] = -1
            st[i, DEMOTED] = 0
            match_rows(w, i)
    for owner in range(2):
        side[owner, POINTS_LOST] = 0
        side[owner, GENERAL_LOST] = 0
        side[owner, GENERAL] = -1
        side[owner, CAMP_AT] = -1
        for c in range(CARD_COLUMNS):
            side[owner, CARDS_LEFT + c] = side[owner, CARDS + c]
        for i in range(side[owner, BEGIN], side[owner, END]):
            if spec[i, FLAGS] & IS_GENERAL:
                side[owner, GENERAL] = i
    set_up(w, topographies)
    par[RESULT] = 0
    turn = 1
    while turn <= par[MAX_TURNS]:
        par[TURN] = turn
        par[ACTIVE] = (par[FIRST] + turn - 1) & 1
        if 0 < par[FORCE_TURN] <= turn and not par[FORCED]:
            force_fate(w)
        play_turn(w)
        par[RESULT] = decided(w)
        if par[RESULT] != 0:
            break
        turn += 1
    par[TURN] = min(turn, par[MAX_TURNS])
    note(w, E_END, par[RESULT], side[0, POINTS_LOST], side[1, POINTS_LOST], 0)


@kernel(f"void({WORLD}, int64[:, ::1], int64, int64[:, ::1], int64)")
def field(w: World, a: World, size_a: int, b: World, size_b: int) -> None:
    """Put two armies into the record: their stands, what rules fit them, and every plain exchange between them."""
    w[PAR][STANDING] = size_a + size_b
    for i in range(size_a + size_b):
        for c in range(SPEC_COLUMNS):
            w[SPEC][i, c] = a[i, c] if i < size_a else b[i - size_a, c]
        for c in range(ST_COLUMNS):
            w[ST][i, c] = 0
        w[SPEC][i, OWNER] = 0 if i < size_a else 1
        for c in range(SPEC_COLUMNS):
            w[REAL][i, c] = w[SPEC][i, c]
    w[SIDE][0, BEGIN], w[SIDE][0, END] = 0, size_a
    w[SIDE][1, BEGIN], w[SIDE][1, END] = size_a, size_a + size_b
    for owner in range(2):
        w[SIDE][owner, HAS_ZONE] = 0
        for i in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
            w[ST][i, RIDER] = -1
            match_rows(w, i)
            if w[SPEC][i, FLAGS] & NEGATE_ZONE:
                w[SIDE][owner, HAS_ZONE] = 1
    weigh_all(w)


@kernel(
    f"void({WORLD}, int64[:, :, ::1], int64[::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[::1], "
    "int64[:, ::1], int64[:, ::1], int32[:, ::1])"
)
def play_block(
    w: World,
    pool: World,
    sizes: World,
    thresholds: World,
    cards: World,
    pairs: World,
    trials: World,
    policies: World,
    topographies: World,
    outcomes: World,
) -> None:
    """Play a block of trials.

    Parameters
    ----------
    w : record
        From `build.new_world`: rules, odds and parameters; the last trial leaves its state and log in it.
    pool : array of int64, shape (armies, stands, SPEC_COLUMNS)
        Armies, padded.
    sizes, thresholds : array of int64, shape (armies,)
        Rows of each army, and the half-points that lose it.
    cards : array of int64, shape (armies, CARD_COLUMNS)
        Army and event cards by number bought.
    pairs : array of int64, shape (trials, 2)
        First and second army of each trial.
    trials : array of int64, shape (trials,)
        Numbers of the trials: the address of their dice.
    policies : array of int64, shape (trials, 2)
        Policy of each army.
    topographies : array of int64
        Terrain, from `build.terrain_table`.
    outcomes : array of int32, shape (trials, OUTCOME_COLUMNS)
        Filled in.
    """
    side, par = w[SIDE], w[PAR]
    last_a, last_b = -1, -1
    for t in range(len(trials)):
        a, b = pairs[t, 0], pairs[t, 1]
        if a != last_a or b != last_b:
            last_a, last_b = a, b
            field(w, pool[a], sizes[a], pool[b], sizes[b])
            side[0, THRESHOLD], side[1, THRESHOLD] = thresholds[a], thresholds[b]
            for c in range(CARD_COLUMNS):
                side[0, CARDS + c], side[1, CARDS + c] = cards[a, c], cards[b, c]
        side[0, POLICY], side[1, POLICY] = policies[t, 0], policies[t, 1]
        par[TRIAL] = trials[t]
        play(w, topographies)
        outcomes[t, O_RESULT] = par[RESULT]
        outcomes[t, O_TURNS] = par[TURN]
        outcomes[t, O_LOST_A] = side[0, POINTS_LOST]
        outcomes[t, O_LOST_B] = side[1, POINTS_LOST]
        outcomes[t, O_COMBATS] = par[COMBATS]
        outcomes[t, O_SHOTS] = par[SHOTS]
        outcomes[t, O_FIRST] = par[FIRST]
        outcomes[t, O_SEAT] = side[0, SEAT]
