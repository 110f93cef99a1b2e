"""Odds and prices worked out elsewhere: exact counts of 36, printed army prices, another dice library."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from dyce import H

from ftsim.errors import IllegalError
from ftsim.estimates import z_bound
from ftsim.games.triumph.armies import read_army
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.combat import RESULTS, compare, result_counts
from ftsim.games.triumph.lookups import cost
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.odds import factors
from ftsim.games.triumph.rulings import TriumphRulings

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
USUAL = TriumphRulings()
ORDER = ("A_doubled", "A_beaten", "tie", "B_beaten", "B_doubled")
FACES = list(product(range(1, 7), repeat=2))


def named(case):
    return " ".join([f"{case['A']} v {case['B']}", *case["mods"]])


ODDS = pytest.mark.parametrize("case", VECTORS["odds"], ids=named)


def written(case, side):
    return " + ".join([str(case[side]), *(m[2:].title() for m in case["mods"] if m.startswith(side))])


def published(case):
    return [case["out_of_36"][label] for label in ORDER]


def counted(a, b, **rulings):
    data = factors(a, b, {}, rulings, None, 0).data
    counts = [Fraction(data["result"][label]["fraction"]) * 36 for label in RESULTS]
    assert all(count.denominator == 1 for count in counts)
    return [int(count) for count in counts]


def arguments(case):
    mods = case["mods"]
    totals = [case[side] + ("deadly" in "".join(m for m in mods if m.startswith(side))) for side in "AB"]
    gains = [int(f"{side}_{card}" in mods) for side in "AB" for card in ("prowess", "hearten")]
    return totals, gains


@ODDS
def test_bare_factors_give_the_published_counts_of_36(case):
    assert counted(written(case, "A"), written(case, "B")) == published(case)


@ODDS
def test_comparing_every_face_by_hand_gives_the_published_counts(case):
    (a, b), gains = arguments(case)
    results = [compare(a + die_a, b + die_b, *gains) for die_a, die_b in FACES]
    assert np.bincount(results, minlength=5).tolist() == published(case)


@ODDS
def test_counting_in_arrays_gives_the_published_counts(case):
    totals, gains = arguments(case)
    assert result_counts(*(np.array([value]) for value in (*totals, *gains)))[0].tolist() == published(case)


@ODDS
def test_the_published_counts_are_seen_mirrored_from_the_other_side(case):
    assert counted(written(case, "B"), written(case, "A")) == published(case)[::-1]


def test_all_vectors_at_once_equal_each_alone():
    columns = np.array([[*totals, *gains] for totals, gains in map(arguments, VECTORS["odds"])]).T
    assert result_counts(*columns).tolist() == [published(case) for case in VECTORS["odds"]]


def test_published_odds_of_a_related_game_for_4_against_2():
    assert counted("4", "2")[::-1] == [9, 17, 4, 6, 0]


@pytest.mark.parametrize("defender, least", [*zip(range(1, 7), range(-2, 9, 2), strict=True)])
def test_the_least_attacker_that_can_double_a_defender(defender, least):
    assert counted(str(least), str(defender))[4] > 0
    assert counted(str(least - 1), str(defender))[4] == 0


def test_eight_against_four_is_doubled_and_eight_against_five_is_not():
    assert RESULTS[compare(8, 4, 0, 0, 0, 0)] == "b_doubled"
    assert RESULTS[compare(8, 5, 0, 0, 0, 0)] == "b_beaten"


@pytest.mark.parametrize("loser", [0, -1, -3])
def test_any_win_doubles_a_total_of_nothing_or_less(loser):
    assert RESULTS[compare(loser + 1, loser, 0, 0, 0, 0)] == "b_doubled"


def test_with_a_floor_of_one_a_total_below_it_counts_as_one():
    assert RESULTS[compare(1, -3, 0, 0, 0, 0, floor=1)] == "tie"
    assert RESULTS[compare(2, -3, 0, 0, 0, 0, floor=1)] == "b_doubled"


# Prices printed in the appendices.


def card_text(identifier):
    name, _, variant = identifier.partition(":")
    option = variant or {"ranged_attack": "physical"}.get(name, "")
    return f"{cards()[name].name}: {option}" if option else cards()[name].name


def spec(case):
    head = "Hero" if case.get("hero") else case["stand"]
    return " + ".join([head, *map(card_text, case["cards"])])


PRICED = [case for case in VECTORS["army_costs"] if "cards" in case]
STANDS = [case for case in PRICED if "stand" in case]


@pytest.mark.parametrize("case", PRICED, ids=lambda case: case["name"].split(" (")[0])
def test_a_printed_example_costs_what_is_printed(case):
    bearer = Hero.read(spec(case)) if case.get("hero") else Stand.read(spec(case))
    assert bearer.points == Fraction(str(case["cost"]))
    assert cost(spec(case), {}).points == case["cost"]


@pytest.mark.parametrize("case", [c for c in PRICED if "illegal" not in c["name"]], ids=lambda case: case["name"])
def test_a_printed_example_is_legal(case):
    assert cost(spec(case), {}).legal
    (Hero if case.get("hero") else Stand).parse(spec(case))


def test_the_printed_war_wagon_dragon_is_priced_but_not_legal():
    # h-6: the card pages forbid War Wagons both Armored and Ranged Attack.
    (dragon,) = [case for case in STANDS if "illegal" in case["name"]]
    answer = cost(spec(dragon), {})
    assert (answer.points, answer.legal) == (9.5, False)
    assert len(answer.reasons) == 2
    assert "FT 25" in " ".join(answer.reasons)
    assert "FT 51" in " ".join(answer.reasons)
    with pytest.raises(IllegalError, match="is not legal"):
        Stand.parse(spec(dragon))


def army(folder, stands):
    file = folder / "army.yaml"
    file.write_text(json.dumps({"name": "an example", "home_topography": "Forest", "stands": stands}))
    return read_army(file)


@pytest.mark.parametrize("case", STANDS, ids=lambda case: case["name"].split(" (")[0])
def test_a_delayed_entry_is_refunded_to_the_army_as_printed(case, tmp_path):
    late = army(tmp_path, [{"stand": spec(case), "delayed": 1}])
    assert late.total(USUAL) == Fraction(str(case["after_delayed_entry"]))
    assert late.refund(USUAL) == 2
    assert late.victory_points(USUAL) == Fraction(str(case["cost"]))


def test_six_elite_foot_with_two_ground_transports_cost_25(tmp_path):
    (case,) = [case for case in VECTORS["army_costs"] if "cards" not in case]
    stands = [{"stand": "Elite Foot + Mobile Infantry: ground", "count": 2}, {"stand": "Elite Foot", "count": 4}]
    assert army(tmp_path, stands).total(USUAL) == case["cost"] == 25
    assert army(tmp_path, stands).victory_points(USUAL) == 24


def test_achilles_fights_duels_with_seven():
    (achilles,) = [case for case in PRICED if case["name"] == "Achilles"]
    assert Hero.parse(spec(achilles)).duel_modifier(USUAL) == 7


# dyce as an outside witness.

CARDS = ("Prowess", "Hearten", "Weaken")


def witness(a, b, cards_a, cards_b):
    def outcome(die_a, die_b):
        total_a, total_b = a + int(die_a), b + int(die_b)
        if total_a > total_b:
            total_a += "Prowess" in cards_a
            total_b += ("Hearten" in cards_b) - ("Weaken" in cards_b)
        elif total_b > total_a:
            total_b += "Prowess" in cards_b
            total_a += ("Hearten" in cards_a) - ("Weaken" in cards_a)
        if total_a == total_b:
            return 2
        if total_a > total_b:
            return 4 if total_a >= 2 * total_b else 3
        return 0 if total_b >= 2 * total_a else 1

    histogram = H(6).apply(outcome, H(6))
    return [histogram.get(code, 0) for code in range(5)]


def draw(rng):
    return rng.randint(-3, 12), rng.sample(CARDS, rng.randint(0, 3))


@pytest.mark.parametrize("seed", range(20))
def test_dyce_counts_the_same_for_bare_totals_with_and_without_cards(seed):
    rng = random.Random(20260131 + seed)
    for _ in range(10):
        (a, cards_a), (b, cards_b) = draw(rng), draw(rng)
        ours = counted(" + ".join([str(a), *cards_a]), " + ".join([str(b), *cards_b]))
        assert ours == witness(a, b, cards_a, cards_b), (a, cards_a, b, cards_b)


# Sampled odds.

SAMPLED = [("4", "3"), ("3 + Hearten", "5 + Prowess"), ("2 + Weaken", "4 + Terror"), ("9", "1")]
SEEDS = range(1, 6)


@pytest.mark.parametrize("pair", SAMPLED, ids=" v ".join)
@pytest.mark.parametrize("seed", SEEDS)
def test_sampled_odds_lie_within_the_z_bound_of_exact(pair, seed):
    trials = 100_000
    exact, sampled = factors(*pair, {}, {}, None, 0).data, factors(*pair, {}, {}, trials, seed).data
    assert not sampled["exact"]
    bound = z_bound(len(SAMPLED) * len(SEEDS) * 19)
    groups = [(exact["result"], sampled["result"]), *((exact["fate"][s], sampled["fate"][s]) for s in "ab")]
    for truth, guess in groups:
        assert truth.keys() == guess.keys()
        for label, entry in truth.items():
            error = sqrt(entry["p"] * (1 - entry["p"]) / trials)
            assert abs(guess[label]["p"] - entry["p"]) <= bound * error + 1e-12
            assert guess[label]["low"] <= guess[label]["p"] <= guess[label]["high"]


def test_a_seed_gives_the_same_sample_again_and_another_seed_does_not():
    one, again, other = (factors("4", "3", {}, {}, 1000, seed).data for seed in (5, 5, 6))
    assert one == again
    assert one != other
