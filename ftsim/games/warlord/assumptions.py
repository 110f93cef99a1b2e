"""Which assumed numbers a result rests on, and how it moves when they are swept (× ½, 1, 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ftsim.errors import InputError
from ftsim.games.warlord.profiles import SWEEP, Profiles


@dataclass(frozen=True)
class Swept:
    """A result with one assumed number changed.

    Parameters
    ----------
    key, value : str
        The number.
    half, base, double : float
        The result at half, once and twice the number (losses by their extra cost, dice by their
        result, thresholds one lower and higher); nan where there is no result.
    """

    key: str
    value: str
    half: float
    base: float
    double: float

    @property
    def spread(self) -> float:
        """How far the result moves."""
        known = [x for x in (self.half, self.base, self.double) if x == x]
        return max(known) - min(known) if known else 0.0


def keys_read(result: Callable[[Profiles], object], profiles: Profiles) -> set[str]:
    """Keys of a profile file that a result reads."""
    watched = profiles.watched()
    result(watched)
    assert watched.used is not None
    return watched.used


def sweep(result: Callable[[Profiles], float], profiles: Profiles, keys: Iterable[str] | None = None) -> list[Swept]:
    """A result for each assumed number that it reads, halved and doubled; the largest spread first.

    Parameters
    ----------
    result : callable
        The figure, from profiles.
    keys : iterable of str, optional
        Numbers to sweep; by default all assumed ones that it reads.
    """
    found = profiles.assumed(keys_read(result, profiles) if keys is None else keys)
    base = result(profiles)
    rows = []
    for key in found:
        values = []
        for times in SWEEP:
            if times == 1:
                values.append(base)
                continue
            try:
                values.append(result(profiles.swept(key, times)))
            except InputError:
                # A swept number can leave what the rules allow; then there is no result.
                values.append(float("nan"))
        rows.append(Swept(key, str(profiles.values[key]), values[0], base, values[2]))
    return sorted(rows, key=lambda row: (-row.spread, row.key))
