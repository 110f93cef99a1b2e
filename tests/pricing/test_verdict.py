"""Verdicts follow from where an interval lies; ranges of choices are joined, never added."""

from __future__ import annotations

from itertools import pairwise
from math import hypot, inf, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, norm

from ftsim.errors import InputError
from ftsim.estimates import Estimate, exactly
from ftsim.pricing.ratio import Ratio
from ftsim.pricing.verdict import MARGIN, benjamini_hochberg, hull, judge, suggested, three_tests, verdict

steady = settings(deadline=None, derandomize=True)
points = st.floats(-8, 8).map(lambda x: round(x * 8) / 8)
VERDICTS = ("overpriced", "undecided", "fair", "underpriced")


@st.composite
def estimates(draw):
    low, value, high = sorted(draw(points) for _ in range(3))
    return Estimate(value, low, high)


def between(low, high):
    return Estimate((low + high) / 2, low, high)


CASES = {
    "inside": (1.8, 2.2, "fair"),
    "on both margins": (1.75, 2.25, "fair"),
    "over one margin": (1.75, 2.3, "undecided"),
    "over both margins": (1.0, 3.0, "undecided"),
    "above": (2.3, 3.0, "underpriced"),
    "up from the margin": (2.25, 3.0, "undecided"),
    "below": (0.5, 1.7, "overpriced"),
    "down from the margin": (0.5, 1.75, "undecided"),
    "without an upper end": (2.3, inf, "underpriced"),
    "without ends": (-inf, inf, "undecided"),
}


@pytest.mark.parametrize(("low", "high", "word"), CASES.values(), ids=CASES)
def test_a_verdict_says_where_the_interval_lies(low, high, word):
    value = low if high == inf else (low + high) / 2
    assert verdict(2.0, Estimate(2.5 if value == -inf else value, low, high)) == word


def test_the_margin_is_half_the_half_point_grid():
    assert MARGIN == 0.25
    assert [verdict(2.0, exactly(x)) for x in (1.7, 1.75, 2.0, 2.25, 2.3)] == [
        "overpriced",
        "fair",
        "fair",
        "fair",
        "underpriced",
    ]


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_what_has_only_a_bound_has_no_price(value):
    assert verdict(2.0, Estimate(value, value, value)) == "no price"
    assert verdict(2.0, Estimate(value, -1.0, 1.0)) == "no price"


@steady
@given(estimates(), points)
def test_a_card_that_saves_points_mirrors_one_that_costs_them(implied, printed):
    mirror = {"overpriced": "underpriced", "underpriced": "overpriced"}
    word = verdict(printed, implied)
    flipped = Estimate(-implied.value, -implied.high, -implied.low)
    assert verdict(-printed, flipped) == mirror.get(word, word)


@steady
@given(estimates(), points, points)
def test_a_narrower_interval_never_takes_a_verdict_back(implied, printed, inner):
    within = Estimate(inner, max(implied.low, inner - 0.1), min(implied.high, inner + 0.1))
    if within.low > within.high or not within.low <= inner <= within.high:
        return
    word = verdict(printed, implied)
    assert word == "undecided" or verdict(printed, within) == word


@steady
@given(estimates(), st.lists(points, min_size=2, max_size=6).map(sorted))
def test_a_dearer_card_is_never_called_cheaper(implied, prices):
    order = {"underpriced": 0, "undecided": 1, "fair": 1, "overpriced": 2}
    said = [order[verdict(printed, implied)] for printed in prices]
    assert all(one <= other for one, other in pairwise(said))


@steady
@given(estimates(), points, st.floats(0, 2), st.floats(0, 2))
def test_a_wider_margin_never_finds_more_mispriced(implied, printed, one, other):
    narrow, wide = sorted((one, other))
    if verdict(printed, implied, wide) in ("underpriced", "overpriced"):
        assert verdict(printed, implied, narrow) == verdict(printed, implied, wide)


@steady
@given(st.lists(estimates(), min_size=1, max_size=6))
def test_a_hull_holds_every_interval_and_ends_where_one_ends(several):
    found = hull(several)
    assert found.value == several[0].value
    assert found.low == min(one.low for one in several)
    assert found.high == max(one.high for one in several)


@steady
@given(st.lists(estimates(), min_size=1, max_size=6), points)
def test_a_verdict_on_a_hull_holds_in_every_scenario(several, printed):
    word = verdict(printed, hull(several))
    if word != "undecided":
        assert {verdict(printed, one) for one in several} == {word}


def test_ranges_are_joined_and_never_added():
    one, other = between(-1.0, 1.0), between(-0.5, 2.0)
    joined = hull([one, other])
    assert (joined.low, joined.high) == (-1.0, 2.0)
    assert joined.high - joined.low < hypot(2.0, 2.5)


def test_the_order_of_scenarios_moves_only_the_value():
    one, other = between(0.0, 1.0), between(2.0, 3.0)
    assert (hull([one, other]).low, hull([one, other]).high) == (hull([other, one]).low, hull([other, one]).high)


def test_a_hull_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least one"):
        hull([])


@pytest.mark.parametrize(("value", "step"), [(0.7, 0.5), (0.8, 1.0), (-0.7, -0.5), (1.99, 2.0), (0.1, 0.0)])
def test_the_suggested_price_is_the_nearest_half_point(value, step):
    assert suggested(exactly(value)) == step


