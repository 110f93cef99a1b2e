"""Attack phase, part 1: spells and weapons at range, in the order of their scores."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.answers import caster_of, play_on, takes_card
from ftsim.games.ffc.battle.blows import strike
from ftsim.games.ffc.battle.choices import best_target, gambles, reaches_back, strikes_again
from ftsim.games.ffc.battle.fighters import able, attackable, bury, drop_weapon, exposed_row, gain, over, refresh
from ftsim.games.ffc.battle.magic import fire_spell
from ftsim.games.ffc.battle.rolls import ORDER, d6, note, roll, sort_down
from ftsim.kernels import kernel

SPELL_ACTION = 32  # actions from here on are spells, below it warriors


@kernel("int64(int64[:, ::1], int64)")
def front_target(s: Any, a: int) -> int:
    """The enemy that a shooter would fire at without a gamble, or -1."""
    d = best_target(s, a, 0, 1, 0)
    if d < 0 and exposed_row(s, 1 - s[a, at.LORD]) == 1:
        d = best_target(s, a, 1, 1, 0)
    return d


@kernel("int64(int64[:, ::1], int64)")
def aim(s: Any, a: int) -> int:
    """At whom a shooter fires: Height Adv., the front row, or the gamble; -1 for nobody."""
    held = s[at.SIDE + s[a, at.LORD], at.HAND + at.HEIGHT] > 0
    if s[a, at.ROW] == 1 and held and takes_card(s, a) == 1:
        d = reaches_back(s, a, 1)
        if d >= 0 and play_on(s, a, at.HEIGHT, gain(s, a, d, 1)) == 1:
            return d
    front = front_target(s, a)
    if front >= 0 and gambles(s, a) == 0:
        return front
    die = d6(roll(s, a, ORDER)[2])
    if s[a, at.CURSE] >= s[at.GAME, at.TURN] and s[at.RULE, at.R_CURSE] == 0:
        die -= 3
    if die <= 3:
        return front
    if die >= 6:
        return best_target(s, a, 1, 1, 0)
    note(s, at.EV_HESITATED, a, -1, die)
    return -1


@kernel("int64(int64[:, ::1], int64)")
def spend_throw(s: Any, a: int) -> int:
    """A thrown weapon has one throw less; without throws it is gone, or stays in hand (R-16)."""
    w = s[a, at.USE]
    r = at.WEAPON + w
    if s[r, at.W_KIND] != at.THROWN:
        return 0
    s[r, at.W_AMMO] -= 1
    if s[r, at.W_AMMO] == 0:
        note(s, at.EV_OUT_OF_AMMO, a, -1, w)
        if s[at.RULE, at.R_THROWN_SPENT] == 0:
            drop_weapon(s, a, w)
        else:
            if s[a, at.BEST_THROW] == w:
                s[a, at.BEST_THROW] = -1
            refresh(s, a)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def loaded(s: Any, a: int) -> int:
    """Whether a warrior has something in use that he can fire or throw."""
    r = at.WEAPON + s[a, at.USE]
    return 1 if s[r, at.W_KIND] == at.MISSILE or (s[r, at.W_KIND] == at.THROWN and s[r, at.W_AMMO] > 0) else 0


@kernel("int64(int64[:, ::1], int64)")
def fire_weapon(s: Any, a: int) -> int:
    """A shooter's turn in the order of fire."""
    if able(s, a) == 0 or s[a, at.LEFT] == 0 or s[a, at.MODE] == 0 or loaded(s, a) == 0:
        return 0
    side = s[a, at.LORD]
    if s[at.SIDE + 1 - side, at.SHIELDED] == 1:
        return 0  # the spell Shield would stop it: he keeps his ammunition
    d = aim(s, a)
    s[a, at.LEFT] = 0
    if d < 0:
        return 0
    s[a, at.ALLOWED] += 1
    strike(s, a, d, 1, 0)
    spend_throw(s, a)
    while (
        s[at.SIDE + side, at.HAND + at.RAIN] > 0 and takes_card(s, a) == 1 and loaded(s, a) == 1 and able(s, a) == 1
    ):
        row = s[d, at.ROW]
        if attackable(s, d) == 0 or s[d, at.LORD] == side:
            d = best_target(s, a, row, 1, 0) if row == 1 else front_target(s, a)
        if d < 0 or strikes_again(s, a, d, 1) == 0:
            break
        if play_on(s, a, at.RAIN, gain(s, a, d, 1)) == 1:
            s[a, at.ALLOWED] += 1
            strike(s, a, d, 1, 0)
            spend_throw(s, a)
        if s[at.RULE, at.R_STACKING] == 1:
            break
    return 0


@kernel("int64(int64[:, ::1])")
def ranged_phase(s: Any) -> int:
    """All ranged actions of both sides, highest score first, equal ones in random order or at once (R-23)."""
    n = 0
    for side in range(2):
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            if s[i, at.MODE] == 1 and s[i, at.LEFT] > 0:
                score = s[at.WEAPON + s[i, at.USE], at.W_RANGE]
                s[at.FIRE, n] = (score << 48) | (roll(s, i, ORDER)[1] << 8) | i
                n += 1
    for spell in range(at.SPELL_KINDS):
        i = s[at.SPELL_AT, spell]
        if i < 0 or s[at.RANGE_OF, spell] == 0 or caster_of(s, s[i, at.OWNER], spell) < 0:
            continue
        word = roll(s, SPELL_ACTION + spell, ORDER)[1]
        s[at.FIRE, n] = (s[at.RANGE_OF, spell] << 48) | (word << 8) | (SPELL_ACTION + spell)
        n += 1
    sort_down(s, at.FIRE, n)
    for k in range(n):
        action = s[at.FIRE, k] & 255
        if s[at.RULE, at.R_EQUAL_RANGES] == 1:
            s[at.GAME, at.AT_ONCE] = 1 if k + 1 < n and s[at.FIRE, k + 1] >> 48 == s[at.FIRE, k] >> 48 else 2
        if action >= SPELL_ACTION:
            fire_spell(s, action - SPELL_ACTION)
        else:
            fire_weapon(s, action)
        if s[at.GAME, at.AT_ONCE] == 2:
            s[at.GAME, at.AT_ONCE] = 0
            bury(s)
        if over(s) == 1:
            return 1
    return 0
