"""Experiment ``cover``: what it is worth to stand in or behind terrain, in fights and under fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from ftsim.estimates import format_number
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, HeatMap, Section, Table
from ftsim.games.warlord.even import even_number, resized
from ftsim.games.warlord.fight import ENDINGS, Fight
from ftsim.games.warlord.fight_kernel import sample_counts, solve
from ftsim.games.warlord.missile import volley
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.study_parts import (
    DEFAULT,
    Plan,
    assumed_points,
    assumed_section,
    declared_for,
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

PLACES = ("clear", "scrub", "wood", "swamp", "fence", "hedge", "wall", "building")
ATTACKERS = ("20 Western orc B + spear + chain + shield", "20 Human B + sword + chain + shield")
DEFENDER = "20 Human B + spear + chain + shield"
SHOOTERS = "20 Human B + longbow"
READS = declared_for("fight", "missile")


def compute(plan: Plan, profiles: Profiles, rulings: WarlordRulings) -> Columns:
    """Fights and volleys against a defender in each place, a row an attacker and place."""
    defender, shooters = Unit.parse(plan["defender"]), Unit.parse(plan["shooters"])
    rows, counts = [], []
    for k, (text, place) in enumerate((a, p) for a in plan["attackers"] for p in plan["places"]):
        attacker, terrain = Unit.parse(text), terrains()[place]
        fight = Fight(attacker, defender, terrain)
        end = solve(fight, profiles, rulings)

        def score(n: int, attacker: Unit = attacker, fight: Fight = fight) -> float:
            return solve(Fight(resized(attacker, n), fight.b, fight.terrain), profiles, rulings).score

        even = 1.0 if plan.get("watched") else even_number(score, attacker.figures)
        shot = volley(shooters, defender, profiles, rulings, target_in=place)
        points = float(attacker.points_each(profiles))
        rows.append([end.score, end.rounds, *end.mean_left, even, points, float(shot.casualties.mean)])
        sampled = np.zeros(len(ENDINGS), dtype=np.int64)
        if plan["trials"]:
            row = sample_counts(fight, profiles, rulings, plan["trials"], plan["seed"] + k)
            sampled = row[:-1].reshape(len(ENDINGS), -1).sum(1)
        counts.append([*sampled, *end.ends.sum((1, 2))])
    values, drawn = np.array(rows), np.array(counts)
    names = ("score", "rounds", "left_a", "left_b", "even", "points", "kills")
    columns: dict[str, Any] = {name: values[:, k] for k, name in enumerate(names)}
    for k, name in enumerate(ENDINGS):
        columns[f"sampled_{name}"] = drawn[:, k].astype(np.int64)
        columns[f"p_{name}"] = drawn[:, len(ENDINGS) + k]
    return columns


class CoverStudy:
    """Experiments on cover."""

    engine_version = 1

    def _plan(self, experiment: Experiment) -> dict[str, Any]:
        options = experiment.options
        return {
            "attackers": [str(Unit.parse(t)) for t in texts(experiment, "attacker", ATTACKERS)],
            "places": [terrains().find(t).id for t in texts(experiment, "terrain", PLACES)],
            "defender": str(Unit.parse(str(options.get("defender", DEFENDER)))),
            "shooters": str(Unit.parse(str(options.get("shooters", SHOOTERS)))),
            "trials": experiment.trials or 50_000,
            "seed": experiment.seed,
        }

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """A cell a ruling and two an assumed number."""
        return planned("cover", compute, self._plan(experiment), experiment, READS)

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return provenance()

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """What each place is worth, against whom, and on what that hangs."""
        plan, numbers = self._plan(experiment), profiles_of(experiment)
        places = [terrains()[p].name for p in plan["places"]]
        shape = (len(plan["attackers"]), len(places))
        base = {name: np.asarray(v, dtype=np.float64).reshape(shape) for name, v in results[DEFAULT].items()}
        open_at = plan["places"].index("clear")
        worth = (base["even"] - base["even"][:, [open_at]]) * base["points"]
        rows: list[dict[str, Any]] = [
            {
                "attacker": text, "place": place, "score": float(base["score"][i, j]),
                "rounds": float(base["rounds"][i, j]), "even": _or_none(base["even"][i, j]),
                "worth": _or_none(worth[i, j]), "kills": float(base["kills"][i, j]),
            }
            for i, text in enumerate(plan["attackers"])
            for j, place in enumerate(places)
        ]  # fmt: skip
        table = Table(
            "places",
            f"{plan['defender']} attacked in each place",
            COLUMNS,
            rows,
            f"Exact. The attackers charge. Kills: a volley of {plan['shooters']} at short range. A dash: even "
            "a hundred attackers lose.",
        )
        names = [text.partition(" + ")[0] for text in plan["attackers"]]
        heat = HeatMap("scores", "Score of the attackers", names, places, base["score"].tolist(), "score", 0.5, 2)
        walls = [j for j, p in enumerate(plan["places"]) if p in ("wall", "hedge", "building")] or [open_at]

        def figure(cell: Columns) -> float:
            return float(np.asarray(cell["score"], dtype=np.float64).reshape(shape)[:, walls].mean())

        best = int(np.argmin(base["score"].mean(0)))
        what = "Mean score of the attackers at walls, hedges and buildings"
        return Findings(
            answer=(
                f"A {places[best].lower()} lowers the attackers' score most, from "
                f"{format_number(float(base['score'][:, open_at].mean()), 0.5)} in the open to "
                f"{format_number(float(base['score'][:, best].mean()), 0.5)}."
            ),
            because=(
                "Walls, hedges and fences cover both sides in combat, so they make fights longer rather than uneven; "
                "woods and swamps cost the attacker most because a charge there disorders him.",
                "Who has which cover is printed; by how much it lowers percentages is an assumption. The ranking of "
                "places follows from the rules, the points from the assumed numbers.",
            ),
            sections=[
                Section("worth", "What each place is worth", "", (table, heat)),
                rulings_section(results, figure, what, "score"),
                assumed_section(results, figure, numbers, what, "score"),
            ],
            missing=[("several units", "supports, flanks that open during a fight, and shooting before it")],
            rulings=open_points(experiment, READS),
            assumed=assumed_points(results, numbers),
            method=(
                "A fight is solved exactly over figures left and the ground it has moved to: rounds are "
                "simultaneous, the "
                "side that kills more pushes back, the beaten side tests morale.",
                "The even number is found by bisection over whole figures and between them by the log-odds.",
            ),
            terms=terms(),
            files={"places.csv": _file(plan, results[DEFAULT])},
            checks={
                "endings sum to 1": bool(np.allclose(sum(base[f"p_{name}"] for name in ENDINGS), 1)),
                "heavier cover never brings more kills": bool(
                    np.all(base["kills"] <= base["kills"][:, [open_at]] + 1e-9)
                ),
                "sampled fights agree with the exact chances": _agrees(plan, base),
            },
        )


COLUMNS = (
    Column("attacker", "Attackers"),
    Column("place", "Place"),
    Column("score", "Score", "number", "score", 3),
    Column("rounds", "Rounds", "number", "rounds"),
    Column("even", "Even number", "number", "even number"),
    Column("worth", "Worth in points", "number", "worth of cover", 0),
    Column("kills", "Kills of a volley", "number", "kills"),
)


def _or_none(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def _agrees(plan: Plan, base: Mapping[str, Any]) -> bool:
    from ftsim.estimates import z_bound

    trials = plan["trials"]
    bound = z_bound(base["score"].size * len(ENDINGS))
    for name in ENDINGS:
        p = np.clip(base[f"p_{name}"], 0, 1)
        off = np.abs(base[f"sampled_{name}"] - trials * p)
        if np.any(off > bound * np.sqrt(trials * p * (1 - p)) + bound**2 / 3 + 1e-6):
            return False
    return True


def _file(plan: Plan, cell: Columns) -> Table:
    pairs = [(a, p) for a in plan["attackers"] for p in plan["places"]]
    names = ("score", "rounds", "left_a", "left_b", "even", "kills")
    rows = [
        {
            "attacker": a,
            "place": p,
            **{name: _or_none(float(cell[name][k])) for name in names},
            **{f"sampled_{name}": int(cell[f"sampled_{name}"][k]) for name in ENDINGS},
        }
        for k, (a, p) in enumerate(pairs)
    ]
    columns = [Column("attacker", "attacker"), Column("place", "place")]
    columns += [Column(name, name, "number", "score", 6) for name in names]
    columns += [Column(f"sampled_{name}", f"sampled_{name}", "number", "score", 0) for name in ENDINGS]
    return Table("places-file", "places", columns, rows)
