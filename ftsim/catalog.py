"""Catalogs: tables in files become frozen things with a source, found again by any of their names."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import Generic, Protocol, TypeVar

from ftsim.errors import InputError, UnknownNameError

BASES = ("printed", "example", "measured", "inferred", "assumed")


@dataclass(frozen=True)
class Source:
    """Where a row comes from and what kind of knowledge that is.

    Parameters
    ----------
    text : str
        Rule section or publication.
    basis : {"printed", "example", "measured", "inferred", "assumed"}
        How well it is known.
    """

    text: str
    basis: str

    def __post_init__(self) -> None:
        if self.basis not in BASES:
            raise InputError(f"Unknown basis {self.basis!r}; accepted: {', '.join(BASES)}")


@dataclass(frozen=True)
class Row(Mapping[str, str]):
    """A row of a table that knows its file and line, for messages."""

    table: str
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def source(self) -> Source:
        """The row's ``source`` and ``basis`` columns."""
        if not self["source"]:
            raise self.error("source", "a rule section or publication")
        if self["basis"] not in BASES:
            raise self.error("basis", ", ".join(BASES))
        return Source(self["source"], self["basis"])

    def error(self, column: str, accepted: str) -> InputError:
        """The error for a cell that cannot be used."""
        return InputError(
            f"{self.table}, line {self.line}: {column} {self.cells.get(column, '')!r} cannot be used; "
            f"accepted: {accepted}"
        )

    def integer(self, column: str) -> int:
        """A whole number."""
        try:
            return int(self[column])
        except ValueError:
            raise self.error(column, "a whole number") from None

    def flag(self, column: str) -> bool:
        """``yes`` or ``no``."""
        if self[column] not in ("yes", "no"):
            raise self.error(column, "yes or no")
        return self[column] == "yes"

    def points(self, column: str) -> Fraction:
        """A price, which must lie on the ½-point grid."""
        return half_points(self[column], f"{self.table}, line {self.line}: {column}")


def half_points(text: str | float | Fraction, where: str) -> Fraction:
    """A price as a fraction; only multiples of ½ are prices."""
    try:
        value = Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{where}: {text!r} is not a price; accepted: a multiple of ½") from None
    if (value * 2).denominator != 1:
        raise InputError(f"{where}: {text} is not a multiple of ½")
    return value


def read_table(package: str, name: str, columns: Iterable[str]) -> tuple[Row, ...]:
    """Rows of a CSV file shipped in `package`; lines that start with ``#`` are comments.

    Raises
    ------
    InputError
        If the header differs from `columns` or a row has too many or too few cells.
    """
    text = files(package).joinpath("data").joinpath(name).read_text(encoding="utf-8")
    return parse_table(name, text, columns)


def parse_table(name: str, text: str, columns: Iterable[str]) -> tuple[Row, ...]:
    """Rows of a CSV text; see `read_table`."""
    wanted = list(columns)
    reader = csv.reader(text.splitlines())
    header: list[str] | None = None
    rows: list[Row] = []
    for cells in reader:
        if not cells or cells[0].startswith("#"):
            continue
        if header is None:
            header = cells
            if header != wanted:
                raise InputError(f"{name}, line {reader.line_num}: columns must be {','.join(wanted)}")
            continue
        if len(cells) != len(wanted):
            raise InputError(f"{name}, line {reader.line_num}: {len(cells)} cells where {len(wanted)} belong")
        rows.append(Row(name, reader.line_num, dict(zip(wanted, (c.strip() for c in cells), strict=True))))
    if header is None:
        raise InputError(f"{name}, line 1: columns must be {','.join(wanted)}")
    return tuple(rows)


class Named(Protocol):
    """Something with an identifier, a name and other spellings."""

    @property
    def id(self) -> str:
        """Identifier, lower case with underscores."""

    @property
    def name(self) -> str:
        """Name as the rulebook prints it."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Old names, codes, abbreviations."""


T = TypeVar("T", bound=Named)


class Catalog(Generic[T], Mapping[str, T]):
    """Things of one kind by identifier, with look-up by any spelling.

    Parameters
    ----------
    kind : str
        What they are, for messages.
    things : iterable
        The things, in the order of their table.

    Raises
    ------
    InputError
        If two things share a spelling.
    """

    def __init__(self, kind: str, things: Iterable[T]) -> None:
        self.kind = kind
        self._things: dict[str, T] = {}
        self._spellings: dict[str, str] = {}
        self._names: list[str] = []
        for thing in things:
            if thing.id in self._things:
                raise InputError(f"{kind} {thing.id!r} is there twice")
            self._things[thing.id] = thing
            self._names.append(thing.name)
            for spelling in (thing.id, thing.name, *thing.aliases):
                owner = self._spellings.setdefault(_fold(spelling), thing.id)
                if owner != thing.id:
                    raise InputError(f"{kind} {spelling!r} means both {owner} and {thing.id}")

    def __getitem__(self, identifier: str) -> T:
        return self._things[identifier]

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def find(self, text: str) -> T:
        """The thing with this name, old name, code or plural.

        Raises
        ------
        UnknownNameError
            If nothing has it; the message suggests what does.
        """
        folded = _fold(text)
        for spelling in (folded, folded + "s", folded.removesuffix("s")):
            if spelling in self._spellings:
                return self._things[self._spellings[spelling]]
        raise UnknownNameError(self.kind, text, self._names)


def _fold(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
