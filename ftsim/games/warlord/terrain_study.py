"""Experiment ``terrain``: how long units of each race take to cross each kind of terrain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from ftsim.estimates import CONFIDENCE, format_number
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, HeatMap, Interval, IntervalChart, Section, Table
from ftsim.games.warlord.movement import Feature, March, Mover, Path, march, turns_to_clear
from ftsim.games.warlord.path_picture import path_drawing
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.random_fields import FEATURES, LENGTH, WIDEST, crossing_times
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
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit

UNITS = (
    "20 Human B + mail and plate", "20 Wood elf B", "20 Dwarf B + chain", "20 Western orc B", "20 Western goblin B",
    "10 Hill troll B", "10 Human B + mounted + chain",
)  # fmt: skip
TERRAIN = (
    "clear",
    "wood",
    "scrub",
    "broken",
    "bog",
    "fen",
    "swamp",
    "jungle",
    "steep_hill",
    "ford",
    "wall",
    "hedge",
    "fence",
)
EXAMPLES = (
    ("1 clear + 5 broken + 30 clear", "human", 20, 4, 1, 11, "Archers cross a river bed"),
    ("2 clear + wall + 30 clear", "orc", 20, 4, 1, 11, "Orcs cross a wall"),
    ("5 clear + 40 bog", "goblin", 22, 4, 2, Fraction(49, 2), "Goblins in a marsh, two turns"),
)


def compute(plan: Plan, profiles: Profiles, rulings: WarlordRulings) -> Columns:
    """Exact turns for every unit and terrain, then totals over random fields, one row a unit and terrain."""
    movers = [Mover.of(Unit.parse(text), profiles, rulings) for text in plan["units"]]
    turns = np.full((len(movers), len(plan["terrain"])), np.nan)
    for i, mover in enumerate(movers):
        for j, kind in enumerate(plan["terrain"]):
            terrain = terrains()[kind]
            width = Fraction(0) if terrain.shape == "linear" else Fraction(plan["width"])
            path = Path((Feature(terrain, Fraction(0), width),), width + mover.depth)
            found = turns_to_clear(path, mover, profiles, rulings)
            turns[i, j] = np.nan if found is None else float(found)
    repeat = len(plan["terrain"])
    columns: dict[str, Any] = {"turns": turns.ravel()}
    crossed, total, squares = (np.zeros(len(movers)) for _ in range(3))
    if plan["trials"]:
        kinds = [kind for kind in plan["terrain"] if kind != "clear"]
        times = crossing_times(kinds, movers, profiles, rulings, plan["trials"], plan["seed"])
        known = ~np.isnan(times)
        crossed, total = known.sum(1).astype(np.float64), np.nansum(times, 1)
        squares = np.nansum(times**2, 1)
    for name, values in (("crossed", crossed), ("total", total), ("squares", squares)):
        columns[name] = np.repeat(values, repeat)
    return columns


def _example(k: int) -> March:
    """A printed example, marched under the default rulings."""
    path, race, move, depth, turns, _, _ = EXAMPLES[k]
    mover = Mover(race, Fraction(move), Fraction(depth))
    return march(Path.parse(path), mover, shipped(), WarlordRulings(), turns=turns)


def examples_hold() -> bool:
    """Whether the printed examples come out as printed."""
    return all(_example(k).front == example[5] for k, example in enumerate(EXAMPLES))


class TerrainStudy:
    """Experiments on movement."""

    engine_version = 1

    def _plan(self, experiment: Experiment) -> dict[str, Any]:
        return {
            "units": texts(experiment, "unit", UNITS),
            "terrain": [terrains().find(t).id for t in texts(experiment, "terrain", TERRAIN)],
            "width": str(experiment.options.get("width", 20)),
            "trials": experiment.trials or 20_000,
            "seed": experiment.seed,
        }

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """A cell a ruling and two an assumed number."""
        return planned("terrain", compute, self._plan(experiment), experiment, DECLARED["march"])

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return provenance()

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Turns by unit and terrain, over random fields, and pictures of the printed examples."""
        plan, numbers = self._plan(experiment), profiles_of(experiment)
        names = [_short(text) for text in plan["units"]]
        kinds = [terrains()[kind].name for kind in plan["terrain"]]
        base = results[DEFAULT]
        turns = np.asarray(base["turns"], dtype=np.float64).reshape(len(names), -1)
        rows = [
            {"unit": name, **{f"t{j}": _or_none(turns[i, j]) for j in range(len(kinds))}}
            for i, name in enumerate(names)
        ]
        columns = [Column("unit", "Unit")]
        columns += [Column(f"t{j}", kind, "number", "turns to cross") for j, kind in enumerate(kinds)]
        table = Table("turns", f"Turns to cross {plan['width']} cm and clear it with the last rank", columns, rows,
                      "Exact. Obstacles have no width. A dash: no way through.")  # fmt: skip
        heat = HeatMap("turns-map", table.title, names, kinds, turns.tolist(), "turns", None, 2,
                       "The darker, the longer; empty where there is no way.")  # fmt: skip
        fields, chart = _fields(names, base, len(kinds), plan)
        pictures = [path_drawing(_example(k), f"example-{k}", example[6]) for k, example in enumerate(EXAMPLES)]

        def figure(cell: Columns) -> float:
            return float(np.nanmean(np.asarray(cell["turns"], dtype=np.float64)))

        slow = np.nanargmax(np.nanmean(turns, 1))
        fast = np.nanargmin(np.nanmean(turns, 1))
        hard = int(np.nanargmax(np.nanmean(turns, 0)))
        what = "Mean turns over units and terrain"
        return Findings(
            answer=(
                f"Of these units {names[fast]} cross {plan['width']} cm fastest "
                f"({format_number(float(np.nanmean(turns[fast])), 0.5)} turns on average) and {names[slow]} slowest "
                f"({format_number(float(np.nanmean(turns[slow])), 0.5)}); {kinds[hard].lower()} costs most time."
            ),
            because=(
                "Moves and most losses by terrain are assumptions: the profile sheets are not public. What comes "
                "from "
                "the rules is how losses apply: in depth, together, and at obstacles.",
            ),
            sections=[
                Section("crossing", "Turns to cross", "", (table, heat)),
                Section("fields", "Fields laid out at random", "", (fields, chart)),
                Section(
                    "examples",
                    "The printed examples",
                    "The bar is the unit from its rear to its front, turn by turn.",
                    pictures,
                ),
                rulings_section(results, figure, what, "turns to cross"),
                assumed_section(results, figure, numbers, what, "turns to cross"),
            ],
            missing=[("manoeuvres", "turning, wheeling and changing formation: their costs are not public")],
            rulings=open_points(experiment, DECLARED["march"]),
            assumed=assumed_points(results, numbers),
            method=(
                "A unit pays for each cm the product of all terrain it touches, from its front edge going in until "
                "its "
                "rear edge is out; all in fractions, nothing is rounded.",
                f"Fields: {plan['trials']:,} of {LENGTH} cm with {FEATURES} features of the kinds above at random "
                "places, "
                f"areas 1 to {WIDEST} cm wide; every unit crosses the same fields.",
            ),
            terms=terms(),
            files={"turns.csv": _file(names, kinds, turns)},
            checks={
                "the printed examples come out as printed": examples_hold(),
                "nothing is faster than clear ground": bool(
                    "clear" not in plan["terrain"]
                    or np.all(np.isnan(turns) | (turns >= turns[:, [plan["terrain"].index("clear")]] - 1e-9)
                              | (np.array([terrains()[k].shape == "linear" for k in plan["terrain"]])[None, :]))
                ),
            },
        )  # fmt: skip


