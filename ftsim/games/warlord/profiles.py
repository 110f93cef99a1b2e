"""Profiles: the numbers of the profile sheets, each with how well it is known, and what reads them.

The sheets are not public. What ships is a file of assumptions around the published examples;
another file replaces it section by section (see `profile_file`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from ftsim._typing import FloatArray
from ftsim.errors import InputError

#: How a value is swept: times a factor; a loss by the extra cost it means; dice by their result;
#: a threshold by one or two steps.
Kind = Literal["number", "loss", "dice", "threshold"]
SWEEP = (Fraction(1, 2), Fraction(1), Fraction(2))


@dataclass(frozen=True)
class DefenceDice:
    """Dice for a defence value, such as 2D6, and what the result is multiplied by (rounded up, at least 1)."""

    count: int
    sides: int
    times: Fraction = Fraction(1)

    def __str__(self) -> str:
        return f"{self.count}D{self.sides}" + ("" if self.times == 1 else f" × {self.times}")

    def value(self, total: int) -> int:
        """The defence value for a total of the dice."""
        scaled = self.times * total
        return max(1, -(-scaled.numerator // scaled.denominator))

    def chances(self) -> Mapping[int, Fraction]:
        """Exact chance of each defence value."""
        totals: dict[int, int] = {0: 1}
        for _ in range(self.count):
            rolled: dict[int, int] = {}
            for total, ways in totals.items():
                for face in range(1, self.sides + 1):
                    rolled[total + face] = rolled.get(total + face, 0) + ways
            totals = rolled
        chances: dict[int, Fraction] = {}
        for total, ways in totals.items():
            value = self.value(total)
            chances[value] = chances.get(value, Fraction(0)) + Fraction(ways, self.sides**self.count)
        return chances


@dataclass(frozen=True)
class Value:
    """One number of a profile file.

    Parameters
    ----------
    value : Fraction, DefenceDice or None
        The number; None is impassable.
    basis : str
        How well it is known.
    kind : str
        How it is swept.
    """

    value: Fraction | DefenceDice | None
    basis: str
    kind: Kind

    def __str__(self) -> str:
        if self.value is None:
            return "impassable"
        if isinstance(self.value, Fraction):
            return f"{float(self.value):g}" if self.value.denominator in (1, 2, 4, 5) else str(self.value)
        return str(self.value)

    def swept(self, times: Fraction) -> Value:
        """This value as a sweep by `times` sees it."""
        if self.value is None or times == 1:
            return self
        if isinstance(self.value, DefenceDice):
            return replace(self, value=replace(self.value, times=self.value.times * times))
        if self.kind == "loss":
            # What the loss costs beyond clear ground, f / (1 − f), is multiplied, so it stays below 1.
            return replace(self, value=times * self.value / (1 - self.value + times * self.value))
        if self.kind == "threshold":
            return replace(self, value=self.value + (1 if times > 1 else -1))
        return replace(self, value=self.value * times)


@dataclass(frozen=True)
class Profiles:
    """All numbers of a profile file, by keys such as ``move_normal.human.chain``.

    Parameters
    ----------
    name : str
        Title of the file.
    values : mapping of str to Value
        The numbers.
    used : set of str, optional
        Notes the keys that are read; see `watched`.
    """

    name: str
    values: Mapping[str, Value] = field(repr=False)
    used: set[str] | None = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted((key, str(v)) for key, v in self.values.items()))))

    def watched(self) -> Profiles:
        """The same numbers with a notebook of the keys that are read."""
        return replace(self, used=set())

    def has(self, key: str) -> bool:
        """Whether there is a number under a key."""
        return key in self.values

    def entry(self, key: str, what: str = "") -> Value:
        """The value under a key.

        Raises
        ------
        InputError
            If the file has none; the message says what the section holds.
        """
        if key not in self.values:
            section = key.rpartition(".")[0]
            known = sorted({k[len(section) + 1 :] for k in self.values if k.startswith(section + ".")})
            raise InputError(
                f"{self.name} have no {key}{' for ' + what if what else ''}; "
                f"accepted in {section}: {', '.join(known) or 'nothing; give the section in a profile file'}"
            )
        if self.used is not None:
            self.used.add(key)
        return self.values[key]

    def number(self, key: str, what: str = "") -> Fraction:
        """A number."""
        found = self.entry(key, what).value
        if not isinstance(found, Fraction):
            raise InputError(f"{self.name}: {key} is {found or 'impassable'}, not a number")
        return found

    def loss(self, key: str) -> Fraction | None:
        """Share of the move lost; None is impassable."""
        found = self.entry(key).value
        if isinstance(found, DefenceDice):
            raise InputError(f"{self.name}: {key} is dice, not a share")
        return found

    def dice(self, key: str) -> DefenceDice:
        """Dice of a defence value."""
        found = self.entry(key).value
        if not isinstance(found, DefenceDice):
            raise InputError(f"{self.name}: {key} is no dice")
        return found

    def terrain_loss(self, race: str, row: str, mounted: bool) -> Fraction | None:
        """Share of the move that a race loses in a row of the profile sheet (FW 7); None is impassable.

        Mounted troops take the mounted row first, then their race's, then the default.
        """
        for owner in (*(("mounted",) if mounted else ()), race):
            if self.has(f"terrain_loss.{owner}.{row}"):
                return self.loss(f"terrain_loss.{owner}.{row}")
        return self.loss(f"terrain_loss.default.{row}")

    def assumed(self, keys: Iterable[str]) -> list[str]:
        """Those keys whose values are assumptions, in order."""
        return sorted(key for key in keys if self.values[key].basis == "assumed")

    def swept(self, key: str, times: Fraction) -> Profiles:
        """These profiles with one value swept."""
        return replace(self, values={**self.values, key: self.values[key].swept(times)}, used=None)

    def as_text(self, keys: Iterable[str]) -> dict[str, str]:
        """Values by key as text, for records of what a result read."""
        return {key: str(self.values[key]) for key in sorted(keys)}


def defence_chances(dice: DefenceDice) -> tuple[list[int], FloatArray]:
    """Defence values and their chances as arrays."""
    import numpy as np

    chances = dice.chances()
    values = sorted(chances)
    return values, np.array([float(chances[v]) for v in values])
