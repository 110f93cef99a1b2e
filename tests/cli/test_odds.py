"""``ftsim odds``: a fixed form for other tools, exact in fractions, sampled with intervals."""

from __future__ import annotations

import json
from fractions import Fraction
from math import gcd

import pytest

CALLS = {
    "close combat": ("close-combat", "Elite Foot + Deadly", "Spear"),
    "a camp": ("close-combat", "Knights", "Fortified Camp"),
    "factors": ("factors", "3 + Hearten", "4"),
    "ranged": ("ranged", "Shooters + Marksman", "Knights"),
    "mindblast": ("mindblast", "Elite Foot + Mindblast", "Spear"),
    "spellblast": ("spellblast", "Elite Foot + Spellblast: unlimited, magical", "Spear"),
    "limited spellblast": ("spellblast", "Elite Foot + Spellblast: limited, magical", "Spear"),
}
DUEL = ("duel", "Hero + Champion", "Hero")
RESULTS = ["a_doubled", "a_beaten", "tie", "b_beaten", "b_doubled"]
FATES = ["destroyed", "panics", "evades", "falls_back", "goes_away", "stands", "pursues"]


@pytest.fixture
def odds(ftsim):
    def ask(*words):
        answer = ftsim("odds", "triumph", *words, "--json")
        assert (answer.code, answer.err) == (0, "")
        return json.loads(answer.out)

    return ask


def in_lowest_terms(entry):
    assert set(entry) == {"p", "fraction"}
    above, below = map(int, entry["fraction"].split("/"))
    assert gcd(above, below) == 1
    assert below > 0
    assert entry["p"] == above / below
    return Fraction(above, below)


def with_interval(entry):
    assert set(entry) == {"p", "low", "high"}
    assert 0 <= entry["low"] <= entry["p"] <= entry["high"] <= 1
    assert entry["low"] < entry["high"]
    return entry["p"]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_combat_has_the_keys_of_the_fixed_form_and_no_others(odds, call):
    data = odds(*call)
    assert list(data) == ["exact", "result", "fate"]
    assert list(data["result"]) == RESULTS
    assert list(data["fate"]) == ["a", "b"]
    assert [list(side) for side in data["fate"].values()] == [FATES, FATES]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_exact_combat_is_fractions_in_lowest_terms_that_sum_to_one(odds, call):
    data = odds(*call)
    assert data["exact"] is True
    assert sum(in_lowest_terms(entry) for entry in data["result"].values()) == 1
    for side in data["fate"].values():
        assert sum(in_lowest_terms(side[fate]) for fate in FATES[:-1]) == 1
        assert 0 <= in_lowest_terms(side["pursues"]) <= 1


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_sampled_combat_has_intervals_in_place_of_fractions(odds, call):
    data = odds(*call, "--trials", "500")
    assert data["exact"] is False
    assert sum(with_interval(entry) for entry in data["result"].values()) == pytest.approx(1)
    for side in data["fate"].values():
        assert sum(with_interval(side[fate]) for fate in FATES[:-1]) == pytest.approx(1)


def test_a_duel_has_the_keys_of_the_fixed_form_and_no_others(odds):
    data = odds(*DUEL)
    assert list(data) == ["exact", "a_wins", "b_wins", "tie"]


def test_an_exact_duel_is_fractions_in_lowest_terms_that_sum_to_one(odds):
    data = odds(*DUEL)
    assert sum(in_lowest_terms(data[key]) for key in ("a_wins", "b_wins", "tie")) == 1
    assert data["a_wins"]["fraction"] == "11/12"


def test_a_sampled_duel_has_intervals(odds):
    data = odds(*DUEL, "--trials", "300")
    assert sum(with_interval(data[key]) for key in ("a_wins", "b_wins", "tie")) == pytest.approx(1)


def test_a_seed_gives_the_same_rolls_and_another_gives_others(odds):
    call = (*CALLS["close combat"], "--trials", "400")
    assert odds(*call) == odds(*call, "--seed", "1")
    assert odds(*call) != odds(*call, "--seed", "2")


def test_one_roll_in_place_of_none_has_an_interval(odds):
    for entry in odds(*CALLS["close combat"], "--trials", "1")["result"].values():
        assert with_interval(entry) in (0, 1)


def test_sides_swapped_swap_the_answer(odds):
    one, other = odds("close-combat", "Knights", "Spear"), odds("close-combat", "Spear", "Knights")
    assert list(one["result"].values()) == list(other["result"].values())[::-1]
    assert one["fate"]["a"] == other["fate"]["b"]


def test_a_stand_against_itself_has_no_better_seat(odds):
    data = odds("close-combat", "Warband", "Warband")
    assert data["fate"]["a"] == data["fate"]["b"]
    assert data["result"]["a_beaten"] == data["result"]["b_beaten"]


@pytest.mark.parametrize(
    "words",
    [("-s", "terrain=woods"), ("--situation", "b.terrain=woods"), ("-s", "a.overlaps=2", "-s", "b.general=yes")],
)
def test_a_situation_changes_the_answer(odds, words):
    assert odds("close-combat", "Knights", "Warband", *words) != odds("close-combat", "Knights", "Warband")


