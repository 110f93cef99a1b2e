"""Pages, lists and prices for people: everything has a page, and a page says what the tables say."""

from __future__ import annotations

import json
from functools import lru_cache

import pytest

from ftsim.errors import InputError, UnknownNameError
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.combat import CloseCombat
from ftsim.games.triumph.lookups import LISTINGS, army_cost, cost, show
from ftsim.games.triumph.notation import Stand, eligible
from ftsim.games.triumph.places import Place, Situation, read_side
from ftsim.games.triumph.rules import CONTESTS, assumed_rows, check_rules, rule_tables
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains, topographies
from ftsim.games.triumph.troop_types import troop_types

USUAL = TriumphRulings()
page_of = lru_cache(show)
NAMED = [*troop_types().values(), *cards().values(), *topographies().values()]


@pytest.mark.parametrize("thing", NAMED, ids=lambda thing: thing.id)
def test_everything_with_a_name_has_a_page_under_all_its_names(thing):
    page = show(thing.name)
    assert page.title == thing.name
    assert thing.source.basis in page.data["source"]
    assert all(show(alias).title == thing.name for alias in (thing.id, *thing.aliases))


@pytest.mark.parametrize("info", TriumphRulings.catalog(), ids=lambda info: info.name)
def test_every_ruling_has_a_page_with_its_question_and_its_reason(info):
    facts = dict(show(info.name).facts)
    assert facts["Question"] == info.why
    assert facts["Reference"] == info.ref
    assert facts["Alternatives"]


@pytest.mark.parametrize("thing", terrains().values(), ids=lambda thing: thing.id)
def test_every_kind_of_terrain_has_a_page(thing):
    # Marsh is a topography too, and Prepared Defenses are a card: some other spelling shows the terrain.
    pages = [show(spelling) for spelling in (thing.name, *thing.aliases)]
    assert any("Hinders flyers" in dict(page.facts) and page.title == thing.name for page in pages)


def test_a_page_that_does_not_exist_suggests_one_that_does():
    with pytest.raises(UnknownNameError, match="did you mean 'Hearten'"):
        show("Hartenn")


@pytest.mark.parametrize("card", [card for card in cards().values() if card.for_stands], ids=lambda card: card.id)
def test_no_page_of_a_card_excludes_a_type_that_it_lists_as_a_bearer(card):
    facts = dict(show(card.name).facts)
    choices = ("woods", "marsh") if card.id == "terrain_affinity" else tuple(group[0] for group in card.options)
    able = [kind.name for kind in troop_types().values() if eligible(kind, card, choices, USUAL)]
    assert facts["Bearers"] == (", ".join(able) if len(able) < 26 else "every troop type")
    excluded = facts.get("Not for", "").replace("; ", " or ").split(" or ")
    assert not {name.lower() for name in able} & set(excluded)


@pytest.mark.parametrize("kind", troop_types().values(), ids=lambda kind: kind.id)
def test_the_page_of_a_type_lists_the_cards_whose_pages_list_the_type(kind):
    listed = page_of(kind.name).data["cards"].split(", ")
    for card in cards().values():
        if card.for_stands:
            bearers = dict(page_of(card.name).facts)["Bearers"]
            assert (card.name in listed) == (bearers == "every troop type" or kind.name in bearers.split(", "))


@pytest.mark.parametrize("name, length", [("troop-types", 26), ("cards", 37), ("terrain", 14), ("topographies", 11)])
def test_a_list_has_a_row_for_each_thing(name, length):
    assert len(LISTINGS[name]().rows) == length


@pytest.mark.parametrize("name", LISTINGS)
def test_every_row_of_a_list_has_a_cell_for_each_column(name):
    listing = LISTINGS[name]()
    assert listing.title
    assert all(len(row) == len(listing.columns) and all(isinstance(c, str) for c in row) for row in listing.rows)


@pytest.mark.parametrize(
    "card, wanted",
    [
        ("Deadly", "2"), ("Away", "½, hero 1"), ("Unreliable", "−1 (−2 for Behemoths, Fierce, Knights)"),
        ("Negate Magic", "self 1, zone 2, mindless ½"), ("Spellblast", "limited 3, unlimited 4½"),
        ("Delayed Entry", "−2"), ("Terrain Affinity", "½ (1 for Dense)"),
    ],
)  # fmt: skip
def test_the_price_of_a_card_in_words(card, wanted):
    assert dict(show(card).facts)["Price"] == wanted


# What something costs.


