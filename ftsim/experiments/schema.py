"""The form of an experiment file, and how one is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator

from ftsim.documents import Document, Model, Weight, read_document, validate, whole
from ftsim.errors import InputError, UnknownNameError
from ftsim.ruleset import Ruleset

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Setting = str | bool | int | float


class RulingsSpec(Model):
    """Which rulings an experiment sets, and which it varies one at a time."""

    set: dict[str, Setting] = {}
    sweep: list[str] = []


class Precision(Model):
    """How exactly a sampled experiment is to answer, in points."""

    half_width: Annotated[float, Field(gt=0)]
    max_trials: Annotated[int, Field(ge=4, le=10**12), BeforeValidator(whole)] = 1_000_000


class ReportSpec(Model):
    """How the report is headed."""

    title: str = ""


class Experiment(Model):
    """A question about a game and how it is answered.

    Parameters
    ----------
    schema_version : 1
        Form of this file.
    name : str
        Lower-case words joined by hyphens; names the results folder.
    question : str
        What is asked.
    game, contest : str
        Which game, and which of its contests; ``all`` joins the experiments under `include`.
    seed : int
        Seed of all dice.
    trials : int, optional
        Rolls of each matchup; without it answers are exact.
    replicates : int
        Independent repetitions of a sampled experiment.
    sweep : mapping
        Axes of the contest; each a list, or a word that the game knows.
    field : str or mapping
        Opponents and how often each is met.
    situations : mapping, optional
        Situations and their weights.
    loss_weights : str
        Which set of weights says how much of a loss a retreat is.
    options : mapping
        What else the contest of a game takes, such as policies; the game checks it.
    precision : Precision, optional
        How exactly a battle experiment answers; instead of `trials`.
    rulings : RulingsSpec
        Open points.
    price : list of str
        Price models.
    include : list of str
        Experiments joined by contest ``all``.
    report : ReportSpec
        Heading of the report.
    """

    schema_version: Annotated[Literal[1], BeforeValidator(whole)]
    name: Slug
    question: Annotated[str, Field(min_length=1)]
    game: str
    contest: str
    seed: Annotated[int, Field(ge=0, lt=2**63), BeforeValidator(whole)] = 1
    trials: Annotated[int, Field(ge=1, le=10**12), BeforeValidator(whole)] | None = None
    replicates: Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)] = 1
    sweep: dict[str, list[Setting] | str] = {}
    field: str | dict[str, Weight] = "published"
    situations: dict[str, Weight] | None = None
    loss_weights: str = "usual"
    options: dict[str, Setting | list[Setting]] = {}
    precision: Precision | None = None
    rulings: RulingsSpec = RulingsSpec()
    price: list[Literal["price-line", "equal-points", "battle-regression"]] = []
    include: list[Slug] = []
    report: ReportSpec = ReportSpec()

    @field_validator("sweep")
    @classmethod
    def _no_empty_axis(cls, sweep: dict[str, Any]) -> dict[str, Any]:
        for axis, values in sweep.items():
            if isinstance(values, list) and not values:
                raise ValueError(f"the axis {axis} is empty: give at least one value or leave the axis out")
            if isinstance(values, list) and len({str(v) for v in values}) < len(values):
                raise ValueError(f"the axis {axis} has a value twice")
        return sweep

    @property
    def title(self) -> str:
        """Heading of the report."""
        return self.report.title or self.name.replace("-", " ").capitalize()


def read_experiment(path: Path, rulesets: Mapping[str, Ruleset]) -> Experiment:
    """An experiment from a file, checked by its game as well.

    Parameters
    ----------
    path : Path
        The file.
    rulesets : mapping of str to Ruleset
        The games there are.

    Raises
    ------
    InputError
        With one line for every fault.
    """
    return check_experiment(read_document(path), rulesets)


def check_experiment(document: Document, rulesets: Mapping[str, Ruleset]) -> Experiment:
    """An experiment from a document; see `read_experiment`."""
    experiment = validate(Experiment, document)
    if experiment.game not in rulesets:
        problem = UnknownNameError("game", experiment.game, rulesets)
        raise InputError(document.error(("game",), str(problem)))
    ruleset = rulesets[experiment.game]
    if experiment.contest not in ruleset.studies:
        problem = UnknownNameError("contest", experiment.contest, ruleset.studies)
        raise InputError(document.error(("contest",), str(problem)))
    problems = ruleset.experiment_problems(experiment)
    if problems:
        raise InputError("\n".join(document.error(where, message) for where, message in problems))
    return experiment


def json_schema() -> str:
    """The form as JSON Schema, for editors."""
    return json.dumps(Experiment.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


def shipped() -> dict[str, Path]:
    """Experiments that come with ftsim, by name."""
    package = Path(str(files("ftsim")))
    # A checkout has them beside the package, an installed wheel inside it.
    folder = package / "shipped" if (package / "shipped").is_dir() else package.parent / "experiments"
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def find_experiment(text: str) -> Path:
    """The file meant by a path or by the name of a shipped experiment.

    Raises
    ------
    InputError
        If there is neither.
    """
    path = Path(text)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        if not path.is_file():
            raise InputError(f"{path}: there is no such file")
        return path
    known = shipped()
    if text not in known:
        raise UnknownNameError("experiment", text, known)
    return known[text]


def included(experiment: Experiment) -> list[Experiment]:
    """The shipped experiments that an experiment of contest ``all`` joins.

    Raises
    ------
    UnknownNameError
        If one of them does not exist.
    """
    known = shipped()
    found = []
    for name in experiment.include:
        if name not in known:
            raise UnknownNameError("experiment", name, known)
        found.append(validate(Experiment, read_document(known[name])))
    return found
