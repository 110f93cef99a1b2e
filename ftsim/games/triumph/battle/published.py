"""Published army lists: what each allows, read from a table, and armies drawn within it.

A list says between how many and how many stands of each option an army has. An option with several
troop types leaves the choice open, stand by stand. How much of an army must be battle line
(FT 3.1) is not public, so the column is kept and not enforced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import numpy as np

from ftsim.catalog import Row, parse_table
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.triumph.battle.hosts import MAX_STANDS, Host
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import topographies
from ftsim.games.triumph.troop_types import PACKAGE, TroopType, troop_types
from ftsim.streams import generator

T = TypeVar("T")

COLUMNS = (
    "list_id", "name", "troop_types", "min_stands", "max_stands", "battle_line", "general_types",
    "home_topographies", "invasion_ratings", "maneuver_ratings",
)  # fmt: skip
#: Columns that the table may have besides.
WITH_SOURCE = (*COLUMNS, "source", "basis")
BATTLE_LINE = {"": "none", "half": "half", "all": "all"}
SAMPLES = "sample_lists.csv"


@dataclass(frozen=True)
class ListOption:
    """An option of a list.

    Parameters
    ----------
    troop_types : tuple of str
        What its stands may be.
    least, most : int
        Number of stands.
    battle_line : {"none", "half", "all"}
        How many of them count as battle line.
    """

    troop_types: tuple[str, ...]
    least: int
    most: int
    battle_line: str


@dataclass(frozen=True)
class PublishedList:
    """A published army list.

    Parameters
    ----------
    id : int
        Its number.
    name : str
        Its name, with years where printed.
    options : tuple of ListOption
        What an army may have.
    general_types : tuple of str
        Types that the general may be with.
    home_topographies : tuple of str
        Where it may be at home.
    invasion_ratings, maneuver_ratings : tuple of int
        Ratings, several where they depend on the year.
    """

    id: int
    name: str
    options: tuple[ListOption, ...]
    general_types: tuple[str, ...]
    home_topographies: tuple[str, ...]
    invasion_ratings: tuple[int, ...]
    maneuver_ratings: tuple[int, ...]

    def costs(self, rulings: TriumphRulings = TriumphRulings()) -> tuple[int, int]:
        """Points of the cheapest and of the dearest army that it allows."""
        types = troop_types(rulings)
        prices = [[types[name].cost for name in option.troop_types] for option in self.options]
        return (
            sum(option.least * min(each) for option, each in zip(self.options, prices, strict=True)),
            sum(option.most * max(each) for option, each in zip(self.options, prices, strict=True)),
        )


def read_lists(path: Path) -> list[PublishedList]:
    """Published lists from a CSV file; columns `COLUMNS`, perhaps with ``source`` and ``basis``.

    Raises
    ------
    InputError
        With file, line and what is accepted.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8 text"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    return _parse(str(path), text)


def sample_lists() -> list[PublishedList]:
    """The dozen lists that come with ftsim."""
    return _parse(SAMPLES, files(PACKAGE).joinpath("data").joinpath(SAMPLES).read_text(encoding="utf-8"))


