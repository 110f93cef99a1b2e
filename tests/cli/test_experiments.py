"""``ftsim run``, ``publish``, ``report``, ``check`` and ``schema``, as they are called."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftsim.cli import app
from ftsim.errors import InputError
from ftsim.experiments.cells import claim
from ftsim.experiments.schema import json_schema

ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*(ROOT / "experiments").glob("*.yaml"), *(ROOT / "experiments" / "armies").glob("*.yaml")])


@pytest.fixture
def done(ftsim, here):
    """A folder with the results of one run."""
    answer = ftsim("run", "small.yaml", "--workers", "1")
    assert answer.code == 0, answer.err
    return here


def parquet(folder):
    return sorted((folder / "results" / "small" / "cells").glob("*.parquet"))


def snapshot(folder):
    return {
        path.relative_to(folder): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if path.name != ".lock"
    }


# ------------------------------------------------------------------ run


def test_a_run_prints_where_its_results_are_and_nothing_else(ftsim, here):
    answer = ftsim("run", "small.yaml", "--workers", "1")
    assert (answer.code, answer.out) == (0, "results/small\n")
    assert "3 cells computed, 0 kept" in answer.err
    names = {path.name for path in (here / "results" / "small").iterdir()}
    assert {"run.json", "prices.csv", "index.html", "environment.json", "cells"} <= names
    again = ftsim("run", "small.yaml", "--workers", "1")
    assert "0 cells computed, 3 kept" in again.err


def test_fresh_runs_everything_again(ftsim, done):
    assert "3 cells computed, 0 kept" in ftsim("run", "small.yaml", "--workers", "1", "--fresh").err


def test_results_lie_where_they_are_wanted(ftsim, here):
    answer = ftsim("run", "small.yaml", "--results", "else/where", "--workers", "1")
    assert answer.out == "else/where/small\n"
    assert (here / "else" / "where" / "small" / "index.html").exists()


@pytest.mark.parametrize("harm", ["truncated", "flipped", "foreign"])
def test_a_damaged_cell_is_computed_again_with_a_warning(ftsim, done, harm):
    path, other, _ = parquet(done)
    good, raw = path.read_bytes(), bytearray(path.read_bytes())
    raw[len(raw) // 3] ^= 16
    path.write_bytes({"truncated": good[:-30], "flipped": raw, "foreign": other.read_bytes()}[harm])
    answer = ftsim("run", "small.yaml", "--workers", "1")
    assert (answer.code, answer.out) == (0, "results/small\n")
    assert "warning: 1 damaged or old cells were computed again" in answer.err
    assert "1 cells computed, 2 kept" in answer.err
    assert path.read_bytes() == good


def test_cells_that_fail_end_with_code_5_and_the_others_are_kept(ftsim, here, monkeypatch):
    from ftsim.games.triumph import grids

    original = grids.compute_grid

    def half(grid):
        if grid.bonus:
            raise ZeroDivisionError("on purpose")
        return original(grid)

    monkeypatch.setattr(grids, "compute_grid", half)
    answer = ftsim("run", "small.yaml", "--workers", "1")
    assert (answer.code, answer.out) == (5, "")
    assert "1 of 3 cells failed; the others are kept" in answer.err
    assert "default | +1 factor: ZeroDivisionError: on purpose" in answer.err
    assert "Traceback" not in answer.err
    assert len(parquet(here)) == 2
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert "1 cells computed, 2 kept" in ftsim("run", "small.yaml", "--workers", "1").err


def test_a_folder_in_use_is_refused_and_left_alone(refused, done):
    before = snapshot(done)
    with claim(done / "results" / "small"):
        said = refused("run", "small.yaml", "--workers", "1", "--fresh")
    assert "results/small: another run is writing here" in said
    assert "--results" in said
    assert snapshot(done) == before


def test_a_sampled_run_lies_apart_and_has_counts_and_no_prices(ftsim, done):
    before = snapshot(done / "results" / "small")
    answer = ftsim("run", "small.yaml", "--trials", "20", "--workers", "1")
    assert (answer.code, answer.out) == (0, "results/small-sampled\n")
    folder = done / "results" / "small-sampled"
    assert (folder / "counts.csv").exists()
    assert not (folder / "prices.csv").exists()
    assert snapshot(done / "results" / "small") == before
    assert ftsim("report", "results/small-sampled").code == 0


def test_a_sampled_run_of_a_long_name_can_be_reported(ftsim, here):
    text = (here / "small.yaml").read_text().replace("name: small", f"name: {'a' * 58}")
    (here / "small.yaml").write_text(text)
    answer = ftsim("run", "small.yaml", "--trials", "2", "--workers", "1")
    if answer.code == 0:
        answer = ftsim("report", answer.out.strip())
    assert answer.code == 0 or (answer.code == 2 and "name" in answer.err)


@pytest.mark.parametrize("trials", ["0", "-5", "many", "1.5", str(10**13), str(10**20)])
def test_trials_that_cannot_be_rolled_are_refused(refused, here, trials):
    assert "trials" in refused("run", "small.yaml", "--trials", trials, "--workers", "1")
    assert not (here / "results").exists()


@pytest.mark.parametrize("workers", ["0", "-1", "all"])
def test_workers_that_do_not_exist_are_refused(refused, here, workers):
    assert "--workers" in refused("run", "small.yaml", "--workers", workers)


def test_an_exact_experiment_is_not_rolled(refused, here):
    assert "experiments on duel are exact" in refused("run", "duels", "--trials", "5")


@pytest.mark.parametrize("address", ["nonsense", "tcp://", "ftp://127.0.0.1:1"])
def test_an_address_without_a_scheduler_is_refused(refused, here, address):
    assert f"--scheduler {address}" in refused("run", "small.yaml", "--scheduler", address)


def test_an_experiment_of_the_same_name_twice_is_refused(refused, here):
    assert "same name" in refused("run", "small.yaml", "small.yaml")


RUN = {
    "an unknown name": ("smal", "Unknown experiment 'smal'; accepted: all-cards, archetypes"),
    "a shipped name nearly": ("battle-crds", "did you mean 'battle-cards'"),
    "a file that is not there": ("nowhere.yaml", "nowhere.yaml: there is no such file"),
    "a folder": ("folder.yaml", "folder.yaml"),
    "bytes": ("bytes.yaml", "bytes.yaml: cannot be read: it is not UTF-8 text"),
    "nothing": ("empty.yaml", "empty.yaml, line 1: expected keys and values"),
    "an army": ("army.yaml", "army.yaml, line"),
    "a typing error": ("typo.yaml", "typo.yaml, line 3: qestion: unknown key (did you mean 'question'"),
    "a key twice": ("twice.yaml", "twice.yaml, line 9: seed is given twice"),
}


@pytest.fixture
def odd_files(here):
    (here / "folder.yaml").mkdir()
    (here / "bytes.yaml").write_bytes(bytes(range(256)))
    (here / "empty.yaml").write_text("")
    text = (here / "small.yaml").read_text()
    (here / "typo.yaml").write_text(text.replace("question", "qestion"))
    (here / "twice.yaml").write_text(text.replace("price:", "seed: 1\nseed: 2\nprice:"))
    return here


@pytest.mark.parametrize(("name", "said"), RUN.values(), ids=RUN)
def test_a_file_that_is_no_experiment_is_refused_and_nothing_is_written(refused, odd_files, name, said):
    assert said in refused("run", name)
    assert said in refused("publish", name)
    assert not (odd_files / "results").exists()
    assert not (odd_files / "site").exists()


def test_all_experiments_are_checked_before_one_runs(refused, odd_files):
    refused("run", "small.yaml", "typo.yaml")
    assert not (odd_files / "results").exists()


def test_results_that_cannot_be_written_are_refused(refused, here):
    (here / "file").write_text("mine")
    for target in ("file", "file/deeper"):
        assert f"{target}/small: cannot be written" in refused("run", "small.yaml", "--results", target)
    assert (here / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["cells", "index.html", "prices.csv", "run.json"])
def test_a_thing_in_the_place_of_a_result_is_refused_and_left_alone(refused, here, name):
    place = here / "results" / "small" / name
    place.parent.mkdir(parents=True)
    if name == "cells":
        place.write_text("mine")
    else:
        place.mkdir()
    assert name in refused("run", "small.yaml", "--workers", "1")
    assert place.read_text() == "mine" if name == "cells" else place.is_dir()


# ------------------------------------------------------------------ publish


def test_publish_writes_a_site_prints_its_page_and_says_the_answer_apart(ftsim, here):
    answer = ftsim("publish", "small.yaml", "duels", "--out", "public", "--workers", "1")
    assert (answer.code, answer.out) == (0, "public/index.html\n")
    assert "duels: Champion wins" in answer.err
    for name in ("small", "duels"):
        page = here / "public" / name / "index.html"
        assert page.read_bytes() == (here / "results" / name / "index.html").read_bytes()


def test_all_that_a_run_leaves_is_published_or_ignored(done):
    published = {"run.json", "prices.csv", "index.html"}
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    left = [path.relative_to(done) for path in (done / "results" / "small").iterdir() if path.name not in published]
    assert [str(path) for path in left if not any(path.match(pattern) for pattern in ignored)] == []


def test_publish_of_one_experiment_prints_its_report(ftsim, here):
    assert ftsim("publish", "duels", "--workers", "1").out == "site/duels/index.html\n"


def test_publishing_again_leaves_what_is_tracked_as_it_was(ftsim, here):
    ftsim("publish", "small.yaml", "--workers", "1")
    before = {path: raw for path, raw in snapshot(here).items() if path.name != "environment.json"}
    ftsim("publish", "small.yaml", "--workers", "1")
    assert {path: raw for path, raw in snapshot(here).items() if path.name != "environment.json"} == before


def test_a_site_that_cannot_be_written_is_refused(refused, here):
    (here / "file").write_text("mine")
    assert "file" in refused("publish", "duels", "--out", "file", "--workers", "1")
    assert (here / "file").read_text() == "mine"


# ------------------------------------------------------------------ report


def test_a_report_is_made_again_without_running(ftsim, done):
    page = done / "results" / "small" / "index.html"
    before = page.read_bytes()
    page.unlink()
    answer = ftsim("report", "results/small")
    assert (answer.code, answer.out, answer.err) == (0, "results/small/index.html\n", "")
    assert page.read_bytes() == before


def test_a_report_can_be_written_elsewhere(ftsim, done):
    before = snapshot(done / "results")
    answer = ftsim("report", "results/small", "--out", "new/page.html")
    assert (answer.code, answer.out) == (0, "new/page.html\n")
    assert (done / "new" / "page.html").read_bytes() == (done / "results" / "small" / "index.html").read_bytes()
    assert snapshot(done / "results") == before


def test_one_file_takes_one_report(refused, done):
    assert "--out takes one report" in refused("report", "results/small", "results/small", "--out", "x.html")


@pytest.mark.parametrize("target", ["file/x.html", "results"])
def test_a_report_that_cannot_be_written_is_refused(refused, done, target):
    (done / "file").write_text("mine")
    assert target.split("/")[0] in refused("report", "results/small", "--out", target)
    assert (done / "file").read_text() == "mine"


@pytest.mark.parametrize("folder", ["nowhere", "small.yaml", "results", "."])
def test_a_folder_without_results_is_refused_with_how_to_make_them(refused, done, folder):
    assert "there is no run.json; make it with: ftsim run" in refused("report", folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"experiment": 5}'])
def test_a_half_written_record_is_refused(refused, done, text):
    (done / "results" / "small" / "run.json").write_text(text)
    for command in ("report", "check"):
        assert "run.json cannot be read" in refused(command, "results/small")


def test_a_report_of_missing_cells_is_refused_with_how_to_make_them(refused, done):
    parquet(done)[0].unlink()
    before = snapshot(done)
    assert "run it again with: ftsim run small" in refused("report", "results/small")
    assert snapshot(done) == before


def test_a_pdf_without_a_browser_ends_with_code_3(ftsim, done, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    answer = ftsim("report", "results/small", "--pdf")
    assert answer.code == 3
    assert "--pdf needs Chromium" in answer.err


def test_a_cluster_without_its_library_ends_with_code_3(ftsim, here, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer = ftsim("run", "small.yaml", "--scheduler", "tcp://127.0.0.1:1")
    assert (answer.code, answer.out) == (3, "")
    assert "--scheduler needs the extra 'distributed'" in answer.err


# ------------------------------------------------------------------ check


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_file_has_no_faults(ftsim, path):
    answer = ftsim("check", path)
    assert (answer.code, answer.err) == (0, "")
    assert "no faults" in answer.out or "legal" in answer.out


def test_check_says_what_each_file_is_and_writes_nothing(ftsim, done):
    before = snapshot(done)
    answer = ftsim("check", "small.yaml", "army.yaml", "results/small")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "small.yaml: experiment small, no faults",
        "army.yaml: army Six of them (51 points), 34 points, legal",
        "results/small: results of small, computed again: 3 files agree",
    ]
    assert snapshot(done) == before


@pytest.mark.parametrize(
    "name", ["nowhere.yaml", "folder.yaml", "bytes.yaml", "empty.yaml", "typo.yaml", "half.yaml"]
)
def test_check_refuses_what_cannot_be_used(refused, odd_files, name):
    (odd_files / "half.yaml").write_text("name: x\nhome_topography: [Fo")
    assert name in refused("check", name)


def test_check_names_the_faults_of_all_files_and_passes_the_others(ftsim, odd_files):
    answer = ftsim("check", "typo.yaml", "small.yaml", "twice.yaml", "nowhere.yaml")
    assert answer.code == 2
    assert answer.out == "small.yaml: experiment small, no faults\n"
    assert all(name in answer.err for name in ("typo.yaml, line 3", "twice.yaml, line 9", "nowhere.yaml: cannot"))


def test_check_finds_an_illegal_army(refused, here):
    text = (here / "army.yaml").read_text()
    (here / "army.yaml").write_text(text.replace(", general: true", ""))
    assert "has 0 generals, exactly one stand leads the army" in refused("check", "army.yaml")


def test_check_finds_a_planted_number(ftsim, done):
    path = done / "results" / "small" / "prices.csv"
    path.write_text(path.read_text().replace("2.0000", "2.5000", 1))
    answer = ftsim("check", "results/small")
    assert (answer.code, answer.out) == (4, "")
    assert "results/small: prices.csv differs" in answer.err
    assert "ftsim publish small" in answer.err


def test_a_planted_number_does_not_hide_the_faults_of_other_files(ftsim, done):
    (done / "results" / "small" / "index.html").unlink()
    (done / "typo.yaml").write_text("name: x\n")
    answer = ftsim("check", "typo.yaml", "results/small", "small.yaml")
    assert answer.code in (2, 4)
    assert "typo.yaml" in answer.err
    assert "index.html is missing" in answer.err
    assert "small.yaml: experiment small, no faults" in answer.out


# ------------------------------------------------------------------ schema


def test_the_schema_is_printed_as_it_is_committed(ftsim):
    answer = ftsim("schema")
    assert (answer.code, answer.out, answer.err) == (0, json_schema(), "")
    committed = ROOT / "experiments" / "schema.json"
    if not committed.exists():
        pytest.skip("experiments/schema.json is not there")
    assert committed.read_text(encoding="utf-8") == answer.out, (
        "write it anew: ftsim schema > experiments/schema.json"
    )


# ------------------------------------------------------------------ through typer's own runner


def test_errors_reach_whoever_calls_the_app_as_they_are(here):
    result = CliRunner().invoke(app, ["run", "nowhere.yaml"])
    assert isinstance(result.exception, InputError)
    assert result.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ["run"],
        ["check"],
        ["report"],
        ["odds", "triumph"],
        ["cost", "triumph"],
        ["nothing"],
        ["run", "--nothing", "x"],
    ],
    ids=" ".join,
)
def test_a_call_that_lacks_something_is_a_usage_error(words):
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage: " in result.stderr


def test_results_of_another_run_are_not_touched(ftsim, done):
    other = done / "results" / "other"
    shutil.copytree(done / "results" / "small", other)
    before = snapshot(other)
    ftsim("run", "small.yaml", "--fresh", "--workers", "1")
    assert snapshot(other) == before
