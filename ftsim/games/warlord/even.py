"""How many figures fight a unit evenly: what makes units of different worth comparable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, log

from ftsim.games.warlord.fight import Fight
from ftsim.games.warlord.fight_kernel import solve
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.units import MAX_FIGURES, Unit


def resized(unit: Unit, figures: int) -> Unit:
    """A unit of so many figures in as many ranks, or as many as it can."""
    return replace(unit, figures=figures, ranks=min(unit.ranks, figures))


def mean_score(a: Unit, b: Unit, profiles: Profiles, rulings: WarlordRulings) -> float:
    """Score of A in the open, charging and being charged equally often."""
    charging = solve(Fight(a, b), profiles, rulings).score
    return (charging + 1 - solve(Fight(b, a), profiles, rulings).score) / 2


def log_odds(p: float) -> float:
    """Log-odds, kept finite."""
    p = min(max(p, 1e-12), 1 - 1e-12)
    return log(p / (1 - p))


def even_number(score_at: Callable[[int], float], start: int, most: int = MAX_FIGURES) -> float:
    """Number of figures at which a score that rises with it is ½.

    Parameters
    ----------
    score_at : callable
        Score with so many figures.
    start : int
        First guess.
    most : int
        Greatest number tried; infinite is returned when even that loses.

    Notes
    -----
    Whole numbers below and above are found by bisection; between them the log-odds are taken as
    linear. Below one figure the answer is a share of one, by the same line from one to two.
    """
    low, high = 0, most + 1
    known: dict[int, float] = {}

    def at(n: int) -> float:
        if n not in known:
            known[n] = log_odds(score_at(n))
        return known[n]

    n, step = min(max(1, start), most), 2
    while high - low > 1:
        if at(n) < 0:
            low = n
            n = min(low + step, high - 1) if high > most else (low + high) // 2
        else:
            high = n
            n = max(high - step, low + 1) if low < 1 else (low + high) // 2
        step *= 2
        if n <= low or n >= high:
            n = (low + high) // 2
    if high > most:
        return inf
    if low == 0:
        return 1.0
    return low + at(low) / (at(low) - at(high))
