"""Fire: closed forms, printed thresholds, the process against chains and a twin, samples within bounds."""

from __future__ import annotations

import random
from fractions import Fraction as F
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.chains import absorb
from ftsim.errors import InputError
from ftsim.games.warlord.demolition import magic, structures
from ftsim.games.warlord.fire import (
    ENDINGS,
    POLICIES,
    Fire,
    binomial,
    burnt,
    ended_by_magic,
    kill_percent,
    must_roll,
    points,
    put_out,
    put_out_percent,
    solve,
    turns_to_burn,
    turns_to_half,
)
from ftsim.games.warlord.fire_kernel import sample_counts
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.profiles import DefenceDice
from ftsim.games.warlord.rulings import WarlordRulings

R = WarlordRulings()


class TestClosedForms:
    def test_f50_f47_damage_grows_by_one_a_turn(self):
        for turns in range(1, 40):
            assert (
                burnt(turns, False) == sum(points(t, False) for t in range(1, turns + 1)) == turns * (turns + 1) // 2
            )
            assert burnt(turns, True) == sum(points(t, True) for t in range(1, turns + 1)) == turns * (turns + 5) // 2

    def test_s10_an_ordinary_fire_in_ten_points_of_wood(self):
        assert [burnt(t, False) for t in (1, 2, 3, 4)] == [1, 3, 6, 10]
        assert turns_to_half(10, False) == 3
        assert turns_to_burn(10, False) == 4

    def test_s11_a_magical_fire(self):
        assert [burnt(t, True) for t in (1, 2, 3)] == [3, 7, 12]
        assert turns_to_half(10, True) == 2
        assert turns_to_burn(10, True) == 3

    def test_turns_to_destroy_each_defence_value(self):
        values = [1, 3, 4, 6, 7, 10, 12, 15, 18, 20, 21, 25, 28, 30]
        assert [turns_to_burn(v, False) for v in values] == [1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8]
        assert [turns_to_burn(v, True) for v in values] == [1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6]

    @pytest.mark.parametrize(
        ("count", "ordinary", "magical"),
        [(1, 2.33, 1.50), (2, 3.58, 2.33), (3, 4.45, 3.09), (4, 5.18, 3.73), (5, 5.81, 4.32)],
    )
    def test_mean_burning_times_of_the_dice(self, count, ordinary, magical):
        for is_magical, wanted in ((False, ordinary), (True, magical)):
            dice = DefenceDice(count, 6)
            mean = sum(chance * turns_to_burn(v, is_magical) for v, chance in dice.chances().items())
            assert round(float(mean), 2) == wanted
            assert solve(Fire(dice.chances(), 0, magical=is_magical)).mean_turns == pytest.approx(float(mean))

    def test_fire_fighting_table(self):
        table = {
            5: [0.9718, 0.8248, 0.5187, 0.2002, 0.0345, 0, 0, 0],
            10: [0.9992, 0.9909, 0.9520, 0.8440, 0.6474, 0.4018, 0.1888, 0.0621],
            20: [1, 1, 0.9999, 0.9990, 0.9954, 0.9834, 0.9520, 0.8867],
        }
        for fighters, row in table.items():
            assert [round(float(put_out(fighters, n, R)), 4) for n in range(1, 9)] == row

    def test_the_binomial_is_exact(self):
        assert binomial(5, 51, 5) == F(51, 100) ** 5
        assert binomial(3, 51, 1) == 1 - F(49, 100) ** 3
        assert binomial(4, 51, 0) == 1

    def test_s13_edges_of_the_d100(self):
        faces = np.arange(1, 101)
        assert int((faces > 100 - kill_percent(R)).sum()) == 50
        assert faces[faces > 100 - kill_percent(R)].min() == 51
        assert int((faces > 100 - put_out_percent(R)).sum()) == 51
        assert faces[faces > 100 - put_out_percent(R)].min() == 50
        other = WarlordRulings(fire_dice="0-99")
        assert (kill_percent(other), put_out_percent(other)) == (49, 50)

    def test_s12_survivors_after_one_two_and_three_rolls(self):
        # A defence value of 6 burns in 3 turns, half of it in 2: rolls in turns 2 and 3. And so on.
        for value, rolls in ((3, 1), (6, 2), (12, 3)):
            assert turns_to_burn(value, False) - turns_to_half(value, False) + 1 == rolls
            assert solve(Fire({value: F(1)}, 20)).mean_survivors == pytest.approx(20 / 2**rolls)

    def test_f54_magic_ends_fires_at_once(self):
        spells = magic()
        assert spells["extinguish_fire"].puts_out == "one building"
        assert spells["downpour"].puts_out == "area"
        assert ended_by_magic(2, 10, False) == (3, False)
        assert ended_by_magic(3, 10, False) == (6, True)
        assert ended_by_magic(0, 10, True) == (0, False)


