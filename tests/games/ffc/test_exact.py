"""The exact values that the rules were worked through with, as fractions."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.estimates import z_bound
from ftsim.games.ffc import chances
from ftsim.games.ffc.attack import Blow, attack, blow, blows, lost_by, sampled_attack
from ftsim.games.ffc.cards import warriors
from ftsim.games.ffc.duel import Duel, Turn, round_robin, sampled_duels
from ftsim.games.ffc.kit import Effects, Fighter, numbers
from ftsim.games.ffc.rulings import FfcRulings

USUAL = FfcRulings()
NO = Effects()
PLATED = "Knight + Long Sword + Plate Mail + Great Helm + Kite Shield"
PARTIALS = "Bear Skins + Hauberk + Greaves + Armbands + Breast Plate"


def strike(a: str, b: str, one: Effects = NO, other: Effects = NO, **rulings):
    decided = FfcRulings(**rulings)
    x, y = Fighter.parse(a), Fighter.parse(b)
    return attack(blows(x, y, one, other, decided), numbers(y, other, decided).hits)


def duel(a: str, b: str, one: Effects = NO, other: Effects = NO, **rulings):
    return Duel(Fighter.parse(a), Fighter.parse(b), one, other, FfcRulings(**rulings)).solve()


@pytest.mark.parametrize(
    ("a", "b", "cells"),
    [
        ("Orc + Long Sword", "Orc + Long Sword", {0: 144, **dict.fromkeys(range(3, 9), 12)}),
        ("Warrior + Long Sword", "Elf + Dagger", {0: 144, **dict.fromkeys(range(4, 10), 12)}),
        ("Elf + Dagger", "Warrior + Long Sword", {0: 126, **dict.fromkeys(range(1, 6), 18)}),
        ("Ogre + Battle Axe", PLATED, {0: 168, **dict.fromkeys(range(4, 10), 8)}),
        ("Wizard", "Orc + Long Sword + Leather", {0: 204, 1: 12}),
    ],
)
def test_cells_of_one_attack(a, b, cells):
    lost = strike(a, b).lost
    assert {n: p * 216 for n, p in lost.items()} == cells


@pytest.mark.parametrize(
    ("name", "a", "b", "one", "other", "rulings", "chance"),
    [
        ("H1", "Orc + Long Sword", "Orc + Long Sword", NO, NO, {}, F(1, 3)),
        ("H2", "Warrior + Long Sword", "Elf + Dagger", NO, NO, {}, F(1, 3)),
        ("H3", "Elf + Dagger", "Warrior + Long Sword", NO, NO, {}, F(1, 2)),
        ("H4", "Orc + Long Sword", "Goblin + Club", NO, NO, {}, 0),
        ("H5", "Orc + Long Sword", "Goblin + Whip", NO, NO, {}, F(1, 6)),
        ("H6", "Warrior + Long Sword", "Ogre", NO, NO, {}, 1),
        ("H8", "Orc + Short Bow", "Dwarf + Staff", NO, NO, {}, F(1, 3)),
        ("H9", "Elf + Long Bow", "Kobold + Club", Effects(back=True), NO, {}, F(1, 3)),
        ("H11", "Warrior + Long Sword", "Orc + Whip", Effects(cursed=True), NO, {}, F(1, 3)),
        ("H12", "Orc + Long Sword", "Orc + Long Sword", NO, Effects(wounds=1), {}, F(1, 2)),
        ("H13", "Orc + Long Sword", "Orc + Long Sword", NO, Effects(invisible=True), {}, 0),
        ("H13b", "Orc + Long Sword", "Orc + Long Sword", Effects(invisible=True), NO, {}, F(5, 6)),
        ("H15", "Orc + Long Sword", "Orc + Long Sword", NO, Effects(hasted=True), {}, F(1, 6)),
        ("H16", "Orc + Long Sword", "Orc", NO, NO, {}, F(1, 2)),
        ("H17", "Orc + Long Sword", "Goblin + Club", NO, NO, {"natural": "six_hits"}, F(1, 6)),
    ],
)
def test_chance_to_hit(name, a, b, one, other, rulings, chance):
    assert strike(a, b, one, other, **rulings).hit == chance


@pytest.mark.parametrize(
    ("name", "b", "other", "chance"),
    [
        ("S1", "Orc + Long Sword + Kite Shield", NO, F(1, 6)),
        ("S3", "Orc + Long Sword + Round Shield", NO, F(1, 6)),
        ("S4", "Orc + Great Sword + Kite Shield", NO, F(1, 2)),
        ("S6", "Orc + Long Sword + Kite Shield", Effects(cursed=True), F(5, 12)),
    ],
)
def test_chance_to_hit_past_the_shield(name, b, other, chance):
    assert strike("Orc + Long Sword", b, NO, other).landed == chance


@pytest.mark.parametrize(
    ("name", "a", "b", "one", "rulings", "kill", "mean"),
    [
        ("D1 D2", "Ogre + Battle Axe", PLATED, NO, {}, F(4, 27), F(13, 9)),
        ("D3", "Orc + Long Sword", "Goblin + Whip", NO, {}, F(5, 36), None),
        ("D5 D6", "Elf + Dagger", "Warrior + Long Sword", NO, {}, 0, F(5, 4)),
        ("D7", "Wizard", "Orc + Long Sword + Leather", NO, {}, None, F(1, 18)),
        ("D8", "Wizard", "Orc + Long Sword + Plate Mail", NO, {}, 0, 0),
        ("D9", "Elf + Long Bow", "Sorcerer + Club", Effects(back=True), {}, F(2, 3), None),
        ("D11", "Centaur + Compound Bow", "Orc + Club", NO, {}, None, F(17, 3)),
        ("D12", "Centaur + Heavy Crossbow", "Orc + Club", NO, {}, None, F(17, 3)),
        ("D12b", "Centaur + Heavy Crossbow", "Orc + Club", NO, {"bow_bonus": "missiles"}, None, F(19, 3)),
        ("D14", "Elf + Compound Bow", "Dwarf + Staff", NO, {}, F(1, 3), None),
        ("D15", "Orc + Long Sword", f"Knight + Long Sword + {PARTIALS} + Pot Helm", NO, {}, None, F(1, 6)),
        ("D16 D17", "Warrior + Long Sword + Spiked Mace", "Orc + Long Sword", NO, {}, F(22, 27), F(26, 3)),
        ("D16b", "Warrior + Long Sword", "Orc + Long Sword", NO, {}, F(5, 9), None),
        ("D18", "Orc + Long Sword", "Orc + Long Sword", Effects(cursed=True), {}, None, 0),
        ("D19", "Warrior + Long Sword", "Orc + Whip", Effects(cursed=True), {}, None, F(7, 6)),
        ("D20", "Orc + Long Sword", "Orc + Long Sword", Effects(wounds=1), {}, None, F(3, 4)),
        ("D20b", "Orc + Long Sword", "Orc + Long Sword", NO, {}, None, F(11, 6)),
        ("D22", "Orc", "Orc + Long Sword", NO, {}, None, F(5, 9)),
        ("P6", "Orc + Long Sword", "Orc + Long Sword", Effects(bloodlust=True), {}, F(1, 2), None),
        ("C5", "Orc + Short Bow", "Orc + Club + Leather", Effects(fly_true=1), {}, F(13, 36), None),
    ],
)
def test_damage_and_kills(name, a, b, one, rulings, kill, mean):
    found = strike(a, b, one, **rulings)
    if kill is not None:
        assert found.kill == kill
    if mean is not None:
        assert found.expected == mean


def test_choices_cards_and_spells():
    bow = strike("Elf + Long Bow", "Wizard", Effects(back=True)).expected
    front = strike("Elf + Long Bow", "Orc + Club", Effects(back=True)).expected
    assert (front, bow) == (F(11, 3), F(55, 12))
    assert chances.gamble(front, bow) == F(187, 72)  # G2
    mighty = strike("Orc + Long Sword", "Orc + Long Sword + Chain Mail", Effects(mighty_blows=1))
    assert sum(p for n, p in mighty.lost.items() if n >= 8) / mighty.landed == F(5, 18)  # C2
    x = Fighter.parse("Orc + Long Sword")
    one = blow(x, x, NO, NO, USUAL)
    assert attack([one, one], 5).kill == F(11, 27)  # C3
    assert [chances.at_least(2, n) for n in (10, 7, 4, 2)] == [F(1, 6), F(7, 12), F(11, 12), 1]  # P1
    assert chances.at_least(1, 3) == F(2, 3)  # P3
    assert chances.at_least(1, 5) == F(1, 3)
    assert chances.healed(5) == F(85, 18)  # P5


def test_two_bows_at_once():
    turn = Turn(Fighter.parse("Orc + Long Bow"), Fighter.parse("Elf + Long Bow"), NO, NO, USUAL)
    to_b, to_a = turn.fire
    dies_a = sum(p for n, p in to_a.items() if n >= 5)
    dies_b = sum(p for n, p in to_b.items() if n >= 4)
    assert (1 - dies_b) * dies_a / 2 + dies_a / 2 == F(85, 162)  # O2
    assert (1 - dies_a) * dies_b / 2 + dies_b / 2 == F(13, 162)


@pytest.mark.parametrize(
    ("name", "a", "b", "one", "rulings", "first"),
    [
        ("F1", "Orc + Whip", "Orc + Katar", NO, {}, F(1, 2)),
        ("F2", "Orc + Spear", "Orc + Long Sword", NO, {}, 1),
        ("F3", "Orc + Long Sword", "Orc + Maul", NO, {}, 0),
        ("F3b", "Orc + Long Sword", "Orc + Maul", NO, {"first_strike_tie": "coin"}, F(1, 4)),
        ("F5", "Kobold", "Orc", NO, {}, F(1, 2)),
        ("F6", "Orc + Long Sword", "Orc + Spiked Mace", NO, {}, 0),
        ("F6b", "Orc + Long Sword", "Orc + Spiked Mace", Effects(hasted=True), {}, 1),
    ],
)
def test_first_strike(name, a, b, one, rulings, first):
    turn = Turn(Fighter.parse(a), Fighter.parse(b), one, NO, FfcRulings(**rulings))
    assert turn.first_strike.get(1, 0) == first


def test_first_turn_and_doubling():
    x = Fighter.parse("Orc + Long Sword")
    turn = Turn(x, x, NO, NO, USUAL)
    assert sum(p for a, b, p in turn.outcomes(5, 5) if a == 0 or b == 0) == F(32, 81)  # N1
    one = blow(x, Fighter.parse("Barbarian + Long Sword"), NO, NO, USUAL)
    both = attack([one, one], 8)
    assert (both.kill, both.expected) == (F(31, 432), F(11, 6))  # U1


DUELS = [
    ("M1", "Orc + Long Sword", "Orc + Long Sword", F(1, 2), F(298, 125)),
    ("M2", "Warrior + Long Sword", "Elf + Dagger", F(5693399, 7086244), F(4478976, 1771561)),
    ("M3", "Half-Orc + Long Sword", "Orc + Long Sword", F(11, 20), F(639, 250)),
    ("M4", "Orc + Spiked Mace", "Orc + Long Sword", F(71, 125), F(298, 125)),
    ("M6", "Barbarian + Long Sword", "Knight + Long Sword", F(5, 6), F(47, 24)),
    ("M7", "Bugbear + Halberd", "Barbarian + Battle Axe", F(78, 125), F(553, 250)),
    ("M13", "Wizard", "Wizard", F(1, 2), F(64881, 16384)),
    ("M18", "Orc + Long Sword + Kite Shield", "Orc + Long Sword", F(83, 128), F(193, 64)),
    ("M19", "Orc + Long Sword + Great Helm", "Orc + Long Sword", F(1663, 3000), F(9637, 3750)),
    ("M21", "Warrior + Long Sword", "Ogre", F(131, 144), F(143, 72)),
    ("M22", "Orc + Spear", "Orc + Battle Axe", F(12, 25), F(51, 25)),
    ("M24", "Orc", "Orc", F(1, 2), F(129404379861, 25600000000)),
    ("X1", "Elf + Long Bow", "Orc + Long Sword", F(27415, 29791), None),
    ("X3", "Barbarian", "Orc + Long Sword", F(7201721, 10616832), None),
]


@pytest.mark.parametrize(("name", "a", "b", "wins", "rounds"), DUELS)
def test_duels_to_the_death(name, a, b, wins, rounds):
    found = duel(a, b)
    assert found.a == wins
    assert found.a + found.b + found.both + found.unresolved == 1
    if rounds is not None:
        assert found.rounds == rounds
    turned = duel(b, a)
    assert (turned.a, turned.b, turned.rounds) == (found.b, found.a, found.rounds)


def test_duels_that_are_special():
    endless = duel("Goblin + Club", "Goblin + Club")  # M8
    assert (endless.unresolved, endless.rounds) == (1, None)
    kobold = duel("Kobold + Club", "Ogre + Battle Axe", natural="six_hits")  # M11
    assert kobold.a == F(1476102338825455, 4128755508119552)
    assert float(kobold.rounds) == pytest.approx(4.04990, abs=5e-6)
    at_once = duel("Orc + Long Sword", "Orc + Long Sword", first_strike_tie="simultaneous")  # M14
    assert (at_once.a, at_once.b, at_once.both) == (F(54, 125), F(54, 125), F(17, 125))
    assert at_once.rounds == F(298, 125)
    hurt = duel("Orc + Long Sword", "Orc + Long Sword", Effects(hits=2))  # M15
    assert (hurt.a, hurt.rounds) == (F(2, 5), F(51, 25))


def test_round_robin_with_long_swords():
    expected = {
        "Bugbear": 0.867197, "Elf": 0.856340, "Barbarian": 0.793970, "Warrior": 0.778230, "Goblin": 0.640126,
        "Kobold": 0.635125, "Assassin": 0.606698, "Rogue": 0.603862, "Centaur": 0.601307, "Hobgoblin": 0.555500,
        "Dwarf": 0.505086, "Knight": 0.504099, "Ogre": 0.423127, "Bandit": 0.308644, "Half-Orc": 0.306103,
        "Orc": 0.274050, "Shaman": 0.274050, "Warlock": 0.247373, "Sorcerer": 0.166376, "Wizard": 0.052737,
    }  # fmt: skip
    found = round_robin("Long Sword")
    assert {name: round(float(p), 6) for name, p in found.items()} == expected
    assert sum(found.values()) == 10


def changed(**numbers_):
    """An Orc with a Long Sword whose printed numbers differ."""
    from dataclasses import replace

    orc = Fighter.parse("Orc + Long Sword")
    man = orc.warrior
    return replace(orc, warrior=replace(man, **{k: getattr(man, k) + v for k, v in numbers_.items()}))


@pytest.mark.parametrize(
    ("change", "wins"),
    [
        ({"hits": -4}, F(2, 5)), ({"hits": -3}, F(2, 5)), ({"hits": -2}, F(2, 5)), ({"hits": -1}, F(9, 20)),
        ({"hits": 1}, F(11, 20)), ({"hits": 2}, F(1813, 3000)), ({"hits": 3}, F(663, 1000)),
        ({"hits": 4}, F(363, 500)), ({"hits": 5}, F(16733, 22500)),
        ({"dam": -2}, F(251471, 675000)), ({"dam": -1}, F(1337, 3000)), ({"dam": 1}, F(11, 20)),
        ({"dam": 2}, F(3, 5)),
        ({"skill": -2}, 0), ({"skill": -1}, F(79, 256)), ({"skill": 1}, F(5, 8)), ({"skill": 2}, F(244, 343)),
        ({"dodge": -2}, F(99, 343)), ({"dodge": -1}, F(3, 8)), ({"dodge": 1}, F(177, 256)), ({"dodge": 2}, 1),
        ({"speed": 1}, F(71, 125)), ({"speed": 2}, F(71, 125)), ({"speed": -1}, F(54, 125)),
        ({"reach": 1}, F(71, 125)),
        ({"reach": -2}, F(54, 125)),
    ],
)  # fmt: skip
def test_one_change_on_one_of_two_orcs(change, wins):
    assert Duel(changed(**change), Fighter.parse("Orc + Long Sword")).solve().a == wins


@pytest.mark.parametrize(
    ("piece", "wins"),
    [
        ("Studded", F(194153, 337500)),
        ("Chain Mail", F(20810339, 30118144)),
        ("Target Shield", F(1357, 2197)),
        ("Round Shield", F(83, 128)),
        ("Kite Shield", F(83, 128)),
        ("Greaves", F(1663, 3000)),
        ("Leather", F(1663, 3000)),
    ],
)
def test_one_piece_of_armor_on_one_of_two_orcs(piece, wins):
    assert duel(f"Orc + Long Sword + {piece}", "Orc + Long Sword").a == wins


def test_decks_and_deals():
    assert chances.drawn(28, 4, 7) == F(46, 65)  # K2
    assert chances.both_hold(28, 2, 7) == F(7, 54)  # K4
    assert 2 * chances.drawn(28, 2, 7, 2) == F(1, 9)  # K5
    assert chances.together(20, 10) == F(9, 19)  # K7
    assert 1 - chances.drawn(28, 5, 14) == F(11, 540)  # K8
    assert chances.drawn(29, 2, 15, 2) + 0 == F(15, 58)
    assert chances.drawn(29, 2, 14, 2) == F(13, 58)  # K9
    assert chances.drawn(20, 2, 5) == F(17, 38)  # K10
    law = chances.total_of([w.spells for w in warriors().values()], 10)  # K12
    assert law[0] == law[15] == F(21, 1292)
    assert sum(p for n, p in law.items() if n >= 10) == F(94, 323)
    assert sum(n * p for n, p in law.items()) == F(15, 2)
    assert sum(law.values()) == 1


def test_how_many_matchups_are_impossible():
    skills = [w.skill for w in warriors().values()]
    dodges = [w.dodge for w in warriors().values()]
    for parry, count in ((0, 0), (1, 33), (2, 120)):
        found = [(i, j) for i, j in product(range(20), repeat=2) if 6 + skills[i] - dodges[j] - parry < 4]
        assert len(found) == count


def twin(part: Blow) -> dict[int, int]:
    """One blow as a beginner would enumerate it."""
    found: dict[int, int] = {}
    for faces in product(range(1, 7), repeat=2 + part.dice):
        natural_hit = part.natural & 1 and faces[0] == 6
        natural_miss = part.natural & 2 and faces[0] == 1
        hits = natural_hit or (faces[0] + part.modifier >= 4 and not natural_miss)
        lost = 0
        if hits and faces[1] > part.block:
            lost = max(sum(faces[2:]) + part.dam - part.armor, part.least)
        found[lost] = found.get(lost, 0) + 1
    return found


@settings(deadline=None, max_examples=60)  # a busy machine may take long over 1,296 cells
@given(
    st.integers(-7, 7), st.integers(0, 6), st.integers(-4, 9), st.integers(0, 11), st.integers(1, 2),
    st.integers(0, 3), st.integers(0, 1),
)  # fmt: skip
def test_every_blow_agrees_with_its_twin_and_more_skill_never_hurts(mod, block, dam, plate, dice, natural, least):
    part = Blow(mod, block, dam, plate, dice, natural, least)
    cells = part.faces.cells
    assert {n: p * cells for n, p in lost_by(part).items()} == twin(part)
    better = Blow(mod + 1, block, dam, plate, dice, natural, least)
    assert attack([better], 3).hit >= attack([part], 3).hit
    assert attack([better], 3).kill >= attack([part], 3).kill


def test_sampled_attacks_lie_within_their_bound():
    x, y = Fighter.parse("Ogre + Battle Axe"), Fighter.parse(PLATED)
    parts = blows(x, y, NO, NO, USUAL)
    exact, n = attack(parts, 6), 200_000
    found = sampled_attack(parts, 6, n, np.random.default_rng(5))
    for p, count in (
        (exact.hit, found["hit"][1]),
        (exact.landed, found["landed"][1]),
        (exact.kill, found["kill"][1]),
    ):
        assert abs(count / n - p) < z_bound(3) * float(p * (1 - p) / n) ** 0.5


@pytest.mark.parametrize(("name", "a", "b"), [(d[0], d[1], d[2]) for d in DUELS if d[0] in ("M2", "M7", "M18", "X1")])
def test_sampled_duels_lie_within_their_bound(name, a, b):
    exact, n = duel(a, b), 4000
    found = sampled_duels(Duel(Fighter.parse(a), Fighter.parse(b)), n, np.random.default_rng(3))
    assert abs(found["a"] / n - exact.a) < z_bound(4) * float(exact.a * (1 - exact.a) / n) ** 0.5


def test_throwing_uses_up_ammunition():
    thrower = duel("Bandit + Javelins", "Orc + Long Sword", Effects(throw=True))
    holder = duel("Bandit + Javelins", "Orc + Long Sword")
    assert thrower.a != holder.a
    assert thrower.a + thrower.b + thrower.both + thrower.unresolved == 1
