"""The five decks, from their tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ftsim.catalog import Catalog, Row, Source, read_table

PACKAGE = "ftsim.games.ffc"
KINDS = ("hth", "thrown", "missile")
ARMOR_TYPES = ("helm", "full", "partial", "shield")


@dataclass(frozen=True)
class Warrior:
    """A warrior card.

    Parameters
    ----------
    dam, speed, skill, dodge, hits, spells, reach : int
        As printed; a dash is 0.
    two_weapons, backstab : bool
        Abilities.
    bow : int
        Damage with a bow.
    """

    id: str
    name: str
    race: str
    dam: int
    speed: int
    skill: int
    dodge: int
    hits: int
    spells: int
    reach: int
    two_weapons: bool
    backstab: bool
    bow: int
    source: Source
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Weapon:
    """A weapon card, or bare hands.

    Parameters
    ----------
    kind : {"hth", "thrown", "missile"}
        Thrown weapons may be held hand to hand as well.
    range : int
        When it fires; 0 for none.
    ammo : int
        Throws; 0 where there is no limit.
    """

    id: str
    name: str
    dam: int
    kind: str
    range: int
    speed: int
    reach: int
    parry: int
    ammo: int
    two_handed: bool
    bow: bool
    copies: int
    source: Source
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Armor:
    """A piece of armor, a helm or a shield."""

    id: str
    name: str
    type: str
    armor: int
    block: int
    speed: int
    dodge: int
    copies: int
    source: Source
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spell:
    """A spell: ``T`` in the tactics phase, ``C`` as an answer, else its place in the order of fire."""

    id: str
    name: str
    cast: str
    effect: str
    copies: int
    source: Source
    aliases: tuple[str, ...] = ()

    @property
    def range(self) -> int:
        """Its place in the order of fire; 0 if it is not cast there."""
        return int(self.cast) if self.cast.isdigit() else 0


@dataclass(frozen=True)
class FightCard:
    """A kind of fight card."""

    id: str
    name: str
    window: str
    effect: str
    copies: int
    source: Source
    aliases: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def warriors() -> Catalog[Warrior]:
    """The 20 warriors."""
    columns = ("id", "name", "race", "dam", "speed", "skill", "dodge", "hits", "spells", "reach", "ability")
    return Catalog("warrior", (_warrior(row) for row in read_table(PACKAGE, "warriors.csv", (*columns, *_END))))


@lru_cache(maxsize=1)
def weapons() -> Catalog[Weapon]:
    """The 28 weapons and bare hands, which come last."""
    columns = ("id", "name", "dam", "kind", "range", "speed", "reach", "parry", "ammo", "two_handed", "bow", "copies")
    return Catalog("weapon", (_weapon(row) for row in read_table(PACKAGE, "weapons.csv", (*columns, *_END))))


@lru_cache(maxsize=1)
def armor() -> Catalog[Armor]:
    """The 29 pieces of armor."""
    columns = ("id", "name", "type", "armor", "block", "speed", "dodge", "copies")
    return Catalog("armor", (_armor(row) for row in read_table(PACKAGE, "armor.csv", (*columns, *_END))))


@lru_cache(maxsize=1)
def spells() -> Catalog[Spell]:
    """The 20 spells."""
    columns = ("id", "name", "cast", "effect", "copies")
    rows = read_table(PACKAGE, "spells.csv", (*columns, *_END))
    return Catalog(
        "spell",
        (Spell(r["id"], r["name"], _cast(r), r["effect"], r.integer("copies"), r.source) for r in rows),
    )


@lru_cache(maxsize=1)
def fight_cards() -> Catalog[FightCard]:
    """The 14 kinds of fight card."""
    columns = ("id", "name", "window", "effect", "copies")
    rows = read_table(PACKAGE, "fight_cards.csv", (*columns, *_END))
    return Catalog(
        "fight card",
        (FightCard(r["id"], r["name"], r["window"], r["effect"], r.integer("copies"), r.source) for r in rows),
    )


def bare_hands() -> Weapon:
    """What a warrior without a weapon fights with."""
    return weapons()["unarmed"]


_END = ("source", "basis")


def _warrior(row: Row) -> Warrior:
    ability, bow = row["ability"], 0
    if ability.startswith("bow:"):
        bow, ability = int(ability.removeprefix("bow:")), ""
    if ability not in ("", "two_hth_weapons", "backstab"):
        raise row.error("ability", "two_hth_weapons, backstab, bow:n or nothing")
    return Warrior(
        row["id"],
        row["name"],
        row["race"],
        row.integer("dam"),
        row.integer("speed"),
        row.integer("skill"),
        row.integer("dodge"),
        row.integer("hits"),
        row.integer("spells"),
        row.integer("reach"),
        two_weapons=ability == "two_hth_weapons",
        backstab=ability == "backstab",
        bow=bow,
        source=row.source,
    )


def _weapon(row: Row) -> Weapon:
    if row["kind"] not in KINDS:
        raise row.error("kind", ", ".join(KINDS))
    return Weapon(
        row["id"],
        row["name"],
        row.integer("dam"),
        row["kind"],
        row.integer("range"),
        row.integer("speed"),
        row.integer("reach"),
        row.integer("parry"),
        row.integer("ammo"),
        two_handed=row.flag("two_handed"),
        bow=row.flag("bow"),
        copies=row.integer("copies"),
        source=row.source,
    )


def _armor(row: Row) -> Armor:
    if row["type"] not in ARMOR_TYPES:
        raise row.error("type", ", ".join(ARMOR_TYPES))
    armor, block, speed, dodge, copies = (row.integer(n) for n in ("armor", "block", "speed", "dodge", "copies"))
    return Armor(row["id"], row["name"], row["type"], armor, block, speed, dodge, copies, row.source)


def _cast(row: Row) -> str:
    if row["cast"] not in ("T", "C") and not row["cast"].isdigit():
        raise row.error("cast", "T, C or a number")
    return row["cast"]
