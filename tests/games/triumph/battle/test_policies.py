"""Players: each does what its name says, and looks at what it should."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim import notices
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.arms import Group, drawn_armies, joined
from ftsim.games.triumph.battle.build import Board, new_world, pack_hosts, parameters
from ftsim.games.triumph.battle.engine import BattleOptions, fight, fight_pool, tell
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.play import field
from ftsim.games.triumph.battle.setup import clear_board
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.kernels import JIT, announce

RULINGS = TriumphRulings()


def host(*stands: str) -> Host:
    found = []
    for text in stands:
        count, _, spec = text.partition(" x ")
        found += [Stand.read(spec)] * int(count)
    return Host.of("army", found)


FOOT = host("12 x Heavy Foot")
MIXED = host("5 x Heavy Foot", "3 x Spear", "2 x Shooters", "2 x Knights", "1 x Light Foot", "1 x Javelin Cavalry")


def numbers(n: int) -> np.ndarray:
    return np.arange(n, dtype=np.int64)


def win_rate(a: Host, b: Host, policy: str, enemy: str, n: int = 600) -> float:
    pairs = np.tile(np.array([0, 1], dtype=np.int64), (n, 1))
    return float(fight([a, b], pairs, numbers(n), BattleOptions(policy, enemy), seed=4).score.mean())


def test_looking_ahead_beats_walking_ahead_over_drawn_armies():
    n = 2000
    armies = drawn_armies(Group(49, heroes=False), 5, 0, n, RULINGS, "own")
    pairs = np.stack([numbers(n), n + numbers(n)], axis=1)
    scores = [
        fight_pool(joined(armies, armies), pairs, numbers(n), BattleOptions(*players), seed=5).score.mean()
        for players in (("greedy", "advance"), ("advance", "greedy"))
    ]
    assert (scores[0] + 1 - scores[1]) / 2 > 0.52


@pytest.mark.parametrize("policy", ["hold", "skirmish"])
def test_the_other_two_hold_their_own_against_greedy(policy):
    assert win_rate(MIXED, MIXED, policy, "greedy") > 0.4


def moves(policy: str, enemy: str, a: Host, b: Host, trial: int) -> np.ndarray:
    log, _ = tell(a, b, trial, BattleOptions(policy, enemy), 1)
    return log[(log[:, 1] == lay.E_MOVE) & (log[:, 2] < len(a.stands))]


def test_hold_lets_the_enemy_come_and_loses_its_patience():
    for trial in range(4):
        waited = moves("hold", "hold", FOOT, FOOT, trial)
        assert (waited[:, 0] >= 20).all()
        assert len(waited)
        assert moves("greedy", "greedy", FOOT, FOOT, trial)[0, 0] <= 2


def test_hold_with_other_patience_waits_as_long():
    log, _ = tell(FOOT, FOOT, 0, BattleOptions("hold", "hold", weights={"patience": 30}), 1)
    assert log[log[:, 1] == lay.E_MOVE][:, 0].min() >= 30


def test_skirmish_keeps_horse_out_of_the_reach_of_foot():
    mixed = host("9 x Heavy Foot", "3 x Horse Bow")
    horse = [k for k, (_, stand) in enumerate(mixed.stands) if stand.troop_type.id == "horse_bow"]
    fights = {"greedy": 0, "skirmish": 0}
    for policy in fights:
        for trial in range(24):
            log, _ = tell(mixed, FOOT, trial, BattleOptions(policy, "advance"), 1)
            combats = log[log[:, 1] == lay.E_COMBAT]
            fights[policy] += int(np.isin(combats[:, 2:4], horse).any(axis=1).sum())
    assert fights["skirmish"] < 0.8 * fights["greedy"]


def test_a_line_moves_as_one_group():
    log, _ = tell(FOOT, FOOT, 0, BattleOptions("greedy", "greedy"), 1)
    early = log[(log[:, 1] == lay.E_MOVE) & (log[:, 0] <= 4)]
    assert (early[:, 5] == 1).all()


def position(*stands: tuple[str, int, int, int, int]) -> tuple[object, ...]:
    """A world with stands of (type, owner, lane, row, facing)."""
    spec_rows, order = [], sorted(range(len(stands)), key=lambda k: stands[k][1])
    for k in order:
        kind, owner = stands[k][:2]
        row = pack_hosts([host(f"1 x {kind}")], RULINGS).spec[0, 0].copy()
        row[lay.OWNER] = owner
        spec_rows.append(row)
    spec = np.array(spec_rows, dtype=np.int64)
    first = sum(stand[1] == 0 for stand in stands)
    w = new_world(parameters(RULINGS, Board(), 1), RULINGS)
    field(w, np.ascontiguousarray(spec[:first]), first, np.ascontiguousarray(spec[first:]), len(spec) - first)
    clear_board(w)
    st, side, par, board = (w[name] for name in (lay.ST, lay.SIDE, lay.PAR, lay.BOARD))
    st[:, [lay.RIDER, lay.CARRIER]] = -1
    side[:, lay.SEAT], side[:, lay.GENERAL], side[:, lay.CAMP_AT] = (0, 1), -1, -1
    for at, k in enumerate(order):
        _, _, lane, row, facing = stands[k]
        st[at, lay.PLACE] = (lane + 2) * par[lay.STRIDE] + row + 2
        st[at, lay.FACE], st[at, lay.STATUS] = facing, lay.ON_BOARD
        board[st[at, lay.PLACE]] = at
    return w


FRONT = (("Heavy Foot", 0, 10, 10, 0), ("Heavy Foot", 1, 10, 11, 2))


def worth(*more: tuple[str, int, int, int, int]) -> int:
    """What the fight of the first stand is worth to it."""
    from ftsim.games.triumph.battle.worth import bout

    return int(bout(position(*FRONT, *more), 0))


def test_an_even_fight_is_worth_nothing():
    assert worth() == 0


def test_a_friend_on_the_flank_is_worth_more_than_one_who_overlaps():
    overlap = worth(("Heavy Foot", 0, 11, 10, 0))
    flank = worth(("Heavy Foot", 0, 11, 11, 3))
    assert 0 < overlap < flank
    # It costs the enemy a factor as an overlap does, and his life when he is beaten: about a point more.
    assert flank > overlap + 72 * 50


def test_a_friend_at_the_back_who_cannot_be_pushed_makes_a_fight_worse():
    free = worth(("Heavy Foot", 0, 10, 9, 0))
    stuck = worth(("Heavy Foot", 0, 10, 9, 0), ("Heavy Foot", 0, 10, 8, 0))
    assert free == 0
    assert stuck < -72 * 50


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_cold_cache_is_told_once_and_only_to_who_listens(tmp_path, monkeypatch):
    monkeypatch.setenv("FTSIM_CACHE", str(tmp_path))
    heard: list[str] = []
    notices.listen(heard.append)
    try:
        announce("ftsim.games.triumph.battle.not_loaded", "play_block", "compiling")
        assert heard == ["compiling"]
        announce("ftsim.games.triumph.battle.layout", "play_block", "loaded already")
        assert heard == ["compiling"]
    finally:
        notices.listen(None)
    announce("ftsim.games.triumph.battle.not_loaded", "play_block", "nobody listens")
    assert heard == ["compiling"]
