from __future__ import annotations

import pytest

from ftsim.experiments.schema import Experiment
from ftsim.games import RULESETS
from ftsim.report.publish import publish

BASE = {
    "schema_version": 1,
    "name": "small",
    "question": "Is Deadly worth two points?",
    "game": "triumph",
    "contest": "close-combat",
    "sweep": {"card": ["Deadly"]},
    "price": ["price-line"],
}


@pytest.fixture(scope="session")
def experiment():
    def make(**changes):
        return Experiment.model_validate({**BASE, **changes})

    return make


@pytest.fixture(scope="session")
def cells():
    def make(one):
        return list(RULESETS[one.game].studies[one.contest]().cells(one))

    return make


@pytest.fixture(scope="session")
def contents():
    def read(folder, *hidden):
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in (".lock", "environment.json", *hidden)
        }

    return read


@pytest.fixture(scope="session")
def swept(experiment):
    return experiment(rulings={"sweep": ["overlap", "uphill"]})


@pytest.fixture(scope="session")
def reference(swept, tmp_path_factory):
    return publish(swept, RULESETS["triumph"], tmp_path_factory.mktemp("reference"))
