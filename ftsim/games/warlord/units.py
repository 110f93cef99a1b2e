"""Units of figures: who they are, what they carry, how they stand; their notation and points.

Notation: ``20 Western goblin A + spear + chain + shield + 4 ranks``. The head is a number, a race
and a class; the parts may come in any order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from ftsim.catalog import read_table
from ftsim.errors import IllegalError, InputError, UnknownNameError
from ftsim.games.warlord.profile_file import ARMOUR
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.races import Race, Weapon, races, weapons
from ftsim.games.warlord.terrain import PACKAGE

CLASSES = ("A", "B", "C")
_ARMOUR_NAMES = {
    "unarmoured": "unarmoured", "no armour": "unarmoured", "leather": "leather", "chain": "chain",
    "chainmail": "chain", "mail and plate": "mail_plate", "mail & plate": "mail_plate", "mail_plate": "mail_plate",
}  # fmt: skip
MAX_FIGURES = 100


@dataclass(frozen=True)
class Unit:
    """A unit of like figures.

    Parameters
    ----------
    figures : int
        How many there are at the start.
    race : Race
        Who they are.
    morale_class : {"A", "B", "C"}
        Veteran, regular, levy.
    weapon : Weapon
        Melee weapon in hand.
    secondary, missile : Weapon, optional
        What else they carry.
    armour : str
        One of the columns of the profiles.
    shield, mounted, open_order : bool
        What they have and how they stand.
    ranks : int
        Ranks at the start; the front rank has ``files`` figures.
    """

    figures: int
    race: Race
    morale_class: str
    weapon: Weapon
    secondary: Weapon | None = None
    missile: Weapon | None = None
    armour: str = "unarmoured"
    shield: bool = False
    mounted: bool = False
    open_order: bool = False
    ranks: int = 2

    def __post_init__(self) -> None:
        reasons = list(self._problems())
        if reasons:
            raise IllegalError(str(self), reasons)

    def _problems(self) -> list[str]:
        found = []
        if not 1 <= self.figures <= MAX_FIGURES:
            found.append(f"a unit has 1 to {MAX_FIGURES} figures, got {self.figures}")
        if not 1 <= self.ranks <= self.figures:
            found.append(f"{self.figures} figures stand in 1 to {self.figures} ranks, got {self.ranks}")
        if self.weapon.id == "pike" and not self.race.pikes:
            found.append(f"{self.race.name} has no pikes: only dwarfs, high elves and humans do")
        if self.open_order and not self.race.open_order:
            found.append(f"{self.race.name} does not stand in open order")
        if self.mounted and (self.race.id, self.morale_class) in foot_only():
            found.append(f"{self.race.name} has no cavalry")
        return found

    @property
    def files(self) -> int:
        """Figures in the front rank."""
        return -(-self.figures // self.ranks)

    @property
    def body(self) -> str:
        """``foot`` or ``mounted``, as profiles call it."""
        return "mounted" if self.mounted else "foot"

    def depth(self, profiles: Profiles) -> Fraction:
        """From the front of the first rank to the rear of the last, in cm."""
        return self.ranks * profiles.number(f"base_depth.{self.body}")

    def width(self, profiles: Profiles) -> Fraction:
        """Width of the front in cm."""
        return self.files * profiles.number(f"base_width.{self.body}")

    def points(self, profiles: Profiles) -> Fraction:
        """Points of the whole unit."""
        return self.figures * self.points_each(profiles)

    def points_each(self, profiles: Profiles) -> Fraction:
        """Points of one figure: race, class and mount, and its equipment."""
        base = figure_points(self.race.id, self.morale_class, self.mounted)
        carried = [weapon for weapon in (self.weapon, self.secondary, self.missile) if weapon]
        keys = [weapon.id for weapon in carried] + [self.armour] + (["shield"] if self.shield else [])
        return base + sum((profiles.number(f"equipment_points.{key}") for key in keys), Fraction(0))

    def __str__(self) -> str:
        parts = [f"{self.figures} {self.race.name} {self.morale_class}", self.weapon.name.lower()]
        parts += [f"second {self.secondary.name.lower()}"] if self.secondary else []
        parts += [self.missile.name.lower()] if self.missile else []
        parts += [self.armour.replace("mail_plate", "mail and plate")] if self.armour != "unarmoured" else []
        parts += [word for word, held in (("shield", self.shield), ("mounted", self.mounted)) if held]
        parts += ["open order"] if self.open_order else []
        return " + ".join([*parts, f"{self.ranks} rank{'s' if self.ranks > 1 else ''}"])

    @classmethod
    def parse(cls, text: str) -> Unit:
        """Read the notation.

        Raises
        ------
        InputError
            If a part is none of those that are accepted.
        IllegalError
            If the rules do not allow such a unit.
        """
        head, *parts = [part.strip() for part in text.split(" + ")]
        match = re.fullmatch(r"(?:(\d+)\s+)?(.+?)(?:\s+([ABCabc]))?", head)
        if not match:
            raise InputError(f"Unit {text!r}: expected a race first, such as 20 Human B + spear + chain")
        race = races().find(match[2])
        unit = cls(int(match[1] or 20), race, (match[3] or "B").upper(), weapons()["sword"], ranks=1)
        values: dict[str, object] = {}
        for part in parts:
            key, value = _part(part)
            if key in values:
                raise InputError(f"Unit {text!r}: {part!r} is a second {key.replace('_', ' ')}")
            values[key] = value
        values.setdefault("ranks", min(2, unit.figures))
        return replace(unit, **values)  # type: ignore[arg-type]


def _part(text: str) -> tuple[str, object]:
    folded = text.casefold()
    if match := re.fullmatch(r"(\d+) ranks?", folded):
        return "ranks", int(match[1])
    if folded in _ARMOUR_NAMES:
        return "armour", _ARMOUR_NAMES[folded]
    if folded in ("shield", "mounted", "open order"):
        return folded.replace(" ", "_"), True
    second = folded.startswith("second ")
    try:
        weapon = weapons().find(folded.removeprefix("second "))
    except UnknownNameError:
        known = [w.name.lower() for w in weapons().values()] + list(_ARMOUR_NAMES)
        known += ["shield", "mounted", "open order", "2 ranks", "second sword"]
        raise UnknownNameError("part of a unit", text, known) from None
    if weapon.kind == "missile":
        return "missile", weapon
    return ("secondary" if second else "weapon"), weapon


@lru_cache(maxsize=1)
def point_rows() -> dict[tuple[str, str, bool], Fraction]:
    """Points of a figure by race, class (or ``character``) and whether it is mounted."""
    found = {}
    for row in read_table(PACKAGE, "points.csv", ("race", "class", "foot", "mounted", "source", "basis")):
        for column, mounted in (("foot", False), ("mounted", True)):
            if row[column]:
                found[row["race"], row["class"], mounted] = Fraction(row.integer(column))
    return found


@lru_cache(maxsize=1)
def foot_only() -> frozenset[tuple[str, str]]:
    """Races and classes without cavalry."""
    return frozenset((race, rank) for race, rank, _ in point_rows() if (race, rank, True) not in point_rows())


def figure_points(race: str, rank: str, mounted: bool) -> Fraction:
    """Points of a figure without equipment.

    Raises
    ------
    InputError
        If the table has no such figure.
    """
    key = (race, rank, mounted)
    if key not in point_rows():
        raise InputError(f"There are no points for {races()[race].name} {rank}{' mounted' if mounted else ''}")
    return point_rows()[key]


__all__ = ["ARMOUR", "CLASSES", "Unit", "figure_points", "point_rows"]
