"""What the studies of this game share: settings from an experiment, columns, open points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ftsim.errors import InputError
from ftsim.experiments.schema import Experiment
from ftsim.findings import Column, OpenPoint, Table
from ftsim.games.ffc.policies import Policy, parameters
from ftsim.games.ffc.rulings import DECLARED, FfcRulings

#: Raise when equal input gives other counts.
ENGINE_VERSION = 3
DEFAULT = "default"
#: Trials of a cell.
BLOCK = 20_000
#: Options of battle experiments and what they are without being set.
OPTIONS: Mapping[str, Any] = {"policy": ["simple", "greedy"], "withheld": 10, "crowd": ["Ogre", "Bugbear"]}

WORTH = Column("worth", "Worth, points of win chance", "number", "worth", 1)
INTERVAL = Column("interval", "95 %", "interval", "interval", 1)


def options(experiment: Experiment) -> dict[str, Any]:
    """The experiment's options with their defaults; policy parameters come under ``changes``."""
    given = dict(experiment.options)
    names = given.pop("policy", OPTIONS["policy"])
    withheld = given.pop("withheld", OPTIONS["withheld"])
    crowd = given.pop("crowd", OPTIONS["crowd"])
    for key in given:
        if key not in parameters() or key == "kind":
            accepted = ", ".join([*OPTIONS, *(k for k in parameters() if k != "kind")])
            raise InputError(f"unknown option {key!r}; accepted: {accepted}")
    changes = {}
    for key, value in given.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"option {key}: {value!r} is not a whole number")
        changes[key] = value
    names = [names] if isinstance(names, str) else list(names)
    policies = [Policy(str(name), changes) for name in names]
    if not isinstance(withheld, int) or isinstance(withheld, bool):
        raise InputError(f"option withheld: {withheld!r} is not a whole number of per cent")
    crowds = [crowd] if isinstance(crowd, str) else [str(name) for name in crowd]
    return {"policies": policies, "withheld": withheld, "crowd": crowds}


def base_rulings(experiment: Experiment) -> FfcRulings:
    """The rulings an experiment sets."""
    return FfcRulings.parse(experiment.rulings.set)


def ruling_scenarios(experiment: Experiment) -> dict[str, FfcRulings]:
    """The rulings set, and each alternative of those varied, one at a time."""
    base = base_rulings(experiment)
    found = {DEFAULT: base}
    for name in experiment.rulings.sweep:
        info = FfcRulings.info(name)
        for value in (info.default, *info.alternatives):
            if value != getattr(base, name):
                found[f"{name}={value}"] = FfcRulings(**{**base.settings(), name: value})
    return found


def open_points(contest: str, experiment: Experiment) -> list[OpenPoint]:
    """The rulings that a contest reads, as set, with those that were varied."""
    base = base_rulings(experiment)
    points = []
    for name in DECLARED[contest]:
        info = FfcRulings.info(name)
        setting = str(getattr(base, name))
        if name in experiment.rulings.sweep:
            others = [str(o) for o in (info.default, *info.alternatives) if o != getattr(base, name)]
            setting += f" (varied: {', '.join(others)})"
        points.append(OpenPoint(f"{name} ({info.ref})", setting, info.why))
    return points


def assumed_points() -> list[OpenPoint]:
    """Assumed numbers that battles rest on: the parameters of the policies."""
    from ftsim.catalog import read_table
    from ftsim.games.ffc.cards import PACKAGE
    from ftsim.games.ffc.policies import NAMES

    rows = read_table(PACKAGE, "policies.csv", ("parameter", "meaning", *NAMES, "source", "basis"))
    return [
        OpenPoint(row["parameter"], ", ".join(f"{name} {row[name]}" for name in NAMES), row["meaning"])
        for row in rows
        if row["basis"] == "assumed"
    ]


def as_file(table: Table) -> Table:
    """A table as it is published: both ends of an interval in columns of their own."""
    columns: list[Column] = []
    for column in table.columns:
        if column.kind != "interval":
            columns.append(column)
            continue
        columns += [
            Column(f"{column.key}_{end}", f"{column.title} {end}", "number", column.term, column.digits)
            for end in ("low", "high")
        ]
    rows = []
    for row in table.rows:
        flat: dict[str, Any] = dict(row)
        for column in table.columns:
            if column.kind == "interval":
                low, high = row.get(column.key) or (None, None)
                flat |= {f"{column.key}_low": low, f"{column.key}_high": high}
        rows.append(flat)
    return Table(table.id, table.title, tuple(columns), rows)
