"""Morale and orders: when units run, retire or charge on their own, and what becomes of them (FW 9, 10; G3-G5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

from ftsim._typing import IntArray
from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.units import CLASSES

RESULTS = ("rout", "retire", "carry_on", "uncontrolled_advance")


def loss_step(start: int, left: int) -> int:
    """Loss in full tens of per cent of the starting strength, rounded down (G3)."""
    if start < 1 or not 0 <= left <= start:
        raise InputError(f"A unit of {start} figures cannot have {left} left")
    return 100 * (start - left) // start // 10


def basic_value(morale_class: str, step: int, profiles: Profiles) -> Fraction:
    """Basic morale value for a class at a loss of so many full tens of per cent."""
    if morale_class not in CLASSES:
        raise InputError(f"Unknown morale class {morale_class!r}; accepted: {', '.join(CLASSES)}")
    value = profiles.number(f"morale_value.{morale_class}")
    return value - max(0, step - 1) * profiles.number("morale_value.each_step")


@dataclass(frozen=True)
class Circumstances:
    """What helps or harms a unit's morale.

    Parameters
    ----------
    free_enemies : int
        Enemy units within 20 cm that are visible, unengaged and neither rout nor retire.
    hated_foe : bool
        Whether a hated foe is within 20 cm.
    attacked_in : str
        ``front``, ``flank`` or ``rear``.
    enemy_double, enemy_half : bool
        Whether the enemy has at least twice, or at most half, its number.
    character_killed : bool
        Whether the character in control was killed this turn.
    magic : bool
        Whether magic, monsters or the undead attacked it this turn.
    cover : str
        Cover of at least three quarters of its figures.
    leader : int
        Morale factor of a character in direct control.
    """

    free_enemies: int = 0
    hated_foe: bool = False
    attacked_in: str = "front"
    enemy_double: bool = False
    enemy_half: bool = False
    character_killed: bool = False
    magic: bool = False
    cover: str = "none"
    leader: int = 0

    def modifier(self, profiles: Profiles) -> Fraction:
        """Sum of the modifiers."""
        number = profiles.number
        total = Fraction(self.leader)
        if self.free_enemies:
            total += self.free_enemies * number("morale_modifier.free_enemy_within_20")
        for holds, key in (
            (self.hated_foe, "hated_foe_within_20"),
            (self.attacked_in == "flank", "flank"),
            (self.attacked_in == "rear", "rear"),
            (self.enemy_double, "enemy_double"),
            (self.enemy_half, "enemy_half"),
            (self.character_killed, "character_killed"),
            (self.magic, "magic_monster_undead"),
            (self.cover != "none", f"cover_{self.cover}"),
        ):
            if holds:
                total += number(f"morale_modifier.{key}")
        return total


def result_edges(profiles: Profiles) -> tuple[Fraction, Fraction, Fraction]:
    """Final morale values up to which a unit routs, retires and carries on."""
    rout, retire, carry_on = (profiles.number(f"morale_result.{row}") for row in ("rout", "retire", "carry_on"))
    return rout, retire, carry_on


def results_of(final: IntArray, edges: tuple[Fraction, Fraction, Fraction]) -> IntArray:
    """Position in `RESULTS` for final morale values, in the shape given; parts of a point are dropped."""
    found = np.zeros(final.shape, dtype=np.int64)
    for edge in edges:
        found += final > floor(edge)
    return found


@dataclass(frozen=True)
class MoraleTest:
    """A morale test as a contest: basic value, modifiers and a D4 (G3).

    Parameters
    ----------
    value : Fraction
        Basic value with modifiers.
    rout, retire, carry_on : Fraction
        Final value up to which each result holds.
    """

    value: Fraction
    rout: Fraction
    retire: Fraction
    carry_on: Fraction

    @classmethod
    def of(cls, value: Fraction, profiles: Profiles) -> MoraleTest:
        """A test against the result table of a profile file."""
        return cls(value, *result_edges(profiles))

    @property
    def dice(self) -> Dice:
        """A D4."""
        return Dice((4,))

    @property
    def labels(self) -> tuple[str, ...]:
        """Results, worst first."""
        return RESULTS

    def resolve(self, rolls: IntArray) -> IntArray:
        """Position in `RESULTS` for each roll: shape ``(1, n)`` in, ``(n,)`` out."""
        value = np.asarray(floor(self.value), dtype=np.int64)
        return results_of(value + np.asarray(rolls[0]), (self.rout, self.retire, self.carry_on))


def rallies(result: str) -> bool:
    """Whether a routing unit rallies in phase 11."""
    return result in ("carry_on", "uncontrolled_advance")


def caught(routers: int, in_contact: int) -> int:
    """Figures that routers or evaders lose to those who catch them: one each, without striking back (G4)."""
    if min(routers, in_contact) < 0:
        raise InputError(f"Numbers of figures are at least 0, got {routers} and {in_contact}")
    return min(routers, in_contact)


def is_caught(rout_move: Fraction, pursuit_move: Fraction, gap: Fraction = Fraction(0)) -> bool:
    """Whether a pursuit reaches routers who start `gap` cm ahead."""
    return pursuit_move >= gap + rout_move


def turns_aside(gap: Fraction, d6: int) -> str:
    """Where routers go that meet an obstacle: through gaps of 3 cm, else right on 1-3 and left on 4-6 (G4)."""
    if gap >= 3:
        return "through"
    if not 1 <= d6 <= 6:
        raise InputError(f"A D6 shows 1 to 6, got {d6}")
    return "right" if d6 <= 3 else "left"


def order_test(morale_class: str, profiles: Profiles, *, modifier: int = 0, exempt: bool = False) -> Fraction:
    """Exact chance to pass an order or reaction test: D100 and modifiers at or below the class's figure (G5).

    Parameters
    ----------
    exempt : bool
        Characters, units that moved in phase 1, in combat or under direct or brigade control, and
        columns on a road need no test.
    """
    if exempt:
        return Fraction(1)
    if morale_class not in CLASSES:
        raise InputError(f"Unknown morale class {morale_class!r}; accepted: {', '.join(CLASSES)}")
    faces = floor(profiles.number(f"order_pass.{morale_class}") - modifier)
    return Fraction(min(100, max(0, faces)), 100)
