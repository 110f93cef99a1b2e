"""Spells: which to cast on whom, and what they do."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.answers import cast, caster_of, play_on, takes_card
from ftsim.games.ffc.battle.choices import coin, kind_of
from ftsim.games.ffc.battle.fighters import (
    able,
    drop_helm,
    drop_shield,
    drop_weapon,
    gain,
    lose_hits,
    muster,
    refresh,
    refresh_side,
    worth,
)
from ftsim.games.ffc.battle.prospects import (
    acts,
    best_parts,
    mean_gain,
    name_hurt,
    protection,
    side_gain,
    whole_side,
)
from ftsim.games.ffc.battle.rolls import DEAL_PILE, SPELL, d6, note, pick, roll, sort_down
from ftsim.kernels import kernel

#: Spells that take hits, as bits.
HURTING = 1 << at.S_FIREBALL | 1 << at.S_LIGHTNING | 1 << at.S_MISSILES | 1 << at.S_SHATTER


@kernel("int64(int64[:, ::1], int64, int64)")
def may_target(s: Any, side: int, d: int) -> int:
    """Whether an enemy spell of `side` may be aimed at `d` (R-41, R-43)."""
    if s[d, at.ALIVE] == 0 or s[d, at.HITS] <= 0 or s[d, at.LORD] == side:
        return 0
    if s[d, at.NEUTRAL] >= s[at.GAME, at.TURN] and s[at.RULE, at.R_NEUTRALIZED_TARGETS] == 0:
        return 0
    return 1 if s[at.RULE, at.R_SPELL_TARGETS] == 0 or s[d, at.ROW] == 0 else 0


@kernel("int64(int64)")
def six_dice_kill(need: int) -> int:
    """Of 36 sums of two dice, how many reach `need`."""
    if need <= 2:
        return 36
    if need > 12:
        return 0
    return 36 - (need - 2) * (need - 1) // 2 if need <= 7 else (13 - need) * (14 - need) // 2


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def fire_kill(s: Any, side: int, d: int, shatter: int) -> int:
    """Of 36 faces, how many of Fireball's two dice, or of Shatter's half die, kill `d`."""
    if s[at.SIDE + s[d, at.LORD], at.SHIELDED] == 1 and s[at.RULE, at.R_SHIELD_V_SPELLS] == 1:
        return 0
    hits = s[d, at.HITS] + (s[d, at.NOW_PLATE] if s[at.RULE, at.R_ARMOR_V_SPELLS] == 1 else 0)
    if shatter == 1:
        return 12 * max(0, min(3, 4 - hits))
    return six_dice_kill(hits)


@kernel("int64(int64[:, ::1], int64, int64)")
def denied(s: Any, d: int, half_turns: int) -> int:
    """What so many half turns without his attack cost `d`, whose worth is spread over his life in turns."""
    return worth(s, d) * half_turns // (2 * s[at.POLICY + 1 - s[d, at.LORD], at.P_LIFE])


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def weakened(s: Any, d: int, column: int, value: int) -> int:
    """Per mille of his mean attack that `d` would lose with another entry in a column of his."""
    before = mean_gain(s, d, s[d, at.MODE])
    held, mode = s[d, column], s[d, at.MODE]
    s[d, column] = value
    if column == at.USE:
        s[d, at.MODE] = 0
    refresh(s, d)
    after = mean_gain(s, d, s[d, at.MODE])
    s[d, column] = held
    s[d, at.MODE] = mode
    refresh(s, d)
    return 1000 * max(0, before - after) // max(1, before)


@kernel("int64(int64[:, ::1], int64, int64)")
def shatter_gain(s: Any, side: int, d: int) -> int:
    """D6 for Shatter: its half die kills, and his weapon is gone until he takes up another."""
    armed = 1 if s[d, at.USE] != at.FISTS else 0
    if armed == 0 and s[d, at.SHIELD_ID] < 0:
        return 0
    if kind_of(s, side) != at.GREEDY:
        return worth(s, d) * (2 + armed) // 6
    found = worth(s, d) * fire_kill(s, side, d, 1) // 36
    if armed == 1 and (s[d, at.SHIELD_ID] < 0 or s[d, at.ARMS] == 1):
        turns = s[at.POLICY + side, at.P_LIFE] if s[d, at.ARMS] == 1 else 1
        found += denied(s, d, 2 * turns) * weakened(s, d, at.USE, at.FISTS) // 1000
    return found


@kernel("int64(int64[:, ::1], int64)")
def mate_gain(s: Any, d: int) -> int:
    """Mean gain of a blow of `d` against his own front row."""
    side = s[d, at.LORD]
    total, n = 0, 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        if i != d and s[i, at.ROW] == 0:
            total += gain(s, d, i, 0)
            n += 1
    return total // max(1, n)


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def spell_gain(s: Any, side: int, spell: int, d: int) -> int:
    """D6: what a ranged spell on `d` gains: his worth by the chance to kill, or by the attacks denied."""
    turn = s[at.GAME, at.TURN]
    if spell == at.S_FIREBALL or spell == at.S_LIGHTNING:
        kill = fire_kill(s, side, d, 0)
        if kind_of(s, side) != at.GREEDY:
            return worth(s, d) + (100_000 if kill >= 18 else 0)
        return worth(s, d) * kill // 36
    if spell == at.S_SHATTER:
        return shatter_gain(s, side, d)
    active = s[d, at.HELPLESS] < turn and s[d, at.NEUTRAL] < turn
    if spell == at.S_CURSE:
        if s[d, at.CURSE] >= turn:
            return 0
        if kind_of(s, side) != at.GREEDY:
            return worth(s, d) * 3 // 4
        return denied(s, d, 7) * weakened(s, d, at.CURSE, turn) // 1000
    if not active:
        return 0
    unspent = s[d, at.LEFT] > 0
    if kind_of(s, side) == at.GREEDY:
        # He who will not attack this turn loses none, but a caster may still cast.
        unspent = acts(s, d) == 1 or (s[d, at.SPELLS] > 0 and s[d, at.CAST] == 0)
        now = 2 if unspent else 0
        if spell == at.S_FREEZE:
            return denied(s, d, now + 2)
        if spell == at.S_PETRIFY:
            return denied(s, d, now + 5)
        if spell == at.S_CONTROL and s[d, at.MODE] == 0 and s[d, at.LEFT] > 0:
            return denied(s, d, now) + mate_gain(s, d)
        return denied(s, d, now)
    value = worth(s, d)
    if spell == at.S_FREEZE:
        return value * (2 if unspent else 1) // 3
    if spell == at.S_PETRIFY:
        return value * (7 if unspent else 5) // 8
    if spell == at.S_CONTROL:
        return value * 3 // 4 if unspent and s[d, at.MODE] == 0 else value // 8
    return value // 3 if unspent else 0  # Charm, Paralyzation


@kernel("int64(int64[:, ::1], int64, int64)")
def spell_target(s: Any, side: int, spell: int) -> int:
    """D6: at whom to cast a ranged spell, or -1 to keep it."""
    kind = kind_of(s, side)
    if kind == at.RANDOM and coin(s, side) == 0:
        return -1
    best, top, seen = -1, 0, 0
    if kind == at.GREEDY:
        top = s[at.POLICY + side, at.P_TACTIC]
    for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
        d = s[at.MEN + 1 - side, j]
        if may_target(s, side, d) == 0:
            continue
        if kind == at.RANDOM:
            seen += 1
            if pick(s, side, seen) == 0:
                best = d
            continue
        score = spell_gain(s, side, spell, d)
        if score > top:
            best, top = d, score
    return best


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def burn(s: Any, side: int, d: int, points: int) -> int:
    """Hits lost to a damage spell: no roll, no shield, no armor (R-42)."""
    if s[at.SIDE + s[d, at.LORD], at.SHIELDED] == 1 and s[at.RULE, at.R_SHIELD_V_SPELLS] == 1:
        note(s, at.EV_STOPPED, d, at.SIDE + side, 0)
        return 0
    if s[at.RULE, at.R_ARMOR_V_SPELLS] == 1:
        points = max(0, points - s[d, at.NOW_PLATE])
    return lose_hits(s, d, points)


@kernel("int64(int64[:, ::1], int64)")
def name_targets(s: Any, side: int) -> int:
    """Name the enemies whom Magic Missiles may hit, for `best_parts`; how many."""
    n = 0
    for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
        d = s[at.MEN + 1 - side, j]
        if may_target(s, side, d) == 1:
            n += 1
            s[at.SHARE + n, at.WHOSE] = d
    s[at.SHARE, at.WHOSE] = n
    return n


@kernel("int64(int64[:, ::1], int64)")
def missiles_gain(s: Any, side: int) -> int:
    """Mean gain of Magic Missiles over their die, each face shared out in the best way."""
    if s[at.SIDE + 1 - side, at.SHIELDED] == 1 and s[at.RULE, at.R_SHIELD_V_SPELLS] == 1:
        return 0
    n = name_targets(s, side)
    best_parts(s, 6, 0)
    total = 0
    for points in range(1, 7):
        total += s[at.SHARE + n, points]
    return total // 6000


@kernel("int64(int64[:, ::1], int64, int64)")
def scatter(s: Any, side: int, points: int) -> int:
    """D20: Magic Missiles shared out after the roll: kills first, cheapest first; by `greedy` in the best way."""
    kind = kind_of(s, side)
    if kind == at.GREEDY:
        n = name_targets(s, side)
        best_parts(s, points, 0)
        for k in range(n):
            row = at.SHARE + n - k
            x = s[row, at.PART + points]
            burn(s, side, s[row, at.WHOSE], x)
            points -= x
        return 0
    while points > 0:
        best, top, seen = -1, -1_000_000_000, 0
        for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
            d = s[at.MEN + 1 - side, j]
            if may_target(s, side, d) == 0:
                continue
            seen += 1
            if kind == at.RANDOM:
                score = pick(s, side, 1000)
            else:
                kills = s[d, at.HITS] <= points
                score = (1_000_000 if kills else 0) - s[d, at.HITS]
            if score > top:
                best, top = d, score
        if best < 0:
            return 0
        share = min(points, s[best, at.HITS])
        if burn(s, side, best, share) == 0:
            return 0
        points -= share
    return 0


@kernel("int64(int64[:, ::1], int64)")
def until(s: Any, turns: int) -> int:
    """The last turn of a duration of so many turns (R-58)."""
    return s[at.GAME, at.TURN] + turns - 1 + s[at.RULE, at.R_DURATIONS]


@kernel("int64(int64[:, ::1], int64, int64, int64, int64, int64)")
def resolve_ranged(s: Any, i: int, spell: int, d: int, one: int, two: int) -> int:
    """What a ranged spell of `i` does to `d`, with two dice."""
    side = s[i, at.LORD]
    turn = s[at.GAME, at.TURN]
    if spell == at.S_FIREBALL or spell == at.S_LIGHTNING:
        burn(s, side, d, one + two)
    elif spell == at.S_MISSILES:
        scatter(s, side, one)
    elif spell == at.S_SHATTER:
        if s[d, at.USE] != at.FISTS and (s[d, at.SHIELD_ID] < 0 or s[d, at.ARMS] == 1):
            note(s, at.EV_BROKEN, d, i, 1)
            drop_weapon(s, d, s[d, at.USE])
        elif s[d, at.SHIELD_ID] >= 0:
            note(s, at.EV_BROKEN, d, i, 2)
            drop_shield(s, d)
        elif s[d, at.USE] != at.FISTS:
            note(s, at.EV_BROKEN, d, i, 1)
            drop_weapon(s, d, s[d, at.USE])
        burn(s, side, d, (one + 1) // 2)
    elif spell == at.S_FREEZE:
        s[d, at.NEUTRAL] = max(s[d, at.NEUTRAL], turn + 1)
    elif spell == at.S_PETRIFY:
        s[d, at.NEUTRAL] = max(s[d, at.NEUTRAL], until(s, one))
    elif spell == at.S_CURSE:
        s[d, at.CURSE] = max(s[d, at.CURSE], until(s, one))
    elif spell == at.S_CONTROL:
        # he fights hand to hand for the caster, with what he can hold, or also throws.
        s[d, at.HOME] = s[d, at.ROW]
        s[d, at.LORD] = side
        s[d, at.ROW] = 0
        s[at.GAME, at.TAKEN] += 1
        muster(s)
        throws = s[at.RULE, at.R_CONTROLLED] == 1 and s[at.WEAPON + s[d, at.USE], at.W_KIND] == at.THROWN
        if s[d, at.MODE] == 1 and not throws:
            s[d, at.MODE] = 0
            s[d, at.SECOND] = -1
            s[d, at.USE] = s[d, at.BEST_HAND] if s[d, at.BEST_HAND] == s[d, at.USE] else at.FISTS
        note(s, at.EV_MOVED_OVER, d, i, 0)
    else:  # Charm, Paralyzation
        s[d, at.HELPLESS] = max(s[d, at.HELPLESS], turn)
    if s[d, at.ALIVE] == 1:
        if (
            spell == at.S_FREEZE
            or spell == at.S_PETRIFY
            or spell == at.S_CURSE
            or spell == at.S_CHARM
            or spell == at.S_PARALYZE
        ):
            note(s, at.EV_DISABLED, d, i, 20 + spell)
        refresh(s, d)
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def best_ranged(s: Any, side: int, spell: int) -> int:
    """The most that a ranged spell gains now, on whomever."""
    if spell == at.S_MISSILES:
        return missiles_gain(s, side)
    top = 0
    for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
        d = s[at.MEN + 1 - side, j]
        if may_target(s, side, d) == 1:
            top = max(top, spell_gain(s, side, spell, d))
    return top


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def keeps_for_later(s: Any, i: int, spell: int, value: int) -> int:
    """Whether another of his spells, whose score comes later this turn, gains more than `value`."""
    before = s[at.RANGE_OF, spell] if spell >= 0 else 99
    for other in range(at.SPELL_KINDS):
        later = s[at.RANGE_OF, other]
        if (s[i, at.HELD] >> other) & 1 == 1 and 0 < later < before and best_ranged(s, s[i, at.LORD], other) > value:
            return 1
    return 0


@kernel("int64(int64[:, ::1], int64)")
def fire_spell(s: Any, spell: int) -> int:
    """A ranged spell's turn in the order of fire: cast it or keep it."""
    i = s[at.SPELL_AT, spell]
    if i < 0:
        return 0
    side = s[i, at.LORD]
    if caster_of(s, side, spell) < 0:
        return 0
    replaces = s[at.RULE, at.R_SPELL_AND_ATTACK] == 1
    if replaces and s[i, at.LEFT] == 0:
        return 0
    if kind_of(s, side) == at.GREEDY:
        value = best_ranged(s, side, spell)
        if value <= s[at.POLICY + side, at.P_TACTIC] or keeps_for_later(s, i, spell, value) == 1:
            return 0
        d = spell_target(s, side, spell) if spell != at.S_MISSILES else 0
    else:
        d = spell_target(s, side, at.S_FIREBALL if spell == at.S_MISSILES else spell)
        if d < 0:
            return 0
        value = worth(s, d) // 2 if spell == at.S_MISSILES else min(1000, spell_gain(s, side, spell, d))
    if replaces:
        s[i, at.LEFT] = 0
    s[i, at.SPELL_ROLLS] += 1
    w = roll(s, i + (s[i, at.SPELL_ROLLS] << 16), SPELL)
    if cast(s, i, spell, value) == 1:
        resolve_ranged(s, i, spell, d, d6(w[0]), d6(w[1]))
    return 0


