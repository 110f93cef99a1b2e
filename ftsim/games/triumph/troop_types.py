"""The 26 troop types, and how often published armies field each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from ftsim.catalog import Catalog, Source, read_table
from ftsim.conditions import holds_for
from ftsim.games.triumph.rulings import TriumphRulings

PACKAGE = "ftsim.games.triumph"


@dataclass(frozen=True)
class TroopType:
    """One kind of stand (Triumph! 35 and the type table).

    Parameters
    ----------
    id, name : str
        Identifier and Fantasy Triumph name.
    aliases : tuple of str
        Core name, code, abbreviation.
    kind, order : str
        ``foot`` or ``mounted``; ``open_order`` or ``close_order``.
    cost : int
        Points.
    move : int
        MU.
    cf_vs_foot, cf_vs_mounted : int
        Close combat factors.
    shooting, range : int
        Shooting factor and range in MU; 0 when it does not shoot.
    shot_at : int
        Factor against shooting.
    base_depth_mm : int
        Depth of the base on 40 mm frontage.
    battle_line : float
        Share of its entries in published lists that are battle line.
    source : Source
        Where the row comes from.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    kind: str
    order: str
    cost: int
    move: int
    cf_vs_foot: int
    cf_vs_mounted: int
    shooting: int
    range: int
    shot_at: int
    base_depth_mm: int
    battle_line: float
    source: Source

    @property
    def names(self) -> frozenset[str]:
        """What conditions call it."""
        return frozenset((self.id, self.kind, self.order, f"cost_{self.cost}", f"move_{self.move}"))


def troop_types(rulings: TriumphRulings | None = None) -> Catalog[TroopType]:
    """All troop types in the versions that the rulings choose."""
    rulings = rulings or TriumphRulings()
    return _troop_types(rulings.core_version, rulings.moves_version)


@lru_cache(maxsize=8)
def _troop_types(core_version: str, moves_version: str) -> Catalog[TroopType]:
    columns = (
        "id,name,aliases,kind,order,cost,move,cf_vs_foot,cf_vs_mounted,shooting,range,shot_at,"
        "base_depth_mm,battle_line,source,basis"
    )
    types = {}
    for row in read_table(PACKAGE, "troop_types.csv", columns.split(",")):
        types[row["id"]] = TroopType(
            id=row["id"],
            name=row["name"],
            aliases=tuple(row["aliases"].split("|")) if row["aliases"] else (),
            kind=row["kind"],
            order=row["order"],
            cost=row.integer("cost"),
            move=row.integer("move"),
            cf_vs_foot=row.integer("cf_vs_foot"),
            cf_vs_mounted=row.integer("cf_vs_mounted"),
            shooting=row.integer("shooting"),
            range=row.integer("range"),
            shot_at=row.integer("shot_at"),
            base_depth_mm=row.integer("base_depth_mm"),
            battle_line=float(row["battle_line"]),
            source=row.source,
        )
    settings = {"core_version": core_version, "moves_version": moves_version}
    versions = read_table(
        PACKAGE, "troop_type_versions.csv", ("troop_type", "column", "value", "ruling", "source", "basis")
    )
    for row in versions:
        if holds_for(settings, row["ruling"]):
            old = types[row["troop_type"]]
            new: dict[str, object] = {row["column"]: row.integer("value"), "source": row.source}
            types[row["troop_type"]] = replace(old, **new)  # type: ignore[arg-type]
    return Catalog("troop type", types.values())


@lru_cache(maxsize=1)
def published_field() -> dict[str, float]:
    """Share of stands of each type over 655 published army lists, summing to 1."""
    rows = read_table(PACKAGE, "field_published_lists.csv", ("troop_type", "share", "source", "basis"))
    shares = {row["troop_type"]: float(row["share"]) for row in rows}
    total = sum(shares.values())
    return {name: share / total for name, share in shares.items()}
