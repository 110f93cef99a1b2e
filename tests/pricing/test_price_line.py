"""The price line on lists whose truth is known, and the strengths it rests on."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from ftsim.chains import absorb
from ftsim.errors import InputError
from ftsim.estimates import Estimate
from ftsim.pricing.price_line import outlasting, price_line, strengths, worth_in_factors

steady = settings(deadline=None, derandomize=True)
CHANCE = st.floats(0, 1, allow_subnormal=False)
WEIGHTS = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=26)

TRUE_POINTS = 0.7
MOVE = np.array([2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6, 6, 8, 8], dtype=float)
SHOOTING = np.array([4, 3, 3, 3] + [0] * 22, dtype=float)


def planted_list(rng, strength_error, price_error):
    """Costs, strengths and covariates of 26 types; a unit of fighting is worth `TRUE_POINTS`."""
    worth, move, shooting = rng.normal(0, 0.8, 26), rng.permutation(MOVE), rng.permutation(SHOOTING)
    paid = 1.8 + TRUE_POINTS * worth + 0.2 * move + 0.2 * shooting + rng.normal(0, price_error, 26)
    strength = worth + rng.normal(0, strength_error, 26)
    return np.minimum(np.round(paid), 4), strength, {"move": move, "shooting": shooting}


def regression(response, regressor, covariates):
    """Slope and HC3 error of `regressor`, written out from MacKinnon and White (1985)."""
    x = np.column_stack([np.ones_like(regressor), regressor, *covariates.values()])
    bread = np.linalg.inv(x.T @ x)
    beta = bread @ x.T @ response
    leverage = np.array([row @ bread @ row for row in x])
    scaled = (response - x @ beta) / (1 - leverage)
    meat = sum(e**2 * np.outer(row, row) for e, row in zip(scaled, x, strict=True))
    return beta[1], sqrt((bread @ meat @ bread)[1, 1])


def covered_by_the_line(planted):
    try:
        slope = price_line(*planted).slope
    except InputError:
        return False
    return slope.low <= TRUE_POINTS <= slope.high


def covered_by_strength_on_cost(planted):
    """The plain way: the slope of strength on cost inverted, its t interval by the delta method."""
    cost, strength, covariates = planted
    slope, error = regression(strength, cost, covariates)
    reach = student.ppf(0.975, len(cost) - 2 - len(covariates)) * error / slope**2
    return abs(1 / slope - TRUE_POINTS) <= reach


def coverage(covered, lists, errors, seed):
    """Share of planted lists whose true points per logit an interval covers; a refusal is a miss."""
    rng = np.random.default_rng(seed)
    return np.mean([covered(planted_list(rng, *errors)) for _ in range(lists)])


PRICES_ERR_MORE = (0.1, 0.6)  # errors of strengths and of prices, as standard deviations


def test_two_hundred_planted_lists_are_covered_by_the_line_and_not_by_plain_regression():
    assert coverage(covered_by_the_line, 200, PRICES_ERR_MORE, seed=20260131) >= 0.95
    assert coverage(covered_by_strength_on_cost, 200, PRICES_ERR_MORE, seed=20260131) < 0.70


@pytest.mark.verification
@pytest.mark.parametrize("errors", [(0, 0), PRICES_ERR_MORE, (0.6, 0.4), (0.9, 0.6)])
def test_two_thousand_planted_lists_are_covered_by_the_line(errors):
    assert coverage(covered_by_the_line, 2_000, errors, seed=1934) >= 0.95


@pytest.mark.verification
def test_two_thousand_planted_lists_are_not_covered_by_plain_regression():
    assert coverage(covered_by_strength_on_cost, 2_000, PRICES_ERR_MORE, seed=1934) < 0.70


def test_a_list_without_errors_gives_back_its_points_per_logit():
    rng = np.random.default_rng(1)
    _, strength, covariates = planted_list(rng, 0, 0)
    cost = 2 + TRUE_POINTS * strength + 0.2 * covariates["move"] - 0.1 * covariates["shooting"]
    slope = price_line(cost, strength, covariates).slope
    assert (slope.low, slope.value, slope.high) == pytest.approx([TRUE_POINTS] * 3, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("without", [(), ("shooting",), ("move", "shooting")])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_both_ends_of_the_line_come_from_hand_written_hc3_errors(seed, without, confidence):
    cost, strength, covariates = planted_list(np.random.default_rng(seed), 0.2, 0.2)
    covariates = {name: values for name, values in covariates.items() if name not in without}
    line = price_line(cost, strength, covariates, confidence)
    first, first_error = regression(cost, strength, covariates)
    second, second_error = regression(strength, cost, covariates)
    t = student.ppf((1 + confidence) / 2, 24 - len(covariates))
    assert line.cost_on_strength == pytest.approx(first, rel=1e-9)
    assert line.strength_on_cost == pytest.approx(second, rel=1e-9)
    assert line.slope.value == pytest.approx(sqrt(first / second), rel=1e-9)
    assert line.slope.low == pytest.approx(max(first - t * first_error, 0), rel=1e-9)
    assert second - t * second_error > 0
    assert line.slope.high == pytest.approx(1 / (second - t * second_error), rel=1e-9)
    assert (line.slope.confidence, line.covariates, line.prices) == (confidence, tuple(covariates), 26)


@pytest.mark.parametrize("seed", range(20))
def test_the_value_lies_between_the_two_regressions_and_these_inside_the_interval(seed):
    line = price_line(*planted_list(np.random.default_rng(seed), 0.5, 0.5))
    bounds = [line.slope.low, line.cost_on_strength, line.slope.value, 1 / line.strength_on_cost]
    assert [*bounds, line.slope.high] == sorted([*bounds, line.slope.high])


def test_prices_that_explain_little_leave_the_upper_end_open():
    rng = np.random.default_rng(0)
    strength = rng.normal(0, 1, 26)
    cost = strength + rng.normal(0, 4, 26)
    line = price_line(cost, strength, {})
    assert line.slope.high == inf
    assert line.slope.low == 0
    assert line.points(1).high == inf
    assert line.points(-1).low == -inf


def test_types_without_a_finite_strength_are_left_out():
    cost, strength, covariates = planted_list(np.random.default_rng(1), 0.2, 0.2)
    unbeaten = strength.copy()
    unbeaten[[0, 7]] = inf, -inf
    line = price_line(cost, unbeaten, covariates)
    rest = np.isfinite(unbeaten)
    alone = price_line(cost[rest], strength[rest], {name: v[rest] for name, v in covariates.items()})
    assert line == replace(alone, covariates=("move", "shooting"))
    assert line.prices == 24


@pytest.mark.parametrize("covariates, enough", [(0, 4), (1, 5), (2, 6)])
def test_too_few_types_are_refused(covariates, enough):
    rng = np.random.default_rng(2)
    strength = np.arange(enough) + rng.normal(0, 0.1, enough)
    cost = np.arange(enough) + rng.normal(0, 0.1, enough)
    others = {f"other {k}": rng.normal(0, 1, enough) for k in range(covariates)}
    assert price_line(cost, strength, others).prices == enough
    strength[1] = inf
    with pytest.raises(InputError, match=f"more than {covariates + 3} priced types, got {enough - 1}"):
        price_line(cost, strength, others)


def test_prices_that_do_not_rise_with_strength_are_refused():
    cost, strength, covariates = planted_list(np.random.default_rng(1), 0.2, 0.2)
    with pytest.raises(InputError, match="do not rise with strength"):
        price_line(-cost, strength, covariates)


@pytest.mark.parametrize("flat", ["cost", "strength"])
def test_prices_or_strengths_that_are_all_the_same_are_refused(flat):
    cost, strength, covariates = planted_list(np.random.default_rng(1), 0.2, 0.2)
    cost, strength = (np.full(26, 3.0), strength) if flat == "cost" else (cost, np.full(26, 0.3))
    with pytest.raises(InputError):
        price_line(cost, strength, covariates)


def test_a_covariate_that_is_the_strength_itself_is_refused():
    cost, strength, _ = planted_list(np.random.default_rng(1), 0.2, 0.2)
    with pytest.raises(InputError):
        price_line(cost, strength, {"twice the strength": 2 * strength})


@pytest.mark.parametrize("seed", range(12))
def test_a_covariate_of_one_type_alone_takes_that_type_out_of_the_line(seed):
    cost, strength, covariates = planted_list(np.random.default_rng(seed), 0.2, 0.2)
    line = price_line(cost, strength, covariates | {"one alone": np.eye(26)[0]}).slope
    rest = price_line(cost[1:], strength[1:], {name: v[1:] for name, v in covariates.items()}).slope
    assert (line.low, line.value, line.high) == pytest.approx((rest.low, rest.value, rest.high), rel=1e-6)


def test_no_change_of_strength_costs_exactly_nothing():
    line = price_line(*planted_list(np.random.default_rng(1), 0.5, 0.5))
    assert line.points(0) == Estimate(0.0, 0.0, 0.0)
    assert line.points(0).exact


def test_a_loss_of_strength_is_the_gain_with_its_ends_swapped():
    line = price_line(*planted_list(np.random.default_rng(1), 0.5, 0.5))
    gain, loss = line.points(0.6), line.points(-0.6)
    assert (loss.value, loss.low, loss.high) == (-gain.value, -gain.high, -gain.low)
    assert gain.low == 0.6 * line.slope.low
    assert not gain.exact


@steady
@given(CHANCE, CHANCE)
def test_outlasting_equals_the_chain_with_two_endings(one, other):
    loss, loss_enemy = one / 2, other / 2
    result = absorb(np.array([[1 - loss - loss_enemy]]), np.array([[loss_enemy, loss]]))
    wanted = result.ends[0, 0] + result.unresolved[0] / 2
    assert float(outlasting(np.array(loss), np.array(loss_enemy))) == pytest.approx(wanted, abs=1e-12)


@steady
@given(CHANCE, CHANCE, st.integers(1, 40))
def test_a_horizon_counts_what_is_undecided_as_half(one, other, horizon):
    loss, loss_enemy = one / 2, other / 2
    won, fighting = 0.0, 1.0
    for _ in range(horizon):
        won += fighting * loss_enemy
        fighting *= 1 - loss - loss_enemy
    chance = outlasting(np.array(loss), np.array(loss_enemy), horizon)
    assert float(chance) == pytest.approx(won + fighting / 2, abs=1e-12)


@steady
@given(CHANCE, CHANCE)
def test_a_longer_horizon_moves_the_chance_from_half_towards_the_end(one, other):
    loss, loss_enemy = np.array(one / 2), np.array(other / 2)
    chances = [float(outlasting(loss, loss_enemy, horizon)) for horizon in (1, 2, 3, 6, 12, 100)]
    distances = np.abs(np.array([*chances, float(outlasting(loss, loss_enemy))]) - 0.5)
    assert np.all(np.diff(distances) >= -1e-15)


def test_two_sides_that_never_leave_are_even():
    assert outlasting(np.array([0.0, 0.0, 0.2]), np.array([0.0, 0.2, 0.0])).tolist() == [0.5, 1, 0]
    assert outlasting(np.array([0.0]), np.array([0.0]), 3).tolist() == [0.5]


@steady
@given(st.lists(CHANCE, min_size=1, max_size=6), st.lists(CHANCE, min_size=1, max_size=6))
def test_both_sides_of_a_fight_share_one_chance(losses, losses_enemy):
    loss, loss_enemy = np.array(losses)[:, None] / 2, np.array(losses_enemy) / 2
    forth, back = outlasting(loss, loss_enemy), outlasting(loss_enemy, loss)
    assert forth.shape == (len(losses), len(losses_enemy))
    assert np.allclose(forth + back, 1, atol=1e-12)


@pytest.mark.parametrize("chance", [3e-16, 1e-300])
def test_rare_losses_are_shared_in_proportion(chance):
    assert float(outlasting(np.array(chance), np.array(3 * chance))) == pytest.approx(0.75)


@pytest.mark.parametrize("horizon", [0, -1])
def test_a_horizon_of_no_rounds_is_refused(horizon):
    with pytest.raises(InputError, match="at least one round"):
        outlasting(np.array(0.1), np.array(0.1), horizon)


def test_the_mean_over_the_field_comes_before_the_log_odds():
    result = strengths(np.array([[0.0, 1.0, 1.0], [0.5, 0.5, 0.5]]), np.array([1.0, 2.0, 1.0]))
    assert result.chance.tolist() == [0.75, 0.5]
    assert result.value == pytest.approx([np.log(3), 0])


@steady
@given(WEIGHTS)
def test_a_stand_that_always_or_never_wins_has_no_finite_strength(weights):
    field = np.array(weights)
    chance = np.array([np.zeros_like(field), np.ones_like(field), np.full_like(field, 0.25)])
    result = strengths(chance, field)
    assert result.value[:2].tolist() == [-inf, inf]
    assert result.bounded.tolist() == [False, False, True]


@steady
@given(WEIGHTS, st.data())
def test_mirrored_chances_give_mirrored_strengths(weights, data):
    share = st.lists(st.integers(0, 64), min_size=len(weights), max_size=len(weights))
    chance = np.array(data.draw(share)) / 64
    one, other = (strengths(p, np.array(weights)).value for p in (chance, 1 - chance))
    assert float(one) == pytest.approx(-float(other), rel=1e-9, abs=1e-9)


def test_opponents_outside_the_field_do_not_count():
    assert strengths(np.array([[0.25, 1.0]]), np.array([3.0, 0.0])).chance.tolist() == [0.25]


@pytest.mark.parametrize("field", [[0.0, 0.0], [1.0, -0.5]])
def test_a_field_without_weight_or_with_a_negative_one_is_refused(field):
    with pytest.raises(InputError, match="not negative"):
        strengths(np.array([[0.5, 0.5]]), np.array(field))


STRENGTHS = st.lists(st.tuples(st.floats(-3, 3), st.floats(0.05, 1)), min_size=1, max_size=8)


@steady
@given(STRENGTHS)
def test_one_more_factor_is_worth_exactly_one_and_no_change_exactly_zero(bearers):
    plain = np.array([value for value, _ in bearers])
    factor = plain + [step for _, step in bearers]
    assert worth_in_factors(factor, plain, factor) == 1.0
    assert worth_in_factors(plain, plain, factor) == 0.0


def test_worth_is_a_ratio_of_means_not_a_mean_of_ratios():
    plain, factor = np.zeros(2), np.array([1.0, 3.0])
    assert worth_in_factors(np.array([1.0, 0.0]), plain, factor) == 0.25


def test_bearers_without_a_finite_strength_are_left_out():
    plain, factor = np.array([0.0, 1.0, 0.0]), np.array([1.0, inf, 1.0])
    assert worth_in_factors(np.array([0.5, 2.0, -inf]), plain, factor) == 0.5


@pytest.mark.parametrize("factor", [[inf, inf], [0.0, 0.0]])
def test_no_usable_bearer_or_a_factor_without_effect_gives_no_worth(factor):
    assert isnan(worth_in_factors(np.ones(2), np.zeros(2), np.array(factor)))
