"""The examples of the README print what the README says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftsim.cli import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def examples() -> list[tuple[str, list[str]]]:
    block = re.search(r"```console\n(.*?)```", README, re.DOTALL).group(1)
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize(("command", "lines"), examples(), ids=lambda value: str(value)[:60])
def test_an_example_prints_what_it_says(command, lines, monkeypatch):
    monkeypatch.chdir(ROOT)
    words = shlex.split(command)
    assert words[0] == "bin/ftsim"
    result = CliRunner().invoke(app, words[1:])
    assert result.exit_code == 0, result.output
    section, shown = "", []
    for line in result.stdout.splitlines():
        # A section is printed once; its lines below it stand for it too.
        head = re.match(r"  (\S.*?)\s{2,}", line)
        section = head.group(1) if head else section
        shown += [" ".join(line.split()), " ".join(f"{section} {line}".split())]
    for line in lines:
        wanted = " ".join(line.split())
        assert any(text.endswith(wanted) for text in shown), result.stdout


def test_the_readme_opens_with_the_two_commands():
    first = README.split("```sh\n")[1].split("```")[0].splitlines()
    assert [line.split("#")[0].strip() for line in first] == ["bin/ftsim publish", "bin/test"]


def test_every_file_the_readme_names_is_there():
    for name in re.findall(r"\]\(([^)]+)\)|`((?:docs|experiments|CONTRIBUTING|CHANGELOG)[^`]*)`", README):
        path = name[0] or name[1]
        assert (ROOT / path).exists(), path
