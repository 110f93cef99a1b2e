"""Close combats counted without prices: chances of each stand against the field, exact or sampled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ftsim.estimates import wilson
from ftsim.findings import Column, Findings, Section, Table
from ftsim.games.triumph.glossary import terms
from ftsim.games.triumph.grids import Counts, Grid, named_situations, situation_weights
from ftsim.games.triumph.price_study import ClosePlan, Pricer, field_weights
from ftsim.games.triumph.study_parts import CARD, assumed_points, open_points


def counted(plan: ClosePlan, pricer: Pricer) -> Findings:
    """Chances of each card's bearers against the field, exact or sampled."""
    field = field_weights(plan.experiment.field, plan.opponents)
    where = situation_weights(plan.experiment.situations)
    sampled = plan.experiment.trials is not None
    rows = []
    counts_rows: list[dict[str, Any]] = []
    for key, grid in plan.grids.items():
        label, _, name = key.partition(" | ")
        counts = pricer.counts[key]
        for k, stand in enumerate(grid.a):
            row: dict[str, Any] = {"ruling": label, "card": name, "stand": stand}
            for column in ("b_destroyed", "a_destroyed"):
                share = counts.chance(column)[:, k, :]
                mean = float(where @ (share @ field))
                row[column] = 100 * mean
                if sampled:
                    # A mean of n shares with weights w tells as much as 1 / Σw² of them.
                    effective = counts.total / float(np.sum((where[:, None] * field[None, :]) ** 2))
                    low, high = wilson(mean, effective)
                    row[f"{column}_range"] = (100 * low, 100 * high)
            rows.append(row)
            if sampled:
                counts_rows += _count_rows(label, stand, grid, counts, k)
    columns = [Column("ruling", "Ruling"), CARD, Column("stand", "Stand")]
    for key, title in (("b_destroyed", "Destroys, %"), ("a_destroyed", "Is destroyed, %")):
        term, interval = ("sampled chance", f"{key}_range") if sampled else ("chance", None)
        columns.append(Column(key, title, "percent", term, interval=interval))
        if sampled:
            columns.append(Column(f"{key}_range", "95 %", "interval", "sampled chance", interval=interval))
    table = Table("chances", "Chances in one close combat against the field", columns, rows)
    files = {}
    if sampled:
        keys = (
            "trials",
            "a_doubled",
            "a_beaten",
            "tie",
            "b_beaten",
            "b_doubled",
            "a_destroyed",
            "b_destroyed",
        )
        files["counts.csv"] = Table(
            "counts",
            "counts",
            (
                Column("ruling", "ruling"),
                Column("situation", "situation"),
                Column("a", "a"),
                Column("b", "b"),
                *(Column(key, key, "number", "chance", 0) for key in keys),
            ),
            counts_rows,
        )
    trials = plan.experiment.trials
    return Findings(
        answer=(
            f"Every matchup rolled {trials:,} times; no prices were asked for."
            if sampled
            else "Every matchup counted exactly; no prices were asked for."
        ),
        sections=[Section("chances-section", "Chances", "", (table,))],
        rulings=open_points("close-combat", plan.rulings),
        assumed=assumed_points("close-combat", plan.base),
        method=(
            f"Each matchup is rolled {trials:,} times; cards share dice."
            if sampled
            else "Each matchup is counted over all 36 dice pairs.",
        ),
        terms=terms(),
        files=files,
        checks={
            "results and fates sum to all dice in every matchup": all(
                counts.identities() for counts in pricer.counts.values()
            )
        },
    )


def _count_rows(label: str, stand: str, grid: Grid, counts: Counts, k: int) -> Iterator[dict[str, Any]]:
    keys = ("a_doubled", "a_beaten", "tie", "b_beaten", "b_doubled", "a_destroyed", "b_destroyed")
    for s, named in enumerate(named_situations()):
        for j, enemy in enumerate(grid.b):
            yield {
                "ruling": label,
                "situation": f"{named.id} {s}",
                "a": stand,
                "b": enemy,
                "trials": counts.total,
                **{key: int(counts.columns[key][s, k, j]) for key in keys},
            }
