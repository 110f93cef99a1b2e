"""``ftsim cost``, ``show`` and ``list``: for people as tables, for other tools as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ftsim.games import RULESETS

TRIUMPH = RULESETS["triumph"]
ARMIES = sorted((Path(__file__).parents[2] / "experiments" / "armies").glob("*.yaml"))


@pytest.fixture
def data(ftsim):
    def ask(*words):
        answer = ftsim(*words, "--json")
        assert (answer.code, answer.err) == (0, "")
        return json.loads(answer.out)

    return ask


COSTS = {
    "Knights": 4,
    "Knights + Deadly": 6,
    "Heavy Foot + Hearten + Armored": 4.5,
    "Spear + Weaken": 3.5,
    "Hero + Champion": 2,
}


@pytest.mark.parametrize("spec", COSTS)
def test_a_cost_has_the_keys_of_the_fixed_form_and_no_others(data, spec):
    assert data("cost", "triumph", spec) == {"points": COSTS[spec], "legal": True, "reasons": []}


def test_an_illegal_stand_has_a_cost_and_every_reason(data):
    found = data("cost", "triumph", "Knights + Spiked Carts + Deadly + Deadly")
    assert list(found) == ["points", "legal", "reasons"]
    assert found["legal"] is False
    assert len(found["reasons"]) == 2


def test_an_army_has_the_sum_of_its_parts(data, here):
    assert data("cost", "triumph", "army.yaml") == {"points": 34.0, "legal": True, "reasons": []}


def test_an_illegal_army_has_a_cost_and_every_reason(data, here):
    text = (here / "army.yaml").read_text()
    (here / "army.yaml").write_text(text.replace(", general: true", "").replace("count: 6", "count: 20"))
    found = data("cost", "triumph", "army.yaml")
    assert found["points"] == 76
    assert [reason.split(" ")[0] for reason in found["reasons"]] == ["costs", "has"]


@pytest.mark.parametrize("path", ARMIES, ids=lambda path: path.stem)
def test_a_shipped_army_is_legal(data, path):
    found = data("cost", "triumph", path)
    assert found["legal"]
    assert found["points"] <= 51


def test_the_topography_decides_what_terrain_affinity_costs(data):
    spec = "Raiders + Terrain Affinity: woods, marsh"
    assert data("cost", "triumph", spec)["points"] == 4.5
    assert data("cost", "triumph", spec, "-o", "topography=Dense Forest")["points"] == 5


def test_the_table_of_a_cost_shows_every_part(ftsim, here):
    answer = ftsim("cost", "triumph", "army.yaml")
    assert (answer.code, answer.err) == (0, "")
    assert all(text in answer.out for text in ("6 × Heavy Foot", "18", "together", "34", "legal"))


REFUSED = {
    "a card": (("cost", "triumph", "Knights + Deadlee"), "did you mean 'Deadly'?"),
    "a type": (("cost", "triumph", "Nights"), "did you mean 'Knights'?"),
    "a game": (("cost", "triumf", "Knights"), "did you mean 'triumph'?"),
    "nothing": (("cost", "triumph", ""), "each + needs a name"),
    "a topography": (("cost", "triumph", "Knights", "-o", "topography=Forrest"), "did you mean 'Forest'"),
    "an option": (("cost", "triumph", "Knights", "-o", "topography"), "--option 'topography': expected key=value"),
    "a file that is not there": (("cost", "triumph", "nowhere.yaml"), "nowhere.yaml: cannot be read: No such file"),
    "a hero with a card for stands": (
        ("cost", "triumph", "Hero + Brittle"),
        "Brittle (FT 27) has no price for a hero",
    ),
    "an experiment": (("cost", "triumph", "small.yaml"), "small.yaml, line 1: schema_version: unknown key"),
    "a name to show": (("show", "triumph", "Nights"), "did you mean 'Knights'?"),
    "a list": (("list", "triumph", "crads"), "Unknown list 'crads' (did you mean 'cards'?)"),
    "a game to list": (("list", "triumf"), "did you mean 'triumph'?"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_unknown_is_answered_with_what_was_meant(refused, here, words, said):
    assert said in refused(*words)


FAULTS = {
    "stands: [": "army.yaml, line",
    "points: 51\npoints: 52\n": "points is given twice",
    "points: many\n": "points: should be a whole number, got 'many'",
    "points: 5\n": "points: input should be greater than or equal to 6, got 5",
    "invasion_rating: 9\n": "invasion_rating: input should be less than or equal to 4, got 9",
    "herоes: []\n": "unknown key",
    "heroes: [Hero + Champon]\n": "Unknown battle card 'Champon' (did you mean 'Champion'?)",
    "heroes: [5]\n": "heroes.0",
    "cards: [Ambsh]\n": "did you mean 'Ambush'?",
}


@pytest.mark.parametrize("line", FAULTS)
def test_an_army_file_that_cannot_be_used_is_named_with_line_and_key(refused, here, line):
    with (here / "army.yaml").open("a") as file:
        file.write(line)
    for command in (("cost", "triumph", "army.yaml"), ("check", "army.yaml")):
        said = refused(*command)
        assert "army.yaml, line" in said
        assert FAULTS[line] in said


def test_every_fault_of_an_army_file_is_named_at_once(refused, here):
    text = (here / "army.yaml").read_text()
    (here / "army.yaml").write_text(text.replace("Elite", "Elit").replace("Forest", "Forrest"))
    assert len(refused("cost", "triumph", "army.yaml").splitlines()) == 3


@pytest.mark.parametrize("kind", TRIUMPH.listings)
def test_a_list_has_every_row_in_both_forms(ftsim, data, kind):
    listing = TRIUMPH.listings[kind]()
    rows = data("list", "triumph", kind)[kind]
    assert [list(row.values()) for row in rows] == [list(row) for row in listing.rows]
    answer = ftsim("list", "triumph", kind)
    assert (answer.code, answer.err) == (0, "")
    assert listing.title in answer.out


def test_lists_lead_from_games_to_kinds(ftsim):
    assert "triumph" in ftsim("list").out
    assert all(kind in ftsim("list", "triumph").out for kind in TRIUMPH.listings)


@pytest.mark.parametrize("name", ["Knights", "Archers", "Deadly", "Woods", "Forest", "overlap"])
def test_a_page_shows_one_thing_in_both_forms(ftsim, data, name):
    page = data("show", "triumph", name)
    assert page == dict(TRIUMPH.show(name).data)
    answer = ftsim("show", "triumph", name)
    assert (answer.code, answer.err) == (0, "")
    assert page["name"] in answer.out


@pytest.mark.parametrize("kind", ["troop-types", "cards", "rulings", "terrain", "topographies"])
def test_everything_that_is_listed_can_be_shown(kind):
    listing = TRIUMPH.listings[kind]()
    column = list(listing.columns).index("Card") if kind == "cards" else 0
    for row in listing.rows:
        assert TRIUMPH.show(row[column]).facts
