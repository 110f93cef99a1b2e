"""What other readings of the rules change: shifts of prices with their errors, corrected for looking at many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ftsim.findings import Column, Table
from ftsim.games.triumph.battle.price_tables import listed
from ftsim.games.triumph.battle.prices import FALSE_DISCOVERIES, PricedInBattle, standard_error
from ftsim.games.triumph.study_parts import CARD


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
    return [
        Shift(
            one.subject.text,
            policy,
            label,
            move.value,
            standard_error(move),
            (policy, label) in one.real,
        )
        for one in priced
        for (policy, label), move in one.shifts.items()
        if isfinite(move.value)
    ]


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
                **_farthest(mine[0], mine[0].card),
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
                **_farthest(mine[0], mine[0].label.replace("_", " ")),
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


def _farthest(shift: Shift, name: str) -> dict[str, Any]:
    """The shift farthest beyond its error; none where no trial goes otherwise."""
    if shift.value == shift.error == 0:
        return {"most": "no trial goes otherwise", "shift": None, "interval": None}
    half = 1.96 * shift.error
    return {"most": name, "shift": shift.value, "interval": (shift.value - half, shift.value + half)}
