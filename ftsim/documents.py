"""YAML documents read into models: every fault at once, each with file, line, key and what is accepted."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError

from ftsim.errors import InputError, _suggestion


class Model(BaseModel):
    """Base of all documents: frozen, and no key goes unnoticed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def whole(value: object) -> object:
    """Refuse truth values and texts where a whole number belongs."""
    if isinstance(value, (bool, str)):
        raise ValueError("should be a whole number")
    return value


def _weight(value: object) -> object:
    if isinstance(value, bool | str):
        raise ValueError("should be a number")
    return value


WholeNumber = Annotated[int, BeforeValidator(whole)]
#: A number that is not negative, and of which many can be added.
Weight = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False), BeforeValidator(_weight)]

M = TypeVar("M", bound=Model)
Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Document:
    """A YAML file and where each of its keys stands.

    Parameters
    ----------
    path : Path
        The file.
    data : object
        Its contents as plain lists, dicts and scalars.
    """

    path: Path
    data: Any
    _marked: Any

    def line(self, location: Sequence[str | int]) -> int:
        """Line of a key or list item, counted from 1; of the nearest one above it if it is not there."""
        node, line = self._marked, 1
        for step in location:
            marks = getattr(node, "lc", None)
            try:
                where = marks.key(step) if isinstance(node, dict) else marks.item(step)  # type: ignore[union-attr]
                line = where[0] + 1
                node = node[step]
            except (KeyError, IndexError, TypeError, AttributeError):
                break
        return line

    def error(self, location: Sequence[str | int], message: str) -> str:
        """A message with file, line and key."""
        key = ".".join(str(step) for step in location)
        return f"{self.path.name}, line {self.line(location)}: {key + ': ' if key else ''}{message}"


def read_document(path: Path) -> Document:
    """Read a YAML 1.2 file.

    Raises
    ------
    InputError
        If it cannot be read, is not YAML, repeats a key, or is no mapping.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8 text"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ReusedAnchorWarning)
            marked = YAML(typ="rt", pure=True).load(text)
            data = YAML(typ="safe", pure=True).load(text)
    except DuplicateKeyError as problem:
        mark = problem.problem_mark
        key = str(problem.problem).split('"')[1] if '"' in str(problem.problem) else "a key"
        raise InputError(f"{path.name}, line {mark.line + 1}: {key} is given twice") from None
    except MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = mark.line + 1 if mark else 1
        raise InputError(f"{path.name}, line {line}: not valid YAML: {problem.problem}") from None
    except RecursionError:
        raise InputError(f"{path.name}, line 1: not valid YAML: it is nested too deep") from None
    except ReusedAnchorWarning:
        raise InputError(f"{path.name}, line 1: not valid YAML: an anchor is used twice") from None
    # A value that YAML types but Python cannot hold, such as the 45th of a month.
    except (YAMLError, ValueError, IndexError, KeyError, TypeError, AttributeError) as problem:
        reason = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise InputError(f"{path.name}, line 1: not valid YAML: a value cannot be read: {reason}") from None
    if not isinstance(data, dict):
        raise InputError(f"{path.name}, line 1: expected keys and values, got {type(data).__name__}")
    return Document(path, data, marked)


def validate(model: type[M], document: Document) -> M:
    """Read a document into a model.

    Raises
    ------
    InputError
        With one line for every fault.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as problems:
        lines = [_message(model, document, problem) for problem in problems.errors()]
        raise InputError("\n".join(dict.fromkeys(lines))) from None


def _message(model: type[Model], document: Document, problem: Any) -> str:
    # Steps that name a branch of a union are no keys of the document.
    location = tuple(_real(document.data, problem["loc"]))
    if problem["type"] == "extra_forbidden":
        here = [*location[:-1], str(problem["loc"][-1])]
        accepted = sorted(_keys(_model_at(model, here[:-1])))
        return document.error(here, f"unknown key{_suggestion(str(here[-1]), accepted)}")
    if problem["type"] in ("model_type", "dict_type"):
        return document.error(location, f"expected keys and values, got {problem.get('input')!r}")
    if problem["type"] == "missing":
        key = str(problem["loc"][-1])
        return document.error(location, f"{key} is missing")
    message = problem["msg"].removeprefix("Value error, ")
    message = message[0].lower() + message[1:]
    given = problem.get("input")
    shown = f", got {given!r}" if isinstance(given, str | int | float | bool) else ""
    return document.error(location, message + ("" if "got " in message else shown))


def _real(data: Any, steps: Sequence[Any]) -> Iterator[str | int]:
    for step in steps:
        if (isinstance(data, dict) and step in data) or (
            isinstance(data, list) and isinstance(step, int) and step < len(data)
        ):
            yield step
            data = data[step]


def _model_at(model: type[Model], location: Sequence[str | int]) -> type[Model]:
    """The model that describes the part of a document at a location."""
    for step in location:
        if isinstance(step, int):
            continue
        info = next((f for name, f in model.model_fields.items() if step in (name, f.alias)), None)
        inner = next(_models(info.annotation), None) if info is not None else None
        if inner is None:
            return model
        model = inner
    return model


def _keys(model: type[Model]) -> set[str]:
    return {info.alias or name for name, info in model.model_fields.items()}


def _models(annotation: Any) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _models(part)
