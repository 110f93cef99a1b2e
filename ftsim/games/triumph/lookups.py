"""Pages and lists for people: one troop type, card, terrain or ruling; all of a kind; what something costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ftsim.conditions import holds_for, setting_text
from ftsim.errors import FtsimError, InputError, UnknownNameError
from ftsim.estimates import format_points
from ftsim.games.triumph.all_study import price_text
from ftsim.games.triumph.armies import read_army
from ftsim.games.triumph.cards import Card, cards
from ftsim.games.triumph.grids import named_situations
from ftsim.games.triumph.notation import Hero, Stand, eligible, is_hero
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.games.triumph.terrain import Terrain, Topography, terrains, topographies
from ftsim.games.triumph.troop_types import TroopType, published_field, troop_types
from ftsim.ruleset import Cost, Listing, Page, RulingInfo


def show(name: str) -> Page:
    """The page of a troop type, card, kind of terrain, topography or ruling.

    Raises
    ------
    UnknownNameError
        If nothing has this name.
    """
    makers: tuple[tuple[Callable[[str], Any], Callable[[Any], Page]], ...] = (
        (troop_types().find, _troop_type),
        (cards().find, _card),
        (topographies().find, _topography),
        (terrains().find, _terrain),
        (TriumphRulings.info, _ruling),
    )
    for find, page in makers:
        try:
            return page(find(name))
        except UnknownNameError:
            continue
    known = [t.name for t in troop_types().values()] + [c.name for c in cards().values()]
    known += [t.name for t in terrains().values()] + [t.name for t in topographies().values()]
    known += [info.name for info in TriumphRulings.catalog()]
    raise UnknownNameError("troop type, card, terrain or ruling", name, known)


def _page(title: str, facts: list[tuple[str, str]]) -> Page:
    return Page(title, facts, {"name": title, **{label.lower().replace(" ", "_"): text for label, text in facts}})


def _troop_type(t: TroopType) -> Page:
    shoots = f"{t.shooting}, range {t.range} MU" if t.shooting else "no"
    fits = [c.name for c in cards().values() if c.for_stands and _fits(t, c)]
    return _page(
        t.name,
        [
            ("Also", ", ".join(t.aliases)),
            ("Kind", f"{t.kind}, {t.order.replace('_', ' ')}"),
            ("Cost", f"{t.cost} points"),
            ("Move", f"{t.move} MU"),
            ("Close combat", f"{t.cf_vs_foot} against foot, {t.cf_vs_mounted} against mounted"),
            ("Shooting", shoots),
            ("Shot at", str(t.shot_at)),
            ("Base depth", f"{t.base_depth_mm} mm"),
            ("Share of published stands", f"{100 * published_field()[t.id]:.1f} %"),
            ("Cards", ", ".join(fits)),
            ("Source", f"{t.source.text} ({t.source.basis})"),
        ],
    )


def _fits(t: TroopType, card: Card) -> bool:
    choices = tuple("woods" if group == ("<terrain>",) else group[0] for group in card.options)
    if len(choices) == 2 and choices[0] == choices[1]:
        choices = ("woods", "marsh")
    return eligible(t, card, choices, TriumphRulings())


def _card(card: Card) -> Page:
    facts = [
        ("Section", f"FT {card.ft}"),
        ("Bought for", card.bought_for.replace("_", " ")),
        ("Price", price_text(card)),
        ("Effect", card.effect),
    ]
    if card.options:
        facts.append(("Options", "; ".join(" or ".join(group) for group in card.options)))
    if card.cap:
        heroes = f", {card.hero_cap} hero" if card.hero_cap else ""
        facts.append(("At most", f"{card.cap} per {card.cap_per}{heroes}"))
    for label, wanted in (("Only for", True), ("Not for", False)):
        texts = [
            str(limit.when)
            for limit in card.limits
            if limit.requires == wanted and holds_for(TriumphRulings().settings(), limit.ruling)
        ]
        if texts:
            facts.append((label, "; ".join(text.replace("_", " ").replace("|", " or ") for text in texts)))
    if card.for_stands:
        bearers = [t.name for t in troop_types().values() if _fits(t, card)]
        facts.append(("Bearers", ", ".join(bearers) if len(bearers) < 26 else "every troop type"))
    worth = "needs a battle" if card.modelled == "battle" else f"shown by {card.modelled.replace('-', ' ')}"
    facts += [("Worth", worth), ("Source", f"{card.source.text} ({card.source.basis})")]
    return _page(card.name, facts)


def _terrain(t: Terrain) -> Page:
    return _page(
        t.name,
        [
            ("Difficult", "yes" if t.difficult else "no"),
            ("Hinders flyers", "yes" if t.hinders_flyers else "no"),
            ("Hill", "yes" if t.hill else "no"),
            ("Blocks sight", "yes" if t.blocks_sight else "no"),
            ("Found in", ", ".join(p.name for p in topographies().values() if t.id in p.terrain)),
            ("Source", f"{t.source.text} ({t.source.basis})"),
        ],
    )


def _topography(t: Topography) -> Page:
    return _page(
        t.name,
        [
            ("Dense", "yes" if t.dense else "no"),
            ("Terrain", ", ".join(terrains()[kind].name for kind in t.terrain)),
            ("Source", f"{t.source.text} ({t.source.basis})"),
        ],
    )


def _ruling(info: RulingInfo) -> Page:
    used = [contest for contest, names in DECLARED.items() if info.name in names]
    return _page(
        info.name,
        [
            ("Question", info.why),
            ("Default", setting_text(info.default)),
            ("Alternatives", ", ".join(setting_text(option) for option in info.alternatives)),
            ("Reference", info.ref),
            ("Read by", ", ".join(used) or "prices, armies or battles"),
        ],
    )


def _list_types() -> Listing:
    return Listing(
        "Troop types",
        ("Name", "Kind", "Order", "Cost", "Move", "v foot", "v mounted", "Shoots", "Shot at", "Field %"),
        [
            (
                t.name,
                t.kind,
                t.order.removesuffix("_order"),
                str(t.cost),
                str(t.move),
                str(t.cf_vs_foot),
                str(t.cf_vs_mounted),
                str(t.shooting or "–"),
                str(t.shot_at),
                f"{100 * published_field()[t.id]:.1f}",
            )
            for t in troop_types().values()
        ],
    )


def _list_cards() -> Listing:
    return Listing(
        "Battle cards",
        ("FT", "Card", "Bought for", "Price", "Effect"),
        [(str(c.ft), c.name, c.bought_for.replace("_", " "), price_text(c), c.effect) for c in cards().values()],
    )


def _list_rulings() -> Listing:
    return Listing(
        "Rulings",
        ("Ruling", "Default", "Alternatives", "Reference", "Question"),
        [
            (i.name, setting_text(i.default), ", ".join(map(setting_text, i.alternatives)), i.ref, i.why)
            for i in TriumphRulings.catalog()
        ],
    )


def _list_terrain() -> Listing:
    return Listing(
        "Terrain",
        ("Terrain", "Difficult", "Hinders flyers", "Hill", "Blocks sight"),
        [
            (
                t.name,
                *("yes" if flag else "–" for flag in (t.difficult, t.hinders_flyers, t.hill, t.blocks_sight)),
            )
            for t in terrains().values()
        ],
    )


def _list_topographies() -> Listing:
    return Listing(
        "Home topographies",
        ("Topography", "Dense", "Terrain"),
        [
            (t.name, "yes" if t.dense else "–", ", ".join(terrains()[kind].name for kind in t.terrain))
            for t in topographies().values()
        ],
    )


def _list_situations() -> Listing:
    return Listing(
        "Situations of the price models",
        ("Situation", "A", "B", "Weight in the mix"),
        [
            (
                row.id,
                ", ".join(row.situation.a.words()) or "–",
                ", ".join(row.situation.b.words()) or "–",
                f"{100 * row.mix:g} %",
            )
            for row in named_situations()
        ],
    )


def _list_contests() -> Listing:
    return Listing(
        "Contests for odds",
        ("Contest", "Sides", "Situation"),
        [
            ("close-combat", "stands or camps", "terrain, and a. or b. with " + ", ".join(_place_keys())),
            ("factors", "bare totals, such as 3 + Hearten", "–"),
            ("ranged", "stands", "b.attacked=rear, b.general=yes …; attack=shooting|ranged_attack"),
            ("mindblast", "stands", "b.in_zone=yes …"),
            ("spellblast", "stands", "turns=6 for a limited one; as ranged"),
            ("duel", "heroes", "–"),
            ("battle", "army files or archetypes; B may be field", "policy, enemy_policy, topography"),
        ],
    )


def _place_keys() -> Iterator[str]:
    from dataclasses import fields

    from ftsim.games.triumph.places import Place

    return (f.name for f in fields(Place))


LISTINGS: dict[str, Callable[[], Listing]] = {
    "troop-types": _list_types,
    "cards": _list_cards,
    "rulings": _list_rulings,
    "contests": _list_contests,
    "situations": _list_situations,
    "terrain": _list_terrain,
    "topographies": _list_topographies,
}


def cost(text: str, options: Mapping[str, str]) -> Cost:
    """Cost of a stand or a hero, legal or not.

    Parameters
    ----------
    text : str
        Notation.
    options : mapping of str to str
        Rulings by name, and ``topography`` for Terrain Affinity.
    """
    settings = dict(options)
    home = settings.pop("topography", None)
    dense = topographies().find(home).dense if home else False
    rulings = TriumphRulings.parse(settings)
    if is_hero(text):
        hero = Hero.read(text)
        problems = hero.problems(rulings)
        return Cost(str(hero), float(_priced(hero, rulings)), not problems, problems)
    stand = Stand.read(text, rulings)
    problems = stand.problems(rulings)
    lines = [(str(stand.troop_type.name), format_points(stand.troop_type.cost))]
    names = stand.own_names | ({"dense"} if dense else set())
    for pick in stand.picks:
        try:
            points = pick.card.price(pick.choices, "stand", names, rulings).points
        except InputError as problem:
            raise InputError(f"{stand}: {problem}") from None
        lines.append((str(pick), format_points(float(points))))
    total = stand.cost(rulings, dense=dense) + stand.army_points(rulings)
    if stand.hero:
        hero_cost = _priced(stand.hero, rulings)
        lines.append((str(stand.hero), format_points(float(hero_cost))))
        total += hero_cost
    return Cost(str(stand), float(total), not problems, problems, lines)


def _priced(hero: Hero, rulings: TriumphRulings) -> Any:
    try:
        return hero.cost(rulings)
    except FtsimError as problem:
        raise InputError(f"{hero}: {problem}") from None


def army_cost(path: Path, options: Mapping[str, str]) -> Cost:
    """Cost and legality of an army file."""
    rulings = TriumphRulings.parse(options)
    army = read_army(path, rulings)
    problems = army.problems(rulings)
    try:
        lines = [(label, format_points(float(points))) for label, points in army.lines(rulings)]
        total = float(army.total(rulings))
    except InputError:
        raise InputError("\n".join(problems)) from None
    return Cost(f"{army.name} ({army.points} points)", total, not problems, problems, lines)