def _short(text: str) -> str:
    return str(Unit.parse(text)).partition(" + ")[0] + (" mounted" if "mounted" in text else "")


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _fields(names: Sequence[str], base: Columns, repeat: int, plan: Plan) -> tuple[Table, IntervalChart]:
    crossed, total, squares = (
        np.asarray(base[name], dtype=np.float64)[::repeat] for name in ("crossed", "total", "squares")
    )
    lines, rows = [], []
    for i, name in enumerate(names):
        n = crossed[i]
        if n < 2:
            rows.append(
                {"unit": name, "mean": None, "interval": (np.nan, np.nan), "passed": 100 * n / plan["trials"]}
            )
            continue
        mean = total[i] / n
        half = 1.959964 * sqrt(max(0.0, squares[i] / n - mean**2) / n)
        rows.append(
            {"unit": name, "mean": mean, "interval": (mean - half, mean + half), "passed": 100 * n / plan["trials"]}
        )
        lines.append(Interval(name, mean, mean - half, mean + half, mean - half, mean + half))
    table = Table(
        "fields-table",
        "Mean turns over the fields that a unit can cross",
        (
            Column("unit", "Unit"),
            Column("mean", "Mean turns", "number", "mean turns", 3),
            Column("interval", f"{100 * CONFIDENCE:.0f} % interval", "interval", "mean turns", 3),
            Column("passed", "Fields crossed, %", "percent", "share", 1),
        ),
        rows,
    )
    return table, IntervalChart("fields-chart", "Mean turns over random fields", "turns", lines)


def _file(names: Sequence[str], kinds: Sequence[str], turns: Any) -> Table:
    rows = [
        {"unit": name, "terrain": kind, "turns": _or_none(turns[i, j])}
        for i, name in enumerate(names)
        for j, kind in enumerate(kinds)
    ]
    columns = (
        Column("unit", "unit"),
        Column("terrain", "terrain"),
        Column("turns", "turns", "number", "turns to cross", 6),
    )
    return Table("turns-file", "turns", columns, rows)
