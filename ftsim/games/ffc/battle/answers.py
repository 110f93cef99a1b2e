"""Playing a card and casting a spell, each of which may be answered: the last one played resolves first."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.fighters import able
from ftsim.games.ffc.battle.rolls import note, pick
from ftsim.kernels import kernel


@kernel("int64(int64[:, ::1], int64, int64)")
def caster_of(s: Any, side: int, spell: int) -> int:
    """The warrior of a side who can cast a spell now, or -1: able, and no spell cast this turn."""
    i = s[at.SPELL_AT, spell]
    if i < 0 or s[i, at.ALIVE] == 0 or s[i, at.LORD] != side or s[i, at.CAST] == 1:
        return -1
    if s[i, at.OWNER] != side and s[at.RULE, at.R_CONTROLLED] == 0:
        return -1
    answer = spell == at.S_COUNTER or spell == at.S_AVOID or spell == at.S_ILLUSIONS
    if able(s, i) == 0:
        tactics = s[at.RANGE_OF, spell] == 0
        if not (s[at.RULE, at.R_DISABLED_CAST] == 1 and (answer or tactics)):
            return -1
    return i


@kernel("int64(int64[:, ::1], int64, int64)")
def spend_spell(s: Any, i: int, spell: int) -> int:
    """A warrior casts a spell: it goes to the discards and is his one of the turn (R-46 for answers)."""
    s[i, at.HELD] &= ~(1 << spell)
    s[i, at.SPELLS] -= 1
    s[at.SPELL_AT, spell] = at.IN_PILE
    answer = spell == at.S_COUNTER or spell == at.S_AVOID or spell == at.S_ILLUSIONS
    if not (answer and s[at.RULE, at.R_ANSWERS_COUNT] == 1):
        s[i, at.CAST] = 1
    s[at.PLAYS + s[i, at.LORD], 20 + spell] += 1
    note(s, at.EV_SPELL_CAST, i, -1, spell)
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def spend_card(s: Any, side: int, card: int) -> int:
    """A player plays a fight card."""
    s[at.SIDE + side, at.HAND + card] -= 1
    s[at.SIDE + side, at.IN_HAND] -= 1
    s[at.PILE, card] += 1
    s[at.PLAYS + side, card] += 1
    note(s, at.EV_PLAYED, at.SIDE + side, -1, card)
    return 0


@kernel("int64(int64[:, ::1], int64, int64, int64, int64)")
def wants_answer(s: Any, side: int, what: int, value: int, depth: int) -> int:
    """D17: whether a player cancels a fight card (0 …) or spell (20 …) of some value to the enemy."""
    kind = s[at.POLICY + side, at.P_KIND]
    if kind == at.RANDOM:
        return 1 if pick(s, side, 100) < s[at.POLICY + side, at.P_COIN] else 0
    if depth > 0:
        # An answer is worth what it would save.
        return 1 if value >= s[at.POLICY + side, at.P_ANSWER] else 0
    if kind == at.SIMPLE:
        return s[at.WEIGHTY, what]
    return 1 if value > s[at.POLICY + side, at.P_ANSWER] else 0


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def stands(s: Any, side: int, what: int, value: int) -> int:
    """Whether a card or spell just played stands after all answers: 1 or 0.

    Parameters
    ----------
    side : int
        Who played it.
    what : int
        Fight card (0 …) or spell (20 …).
    value : int
        What it is worth to its player.
    """
    by = side
    spell = what >= 20
    depth = 0
    while True:
        foe = 1 - by
        card, caster = 0, -1
        if spell:
            card = s[at.SIDE + foe, at.HAND + at.MAGIC_RESIST]
            if card == 0:
                caster = caster_of(s, foe, at.S_COUNTER)
        else:
            caster = caster_of(s, foe, at.S_AVOID)
        if card == 0 and caster < 0:
            break
        if wants_answer(s, foe, what, value, depth) == 0:
            break
        if card > 0:
            spend_card(s, foe, at.MAGIC_RESIST)
            spell = False
        elif spell:
            spend_spell(s, caster, at.S_COUNTER)
        else:
            spend_spell(s, caster, at.S_AVOID)
            spell = True
        by = foe
        depth += 1
    if depth % 2 == 1:
        note(s, at.EV_CANCELLED, at.SIDE + side, -1, what)
        return 0
    return 1


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def play(s: Any, side: int, card: int, value: int) -> int:
    """A player plays a fight card; 1 if it stands."""
    spend_card(s, side, card)
    return stands(s, side, card, value)


@kernel("int64(int64[:, ::1], int64)")
def takes_card(s: Any, i: int) -> int:
    """Whether a fight card may be played on a warrior now: under R-53 perhaps one a turn."""
    return 0 if s[at.RULE, at.R_STACKING] == 2 and s[i, at.CARDED] == s[at.GAME, at.TURN] else 1


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def play_on(s: Any, i: int, card: int, value: int) -> int:
    """A player plays a fight card on a warrior of his; 1 if it stands."""
    s[i, at.CARDED] = s[at.GAME, at.TURN]
    return play(s, s[i, at.LORD], card, value)


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def cast(s: Any, i: int, spell: int, value: int) -> int:
    """A warrior casts a spell; 1 if it stands."""
    spend_spell(s, i, spell)
    return stands(s, s[i, at.LORD], 20 + spell, value)
