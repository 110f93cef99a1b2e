"""Players: named policies and their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ftsim.catalog import read_table
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.ffc.cards import PACKAGE

NAMES = ("random-legal", "simple", "greedy")


@dataclass(frozen=True)
class Policy:
    """How a player decides.

    Parameters
    ----------
    name : {"random-legal", "simple", "greedy"}
        The rules he follows.
    changes : mapping of str to int
        Parameters that differ from the table.
    """

    name: str = "simple"
    changes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise UnknownNameError("policy", self.name, NAMES)
        for key, value in self.changes.items():
            if key not in parameters() or key == "kind":
                raise UnknownNameError("policy parameter", key, [k for k in parameters() if k != "kind"])
            low = 1 if key == "life_turns" else 0  # worth is divided by it
            if not low <= value <= 1_000_000:
                raise InputError(f"Policy parameter {key}: {value} is out of range; accepted: {low} to 1000000")

    def numbers(self) -> list[int]:
        """All parameters in the order of their table."""
        place = NAMES.index(self.name)
        return [self.changes.get(key, values[place]) for key, values in parameters().items()]

    def __str__(self) -> str:
        return ", ".join((self.name, *(f"{key}={value}" for key, value in sorted(self.changes.items()))))


@lru_cache(maxsize=1)
def parameters() -> dict[str, tuple[int, ...]]:
    """Every parameter and its value under each policy."""
    rows = read_table(PACKAGE, "policies.csv", ("parameter", "meaning", *NAMES, "source", "basis"))
    return {row["parameter"]: tuple(row.integer(name) for name in NAMES) for row in rows}


@lru_cache(maxsize=1)
def worths() -> dict[str, int]:
    """What each warrior is worth to a policy, in thousandths."""
    rows = read_table(PACKAGE, "worths.csv", ("warrior", "worth", "source", "basis"))
    return {row["warrior"]: row.integer("worth") for row in rows}
