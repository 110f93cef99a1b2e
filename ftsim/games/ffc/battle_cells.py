"""Cells of battle experiments: blocks of battles, and their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ftsim._typing import IntArray
from ftsim.experiments.study import Cell, Columns
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.driver import Battles, Scenario, play, table
from ftsim.games.ffc.policies import Policy
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.games.ffc.study_parts import BLOCK, ENGINE_VERSION
from ftsim.streams import stream_key


def compute_block(
    policy: Sequence[Any], settings: Mapping[str, Any], scenario: Mapping[str, Any], key: int, start: int, count: int
) -> Columns:
    """A block of battles of random deals: a column for each column of the results, and the plays."""
    player = Policy(policy[0], dict(policy[1]))
    state = table(Scenario(**scenario), (player, player), FfcRulings(**settings), key)
    battles = play(state, count, start=start)
    columns: dict[str, Any] = {f"c{k}": battles.out[:, k].astype(np.int32) for k in range(at.O_COLUMNS)}
    plays = np.zeros(count, dtype=np.int64)
    plays[: battles.plays.size] = battles.plays.ravel()
    columns["plays"] = plays
    return columns


def battle_cells(
    label: str,
    policy: Policy,
    rulings: FfcRulings,
    scenario: Mapping[str, Any],
    seed: int,
    trials: int,
) -> list[Cell]:
    """Cells of one scenario; all policies and rulings share the dice."""
    # The deal and the dice are the same for every ruling and policy, so differences are theirs.
    key = stream_key(seed, {"game": "ffc", "contest": "battle", "scenario": dict(scenario)})
    found = []
    for start in range(0, trials, BLOCK):
        count = min(BLOCK, trials - start)
        arguments: dict[str, Any] = {
            "policy": [policy.name, dict(policy.changes)],
            "settings": rulings.settings(),
            "scenario": dict(scenario),
            "key": key,
            "start": start,
            "count": count,
        }
        reads = {"engine": ENGINE_VERSION, "contest": "ffc battle", "parameters": policy.numbers(), **arguments}
        found.append(Cell(f"{label} {start}", reads, compute_block, arguments))
    return found


def battles_of(label: str, results: Mapping[str, Columns]) -> Battles:
    """All battles of a scenario, in the order of their trials."""
    outs, plays = [], np.zeros((2, 60), dtype=np.int64)
    start = 0
    while f"{label} {start}" in results:
        columns = results[f"{label} {start}"]
        out: IntArray = np.stack([np.asarray(columns[f"c{k}"], dtype=np.int64) for k in range(at.O_COLUMNS)], axis=1)
        outs.append(out)
        plays += np.asarray(columns["plays"], dtype=np.int64)[:120].reshape(2, 60)
        start += len(out)
    return Battles(np.concatenate(outs), plays)
