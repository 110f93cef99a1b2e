"""Verdicts follow from where an interval lies; ranges of choices are joined, never added."""

from __future__ import annotations

from itertools import pairwise
from math import hypot, inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError
from ftsim.estimates import Estimate, exactly
from ftsim.pricing.verdict import MARGIN, hull, suggested, verdict

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
