"""Fights to the end: fractions where they are small, floats that agree with them, nothing lost on the way."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ftsim.chains import absorb, race
from ftsim.errors import InputError

steady = settings(deadline=None, derandomize=True)
STEPS = {+1: 12, -1: 20, 0: 4}
HALF = Fraction(1, 2)


@st.composite
def chains(draw, closed=True):
    """Chains of up to five states and three endings with small whole weights, some of them 0."""
    states, endings = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    weight = st.sampled_from([0, 0, 0, 1, 2, 5])
    row = st.lists(weight, min_size=states + endings, max_size=states + endings).filter(any)
    weights = np.array(draw(st.lists(row, min_size=states, max_size=states)), dtype=float)
    if not closed:
        weights[:, states] += 1
    chances = weights / weights.sum(axis=1, keepdims=True)
    return chances[:, :states], chances[:, states:]


def power_iteration(stay, leave, doublings=40):
    """Chance to be in each ending, or nowhere yet, after 2**doublings rounds, and the mean rounds by then."""
    states, endings = leave.shape
    step = np.zeros((states + endings,) * 2)
    step[:states, :states], step[:states, states:] = stay, leave
    step[states:, states:] = np.eye(endings)
    rounds = np.r_[np.ones(states), np.zeros(endings)]
    for _ in range(doublings):
        rounds = rounds + step @ rounds
        step = step @ step
        step /= step.sum(axis=1, keepdims=True)
    return step[:states, states:], step[:states, :states].sum(axis=1), rounds[:states]


def chain_of_race(steps, target):
    """The race as a chain over leads 1 - target ... target - 1, with endings win and lose."""
    leads = range(1 - target, target)
    total = sum(steps.values())
    stay, leave = np.zeros((len(leads), len(leads))), np.zeros((len(leads), 2))
    for k, lead in enumerate(leads):
        for step, n in steps.items():
            after = lead + step
            if abs(after) >= target:
                leave[k, int(after < 0)] += n / total
            else:
                stay[k, leads.index(after)] += n / total
    return stay, leave


@steady
@given(chains())
def test_all_ways_to_end_and_not_to_end_sum_to_one(chain):
    result = absorb(*chain)
    assert np.all(result.ends >= 0)
    assert np.all(result.unresolved >= 0)
    assert np.allclose(result.ends.sum(-1) + result.unresolved, 1, atol=1e-12, rtol=0)


@steady
@given(chains())
def test_absorption_agrees_with_rounds_played_one_after_the_other(chain):
    result = absorb(*chain)
    ends, unresolved, _ = power_iteration(*chain)
    assert np.allclose(result.ends, ends, atol=1e-9)
    assert np.allclose(result.unresolved, unresolved, atol=1e-9)
    assert np.array_equal(np.isinf(result.rounds), result.unresolved > 0)


@steady
@given(chains(closed=False))
def test_mean_rounds_agree_with_rounds_played_one_after_the_other(chain):
    result = absorb(*chain)
    _, _, rounds = power_iteration(*chain)
    assert np.allclose(result.rounds, rounds, rtol=1e-9)
    assert np.all(result.unresolved == 0)


@steady
@given(chains())
def test_an_ending_out_of_reach_has_chance_exactly_zero(chain):
    stay, leave = chain
    reach = np.linalg.matrix_power(np.eye(len(stay)) + (stay > 0), len(stay)) @ (leave > 0)
    assert np.array_equal(absorb(stay, leave).ends > 0, reach > 0)


@steady
@given(st.dictionaries(st.integers(-3, 3), st.integers(0, 9), min_size=1), st.integers(1, 4), st.data())
def test_absorption_agrees_with_the_race_in_fractions(steps, target, data):
    assume(any(n for step, n in steps.items() if step))
    lead = data.draw(st.integers(1 - target, target - 1))
    win, lose, rounds = race(steps, target, {lead: Fraction(1)})
    result = absorb(*chain_of_race(steps, target))
    at = lead + target - 1
    assert np.allclose(result.ends[at], [float(win), float(lose)], atol=1e-12)
    assert np.isclose(result.rounds[at], float(rounds), rtol=1e-11)


def test_chains_in_a_batch_do_not_touch_each_other():
    stay = np.array([[[0.5, 0.25], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]], [[0.0, 0.5], [0.0, 1.0]]])
    leave = np.array([[[0.25], [1.0]], [[0.0], [0.0]], [[0.5], [0.0]]])
    batch = absorb(stay, leave)
    for k in range(3):
        alone = absorb(stay[k], leave[k])
        assert np.array_equal(batch.ends[k], alone.ends)
        assert np.array_equal(batch.unresolved[k], alone.unresolved)
        assert np.array_equal(batch.rounds[k], alone.rounds)
    assert batch.unresolved.tolist() == [[0, 0], [1, 1], [0.5, 1]]


def test_a_fight_that_never_ends_is_won_by_nobody():
    result = absorb(np.array([[1.0]]), np.array([[0.0, 0.0]]))
    assert result.ends.tolist() == [[0, 0]]
    assert result.unresolved.tolist() == [1]
    assert result.rounds.tolist() == [np.inf]


@pytest.mark.parametrize("chance", [1e-3, 1e-12, 3e-16, 1e-17, 1e-300])
def test_a_fight_that_ends_rarely_ends_all_the_same(chance):
    result = absorb(np.array([[1 - chance]]), np.array([[chance]]))
    assert result.ends[0, 0] == pytest.approx(1, abs=1e-12)
    assert result.unresolved[0] == 0
    assert result.rounds[0] == pytest.approx(1 / chance, rel=1e-12)


@pytest.mark.parametrize("chance", [1e-3, 1e-12, 3e-16, 1e-17, 1e-300])
def test_rare_endings_share_the_fights_in_proportion(chance):
    stay = np.array([[0.0, 1 - chance], [1.0, 0.0]])
    leave = np.array([[0.25 * chance, 0.75 * chance], [0.0, 0.0]])
    assert np.allclose(absorb(stay, leave).ends, [[0.25, 0.75]] * 2, atol=1e-12)


@pytest.mark.parametrize("off", [0.5, 1e-6, 1e-9])
def test_a_row_that_does_not_sum_to_one_is_refused(off):
    with pytest.raises(InputError, match="sum to 1"):
        absorb(np.array([[0.5 - off]]), np.array([[0.25, 0.25]]))


def test_a_negative_chance_is_refused():
    with pytest.raises(InputError):
        absorb(np.array([[-0.5]]), np.array([[1.5]]))


def test_a_half_won_start_counts_what_is_won_already():
    win, lose, rounds = race(STEPS, 3, {0: HALF, 3: HALF})
    assert (win, lose, rounds) == (Fraction(179, 304), Fraction(125, 304), Fraction(1323, 304))


def test_an_even_start_gives_twice_the_rounds_of_the_half_won_one():
    win, _, rounds = race(STEPS, 3, {0: Fraction(1)})
    assert (win, rounds) == (Fraction(27, 152), Fraction(1323, 152))


@pytest.mark.parametrize("lead", [3, 4, 10])
def test_a_lead_at_the_target_has_won_in_no_rounds(lead):
    assert race(STEPS, 3, {lead: Fraction(1)}) == (1, 0, 0)
    assert race(STEPS, 3, {-lead: Fraction(1)}) == (0, 1, 0)


@steady
@given(st.dictionaries(st.integers(-2, 2), st.integers(0, 9), min_size=1), st.integers(1, 4), st.integers(-5, 5))
def test_swapping_the_sides_swaps_the_race(steps, target, lead):
    assume(any(n for step, n in steps.items() if step))
    win, lose, rounds = race(steps, target, {lead: Fraction(1)})
    mirrored = race({-step: n for step, n in steps.items()}, target, {-lead: Fraction(1)})
    assert mirrored == (lose, win, rounds)
    assert win + lose == 1


def test_a_round_without_change_costs_time_and_nothing_else():
    win, lose, rounds = race({+1: 1, -1: 1}, 2, {0: Fraction(1)})
    assert race({+1: 1, -1: 1, 0: 2}, 2, {0: Fraction(1)}) == (win, lose, 2 * rounds)


@pytest.mark.parametrize("start", [{}, {0: HALF}, {0: HALF, 3: Fraction(2, 3)}])
def test_starting_chances_that_do_not_sum_to_one_are_refused(start):
    with pytest.raises(InputError, match="sum to 1"):
        race(STEPS, 3, start)


@pytest.mark.parametrize("steps, target", [(STEPS, 0), ({}, 3), ({0: 36}, 3), ({+1: 0, 0: 36}, 3)])
def test_a_race_that_nobody_can_end_is_refused(steps, target):
    with pytest.raises(InputError, match="target of at least 1"):
        race(steps, target, {0: Fraction(1)})
