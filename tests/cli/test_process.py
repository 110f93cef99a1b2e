"""The command line as a process: what it imports, where it looks, how it ends."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftsim.cli import app

ROOT = Path(__file__).parents[2]
FTSIM = [sys.executable, "-c", "from ftsim.cli import main; main()"]
COMMANDS = ("publish", "run", "report", "odds", "cost", "show", "list", "replay", "check", "schema")
HEAVY = ("numpy", "pandas", "scipy", "matplotlib", "numba", "pyarrow", "pydantic", "statsmodels", "joblib", "jinja2")
LOADED = """
import sys
from ftsim.cli import main
try:
    main()
finally:
    print(*(name for name in %r if name in sys.modules), file=sys.stderr)
"""


def call(*words, cwd=None, command=FTSIM, **changes):
    return subprocess.run(
        [*command, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **changes},
    )


def loaded(*words):
    return call(*words, command=[sys.executable, "-c", LOADED % (HEAVY,)])


def test_help_lists_every_command_and_loads_nothing_heavy():
    answer = loaded("--help")
    assert answer.returncode == 0
    assert answer.stderr.split() == []
    listed = re.findall(r"^\W*([a-z]+)  ", answer.stdout.partition("Commands")[2], re.MULTILINE)
    assert set(COMMANDS) <= set(listed)


@pytest.mark.parametrize("words", [("--version",), ("run", "--help"), ("odds", "--help")], ids=" ".join)
def test_words_about_the_command_line_load_nothing_heavy(words):
    answer = loaded(*words)
    assert answer.returncode == 0
    assert set(answer.stderr.split()) <= {"pydantic"}  # typer reads the words of a command with it


def test_odds_load_neither_tables_nor_charts():
    answer = loaded("odds", "triumph", "close-combat", "Knights", "Spear", "--json")
    assert json.loads(answer.stdout)["exact"] is True
    assert not set(answer.stderr.split()) & {"pandas", "matplotlib", "pyarrow", "statsmodels", "scipy", "joblib"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"{command} [OPTIONS]" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "triumph", "close-combat", "Nights", "Spear"),
        ("cost", "triumph", "Knights + Deadlee"),
        ("run", "nowhere.yaml"),
        ("check", "nowhere.yaml"),
    ],
    ids=" ".join,
)
def test_what_is_refused_ends_with_code_2_and_one_message(words, tmp_path):
    answer = call(*words, cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("ftsim: ")
    assert answer.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_crash_is_one_line_with_code_1_and_a_traceback_on_request():
    broken = [sys.executable, "-c", "import ftsim.cli as c; c.app = lambda: 1 / 0; c.main()"]
    answer = call(command=broken)
    assert answer.returncode == 1
    assert "internal error: ZeroDivisionError" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert "Traceback" in call(command=broken, FTSIM_DEBUG="1").stderr


def test_a_closed_pipe_is_no_error():
    with subprocess.Popen(
        [*FTSIM, "list", "triumph", "rulings"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 0, said
    assert said == b""


def test_half_points_are_printed_in_the_plainest_language():
    answer = call("cost", "triumph", "Heavy Foot + Armored", LC_ALL="C", LANG="C")
    assert answer.returncode == 0
    assert "3½" in answer.stdout


def test_a_narrow_terminal_cuts_no_number():
    answer = call("odds", "triumph", "close-combat", "Knights", "Spear", COLUMNS="40")
    assert answer.returncode == 0
    assert re.search(r"\d+/36|1/\d+", answer.stdout)
    assert "…" not in answer.stdout


@pytest.fixture
def script(tmp_path, monkeypatch):
    """bin/ftsim in a copy whose environment is up to date; without Python on the path it can set up none."""
    root, tools = tmp_path / "copy", tmp_path / "tools"
    shutil.copytree(ROOT / "bin", root / "bin")
    for name in ("requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, root / name)
    raw = b"".join((root / name).read_bytes() for name in ("requirements.lock", "pyproject.toml", "bin/_env.sh"))
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "bin" / "ftsim").symlink_to(Path(sys.executable).with_name("ftsim"))
    (root / ".venv" / ".stamp-run").write_bytes(subprocess.run(["cksum"], input=raw, capture_output=True).stdout)
    tools.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "mkdir", "rm"):
        (tools / name).symlink_to(shutil.which(name))
    monkeypatch.setenv("PATH", str(tools))
    return [str(root / "bin" / "ftsim")]


@pytest.fixture
def elsewhere(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "elsewhere"


def test_relative_paths_mean_the_folder_of_the_caller(script, elsewhere):
    (elsewhere / "duels-here.yaml").write_text(
        "schema_version: 1\nname: duels-here\nquestion: Who wins?\ngame: triumph\ncontest: duel\n"
    )
    answer = call("publish", "duels-here.yaml", "--workers", "1", cwd=elsewhere, command=script)
    assert (answer.returncode, answer.stdout) == (0, "site/duels-here/index.html\n"), answer.stderr
    assert (elsewhere / "results" / "duels-here" / "figures.csv").exists()
    assert (elsewhere / "site" / "duels-here" / "index.html").exists()
    checked = call("check", "results/duels-here", cwd=elsewhere, command=script)
    assert checked.returncode == 0, checked.stderr


def test_the_script_hands_on_the_exit_code(script, elsewhere):
    answer = call("check", "nowhere.yaml", cwd=elsewhere, command=script)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "nowhere.yaml" in answer.stderr
