"""Buildings: going in, being in, coming out; pulling down; and who sees whom."""

from __future__ import annotations

import csv
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.estimates import z_bound
from ftsim.games.warlord.demolition import blows, can_demolish, demolish, magic, opening, structures
from ftsim.games.warlord.fire import burnt
from ftsim.games.warlord.occupation import (
    capacity,
    enter,
    in_linear_cover,
    leave,
    man_obstacle,
    may_assault,
    occupy,
)
from ftsim.games.warlord.procedure import Casualties
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit
from ftsim.games.warlord.visibility import Hiding, Observer, may_shoot_out, sight

P, R, T = shipped(), WarlordRulings(), terrains()
MEN, PIKES = Unit.parse("20 Human B + spear"), Unit.parse("20 Human B + pike + second sword")


class TestGoingInAndOut:
    def test_f14_a_gateway_is_free_but_may_be_narrow(self):
        entry = enter(MEN, "gateway", F(0), "move", width=F(20), gate=F(6))
        assert (entry.allowed, entry.whole_move, entry.must_narrow) == (True, False, True)
        assert not enter(MEN, "gateway", F(0), "move", width=F(6), gate=F(6)).must_narrow

    @pytest.mark.parametrize("way", ["window", "door"])
    def test_f14_f15_windows_and_doors_take_the_order_5_cm_and_the_whole_move(self, way):
        entry = enter(MEN, way, F(5), "break_formation", width=F(20))
        assert (entry.allowed, entry.whole_move) == (True, True)
        assert "5 cm" in enter(MEN, way, F(6), "break_formation", width=F(20)).reason
        assert "Break Formation" in enter(MEN, way, F(2), "move", width=F(20)).reason

    def test_f25_manning_an_obstacle(self):
        assert man_obstacle(F(0), "move", in_line=True).allowed
        assert man_obstacle(F(5), "break_formation", in_line=False).whole_move
        assert not man_obstacle(F(6), "break_formation", in_line=False).allowed
        assert not man_obstacle(F(1), "move", in_line=True).allowed
        assert [in_linear_cover(True, rank) for rank in (1, 2, 3)] == [True, True, False]
        assert not in_linear_cover(False, 1)

    def test_f41_who_fits(self):
        assert capacity(F(100), F(4)) == 25
        assert occupy(MEN, 12).inside == 12
        assert occupy(Unit.parse("5 hill troll B"), 12).inside == 5
        with pytest.raises(InputError, match="only foot of troll size"):
            occupy(Unit.parse("5 Human B + mounted"), 12)
        with pytest.raises(InputError, match="only foot of troll size"):
            occupy(Unit.parse("1 giant B"), 12)
        assert not enter(Unit.parse("1 giant B"), "gateway", F(0), "move", width=F(2)).allowed

    def test_f40_units_half_inside(self):
        assert not occupy(MEN, 12).disordered
        lost = occupy(MEN, 12, outside_touch=False)
        assert lost.split
        assert lost.disordered
        assert not occupy(MEN, 30, outside_touch=False).disordered
        assert lost.flees(True, False)
        assert lost.flees(False, True)
        assert not lost.flees(False, False)

    def test_f36_pikes_are_stacked_and_lost_unless_by_break_formation(self):
        inside = occupy(PIKES, 20)
        assert inside.pikes_stacked
        back, disordered = leave(inside, "break_formation")
        assert (back.weapon.id, disordered) == ("pike", False)
        for how in ("rout", "evade", "retire", "pushback"):
            gone, _ = leave(inside, how)
            assert (gone.weapon.id, gone.secondary) == ("sword", None)
        assert leave(occupy(Unit.parse("Human B + pike"), 20), "rout")[0].weapon.id == "improvised"

    def test_f39_pushed_out_is_disordered(self):
        assert leave(occupy(MEN, 20), "pushback")[1]
        assert not leave(occupy(MEN, 20), "rout")[1]
        with pytest.raises(InputError, match="Unknown way out"):
            leave(occupy(MEN, 20), "fly")

    def test_f38_assault_needs_contact_with_an_opening(self):
        assert may_assault(MEN, touches_opening=True)
        assert not may_assault(MEN, touches_opening=False)
        assert not may_assault(Unit.parse("5 Human B + mounted"), touches_opening=True)


