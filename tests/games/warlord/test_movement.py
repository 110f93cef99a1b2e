"""Movement: the printed examples, each feature of the chapter, and properties."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError
from ftsim.games.warlord.movement import Feature, Mover, Path, allowance, halts_at, march, one_turn, turns_to_clear
from ftsim.games.warlord.occupation import order_test_needed, way_out
from ftsim.games.warlord.path_picture import path_drawing
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.profiles import Profiles, Value
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit

P, R = shipped(), WarlordRulings()
ONLY_DIVISOR = WarlordRulings(ford_cost="divisor")
ONLY_SURCHARGE = WarlordRulings(cost_model="surcharge")


def walk(path, race, move, depth, turns=1, rulings=R, profiles=P, **more):
    return march(Path.parse(path), Mover(race, F(move), F(depth), **more), profiles, rulings, turns=turns)


class TestPrintedExamples:
    def test_s1_archers_cross_a_river_bed(self):
        (turn,) = walk("1 clear + 5 broken + 30 clear", "human", 20, 4).turns
        assert [leg.spent for leg in turn.legs] == [1, 18, 1]
        assert (turn.front, turn.spent, turn.left) == (11, 20, 0)
        cleared = 1 + 5 + 4
        assert turn.front - cleared == 1

    def test_s1_with_the_formula_of_the_ford_would_leave_five_and_a_half(self):
        (turn,) = walk("1 clear + 5 broken + 30 clear", "human", 20, 4, rulings=ONLY_SURCHARGE).turns
        assert turn.legs[1].spent == F(27, 2)
        assert turn.legs[2].spent == F(11, 2)

    def test_s2_wood_elves_cross_a_ford(self):
        (turn,) = walk("3 clear + 8 ford + 40 clear", "wood_elf", 24, 2).turns
        assert [leg.spent for leg in turn.legs] == [3, F(25, 2), F(17, 2)]
        assert turn.front == F(43, 2)

    def test_s2_with_the_formula_of_the_others_would_leave_7_667(self):
        (turn,) = walk("3 clear + 8 ford + 40 clear", "wood_elf", 24, 2, rulings=ONLY_DIVISOR).turns
        assert [leg.spent for leg in turn.legs] == [3, F(40, 3), F(23, 3)]

    def test_s3_a_steep_wooded_hill_leaves_a_quarter(self):
        (turn,) = walk("40 steep hill & wood", "human", 18, 2).turns
        assert (turn.front, turn.legs[0].rate) == (F(9, 2), 4)
        (other,) = walk("40 steep hill & wood", "human", 18, 2, rulings=ONLY_SURCHARGE).turns
        assert other.front == 8

    @pytest.mark.parametrize("depth", [2, 4, 6, 12])
    def test_s4_orcs_go_nine_beyond_the_wall_whatever_their_depth(self, depth):
        (turn,) = walk("2 clear + wall + 40 clear", "orc", 20, depth).turns
        assert turn.front == 11

    @pytest.mark.parametrize(("depth", "beyond"), [(2, 16), (4, 14), (6, 12), (9, 9), (12, 9)])
    def test_s4_under_the_area_rule(self, depth, beyond):
        (turn,) = walk(
            "2 clear + wall + 40 clear", "orc", 20, depth, rulings=WarlordRulings(linear_mode="clear_depth")
        ).turns
        assert turn.front - 2 == beyond

    def test_s5_goblins_in_a_marsh_over_two_turns(self):
        gone = walk("5 clear + 40 bog", "goblin", 22, 4, turns=2)
        assert [turn.front for turn in gone.turns] == [F(27, 2), F(49, 2)]
        assert gone.turns[0].front - 5 == F(17, 2)
        assert gone.turns[1].front - gone.turns[0].front == 11
        assert gone.turns[0].inside == ("Bog",)

    @pytest.mark.parametrize(("race", "front"), [("human", 10), ("wood_elf", 15)])
    def test_s6_races_differ_in_woods(self, race, front):
        assert walk("60 wood", race, 20, 2).front == front

    def test_s7_a_column_on_a_road_finds_everything_clear_but_fords(self):
        for terrain in ("wood", "swamp", "bog", "cliff", "steep hill", "broken"):
            assert walk(f"60 {terrain} & road", "human", 20, 8, column=True).front == 20
        assert walk("60 ford & road", "wood_elf", 20, 8, column=True).front == 16
        assert walk("60 wood & road", "human", 20, 8).front == 10

    @pytest.mark.parametrize(
        ("terrain", "front"), [("jungle", 5), ("fen", 5), ("swamp", 5), ("bog", 10), ("mire", 10)]
    )
    def test_s8_composite_terrain(self, terrain, front):
        assert walk(f"60 {terrain}", "human", 20, 2).front == front

    def test_w1_move_and_fire_comes_off_before_scrub(self):
        unit = Unit.parse("20 goblin C + sword + short bow + chain")
        assert allowance(unit, P, R) == 20
        assert allowance(unit, P, R, fires=True) == 10
        path, mover = Path.parse("40 scrub"), Mover.of(unit, P, R, fires=True)
        assert march(path, mover, P, R).front == 5


class TestFeatures:
    def test_f1_the_table_gives_a_share_by_race_and_terrain_with_a_default(self):
        assert P.terrain_loss("wood_elf", "wood", False) == F(1, 4)
        assert P.terrain_loss("dwarf", "wood", False) == F(1, 2)
        assert P.terrain_loss("human", "wood", True) == F(3, 4)
        assert P.terrain_loss("human", "wall", True) is None

    def test_f3_the_penalty_runs_for_width_and_depth(self):
        for depth in (2, 4, 10):
            (turn,) = walk("3 clear + 2 broken + 90 clear", "human", 60, depth).turns
            assert turn.legs[1].end - turn.legs[1].start == 2 + depth

    def test_f4_the_product_over_all_features_touched(self):
        gone = walk("4 wood + 1 clear + 40 scrub", "human", 100, 6)
        assert [leg.rate for leg in gone.turns[0].legs] == [2, 4, 2]

    def test_f4_two_features_of_a_kind_count_once_under_the_other_ruling(self):
        path = "4 wood + 1 clear + 40 wood"
        assert [leg.rate for leg in walk(path, "human", 100, 6).turns[0].legs] == [2, 4, 2]
        kinds = WarlordRulings(overlap="kinds")
        assert {leg.rate for leg in walk(path, "human", 100, 6, rulings=kinds).turns[0].legs} == {2}

    def test_terrain_that_goes_on_is_one_feature(self):
        assert len(Path.parse("4 wood + 5 wood & steep hill + 3 wood").features) == 2

    def test_f5_f6_straddling_goes_on_at_the_reduced_rate_next_turn(self):
        gone = walk("2 clear + wall + 60 clear", "orc", 10, 12, turns=3)
        assert gone.turns[0].front == 6
        # Turn 2 begins with the rear 6 cm before the wall: all of its 8 cm to go cost double.
        assert gone.turns[1].front == 11
        assert [leg.rate for leg in gone.turns[2].legs] == [2, 1]
        assert gone.turns[2].front == 14 + 10 - 6
        assert gone.turns[0].inside == ("Wall",)
        assert gone.turns[2].inside == ()

    def test_f7_only_steep_hills_and_only_uphill(self):
        assert walk("60 gentle slope", "human", 20, 2).front == 20
        assert walk("60 steep hill down", "human", 20, 2).front == 20
        assert walk("60 steep hill", "human", 20, 2).front == 10

    def test_f9_stairs_and_the_inside_of_buildings_are_broken_ground(self):
        for name in ("stairs", "rubble", "building"):
            assert walk(f"60 {name}", "human", 20, 2).front == 10

    def test_f10_bridges_are_free_but_formations_may_have_to_narrow(self):
        assert walk("6 river & bridge 10 + 60 clear", "human", 20, 2, width=F(8)).front == 20
        (turn,) = walk("6 clear + 6 river & bridge 6 + 60 clear", "human", 20, 2, width=F(8)).turns
        assert turn.front == 6
        assert "must narrow" in turn.stopped

    def test_f11_impassable_for_all_and_for_some(self):
        for name in ("cliff", "river", "chasm", "canal"):
            (turn,) = walk(f"7 clear + 5 {name}", "human", 20, 2).turns
            assert (turn.front, turn.left, turn.stopped) == (7, 13, f"impassable: {name}")
        (turn,) = walk("7 clear + wall + 9 clear", "human", 20, 4, mounted=True).turns
        assert (turn.front, turn.stopped) == (7, "impassable: wall")

    def test_f12_fliers_pass_everything_and_swimmers_rivers(self):
        assert walk("5 cliff + 40 swamp", "human", 20, 2, how="flight").front == 20
        assert walk("40 river", "hill_troll", 22, 4, how="swim").front == F(44, 3)
        assert walk("40 river", "hill_troll", 22, 4, how="swim", rulings=WarlordRulings(swimming="free")).front == 22
        assert walk("40 cliff", "hill_troll", 22, 4, how="swim").front == 0
        with pytest.raises(InputError, match="cannot swim"):
            Mover.of(Unit.parse("Human B"), P, R, how="swim")
        assert Mover.of(Unit.parse("Hill troll B"), P, R, how="swim").how == "swim"

    def test_f13_a_column_on_a_road_takes_no_order_test_unless_it_leaves_without_a_commander(self):
        assert not order_test_needed(column=True, on_road=True, leaves_road=False, commanded=False)
        assert order_test_needed(column=True, on_road=True, leaves_road=True, commanded=False)
        assert not order_test_needed(column=True, on_road=True, leaves_road=True, commanded=True)
        assert order_test_needed(column=False, on_road=True, leaves_road=False, commanded=False)

    def test_f13_only_a_deep_formation_is_a_column(self):
        with pytest.raises(InputError, match="column"):
            Mover.of(Unit.parse("20 Human B + 2 ranks"), P, R, column=True)
        assert Mover.of(Unit.parse("20 Human B + 5 ranks"), P, R, column=True).depth == 10

    def test_f16_routing_out_of_a_building_is_broken_ground_and_a_wall(self):
        gone = march(way_out(F(2), F(40)), Mover("human", F(20), F(2)), P, R)
        assert [(leg.spent, leg.rate) for leg in gone.turns[0].legs] == [(16, 4), (4, 1)]
        assert gone.front == 8

    def test_moves_of_other_kinds(self):
        unit = Unit.parse("20 Human B + short bow + open order")
        assert allowance(unit, P, R) == 21 * F(5, 4)
        assert allowance(unit, P, WarlordRulings(open_order_bonus="0")) == 21
        assert allowance(unit, P, R, action="evade") == 21 * F(5, 4) * F(3, 2)
        with pytest.raises(InputError, match="open order"):
            allowance(Unit.parse("20 Human B"), P, R, action="evade")
        with pytest.raises(InputError, match="column and 50 cm"):
            allowance(unit, P, R, action="double", column=True, nearest_enemy=F(49))
        assert allowance(unit, P, R, action="double", column=True, nearest_enemy=F(50)) == 2 * 21 * F(5, 4)
        with pytest.raises(InputError, match="Nobody shoots in a charge"):
            allowance(unit, P, R, action="charge", fires=True)
        riders = Unit.parse("10 Human B + short bow + mounted")
        assert allowance(riders, P, R, fires=True) == allowance(riders, P, R) == 32

    def test_a_normal_move_halts_5_cm_before_an_enemy_and_a_charge_makes_contact(self):
        assert (halts_at(F(12), "normal"), halts_at(F(12), "charge"), halts_at(F(3), "normal")) == (7, 12, 0)
        mover = Mover("human", F(20), F(4))
        (turn,) = march(Path.parse("40 clear"), mover, P, R, goal=halts_at(F(12), "normal")).turns
        assert (turn.front, turn.left, turn.stopped) == (7, 13, "before the enemy")

    def test_a_double_move_of_a_column(self):
        column = Unit.parse("20 Human B + 5 ranks")
        mover = Mover.of(column, P, R, action="double", column=True, nearest_enemy=F(60))
        assert mover.move == 42

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("5 lava", "kind of terrain 'lava'"),
            ("wood", "needs a length"),
            ("5 wall", "no length"),
            ("-4 wood", "above 0"),
            ("3 wood + ", "empty"),
            ("3 wood 4", "only a road"),
        ],
    )
    def test_a_path_that_cannot_be_used(self, text, message):
        with pytest.raises(InputError, match=message):
            Path.parse(text)

    def test_a_negative_depth_is_refused(self):
        with pytest.raises(InputError, match="depth above 0"):
            Mover("human", F(20), F(-2))


AREAS = ["wood", "scrub", "broken", "bog", "fen", "swamp", "jungle", "ford", "steep_hill", "wall", "hedge", "fence"]


@st.composite
def paths(draw):
    features = [
        Feature(
            terrains()[draw(st.sampled_from(AREAS))],
            F(draw(st.integers(0, 120)), 4),
            F(draw(st.integers(1, 60)), 4),
        )
        for _ in range(draw(st.integers(0, 5)))
    ]
    features = [Feature(f.terrain, f.start, F(0)) if f.linear else f for f in features]
    return Path(tuple(sorted(features, key=lambda f: f.start)), F(60))


movers = st.builds(
    Mover,
    race=st.sampled_from(["human", "wood_elf", "goblin", "orc"]),
    move=st.integers(4, 120).map(lambda n: F(n, 4)),
    depth=st.integers(1, 40).map(lambda n: F(n, 4)),
)


class TestProperties:
    @settings(max_examples=60, deadline=None)
    @given(paths(), movers)
    def test_what_is_spent_and_left_is_the_allowance_and_legs_join_up(self, path, mover):
        gone = march(path, mover, P, R, turns=4)
        place = F(0)
        for turn in gone.turns:
            assert turn.spent + turn.left == mover.move
            for leg in turn.legs:
                assert leg.start == place
                assert leg.rate >= 1
                place = leg.end
            assert place == turn.front

    @settings(max_examples=40, deadline=None)
    @given(paths(), movers, st.integers(1, 20))
    def test_more_allowance_never_goes_less_far_and_more_depth_never_farther(self, path, mover, more):
        here = one_turn(path, mover, F(0), P, R).front
        faster = Mover(mover.race, mover.move + more, mover.depth)
        deeper = Mover(mover.race, mover.move, mover.depth + more)
        assert one_turn(path, faster, F(0), P, R).front >= here
        assert one_turn(path, deeper, F(0), P, R).front <= here

    @settings(max_examples=40, deadline=None)
    @given(paths(), movers)
    def test_a_higher_loss_never_helps(self, path, mover):
        worse = Profiles("worse", {**P.values, f"terrain_loss.{mover.race}.wood": Value(F(3, 4), "assumed", "loss")})
        assert one_turn(path, mover, F(0), worse, R).front <= one_turn(path, mover, F(0), P, R).front

    @settings(max_examples=40, deadline=None)
    @given(
        paths(),
        movers,
        st.sampled_from([R, ONLY_SURCHARGE, WarlordRulings(linear_mode="clear_depth", overlap="kinds")]),
    )
    def test_the_kernel_is_where_the_fractions_are(self, path, mover, rulings):
        from ftsim.games.warlord.march_kernel import Tracks

        tracks = Tracks.of([(path, mover)], P, rulings)
        for turns in (1, 3):
            fronts, _ = tracks.march(rulings, turns)
            assert fronts[0] == pytest.approx(float(march(path, mover, P, rulings, turns=turns).front), abs=1e-6)
        exact = turns_to_clear(path, mover, P, rulings, limit=30)
        _, used = tracks.march(rulings, 30)
        assert used[0] == pytest.approx(float("nan") if exact is None else float(exact), abs=1e-6, nan_ok=True)


def test_the_picture_is_in_the_colour_of_the_text_and_says_what_it_shows():
    gone = walk("5 clear + 40 bog + wall + 9 clear", "goblin", 22, 4, turns=3)
    drawing = path_drawing(gone, "path", "Goblins in a marsh")
    assert drawing.svg.startswith("<svg")
    assert "currentColor" in drawing.svg
    assert "#" not in drawing.svg
    assert "turn 1: 13.5 cm" in drawing.svg
    assert "Bog from 5 to 45 cm, Wall at 45 cm. turn 1: front at 13.5 cm" in drawing.description
