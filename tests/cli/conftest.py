from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from ftsim.cli import main

EXPERIMENT = """schema_version: 1
name: small
question: Is Deadly worth two points?
game: triumph
contest: close-combat
sweep:
  card: [Deadly]
price: [price-line]
"""
ARMY = """name: Six of them
home_topography: Forest
stands:
  - {stand: Elite Foot, general: true}
  - {stand: Elite Foot + Deadly, count: 2}
  - {stand: Heavy Foot, count: 6}
"""


@pytest.fixture
def ftsim(monkeypatch, capsys):
    """The command line as a user meets it: exit code, standard output, standard error."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["ftsim", *map(str, words)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return call


@pytest.fixture
def here(monkeypatch, tmp_path):
    """A folder with an experiment and an army, in which commands are called."""
    (tmp_path / "small.yaml").write_text(EXPERIMENT)
    (tmp_path / "army.yaml").write_text(ARMY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refused(ftsim):
    """A call that must be refused: exit code 2, nothing on standard output, one clear message."""

    def call(*words):
        answer = ftsim(*words)
        assert answer.code == 2, (answer.code, answer.err)
        assert answer.out == ""
        assert "Traceback" not in answer.err
        assert "internal error" not in answer.err
        return answer.err

    return call
