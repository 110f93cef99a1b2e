"""Profile files: YAML read into `Profiles`, every fault at once, each with file, line and what is accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ftsim.catalog import BASES
from ftsim.documents import Document, read_document
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.warlord.profiles import DefenceDice, Kind, Profiles, Value

RACES = ("human", "high_elf", "wood_elf", "dwarf", "orc", "goblin", "hill_troll", "ogre", "giant")
ARMOUR = ("unarmoured", "leather", "chain", "mail_plate")
LOSS_ROWS = ("wood", "scrub", "marsh", "broken", "steep", "ford", "wall", "hedge", "fence")
MELEE = ("spear", "sword", "pike", "polearm", "double_handed", "improvised")
MISSILE = ("short_bow", "longbow", "crossbow", "javelin")
COVER = ("cover_light", "cover_medium", "cover_heavy")
MARKER = "warlord_profiles"
HEAD = (MARKER, "name", "provenance", "basis", "source")


@dataclass(frozen=True)
class Section:
    """What a section of a profile file may hold.

    Parameters
    ----------
    columns : tuple of str
        Keys of its numbers.
    kind : str
        What its numbers are.
    rows : tuple of str
        Keys one level above; empty when there is only one level.
    needed : tuple of str
        Rows (or columns, without rows) that must be there.
    signed, partial : bool
        Whether numbers may be negative, and whether rows other than ``default`` may lack columns.
    """

    columns: tuple[str, ...]
    kind: Kind = "number"
    rows: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    signed: bool = False
    partial: bool = False


_FOLK = tuple(race for race in RACES if race != "giant")
SECTIONS: dict[str, Section] = {
    "move_normal": Section(ARMOUR, rows=(*RACES, "mounted"), needed=(*_FOLK, "mounted")),
    "move_factor": Section(("charge", "rout", "evade", "retire", "double", "pursuit")),
    "terrain_loss": Section(
        LOSS_ROWS, "loss", rows=("default", *RACES, "mounted"), needed=("default",), partial=True
    ),
    "base_depth": Section(("foot", "mounted")),
    "base_width": Section(("foot", "mounted")),
    "move_and_fire_loss": Section(MISSILE),
    "ranks_firing": Section(RACES, needed=_FOLK),
    "combat_base": Section(("base",)),
    "combat_weapon": Section(MELEE, signed=True),
    "combat_race": Section(RACES, needed=_FOLK, signed=True),
    "firing_base": Section(MISSILE),
    "firing_range": Section(("short", "long"), signed=True),
    "enemy_armour": Section((*ARMOUR, "shield"), signed=True),
    "firing_modifier": Section((*COVER, "open_order", "character"), signed=True),
    "combat_modifier": Section(
        (
            "charged", "two_ranks", "extra_rank_each", "max_ranks_counted", "flank_attack", "rear_attack",
            "disordered", "hated_foe", "uphill", *COVER,
        ),
        signed=True,
    ),
    "percentage_floor": Section(("floor",)),
    "combat_result": Section(("pushback_cm",)),
    "morale_value": Section(("A", "B", "C", "each_step"), "threshold"),
    "morale_result": Section(("rout", "retire", "carry_on"), "threshold"),
    "morale_modifier": Section(
        (
            "free_enemy_within_20", "hated_foe_within_20", "flank", "rear", "enemy_double", "enemy_half",
            "character_killed", "magic_monster_undead", *COVER,
        ),
        signed=True,
    ),
    "order_pass": Section(("A", "B", "C")),
    "defence_dice": Section(
        (
            "door", "wattle_wall", "wood_wall", "stone_wall", "free_wall", "thatch_roof", "tile_roof",
            "fence", "hedge",
        ),
        "dice",
    ),
    "equipment_points": Section((*MELEE, *MISSILE, *ARMOUR, "shield", "barding")),
}  # fmt: skip
_DICE = re.compile(r"(\d+)[Dd](\d+)")


@lru_cache(maxsize=1)
def shipped() -> Profiles:
    """The profiles that come with ftsim."""
    document = read_document(Path(str(files("ftsim.games.warlord").joinpath("data").joinpath("profiles.yaml"))))
    return _profiles(document, None)


def read_profiles(path: Path) -> Profiles:
    """Profiles from a file; sections that it lacks are those that ship.

    Raises
    ------
    InputError
        With one line for every fault: file, line, key and what is accepted.
    """
    return _profiles(read_document(path), shipped())


def check_profiles(document: Document) -> str:
    """What a profile file is, in a few words.

    Raises
    ------
    InputError
        With everything that is wrong with it.
    """
    base = shipped()
    found = _profiles(document, base)
    given = [name for name in SECTIONS if name in document.data]
    count = len(found.assumed(found.values))
    return f"profiles {found.name!r}, {len(given)} sections given, {count} numbers still assumed, no faults"


def _profiles(document: Document, base: Profiles | None) -> Profiles:
    data, problems = document.data, []
    if data.get(MARKER) != 1:
        problems.append(document.error((MARKER,), f"expected 1, the version of this form, got {data.get(MARKER)!r}"))
    basis = data.get("basis", "printed")
    if basis not in BASES:
        problems.append(document.error(("basis",), f"unknown basis {basis!r}; accepted: {', '.join(BASES)}"))
    name = data.get("name", document.path.stem)
    if not isinstance(name, str):
        problems.append(document.error(("name",), f"expected a text, got {name!r}"))
    for key in data:
        if key not in SECTIONS and key not in HEAD:
            problems.append(document.error((key,), str(UnknownNameError("section", str(key), [*HEAD, *SECTIONS]))))
    values: dict[str, Value] = {} if base is None else dict(base.values)
    for key, section in SECTIONS.items():
        if key not in data:
            if base is None:
                problems.append(document.error((), f"section {key} is missing"))
            continue
        values = {k: v for k, v in values.items() if not k.startswith(key + ".")}
        for place, outcome in _section(document, key, section, str(basis)):
            if isinstance(outcome, Value):
                values[".".join(place)] = outcome
            else:
                problems.append(document.error(place, outcome))
    if not problems:
        problems += [document.error(place, message) for place, message in _together(values)]
    if problems:
        raise InputError("\n".join(problems))
    return Profiles(str(name), values)


def _section(
    document: Document, key: str, section: Section, basis: str
) -> Iterator[tuple[tuple[str, ...], Value | str]]:
    data = document.data[key]
    if not isinstance(data, dict):
        yield (key,), f"expected keys and values; accepted: {', '.join(section.rows or section.columns)}"
        return
    if not section.rows:
        yield from _row(data, (key,), section, section.needed or section.columns, basis)
        return
    for row in section.needed:
        if row not in data:
            yield (key,), f"the row {row} is missing; needed: {', '.join(section.needed)}"
    for row, cells in data.items():
        if row not in section.rows:
            yield (key, str(row)), str(UnknownNameError("race", str(row), section.rows))
        elif not isinstance(cells, dict):
            yield (key, str(row)), f"expected keys and values; accepted: {', '.join(section.columns)}"
        else:
            needed = () if section.partial and row != "default" else section.columns
            yield from _row(cells, (key, str(row)), section, needed, basis)


def _row(
    cells: Mapping[Any, Any], place: tuple[str, ...], section: Section, needed: tuple[str, ...], basis: str
) -> Iterator[tuple[tuple[str, ...], Value | str]]:
    for column in needed:
        if column not in cells:
            yield place, f"the row {column} is missing; needed: {', '.join(needed)}"
    for column, cell in cells.items():
        where = (*place, str(column))
        if column not in section.columns:
            kind = "race" if section.columns == RACES else "key"
            yield where, str(UnknownNameError(kind, str(column), section.columns))
            continue
        yield where, _value(cell, section, basis)


def _value(cell: Any, section: Section, basis: str) -> Value | str:
    """A cell, or what is wrong with it."""
    text, _, word = str(cell).partition(" ")
    if word and word not in BASES:
        return f"unknown basis {word!r}; accepted after a value: {', '.join(BASES)}"
    basis = word or basis
    if section.kind == "dice":
        match = _DICE.fullmatch(text)
        if not match or not 1 <= int(match[1]) <= 20 or not 1 <= int(match[2]) <= 100:
            return f"{text!r} cannot be used; accepted: dice such as 2D6"
        return Value(DefenceDice(int(match[1]), int(match[2])), basis, "dice")
    if section.kind == "loss" and text == "impassable":
        return Value(None, basis, "loss")
    accepted = {
        "loss": "a fraction from 0 to below 1, such as 1/2, or impassable",
        "threshold": "a number of at least 0",
        "number": "a number" if section.signed else "a number of at least 0",
    }[section.kind]
    try:
        if isinstance(cell, bool):
            raise ValueError
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return f"{text!r} cannot be used; accepted: {accepted}"
    if (number < 0 and not section.signed) or (section.kind == "loss" and number >= 1) or abs(number) > 10**6:
        return f"{text} cannot be used; accepted: {accepted}"
    return Value(number, basis, section.kind)


def _together(values: Mapping[str, Value]) -> Iterator[tuple[tuple[str, ...], str]]:
    """What only shows when values are seen together or must be above 0."""

    def number(key: str) -> Fraction:
        found = values[key].value
        assert isinstance(found, Fraction)
        return found

    edges = [number(f"morale_result.{name}") for name in ("rout", "retire", "carry_on")]
    if not edges[0] <= edges[1] <= edges[2]:
        yield ("morale_result",), "each result must reach at least as far as the one before: rout, retire, carry_on"
    for key, value in values.items():
        section, _, rest = key.partition(".")
        if section in ("base_depth", "base_width", "move_normal") and value.value == 0:
            yield (section, *rest.split(".")), "0 cannot be used; accepted: a number above 0"
        if section == "move_and_fire_loss" and number(key) > 1:
            yield (section, rest), f"{value} cannot be used; accepted: a fraction from 0 to 1"
        if section == "ranks_firing" and number(key).denominator != 1:
            yield (section, rest), f"{value} cannot be used; accepted: a whole number of ranks"
