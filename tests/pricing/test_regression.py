"""Battle regression against statsmodels, and what it refuses."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
import statsmodels.api as sm

from ftsim.errors import InputError
from ftsim.pricing.matchups import Matchups
from ftsim.pricing.ratio import fieller
from ftsim.pricing.regression import Numeraire, Sums, battle_regression, matchups_for, sums_at

TYPES = {"Foot": 3.0, "Horde": 2.0, "Knights": 4.0}
CARDS = {"Deadly": 2.0, "Brittle": -2.0}
WORTH = np.array([0.20, 0.15, 0.3, 0.16, -0.1])
POINT = Numeraire.of("all types", {"Foot": 30, "Horde": 10, "Knights": 10})
NAMES = (*TYPES, *CARDS)


def battles(n: int, seed: int = 1, noise: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = (rng.poisson(3, (n, 5)) - rng.poisson(3, (n, 5))).astype(np.int8)
    luck = rng.logistic(size=n) + noise * rng.normal(size=n)
    eta = x @ WORTH
    return x, np.where(eta > luck + 0.2, 1.0, np.where(eta > luck - 0.2, 0.5, 0.0))


def fitted(n: int = 20_000, **options):
    x, score = battles(n, **options)
    return battle_regression(Matchups.of_battles(x, score), TYPES, CARDS, POINT)


@pytest.mark.parametrize("n", [500, 20_000])
def test_coefficients_and_sandwich_are_those_of_statsmodels(n):
    x, score = battles(n)
    found = battle_regression(Matchups.of_battles(x, score), TYPES, CARDS, POINT)
    theirs = sm.GLM(score, x.astype(float), family=sm.families.Binomial()).fit(cov_type="HC0", tol=1e-14)
    assert found.coefficient == pytest.approx(theirs.params, abs=1e-8)
    assert found.covariance == pytest.approx(theirs.cov_params(), abs=1e-8)
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx(theirs.bse, rel=1e-7)


def test_pairs_played_more_than_once_give_the_clustered_sandwich_of_statsmodels():
    rng = np.random.default_rng(3)
    x, _ = battles(3_000)
    plays = rng.integers(1, 5, len(x))
    pair = rng.permutation(np.repeat(np.arange(len(x)), plays))
    between = rng.normal(0, 1.5, len(x))
    score = (x[pair] @ WORTH + between[pair] > rng.logistic(size=len(pair))).astype(float)
    swapped = rng.random(len(pair)) < 0.5
    shown = np.where(swapped[:, None], -x[pair], x[pair]).astype(np.int8)
    told = np.where(swapped, 1 - score, score)
    found = battle_regression(Matchups.of_battles(shown, told, pair), TYPES, CARDS, POINT)
    theirs = sm.GLM(told, shown.astype(float), family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": pair, "use_correction": False}, tol=1e-14
    )
    assert found.coefficient == pytest.approx(theirs.params, abs=1e-8)
    assert found.covariance == pytest.approx(theirs.cov_params(), abs=1e-8)
    alone = battle_regression(Matchups.of_battles(shown, told), TYPES, CARDS, POINT)
    assert np.all(np.diag(found.covariance) > 1.2 * np.diag(alone.covariance))
    assert (found.matchups, alone.matchups) == (len(x), len(pair))


def test_sums_of_blocks_at_the_same_coefficients_add_up():
    whole = Matchups.of_battles(*battles(20_000))
    parts = [
        Matchups(*(a[k : k + 1_000] for a in (whole.difference, whole.halves, whole.plays)))
        for k in range(0, 20_000, 1_000)
    ]
    one = sums_at(WORTH, whole)
    other: Sums = sum((sums_at(WORTH, part) for part in parts[1:]), sums_at(WORTH, parts[0]))
    for name in ("gradient", "information", "meat", "likelihood", "doubt"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-10, abs=1e-8)
    joined = Matchups.joined(parts)
    assert np.array_equal(joined.difference, whole.difference)
    assert np.array_equal(joined.halves, whole.halves)


def test_rows_come_back_from_the_columns_of_a_results_file():
    whole = Matchups.of_battles(*battles(500))
    again = Matchups.from_columns(whole.columns(NAMES), NAMES)
    assert again.difference.dtype == np.int8
    for name in ("difference", "halves", "plays"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))
    with pytest.raises(InputError, match="different names"):
        whole.columns(NAMES[:-1])


def test_a_start_near_the_answer_does_not_move_the_answer():
    x, score = battles(5_000)
    rows = Matchups.of_battles(x, score)
    cold = battle_regression(rows, TYPES, CARDS, POINT)
    warm = battle_regression(rows, TYPES, CARDS, POINT, start=WORTH + 0.05)
    assert warm.coefficient == pytest.approx(cold.coefficient, abs=1e-10)
    assert warm.covariance == pytest.approx(cold.covariance, abs=1e-10)


def test_the_seat_a_battle_is_told_from_does_not_matter():
    x, score = battles(5_000)
    turned = np.random.default_rng(1).random(len(x)) < 0.5
    other = battle_regression(
        Matchups.of_battles(np.where(turned[:, None], -x, x).astype(np.int8), np.where(turned, 1 - score, score)),
        TYPES,
        CARDS,
        POINT,
    )
    one = battle_regression(Matchups.of_battles(x, score), TYPES, CARDS, POINT)
    assert other.coefficient == pytest.approx(one.coefficient, abs=1e-10)
    assert other.covariance == pytest.approx(one.covariance, abs=1e-10)


def test_the_worth_of_a_point_is_spread_over_types_as_points_were_spent():
    found = fitted()
    weights = np.array([0.6 / 3, 0.2 / 2, 0.2 / 4, 0, 0])
    point = found.worth_of_point()
    assert point.value == pytest.approx(weights @ found.coefficient)
    error = np.sqrt(weights @ found.covariance @ weights)
    assert point.half_width == pytest.approx(1.959964 * error, rel=1e-6)
    assert POINT.share == {"Foot": 0.6, "Horde": 0.2, "Knights": 0.2}
    foot = Numeraire.of("foot", {"Foot": 30, "Horde": 10, "Knights": 10}, among=["Foot", "Horde"])
    assert foot.share == {"Foot": 0.75, "Horde": 0.25}
    assert found.worth_of_point(foot).value == pytest.approx(np.array([0.25, 0.125, 0, 0, 0]) @ found.coefficient)


def test_prices_are_fieller_ratios_with_the_sandwich():
    found = fitted()
    for k, name in enumerate(NAMES):
        weights = np.array([0.6 / 3, 0.2 / 2, 0.2 / 4, 0, 0])
        a, b, v = found.coefficient[k], weights @ found.coefficient, found.covariance
        price = found.price(name)
        assert price.value == pytest.approx(a / b)
        wanted = fieller(a, b, v[k, k], v[k] @ weights, weights @ v @ weights)
        assert (price.low, price.high) == pytest.approx(wanted)
    both = found.ratio({"Deadly": 1.0, "Brittle": 1.0})
    v = found.covariance
    assert both.v_gain == pytest.approx(v[3, 3] + 2 * v[3, 4] + v[4, 4])


def test_a_point_that_may_be_worth_nothing_gives_no_price():
    rng = np.random.default_rng(1)
    x, _ = battles(400)
    found = battle_regression(Matchups.of_battles(x, rng.integers(0, 3, 400) / 2), TYPES, CARDS, POINT)
    price = found.price("Deadly")
    assert isnan(price.value)
    assert (price.low, price.high) == (-np.inf, np.inf)


def test_exactly_equal_totals_are_refused_with_the_reason():
    x, score = battles(4_000)
    cost = np.array([*TYPES.values(), *CARDS.values()])
    equal = x @ cost == 0
    with pytest.raises(InputError, match=r"exactly equal points.*Let the totals vary"):
        battle_regression(Matchups.of_battles(x[equal], score[equal]), TYPES, CARDS, POINT)
    with pytest.raises(InputError, match="exactly equal points"):
        battle_regression(Matchups.of_battles(x, score), TYPES, CARDS, POINT, totals=np.zeros(len(x)))
    battle_regression(Matchups.of_battles(x, score), TYPES, CARDS, POINT, totals=x @ cost + 1.0)


def test_totals_equal_by_other_prices_than_told_are_refused_all_the_same():
    x, score = battles(4_000)
    equal = x @ np.array([3.0, 2.0, 4.0, 2.0, -2.0]) == 0
    told = np.where(np.arange(equal.sum()) % 2, 1.0, -1.0)
    with pytest.raises(InputError, match="exactly equal points"):
        battle_regression(Matchups.of_battles(x[equal], score[equal]), TYPES, CARDS, POINT, totals=told)


def test_columns_that_never_differ_or_always_together_are_named():
    x, score = battles(1_000)
    never = x.copy()
    never[:, 3] = 0
    with pytest.raises(InputError, match="differ in Deadly"):
        battle_regression(Matchups.of_battles(never, score), TYPES, CARDS, POINT)
    always = x.copy()
    always[:, 4] = 2 * always[:, 3]
    with pytest.raises(InputError, match="told apart: Deadly, Brittle"):
        battle_regression(Matchups.of_battles(always, score), TYPES, CARDS, POINT)


def test_separation_is_refused():
    x, score = battles(1_000)
    with pytest.raises(InputError, match="separation"):
        battle_regression(Matchups.of_battles(x, (x[:, 0] > 0) + (x[:, 0] == 0) * 0.5), TYPES, CARDS, POINT)
    rare = x.copy()
    rare[:, 4] = 0
    rare[0, 4] = 1 if score[0] == 1 else -1
    score[0] = 1.0 if rare[0, 4] == 1 else 0.0
    with pytest.raises(InputError, match=r"separation.*Brittle"):
        battle_regression(Matchups.of_battles(rare, score), TYPES, CARDS, POINT)


def test_bad_matchups_are_refused():
    x, score = battles(10)
    with pytest.raises(InputError, match="int8"):
        Matchups.of_battles(x.astype(float), score)
    with pytest.raises(InputError, match="multiples of ½"):
        Matchups.of_battles(x, score + 0.25)
    with pytest.raises(InputError, match="scored 1"):
        Matchups.of_battles(x, score + 2)
    with pytest.raises(InputError, match="same matchups"):
        Matchups.of_battles(x, score[:5])
    with pytest.raises(InputError, match="same armies"):
        Matchups.of_battles(x, score, np.zeros(10, dtype=int))
    with pytest.raises(InputError, match="columns"):
        battle_regression(Matchups.of_battles(x, score), TYPES, {"Deadly": 2.0}, POINT)
    with pytest.raises(InputError, match=r"Unknown type or card 'Dedly'.*'Deadly'"):
        fitted(500).price("Dedly")
    with pytest.raises(InputError, match="points were spent"):
        Numeraire.of("none", {"Foot": 0})


def test_the_matchups_asked_for_give_the_width_asked_for():
    pilot = fitted(20_000)
    for name, n in (("Deadly", pilot.trials_for("Deadly", 0.3)), ("Horde", pilot.ratio("Horde").trials_for(0.2))):
        found = fitted(n, seed=2)
        assert found.price(name).half_width == pytest.approx(0.3 if name == "Deadly" else 0.2, rel=0.2)
    assert matchups_for(0.25, 1.2, 0.2128, 0.0655) == pytest.approx(63_000, rel=0.12)
    with pytest.raises(InputError, match="above 0"):
        matchups_for(0.25, 0.0, 0.2, 0.06)


def test_independent_columns_are_not_inflated_and_twins_are():
    found = fitted(20_000)
    assert all(1 <= found.inflation(name) < 1.01 for name in NAMES)
    assert found.own_variance("Deadly") == pytest.approx(6, rel=0.05)
    x, score = battles(20_000)
    x[:, 1] = x[:, 0] + np.random.default_rng(1).integers(-1, 2, len(x))
    tied = battle_regression(Matchups.of_battles(x, score), TYPES, CARDS, POINT)
    assert tied.inflation("Foot") == pytest.approx(1 + 6 / (2 / 3), rel=0.1)
