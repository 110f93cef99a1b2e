"""Who beats whom: counts that add up, strengths that follow them, the same battles as `fight`, clear refusals."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from ftsim.documents import read_document
from ftsim.errors import InputError
from ftsim.experiments.runner import run_cells
from ftsim.experiments.schema import check_experiment
from ftsim.games import RULESETS
from ftsim.games.triumph.battle.archetype_study import COLUMNS, ArchetypeStudy, Plan, _Tally, compute_battles
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.engine import BATTLE_VERSION, BattleOptions, fight

ARMIES = ("orcs", "high_elves", "undead")
TEXT = """\
schema_version: 1
name: small
question: Who wins?
game: triumph
contest: battle
seed: 4
trials: 38
sweep:
  army: [orcs, high_elves, undead]
  policy: [greedy, advance]
"""
#: Digest of the trials below, by engine version: raise BATTLE_VERSION with it, or neither.
#: Version 3 changed ambushes and where skirmishers deploy, of which these armies have none.
GOLDEN = {
    1: "70b209f7c3d15d0229e5549dae2001eb",
    2: "4097e66ca70928df02b1259573c061a6",
    3: "4097e66ca70928df02b1259573c061a6",
}


def experiment(tmp_path, old="", new=""):
    assert old in TEXT
    path = tmp_path / "small.yaml"
    path.write_text(TEXT.replace(old, new), encoding="utf-8")
    return check_experiment(read_document(path), RULESETS)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archetypes")
    one = experiment(folder)
    cells = ArchetypeStudy().cells(one)
    return one, cells, run_cells(cells, folder / "cells").results


def test_every_pair_fights_under_every_policy_and_trials_rotate_in_fours(small):
    one, cells, results = small
    assert [cell.key for cell in cells] == [f"{p}: {a}" for p in ("greedy", "advance") for a in ARMIES[:2]]
    for columns in results.values():
        assert set(columns) == set(COLUMNS)
        assert (columns["a_wins"] + columns["draws"] + columns["b_wins"] == 40).all()
    assert Plan.of(one).trials == 40


def test_counts_are_those_of_the_engine(small):
    one, _, results = small
    known = archetypes()
    pairs, trials = np.tile([0, 1], (40, 1)), np.arange(40)
    hosts = [known["orcs"], known["undead"]]
    names = {"a": "orcs", "b": "undead"}
    found = fight(hosts, pairs, trials, BattleOptions("advance", "advance"), one.seed, scenario=names)
    columns = results["advance: orcs"]
    assert found.counts() == tuple(int(columns[name][1]) for name in ("a_wins", "draws", "b_wins"))


def test_findings_hold_together(small):
    one, _, results = small
    found = ArchetypeStudy().findings(one, results)
    assert found.checks
    assert all(found.checks.values())
    assert len(found.files["figures.csv"].rows) == 6
    tally = _Tally.of(Plan.of(one), "greedy", results)
    score = tally.score()
    off = ~np.eye(3, dtype=bool)
    assert score[off] == pytest.approx(1 - score.T[off])
    assert sum(tally.mean(k).value for k in range(3)) == pytest.approx(1.5)
    assert found.sections[0].parts[0].rows[0]["army"] == tally.names[tally.order()[0]]
    assert "<svg" in found.sections[-1].parts[0].svg


def test_intervals_of_an_army_cover_its_chance():
    """Coins of known chance instead of battles: 95 % of the intervals hold the mean chance."""
    rng = np.random.default_rng(5)
    chances = np.array([0.2, 0.5, 0.7, 0.9])
    inside = 0
    for _ in range(2000):
        wins = np.zeros((5, 5))
        wins[0, 1:] = rng.binomial(200, chances)
        wins[1:, 0] = 200 - wins[0, 1:]
        tally = _Tally("greedy", tuple("abcde"), wins, np.zeros((5, 5)), wins, 0, 1)
        share = tally.mean(0)
        inside += share.low <= chances.mean() <= share.high
    # 2,000 intervals of 95 %, three standard errors either way.
    assert 0.935 < inside / 2000 < 0.965


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("undead]", "orks]", "unknown army 'orks'; accepted: "),
        ("[orcs, high_elves, undead]", "[orcs]", "at least two armies"),
        ("advance]", "clever]", "accepted: advance, greedy"),
        ("trials: 38", "trials: 100000000", "at most 10,000,000 battles"),
        ("trials: 38", "options: {topography: moon}", "unknown topography 'moon'"),
        ("trials: 38", "options: {weather: rain}", "accepted: topography"),
        ("trials: 38", "rulings: {sweep: [overlap]}", "vary no rulings"),
        ("trials: 38", "price: [price-line]", "battles have no 'price-line'"),
    ],
)
def test_what_cannot_be_fought_is_refused_with_its_place(tmp_path, old, new, says):
    with pytest.raises(InputError, match=r"small\.yaml, line \d+") as problem:
        experiment(tmp_path, old, new)
    assert says in str(problem.value)


def test_results_change_with_the_version_or_not_at_all(tmp_path):
    plan = Plan.of(experiment(tmp_path))
    digest = sha256()
    for policy in plan.policies:
        columns = compute_battles(plan, policy, "orcs", ["high_elves", "undead"], 4)
        for name in COLUMNS:
            digest.update(columns[name].astype("<i8").tobytes())
    assert digest.hexdigest()[:32] == GOLDEN[BATTLE_VERSION]
