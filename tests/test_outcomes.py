"""Counts stay integers and sum to their total."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError, UnknownNameError
from ftsim.outcomes import Outcomes

steady = settings(deadline=None, derandomize=True)
LABELS = ("win", "tie", "beaten", "doubled")
ONE = Outcomes(LABELS, np.array([15, 6, 10, 5]), 36, exact=True)
MANY = Outcomes(LABELS, np.array([[15, 6, 10, 5], [36, 0, 0, 0]]), 36, exact=True)
COUNTS = st.lists(st.lists(st.integers(0, 50), min_size=4, max_size=4), min_size=1, max_size=5)


def balanced(rows):
    total = max(max(sum(row) for row in rows), 1)
    return np.array([[row[0] + total - sum(row), *row[1:]] for row in rows]), total


@steady
@given(COUNTS)
def test_chances_of_all_outcomes_sum_to_one(rows):
    counts, total = balanced(rows)
    outcomes = Outcomes(LABELS, counts, total, exact=False)
    assert np.all(sum(outcomes.count(label) for label in LABELS) == total)
    assert np.allclose(sum(outcomes.probability(label) for label in LABELS), 1, atol=1e-15)


@steady
@given(COUNTS)
def test_grouping_keeps_every_count(rows):
    counts, total = balanced(rows)
    coarse = Outcomes(LABELS, counts, total, exact=True).grouped(
        {"lose": ("doubled", "beaten"), "tie": ("tie",), "win": ("win",)}
    )
    assert coarse.labels == ("lose", "tie", "win")
    assert np.array_equal(coarse.counts, counts[:, [2, 1, 0]] + np.outer(counts[:, 3], [1, 0, 0]))
    assert (coarse.total, coarse.exact) == (total, True)
    assert np.all(coarse.count("lose") >= counts[:, 3])


def test_one_group_of_everything_is_certain():
    assert ONE.grouped({"all": LABELS}).counts.tolist() == [36]


@pytest.mark.parametrize("outcomes", [ONE, MANY], ids=["one", "many"])
def test_a_group_of_nothing_never_happens(outcomes):
    coarse = outcomes.grouped({"all": LABELS, "nothing": ()})
    assert np.all(coarse.count("nothing") == 0)
    assert np.issubdtype(coarse.counts.dtype, np.integer)


@pytest.mark.parametrize(
    "groups",
    [
        {"win": ("win",)},
        {"all": LABELS, "again": ("win",)},
        {"all": (*LABELS, "draw")},
    ],
)
def test_groups_that_miss_or_repeat_an_outcome_are_refused(groups):
    with pytest.raises(InputError, match="each of"):
        ONE.grouped(groups)


def test_fractions_are_in_lowest_terms_and_sum_to_one():
    assert ONE.fractions() == {
        "win": Fraction(5, 12),
        "tie": Fraction(1, 6),
        "beaten": Fraction(5, 18),
        "doubled": Fraction(5, 36),
    }
    assert sum(ONE.fractions().values()) == 1


def test_an_expectation_weighs_values_by_counts():
    assert ONE.expectation([1, 0.5, 0, 0]) == 0.5
    assert MANY.expectation([1, 0.5, 0, 0]).tolist() == [0.5, 1.0]


def test_an_outcome_has_one_count_a_matchup():
    assert MANY.count("tie").tolist() == [6, 0]
    assert MANY.probability("tie").tolist() == [6 / 36, 0.0]
    assert ONE.count("tie") == 6


def test_a_frame_has_a_row_an_outcome():
    frame = ONE.frame()
    assert list(frame.columns) == ["outcome", "count", "probability"]
    assert frame["outcome"].tolist() == list(LABELS)
    assert frame["count"].sum() == 36
    assert frame["probability"].sum() == pytest.approx(1)


def test_an_unknown_outcome_names_the_near_ones():
    with pytest.raises(UnknownNameError, match="did you mean 'doubled'"):
        ONE.count("double")


@pytest.mark.parametrize(
    "counts, message",
    [
        ([15, 6, 10, 4], "sum to 36"),
        ([[15, 6, 10, 5], [36, 0, 0, 1]], "sum to 36"),
        ([15, 6, 15], "4 outcomes"),
    ],
)
def test_counts_that_do_not_fit_are_refused(counts, message):
    with pytest.raises(InputError, match=message):
        Outcomes(LABELS, np.array(counts), 36, exact=True)


def test_a_negative_count_is_refused():
    with pytest.raises(InputError):
        Outcomes(LABELS, np.array([37, -1, 0, 0]), 36, exact=True)


def test_narrow_counts_do_not_wrap_when_they_are_summed():
    assert Outcomes(("a", "b"), np.array([100, 100], dtype=np.int8), 200, exact=False).total == 200
