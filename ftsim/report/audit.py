"""Published results checked by making them again: a stale or planted number is found."""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ftsim.errors import AuditError
from ftsim.experiments.records import counts_text
from ftsim.experiments.runner import run_cells
from ftsim.report.publish import documents, published_counts, read_record
from ftsim.ruleset import Ruleset

PUBLISHING_PYTHON = (3, 11)
#: How many cells with published counts are sampled again: those with the smallest hashes.
SAMPLED_AGAIN = 2


def audit(folder: Path, rulesets: Mapping[str, Ruleset], *, workers: int = 1) -> str:
    """Compute an experiment again from its record and compare every published file.

    Files must agree in every byte; where only libraries differ (another Python, another lock),
    tables must agree in every number as printed. Of the cells whose counts are published, because
    they take long to sample, a few are sampled again and the others are taken as counted.

    Raises
    ------
    InputError
        If the folder has no record.
    AuditError
        With every file that differs.
    """
    experiment, study = read_record(folder, rulesets)
    cells = study.cells(experiment)
    counted = published_counts(experiment, folder)
    for again in sorted(cell.id for cell in cells if cell.record)[:SAMPLED_AGAIN]:
        counted.pop(again, None)
    with tempfile.TemporaryDirectory() as scratch:
        run = run_cells(cells, Path(scratch), workers=workers, published=counted)
        counts = counts_text(cells, run.results)
        made = documents(experiment, study, study.findings(experiment, run.results), counts)
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
    again = f"{run.computed} of {len(run.results)} cells computed again" if run.published else "computed again"
    return f"results of {experiment.name}, {again}: {len(made)} files agree"


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
