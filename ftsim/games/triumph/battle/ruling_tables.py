"""What other readings of the rules change: shifts of prices with their errors, corrected for looking at many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from scipy.stats import norm

from ftsim.findings import Column, Table
from ftsim.games.triumph.battle.price_tables import listed
from ftsim.games.triumph.battle.prices import PricedInBattle
from ftsim.games.triumph.study_parts import CARD
from ftsim.pricing.verdict import benjamini_hochberg

#: Share of false claims among all shifts that are called real.
FALSE_DISCOVERIES = 0.05


@dataclass(frozen=True)
class Shift:
    """How much another reading moves a price.

    Parameters
    ----------
    card, policy, label : str
        The card, who plays, and the reading.
    value, error : float
        Points, and the standard error, of trials played under both readings.
    real : bool
        Whether it is more than chance among all that were looked at.
    """

    card: str
    policy: str
    label: str
    value: float
    error: float
    real: bool


def shifts(priced: Sequence[PricedInBattle]) -> list[Shift]:
    """Every price under every reading against the same price as the rulings are set."""
    found: list[tuple[str, str, str, float, float]] = []
    for one in priced:
        for (policy, label), move in one.shifts.items():
            if isfinite(move.value):
                error = (move.high - move.low) / (2 * 1.96)
                found.append((one.subject.text, policy, label, move.value, error))
    if not found:
        return []
    moved, errors = np.array([f[3] for f in found]), np.array([f[4] for f in found])
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(moved == 0, 1.0, 2 * norm.sf(np.abs(moved) / errors))
    real = benjamini_hochberg(p) <= FALSE_DISCOVERIES
    return [Shift(*f, bool(r)) for f, r in zip(found, real, strict=True)]


def reading_table(found: Sequence[Shift]) -> Table:
    """A row a reading: how many prices it moves, and which."""
    labels = dict.fromkeys((shift.policy, shift.label) for shift in found)
    rows = []
    for policy, label in labels:
        mine = sorted(
            (s for s in found if (s.policy, s.label) == (policy, label)), key=lambda s: -abs(s.value) / (s.error or 1)
        )
        real = [s for s in mine if s.real]
        rows.append(
            {
                "reading": label.replace("_", " "),
                "policy": policy,
                "moved": len(real),
                "cards": listed([f"{s.card} {s.value:+.1f}".replace("-", "−") for s in real], 8) if real else "",
                "most": mine[0].card,
                "shift": mine[0].value,
                "interval": _interval(mine[0]),
            }
        )
    rows.sort(key=lambda row: -int(str(row["moved"])))
    return Table(
        "readings",
        "What each other reading moves",
        (
            Column("reading", "Reading"),
            Column("policy", "Policy"),
            Column("moved", "Prices moved", "number", "ruling shift", 0),
            Column("cards", "Which, by how many points"),
            Column("most", "Farthest beyond its error"),
            Column("shift", "Shift, points", "number", "ruling shift", 2),
            Column("interval", "Interval", "interval", "ruling shift", 2),
        ),
        rows,
        f"Each ruling changed alone, on the same armies and dice. A price counts as moved when its shift is real at "
        f"{100 * FALSE_DISCOVERIES:.0f} % false claims among all {len(found):,} looked at.",
    )


def shift_table(found: Sequence[Shift]) -> Table:
    """A row a card: which reading moves it most."""
    rows = []
    for card in dict.fromkeys(shift.card for shift in found):
        mine = sorted((s for s in found if s.card == card), key=lambda s: -abs(s.value) / (s.error or 1))
        real = [s.label.replace("_", " ") for s in mine if s.real]
        rows.append(
            {
                "card": card,
                "moved": len(real),
                "readings": listed(real, 8) if real else "–",
                "most": mine[0].label.replace("_", " "),
                "shift": mine[0].value,
                "interval": _interval(mine[0]),
            }
        )
    return Table(
        "shifts",
        "Which readings move a price",
        (
            CARD,
            Column("moved", "Readings that move it", "number", "ruling shift", 0),
            Column("readings", "Which"),
            Column("most", "Farthest beyond its error"),
            Column("shift", "Shift, points", "number", "ruling shift", 2),
            Column("interval", "Interval", "interval", "ruling shift", 2),
        ),
        rows,
    )


def _interval(shift: Shift) -> tuple[float, float]:
    return shift.value - 1.96 * shift.error, shift.value + 1.96 * shift.error
