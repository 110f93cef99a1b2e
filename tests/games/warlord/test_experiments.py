"""Experiments end to end, small; and what is wrong with a file is told before anything runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ftsim.errors import InputError
from ftsim.experiments.schema import read_experiment, shipped
from ftsim.games import RULESETS
from ftsim.games.warlord.even import even_number, log_odds, resized
from ftsim.games.warlord.terrain_study import examples_hold
from ftsim.games.warlord.units import Unit
from ftsim.report.audit import audit
from ftsim.report.publish import publish

SMALL = {
    "terrain": "trials: 500\nsweep: {unit: [20 Human B, 20 Dwarf B], terrain: [clear, wood, wall]}\n"
    "rulings: {sweep: [cost_model]}\n",
    "fire": "trials: 2000\nsweep: {part: [wattle_wall], figures: [5]}\nrulings: {sweep: [fire_dice]}\n",
    "cover": "trials: 2000\nsweep: {terrain: [clear, wall], attacker: [8 Western orc B + 2 ranks]}\n"
    "options: {defender: 8 Human B + spear}\nrulings: {sweep: [win_test]}\n",
    "points": "sweep: {unit: [8 Human B, 8 Western goblin A, 8 Dwarf C], reference: [8 Human B]}\n"
    "rulings: {sweep: [pursuit]}\n",
}


def written(tmp_path, contest, more=None):
    path = tmp_path / f"small-{contest}.yaml"
    head = f"schema_version: 1\nname: small-{contest}\nquestion: What?\ngame: warlord\ncontest: {contest}\nseed: 3\n"
    path.write_text(head + (SMALL[contest] if more is None else more), encoding="utf-8")
    return path


@pytest.mark.parametrize("contest", list(SMALL))
def test_a_small_experiment_is_published_and_made_again_byte_by_byte(contest, tmp_path):
    experiment = read_experiment(written(tmp_path, contest), RULESETS)
    done = publish(experiment, RULESETS["warlord"], tmp_path / "results")
    assert all(done.findings.checks.values())
    assert done.findings.assumed
    assert any(section.id == "assumed" for section in done.findings.sections)
    page = done.page.read_text(encoding="utf-8")
    assert "What the assumed numbers do" in page
    record = json.loads((done.folder / "run.json").read_text(encoding="utf-8"))
    assert "profiles.yaml" in record["tables"]
    assert "agree" in audit(done.folder, RULESETS)


def test_the_terrain_report_draws_the_printed_examples(tmp_path):
    experiment = read_experiment(written(tmp_path, "terrain"), RULESETS)
    done = publish(experiment, RULESETS["warlord"], tmp_path / "results")
    page = done.page.read_text(encoding="utf-8")
    assert page.count("front at 11 cm") >= 2
    assert "currentColor" in page
    assert examples_hold()


@pytest.mark.parametrize("name", ["warlord-terrain", "warlord-fire", "warlord-cover", "warlord-points"])
def test_the_shipped_experiments_have_no_faults(name):
    assert read_experiment(shipped()[name], RULESETS).name == name


@pytest.mark.parametrize(
    ("contest", "more", "message"),
    [
        ("terrain", "sweep: {unit: [20 hobbit B]}\n", "sweep.unit.0: Unknown race 'hobbit'"),
        ("terrain", "sweep: {race: [human]}\n", "terrain has no axis 'race'; accepted: unit, terrain"),
        ("terrain", "options: {width: -4}\n", "options.width: '-4' cannot be used"),
        ("fire", "sweep: {policy: [pray]}\n", "Unknown policy 'pray'"),
        ("fire", "sweep: {figures: [0]}\n", "accepted: 1 to 100 figures"),
        ("cover", "sweep: {terrain: [wall]}\n", "clear is needed"),
        ("cover", "sweep: {terrain: [clear, river]}\n", "There is no fight in river"),
        ("cover", "options: {colour: red}\n", "cover has no option 'colour'"),
        ("points", "trials: 10\n", "leave trials out"),
        ("points", "rulings: {sweep: [cost_model]}\n", "points does not depend on 'cost_model'"),
        ("points", "rulings: {set: {win_test: maybe}}\n", "accepted: more_casualties, higher_share"),
        ("points", "price: [price-line]\n", "leave price out"),
        ("points", "options: {profiles: nowhere.yaml}\n", "nowhere.yaml: cannot be read"),
    ],
)
def test_faults_are_told_with_file_and_line(contest, more, message, tmp_path):
    with pytest.raises(InputError) as problem:
        read_experiment(written(tmp_path, contest, more), RULESETS)
    text = str(problem.value)
    assert message in text
    assert f"small-{contest}.yaml, line 7" in text


class TestEvenNumber:
    @pytest.mark.parametrize("truth", [1.0, 3.25, 12.0, 57.8, 99.5])
    @pytest.mark.parametrize("start", [1, 12, 100])
    def test_a_planted_number_is_found(self, truth, start):
        def score(n):
            return 1 / (1 + 2.718281828 ** (-(n - truth)))

        assert even_number(score, start) == pytest.approx(max(1.0, truth), abs=1e-6)

    def test_what_a_hundred_cannot_do_is_infinite(self):
        assert even_number(lambda n: 0.3, 20) == float("inf")
        assert even_number(lambda n: 0.7, 20) == 1.0

    def test_resizing_keeps_ranks_where_it_can(self):
        unit = Unit.parse("12 Human B + 3 ranks")
        assert (resized(unit, 2).ranks, resized(unit, 40).ranks) == (2, 3)

    def test_log_odds_stay_finite(self):
        assert log_odds(0.0) < -20
        assert log_odds(0.5) == 0


def test_experiments_lie_where_they_are_looked_for():
    assert all(Path(path).is_file() for name, path in shipped().items() if name.startswith("warlord-"))
