"""Rows of conditions: a rule is a row that says who it is for, against whom, when, and what it gives.

A condition is written as in the tables: terms apart, all of which must hold; ``!x`` must not
hold; ``a|b|c`` needs one of them. Names become bits of a 64-bit integer, so that rows run over
whole grids of matchups at once.

Examples
--------
>>> condition = Condition.parse("close_order foot !flying knights|chariots")
>>> condition.holds({"close_order", "foot", "knights"})
True
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ftsim._typing import BoolArray, FloatArray, IntArray
from ftsim.catalog import Source
from ftsim.errors import InputError, UnknownNameError

Bits: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Condition:
    """What must and must not hold.

    Parameters
    ----------
    every : frozenset of str
        All of these must hold.
    none : frozenset of str
        None of these may hold.
    groups : tuple of frozenset of str
        At least one of each group must hold.
    """

    every: frozenset[str] = frozenset()
    none: frozenset[str] = frozenset()
    groups: tuple[frozenset[str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read a condition in the notation of the tables; an empty one always holds."""
        every, none, groups = set(), set(), []
        for term in text.split():
            names = term.removeprefix("!").split("|")
            if "" in names or "!" in "".join(names) or (term.startswith("!") and len(names) > 1):
                raise InputError(f"Condition {text!r}: {term!r} is none of x, !x, x|y")
            if "|" in term:
                groups.append(frozenset(term.split("|")))
            elif term.startswith("!"):
                none.add(term[1:])
            else:
                every.add(term)
        return cls(frozenset(every), frozenset(none), tuple(groups))

    @property
    def names(self) -> frozenset[str]:
        """Every name the condition mentions."""
        return self.every.union(self.none, *self.groups)

    def holds(self, names: Collection[str]) -> bool:
        """Whether the condition holds for something with these names."""
        have = set(names)
        return self.every <= have and not self.none & have and all(group & have for group in self.groups)

    def __str__(self) -> str:
        parts = [*sorted(self.every), *("|".join(sorted(group)) for group in self.groups)]
        return " ".join([*parts, *(f"!{name}" for name in sorted(self.none))])


class Vocabulary:
    """Names as bits of an int64, in a fixed order.

    Parameters
    ----------
    kind : str
        What the names are, for messages.
    names : sequence of str
        At most 63 of them; bit k is the k-th.

    Raises
    ------
    InputError
        If there are more than 63 names or one appears twice.
    """

    def __init__(self, kind: str, names: Sequence[str]) -> None:
        if len(set(names)) != len(names):
            raise InputError(f"A {kind} is named twice")
        if len(names) > 63:
            raise InputError(f"{len(names)} {kind}s do not fit into the 63 bits there are")
        self.kind = kind
        self._bit = {name: 1 << k for k, name in enumerate(names)}

    def __iter__(self) -> Iterator[str]:
        return iter(self._bit)

    def __contains__(self, name: object) -> bool:
        return name in self._bit

    def bits(self, names: Iterable[str]) -> int:
        """The bits of some names together."""
        total = 0
        for name in names:
            if name not in self._bit:
                raise UnknownNameError(self.kind, name, self._bit)
            total |= self._bit[name]
        return total

    def array(self, sets: Iterable[Iterable[str]]) -> Bits:
        """The bits of several sets of names, shape ``(n,)``."""
        return np.array([self.bits(names) for names in sets], dtype=np.int64)


@dataclass(frozen=True)
class RuleRow:
    """One row of a table of rules.

    Parameters
    ----------
    name : str
        What the row is called in reports.
    own, enemy, situation : Condition
        What the stand has, what its enemy has, and where they meet.
    value : int
        A factor, or the code of a result.
    source : Source
        Where the row comes from.
    """

    name: str
    own: Condition
    enemy: Condition
    situation: Condition
    value: int
    source: Source


