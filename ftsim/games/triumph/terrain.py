"""Kinds of terrain, and the home topographies that offer them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ftsim.catalog import Catalog, Source, read_table
from ftsim.games.triumph.troop_types import PACKAGE


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain (Triumph! 32, FT 9).

    Parameters
    ----------
    id, name : str
        Identifier and name.
    aliases : tuple of str
        Other spellings.
    difficult : bool
        Whether it is difficult terrain.
    hinders_flyers : bool
        Whether it is so to Flying stands too.
    hill : bool
        Whether it gives height.
    blocks_sight : bool
        Whether one cannot see through it.
    source : Source
        Where the row comes from.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    difficult: bool
    hinders_flyers: bool
    hill: bool
    blocks_sight: bool
    source: Source


@dataclass(frozen=True)
class Topography:
    """A home topography: whether it is dense, and what terrain it offers."""

    id: str
    name: str
    aliases: tuple[str, ...]
    dense: bool
    terrain: tuple[str, ...]
    source: Source


@lru_cache(maxsize=1)
def terrains() -> Catalog[Terrain]:
    """All kinds of terrain."""
    columns = [
        "id",
        "name",
        "aliases",
        "difficult",
        "hinders_flyers",
        "hill",
        "blocks_sight",
        "source",
        "basis",
    ]
    return Catalog(
        "kind of terrain",
        [
            Terrain(
                row["id"],
                row["name"],
                tuple(row["aliases"].split("|")) if row["aliases"] else (),
                row.flag("difficult"),
                row.flag("hinders_flyers"),
                row.flag("hill"),
                row.flag("blocks_sight"),
                row.source,
            )
            for row in read_table(PACKAGE, "terrain.csv", columns)
        ],
    )


@lru_cache(maxsize=1)
def topographies() -> Catalog[Topography]:
    """All home topographies."""
    columns = ("id", "name", "aliases", "dense", "terrain", "source", "basis")
    return Catalog(
        "topography",
        [
            Topography(
                row["id"],
                row["name"],
                tuple(row["aliases"].split("|")) if row["aliases"] else (),
                row.flag("dense"),
                tuple(terrains()[kind].id for kind in row["terrain"].split("|")),
                row.source,
            )
            for row in read_table(PACKAGE, "topographies.csv", columns)
        ],
    )
