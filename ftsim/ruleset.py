"""What a game offers the engine: its names, contests, prices, rulings and notation.

The engine, the experiments and the command line know games only through this page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from ftsim.conditions import setting_text
from ftsim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from ftsim.documents import Document
    from ftsim.experiments.schema import Experiment
    from ftsim.experiments.study import Study


def ruling(default: Any, *alternatives: Any, ref: str, why: str) -> Any:
    """A field of a `Rulings` class: a point the rules leave open.

    Parameters
    ----------
    default : object
        What is assumed.
    *alternatives : object
        What else could be meant; swept by experiments.
    ref : str
        Where the question is raised.
    why : str
        The question and the reason for the default, in one or two sentences.
    """
    return field(default=default, metadata={"alternatives": alternatives, "ref": ref, "why": why})


@dataclass(frozen=True)
class RulingInfo:
    """A ruling as lists and reports show it."""

    name: str
    default: Any
    alternatives: tuple[Any, ...]
    ref: str
    why: str


@dataclass(frozen=True)
class Rulings:
    """Base of a game's rulings: every open point a named field with a default."""

    kind: ClassVar[str] = "ruling"

    def __post_init__(self) -> None:
        for info in self.catalog():
            value = getattr(self, info.name)
            if value not in (info.default, *info.alternatives) or isinstance(value, bool) != isinstance(
                info.default, bool
            ):
                accepted = ", ".join(setting_text(option) for option in (info.default, *info.alternatives))
                raise InputError(f"Ruling {info.name}: {value!r} is not an option; accepted: {accepted}")

    @classmethod
    def catalog(cls) -> tuple[RulingInfo, ...]:
        """Every ruling with its default, alternatives and reason."""
        return _catalog(cls)  # type: ignore[arg-type]  # a class is hashable

    @classmethod
    def info(cls, name: str) -> RulingInfo:
        """One ruling by name.

        Raises
        ------
        UnknownNameError
            If there is no such ruling.
        """
        known = {info.name: info for info in cls.catalog()}
        if name not in known:
            raise UnknownNameError("ruling", name, known)
        return known[name]

    @classmethod
    def parse(cls, settings: Mapping[str, Any]) -> Self:
        """Rulings with some fields set, from text or from values.

        Raises
        ------
        UnknownNameError, InputError
            For a ruling or an option that does not exist.
        """
        values: dict[str, Any] = {}
        for name, given in settings.items():
            info = cls.info(name)
            options = (info.default, *info.alternatives)
            written = {setting_text(option): option for option in options}
            text = setting_text(given)
            if text not in written:
                raise InputError(f"Ruling {name}: {text!r} is not an option; accepted: {', '.join(written)}")
            values[name] = written[text]
        return cls(**values)

    def only(self, names: Sequence[str]) -> Self:
        """These rulings with every field outside `names` back at its default."""
        outside = {i.name: i.default for i in self.catalog() if i.name not in names}
        return replace(self, **outside)

    def changed(self) -> dict[str, Any]:
        """The fields that differ from their defaults."""
        return {i.name: getattr(self, i.name) for i in self.catalog() if getattr(self, i.name) != i.default}

    def settings(self) -> dict[str, Any]:
        """All fields by name."""
        return {info.name: getattr(self, info.name) for info in self.catalog()}


@cache
def _catalog(rulings: type[Rulings]) -> tuple[RulingInfo, ...]:
    return tuple(
        RulingInfo(f.name, f.default, f.metadata["alternatives"], f.metadata["ref"], f.metadata["why"])
        for f in fields(rulings)
        if f.default is not MISSING
    )


@dataclass(frozen=True)
class Answer:
    """What a contest says about two sides, ready to print or to write as JSON.

    Parameters
    ----------
    sides : (str, str)
        Both sides in notation.
    exact : bool
        True when every combination of faces was counted.
    data : mapping
        The fixed ``--json`` form.
    rows : sequence of (str, str, str)
        Section, label and text for the terminal.
    notes : sequence of str
        What else the reader should know.
    """

    sides: tuple[str, str]
    exact: bool
    data: Mapping[str, Any]
    rows: Sequence[tuple[str, str, str]]
    notes: Sequence[str] = ()


class OddsFunction(Protocol):
    """Answers ``ftsim odds`` for one contest."""

    def __call__(
        self,
        a: str,
        b: str,
        situation: Mapping[str, str],
        rulings: Mapping[str, str],
        trials: int | None,
        seed: int,
    ) -> Answer:
        """Odds of `a` against `b`."""


@dataclass(frozen=True)
class Page:
    """What ``ftsim show`` prints about one thing.

    Parameters
    ----------
    title : str
        Name of the thing.
    facts : sequence of (str, str)
        Label and text.
    data : mapping
        The same for ``--json``.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Listing:
    """What ``ftsim list`` prints: a table."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Cost:
    """Price of a stand, hero or army and whether the rules allow it."""

    title: str
    points: float
    legal: bool
    reasons: Sequence[str]
    lines: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Replay:
    """One trial of a battle, told and drawn.

    Parameters
    ----------
    title : str
        Which trial of what.
    lines : sequence of str
        The event log, a line an event.
    svg : str
        Storyboard, a frame a turn; empty if the game draws none.
    data : mapping
        The same for ``--json``.
    """

    title: str
    lines: Sequence[str]
    svg: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Ruleset:
    """One game.

    Parameters
    ----------
    id, title : str
        Name on the command line, and for people.
    rulings : type
        The game's `Rulings`.
    odds : mapping of str to callable
        Contests that ``ftsim odds`` answers.
    studies : mapping of str to callable
        What experiments of each contest compute; called when one runs.
    show : callable
        Page about a name.
    listings : mapping of str to callable
        Tables that ``ftsim list`` prints.
    cost : callable
        Cost of a notation.
    army_cost : callable
        Cost and legality of an army file.
    experiment_problems : callable
        What is wrong with the game's part of an experiment, before anything runs.
    replay : callable, optional
        One trial of a battle of two sides, by options (rulings, ``seed``, ``policy`` …).
    files : mapping of str to callable
        The game's own kinds of file, known by a key that only they have: what ``ftsim check`` says of one.
    """

    id: str
    title: str
    rulings: type[Rulings]
    odds: Mapping[str, OddsFunction]
    studies: Mapping[str, Callable[[], Study]]
    show: Callable[[str], Page]
    listings: Mapping[str, Callable[[], Listing]]
    cost: Callable[[str, Mapping[str, str]], Cost]
    army_cost: Callable[[Path, Mapping[str, str]], Cost]
    experiment_problems: Callable[[Experiment], Sequence[tuple[tuple[str | int, ...], str]]]
    replay: Callable[[str, str, int, Mapping[str, str]], Replay] | None = None
    files: Mapping[str, Callable[[Document], str]] = field(default_factory=dict)
