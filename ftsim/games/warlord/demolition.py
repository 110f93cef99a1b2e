"""Pulling buildings down: defence values, who can, how long it takes, and what spells do (FW 7; F42-F49, F54)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from ftsim.catalog import Catalog, Source, read_table
from ftsim.chains import Absorption, absorb
from ftsim.errors import InputError
from ftsim.games.warlord.melee import fighting_figures
from ftsim.games.warlord.procedure import Casualties, total_percent
from ftsim.games.warlord.profiles import DefenceDice, Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import PACKAGE
from ftsim.games.warlord.units import Unit


@dataclass(frozen=True)
class Structure:
    """A door, wall, roof or obstacle that can be pulled down (F42).

    Parameters
    ----------
    part : {"door", "wall", "roof"}
        What it is.
    defence : str
        Its row of dice in a profile file.
    burns : bool
        Whether it is inflammable.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    part: str
    defence: str
    burns: bool
    source: Source

    def dice(self, profiles: Profiles) -> DefenceDice:
        """Dice for its defence value, rolled when somebody begins to pull it down."""
        return profiles.dice(f"defence_dice.{self.defence}")

    def chances(self, profiles: Profiles) -> Mapping[int, Fraction]:
        """Exact chance of each defence value."""
        return self.dice(profiles).chances()


@dataclass(frozen=True)
class Magic:
    """A spell or other magic that harms or saves buildings (F46-F48, F54).

    Parameters
    ----------
    damage : str
        Dice, ``destroys`` or empty.
    fire : str
        ``magical``, ``ordinary`` or empty.
    hits : str
        How it finds its target.
    puts_out : str
        Which fires it ends: ``one building``, ``area`` or empty.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    damage: str
    fire: str
    hits: str
    puts_out: str
    source: Source

    @property
    def instant(self) -> Mapping[int, Fraction]:
        """Exact chances of the damage it does at once; nothing for fire."""
        if not self.damage or self.damage == "destroys":
            return {}
        count, sides = self.damage.split("D")
        return DefenceDice(int(count), int(sides)).chances()

    def breaks(self, defence: int) -> Fraction:
        """Exact chance that it destroys a part of that defence value at once."""
        if self.damage == "destroys":
            return Fraction(1)
        return sum((chance for value, chance in self.instant.items() if value >= defence), Fraction(0))

    def ignites(self, structure: Structure, *, hit: bool = True) -> bool:
        """Whether it sets a part on fire; some magic must hit first (F47-F49)."""
        return bool(self.fire) and structure.burns and (hit or self.hits == "automatic")


@lru_cache(maxsize=1)
def structures() -> Catalog[Structure]:
    """All parts that can be pulled down."""
    columns = ("id", "name", "aliases", "part", "defence", "burns", "source", "basis")
    return Catalog(
        "part of a building",
        [
            Structure(
                row["id"],
                row["name"],
                tuple(row["aliases"].split("|")) if row["aliases"] else (),
                row["part"],
                row["defence"],
                row.flag("burns"),
                row.source,
            )
            for row in read_table(PACKAGE, "structures.csv", columns)
        ],
    )


@lru_cache(maxsize=1)
def magic() -> Catalog[Magic]:
    """All such magic."""
    columns = ("id", "name", "damage", "fire", "hits", "puts_out", "source", "basis")
    return Catalog(
        "spell",
        [
            Magic(row["id"], row["name"], (), row["damage"], row["fire"], row["hits"], row["puts_out"], row.source)
            for row in read_table(PACKAGE, "magic.csv", columns)
        ],
    )


def can_demolish(unit: Unit) -> bool:
    """Whether a unit harms buildings: double-handed weapons, polearms, or troll size and more (F43)."""
    return unit.weapon.demolishes or unit.race.demolishes


def blows(unit: Unit, profiles: Profiles, rulings: WarlordRulings, figures: int | None = None) -> Casualties:
    """Points that a unit strikes off a part in a turn, found as casualties are (F44, A-17).

    The part counts as an enemy in the armour that the ruling names; no modifiers of state apply.

    Raises
    ------
    InputError
        If such troops do no harm.
    """
    if not can_demolish(unit):
        raise InputError(
            f"{unit} cannot harm a building; accepted: double-handed weapons, polearms, troll size or larger"
        )
    left = unit.figures if figures is None else figures
    number = profiles.number
    each = (
        number("combat_base.base")
        + number(f"combat_race.{unit.race.profile}", unit.race.name)
        + number(f"combat_weapon.{unit.weapon.id}")
        + number(f"enemy_armour.{rulings.structure_armour}")
    )
    each = max(each, number("percentage_floor.floor"))
    count = fighting_figures(unit, unit.weapon, left, min(unit.files, left))
    return Casualties(total_percent(each, count))


@dataclass(frozen=True, eq=False)
class Demolition:
    """How long it takes to pull a part down.

    Parameters
    ----------
    by_turn : list of float
        Chance that it is down after 1, 2, … turns.
    mean_turns : float
        Mean number of turns; infinite when it never falls.
    """

    by_turn: list[float]
    mean_turns: float


def demolish(strikes: Casualties, chances: Mapping[int, Fraction], turns: int = 20) -> Demolition:
    """Exact time to bring a part down, from a chain over the points that are left.

    Parameters
    ----------
    strikes : Casualties
        Points a turn.
    chances : mapping of int to Fraction
        Chance of each defence value.
    turns : int
        For how many turns the chance is given.
    """
    top = max(chances)
    stay, leave = np.zeros((top, top)), np.zeros((top, 1))
    for points in range(1, top + 1):
        for hits, chance in strikes.law().items():
            if hits >= points:
                leave[points - 1, 0] += float(chance)
            else:
                stay[points - 1, points - hits - 1] += float(chance)
    start = np.array([float(chances.get(points, 0)) for points in range(1, top + 1)])
    solved: Absorption = absorb(stay, leave)
    now, gone, by_turn = start.copy(), 0.0, []
    for _ in range(turns):
        gone += float(now @ leave[:, 0])
        now = now @ stay
        by_turn.append(gone)
    able = start > 0
    return Demolition(by_turn, float(start[able] @ solved.rounds[able]))


def opening(structure: Structure, unit: Unit | None, profiles: Profiles) -> str:
    """What becomes of a part at 0: doors are gone; walls and roofs fall, or creatures make a hole (F45).

    Parameters
    ----------
    unit : Unit, optional
        Who struck the last point; none for fire and spells.
    """
    if structure.part == "door":
        return "destroyed"
    if unit is not None and unit.race.demolishes:
        return f"a breach of {float(profiles.number(f'base_width.{unit.body}')):g} cm"
    return "collapsed"
