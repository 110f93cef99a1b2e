"""Shooting and magic: who shoots at whom, and what comes of it (Triumph! 57-64; FT 19, 44, 51, 54)."""

from __future__ import annotations

from ftsim.addressed import die
from ftsim.games.triumph.battle.contact import factor_sum, first_row, ground_bits, in_friendly_zone, lane_of, row_of
from ftsim.games.triumph.battle.dice import second_word_of, word_of
from ftsim.games.triumph.battle.fighting import compare_totals
from ftsim.games.triumph.battle.forms import drop_transports
from ftsim.games.triumph.battle.illusions import reveal
from ftsim.games.triumph.battle.layout import (
    ACTIVE,
    ALL_ROUND,
    BEGIN,
    BOARD,
    COST,
    E_SHOT,
    E_SPELL,
    END,
    FACE,
    FACTORS,
    FLAGS,
    FLOOR,
    FLYER_SIGHT,
    FLYING,
    FOR_SECOND_SHOT,
    FOR_SHOT,
    FOR_SPELL,
    IS_CAMP,
    LOSER_FIRST,
    LOW_FACTOR,
    MIND,
    MIND_AT,
    MIND_BY,
    MIND_RESULT,
    MOVED,
    ODDS,
    ON_BOARD,
    OWNER,
    PAR,
    PLACE,
    RANGE,
    RANGED,
    RANGED_AT,
    RANGED_BY,
    RANGED_RESULT,
    RIDER,
    S_BEATEN,
    S_DOUBLED,
    S_EXCEPTIONS,
    S_HERO_SHOT,
    S_IN_ZONE,
    S_MAGICAL,
    S_PENALTIES,
    S_PHYSICAL,
    S_RANGED_ATTACK,
    S_REAR,
    SHOOT,
    SHOOTS,
    SHOT_AT,
    SHOTS,
    SHOWN,
    SIDE,
    SIGHT_MASK,
    SPEC,
    SPELL,
    SPELL_AT,
    SPELL_BY,
    SPELL_DEFENCE_COST,
    SPELL_EXCEPTIONS,
    SPELL_FIZZLES,
    SPELL_PENALTIES,
    SPELL_RESULT,
    SPENT,
    ST,
    STANDS,
    STATUS,
    STRIDE,
    TERR,
    TWO_SHOTS,
    TYPE_COST,
    W_DESTROYED,
    WORLD,
    World,
)  # fmt: skip
from ftsim.games.triumph.battle.movement import clear_line, gap, in_contact, on_the_way
from ftsim.games.triumph.battle.outcomes import note, suffer
from ftsim.kernels import kernel

# Kinds of attack.
SHOOTING, RANGED_PHYSICAL, RANGED_MAGICAL, MINDBLAST, SPELL_PHYSICAL, SPELL_MAGICAL = range(6)


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def attack_bits(w: World, kind: int, own: int) -> int:
    """Situation bits of a kind of attack; `own` is 1 for the attacker."""
    par = w[PAR]
    if kind == SHOOTING:
        return par[S_PHYSICAL] | par[S_EXCEPTIONS] | par[S_PENALTIES]
    if kind in (RANGED_PHYSICAL, RANGED_MAGICAL):
        nature = par[S_PHYSICAL] if kind == RANGED_PHYSICAL else par[S_MAGICAL]
        return par[S_PENALTIES] | nature | par[S_RANGED_ATTACK]
    if kind == MINDBLAST:
        return par[S_MAGICAL]
    bits = par[S_PHYSICAL] if kind == SPELL_PHYSICAL else par[S_MAGICAL]
    if par[SPELL_PENALTIES]:
        bits |= par[S_PENALTIES]
    if par[SPELL_EXCEPTIONS]:
        bits |= par[S_EXCEPTIONS]
    return bits


@kernel(f"int64({WORLD}, int64, int64, int64)", inline=True)
def attack_total(w: World, i: int, j: int, kind: int) -> int:
    """The attacker's total before the die."""
    bits = attack_bits(w, kind, 1)
    if kind == MINDBLAST:
        return factor_sum(w, MIND_BY, i, j, bits)
    if kind >= SPELL_PHYSICAL:
        return factor_sum(w, SPELL_BY, i, j, bits)
    if kind != SHOOTING and w[SPEC][i, RANGED] == 0:  # FT 42.2: it is its hero's
        bits |= w[PAR][S_HERO_SHOT]
    base = w[SPEC][i, SHOOT] if kind == SHOOTING else 0
    return base + factor_sum(w, RANGED_BY, i, j, bits)


@kernel(f"int64({WORLD}, int64, int64, int64)", inline=True)
def defence_total(w: World, i: int, j: int, kind: int) -> int:
    """The target's total before the die; a target that looks away is shot from the rear."""
    bits = attack_bits(w, kind, 0)
    if w[ST][i, FACE] == w[ST][j, FACE]:
        bits |= w[PAR][S_REAR]
    if kind == MINDBLAST:
        return w[SPEC][j, TYPE_COST] + factor_sum(w, MIND_AT, j, i, bits)
    if kind >= SPELL_PHYSICAL:
        base = w[SPEC][j, TYPE_COST] if w[PAR][SPELL_DEFENCE_COST] else w[SPEC][j, SHOT_AT]
        return base + factor_sum(w, SPELL_AT, j, i, bits)
    return w[SPEC][j, SHOT_AT] + factor_sum(w, RANGED_AT, j, i, bits)


