"""What the studies share: cells by ruling and by assumed number, and the tables that show both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ftsim.catalog import read_table
from ftsim.conditions import setting_text
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, OpenPoint, Section, Table, Term
from ftsim.games.warlord.assumptions import keys_read
from ftsim.games.warlord.profile_file import read_profiles, shipped
from ftsim.games.warlord.profiles import SWEEP, Profiles
from ftsim.games.warlord.rulings import DECLARED, WarlordRulings
from ftsim.games.warlord.terrain import PACKAGE
from ftsim.streams import canonical_json

#: Raised when equal input gives other numbers.
ENGINE_VERSION = 1
DEFAULT = "default"
Plan = Mapping[str, Any]
Compute = Callable[[Plan, Profiles, WarlordRulings], Columns]


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """Every term with its definition and example."""
    rows = read_table(PACKAGE, "terms.csv", ("term", "definition", "example"))
    return tuple(Term(row["term"], row["definition"], row["example"]) for row in rows)


def provenance() -> Mapping[str, Any]:
    """Digests of the game's tables, and of the profile file that ships."""
    path = Path(str(files(PACKAGE).joinpath("data").joinpath("profiles.yaml")))
    return {**digest_tables(PACKAGE), "profiles.yaml": sha256(path.read_bytes()).hexdigest()[:16]}


def profiles_of(experiment: Experiment) -> Profiles:
    """The profile file of an experiment (option ``profiles``), or the one that ships."""
    path = experiment.options.get("profiles")
    return read_profiles(Path(str(path))) if path else shipped()


def scenarios(experiment: Experiment) -> dict[str, WarlordRulings]:
    """The rulings as set, then each swept one at each other option."""
    base = WarlordRulings.parse(experiment.rulings.set)
    found = {DEFAULT: base}
    for name in experiment.rulings.sweep:
        info = WarlordRulings.info(name)
        for option in (info.default, *info.alternatives):
            if option != getattr(base, name):
                text = setting_text(option)
                found[f"{name}={text}"] = WarlordRulings.parse({**experiment.rulings.set, name: text})
    return found


def swept_keys(compute: Compute, plan: Plan, profiles: Profiles, rulings: WarlordRulings) -> list[str]:
    """The assumed numbers that a plan reads; a plan that is `watched` may leave repetitions out."""
    watched = {**plan, "trials": 0, "watched": True}
    return profiles.assumed(keys_read(lambda numbers: compute(watched, numbers, rulings), profiles))


def planned(
    contest: str, compute: Compute, plan: Plan, experiment: Experiment, declared: Sequence[str]
) -> list[Cell]:
    """One cell a ruling, and two an assumed number: halved and doubled."""
    profiles, rulings = profiles_of(experiment), scenarios(experiment)
    assumed = swept_keys(compute, plan, profiles, rulings[DEFAULT])
    cells = []
    # Samples are drawn once, under the rulings as set; elsewhere exact answers do.
    unsampled = {**plan, "trials": 0}
    for label, ruled in rulings.items():
        used = plan if label == DEFAULT else unsampled
        cells.append(_cell(label, contest, compute, used, profiles, ruled, declared))
    for key in assumed:
        for times in SWEEP:
            if times != 1:
                swept, label = profiles.swept(key, times), f"{key} × {times}"
                cells.append(_cell(label, contest, compute, unsampled, swept, rulings[DEFAULT], declared))
    return cells


def _cell(
    label: str,
    contest: str,
    compute: Compute,
    plan: Plan,
    profiles: Profiles,
    rulings: WarlordRulings,
    declared: Sequence[str],
) -> Cell:
    used = rulings.only(declared)
    numbers = canonical_json(profiles.as_text(profiles.values))
    return Cell(
        label,
        {
            "engine": ENGINE_VERSION,
            "game": "warlord",
            "contest": contest,
            "plan": dict(plan),
            "rulings": {name: setting_text(getattr(used, name)) for name in declared},
            "numbers": sha256(numbers.encode()).hexdigest()[:16],
        },
        compute,
        {"plan": dict(plan), "profiles": profiles, "rulings": used},
    )


ASSUMED_COLUMNS = (
    Column("key", "Assumed number"),
    Column("value", "Value"),
    Column("half", "× ½", "number", "at half", 3),
    Column("double", "× 2", "number", "at double", 3),
)


def assumed_section(
    results: Mapping[str, Columns], figure: Callable[[Columns], float], profiles: Profiles, what: str, term: str
) -> Section:
    """How the figure of a report moves with every assumed number it reads."""
    base = figure(results[DEFAULT])
    keys = sorted({key.partition(" × ")[0] for key in results if " × " in key})
    rows: list[dict[str, Any]] = []
    for key in keys:
        half, double = figure(results[f"{key} × 1/2"]), figure(results[f"{key} × 2"])
        rows.append({"key": key, "value": str(profiles.values[key]), "half": half, "base": base, "double": double})
    rows.sort(key=lambda row: (-float(np.nanmax([abs(row["half"] - base), abs(row["double"] - base)])), row["key"]))
    table = Table(
        "assumed-numbers",
        f"{what} when an assumed number is swept; {base:.3f} as it is",
        (*ASSUMED_COLUMNS[:3], Column("base", "× 1", "number", term, 3), ASSUMED_COLUMNS[3]),
        rows,
        "Every assumed number that this result reads. Halved and doubled: a loss by its extra cost f / (1 − f), dice "
        "by their result, a threshold one lower and one higher.",
    )
    return Section("assumed", "What the assumed numbers do", "", (table,))


def rulings_section(
    results: Mapping[str, Columns], figure: Callable[[Columns], float], what: str, term: str
) -> Section:
    """How the figure moves with each ruling that was varied."""
    rows = [{"ruling": label, "value": figure(columns)} for label, columns in results.items() if " × " not in label]
    table = Table(
        "rulings-varied",
        f"{what} by ruling",
        (Column("ruling", "Ruling"), Column("value", what, "number", term, 3)),
        rows,
    )
    return Section("rulings-section", "What the rulings do", "", (table,))


def open_points(experiment: Experiment, declared: Sequence[str]) -> list[OpenPoint]:
    """The rulings that a contest reads, as set, with those that were varied."""
    base = WarlordRulings.parse(experiment.rulings.set)
    found = []
    for name in declared:
        info = WarlordRulings.info(name)
        setting = setting_text(getattr(base, name))
        if name in experiment.rulings.sweep:
            others = [setting_text(o) for o in (info.default, *info.alternatives) if o != getattr(base, name)]
            setting += f" (varied: {', '.join(others)})"
        found.append(OpenPoint(f"{name} ({info.ref})", setting, info.why))
    return found


def assumed_points(results: Mapping[str, Columns], profiles: Profiles) -> list[OpenPoint]:
    """The assumed numbers that a result reads."""
    keys = sorted({key.partition(" × ")[0] for key in results if " × " in key})
    return [OpenPoint(key, str(profiles.values[key]), f"assumed in {profiles.name}") for key in keys]


def declared_for(*contests: str) -> tuple[str, ...]:
    """The rulings that some contests read, each once."""
    return tuple(dict.fromkeys(name for contest in contests for name in DECLARED[contest]))


def texts(experiment: Experiment, axis: str, default: Sequence[str]) -> list[str]:
    """The values of an axis."""
    given = experiment.sweep.get(axis, list(default))
    return [given] if isinstance(given, str) else [str(value) for value in given]
