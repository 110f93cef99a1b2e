"""Battle regression over random armies with all cards: outcomes kept in two bits, armies made again, worths found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.estimates import z_bound
from ftsim.experiments.records import COUNTS, counts_text, read_counts
from ftsim.experiments.runner import run_cells
from ftsim.experiments.schema import Experiment
from ftsim.findings import Table
from ftsim.games.triumph.battle.engine import BattleOptions, fight_pool
from ftsim.games.triumph.battle.muster import ALL_CARDS
from ftsim.games.triumph.battle.regression_tables import column_for, told_apart
from ftsim.games.triumph.battle.regression_trials import (
    ARMIES,
    NUMERAIRES,
    OUTCOMES,
    RegressionData,
    RegressionPlan,
    cell_key,
    packed,
    record,
    unpacked,
)
from ftsim.games.triumph.rulings import TriumphRulings

USUAL = TriumphRulings()


def plan_for(battles, policies=("advance",), seed=3, **changes):
    return RegressionPlan(battles, policies, None, USUAL, seed, **changes)


def worths(plan):
    """Known worths in log-odds: ⅙ a point, other prices than printed, the last card worth nothing."""
    tables = plan.armies.tables
    types = np.array([t.troop_type.cost / 6 for t in tables.stands[: len(tables.weights)]])
    cards = plan.armies.differences(0, 4).counts.shape[1] - len(types)
    return np.concatenate([types, np.linspace(-0.5, 0.7, cards)])


def tossed(plan):
    """Cells of a fake battle: a coin with known log-odds, and one draw in ten or so."""
    found = {}
    for policy in plan.policies:
        for first, count in plan.blocks():
            armies = plan.armies.differences(first, count)
            # One stream for all battles, so that blocks do not show.
            luck = np.random.default_rng(5).logistic(size=plan.battles)[first : first + count]
            edge = armies.counts @ worths(plan) - luck
            result = np.where(edge > 0.2, 1, np.where(edge < -0.2, -1, 0))
            found[cell_key(policy, first)] = record(first, result, armies)
    return found


# Outcomes as text.


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8191, 8192])
def test_outcomes_come_back_from_their_text(count):
    result = np.random.default_rng(count).integers(-1, 2, count)
    text = packed(result)
    assert np.array_equal(unpacked(text, count), result)
    assert len(text) <= 2 + 4 * -(-count // 12)
    with pytest.raises(ValueError, match="invalid literal"):
        int(text)


@pytest.mark.parametrize("text", ["", "~", "~AAAA", "AA==", "~*", "~/w==", "~A"])
def test_other_texts_are_no_outcomes(text):
    with pytest.raises(InputError, match="Recorded outcomes"):
        unpacked(text, 4)


# Fake battles.


@pytest.fixture(scope="module")
def tossed_data():
    plan = plan_for(30_000, block=8192)
    return plan, RegressionData.of(plan, tossed(plan))


def test_known_worths_are_recovered(tossed_data):
    plan, data = tossed_data
    found = data.fit("advance")
    truth = worths(plan)
    # Draws are half a win, so all coefficients shrink alike: prices are compared, not log-odds.
    kappa = 1 / 6
    names = found.regression.names
    errors = [
        found.regression.ratio(name).errors_above(truth[names.index(name)] / kappa) for name in found.regression.cards
    ]
    assert np.abs(errors).max() < z_bound(len(errors))
    assert 0.5 < np.sqrt(np.mean(np.square(errors))) < 1.5
    covered = [
        price.price.low <= truth[names.index(name)] / kappa <= price.price.high
        for name, price in found.prices().items()
    ]
    assert np.mean(covered) > 0.85
    for name, error in found.error_of_point().items():
        assert error < 0.02, name
    for estimate in found.worth_of_point().values():
        assert 0.9 * kappa < estimate.value < 1.02 * kappa


def test_prices_tell_all_that_is_wanted(tossed_data):
    _, data = tossed_data
    found = data.fit("advance")
    prices = found.prices(half_width=0.25)
    assert len(prices) == 48
    assert {"Deadly", "Flying: hover", "Flying: zoom", "Spellblast: unlimited, magical", "Delayed Entry"} < set(
        prices
    )
    assert {"Terrain Affinity", "Hero + Champion", "Hero + Subcommander", "No Camp", "Ambush: home only"} < set(
        prices
    )
    for price in prices.values():
        assert tuple(price.prices) == NUMERAIRES
        assert price.inflation >= 1
        half = (price.price.high - price.price.low) / 2
        # What a half-width takes follows from the half-width there is.
        assert price.battles_needed == pytest.approx(30_000 * (half / 0.25) ** 2, rel=0.05)
    printed = {name: prices[name].printed for name in prices}
    assert printed["Deadly"] == printed["Hero + Subcommander"] == 2
    assert printed["Delayed Entry"] == -2
    assert printed["Spellblast: unlimited, physical"] == 4.5
    assert printed["Fortified Camp: heavily"] == 2
    assert printed["Hero + Hearten"] == 2
    assert -2 < printed["Brittle"] < -1
    together = found.options_together()
    assert len(together) == 38  # the 37 cards and the hero who bears two of them
    options = [prices[name].ratio.gain for name in ("Flying: hover", "Flying: zoom")]
    assert min(options) < together["Flying"].gain < max(options)


def test_first_copies_are_worth_what_all_are_where_worth_adds_up(tossed_data):
    plan, data = tossed_data
    truth = worths(plan)
    names = data.fit("advance").regression.names
    found = data.first_copies("advance")
    assert set(found) == set(data.cards)
    errors = [
        (price.value - 6 * truth[names.index(name)]) / (price.high - price.low) * 2 * 1.96
        for name, price in found.items()
    ]
    assert np.abs(errors).max() < z_bound(len(errors))


def test_first_copies_are_told_from_further_ones(tossed_data):
    plan, data = tossed_data
    k = data.cards.index("Deadly")
    column = len(data.types) + k
    further = data.differences.counts[:, column] - data.differences.any[:, k]
    assert np.any(further != 0)
    # As if only the first one counted: the sum over copies finds less than the first copy is worth.
    luck = np.random.default_rng(11).logistic(size=plan.battles)
    edge = data.differences.counts @ worths(plan) - worths(plan)[column] * further - luck
    other = replace(data, result={"advance": np.where(edge > 0, 1, -1).astype(np.int8)})
    truth = 6 * worths(plan)[column]
    first, whole = other.first_copies("advance")["Deadly"], other.fit("advance").prices()["Deadly"].price
    assert first.low <= truth <= first.high
    assert abs(whole.value) < abs(first.value)


@pytest.mark.parametrize(("text", "name"), [
    ("Deadly", "Deadly"), ("Flying: hover", "Flying: hover"), ("Hero + Champion", "Hero + Champion"),
    ("Terrain Affinity: Woods, Wooded Hills", "Terrain Affinity"), ("Slow", None),
])  # fmt: skip
def test_a_card_is_found_in_the_regression_whatever_its_kinds_of_terrain(text, name):
    known = dict.fromkeys(["Deadly", "Flying: hover", "Hero + Champion", "Terrain Affinity"])
    assert column_for(text, known) == name


def test_the_report_tells_what_comes_between_both_models():
    rows = [
        {"card": card, "agrees": agree, "why": why}
        for card, agree, why in (("A", "no", "bearers"), ("B", "yes", ""), ("C", "no", "other armies"))
    ]
    text = told_apart(Table("agreement", "", (), rows))
    assert "mostly by who bears the card: A; mostly because armies are unlike there" in text
    assert text.endswith(": C.")
    assert "agree within" in told_apart(Table("agreement", "", (), rows[1:2]))


def test_first_battles_are_those_of_a_smaller_plan(tossed_data):
    plan, data = tossed_data
    fewer = data.fit("advance", 16_384)
    again = RegressionData.of(replace(plan, battles=16_384), tossed(plan)).fit("advance")
    assert np.array_equal(fewer.regression.coefficient, again.regression.coefficient)


def test_blocks_do_not_show(tossed_data):
    plan, data = tossed_data
    other = replace(plan, block=1000)
    again = RegressionData.of(other, tossed(other))
    assert again.differences.counts.tobytes() == data.differences.counts.tobytes()
    assert again.differences.halves.tobytes() == data.differences.halves.tobytes()
    assert again.result["advance"].tobytes() == data.result["advance"].tobytes()
    assert np.array_equal(again.differences.fielded, data.differences.fielded)


def test_outcomes_of_other_armies_are_refused():
    plan = plan_for(400)
    results = tossed(plan)
    with pytest.raises(InputError, match="other armies"):
        RegressionData.of(replace(plan, seed=4), results)
    key = cell_key("advance", 0)
    with pytest.raises(InputError, match="400 battles"):
        RegressionData.of(plan, {key: {**results[key], OUTCOMES: np.array(["~AAAA"])}})


def test_the_armies_of_a_seed_never_change():
    """Published outcomes are of these armies: when this fails, outcomes must be counted anew."""
    assert plan_for(400).armies.differences(0, 400).digest == "8cc0ffb08b2d4841"


# Real battles.


def test_real_battles_go_through_cells_and_published_counts(tmp_path):
    plan = plan_for(1024, block=512)
    cells = plan.cells()
    assert [cell.key for cell in cells] == ["advance | regression | from 0", "advance | regression | from 512"]
    run = run_cells(cells, tmp_path / "a")
    text = counts_text(cells, run.results)
    (tmp_path / COUNTS).write_text(text, encoding="utf-8")
    found = read_counts([tmp_path])
    again = run_cells(cells, tmp_path / "b", published=found)
    assert (again.computed, again.published) == (0, 2)
    one, other = RegressionData.of(plan, run.results), RegressionData.of(plan, again.results)
    assert np.array_equal(one.result["advance"], other.result["advance"])
    kept = run_cells(cells, tmp_path / "b")
    assert counts_text(cells, kept.results) == text

    # The whole in one go gives the same, and so does one battle alone.
    pairs = np.arange(2048, dtype=np.int64).reshape(1024, 2)
    options = BattleOptions("advance", "advance")
    pool, numbers = plan.armies.pool(0, 1024), np.arange(1024, dtype=np.int64)
    played = fight_pool(pool, pairs, numbers, options, plan.seed, scenario={"regression": 51}, workers=2)
    assert np.array_equal(played.result, one.result["advance"])
    for cell in cells:
        columns = run.results[cell.key]
        assert sum(int(columns[name][0]) for name in ("wins", "draws", "losses")) == 512
    # More points win more often.
    more = one.differences.halves > 6
    less = one.differences.halves < -6
    assert played.score[more].mean() > 0.5 > played.score[less].mean()


# Plans.


def experiment(**changes):
    given = {"schema_version": 1, "name": "r", "question": "?", "game": "triumph", "contest": "battle", **changes}
    return Experiment.model_validate({"price": ["battle-regression"], **given})


def test_a_plan_follows_its_experiment():
    plan = RegressionPlan.of(experiment())
    assert (plan.battles, plan.policies, plan.topography) == (470_000, ("greedy", "advance"), None)
    assert plan.names == ALL_CARDS
    assert len(plan.cells()) == 2 * 58
    options = {"regression_battles": 5001, "topography": "arable", "regression_cards": ["Deadly", "No Camp"]}
    other = RegressionPlan.of(experiment(options=options, sweep={"policy": ["advance"]}, seed=9, trials=80))
    assert (other.battles, other.topography, other.seed, other.names) == (5004, "arable", 9, ("deadly", "no_camp"))
    assert other.armies.companion is None
    assert [cell.reads["count"] for cell in other.cells()] == [5004]
    assert RegressionPlan.of(experiment(trials=80)).battles == 80


def test_policies_share_armies_and_everything_else_has_cells_of_its_own():
    both = plan_for(64, ("greedy", "advance"))
    results = tossed(both)
    assert len({str(columns[ARMIES][0]) for columns in results.values()}) == 1
    other = TriumphRulings(core_version="1.2")
    changes = [{}, {"seed": 4}, {"topography": "dry"}, {"rulings": other}, {"names": ("deadly",)}]
    ids = [cell.id for change in changes for cell in replace(both, **change).cells()]
    assert len(set(ids)) == len(ids)
