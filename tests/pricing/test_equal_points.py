from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.pricing.equal_points import equal_points, fieller, residual, trials_for


def coins(rng: np.random.Generator, n: int, worth: float, kappa: float = 0.04) -> tuple[np.ndarray, ...]:
    """A battle that is a coin: one uniform number decides all arms, 10 % draws."""
    luck = rng.random(n)
    cost = rng.choice([2.0, 3.0, 4.0], size=n)

    def score(gain: np.ndarray | float) -> np.ndarray:
        return np.where(luck < 0.45 + gain, 1.0, np.where(luck < 0.55 + gain, 0.5, 0.0))

    noise = rng.random(n) < 0.5  # the card acts in half of the trials, twice as much
    return score(0.0), score(np.where(noise, 2 * worth * kappa, 0.0)), score(kappa * cost), cost


def test_planted_prices_are_covered_as_promised():
    covered = studies = 0
    for worth in (0.5, 2.0):
        for k in range(500):
            found = equal_points(*coins(np.random.default_rng(k), 4000, worth))
            covered += found.price.low <= worth <= found.price.high
            studies += 1
    assert 0.93 <= covered / studies <= 0.97


def test_a_card_without_effect_is_worth_exactly_nothing():
    plain, _, stronger, cost = coins(np.random.default_rng(1), 1000, 1.0)
    found = equal_points(plain, plain, stronger, cost)
    assert (found.price.value, found.price.low, found.price.high) == (0.0, 0.0, 0.0)
    assert found.changed == 0


def test_where_a_point_is_worth_nothing_there_is_no_price():
    plain, carded, _, cost = coins(np.random.default_rng(1), 1000, 1.0)
    found = equal_points(plain, carded, plain, cost)
    assert not found.identified
    assert np.isnan(found.price.value)


def test_fieller_agrees_with_the_delta_method_when_the_denominator_is_sure():
    low, high = fieller(1.0, 2.0, 1e-6, 0.0, 1e-8)
    half = 1.959964 * np.sqrt(1e-6 / 4 + 1e-8 / 16)
    assert low == pytest.approx(0.5 - half, abs=1e-6)
    assert high == pytest.approx(0.5 + half, abs=1e-6)
    assert fieller(1.0, 0.1, 0.01, 0.0, 0.01) == (-np.inf, np.inf)


def test_shared_dice_save_trials():
    found = equal_points(*coins(np.random.default_rng(3), 20000, 1.0))
    assert found.shared_dice_ratio > 5


def test_the_trials_asked_for_give_the_width_asked_for():
    arms = coins(np.random.default_rng(4), 20000, 1.0)
    pilot = equal_points(*arms)
    n = trials_for(0.2, pilot, residual(*arms, pilot.price.value))
    found = equal_points(*coins(np.random.default_rng(5), n, 1.0))
    assert found.price.half_width == pytest.approx(0.2, rel=0.15)


def test_bad_arms_are_refused():
    one = np.ones(5)
    with pytest.raises(InputError, match="same trials"):
        equal_points(one, one, one, np.ones(4))
    with pytest.raises(InputError, match="cost something"):
        equal_points(one, one, one, np.zeros(5))
    with pytest.raises(InputError, match="above 0"):
        trials_for(0.0, equal_points(one, one, one, one), 1.0)
