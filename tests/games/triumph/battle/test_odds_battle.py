from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from ftsim.cli import app
from ftsim.errors import FtsimError


def ask(*words: str) -> dict:
    result = CliRunner().invoke(app, ["odds", "triumph", "battle", *words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_form_is_fixed_and_the_chances_sum_to_one():
    answer = ask("orcs", "high_elves", "--trials", "40")
    assert list(answer) == ["exact", "trials", "a_wins", "b_wins", "draw", "mean_turns", "rulings", "policy"]
    assert answer["exact"] is False
    assert answer["trials"] == 40
    assert sum(answer[key]["p"] for key in ("a_wins", "b_wins", "draw")) == pytest.approx(1)
    assert answer == ask("orcs", "high_elves", "--trials", "40")


def test_the_field_is_every_archetype():
    one = ask("orcs", "high_elves", "--trials", "4")
    assert ask("orcs", "field", "--trials", "4")["trials"] > 8 * one["trials"]


@pytest.mark.parametrize(
    "words",
    [
        ("orks", "field"),
        ("orcs", "nobody.yaml"),
        ("orcs", "orcs", "-s", "policy=clever"),
        ("orcs", "orcs", "-s", "moon=1"),
    ],
)
def test_what_cannot_be_fought_is_refused_clearly(words):
    result = CliRunner().invoke(app, ["odds", "triumph", "battle", *words, "--trials", "4"])
    assert isinstance(result.exception, FtsimError)


def test_the_answer_in_words_says_how_many_battles_were_played():
    result = CliRunner().invoke(app, ["odds", "triumph", "battle", "orcs", "high_elves"])
    assert result.exit_code == 0, result.output
    assert "1,000 trials" in result.stdout