class TestRules:
    def test_f49_only_wattle_wood_and_thatch_burn(self):
        burning = {s.id for s in structures().values() if s.burns}
        assert {"wattle_wall", "wood_wall", "thatch_roof"} <= burning
        assert not burning & {"stone_wall", "free_wall", "tile_roof"}

    def test_a7_magical_fire_strikes_stone_once(self):
        end = solve(Fire({20: F(1)}, 5, magical=True, burns=False))
        assert end.chance("does_not_burn") == 1
        assert end.mean_turns == 1
        on = solve(Fire({20: F(1)}, 5, magical=True, burns=False, rulings=WarlordRulings(magic_on_stone="burns_on")))
        assert on.chance("destroyed") == 1
        assert solve(Fire({20: F(1)}, 5, burns=False)).chance("does_not_burn") == 1
        assert solve(Fire({3: F(1)}, 5, magical=True, burns=False)).chance("destroyed") == 1

    def test_a10_the_first_roll(self):
        assert must_roll(3, True, False, R)
        assert not must_roll(3, False, False, R)
        # Half burnt at ignition, in the middle of a turn: from the next phase 1.
        assert not must_roll(1, True, False, R)
        assert must_roll(2, True, True, R)
        later = WarlordRulings(first_fire_roll="next_turn")
        assert not must_roll(3, True, False, later)
        assert must_roll(4, True, True, later)

    def test_f57_who_leaves_loses_nobody_and_the_building(self):
        for magical in (False, True):
            end = solve(Fire(DefenceDice(3, 6).chances(), 12, "leave", magical))
            assert end.chance("left") == pytest.approx(1)
            assert end.mean_survivors == pytest.approx(12)

    def test_f55_fighting_needs_all_points_of_the_turn(self):
        # Defence 100: only the fire's growth matters; from turn 2 on its points are 2, 3, 4 …
        end = solve(Fire({100: F(1)}, 3, "fight_then_leave"))
        p = [float(put_out(3, n, R)) for n in (2, 3)]
        assert end.chance("put_out") == pytest.approx(p[0] + (1 - p[0]) * p[1])
        from_first = solve(Fire({100: F(1)}, 3, "fight_then_leave", rulings=WarlordRulings(fire_fighting_from=1)))
        p = [float(put_out(3, n, R)) for n in (1, 2, 3)]
        assert from_first.chance("put_out") == pytest.approx(1 - (1 - p[0]) * (1 - p[1]) * (1 - p[2]))

    def test_a6_partial_fire_fighting_buys_time_under_the_other_ruling(self):
        chances = {12: F(1)}
        literal = solve(Fire(chances, 6, "fight"))
        partial = solve(Fire(chances, 6, "fight", rulings=WarlordRulings(partial_extinguish=True)))
        assert partial.chance("put_out") > literal.chance("put_out")
        assert partial.mean_survivors > literal.mean_survivors

    def test_a8_a_collapse_that_kills(self):
        kept = solve(Fire({6: F(1)}, 20))
        half = solve(Fire({6: F(1)}, 20, rulings=WarlordRulings(collapse_kills=50)))
        everyone = solve(Fire({6: F(1)}, 20, rulings=WarlordRulings(collapse_kills=100)))
        assert half.mean_survivors == pytest.approx(kept.mean_survivors / 2)
        assert everyone.mean_survivors == 0

    def test_bad_input(self):
        with pytest.raises(InputError, match="accepted: stay, leave"):
            Fire({5: F(1)}, 5, "pray")
        with pytest.raises(InputError, match="0 to 100"):
            Fire({5: F(1)}, 101)
        with pytest.raises(InputError, match="at least 1"):
            Fire({0: F(1)}, 5)


def chain_answer(defence: int, figures: int, fights: bool, magical: bool) -> tuple[float, list[float], float]:
    """The same fire as an absorbing chain over (turn, figures), written from the rules alone."""
    turns = turns_to_burn(defence, magical)
    states = [(t, n) for t in range(1, turns + 1) for n in range(figures + 1)]
    index = {state: k for k, state in enumerate(states)}
    stay = np.zeros((len(states), len(states)))
    leave = np.zeros((len(states), 2 + figures))
    for (t, n), k in index.items():
        rolls = t >= turns_to_half(defence, magical) and t > 1
        for m in range(n + 1):
            chance = comb(n, m) / 2**n if rolls else float(m == n)
            out = float(put_out(m, points(t, magical), R)) if fights and t >= 2 and t < turns else 0.0
            leave[k, 0] += chance * out
            if t == turns:
                leave[k, 1 + m] += chance
            else:
                stay[k, index[t + 1, m]] += chance * (1 - out)
    solved = absorb(stay, leave)
    start = index[1, figures]
    return float(solved.ends[start, 0]), list(solved.ends[start, 1:]), float(solved.rounds[start])


