"""The tables against a second transcription of the chapter."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.terrain import terrains

FOLDER = Path(__file__).parent / "transcription"


def rows(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


@pytest.mark.parametrize("row", rows("terrain.csv"), ids=lambda row: row["terrain"])
def test_terrain(row):
    terrain = terrains()[row["terrain"]]
    uses = row["moves_as"].removesuffix(" up")
    assert terrain.uphill_only == row["moves_as"].endswith(" up")
    assert terrain.impassable == (uses == "x")
    assert terrain.uses == (() if uses in ("-", "x") else tuple(uses.split("+")))
    assert (terrain.fire_small, terrain.fire_large) == (row["missiles_small"], row["missiles_large"])
    assert (terrain.combat_small, terrain.combat_large) == (row["melee_small"], row["melee_large"])
    assert terrain.disorders == {"close": "close_order"}.get(row["disorders"], row["disorders"])
    assert terrain.pikes == row["pikes"]
    assert terrain.hides_inside == (row["hides_inside"] == "yes")
    assert terrain.hides_behind == row["hides_behind"]
    assert terrain.sight == (int(row["sight"]) if row["sight"] else None)
    assert terrain.optional_pursuit == (row["may_decline_follow_up"] == "yes")


@pytest.mark.parametrize("row", [r for r in rows("figures.csv") if r["kind"] in ("move", "loss")], ids=str)
def test_figures_of_the_examples(row):
    section = {"move": "move_normal", "loss": "terrain_loss"}[row["kind"]]
    value = shipped().values[f"{section}.{row['who']}.{row['what']}"]
    assert value.value == Fraction(row["value"])
    assert value.basis in ("printed", "example")


def test_every_number_that_is_not_in_the_chapter_or_an_example_is_assumed():
    known = {f"move_normal.{r['who']}.{r['what']}" for r in rows("figures.csv") if r["kind"] == "move"}
    # Two figures are from the chapter on missile fire.
    known |= {"move_normal.goblin.chain"}
    found = {key for key, v in shipped().values.items() if key.startswith("move_normal") and v.basis != "assumed"}
    assert found == known