@kernel("int64(int64[:, ::1], int64)")
def give_spell(s: Any, i: int) -> int:
    """A warrior draws the top card of the spell deck."""
    left = s[at.GAME, at.MAGIC_LEFT]
    if left == 0:
        return 0
    spell = s[at.MAGIC, left - 1]
    s[at.GAME, at.MAGIC_LEFT] = left - 1
    s[at.SPELL_AT, spell] = i
    s[i, at.HELD] |= 1 << spell
    s[i, at.SPELLS] += 1
    return 1


@kernel("int64(int64[:, ::1])")
def refill_magic(s: Any) -> int:
    """Shuffle the discarded spells into a new deck (R-59); how many there are."""
    if s[at.RULE, at.R_SPELL_DECK_EMPTY] == 1:
        return 0
    n = 0
    s[at.GAME, at.SHUFFLES] += 1
    for spell in range(at.SPELL_KINDS):
        if s[at.SPELL_AT, spell] == at.IN_PILE:
            w = roll(s, 64 + spell + (s[at.GAME, at.SHUFFLES] << 16), DEAL_PILE)
            s[at.QUEUE, n] = (w[0] << 8) | spell
            s[at.SPELL_AT, spell] = at.IN_DECK
            n += 1
    sort_down(s, at.QUEUE, n)
    for k in range(n):
        s[at.MAGIC, k] = s[at.QUEUE, k] & 255
    s[at.GAME, at.MAGIC_LEFT] = n
    return n