@dataclass(frozen=True, eq=False)
class RuleTable:
    """Rows compiled to bits, ready to run over grids.

    Parameters
    ----------
    rows : tuple of RuleRow
        The rows in force, in the order of their table.
    traits, situations : Vocabulary
        Bits of stands and of situations.
    """

    rows: tuple[RuleRow, ...]
    traits: Vocabulary
    situations: Vocabulary

    def __post_init__(self) -> None:
        masks = [
            (
                _masks(row.own, self.traits),
                _masks(row.enemy, self.traits),
                _masks(row.situation, self.situations),
            )
            for row in self.rows
        ]
        object.__setattr__(self, "_masks", masks)

    def hits(self, own: Bits, enemy: Bits, situation: Bits) -> Iterator[tuple[BoolArray, BoolArray]]:
        """For each row, the stands ``(n,)`` and the enemies ``(m,)`` it fits; it applies where both do.

        Parameters
        ----------
        own : array of int64, shape (n,)
            Bits of each stand.
        enemy : array of int64, shape (m,)
            Bits of each enemy.
        situation : array of int64, shape (n,) or ()
            Situation of each stand.
        """
        for own_mask, enemy_mask, situation_mask in self._compiled:
            yield _match(own, own_mask) & _match(situation, situation_mask), _match(enemy, enemy_mask)

    def total(
        self,
        own: Bits,
        enemy: Bits,
        situation: Bits,
        base: tuple[FloatArray, FloatArray] | None = None,
    ) -> IntArray:
        """Sum of the values of all rows that apply, int16 of shape ``(n, m)``.

        Parameters
        ----------
        own, enemy, situation : array of int64
            As for `hits`.
        base : pair of array, shapes (n, k) and (k, m), optional
            Whole numbers whose matrix product is added.
        """
        ours = np.zeros((own.size, len(self.rows)), dtype=np.float32)
        theirs = np.zeros((len(self.rows), enemy.size), dtype=np.float32)
        for k, (row, (own_hit, enemy_hit)) in enumerate(
            zip(self.rows, self.hits(own, enemy, situation), strict=True)
        ):
            ours[:, k] = own_hit * row.value
            theirs[k] = enemy_hit
        if base is not None:
            ours = np.hstack([ours, base[0].astype(np.float32)])
            theirs = np.vstack([theirs, base[1].astype(np.float32)])
        # Small whole numbers are exact in float32, and the product is then one BLAS call.
        return (ours @ theirs).astype(np.int16)

    def first(self, own: Bits, enemy: Bits, situation: Bits) -> IntArray:
        """Value of the first row that applies, int8 of shape ``(n, m)``; arguments as for `hits`.

        Raises
        ------
        InputError
            If some matchup meets no row: a table of results ends with a row that always applies.
        """
        value = np.full((own.size, enemy.size), -1, dtype=np.int8)
        for row, (own_hit, enemy_hit) in zip(self.rows, self.hits(own, enemy, situation), strict=True):
            if own_hit.any() and enemy_hit.any():
                np.copyto(value, row.value, where=(value < 0) & np.logical_and.outer(own_hit, enemy_hit))
        if np.any(value < 0):
            raise InputError("A table of results must end with a row that always applies")
        return value

    def used(self, own: Bits, enemy: Bits, situation: Bits) -> list[RuleRow]:
        """The rows that apply to at least one matchup."""
        hits = self.hits(own, enemy, situation)
        return [row for row, (ours, theirs) in zip(self.rows, hits, strict=True) if ours.any() and theirs.any()]

    @property
    def _compiled(self) -> list[tuple[_Mask, _Mask, _Mask]]:
        return self.__dict__["_masks"]  # type: ignore[no-any-return]


_Mask: TypeAlias = tuple[int, int, tuple[int, ...]]


def _masks(condition: Condition, vocabulary: Vocabulary) -> _Mask:
    groups = tuple(vocabulary.bits(group) for group in condition.groups)
    return vocabulary.bits(condition.every), vocabulary.bits(condition.none), groups


def _match(bits: Bits, mask: _Mask) -> BoolArray:
    every, none, groups = mask
    hit = ((bits & every) == every) & ((bits & none) == 0)
    for group in groups:
        hit = hit & ((bits & group) != 0)
    return np.asarray(hit)


def holds_for(settings: Mapping[str, object], text: str) -> bool:
    """Whether a row with this ``when`` cell is in force under some rulings.

    The cell holds terms ``field=value`` or ``field!=value``, all of which must hold.
    """
    holds = True
    for term in text.split():
        field, equals, wanted = term.partition("=")
        if not equals:
            raise InputError(f"{term!r} needs a value, as in {term}=yes")
        negated = field.endswith("!")
        field = field.removesuffix("!")
        if field not in settings:
            raise UnknownNameError("ruling", field, settings)
        if (setting_text(settings[field]) == wanted) == negated:
            holds = False
    return holds


def setting_text(value: object) -> str:
    """A ruling's value as tables and the command line write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
