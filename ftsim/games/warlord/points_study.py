"""Experiment ``points``: whether figures are worth their points, by equal points and by a line through all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import Estimate, format_number
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, Interval, IntervalChart, Section, Table
from ftsim.games.warlord.even import even_number, log_odds, mean_score, resized
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import DECLARED, WarlordRulings
from ftsim.games.warlord.study_parts import (
    DEFAULT,
    Plan,
    assumed_points,
    assumed_section,
    open_points,
    planned,
    profiles_of,
    provenance,
    rulings_section,
    terms,
    texts,
)
from ftsim.games.warlord.units import Unit
from ftsim.pricing.price_line import price_line
from ftsim.pricing.verdict import verdict

RACES = ("Human", "High elf", "Wood elf", "Dwarf", "Eastern orc", "Western orc", "Eastern goblin", "Western goblin",
         "Hill troll", "Ogre")  # fmt: skip
KIT = "spear + chain + shield"
REFERENCES = ("12 Human B + spear + chain + shield", "12 Western orc B + spear + chain + shield")
#: Half a step of the whole-point grid: within it the printed price is the nearest step.
MARGIN = 0.5


def compute(plan: Plan, profiles: Profiles, rulings: WarlordRulings) -> Columns:
    """Implied prices of a figure against each reference, and scores at equal numbers; a row a unit."""
    references = [Unit.parse(text) for text in plan["references"]]
    implied = np.zeros((len(plan["units"]), len(references)))
    chance = np.zeros(len(plan["units"]))
    printed = np.zeros(len(plan["units"]))
    for i, text in enumerate(plan["units"]):
        unit = Unit.parse(text)
        printed[i] = float(unit.points_each(profiles))
        scores = []
        for j, reference in enumerate(references):
            worth = float(reference.points(profiles))

            def score(n: int, unit: Unit = unit, reference: Unit = reference) -> float:
                return mean_score(resized(unit, n), reference, profiles, rulings)

            even = 1.0 if plan.get("watched") else even_number(score, max(1, round(worth / printed[i])))
            implied[i, j] = worth / even
            scores.append(score(reference.figures))
        chance[i] = float(np.mean(scores))
    columns: dict[str, Any] = {f"implied_{j}": implied[:, j] for j in range(len(references))}
    return {**columns, "implied": implied.mean(1), "chance": chance, "printed": printed}


class PointsStudy:
    """Experiments on points."""

    engine_version = 1

    def _plan(self, experiment: Experiment) -> dict[str, Any]:
        units = texts(experiment, "unit", [f"12 {r} {c} + {KIT}" for r in RACES for c in "ABC"])
        return {
            "units": [str(Unit.parse(text)) for text in units],
            "references": [str(Unit.parse(text)) for text in texts(experiment, "reference", REFERENCES)],
            "trials": 0,
        }

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """A cell a ruling and two an assumed number."""
        return planned("points", compute, self._plan(experiment), experiment, DECLARED["fight"])

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return provenance()

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Verdicts by equal points, the line through all units, and on what both hang."""
        plan, numbers = self._plan(experiment), profiles_of(experiment)
        units = [Unit.parse(text) for text in plan["units"]]
        base = results[DEFAULT]
        printed, implied = _array(base, "printed"), _array(base, "implied")
        # Prices of equipment are assumed too: a swept one moves the printed price, so ratios are compared.
        against = [f"implied_{j}" for j in range(len(plan["references"]))]
        ratios = np.stack([_array(c, name) / _array(c, "printed") for c in results.values() for name in against])
        lows, highs = ratios.min(0) * printed, ratios.max(0) * printed
        line, slope = _line(_array(base, "chance"), printed)
        each = [_array(base, name) for name in against]
        rows: list[dict[str, Any]] = []
        for k, unit in enumerate(units):
            price, own = float(printed[k]), float(implied[k])
            ends = (min(float(row[k]) for row in each), max(float(row[k]) for row in each))
            span = (float(lows[k]), float(highs[k]))
            rows.append(
                {
                    "unit": f"{unit.race.name} {unit.morale_class}",
                    "printed": price,
                    "implied": own,
                    "references": ends,
                    "hull": span,
                    "default": verdict(price, Estimate(own, *ends), MARGIN),
                    "verdict": verdict(price, Estimate(own, *span), MARGIN),
                    "strength": log_odds(float(base["chance"][k])),
                    "line": None if line is None else float(line[k]),
                }
            )
        table = Table("prices", f"Figures in units of 12 with {_kit(units)}", COLUMNS, rows, NOTE)
        lines = [
            Interval(
                row["unit"],
                row["implied"],
                row["references"][0],
                row["references"][1],
                row["hull"][0],
                row["hull"][1],
                row["printed"],
            )
            for row in rows
            if isfinite(row["hull"][1])
        ]
        chart = IntervalChart(
            "prices-chart",
            "Implied and printed prices of a figure",
            "points",
            lines,
            "Thick: range of the references. Thin: hull over rulings and assumed numbers. Mark: printed.",
        )
        pair = _pair(rows)

        figure, what, term = _figure(units)
        told = [row["verdict"] for row in rows]
        return Findings(
            answer=(
                f"{pair}Over all rulings and assumed numbers {told.count('underpriced')} of {len(rows)} figures are "
                f"underpriced, {told.count('overpriced')} overpriced and {told.count('fair')} fair for certain; "
                f"{told.count('undecided')} hang on numbers that are not public."
            ),
            because=(
                "Points of figures are printed; how well they fight is assumed, but for one percentage. These are "
                "verdicts "
                "on the default profiles, not on the published game.",
                *_premium(units, printed, implied),
                slope,
            ),
            sections=[
                Section("prices-section", "Equal points", "", (table, chart)),
                rulings_section(results, figure, what, term),
                assumed_section(results, figure, numbers, what, term),
            ],
            missing=[
                ("movement and shooting", "only hand-to-hand fights in the open count here"),
                ("giants", "they have no profile among the shipped numbers"),
            ],
            rulings=open_points(experiment, DECLARED["fight"]),
            assumed=assumed_points(results, numbers),
            method=(
                "Every unit fights every reference to the end, exactly, charging and charged equally often. The "
                "number of "
                "its figures that makes the score ½ gives the implied price: points of the reference over that "
                "number.",
                "The line regresses printed prices on strengths at equal numbers (geometric mean of both slopes, "
                "HC3).",
            ),
            terms=terms(),
            files={"prices.csv": _file(rows)},
            checks={"a reference is worth its own price": _itself(plan, base)},
        )


