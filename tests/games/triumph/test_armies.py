"""Whole armies from files: what they cost, every rule they break in one go, and what a bad file is told."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path

import pytest

from ftsim.errors import IllegalError, InputError
from ftsim.games.triumph.armies import check_army, read_army
from ftsim.games.triumph.lookups import army_cost
from ftsim.games.triumph.rulings import TriumphRulings

USUAL = TriumphRulings()
HALF = Fraction(1, 2)

#: 51 points to the half, with something of everything that an army may buy.
LEGAL = {
    "name": "Silver Host",
    "home_topography": "Forest",
    "invasion_rating": 1,
    "maneuver_rating": 3,
    "stands": [
        {"stand": "Elite Foot + Deadly", "general": True},
        {"stand": "Shooters + Marksman", "count": 2},
        {"stand": "Raiders + Terrain Affinity: woods, wooded hills", "count": 2},
        {"stand": "Warband + Unreliable", "count": 2},
        {"stand": "Spear + Mobile Infantry: ground", "count": 2},
        {"stand": "Bow Levy", "count": 3, "delayed": 1},
    ],
    "heroes": ["Hero + Prowess", {"hero": "Hero", "delayed": True}],
    "cards": [
        "Ambush: home only",
        {"card": "Illusion", "count": 2},
        {"card": "Charge Through", "class": "Warband + Unreliable"},
        {"card": "Hold the Line", "class": "Bow Levy"},
        {"card": "Prepared Defenses", "count": 2},
    ],
}


@pytest.fixture
def army(tmp_path):
    def make(content):
        file = tmp_path / "host.yaml"
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return file

    return make


def reasons(file, **rulings):
    return read_army(file, TriumphRulings(**rulings)).problems(TriumphRulings(**rulings))


def changed(**parts):
    return {**deepcopy(LEGAL), **parts}


def with_stands(*lines):
    return changed(stands=[*LEGAL["stands"], *lines])


def with_heroes(*lines):
    return changed(heroes=[*LEGAL["heroes"], *lines])


def with_cards(*lines):
    return changed(cards=[*LEGAL["cards"], *lines])


def without(stand):
    return [line for line in deepcopy(LEGAL["stands"]) if line["stand"] != stand]


# A legal army.


def test_a_legal_army_of_51_points_is_accepted(army):
    host = check_army(army(LEGAL))
    assert host.problems() == []
    assert host.total(USUAL) == 51


def test_every_line_of_an_army_has_its_price(army):
    lines = dict(check_army(army(LEGAL)).lines(USUAL))
    assert lines == {
        "1 × Elite Foot + Deadly + general": 6,
        "2 × Shooters + Marksman": 10,
        "2 × Raiders + Terrain Affinity: Woods, Wooded Hills": 9,
        "2 × Warband + Unreliable": 4,
        "2 × Spear + Mobile Infantry: ground": 9,
        "3 × Bow Levy": 6,
        "Hero + Prowess": 2,
        "Hero": 1,
        "Ambush: home only": 1,
        "2 × Illusion": 2,
        "Charge Through": 1,
        "Hold the Line": HALF,
        "2 × Prepared Defenses": 1,
        "Delayed Entry": -3,
        "Invasion rating 1": HALF,
        "Maneuver rating 3": 1,
    }


def test_the_lines_of_an_army_sum_to_its_total(army):
    answer = army_cost(army(LEGAL), {})
    assert (answer.points, answer.legal, answer.reasons) == (51, True, [])
    assert [label for label, _ in answer.lines][-1] == "Maneuver rating 3"


def test_what_can_be_lost_leaves_out_army_cards_transports_and_refunds(army):
    assert check_army(army(LEGAL)).victory_points(USUAL) == 6 + 10 + 9 + 4 + 8 + 6 + 2 + 1


@pytest.mark.parametrize("rating, points", [(0, 1), (1, HALF), (2, 0), (3, -HALF), (4, -1)])
def test_an_invasion_rating_has_its_price(army, rating, points):
    host = read_army(army(changed(invasion_rating=rating)))
    assert host.total(USUAL) - read_army(army(changed(invasion_rating=2))).total(USUAL) == points


@pytest.mark.parametrize("rating, points", [(0, -3), (1, -1), (2, 0), (3, 1), (4, 3)])
def test_a_maneuver_rating_has_its_price(army, rating, points):
    host = read_army(army(changed(maneuver_rating=rating)))
    assert host.total(USUAL) - read_army(army(changed(maneuver_rating=2))).total(USUAL) == points


def test_ratings_are_2_and_points_51_unless_the_file_says_otherwise(army):
    bare = {"name": "bare", "home_topography": "Dry", "stands": [{"stand": "Horde"}]}
    host = read_army(army(bare))
    assert (host.points, host.invasion_rating, host.maneuver_rating, host.total(USUAL)) == (51, 2, 2, 2)


DENSE = [
    ("Ambush: home only", 1, 2),
    ("Ambush: any topography", 2, 2),
    ("Prepared Defenses", HALF, 1),
    ("Illusion", 1, 1),
    ("No Camp", 4, 4),
    ("Pack Train", 1, 1),
    ("Fortified Camp: fortified", 1, 1),
    ("Fortified Camp: heavily", 2, 2),
]


@pytest.mark.parametrize("card, plain, dense", DENSE)
def test_an_army_card_costs_what_it_does_at_home(army, card, plain, dense):
    for home, wanted in (("Forest", plain), ("Dense Forest", dense)):
        one = {"name": "x", "home_topography": home, "stands": [{"stand": "Horde"}], "cards": [card]}
        assert read_army(army(one)).total(USUAL) == 2 + wanted


def test_terrain_affinity_costs_a_point_in_an_army_with_a_dense_home(army):
    line = {"stand": "Raiders + Terrain Affinity: woods, marsh", "count": 4}
    for home, wanted in (("Forest", 18), ("Dense Forest", 20)):
        host = read_army(army({"name": "x", "home_topography": home, "stands": [line]}))
        assert host.total(USUAL) == host.victory_points(USUAL) == wanted


def test_the_price_of_an_ambush_at_a_dense_home_is_a_ruling(army):
    one = {"name": "x", "home_topography": "Dense Marsh", "stands": [], "cards": ["Ambush: home only"]}
    assert read_army(army(one)).total(TriumphRulings(ambush_dense_home=1)) == 1


# Delayed Entry.


def late(*stands, heroes=()):
    return {
        "name": "late",
        "home_topography": "Dry",
        "stands": [{"stand": stand, "count": count, "delayed": delayed} for stand, count, delayed in stands],
        "heroes": [{"hero": hero, "delayed": True} for hero in heroes],
    }


@pytest.mark.parametrize(
    "content, each, together",
    [
        (late(("Rabble + Brittle", 2, 2)), 2, 2),
        (late(("Rabble + Brittle", 1, 1), ("Knights", 1, 1)), 3, 4),
        (late(("Knights", 4, 4)), 8, 8),
        (late(("Horde + Weaken", 3, 2)), 3, 3),
        (late(heroes=["Hero"]), 1, 1),
        (late(("Knights", 1, 1), heroes=["Hero"]), 3, 4),
    ],
)
def test_a_delayed_bearer_saves_two_points_or_its_cost_for_each_or_for_all(army, content, each, together):
    host = read_army(army(content))
    assert host.refund(USUAL) == each
    assert host.refund(TriumphRulings(delayed_entry_cap="total")) == together


def test_nothing_delayed_is_no_line_of_the_army(army):
    host = read_army(army(late(("Knights", 2, 0))))
    assert host.refund(USUAL) == 0
    assert "Delayed Entry" not in dict(host.lines(USUAL))


# Every rule, one at a time: what breaks it, and what is said.

BROKEN = {
    "points": (
        with_stands({"stand": "Horde"}),
        "costs 53 points, 51 allowed (FT army format)",
    ),
    "stand minimum": (
        changed(
            stands=[line for line in LEGAL["stands"] if "Bow Levy" not in line["stand"]][:3], points=51, cards=[]
        ),
        "has 5 stands, at least 8 needed: one for every 6 points (FT army format)",
    ),
    "no general": (
        changed(stands=[{"stand": "Elite Foot + Deadly"}, *LEGAL["stands"][1:]]),
        "has 0 generals, exactly one stand leads the army (FT army format)",
    ),
    "two generals": (
        with_stands({"stand": "Horde", "general": True}),
        "has 2 generals, exactly one stand leads the army (FT army format)",
    ),
    "number of heroes": (with_heroes("Hero", "Hero"), "has 4 heroes, at most 3 (FT army format)"),
    "points of heroes": (
        with_heroes("Hero + Mindblast + Armored"),
        "spends 8½ points on heroes, at most 8 (FT army format)",
    ),
    "Unreliable": (
        with_stands({"stand": "Warband + Unreliable", "count": 3}),
        "5 stands have Unreliable, at most 4 (FT 60)",
    ),
    "Unreliable general": (
        changed(stands=[{"stand": "Elite Foot + Unreliable", "general": True}, *LEGAL["stands"][1:]]),
        "Unreliable is not for general (FT 60)",
    ),
    "Marksman on stands": (
        with_stands({"stand": "Artillery + Marksman", "count": 3}),
        "5 stands have Marksman, at most 4 (FT 42)",
    ),
    "Marksman on heroes": (
        changed(heroes=["Hero + Ranged Attack: physical + Marksman", "Hero + Ranged Attack: magical + Marksman"]),
        "2 heroes have Marksman, at most 1 (FT 42)",
    ),
    "Subcommander twice": (
        changed(heroes=["Hero + Subcommander", "Hero + Subcommander"]),
        "2 heroes have Subcommander, at most 1 (FT 56)",
    ),
    "Illusion": (with_cards({"card": "Illusion", "count": 5}), "7 × Illusion, at most 6 (FT 39)"),
    "Mobile Infantry": (
        with_stands({"stand": "Horde + Mobile Infantry: flying", "count": 7}),
        "9 stands have Mobile Infantry, at most 8 (FT 45)",
    ),
    "Mobile Infantry on War Wagons": (
        with_stands({"stand": "War Wagons + Mobile Infantry: ground"}),
        "Mobile Infantry is not for War Wagons (FT 45)",
    ),
    "Prepared Defenses": (
        with_cards({"card": "Prepared Defenses", "count": 5}),
        "7 × Prepared Defenses, at most 6 (FT 49)",
    ),
    "Ambush twice": (with_cards("Ambush: any topography"), "2 × Ambush, at most 1 (FT 24)"),
    "Fortified Camp twice": (
        with_cards("Fortified Camp: heavily", "Fortified Camp: fortified"),
        "2 × Fortified Camp, at most 1 (FT 36)",
    ),
    "No Camp twice": (with_cards({"card": "No Camp", "count": 2}), "2 × No Camp, at most 1 (FT 47)"),
    "Pack Train twice": (
        with_cards({"card": "Pack Train", "count": 2}),
        "2 × Pack Train and Herds, at most 1 (FT 48)",
    ),
    "Charge Through for a second class": (
        with_cards({"card": "Charge Through", "class": "Bow Levy"}),
        "Charge Through may be bought for one class only (FT 29)",
    ),
    "Charge Through in close order": (
        changed(cards=[{"card": "Charge Through", "class": "Spear + Mobile Infantry: ground"}]),
        "Charge Through is only for Open Order (FT 29)",
    ),
    "Charge Through four times": (
        with_cards({"card": "Charge Through", "class": "Warband + Unreliable", "count": 3}),
        "4 × Charge Through, at most 3 (FT 29)",
    ),
    "Hold the Line for those who always pursue": (
        with_cards({"card": "Hold the Line", "class": "Warband + Unreliable"}),
        "Hold the Line is not for Warband (FT 38)",
    ),
    "Hold the Line four times for a class": (
        with_cards({"card": "Hold the Line", "class": "Bow Levy", "count": 3}),
        "4 Hold the Line for Bow Levy, at most 3 (FT 38)",
    ),
    "Hold the Line for a class that is not there": (
        with_cards({"card": "Hold the Line", "class": "Horde"}),
        "Hold the Line: the army has no class Horde (FT 38)",
    ),
    "an event for no class": (
        with_cards("Hold the Line"),
        "Hold the Line is bought for a class: add the key class (FT 38)",
    ),
    "an army card for a class": (
        changed(cards=[{"card": "No Camp", "class": "Bow Levy"}]),
        "No Camp is for the army, not for a class (FT 47)",
    ),
    "five delayed stands": (
        with_stands({"stand": "Horde", "count": 4, "delayed": 4}),
        "5 stands have Delayed Entry, at most 4 (FT 32)",
    ),
    "two delayed heroes": (
        with_heroes({"hero": "Hero", "delayed": True}),
        "2 heroes have Delayed Entry, at most 1 (FT 32)",
    ),
    "a delayed general": (
        changed(stands=[{**LEGAL["stands"][0], "delayed": 1}, *LEGAL["stands"][1:]]),
        "the general cannot arrive late (FT 32.4)",
    ),
    "more delayed than there are": (
        with_stands({"stand": "Horde", "count": 1, "delayed": 2}),
        "2 of 1 stands are delayed (FT 32)",
    ),
    "terrain that is not at home": (
        with_stands({"stand": "Raiders + Terrain Affinity: dunes, woods"}),
        "Terrain Affinity needs terrain of the home topography; Forest has no dunes (FT 58.1)",
    ),
    "Terrain Affinity for close order": (
        with_stands({"stand": "Spear + Terrain Affinity: woods, marsh"}),
        "Terrain Affinity is only for Behemoths or Open Order (FT 58)",
    ),
    "a card against the type": (with_stands({"stand": "Knights + Craven"}), "Craven is not for Knights (FT 30)"),
    "Delayed Entry as a card of the army": (
        with_cards("Delayed Entry"),
        "Delayed Entry is marked on stands and heroes with the key delayed (FT 32)",
    ),
    "Delayed Entry as a card of a stand": (
        with_stands({"stand": "Horde + Delayed Entry"}),
        "Delayed Entry is not for stands (FT 32)",
    ),
    "transports among the cards of the army": (
        with_cards("Mobile Infantry: ground"),
        "Mobile Infantry is written on the stands that own the transports (FT 45)",
    ),
    "a stand's card among the cards of the army": (with_cards("Deadly"), "Deadly is not an army card (FT 31)"),
    "a hero who is Fierce": (
        with_heroes("Hero + Fierce"),
        "Hero + Fierce: Fierce is not for heroes (FT 34)",
    ),
    "a hero with a card that lowers his cost": (
        with_heroes("Hero + Slow"),
        "Hero + Slow: Slow is not for heroes (FT 53)",
    ),
    "a hero with a card of stands": (
        with_heroes("Hero + Flying: hover"),
        "Hero + Flying: hover: Flying is not for heroes (FT 35)",
    ),
    "a hero who shoots better but does not shoot": (with_heroes("Hero + Marksman"), "Marksman is only for"),
    "a stand with a card of heroes": (
        with_stands({"stand": "Horde + Champion"}),
        "Horde + Champion: Champion is not for stands (FT 28)",
    ),
    "a stand with a card of armies": (
        with_stands({"stand": "Horde + Illusion"}),
        "Horde + Illusion: Illusion is not for stands (FT 39)",
    ),
    "a stand with the same card twice": (
        with_stands({"stand": "Horde + Hearten + Hearten"}),
        "Hearten is taken more than once (FT 37)",
    ),
}
RULES = pytest.mark.parametrize("rule", BROKEN)


def other_than_points(found):
    return [reason for reason in found if not reason.startswith("costs ")]


@RULES
def test_an_army_that_breaks_a_rule_is_told_which_and_no_other(army, rule):
    content, wanted = BROKEN[rule]
    found = reasons(army(content))
    # To break one rule may cost points too.
    found = found if rule == "points" else other_than_points(found)
    assert len(found) == 1, found
    assert wanted in found[0]
    assert found[0].endswith(")")
    assert "FT " in found[0]


MANY = {
    "name": "a mess",
    "home_topography": "Forest",
    "stands": [
        {"stand": "Elite Foot + Unreliable", "general": True, "delayed": 1},
        {"stand": "Elite Foot", "general": True},
        {"stand": "Warband + Unreliable", "count": 4, "delayed": 5},
        {"stand": "Shooters + Marksman", "count": 5},
        {"stand": "Horde + Mobile Infantry: ground", "count": 9},
        {"stand": "Raiders + Terrain Affinity: dunes, woods"},
        {"stand": "Knights + Craven"},
        {"stand": "War Wagons + Armored"},
        {"stand": "Horde + Hearten + Hearten"},
    ],
    "heroes": [
        "Hero + Subcommander",
        {"hero": "Hero + Subcommander + Mindblast", "delayed": True},
        {"hero": "Hero + Ranged Attack: physical + Marksman", "delayed": True},
        "Hero + Ranged Attack: physical + Marksman",
        "Hero + Fierce",
    ],
    "cards": [
        {"card": "Illusion", "count": 7},
        {"card": "Prepared Defenses", "count": 7},
        {"card": "Charge Through", "class": "Warband + Unreliable", "count": 3},
        {"card": "Charge Through", "class": "Elite Foot"},
        {"card": "Hold the Line", "class": "Shooters + Marksman", "count": 4},
        {"card": "Hold the Line", "class": "Warband + Unreliable"},
        {"card": "Hold the Line", "class": "Pike"},
        {"card": "Ambush: any topography", "count": 2},
        "Mobile Infantry: flying",
        "Terror",
    ],
}
MANY_REASONS = [
    "points, 51 allowed (FT army format)",
    "has 2 generals",
    "has 5 heroes, at most 3",
    "Hero + Fierce: Fierce is not for heroes (FT 34)",
    "points on heroes, at most 8",
    "Unreliable is not for general (FT 60)",
    "5 stands have Unreliable, at most 4 (FT 60)",
    "5 stands have Marksman, at most 4 (FT 42)",
    "2 heroes have Marksman, at most 1 (FT 42)",
    "2 heroes have Subcommander, at most 1 (FT 56)",
    "9 stands have Mobile Infantry, at most 8 (FT 45)",
    "6 stands have Delayed Entry, at most 4 (FT 32)",
    "2 heroes have Delayed Entry, at most 1 (FT 32)",
    "the general cannot arrive late (FT 32.4)",
    "5 of 4 stands are delayed (FT 32)",
    "Forest has no dunes (FT 58.1)",
    "Craven is not for Knights (FT 30)",
    "Armored is not for War Wagons (FT 25)",
    "Hearten is taken more than once (FT 37)",
    "7 × Illusion, at most 6 (FT 39)",
    "7 × Prepared Defenses, at most 6 (FT 49)",
    "Charge Through may be bought for one class only (FT 29)",
    "4 × Charge Through, at most 3 (FT 29)",
    "Charge Through is only for Open Order (FT 29)",
    "4 Hold the Line for Shooters + Marksman, at most 3 (FT 38)",
    "Hold the Line is not for Warband (FT 38)",
    "Hold the Line: the army has no class Pike (FT 38)",
    "2 × Ambush, at most 1 (FT 24)",
    "Mobile Infantry is written on the stands that own the transports (FT 45)",
    "Terror is not an army card (FT 59)",
]


@pytest.mark.parametrize("wanted", MANY_REASONS)
def test_an_army_that_breaks_many_rules_is_told_each_of_them_in_one_go(army, wanted):
    with pytest.raises(IllegalError) as refusal:
        check_army(army(MANY))
    assert [reason for reason in refusal.value.reasons if wanted in reason]


def test_an_army_that_breaks_many_rules_is_told_each_of_them_once_and_nothing_else(army):
    found = reasons(army(MANY))
    assert len(set(found)) == len(found) == len(MANY_REASONS)


def test_the_price_of_an_illegal_army_comes_with_all_its_reasons(army):
    answer = army_cost(army(MANY), {})
    assert not answer.legal
    assert len(answer.reasons) == len(MANY_REASONS)


@pytest.mark.parametrize("bad", ["Hero + Slow", "Hero + Regenerate", "Hero + Hold the Line"])
def test_a_hero_with_a_card_that_has_no_price_for_him_hides_no_other_broken_rule(army, bad):
    found = reasons(army({**deepcopy(MANY), "heroes": [*MANY["heroes"], bad]}))
    assert any(f"{bad.removeprefix('Hero + ')} is not for heroes" in reason for reason in found)
    assert len(found) > len(MANY_REASONS)


# Rulings about armies.


def test_hold_the_line_for_two_classes_is_three_for_each_or_three_together(army):
    content = changed(
        cards=[
            {"card": "Hold the Line", "class": "Bow Levy", "count": 3},
            {"card": "Hold the Line", "class": "Shooters + Marksman", "count": 2},
        ]
    )
    assert reasons(army(content)) == []
    assert reasons(army(content), hold_the_line_cap="army") == ["5 × Hold the Line, at most 3 (FT 38)"]


def test_hold_the_line_counts_lines_for_one_class_together(army):
    line = {"card": "Hold the Line", "class": "bow levy", "count": 2}
    found = other_than_points(reasons(army(changed(cards=[line, {**line, "class": "BLV"}]))))
    assert found == ["4 Hold the Line for Bow Levy, at most 3 (FT 38)"]


def test_the_generals_stand_belongs_to_the_class_of_its_like(army):
    content = with_cards({"card": "Hold the Line", "class": "Elite Foot + Deadly"})
    assert other_than_points(reasons(army(content))) == []


@pytest.mark.parametrize("order", ["woods, wooded hills", "wooded hills, woods"])
def test_a_class_is_the_same_whichever_way_it_is_written(army, order):
    content = with_cards({"card": "Hold the Line", "class": f"RDR+terrain affinity:{order}"})
    assert other_than_points(reasons(army(content))) == []


def test_prepared_defenses_may_be_the_terrain_of_an_affinity_when_they_are_bought(army):
    line = {"stand": "Raiders + Terrain Affinity: woods, prepared defenses"}
    bought = changed(stands=[*without("Bow Levy"), line])
    assert not [r for r in reasons(army(bought)) if "FT 58" in r]
    unbought = changed(stands=[*without("Bow Levy"), line], cards=[])
    assert [r for r in reasons(army(unbought)) if "no prepared defenses (FT 58.1)" in r]


def test_fortified_camp_and_pack_train_may_both_be_bought(army):
    content = changed(cards=["Fortified Camp: heavily", "Pack Train and Herds"])
    assert other_than_points(reasons(army(content))) == []


def test_an_illusion_needs_stands_to_look_like(army):
    content = {"name": "x", "home_topography": "Dry", "stands": [], "cards": ["Illusion"]}
    assert "Illusion needs stands to look like (FT 39.1)" in reasons(army(content))


def test_the_least_number_of_stands_is_rounded_down(army):
    thirteen = {"stand": "Horde", "count": 12}
    content = {
        "name": "x",
        "home_topography": "Dry",
        "points": 78,
        "stands": [thirteen, {"stand": "Horde + general"}],
    }
    assert reasons(army(content)) == []
    assert reasons(army({**content, "points": 83})) == []
    assert "at least 14 needed" in reasons(army({**content, "points": 84}))[0]


@pytest.mark.parametrize("unpriced", ["Unreliable", "Marksman"])
def test_as_many_bearers_as_are_allowed_are_allowed(army, unpriced):
    stand = {"Unreliable": "Warband + Unreliable", "Marksman": "Shooters + Marksman"}[unpriced]
    lines = [line for line in deepcopy(LEGAL["stands"]) if unpriced not in line["stand"]]
    content = changed(stands=[*lines, {"stand": stand, "count": 4}], cards=[])
    assert other_than_points(reasons(army(content))) == []


# Files that cannot be read.

GOOD = """\
name: Small Host
home_topography: Forest
stands:
  - {stand: Knights, general: true}
  - {stand: Spear, count: 7}
