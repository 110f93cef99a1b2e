"""Shooting and hand-to-hand combat: examples, who fires and fights, cover, disorder, pikes, the casualty law."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftsim.errors import IllegalError, InputError
from ftsim.games.warlord.cover import (
    counts_for_morale,
    cover_from_missiles,
    covered_figures,
    covers_in_combat,
    exposed_ranks,
)
from ftsim.games.warlord.melee import (
    Exchange,
    Stance,
    disordered_by_charge,
    fighting_figures,
    percentages,
    ranks_counted,
    strike,
    touching,
    weapon_in,
)
from ftsim.games.warlord.missile import firing_figures, firing_from, volley
from ftsim.games.warlord.procedure import Casualties, total_percent
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.races import races
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit
from ftsim.trials import enumerate_outcomes, simulate

P, R = shipped(), WarlordRulings()
T = terrains()


def unit(text):
    return Unit.parse(text)


class TestCasualtyProcedure:
    @pytest.mark.parametrize(
        ("total", "law"),
        [
            (80, {0: F(1, 5), 1: F(4, 5)}),
            (100, {1: F(1)}),
            (140, {1: F(3, 5), 2: F(2, 5)}),
            (260, {2: F(2, 5), 3: F(3, 5)}),
            (275, {2: F(1, 4), 3: F(3, 4)}),
            (0, {0: F(1)}),
        ],
    )
    def test_w7_every_full_hundred_and_one_roll(self, total, law):
        assert Casualties(total).law() == law

    @given(st.integers(0, 3000))
    def test_two_point_law_mean_and_variance(self, total):
        law = Casualties(total).law()
        mean = sum(k * p for k, p in law.items())
        assert mean == F(total, 100) == Casualties(total).mean
        assert len(law) <= 2
        assert sum(k * k * p for k, p in law.items()) - mean**2 <= F(1, 4)

    @given(st.integers(0, 1500), st.integers(0, 12))
    def test_the_law_is_the_count_over_all_faces(self, total, most):
        one = Casualties(total, most)
        counted = enumerate_outcomes(one)
        law = one.law()
        for label in one.labels:
            assert F(int(counted.count(label)), 100) == law.get(int(label), 0)
        assert max(law) <= most

    def test_sampled_within_its_bound(self, check_counts):
        one, trials = Casualties(260), 50_000
        sampled = simulate(one, trials, np.random.default_rng(1))
        check_counts(sampled.counts, enumerate_outcomes(one).counts / 100, trials)

    def test_parts_of_a_per_cent_are_dropped(self):
        assert total_percent(F(13, 2), 5) == 32

    def test_a_negative_total_is_refused(self):
        with pytest.raises(InputError):
            Casualties(-1)


class TestCover:
    def test_s18_walls_hedges_and_fences_by_size(self):
        for race, wanted in (("ogre", ["medium", "light", "none"]), ("human", ["heavy", "medium", "light"])):
            found = [cover_from_missiles(T[name], races()[race]) for name in ("wall", "hedge", "fence")]
            assert found == wanted

    def test_f23_areas(self):
        human = races()["human"]
        levels = {
            t: cover_from_missiles(T[t], human) for t in ("wood", "jungle", "swamp", "scrub", "fen", "bog", "broken")
        }
        assert levels == {
            "wood": "medium", "jungle": "medium", "swamp": "medium", "scrub": "light", "fen": "light", "bog": "none",
            "broken": "none",
        }  # fmt: skip

    def test_f28_both_sides_of_an_obstacle_are_covered_each_by_its_size(self):
        human, ogre = races()["human"], races()["ogre"]
        assert covers_in_combat(T["wall"], ogre, human, R) == ("medium", "heavy")
        assert covers_in_combat(T["fence"], ogre, human, R) == ("none", "light")

    def test_a14_in_woods_each_side_that_is_inside(self):
        human = races()["human"]
        assert covers_in_combat(T["wood"], human, human, R) == ("none", "medium")
        assert covers_in_combat(T["wood"], human, human, R, attacker_inside=True) == ("medium", "medium")
        both = WarlordRulings(combat_cover_inside="both_sides")
        assert covers_in_combat(T["wood"], human, human, both) == ("medium", "medium")

    def test_f29_buildings_before_and_after_entry(self):
        human = races()["human"]
        assert covers_in_combat(T["building"], human, human, R) == ("none", "heavy")
        assert covers_in_combat(T["building"], human, human, R, attacker_inside=True) == ("medium", "medium")
        assert cover_from_missiles(T["building"], races()["hill_troll"]) == "heavy"

    def test_f25_f26_contact_and_two_ranks(self):
        assert covered_figures(20, 5, T["wall"], touching=True) == 10
        assert covered_figures(20, 5, T["wall"], touching=False) == 0
        assert covered_figures(20, 5, T["wood"], touching=False) == 20

    def test_s15_fire_at_exposed_ranks_is_capped(self):
        behind = exposed_ranks(20, 5, F(10), F(2))
        assert (behind.figures, behind.distance) == (10, 14)
        hits = Casualties(1300, behind.figures)
        assert hits.law() == {10: F(1)}
        shot = volley(unit("30 high elf A + longbow + 1 rank"), unit("20 Human B + 4 ranks"), P, R, target_in="wall",
                      rear_ranks_only=True)  # fmt: skip
        assert shot.casualties.most == 10
        assert not [name for name, _ in shot.parts if "cover" in name]

    def test_three_quarters_count_for_morale(self):
        assert counts_for_morale(15, 20)
        assert not counts_for_morale(14, 20)


class TestWhoShoots:
    def test_ranks_of_the_race(self):
        assert firing_figures(unit("20 Human B + longbow + 4 ranks"), P) == 10
        assert firing_figures(unit("20 wood elf B + longbow + 4 ranks"), P) == 15

    def test_s16_only_the_front_rank_out_of_a_wood(self):
        archers = unit("20 Human B + short bow + 2 ranks")
        assert firing_from(archers, T["clear"], P, R) == 20
        for name in ("wood", "jungle", "swamp"):
            assert firing_from(archers, T[name], P, R) == 10

    def test_f31_from_within_5_cm_of_the_edge_3_in_jungle(self):
        archers = unit("20 Human B + short bow + 2 ranks")
        assert firing_from(archers, T["wood"], P, R, to_edge=F(5)) == 10
        assert firing_from(archers, T["wood"], P, R, to_edge=F(6)) == 0
        assert firing_from(archers, T["jungle"], P, R, to_edge=F(4)) == 0

    def test_s17_out_of_a_building_by_storeys_and_contact(self):
        archers = unit("20 Human B + short bow + 2 ranks")
        assert firing_from(archers, T["building"], P, R, at_wall=6, storeys=2) == 12
        assert firing_from(archers, T["building"], P, R, at_wall=6, storeys=1) == 6
        assert firing_from(archers, T["building"], P, R, at_wall=12, storeys=2) == 20
        one = WarlordRulings(storeys="one_rank")
        assert firing_from(archers, T["building"], P, one, at_wall=6, storeys=2) == 6

    def test_a12_nobody_shoots_into_a_melee(self):
        a, b = unit("Human B + longbow"), unit("western goblin C")
        with pytest.raises(InputError, match="into a melee"):
            volley(a, b, P, R, in_melee=True)
        assert volley(a, b, P, WarlordRulings(fire_into_melee=True), in_melee=True).figures == 20

    def test_percentages_add_up_and_do_not_fall_below_the_floor(self):
        shot = volley(
            unit("20 Human B + longbow"), unit("western goblin C + leather + shield"), P, R, target_in="wood"
        )
        assert shot.each == 10 + 0 + 3 - 3 - 4
        assert shot.casualties.total == 6 * 20
        covered = volley(unit("20 Human B + short bow"), unit("dwarf B + mail and plate + shield"), P, R,
                         target_in="wall", band="long")  # fmt: skip
        assert covered.each == 0
        assert covered.casualties.law() == {0: F(1)}

    def test_cover_without_contact_is_none(self):
        a, b = unit("Human B + longbow"), unit("Human B + chain")
        assert volley(a, b, P, R, target_in="wall").each == 4
        assert volley(a, b, P, R, target_in="wall", touching=False).each == 10


class TestWhoFights:
    def test_w2_riders_and_swordsmen(self):
        riders, men = unit("8 western orc B + mounted + 2 ranks"), unit("10 Human B + 2 ranks")
        contact = touching(riders.files, 8, men.files, 10, R)
        assert fighting_figures(riders, riders.weapon, 8, contact) == 4
        contact = touching(men.files, 10, riders.files, 8, R)
        assert fighting_figures(men, men.weapon, 10, contact) == 5

    def test_w3_cavalry_against_polearms(self):
        riders, men = unit("12 Human B + mounted + 2 ranks"), unit("12 Human B + polearm + 2 ranks")
        assert strike(riders, men, Stance(), Stance(), 12, 12, P, R).figures == 6
        assert strike(men, riders, Stance(), Stance(), 12, 12, P, R).figures == 12

    def test_w4_orcs_hit_in_the_flank(self):
        orcs, dwarfs = unit("20 western orc B + spear + 4 ranks"), unit("10 dwarf B + spear + 2 ranks")
        attacked = Stance(attacked_in="flank")
        one = strike(dwarfs, orcs, Stance(), attacked, 10, 20, P, R)
        two = strike(orcs, dwarfs, attacked, Stance(), 20, 10, P, R)
        assert (one.figures, two.figures) == (10, 4)
        assert "attacks a flank" in dict(one.parts)
        assert not [name for name, _ in two.parts if "rank" in name]

    def test_w5_five_touch_four(self):
        dwarfs, orcs = unit("10 dwarf A + spear + 2 ranks"), unit("8 western orc B + polearm + chain + 2 ranks")
        one = strike(dwarfs, orcs, Stance(charged=True), Stance(), 10, 8, P, R)
        assert one.figures == 10
        assert strike(orcs, dwarfs, Stance(), Stance(), 8, 10, P, R).figures == 8
        assert one.each == 14 + 10 + 2
        assert one.total == 260
        assert Casualties(one.total).law() == {2: F(2, 5), 3: F(3, 5)}

    def test_pikes_fight_in_three_ranks(self):
        pikes = unit("20 Human B + pike + 4 ranks")
        assert fighting_figures(pikes, pikes.weapon, 20, 5) == 15
        assert fighting_figures(pikes, pikes.weapon, 12, 5) == 12
        assert fighting_figures(pikes, pikes.weapon, 20, 0) == 0

    def test_pikes_are_for_three_races(self):
        for race in ("Human", "high elf", "dwarf"):
            assert unit(f"{race} B + pike").weapon.id == "pike"
        with pytest.raises(IllegalError, match="only dwarfs, high elves and humans"):
            unit("western orc B + pike")

    @pytest.mark.parametrize(("ruling", "ranks"), [("counts", (3, 3)), ("half", (2, 3)), ("full", (2, 2))])
    def test_incomplete_ranks(self, ruling, ranks):
        men, rulings = unit("15 Human B + 3 ranks"), WarlordRulings(partial_rank=ruling)
        assert tuple(ranks_counted(men, left, P, rulings) for left in (12, 13)) == ranks
        assert ranks_counted(men, 15, P, rulings) == 3
        assert ranks_counted(men, 2, P, rulings) == 1
        assert ranks_counted(unit("30 Human B + 6 ranks"), 30, P, rulings) == 4


class TestRulesOfTheGround:
    @pytest.mark.parametrize(
        ("terrain", "close", "open_order"),
        [
            ("wood", True, False),
            ("jungle", True, True),
            ("swamp", True, True),
            ("fen", True, False),
            ("ford", True, True),
            ("scrub", False, False),
            ("clear", False, False),
            ("wall", False, False),
            ("building", False, False),
        ],
    )
    def test_s19_f33_who_is_disordered_by_a_charge(self, terrain, close, open_order):
        assert disordered_by_charge(unit("Human B"), T[terrain], R) == close
        assert disordered_by_charge(unit("Human B + open order"), T[terrain], R) == open_order

    def test_a4_jungle_and_swamp_like_woods(self):
        other = WarlordRulings(dense_any=False)
        loose = unit("Human B + open order")
        assert [disordered_by_charge(loose, T[t], other) for t in ("jungle", "swamp", "ford")] == [False, False, True]

    def test_f34_f35_where_pikes_serve(self):
        pikes, spare = unit("Human B + pike"), unit("Human B + pike + second sword")
        for name in ("wood", "jungle", "swamp", "building"):
            assert weapon_in(pikes, T[name]).id == "improvised"
            assert weapon_in(spare, T[name]).id == "sword"
        for name in ("clear", "scrub", "bog", "wall"):
            assert weapon_in(pikes, T[name]).id == "pike"
        assert weapon_in(pikes, T["fen"], moved=False).id == "pike"
        assert weapon_in(spare, T["fen"], moved=True).id == "sword"
        assert weapon_in(spare, T["clear"], enemy_in_building=True).id == "sword"
        assert weapon_in(unit("Human B + spear"), T["wood"]).id == "spear"

    def test_f56_fire_fighters_are_disordered_and_open_to_the_flank_modifier(self):
        men, foe = unit("Human B + spear"), unit("western orc B")
        busy = Stance(fights_fire=True)
        assert dict(percentages(men, foe, busy, Stance(), 20, P, R))["disordered"] == -5
        assert dict(percentages(foe, men, Stance(), busy, 20, P, R))["attacks a flank"] == 5
        # It is the modifier alone: they still fight with all their ranks.
        assert strike(men, foe, busy, Stance(), 20, 20, P, R).figures == 20

    def test_a15_cover_lowers_the_enemy_or_raises_oneself(self):
        men, foe = unit("Human B + spear"), unit("western orc B")
        covered = Stance(cover="heavy")
        assert dict(percentages(foe, men, Stance(), covered, 20, P, R))["enemy in heavy cover"] == -6
        own = WarlordRulings(cover_acts_on="own")
        assert dict(percentages(men, foe, covered, Stance(), 20, P, own))["heavy cover"] == 6
        assert "enemy in heavy cover" not in dict(percentages(foe, men, Stance(), covered, 20, P, own))


class TestExchange:
    def test_both_roll_at_once_and_at_most_four_pairs_come_out(self):
        both = Exchange(Casualties(260, 20), Casualties(80, 10))
        law = both.law()
        assert sum(law.values()) == 1
        assert law[3, 1] == F(3, 5) * F(4, 5)
        counted = enumerate_outcomes(both)
        assert counted.total == 10_000
        assert F(int(counted.count("3,1")), 10_000) == law[3, 1]

    def test_swapping_sides_swaps_the_law(self):
        one, two = Casualties(130, 5), Casualties(270, 4)
        assert {(y, x): p for (x, y), p in Exchange(one, two).law().items()} == Exchange(two, one).law()


@given(
    st.sampled_from(["Human B + spear", "dwarf A + polearm + chain", "western goblin C + shield"]), st.integers(1, 20)
)
def test_notation_round_trips(text, figures):
    one = Unit.parse(f"{figures} {text}")
    assert Unit.parse(str(one)) == one


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("20 hobbit B", "Unknown race 'hobbit'"),
        ("20 Human B + lance", "Unknown part of a unit 'lance'"),
        ("0 Human B", "1 to 100 figures"),
        ("20 Human B + 21 ranks", "1 to 20 ranks"),
        ("20 Human B + spear + sword", "second weapon"),
        ("hill troll B + mounted", "no cavalry"),
        ("dwarf B + open order", "open order"),
    ],
)
def test_a_unit_that_cannot_be(text, message):
    with pytest.raises(InputError, match=message):
        Unit.parse(text)
