"""From an experiment to its published folder: run, find, check, write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ftsim.errors import InputError
from ftsim.experiments.cells import CellStore, claim, write_text
from ftsim.experiments.provenance import as_json, environment_record, run_record
from ftsim.experiments.records import COUNTS, counts_text, read_counts
from ftsim.experiments.runner import Progress, RunReport, run_cells
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Columns, Study
from ftsim.findings import Findings
from ftsim.report.page import Entry, render, render_index, render_leaf
from ftsim.report.tables import table_csv
from ftsim.ruleset import Ruleset


@dataclass(frozen=True)
class Published:
    """What was made of one experiment."""

    experiment: Experiment
    findings: Findings
    folder: Path
    run: RunReport

    @property
    def page(self) -> Path:
        """The report."""
        return self.folder / "index.html"


def study_of(experiment: Experiment, ruleset: Ruleset) -> Study:
    """The study that answers an experiment."""
    return ruleset.studies[experiment.contest]()


def publish(
    experiment: Experiment,
    ruleset: Ruleset,
    results: Path,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Published:
    """Run an experiment and write its tables, record and report below `results`.

    Parameters
    ----------
    experiment : Experiment
        The experiment.
    ruleset : Ruleset
        Its game.
    results : Path
        Folder of all results.
    workers, scheduler, fresh, progress
        As for `runner.run_cells`.
    """
    study = study_of(experiment, ruleset)
    folder = results / experiment.name
    cells = study.cells(experiment)
    with claim(folder):
        run = run_cells(
            cells,
            folder,
            workers=workers,
            scheduler=scheduler,
            fresh=fresh,
            progress=progress,
            published=published_counts(experiment, folder),
        )
        findings = study.findings(experiment, run.results)
        for name, text in documents(experiment, study, findings, counts_text(cells, run.results)).items():
            write_text(folder / name, text)
        write_text(folder / "environment.json", as_json(environment_record()))
    return Published(experiment, findings, folder, run)


def published_counts(experiment: Experiment, folder: Path) -> dict[str, Columns]:
    """Counts published with an experiment and, if it joins others, with those."""
    return read_counts([folder, *(folder.parent / name for name in experiment.include)])


def documents(experiment: Experiment, study: Study, findings: Findings, counts: str | None = None) -> dict[str, str]:
    """Every tracked file of an experiment's folder, by name: the same bytes for the same record.

    An experiment that joins others leaves their counts with them.
    """
    record = run_record(experiment, study)
    return {
        "run.json": as_json(record),
        **({COUNTS: counts} if counts is not None and not experiment.include else {}),
        **{name: table_csv(table) for name, table in findings.files.items()},
        **{name: render_leaf(experiment, leaf, record) for name, leaf in findings.pages.items()},
        "index.html": render(experiment, findings, record),
    }


def read_record(folder: Path, rulesets: Mapping[str, Ruleset]) -> tuple[Experiment, Study]:
    """The experiment of a results folder and its study, from the folder's record.

    Raises
    ------
    InputError
        If there is no record, or it is none of an experiment that can be run.
    """
    record = folder / "run.json"
    try:
        experiment = Experiment.model_validate(json.loads(record.read_text(encoding="utf-8"))["experiment"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        reason = "there is no run.json" if isinstance(problem, OSError) else "run.json cannot be read"
        raise InputError(f"{folder}: {reason}; make it with: ftsim run EXPERIMENT") from None
    if experiment.game not in rulesets:
        raise InputError(f"{folder}: run.json names the unknown game {experiment.game!r}")
    ruleset = rulesets[experiment.game]
    if experiment.contest not in ruleset.studies:
        raise InputError(f"{folder}: run.json names the unknown contest {experiment.contest!r}")
    problems = ruleset.experiment_problems(experiment)
    if problems:
        raise InputError(f"{folder}: run.json: {problems[0][1]}")
    return experiment, study_of(experiment, ruleset)


def read_results(folder: Path, rulesets: Mapping[str, Ruleset]) -> tuple[Experiment, Findings, Study]:
    """The experiment and findings of a results folder, from its record and its cells.

    Raises
    ------
    InputError
        If the folder is no results folder, or cells are missing.
    """
    experiment, study = read_record(folder, rulesets)
    store = CellStore(folder)
    published = published_counts(experiment, folder)
    found = {}
    for cell in study.cells(experiment):
        columns = store.load(cell)
        if columns is None and cell.record:
            columns = published.get(cell.id)
        if columns is None:
            raise InputError(
                f"{folder}: cell {cell.key!r} is missing, damaged or of another version; "
                f"run it again with: ftsim run {experiment.name}"
            )
        found[cell.key] = columns
    return experiment, study.findings(experiment, found), study


def write_site(published: list[Published], site: Path) -> Path:
    """Copy reports into a folder that any static host can serve; returns its first page."""
    for one in published:
        for name in ("index.html", *one.findings.pages):
            page = (one.folder / name).read_text(encoding="utf-8")
            write_text(site / one.experiment.name / name, page)
    entries = [
        Entry(
            one.experiment.title,
            one.experiment.question,
            one.findings.answer,
            f"{one.experiment.name}/index.html",
        )
        for one in published
    ]
    write_text(site / ".nojekyll", "")
    write_text(site / "index.html", render_index(entries))
    return site / published[0].experiment.name / "index.html" if len(published) == 1 else site / "index.html"
