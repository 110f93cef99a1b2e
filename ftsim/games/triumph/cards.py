"""The 37 battle cards: what they cost whom, who may have them, and what they count as."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ftsim.catalog import Catalog, Row, Source, read_table
from ftsim.conditions import Condition, holds_for
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import PACKAGE

TERRAIN_OPTION = "<terrain>"


@dataclass(frozen=True)
class Price:
    """A printed price: what it is, and for whom it holds."""

    variant: str
    buyer: str
    when: Condition
    points: Fraction
    ruling: str
    source: Source


@dataclass(frozen=True)
class Limit:
    """A printed condition on who may have a card."""

    buyer: str
    requires: bool
    when: Condition
    ruling: str
    source: Source


@dataclass(frozen=True)
class Card:
    """A battle card.

    Parameters
    ----------
    id, name : str
        Identifier and printed name.
    aliases : tuple of str
        Other spellings.
    ft : int
        Section of Fantasy Triumph.
    bought_for : str
        ``army``, ``event``, ``stand``, ``hero`` or ``stand_or_hero``.
    cap, hero_cap : int or None
        Largest number of bearers (or copies), and of heroes among them.
    cap_per : str
        What the cap counts in: ``army``, ``class`` or ``stand``.
    options : tuple of tuple of str
        Groups of choices, one to be taken from each.
    modelled : str
        The contest that shows its worth, or ``battle``.
    gains, losses : tuple of str
        What it does besides fighting.
    effect : str
        What it does, in short.
    prices : tuple of Price
        The first that fits counts.
    limits : tuple of Limit
        Who may have it.
    source : Source
        Where it is printed.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    ft: int
    bought_for: str
    cap: int | None
    hero_cap: int | None
    cap_per: str
    options: tuple[tuple[str, ...], ...]
    modelled: str
    gains: tuple[str, ...]
    losses: tuple[str, ...]
    effect: str
    prices: tuple[Price, ...]
    limits: tuple[Limit, ...]
    source: Source

    @property
    def for_stands(self) -> bool:
        """Whether a stand may carry it (transports are army cards that stands carry)."""
        return self.bought_for in ("stand", "stand_or_hero") or self.id == "mobile_infantry"

    @property
    def for_heroes(self) -> bool:
        """Whether a hero may carry it."""
        return self.bought_for in ("hero", "stand_or_hero")

    def choose(self, texts: Sequence[str]) -> tuple[str, ...]:
        """The options meant by some texts, one from each group.

        Raises
        ------
        InputError
            If an option is missing, unknown or too many.
        """
        left = list(texts)
        chosen: list[str] = []
        for group in self.options:
            accepted = (
                [t.id for t in terrains().values() if t.difficult or t.hill]
                if group == (TERRAIN_OPTION,)
                else list(group)
            )
            match = next((t for t in left if self._option(t, group) in accepted), None)
            if match is None:
                given = f"got {', '.join(repr(t) for t in texts)}" if texts else "none was given"
                raise InputError(f"{self.name} needs one of {', '.join(accepted)} after a colon; {given}")
            left.remove(match)
            chosen.append(str(self._option(match, group)))
        if left:
            raise InputError(f"{self.name} has no option {left[0]!r}")
        if len(set(chosen)) < len(chosen):
            raise InputError(f"{self.name} needs different options, got {chosen[0]} twice")
        if all(group == (TERRAIN_OPTION,) for group in self.options):
            chosen.sort(key=list(terrains()).index)  # the same two kinds of terrain are the same card
        return tuple(chosen)

    @staticmethod
    def _option(text: str, group: tuple[str, ...]) -> str | None:
        if group == (TERRAIN_OPTION,):
            try:
                return terrains().find(text).id
            except UnknownNameError:
                return None
        folded = " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
        return folded if folded in group else None

    def price(self, choices: Sequence[str], buyer: str, names: Collection[str], rulings: TriumphRulings) -> Price:
        """The printed price for a buyer with these names.

        Parameters
        ----------
        choices : sequence of str
            Options taken.
        buyer : {"stand", "hero", "army"}
            Who buys it.
        names : collection of str
            Traits of the buyer; ``dense`` when the army's home topography is.
        rulings : TriumphRulings
            Which printed row holds where the print contradicts itself.

        Raises
        ------
        InputError
            If this buyer cannot buy it.
        """
        settings = rulings.settings()
        for price in self.prices:
            if (
                price.variant in ("", *choices)
                and price.buyer in ("", buyer)
                and price.when.holds(names)
                and holds_for(settings, price.ruling)
            ):
                return price
        raise InputError(f"{self.name} (FT {self.ft}) has no price for a {buyer}")

    def problems(self, buyer: str, names: Collection[str], rulings: TriumphRulings) -> list[str]:
        """Every printed condition that a buyer with these names breaks."""
        broken = []
        settings = rulings.settings()
        for limit in self.limits:
            if limit.buyer not in ("", buyer) or not holds_for(settings, limit.ruling):
                continue
            if limit.requires and not limit.when.holds(names):
                broken.append(f"{self.name} is only for {_readable(limit.when)} ({limit.source.text})")
            elif not limit.requires and limit.when.holds(names):
                have = [name for name in sorted(limit.when.names) if name in names]
                broken.append(f"{self.name} is not for {', '.join(_words(h) for h in have)} ({limit.source.text})")
        return broken