@kernel(f"int64({WORLD}, int64, int64, int64, int64)", inline=True)
def shot_fate(w: World, i: int, j: int, kind: int, doubled: int) -> int:
    """Fate of the target `j` when beaten or doubled."""
    par = w[PAR]
    bits = attack_bits(w, kind, 0) | (par[S_DOUBLED] if doubled else par[S_BEATEN]) | ground_bits(w, j)
    if in_friendly_zone(w, j):
        bits |= par[S_IN_ZONE]
    table = RANGED_RESULT
    if kind == MINDBLAST:
        table = MIND_RESULT
    elif kind >= SPELL_PHYSICAL:
        table = SPELL_RESULT
    return first_row(w, table, j, i, bits)


@kernel(f"int64({WORLD}, int64, int64, int64)")
def shot_value(w: World, i: int, j: int, kind: int) -> int:
    """Expected loss of a target, in the units of `contact.weigh`."""
    a = min(max(attack_total(w, i, j, kind) - LOW_FACTOR, 0), FACTORS - 1)
    b = min(max(defence_total(w, i, j, kind) - LOW_FACTOR, 0), FACTORS - 1)
    counts = w[ODDS][a, b, 1, 1]
    value = 0
    if counts[3]:
        value += counts[3] * w[PAR][W_DESTROYED + shot_fate(w, i, j, kind, 0)]
    if counts[4]:
        value += counts[4] * w[PAR][W_DESTROYED + shot_fate(w, i, j, kind, 1)]
    return value * w[SPEC][j, COST]


@kernel(f"int64({WORLD}, int64, int64, int64, int64)")
def sees(w: World, i: int, j: int, reach: int, all_round: int) -> int:
    """Whether `j` is a target: in range, in the three lanes ahead, with nothing between (Triumph! 60-61)."""
    st, board, par = w[ST], w[BOARD], w[PAR]
    stride = par[STRIDE]
    if gap(w, st[i, PLACE], st[j, PLACE]) > reach:
        return 0
    lanes = lane_of(w, st[j, PLACE]) - lane_of(w, st[i, PLACE])
    rows = row_of(w, st[j, PLACE]) - row_of(w, st[i, PLACE])
    facing = st[i, FACE]
    ahead = rows if facing == 0 else (lanes if facing == 1 else (-rows if facing == 2 else -lanes))
    across = abs(lanes) if facing in (0, 2) else abs(rows)
    if not all_round and (ahead <= 0 or across > 1):
        return 0
    if par[FLYER_SIGHT] and (w[SPEC][i, FLAGS] | w[SPEC][j, FLAGS]) & FLYING:
        here, there = w[TERR][st[i, PLACE]], w[TERR][st[j, PLACE]]
        if not ((par[SIGHT_MASK] >> here) | (par[SIGHT_MASK] >> there)) & 1:
            return 1
    steps = max(abs(lanes), abs(rows))
    for k in range(1, steps):
        p = st[i, PLACE]
        p += on_the_way(lanes, k, steps) * stride + on_the_way(rows, k, steps)
        if board[p] >= 0:
            return 0
    return clear_line(w, st[i, PLACE], st[j, PLACE])


@kernel(f"int64({WORLD}, int64)")
def caster_of(w: World, i: int) -> int:
    """Whose Spellblast a stand would cast: its own, or its hero's."""
    rider = w[ST][i, RIDER]
    if w[SPEC][i, SPELL] == 0 and rider >= 0:
        return rider
    return i


@kernel(f"int64({WORLD}, int64)")
def spell_of(w: World, i: int) -> int:
    """The Spellblast a stand can cast: 0 none, 1 and 2 unlimited, 3 and 4 limited; odd physical, even magical."""
    caster = caster_of(w, i)
    return 0 if w[ST][caster, SPENT] else w[SPEC][caster, SPELL]


@kernel(f"void({WORLD}, int64, int64, int64, int64)")
def shoot(w: World, i: int, j: int, kind: int, purpose: int) -> None:
    """One attack at a distance: both dice are the attacker's."""
    st, par = w[ST], w[PAR]
    if st[j, SHOWN] >= 0:  # FT 39.7: the attack is used up
        reveal(w, j, 2)
        return
    first = die(word_of(w, i, purpose), 6)
    total_i = attack_total(w, i, j, kind) + first
    total_j = defence_total(w, i, j, kind) + die(second_word_of(w, i, purpose), 6)
    result = compare_totals(total_i, total_j, 0, 0, 0, 0, par[LOSER_FIRST], par[FLOOR])
    par[SHOTS] += 1
    note(w, E_SPELL if purpose == FOR_SPELL else E_SHOT, i, j, total_i * 100 + total_j, result * 10 + kind)
    limited = kind >= SPELL_PHYSICAL and spell_of(w, i) >= 3
    if limited and first == 1:  # FT 54.2
        st[caster_of(w, i), SPENT] = 1
        if par[SPELL_FIZZLES]:
            return
    if result > 2:
        drop_transports(w, j)  # FT 45.6
        fate = shot_fate(w, i, j, kind, 1 if result == 4 else 0)
        if fate != STANDS:
            suffer(w, j, fate, 0)


