"""Records: all that the bytes depend on, and apart from it where they were made."""

from __future__ import annotations

import json

from ftsim.experiments.provenance import as_json, environment_record, run_record
from ftsim.experiments.schema import Experiment
from ftsim.games import RULESETS


def record(experiment, **changes):
    study = RULESETS["triumph"].studies["close-combat"]()
    return run_record(experiment(**changes), study)


def test_an_experiment_comes_back_from_its_record(experiment):
    one = experiment(field={"Knights": 1, "Spear": 0.5}, rulings={"set": {"overlap": 0}}, report={"title": "Ä"})
    study = RULESETS["triumph"].studies["close-combat"]()
    text = as_json(run_record(one, study))
    assert Experiment.model_validate(json.loads(text)["experiment"]) == one


def test_a_record_names_versions_and_a_digest_of_every_table(experiment):
    found = record(experiment)
    assert {"engine_version", "stream_version", "lock"} <= set(found)
    assert {"troop_types.csv", "cards.csv", "factors.csv", "terms.csv"} <= set(found["tables"])
    assert all(len(digest) == 16 for digest in found["tables"].values())


def test_a_record_is_the_same_every_time_and_differs_with_the_experiment(experiment):
    assert record(experiment) == record(experiment)
    assert record(experiment) != record(experiment, seed=2)


def test_where_and_when_is_kept_apart_from_the_record(experiment):
    found = environment_record()
    assert {"time", "python", "platform", "packages"} <= set(found)
    assert not {"time", "python", "platform"} & set(record(experiment))
    json.loads(as_json(found))
