"""Published results checked by making them again: a stale or planted number is found."""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ftsim.errors import AuditError
from ftsim.experiments.runner import run_cells
from ftsim.report.publish import documents, read_record
from ftsim.ruleset import Ruleset

PUBLISHING_PYTHON = (3, 11)


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
    experiment, study = read_record(folder, rulesets)
    with tempfile.TemporaryDirectory() as scratch:
        run = run_cells(study.cells(experiment), Path(scratch), workers=workers)
        made = documents(experiment, study, study.findings(experiment, run.results))
    differing = []
    exact = sys.version_info[:2] == PUBLISHING_PYTHON
    for name, text in made.items():
        path = folder / name
        try:
            there = path.read_text(encoding="utf-8") if path.exists() else None
        except (OSError, UnicodeDecodeError):
            there = ""
        if there == text:
            continue
        if there is not None and not exact and name != "run.json" and _same_enough(name, there, text):
            continue
        differing.append(f"{name} {'is missing' if there is None else 'differs'}")
    if differing:
        raise AuditError(f"{folder}: {'; '.join(differing)}. Make it again with: ftsim publish {experiment.name}")
    return f"results of {experiment.name}, computed again: {len(made)} files agree"


def _same_enough(name: str, one: str, other: str) -> bool:
    """Whether a file made on another Python agrees: tables in every number as printed; pages hold the same."""
    return not name.endswith(".csv") or _same_numbers(one, other)


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
    digits = len(x.partition(".")[2])
    if digits == 0 or digits != len(y.partition(".")[2]):
        return False  # whole numbers are exact
    try:
        return abs(float(x) - float(y)) <= 1.01 * 10.0**-digits
    except ValueError:
        return False
