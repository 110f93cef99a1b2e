"""Findings: what an experiment says, as tables, charts and sentences that any report can draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ftsim.errors import InputError

Kind = Literal["text", "number", "points", "percent", "interval", "verdict"]


@dataclass(frozen=True)
class Term:
    """A word of the report: one definition, and a worked example in numbers."""

    name: str
    definition: str
    example: str


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    key, title : str
        Name in rows and files, and heading.
    kind : str
        How cells are written; an interval is a pair.
    term : str, optional
        The term that defines it; every column of numbers has one.
    digits : int
        Decimals.
    interval : str, optional
        Key of the interval that decides how many decimals a sampled number deserves.
    """

    key: str
    title: str
    kind: Kind = "text"
    term: str | None = None
    digits: int = 2
    interval: str | None = None


@dataclass(frozen=True)
class Table:
    """A table with what a reader needs to use it.

    Parameters
    ----------
    id, title : str
        Anchor and heading.
    columns : sequence of Column
        In order.
    rows : sequence of mapping
        Cells by column key; None is shown as a dash.
    note : str
        What it shows, above it.
    links : mapping of str to str
        Pages that cells of the first column lead to, by their text.
    """

    id: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    note: str = ""
    links: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Interval:
    """One line of a dot-and-interval chart."""

    label: str
    value: float
    low: float
    high: float
    wide_low: float
    wide_high: float
    printed: float | None = None


@dataclass(frozen=True)
class IntervalChart:
    """Dots with a thick interval, a thin one around it, and the printed value as a mark."""

    id: str
    title: str
    axis: str
    lines: Sequence[Interval]
    note: str = ""


@dataclass(frozen=True)
class HeatMap:
    """Numbers as colours: rows by columns; nan is left empty."""

    id: str
    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]
    scale: str
    centre: float | None = None
    digits: int = 2
    note: str = ""


@dataclass(frozen=True)
class Lines:
    """Curves over a common axis."""

    id: str
    title: str
    axis: str
    scale: str
    x: Sequence[float]
    curves: Mapping[str, Sequence[float]]
    note: str = ""


@dataclass(frozen=True)
class Drawing:
    """A picture that the game draws itself, as SVG; coloured with ``currentColor``.

    Parameters
    ----------
    svg : str
        One ``<svg>`` element; its texts are escaped by whoever made it.
    description : str
        What it shows, for those who cannot see it.
    """

    id: str
    title: str
    svg: str
    description: str
    note: str = ""


Part = Table | IntervalChart | HeatMap | Lines | Drawing


@dataclass(frozen=True)
class Section:
    """A heading with the tables and charts under it; sections of one group stand together."""

    id: str
    title: str
    text: str
    parts: Sequence[Part]
    group: str = ""


@dataclass(frozen=True)
class OpenPoint:
    """A ruling or an assumed number that the results rest on."""

    name: str
    setting: str
    why: str


@dataclass(frozen=True)
class Findings:
    """All that a report shows of one experiment.

    Parameters
    ----------
    answer : str
        The answer in one sentence.
    because : sequence of str
        What the reader must know to use it, a sentence each.
    sections : sequence of Section
        What was found.
    missing : sequence of (str, str)
        What was not modelled, and what it needs.
    rulings, assumed : sequence of OpenPoint
        Rulings used, and rows of tables that are assumptions.
    method : sequence of str
        How it was done, a paragraph each.
    terms : sequence of Term
        Definitions of all columns of numbers.
    files : mapping of str to Table
        Tables published as CSV, by file name.
    checks : mapping of str to bool
        Identities that must hold; a false one stops the report.
    pages : mapping of str to Leaf
        Pages beside the report, by file name.
    """

    answer: str
    sections: Sequence[Section]
    because: Sequence[str] = ()
    missing: Sequence[tuple[str, str]] = ()
    rulings: Sequence[OpenPoint] = ()
    assumed: Sequence[OpenPoint] = ()
    method: Sequence[str] = ()
    terms: Sequence[Term] = ()
    files: Mapping[str, Table] = field(default_factory=dict)
    checks: Mapping[str, bool] = field(default_factory=dict)
    pages: Mapping[str, Leaf] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = {term.name for term in self.terms}
        for section in self.sections:
            for part in section.parts:
                if not isinstance(part, Table):
                    continue
                for column in part.columns:
                    if column.kind != "text" and column.term not in known:
                        raise InputError(f"Table {part.id}: column {column.title} has no definition")


@dataclass(frozen=True)
class Leaf:
    """A page beside a report, on one thing in it.

    Parameters
    ----------
    title : str
        Its heading.
    question : str
        What it answers.
    findings : Findings
        What it shows.
    """

    title: str
    question: str
    findings: Findings