@kernel(f"int64({WORLD}, int64)")
def ranged_kind(w: World, i: int) -> int:
    """The Ranged Attack of a stand or its hero; -1 for none."""
    rider = w[ST][i, RIDER]
    ranged = w[SPEC][i, RANGED]
    if ranged == 0 and rider >= 0:
        ranged = w[SPEC][rider, RANGED]
    return -1 if ranged == 0 else ranged


@kernel(f"int64({WORLD}, int64)", inline=True)
def shot_kind(w: World, i: int) -> int:
    """How a stand shoots: its own way, or the Ranged Attack of the stand or its hero; -1 not at all."""
    return SHOOTING if w[SPEC][i, SHOOT] > 0 else ranged_kind(w, i)


@kernel(f"int64({WORLD}, int64, int64, int64)")
def aim(w: World, i: int, kind: int, reach: int) -> int:
    """The target that is expected to lose most, or -1; nobody is shot at in contact."""
    st, side = w[ST], w[SIDE]
    enemy = 1 - w[SPEC][i, OWNER]
    all_round = 1 if kind == MINDBLAST else (w[SPEC][i, FLAGS] & ALL_ROUND)
    best, most = -1, 0
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        if st[j, STATUS] != ON_BOARD or w[SPEC][j, FLAGS] & IS_CAMP or gap(w, st[i, PLACE], st[j, PLACE]) > reach:
            continue
        if in_contact(w, j) or (kind != MINDBLAST and not sees(w, i, j, reach, all_round)):
            continue
        value = shot_value(w, i, j, kind)
        if value > most:
            best, most = j, value
    return best


@kernel(f"void({WORLD}, int64, int64, int64, int64)")
def best_target(w: World, i: int, kind: int, reach: int, purpose: int) -> None:
    """Shoot at the best target."""
    best = aim(w, i, kind, reach)
    if best >= 0:
        shoot(w, i, best, kind, purpose)


@kernel(f"void({WORLD}, int64, int64)")
def shoots_twice(w: World, i: int, may_range: int) -> None:
    """The shot of a shooter whose hero has a Ranged Attack: the better of both, or each of them (FT 51.3)."""
    kind = ranged_kind(w, i) if may_range else -1
    own = aim(w, i, SHOOTING, w[SPEC][i, RANGE])
    other = aim(w, i, kind, 3) if kind >= 0 else -1
    better = other >= 0 and (own < 0 or shot_value(w, i, other, kind) > shot_value(w, i, own, SHOOTING))
    if own >= 0 and (w[PAR][TWO_SHOTS] or not better):
        shoot(w, i, own, SHOOTING, FOR_SHOT)
    if kind >= 0 and w[PAR][TWO_SHOTS]:
        best_target(w, i, kind, 3, FOR_SECOND_SHOT)
    elif better:
        shoot(w, i, other, kind, FOR_SHOT)


@kernel(f"void({WORLD})")
def shooting_phase(w: World) -> None:
    """Shots of the active side by slot, then of the other; magic of the active side (Triumph! 57; FT 44, 54)."""
    st, spec, side, par = w[ST], w[SPEC], w[SIDE], w[PAR]
    if not par[SHOOTS]:
        return
    active = par[ACTIVE]
    for turn in range(2):
        owner = active if turn == 0 else 1 - active
        for i in range(side[owner, BEGIN], side[owner, END]):
            if st[i, STATUS] != ON_BOARD:
                continue
            kind = shot_kind(w, i)
            if kind < 0 or in_contact(w, i):
                continue
            if turn == 0 and st[i, MOVED] and (kind != SHOOTING or spec[i, RANGE] > 3):
                continue  # FT 51.1.b; HA-6: Artillery
            if kind == SHOOTING and ranged_kind(w, i) >= 0:
                shoots_twice(w, i, 0 if turn == 0 and st[i, MOVED] else 1)
                continue
            best_target(w, i, kind, spec[i, RANGE] if kind == SHOOTING else 3, FOR_SHOT)
    for i in range(side[active, BEGIN], side[active, END]):
        if st[i, STATUS] != ON_BOARD or st[i, MOVED] or in_contact(w, i):
            continue
        rider = st[i, RIDER]
        if rider >= 0 and st[rider, MOVED]:  # FT 44, 54.1.a: neither caster nor hero has moved
            rider = -1
        if spec[i, MIND] or (rider >= 0 and spec[rider, MIND]):
            best_target(w, i, MINDBLAST, 8, FOR_SPELL)
            continue
        spell = spell_of(w, i)
        if spell and (rider >= 0 or caster_of(w, i) == i):
            best_target(w, i, SPELL_PHYSICAL if spell & 1 else SPELL_MAGICAL, 8, FOR_SPELL)
