"""Races and weapons, from their tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ftsim.catalog import Catalog, Source, read_table
from ftsim.games.warlord.terrain import PACKAGE


@dataclass(frozen=True)
class Race:
    """A race.

    Parameters
    ----------
    profile : str
        Its key in a profile file.
    size : {"small", "large"}
        Small is human height or less.
    pikes, open_order, swims : bool
        Whether it may use pikes, fight in open order, and swim.
    buildings : bool
        Whether its foot may enter buildings (troll size or smaller).
    demolishes : bool
        Whether it harms buildings without a suitable weapon (troll size or larger).
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    profile: str
    size: str
    pikes: bool
    open_order: bool
    swims: bool
    buildings: bool
    demolishes: bool
    source: Source


@dataclass(frozen=True)
class Weapon:
    """A weapon: melee or missile, ranks of foot that fight with it, whether it harms buildings."""

    id: str
    name: str
    aliases: tuple[str, ...]
    kind: str
    ranks: int
    demolishes: bool
    source: Source


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split("|")) if text else ()


@lru_cache(maxsize=1)
def races() -> Catalog[Race]:
    """All races."""
    flags = ("pikes", "open_order", "swims", "buildings", "demolishes")
    columns = ("id", "name", "aliases", "profile", "size", *flags, "source", "basis")
    rows = read_table(PACKAGE, "races.csv", columns)
    return Catalog(
        "race",
        [
            Race(
                row["id"],
                row["name"],
                _split(row["aliases"]),
                row["profile"],
                row["size"],
                row.flag("pikes"),
                row.flag("open_order"),
                row.flag("swims"),
                row.flag("buildings"),
                row.flag("demolishes"),
                row.source,
            )
            for row in rows
        ],
    )


@lru_cache(maxsize=1)
def weapons() -> Catalog[Weapon]:
    """All weapons."""
    columns = ("id", "name", "aliases", "kind", "ranks", "demolishes", "source", "basis")
    rows = read_table(PACKAGE, "weapons.csv", columns)
    return Catalog(
        "weapon",
        [
            Weapon(
                row["id"],
                row["name"],
                _split(row["aliases"]),
                row["kind"],
                row.integer("ranks"),
                row.flag("demolishes"),
                row.source,
            )
            for row in rows
        ],
    )