@kernel("int64(int64[:, ::1], int64)")
def wild_magic(s: Any, side: int) -> int:
    """Wild Magic (D18: at once, to the caster with the fewest spells): he draws a spell card."""
    best, least = -1, 1_000_000
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        if s[i, at.CASTER] == 1 and s[i, at.SPELLS] < least and takes_card(s, i) == 1:
            best, least = i, s[i, at.SPELLS]
    if best < 0 or (s[at.GAME, at.MAGIC_LEFT] == 0 and refill_magic(s) == 0):
        return 0
    if kind_of(s, side) == at.RANDOM and coin(s, side) == 0:
        return 0
    if play_on(s, best, at.WILD_MAGIC, 150) == 0:
        return 1
    if s[at.GAME, at.MAGIC_LEFT] == 0:
        return 1  # an answer to the card may have changed the deck; a refill is tried next time
    give_spell(s, best)
    return 1


@kernel("int64(int64[:, ::1], int64)")
def hurt(s: Any, side: int) -> int:
    """Hits that a side's living warriors have lost."""
    lost = 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        lost += s[i, at.HITS0] - s[i, at.HITS]
    return lost


@kernel("int64(int64[:, ::1], int64)")
def best_dead(s: Any, side: int) -> int:
    """The dead warrior of a side, or of both (R-50), who is worth most, or -1."""
    anyone = s[at.RULE, at.R_RAISED] == 4
    best, top = -1, -1
    for i in range(at.MAX_WARRIORS):
        own = s[i, at.OWNER] == side or (anyone and s[i, at.OWNER] < 2)
        if s[i, at.ALIVE] == 0 and own and worth(s, i) > top:
            best, top = i, worth(s, i)
    return best


