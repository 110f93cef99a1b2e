"""Published results checked by making them again: a stale or planted number is found."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ftsim.errors import AuditError, InputError
from ftsim.experiments.runner import run_cells
from ftsim.experiments.schema import Experiment
from ftsim.report.publish import documents, study_of
from ftsim.ruleset import Ruleset


def audit(folder: Path, rulesets: Mapping[str, Ruleset], *, workers: int = 1) -> str:
    """Compute an experiment again from its record and compare every published file.

    Files must agree in every byte; where only libraries differ (another Python, another lock),
    tables must agree in every number as printed.

    Raises
    ------
    InputError
        If the folder has no record.
    AuditError
        With every file that differs.
    """
    try:
        record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        experiment = Experiment.model_validate(record["experiment"])
    except (OSError, ValueError, KeyError) as problem:
        reason = "there is no run.json" if isinstance(problem, OSError) else "run.json cannot be read"
        raise InputError(f"{folder}: {reason}; it is no results folder") from None
    study = study_of(experiment, rulesets[experiment.game])
    with tempfile.TemporaryDirectory() as scratch:
        run = run_cells(study.cells(experiment), Path(scratch), workers=workers)
        made = documents(experiment, study, study.findings(experiment, run.results))
    differing = []
    for name, text in made.items():
        path = folder / name
        there = path.read_text(encoding="utf-8") if path.exists() else None
        if there == text:
            continue
        if there is not None and name.endswith(".csv") and _same_numbers(there, text):
            continue
        differing.append(f"{name} {'is missing' if there is None else 'differs'}")
    if differing:
        raise AuditError(f"{folder}: {'; '.join(differing)}. Make it again with: ftsim publish {experiment.name}")
    return f"results of {experiment.name}, computed again: {len(made)} files agree"


def _same_numbers(one: str, other: str) -> bool:
    """Whether two tables agree but for the last printed digit of numbers."""
    rows, others = (list(csv.reader(io.StringIO(text))) for text in (one, other))
    return len(rows) == len(others) and all(
        len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
        for a, b in zip(rows, others, strict=True)
    )


def _same(x: str, y: str) -> bool:
    if x == y:
        return True
    try:
        digits = len(x.partition(".")[2])
        return abs(float(x) - float(y)) <= 1.01 * 10.0**-digits and digits == len(y.partition(".")[2])
    except ValueError:
        return False
