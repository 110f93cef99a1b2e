"""Cells on disk are whole or not there; their names follow what they read and nothing else."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from hashlib import sha256
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ftsim.catalog import Catalog, Source
from ftsim.conditions import Condition, RuleRow
from ftsim.experiments import cells as cells_module
from ftsim.experiments.cells import CellStore, claim, write_text
from ftsim.experiments.study import Cell
from ftsim.games.triumph.grids import Grid, compute_grid
from ftsim.games.triumph.places import Place, Situation
from ftsim.games.triumph.ranged import Attack
from ftsim.games.triumph.rules import rule_tables
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import troop_types

WOODS = Situation(Place(terrain="woods"), Place(terrain="woods"))
GRID = Grid("close-combat", ("Elite Foot + Deadly", "Knights"), ("Spear", "Warband"))
GRIDS = {
    "close combat": replace(GRID, situations=(Situation(), WOODS)),
    "shooting": Grid("ranged", ("Shooters",), ("Spear", "Knights"), (WOODS,), attack=Attack("shooting")),
}


@pytest.fixture
def stored(tmp_path):
    store, cell = CellStore(tmp_path), GRIDS["close combat"].cell("a grid")
    store.save(cell, cell.run())
    return store, cell


def same(one, other):
    return list(one) == list(other) and all(
        one[name].dtype == other[name].dtype and np.array_equal(one[name], other[name]) for name in one
    )


def everywhere(monkeypatch, original, new):
    """Replace a function in every module that has imported it."""
    name = original.__name__
    for module in list(sys.modules.values()):
        if getattr(module, name, None) is original:
            monkeypatch.setattr(module, name, new)


# ------------------------------------------------------------------ on disk


def test_a_saved_cell_is_read_back_as_it_was(stored):
    store, cell = stored
    once = store.load(cell)
    store.save(cell, cell.run())
    assert same(store.load(cell), once)
    assert np.array_equal(once["tie"], cell.run()["tie"])
    assert [path.name for path in store.folder.iterdir()] == [f"{cell.id}.parquet"]


def test_a_cell_that_is_not_there_is_none(tmp_path):
    assert CellStore(tmp_path).load(GRID.cell("x")) is None


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_not_read(stored, share):
    store, cell = stored
    raw = store.path(cell).read_bytes()
    store.path(cell).write_bytes(raw[: int(len(raw) * share)])
    assert store.load(cell) is None


def test_a_file_with_a_flipped_bit_is_read_as_it_was_or_not_at_all(stored):
    store, cell = stored
    path, good, rng = store.path(cell), store.load(cell), random.Random(20260131)
    raw = path.read_bytes()
    footer = int.from_bytes(raw[-8:-4], "little") + 8
    places = [rng.randrange(len(raw)) for _ in range(200)]
    places += [len(raw) - 1 - rng.randrange(footer) for _ in range(400)]
    for place in places:
        flipped = bytearray(raw)
        flipped[place] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        found = store.load(cell)
        assert found is None or same(found, good), f"byte {place} of {len(raw)}"


def test_the_file_of_another_cell_is_not_read(stored):
    store, cell = stored
    other = GRIDS["shooting"].cell("another grid")
    store.save(other, other.run())
    store.path(other).replace(store.path(cell))
    assert store.load(cell) is None


def test_a_parquet_file_from_elsewhere_is_not_read(stored):
    store, cell = stored
    pq.write_table(pa.table({"a": [1, 2, 3]}), store.path(cell))
    assert store.load(cell) is None


@pytest.mark.parametrize("raw", [b"", b"PAR1", b"not parquet at all", bytes(range(256)) * 20])
def test_a_file_that_is_no_parquet_is_not_read(stored, raw):
    store, cell = stored
    store.path(cell).write_bytes(raw)
    assert store.load(cell) is None


def test_a_file_of_another_layout_is_not_read(stored, monkeypatch):
    store, cell = stored
    monkeypatch.setattr(cells_module, "SCHEMA_VERSION", cells_module.SCHEMA_VERSION + 1)
    assert store.load(cell) is None


def test_a_cell_that_cannot_be_written_leaves_nothing_behind(tmp_path):
    store, cell = CellStore(tmp_path), GRID.cell("x")
    with pytest.raises(pa.ArrowException):
        store.save(cell, {"a": np.arange(2), "b": np.arange(3)})
    assert list(store.folder.iterdir()) == []


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "page.html"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "half \ud800")
    assert path.read_text() == "old"
    assert [found.name for found in tmp_path.iterdir()] == ["page.html"]


def test_a_folder_is_free_again_after_its_run(tmp_path):
    for _ in range(2):
        with claim(tmp_path / "results"):
            pass


# ------------------------------------------------------------------ names of cells


def test_a_name_does_not_hang_on_the_other_cells(experiment, cells):
    alone = {cell.key: cell.id for cell in cells(experiment())}
    more = experiment(
        sweep={"card": ["Hearten", "Deadly", "Prowess"], "figures": ["Fierce"]}, rulings={"sweep": ["overlap"]}
    )
    among = {cell.key: cell.id for cell in cells(more)}
    assert alone.items() <= among.items()


def test_no_two_cells_of_an_experiment_share_a_key(experiment, cells):
    keys = [cell.key for cell in cells(experiment(sweep={"card": ["Deadly"], "figures": ["Fierce", "Craven"]}))]
    assert len(set(keys)) == len(keys)


def test_equal_cells_have_equal_names_whatever_their_keys():
    assert GRID.cell("one").id == GRID.cell("other").id


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_rulings_of_other_contests_leave_a_name_alone(grid):
    other = TriumphRulings(duel_result="away", general_protects_vs_mindblast=True)
    assert replace(grid, rulings=other).cell("x").id == grid.cell("x").id


CHANGES = {
    "a": ("Elite Foot", "Knights"),
    "b": ("Spear", "Warriors"),
    "situations": (WOODS,),
    "rulings": TriumphRulings(overlap=0),
    "bonus": 1,
    "trials": 10,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_name_changes_with_what_the_cell_reads(name):
    assert replace(GRID, **{name: CHANGES[name]}).cell("x").id != GRID.cell("x").id


@pytest.mark.parametrize("attack", [Attack("ranged_attack"), Attack("shooting", "magical")], ids=str)
def test_a_name_changes_with_the_attack(attack):
    grid = GRIDS["shooting"]
    assert replace(grid, attack=attack).cell("x").id != grid.cell("x").id


def test_the_seed_and_the_replicate_name_sampled_cells_only():
    for change in ({"seed": 2}, {"replicate": 1}):
        assert replace(GRID, **change).cell("x").id == GRID.cell("x").id
        sampled = replace(GRID, trials=10)
        assert replace(sampled, **change).cell("x").id != sampled.cell("x").id


def with_row(monkeypatch, condition, enemy):
    row = RuleRow(
        "new", Condition.parse(condition), Condition.parse(enemy), Condition(), 1, Source("a test", "assumed")
    )
    original = rule_tables

    def more(contest, rulings):
        tables = original(contest, rulings)
        rows = SimpleNamespace(rows=(*tables.factors["a"].rows, row))
        return replace(tables, factors={**tables.factors, "a": rows})

    everywhere(monkeypatch, rule_tables, more)


@pytest.mark.parametrize(("own", "enemy"), [("fierce", ""), ("foot", "massive"), ("weaken|brittle", "")])
def test_rows_for_other_cards_leave_a_name_alone(monkeypatch, own, enemy):
    before = GRID.cell("x").id
    with_row(monkeypatch, own, enemy)
    assert GRID.cell("x").id == before


@pytest.mark.parametrize(("own", "enemy"), [("", ""), ("deadly", ""), ("foot", "warband|brittle"), ("!fierce", "")])
def test_rows_that_can_apply_change_a_name(monkeypatch, own, enemy):
    before = GRID.cell("x").id
    with_row(monkeypatch, own, enemy)
    assert GRID.cell("x").id != before


def test_a_type_with_another_factor_changes_a_name(monkeypatch):
    before = GRID.cell("x").id
    types = [replace(t, cf_vs_foot=t.cf_vs_foot + (t.id == "spear")) for t in troop_types().values()]
    side = replace(GRID).sides[1][0]
    changed = Catalog("troop type", types)["spear"]
    monkeypatch.setitem(side.__dict__, "troop_type", changed)
    assert replace(GRID).cell("x").id != before


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_terrain_that_is_no_longer_difficult_changes_a_name_or_nothing(monkeypatch, grid):
    before, counts = replace(grid).cell("x").id, compute_grid(replace(grid))
    easy = Catalog("terrain", [replace(t, difficult=False) for t in terrains().values()])
    everywhere(monkeypatch, terrains, lambda: easy)
    after, recounted = replace(grid).cell("x").id, compute_grid(replace(grid))
    assert after != before or same(counts, recounted)


def test_a_name_is_a_hash_that_any_process_makes_again():
    cell = Cell("x", {"b": [1, 2.5, None], "a": {"z": True, "y": "é"}}, dict)
    spelling = '{"a":{"y":"é","z":true},"b":[1,2.5,null]}'
    assert cell.id == sha256(spelling.encode()).hexdigest()[:32]
