"""Stands and heroes as people write them: what they cost, what is refused, and what the refusal says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ftsim.errors import FtsimError, IllegalError, InputError, UnknownNameError
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.notation import Hero, Stand, eligible, is_hero, read_card
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import troop_types

USUAL = TriumphRulings()
HALF = Fraction(1, 2)


def points(text, **rulings):
    decided = TriumphRulings(**rulings)
    return Stand.parse(text, decided).cost(decided)


PRICES = {
    # Brittle: nothing for Artillery, 1 for bows and casters, 2 for all others.
    "Artillery + Brittle": 3,
    "Bow Levy + Brittle": 1,
    "Shooters + Brittle": 3,
    "Knights + Brittle": 2,
    "Knights + Brittle + Mindblast": 7,
    "Knights + Brittle + Spellblast: unlimited, magical": 4 + Fraction(9, 2) - 1,
    "Shooters + Brittle + Mindblast": 7,
    "Artillery + Brittle + Mindblast": 7,  # h-12: the smaller reduction
    # Craven: ½ for shooters of any kind, 1 for others.
    "Pavise + Craven": 3 + HALF,
    "Shooters + Craven": 3 + HALF,
    "Spear + Craven + Ranged Attack: physical": 4 + HALF,
    "Spear + Craven": 3,
    # Fierce: nothing for the five that always pursue.
    "Knights + Fierce": 4,
    "Behemoths + Fierce": 4,
    "Warriors + Fierce": 3,
    "Warband + Fierce": 3,
    "Pike + Fierce": 3,
    "Spear + Fierce": 3 + HALF,
    # Massive: nothing for those that are large already.
    "War Wagons + Massive": 3,
    "Behemoths + Massive": 4,
    "Artillery + Massive": 3,
    "Warriors + Massive": 4,
    # Unreliable: 2 for Knights, Behemoths and Fierce (h-2).
    "Knights + Unreliable": 2,
    "Behemoths + Unreliable": 2,
    "Spear + Unreliable": 3,
    "Spear + Unreliable + Fierce": 4 - 2 - HALF,
    # Away costs a stand half of what it costs a hero.
    "Spear + Away": 4 + HALF,
    # The floor of 1 point.
    "Rabble + Brittle": 1,
    "Horde + Brittle + Slow + Weaken + Unruly + Unreliable + Craven": 1,
    "Horde + Weaken": 1 + HALF,
    "Elite Cavalry + Brittle + Unreliable + Fierce": 1,
    # Others.
    "Raiders + Flying: zoom": 6,
    "Raiders + Flying: hover": 5,
    "Knights + Negate Magic: mindless": 4 + HALF,
    "Knights + Negate Magic: zone + Fast": 6 + HALF,
    "Spear + Spellblast: limited, physical": 7,
}


@pytest.mark.parametrize("text", PRICES)
def test_a_stand_costs_its_type_and_its_cards(text):
    assert points(text) == PRICES[text]


@pytest.mark.parametrize("pair", [("Artillery + Brittle + Mindblast", 6), ("Artillery + Brittle", 3)])
def test_the_larger_of_two_reductions_by_brittle_is_a_ruling(pair):
    assert points(pair[0], brittle_two_prices="larger") == pair[1]


@pytest.mark.parametrize(
    "text, wanted",
    [("Knights + Unreliable", 3), ("Spear + Unreliable", 2), ("Spear + Unreliable + Fierce", 3 - HALF)],
)
def test_the_other_print_of_unreliable_is_a_ruling(text, wanted):
    assert points(text, unreliable_price="card_page") == wanted


@pytest.mark.parametrize("dense, wanted", [(False, Fraction(9, 2)), (True, Fraction(5))])
def test_terrain_affinity_costs_more_at_home_in_a_dense_topography(dense, wanted):
    assert Stand.parse("Raiders + Terrain Affinity: woods, marsh").cost(USUAL, dense=dense) == wanted


def test_a_dense_home_changes_no_other_price_of_a_stand():
    for card in cards().values():
        if card.for_stands and card.id != "terrain_affinity":
            first = [group[0] for group in card.options]
            assert card.price(first, "stand", {"dense"}, USUAL) == card.price(first, "stand", set(), USUAL)


def test_transports_are_bought_by_the_army_and_not_by_the_stand():
    stand = Stand.parse("Spear + Mobile Infantry: flying")
    assert (stand.points, stand.army_points(USUAL)) == (4, 1)


def test_a_stand_without_cards_costs_what_its_type_does():
    assert all(Stand(kind).points == kind.cost for kind in troop_types().values())


# Heroes.


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("Hero", 1), ("Hero + Champion", 2), ("Hero + Away", 2), ("Hero + Armored", 1 + HALF),
        ("Hero + Mindblast", 5), ("Hero + Subcommander + Hearten", 4),
        ("Hero + Ranged Attack: magical + Marksman", 3),
    ],
)  # fmt: skip
def test_a_hero_costs_one_point_and_his_cards(text, wanted):
    assert Hero.parse(text).points == wanted


@pytest.mark.parametrize("text", ["hero", "HERO + deadly", " Hero+Champion"])
def test_what_starts_with_hero_is_a_hero(text):
    assert is_hero(text)


@pytest.mark.parametrize("text", ["Heroes", "Knights with Hero", "Horde"])
def test_what_starts_with_a_troop_type_is_no_hero(text):
    assert not is_hero(text)


@pytest.mark.parametrize("card", ["Brittle", "Craven", "Fierce", "Slow", "Unreliable", "Unruly", "Weaken"])
def test_heroes_take_no_card_that_lowers_their_cost(card):
    with pytest.raises(IllegalError, match=f"{card} is not for heroes"):
        Hero.parse(f"Hero + {card}")


@pytest.mark.parametrize(
    "card",
    [
        "Flying: hover", "Massive", "Regenerate", "Spiked Carts", "Supporting Shooters",
        "Terrain Affinity: woods, marsh", "Mobile Infantry: ground", "Illusion", "Ambush: home only", "Hold the Line",
    ],
)  # fmt: skip
def test_heroes_take_no_card_of_stands_or_armies(card):
    with pytest.raises(IllegalError, match="is not for heroes"):
        Hero.parse(f"Hero + {card}")


def test_a_hero_shoots_better_only_with_a_ranged_attack_of_his_own():
    assert Hero.parse("Hero + Marksman + Ranged Attack: physical").points == 3
    with pytest.raises(IllegalError, match="FT 42"):
        Hero.parse("Hero + Marksman")


def test_a_ruling_lets_heroes_be_fierce():
    # h-4: priced per hero too; the ruling sets aside that heroes take no card that lowers their cost.
    decided = TriumphRulings(fierce_for_heroes=True)
    assert Hero.parse("Hero + Fierce", decided).cost(decided) == HALF


@pytest.mark.parametrize("text, wanted", [("Hero + Champion + Deadly", 7), ("Hero + Champion", 5), ("Hero", 1)])
def test_a_hero_duels_with_his_cost_and_a_champion_with_three_more(text, wanted):
    assert Hero.parse(text).duel_modifier(USUAL) == wanted


def test_a_champion_who_does_not_count_himself_is_one_worse():
    assert Hero.parse("Hero + Champion").duel_modifier(TriumphRulings(champion_counts_itself=False)) == 4


def test_a_hero_with_half_points_duels_with_half_points():
    assert Hero.parse("Hero + Armored").duel_modifier(USUAL) == Fraction(3, 2)


def test_a_hero_on_a_stand_lends_his_cards_and_adds_nothing_to_its_cost():
    stand = Stand.parse("Elite Foot + Armored with Hero + Deadly")
    assert stand.points == 4 + HALF
    assert "deadly" in stand.names(USUAL)
    assert "deadly" not in stand.own_names


def test_a_heros_marksman_is_not_lent_to_the_stand():
    names = Stand.parse("Shooters with Hero + Ranged Attack: physical + Marksman").names(USUAL)
    assert "marksman" not in names
    assert "hero_marksman" in names


# Who may have what.

FORBIDDEN = {
    "War Wagons + Armored": "FT 25",
    "Knights + Craven": "FT 30",
    "Artillery + Craven": "FT 30",
    "Spear + Craven + Fierce": "FT 30",
    "Horse Bow + Fast": "FT 33",
    "Spear + Fast + Slow": "FT 33",
    "Raiders + Fast + Flying: hover": "FT 33",
    "Raiders + Slow + Flying: hover": "FT 35",
    "War Wagons + Fierce": "FT 34",
    "Artillery + Fierce": "FT 34",
    "Spear + Flying: hover": "FT 35",
    "Cataphracts + Flying: zoom": "FT 35",
    "Knights + Marksman": "FT 42",
    "Knights + Mobile Infantry: ground": "FT 45",
    "War Wagons + Mobile Infantry: ground": "FT 45",
    "Shooters + Ranged Attack: physical": "FT 51",
    "Spear + Spiked Carts": "FT 55",
    "Heavy Foot + Spiked Carts + Mobile Infantry: ground": "FT 55",
    "Horde + Supporting Shooters": "FT 57",
    "Knights + Supporting Shooters": "FT 57",
    "Warband + Supporting Shooters": "FT 57",
    "Spear + Supporting Shooters + Ranged Attack: magical": "FT 57",
    "Spear + Terrain Affinity: woods, marsh": "FT 58",
    "Cataphracts + Terrain Affinity: woods, marsh": "FT 58",
    "Raiders + Flying: hover + Terrain Affinity: woods, marsh": "FT 58",
    "Knights + Unreliable + general": "FT 60",
    "Behemoths + Unruly": "FT 61",
    "Knights + Weaken": "FT 62",
    "Pike + Weaken": "FT 62",
    "Heavy Foot + Weaken": "FT 62",
    "Knights + Champion": "FT 28",
    "Knights + Subcommander": "FT 56",
    "Knights + Ambush: home only": "FT 24",
    "Knights + Delayed Entry": "FT 32",
    "Knights + Hold the Line": "FT 38",
    "Knights + Deadly + Deadly": "FT 31",
}


@pytest.mark.parametrize("text", FORBIDDEN)
def test_a_stand_that_breaks_a_card_is_refused_with_its_section(text):
    with pytest.raises(IllegalError, match="is not legal") as refusal:
        Stand.parse(text)
    assert any(FORBIDDEN[text] in reason for reason in refusal.value.reasons)


ALLOWED = [
    "Artillery + Flying: hover", "War Wagons + Flying: zoom", "Behemoths + Terrain Affinity: woods, marsh",
    "Light Spear + Supporting Shooters", "Spear + Ranged Attack: physical + Marksman", "Spear + Weaken",
    "Behemoths + Weaken", "Pavise + Weaken", "Heavy Foot + Spiked Carts + Armored", "Cataphracts + Unruly",
    "Artillery + Mobile Infantry: ground", "Shooters + Marksman", "Pike + Craven", "Knights + Fierce + general",
    "Horse Bow + Slow", "Horse Bow + Flying: zoom", "Knights with Hero + Subcommander",
]  # fmt: skip


@pytest.mark.parametrize("text", ALLOWED)
def test_a_stand_that_breaks_no_card_is_accepted(text):
    assert Stand.parse(text).problems(USUAL) == []


def test_artillery_on_transports_is_a_ruling():
    with pytest.raises(IllegalError, match="FT 45"):
        Stand.parse("Artillery + Mobile Infantry: ground", TriumphRulings(artillery_transports=False))


def test_every_broken_card_is_named_at_once():
    with pytest.raises(IllegalError) as refusal:
        Stand.parse("War Wagons + Armored + Unruly + Fierce + Champion")
    assert len(refusal.value.reasons) == 4


def test_what_a_hero_breaks_is_named_with_his_stand():
    with pytest.raises(IllegalError, match="Slow is not for heroes"):
        Stand.parse("Knights with Hero + Slow")


def test_eligible_says_whether_a_plain_stand_may_take_a_card():
    kinds = troop_types()
    assert eligible(kinds["heavy_foot"], cards()["spiked_carts"], (), USUAL)
    assert not eligible(kinds["spear"], cards()["spiked_carts"], (), USUAL)
    assert not eligible(kinds["spear"], cards()["champion"], (), USUAL)


# What cannot be read.

UNREADABLE = {
    "Knight + Deadley": "Unknown battle card 'Deadley' (did you mean 'Deadly'?)",
    "Knigths": "Unknown troop type 'Knigths' (did you mean 'Knights'?)",
    "Hoarde": "did you mean 'Horde'",
    "Orcs": "accepted: Artillery, Bad Horse",
    "Knights + Flying": "Flying needs one of hover, zoom after a colon; none was given",
    "Knights + Flying: fast": "Flying needs one of hover, zoom after a colon; got 'fast'",
    "Knights + Flying: hover, zoom": "Flying has no option 'zoom'",
    "Knights + Deadly: very": "Deadly has no option 'very'",
    "Knights + Spellblast: limited": "Spellblast needs one of physical, magical after a colon; got 'limited'",
    "Knights + Spellblast: magical": "Spellblast needs one of limited, unlimited after a colon; got 'magical'",
    "Knights + Ranged Attack": "Ranged Attack needs one of physical, magical",
    "Knights + Negate Magic": "Negate Magic needs one of self, zone, mindless",
    "Raiders + Terrain Affinity: woods": "Terrain Affinity needs one of",
    "Raiders + Terrain Affinity: woods, forest": "different options, got woods twice",
    "Raiders + Terrain Affinity: woods, lava": "got 'woods', 'lava'",
    "Raiders + Terrain Affinity: woods, open": "Terrain Affinity needs one of",
    "Raiders + Terrain Affinity: woods, marsh, rough": "Terrain Affinity has no option",
    "Knights + + Deadly": "each + needs a name on both sides",
    "Knights +": "each + needs a name on both sides",
    "": "each + needs a name on both sides",
    "Knights with Knights": "A hero starts with the word Hero, got 'Knights'",
    "Knights with Hero with Hero": "with is written once",
    "Hero + Deadly": "Unknown troop type 'Hero'",
}


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_stand_that_cannot_be_read_says_what_is_wrong_and_what_would_do(text):
    with pytest.raises(InputError) as refusal:
        Stand.parse(text)
    assert UNREADABLE[text] in str(refusal.value)


def test_a_name_nobody_knows_carries_what_was_looked_up():
    with pytest.raises(UnknownNameError) as refusal:
        Stand.parse("Knights + Hartenn")
    assert (refusal.value.kind, refusal.value.name) == ("battle card", "Hartenn")


def test_an_unknown_stand_is_no_hero():
    with pytest.raises(InputError, match="starts with the word Hero"):
        Hero.parse("Knights + Deadly")


def test_a_card_alone_reads_with_its_options():
    assert str(read_card(" fortified camp:HEAVILY ")) == "Fortified Camp: heavily"
    assert read_card("Ambush: home-only").choices == ("home only",)
    assert read_card("transports: ground").card.id == "mobile_infantry"


def test_nothing_but_our_own_errors_comes_out_of_bad_notation():
    for text in (*UNREADABLE, *FORBIDDEN):
        with pytest.raises(FtsimError):
            Stand.parse(text)


# How it is written back.


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("javelin cavalry + prowess + flight: hover", "Javelin Cavalry + Flying: hover + Prowess"),
        ("ele+GENERAL+deadly", "Behemoths + Deadly + general"),
        ("archers", "Shooters"),
        ("rdr + terrain affinity: forest, swamp", "Raiders + Terrain Affinity: Woods, Marsh"),
        ("sp with HERO+champion + away", "Spear with Hero + Champion + Away"),
        ("sp + spellblast: magical, limited", "Spear + Spellblast: limited, magical"),
    ],
)  # fmt: skip
def test_a_stand_is_written_in_new_names_and_the_order_of_the_cards(text, wanted):
    assert str(Stand.parse(text)) == wanted


def test_a_stand_gains_cards_and_keeps_hero_and_general():
    stand = Stand.parse("Spear + general with Hero + Deadly")
    assert str(stand.plus("Armored", "Away")) == "Spear + Armored + Away + general with Hero + Deadly"
    assert str(stand) == "Spear + general with Hero + Deadly"


# Moves.


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("Elite Cavalry + Fast", 8), ("Knights + Fast", 6), ("Raiders + Fast", 5), ("Spear + Fast", 4),
        ("Artillery + Fast", 3), ("Horse Bow + Slow", 6), ("Elite Cavalry + Slow", 5), ("Horde + Slow", 1),
        ("Horse Bow + Flying: zoom", 12), ("Elite Cavalry + Flying: zoom", 10), ("Knights + Flying: zoom", 8),
        ("Raiders + Flying: zoom", 6), ("Shooters + Flying: zoom", 5), ("War Wagons + Flying: zoom", 4),
        ("Knights + Flying: hover", 5), ("Heavy Foot + Spiked Carts", 2), ("Heavy Foot + Spiked Carts + Fast", 2),
        ("Spear with Hero + Fast", 4), ("Horse Bow with Hero + Fast", 8),
    ],
)  # fmt: skip
def test_cards_change_how_far_a_stand_moves(text, wanted):
    assert Stand.parse(text).move() == wanted


def test_spiked_carts_that_feel_fast_and_slow_are_a_ruling():
    decided = TriumphRulings(spiked_carts_move="modified")
    assert Stand.parse("Heavy Foot + Spiked Carts + Fast").move(decided) == 3
    assert Stand.parse("Heavy Foot + Spiked Carts + Slow").move(decided) == 1


def test_a_later_core_moves_three_types_faster():
    decided = TriumphRulings(moves_version="1.2")
    assert [Stand.parse(name, decided).move(decided) for name in ("Bow Levy", "Horde", "Rabble")] == [3, 3, 4]


def test_a_heros_fast_slows_no_flyer_down():
    # FT 33: Flying stands have no use for Fast.
    assert Stand.read("Raiders + Flying: zoom with Hero + Fast").move() == 6
