"""Ratios: Fieller on known cases, intervals for looks, and when there is no price."""

from __future__ import annotations

from math import inf, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError
from ftsim.estimates import time_uniform_z
from ftsim.pricing.ratio import Ratio, fieller, z_of

steady = settings(deadline=None, derandomize=True)
SURE = Ratio(0.08, 0.04, 4e-6, 1e-6, 1e-6, 10_000, 900)


def test_fieller_solves_its_quadratic_by_hand():
    # (2 − π)² = 4 (0.25 + 0.04 π²): 0.84 π² − 4 π + 3 = 0.
    low, high = fieller(2.0, 1.0, 0.25, 0.0, 0.04, z=2.0)
    root = sqrt(16 - 4 * 0.84 * 3)
    assert (low, high) == pytest.approx(((4 - root) / 1.68, (4 + root) / 1.68))
    # A shared error that moves both alike leaves nothing open: a = 2 b, v_aa = 4 v, v_ab = 2 v.
    assert fieller(2.0, 1.0, 0.04, 0.02, 0.01, z=2.0) == pytest.approx((2.0, 2.0))


def test_fieller_agrees_with_a_textbook_case_computed_by_another_formula():
    a, b, v_aa, v_ab, v_bb = 3.0, 2.0, 0.09, 0.02, 0.04
    z = z_of(0.95)
    g = z * z * v_bb / b**2
    ratio = a / b
    middle = ratio - g * v_ab / v_bb
    half = z / b * sqrt(v_aa - 2 * ratio * v_ab + ratio**2 * v_bb - g * (v_aa - v_ab**2 / v_bb))
    wanted = ((middle - half) / (1 - g), (middle + half) / (1 - g))
    assert fieller(a, b, v_aa, v_ab, v_bb) == pytest.approx(wanted)


@steady
@given(st.floats(-3, 3), st.floats(0.5, 2), st.floats(1e-4, 0.1), st.floats(-0.9, 0.9), st.floats(1e-4, 0.01))
def test_the_ends_are_the_prices_that_a_test_just_rejects(gain, unit, v_gain, together, v_unit):
    found = Ratio(gain, unit, v_gain, together * sqrt(v_gain * v_unit), v_unit, 1_000, 500)
    price = found.estimate()
    assert found.errors_above(price.low) == pytest.approx(1.959964, rel=1e-4)
    assert found.errors_above(price.high) == pytest.approx(-1.959964, rel=1e-4)
    assert price.low < price.value < price.high


def test_a_unit_that_may_be_nothing_gives_no_price():
    vague = Ratio(0.08, 0.04, 4e-6, 0.0, 5e-4, 10_000, 900)
    assert not vague.unit_is_known()
    assert isnan(vague.estimate().value)
    assert (vague.estimate().low, vague.estimate(planned=10_000).high) == (-inf, inf)
    assert isnan(Ratio(0.1, 0.0, 1e-4, 0.0, 0.0, 10, 5).value)


def test_what_changes_nothing_is_worth_exactly_nothing():
    none = Ratio(0.0, 0.04, 0.0, 0.0, 4e-4, 10_000, 0)
    price = none.estimate()
    assert (price.value, price.low, price.high) == (0.0, 0.0, 0.0)
    assert none.errors_above(0.0) == 0.0
    assert Ratio(0.0, 0.04, 0.0, 0.0, 0.0, 10_000, 0).errors_above(-1.0) == inf


def test_intervals_for_looks_are_fieller_with_another_z_and_wait_for_enough():
    looked = SURE.estimate(planned=10_000)
    wanted = fieller(0.08, 0.04, 4e-6, 1e-6, 1e-6, z=time_uniform_z(10_000, 10_000))
    assert (looked.low, looked.high) == pytest.approx(wanted)
    assert looked.half_width > SURE.estimate().half_width
    for trials, differing in ((1_999, 900), (10_000, 199)):
        early = Ratio(0.08, 0.04, 4e-6, 1e-6, 1e-6, trials, differing).estimate(planned=10_000)
        assert (early.value, early.low, early.high) == (2.0, -inf, inf)


def test_trials_for_a_half_width_scale_with_its_square():
    n = SURE.trials_for(0.1)
    assert SURE.trials_for(0.05) == pytest.approx(4 * n, rel=1e-3)
    variance = (4e-6 - 4e-6 + 4e-6) * 10_000
    assert n == pytest.approx(1.959964**2 / 0.01 * variance / 0.04**2, rel=1e-3)
    with pytest.raises(InputError, match="above 0"):
        SURE.trials_for(0.0)
    with pytest.raises(InputError, match="pilot"):
        Ratio(0.1, 0.0, 1e-4, 0.0, 1e-4, 10, 5).trials_for(0.1)


def test_trials_by_themselves_give_the_paired_ratio():
    rng = np.random.default_rng(1)
    gain, stand, cost = rng.normal(0.1, 1, 500), rng.normal(0.2, 1, 500), rng.choice([2.0, 3.0], 500)
    found = Ratio.of_trials(gain, stand, cost)
    assert found.value == pytest.approx(gain.mean() / (stand.mean() / cost.mean()))
    assert found.v_gain == pytest.approx(gain.var(ddof=1) / 500)
    influence = (stand - stand.mean() / cost.mean() * cost) / cost.mean()
    assert found.v_unit == pytest.approx(influence.var(ddof=1) / 500)
    with pytest.raises(InputError, match="same trials"):
        Ratio.of_trials(gain, stand[:10], cost)
    with pytest.raises(InputError, match="cost something"):
        Ratio.of_trials(gain, stand, 0 * cost)
