"""Duels of heroes: what Champion wins, once and in repeated challenges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ftsim._typing import IntArray
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, HeatMap, Section, Table
from ftsim.games.triumph.armies import army_format
from ftsim.games.triumph.duels import DuelCounts, duel_counts, until_lost, until_won
from ftsim.games.triumph.glossary import terms
from ftsim.games.triumph.grids import ENGINE_VERSION
from ftsim.games.triumph.price_study import DEFAULT, ruling_scenarios
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.study_parts import open_points
from ftsim.games.triumph.troop_types import PACKAGE

COLUMNS = ("a_wins", "tie", "b_wins", "a_doubles", "b_doubles")


def costs() -> list[int]:
    """Costs a hero can have, in points."""
    limits = army_format()["heroes"]
    return list(range(limits["base_cost"], limits["max_points"] + 1))


def compute_duels(two_a: Sequence[int], two_b: Sequence[int]) -> Columns:
    """Counts for every modifier against every other (twice the modifiers), one row a pair."""
    counts = duel_counts(np.array(two_a)[:, None], np.array(two_b)[None, :])
    columns: dict[str, Any] = {
        "two_a": np.repeat(np.array(two_a, dtype=np.int16), len(two_b)),
        "two_b": np.tile(np.array(two_b, dtype=np.int16), len(two_a)),
    }
    for name in COLUMNS:
        columns[name] = getattr(counts, name).ravel()
    return columns


class DuelStudy:
    """Experiments on duels."""

    engine_version = ENGINE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """Heroes with and without Champion against heroes without, by cost."""
        plain = [2 * c for c in costs()]
        return [
            Cell(
                name,
                {"engine": ENGINE_VERSION, "contest": "duel", "two_a": two_a, "two_b": plain},
                compute_duels,
                {"two_a": two_a, "two_b": plain},
            )
            for name, two_a in (
                ("without", plain),
                ("with", [two + 6 for two in plain]),
                ("with, not counting itself", [two + 4 for two in plain]),
            )
        ]

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Duels won by what a hero costs."""
        rulings = ruling_scenarios(experiment)
        base = rulings[DEFAULT]
        counts = {key: _counts(columns) for key, columns in results.items()}
        champion = counts[_key(base)]
        plain = counts["without"]
        prices = costs()
        rows: list[dict[str, Any]] = []
        for k, cost in enumerate(prices[:-1]):
            # Champion costs a point: a hero of cost + 1 with it against one of cost + 1 without.
            rows.append(
                {
                    "cost": f"{cost + 1} points",
                    "without": _mean(plain.a_wins[k + 1]),
                    "with": _mean(champion.a_wins[k + 1]),
                    "until_without": 100 * float(until_won(_row(plain, k + 1)).ends[:, 0, 0].mean()),
                    "until_with": 100 * float(until_won(_row(champion, k + 1)).ends[:, 0, 0].mean()),
                    "lost_enemy": 100 * float(until_lost(_row(champion, k + 1), base).ends[:, 0, 0].mean()),
                    "lost_self": 100 * float(until_lost(_row(champion, k + 1), base).ends[:, 0, 1].mean()),
                    "never": 100 * float(until_lost(_row(champion, k + 1), base).unresolved[:, 0].mean()),
                }
            )
        table = Table(
            "duels",
            "Duels won against heroes of 1 to 8 points, met equally often",
            (
                Column("cost", "Hero costs"),
                Column("without", "Without Champion, %", "percent", "duels won", 1),
                Column("with", "With Champion, %", "percent", "duels won", 1),
                Column("until_without", "Repeated, without, %", "percent", "duels won", 1),
                Column("until_with", "Repeated, with, %", "percent", "duels won", 1),
                Column("lost_enemy", "Enemy lost in the end, %", "percent", "chance", 1),
                Column("lost_self", "Champion lost in the end, %", "percent", "chance", 1),
                Column("never", "Nobody ever lost, %", "percent", "chance", 1),
            ),
            rows,
            "Exact. Both heroes cost the same in a row: the point for Champion is in the cost. Repeated: until one "
            "wins. In the end: until one is lost under the ruling duel_result.",
        )
        heat = HeatMap(
            "duel-grid",
            "Chance that a Champion wins one duel, %",
            [f"Champion of {c}" for c in prices[1:]],
            [f"{c}" for c in prices],
            [[100 * float(x) / 36 for x in row] for row in champion.a_wins[1:]],
            "per cent",
            50.0,
            0,
            "Row: Champion by cost. Column: enemy hero without Champion, by cost.",
        )
        gain = float(np.mean([row["with"] - row["without"] for row in rows]))
        return Findings(
            answer=(
                f"Champion wins {gain:.0f} more duels of a hundred than the same points spent otherwise, against "
                "heroes of 1 to 8 points. How many duels a battle sees, and so a price, needs a battle."
            ),
            sections=[Section("duels-section", "What Champion wins", "", (table, heat))],
            missing=[("Champion", "figures only: how often heroes meet needs a battle")],
            rulings=open_points("duel", rulings),
            method=(
                "Both heroes roll a die and add their cost in points, a Champion three more. All 36 dice pairs are "
                "counted; repeated challenges are an absorbing chain, solved exactly.",
            ),
            terms=terms(),
            files={"figures.csv": _file(prices, plain, champion)},
            checks={
                "wins, ties and losses sum to 36 in every duel": all(
                    bool(np.all(c.a_wins + c.tie + c.b_wins == 36)) for c in counts.values()
                ),
                "doubling is part of winning": all(
                    bool(np.all(c.a_doubles <= c.a_wins) and np.all(c.b_doubles <= c.b_wins)) for c in counts.values()
                ),
            },
        )


def _key(rulings: TriumphRulings) -> str:
    return "with" if rulings.champion_counts_itself else "with, not counting itself"


def _counts(columns: Columns) -> DuelCounts:
    size = len(costs())
    parts: list[IntArray] = [np.asarray(columns[name], dtype=np.int64).reshape(-1, size) for name in COLUMNS]
    return DuelCounts(*parts)


def _row(counts: DuelCounts, k: int) -> DuelCounts:
    return DuelCounts(*(getattr(counts, name)[k] for name in COLUMNS))


def _mean(wins: IntArray) -> float:
    return 100 * float(np.mean(wins / 36))


def _file(prices: Sequence[int], plain: DuelCounts, champion: DuelCounts) -> Table:
    rows = [
        {
            "hero": cost,
            "enemy": other,
            "without_wins": int(plain.a_wins[i, j]),
            "without_ties": int(plain.tie[i, j]),
            "with_wins": int(champion.a_wins[i, j]),
            "with_ties": int(champion.tie[i, j]),
        }
        for i, cost in enumerate(prices)
        for j, other in enumerate(prices)
    ]
    keys = ("hero", "enemy", "without_wins", "without_ties", "with_wins", "with_ties")
    return Table("duels", "duels", tuple(Column(key, key, "number", "duels won", 0) for key in keys), rows)
