"""Alternatives of rulings, each on a position where it changes what it is about and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim._typing import IntArray
from ftsim.estimates import z_bound
from ftsim.games.ffc.attack import attack, blows
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.answers import caster_of
from ftsim.games.ffc.battle.choices import breaks
from ftsim.games.ffc.battle.driver import Scenario, play, table, warband
from ftsim.games.ffc.battle.fighters import lose_hits, refresh
from ftsim.games.ffc.battle.magic import raise_dead, resolve_ranged
from ftsim.games.ffc.battle.melee import backstab_phase, blows_of, break_sword, melee_phase
from ftsim.games.ffc.battle.ranged import fire_weapon
from ftsim.games.ffc.battle.setup import set_up
from ftsim.games.ffc.battle.tactics import take_hand, take_shot
from ftsim.games.ffc.battle.turn import begin_turn
from ftsim.games.ffc.kit import Effects, Fighter, numbers
from ftsim.games.ffc.policies import Policy
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.streams import stream_key

USUAL = FfcRulings()


def stand(
    a: list[str], b: list[str], back: tuple[int, ...] = (), shoot: tuple[int, ...] = (), magic: bool = False,
    **rulings: object,
) -> IntArray:  # fmt: skip
    """A position at the start of a turn: slots in the back row, slots that fire or throw."""
    bands = (warband(a, USUAL), warband(b, USUAL))
    players = (Policy("simple"), Policy("simple"))
    s = table(Scenario(bands, cards=False, magic=magic), players, FfcRulings(**rulings), 5, events=1000)
    set_up(s)
    begin_turn(s)
    for i in range(len(a) + len(b)):
        s[i, at.ROW] = int(i in back)
        if i in shoot:
            assert take_shot(s, i) == 1
        else:
            take_hand(s, i)
    return s


def told(s: IntArray, *kinds: int) -> list[tuple[int, int]]:
    rows = s[at.LOG : at.LOG + s[at.GAME, at.EVENTS]]
    return [(int(r[at.E_WHO]), int(r[at.E_WHOM])) for r in rows if r[at.E_WHAT] in kinds]


def give(s: IntArray, side: int, card: int) -> None:
    s[at.SIDE + side, at.HAND + card] += 1
    s[at.SIDE + side, at.IN_HAND] += 1


@pytest.mark.parametrize("how", ["two_attacks", "parries_add"])
def test_r15_both_weapons_parry(how: str) -> None:
    decided = FfcRulings(two_weapons=how)
    man = Fighter.parse("Warrior + Long Sword + Katar")
    one, two = (weapon.parry for weapon in man.in_use())
    assert two > 0
    parry = one + two if how == "parries_add" else one
    assert numbers(man, Effects(), decided).parry == parry
    s = stand(["Warrior + Long Sword + Katar"], ["Orc + Club"], two_weapons=how)
    assert s[0, at.SECOND] >= 0
    assert s[0, at.NOW_PARRY] == parry
    blows_of(s, 0, 1)
    assert s[0, at.BLOWS] == 2 or s[1, at.ALIVE] == 0


def test_r22_whoever_plans_second_sees_the_plan_of_the_first() -> None:
    from ftsim.games.ffc.battle.tactics import draw_phase, tactics_phase

    def plans(first: str, second: str, commit: str) -> IntArray:
        decided = FfcRulings(commit=commit, turn_order="fixed")
        s = table(Scenario(magic=False), (Policy(first), Policy(second)), decided, 7)
        found = []
        for trial in range(60):
            s[at.GAME, at.TRIAL] = trial
            set_up(s)
            begin_turn(s)
            draw_phase(s)
            tactics_phase(s)
            plan = s[: at.MAX_WARRIORS, [at.ROW, at.USE, at.MODE]] * (s[: at.MAX_WARRIORS, [at.ALIVE]] == 1)
            found.append([plan * (s[: at.MAX_WARRIORS, [at.OWNER]] == side) for side in (0, 1)])
        return np.array(found)

    hidden, seen = plans("simple", "greedy", "secret"), plans("simple", "greedy", "open")
    assert np.array_equal(hidden[:, 0], seen[:, 0])
    assert not np.array_equal(hidden[:, 1], seen[:, 1])
    assert np.array_equal(plans("greedy", "simple", "secret"), plans("greedy", "simple", "open"))


def test_r23_shots_of_one_score_count_together() -> None:
    orc, elf = "Orc + Long Bow", "Elf + Long Bow"
    n = 20_000
    kills = [
        float(attack(blows(Fighter.parse(x), Fighter.parse(y), Effects(), Effects(), USUAL), hits).kill)
        for x, y, hits in ((orc, elf, 4), (elf, orc, 5))
    ]
    deaths = {}
    for how in ("random", "simultaneous"):
        s = table(
            Scenario((warband([orc], USUAL), warband([elf], USUAL)), cards=False, magic=False),
            (Policy(), Policy()),
            FfcRulings(equal_ranges=how),
            stream_key(3, {}),
        )
        out = play(s, n).out
        early = out[out[:, at.O_TURNS] == 1]
        deaths[how] = [int((early[:, at.O_RESULT] == k).sum()) for k in (at.DRAW, at.WON_A, at.WON_B)]
    assert deaths["random"][0] == 0
    both = kills[0] * kills[1]
    for count, p in zip(deaths["simultaneous"], (both, kills[0] - both, kills[1] - both), strict=True):
        assert abs(count - n * p) <= z_bound(3) * (n * p * (1 - p)) ** 0.5


@pytest.mark.parametrize(("weapon", "how", "expected"), [
    ("Halberd", "none", []), ("Halberd", "six", [(1, 2)]), ("War Hammer", "six", []),
])  # fmt: skip
def test_r26_a_reach_of_six_fights_over_the_own_front_row(weapon: str, how: str, expected: list) -> None:
    s = stand(["Orc + Club", f"Orc + {weapon}"], ["Ogre + Staff"], back=(1,), reach_from_back=how)
    melee_phase(s)
    assert told(s, at.EV_PAIRED_WITH) in ([(0, 2)], [(2, 0)])
    assert told(s, at.EV_DOUBLED) == expected
    struck = told(s, at.EV_STRUCK)
    assert [pair for pair in struck if pair[0] == 1] == expected
    assert (2, 1) not in struck


@pytest.mark.parametrize("how", ["random", "early_doubling"])
def test_r32_a_picker_may_double_at_once(how: str) -> None:
    s = stand(["2 x Warrior + Katar"], ["Wizard", "Ogre + Halberd"], pick_ties=how)
    s[2, at.NOW_SPEED] = s[3, at.NOW_SPEED] = -9
    melee_phase(s)
    pairs, doubled = told(s, at.EV_PAIRED_WITH), told(s, at.EV_DOUBLED)
    if how == "random":
        assert sorted(d for _, d in pairs) == [2, 3]
        assert doubled == []
    else:
        # Both go for the Wizard; the Ogre, left over, takes nobody who has picked.
        assert [d for _, d in pairs] == [2]
        assert {2} <= {d for _, d in doubled}


@pytest.mark.parametrize("how", ["picking", "fastest"])
def test_r34_the_pair_with_the_fastest_fights_first(how: str) -> None:
    s = stand(["Orc + Club", "Orc + Club"], ["Ogre + Halberd", "Ogre + Halberd"], pairing_order=how)
    for i, speed in enumerate((4, 3, 1, 2)):
        s[i, at.NOW_SPEED] = speed
    s[3, at.MODE] = 1  # he does not pick, but is faster than all who do
    s[3, at.NOW_SPEED] = 9
    s[2, at.NOW_DAM] = s[3, at.NOW_DAM] = s[0, at.NOW_DAM] = s[1, at.NOW_DAM] = -50
    melee_phase(s)
    pairs = dict(told(s, at.EV_PAIRED_WITH))
    assert set(pairs) == {0, 1}
    late = next(a for a in pairs if pairs[a] == 3)
    struck = [a for a, _ in told(s, at.EV_STRUCK) if a < 2]
    assert struck == ([late, 1 - late] if how == "fastest" else [0, 1])


def test_r48_a_controlled_warrior_throws_and_casts_for_his_master() -> None:
    for how, throws in (("hth", False), ("all", True)):
        s = stand(["Sorcerer", "Orc"], ["Rogue + Hand Axe", "Shaman", "Orc"], shoot=(2,), magic=True, controlled=how)
        for who in (2, 3):
            resolve_ranged(s, 0, at.S_CONTROL, who, 1, 1)
            assert s[who, at.LORD] == 0
        fire_weapon(s, 2)
        assert told(s, at.EV_FIRED) == ([(2, 4)] if throws else [])
        held = [k for k in range(at.SPELL_KINDS) if s[at.SPELL_AT, k] == 3]
        assert len(held) == 2
        assert {caster_of(s, 0, k) for k in held} == {3 if throws else -1}
        assert {caster_of(s, 1, k) for k in held} == {-1}


def test_r54_sword_breaker_takes_a_bow_on_the_back() -> None:
    for how, left in (("pairing", 1), ("carried", 0)):
        s = stand(["Orc + Club"], ["Bugbear + Long Bow"], shoot=(1,), sword_breaker=how)
        give(s, 0, at.SWORD_BREAKER)
        assert breaks(s, 0, 1) == 1 - left
        break_sword(s, 0, 1)
        assert s[1, at.ARMS] == left
        assert s[1, at.MODE] == left  # without his bow he fights with bare hands


def test_r55_backstab_on_a_shooter() -> None:
    for how, struck in (("fighters", []), ("anyone", [(0, 3)])):
        s = stand(["Elf + Long Bow", "Wizard"], ["Orc + Club", "Wizard"], (1, 3), (0,), True, backstab_card=how)
        give(s, 0, at.BACKSTAB)
        backstab_phase(s)
        assert told(s, at.EV_STRUCK) == struck
        assert s[at.SIDE, at.HAND + at.BACKSTAB] == 1 - len(struck)
        if struck:
            refresh(s, 0)
            assert s[0, at.NOW_DAM] == -1 - 2  # with bare hands


def test_r56_height_on_a_fighter_in_the_back_row() -> None:
    for how, struck in (("shooters", []), ("anyone", [(1, 3)])):
        s = stand(["Orc + Club", "Orc + Club"], ["Orc + Club", "Wizard"], (1, 3), (), True, height_card=how)
        give(s, 0, at.HEIGHT)
        backstab_phase(s)
        assert told(s, at.EV_STRUCK) == struck
        assert s[at.SIDE, at.HAND + at.HEIGHT] == 1 - len(struck)


def test_r50_a_dead_enemy_rises_for_the_caster() -> None:
    for how, who in (("full", 1), ("enemy_too", 3)):
        s = stand(["Wizard", "Orc"], ["Orc", "Ogre + Club"], raised=how)
        for i in (1, 3):
            lose_hits(s, i, 99)
        assert raise_dead(s, 0) == 1
        assert s[who, at.ALIVE] == 1
        assert s[who, at.OWNER] == s[who, at.LORD] == 0
        assert s[who, at.HITS] == s[who, at.HITS0]
        assert [s[at.SIDE + side, at.LIVING] for side in (0, 1)] == [2, 1]
        assert told(s, at.EV_MOVED_OVER) == ([(3, at.SIDE)] if who == 3 else [])


def test_r53_one_card_a_turn_for_each_warrior() -> None:
    played = {}
    for how in ("no_limit", "one_an_attack", "one_a_warrior"):
        s = stand(["Orc + Club", "Orc + Club"], ["Ogre", "Ogre"], stacking=how)
        s[0, at.NOW_SKILL] = s[1, at.NOW_SKILL] = 20
        s[2, at.HITS] = s[3, at.HITS] = 15
        s[at.POLICY, at.P_BONUS] = s[at.POLICY, at.P_EXTRA] = 0  # he plays whatever gains anything
        for _ in range(2):
            give(s, 0, at.MIGHTY_BLOW)
            give(s, 0, at.FLURRY)
        blows_of(s, 0, 2)
        first = s[at.PLAYS, at.MIGHTY_BLOW] + s[at.PLAYS, at.FLURRY]
        blows_of(s, 1, 3)
        played[how] = (int(first), int(s[at.PLAYS, at.MIGHTY_BLOW] + s[at.PLAYS, at.FLURRY]))
    assert played["no_limit"][0] == 4
    assert played["one_an_attack"][0] == 3
    assert played["one_a_warrior"] == (1, 2)


def test_r60_casualties_count_from_those_who_came() -> None:
    s = table(Scenario(withheld=50), (Policy(), Policy()), FfcRulings(casualties=3), 2)
    for trial in range(40):
        s[at.GAME, at.TRIAL] = trial
        set_up(s)
        for side in (at.SIDE, at.SIDE + 1):
            assert s[side, at.BEATEN] == max(0, s[side, at.LIVING] - 3)


def test_r60_casualties_and_hits_left_end_a_battle() -> None:
    bands = (warband(["5 x Orc + Club"], USUAL), warband(["5 x Goblin"], USUAL))

    def fought(turns: int = 100, **rulings: object) -> IntArray:
        s = table(Scenario(bands, cards=False, magic=False), (Policy(), Policy()), FfcRulings(**rulings), 11)
        s[at.RULE, at.R_MAX_TURNS] = turns
        return play(s, 400).out

    usual, early, capped = fought(), fought(casualties=3), fought(1, at_cap="hits_left")
    ended = early[:, at.O_RESULT] < at.DRAW
    assert np.all(early[ended][:, at.O_TURNS] <= usual[ended][:, at.O_TURNS])
    assert early[:, at.O_TURNS].mean() < usual[:, at.O_TURNS].mean()
    left = capped[:, at.O_HITS_A] - capped[:, at.O_HITS_B]
    assert np.array_equal(capped[:, at.O_RESULT] == at.WON_A, left > 0)
    assert np.array_equal(capped[:, at.O_RESULT] == at.DRAW, left == 0)
    assert not np.any(capped[:, at.O_RESULT] == at.UNRESOLVED)