NOTE = (
    "Implied: what a figure is worth when the references are worth their points. By default: the verdict on the "
    "default rulings and numbers, over the references. Over all: the verdict on the hull, "
    "which holds whatever is assumed."
)
COLUMNS = (
    Column("unit", "Figure"),
    Column("printed", "Printed", "number", "printed price", 0),
    Column("implied", "Implied", "number", "implied price", 1),
    Column("references", "References", "interval", "range of references", 1),
    Column("hull", "Hull", "interval", "hull", 1),
    Column("default", "By default", "verdict", "verdict"),
    Column("verdict", "Over all", "verdict", "verdict"),
    Column("strength", "Strength", "number", "strength"),
    Column("line", "Line", "number", "line price", 1),
)


def _array(cell: Columns, name: str) -> FloatArray:
    return np.asarray(cell[name], dtype=np.float64)


def _kit(units: Sequence[Unit]) -> str:
    kits = {str(unit).partition(" + ")[2].rpartition(" + ")[0] for unit in units}
    return kits.pop() if len(kits) == 1 else "their own equipment"


def _line(chance: FloatArray, printed: FloatArray) -> tuple[FloatArray | None, str]:
    """Prices on the line through all units, and a sentence about it."""
    strength = np.array([log_odds(float(p)) if 0 < p < 1 else np.nan for p in chance])
    try:
        found = price_line(printed, strength, {})
    except InputError as problem:
        return None, f"A line through prices and strengths says nothing here: {problem}."
    centre = float(np.nanmean(strength))
    return (
        printed.mean() + found.slope.value * (strength - centre),
        f"By regression a unit of strength is worth {format_number(found.slope.value, 5)} points "
        f"[{format_number(found.slope.low, 5)}, {format_number(found.slope.high, 5)}].",
    )


def _pair(rows: Sequence[Mapping[str, Any]]) -> str:
    """The class A goblin against the class C human, when both are there."""
    by_name = {row["unit"]: row for row in rows}
    if not {"Western goblin A", "Human C"} <= set(by_name):
        return ""
    goblin, human = by_name["Western goblin A"], by_name["Human C"]
    return (
        f"A class A goblin costs {goblin['printed']:.0f} points and fights like {goblin['implied']:.1f}, a class C "
        "human "
        f"costs {human['printed']:.0f} and fights like {human['implied']:.1f}. "
    )


def _figure(units: Sequence[Unit]) -> tuple[Callable[[Columns], float], str, str]:
    """The figure that sweeps follow: the goblin against the human when both are there, else the mean."""
    at = {f"{unit.race.id} {unit.morale_class}": k for k, unit in enumerate(units)}
    if not {"western_goblin A", "human C"} <= set(at):

        def mean(cell: Columns) -> float:
            return float(np.mean(_array(cell, "implied") / _array(cell, "printed")))

        return mean, "Mean implied over printed price", "value for points"

    def pair(cell: Columns) -> float:
        ratio = _array(cell, "implied") / _array(cell, "printed")
        return float(ratio[at["western_goblin A"]] / ratio[at["human C"]])

    return pair, "Value for points of a class A goblin over that of a class C human", "value for points"


def _premium(units: Sequence[Unit], printed: FloatArray, implied: FloatArray) -> list[str]:
    """What class A costs and is worth over class C, on average over the races that have both."""
    at = {(unit.race.id, unit.morale_class): k for k, unit in enumerate(units)}
    pairs = [(at[race, "A"], at[race, "C"]) for race, rank in at if rank == "A" and (race, "C") in at]
    if not pairs:
        return []
    asked = float(np.mean([printed[a] - printed[c] for a, c in pairs]))
    worth = float(np.mean([implied[a] - implied[c] for a, c in pairs]))
    return [f"Class A costs {asked:.1f} points more than class C on average and fights like {worth:.1f} more."]


def _itself(plan: Plan, base: Columns) -> bool:
    """Whether each reference that is also a unit comes out at its own price against itself."""
    held = True
    for j, text in enumerate(plan["references"]):
        if text in plan["units"]:
            k = plan["units"].index(text)
            held &= abs(float(base[f"implied_{j}"][k]) - float(base["printed"][k])) < 1e-6
    return held


def _file(rows: Sequence[Mapping[str, Any]]) -> Table:
    flat = [
        {**row, "low": row["hull"][0], "high": row["hull"][1], "ref_low": row["references"][0],
         "ref_high": row["references"][1]}
        for row in rows
    ]  # fmt: skip
    columns = [Column("unit", "unit")]
    columns += [
        Column(name, name, "number", "implied price", 4)
        for name in ("printed", "implied", "ref_low", "ref_high", "low", "high", "strength", "line")
    ]
    return Table(
        "prices-file", "prices", [*columns, Column("default", "default"), Column("verdict", "verdict")], flat
    )