def from_list(
    published: PublishedList,
    points: int,
    number: int,
    seed: int,
    rulings: TriumphRulings = TriumphRulings(),
) -> Host:
    """A random army of a list: within the bounds of each option, and as near to `points` as its draws come.

    The general's stand and the least numbers come first, then stands one at a time, each option as
    likely as the room it has left, until none fits. The army never costs more than `points`, and
    less by a stand or more only when its draws use up the list.

    Parameters
    ----------
    published : PublishedList
        The list.
    points : int
        Size of the game.
    number : int
        Number of the army; armies do not depend on each other.
    seed : int
        Seed of all armies.
    rulings : TriumphRulings
        Which version of the troop types holds.

    Raises
    ------
    InputError
        If the list allows no such army.
    """
    types = troop_types(rulings)
    random = generator(seed, {"game": "triumph", "list": published.id, "army": number})
    menu = [[types[name] for name in option.troop_types] for option in published.options]
    cheapest = [min(t.cost for t in each) for each in menu]
    owed = [option.least for option in published.options]
    room = [option.most for option in published.options]
    least, most = published.costs(rulings)
    if least > points:
        raise _impossible(published, points, f"its least numbers cost {least}")
    if most <= points - max(t.cost for t in types.values()):
        raise _impossible(published, points, f"all its stands cost {most}")
    slack = points - least  # what is left when the rest of the least numbers is as cheap as can be
    picked: list[TroopType] = []

    def take(k: int, t: TroopType) -> None:
        nonlocal slack
        slack -= t.cost - (cheapest[k] if owed[k] else 0)
        owed[k] = max(owed[k] - 1, 0)
        room[k] -= 1
        picked.append(t)

    def affordable(k: int) -> list[TroopType]:
        return [t for t in menu[k] if t.cost - (cheapest[k] if owed[k] else 0) <= slack]

    leaders = [(k, t) for k in range(len(menu)) if room[k] for t in affordable(k) if t.id in published.general_types]
    if leaders:
        take(*leaders[int(random.integers(len(leaders)))])
    for k in range(len(menu)):
        while owed[k]:
            choices = affordable(k)
            take(k, choices[int(random.integers(len(choices)))])
    while True:
        chances = [n if affordable(k) else 0 for k, n in enumerate(room)]
        if not any(chances):
            break
        k = int(np.searchsorted(np.cumsum(chances), random.integers(sum(chances)), side="right"))
        choices = affordable(k)
        take(k, choices[int(random.integers(len(choices)))])
    if len(picked) >= MAX_STANDS - 1:
        raise _impossible(published, points, f"it has {len(picked)} stands, more than a host may")
    stands = [Stand(t) for t in picked]
    # Without a stand of the general's types, any stand leads.
    leader = 0 if leaders else int(random.integers(len(stands)))
    stands[leader] = replace(stands[leader], general=True, _names={})
    homes = [topographies()[home] for home in published.home_topographies]
    dense = bool(homes) and homes[int(random.integers(len(homes)))].dense
    return Host.of(f"{published.name}, army {number}", stands, points=points, dense=dense)


def _impossible(published: PublishedList, points: int, why: str) -> InputError:
    return InputError(f"List {published.id}, {published.name}: no army of {points} points: {why}")


def _parse(name: str, text: str) -> list[PublishedList]:
    header = next((line for line in text.splitlines() if line and not line.startswith("#")), "")
    columns = WITH_SOURCE if header.split(",") == list(WITH_SOURCE) else COLUMNS
    found: dict[int, PublishedList] = {}
    began: dict[int, Row] = {}
    for row in parse_table(name, text, columns):
        one = _list(row)
        if one.id not in found:
            found[one.id], began[one.id] = one, row
            continue
        for column in COLUMNS:
            same = ("list_id", "troop_types", "min_stands", "max_stands", "battle_line")
            if column not in same and row[column] != began[one.id][column]:
                raise row.error(column, f"{began[one.id][column]!r} as in line {began[one.id].line} of the same list")
        found[one.id] = replace(found[one.id], options=(*found[one.id].options, *one.options))
    if not found:
        raise InputError(f"{name}: has no lists; accepted: a row for each option of a list")
    return list(found.values())


def _list(row: Row) -> PublishedList:
    if "source" in row:
        row.source  # noqa: B018 - refuses rows without one
    if row.integer("list_id") < 0:
        raise row.error("list_id", "a number from 0")
    if not row["name"]:
        raise row.error("name", "the name of the list")
    least, most = row.integer("min_stands"), row.integer("max_stands")
    if least < 0:
        raise row.error("min_stands", "a whole number from 0")
    if not max(least, 1) <= most < MAX_STANDS:
        raise row.error("max_stands", f"a whole number from {max(least, 1)} to {MAX_STANDS - 1}")
    if row["battle_line"] not in BATTLE_LINE:
        raise row.error("battle_line", "all, half, or nothing")
    option = ListOption(_several(row, "troop_types", _type), least, most, BATTLE_LINE[row["battle_line"]])
    return PublishedList(
        row.integer("list_id"),
        row["name"],
        (option,),
        _several(row, "general_types", _type) if row["general_types"] else (),
        _several(row, "home_topographies", _home),
        _several(row, "invasion_ratings", _rating),
        _several(row, "maneuver_ratings", _rating),
    )


def _several(row: Row, column: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Values set apart by ``/``, each once."""
    try:
        return tuple(dict.fromkeys(read(part) for part in row[column].split("/")))
    except UnknownNameError as problem:
        raise InputError(f"{row.table}, line {row.line}: {column}: {problem}") from None
    except ValueError:
        raise row.error(column, "0 to 4, several set apart by /") from None


def _type(text: str) -> str:
    return troop_types().find(text).id


def _home(text: str) -> str:
    return topographies().find(text).id


def _rating(text: str) -> int:
    if text not in ("0", "1", "2", "3", "4"):
        raise ValueError
    return int(text)
