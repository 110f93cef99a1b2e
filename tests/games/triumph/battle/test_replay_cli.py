"""``ftsim replay triumph``: as a user meets it, with good input and bad."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from ftsim.cli import main
from ftsim.errors import InputError
from ftsim.games.triumph.battle import replays

AXES = """name: Axes
home_topography: Hilly
stands:
  - {stand: Elite Foot, general: true}
  - {stand: Elite Foot + Deadly, count: 2}
  - {stand: Heavy Foot, count: 7}
heroes:
  - Hero + Champion
"""
BOWS = """name: Bows
home_topography: Forest
stands:
  - {stand: Elite Cavalry, general: true}
  - {stand: Shooters, count: 6}
  - {stand: Skirmishers, count: 3}
"""


@pytest.fixture
def ftsim(monkeypatch, capsys, tmp_path):
    (tmp_path / "a.yaml").write_text(AXES)
    (tmp_path / "b.yaml").write_text(BOWS)
    (tmp_path / "illegal.yaml").write_text(BOWS.replace(", general: true", ""))
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["ftsim", "replay", "triumph", *map(str, words)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return call


def test_a_trial_is_told_and_drawn(ftsim, tmp_path):
    answer = ftsim("a.yaml", "b.yaml", "--trial", 3, "--svg", "out.svg")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "Axes against Bows, trial 3"
    assert "at the near edge" in lines[1]
    assert " won after " in lines[-2]
    assert lines[-1] == "out.svg"
    assert ElementTree.fromstring((tmp_path / "out.svg").read_text()).tag.endswith("svg")


def test_the_same_call_gives_the_same_bytes(ftsim, tmp_path):
    told = ftsim("a.yaml", "b.yaml", "--trial", 3, "--svg", "one.svg").out
    again = ftsim("a.yaml", "b.yaml", "--trial", 3, "--svg", "two.svg").out
    assert told.replace("one.svg", "two.svg") == again
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_json_holds_the_events_in_order(ftsim):
    answer = ftsim("a.yaml", "b.yaml", "--trial", 3, "-o", "topography=forest", "--json")
    data = json.loads(answer.out)
    assert (data["game"], data["sides"], data["trial"]) == ("triumph", ["Axes", "Bows"], 3)
    assert data["options"] == {
        "seed": "1", "policy": "greedy", "enemy_policy": "greedy", "topography": "forest",
    }  # fmt: skip
    turns = [event["turn"] for event in data["events"]]
    assert turns == sorted(turns)
    assert turns[-1] == data["player_turns"]
    assert data["events"][-1]["event"] == "ended"
    assert sum(event["event"] == "fought" for event in data["events"]) == data["combats"]
    lost = {"a": 0.0, "b": 0.0}
    for event in data["events"]:
        if event["event"] == "lost":
            piece = data["pieces"][event["who"]]
            lost[piece["side"]] += piece["points"]
    assert all(counted >= sure for counted, sure in zip(data["points_lost"], lost.values(), strict=True))


def test_options_change_the_battle(ftsim):
    plain = ftsim("a.yaml", "b.yaml", "--trial", 3).out
    for options in (
        ["seed=2"],
        ["policy=advance"],
        ["enemy_policy=advance"],
        ["topography=Dense Forest"],
        ["overlap=-2", "rear=-2"],
    ):
        words = [word for option in options for word in ("-o", option)]
        answer = ftsim("a.yaml", "b.yaml", "--trial", 3, *words)
        assert answer.code == 0
        assert answer.out != plain, options
    same = ftsim("a.yaml", "b.yaml", "--trial", 3, "-o", "topography=open", "-o", "policy=greedy", "-o", "seed=1").out
    assert same == plain


@pytest.mark.parametrize(
    "words, message",
    [
        (["a.yaml", "none.yaml"], "none.yaml"),
        (["a.yaml", "No Such Army"], "No Such Army"),
        (["a.yaml", "illegal.yaml"], "generals"),
        (["a.yaml", "b.yaml", "-o", "policy=brave"], "policy"),
        (["a.yaml", "b.yaml", "-o", "enemy_policy=brave"], "policy"),
        (["a.yaml", "b.yaml", "-o", "topography=moon"], "topography"),
        (["a.yaml", "b.yaml", "-o", "seed=x"], "seed"),
        (["a.yaml", "b.yaml", "-o", "seed=²"], "seed"),
        (["a.yaml", "b.yaml", "-o", "colour=red"], "colour"),
        (["a.yaml", "b.yaml", "-o", "overlap=-7"], "overlap"),
        (["a.yaml", "b.yaml", "--trial", str(1 << 32)], "Trial"),
        (["a.yaml", "b.yaml", "--trial", "-1"], "trial"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(ftsim, words, message):
    answer = ftsim(*words)
    assert answer.code == 2
    assert answer.out == ""
    assert message in answer.err
    assert "Traceback" not in answer.err
    assert "internal error" not in answer.err


def test_shipped_archetypes_have_names(ftsim):
    known = list(replays.archetypes())
    assert len(known) >= 2
    a, b = known[0], known[-1].replace("_", " ").title()
    answer = ftsim(a, b, "--trial", 1)
    assert (answer.code, answer.err) == (0, "")
    assert ftsim("dwrafs", "b.yaml").code == 2


def test_without_shipped_armies_only_files_are_accepted(monkeypatch):
    monkeypatch.setattr(replays, "archetypes", dict)
    with pytest.raises(InputError, match="accepted: an army file"):
        replays.read_host("dwarfs", replays.TriumphRulings())
