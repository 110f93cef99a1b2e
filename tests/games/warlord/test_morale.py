"""Morale, orders, rout, and points."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from ftsim.errors import InputError
from ftsim.games.warlord.morale import (
    Circumstances,
    MoraleTest,
    basic_value,
    caught,
    is_caught,
    loss_step,
    order_test,
    rallies,
    turns_aside,
)
from ftsim.games.warlord.points import Character, character_types, creatures
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.units import CLASSES, Unit, point_rows
from ftsim.trials import enumerate_outcomes

P, R = shipped(), WarlordRulings()


class TestMorale:
    @pytest.mark.parametrize(("left", "step"), [(20, 0), (19, 0), (18, 1), (17, 1), (16, 2), (1, 9), (0, 10)])
    def test_losses_in_full_tens_of_per_cent(self, left, step):
        assert loss_step(20, left) == step

    def test_w6_three_of_twenty_lost(self):
        step = loss_step(20, 17)
        assert step == 1
        value = basic_value("C", step, P)
        assert value == 8
        assert {int(value) + d4 for d4 in (1, 2, 3, 4)} == {9, 10, 11, 12}

    def test_each_further_ten_per_cent_takes_one(self):
        assert [basic_value("A", step, P) for step in range(5)] == [10, 10, 9, 8, 7]

    def test_g3_result_by_every_face(self):
        counts = {
            value: enumerate_outcomes(MoraleTest.of(F(value), P)).counts.tolist() for value in (2, 4, 6, 8, 10, 13)
        }
        assert counts == {
            2: [4, 0, 0, 0], 4: [2, 2, 0, 0], 6: [0, 2, 2, 0], 8: [0, 0, 4, 0], 10: [0, 0, 4, 0], 13: [0, 0, 1, 3],
        }  # fmt: skip

    def test_modifiers_add_up(self):
        state = Circumstances(
            free_enemies=2, hated_foe=True, attacked_in="rear", enemy_double=True, character_killed=True, magic=True,
            cover="heavy", leader=3,
        )  # fmt: skip
        assert state.modifier(P) == 3 - 2 + 1 - 3 - 2 - 2 - 1 + 2
        assert Circumstances(enemy_half=True, attacked_in="flank").modifier(P) == 1 - 2

    def test_higher_value_is_never_worse(self):
        last = [4, 0, 0, 0]
        for value in range(0, 16):
            counts = enumerate_outcomes(MoraleTest.of(F(value), P)).counts.tolist()
            assert all(sum(counts[:k]) <= sum(last[:k]) for k in range(5))
            last = counts

    def test_bad_input(self):
        with pytest.raises(InputError, match="accepted: A, B, C"):
            basic_value("D", 1, P)
        with pytest.raises(InputError, match="cannot have"):
            loss_step(20, 21)


class TestRout:
    def test_g4_caught_routers_lose_one_each_and_do_not_strike(self):
        assert caught(12, 5) == 5
        assert caught(3, 5) == 3
        assert is_caught(F(27), F(27))
        assert not is_caught(F(30), F(27))
        assert not is_caught(F(27), F(27), F(1))

    def test_g4_gaps_and_sides(self):
        assert turns_aside(F(3), 1) == "through"
        assert [turns_aside(F(2), d6) for d6 in range(1, 7)] == ["right"] * 3 + ["left"] * 3
        with pytest.raises(InputError, match="1 to 6"):
            turns_aside(F(2), 7)

    def test_g4_rally(self):
        assert [rallies(r) for r in ("rout", "retire", "carry_on", "uncontrolled_advance")] == [
            False,
            False,
            True,
            True,
        ]

    def test_g5_order_test(self):
        assert order_test("A", P) == F(85, 100)
        assert order_test("C", P, modifier=10) == F(45, 100)
        assert order_test("C", P, exempt=True) == 1
        assert order_test("A", P, modifier=-50) == 1


class TestPoints:
    def test_w8_the_worked_hero(self):
        hero = Character.parse("Human warrior hero + CF 4 + MF 5 + combat 55 + 3 skills")
        assert [points for _, points in hero.lines(P)] == [110, 80, 200, 55, 45]
        assert hero.points(P) == 490
        armed = Character.parse(
            "Human warrior hero + CF 4 + MF 5 + combat 55 + 3 skills + spear + sword + mail and plate + shield"
        )
        assert armed.points(P) == 513

    def test_kinds_and_levels(self):
        assert Character.parse("Human magic-user + 2 skills + master").points(P) == 330 + 40 + 500
        assert Character.parse("high elf warrior priest + major + mounted").points(P) == 225 + 100
        with pytest.raises(InputError, match="not public"):
            Character.parse("Human thief + master").points(P)
        with pytest.raises(InputError, match="Unknown part of a character 'rope'"):
            Character.parse("Human thief + rope")
        assert len(character_types()) == 5

    @pytest.mark.parametrize(
        ("text", "points"),
        [
            ("1 western orc B + spear + shield", 30),
            ("1 Human B + spear + shield", 34),
            ("1 dwarf B + spear + shield", 34),
            ("20 western goblin A + spear + chain + shield", 20 * (26 + 7 + 6 + 2)),
            ("10 Human C + sword + mounted", 10 * 30),
        ],
    )
    def test_g6_units(self, text, points):
        assert Unit.parse(text).points(P) == points

    def test_every_race_rises_with_class_and_horses_cost(self):
        rows = point_rows()
        for (race, rank, mounted), points in rows.items():
            if rank in CLASSES and rank != "A":
                better = CLASSES[CLASSES.index(rank) - 1]
                assert rows[race, better, mounted] > points
            if mounted:
                assert points > rows[race, rank, False]
        assert len({race for race, _, _ in rows}) == 11

    def test_class_premiums_are_nearly_the_same_for_all_races(self):
        rows = point_rows()
        foot = {race for race, _, _ in rows} - {"giant"}
        assert {rows[r, "B", False] - rows[r, "C", False] for r in foot} == {4, 5, 6}
        assert {rows[r, "A", False] - rows[r, "B", False] for r in foot} <= {5, 6, 7, 8}

    def test_creatures(self):
        assert len(creatures()) == 24
        assert creatures().find("griffin").points == 216
        assert sum(c.rideable for c in creatures().values()) == 4