heroes:
  - Hero + Deadly
  - {hero: Hero, delayed: true}
cards:
  - "Ambush: home only"
  - {card: Illusion, count: 2}
"""

FAULTS = {
    "an unknown key": (("count: 7", "coutn: 7"), 5, "stands.1.coutn: unknown key (did you mean 'count'?)"),
    "an unknown key at the top": (("name:", "nmae: x\nname:"), 1, "nmae: unknown key (did you mean 'name'?)"),
    "an unknown key of a hero": (("delayed: true", "delayd: true"), 8, "delayd: unknown key (did you mean"),
    "an unknown key of a card": (("Illusion, count", "Illusion, cuont"), 11, "cuont: unknown key (did you mean"),
    "a key given twice": (("name: Small Host", "name: A\nname: B"), 2, "name is given twice"),
    "a key given twice in a line": (("count: 7", "count: 7, count: 8"), 5, "count is given twice"),
    "a word for a number": (("count: 7", "count: seven"), 5, "stands.1.count: should be a whole number, got 'seven'"),
    "a part of a stand": (("count: 7", "count: 7.5"), 5, "stands.1.count: "),
    "no stands": (("count: 7", "count: 0"), 5, "stands.1.count: "),
    "a truth for a number": (("count: 7", "count: true"), 5, "stands.1.count: should be a whole number, got True"),
    "a number for a truth": (("general: true", "general: 7"), 4, "stands.0.general: "),
    "a list for a stand": (("stand: Spear", "stand: [Spear]"), 5, "stands.1.stand: "),
    "a number for a hero": (("Hero + Deadly", "7"), 7, "heroes.0: "),
    "a number for a card": (('"Ambush: home only"', "7"), 10, "cards.0: "),
    "a missing key": (("name: Small Host\n", ""), 1, "name is missing"),
    "a missing card": (("card: Illusion, ", ""), 11, "card is missing"),
    "a rating that does not exist": (("home", "invasion_rating: 5\nhome"), 2, "invasion_rating: "),
    "a topography that does not exist": (("Forest", "Forrest"), 2, "Unknown topography 'Forrest' (did you mean"),
    "a type that does not exist": (("Spear", "Speer"), 5, "Unknown troop type 'Speer' (did you mean 'Spear'?)"),
    "a card that does not exist": (("Illusion", "Ilusion"), 11, "Unknown battle card 'Ilusion' (did you mean"),
    "a card without its option": (('"Ambush: home only"', "Ambush"), 10, "Ambush needs one of any topography"),
    "a hero who is none": (("Hero + Deadly", "Knights"), 7, "A hero starts with the word Hero, got 'Knights'"),
    "a hero on a stand": (("stand: Spear", "stand: Spear with Hero"), 5, "heroes have a list of their own"),
    "two generals in a line": (("count: 7", "count: 7, general: true"), 5, "one stand leads the army"),
    "an option without quotes": (('"Ambush: home only"', "Ambush: home only"), 10, "cards.0"),
    "no YAML": (("stands:", "stands: ]"), 3, "not valid YAML"),
}  # fmt: skip


def test_the_file_that_the_faults_are_made_in_is_good(army):
    assert read_army(army(GOOD)).total(USUAL) == 4 + 28 + 3 + 1 - 1 + 1 + 2


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_file_is_one_message_with_file_and_line(army, fault):
    (old, new), line, wanted = FAULTS[fault]
    assert old in GOOD
    with pytest.raises(InputError) as refusal:
        read_army(army(GOOD.replace(old, new, 1)))
    message = str(refusal.value)
    assert message.startswith(f"host.yaml, line {line}: ")
    assert wanted in message
    assert len(message.splitlines()) == 1, message


def test_all_names_that_are_wrong_are_told_at_once_each_with_its_line(army):
    bad = GOOD.replace("Knights", "Knihgts").replace("Deadly", "Deadley").replace("Illusion", "Ilusion")
    with pytest.raises(InputError) as refusal:
        read_army(army(bad.replace("Forest", "Forrest")))
    starts = [text.split(": ")[0] for text in str(refusal.value).splitlines()]
    assert starts == [f"host.yaml, line {k}" for k in (2, 4, 7, 11)]


def test_all_keys_that_are_wrong_are_told_at_once_each_with_its_line(army):
    with pytest.raises(InputError) as refusal:
        read_army(army(GOOD.replace("count: 7", "coutn: 7").replace("general: true", "general: 7")))
    starts = [text.split(": ")[0] for text in str(refusal.value).splitlines()]
    assert sorted(starts) == ["host.yaml, line 4", "host.yaml, line 5"]


def test_only_keys_that_a_line_may_have_are_suggested_for_it(army):
    with pytest.raises(InputError) as refusal:
        read_army(army(GOOD.replace("count: 7", "foo: 7")))
    message = str(refusal.value)
    assert "accepted: count, delayed, general, stand" in message


@pytest.mark.parametrize("content, kind", [("- Knights\n", "list"), ("", "NoneType"), ("7", "int"), ("[]", "list")])
def test_a_file_that_is_no_army_at_all_says_so(army, content, kind):
    with pytest.raises(InputError, match=f"host.yaml, line 1: expected keys and values, got {kind}"):
        read_army(army(content))


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_army(tmp_path / "nothing.yaml")


def test_a_file_that_is_no_text_says_so(tmp_path):
    file = tmp_path / "host.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="it is not UTF-8 text"):
        read_army(file)


def test_a_general_may_be_named_by_key_or_in_the_stand(army):
    one, other = (
        read_army(army(text)) for text in (GOOD, GOOD.replace("Knights, general: true", "Knights + general"))
    )
    assert one == other


SHIPPED = sorted((Path(__file__).parents[3] / "experiments" / "armies").glob("*.yaml"))


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_an_army_that_we_ship_is_legal(file):
    assert check_army(file).total(USUAL) <= 51