class TestPullingDown:
    def test_f42_every_part_has_its_own_dice(self):
        for part in structures().values():
            assert sum(part.chances(P).values()) == 1
        assert {s.part for s in structures().values()} == {"door", "wall", "roof"}

    def test_f43_who_can(self):
        able = ["Human B + double-handed weapon", "dwarf B + polearm", "hill troll B", "ogre B", "giant B"]
        assert [can_demolish(Unit.parse(text)) for text in able] == [True] * 5
        assert not can_demolish(MEN)
        with pytest.raises(InputError, match="cannot harm a building"):
            blows(MEN, P, R)

    def test_f44_hits_are_found_as_casualties(self):
        axes = Unit.parse("10 dwarf B + double-handed weapon + 2 ranks")
        assert blows(axes, P, R) == Casualties((14 + 3 + 6) * 5)
        assert blows(axes, P, WarlordRulings(structure_armour="mail_plate")) == Casualties((14 + 3 - 4) * 5)
        assert blows(Unit.parse("10 dwarf B + polearm + 2 ranks"), P, R) == Casualties((14 + 1 + 6) * 10)

    def test_time_to_pull_down_is_exact(self):
        one = demolish(Casualties(100), {3: F(1)})
        assert one.mean_turns == pytest.approx(3)
        assert one.by_turn[:3] == [0, 0, 1]
        half = demolish(Casualties(50), {2: F(1)})
        assert half.mean_turns == pytest.approx(4)
        assert half.by_turn[1] == pytest.approx(1 / 4)
        assert demolish(Casualties(0), {2: F(1)}).mean_turns == np.inf

    def test_time_to_pull_down_sampled(self):
        rng, trials = np.random.default_rng(2), 4000
        dice = structures()["wood_wall"].dice(P)
        exact = demolish(Casualties(170), dice.chances())
        down = 0
        for _ in range(trials):
            left = int(rng.integers(1, 7, 3).sum())
            for _ in range(5):
                left -= 1 + int(rng.integers(1, 101) <= 70)
            down += left <= 0
        p = exact.by_turn[4]
        assert abs(down - trials * p) <= z_bound(1) * (trials * p * (1 - p)) ** 0.5

    def test_f45_collapse_or_breach(self):
        axes = Unit.parse("10 dwarf B + double-handed weapon")
        wall, door = structures()["wood_wall"], structures()["door"]
        assert opening(door, axes, P) == "destroyed"
        assert opening(wall, axes, P) == opening(wall, None, P) == "collapsed"
        assert opening(structures()["thatch_roof"], Unit.parse("hill troll B"), P) == "a breach of 2 cm"

    def test_f46_f47_f48_spells_as_the_chapter_gives_them(self):
        text = (Path(__file__).parent / "transcription" / "figures.csv").read_text(encoding="utf-8")
        rows = [
            r
            for r in csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
            if r["kind"] == "spell"
        ]
        for row in rows:
            spell, value = magic()[row["who"]], row["value"]
            if row["what"] == "puts_out":
                assert spell.puts_out == value
            elif value.startswith("burns"):
                assert (spell.fire, spell.hits) == ("magical", "automatic")
                assert burnt(1, True) == int(value.split()[1])
            elif value == "ignites":
                assert (spell.fire, spell.hits) == ("ordinary", "roll")
            else:
                assert spell.damage == value
        assert len(rows) == len(magic())

    def test_f46_chances_to_bring_down_at_once(self):
        assert magic()["earth_tremor"].breaks(4) == F(1, 2)
        assert magic()["whirlwind"].breaks(7) == F(21, 36)
        assert magic()["minor_earthquake"].breaks(3) == 1
        assert magic()["tornado"].breaks(30) == 1
        assert magic()["fire_ball"].breaks(1) == 0

    def test_f48_what_catches_fire(self):
        wood, stone = structures()["wood_wall"], structures()["stone_wall"]
        assert magic()["fire_ball"].ignites(wood, hit=False)
        assert not magic()["fire_ball"].ignites(stone)
        assert magic()["blades_of_fire"].ignites(wood)
        assert not magic()["blades_of_fire"].ignites(wood, hit=False)
        assert not magic()["earth_tremor"].ignites(wood)


class TestSight:
    far, near = Observer(F(40)), Observer(F(5))

    def test_f17_behind_a_crest(self):
        for name in ("steep_hill", "gentle_slope"):
            hidden = sight(Hiding(T[name], "behind"), self.near, R)
            assert (hidden.seen, hidden.on_table) == (False, False)
            assert sight(Hiding(T[name], "behind"), Observer(F(40), beyond=True), R).seen

    def test_f18_f19_inside_woods_5_cm_and_3_in_jungle(self):
        for name, reach in (("wood", 5), ("swamp", 5), ("jungle", 3)):
            assert sight(Hiding(T[name]), Observer(F(reach), inside=True), R).seen
            beyond = sight(Hiding(T[name]), Observer(F(reach) + F(1, 2), inside=True), R)
            assert (beyond.seen, beyond.on_table) == (False, True)
            assert not sight(Hiding(T[name]), self.far, R).on_table

    def test_f18_behind_woods(self):
        assert not sight(Hiding(T["wood"], "behind"), self.far, R).seen
        assert sight(Hiding(T["wood"], "behind"), Observer(F(40), flying=True), R).seen

    def test_a5_who_has_shot_from_the_edge_is_seen(self):
        shown = Hiding(T["wood"], to_edge=F(4), shown=True)
        assert sight(shown, self.far, R).seen
        assert not sight(shown, self.far, WarlordRulings(sight_into_wood="near_only")).seen
        assert not sight(Hiding(T["wood"], to_edge=F(8), shown=True), self.far, R).seen
        assert may_shoot_out(shown)
        assert not may_shoot_out(Hiding(T["jungle"], to_edge=F(4)))
        assert may_shoot_out(Hiding(T["scrub"], to_edge=F(40)))

    def test_f20_fliers_see_behind_but_not_into_woods_and_roofed_buildings(self):
        flier = Observer(F(40), flying=True)
        for name in ("steep_hill", "wood", "building"):
            assert sight(Hiding(T[name], "behind"), flier, R).seen
        for name in ("wood", "jungle", "swamp", "building"):
            assert not sight(Hiding(T[name]), flier, R).seen

    def test_f21_f22_in_buildings(self):
        house = Hiding(T["building"])
        assert not sight(house, self.near, R).on_table
        assert sight(Hiding(T["building"], shown=True), self.far, R).seen
        assert sight(house, Observer(F(0), at_opening=True), R).seen
        assert sight(Hiding(T["building"], roof=False), Observer(F(40), flying=True), R).seen
        assert not sight(Hiding(T["building"], roof=False), self.far, R).seen

    def test_nothing_hides_in_scrub_bog_fen_and_broken_ground(self):
        for name in ("scrub", "bog", "fen", "broken", "clear", "ford"):
            assert sight(Hiding(T[name]), self.far, R).seen
            assert sight(Hiding(T[name], "behind"), self.far, R).seen
        with pytest.raises(InputError, match="Unknown position"):
            Hiding(T["wood"], "above")
