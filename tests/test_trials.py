"""Sampled dice agree with every face, and contests on the same dice share their luck."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import chisquare

from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.estimates import z_bound
from ftsim.trials import enumerate_outcomes, sampled_faces, simulate, simulate_pair, tally


@dataclass(frozen=True)
class Totals:
    """Higher factor + die wins; who has twice the other doubles."""

    a: int
    b: int
    bonus: int = 0  # added to a winner before doubling is tested
    sides: int = 6

    labels = ("doubled", "beaten", "tie", "ahead", "doubles")

    @property
    def dice(self):
        return Dice((self.sides, self.sides))

    def resolve(self, rolls):
        a, b = self.a + rolls[0], self.b + rolls[1]
        won, lost = a > b, b > a
        return 2 + won + (won & (a + self.bonus >= 2 * b)) - lost - (lost & (b >= 2 * a)).astype(np.int64)


def by_hand(contest):
    counts = dict.fromkeys(contest.labels, 0)
    for first, second in product(range(1, contest.sides + 1), repeat=2):
        a, b = contest.a + first, contest.b + second
        if a == b:
            counts["tie"] += 1
        elif a > b:
            counts["doubles" if a + contest.bonus >= 2 * b else "ahead"] += 1
        else:
            counts["doubled" if b >= 2 * a else "beaten"] += 1
    return list(counts.values())


@pytest.mark.parametrize("contest", [Totals(4, 3), Totals(0, 0, 1), Totals(5, 0), Totals(20, 0), Totals(2, 3, 2)])
def test_exact_counts_equal_a_loop_over_the_faces(contest):
    outcomes = enumerate_outcomes(contest)
    assert outcomes.counts.tolist() == by_hand(contest)
    assert outcomes.exact
    assert outcomes.total == outcomes.counts.sum() == 36


def test_the_exact_counts_of_4_against_3_are_those_of_the_notes():
    assert enumerate_outcomes(Totals(4, 3)).counts.tolist() == [0, 10, 5, 17, 4]


def test_one_roll_decides_both_who_is_ahead_and_who_doubles():
    # A is ahead in 15 cells of 36, A + 1 is at least twice B in 12, both hold in 11; two rolls would give 5.
    outcomes = enumerate_outcomes(Totals(0, 0, bonus=1))
    assert outcomes.count("ahead") + outcomes.count("doubles") == 15
    assert outcomes.count("doubles") == 11


@pytest.mark.parametrize("contest", [Totals(4, 3), Totals(0, 0, 1), Totals(3, 9), Totals(1, 1, sides=20)])
@pytest.mark.parametrize("trials", [1, 200, 1_000_000])
def test_a_sample_sits_within_the_z_bound_of_exact(contest, trials):
    exact = enumerate_outcomes(contest)
    bound = z_bound(4 * 3 * len(contest.labels))
    sample = simulate(contest, trials, np.random.default_rng(trials))
    assert not sample.exact
    assert sample.total == sample.counts.sum() == trials
    for label in contest.labels:
        p = exact.probability(label)
        assert abs(sample.count(label) - trials * p) <= bound * sqrt(trials * p * (1 - p)) + (p not in (0, 1))


def test_what_cannot_happen_never_happens_in_a_sample():
    assert simulate(Totals(20, 0), 10**9, np.random.default_rng(3)).counts.tolist()[:3] == [0, 0, 0]


def test_sampled_faces_are_the_even_rolls_of_fair_dice():
    times = sampled_faces(Dice((6, 6)), 60_000, np.random.default_rng(20260131))
    faces = Dice((6, 6)).faces()
    assert times.sum() == 60_000
    assert chisquare(times).pvalue > 1e-6
    for die in faces:
        counts = np.bincount(die, times, minlength=7)[1:]
        assert chisquare(counts).pvalue > 1e-6
        assert die[times > 0].max() == 6


def test_the_same_generator_gives_the_same_sample():
    one, other = (simulate(Totals(4, 3), 1_000, np.random.default_rng(8)) for _ in range(2))
    assert one.counts.tolist() == other.counts.tolist()


def test_a_pair_has_the_margins_of_its_parts():
    one, other = Totals(4, 3), Totals(3, 3, 1)
    joint = simulate_pair(one, other, 12_345, np.random.default_rng(5))
    assert joint.sum(axis=1).tolist() == simulate(one, 12_345, np.random.default_rng(5)).counts.tolist()
    assert joint.sum(axis=0).tolist() == simulate(other, 12_345, np.random.default_rng(5)).counts.tolist()


def test_a_contest_paired_with_itself_always_agrees():
    joint = simulate_pair(Totals(4, 3), Totals(4, 3), 5_000, np.random.default_rng(5))
    assert np.count_nonzero(joint - np.diag(np.diag(joint))) == 0


def gains(one, other, trials, seeds):
    """Mean change of the score by `one` in place of `other`: on the same dice, and on other dice."""
    score = np.array([0, 0, 0.5, 1, 1])
    shared, apart = [], []
    for seed in seeds:
        joint = simulate_pair(one, other, trials, np.random.default_rng([seed, 0]))
        shared.append(float(np.sum(joint * np.subtract.outer(score, score))) / trials)
        first = simulate(one, trials, np.random.default_rng([seed, 1]))
        second = simulate(other, trials, np.random.default_rng([seed, 2]))
        apart.append(float(first.expectation(score) - second.expectation(score)))
    return np.array(shared), np.array(apart)


def test_common_dice_leave_the_mean_alone_and_narrow_the_error():
    one, other, trials = Totals(4, 4), Totals(3, 4), 2_000
    score = np.array([0, 0, 0.5, 1, 1])
    faces = one.dice.faces()
    change = score[one.resolve(faces)] - score[other.resolve(faces)]
    error = change.std() / sqrt(trials)
    shared, apart = gains(one, other, trials, range(20))
    assert np.all(np.abs(shared - change.mean()) < 4 * error)
    assert abs(shared.mean() - change.mean()) < 4 * error / sqrt(20)
    assert shared.var(ddof=1) < apart.var(ddof=1)


def test_near_equal_contests_are_ranked_right_with_common_dice():
    shared, apart = gains(Totals(4, 4), Totals(3, 4), 2_000, range(1_000, 1_200))
    assert np.mean(shared > 0) >= 0.99
    assert apart.var() / shared.var() >= 2


@pytest.mark.parametrize("trials", [0, -1])
def test_no_trials_are_refused(trials):
    rng = np.random.default_rng(1)
    for attempt in (
        lambda: simulate(Totals(4, 3), trials, rng),
        lambda: simulate_pair(Totals(4, 3), Totals(3, 3), trials, rng),
        lambda: sampled_faces(Dice((6,)), trials, rng),
    ):
        with pytest.raises(InputError, match=f"at least 1, got {trials}"):
            attempt()


def test_different_dice_cannot_be_shared():
    with pytest.raises(InputError, match="same dice"):
        simulate_pair(Totals(4, 3), Totals(4, 3, sides=8), 100, np.random.default_rng(1))


def test_a_tally_adds_the_times_of_each_code():
    assert tally(np.array([2, 0, 2]), np.array([5, 1, 7]), 4).tolist() == [1, 0, 12, 0]
