"""Intervals of chances, and how numbers are written."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log, nan, nextafter
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import betaln, xlog1py, xlogy
from scipy.stats import norm
from statsmodels.stats.proportion import proportion_confint

from ftsim.errors import InputError
from ftsim.estimates import (
    Estimate,
    digits_for,
    exactly,
    format_number,
    format_points,
    mixing,
    outward,
    proportion,
    ripe,
    time_uniform_p,
    time_uniform_proportion,
    time_uniform_z,
    z_bound,
)

steady = settings(deadline=None, derandomize=True)
CONFIDENCE = st.sampled_from([0.5, 0.8, 0.95, 0.99, 0.999])
METHODS = pytest.mark.parametrize("method, theirs", [("wilson", "wilson"), ("exact", "beta")])


@st.composite
def samples(draw):
    trials = draw(st.integers(1, 5_000))
    return draw(st.integers(0, trials)), trials


@METHODS
@steady
@given(samples(), CONFIDENCE)
def test_intervals_contain_the_share_and_agree_with_statsmodels(method, theirs, sample, confidence):
    estimate = proportion(*sample, confidence=confidence, method=method)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert estimate.low < estimate.high
    low, high = proportion_confint(*sample, alpha=1 - confidence, method=theirs)
    assert abs(estimate.low - low) < 1e-12
    assert abs(estimate.high - high) < 1e-12


@METHODS
@steady
@given(samples())
def test_successes_and_failures_mirror_each_other(method, theirs, sample):
    successes, trials = sample
    one = proportion(successes, trials, method=method)
    other = proportion(trials - successes, trials, method=method)
    assert one.low == pytest.approx(1 - other.high, abs=1e-12)
    assert one.high == pytest.approx(1 - other.low, abs=1e-12)


def test_nothing_of_a_hundred_is_not_zero():
    estimate = proportion(0, 100, method="exact")
    assert estimate.high == pytest.approx(1 - 0.025 ** (1 / 100), abs=1e-14)
    assert outward(estimate.low, estimate.high, 3) == (0, 0.037)


def test_all_of_a_hundred_is_not_certain():
    estimate = proportion(100, 100, method="exact")
    assert outward(estimate.low, estimate.high, 3) == (0.963, 1)


def test_wilson_gives_nothing_and_all_an_interval_too():
    assert proportion(0, 100).low == 0
    assert proportion(0, 100).high > 0.03
    assert proportion(100, 100).low < 0.97
    assert proportion(100, 100).high == 1


def test_a_demanding_confidence_gives_a_wide_interval_not_a_useless_one():
    assert proportion(0, 1_000, confidence=1 - 1e-7, method="exact").high == pytest.approx(0.01667, abs=5e-6)


@pytest.mark.parametrize("method", ["wilson", "exact"])
def test_no_trials_are_no_data(method):
    with pytest.raises(InputError, match=r"(?i)no data"):
        proportion(0, 0, method=method)


@pytest.mark.parametrize("successes, trials", [(-1, 10), (11, 10), (0, -1)])
def test_counts_that_make_no_sense_are_refused(successes, trials):
    with pytest.raises(InputError, match="successes"):
        proportion(successes, trials)


@pytest.mark.parametrize("confidence", [0, 1, 1.5, -0.1, nan])
def test_a_confidence_outside_its_bounds_is_refused(confidence):
    with pytest.raises(InputError, match="between 0 and 1"):
        proportion(1, 2, confidence=confidence)


def test_exact_values_say_so_and_sampled_ones_do_not():
    assert exactly(0.5).exact
    assert str(exactly(0.5)) == "0.500 (exact)"
    assert not proportion(5, 10).exact
    assert not Estimate(0.7, 0.4, 1.3).exact
    assert not Estimate(1.0, 1.0, 1.0, trials=10).exact


def test_half_width_is_the_distance_to_the_farther_end():
    assert Estimate(0.5, 0.25, 0.625).half_width == 0.25
    assert Estimate(0.5, 0.4375, 0.75).half_width == 0.25
    assert exactly(3.0).half_width == 0


def test_161_wins_of_200_keep_three_digits():
    estimate = proportion(161, 200)
    assert str(estimate) == "0.805 [0.745, 0.854]"
    assert digits_for(estimate.half_width) == 3


def test_a_round_share_keeps_its_zeros():
    assert str(proportion(160, 200)).startswith("0.800 [")
    assert str(proportion(100_000, 200_000)).startswith("0.5000 [")


def test_an_estimate_writes_its_numbers_like_all_others():
    assert str(Estimate(-0.35, -0.65, -0.18)) == "−0.35 [−0.65, −0.18]"
    assert str(Estimate(0.72, 0.32, inf)) == "0.720 [0.320, ∞]"


@steady
@given(st.floats(1e-7, 1e6))
def test_digits_show_at_most_two_significant_ones_of_the_error(error):
    digits = digits_for(error)
    assert 0 <= digits <= 6
    if 1e-5 <= error < 100:
        assert error * 10**digits > 10 * (1 - 1e-9)
        assert error * 10**digits < 100


@steady
@given(st.floats(1e-9, 1e9), st.floats(1e-9, 1e9))
def test_a_larger_error_never_shows_more_digits(one, other):
    assert digits_for(max(one, other)) <= digits_for(min(one, other))


@pytest.mark.parametrize("error", [0, -1, inf, nan])
def test_an_error_without_size_shows_three_digits(error):
    assert digits_for(error) == 3


@pytest.mark.parametrize(
    "value, error, text",
    [
        (0.8, 0.031, "0.800"),
        (0.8, None, "0.800"),
        (-0.5, None, "−0.500"),
        (-0.0001, None, "0.000"),
        (-0.0, None, "0.000"),
        (12.3, 40, "12"),
        (inf, None, "∞"),
        (-inf, 0.1, "−∞"),
    ],
)
def test_numbers_are_written_one_way(value, error, text):
    assert format_number(value, error) == text


@pytest.mark.parametrize(
    "value, text",
    [
        (0, "0"),
        (-0.0, "0"),
        (0.5, "½"),
        (-0.5, "−½"),
        (4.5, "4½"),
        (-2.5, "−2½"),
        (2, "2"),
        (Fraction(3, 2), "1½"),
    ],
)
def test_points_are_written_as_rulebooks_do(value, text):
    assert format_points(value) == text


@pytest.mark.parametrize("value", [0.25, 1 / 3, nan, inf])
def test_points_off_the_grid_are_refused(value):
    with pytest.raises(InputError, match="multiple of ½"):
        format_points(value)


@steady
@given(st.floats(-1e3, 1e3), st.floats(0, 10), st.integers(0, 6))
def test_rounding_outward_never_narrows_and_adds_less_than_a_step(low, width, digits):
    high = low + width
    left, right = outward(low, high, digits)
    assert left <= low
    assert right >= high
    assert low - left < 1.001 * 10**-digits
    assert right - high < 1.001 * 10**-digits


@steady
@given(st.integers(-2_000, 2_000), st.integers(0, 2_000), st.integers(0, 6))
def test_ends_on_the_grid_stay_where_they_are(low, width, digits):
    ends = low / 10**digits, (low + width) / 10**digits
    assert outward(*ends, digits) == ends


@steady
@given(st.integers(-2_000, 2_000), st.integers(0, 6))
def test_ends_just_off_the_grid_move_outward(step, digits):
    assume(step)
    end = step / 10**digits
    low, high = nextafter(end, -inf), nextafter(end, inf)
    left, right = outward(low, high, digits)
    assert left < end < right


def test_an_end_without_bound_stays_so():
    assert outward(-inf, inf, 3) == (-inf, inf)
    assert outward(0.3456, inf, 2) == (0.34, inf)


@pytest.mark.parametrize("checks", [1, 36, 10**6, 10**12])
@pytest.mark.parametrize("alpha", [1e-6, 0.05])
def test_the_z_bound_is_the_bonferroni_quantile(checks, alpha):
    assert z_bound(checks, alpha) == pytest.approx(norm.isf(alpha / (2 * checks)), rel=1e-9)


def test_the_z_for_looks_is_the_tabulated_one():
    assert [round(time_uniform_z(n, 10_000), 2) for n in (1_000, 10_000, 100_000)] == [3.86, 3.04, 3.24]


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_z_for_looks_is_near_its_smallest_where_planned(confidence):
    widths = {n: time_uniform_z(n, 10_000, confidence) / n**0.5 * 100 for n in (9_000, 10_000, 11_000)}
    others = [time_uniform_z(10_000, planned, confidence) for planned in (1_000, 3_000, 30_000, 100_000)]
    assert all(z >= widths[10_000] - 1e-3 for z in others)


@steady
@given(st.integers(1, 10**7), st.integers(1, 10**7), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_p_value_for_looks_is_alpha_at_the_end_of_the_interval(trials, planned, confidence):
    z = time_uniform_z(trials, planned, confidence)
    assert time_uniform_p(z, trials, planned, confidence) == pytest.approx(1 - confidence)
    assert time_uniform_p(-z, trials, planned, confidence) == pytest.approx(1 - confidence)
    assert time_uniform_p(0, trials, planned, confidence) == 1
    assert z > NormalDist().inv_cdf((1 + confidence) / 2)


def test_a_difference_watched_at_fifty_looks_is_rarely_missed():
    rng = np.random.default_rng(1)
    looks = np.unique(np.geomspace(2_000, 20_000, 50).astype(int))
    luck = rng.integers(0, 20, (500, 20_000), dtype=np.int8)
    sums = np.cumsum((luck == 0).astype(np.int8) - (luck == 1), axis=1)
    z = np.abs(sums[:, looks - 1]) / np.sqrt(0.1 * looks)
    bound = np.array([time_uniform_z(int(n), 20_000) for n in looks])
    assert (z > bound).any(1).mean() <= 0.05
    assert (z > 1.96).any(1).mean() > 0.15


def test_none_and_half_seen_at_any_look():
    assert str(time_uniform_proportion(0, 100)) == "0.000 [0.000, 0.057]"
    half = time_uniform_proportion(5_000, 10_000)
    assert half.half_width == pytest.approx(0.020, abs=5e-4)


@steady
@given(samples(), CONFIDENCE)
def test_a_chance_stays_until_the_mixture_is_so_much_likelier(sample, confidence):
    successes, trials = sample
    found = time_uniform_proportion(successes, trials, confidence=confidence)
    assert 0 <= found.low <= found.value <= found.high <= 1
    mixture = betaln(0.5 + successes, 0.5 + trials - successes) - betaln(0.5, 0.5)
    for end, outermost in ((found.low, 0.0), (found.high, 1.0)):
        if end != outermost:
            likely = xlogy(successes, end) + xlog1py(trials - successes, -end)
            assert mixture - likely == pytest.approx(-log(1 - confidence), abs=1e-6)
    mirror = time_uniform_proportion(trials - successes, trials, confidence=confidence)
    assert mirror.low == pytest.approx(1 - found.high, abs=1e-12)


def test_a_chance_watched_at_sixty_looks_is_rarely_missed():
    rng = np.random.default_rng(2)
    looks = np.unique(np.geomspace(50, 20_000, 60).astype(int))
    for chance in (0.01, 0.5):
        counts = np.cumsum(rng.random((200, 20_000)) < chance, axis=1)[:, looks - 1]
        missed = np.zeros(200, dtype=bool)
        for k, n in enumerate(looks):
            ends = {}
            for count in np.unique(counts[:, k]):
                found = time_uniform_proportion(int(count), int(n))
                ends[count] = not found.low <= chance <= found.high
            missed |= np.array([ends[count] for count in counts[:, k]])
        assert missed.mean() <= 0.05


def test_looks_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="at least 1"):
        time_uniform_z(0, 10)
    with pytest.raises(InputError, match="at least 1"):
        time_uniform_p(1.0, 0, 10)
    with pytest.raises(InputError, match="planned"):
        mixing(0)
    with pytest.raises(InputError, match="between 0 and 1"):
        mixing(10, 1.0)
    with pytest.raises(InputError, match=r"(?i)no data"):
        time_uniform_proportion(0, 0)
    assert not ripe(1_999, 500)
    assert not ripe(5_000, 199)
    assert ripe(2_000, 200)
