"""Fights to the end: tables against single rounds, exact against fractions, chains and samples."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.chains import absorb
from ftsim.errors import InputError
from ftsim.games.warlord.fight import (
    A_WINS,
    B_WINS,
    ENDINGS,
    Fight,
    Ground,
    first_ground,
    holds_ground,
    next_ground,
    stances,
    tables,
)
from ftsim.games.warlord.fight_kernel import sample_counts, solve, solve_tables
from ftsim.games.warlord.melee import strike
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit

P, R, T = shipped(), WarlordRulings(), terrains()
GOBLINS, MEN = (
    Unit.parse("12 western goblin A + spear + chain + shield + 3 ranks"),
    Unit.parse("10 Human C + spear + chain + 2 ranks"),
)
PLACES = ["clear", "wall", "hedge", "fence", "building", "wood", "swamp", "ford"]
OTHER = WarlordRulings(
    win_test="higher_share", pushed_off_cover="kept", repulsed="charge", pursuit="none", contact_overlap=0,
    partial_rank="half", cover_acts_on="own",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("rulings", [R, OTHER])
def test_the_tables_hold_what_single_rounds_say(place, rulings):
    fight = Fight(GOBLINS, MEN, T[place], b_attacked_in="flank" if place == "clear" else "front")
    t = tables(fight, P, rulings)
    for g, ground in enumerate(t.grounds):
        one, two = stances(fight, ground, rulings)
        for a in range(1, 13):
            for b in range(1, 11):
                assert t.total[0, g, a, b] == strike(GOBLINS, MEN, one, two, a, b, P, rulings).total
                assert t.total[1, g, a, b] == strike(MEN, GOBLINS, two, one, b, a, P, rulings).total


def exact(t):
    """Endings of a fight in fractions, by recursion over its states."""

    @cache
    def ends(g, a, b):
        found: dict[tuple[int, int, int], F] = {}
        full = [int(t.total[s, g, a, b]) // 100 for s in (0, 1)]
        rest = [F(int(t.total[s, g, a, b]) % 100, 100) for s in (0, 1)]
        stays = F(0)

        def add(key, chance):
            found[key] = found.get(key, F(0)) + chance

        for x in (0, 1):
            for y in (0, 1):
                chance = (rest[0] if x else 1 - rest[0]) * (rest[1] if y else 1 - rest[1])
                if not chance:
                    continue
                kills_a, kills_b = min(full[0] + x, b), min(full[1] + y, a)
                na, nb = a - kills_b, b - kills_a
                if kills_a == kills_b == 0 and t.then[g, 1] == g:
                    stays += chance
                elif na == 0 or nb == 0:
                    add((2 if na == nb == 0 else 0 if nb == 0 else 1, na, nb), chance)
                else:
                    mine, theirs = (kills_a * a, kills_b * b) if t.share else (kills_a, kills_b)
                    if mine == theirs:
                        for key, p in ends(int(t.then[g, 1]), na, nb).items():
                            add(key, chance * p)
                        continue
                    beaten = 1 if mine > theirs else 0
                    for face in range(4):
                        fate = int(t.result[beaten, g, na, nb, face])
                        if fate >= 2:
                            for key, p in ends(int(t.then[g, 0 if beaten else 2]), na, nb).items():
                                add(key, chance * p / 4)
                        elif fate == 1:
                            add((5 if beaten else 6, na, nb), chance / 4)
                        else:
                            gone = int(t.caught[beaten, g, na, nb])
                            add((3, na, max(0, nb - gone)) if beaten else (4, max(0, na - gone), nb), chance / 4)
        if stays == 1:
            return {(7, a, b): F(1)}
        return {key: p / (1 - stays) for key, p in found.items()}

    return ends(0, *t.size)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("rulings", [R, OTHER])
def test_the_solution_equals_a_recursion_in_fractions(place, rulings):
    t = tables(Fight(GOBLINS, MEN, T[place], hated=(True, False)), P, rulings)
    wanted, found = exact(t), solve_tables(t)
    assert sum(wanted.values()) == 1
    dense = np.zeros_like(found.ends)
    for key, p in wanted.items():
        dense[key] = float(p)
    assert found.ends == pytest.approx(dense, abs=1e-12)


def test_the_solution_equals_an_absorbing_chain():
    small = Fight(Unit.parse("4 Human B + spear + 1 rank"), Unit.parse("3 western orc B + 1 rank"))
    t = tables(small, P, R)
    states = [(g, a, b) for g in range(len(t.grounds)) for a in range(1, 5) for b in range(1, 4)]
    index = {s: k for k, s in enumerate(states)}
    stay, leave = np.zeros((len(states),) * 2), np.zeros((len(states), len(ENDINGS)))
    for (g, a, b), k in index.items():
        for x, p in ((0, 1 - t.total[0, g, a, b] % 100 / 100), (1, t.total[0, g, a, b] % 100 / 100)):
            for y, q in ((0, 1 - t.total[1, g, a, b] % 100 / 100), (1, t.total[1, g, a, b] % 100 / 100)):
                ka = min(t.total[0, g, a, b] // 100 + x, b)
                kb = min(t.total[1, g, a, b] // 100 + y, a)
                na, nb = a - kb, b - ka
                if na == 0 or nb == 0:
                    leave[k, 2 if na == nb == 0 else 0 if nb == 0 else 1] += p * q
                elif ka == kb:
                    stay[k, index[int(t.then[g, 1]), na, nb]] += p * q
                else:
                    beaten = 1 if ka > kb else 0
                    for face in range(4):
                        fate = t.result[beaten, g, na, nb, face]
                        if fate >= 2:
                            stay[k, index[int(t.then[g, 0 if beaten else 2]), na, nb]] += p * q / 4
                        else:
                            leave[k, {(0, 1): 3, (0, 0): 4, (1, 1): 5, (1, 0): 6}[fate, beaten]] += p * q / 4
    chain = absorb(stay, leave)
    found, start = solve_tables(t), index[0, 4, 3]
    assert found.ends.sum((1, 2)) == pytest.approx(chain.ends[start], abs=1e-12)
    assert found.rounds == pytest.approx(float(chain.rounds[start]))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("rulings", [R, OTHER])
def test_samples_are_within_their_bound(place, rulings, check_counts):
    fight, trials = Fight(GOBLINS, MEN, T[place]), 20_000
    found = solve(fight, P, rulings)
    counts = sample_counts(fight, P, rulings, trials, 9)
    check_counts(counts[:-1].reshape(found.ends.shape), found.ends, trials)


@pytest.mark.verification
def test_a_million_fights_are_within_their_bound(check_counts):
    for place in ("clear", "wall", "building"):
        fight = Fight(
            Unit.parse("20 dwarf B + polearm + chain"), Unit.parse("24 eastern orc B + spear + shield"), T[place]
        )
        found = solve(fight, P, R)
        counts = sample_counts(fight, P, R, 1_000_000, 10)
        check_counts(counts[:-1].reshape(found.ends.shape), found.ends, 1_000_000)
        assert counts[-1] / 1_000_000 == pytest.approx(found.rounds, rel=0.01)


def test_samples_do_not_depend_on_threads_or_blocks(monkeypatch):
    fight = Fight(GOBLINS, MEN)
    one = sample_counts(fight, P, R, 3000, 3, threads=1)
    monkeypatch.setattr("ftsim.games.warlord.sampling.BLOCK", 700)
    assert np.array_equal(one, sample_counts(fight, P, R, 3000, 3, threads=2))


class TestProperties:
    @settings(max_examples=15, deadline=None)
    @given(st.integers(1, 14), st.integers(1, 14), st.sampled_from("ABC"), st.sampled_from(PLACES))
    def test_chances_sum_to_one(self, n, m, rank, place):
        fight = Fight(Unit.parse(f"{n} Human {rank} + spear + 1 rank"), Unit.parse(f"{m} dwarf B + 1 rank"), T[place])
        assert solve(fight, P, R).ends.sum() == pytest.approx(1)

    def test_even_fights_without_a_charge_are_even(self):
        end = solve(Fight(MEN, MEN, charge=False), P, R)
        assert end.a_wins == pytest.approx(end.b_wins)
        assert end.ends[list(A_WINS)].sum() == pytest.approx(end.ends[list(B_WINS)].sum())

    @pytest.mark.parametrize(
        ("better", "worse"),
        [
            ("20 Human A + spear", "20 Human B + spear"),
            ("20 Human B + spear", "20 Human C + spear"),
            ("20 Human B + spear + mail and plate", "20 Human B + spear + leather"),
            ("24 Human B + spear", "20 Human B + spear"),
        ],
    )
    def test_better_troops_win_more(self, better, worse):
        foe = Unit.parse("20 western orc B + spear")
        scores = [solve(Fight(Unit.parse(text), foe), P, R).score for text in (better, worse)]
        assert scores[0] > scores[1]

    def test_charging_helps_and_cover_helps_the_defender(self):
        base = solve(Fight(GOBLINS, MEN), P, R).score
        assert solve(Fight(GOBLINS, MEN, charge=False), P, R).score < base
        assert solve(Fight(GOBLINS, MEN, T["building"]), P, R).score < base
        assert solve(Fight(GOBLINS, MEN, b_attacked_in="flank"), P, R).score > base

    def test_a_fight_in_which_nobody_can_hit_never_ends(self):
        zero = shipped()
        for key in ("combat_base.base", "combat_modifier.two_ranks", "combat_modifier.charged"):
            zero = zero.swept(key, F(0))
        weak = Unit.parse("5 western goblin B + spear + mail and plate + shield + 1 rank")
        end = solve(Fight(weak, weak), zero, R)
        assert end.chance("unresolved") == 1
        assert end.rounds == np.inf
        assert end.score == 0.5


class TestGround:
    def test_f37_follow_up_and_pursuit_are_optional_at_walls_hedges_and_buildings(self):
        for place, holds in (("wall", True), ("hedge", True), ("building", True), ("fence", False), ("clear", False)):
            assert holds_ground(Fight(GOBLINS, MEN, T[place])) == holds
        assert not holds_ground(Fight(GOBLINS, MEN, T["wall"], b_follows=True))

    def test_a_winning_defender_stays_at_a_wall_and_leaves_a_fence(self):
        here = Ground("here", True)
        assert next_ground(Fight(GOBLINS, MEN, T["wall"]), here, "b", R).where == "here"
        assert next_ground(Fight(GOBLINS, MEN, T["fence"]), here, "b", R).where == "beyond"
        assert next_ground(Fight(GOBLINS, MEN, T["wall"]), here, "a", R).where == "beyond"
        kept = WarlordRulings(pushed_off_cover="kept")
        assert next_ground(Fight(GOBLINS, MEN, T["wall"]), here, "a", kept).where == "here"
        again = next_ground(Fight(GOBLINS, MEN, T["wall"]), Ground(), "b", WarlordRulings(repulsed="charge"))
        assert again.charged

    def test_f38_f39_buildings_are_entered_on_a_pushback_and_the_pushed_out_are_disordered(self):
        fight = Fight(GOBLINS, MEN, T["building"])
        inside = next_ground(fight, first_ground(fight, R), "a", R)
        assert inside == Ground("inside", False, (False, False))
        assert next_ground(fight, first_ground(fight, R), "", R).where == "here"
        assert next_ground(fight, inside, "a", R) == Ground("beyond", False, (False, True))
        assert next_ground(fight, inside, "b", R) == Ground("here", False, (True, False))

    def test_f29_cover_changes_when_attackers_are_inside(self):
        fight = Fight(GOBLINS, MEN, T["building"])
        covers = {g: tuple(s.cover for s in stances(fight, Ground(g), R)) for g in ("here", "inside", "beyond")}
        assert covers == {"here": ("none", "heavy"), "inside": ("medium", "medium"), "beyond": ("none", "none")}

    def test_f34_f36_pikes_in_and_against_buildings(self):
        pikes = Unit.parse("12 Human B + pike + second sword + 3 ranks")
        attack = Fight(pikes, MEN, T["building"])
        assert stances(attack, Ground(), R)[0].weapon.id == "sword"
        assert stances(attack, Ground("beyond"), R)[0].weapon.id == "pike"
        hold = Fight(MEN, pikes, T["building"])
        assert stances(hold, Ground(), R)[1].weapon.id == "sword"
        assert stances(hold, Ground("beyond"), R)[1].weapon.id == "sword"

    def test_f33_a_charge_into_a_swamp_disorders_for_the_whole_fight(self):
        fight = Fight(GOBLINS, MEN, T["swamp"])
        assert {g.disordered for g in tables(fight, P, R).grounds} == {(True, False)}

    def test_cover_helps_morale_while_three_quarters_of_the_figures_have_it(self):
        deep, wide = Unit.parse("20 Human C + spear + 4 ranks"), Unit.parse("20 Human C + spear + 2 ranks")
        hedge = {u.ranks: tables(Fight(GOBLINS, u, T["hedge"]), P, R).result[1, 0] for u in (deep, wide)}
        open_ground = tables(Fight(GOBLINS, deep), P, R).result[1, 0]
        # At 14 left (30 per cent lost) the value is 6: with a medium cover 7.
        assert open_ground[12, 14].tolist() == [1, 1, 2, 2]
        assert hedge[4][12, 14].tolist() == [1, 1, 2, 2]
        assert hedge[2][12, 14].tolist() == [1, 2, 2, 2]
        # Once few enough are left, two ranks are three quarters of the deep unit too.
        assert hedge[4][12, 13].tolist() == hedge[2][12, 13].tolist()

    def test_g4_faster_routers_get_away(self):
        elves, dwarfs = Unit.parse("10 wood elf B"), Unit.parse("10 dwarf B")
        t = tables(Fight(elves, dwarfs), P, R)
        assert t.caught[1, 0, 10, 10] == 5
        assert t.caught[0].sum() == 0
        assert tables(Fight(elves, dwarfs), P, WarlordRulings(pursuit="none")).caught.sum() == 0

    def test_fights_that_cannot_be(self):
        with pytest.raises(InputError, match="There is no fight in river"):
            Fight(GOBLINS, MEN, T["river"])
        with pytest.raises(InputError, match="cannot attack a building"):
            Fight(Unit.parse("5 Human B + mounted"), MEN, T["building"])
