"""Absorbing chains: fights repeated to the end, exactly.

A fight that can go on for ever is an outcome of its own, ``unresolved``, never a win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError


@dataclass(frozen=True, eq=False)
class Absorption:
    """Where a batch of chains ends.

    Parameters
    ----------
    ends : array of float, shape (..., states, endings)
        Chance to reach each ending from each state.
    unresolved : array of float, shape (..., states)
        Chance never to end.
    rounds : array of float, shape (..., states)
        Mean number of rounds; infinite where the chain may never end.
    """

    ends: FloatArray
    unresolved: FloatArray
    rounds: FloatArray


def absorb(stay: FloatArray, leave: FloatArray) -> Absorption:
    """Solve absorbing chains in a batch.

    Parameters
    ----------
    stay : array of float, shape (..., states, states)
        Chance to move from state to state in a round.
    leave : array of float, shape (..., states, endings)
        Chance to end in a round; rows of `stay` and `leave` together sum to 1.

    Raises
    ------
    InputError
        If a row does not sum to 1.
    """
    if min(stay.min(initial=0), leave.min(initial=0)) < 0:
        raise InputError("A chance in a chain must not be negative")
    if not np.allclose(stay.sum(-1) + leave.sum(-1), 1.0, rtol=0, atol=1e-12):
        raise InputError("Each row of a chain must sum to 1")
    states, endings = stay.shape[-1], leave.shape[-1]
    reach = np.broadcast_to(np.eye(states, dtype=bool), stay.shape) | (stay > 0)
    for _ in range(max(1, int(np.ceil(np.log2(max(states, 2)))))):
        reach = reach | (reach.astype(np.float64) @ reach.astype(np.float64) > 0)
    can_end = (reach & (leave.sum(-1) > 0)[..., None, :]).any(-1)
    # A state that cannot reach an ending is cut off: whoever enters it stays unresolved.
    move = np.where(can_end[..., None, :] & can_end[..., :, None], stay, 0.0)
    lost = np.where(can_end, np.where(can_end[..., None, :], 0.0, stay).sum(-1), 1.0)
    # What each state gives away or counts: its endings, the way into a trap, and the round itself.
    out = np.concatenate(
        [np.where(can_end[..., None], leave, 0.0), lost[..., None], np.ones((*lost.shape, 1))], axis=-1
    )
    # Grassmann, Taksar and Heyman (1985): no subtraction, so a rare ending keeps all its digits.
    for k in range(states - 1, -1, -1):
        away = move[..., k, :k].sum(-1) + out[..., k, :-1].sum(-1)
        move[..., k, :] /= away[..., None]
        out[..., k, :] /= away[..., None]
        through = move[..., :k, k, None]
        move[..., :k, :k] += through * move[..., k, None, :k]
        out[..., :k, :] += through * out[..., k, None, :]
    for k in range(states):
        out[..., k, :] += (move[..., k, None, :k] @ out[..., :k, :])[..., 0, :]
    trapped = (reach & ~can_end[..., None, :]).any(-1)
    return Absorption(out[..., :endings], out[..., endings], np.where(trapped, np.inf, out[..., -1]))


def race(steps: Mapping[int, int], target: int, start: Mapping[int, Fraction]) -> tuple[Fraction, Fraction, Fraction]:
    """Race to a lead of `target`: chances to win, to lose, and the mean number of rounds.

    Parameters
    ----------
    steps : mapping of int to int
        Change of the lead in a round to the number of dice cells that bring it.
    target : int
        The lead that wins; minus `target` loses.
    start : mapping of int to Fraction
        Chance of each starting lead; a lead already at the target has won in no rounds.

    Returns
    -------
    win, lose, rounds : Fraction

    Raises
    ------
    InputError
        If the start does not sum to 1, or nobody can ever reach the target.

    Examples
    --------
    >>> race({+1: 12, -1: 20, 0: 4}, 3, {0: Fraction(1, 2), 3: Fraction(1, 2)})
    (Fraction(179, 304), Fraction(125, 304), Fraction(1323, 304))
    """
    if sum(start.values()) != 1:
        raise InputError(f"The starting leads must have chances that sum to 1, got {dict(start)}")
    total = sum(steps.values())
    if target < 1 or total < 1 or all(n == 0 for step, n in steps.items() if step):
        raise InputError("A race needs a target of at least 1 and a step that changes the lead")
    leads = list(range(1 - target, target))
    # Rows of the system (I - stay) x = b, with one column each for win and for rounds.
    rows: list[list[Fraction]] = []
    for lead in leads:
        row = [Fraction(int(other == lead)) for other in leads]
        win = Fraction(0)
        for step, n in steps.items():
            chance = Fraction(n, total)
            if lead + step >= target:
                win += chance
            elif lead + step > -target:
                row[leads.index(lead + step)] -= chance
        rows.append([*row, win, Fraction(1)])
    solved = _solve(rows)
    win = sum((p * (_edge(lead, target) or _at(solved, leads, lead, 0)) for lead, p in start.items()), Fraction(0))
    rounds = sum((p * _at(solved, leads, lead, 1) for lead, p in start.items()), Fraction(0))
    return win, 1 - win, rounds


def _edge(lead: int, target: int) -> Fraction:
    return Fraction(int(lead >= target))


def _at(solved: list[list[Fraction]], leads: list[int], lead: int, column: int) -> Fraction:
    return solved[leads.index(lead)][column] if lead in leads else Fraction(0)


def _solve(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Gauss-Jordan elimination in fractions; the columns after the square part are solved for."""
    size = len(rows)
    for column in range(size):
        pivot = next(r for r in range(column, size) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for r in range(size):
            if r != column and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[column], strict=True)]
    return [row[size:] for row in rows]
