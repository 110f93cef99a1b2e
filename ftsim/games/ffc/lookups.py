"""Pages and lists for people: one card or ruling; all of a kind; whether a kit is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ftsim.catalog import read_table
from ftsim.conditions import setting_text
from ftsim.documents import read_document, validate
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.ffc.cards import (
    PACKAGE,
    Armor,
    FightCard,
    Spell,
    Warrior,
    Weapon,
    armor,
    fight_cards,
    spells,
    warriors,
    weapons,
)
from ftsim.games.ffc.kit import Effects, Fighter, numbers, unarmored
from ftsim.games.ffc.policies import NAMES
from ftsim.games.ffc.rulings import DECLARED, FfcRulings
from ftsim.ruleset import Cost, Listing, Page, RulingInfo

NUMBERS = ("dam", "speed", "skill", "dodge", "hits", "reach", "parry", "armor", "block")


def show(name: str) -> Page:
    """The page of a card, a ruling, or a fighter in notation.

    Raises
    ------
    UnknownNameError
        If nothing has this name.
    """
    if "+" in name:
        return _fighter(Fighter.read(name))
    makers: tuple[tuple[Callable[[str], Any], Callable[[Any], Page]], ...] = (
        (warriors().find, _warrior),
        (weapons().find, _weapon),
        (armor().find, _armor),
        (spells().find, _spell),
        (fight_cards().find, _fight_card),
        (FfcRulings.info, _ruling),
    )
    for find, page in makers:
        try:
            return page(find(name))
        except UnknownNameError:
            continue
    known = [
        card.name for deck in (warriors(), weapons(), armor(), spells(), fight_cards()) for card in deck.values()
    ]
    raise UnknownNameError("card or ruling", name, known + [info.name for info in FfcRulings.catalog()])


def _page(title: str, facts: list[tuple[str, str]]) -> Page:
    return Page(title, facts, {"name": title, **{label.lower().replace(" ", "_"): text for label, text in facts}})


def _signed(n: int) -> str:
    return f"{n:+d}".replace("-", "−") if n else "0"


def _warrior(w: Warrior) -> Page:
    abilities = [
        text
        for has, text in (
            (w.two_weapons, "may use two weapons hand to hand"),
            (w.backstab, "backstab"),
            (w.bow, f"damage {_signed(w.bow)} with a bow"),
        )
        if has
    ]
    return _page(
        w.name,
        [
            ("Deck", "warriors"),
            *(
                (label, _signed(n))
                for label, n in (("Dam", w.dam), ("Speed", w.speed), ("Skill", w.skill), ("Dodge", w.dodge))
            ),
            ("Hits", str(w.hits)),
            ("Spells", str(w.spells)),
            ("Reach", _signed(w.reach)),
            ("Abilities", ", ".join(abilities) or "none"),
            ("Armor", "none allowed" if unarmored(w, FfcRulings()) else "allowed"),
            ("Source", f"{w.source.text} ({w.source.basis})"),
        ],
    )


def _weapon(w: Weapon) -> Page:
    return _page(
        w.name,
        [
            ("Deck", "weapons"),
            ("Kind", {"hth": "hand to hand", "thrown": "thrown or hand to hand", "missile": "missile"}[w.kind]),
            ("Dam", _signed(w.dam)),
            ("Range", str(w.range or "–")),
            ("Throws", str(w.ammo or "–")),
            ("Speed", _signed(w.speed)),
            ("Reach", str(w.reach)),
            ("Parry", str(w.parry)),
            ("Hands", "two" if w.two_handed else "one"),
            ("Source", f"{w.source.text} ({w.source.basis})"),
        ],
    )


def _armor(a: Armor) -> Page:
    return _page(
        a.name,
        [
            ("Deck", "armor"),
            ("Type", {"helm": "helm", "full": "full suit", "partial": "partial", "shield": "shield"}[a.type]),
            ("Armor", str(a.armor)),
            ("Block", f"1–{a.block}" if a.block else "–"),
            ("Speed", _signed(a.speed)),
            ("Dodge", _signed(a.dodge)),
            ("Source", f"{a.source.text} ({a.source.basis})"),
        ],
    )


def _spell(s: Spell) -> Page:
    when = {"T": "tactics phase", "C": "as an answer"}.get(s.cast, f"among ranged attacks, at {s.cast}")
    return _page(
        s.name,
        [("Deck", "spells"), ("Cast", when), ("Effect", s.effect), ("Source", f"{s.source.text} ({s.source.basis})")],
    )


def _fight_card(c: FightCard) -> Page:
    return _page(
        c.name,
        [
            ("Deck", "fight cards"),
            ("When", c.window),
            ("Effect", c.effect),
            ("Copies", str(c.copies)),
            ("Source", f"{c.source.text} ({c.source.basis})"),
        ],
    )


def _ruling(info: RulingInfo) -> Page:
    used = [contest for contest, names in DECLARED.items() if info.name in names]
    return _page(
        info.name,
        [
            ("Question", info.why),
            ("Default", setting_text(info.default)),
            ("Alternatives", ", ".join(setting_text(option) for option in info.alternatives) or "none: settled"),
            ("Reference", info.ref),
            ("Read by", ", ".join(used) or "nothing that can be varied"),
        ],
    )


def _fighter(fighter: Fighter) -> Page:
    rulings = FfcRulings()
    n = numbers(fighter, Effects(), rulings)
    problems = fighter.problems(rulings)
    facts = [("Weapon in use", " and ".join(w.name for w in fighter.in_use()))]
    facts += [(name.capitalize(), str(getattr(n, name)).replace("-", "−")) for name in NUMBERS]
    facts.append(("Legal", "yes" if not problems else "; ".join(problems)))
    return _page(str(fighter), facts)


def _list_warriors() -> Listing:
    return Listing(
        "Warriors",
        ("Name", "Dam", "Speed", "Skill", "Dodge", "Hits", "Spells", "Reach", "Armor"),
        [
            (
                w.name, _signed(w.dam), _signed(w.speed), _signed(w.skill), _signed(w.dodge), str(w.hits),
                str(w.spells), _signed(w.reach), "–" if unarmored(w, FfcRulings()) else "yes",
            )
            for w in warriors().values()
        ],
    )  # fmt: skip


def _list_weapons() -> Listing:
    return Listing(
        "Weapons",
        ("Name", "Kind", "Dam", "Range", "Speed", "Reach", "Parry", "Throws", "Hands"),
        [
            (
                w.name, w.kind, _signed(w.dam), str(w.range or "–"), _signed(w.speed), str(w.reach), str(w.parry),
                str(w.ammo or "–"), "2" if w.two_handed else "1",
            )
            for w in weapons().values()
        ],
    )  # fmt: skip


def _list_armor() -> Listing:
    return Listing(
        "Armor",
        ("Name", "Type", "Armor", "Block", "Speed", "Dodge"),
        [
            (a.name, a.type, str(a.armor), f"1–{a.block}" if a.block else "–", _signed(a.speed), _signed(a.dodge))
            for a in armor().values()
        ],
    )


def _list_spells() -> Listing:
    return Listing("Spells", ("Name", "Cast", "Effect"), [(s.name, s.cast, s.effect) for s in spells().values()])


def _list_fight_cards() -> Listing:
    return Listing(
        "Fight cards",
        ("Name", "Copies", "When", "Effect"),
        [(c.name, str(c.copies), c.window, c.effect) for c in fight_cards().values()],
    )


def _list_rulings() -> Listing:
    return Listing(
        "Rulings",
        ("Ruling", "Default", "Alternatives", "Reference", "Question"),
        [
            (i.name, setting_text(i.default), ", ".join(map(setting_text, i.alternatives)) or "–", i.ref, i.why)
            for i in FfcRulings.catalog()
        ],
    )


def _list_policies() -> Listing:
    rows = read_table(PACKAGE, "policies.csv", ("parameter", "meaning", *NAMES, "source", "basis"))
    return Listing(
        "Parameters of policies",
        ("Parameter", *NAMES, "Meaning"),
        [(row["parameter"], *(row[name] for name in NAMES), row["meaning"]) for row in rows],
    )


def _list_contests() -> Listing:
    effects = "row=back, throw, cursed, bloodlust, hasted, invisible, invulnerable, helpless, wounds=1, hits=3"
    return Listing(
        "Contests for odds",
        ("Contest", "Sides", "Situation"),
        [
            ("attack", "fighters", f"a. or b. with {effects}; a.mighty_blows=1, a.fly_true=1, a.flurry=1"),
            ("duel", "fighters", "a. or b. with throw=yes, wounds=1, hits=3"),
            (
                "battle",
                "fighters, 3 x fighter, warband files, or both random",
                "policy=greedy, a.policy=…, cards=no, spells=no, a.size=6, any policy parameter",
            ),
        ],
    )


LISTINGS: dict[str, Callable[[], Listing]] = {
    "warriors": _list_warriors,
    "weapons": _list_weapons,
    "armor": _list_armor,
    "spells": _list_spells,
    "fight-cards": _list_fight_cards,
    "rulings": _list_rulings,
    "policies": _list_policies,
    "contests": _list_contests,
}


def cost(text: str, options: Mapping[str, str]) -> Cost:
    """Whether a kit is legal; nothing in this game has a printed price, so it costs 0."""
    fighter = Fighter.read(text)
    problems = fighter.problems(FfcRulings.parse(options))
    return Cost(str(fighter), 0.0, not problems, problems, [("no printed price", "see the experiment ffc-values")])


def army_cost(path: Path, options: Mapping[str, str]) -> Cost:
    """Whether a warband file is legal."""
    from ftsim.games.ffc.warbands import WarbandFile, band_problems

    document = read_document(path)
    if "warband" not in document.data:
        raise InputError(document.error((), "a warband file has the keys warband and fighters"))
    file = validate(WarbandFile, document)
    problems = band_problems(file, FfcRulings.parse(options))
    return Cost(file.warband, 0.0, not problems, problems, [("no printed price", "see the experiment ffc-values")])
