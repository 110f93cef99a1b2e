"""Prices in battle from end to end: cells that add up, counts that are published and checked, clear refusals."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from pathlib import Path

import numpy as np
import pytest

from ftsim.documents import read_document
from ftsim.errors import AuditError, InputError
from ftsim.estimates import Estimate
from ftsim.experiments.records import COUNTS
from ftsim.experiments.schema import check_experiment
from ftsim.findings import Table
from ftsim.games import RULESETS
from ftsim.games.triumph.battle import price_trials
from ftsim.games.triumph.battle.engine import POLICIES
from ftsim.games.triumph.battle.price_trials import ARM, PricePlan, PriceSums
from ftsim.games.triumph.battle.prices import gains, price_all, with_real
from ftsim.games.triumph.battle.regression_trials import RegressionPlan
from ftsim.games.triumph.battle.ruling_tables import shifts
from ftsim.pricing.bearers import GAINS
from ftsim.pricing.equal_points import priced
from ftsim.pricing.ratio import z_of
from ftsim.report.audit import audit
from ftsim.report.publish import publish, published_counts, read_record

TEXT = """\
schema_version: 1
name: small
question: What are they worth?
game: triumph
contest: battle
seed: 4
trials: 78
sweep:
  card: [Deadly, No Camp, Delayed Entry, Hero + Champion]
  policy: [advance]
options:
  forced_trials: 40
