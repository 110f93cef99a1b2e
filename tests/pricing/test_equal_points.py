from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.pricing.equal_points import (
    ARMS,
    arm_moments,
    equal_points,
    fall_of_worth,
    fieller,
    priced,
    priced_cards,
    residual,
    trials_for,
)
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import Ratio


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


def arms_with_less(
    n: int = 20_000, seed: int = 7, gain: float = 0.04, loss: float = 0.06
) -> dict[str, np.ndarray | None]:
    rng = np.random.default_rng(seed)
    luck = rng.random(n)
    cost, cost_less = rng.choice([2.0, 3.0, 4.0], (2, n))

    def score(change: np.ndarray | float) -> np.ndarray:
        return 0.5 * (luck < 0.45 + change) + 0.5 * (luck < 0.55 + change)

    carded = np.stack([score(worth * gain) for worth in (0.0, 1.0, -2.0)])
    return {
        "plain": score(0.0),
        "carded": carded,
        "more": score(gain * cost),
        "cost_more": cost,
        "less": score(-loss * cost_less),
        "cost_less": cost_less,
    }


def test_cards_that_share_their_arms_have_the_prices_they_have_alone():
    arms = arms_with_less()
    found = priced_cards(("none", "good", "bad"), arm_moments(**arms))
    for name, carded in zip(("none", "good", "bad"), arms["carded"], strict=True):
        alone = equal_points(arms["plain"], carded, arms["more"], arms["cost_more"])
        for end in ("value", "low", "high"):
            assert getattr(found[name].price, end) == pytest.approx(getattr(alone.price, end), rel=1e-9)
        assert found[name].changed == np.mean(carded != arms["plain"])
        assert found[name].card_variance == pytest.approx(np.var(carded - arms["plain"], ddof=1))
    assert (found["none"].price.low, found["none"].price.high) == (0.0, 0.0)


def test_prices_from_moments_are_those_from_trials():
    arms = arms_with_less()
    found = priced(arm_moments(**arms)[1])
    by_hand = Ratio.of_trials(arms["carded"][1] - arms["plain"], arms["more"] - arms["plain"], arms["cost_more"])
    for name in ("gain", "unit", "v_gain", "covariance", "v_unit"):
        assert getattr(found.ratio, name) == pytest.approx(getattr(by_hand, name), rel=1e-9)
    assert found.ratio.differing == by_hand.differing


def test_blocks_of_arms_add_up_to_the_same_price():
    arms = arms_with_less()
    parts = [arm_moments(**{k: v[..., at : at + 1_000] for k, v in arms.items()}) for at in range(0, 20_000, 1_000)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    assert priced(whole[1]) == priced(arm_moments(**arms)[1])
    again = Moments.from_columns(whole.columns(ARMS), ARMS)
    assert priced_cards("abc", again) == priced_cards("abc", whole)


def test_one_stand_less_prices_by_the_other_side_and_both_sides_by_a_parabola():
    arms = arms_with_less(200_000)
    good = arm_moments(**arms)[1]
    more, less, both = (priced(good, n) for n in ("one stand more", "one stand less", "both sides"))
    fall = fall_of_worth(good).estimate()
    assert fall.low < 1.5 < fall.high
    assert fall.half_width < 0.1
    assert more.worth_of_point.value == pytest.approx(0.04, rel=0.05)
    assert less.worth_of_point.value == pytest.approx(0.06, rel=0.05)
    assert less.price.value == pytest.approx(more.price.value / fall.value)
    up, down = arms["cost_more"].mean(), arms["cost_less"].mean()
    gains = [arms["less"].mean() - arms["plain"].mean(), 0.0, arms["more"].mean() - arms["plain"].mean()]
    slope = np.polyfit([-down, 0.0, up], gains, 2)[1]
    assert both.worth_of_point.value == pytest.approx(slope)


@pytest.mark.parametrize("numeraire", ["one stand more", "one stand less", "both sides"])
def test_errors_of_every_numeraire_are_those_of_resampled_studies(numeraire):
    found = [priced(arm_moments(**arms_with_less(2_000, seed))[1], numeraire) for seed in range(400)]
    units = np.array([one.ratio.unit for one in found])
    told = np.sqrt(np.mean([one.ratio.v_unit for one in found]))
    assert told == pytest.approx(units.std(ddof=1), rel=0.12)
    lines = np.array([one.ratio.gain - 1.0 * one.ratio.unit for one in found])
    told = np.sqrt(np.mean([one.ratio.variance_at(1.0) for one in found]))
    assert told == pytest.approx(lines.std(ddof=1), rel=0.12)


def test_a_lottery_over_the_stand_is_the_price_in_stands():
    arms = arms_with_less(200_000)
    found = priced(arm_moments(**arms)[1])
    stands = found.lottery.estimate()
    assert stands.low < 1 / 3 < stands.high
    assert stands.value * arms["cost_more"].mean() == pytest.approx(found.price.value)
    # The army with the stand fielded by that lottery is as good as the carded one.
    fielded = np.random.default_rng(1).random(200_000) < stands.value
    drawn = np.where(fielded, arms["more"], arms["plain"]).mean()
    assert drawn == pytest.approx(arms["carded"][1].mean(), abs=0.002)


def test_looks_at_growing_sums_get_wider_intervals():
    found = priced(arm_moments(**arms_with_less())[1])
    looked = found.ratio.estimate(planned=20_000)
    assert looked.value == found.price.value
    assert looked.low < found.price.low < found.price.high < looked.high


def test_bad_moments_are_refused():
    arms = arms_with_less(100)
    without = arm_moments(**(arms | {"less": None, "cost_less": None}))
    with pytest.raises(InputError, match="one stand less"):
        priced(without[0], "one stand less")
    with pytest.raises(InputError, match="one stand less"):
        fall_of_worth(without[0])
    with pytest.raises(InputError, match="both its scores"):
        arm_moments(**(arms | {"less": None}))
    with pytest.raises(InputError, match="cost something"):
        arm_moments(**(arms | {"cost_less": np.zeros(100)}))
    with pytest.raises(InputError, match="one cell"):
        priced(without)
    with pytest.raises(InputError, match="as many cells"):
        priced_cards("ab", without)
    with pytest.raises(InputError, match="not 'a horse'"):
        priced(arm_moments(**arms)[0], "a horse")


def test_scores_may_be_means_of_several_battles():
    rng = np.random.default_rng(1)
    plain, carded, more = rng.integers(0, 9, (3, 500)) / 8
    found = equal_points(plain, np.minimum(carded + 0.25, 1), more + 0.3, np.full(500, 3.1))
    assert found.ratio.unit == pytest.approx((more + 0.3 - plain).mean() / 3.1)