@kernel("int64(int64[:, ::1], int64, int64)")
def tactic_prospect(s: Any, side: int, spell: int) -> int:
    """D5 of `greedy`: what a tactics spell gains this turn."""
    if spell == at.S_RAISE:
        i = best_dead(s, side)
        return 0 if i < 0 else worth(s, i)
    if spell == at.S_HEAL:
        return 0 if name_hurt(s, side) == 0 else best_parts(s, 7, 1) // 1000  # the mean of two dice
    if spell == at.S_SHIELD:
        return 0 if s[at.SIDE + side, at.SHIELDED] == 1 else side_gain(s, 1 - side, 1)
    if spell == at.S_BLOODLUST or spell == at.S_HASTE:
        return whole_side(s, side, spell)
    top = 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        top = max(top, protection(s, s[at.MEN + side, j], spell))
    return top


@kernel("int64(int64[:, ::1], int64, int64)")
def tactic_gain(s: Any, side: int, spell: int) -> int:
    """D5: about what a tactics spell gains now; 0 if it would do nothing."""
    if kind_of(s, side) == at.GREEDY:
        return tactic_prospect(s, side, spell)
    if spell == at.S_RAISE:
        d = best_dead(s, side)
        return 0 if d < 0 else 100 + worth(s, d)
    if spell == at.S_HEAL:
        lost = hurt(s, side)
        return 0 if lost < s[at.POLICY + side, at.P_HEAL] else 60 * min(lost, 7)
    fighters, archers = 0, 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        if s[i, at.ROW] == 0 or s[i, at.MODE] == 1:
            fighters += able(s, i)
    for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
        i = s[at.MEN + 1 - side, j]
        if s[i, at.MODE] == 1:
            archers += able(s, i)
    if spell == at.S_SHIELD:
        return 0 if archers < s[at.POLICY + side, at.P_ARCHERS] else 100 * archers
    return 0 if fighters == 0 else 1000


