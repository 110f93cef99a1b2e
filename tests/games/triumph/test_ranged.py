"""Attacks at a distance, fact by fact: factors, who is touched by what, and how a target fares."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.odds import mindblast, ranged, spellblast
from ftsim.games.triumph.places import Place, Situation
from ftsim.games.triumph.ranged import (
    KINDS,
    NATURES,
    Attack,
    RangedAttack,
    attacks,
    best_attack,
    limited_casts,
    read_target,
)
from ftsim.games.triumph.rules import FATES
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import troop_types

USUAL = TriumphRulings()
#: Counts of 36 for attack minus defence as the rules document gives them: beaten, doubled.
THREE_AT_THREE = {"falls_back": 13, "destroyed": 2, "stands": 21}
THREE_AT_TWO = {"falls_back": 15, "destroyed": 6, "stands": 15}
THREE_AT_FOUR = {"falls_back": 10, "stands": 26}


def contest(attacker, target, attack="shooting", rulings=USUAL, **place):
    attack = Attack(attack) if isinstance(attack, str) else attack
    target_stand = Stand.parse(target, rulings)
    return RangedAttack(Stand.parse(attacker, rulings), target_stand, attack, Situation(b=Place(**place)), rulings)


def fates(*args, **place):
    one = contest(*args, **place)
    counts = np.bincount(one.target_fate(one.dice.faces()), minlength=len(FATES))
    return {fate: int(n) for fate, n in zip(FATES, counts, strict=True) if n}


def totals(*args, **place):
    grid = contest(*args, **place).grid
    return int(grid.total_a[0, 0]), int(grid.total_b[0, 0])


# Shooting.


@pytest.mark.parametrize("target", ["Elite Foot", "Heavy Foot", "Spear", "Chariots", "Cataphracts", "Behemoths"])
def test_shooters_at_a_target_of_three_by_hand(target):
    # 3 v 3: the shooter is ahead on 15 pairs, and has twice as much only with 6-1 and 5-1.
    assert fates("Shooters", target) == THREE_AT_THREE


@pytest.mark.parametrize("target", ["Rabble", "Horde", "Knights", "Bad Horse", "Horse Bow", "Javelin Cavalry"])
def test_shooters_at_a_target_of_two_by_hand(target):
    # 3 v 2: ahead on 21 pairs; 3 + die is twice 2 + die with 3-1, 4-1, 5-1, 6-1, 5-2 and 6-2.
    assert fates("Shooters", target) == THREE_AT_TWO


def test_shooters_at_war_wagons_by_hand():
    # 3 v 4: ahead on 10 pairs, never twice as much.
    assert fates("Shooters", "War Wagons") == THREE_AT_FOUR


def test_shooters_meet_each_type_with_its_factor_when_shot_at():
    for kind in troop_types().values():
        assert totals("Shooters", kind.name) == (3, kind.shot_at)


@pytest.mark.parametrize("shooter, factor", [("Shooters", 3), ("Pavise", 3), ("War Wagons", 3), ("Artillery", 4)])
def test_each_shooting_type_shoots_with_its_factor(shooter, factor):
    assert totals(shooter, "Horde") == (factor, 2)


def test_only_four_types_shoot():
    shooting = {kind.name for kind in troop_types().values() if attacks(Stand(kind), USUAL)}
    assert shooting == {"Shooters", "Pavise", "War Wagons", "Artillery"}


def test_artillery_shatters_war_wagons_that_it_merely_beats():
    assert fates("Artillery", "War Wagons") == {"destroyed": 15, "stands": 21}
    assert fates("Shooters + Marksman", "War Wagons") == {"falls_back": 14, "destroyed": 1, "stands": 21}


def test_artillery_shatters_behemoths_by_default():
    assert fates("Artillery", "Behemoths") == {"destroyed": 21, "stands": 15}
    for option in ("skirmishers", "none"):
        decided = TriumphRulings(behemoth_shatter=option)
        assert fates("Artillery", "Behemoths", "shooting", decided) == {
            "falls_back": 17, "destroyed": 4, "stands": 15,
        }  # fmt: skip


def test_skirmishers_evade_the_shots_of_close_order_foot_only():
    assert fates("Pavise", "Skirmishers") == {"falls_back": 13, "evades": 2, "stands": 21}
    assert fates("Shooters", "Skirmishers") == THREE_AT_THREE


def test_light_horse_evades_shots_in_the_open_only():
    assert fates("Pavise", "Horse Bow") == {"falls_back": 15, "evades": 6, "stands": 15}
    assert fates("Pavise", "Horse Bow", terrain="woods") == THREE_AT_TWO


def test_rabble_panics_from_the_shots_of_close_order_foot():
    assert fates("Pavise", "Rabble") == {"falls_back": 15, "panics": 6, "stands": 15}


def test_brittle_is_nothing_to_shooting():
    # 27.1 speaks of close combat.
    assert fates("Shooters", "Heavy Foot + Brittle") == THREE_AT_THREE


def test_terror_and_deadly_are_nothing_to_shooting():
    assert fates("Shooters + Terror + Deadly", "Heavy Foot + Deadly") == THREE_AT_THREE


@pytest.mark.parametrize("card", ["Hearten", "Prowess"])
def test_what_changes_a_roll_in_close_combat_changes_no_shot(card):
    assert fates(f"Shooters + {card}", f"Heavy Foot + {card}") == THREE_AT_THREE
    assert fates("Shooters", "Horde + Weaken") == THREE_AT_TWO


def test_prowess_when_shooting_is_a_ruling():
    decided = TriumphRulings(prowess_in_ranged=True)
    assert fates("Shooters + Prowess", "Heavy Foot", "shooting", decided) == {
        "falls_back": 11, "destroyed": 4, "stands": 21,
    }  # fmt: skip
    assert fates("Shooters + Prowess + Deadly", "Heavy Foot", "shooting", decided) == THREE_AT_THREE


# Modifiers.


def test_a_shot_from_behind_lowers_the_target_by_one():
    assert totals("Shooters", "Heavy Foot", attacked="rear") == (3, 2)
    assert totals("Shooters", "Heavy Foot", attacked="flank") == (3, 3)


def test_a_flying_target_is_one_lower_once_even_from_behind():
    assert totals("Shooters", "Raiders + Flying: hover") == (3, 2)
    assert totals("Shooters", "Raiders + Flying: hover", attacked="rear") == (3, 2)


def test_a_flying_target_is_not_driven_back_but_destroyed():
    assert fates("Shooters", "Raiders + Flying: zoom") == {"destroyed": 6, "stands": 30}
    decided = TriumphRulings(flyer_shot_beaten="falls_back")
    assert fates("Shooters", "Raiders + Flying: zoom", "shooting", decided) == THREE_AT_TWO


def test_a_target_on_transports_is_one_lower_and_two_lower_in_the_air():
    assert totals("Shooters", "Spear + Mobile Infantry: ground", on_transports=True) == (3, 2)
    assert totals("Shooters", "Spear + Mobile Infantry: flying", on_transports=True) == (3, 1)
    assert totals("Shooters", "Spear + Mobile Infantry: flying") == (3, 3)


def test_a_shot_at_the_general_or_at_armor_is_one_lower_and_at_both_no_lower():
    # h-21: called identical, so not added up.
    assert totals("Shooters", "Spear", general=True) == (2, 3)
    assert totals("Shooters", "Spear + Armored") == (2, 3)
    assert totals("Shooters", "Spear + Armored", general=True) == (2, 3)
    decided = TriumphRulings(armored_stacks_with_general=True)
    assert totals("Shooters", "Spear + Armored", "shooting", decided, general=True) == (1, 3)


def test_armor_does_not_stack_with_the_armor_of_a_hero_or_of_spiked_carts():
    assert totals("Shooters", "Spear + Armored with Hero + Armored") == (2, 3)
    assert totals("Shooters", "Heavy Foot + Spiked Carts + Armored") == (2, 3)


def test_spiked_carts_are_armored_behind_too_unless_so_ruled():
    assert totals("Shooters", "Heavy Foot + Spiked Carts", attacked="rear") == (2, 2)
    decided = TriumphRulings(spiked_carts_armored_rear=False)
    assert totals("Shooters", "Heavy Foot + Spiked Carts", "shooting", decided) == (2, 3)
    assert totals("Shooters", "Heavy Foot + Spiked Carts", "shooting", decided, attacked="rear") == (3, 2)


def test_a_later_core_hampers_the_shooter_in_place_of_the_fourth_point_of_war_wagons():
    decided = TriumphRulings(core_version="1.2")
    assert totals("Shooters", "War Wagons", "shooting", decided) == (2, 3)
    assert totals("Shooters", "War Wagons", "shooting", decided, general=True) == (2, 3)


def test_marksman_adds_one():
    assert totals("Shooters + Marksman", "Spear") == (4, 3)
    assert totals("Spear + Ranged Attack: physical + Marksman", "Spear", "ranged_attack") == (3, 3)


def test_a_heros_marksman_adds_to_his_own_ranged_attack_only():
    shooter = "Shooters with Hero + Ranged Attack: physical + Marksman"
    his = Attack("ranged_attack", "physical", by_hero=True)
    assert totals(shooter, "Spear") == (3, 3)
    assert totals(shooter, "Spear", his) == (3, 3)
    plain = "Shooters with Hero + Ranged Attack: physical"
    assert totals(plain, "Spear", his) == (2, 3)
    other = "Raiders + Ranged Attack: physical with Hero + Ranged Attack: magical + Marksman"
    assert totals(other, "Spear", "ranged_attack") == (2, 3)


# Ranged Attack.


def test_a_ranged_attack_shoots_with_two():
    assert totals("Spear + Ranged Attack: physical", "Spear", "ranged_attack") == (2, 3)
    # 2 v 3: ahead on 10 pairs, of which 6-1 has not twice as much: 8 v 4 has.
    assert fates("Spear + Ranged Attack: physical", "Spear", "ranged_attack") == {
        "falls_back": 9, "destroyed": 1, "stands": 26,
    }  # fmt: skip


@pytest.mark.parametrize("target, beaten, doubled", [("Skirmishers", 9, 1), ("Rabble", 11, 4), ("Horse Bow", 11, 4)])
def test_no_one_evades_or_panics_from_a_ranged_attack(target, beaten, doubled):
    counts = {"falls_back": beaten, "destroyed": doubled, "stands": 36 - beaten - doubled}
    assert fates("Spear + Ranged Attack: physical", target, "ranged_attack") == counts


@pytest.mark.parametrize("target, counts", [("War Wagons", (6, 0)), ("Behemoths", (9, 1))])
def test_no_one_is_shattered_by_a_ranged_attack_from_artillery(target, counts):
    attack = Attack("ranged_attack", "physical", by_hero=True)
    found = fates("Artillery with Hero + Ranged Attack: physical", target, attack)
    assert (found["falls_back"], found.get("destroyed", 0)) == counts


def test_armor_helps_against_physical_attacks_only():
    for kind in ("ranged_attack", "spellblast"):
        physical, magical = (totals("Spear", "Spear + Armored", Attack(kind, nature))[0] for nature in NATURES)
        assert magical - physical == 1


# Negate Magic.

MAGIC = [Attack("ranged_attack", "magical"), Attack("spellblast", "magical")]
BLOWS = [Attack("shooting"), Attack("ranged_attack", "physical"), Attack("spellblast", "physical")]


@pytest.mark.parametrize("kind", ["self", "zone"])
@pytest.mark.parametrize("attack", MAGIC, ids=str)
def test_self_and_zone_undo_magical_attacks(attack, kind):
    assert fates("Shooters", f"Rabble + Negate Magic: {kind}", attack) == {"stands": 36}


@pytest.mark.parametrize("attack", MAGIC, ids=str)
def test_mindless_undoes_no_magical_attack_unless_so_ruled(attack):
    target = "Rabble + Negate Magic: mindless"
    assert fates("Shooters", target, attack) == fates("Shooters", "Rabble", attack)
    assert fates("Shooters", target, attack, TriumphRulings(mindless_stops_magic=True)) == {"stands": 36}


@pytest.mark.parametrize("attack", MAGIC, ids=str)
def test_a_zone_nearby_undoes_magical_attacks(attack):
    assert fates("Shooters", "Rabble", attack, in_zone=True) == {"stands": 36}


@pytest.mark.parametrize("kind", ["self", "zone", "mindless"])
@pytest.mark.parametrize("attack", BLOWS, ids=str)
def test_no_kind_of_negate_magic_helps_against_a_blow(attack, kind):
    target = f"Rabble + Negate Magic: {kind}"
    assert fates("Shooters", target, attack, in_zone=True) == fates("Shooters", "Rabble", attack)


@pytest.mark.parametrize("kind", ["self", "zone", "mindless"])
def test_every_kind_of_negate_magic_undoes_mindblast(kind):
    assert fates("Horde", f"Rabble + Negate Magic: {kind}", "mindblast") == {"stands": 36}


def test_a_zone_that_does_not_cover_its_bearer_is_a_ruling():
    decided = TriumphRulings(zone_covers_itself=False)
    target = "Rabble + Negate Magic: zone"
    assert fates("Horde", target, "mindblast", decided) == fates("Horde", "Rabble", "mindblast")
    assert fates("Horde", target, MAGIC[0], decided) == fates("Horde", "Rabble", MAGIC[0])


def test_a_hero_protects_the_stand_that_he_rides_on():
    assert fates("Horde", "Rabble with Hero + Negate Magic: self", "mindblast") == {"stands": 36}


# Mindblast.


@pytest.mark.parametrize("kind", troop_types().values(), ids=lambda kind: kind.id)
def test_mindblast_is_four_against_the_cost_of_the_type(kind):
    assert totals("Horde + Mindblast", kind.name, "mindblast") == (4, kind.cost)


def test_mindblast_counts_by_hand():
    # 4 v 2 and 4 v 4, as in the rules document.
    assert fates("Horde", "Rabble", "mindblast") == {"falls_back": 17, "panics": 9, "stands": 10}
    assert fates("Horde", "Elite Foot", "mindblast") == {"falls_back": 14, "panics": 1, "stands": 21}


def test_cards_do_not_raise_the_cost_that_resists_mindblast():
    assert totals("Horde", "Rabble + Deadly + Terror", "mindblast") == (4, 2)


@pytest.mark.parametrize("card", ["Armored", "Deadly", "Prowess", "Hearten", "Massive", "Flying: hover"])
def test_no_card_but_negate_magic_helps_against_mindblast(card):
    assert fates("Horde", f"Raiders + {card}", "mindblast") == fates("Horde", "Raiders", "mindblast")


@pytest.mark.parametrize("place", [{"attacked": "rear"}, {"general": True}])
def test_neither_rear_nor_general_counts_for_mindblast(place):
    assert totals("Horde", "Spear", "mindblast", **place) == (4, 4)


def test_marksman_and_deadly_do_not_help_mindblast():
    assert totals("Shooters + Marksman + Deadly + Prowess + Mindblast", "Horde", "mindblast") == (4, 2)


def test_brittle_is_destroyed_when_mindblast_doubles_it_and_only_then():
    assert fates("Horde", "Horde + Brittle", "mindblast") == {"destroyed": 9, "falls_back": 17, "stands": 10}
    decided = TriumphRulings(mindblast_brittle="beaten")
    assert fates("Horde", "Horde + Brittle", "mindblast", decided) == {"destroyed": 26, "stands": 10}


@pytest.mark.parametrize("target", ["Skirmishers", "Behemoths", "War Wagons", "Horse Bow"])
def test_no_type_does_anything_but_panic_when_mindblast_doubles_it(target):
    assert set(fates("Artillery + Mindblast", target, "mindblast")) <= {"falls_back", "panics", "stands"}


def test_transports_against_mindblast_are_a_ruling():
    target = "Spear + Mobile Infantry: flying"
    assert totals("Horde", target, "mindblast", on_transports=True) == (4, 4)
    decided = TriumphRulings(transports_vs_mindblast=True)
    assert totals("Horde", target, "mindblast", decided, on_transports=True) == (4, 3)


# Spellblast.


def test_spellblast_is_four_against_the_factor_when_shot_at():
    assert totals("Horde", "War Wagons", "spellblast") == (4, 4)
    assert totals("Horde", "War Wagons", "spellblast", TriumphRulings(spellblast_defence="cost")) == (4, 3)
    assert totals("Horde", "Rabble", "spellblast", TriumphRulings(spellblast_factor=5)) == (5, 2)


def test_spellblast_drives_back_who_it_beats_and_destroys_who_it_doubles():
    assert fates("Horde", "Rabble", "spellblast") == {"falls_back": 17, "destroyed": 9, "stands": 10}


def test_marksman_deadly_and_prowess_do_not_help_spellblast():
    assert fates("Shooters + Marksman + Deadly + Prowess", "Rabble", "spellblast") == fates(
        "Horde", "Rabble", "spellblast"
    )


def test_rear_flyers_and_generals_count_for_spellblast_unless_so_ruled():
    decided = TriumphRulings(spellblast_penalties=False)
    assert totals("Horde", "Spear", "spellblast", attacked="rear", general=True) == (3, 2)
    assert totals("Horde", "Spear", "spellblast", decided, attacked="rear", general=True) == (4, 3)
    assert totals("Horde", "Raiders + Flying: hover", "spellblast") == (4, 2)


def test_the_one_that_spends_a_limited_spellblast_still_takes_effect_unless_so_ruled():
    limited = Attack("spellblast", "physical", limited=True)
    target = "Rabble"
    fizzles = TriumphRulings(spellblast_limited="fizzles")
    # 4 + 1 beats 2 + 1 and 2 + 2, and doubles neither.
    assert fates("Horde", target, limited)["falls_back"] - fates("Horde", target, limited, fizzles)["falls_back"] == 2
    unlimited = replace(limited, limited=False)
    assert fates("Horde", target, unlimited, fizzles) == fates("Horde", target, limited)


@pytest.mark.parametrize("turns", [1, 2, 3, 6, 10])
def test_a_limited_spellblast_lasts_as_long_as_no_one_is_rolled(turns):
    left = Fraction(5, 6)
    casts = limited_casts(turns)
    assert casts.spent == 1 - left**turns
    assert casts.expected == (1 - left**turns) / (1 - left)


def test_a_limited_spellblast_over_six_turns_in_fractions():
    casts = limited_casts(6)
    assert casts.spent == Fraction(31031, 46656)
    assert casts.expected == Fraction(31031, 7776)


def test_a_battle_without_turns_has_no_casts():
    with pytest.raises(InputError, match="at least one turn"):
        limited_casts(0)


def spell(which, **situation):
    return spellblast(f"Horde + Spellblast: {which}, magical", "Spear", situation, {}, None, 0)


def lasting(which, **situation):
    return [text for section, _, text in spell(which, **situation).rows if section.startswith("over ")]


def test_the_answer_about_a_limited_spellblast_tells_how_long_it_lasts():
    casts, spent = lasting("limited", turns="2")
    assert casts.split() == ["1.833", "11/6"]
    assert spent.split() == ["30.56", "%", "11/36"]
    assert "31031/7776" in lasting("limited")[0]


def test_the_answer_about_an_unlimited_spellblast_does_not():
    assert lasting("unlimited") == []


def test_a_limited_spellblast_hits_as_often_as_an_unlimited_one():
    assert spell("limited").data == spell("unlimited").data


@pytest.mark.parametrize("turns", ["0", "-1", "1001", "two", "1.5"])
def test_a_number_of_turns_that_makes_no_sense_is_refused(turns):
    with pytest.raises(InputError, match="accepted: 1 to 1000"):
        spell("limited", turns=turns)


# What may be attacked, and with what.


@pytest.mark.parametrize("ask", [ranged, mindblast, spellblast])
@pytest.mark.parametrize("camp", ["camp", "Fortified Camp", "HEAVILY FORTIFIED CAMP"])
def test_camps_are_not_attacked_at_a_distance(ask, camp):
    attacker = "Shooters + Mindblast + Spellblast: limited, magical"
    with pytest.raises(InputError, match=r"62\.6"):
        ask(attacker, camp, {}, {}, None, 0)
    with pytest.raises(InputError, match=r"62\.6"):
        read_target(camp, USUAL)


def test_a_camp_with_spaces_around_it_is_a_camp_at_a_distance_as_in_close_combat():
    with pytest.raises(InputError, match=r"62\.6"):
        read_target("  heavily  fortified camp ", USUAL)


def test_a_stand_without_an_attack_says_what_it_lacks():
    with pytest.raises(InputError, match="Spear has no shooting or ranged attack"):
        ranged("Spear", "Horde", {}, {}, None, 0)
    with pytest.raises(InputError, match="Spear has no mindblast"):
        mindblast("Spear", "Horde", {}, {}, None, 0)


def test_no_stand_attacks_from_its_transports():
    with pytest.raises(InputError, match=r"FT 45\.4"):
        ranged("Shooters + Mobile Infantry: ground", "Horde", {"a.on_transports": "yes"}, {}, None, 0)


def test_an_attack_may_be_chosen_and_must_exist():
    bearer = "Shooters with Hero + Ranged Attack: magical"
    assert (
        "Ranged Attack (magical, the hero"
        in ranged(bearer, "Horde", {"attack": "ranged_attack"}, {}, None, 0).notes[0]
    )
    with pytest.raises(InputError, match="accepted: shooting, ranged_attack"):
        ranged(bearer, "Horde", {"attack": "mindblast"}, {}, None, 0)


def test_the_attacker_suffers_nothing():
    data = ranged("Shooters", "Horde", {}, {}, None, 0).data
    assert data["fate"]["a"]["stands"]["fraction"] == "1/1"
    assert data["fate"]["a"]["pursues"]["p"] == data["fate"]["b"]["pursues"]["p"] == 0


def best(attacker, target="Spear", kinds=KINDS[:2], **place):
    return best_attack(kinds, Stand.parse(attacker), Stand.parse(target), Situation(b=Place(**place)), USUAL)


def test_the_better_of_two_ways_to_shoot_is_taken():
    hero = "Hero + Ranged Attack: magical"
    assert best(f"Shooters with {hero}").kind == "shooting"
    # Doubled by a shot of close order foot, Skirmishers evade; by a Ranged Attack they are destroyed.
    assert best(f"Pavise with {hero}", "Skirmishers").kind == "ranged_attack"
    assert best(f"Pavise with {hero}", "Skirmishers + Negate Magic: self").kind == "shooting"


def test_an_attack_says_what_it_is():
    stand = Stand.parse("Artillery + Mindblast with Hero + Ranged Attack: magical + Spellblast: limited, physical")
    assert [str(attack) for attack in attacks(stand, USUAL)] == [
        "shooting",
        "Mindblast",
        "Ranged Attack (magical, the hero’s)",
        "Spellblast (limited, physical)",
    ]


def shots(attacker, **rulings):
    notes = ranged(attacker, "Spear", {}, rulings, None, 0).notes
    return [note for note in notes if "ways" in note]


def test_a_shooter_with_a_hero_who_shoots_shoots_once_or_twice_by_ruling():
    bearer = "Shooters with Hero + Ranged Attack: magical"
    assert shots(bearer) == ["it can shoot in 2 ways: once, with the better a turn"]
    assert shots(bearer, ranged_hero="two_shots") == ["it can shoot in 2 ways: each once a turn"]


def test_a_stand_with_one_way_to_shoot_needs_no_such_note():
    assert shots("Shooters") == shots("Spear + Ranged Attack: physical") == []


def test_two_ranged_attacks_are_one_shot_under_any_ruling():
    # 51.3: Ranged Attack does not stack, whoever owns the cards.
    bearer = "Raiders + Ranged Attack: physical with Hero + Ranged Attack: magical"
    assert not any("each" in note for note in shots(bearer, ranged_hero="two_shots"))


def test_two_shots_change_no_odds_of_one():
    bearer = "Shooters with Hero + Ranged Attack: magical"
    once, twice = (
        ranged(bearer, "Spear", {}, {"ranged_hero": option}, None, 0).data for option in ("one_shot", "two_shots")
    )
    assert once == twice
