"""Armies of the 51-point format: read from YAML, priced, and checked; every broken rule is named at once."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ftsim.catalog import half_points
from ftsim.documents import Model, read_document, validate, whole
from ftsim.errors import FtsimError, IllegalError, InputError
from ftsim.estimates import format_points
from ftsim.games.triumph.cards import TERRAIN_OPTION, cards
from ftsim.games.triumph.notation import Hero, Pick, Stand, read_card
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import Topography, topographies
from ftsim.games.triumph.troop_types import PACKAGE

Count = Annotated[int, Field(ge=1, le=60), BeforeValidator(whole)]


@lru_cache(maxsize=1)
def army_format() -> dict[str, Any]:
    """The numbers of the format, from its table."""
    text = files(PACKAGE).joinpath("data/army_format.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class StandLine(Model):
    """Some equal stands in an army file."""

    stand: str
    count: Count = 1
    general: bool = False
    delayed: Annotated[int, Field(ge=0), BeforeValidator(whole)] = 0


class HeroLine(Model):
    """A hero in an army file."""

    hero: str
    delayed: bool = False


class CardLine(Model):
    """Army or event cards in an army file."""

    card: str
    count: Count = 1
    troop_class: Annotated[str | None, Field(alias="class")] = None


def _named(key: str) -> Callable[[object], object]:
    """A plain text stands for a line with that key alone."""

    def line(value: object) -> object:
        if isinstance(value, str):
            return {key: value}
        if isinstance(value, dict) and len(value) == 1:
            (name, text), *_ = value.items()
            if name not in ("hero", "card", "count", "class", "delayed"):
                raise ValueError(f'a name with options goes into quotes: "{name}: {text}"')
        return value

    return line


class ArmyFile(Model):
    """The form of an army file."""

    name: str
    points: Annotated[int, Field(ge=6, le=600), BeforeValidator(whole)] = 51
    home_topography: str
    invasion_rating: Annotated[int, Field(ge=0, le=4), BeforeValidator(whole)] = 2
    maneuver_rating: Annotated[int, Field(ge=0, le=4), BeforeValidator(whole)] = 2
    stands: list[StandLine]
    heroes: list[Annotated[HeroLine, BeforeValidator(_named("hero"))]] = []
    cards: list[Annotated[CardLine, BeforeValidator(_named("card"))]] = []


@dataclass(frozen=True)
class Regiment:
    """Equal stands of an army.

    Parameters
    ----------
    stand : Stand
        What they are.
    count : int
        How many.
    delayed : int
        How many of them arrive late (FT 32).
    """

    stand: Stand
    count: int
    delayed: int = 0


@dataclass(frozen=True)
class ArmyHero:
    """A hero of an army."""

    hero: Hero
    delayed: bool = False


@dataclass(frozen=True)
class ArmyCard:
    """Army or event cards; event cards are bought for a class."""

    pick: Pick
    count: int = 1
    troop_class: Stand | None = None


@dataclass(frozen=True)
class Army:
    """An army: stands, heroes, cards, home and ratings.

    Parameters
    ----------
    name : str
        What it is called.
    points : int
        Size of the game.
    home : Topography
        Home topography.
    invasion_rating, maneuver_rating : int
        0 to 4.
    regiments : tuple of Regiment
        Stands.
    heroes : tuple of ArmyHero
        Heroes.
    cards : tuple of ArmyCard
        Army and event cards.
    """

    name: str
    points: int
    home: Topography
    invasion_rating: int
    maneuver_rating: int
    regiments: tuple[Regiment, ...]
    heroes: tuple[ArmyHero, ...] = ()
    cards: tuple[ArmyCard, ...] = ()

    def stand_cost(self, stand: Stand, rulings: TriumphRulings) -> Fraction:
        """Cost of one stand at home here: Terrain Affinity depends on the topography."""
        return stand.payable(rulings).cost(rulings, dense=self.home.dense)

    def lines(self, rulings: TriumphRulings) -> Iterator[tuple[str, Fraction]]:
        """What each part costs, in the order of the file."""
        for part in self.regiments:
            each = self.stand_cost(part.stand, rulings) + part.stand.payable(rulings).army_points(rulings)
            yield f"{part.count} × {part.stand}", part.count * each
        for hero in self.heroes:
            yield str(hero.hero), hero.hero.payable(rulings).cost(rulings)
        names = {"dense"} if self.home.dense else set()
        for card in self.cards:
            try:
                each = card.pick.card.price(card.pick.choices, "army", names, rulings).points
            except InputError:
                continue  # named among the problems
            yield f"{card.count} × {card.pick}" if card.count > 1 else str(card.pick), card.count * each
        if self.refund(rulings):
            yield "Delayed Entry", -self.refund(rulings)
        for key, rating in (("invasion", self.invasion_rating), ("maneuver", self.maneuver_rating)):
            value = half_points(army_format()[f"{key}_rating"][str(rating)], key)
            if value:
                yield f"{key.title()} rating {rating}", value

    def total(self, rulings: TriumphRulings) -> Fraction:
        """Cost of the whole army."""
        return sum((points for _, points in self.lines(rulings)), Fraction(0))

    def refund(self, rulings: TriumphRulings) -> Fraction:
        """What Delayed Entry saves: 2 points a bearer, capped at its cost (FT 32; ruling h-13)."""
        bearers = [self.stand_cost(part.stand, rulings) for part in self.regiments for _ in range(part.delayed)]
        bearers += [hero.hero.payable(rulings).cost(rulings) for hero in self.heroes if hero.delayed]
        card = cards()["delayed_entry"]
        saving = -card.prices[0].points
        if rulings.delayed_entry_cap == "total":
            return min(saving * len(bearers), sum(bearers, Fraction(0)))
        return sum((min(saving, cost) for cost in bearers), Fraction(0))

    def victory_points(self, rulings: TriumphRulings) -> Fraction:
        """What the army can lose: stands and heroes at full cost, no army cards, no refunds."""
        stands = sum((part.count * self.stand_cost(part.stand, rulings) for part in self.regiments), Fraction(0))
        return stands + sum((hero.hero.payable(rulings).cost(rulings) for hero in self.heroes), Fraction(0))

    def problems(self, rulings: TriumphRulings | None = None) -> list[str]:
        """Every rule of the format that the army breaks, each with its section."""
        rulings = rulings or TriumphRulings()
        found: list[str] = []
        for part in self.regiments:
            found += [f"{part.stand}: {problem}" for problem in part.stand.problems(rulings)]
        for hero in self.heroes:
            found += [f"{hero.hero}: {problem}" for problem in hero.hero.problems(rulings)]
        found += _size_problems(self, rulings)
        found += _bearer_problems(self, rulings)
        found += _army_card_problems(self, rulings)
        return list(dict.fromkeys(found))


def _size_problems(army: Army, rulings: TriumphRulings) -> Iterator[str]:
    form = army_format()
    total = army.total(rulings)
    if total > army.points:
        yield f"costs {format_points(float(total))} points, {army.points} allowed (FT army format)"
    stands = sum(part.count for part in army.regiments)
    least = army.points // form["points_per_stand"]
    if stands < least:
        yield f"has {stands} stands, at least {least} needed: one for every 6 points (FT army format)"
    generals = sum(part.count for part in army.regiments if part.stand.general)
    if generals != 1:
        yield f"has {generals} generals, exactly one stand leads the army (FT army format)"
    limits = form["heroes"]
    if len(army.heroes) > limits["max"]:
        yield f"has {len(army.heroes)} heroes, at most {limits['max']} (FT army format)"
    cost = sum((hero.hero.payable(rulings).cost(rulings) for hero in army.heroes), Fraction(0))
    if cost > limits["max_points"]:
        yield (
            f"spends {format_points(float(cost))} points on heroes, at most {limits['max_points']} (FT army format)"
        )


def _bearer_problems(army: Army, rulings: TriumphRulings) -> Iterator[str]:
    on_stands: Counter[str] = Counter()
    on_heroes: Counter[str] = Counter()
    for part in army.regiments:
        for pick in part.stand.picks:
            on_stands[pick.card.id] += part.count
    for hero in army.heroes:
        for pick in hero.hero.picks:
            on_heroes[pick.card.id] += 1
    on_stands["delayed_entry"] = sum(part.delayed for part in army.regiments)
    on_heroes["delayed_entry"] = sum(hero.delayed for hero in army.heroes)
    for card in cards().values():
        if card.cap_per != "army" or card.cap is None:
            continue
        stands, heroes = on_stands[card.id], on_heroes[card.id]
        if card.bought_for == "hero" and heroes > card.cap:
            yield f"{heroes} heroes have {card.name}, at most {card.cap} (FT {card.ft})"
        if stands > card.cap:
            yield f"{stands} stands have {card.name}, at most {card.cap} (FT {card.ft})"
        if card.hero_cap is not None and heroes > card.hero_cap:
            yield f"{heroes} heroes have {card.name}, at most {card.hero_cap} (FT {card.ft})"
    for part in army.regiments:
        if part.delayed > part.count:
            yield f"{part.stand}: {part.delayed} of {part.count} stands are delayed (FT 32)"
        if part.delayed and part.stand.general:
            yield f"{part.stand}: the general cannot arrive late (FT 32.4)"
        for pick in part.stand.picks:
            yield from _terrain_problems(army, part.stand, pick)


def _terrain_problems(army: Army, stand: Stand, pick: Pick) -> Iterator[str]:
    if (TERRAIN_OPTION,) not in pick.card.options:
        return
    offered = set(army.home.terrain)
    if any(card.pick.card.id == "prepared_defenses" for card in army.cards):
        offered.add("prepared_defenses")  # FT 49.3
    for kind in pick.choices:
        if kind not in offered:
            yield (
                f"{stand}: {pick.card.name} needs terrain of the home topography; {army.home.name} has no "
                f"{kind.replace('_', ' ')} (FT {pick.card.ft}.1)"
            )


def _army_card_problems(army: Army, rulings: TriumphRulings) -> Iterator[str]:
    copies: Counter[str] = Counter()
    classes = {part.stand for part in army.regiments}
    event_classes: dict[str, set[str]] = {}
    per_class: Counter[tuple[str, str]] = Counter()
    for line in army.cards:
        card = line.pick.card
        copies[card.id] += line.count
        if card.id == "delayed_entry":
            yield "Delayed Entry is marked on stands and heroes with the key delayed (FT 32)"
        elif card.id == "mobile_infantry":
            yield "Mobile Infantry is written on the stands that own the transports (FT 45)"
        elif card.bought_for not in ("army", "event"):
            yield f"{card.name} is not an army card (FT {card.ft})"
        elif card.bought_for == "event":
            if line.troop_class is None:
                yield f"{card.name} is bought for a class: add the key class (FT {card.ft})"
                continue
            if line.troop_class not in {replace(stand, general=False) for stand in classes}:
                yield f"{card.name}: the army has no class {line.troop_class} (FT {card.ft})"
            name = str(line.troop_class)
            event_classes.setdefault(card.id, set()).add(name)
            per_class[card.id, name] += line.count
            for problem in card.problems("stand", line.troop_class.own_names, rulings):
                yield f"{card.name} for {name}: {problem}"
        elif line.troop_class is not None:
            yield f"{card.name} is for the army, not for a class (FT {card.ft})"
    if len(event_classes.get("charge_through", ())) > 1:
        yield "Charge Through may be bought for one class only (FT 29)"
    hold = cards()["hold_the_line"]
    by_class = rulings.hold_the_line_cap == "class"
    for (identifier, name), count in per_class.items():
        if identifier == hold.id and by_class and hold.cap is not None and count > hold.cap:
            yield f"{count} Hold the Line for {name}, at most {hold.cap} (FT {hold.ft})"
    for identifier, count in copies.items():
        card = cards()[identifier]
        if identifier == hold.id and by_class:
            continue
        if card.bought_for in ("army", "event") and card.cap is not None and count > card.cap:
            yield f"{count} × {card.name}, at most {card.cap} (FT {card.ft})"
    if copies["illusion"] and not army.regiments:
        yield "Illusion needs stands to look like (FT 39.1)"


def read_army(path: Path, rulings: TriumphRulings | None = None) -> Army:
    """An army from a YAML file, legal or not.

    Raises
    ------
    InputError
        With one line for every part that cannot be read: file, line, key, what is accepted.
    """
    rulings = rulings or TriumphRulings()
    document = read_document(path)
    form = validate(ArmyFile, document)
    problems: list[str] = []

    def attempt(location: tuple[str | int, ...], make: Any, *arguments: Any) -> Any:
        try:
            return make(*arguments)
        except FtsimError as problem:
            problems.append(document.error(location, str(problem)))
            return None

    home = attempt(("home_topography",), topographies().find, form.home_topography)
    regiments = []
    for k, line in enumerate(form.stands):
        stand = attempt(("stands", k), Stand.read, line.stand, rulings)
        if stand is None:
            continue
        leads = line.general or stand.general
        if leads and line.count > 1:
            problems.append(document.error(("stands", k), "one stand leads the army: give it a line of its own"))
        if stand.hero:
            problems.append(document.error(("stands", k), "heroes have a list of their own: use the key heroes"))
        regiments.append(Regiment(replace(stand, general=leads, _names={}), line.count, line.delayed))
    heroes = []
    for k, given in enumerate(form.heroes):
        hero = attempt(("heroes", k), Hero.read, given.hero)
        if hero is not None:
            heroes.append(ArmyHero(hero, given.delayed))
    bought = [card for k, line in enumerate(form.cards) if (card := _card(k, line, attempt)) is not None]
    if problems:
        raise InputError("\n".join(problems))
    return Army(
        form.name,
        form.points,
        home,
        form.invasion_rating,
        form.maneuver_rating,
        tuple(regiments),
        tuple(heroes),
        tuple(bought),
    )


def _card(k: int, given: CardLine, attempt: Any) -> ArmyCard | None:
    pick = attempt(("cards", k), read_card, given.card)
    troop_class = None
    if given.troop_class is not None:
        troop_class = attempt(("cards", k), Stand.read, given.troop_class)
        if troop_class is None:
            return None
    return None if pick is None else ArmyCard(pick, given.count, troop_class)


def check_army(path: Path, rulings: TriumphRulings | None = None) -> Army:
    """A legal army from a YAML file.

    Raises
    ------
    IllegalError
        With every rule it breaks.
    """
    army = read_army(path, rulings)
    problems = army.problems(rulings)
    if problems:
        raise IllegalError(army.name, problems)
    return army
