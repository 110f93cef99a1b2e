"""What can be wrong with the game's part of an experiment file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from ftsim.errors import FtsimError, InputError, UnknownNameError
from ftsim.experiments.schema import Experiment
from ftsim.games.warlord.demolition import structures
from ftsim.games.warlord.fire import POLICIES
from ftsim.games.warlord.fire_study import KINDS
from ftsim.games.warlord.profile_file import read_profiles
from ftsim.games.warlord.rulings import DECLARED, WarlordRulings
from ftsim.games.warlord.study_parts import declared_for
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit

Problem = tuple[tuple[str | int, ...], str]


def _one_of(kind: str, accepted: tuple[str, ...]) -> Callable[[str], None]:
    def check(text: str) -> None:
        if text not in accepted:
            raise UnknownNameError(kind, text, accepted)

    return check


def _figures(text: str) -> None:
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise InputError(f"{text!r} cannot be used; accepted: 1 to 100 figures")


def _width(text: str) -> None:
    try:
        known = 0 < Fraction(text) <= 1000
    except (ValueError, ZeroDivisionError):
        known = False
    if not known:
        raise InputError(f"{text!r} cannot be used; accepted: cm above 0, at most 1000")


def _profiles(text: str) -> None:
    read_profiles(Path(text))


def _covered(text: str) -> None:
    terrain = terrains().find(text)
    if terrain.impassable or terrain.shape == "passage":
        raise InputError(f"There is no fight in {terrain.name.lower()}")


Checks = dict[str, Callable[[str], Any]]
#: Axes and options of each contest, with what checks a value.
AXES: dict[str, Checks] = {
    "terrain": {"unit": Unit.parse, "terrain": terrains().find},
    "fire": {
        "part": structures().find,
        "fire": _one_of("kind of fire", KINDS),
        "policy": _one_of("policy", POLICIES),
        "figures": _figures,
    },
    "cover": {"attacker": Unit.parse, "terrain": _covered},
    "points": {"unit": Unit.parse, "reference": Unit.parse},
}
OPTIONS: dict[str, Checks] = {
    "terrain": {"profiles": _profiles, "width": _width},
    "fire": {"profiles": _profiles, "unit": Unit.parse},
    "cover": {"profiles": _profiles, "defender": Unit.parse, "shooters": Unit.parse},
    "points": {"profiles": _profiles},
}
READS = {
    "terrain": DECLARED["march"],
    "fire": DECLARED["fire"],
    "cover": declared_for("fight", "missile"),
    "points": DECLARED["fight"],
}


def experiment_problems(experiment: Experiment) -> list[Problem]:
    """What is wrong with the game's part of an experiment, with the key it concerns."""
    contest, found = experiment.contest, list(_ruling_problems(experiment))
    for axis, values in experiment.sweep.items():
        if axis not in AXES[contest]:
            found.append((("sweep", axis), f"{contest} has no axis {axis!r}; accepted: {', '.join(AXES[contest])}"))
            continue
        listed = [values] if isinstance(values, str) else values
        found += _attempts(AXES[contest][axis], [(("sweep", axis, k), str(v)) for k, v in enumerate(listed)])
    for option, value in experiment.options.items():
        if option not in OPTIONS[contest]:
            message = f"{contest} has no option {option!r}; accepted: {', '.join(OPTIONS[contest])}"
            found.append((("options", option), message))
            continue
        found += _attempts(OPTIONS[contest][option], [(("options", option), str(value))])
    if contest == "cover" and "terrain" in experiment.sweep and "clear" not in map(str, experiment.sweep["terrain"]):
        found.append((("sweep", "terrain"), "clear is needed: other places are compared with it"))
    if experiment.price:
        found.append((("price",), "experiments of this game have their own prices; leave price out"))
    for key in ("situations", "precision", "include"):
        if getattr(experiment, key):
            found.append(((key,), f"experiments of this game have no {key}"))
    if contest == "points" and experiment.trials is not None:
        found.append((("trials",), "points are compared exactly; leave trials out"))
    return found


def _attempts(check: Callable[[str], Any], values: list[tuple[tuple[str | int, ...], str]]) -> Iterator[Problem]:
    for where, text in values:
        try:
            check(text)
        except FtsimError as problem:
            yield where, str(problem)


def _ruling_problems(experiment: Experiment) -> Iterator[Problem]:
    reads = READS[experiment.contest]
    for name, value in experiment.rulings.set.items():
        try:
            WarlordRulings.parse({name: value})
        except FtsimError as problem:
            yield ("rulings", "set", name), str(problem)
            continue
        if name not in reads:
            yield (
                ("rulings", "set", name),
                f"{experiment.contest} does not depend on {name!r}; accepted: {', '.join(reads)}",
            )
    for k, name in enumerate(experiment.rulings.sweep):
        try:
            WarlordRulings.info(name)
        except FtsimError as problem:
            yield ("rulings", "sweep", k), str(problem)
            continue
        if name not in reads:
            yield (
                ("rulings", "sweep", k),
                f"{experiment.contest} does not depend on {name!r}; accepted: {', '.join(reads)}",
            )
