"""Shifts of a price between two readings: nothing where nothing changes, and known worths where something does."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.estimates import proportion
from ftsim.pricing.equal_points import equal_points
from ftsim.pricing.moments import Moments
from ftsim.pricing.readings import READING, shift

COST, STUDIES, TRIALS = 3.0, 400, 4000
#: Chances of a plain win, a win with the card and a win with the stand; under the other reading another card.
PLAIN, STAND, CARD, OTHER = 0.5, 0.56, 0.53, 0.55


def columns(luck, card, cost):
    return [(luck < chance).astype(float) for chance in (PLAIN, card, STAND)] + [cost]


def both(rng, shared=0.9):
    """Moments of two readings: so many of the trials go alike but for the card."""
    luck = rng.random(TRIALS)
    other = np.where(rng.random(TRIALS) < shared, luck, rng.random(TRIALS))
    cost = rng.choice([2.0, 4.0], TRIALS)
    return columns(other, OTHER, cost), columns(luck, CARD, cost)


def test_a_reading_that_changes_no_trial_moves_nothing_at_all():
    rng = np.random.default_rng(1)
    as_set = both(rng)[1]
    found = shift(Moments.of([*as_set, *as_set]))
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_a_shift_is_the_difference_of_both_prices():
    other, as_set = both(np.random.default_rng(2))
    found = shift(Moments.of([*other, *as_set]))
    prices = [equal_points(*arm).price.value for arm in (other, as_set)]
    assert found.value == pytest.approx(prices[0] - prices[1], abs=1e-12)
    assert found.trials == TRIALS


def test_known_shifts_are_covered():
    truth = COST * (OTHER - CARD) / (STAND - PLAIN)
    hits = 0
    for study in range(STUDIES):
        other, as_set = both(np.random.default_rng((3, study)))
        found = shift(Moments.of([*other, *as_set]))
        hits += found.low <= truth <= found.high
    found = proportion(hits, STUDIES, confidence=0.999)
    assert found.low <= 0.95 <= found.high


def test_trials_that_go_alike_sharpen_a_shift():
    width = {}
    for shared in (0.0, 0.9, 1.0):
        other, as_set = both(np.random.default_rng(4), shared)
        found = shift(Moments.of([*other, *as_set]))
        width[shared] = found.high - found.low
    assert width[1.0] < width[0.9] < width[0.0]


def test_a_card_that_does_nothing_under_either_reading_is_not_moved_at_all():
    other, as_set = both(np.random.default_rng(6), shared=0.0)
    other[1], as_set[1] = other[0], as_set[0]
    found = shift(Moments.of([*other, *as_set]))
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_a_point_within_its_error_of_nothing_gives_no_shift():
    other, as_set = both(np.random.default_rng(7))
    few = [column[:20] for column in (*other, *as_set)]
    assert np.isnan(shift(Moments.of(few)).value)


def test_a_point_without_worth_gives_no_shift():
    other, as_set = both(np.random.default_rng(5))
    as_set[2] = as_set[0]
    found = shift(Moments.of([*other, *as_set]))
    assert np.isnan(found.value)
    assert found.low == -np.inf


def test_other_moments_are_refused():
    with pytest.raises(InputError, match=f"{len(READING)} columns"):
        shift(Moments.of([np.zeros(5)] * 3))
    with pytest.raises(InputError, match="two trials"):
        shift(Moments.of([np.zeros(1)] * len(READING)))
