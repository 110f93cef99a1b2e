"""``ftsim publish``, ``run``, ``report``, ``check`` and ``schema``: experiments and what comes of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ftsim.cli.output import err, game, out, progress_bar, shown
from ftsim.errors import AuditError, FtsimError, InputError

if TYPE_CHECKING:
    from ftsim.experiments.schema import Experiment
    from ftsim.report.publish import Published

DEFAULT_EXPERIMENT = "battle-cards"

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[EXPERIMENT]...", help="Files, or names of shipped experiments."),
]
Results = Annotated[Path, typer.Option("--results", metavar="DIR", help="Where results are kept.")]
Workers = Annotated[
    int | None, typer.Option("--workers", "-w", min=1, help="Processes; all processors if not given.")
]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="URL", help="A Dask scheduler, such as tcp://host:8786.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Compute everything again.")]


def publish(
    names: Names = None,
    site: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder of the site.")] = Path("site"),
    results: Results = Path("results"),
    workers: Workers = None,
    scheduler: Scheduler = None,
    fresh: Fresh = False,
) -> None:
    """Run experiments, write their reports and a site; without names: battle-cards."""
    from ftsim.report.publish import write_site

    published = [
        _publish(experiment, results, workers, scheduler, fresh)
        for experiment in _experiments(names or [DEFAULT_EXPERIMENT], None)
    ]
    page = write_site(published, site)
    for one in published:
        err().print(f"{one.experiment.name}: {one.findings.answer}", markup=False)
    out().print(shown(page), markup=False, soft_wrap=True)


def run(
    names: Annotated[list[str], typer.Argument(metavar="EXPERIMENT...", help="Files, or shipped names.")],
    results: Results = Path("results"),
    workers: Workers = None,
    scheduler: Scheduler = None,
    trials: Annotated[
        int | None,
        typer.Option("--trials", "-n", min=1, max=10**15, help="Roll each matchup so often; no prices then."),
    ] = None,
    fresh: Fresh = False,
) -> None:
    """Run experiments and keep their results; what is finished is not computed again."""
    for experiment in _experiments(names, trials):
        one = _publish(experiment, results, workers, scheduler, fresh)
        out().print(shown(one.folder), markup=False, soft_wrap=True)


def _experiments(names: list[str], trials: int | None) -> list[Experiment]:
    """All experiments, read and checked before any of them runs."""
    from ftsim.experiments.schema import find_experiment, read_experiment
    from ftsim.games import RULESETS

    found = []
    for name in names:
        experiment = read_experiment(find_experiment(name), RULESETS)
        if trials is not None:
            experiment = _with_trials(experiment, trials)
        found.append(experiment)
    if len({experiment.name for experiment in found}) < len(found):
        raise InputError("Two of the experiments have the same name; their results would lie in one folder")
    return found


def _with_trials(experiment: Experiment, trials: int) -> Experiment:
    """The experiment with other trials; one that is exact becomes a sampled one of another name."""
    changes: dict[str, object] = {"trials": trials, "precision": None}
    if experiment.trials is None and experiment.precision is None:
        changes |= {"price": [], "name": f"{experiment.name}-sampled"}
    from pydantic import ValidationError

    try:
        changed = type(experiment).model_validate({**experiment.model_dump(), **changes})
    except ValidationError as problem:
        wrong = problem.errors()[0]
        raise InputError(f"--trials: {'.'.join(map(str, wrong['loc']))}: {wrong['msg']}") from None
    problems = game(changed.game).experiment_problems(changed)
    if problems:
        raise InputError("\n".join(f"--trials: {message}" for _, message in problems))
    return changed


def _publish(
    experiment: Experiment, results: Path, workers: int | None, scheduler: str | None, fresh: bool
) -> Published:
    from ftsim.report.publish import publish as make

    with progress_bar(experiment.name) as progress:
        one = make(
            experiment,
            game(experiment.game),
            results,
            workers=workers or os.cpu_count() or 1,
            scheduler=scheduler,
            fresh=fresh,
            progress=progress,
        )
    if one.run.damaged:
        err().print(f"warning: {len(one.run.damaged)} damaged or old cells were computed again")
    read = f", {one.run.published} of them as published; --fresh samples them again" if one.run.published else ""
    err().print(f"{one.run.computed} cells computed, {one.run.kept} kept{read}")
    return one


def report(
    folders: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="Results folders.")],
    target: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the page here instead.")] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Also as PDF, through Chromium.")] = False,
) -> None:
    """Write the report of results that are there, without running anything."""
    from ftsim.experiments.cells import write_text
    from ftsim.games import RULESETS
    from ftsim.report.publish import documents, read_results

    if target is not None and len(folders) > 1:
        raise InputError("--out takes one report; give one results folder, or leave it out")
    for folder in folders:
        experiment, findings, study = read_results(folder, RULESETS)
        page = target or folder / "index.html"
        write_text(page, documents(experiment, study, findings)["index.html"])
        out().print(shown(page), markup=False, soft_wrap=True)
        if pdf:
            from ftsim.report.pdf import write_pdf

            out().print(shown(write_pdf(page)), markup=False, soft_wrap=True)


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Experiments, armies, or results folders.")],
) -> None:
    """Check files without running them; a results folder is computed again and compared."""
    from ftsim.cli.checks import check_file

    problems: list[FtsimError] = []
    for path in files:
        try:
            out().print(f"{shown(path)}: {check_file(path)}", markup=False, soft_wrap=True)
        except (InputError, AuditError) as problem:
            problems.append(problem)
    if problems:
        audits = any(isinstance(problem, AuditError) for problem in problems)
        raise (AuditError if audits else InputError)("\n".join(str(problem) for problem in problems))


def schema() -> None:
    """The form of experiment files as JSON Schema."""
    from ftsim.experiments.schema import json_schema

    typer.echo(json_schema(), nl=False)
