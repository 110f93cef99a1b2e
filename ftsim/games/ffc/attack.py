"""One attack, exactly: 216 cells of hit, block and damage die, more with cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

import numpy as np

from ftsim._typing import IntArray
from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.games.ffc.arithmetic import ONE_MISSES, SIX_HITS, blocked, hit, loss
from ftsim.games.ffc.cards import Weapon
from ftsim.games.ffc.kit import Effects, Fighter, numbers
from ftsim.games.ffc.rulings import FfcRulings

NATURAL = {"none": 0, "six_hits": SIX_HITS, "one_misses": ONE_MISSES, "both": SIX_HITS | ONE_MISSES}


@dataclass(frozen=True)
class Blow:
    """All that one attack depends on.

    Parameters
    ----------
    modifier : int
        Added to the hit die.
    block : int
        Faces of the block die that stop a hit.
    dam, armor : int
        Added to and taken off the damage dice.
    dice : int
        Damage dice: one, and one for each card.
    natural, least : int
        Rulings R-10 and R-37.
    """

    modifier: int
    block: int
    dam: int
    armor: int
    dice: int = 1
    natural: int = 0
    least: int = 0

    @property
    def faces(self) -> Dice:
        """Its dice: hit, block, damage."""
        return Dice((6,) * (2 + self.dice))

    def cells(self) -> Cells:
        """Every combination of faces, resolved."""
        rolls = self.faces.faces()
        hits = np.array([hit(int(d), self.modifier, self.natural) for d in rolls[0]])
        stops = np.array([blocked(int(d), self.block) for d in rolls[1]])
        landed = hits * (1 - stops)
        lost = np.array([loss(int(d), self.dam, self.armor, self.least) for d in rolls[2:].sum(0)]) * landed
        return Cells(hits, landed, lost)


@dataclass(frozen=True, eq=False)
class Cells:
    """Per combination of faces: hit, hit and not blocked, hits lost; arrays of one length."""

    hit: IntArray
    landed: IntArray
    lost: IntArray


def throws(weapon: Weapon, effects: Effects) -> bool:
    """Whether a weapon in use is used at range."""
    return weapon.kind == "missile" or (weapon.kind == "thrown" and effects.throw)


def blow(
    attacker: Fighter, target: Fighter, a: Effects, b: Effects, rulings: FfcRulings, weapon: Weapon | None = None
) -> Blow:
    """The attack of one fighter on another with one weapon.

    Parameters
    ----------
    attacker, target : Fighter
        Who attacks whom.
    a, b : Effects
        What lies on each.
    weapon : Weapon, optional
        The attacker's; by default the first in use.
    """
    w = weapon or attacker.in_use()[0]
    ranged = throws(w, a)
    if a.back and not ranged:
        raise InputError(f"{attacker}: nobody fights hand to hand from the back row")
    one, other = numbers(attacker, a, rulings, w), numbers(target, b, rulings)
    # Invisibility helps skill hand to hand only.
    skill = numbers(attacker, replace(a, invisible=False), rulings, w).skill if ranged else one.skill
    parry = 0 if ranged else other.parry
    place = 1 if ranged and a.back and rulings.back_row_penalty else 0
    extra = a.fly_true if ranged else a.mighty_blows
    return Blow(
        skill - other.dodge - parry - place,
        other.block,
        one.dam,
        other.armor,
        1 + extra,
        NATURAL[rulings.natural],
        rulings.least_loss,
    )


def blows(attacker: Fighter, target: Fighter, a: Effects, b: Effects, rulings: FfcRulings) -> list[Blow]:
    """All attacks of a turn: one, or one with each of two weapons (R-15)."""
    used = attacker.in_use()
    if len(used) > 1 and rulings.two_weapons == "best_of_both":
        used = used[:1]
    return [blow(attacker, target, a, b, rulings, weapon) for weapon in used]


@dataclass(frozen=True)
class Attack:
    """What a turn's attacks do to their target.

    Parameters
    ----------
    hit, landed, kill : Fraction
        Chances of at least one hit, of one that is not blocked, of the target's death.
    lost : dict of int to Fraction
        Chance of each number of hits lost, overkill included.
    """

    hit: Fraction
    landed: Fraction
    kill: Fraction
    lost: dict[int, Fraction]

    @property
    def expected(self) -> Fraction:
        """Mean hits lost."""
        return sum((n * p for n, p in self.lost.items()), Fraction(0))


def lost_by(one: Blow) -> dict[int, Fraction]:
    """Chance of each number of hits lost to one attack."""
    lost = one.cells().lost
    values, counts = np.unique(lost, return_counts=True)
    return {int(v): Fraction(int(n), len(lost)) for v, n in zip(values, counts, strict=True)}


def attack(parts: Sequence[Blow], hits: int) -> Attack:
    """Exact odds of attacks one after the other on a target with `hits` left."""
    total: dict[int, Fraction] = {0: Fraction(1)}
    no_hit = no_land = Fraction(1)
    for part in parts:
        cells = part.cells()
        size = len(cells.hit)
        no_hit *= 1 - Fraction(int(cells.hit.sum()), size)
        no_land *= 1 - Fraction(int(cells.landed.sum()), size)
        total = together(total, lost_by(part))
    kill = sum((p for n, p in total.items() if n >= hits), Fraction(0))
    return Attack(1 - no_hit, 1 - no_land, kill, dict(sorted(total.items())))


def sampled_attack(
    parts: Sequence[Blow], hits: int, trials: int, rng: np.random.Generator
) -> dict[str, dict[int, int]]:
    """Counts of rolled attacks: ``hit``, ``landed`` and ``kill`` by 0 and 1, and ``lost`` by hits lost."""
    hit_any = np.zeros(trials, dtype=bool)
    landed_any = np.zeros(trials, dtype=bool)
    lost = np.zeros(trials, dtype=np.int64)
    for part in parts:
        cells = part.cells()
        picked = rng.integers(0, prod(part.faces.sides), size=trials)
        hit_any |= cells.hit[picked] > 0
        landed_any |= cells.landed[picked] > 0
        lost += cells.lost[picked]
    return {
        "hit": _counts(hit_any.astype(np.int64)),
        "landed": _counts(landed_any.astype(np.int64)),
        "kill": _counts((lost >= hits).astype(np.int64)),
        "lost": _counts(lost),
    }


def _counts(values: IntArray) -> dict[int, int]:
    found, counts = np.unique(values, return_counts=True)
    return {int(v): int(n) for v, n in zip(found, counts, strict=True)}


def together(one: dict[int, Fraction], other: dict[int, Fraction]) -> dict[int, Fraction]:
    """The law of a sum of two independent numbers."""
    found: dict[int, Fraction] = {}
    for n, p in one.items():
        for m, q in other.items():
            found[n + m] = found.get(n + m, Fraction(0)) + p * q
    return found
