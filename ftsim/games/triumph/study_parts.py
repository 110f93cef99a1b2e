"""Columns, open points and small words that the studies share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ftsim.experiments.schema import Experiment
from ftsim.findings import Column, OpenPoint
from ftsim.games.triumph.price_study import DEFAULT
from ftsim.games.triumph.rules import assumed_rows
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings

CARD = Column("card", "Card")
PRINTED = Column("printed", "Printed", "points", "printed")
FACTORS = Column("factors", "Worth in factors", "number", "factors")
IMPLIED = Column("implied", "Implied points", "number", "implied")
LINE = Column("line", "Line interval", "interval", "line interval")
HULL = Column("hull", "All scenarios", "interval", "hull")
VERDICT = Column("verdict", "Verdict", "verdict", "verdict")


def axis(
    experiment: Experiment, name: str, every: Sequence[str], usual: Sequence[str] | None = None
) -> tuple[str, ...]:
    """What an experiment sweeps: as named, ``every`` for the word all, and the usual ones when it says nothing."""
    given = experiment.sweep.get(name)
    if given is None:
        return tuple(every if usual is None else usual)
    if given == "all":
        return tuple(every)
    return (given,) if isinstance(given, str) else tuple(str(value) for value in given)


def topography_of(experiment: Experiment) -> str | None:
    """Where an experiment fights; None for an open board."""
    topography = str(experiment.options.get("topography", "open"))
    return None if topography == "open" else topography


def distinct(points: Sequence[OpenPoint]) -> list[OpenPoint]:
    """Open points by name, each once."""
    return list({point.name: point for point in points}.values())


def short(text: str) -> str:
    """A card without its options."""
    return text.partition(":")[0]


def open_points(contest: str, rulings: Mapping[str, TriumphRulings]) -> list[OpenPoint]:
    """The rulings that a contest reads, as set, with those that were varied."""
    varied = {label.partition("=")[0] for label in rulings if label != DEFAULT}
    base = rulings[DEFAULT]
    points = []
    for name in DECLARED[contest]:
        info = TriumphRulings.info(name)
        setting = str(getattr(base, name))
        if name in varied:
            others = [str(o) for o in (info.default, *info.alternatives) if o != getattr(base, name)]
            setting += f" (varied: {', '.join(others)})"
        points.append(OpenPoint(f"{name} ({info.ref})", setting, info.why))
    return points


def assumed_points(contest: str, rulings: TriumphRulings) -> list[OpenPoint]:
    """The rows in force for a contest that are assumptions."""
    return [
        OpenPoint(row.name, row.source.text, "assumed row of the combat tables")
        for row in assumed_rows(contest, rulings)
    ]


def open_in_battle(rulings: Mapping[str, TriumphRulings]) -> list[OpenPoint]:
    """The rulings that a battle reads: those of every contest, each once."""
    return distinct([point for contest in DECLARED for point in open_points(contest, rulings)])


def assumed_in_battle(rulings: TriumphRulings) -> list[OpenPoint]:
    """The rows in force in a battle that are assumptions."""
    return distinct([point for contest in ("close-combat", "ranged") for point in assumed_points(contest, rulings)])
