"""Attribution: shares of a bundle add up, and are those of the definition."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError
from ftsim.pricing.attribution import attribute, attribute_by, attributed_prices, shapley_weights, subsets
from ftsim.pricing.ratio import Ratio

steady = settings(deadline=None, derandomize=True)


def over_all_orders(cards: int, values: np.ndarray) -> np.ndarray:
    shares = np.zeros(cards)
    orders = list(permutations(range(cards)))
    for order in orders:
        have = 0
        for k in order:
            shares[k] += values[have | 1 << k] - values[have]
            have |= 1 << k
    return shares / len(orders)


@pytest.mark.parametrize("cards", [1, 2, 3, 5, 6])
def test_shares_are_the_mean_additions_over_all_orders(cards):
    values = np.random.default_rng(cards).normal(size=2**cards)
    found = attribute([f"c{k}" for k in range(cards)], values)
    assert [share.value for share in found.shares] == pytest.approx(over_all_orders(cards, values))
    assert all(share.exact for share in found.shares)


@steady
@given(st.integers(1, 8), st.integers(0, 1_000))
def test_shares_add_up_to_what_the_bundle_adds(cards, seed):
    values = np.random.default_rng(seed).normal(size=2**cards)
    found = attribute([f"c{k}" for k in range(cards)], values)
    assert sum(share.value for share in found.shares) == pytest.approx(values[-1] - values[0])
    assert found.total.value == pytest.approx(values[-1] - values[0])
    assert found.synergy.value == pytest.approx(found.total.value - sum(one.value for one in found.alone))


def test_the_weights_are_those_of_the_definition():
    for cards in range(1, 9):
        weights = shapley_weights(cards)
        assert weights.sum(1) == pytest.approx(np.zeros(cards), abs=1e-12)
        assert weights.sum(0) == pytest.approx([-1] + [0] * (2**cards - 2) + [1], abs=1e-12)


def test_the_glove_game():
    """Two left gloves and one right: a pair is worth 1, and the right one takes ⅔ of it."""

    def value(have):
        return float("right" in have and len(have) > 1)

    found = attribute_by(["left", "other left", "right"], value)
    assert [share.value for share in found.shares] == pytest.approx([1 / 6, 1 / 6, 2 / 3])


def test_a_card_that_never_adds_anything_has_no_share_and_twins_have_equal_ones():
    found = attribute_by(["one", "twin", "dummy"], lambda have: float(len({"one", "twin"} & set(have)) ** 0.5))
    assert found.shares[0].value == pytest.approx(found.shares[1].value)
    assert found.shares[2].value == pytest.approx(0, abs=1e-15)


def test_errors_come_from_trials_on_the_same_dice():
    rng = np.random.default_rng(1)
    luck = rng.random(4_000)
    chance = np.array([0.4, 0.5, 0.55, 0.7])
    scores = (luck < chance[:, None]).astype(float)
    found = attribute(["a", "b"], scores)
    by_trial = 0.5 * (scores[1] - scores[0]) + 0.5 * (scores[3] - scores[2])
    assert found.shares[0].value == pytest.approx(by_trial.mean())
    assert found.shares[0].half_width == pytest.approx(1.959964 * by_trial.std(ddof=1) / np.sqrt(4_000))
    assert found.shares[0].low < 0.125 < found.shares[0].high
    assert found.synergy.low < 0.05 < found.synergy.high
    assert found.total.trials == 4_000


def test_planted_shares_are_covered():
    chance = np.array([0.3, 0.35, 0.45, 0.55, 0.38, 0.4, 0.6, 0.7])
    true = over_all_orders(3, chance)
    covered = []
    for seed in range(300):
        luck = np.random.default_rng(seed).random(1_000)
        found = attribute(["a", "b", "c"], (luck < chance[:, None]).astype(float))
        covered += [share.low <= t <= share.high for share, t in zip(found.shares, true, strict=True)]
    assert 0.93 <= np.mean(covered) <= 0.97


def test_shares_in_points_add_up_to_the_bundles_price():
    rng = np.random.default_rng(2)
    luck, cost = rng.random(20_000), rng.choice([2.0, 4.0], 20_000)
    scores = (luck < np.array([0.4, 0.45, 0.5, 0.6])[:, None]).astype(float)
    more = (luck < 0.4 + 0.03 * cost).astype(float)
    found = attributed_prices(["a", "b"], scores, more, cost)
    whole = Ratio.of_trials(scores[3] - scores[0], more - scores[0], cost)
    assert sum(one.value for one in found.values()) == pytest.approx(whole.value)
    a = found["a"].estimate()
    assert a.low < 0.075 / 0.03 < a.high


def test_subsets_are_in_the_order_of_bits():
    assert subsets("ab") == ((), ("a",), ("b",), ("a", "b"))


def test_bad_bundles_are_refused():
    with pytest.raises(InputError, match="1 to 8"):
        attribute([f"c{k}" for k in range(9)], np.zeros(512))
    with pytest.raises(InputError, match="once"):
        attribute(["a", "a"], np.zeros(4))
    with pytest.raises(InputError, match="4 subsets"):
        attribute(["a", "b"], np.zeros(3))
    with pytest.raises(InputError, match=r"subset \['b'\]"):
        attribute(["a", "b"], np.array([0, 1, np.nan, 2]))
    with pytest.raises(InputError, match="rows of trials"):
        attributed_prices(["a", "b"], np.zeros(4), np.zeros(4), np.ones(4))
