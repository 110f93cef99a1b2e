"""The table of features names every feature and only tests that there are; the examples of the page run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftsim.cli import app
from ftsim.games.warlord.profile_file import read_profiles

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "warlord.md").read_text(encoding="utf-8")
FEATURES = [f"F{n}" for n in range(1, 58)] + [f"G{n}" for n in range(1, 8)]


def rows():
    return {m[1]: m[0] for m in re.finditer(r"^\| ([FG]\d+) \|.*$", PAGE, re.MULTILINE)}


def test_every_feature_has_a_row():
    assert list(rows()) == FEATURES


@pytest.mark.parametrize("feature", FEATURES)
def test_its_tests_are_there(feature):
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", rows()[feature])
    assert named
    for file, name in named:
        assert f"def {name}(" in (Path(__file__).parent / file).read_text(encoding="utf-8"), (file, name)


def test_the_tests_of_the_worked_examples_are_there():
    examples = re.findall(r"^\| ([SW]\d+) .*`(test_\w+\.py)::(test_\w+)` \|$", PAGE, re.MULTILINE)
    assert [name for name, _, _ in examples] == [
        *(f"S{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 15, 16, 17, 18, 19)),
        *(f"W{n}" for n in range(1, 9)),
    ]
    for _, file, name in examples:
        assert f"def {name}(" in (Path(__file__).parent / file).read_text(encoding="utf-8")


def commands():
    block = PAGE.split("```sh\n")[1].split("```")[0]
    found = [part.strip() for line in block.splitlines() for part in line.split("; ")]
    return [words for words in map(shlex.split, found) if words and "my_profiles.yaml" not in words]


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words[1:4]))
def test_the_commands_run(words):
    assert words[0] == "ftsim"
    result = CliRunner().invoke(app, words[1:])
    assert result.exit_code == 0, result.output


def test_the_profile_file_of_the_page_is_sound(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(PAGE.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
    found = read_profiles(path)
    assert found.values["base_depth.foot"].basis == "printed"
    assert found.values["terrain_loss.default.fence"].basis == "assumed"
    assert found.terrain_loss("human", "wood", True) is None