def test_a_ruling_changes_the_answer_where_it_is_read_and_only_there(odds):
    call = ("close-combat", "Knights", "Spear")
    overlapped = (*call, "-s", "a.overlaps=1")
    assert odds(*overlapped, "-r", "overlap=0") == odds(*call)
    assert odds(*overlapped, "--ruling", "duel_result=away") == odds(*overlapped)


def test_old_names_mean_the_same(odds):
    assert odds("ranged", "Archers", "Knights") == odds("ranged", "Shooters", "Knights")


@pytest.mark.parametrize("call", [*CALLS.values(), DUEL], ids=[*CALLS, "duel"])
def test_the_table_for_people_shows_the_fractions_of_the_fixed_form(ftsim, odds, call):
    answer = ftsim("odds", "triumph", *call)
    assert (answer.code, answer.err) == (0, "")
    data = odds(*call)
    shown = data["result"] if "result" in data else {key: data[key] for key in ("a_wins", "b_wins", "tie")}
    assert all(entry["fraction"] in answer.out for entry in shown.values() if entry["p"])


REFUSED = {
    "a game": (("triumf", "close-combat", "Knights", "Spear"), "Unknown game 'triumf' (did you mean 'triumph'?)"),
    "a contest": (("triumph", "close-combt", "Knights", "Spear"), "Unknown contest 'close-combt' (did you mean"),
    "a type": (
        ("triumph", "close-combat", "Nights", "Spear"),
        "Unknown troop type 'Nights' (did you mean 'Knights'?)",
    ),
    "a card": (
        ("triumph", "close-combat", "Knights + Deadlee", "Spear"),
        "Unknown battle card 'Deadlee' (did you mean 'Deadly'?)",
    ),
    "an illegal stand": (
        ("triumph", "close-combat", "Knights + Spiked Carts", "Spear"),
        "Knights + Spiked Carts is not legal:\n  - Spiked Carts is only for Heavy Foot (FT 55)",
    ),
    "a card twice": (
        ("triumph", "close-combat", "Knights + Deadly + Deadly", "Spear"),
        "Deadly is taken more than once (FT 31)",
    ),
    "nothing": (("triumph", "close-combat", "", "Spear"), "each + needs a name"),
    "two camps": (("triumph", "close-combat", "Camp", "Camp"), "Two camps do not fight each other"),
    "no hero": (("triumph", "duel", "Knights", "Hero"), "A hero starts with the word Hero, got 'Knights'"),
    "no shooter": (("triumph", "ranged", "Knights", "Spear"), "Knights has no shooting"),
    "no caster": (("triumph", "mindblast", "Knights", "Spear"), "Knights has no mindblast"),
    "no number": (("triumph", "factors", "three", "4"), "'three': bare factors start with a whole number"),
    "a card that needs a stand": (("triumph", "factors", "3 + Fast", "4"), "accepted: Brittle, Deadly, Hearten"),
    "a factor out of range": (("triumph", "factors", "999", "4"), "A factor of 999 is out of range; accepted"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_fight_is_refused_with_what_can(refused, words, said):
    assert said in refused("odds", *words)


OPTIONS = {
    ("-s", "terran=woods"): "Unknown situation 'terran' (did you mean 'terrain'",
    ("-s", "terrain=wods"): "Unknown kind of terrain 'wods' (did you mean 'Woods'?)",
    ("-s", "terrain"): "--situation 'terrain': expected key=value",
    ("-s", "terrain="): "--situation 'terrain=': expected key=value",
    ("-s", "=woods"): "--situation '=woods': expected key=value",
    ("-s", "a.overlaps=3"): "'3' is not an option; accepted: 0, 1, 2",
    ("-s", "a.uphill=maybe"): "'maybe' is not an option; accepted: yes, no",
    ("-s", "terrain=woods", "-s", "terrain=open"): "--situation terrain: given twice",
    ("-s", "a.on_transports=yes"): "Knights has no transports to ride on (FT 45)",
    ("-r", "overlap=7"): "Ruling overlap: '7' is not an option; accepted: -1, 0, -2",
    ("-r", "overlop=0"): "Unknown ruling 'overlop' (did you mean 'overlap'?)",
    ("-r", "overlap"): "--ruling 'overlap': expected key=value",
    ("--trials", "0"): "--trials",
    ("--trials", "-5"): "--trials",
    ("--trials", "many"): "--trials",
    ("--trials", "1.5"): "--trials",
    ("--trials", "99999999999999999999"): "--trials",
    ("--seed", "-1"): "--seed",
    ("--nothing",): "--nothing",
}


@pytest.mark.parametrize("words", OPTIONS, ids=" ".join)
def test_an_option_that_cannot_be_used_is_named(refused, words):
    assert OPTIONS[words] in refused("odds", "triumph", "close-combat", "Knights", "Spear", *words)


@pytest.mark.parametrize("turns", ["0", "-1", "many", "²", "1001"])
def test_a_number_of_turns_that_cannot_be_used_is_named(refused, turns):
    call = ("odds", "triumph", *CALLS["limited spellblast"], "-s", f"turns={turns}")
    assert "turns" in refused(*call)


def test_a_name_unlike_any_other_is_answered_with_where_to_find_them(refused):
    said = refused("odds", "triumph", "close-combat", "Knights", "Spear", "-r", "xyzzy=1")
    assert "accepted" in said or "ftsim list triumph rulings" in said