@pytest.mark.parametrize(
    "text, points",
    [
        ("Elite Foot", 4), ("Elite Foot + Mobile Infantry: ground", 4.5), ("Rabble + Brittle", 1),
        ("Hero + Champion + Deadly", 4), ("Elite Foot + Armored with Hero + Deadly", 7.5), ("hero", 1),
    ],
)  # fmt: skip
def test_a_stand_or_a_hero_is_priced_with_all_that_goes_with_it(text, points):
    answer = cost(text, {})
    assert (answer.points, answer.legal, list(answer.reasons)) == (points, True, [])


def test_the_price_of_a_stand_is_told_card_by_card():
    lines = cost("Behemoths + Deadly + Armored with Hero + Prowess", {}).lines
    assert lines == [("Behemoths", "4"), ("Armored", "½"), ("Deadly", "2"), ("Hero + Prowess", "2")]


def test_terrain_affinity_is_priced_for_the_home_that_is_named():
    text = "Raiders + Terrain Affinity: woods, marsh"
    assert cost(text, {}).points == cost(text, {"topography": "Forest"}).points == 4.5
    assert cost(text, {"topography": "dense forest"}).points == 5


def test_a_price_may_be_asked_under_a_ruling():
    assert cost("Knights + Unreliable", {"unreliable_price": "card_page"}).points == 3


@pytest.mark.parametrize(
    "text, reason",
    [
        ("Knights + Craven", "Craven is not for Knights (FT 30)"),
        ("Hero + Fierce", "Fierce is not for heroes (FT 34)"),
        ("Knights with Hero + Fierce", "Fierce is not for heroes (FT 34)"),
        ("Knights + Deadly + Deadly", "Deadly is taken more than once (FT 31)"),
    ],
)  # fmt: skip
def test_what_is_not_legal_is_told_why(text, reason):
    answer = cost(text, {})
    assert not answer.legal
    assert list(answer.reasons) == [reason]


def test_an_option_of_a_price_that_does_not_exist_is_refused():
    with pytest.raises(UnknownNameError, match="ruling 'unreliable_prices'"):
        cost("Knights", {"unreliable_prices": "reference"})
    with pytest.raises(InputError, match="accepted: reference, card_page"):
        cost("Knights", {"unreliable_price": "cheap"})
    with pytest.raises(UnknownNameError, match="topography"):
        cost("Knights", {"topography": "Swamps of Doom"})


def test_an_army_that_breaks_rules_is_priced_all_the_same(tmp_path):
    file = tmp_path / "host.yaml"
    file.write_text(json.dumps({"name": "x", "home_topography": "Dry", "stands": [{"stand": "Knights + Craven"}]}))
    answer = army_cost(file, {})
    assert (answer.points, answer.legal, len(answer.reasons)) == (3, False, 3)
    assert "x (51 points)" in answer.title


# Tables of rules, compiled.


@pytest.mark.parametrize("contest", CONTESTS)
def test_every_contest_has_results_and_its_assumptions_are_known(contest):
    check_rules()
    assert rule_tables(contest, USUAL).results.rows
    assert {row.source.basis for row in assumed_rows(contest, USUAL)} <= {"assumed"}


def test_a_contest_that_does_not_exist_is_refused():
    with pytest.raises(UnknownNameError, match="contest 'siege'"):
        rule_tables("siege", USUAL)


# Situations in words.


def test_a_situation_reads_for_both_sides_or_for_one():
    where = Situation.parse({"terrain": "forest", "a.overlaps": "2", "b.terrain": "open", "b.general": "yes"})
    assert where == Situation(Place("woods", overlaps=2), Place("open", general=True))
    assert where.words() == "A in woods, overlapped by 2; B general"
    assert Situation().words() == "open ground, front to front"


@pytest.mark.parametrize(
    "settings, wanted",
    [
        ({"a.uphil": "yes"}, "did you mean 'uphill'"), ({"uphill": "yes"}, "did you mean"),
        ({"a.overlaps": "3"}, "accepted: 0, 1, 2"), ({"a.attacked": "above"}, "accepted: front, flank, rear"),
        ({"terrain": "wods"}, "did you mean 'Woods'"), ({"b.general": "maybe"}, "accepted: yes, no"),
    ],
)  # fmt: skip
def test_a_situation_that_does_not_exist_says_what_would(settings, wanted):
    with pytest.raises(InputError, match=wanted):
        Situation.parse(settings)


def test_two_camps_do_not_fight():
    camp = read_side("camp", USUAL)
    with pytest.raises(InputError, match="Two camps"):
        CloseCombat(camp, camp)


def test_a_stand_without_transports_does_not_ride_on_them():
    with pytest.raises(InputError, match="FT 45"):
        CloseCombat(Stand.parse("Spear"), Stand.parse("Spear"), Situation(Place(on_transports=True)))
