"""Published counts stand in for sampling: exactly what was counted, for exactly the same cell, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.experiments.records import COUNTS, counts_text, read_counts
from ftsim.experiments.runner import run_cells
from ftsim.experiments.study import Cell


def sampled(k, record=True):
    return Cell(
        f"sampled {k}", {"sampled": k}, dict, {"wins": np.arange(k + 2), "draws": np.arange(k + 2) * 3}, record
    )


def texts(k):
    return Cell(f"texts {k}", {"texts": k}, dict, {"outcomes": np.array(["WLD" * (k + 1)])}, True)


def test_counts_come_back_as_they_went(tmp_path):
    cells = [sampled(1), texts(1), sampled(2), sampled(3, record=False)]
    results = run_cells(cells, tmp_path / "a").results
    (tmp_path / COUNTS).write_text(counts_text(cells, results), encoding="utf-8")
    found = read_counts([tmp_path])
    assert set(found) == {cell.id for cell in cells[:3]}
    for cell in cells[:3]:
        for name, values in results[cell.key].items():
            assert (found[cell.id][name] == values).all()
    assert counts_text(cells, {**results, **{c.key: found[c.id] for c in cells[:3]}}) == counts_text(cells, results)


def test_counts_of_kept_cells_are_written_as_those_just_computed(tmp_path):
    cells = [sampled(1), texts(1)]
    fresh, kept = run_cells(cells, tmp_path / "a"), run_cells(cells, tmp_path / "a")
    assert kept.kept == 2
    assert counts_text(cells, kept.results) == counts_text(cells, fresh.results)


def test_published_counts_spare_the_sampling_unless_fresh(tmp_path):
    cells = [sampled(1), sampled(2, record=False)]
    results = run_cells(cells, tmp_path / "a").results
    (tmp_path / COUNTS).write_text(counts_text(cells, results), encoding="utf-8")
    run = run_cells(cells, tmp_path / "b", published=read_counts([tmp_path]))
    assert (run.computed, run.kept, run.published) == (1, 1, 1)
    again = run_cells(cells, tmp_path / "c", published=read_counts([tmp_path]), fresh=True)
    assert (again.computed, again.published) == (2, 0)


def test_counts_of_another_cell_are_not_used(tmp_path):
    cells = [sampled(1)]
    (tmp_path / COUNTS).write_text(counts_text(cells, run_cells(cells, tmp_path / "a").results), encoding="utf-8")
    assert run_cells([sampled(2)], tmp_path / "b", published=read_counts([tmp_path])).computed == 1


def test_only_whole_numbers_are_recorded(tmp_path):
    cell = Cell("share", {"share": 1}, dict, {"share": np.array([0.5])}, True)
    with pytest.raises(InputError, match="whole numbers"):
        counts_text([cell], run_cells([cell], tmp_path).results)


@pytest.mark.parametrize("damage", ["", "wins,draws\n1,2\n", "cell,wins\nx\n", "\x00"])
def test_damaged_counts_are_left_out(tmp_path, damage):
    (tmp_path / COUNTS).write_text(damage, encoding="utf-8")
    assert read_counts([tmp_path, tmp_path / "nowhere"]) == {}


def test_no_recorded_cell_no_file(tmp_path):
    cells = [sampled(1, record=False)]
    assert counts_text(cells, run_cells(cells, tmp_path).results) is None
