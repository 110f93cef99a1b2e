"""Sanity of the lane battle: seats, mirrors, the chain, more is more, and that nothing but the dice matters."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.estimates import z_bound
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Board, pack_hosts
from ftsim.games.triumph.battle.engine import POLICIES, BattleOptions, fight, fight_pool, tell
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.grids import Grid, loss_weights
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.troop_types import troop_types
from ftsim.pricing.price_line import outlasting


def host(name: str, *stands: str, heroes: tuple[str, ...] = (), **more) -> Host:
    found = []
    for text in stands:
        count, _, spec = text.partition(" x ")
        found += [Stand.read(spec)] * int(count)
    return Host.of(name, found, [Hero.read(text) for text in heroes], **more)


MIXED = host(
    "mixed", "1 x Elite Foot + general", "4 x Heavy Foot", "2 x Spear", "2 x Shooters", "2 x Knights",
    "1 x Light Foot", "1 x Skirmishers", "1 x Javelin Cavalry",
)  # fmt: skip
HORDE = host(
    "horde", "1 x Knights + general", "5 x Horde", "4 x Pike", "1 x Artillery", "2 x Horse Bow", "2 x Raiders",
    "1 x Rabble", "1 x Behemoths", "1 x War Wagons",
)  # fmt: skip
MAGIC = host(
    "magic", "1 x Elite Foot + Deadly + general", "2 x Warriors + Terror", "3 x Warband + Hearten",
    "1 x Bow Levy + Mindblast", "2 x Raiders + Terrain Affinity: woods, marsh", "1 x Light Spear + Prowess",
    "1 x Rabble + Spellblast: limited, magical", "1 x Heavy Foot + Negate Magic: zone",
    heroes=("Hero + Champion", "Hero + Ranged Attack: physical + Marksman"),
)  # fmt: skip
HOSTS = (MIXED, HORDE, MAGIC)
SIX = {"policy": "advance", "enemy_policy": "advance"}


def numbers(n: int, start: int = 0) -> np.ndarray:
    return np.arange(start, start + n, dtype=np.int64)


def pairs(n: int, a: int = 0, b: int = 1) -> np.ndarray:
    return np.tile(np.array([a, b], dtype=np.int64), (n, 1))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("topography", [None, "forest", "arable", "dense_wasteland"])
def test_exchanging_seats_mirrors_every_trial(policy, topography):
    options = BattleOptions(policy, policy, Board(topography=topography))
    for a, b in ((0, 1), (1, 2), (2, 0)):
        one = fight(HOSTS, pairs(300, a, b), numbers(300), options, seed=3)
        other = fight(HOSTS, pairs(300, a, b), numbers(300), replace(options, flip=True), seed=3)
        assert (one.rows[:, :7] == other.rows[:, :7]).all()
        assert (one.rows[:, 7] != other.rows[:, 7]).all()


@pytest.mark.parametrize("policy", ["advance", "greedy"])
def test_an_army_against_itself_wins_half_and_the_second_army_the_other(policy):
    n = 8000
    found = fight([MIXED], pairs(n, 0, 0), numbers(n), BattleOptions(policy, policy), seed=5)
    wins, draws, losses = found.counts()
    decided = wins + losses
    z = (wins - decided / 2) / np.sqrt(decided / 4)
    assert abs(z) < z_bound(1)
    assert draws < n / 50


def chain_of(a: str, b: str) -> float | None:
    """Chance that b is destroyed first; None when neither can ever be."""
    grid = Grid("close-combat", (a,), (b,))
    own, enemy = grid.counts().losses(loss_weights()["kills only"])
    return None if own.sum() + enemy.sum() == 0 else float(outlasting(own, enemy)[0, 0, 0])


NEVER_ATTACK_OR_EVADE = {"Skirmishers", "Rabble", "Horse Bow", "Javelin Cavalry", "Artillery", "War Wagons"}


def chain_pairs() -> list[tuple[str, str]]:
    names = [t.name for t in troop_types().values() if t.name not in NEVER_ATTACK_OR_EVADE]
    return [(a, b) for k, a in enumerate(names) for b in names[k:]]


def check_chain(some: list[tuple[str, str]], trials: int) -> None:
    board = Board(lanes=1, rows=2000, front_row=997)
    options = BattleOptions("advance", "advance", board, max_turns=2000, shoots=False)
    bound = z_bound(len(some))
    for a, b in some:
        hosts = [host(name, f"1 x {name}", camp=None, points=1) for name in (a, b)]
        chance = chain_of(a, b)
        if chance is None:
            assert fight(hosts, pairs(8), numbers(8), options, seed=11).counts() == (0, 8, 0)
            continue
        wins, draws, losses = fight(hosts, pairs(trials), numbers(trials), options, seed=11).counts()
        assert draws == 0
        if chance in (0.0, 1.0):
            assert wins == round(chance * trials)
        else:
            z = (wins - trials * chance) / np.sqrt(trials * chance * (1 - chance))
            assert abs(z) < bound, (a, b, wins, losses, chance)


def test_one_stand_a_side_on_one_long_lane_is_the_exact_chain():
    check_chain(random.Random(1).sample(chain_pairs(), 15), 2000)


@pytest.mark.verification
def test_every_pair_of_types_that_neither_evades_nor_panics_is_the_exact_chain():
    check_chain(chain_pairs(), 200)


@pytest.mark.parametrize("policy", ["advance", "greedy"])
def test_a_stand_more_helps_one_less_hurts_and_plus_one_everywhere_nearly_always_wins(policy):
    n = 3000
    options = BattleOptions(policy, policy)
    gains = []
    for base in (MIXED, HORDE):
        more = base.with_stand(Stand.read("Heavy Foot"))
        slot = next(slot for slot, stand in base.stands if not stand.general)
        less = base.without(slot)
        scores = [
            fight([arm, base], pairs(n), numbers(n), options, seed=2).score.mean() for arm in (less, base, more)
        ]
        pool = pack_hosts([base, base], options.rulings)
        stands = pool.spec[0, :, lay.ROLE] != lay.CAMP
        pool.spec[0, stands, lay.CF_FOOT] += 1
        pool.spec[0, stands, lay.CF_MOUNTED] += 1
        scores.append(fight_pool(pool, pairs(n), numbers(n), options, seed=2).score.mean())
        gains.append(np.diff(scores))
        assert scores[3] > 0.75
    assert np.mean(gains, axis=0)[0] > 0.02
    assert np.mean(gains, axis=0)[1] > 0.02


@pytest.mark.parametrize("policy", POLICIES)
def test_armies_meet_and_few_battles_are_drawn(policy):
    n = 600
    for a, b in ((0, 1), (1, 2), (0, 2), (1, 1), (2, 2)):
        found = fight(HOSTS, pairs(n, a, b), numbers(n), BattleOptions(policy, policy), seed=9)
        without_contact = np.mean((found.rows[:, 4] == 0) & (found.rows[:, 5] == 0))
        assert without_contact <= 0.001
        assert found.counts()[1] <= 0.02 * n


def test_the_order_of_lines_in_an_army_does_not_matter():
    stands = [stand for _, stand in MIXED.stands]
    shuffled = stands[:]
    random.Random(4).shuffle(shuffled)
    other = Host.of("again", shuffled)
    one = fight([MIXED, HORDE], pairs(200), numbers(200), BattleOptions(), seed=1)
    again = fight([other, HORDE], pairs(200), numbers(200), BattleOptions(), seed=1)
    assert (one.rows == again.rows).all()


def test_outcomes_do_not_depend_on_workers_blocks_or_other_trials():
    whole = fight(HOSTS, pairs(3000), numbers(3000), BattleOptions(**SIX), seed=1)
    for workers in (2, 5):
        assert (
            fight(HOSTS, pairs(3000), numbers(3000), BattleOptions(**SIX), 1, workers=workers).rows == whole.rows
        ).all()
    some = fight(HOSTS, pairs(7), numbers(7, 1500), BattleOptions(**SIX), seed=1)
    assert (some.rows == whole.rows[1500:1507]).all()
    mixed_up = fight(HOSTS, np.array([[2, 1], [0, 1], [1, 2]]), np.array([5, 1501, 9]), BattleOptions(**SIX), seed=1)
    assert (mixed_up.rows[1] == whole.rows[1501]).all()


def test_the_log_changes_nothing():
    whole = fight(HOSTS, pairs(20, 1, 2), numbers(20), BattleOptions(), seed=1)
    for trial in range(20):
        _, outcome = tell(HOSTS[1], HOSTS[2], trial, BattleOptions(), 1)
        assert (outcome.rows[0] == whole.rows[trial]).all()


PLAIN = """
import numpy as np, sys
sys.path.insert(0, {folder!r})
from test_battle import HOSTS, numbers, pairs
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Board, pack_hosts
from ftsim.games.triumph.battle.engine import POLICIES, BattleOptions, fight
for policy in ("advance", "greedy", "hold", "skirmish"):
    options = BattleOptions(policy, policy, Board(topography="forest"))
    for a, b in ((0, 1), (1, 2)):
        print(fight(HOSTS, pairs({n}, a, b), numbers({n}), options, seed=6).rows.tolist())
