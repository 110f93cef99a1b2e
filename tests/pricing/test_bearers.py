"""Worth by bearer: the spread of true worths is told from the errors of sampled ones."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects

from ftsim.errors import InputError
from ftsim.pricing.bearers import bearer_moments, by_bearer, dersimonian_laird
from ftsim.pricing.ratio import Ratio

NAMES = tuple(f"Type {k}" for k in range(12))
GAIN = 0.03


def study(seed: int, spread: float, n: int = 60_000, mean: float = 2.0) -> tuple[np.ndarray, dict]:
    rng = np.random.default_rng(seed)
    worth = mean + spread * rng.normal(size=12)
    bearer = rng.choice(12, size=n, p=np.arange(1, 13) / 78)
    luck, cost = rng.random(n), rng.choice([2.0, 3.0, 4.0], n)

    def score(gain):
        return 0.5 * (luck < 0.4 + gain) + 0.5 * (luck < 0.5 + gain)

    return worth, {
        "plain": score(0.0),
        "carded": score(GAIN * worth[bearer]),
        "more": score(GAIN * cost),
        "cost_more": cost,
        "bearer": bearer,
    }


def found(arms, names=NAMES):
    return by_bearer(names, bearer_moments(**arms, types=len(names)))


@pytest.mark.parametrize("seed", range(5))
def test_random_effects_are_those_of_statsmodels(seed):
    rng = np.random.default_rng(seed)
    effect, variance = rng.normal(1, 1 + 0.5 * seed, 9), rng.uniform(0.05, 0.5, 9)
    theirs = combine_effects(effect, variance, method_re="dl")
    mean, between = dersimonian_laird(effect, variance)
    assert theirs.tau2 > 0
    assert between == pytest.approx(theirs.tau2, rel=1e-12)
    assert mean == pytest.approx(theirs.mean_effect_re, rel=1e-12)


def test_a_spread_below_that_of_errors_is_none():
    effect, variance = np.array([1.0, 1.1, 0.9]), np.array([0.5, 0.4, 0.6])
    mean, between = dersimonian_laird(effect, variance)
    assert between == 0
    assert mean == pytest.approx(np.average(effect, weights=1 / variance))


def test_weights_of_equal_size_measure_the_plain_variance():
    rng = np.random.default_rng(1)
    effect, variance = rng.normal(0, 1, 20), rng.uniform(0.05, 0.2, 20)
    _, between = dersimonian_laird(effect, variance, np.ones(20))
    assert between == pytest.approx(effect.var(ddof=1) - variance.mean())


def test_a_type_has_the_worth_of_its_own_trials():
    worth, arms = study(1, 0.7)
    result = found(arms)
    own = arms["bearer"] == 4
    gain = (arms["carded"] - arms["plain"])[own].mean()
    unit = (arms["more"] - arms["plain"]).mean() / arms["cost_more"].mean()
    four = result.bearers[4]
    assert (four.name, four.trials) == ("Type 4", own.sum())
    assert four.worth.value == pytest.approx(gain / unit)
    assert four.worth.low < worth[4] < four.worth.high


def test_errors_of_one_type_are_those_of_resampled_studies():
    studies = [found(study(seed, 0.0, 6_000)[1]).bearers[11].worth for seed in range(300)]
    told = np.mean([one.half_width for one in studies]) / 1.96
    assert told == pytest.approx(np.std([one.value for one in studies], ddof=1), rel=0.15)


def test_types_of_one_worth_show_no_spread_and_shrink_to_the_mean():
    spreads = [found(study(seed, 0.0)[1]) for seed in range(40)]
    assert np.median([one.between for one in spreads]) < 0.1
    flat = next(one for one in spreads if one.between == 0)
    assert all(b.shrunk.value == pytest.approx(flat.mean) for b in flat.bearers)
    assert flat.low == pytest.approx(flat.high) == pytest.approx(flat.mean)


def test_the_spread_of_planted_worths_is_found_and_shrunk_worths_are_nearer_the_truth():
    off, off_shrunk, told, true, inside = [], [], [], [], []
    for seed in range(60):
        worth, arms = study(seed, 0.7, 12_000)
        result = found(arms)
        own = np.array([b.worth.value for b in result.bearers])
        shrunk = np.array([b.shrunk.value for b in result.bearers])
        off.append(np.mean((own - worth) ** 2))
        off_shrunk.append(np.mean((shrunk - worth) ** 2))
        told.append(result.between**2)
        true.append(worth.var(ddof=1))
        inside += [b.shrunk.low <= w <= b.shrunk.high for b, w in zip(result.bearers, worth, strict=True)]
    assert np.mean(off_shrunk) < 0.9 * np.mean(off)
    assert np.mean(told) == pytest.approx(np.mean(true), rel=0.2)
    assert np.mean(inside) >= 0.91


def test_the_range_holds_four_fifths_of_drawn_bearers():
    worth, arms = study(3, 1.0, 400_000)
    result = found(arms)
    share = np.bincount(arms["bearer"]) / 400_000
    assert share[worth < result.low - 0.1].sum() <= 0.1
    assert share[worth > result.high + 0.1].sum() <= 0.1
    assert result.best.name == NAMES[int(worth.argmax())]
    assert result.worst.name == NAMES[int(worth.argmin())]
    assert result.low < result.mean < result.high


def test_blocks_add_up():
    _, arms = study(1, 0.5, 2_000)
    one, other = ({k: v[at] for k, v in arms.items()} for at in (slice(0, 700), slice(700, None)))
    both = bearer_moments(**one, types=12) + bearer_moments(**other, types=12)
    assert by_bearer(NAMES, both) == found(arms)


def test_a_type_in_which_nothing_differed_is_not_known_for_certain():
    _, arms = study(1, 0.5)
    quiet = arms["bearer"] == 3
    result = found(arms | {"carded": np.where(quiet, arms["plain"], arms["carded"])})
    three = result.bearers[3]
    assert three.worth.value == 0
    assert three.worth.half_width > 0
    assert three.shrunk.value > 0


def test_types_with_few_trials_are_pooled_only_and_named():
    _, arms = study(1, 0.5)
    rare = arms["bearer"].copy()
    rare[:10] = 12
    rare[10:][rare[10:] == 2] = 3
    result = by_bearer((*NAMES, "Rare", "Never"), bearer_moments(**(arms | {"bearer": rare}), types=14))
    assert result.left_out == ("Rare",)
    assert "Type 2" not in [b.name for b in result.bearers]


def test_bad_bearers_are_refused():
    _, arms = study(1, 0.5, 1_000)
    with pytest.raises(InputError, match="as many cells"):
        by_bearer(NAMES[:5], bearer_moments(**arms, types=12))
    with pytest.raises(InputError, match="two types"):
        by_bearer(NAMES, bearer_moments(**(arms | {"bearer": np.zeros(1_000, dtype=int)}), types=12))
    with pytest.raises(InputError, match="told from nothing"):
        found(arms | {"more": arms["plain"]})
    with pytest.raises(InputError, match="variance above 0"):
        dersimonian_laird(np.array([1.0, 2.0]), np.array([0.1, 0.0]))


def test_the_mean_over_drawn_bearers_is_the_price():
    _, arms = study(5, 0.5)
    result = found(arms)
    price = Ratio.of_trials(arms["carded"] - arms["plain"], arms["more"] - arms["plain"], arms["cost_more"]).value
    drawn = sum(b.trials * b.worth.value for b in result.bearers) / len(arms["plain"])
    assert drawn == pytest.approx(price)
