"""Points of units, characters and creatures (G6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ftsim.catalog import Catalog, Source, read_table
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.warlord.profile_file import ARMOUR, MELEE, MISSILE
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.races import Race, races
from ftsim.games.warlord.terrain import PACKAGE
from ftsim.games.warlord.units import figure_points

EQUIPMENT = (*MELEE, *MISSILE, *ARMOUR, "shield", "barding")
CF_POINTS, MF_POINTS = 20, 40


@dataclass(frozen=True)
class CharacterType:
    """A kind of character: times of the racial cost, points a skill, extra by level (None: not public)."""

    id: str
    name: str
    aliases: tuple[str, ...]
    times: Fraction
    skill: int
    levels: tuple[tuple[str, int | None], ...]
    source: Source


@dataclass(frozen=True)
class Creature:
    """A creature and its points."""

    id: str
    name: str
    points: int
    rideable: bool
    source: Source
    aliases: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def character_types() -> Catalog[CharacterType]:
    """All kinds of character."""
    columns = ("id", "name", "aliases", "times", "skill", "major", "master", "source", "basis")
    return Catalog(
        "kind of character",
        [
            CharacterType(
                row["id"],
                row["name"],
                tuple(row["aliases"].split("|")) if row["aliases"] else (),
                Fraction(row["times"]),
                row.integer("skill"),
                tuple((level, row.integer(level) if row[level] else None) for level in ("major", "master")),
                row.source,
            )
            for row in read_table(PACKAGE, "character_types.csv", columns)
        ],
    )


@lru_cache(maxsize=1)
def creatures() -> Catalog[Creature]:
    """All creatures."""
    columns = ("id", "name", "points", "rideable", "source", "basis")
    return Catalog(
        "creature",
        [
            Creature(row["id"], row["name"], row.integer("points"), row.flag("rideable"), row.source)
            for row in read_table(PACKAGE, "creatures.csv", columns)
        ],
    )


@dataclass(frozen=True)
class Character:
    """A character to be paid for.

    Parameters
    ----------
    race : Race
        Who.
    kind : CharacterType
        What.
    combat_factor, morale_factor, combat_modifier, skills : int
        What is bought by the point.
    level : str
        ``major``, ``master`` or empty.
    mounted : bool
        Whether the racial cost is that of a rider.
    equipment : tuple of str
        What it carries.

    Notation: ``Human warrior hero + CF 4 + MF 5 + combat 55 + 3 skills + spear + sword``.
    """

    race: Race
    kind: CharacterType
    combat_factor: int = 0
    morale_factor: int = 0
    combat_modifier: int = 0
    skills: int = 0
    level: str = ""
    mounted: bool = False
    equipment: tuple[str, ...] = ()

    def lines(self, profiles: Profiles) -> list[tuple[str, Fraction]]:
        """What each part costs.

        Raises
        ------
        InputError
            If the extra for a level is not public.
        """
        racial = figure_points(self.race.id, "character", self.mounted)
        found = [
            (f"{self.race.name} × {self.kind.times}", racial * self.kind.times),
            (f"combat factor {self.combat_factor}", Fraction(CF_POINTS * self.combat_factor)),
            (f"morale factor {self.morale_factor}", Fraction(MF_POINTS * self.morale_factor)),
            (f"combat modifier {self.combat_modifier}", Fraction(self.combat_modifier)),
            (f"{self.skills} skills", Fraction(self.kind.skill * self.skills)),
        ]
        if self.level:
            extra = dict(self.kind.levels)[self.level]
            if extra is None:
                raise InputError(f"The extra for a {self.level} {self.kind.name.lower()} is not public")
            found.append((self.level, Fraction(extra)))
        found += [(name.replace("_", " "), profiles.number(f"equipment_points.{name}")) for name in self.equipment]
        return found

    def points(self, profiles: Profiles) -> Fraction:
        """All parts together."""
        return sum((points for _, points in self.lines(profiles)), Fraction(0))

    @classmethod
    def parse(cls, text: str) -> Character:
        """Read the notation.

        Raises
        ------
        InputError
            If a part cannot be used.
        """
        head, *parts = [part.strip() for part in text.split(" + ")]
        race, kind = _head(head)
        values: dict[str, object] = {}
        equipment: list[str] = []
        patterns = {
            r"cf (\d+)": "combat_factor",
            r"mf (\d+)": "morale_factor",
            r"combat (\d+)": "combat_modifier",
            r"(\d+) skills?": "skills",
        }
        for part in parts:
            folded = part.casefold()
            for pattern, name in patterns.items():
                if match := re.fullmatch(pattern, folded):
                    values[name] = int(match[1])
                    break
            else:
                if folded in ("major", "master"):
                    values["level"] = folded
                elif folded == "mounted":
                    values["mounted"] = True
                else:
                    name = folded.replace("mail and plate", "mail_plate").replace("-", "_").replace(" ", "_")
                    if name not in EQUIPMENT:
                        accepted = [*EQUIPMENT, "CF 4", "MF 5", "combat 55", "3 skills", "major", "master", "mounted"]
                        raise UnknownNameError("part of a character", part, accepted)
                    equipment.append(name)
        return cls(race, kind, equipment=tuple(equipment), **values)  # type: ignore[arg-type]


def _head(text: str) -> tuple[Race, CharacterType]:
    words = text.split()
    for k in range(1, len(words)):
        try:
            return races().find(" ".join(words[:k])), character_types().find(" ".join(words[k:]))
        except UnknownNameError:
            continue
    known = ", ".join(kind.name.lower() for kind in character_types().values())
    raise InputError(f"{text!r}: expected a race and a kind of character; kinds: {known}")


def is_character(text: str) -> bool:
    """Whether a notation means a character."""
    try:
        _head(text.split(" + ")[0].strip())
    except InputError:
        return False
    return True
