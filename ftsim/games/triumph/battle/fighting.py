"""The close combat phase: which fights there are, duels, dice, results (Triumph! 65-84; FT 14-16)."""

from __future__ import annotations

from ftsim.addressed import die
from ftsim.games.triumph.battle.contact import (
    close_fate,
    close_total,
    enemy_in_front,
    exchange,
    match_rows,
    pursues,
    side_of_contact,
)  # fmt: skip
from ftsim.games.triumph.battle.dice import word_of
from ftsim.games.triumph.battle.forms import drop_transports
from ftsim.games.triumph.battle.illusions import reveal
from ftsim.games.triumph.battle.layout import (
    ACTIVE,
    AWAY,
    BEGIN,
    CARRIER,
    COMBATS,
    DUEL,
    DUEL_LOSS,
    E_COMBAT,
    E_DUEL,
    E_STEP,
    END,
    FACE,
    FLAGS,
    FLOOR,
    FOR_CLOSE,
    FOR_DUEL,
    FOUGHT,
    GONE,
    IS_CAMP,
    LOSER_FIRST,
    LOST,
    ON_BOARD,
    OWNER,
    PAR,
    PLACE,
    RIDER,
    SHOWN,
    SIDE,
    SPEC,
    ST,
    STANDING,
    STATUS,
    TARGET,
    TURNED,
    WON,
    WORLD,
    World,
)  # fmt: skip
from ftsim.games.triumph.battle.options import holds_the_line
from ftsim.games.triumph.battle.outcomes import homeward, note, pursue, suffer, take_off
from ftsim.games.triumph.combat import compare
from ftsim.kernels import kernel

#: The comparison of totals, the same text as for contests, compiled for whole numbers.
compare_totals = kernel("int64(int64, int64, int64, int64, int64, int64, int64, int64)")(compare)


@kernel(f"void({WORLD}, int64, int64)")
def duel(w: World, i: int, j: int) -> None:
    """A duel of the heroes on two stands in frontal contact, if the challenger is likelier to win (HA-10)."""
    st, spec, par = w[ST], w[SPEC], w[PAR]
    a, b = st[i, RIDER], st[j, RIDER]
    if a < 0 or b < 0 or st[a, FOUGHT] or st[b, FOUGHT]:
        return
    if spec[a, DUEL] == spec[b, DUEL]:  # the likelier winner challenges
        return
    st[a, FOUGHT] = 1
    st[b, FOUGHT] = 1
    total_a = spec[a, DUEL] + 2 * die(word_of(w, a, FOR_DUEL), 6)
    total_b = spec[b, DUEL] + 2 * die(word_of(w, b, FOR_DUEL), 6)
    note(w, E_DUEL, a, b, total_a, total_b)
    if total_a == total_b:
        return
    loser, carrier = (b, j) if total_a > total_b else (a, i)
    doubled = max(total_a, total_b) >= 2 * min(total_a, total_b)
    gone = par[DUEL_LOSS] == 2 or (par[DUEL_LOSS] == 0 and doubled)
    st[carrier, RIDER] = -1
    st[loser, CARRIER] = -1
    match_rows(w, carrier)
    if gone:
        take_off(w, loser, GONE)
    else:
        st[loser, STATUS] = AWAY


