"""What `greedy` decides, against sums and searches written out anew: D1, D2, D5, D6, D20."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ftsim._typing import IntArray
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.driver import Scenario, panel, table, warband
from ftsim.games.ffc.battle.fighters import gain, lose_hits, refresh, worth
from ftsim.games.ffc.battle.magic import (
    best_ranged,
    give_hits,
    keeps_for_later,
    missiles_gain,
    next_tactic,
    spell_gain,
    spell_target,
    tactic_prospect,
)
from ftsim.games.ffc.battle.prospects import best_parts, front_gain
from ftsim.games.ffc.battle.setup import armor_fit, set_up
from ftsim.games.ffc.battle.tactics import rows_and_weapons, take_hand, take_shot
from ftsim.games.ffc.battle.turn import begin_turn, play_turn
from ftsim.games.ffc.cards import warriors, weapons
from ftsim.games.ffc.duel import Duel
from ftsim.games.ffc.kit import Fighter
from ftsim.games.ffc.policies import Policy, worths
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.streams import stream_key

USUAL = FfcRulings()
GREEDY = (Policy("greedy"), Policy("greedy"))


def deals(count: int = 20, **scenario: bool) -> list[IntArray]:
    s = table(Scenario(**scenario), GREEDY, USUAL, stream_key(6, {}))
    found = []
    for trial in range(count):
        s[at.GAME, at.TRIAL] = trial
        set_up(s)
        found.append(s.copy())
    return found


FISTS = list(weapons()).index("unarmed")


def own_hand(s: IntArray, i: int) -> int:
    """The first hand weapon of a warrior, or -1."""
    arms = [int(s[i, at.ARM0 + k]) for k in range(int(s[i, at.ARMS]))]
    return next((w for w in arms if s[at.WEAPON + w, at.W_KIND] != at.MISSILE), -1)


def stand(a: list[str], b: list[str], back: tuple[int, ...] = (), shoot: tuple[int, ...] = ()) -> IntArray:
    """A position in the first turn, without spells in hand."""
    bands = (warband(a, USUAL), warband(b, USUAL))
    s = table(Scenario(bands, cards=False), GREEDY, USUAL, 5)
    set_up(s)
    begin_turn(s)
    s[at.SPELL_AT, : at.SPELL_KINDS] = at.OUT_OF_PLAY
    for i in range(len(a) + len(b)):
        s[i, [at.HELD, at.SPELLS]] = 0
        s[i, at.ROW] = int(i in back)
        if i in shoot:
            assert take_shot(s, i) == 1
        else:
            take_hand(s, i)
    return s


def hold(s: IntArray, i: int, *spells: int) -> None:
    for spell in spells:
        s[at.SPELL_AT, spell] = i
        s[i, at.HELD] |= 1 << spell
        s[i, at.SPELLS] += 1


def test_d1_strength_is_near_the_share_of_duels_won() -> None:
    """Against the panel, by the exact chain: blow by blow reckoning must put fighters in much the same order."""
    from scipy.stats import spearmanr

    fit, _ = panel(USUAL)
    foes = [Fighter(man, (weapons()["long_sword"],)) for man in warriors().values()]
    men, arms = list(warriors()), list(weapons())
    ours, exact = [], []
    for man, arm in product(("ogre", "goblin", "knight", "wizard", "bugbear"), ("club", "battle_axe", "staff")):
        one = Fighter(warriors()[man], (weapons()[arm],))
        won = [Duel(one, foe).solve() for foe in foes]
        exact.append(np.mean([float(end.a + end.unresolved / 2) for end in won]))
        ours.append(fit[men.index(man), at.STRENGTH + arms.index(arm)] / (1000 * worths()[man]))
    assert spearmanr(ours, exact)[0] > 0.9


def test_d1_hand_weapons_are_near_the_best_assignment_there_is() -> None:
    from scipy.optimize import linear_sum_assignment

    got = best = 0
    for s in deals():
        for side in (0, 1):
            men = [i for i in range(20) if s[i, at.OWNER] == side]
            arms = [w for w in range(28) if s[at.WEAPON + w, at.W_DEALT] == -10 - side]
            hand = [w for w in arms if s[at.WEAPON + w, at.W_KIND] != at.MISSILE]
            fit = s[np.ix_([at.FIT + i for i in men], [at.STRENGTH + w for w in hand])]
            got += sum(int(s[at.FIT + i, at.STRENGTH + max(own_hand(s, i), 0)]) for i in men if own_hand(s, i) >= 0)
            got += sum(int(s[at.FIT + i, at.STRENGTH + FISTS]) for i in men if own_hand(s, i) < 0)
            best += int(fit[linear_sum_assignment(-fit)].sum())
    assert 0.98 * best < got <= 1.001 * best


def test_d1_missiles_go_to_those_who_take_more_with_them() -> None:
    seen = 0
    for s in deals():
        for side in (0, 1):
            men = [i for i in range(20) if s[i, at.OWNER] == side]
            shooters = [i for i in men if s[at.WEAPON + s[i, at.ARM0], at.W_KIND] == at.MISSILE]
            assert len(shooters) <= len(men) // 2
            for i in shooters:
                hand = own_hand(s, i)
                in_hand = s[at.FIT + i, at.MEAN_LOSS + (hand if hand >= 0 else FISTS)]
                assert s[at.FIT + i, at.MEAN_LOSS + s[i, at.ARM0]] > in_hand
            seen += len(shooters)
    assert seen > 40


def test_d1_every_piece_of_armor_makes_its_wearer_stronger_than_anyone_else() -> None:
    worn = 0
    for s in deals(5):
        for a in range(29):
            i = int(s[at.ARMOR + a, at.A_AT])
            if i >= 0:
                worn += 1
                assert s[i, at.BARE] == 0
                shield = s[at.ARMOR + a, at.A_TYPE] == at.SHIELD_TYPE
                two = s[at.WEAPON + s[i, at.ARM0], at.W_TWO] == 1 if s[i, at.ARMS] else False
                assert not (shield and two)
    assert worn > 60
    # One suit, three men: the gain in worth-weighted strength decides.
    s = stand(["Orc + Long Sword", "Bugbear + Long Sword", "Wizard"], ["Orc"])
    s[at.FIT : at.FIT + 20], s[at.DURABLE : at.DURABLE + 100] = panel(USUAL)
    s[at.ARMOR, : at.A_AT] = (0, at.FULL, 3, 0, -2, 0)
    assert armor_fit(s, 1, 0) > armor_fit(s, 0, 0) > 0


@pytest.mark.parametrize("turns", [0, 2])
def test_d2_every_legal_number_of_back_row_warriors_is_tried(turns: int) -> None:
    sizes = set()
    for s in deals(20, magic=False):
        if any(play_turn(s) for _ in range(turns)):
            continue
        begin_turn(s)
        men = [i for i in range(20) if s[i, at.ALIVE] == 1 and s[i, at.OWNER] == 0]
        foes = [i for i in range(20) if s[i, at.ALIVE] == 1 and s[i, at.OWNER] == 1]
        blows = sum(1 for i in foes if s[i, at.ROW] == 0)
        rows_and_weapons(s, 0)
        back = [i for i in men if s[i, at.ROW] == 1]
        wish = {i: int(s[i, at.HOPE_BACK] - s[i, at.HOPE_FRONT] + s[i, at.HOPE_LOST]) for i in men}
        order = sorted(men, key=lambda i: (-wish[i], -i))

        def value(n: int, s: IntArray = s, order: list[int] = order, blows: int = blows) -> float:
            front = order[n:]
            lost = sum(int(s[i, at.HOPE_LOST]) for i in front)
            gained = sum(int(s[i, at.HOPE_BACK]) for i in order[:n]) + sum(int(s[i, at.HOPE_FRONT]) for i in front)
            return gained - lost * blows / len(front)

        values = [value(n) for n in range(len(men) // 2 + 1)]
        assert sorted(back) == sorted(order[: len(back)])
        assert values[len(back)] >= max(values) - 0.02
        sizes.add(len(back))
    assert len(sizes) > 1


def test_d5_tactics_spells_are_cast_for_what_they_gain_this_turn() -> None:
    a = ["Sorcerer", "Knight + Long Sword", "Bugbear + Long Sword"]
    b = ["Elf + Long Bow", "Centaur + Compound Bow", "Barbarian + Long Sword"]
    s = stand(a, b, back=(0,), shoot=(3, 4))
    before = s[: at.FIT].copy()
    prospects = {
        spell: int(tactic_prospect(s, 0, spell))
        for spell in (at.S_BLOODLUST, at.S_HASTE, at.S_SHIELD, at.S_HARD, at.S_UNSEEN, at.S_HEAL, at.S_RAISE)
    }
    assert np.array_equal(s[: at.FIT], before)  # an estimate leaves no trace
    assert prospects[at.S_SHIELD] == front_gain(s, 3) + front_gain(s, 4)
    assert prospects[at.S_HEAL] == prospects[at.S_RAISE] == 0
    # Bloodlust: what the blows of both who stand in front gain more.
    plain = sum(gain(s, i, d, 0) for i in (1, 2) for d in (3, 4, 5))
    s[at.SIDE, at.BLOODLUST] = 1
    for i in (0, 1, 2):
        refresh(s, i)
    more = sum(gain(s, i, d, 0) for i in (1, 2) for d in (3, 4, 5)) - plain
    s[at.SIDE, at.BLOODLUST] = 0
    for i in (0, 1, 2):
        refresh(s, i)
    assert prospects[at.S_BLOODLUST] == pytest.approx(more / 3, abs=2)
    least = int(s[at.POLICY, at.P_TACTIC])
    for spell, value in prospects.items():
        t = s.copy()
        hold(t, 0, spell)
        assert next_tactic(t, 0) == (spell if value > least else -1)
    # Of two, the better one.
    ranked = sorted(prospects, key=lambda k: -prospects[k])
    hold(s, 0, ranked[0], ranked[1])
    assert next_tactic(s, 0) == ranked[0]
    lose_hits(s, 2, 9)
    assert tactic_prospect(s, 0, at.S_RAISE) == worth(s, 2) == 867


def test_d6_damage_spells_are_aimed_by_worth_and_chance_to_kill() -> None:
    from fractions import Fraction

    s = stand(["Wizard"], ["Ogre", "Elf", "Bugbear", "Kobold", "Knight"])
    sums = [x + y for x in range(1, 7) for y in range(1, 7)]
    values = {d: int(s[d, at.WORTH] * Fraction(sum(n >= s[d, at.HITS] for n in sums), 36)) for d in range(1, 6)}
    assert {d: spell_gain(s, 0, at.S_FIREBALL, d) for d in range(1, 6)} == values
    best = max(values, key=lambda d: values[d])
    assert s[best, at.CARD] == list(warriors()).index("elf")
    assert spell_target(s, 0, at.S_FIREBALL) == best
    lonely = stand(["Wizard"], ["Ogre"])
    assert spell_gain(lonely, 0, at.S_FIREBALL, 1) == 423 // 6 < lonely[at.POLICY, at.P_TACTIC]
    assert spell_target(lonely, 0, at.S_FIREBALL) == -1  # kept


def test_d6_disabling_spells_count_the_attacks_denied() -> None:
    s = stand(["Wizard"], ["Bugbear + Long Sword", "Knight + Long Sword", "Orc + Club"], back=(3,))
    life = int(s[at.POLICY, at.P_LIFE])
    for d, now in ((1, 1), (2, 1), (3, 0)):  # the last will not attack from the back row
        own = int(s[d, at.WORTH])
        turns = {at.S_CHARM: now, at.S_PARALYZE: now, at.S_FREEZE: now + 1, at.S_PETRIFY: now + 2.5}
        for spell, n in turns.items():
            assert spell_gain(s, 0, spell, d) == int(own * n / life)
    assert spell_target(s, 0, at.S_CHARM) == 1
    s[1, at.LEFT] = 0
    assert spell_gain(s, 0, at.S_CHARM, 1) == 0
    hold(s, 3, at.S_HEAL)
    assert spell_gain(s, 0, at.S_CHARM, 3) == int(worth(s, 3) / life)  # but he may cast


def test_d6_a_caster_waits_for_his_better_spell() -> None:
    s = stand(["Wizard"], ["Wizard", "Bugbear + Long Sword"])
    hold(s, 0, at.S_FIREBALL, at.S_PETRIFY)
    hold(s, 1, at.S_HEAL, at.S_HASTE)
    fire, stone = best_ranged(s, 0, at.S_FIREBALL), best_ranged(s, 0, at.S_PETRIFY)
    assert stone > fire > 150
    assert keeps_for_later(s, 0, at.S_FIREBALL, fire) == 1
    assert keeps_for_later(s, 0, at.S_PETRIFY, stone) == 0  # Fireball's score is past


def shares(points: int, n: int) -> list[tuple[int, ...]]:
    return [split for split in product(range(points + 1), repeat=n) if sum(split) <= points]


@pytest.mark.parametrize("points", [1, 3, 6])
def test_d20_missiles_are_shared_out_in_the_best_way(points: int) -> None:
    s = stand(["Wizard"], ["Wizard", "Kobold", "Sorcerer", "Bugbear", "Elf"])
    s[5, at.HITS] = 2
    foes = [1, 2, 3, 4, 5]

    def value(split: tuple[int, ...]) -> int:
        total = 0
        for d, x in zip(foes, split, strict=True):
            whole, hits = 1000 * int(worth(s, d)), int(s[d, at.HITS])
            total += whole if x >= hits else whole * x // (2 * hits)
        return total

    s[at.SHARE, at.WHOSE] = len(foes)
    s[at.SHARE + 1 : at.SHARE + 6, at.WHOSE] = foes
    assert best_parts(s, points, 0) == max(map(value, shares(points, len(foes))))
    best = [max(map(value, shares(n, len(foes)))) for n in range(1, 7)]
    assert missiles_gain(s, 0) == sum(best) // 6000


@pytest.mark.parametrize("points", [2, 7, 12])
def test_d20_heal_is_shared_out_in_the_best_way(points: int) -> None:
    s = stand(["Ogre", "Elf", "Knight", "Bugbear"], ["Orc"])
    for i, hits in enumerate((2, 1, 4, 3)):
        s[i, at.HITS] = hits
    missing = [int(s[i, at.HITS0] - s[i, at.HITS]) for i in range(4)]

    def value(split: tuple[int, ...]) -> int:
        return sum(1000 * int(worth(s, i)) * x // (2 * (int(s[i, at.HITS]) + x)) for i, x in enumerate(split) if x)

    s[at.SHARE, at.WHOSE] = 4
    s[at.SHARE + 1 : at.SHARE + 5, at.WHOSE] = range(4)
    legal = [split for split in shares(points, 4) if all(x <= m for x, m in zip(split, missing, strict=True))]
    assert best_parts(s, points, 1) == max(map(value, legal))
    give_hits(s, 0, missing[0])
    assert s[0, at.HITS] == s[0, at.HITS0]
