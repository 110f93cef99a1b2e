"""Running cells: the same bytes on any number of processes, and nothing finished is lost or done again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from ftsim.errors import FtsimError, InputError, PartialError
from ftsim.experiments.cells import CellStore
from ftsim.experiments.runner import run_cells
from ftsim.experiments.study import Cell
from ftsim.games import RULESETS
from ftsim.games.triumph.rulings import DECLARED
from ftsim.report.publish import documents, publish, read_results, study_of

TRIUMPH = RULESETS["triumph"]
#: The command line with a rest after each cell, so that a signal finds it at work on the fastest machine.
UNHURRIED = """
import time
from ftsim.cli import main
from ftsim.experiments.cells import CellStore

save = CellStore.save

def save_and_rest(*given):
    save(*given)
    time.sleep(0.2)

CellStore.save = save_and_rest
main()
"""
FTSIM = (sys.executable, "-c", UNHURRIED)


def toy(k):
    # A function of the standard library, so that it travels to other processes.
    return Cell(f"toy {k}", {"toy": k}, dict, {"n": np.arange(k + 3)})


BROKEN = Cell("broken toy", {"toy": "broken"}, json.loads, {"s": "{"})


def parquet(folder):
    return {path.name for path in (folder / "cells").glob("*.parquet")}


# ------------------------------------------------------------------ the same bytes


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_processes_writes_the_same_bytes(swept, reference, contents, tmp_path, workers):
    made = publish(swept, TRIUMPH, tmp_path, workers=workers)
    assert made.run.computed == len(reference.run.results)
    assert contents(made.folder) == contents(reference.folder)
    assert list(made.run.results) == list(reference.run.results)


@pytest.mark.parametrize("workers", [1, 2])
def test_any_order_of_cells_writes_the_same_bytes(swept, reference, cells, contents, tmp_path, workers):
    run = run_cells(cells(swept)[::-1], tmp_path, workers=workers)
    assert contents(tmp_path / "cells") == contents(reference.folder / "cells")
    study = study_of(swept, TRIUMPH)
    pages = documents(swept, study, study.findings(swept, run.results))
    assert {name: text.encode() for name, text in pages.items()}.items() <= contents(reference.folder).items()


def test_the_order_of_equal_cells_under_two_keys_changes_no_byte(contents, tmp_path):
    one, other = (Cell(key, {"toy": 1}, dict, {"n": np.arange(3)}) for key in ("one", "other"))
    run_cells([one, other], tmp_path / "there")
    run_cells([other, one], tmp_path / "back")
    assert contents(tmp_path / "there") == contents(tmp_path / "back")


def test_publishing_again_changes_no_byte(swept, reference, contents):
    before = contents(reference.folder)
    again = publish(swept, TRIUMPH, reference.folder.parent)
    assert (again.run.computed, again.run.kept) == (0, len(reference.run.results))
    assert contents(reference.folder) == before


def test_nothing_published_tells_where_or_when_it_was_made(reference, contents):
    place = str(reference.folder.parent).encode()
    published = contents(reference.folder)
    assert not [name for name, raw in published.items() if place in raw]
    assert {"run.json", "prices.csv", "index.html"} <= set(published)


def test_cells_that_were_kept_give_the_same_results_as_cells_just_computed(swept, cells, tmp_path):
    fresh = run_cells(cells(swept), tmp_path).results
    kept = run_cells(cells(swept), tmp_path).results
    for key, columns in fresh.items():
        assert list(columns) == list(kept[key])
        assert all(np.array_equal(columns[name], kept[key][name]) for name in columns)


# ------------------------------------------------------------------ what is done again


def test_equal_cells_are_computed_once(tmp_path):
    run = run_cells([toy(1), toy(2), toy(1)], tmp_path)
    assert (run.computed, run.kept, len(run.results)) == (2, 0, 2)


def test_only_missing_cells_are_computed(tmp_path):
    some = [toy(k) for k in range(5)]
    run_cells(some[:3], tmp_path)
    run = run_cells(some, tmp_path)
    assert (run.computed, run.kept, run.damaged) == (2, 3, ())


def test_fresh_computes_everything_again(tmp_path):
    some = [toy(k) for k in range(3)]
    run_cells(some, tmp_path)
    run = run_cells(some[:2], tmp_path, fresh=True)
    assert (run.computed, run.kept) == (2, 0)
    assert len(parquet(tmp_path)) == 2


def damage(store, cell, how):
    path = store.path(cell)
    raw = bytearray(path.read_bytes())
    if how == "truncated":
        path.write_bytes(raw[:-20])
    elif how == "flipped":
        raw[40] ^= 4
        path.write_bytes(raw)
    else:
        store.path(toy(1)).replace(path)


@pytest.mark.parametrize("how", ["truncated", "flipped", "foreign"])
def test_a_damaged_cell_is_computed_again_and_named(tmp_path, how):
    some, store = [toy(k) for k in range(3)], CellStore(tmp_path)
    run_cells(some, tmp_path)
    before = store.path(some[0]).read_bytes()
    damage(store, some[0], how)
    run = run_cells([some[0], some[2]], tmp_path)
    assert run.damaged == (store.path(some[0]).name,)
    assert (run.computed, run.kept) == (1, 1)
    assert np.array_equal(run.results["toy 0"]["n"], np.arange(3))
    assert store.path(some[0]).read_bytes() == before


def test_half_written_files_are_no_results(tmp_path):
    run_cells([toy(0)], tmp_path)
    store = CellStore(tmp_path)
    raw = store.path(toy(0)).read_bytes()
    (store.folder / f".{toy(1).id}.parquet.123.tmp").write_bytes(raw)
    (store.folder / f".{toy(2).id}.parquet.123.tmp").write_bytes(raw[:50])
    run = run_cells([toy(0), toy(1), toy(2)], tmp_path)
    assert (run.computed, run.kept, run.damaged) == (2, 1, ())


# ------------------------------------------------------------------ what fails


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cell_that_fails_is_reported_and_the_others_are_kept(tmp_path, workers):
    with pytest.raises(PartialError, match=r"1 of 4 cells failed.*\n.*broken toy: JSONDecodeError") as failure:
        run_cells([toy(0), BROKEN, toy(1), toy(2)], tmp_path, workers=workers)
    assert failure.value.exit_code == 5
    assert parquet(tmp_path) == {f"{toy(k).id}.parquet" for k in range(3)}
    run = run_cells([toy(k) for k in range(3)], tmp_path)
    assert (run.computed, run.kept) == (0, 3)


def test_an_experiment_with_a_cell_that_fails_publishes_nothing(experiment, contents, monkeypatch, tmp_path):
    study = study_of(experiment(), TRIUMPH)
    monkeypatch.setattr(type(study), "cells", lambda self, experiment: [toy(0), BROKEN])
    with pytest.raises(PartialError):
        publish(experiment(), TRIUMPH, tmp_path)
    assert list(contents(tmp_path / "small")) == [f"cells/{toy(0).id}.parquet"]


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_are_refused(tmp_path, workers):
    with pytest.raises(InputError, match=f"at least 1, got {workers}"):
        run_cells([toy(0)], tmp_path, workers=workers)


def test_progress_counts_from_what_was_kept_to_all(tmp_path):
    run_cells([toy(0)], tmp_path)
    told = []
    run_cells([toy(k) for k in range(4)], tmp_path, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


# ------------------------------------------------------------------ two runs at once


def test_of_eight_runs_at_once_in_one_folder_one_works_and_seven_are_refused(experiment, contents, tmp_path):
    start = Barrier(8)

    def run(k):
        start.wait()
        try:
            return publish(experiment(), TRIUMPH, tmp_path / "many")
        except InputError as problem:
            return str(problem)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(run, range(8)))
    refused = [answer for answer in answers if isinstance(answer, str)]
    assert len(refused) == 7
    assert all("another run is writing here" in answer and "--results" in answer for answer in refused)
    alone = publish(experiment(), TRIUMPH, tmp_path / "alone")
    assert contents(tmp_path / "many" / "small") == contents(alone.folder)


# ------------------------------------------------------------------ killed and interrupted

#: Every ruling there is, so that no machine is through before it is interrupted.
SWEEP = list(DECLARED["close-combat"])
LONG = f"""
schema_version: 1
name: long
question: Is Deadly worth two points?
game: triumph
contest: close-combat
sweep: {{card: [Deadly]}}
rulings: {{sweep: {SWEEP}}}
price: [price-line]
"""


def start(folder, workers):
    (folder / "long.yaml").write_text(LONG)
    return subprocess.Popen(
        [*FTSIM, "run", "long.yaml", "--workers", str(workers)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stop(process, folder, how):
    deadline = time.monotonic() + 60
    while len(list(folder.rglob("*.parquet"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None
    process.send_signal(how)
    return process.communicate(timeout=60)


@pytest.fixture(scope="session")
def uninterrupted(experiment, tmp_path_factory):
    one = experiment(name="long", rulings={"sweep": SWEEP})
    return publish(one, TRIUMPH, tmp_path_factory.mktemp("whole"))


def test_a_killed_run_goes_on_where_it_was(uninterrupted, contents, tmp_path):
    process = start(tmp_path, workers=1)
    stop(process, tmp_path, signal.SIGKILL)
    folder = tmp_path / "results" / "long"
    kept, total = len(parquet(folder)), len(uninterrupted.run.results)
    assert 3 <= kept < total
    assert not (folder / "index.html").exists()
    again = publish(uninterrupted.experiment, TRIUMPH, tmp_path / "results")
    assert (again.run.computed, again.run.kept, again.run.damaged) == (total - kept, kept, ())
    hidden = [path.name for path in folder.rglob(".*")]
    assert contents(folder, *hidden) == contents(uninterrupted.folder)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_says_so_and_keeps_what_is_finished(uninterrupted, tmp_path, workers):
    process = start(tmp_path, workers)
    out, err = stop(process, tmp_path, signal.SIGINT)
    assert process.returncode == 130, err
    assert out == ""
    assert "finished cells are kept" in err
    assert "Traceback" not in err
    assert 3 <= len(parquet(tmp_path / "results" / "long")) < len(uninterrupted.run.results)


def test_results_can_be_read_again_without_running(reference):
    experiment, findings, _ = read_results(reference.folder, RULESETS)
    assert experiment == reference.experiment
    assert findings == reference.findings


def test_results_with_a_damaged_cell_are_not_read(swept, tmp_path):
    folder = publish(swept, TRIUMPH, tmp_path).folder
    path = next((folder / "cells").iterdir())
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FtsimError, match="missing, damaged or of another version; run it again"):
        read_results(folder, RULESETS)