"""


def test_plain_python_and_compiled_kernels_give_the_same_outcomes():
    folder = os.path.dirname(__file__)  # noqa: PTH120
    program = PLAIN.format(folder=folder, n=8)
    answers = []
    for jit in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "FTSIM_JIT": jit},
        )
        answers.append(done.stdout)
    assert answers[0] == answers[1]


def test_slots_last():
    more = MIXED.with_stand(Stand.read("Knights"))
    assert dict(more.stands)[MIXED.next_slot] == Stand.read("Knights")
    less = more.without(3)
    assert 3 not in dict(less.stands)
    assert less.with_stand(Stand.read("Horde")).stands[-1][0] == more.next_slot
    with pytest.raises(InputError, match="no stand in slot 99"):
        MIXED.without(99)


def test_impossible_boards_and_hosts_are_refused_clearly():
    with pytest.raises(InputError, match="room between two battle lines"):
        Board(rows=12, front_row=7)
    with pytest.raises(InputError, match="at least 1 lane"):
        Board(lanes=0)
    with pytest.raises(InputError, match="topography"):
        Board(topography="moon")
    with pytest.raises(InputError, match="do not fit"):
        fight([MIXED], pairs(4, 0, 0), numbers(4), BattleOptions(board=Board(lanes=2)), seed=1)
    with pytest.raises(InputError, match="policy"):
        BattleOptions(policy="clever")
    with pytest.raises(InputError, match="player turn"):
        BattleOptions(max_turns=0)


def test_a_battle_that_cannot_end_is_a_draw():
    wagons = host("wagons", "8 x War Wagons", camp=None)
    found = fight([wagons], pairs(8, 0, 0), numbers(8), BattleOptions(shoots=False), seed=1)
    assert found.counts() == (0, 8, 0)
    assert (found.rows[:, 1] == 80).all()