def cards() -> Catalog[Card]:
    """All battle cards in the order of their table."""
    return _cards()


@lru_cache(maxsize=1)
def _cards() -> Catalog[Card]:
    prices: dict[str, list[Price]] = {}
    columns = ("card", "variant", "buyer", "when", "points", "ruling", "source", "basis")
    for row in read_table(PACKAGE, "card_costs.csv", columns):
        prices.setdefault(row["card"], []).append(
            Price(
                row["variant"],
                row["buyer"],
                Condition.parse(row["when"]),
                row.points("points"),
                row["ruling"],
                row.source,
            )
        )
    limits: dict[str, list[Limit]] = {}
    for row in read_table(PACKAGE, "card_limits.csv", ("card", "buyer", "rule", "when", "ruling", "source", "basis")):
        if row["rule"] not in ("requires", "forbids"):
            raise row.error("rule", "requires, forbids")
        limits.setdefault(row["card"], []).append(
            Limit(
                row["buyer"],
                row["rule"] == "requires",
                Condition.parse(row["when"]),
                row["ruling"],
                row.source,
            )
        )
    names = [
        "id", "ft", "name", "aliases", "bought_for", "cap", "cap_per", "hero_cap", "options", "modelled", "beyond",
        "effect", "source", "basis",
    ]  # fmt: skip
    found = [
        _card(row, tuple(prices.pop(row["id"], ())), tuple(limits.pop(row["id"], ())))
        for row in read_table(PACKAGE, "cards.csv", names)
    ]
    if prices or limits:
        raise InputError(f"Prices or limits for unknown cards: {sorted({*prices, *limits})}")
    return Catalog("battle card", found)


def _card(row: Row, prices: tuple[Price, ...], limits: tuple[Limit, ...]) -> Card:
    if not prices:
        raise row.error("id", "a card with at least one row in card_costs.csv")
    options = tuple(tuple(group.split("|")) for group in row["options"].split(";")) if row["options"] else ()
    return Card(
        id=row["id"],
        name=row["name"],
        aliases=tuple(row["aliases"].split("|")) if row["aliases"] else (),
        ft=row.integer("ft"),
        bought_for=row["bought_for"],
        cap=row.integer("cap") if row["cap"] else None,
        hero_cap=row.integer("hero_cap") if row["hero_cap"] else None,
        cap_per=row["cap_per"],
        options=options,
        modelled=row["modelled"],
        gains=_beyond(row, "+"),
        losses=_beyond(row, "-"),
        effect=row["effect"],
        prices=prices,
        limits=limits,
        source=row.source,
    )


def _beyond(row: Row, sign: str) -> tuple[str, ...]:
    parts = [part for part in row["beyond"].split("|") if part]
    if any(part[0] not in "+-" for part in parts):
        raise row.error("beyond", "+gain or -loss, several apart by |")
    return tuple(part[1:] for part in parts if part[0] == sign)


@dataclass(frozen=True)
class Grant:
    """A card that counts as something else besides."""

    trait: str
    grants: str
    ruling: str
    source: Source


@lru_cache(maxsize=1)
def grants() -> tuple[Grant, ...]:
    """What cards count as besides themselves."""
    rows = read_table(PACKAGE, "card_grants.csv", ("trait", "grants", "ruling", "source", "basis"))
    return tuple(Grant(row["trait"], row["grants"], row["ruling"], row.source) for row in rows)


@lru_cache(maxsize=1)
def card_moves() -> dict[tuple[str, str, int | None], int]:
    """Move in MU by card, option and the type's move (None: whatever it is)."""
    rows = read_table(PACKAGE, "card_moves.csv", ("card", "variant", "base_move", "move", "source", "basis"))
    return {
        (row["card"], row["variant"], row.integer("base_move") if row["base_move"] else None): row.integer("move")
        for row in rows
    }


def regenerate_command_points(cost: Fraction) -> int:
    """Command points that bring back a lost stand of this cost (FT 52.1).

    Raises
    ------
    InputError
        If no stand can cost that.
    """
    for low, high, command_points in _regenerate():
        if low <= cost and (high is None or cost <= high):
            return command_points
    raise InputError(f"No stand costs {cost} points")


@lru_cache(maxsize=1)
def _regenerate() -> tuple[tuple[Fraction, Fraction | None, int], ...]:
    rows = read_table(PACKAGE, "regenerate.csv", ("cost_from", "cost_to", "command_points", "source", "basis"))
    return tuple(
        (row.points("cost_from"), row.points("cost_to") if row["cost_to"] else None, row.integer("command_points"))
        for row in rows
    )


def _words(name: str) -> str:
    if name.startswith("cost_"):
        return f"types of {name.removeprefix('cost_')} points"
    if name.startswith("move_"):
        return f"a move of {name.removeprefix('move_')} MU"
    return name.replace("_", " ").title() if name not in ("foot", "mounted", "general") else name


def _readable(condition: Condition) -> str:
    parts = [_words(name) for name in sorted(condition.every)]
    parts += [" or ".join(_words(name) for name in sorted(group)) for group in condition.groups]
    return " and ".join(parts)