rulings: {sweep: [core_version]}
price: [equal-points]
"""


def experiment(tmp_path, old="", new=""):
    assert old in TEXT
    path = tmp_path / "small.yaml"
    path.write_text(TEXT.replace(old, new), encoding="utf-8")
    return check_experiment(read_document(path), RULESETS)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prices")
    return publish(experiment(folder), RULESETS["triumph"], folder / "results")


def test_trials_rotate_in_fours_and_rulings_get_a_quarter(tmp_path):
    plan = PricePlan.of(experiment(tmp_path))
    assert (plan.trials, plan.other_trials, plan.ruling_trials, plan.forced_trials) == (80, 80, 20, 40)
    assert list(plan.scenarios) == ["default", "core_version=1.2"]
    assert [str(group) for group in plan.groups] == ["51 points", "49 points", "48 points and a hero", "47 points"]


def test_players_are_those_named_all_of_them_or_the_usual_two(tmp_path):
    named = "  policy: [advance]\n"
    for text, policies in (
        (named, ("advance",)),
        ("  policy: all\n", POLICIES),
        ("", ("greedy", "advance")),
    ):
        one = experiment(tmp_path, named, text)
        assert PricePlan.of(one).policies == policies
        assert RegressionPlan.of(one).policies == policies


def test_findings_hold_together(made):
    found = made.findings
    assert found.checks
    assert all(found.checks.values())
    tables = {part.id: part for section in found.sections for part in section.parts if isinstance(part, Table)}
    assert [row["card"] for row in tables["battle-verdicts"].rows] == [
        "Deadly", "No Camp", "Delayed Entry", "Hero + Champion",
    ]  # fmt: skip
    assert all(row["decides"] for row in tables["battle-verdicts"].rows)
    weights = {row["fate"]: row["weight"] for row in tables["loss-weights"].rows}
    assert weights["destroyed"] == 1


def test_sums_do_not_depend_on_blocks(made, tmp_path, monkeypatch):
    monkeypatch.setattr(price_trials, "BLOCK", 32)
    plan = PricePlan.of(experiment(tmp_path))
    sums = PriceSums.of(plan, {cell.key: cell.run() for cell in plan.cells()})
    price = priced(sums.subjects["advance", "default", "Deadly"].pooled()).price
    rows = [row for row in made.findings.files["prices.csv"].rows if row["card"] == "Deadly"]
    assert np.array_equal([rows[0]["price"], rows[0]["low"]], [price.value, price.low], equal_nan=True)


def test_worth_by_bearer_takes_the_columns_it_asks_for(made, tmp_path):
    plan = PricePlan.of(experiment(tmp_path))
    sums = PriceSums.of(plan, made.run.results)
    kinds = sums.subjects["advance", "default", "Deadly"]
    found = gains(kinds)
    assert found.total.shape == (27, len(GAINS))
    whole = found.pooled()
    assert whole.mean[0] == pytest.approx(priced(kinds.pooled()).card_gain.value)
    assert whole.mean[3] == pytest.approx(priced(kinds.pooled()).changed)


def test_published_counts_are_enough_and_are_checked(made, tmp_path):
    folder = made.folder
    for cell in (folder / "cells").glob("*.parquet"):
        cell.unlink()
    again = publish(made.experiment, RULESETS["triumph"], folder.parent)
    assert again.run.computed == 0
    assert again.run.published == again.run.kept
    assert "cells computed again" in audit(folder, RULESETS)
    counts = folder / COUNTS
    text = counts.read_text(encoding="utf-8")
    head, first, *rest = text.splitlines()
    planted = first.split(",")
    planted[4] = str(int(planted[4]) + 2)
    counts.write_text("\n".join([head, ",".join(planted), *rest]) + "\n", encoding="utf-8")
    with pytest.raises(AuditError, match="differs"):
        audit(folder, RULESETS)
    counts.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("No Camp", "Camp", "unknown battle card|Unknown battle card"),
        ("No Camp", "Deadly", "twice"),
        ("Hero + Champion", "Champion", "Hero \\+ Champion"),
        ("advance", "defend", "unknown policy"),
        ("forced_trials: 40", "forced_trials: -1", "a number of trials"),
        ("forced_trials: 40", "opponents: strong", "unknown opponents"),
        ("forced_trials: 40", "speed: 3", "unknown option"),
        ("[equal-points]", "[battle-regression]", "begin with equal-points"),
        ("  policy: [advance]", "  policy: [advance]\n  army: all", "leave army out"),
    ],
)
def test_what_cannot_be_priced_is_refused_with_its_place(tmp_path, old, new, problem):
    with pytest.raises(InputError, match=problem):
        experiment(tmp_path, old, new)


def test_other_readings_are_told_with_how_far_they_move_a_price(made):
    found = made.findings
    tables = {p.id: p for s in found.sections for p in s.parts if isinstance(p, Table)}
    (reading,) = tables["readings"].rows
    assert reading["reading"] == "core version=1.2"
    # Of 80 trials most prices have no bounds, and so no shift.
    assert {row["card"] for row in tables["shifts"].rows} <= {row["card"] for row in tables["battle-verdicts"].rows}
    assert any("1 other readings of open points were tried" in sentence for sentence in found.because)


def test_a_shift_is_real_only_beyond_what_so_many_shifts_show_by_chance(made):
    plan = PricePlan.of(made.experiment)
    (one, *_) = price_all(plan, PriceSums.of(plan, made.run.results))
    error = 0.5 / z_of()

    def moved_by(steps: float):
        step = steps * error
        none, move = Estimate(0.0, -0.5, 0.5), Estimate(step, step - 0.5, step + 0.5)
        return replace(one, shifts={("advance", f"x={k}"): none if k else move for k in range(20)})

    (far,) = [s for s in shifts(with_real([moved_by(8)])) if s.real]
    assert (far.label, far.value) == ("x=0", pytest.approx(8 * error))
    assert far.error == pytest.approx(error)
    assert not [s for s in shifts(with_real([moved_by(2.1)])) if s.real]  # 2.1 standard errors among 20
    assert shifts(with_real([replace(one, shifts={})])) == []


def test_rulings_keep_a_row_an_arm(made):
    keys = [key for key in made.run.results if "core_version" in key]
    assert keys
    for key in keys:
        arms = made.run.results[key][ARM]
        assert len(set(arms.tolist())) == len(arms)


# What is published with the project.


def test_every_published_card_decides_some_of_ten_thousand_trials():
    folder = Path(__file__).parents[4] / "results" / "all-cards"
    published, _ = read_record(folder, RULESETS)
    plan, counts = PricePlan.of(published), published_counts(published, folder)
    found = price_all(plan, PriceSums.of(plan, {cell.key: counts[cell.id] for cell in plan.cells()}))
    assert len({one.subject.text.removeprefix("Hero + ").partition(":")[0] for one in found}) == 37
    for one in found:
        assert min(price.ratio.trials for price in one.by_policy.values()) >= 10_000
        assert any(price.changed > 0 for price in one.by_policy.values()), one.subject.text
        assert isfinite(one.headline.price.low) or isfinite(one.headline.price.high), one.subject.text
