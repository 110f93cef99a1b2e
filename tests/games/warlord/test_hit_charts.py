"""Hit charts: every face has a cell, and chances of death are exact."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from ftsim.estimates import z_bound
from ftsim.games.warlord.hit_charts import Wounds, chart, chart_names, fire_survival, killed, look_up
from ftsim.games.warlord.rulings import WarlordRulings

R = WarlordRulings()


@pytest.mark.parametrize("name", chart_names())
def test_every_face_has_one_cell(name):
    assert sum(hit.chance for hit in chart(name)) == 1
    for d4 in (1, 2, 3, 4):
        for d100 in range(1, 101):
            assert sum(hit.low <= d100 <= hit.high and hit.column == d4 for hit in chart(name)) == 1


def test_one_wound_kills_a_humanoid_in_11_of_100_and_two_in_3873_of_10000():
    assert killed("humanoid", 1, R) == F(11, 100)
    assert killed("humanoid", 2, R) == F(3873, 10000)
    assert killed("humanoid", 2, WarlordRulings(two_wounds_stun=True)) == F(4229, 10000)


def test_two_wounds_by_enumeration_of_all_faces():
    dead = 0
    cells = [(look_up("humanoid", d100, d4), 1) for d100 in range(1, 101) for d4 in (1, 2, 3, 4)]
    counted: dict[object, int] = {}
    for hit, times in cells:
        counted[hit] = counted.get(hit, 0) + times
    for one, m in counted.items():
        for two, n in counted.items():
            grave = [w.wound for w in (one, two) if w.wound in ("critical", "serious", "wound")]
            both = "killed" in (one.wound, two.wound)
            adds = len(grave) == 2 and ("critical" in grave or grave == ["serious", "serious"])
            dead += m * n * (both or adds)
    assert F(dead, 160_000) == killed("humanoid", 2, R)


@pytest.mark.parametrize(
    ("wounds", "dead"),
    [
        (["critical", "wound"], True),
        (["critical", "serious"], True),
        (["critical", "critical"], True),
        (["critical", "nick"], False),
        (["critical", "blinded", "stunned"], False),
        (["serious", "serious"], True),
        (["serious", "wound"], False),
        (["serious", "wound", "wound"], True),
        (["wound", "wound", "wound"], False),
    ],
)
def test_g7_accumulation(wounds, dead):
    figure = Wounds()
    for name in wounds:
        hit = next(h for h in chart("humanoid") if h.wound == name)
        figure = figure.struck(hit, adds_up=True)
    assert figure.dead == dead


def test_wounds_lower_percentages_and_moves():
    arm, leg = look_up("humanoid", 20, 3), look_up("humanoid", 80, 1)
    figure = Wounds().struck(arm, True).struck(leg, True)
    assert (figure.percent, figure.combat, figure.moves) == (-20, -5, F(3, 4) * F(1, 2))


def test_only_humanoids_accumulate_under_the_other_ruling():
    alone = WarlordRulings(accumulation_for="humanoid")
    assert killed("humanoid", 2, alone) == killed("humanoid", 2, R)
    assert killed("giant", 2, alone) == 1 - (1 - killed("giant", 1, alone)) ** 2


def test_f53_a_character_survives_a_fire_turn_with_chance_8063():
    alive = fire_survival("humanoid", 3, R, F(1, 2))
    assert alive[0] == 1 - F(3873, 20000)
    assert alive[0] > alive[1] > alive[2]


def test_f53_sampled_within_its_bound():
    rng, trials, turns = np.random.default_rng(3), 20_000, 3
    alive = 0
    for _ in range(trials):
        figure = Wounds()
        for _ in range(turns):
            if rng.integers(1, 101) >= 51:
                for _ in range(2):
                    hit = look_up("humanoid", int(rng.integers(1, 101)), int(rng.integers(1, 5)))
                    figure = figure.struck(hit, True)
        alive += not figure.dead
    p = float(fire_survival("humanoid", turns, R, F(1, 2))[-1])
    assert abs(alive - trials * p) <= z_bound(1) * (trials * p * (1 - p)) ** 0.5