@kernel(f"void({WORLD}, int64, int64)")
def fight(w: World, i: int, j: int) -> None:
    """One close combat: `i` looks at `j`."""
    st, spec, par = w[ST], w[SPEC], w[PAR]
    if st[i, SHOWN] >= 0 or st[j, SHOWN] >= 0:  # FT 39.7: the attack is used up
        for k in (i, j):
            st[k, FOUGHT] = 1
            if st[k, SHOWN] >= 0:
                reveal(w, k, 2)
        return
    contact = side_of_contact(w, j, i)
    if contact == 0:
        duel(w, i, j)
    total_i = close_total(w, i, j, 0) + die(word_of(w, i, FOR_CLOSE), 6)
    total_j = close_total(w, j, i, contact) + die(word_of(w, j, FOR_CLOSE), 6)
    result = compare_totals(
        total_i, total_j, st[i, WON], st[i, LOST], st[j, WON], st[j, LOST], par[LOSER_FIRST], par[FLOOR]
    )
    par[COMBATS] += 1
    note(w, E_COMBAT, i, j, total_i * 100 + total_j, result)
    st[i, FOUGHT] = 1
    st[j, FOUGHT] = 1
    drop_transports(w, i)  # FT 45.6: after any close combat, before the outcome move
    drop_transports(w, j)
    if result == 2:
        if contact != 0:  # Triumph! 55.1: who is attacked turns to face
            st[j, FACE] = (st[i, FACE] + 2) & 3
            note(w, E_STEP, j, st[j, PLACE], st[j, FACE], TURNED)
        return
    if result > 2:
        winner, loser, met, doubled = i, j, contact, 1 if result == 4 else 0
    else:
        winner, loser, met, doubled = j, i, 0, 1 if result == 0 else 0
    fate = close_fate(w, loser, winner, met, doubled)
    chase = pursues(w, winner, loser, doubled)
    suffer(w, loser, fate, 1)
    if contact != 0 and st[j, STATUS] == ON_BOARD and st[i, STATUS] == ON_BOARD and loser == i:
        st[j, FACE] = (st[i, FACE] + 2) & 3
        note(w, E_STEP, j, st[j, PLACE], st[j, FACE], TURNED)
    chase = chase and st[winner, STATUS] == ON_BOARD and not spec[winner, FLAGS] & IS_CAMP
    if chase and enemy_in_front(w, winner) < 0 and not holds_the_line(w, winner):
        pursue(w, winner)


@kernel(f"int64({WORLD}, int64)")
def target_of(w: World, i: int) -> int:
    """The enemy that a stand may fight now: in its front, and in front too or with nobody in front; or -1."""
    st, spec = w[ST], w[SPEC]
    if st[i, STATUS] != ON_BOARD or st[i, FOUGHT] or spec[i, FLAGS] & IS_CAMP:
        return -1
    j = enemy_in_front(w, i)
    if j < 0 or st[j, FOUGHT]:
        return -1
    if side_of_contact(w, j, i) == 0:
        return j
    front = enemy_in_front(w, j)
    if front >= 0 and side_of_contact(w, front, j) == 0:  # it fights somebody else
        return -1
    return j


@kernel(f"void({WORLD})")
def close_combat_phase(w: World) -> None:
    """All fights of a player turn, by falling expected exchange for the active side; ties by slot."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    n = w[PAR][STANDING]
    for i in range(n):
        st[i, FOUGHT] = 0
    # Contacts made by pursuit wait for the next turn: only these take part.
    for i in range(n):
        st[i, TARGET] = target_of(w, i)
    active = par[ACTIVE]
    while True:
        best, who, gain = -1, -1, 0
        for i in range(n):
            j = st[i, TARGET]
            if j < 0 or target_of(w, i) != j:
                continue
            # A mutual contact is one fight: the active side's stand stands for it.
            if spec[i, OWNER] != active and enemy_in_front(w, j) == i:
                continue
            value = exchange(w, i, j)
            ours = i if spec[i, OWNER] == active else j
            if ours != i:
                value = -value
            if who < 0 or value > gain or (value == gain and ours < best):
                best, who, gain = ours, i, value
        if who < 0:
            break
        fight(w, who, st[who, TARGET])
    for owner in range(2):
        home = homeward(w, owner)
        for i in range(side[owner, BEGIN], side[owner, END]):
            if st[i, STATUS] == ON_BOARD and (st[i, FACE] + home) & 1 and enemy_in_front(w, i) < 0:
                st[i, FACE] = home
                note(w, E_STEP, i, st[i, PLACE], home, TURNED)
