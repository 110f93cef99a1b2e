"""Figures from close combats for cards that only a battle can price: pursuit, blocked retreats, camps, loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ftsim._typing import FloatArray
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Columns
from ftsim.findings import Column, Part, Section, Table
from ftsim.games.triumph.grids import Counts, Grid, loss_weights
from ftsim.games.triumph.notation import eligible, read_card
from ftsim.games.triumph.places import Place, Situation
from ftsim.games.triumph.price_study import ClosePlan, field_weights
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.study_parts import CARD, FACTORS
from ftsim.games.triumph.troop_types import TroopType, troop_types
from ftsim.pricing.price_line import outlasting, strengths, worth_in_factors

OPEN = Place()


@dataclass(frozen=True)
class Figure:
    """A grid whose counts are shown as a figure, not priced."""

    key: str
    grid: Grid


def figures_of(experiment: Experiment) -> Iterator[Figure]:
    """Grids for the cards of the axis ``figures``."""
    wanted = experiment.sweep.get("figures", [])
    names = [str(text) for text in ([wanted] if isinstance(wanted, str) else wanted)]
    base = TriumphRulings.parse(experiment.rulings.set)
    types = tuple(t.name for t in troop_types(base).values())

    def grid(a: Sequence[str], place: Place = OPEN, b: Sequence[str] = types, bonus: int = 0) -> Grid:
        return Grid("close-combat", tuple(a), tuple(b), (Situation(place),), base, bonus=bonus)

    for text in names:
        card = read_card(text).card.id
        bearers = [t.name for t in _bearers(text, base)]
        with_card = [f"{name} + {text}" for name in bearers]
        if card in ("fierce", "craven"):
            yield Figure(f"figure | {text} | without", grid(bearers))
            yield Figure(f"figure | {text} | with", grid(with_card))
        elif card == "hold_the_line":
            yield Figure(f"figure | {text} | without", grid(bearers))
            yield Figure(f"figure | {text} | with", grid(bearers, Place(hold_the_line=True)))
        elif card == "massive":
            blocked = Place(blocked=True)
            yield Figure(f"figure | {text} | without", grid(bearers, blocked))
            yield Figure(f"figure | {text} | with", grid(with_card, blocked))
        elif card == "fortified_camp":
            yield Figure(f"figure | {text}", grid(types, b=("Camp", "Fortified Camp", "Heavily Fortified Camp")))
        elif card == "mobile_infantry":
            riding = Place(on_transports=True)
            yield Figure(f"figure | {text} | without", grid(bearers))
            yield Figure(f"figure | {text} | with", grid(with_card, riding))
            yield Figure(f"figure | {text} | factor", grid(bearers, bonus=1))
        elif card == "negate_magic":
            terror = [f"{name} + Terror" for name in types]
            yield Figure(f"figure | {text} | without", grid(bearers, b=terror))
            yield Figure(f"figure | {text} | with", grid(with_card, b=terror))
            yield Figure(f"figure | {text} | factor", grid(bearers, b=terror, bonus=1))


def _bearers(text: str, rulings: TriumphRulings) -> list[TroopType]:
    pick = read_card(text)
    if pick.card.bought_for == "event":
        return [t for t in troop_types(rulings).values() if not pick.card.problems("stand", t.names, rulings)]
    return [t for t in troop_types(rulings).values() if eligible(t, pick.card, pick.choices, rulings)]


#: Cards that the axis ``figures`` knows.
FIGURE_CARDS = (
    "fierce", "craven", "hold_the_line", "massive", "fortified_camp", "mobile_infantry", "negate_magic", "unreliable",
)  # fmt: skip


def battle_figures(plan: ClosePlan, figures: Sequence[Figure], results: Mapping[str, Columns]) -> Section:
    """The section of the figures, from their counted grids."""
    field = field_weights(plan.experiment.field, plan.opponents)
    weights = loss_weights()[plan.experiment.loss_weights]
    counts = {figure.key: Counts.of(figure.grid, results[figure.key]) for figure in figures}

    def mean(key: str, column: str) -> float:
        return 100 * float(np.mean(counts[key].chance(column)[0] @ field))

    def strength(key: str) -> FloatArray:
        own, enemy = counts[key].losses(weights)
        return strengths(outlasting(own, enemy)[0], field).value

    wanted = plan.experiment.sweep.get("figures", [])
    names = [str(text) for text in ([wanted] if isinstance(wanted, str) else wanted)]
    chances, worths = [], []
    for text in names:
        card = read_card(text).card.id
        pair = (f"figure | {text} | without", f"figure | {text} | with")
        if card in ("fierce", "craven", "hold_the_line"):
            chances.append(
                {
                    "card": text,
                    "what": "pursues after a combat",
                    "without": mean(pair[0], "a_pursues"),
                    "with": mean(pair[1], "a_pursues"),
                }
            )
        elif card == "massive":
            chances.append(
                {
                    "card": text,
                    "what": "is lost in a combat while its fall back is blocked",
                    "without": mean(pair[0], "a_destroyed"),
                    "with": mean(pair[1], "a_destroyed"),
                }
            )
        elif card == "fortified_camp":
            sacked = 100 * field @ counts[f"figure | {text}"].chance("b_destroyed")[0]
            chances += [
                {
                    "card": f"Fortified Camp: {kind}",
                    "what": "camp sacked in one combat",
                    "without": float(sacked[0]),
                    "with": float(sacked[k]),
                }
                for k, kind in ((1, "fortified"), (2, "heavily"))
            ]
        elif card in ("mobile_infantry", "negate_magic"):
            plain, other, factor = (strength(f"figure | {text} | {k}") for k in ("without", "with", "factor"))
            what = "while on its transports" if card == "mobile_infantry" else "against enemies with Terror"
            worths.append({"card": text, "what": what, "factors": worth_in_factors(other, plain, factor)})
        elif card == "unreliable":
            rolls = plan.base.command_rolls
            chances.append(
                {
                    "card": text,
                    "what": f"is lost to a command roll in a battle of {rolls} rolls",
                    "without": 0.0,
                    "with": 100 * (1 - (5 / 6) ** rolls),
                }
            )
    parts: list[Part] = [
        Table(
            "battle-figures",
            "Figures of cards that need a battle",
            (
                CARD,
                Column("what", "What"),
                Column("without", "Without, %", "percent", "chance", 1),
                Column("with", "With the card, %", "percent", "chance", 1),
            ),
            chances,
            "Exact, open ground, mean over the field and the types that may take the card. Not a price.",
        )
    ]
    if worths:
        parts.append(
            Table(
                "partial-worth",
                "Part of a card that a combat shows",
                (CARD, Column("what", "When"), FACTORS),
                worths,
                "The rest of what these cards do needs a battle or an attack at a distance.",
            )
        )
    return Section("figures-section", "Cards that need a battle", "", parts)
