"""What ``ftsim check`` finds out about a file: what it is, and whether it is sound."""

from __future__ import annotations

from pathlib import Path

from ftsim.documents import read_document
from ftsim.errors import IllegalError, InputError
from ftsim.experiments.schema import check_experiment
from ftsim.games import RULESETS


def check_file(path: Path) -> str:
    """What a file is, in a few words.

    Raises
    ------
    InputError
        With everything that is wrong with it.
    AuditError
        If a results folder does not hold what its record gives.
    """
    if path.is_dir():
        from ftsim.report.audit import audit

        return audit(path, RULESETS)
    document = read_document(path)
    if "schema_version" in document.data or "contest" in document.data:
        experiment = check_experiment(document, RULESETS)
        return f"experiment {experiment.name}, no faults"
    for ruleset in RULESETS.values():
        for key, check in ruleset.files.items():
            if key in document.data:
                return check(document)
    problems: list[InputError] = []
    unread: list[InputError] = []
    for ruleset in RULESETS.values():
        try:
            found = ruleset.army_cost(path, {})
        except InputError as problem:
            unread.append(problem)
            continue
        if found.legal:
            return f"army {found.title}, {found.points:g} points, legal"
        problems.append(IllegalError(f"{path.name}: {found.title}", found.reasons))
    if not problems:
        # No game can read it: the one with the fewest faults is the one that was meant.
        problems = [min(unread, key=lambda problem: len(str(problem).splitlines()))]
    raise InputError("\n".join(str(problem) for problem in problems))
