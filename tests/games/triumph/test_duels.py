"""Duels of heroes: one roll in fractions, challenges repeated to the end, and many duels at once."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ftsim.errors import IllegalError, InputError
from ftsim.games.triumph.duels import LABELS, Duel, duel_counts, until_lost, until_won
from ftsim.games.triumph.notation import Hero
from ftsim.games.triumph.odds import duel
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.trials import enumerate_outcomes

USUAL = TriumphRulings()
FACES = list(product(range(1, 7), repeat=2))
#: Heroes by what they add to their die, ×2.
HEROES = {
    2: "Hero",
    3: "Hero + Armored",
    4: "Hero + Hearten",
    5: "Hero + Hearten + Fast",
    6: "Hero + Deadly",
    7: "Hero + Deadly + Armored",
    8: "Hero + Deadly + Prowess",
    10: "Hero + Champion",
    11: "Hero + Champion + Armored",
    14: "Hero + Champion + Deadly",
}


def scalar(two_a, two_b):
    # Wins, ties, losses, and doubles either way, one pair of dice at a time.
    counts = dict.fromkeys(("a", "tie", "b", "a doubles", "b doubles"), 0)
    for die_a, die_b in FACES:
        total_a, total_b = Fraction(two_a, 2) + die_a, Fraction(two_b, 2) + die_b
        counts["a" if total_a > total_b else "b" if total_b > total_a else "tie"] += 1
        counts["a doubles"] += total_a >= 2 * total_b
        counts["b doubles"] += total_b >= 2 * total_a
    return list(counts.values())


def counted(counts, where=()):
    parts = (counts.a_wins, counts.tie, counts.b_wins, counts.a_doubles, counts.b_doubles)
    return [int(part[where]) for part in parts]


def answer(two_a, two_b, trials=None, seed=0, **rulings):
    return duel(HEROES[two_a], HEROES[two_b], {}, rulings, trials, seed).data


@pytest.mark.parametrize("two", HEROES)
def test_a_hero_adds_his_cost_and_a_champion_three_more(two):
    assert Hero.parse(HEROES[two]).duel_modifier(USUAL) == Fraction(two, 2)


@pytest.mark.parametrize("two_a, two_b", [*product(HEROES, repeat=2)])
def test_a_duel_counts_all_36_pairs_as_a_loop_does(two_a, two_b):
    outcomes = enumerate_outcomes(Duel(Hero.parse(HEROES[two_a]), Hero.parse(HEROES[two_b])))
    assert outcomes.labels == LABELS
    assert outcomes.counts.tolist() == scalar(two_a, two_b)[:3]


@pytest.mark.parametrize(
    "two_a, two_b, wins, ties, losses",
    [
        (2, 2, "5/12", "1/6", "5/12"), (8, 6, "7/12", "5/36", "5/18"), (14, 2, "1/1", "0/1", "0/1"),
        (3, 2, "7/12", "0/1", "5/12"), (10, 4, "5/6", "1/12", "1/12"),
    ],
)  # fmt: skip
def test_the_chances_of_a_duel_in_fractions(two_a, two_b, wins, ties, losses):
    data = answer(two_a, two_b)
    assert [data[label]["fraction"] for label in ("a_wins", "tie", "b_wins")] == [wins, ties, losses]
    assert data["exact"]


def test_half_a_point_breaks_every_tie():
    for two in (3, 5, 7):
        assert answer(two, two + 1)["tie"]["fraction"] == "0/1"


def test_half_a_point_decides_an_even_roll():
    rolls = np.array([[3, 4], [3, 3]])
    assert Duel(Hero.parse("Hero + Armored"), Hero.parse("Hero")).resolve(rolls).tolist() == [0, 0]
    assert Duel(Hero.parse("Hero"), Hero.parse("Hero + Armored")).resolve(rolls).tolist() == [2, 0]


def test_a_duel_seen_from_the_other_side_is_the_same_duel():
    for two_a, two_b in product(HEROES, repeat=2):
        mine, theirs = answer(two_a, two_b), answer(two_b, two_a)
        assert (mine["a_wins"], mine["b_wins"]) == (theirs["b_wins"], theirs["a_wins"])


def test_a_better_hero_wins_no_less_often():
    ladder = np.arange(2, 40)
    wins = duel_counts(ladder[:, None], ladder[None, :]).a_wins
    assert np.all(np.diff(wins, axis=0) >= 0)
    assert np.all(np.diff(wins, axis=1) <= 0)


# Many at once.


def test_36000_duels_at_once_equal_a_loop_on_a_sample():
    two_a, two_b = np.arange(2, 202), np.arange(2, 182)
    counts = duel_counts(two_a[:, None], two_b[None, :])
    assert counts.a_wins.shape == (200, 180)
    assert counts.a_wins.size == 36_000
    assert np.all(counts.a_wins + counts.tie + counts.b_wins == 36)
    rng = random.Random(20260131)
    for _ in range(300):
        i, j = rng.randrange(200), rng.randrange(180)
        assert counted(counts, (i, j)) == scalar(int(two_a[i]), int(two_b[j]))


def test_duels_between_likely_heroes_all_equal_a_loop():
    ladder = np.arange(2, 25)
    counts = duel_counts(ladder[:, None], ladder[None, :])
    for (i, two_a), (j, two_b) in product(enumerate(ladder), repeat=2):
        assert counted(counts, (i, j)) == scalar(int(two_a), int(two_b))


def test_doubles_are_part_of_the_wins():
    ladder = np.arange(2, 60)
    counts = duel_counts(ladder[:, None], ladder[None, :])
    assert np.all(counts.a_doubles <= counts.a_wins)
    assert np.all(counts.b_doubles <= counts.b_wins)


# Challenges repeated.


@pytest.mark.parametrize("two_a, two_b", [(2, 2), (8, 6), (14, 2), (3, 2), (10, 4)])
def test_ties_repeated_leave_the_share_of_wins_among_the_decided(two_a, two_b):
    wins, _, losses, *_ = scalar(two_a, two_b)
    chain = until_won(duel_counts(np.array([two_a]), np.array([two_b])))
    assert chain.ends[0, 0].tolist() == pytest.approx([wins / (wins + losses), losses / (wins + losses)], abs=1e-12)
    assert chain.unresolved[0, 0] == 0
    assert chain.rounds[0, 0] == pytest.approx(36 / (wins + losses), abs=1e-12)


def lost(two_a, two_b, **rulings):
    chain = until_lost(duel_counts(np.array([two_a]), np.array([two_b])), TriumphRulings(**rulings))
    return [*chain.ends[0, 0].tolist(), float(chain.unresolved[0, 0]), float(chain.rounds[0, 0])]


def test_a_hero_is_lost_when_he_is_doubled():
    # 7 + die is twice 1 + die on 6 + 6 + 6 + 4 + 2 + 0 pairs, the lower hero rolling 1 to 6.
    assert scalar(14, 2)[3:] == [24, 0]
    assert lost(14, 2) == pytest.approx([1, 0, 0, 1.5])


def test_until_one_is_lost_is_the_share_of_doubles():
    *_, a_doubles, b_doubles = scalar(4, 3)
    chain = until_lost(duel_counts(np.array([4]), np.array([3])), USUAL)
    both = a_doubles + b_doubles
    assert chain.ends[0, 0].tolist() == pytest.approx([a_doubles / both, b_doubles / both], abs=1e-12)
    assert chain.rounds[0, 0] == pytest.approx(36 / both, abs=1e-9)


def test_where_nobody_can_be_doubled_nobody_is_ever_lost():
    # 5 + 6 is not twice 5 + 1.
    assert scalar(10, 10)[3:] == [0, 0]
    assert lost(10, 10) == [0, 0, 1, np.inf]


def test_where_losing_only_sends_away_nobody_is_ever_lost():
    assert lost(14, 2, duel_result="away") == [0, 0, 1, np.inf]


def test_where_every_loser_is_lost_it_takes_as_long_as_to_win():
    won = until_won(duel_counts(np.array([8]), np.array([6])))
    assert lost(8, 6, duel_result="lost") == [*won.ends[0, 0], 0, won.rounds[0, 0]]


def test_many_duels_to_the_end_equal_each_alone():
    ladder = np.arange(2, 16)
    chain = until_lost(duel_counts(ladder[:, None], ladder[None, :]), USUAL)
    for (i, two_a), (j, two_b) in product(enumerate(ladder), repeat=2):
        assert [*chain.ends[i, j, 0], chain.unresolved[i, j, 0]] == pytest.approx(lost(two_a, two_b)[:3], abs=1e-12)


def test_a_duel_that_never_ends_says_so_and_one_that_ends_says_when():
    def labels(**rulings):
        return " ".join(label for _, label, _ in duel(HEROES[14], HEROES[2], {}, rulings, None, 0).rows)

    assert "never" not in labels()
    assert "rounds" in labels()
    assert "never" in labels(duel_result="away")


def test_the_ruling_about_lost_duels_changes_no_single_duel():
    for option in ("away", "lost"):
        assert answer(8, 6, duel_result=option)["a_wins"] == answer(8, 6)["a_wins"]


def test_the_modifiers_are_shown():
    assert duel(HEROES[11], HEROES[2], {}, {}, None, 0).notes[0].startswith("modifiers 5.5 and 1;")


# Sampled, and refused.


def test_sampled_duels_have_intervals_and_the_repeated_stay_exact():
    exact, sampled = (duel(HEROES[8], HEROES[6], {}, {}, trials, 3) for trials in (None, 50_000))
    assert not sampled.exact
    for label in ("a_wins", "tie", "b_wins"):
        assert sampled.data[label]["low"] < exact.data[label]["p"] < sampled.data[label]["high"]
    assert sampled.rows[3:] == exact.rows[3:]


def test_the_answer_has_the_keys_that_other_tools_rely_on():
    assert list(answer(8, 6)) == ["exact", "a_wins", "b_wins", "tie"]


def test_a_duel_has_no_situation():
    with pytest.raises(InputError, match="no situation"):
        duel("Hero", "Hero", {"terrain": "woods"}, {}, None, 0)


def test_only_legal_heroes_fight_duels():
    with pytest.raises(IllegalError, match="not legal"):
        duel("Hero + Fierce", "Hero", {}, {}, None, 0)
    with pytest.raises(InputError, match="starts with the word Hero"):
        duel("Knights", "Hero", {}, {}, None, 0)
