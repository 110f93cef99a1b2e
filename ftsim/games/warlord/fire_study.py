"""Experiment ``fire``: what burning a building does to those inside, by part, policy and number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ftsim._typing import IntArray
from ftsim.estimates import format_number, z_bound
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, Lines, Section, Table
from ftsim.games.warlord.demolition import structures
from ftsim.games.warlord.fire import ENDINGS, POLICIES, Fire, burnt, put_out, solve
from ftsim.games.warlord.hit_charts import fire_survival, killed
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import DECLARED, WarlordRulings
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
from ftsim.games.warlord.units import Unit

PARTS = ("wattle_wall", "wood_wall", "thatch_roof")
NUMBERS = (5, 10, 20)
KINDS = ("ordinary", "magical")


def combinations(plan: Plan) -> list[tuple[str, str, str, int]]:
    """Part, kind of fire, policy and figures of each row of a cell."""
    return list(product(plan["parts"], plan["kinds"], plan["policies"], plan["figures"]))


def compute(plan: Plan, profiles: Profiles, rulings: WarlordRulings) -> Columns:
    """How fires end, exactly, and the counts of a sample of them; a row a combination."""
    rows, sampled = [], []
    for k, (name, kind, policy, figures) in enumerate(combinations(plan)):
        part = structures()[name]
        fire = Fire(part.chances(profiles), figures, policy, kind == "magical", part.burns, rulings)
        end = solve(fire)
        rows.append([*(end.chance(ending) for ending in ENDINGS), end.mean_survivors, end.mean_turns])
        counts: IntArray = np.zeros(len(ENDINGS) + 1, dtype=np.int64)
        if plan["trials"]:
            from ftsim.games.warlord.fire_kernel import sample

            found = sample(fire, plan["trials"], plan["seed"] + k, part.dice(profiles))
            counts[:-1] = np.rint(found.ends.sum(1) * plan["trials"]).astype(np.int64)
            counts[-1] = round(found.mean_survivors * plan["trials"])
        sampled.append(counts)
    values, drawn = np.array(rows), np.array(sampled)
    columns: dict[str, Any] = {name: values[:, k] for k, name in enumerate((*ENDINGS, "survivors", "turns"))}
    columns.update({f"sampled_{name}": drawn[:, k] for k, name in enumerate((*ENDINGS, "survivors"))})
    return columns


class FireStudy:
    """Experiments on fire."""

    engine_version = 1

    def _plan(self, experiment: Experiment) -> dict[str, Any]:
        return {
            "parts": [structures().find(t).id for t in texts(experiment, "part", PARTS)],
            "kinds": texts(experiment, "fire", KINDS),
            "policies": texts(experiment, "policy", POLICIES),
            "figures": [int(n) for n in texts(experiment, "figures", [str(n) for n in NUMBERS])],
            "trials": experiment.trials or 100_000,
            "seed": experiment.seed,
        }

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """A cell a ruling and two an assumed number."""
        return planned("fire", compute, self._plan(experiment), experiment, DECLARED["fire"])

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return provenance()

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """How fires end, what they cost, and the closed forms behind them."""
        plan, numbers = self._plan(experiment), profiles_of(experiment)
        unit = Unit.parse(str(experiment.options.get("unit", "20 Human B + spear + shield")))
        each = float(unit.points_each(numbers))
        base = results[DEFAULT]
        rulings = WarlordRulings.parse(experiment.rulings.set)
        rows: list[dict[str, Any]] = []
        for k, (name, kind, policy, figures) in enumerate(combinations(plan)):
            dead = figures - float(base["survivors"][k])
            rows.append(
                {
                    "part": structures()[name].name, "fire": kind, "policy": policy.replace("_", " "),
                    "figures": figures, "put_out": 100 * float(base["put_out"][k]),
                    "destroyed": 100 * float(base["destroyed"][k]), "left": 100 * float(base["left"][k]),
                    "survivors": float(base["survivors"][k]), "turns": float(base["turns"][k]), "lost": dead * each,
                }
            )  # fmt: skip
        most = max(plan["figures"])
        table = Table(
            "fires", "How fires end", FIRE_COLUMNS, rows, f"Exact. Points for figures of {unit}, {each:g} each."
        )
        fighters = list(range(1, 31))
        lines = Lines(
            "fighters",
            "Chance to put a fire out in one turn",
            "figures fighting it",
            "chance",
            [float(n) for n in fighters],
            {f"{n} points": [float(put_out(k, n, rulings)) for k in fighters] for n in (2, 4, 6, 8)},
            "All points of the turn must go in that turn; each figure removes one with a D100 of 50 or more.",
        )
        growth = Table(
            "growth",
            "Damage by the end of each turn",
            (
                Column("turn", "Turn", "number", "burning turns", 0),
                Column("ordinary", "Ordinary, T(T + 1) / 2", "number", "burning turns", 0),
                Column("magical", "Magical, T(T + 5) / 2", "number", "burning turns", 0),
            ),
            [{"turn": t, "ordinary": burnt(t, False), "magical": burnt(t, True)} for t in range(1, 9)],
        )

        def figure(cell: Columns) -> float:
            return float(np.mean(np.asarray(cell["survivors"], dtype=np.float64)))

        def of(policy: str, kind: str, column: str) -> float:
            picked = [k for k, row in enumerate(combinations(plan)) if row[1:] == (kind, policy, most)]
            return float(np.mean([base[column][k] for k in picked])) if picked else float("nan")

        what = "Mean survivors over all rows"
        hero = fire_survival("humanoid", 3, rulings, Fraction(1, 2))
        return Findings(
            answer=(
                f"Fighting a fire pays: {most} figures put an ordinary one out in "
                f"{format_number(100 * of('fight', 'ordinary', 'put_out'), 5)} of a hundred cases and a magical "
                "one "
                f"in {format_number(100 * of('fight', 'magical', 'put_out'), 5)}; who stays loses "
                f"{format_number(most - of('stay', 'ordinary', 'survivors'), 5)} figures of {most}, who leaves "
                "loses the building and nobody."
            ),
            because=(
                "Growth, thresholds and rolls are printed; the dice for defence values are assumptions, so burning "
                "times move with them.",
            ),
            sections=[
                Section("ends", "How fires end", "", (table,)),
                Section("closed", "Fire-fighting and growth", "", (lines, growth)),
                _characters(hero, rulings),
                rulings_section(results, figure, what, "survivors"),
                assumed_section(results, figure, numbers, what, "survivors"),
            ],
            missing=[
                ("spread", "fire from one part to another: each part burns alone"),
                ("second unit", "others outside that fight the same fire"),
            ],
            rulings=open_points(experiment, declared_for("fire", "wounds")),
            assumed=assumed_points(results, numbers),
            method=(
                "Exact: turn by turn over survivors and damage, averaged over the dice of the defence value. The "
                f"sampled process rolled {plan['trials']:,} fires a row; all its counts lie within the z-bound of "
                "the "
                "exact chances.",
            ),
            terms=terms(),
            files={"fires.csv": _file(plan, base)},
            checks={
                "endings sum to 1": bool(
                    np.allclose(sum(np.asarray(base[name], dtype=np.float64) for name in ENDINGS), 1)
                ),
                "sampled fires agree with the exact chances": _agrees(plan, base),
                "two wounds kill as enumerated": killed("humanoid", 2, WarlordRulings()) == Fraction(3873, 10000),
            },
        )


FIRE_COLUMNS = (
    Column("part", "Part"),
    Column("fire", "Fire"),
    Column("policy", "Policy"),
    Column("figures", "Figures", "number", "survivors", 0),
    Column("put_out", "Put out, %", "percent", "share", 1),
    Column("destroyed", "Destroyed, %", "percent", "share", 1),
    Column("left", "Left in time, %", "percent", "share", 1),
    Column("survivors", "Survivors", "number", "survivors"),
    Column("turns", "Turns", "number", "burning turns"),
    Column("lost", "Points lost", "number", "points lost", 0),
)


def _characters(hero: Sequence[Fraction], rulings: WarlordRulings) -> Section:
    rows = [{"turns": k, "alive": 100 * float(p)} for k, p in enumerate(hero, 1)]
    table = Table(
        "characters",
        "A human-sized character inside",
        (
            Column("turns", "Turns of rolling", "number", "burning turns", 0),
            Column("alive", "Alive, %", "percent", "share", 2),
        ),
        rows,
        f"Exact: each failed roll is two wounds on the hit chart, which kill a fresh figure with chance "
        f"{float(killed('humanoid', 2, rulings)):.4f}.",
    )
    return Section("characters-section", "Characters and monsters", "", (table,))


def _agrees(plan: Plan, base: Columns) -> bool:
    """Whether every sampled count lies within the z-bound of its exact chance."""
    trials, cells = plan["trials"], len(ENDINGS) * len(combinations(plan))
    bound = z_bound(cells)
    for name in ENDINGS:
        p = np.clip(np.asarray(base[name], dtype=np.float64), 0, 1)
        off = np.abs(np.asarray(base[f"sampled_{name}"], dtype=np.float64) - trials * p)
        if np.any(off > bound * np.sqrt(trials * p * (1 - p)) + bound**2 / 3 + 1e-6):
            return False
    return True


def _file(plan: Plan, base: Columns) -> Table:
    names = ("part", "fire", "policy", "figures")
    figures = (*ENDINGS, "survivors", "turns")
    rows = [
        {
            **dict(zip(names, combination, strict=True)),
            **{name: float(base[name][k]) for name in figures},
            **{f"sampled_{name}": int(base[f"sampled_{name}"][k]) for name in ENDINGS},
        }
        for k, combination in enumerate(combinations(plan))
    ]
    columns = [Column(name, name) for name in names[:3]] + [Column("figures", "figures", "number", "survivors", 0)]
    columns += [Column(name, name, "number", "share", 6) for name in figures]
    columns += [Column(f"sampled_{name}", f"sampled_{name}", "number", "share", 0) for name in ENDINGS]
    return Table("fires-file", "fires", columns, rows)