@kernel("int64(int64[:, ::1], int64, int64)")
def own_target(s: Any, side: int, spell: int) -> int:
    """Whom Invulnerability or Invisibility protects: the front-row fighter worth most, or whom it helps most."""
    best, top = -1, -1
    kind = kind_of(s, side)
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        if kind == at.GREEDY:
            score = protection(s, i, spell)
        else:
            score = pick(s, side, 1000) if kind == at.RANDOM else worth(s, i) * (2 - s[i, at.ROW])
        if score > top:
            best, top = i, score
    return best


@kernel("int64(int64[:, ::1], int64, int64)")
def give_hits(s: Any, i: int, hits: int) -> int:
    """A warrior is healed."""
    if hits == 0:
        return 0
    s[i, at.HITS] += hits
    note(s, at.EV_HEALED, i, -1, hits)
    if s[at.RULE, at.R_MARKERS] == 2:
        s[i, at.POISON] = 0
        s[i, at.WOUND] = 0
        refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def heal(s: Any, side: int) -> int:
    """D20: Heal shared out after the roll, to those worth most a missing hit, never above the printed hits."""
    s[at.GAME, at.SHUFFLES] += 1
    w = roll(s, at.SIDE + side + (s[at.GAME, at.SHUFFLES] << 16), SPELL)
    points = d6(w[0]) + d6(w[1])
    if kind_of(s, side) == at.GREEDY:
        n = name_hurt(s, side)
        best_parts(s, points, 1)
        for k in range(n):
            row = at.SHARE + n - k
            x = s[row, at.PART + points]
            give_hits(s, s[row, at.WHOSE], x)
            points -= x
        return 0
    while points > 0:
        best, top = -1, -1
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            missing = s[i, at.HITS0] - s[i, at.HITS]
            if missing > 0 and worth(s, i) // missing > top:
                best, top = i, worth(s, i) // missing
        if best < 0:
            return 0
        share = min(points, s[best, at.HITS0] - s[best, at.HITS])
        give_hits(s, best, share)
        points -= share
    return 0


