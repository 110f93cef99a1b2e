"""Sums of paired trials give the same prices as the trials themselves."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.pricing.equal_points import equal_points
from ftsim.pricing.moments import SUMS, Moments, sums_by_kind


def trials(count=4000, seed=3):
    rng = np.random.default_rng(seed)
    plain = rng.choice([0, 1, 2], count, p=[0.48, 0.02, 0.5])
    card = np.where(rng.random(count) < 0.1, rng.choice([0, 2], count, p=[0.2, 0.8]), plain)
    stand = np.where(rng.random(count) < 0.3, rng.choice([0, 2], count, p=[0.3, 0.7]), plain)
    return plain, card, stand, rng.choice([4, 6, 8], count), rng.integers(0, 5, count)


def test_sums_give_the_price_of_the_trials():
    plain, card, stand, cost, kind = trials()
    sums = sums_by_kind(plain, card, stand, cost, kind, 5)
    total = {name: int(sums[name].sum()) for name in SUMS}
    found = Moments.of(total).price()
    known = equal_points(plain / 2, card / 2, stand / 2, cost / 2)
    assert found.price.value == pytest.approx(known.price.value, rel=1e-12)
    assert found.price.low == pytest.approx(known.price.low, rel=1e-12)
    assert found.price.high == pytest.approx(known.price.high, rel=1e-12)
    assert found.worth_of_point.low == pytest.approx(known.worth_of_point.low, rel=1e-12)
    assert found.card_variance == pytest.approx(known.card_variance, rel=1e-12)
    assert found.shared_dice_ratio == pytest.approx(known.shared_dice_ratio, rel=1e-9)
    assert found.changed == known.changed


def test_sums_of_blocks_add_up():
    plain, card, stand, cost, kind = trials()
    whole = sums_by_kind(plain, card, stand, cost, kind, 5)
    parts = [
        sums_by_kind(*(x[k : k + 1000] for x in (plain, card, stand, cost, kind)), 5) for k in range(0, 4000, 1000)
    ]
    for name in SUMS:
        assert (whole[name] == sum(part[name] for part in parts)).all()


def test_what_changes_nothing_is_worth_exactly_nothing():
    plain, _, stand, cost, kind = trials()
    sums = sums_by_kind(plain, plain, stand, cost, kind, 5)
    price = Moments.of({name: int(sums[name].sum()) for name in SUMS}).price().price
    assert (price.value, price.low, price.high) == (0.0, 0.0, 0.0)


def test_trials_for_a_half_width_give_it():
    plain, card, stand, cost, kind = trials(20_000)
    sums = sums_by_kind(plain, card, stand, cost, kind, 5)
    moments = Moments.of({name: int(sums[name].sum()) for name in SUMS})
    price = moments.price().price
    half = (price.high - price.low) / 2
    needed = moments.trials_for(half)
    assert needed == pytest.approx(20_000, rel=0.02)
    assert moments.trials_for(half / 2) == pytest.approx(4 * needed, rel=0.01)
    with pytest.raises(InputError, match="half-width"):
        moments.trials_for(0)


def test_one_trial_is_no_price():
    with pytest.raises(InputError, match="at least two"):
        Moments.of(dict.fromkeys(SUMS, 1))