class TestExact:
    @pytest.mark.parametrize("magical", [False, True])
    @pytest.mark.parametrize("fights", [False, True])
    @pytest.mark.parametrize("defence", [2, 5, 9, 14])
    def test_the_process_equals_an_absorbing_chain(self, defence, fights, magical):
        end = solve(Fire({defence: F(1)}, 6, "fight" if fights else "stay", magical))
        out, burnt_down, turns = chain_answer(defence, 6, fights, magical)
        assert end.chance("put_out") == pytest.approx(out, abs=1e-12)
        assert end.ends[1] == pytest.approx(burnt_down, abs=1e-12)
        assert end.mean_turns == pytest.approx(turns)

    @settings(max_examples=30, deadline=None)
    @given(st.integers(1, 25), st.integers(0, 12), st.sampled_from(POLICIES), st.booleans())
    def test_chances_sum_to_one_and_more_fighters_never_harm(self, defence, figures, policy, magical):
        end = solve(Fire({defence: F(1)}, figures, policy, magical))
        assert end.ends.sum() == pytest.approx(1)
        assert end.turns.sum() == pytest.approx(1)
        more = solve(Fire({defence: F(1)}, figures + 1, policy, magical))
        assert more.chance("put_out") >= end.chance("put_out") - 1e-12


def twin(defence: int, figures: int, policy: str, magical: bool, rng: random.Random) -> tuple[str, int, int]:
    """One fire as a beginner would write it, without the tables."""
    damage, turn, half_before = 0, 0, False
    while True:
        turn += 1
        now = turn + 2 if magical else turn
        damage += now
        half = damage * 2 >= defence
        if half and "leave" in policy and figures > 0:
            return "left", figures, turn
        if half_before or (half and turn >= 2):
            figures = sum(1 for _ in range(figures) if rng.randint(1, 100) <= 50)
        if damage >= defence:
            return "destroyed", figures, turn
        if "fight" in policy and turn >= 2:
            out = sum(1 for _ in range(figures) if rng.randint(1, 100) >= 50)
            if out >= now:
                return "put_out", figures, turn
        half_before = half


@pytest.mark.parametrize("policy", POLICIES)
def test_the_scalar_twin_is_within_its_bound(policy, check_counts):
    rng, trials = random.Random(5), 6000
    exact = solve(Fire({11: F(1)}, 8, policy))
    seen = np.zeros_like(exact.ends)
    for _ in range(trials):
        ending, left, _ = twin(11, 8, policy, False, rng)
        seen[ENDINGS.index(ending), left] += 1
    check_counts(seen, exact.ends, trials)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("magical", [False, True])
@pytest.mark.parametrize("changes", [{}, {"partial_extinguish": True, "collapse_kills": 50, "fire_dice": "0-99"}])
def test_the_sampled_process_is_within_its_bound(policy, magical, changes, check_counts):
    dice, trials = shipped().dice("defence_dice.wood_wall"), 20_000
    fire = Fire(dice.chances(), 10, policy, magical, rulings=WarlordRulings(**changes))
    exact = solve(fire)
    counts = sample_counts(fire, trials, 7, dice)
    size = exact.ends.size
    check_counts(counts[:size].reshape(exact.ends.shape), exact.ends, trials)
    check_counts(counts[size:], exact.turns, trials)


def test_samples_do_not_depend_on_threads_or_blocks(monkeypatch):
    fire = Fire({11: F(1)}, 9, "fight")
    one = sample_counts(fire, 3000, 3, threads=1)
    monkeypatch.setattr("ftsim.games.warlord.sampling.BLOCK", 700)
    assert np.array_equal(one, sample_counts(fire, 3000, 3, threads=2))
    assert np.array_equal(one, sample_counts(fire, 3000, 3, threads=1))
    assert not np.array_equal(one, sample_counts(fire, 3000, 4))


@pytest.mark.verification
def test_a_million_fires_are_within_their_bound(check_counts):
    dice = DefenceDice(2, 6)
    for policy in POLICIES:
        fire = Fire(dice.chances(), 20, policy)
        exact, counts = solve(fire), sample_counts(fire, 1_000_000, 11, dice)
        check_counts(counts[: exact.ends.size].reshape(exact.ends.shape), exact.ends, 1_000_000)