@kernel("int64(int64[:, ::1], int64)")
def raise_dead(s: Any, side: int) -> int:
    """A dead warrior returns (R-50), without markers, and is placed in front."""
    i = best_dead(s, side)
    if i < 0:
        return 0
    how = s[at.RULE, at.R_RAISED]
    s[i, at.ALIVE] = 1
    s[i, at.HITS] = (s[i, at.HITS0] + 1) // 2 if how == 1 else 1 if how == 2 else s[i, at.HITS0]
    for k in range(at.HELPLESS, at.WOUND + 1):
        s[i, k] = 0
    if how == 3:
        while s[i, at.ARMS] > 0:
            drop_weapon(s, i, s[i, at.ARM0])
        if s[i, at.HELM_ID] >= 0:
            drop_helm(s, i)
        if s[i, at.SHIELD_ID] >= 0:
            drop_shield(s, i)
        s[i, at.PLATE] = 0
        s[i, at.SUIT_SPEED] = 0
        s[i, at.SUIT_DODGE] = 0
    s[at.SIDE + side, at.LIVING] += 1
    s[i, at.ROW] = 0
    was = s[i, at.OWNER]
    s[i, at.OWNER] = side
    s[i, at.LORD] = side
    muster(s)
    s[i, at.LEFT] = 1
    s[i, at.CAST] = 0
    s[i, at.MODE] = 0
    s[i, at.SECOND] = -1
    s[i, at.USE] = s[i, at.BEST_HAND] if s[i, at.BEST_HAND] >= 0 else at.FISTS
    if s[i, at.BEST_SHOT] >= 0:
        s[i, at.USE] = s[i, at.BEST_SHOT]
        s[i, at.MODE] = 1
    refresh(s, i)
    note(s, at.EV_RAISED, i, -1, s[i, at.HITS])
    if was != side:
        note(s, at.EV_MOVED_OVER, i, at.SIDE + side, 0)
    return 1


