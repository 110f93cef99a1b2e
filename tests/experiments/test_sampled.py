"""Sampled cells agree with exact ones, share dice where answers are compared, and repeat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ftsim.estimates import z_bound
from ftsim.experiments.runner import run_cells
from ftsim.games import RULESETS
from ftsim.games.triumph.grids import COUNT_COLUMNS, Counts, Grid, compute_grid
from ftsim.games.triumph.places import Place, Situation
from ftsim.games.triumph.ranged import Attack
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import troop_types

WOODS = Situation(Place(terrain="woods"), Place(terrain="woods"))
CLOSE = Grid(
    "close-combat",
    ("Elite Foot + Deadly", "Knights + Prowess", "Shooters + Hearten + Brittle"),
    ("Spear", "Warband + Terror", "Spear + Weaken", "Behemoths"),
    (Situation(), WOODS),
    seed=20260131,
)
FIZZLES = TriumphRulings(spellblast_limited="fizzles")
BLAST = Grid(
    "spellblast",
    ("Heavy Foot",),
    ("Spear", "Knights", "Rabble"),
    rulings=FIZZLES,
    attack=Attack("spellblast", "magical", limited=True),
    seed=5,
)


def counts(grid):
    return Counts.of(grid, compute_grid(grid))


def table(grid):
    return np.stack([counts(grid).columns[name] for name in COUNT_COLUMNS])


@pytest.mark.parametrize("grid", [CLOSE, BLAST], ids=["close combat", "spellblast that fizzles"])
def test_sampled_counts_lie_within_the_bound_of_exact_ones(grid):
    chance = table(grid) / 36
    trials = 40_000
    sampled = table(replace(grid, trials=trials))
    error = np.sqrt(chance * (1 - chance) * trials)
    assert np.all(np.abs(sampled - chance * trials) <= z_bound(chance.size) * error)


@pytest.mark.parametrize("grid", [CLOSE, BLAST], ids=["close combat", "spellblast that fizzles"])
def test_sampled_counts_sum_to_the_trials(grid):
    assert counts(replace(grid, trials=1_000)).identities()


def test_the_same_seed_gives_the_same_rolls():
    grid = replace(CLOSE, trials=500)
    assert np.array_equal(table(grid), table(replace(grid)))


@pytest.mark.parametrize("change", ["seed", "replicate"])
def test_eight_seeds_or_replicates_differ_pairwise_and_spread_like_dice(change):
    trials, chance = 2_000, table(CLOSE) / 36
    eight = np.stack([table(replace(CLOSE, trials=trials, **{change: k})) for k in range(8)])
    assert len({one.tobytes() for one in eight}) == 8
    variance = trials * chance * (1 - chance)
    rolled = variance > 0
    ratio = np.mean(np.var(eight, axis=0, ddof=1)[rolled] / variance[rolled])
    assert 0.75 < ratio < 1.25


def test_matchups_and_situations_roll_their_own_dice():
    grid = Grid("close-combat", ("Spear",) * 2, ("Spear",) * 2, (Situation(),) * 2, trials=1_000)
    ties = counts(grid).columns["tie"].ravel()
    assert len(set(ties.tolist())) > 4


def test_near_equal_factors_keep_their_order_on_shared_dice():
    trials, plain, shared, apart = 2_000, [], [], []
    for seed in range(200):
        grid = Grid("close-combat", ("Knights",), ("Spear",), trials=trials, seed=seed)
        better = replace(grid, bonus=1)
        other = replace(better, seed=seed + 10_000)
        one, up, away = (counts(g).columns for g in (grid, better, other))
        won = [int(c["b_beaten"][0, 0, 0] + c["b_doubled"][0, 0, 0]) for c in (one, up, away)]
        plain.append(won[0])
        shared.append(won[1] - won[0])
        apart.append(won[2] - won[0])
    assert np.mean(np.array(shared) > 0) >= 0.99
    assert np.var(apart) >= 2 * np.var(shared)


def bearers(text):
    types = [t.name for t in troop_types().values()]
    sampled = Grid("close-combat", tuple(types), ("Spear", "Knights"), trials=300)
    some = ("Knights", "Heavy Foot", "Raiders")
    return sampled, replace(sampled, a=tuple(name + text for name in some)), [types.index(name) for name in some]


@pytest.mark.parametrize("text", ["", " + Fierce"], ids=["no card", "a card without effect on the roll"])
def test_a_stand_keeps_its_dice_whichever_other_stands_are_in_the_cell(text):
    everyone, some, at = bearers(text)
    assert np.array_equal(counts(everyone).columns["tie"][:, at], counts(some).columns["tie"])


def test_a_sampled_cell_computed_alone_equals_that_of_a_run_on_two_processes(experiment, cells, tmp_path):
    some = cells(experiment(trials=200, price=[], rulings={"sweep": ["overlap"]}))
    run = run_cells(some, tmp_path, workers=2)
    alone = some[-1].run()
    assert all(np.array_equal(alone[name], column) for name, column in run.results[some[-1].key].items())


def test_five_replicates_are_five_results_of_every_cell_and_the_same_on_a_rerun(experiment, cells):
    one = cells(experiment(trials=50, price=[]))
    five = cells(experiment(trials=50, price=[], replicates=5))
    assert len({cell.id for cell in five}) == 5 * len({cell.id for cell in one})
    assert [cell.id for cell in five] == [cell.id for cell in cells(experiment(trials=50, price=[], replicates=5))]


def chances(one):
    study = RULESETS["triumph"].studies["close-combat"]()
    findings = study.findings(one, {cell.key: cell.run() for cell in study.cells(one)})
    return [row for row in findings.sections[0].parts[0].rows if row["card"] == "plain"]


@pytest.mark.parametrize("trials", [1, 400])
def test_a_sampled_chance_has_an_interval_with_width(experiment, trials):
    for row in chances(experiment(trials=trials, price=[])):
        low, high = row["b_destroyed_range"]
        assert low < row["b_destroyed"] < high


@pytest.mark.parametrize("trials", [1, 10, 400])
def test_intervals_of_sampled_chances_hold_the_exact_ones(experiment, trials):
    exact = chances(experiment(price=[]))
    sampled = chances(experiment(trials=trials, price=[]))
    held = [
        row["b_destroyed_range"][0] <= truth["b_destroyed"] <= row["b_destroyed_range"][1]
        for row, truth in zip(sampled, exact, strict=True)
    ]
    assert len(held) == 26
    assert sum(held) >= 21  # at 95 % each, fewer have a chance below 0.002