@steady
@given(st.floats(-8, 8))
def test_the_suggested_price_is_one_that_the_margin_calls_fair(value):
    assert verdict(suggested(exactly(value)), exactly(value)) == "fair"


def ratio(value, error, unit=0.04, trials=10_000, differing=900):
    """A price whose point is known well and whose error is `error` points."""
    return Ratio(value * unit, unit, (error * unit) ** 2, 0.0, 1e-16, trials, differing)


def test_three_tests_are_one_sided_normal_ones():
    found = three_tests(2.0, ratio(2.1, 0.1))
    assert found.under == pytest.approx(norm.sf(-1.5), rel=1e-5)
    assert found.over == pytest.approx(norm.cdf(3.5), rel=1e-5)
    assert found.fair == pytest.approx(max(norm.sf(3.5), norm.cdf(-1.5)), rel=1e-5)


@steady
@given(st.floats(-4, 4), st.floats(0.01, 1), points, st.one_of(st.none(), st.just(5_000)))
def test_at_most_one_claim_can_be_made(value, error, printed, planned):
    found = three_tests(printed, ratio(value, error), planned=planned)
    assert sum(p <= 0.05 for p in (found.under, found.over, found.fair)) <= 1


@steady
@given(st.floats(-4, 4), st.floats(0.01, 1), points)
def test_uncorrected_tests_claim_what_the_interval_of_the_same_level_shows(value, error, printed):
    implied = ratio(value, error)
    found = three_tests(printed, implied)
    words = {"underpriced": found.under, "overpriced": found.over, "fair": found.fair}
    said = [word for word, p in words.items() if p <= 0.025]
    assert said == [word for word in [verdict(printed, implied.estimate())] if word != "undecided"]


@steady
@given(st.floats(-4, 4), st.floats(0.01, 1), points)
def test_tests_for_looks_claim_what_the_time_uniform_interval_shows(value, error, printed):
    implied = ratio(value, error)
    found = three_tests(printed, implied, planned=20_000)
    words = {"underpriced": found.under, "overpriced": found.over, "fair": found.fair}
    said = [word for word, p in words.items() if p <= 0.05]
    assert said == [word for word in [verdict(printed, implied.estimate(planned=20_000))] if word != "undecided"]


def test_who_looks_too_early_claims_nothing():
    for trials, differing in ((1_999, 900), (10_000, 199)):
        found = three_tests(2.0, ratio(9.0, 0.1, trials=trials, differing=differing), planned=10_000)
        assert (found.under, found.over, found.fair) == (1.0, 1.0, 1.0)


@steady
@given(st.lists(st.one_of(st.floats(0, 1), st.floats(0, 1e-3)), min_size=1, max_size=111))
def test_adjusted_p_values_are_those_of_scipy(p):
    assert benjamini_hochberg(np.array(p)) == pytest.approx(false_discovery_control(p), rel=1e-12)


@pytest.mark.parametrize("p", [[0.5, -0.1], [1.1], [nan], [[0.1]]])
def test_what_is_no_p_value_is_refused(p):
    with pytest.raises(InputError, match="between 0 and 1"):
        benjamini_hochberg(np.array(p))


def test_cards_are_judged_together():
    printed = {"cheap": 1.0, "dear": 2.0, "right": 1.0, "unclear": 1.0, "unknown": 1.0}
    implied = {
        "cheap": ratio(1.9, 0.1),
        "dear": ratio(0.7, 0.1),
        "right": ratio(1.05, 0.05),
        "unclear": ratio(1.4, 0.3),
        "unknown": Ratio(1.0, 0.04, 1e-4, 0.0, 1.0, 10_000, 900),
    }
    found = judge(printed, implied)
    assert [j.verdict for j in found.values()] == ["underpriced", "overpriced", "fair", "undecided", "no price"]
    assert [j.suggested for j in found.values()] == [2.0, 0.5, None, None, None]
    p = [p for name in printed for t in [found[name].tests] for p in (t.under, t.over, t.fair)]
    wanted = false_discovery_control(p).reshape(-1, 3)
    for one, three in zip(found.values(), wanted, strict=True):
        assert (one.adjusted.under, one.adjusted.over, one.adjusted.fair) == pytest.approx(tuple(three))


def test_among_many_cards_a_single_small_p_value_is_no_verdict():
    implied = {f"card {k}": ratio(1.25 if k else 1.45, 0.1) for k in range(40)}
    assert three_tests(1.0, implied["card 0"]).under < 0.025
    assert judge(dict.fromkeys(implied, 1.0), implied)["card 0"].verdict == "undecided"


@steady
@given(st.floats(-4, 4), points)
def test_a_suggested_price_is_another_than_the_printed_one(value, printed):
    found = judge({"card": round(printed * 2) / 2}, {"card": ratio(value, 0.01)})["card"]
    assert (found.suggested is not None) == (found.verdict in ("underpriced", "overpriced"))
    assert found.suggested != found.printed


def test_prices_and_estimates_of_different_cards_are_refused():
    with pytest.raises(InputError, match=r"different cards.*b"):
        judge({"a": 1.0}, {"a": ratio(1, 1), "b": ratio(1, 1)})
