"""Profile files: what ships, what replaces it, and what is wrong with a file."""

from __future__ import annotations

import re
from fractions import Fraction as F
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError
from ftsim.games.warlord.profile_file import SECTIONS, read_profiles, shipped
from ftsim.games.warlord.profiles import DefenceDice

SHIPPED = files("ftsim.games.warlord").joinpath("data/profiles.yaml").read_text(encoding="utf-8")


def written(tmp_path, old, new, text=SHIPPED):
    assert old in text
    path = tmp_path / "my_profiles.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def line_of(path, word):
    return next(k for k, line in enumerate(path.read_text().splitlines(), 1) if word in line)


def test_the_shipped_file_says_that_it_is_invented_and_marks_what_is_not():
    assert "provenance: invented" in SHIPPED
    bases = {v.basis for v in shipped().values.values()}
    assert bases == {"assumed", "example", "printed", "inferred"}
    assert shipped().values["combat_modifier.charged"].basis == "printed"
    assert {key.split(".")[0] for key in shipped().values} == set(SECTIONS)


def test_a_wrong_race(tmp_path):
    path = written(tmp_path, "  wood_elf: {unarmoured: 24", "  woodelf: {unarmoured: 24")
    with pytest.raises(InputError) as problem:
        read_profiles(path)
    text = str(problem.value)
    assert f"my_profiles.yaml, line {line_of(path, 'woodelf:')}: move_normal.woodelf: Unknown race 'woodelf'" in text
    assert "did you mean 'wood_elf'?" in text
    assert "the row wood_elf is missing" in text


@pytest.mark.parametrize("bad", ["1", "3/2", "-1/4", "nothing"])
def test_a_fraction_that_is_not_below_one(tmp_path, bad):
    path = written(tmp_path, "orc: {wall: 1/2 example}", f"orc: {{wall: {bad}}}")
    with pytest.raises(InputError) as problem:
        read_profiles(path)
    (line,) = str(problem.value).splitlines()
    where = f"my_profiles.yaml, line {line_of(path, 'orc: {wall')}: terrain_loss.orc.wall: "
    assert line.startswith(where)
    assert line.endswith("accepted: a fraction from 0 to below 1, such as 1/2, or impassable")


def test_a_missing_terrain_row(tmp_path):
    path = written(tmp_path, "marsh: 1/2, broken: 1/2, steep: 1/2, ford", "broken: 1/2, steep: 1/2, ford")
    with pytest.raises(InputError) as problem:
        read_profiles(path)
    (line,) = str(problem.value).splitlines()
    assert line == (
        f"my_profiles.yaml, line {line_of(path, 'default: {wood')}: terrain_loss.default: the row marsh is missing; "
        "needed: wood, scrub, marsh, broken, steep, ford, wall, hedge, fence"
    )


def test_a_negative_depth(tmp_path):
    path = written(tmp_path, "base_depth: {foot: 2 example", "base_depth: {foot: -2")
    with pytest.raises(InputError) as problem:
        read_profiles(path)
    assert str(problem.value) == (
        f"my_profiles.yaml, line {line_of(path, 'base_depth')}: base_depth.foot: -2 cannot be used; "
        "accepted: a number of at least 0"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("warlord_profiles: 1", "warlord_profiles: 2", "expected 1"),
        ("basis: assumed", "basis: guessed", "unknown basis 'guessed'; accepted: printed"),
        ("door: 1D6", "door: 6", "accepted: dice such as 2D6"),
        ("rout: 6, retire: 8", "rout: 9, retire: 8", "each result must reach at least as far"),
        ("spear: 7 example", "spear: 7 exmple", "unknown basis 'exmple'"),
        ("base_depth: {foot: 2 example", "base_depth: {foot: 0", "accepted: a number above 0"),
        ("base_depth: {foot", "base_dept: {foot", "did you mean 'base_depth'"),
        ("crossbow: 1,", "crossbow: 2,", "accepted: a fraction from 0 to 1"),
        ("orc: 1, goblin: 2", "orc: 1.5, goblin: 2", "whole number of ranks"),
    ],
)
def test_other_faults(tmp_path, old, new, message):
    with pytest.raises(InputError, match=message):
        read_profiles(written(tmp_path, old, new))


def test_all_faults_are_told_at_once(tmp_path):
    path = written(tmp_path, "door: 1D6", "door: x")
    path = written(tmp_path, "crossbow: 9", "crossbow: -9", path.read_text())
    with pytest.raises(InputError) as problem:
        read_profiles(path)
    assert len(str(problem.value).splitlines()) == 2


def test_a_section_replaces_the_whole_section_and_the_rest_stays(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "warlord_profiles: 1\nname: mine\nbase_depth: {foot: 2.5, mounted: 5 inferred}\n", encoding="utf-8"
    )
    found = read_profiles(path)
    assert found.number("base_depth.foot") == F(5, 2)
    assert found.values["base_depth.foot"].basis == "printed"
    assert found.values["base_depth.mounted"].basis == "inferred"
    assert found.number("move_normal.dwarf.chain") == 15
    assert found.name == "mine"


def test_sweeps_keep_values_in_range():
    p = shipped()
    assert p.swept("terrain_loss.default.wood", F(2)).loss("terrain_loss.default.wood") == F(2, 3)
    assert p.swept("terrain_loss.default.wood", F(1, 2)).loss("terrain_loss.default.wood") == F(1, 3)
    assert p.swept("firing_modifier.cover_heavy", F(2)).number("firing_modifier.cover_heavy") == -12
    assert p.swept("morale_value.A", F(2)).number("morale_value.A") == 11
    halved = p.swept("defence_dice.door", F(1, 2)).dice("defence_dice.door")
    assert halved.chances() == {1: F(1, 3), 2: F(1, 3), 3: F(1, 3)}


def test_dice_have_exact_chances():
    chances = DefenceDice(2, 6).chances()
    assert sum(chances.values()) == 1
    assert chances[7] == F(1, 6)
    assert chances[12] == F(1, 36)


def test_what_is_read_is_noted_and_what_is_missing_is_told():
    watched = shipped().watched()
    watched.number("combat_base.base")
    assert watched.used == {"combat_base.base"}
    with pytest.raises(InputError, match=r"no combat_race.giant.*accepted in combat_race: dwarf"):
        watched.number("combat_race.giant")


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 200), st.sampled_from(["-1", "x", "[1, 2]", "{a: 1}", "null", "true", "1e400", "2D6", "1/0", "''"])
)
def test_whatever_stands_in_a_cell_there_is_one_clear_error_or_none(tmp_path_factory, number, junk):
    cells = list(re.finditer(r"(?<=: )\d[\d./D]*", SHIPPED))
    cell = cells[number % len(cells)]
    path = tmp_path_factory.mktemp("fuzz") / "my_profiles.yaml"
    path.write_text(SHIPPED[: cell.start()] + junk + SHIPPED[cell.end() :], encoding="utf-8")
    told = "my_profiles.yaml"
    try:
        read_profiles(path)
    except InputError as problem:
        told = str(problem)
    assert all("my_profiles.yaml" in line for line in told.splitlines())
