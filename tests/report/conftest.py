from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from ftsim.experiments.runner import run_cells
from ftsim.experiments.schema import Experiment, find_experiment, read_experiment
from ftsim.games import RULESETS
from ftsim.games.triumph import all_study
from ftsim.games.triumph.experiment_checks import TRIAL_OPTIONS
from ftsim.report.publish import documents, publish

QUICK = ("battle-cards", "close-combat-cards", "duels", "magic", "ranged-cards", "warlord-terrain")
CHROMIUM = "/usr/bin/chromium"
BASE = {
    "schema_version": 1,
    "name": "small",
    "question": "Is <Deadly> worth two points & more?",
    "game": "triumph",
    "contest": "close-combat",
    "sweep": {"card": ["Deadly", "Prowess"], "figures": ["Fierce"]},
    "rulings": {"sweep": ["overlap"]},
    "price": ["price-line"],
}


@pytest.fixture(scope="session")
def experiment():
    def make(**changes):
        return Experiment.model_validate({**BASE, **changes})

    return make


def trimmed(name):
    """A shipped experiment with one ruling swept and few rolls: the same tables in a tenth of the time."""
    one = read_experiment(find_experiment(name), RULESETS)
    rulings = one.rulings.model_copy(update={"sweep": one.rulings.sweep[:1]})
    few = dict.fromkeys(TRIAL_OPTIONS, 100) | {"regression_battles": 4000}
    options = {key: few.get(key, value) for key, value in one.options.items()}
    trials = one.trials and min(one.trials, 100 if one.price else 200)
    return one.model_copy(update={"rulings": rulings, "trials": trials, "options": options})


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """Cells that are computed once in a session, also where several processes test."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shelf"


def written(one, shelf):
    study = RULESETS[one.game].studies[one.contest]()
    findings = study.findings(one, run_cells(study.cells(one), shelf).results)
    files = documents(one, study, findings)
    return SimpleNamespace(experiment=one, study=study, findings=findings, files=files, html=files["index.html"])


@pytest.fixture(scope="session")
def pages(experiment, shelf):
    """Reports of shipped experiments that take seconds, and of small ones."""
    small = {
        "small": experiment(),
        "sampled": experiment(name="sampled", trials=5, price=[], sweep={"card": ["Deadly"]}, rulings={}),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_study, "included", lambda one: [trimmed(name) for name in one.include])
        made = {name: written(trimmed(name), shelf) for name in QUICK}
        return {**made, **{name: written(one, shelf) for name, one in small.items()}}


@pytest.fixture(scope="session")
def published(experiment, tmp_path_factory):
    one = experiment(sweep={"card": ["Deadly"]}, rulings={})
    return publish(one, RULESETS["triumph"], tmp_path_factory.mktemp("published"))


def _tree(html):
    found = []

    def start(tag, attributes):
        found.append((tag, dict(attributes)))

    parser = HTMLParser()
    parser.handle_starttag = parser.handle_startendtag = start
    parser.feed(html)
    return found


@pytest.fixture(scope="session")
def elements():
    return _tree


@pytest.fixture(scope="session")
def browser():
    """Chromium through Playwright; without it browser tests are skipped, on CI they fail."""
    if not Path(CHROMIUM).exists():
        reason = f"no browser: {CHROMIUM} is missing"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    playwright = pytest.importorskip("playwright.sync_api")
    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    with playwright.sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield one
        one.close()