@kernel("int64(int64[:, ::1], int64)")
def next_tactic(s: Any, side: int) -> int:
    """D5: the next tactics spell to cast, or -1; `greedy` casts the one that gains most first."""
    kind = kind_of(s, side)
    best, top = -1, s[at.POLICY + side, at.P_TACTIC]
    for k in range(7):
        spell = (at.S_RAISE, at.S_BLOODLUST, at.S_HASTE, at.S_HEAL, at.S_UNSEEN, at.S_HARD, at.S_SHIELD)[k]
        i = caster_of(s, side, spell)
        if i < 0:
            continue
        if kind == at.GREEDY:
            value = tactic_prospect(s, side, spell)
            # One spell a turn: not if a ranged one of his gains more.
            if value > top and keeps_for_later(s, i, -1, value) == 0:
                best, top = spell, value
            continue
        # One spell a turn: who holds a spell that hurts keeps his turn for it, unless a warrior can return.
        if kind != at.RANDOM and spell != at.S_RAISE and s[i, at.HELD] & HURTING != 0:
            continue
        if kind == at.RANDOM:
            if tactic_gain(s, side, spell) > 0 and coin(s, side) == 1:
                return spell
        elif tactic_gain(s, side, spell) > s[at.POLICY + side, at.P_TACTIC]:
            return spell
    return best


@kernel("int64(int64[:, ::1], int64, int64)")
def cast_tactic(s: Any, side: int, spell: int) -> int:
    """A tactics spell is cast and does what it does."""
    i = caster_of(s, side, spell)
    turn = s[at.GAME, at.TURN]
    value = min(1000, tactic_gain(s, side, spell))
    if cast(s, i, spell, value) == 0:
        return 0
    h = at.SIDE + side
    if spell == at.S_RAISE:
        raise_dead(s, side)
    elif spell == at.S_HEAL:
        heal(s, side)
    elif spell == at.S_SHIELD:
        s[h, at.SHIELDED] = 1
    elif spell == at.S_BLOODLUST:
        s[h, at.BLOODLUST] = 1
        refresh_side(s, side)
    elif spell == at.S_HASTE:
        s[h, at.HASTE] = 1
        refresh_side(s, side)
    else:
        d = own_target(s, side, spell)
        if d >= 0:
            if spell == at.S_HARD:
                s[d, at.HARD] = until(s, 2)
            else:
                s[d, at.UNSEEN] = turn if s[at.RULE, at.R_INVISIBILITY] == 0 else at.FOREVER
            refresh(s, d)
    return 1
