"""Win rates of whole battles, sampled: an army against another, or against all archetypes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ftsim.errors import InputError, UnknownNameError
from ftsim.estimates import format_number, proportion
from ftsim.games.triumph.armies import check_army
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.build import Board
from ftsim.games.triumph.battle.engine import BattleOptions, fight
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.ruleset import Answer

USUAL_TRIALS = 1000
OPTIONS = ("policy", "enemy_policy", "topography")


def read_host(text: str, rulings: TriumphRulings) -> Host:
    """A legal army from a file, or an archetype by name.

    Raises
    ------
    InputError, UnknownNameError
        If there is neither, or the army is not legal.
    """
    if text.endswith((".yaml", ".yml")):
        return Host.from_army(check_army(Path(text), rulings))
    if text not in archetypes():
        raise UnknownNameError("archetype army", text, archetypes())
    return archetypes()[text]


def battle(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """Win rates of army `a` against `b`, or against every archetype when `b` is ``field``."""
    decided = TriumphRulings.parse(rulings)
    wrong = [key for key in situation if key not in OPTIONS]
    if wrong:
        raise UnknownNameError("situation", wrong[0], OPTIONS)
    policy = situation.get("policy", "greedy")
    options = BattleOptions(
        policy,
        situation.get("enemy_policy", policy),
        Board(topography=situation.get("topography")),
        decided,
    )
    count = trials or USUAL_TRIALS
    if count > 10**7:
        raise InputError(f"--trials: at most 10,000,000 battles, got {count}")
    count = -(-count // 4) * 4  # seats and first moves rotate with the trial
    mine = read_host(a, decided)
    others = archetypes() if b == "field" else {b: read_host(b, decided)}
    numbers = np.arange(count, dtype=np.int64)
    pairs = np.tile(np.array([0, 1], dtype=np.int64), (count, 1))
    found = {name: fight([mine, other], pairs, numbers, options, seed, workers=2) for name, other in others.items()}
    wins, draws, losses = (sum(x) for x in zip(*(one.counts() for one in found.values()), strict=True))
    total = wins + draws + losses
    data: dict[str, Any] = {"exact": False, "trials": total}
    for key, n in (("a_wins", wins), ("b_wins", losses), ("draw", draws)):
        estimate = proportion(n, total)
        data[key] = {"p": estimate.value, "low": estimate.low, "high": estimate.high}
    data["mean_turns"] = float(np.mean([one.rows[:, 1].mean() for one in found.values()]))
    data["rulings"] = decided.changed()
    data["policy"] = {"a": options.policy, "b": options.enemy_policy}
    rows = [
        ("battles", label, _percent(data[key]))
        for key, label in (("a_wins", "A wins"), ("b_wins", "B wins"), ("draw", "draw"))
    ]
    rows.append(("battles", "mean player turns", f"{data['mean_turns']:.1f}"))
    if b == "field":
        for name, one in found.items():
            won, _, _ = one.counts()
            share = proportion(won, count)
            rows.append(("A wins against", name, _percent({"p": share.value, "low": share.low, "high": share.high})))
    notes = [
        f"policy {options.policy} against {options.enemy_policy}",
        "the lane battle, an abstraction of the table",
    ]
    return Answer((mine.name, "all archetypes" if b == "field" else others[b].name), False, data, rows, notes)


def _percent(entry: Mapping[str, float]) -> str:
    half = max(entry["high"] - entry["p"], entry["p"] - entry["low"])
    p, low, high = (format_number(100 * entry[key], error=100 * half) for key in ("p", "low", "high"))
    return f"{p:>6} %   [{low}, {high}]"
