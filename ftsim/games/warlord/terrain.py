"""Kinds of terrain and what each does, from their table (FW 7)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ftsim.catalog import Catalog, Source, read_table

PACKAGE = "ftsim.games.warlord"
_COLUMNS = (
    "id,name,aliases,shape,uses,fire_small,fire_large,combat_small,combat_large,combat_for,disorders,pikes,"
    "hides_inside,hides_behind,sight,front_rank_fires,optional_pursuit,source,basis"
)
COVERS = ("none", "light", "medium", "heavy")


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain.

    Parameters
    ----------
    shape : {"area", "linear", "passage"}
        Passages are roads, bridges and gateways.
    uses : tuple of str
        Rows of the profile sheet that apply together.
    uphill_only : bool
        Whether it slows only those who climb.
    impassable : bool
        Whether only fliers (and, in rivers, swimmers) get through.
    fire_small, fire_large, combat_small, combat_large : {"none", "light", "medium", "heavy"}
        Cover of troops of human height or less, and of larger ones.
    combat_for : {"inside", "both"}
        Who has the combat cover: each side inside, or both sides of an obstacle.
    disorders : {"none", "close_order", "any"}
        Which charging units become disordered.
    pikes : {"yes", "no", "stationary"}
        Whether pikes can be used.
    hides_inside : bool
        Whether units inside are concealed.
    hides_behind : {"no", "yes", "crest"}
        Whether units behind are.
    sight : int or None
        cm that units inside can see and be seen, when limited.
    front_rank_fires : bool
        Whether only the front rank may shoot from inside.
    optional_pursuit : bool
        Whether defenders may decline to follow up and to pursue.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    shape: str
    uses: tuple[str, ...]
    uphill_only: bool
    impassable: bool
    fire_small: str
    fire_large: str
    combat_small: str
    combat_large: str
    combat_for: str
    disorders: str
    pikes: str
    hides_inside: bool
    hides_behind: str
    sight: int | None
    front_rank_fires: bool
    optional_pursuit: bool
    source: Source


@lru_cache(maxsize=1)
def terrains() -> Catalog[Terrain]:
    """All kinds of terrain."""
    found = []
    for row in read_table(PACKAGE, "terrain.csv", _COLUMNS.split(",")):
        words = row["uses"].split()
        found.append(
            Terrain(
                id=row["id"],
                name=row["name"],
                aliases=tuple(row["aliases"].split("|")) if row["aliases"] else (),
                shape=row["shape"],
                uses=tuple(word for word in words if word not in ("up", "impassable")),
                uphill_only="up" in words,
                impassable="impassable" in words,
                **{name: row[name] for name in ("fire_small", "fire_large", "combat_small", "combat_large")},
                combat_for=row["combat_for"],
                disorders=row["disorders"],
                pikes=row["pikes"],
                hides_inside=row.flag("hides_inside"),
                hides_behind=row["hides_behind"],
                sight=row.integer("sight") if row["sight"] else None,
                front_rank_fires=row.flag("front_rank_fires"),
                optional_pursuit=row.flag("optional_pursuit"),
                source=row.source,
            )
        )
    return Catalog("kind of terrain", found)
