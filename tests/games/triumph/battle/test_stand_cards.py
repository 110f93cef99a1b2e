"""Cards for stands and heroes in whole battles: each is seen in a log, and helps or hurts as the rules give it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from positions import position, whole_battle

from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Board, pack_host, pack_hosts
from ftsim.games.triumph.battle.contact import close_fate, close_total, pursues
from ftsim.games.triumph.battle.engine import BattleOptions, fight, fight_pool, tell
from ftsim.games.triumph.battle.fighting import close_combat_phase, duel
from ftsim.games.triumph.battle.fighting import fight as fight_one
from ftsim.games.triumph.battle.flight import NO_MORE, air_length, flight, may_land
from ftsim.games.triumph.battle.forms import ride
from ftsim.games.triumph.battle.greedy import best_single
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.log import (
    Dueled,
    Joined,
    Left,
    Lost,
    Moved,
    Pursued,
    Regenerated,
    Returned,
    Shot,
    Suffered,
    decode,
    play_back,
    roster,
)
from ftsim.games.triumph.battle.movement import (
    TO_AWAY,
    can_reach,
    find_groups,
    group_reach,
    near_enemies,
    order_cost,
    single_cost,
)
from ftsim.games.triumph.battle.outcomes import take_off
from ftsim.games.triumph.battle.play import command_phase
from ftsim.games.triumph.battle.policies import give_orders, make_up_mind
from ftsim.games.triumph.battle.replays import told
from ftsim.games.triumph.battle.returns import (
    best_carrier,
    carry_out,
    landing,
    points_lost,
    weigh_leaving,
)
from ftsim.games.triumph.battle.shooting import attack_total, best_target, defence_total, sees, shooting_phase
from ftsim.games.triumph.battle.storyboard import storyboard
from ftsim.games.triumph.battle.telling import tell_story
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.rulings import TriumphRulings

RULINGS = TriumphRulings()


def host(name: str, *stands: str, heroes: tuple[str, ...] = (), **more) -> Host:
    found = []
    for text in stands:
        count, _, spec = text.partition(" x ")
        found += [Stand.read(spec)] * int(count)
    return Host.of(name, found, [Hero.read(text) for text in heroes], **more)


ODD = host(
    "odd", "1 x Elite Foot + general", "2 x Raiders + Away", "1 x Javelin Cavalry + Flying: zoom",
    "1 x Light Foot + Flying: hover", "2 x Rabble + Regenerate", "1 x Heavy Foot + Massive", "1 x Shooters + Armored",
    "1 x Raiders + Craven", "1 x Light Foot + Fast", "1 x Warriors + Fierce", "1 x Heavy Foot + Spiked Carts",
    heroes=("Hero + Away + Champion", "Hero + Fast"),
)  # fmt: skip
STRANGE = host(
    "strange", "1 x Knights + general", "2 x Spear + Supporting Shooters", "1 x Behemoths + Massive",
    "2 x Warriors + Terror", "1 x Horde + Unreliable", "1 x Horde + Unruly", "1 x Rabble + Flying: hover + Craven",
    "1 x Raiders + Terrain Affinity: woods, marsh", "1 x Heavy Foot + Negate Magic: zone", "1 x Bow Levy + Mindblast",
    "1 x War Wagons + Flying: hover", "1 x Skirmishers + Away + Regenerate", "1 x Light Spear + Slow + Brittle",
    heroes=("Hero + Ranged Attack: physical + Marksman", "Hero + Terror"),
)  # fmt: skip
HOSTS = (ODD, STRANGE)


def numbers(n: int) -> np.ndarray:
    return np.arange(n, dtype=np.int64)


def pairs(n: int, a: int = 0, b: int = 1) -> np.ndarray:
    return np.tile(np.array([a, b], dtype=np.int64), (n, 1))


# ------------------------------------------------------------------ all cards together


@pytest.mark.parametrize("policy", ["advance", "greedy"])
@pytest.mark.parametrize("topography", [None, "forest", "hilly"])
def test_exchanging_seats_mirrors_every_trial_with_cards_in_play(policy, topography):
    options = BattleOptions(policy, policy, Board(topography=topography))
    for a, b in ((0, 1), (1, 0), (0, 0)):
        one = fight(HOSTS, pairs(200, a, b), numbers(200), options, seed=3)
        other = fight(HOSTS, pairs(200, a, b), numbers(200), replace(options, flip=True), seed=3)
        assert (one.rows[:, :7] == other.rows[:, :7]).all()
        assert (one.rows[:, 7] != other.rows[:, 7]).all()


def test_a_trial_does_not_depend_on_the_trials_before_it():
    """Heroes who changed stands, and generals who came back plain, leave nothing behind."""
    whole = fight(HOSTS, pairs(400), numbers(400), BattleOptions(), seed=1)
    for trial in range(0, 400, 37):
        _, alone = tell(ODD, STRANGE, trial, BattleOptions(), 1)
        assert (alone.rows[0] == whole.rows[trial]).all()


PLAIN = """
import sys
sys.path.insert(0, {folder!r})
from test_stand_cards import HOSTS, numbers, pairs
from ftsim.games.triumph.battle.build import Board
from ftsim.games.triumph.battle.engine import BattleOptions, fight
for policy in ("advance", "greedy"):
    options = BattleOptions(policy, policy, Board(topography="forest"))
    print(fight(HOSTS, pairs(6), numbers(6), options, seed=6).rows.tolist())
"""


def test_plain_python_and_compiled_kernels_agree_on_the_cards():
    program = PLAIN.format(folder=str(Path(__file__).parent))
    answers = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "FTSIM_JIT": jit},
        ).stdout
        for jit in ("0", "1")
    ]
    assert answers[0] == answers[1]
    assert answers[0].count("[") > 10


@pytest.mark.parametrize("policy", [0, 1])
def test_no_stand_and_no_point_is_lost_or_won_on_the_way(policy):
    """At the end of battles: a place for each stand, each hero on one stand, points as the log tells."""
    words = {lay.ON_BOARD: "on board", lay.AWAY: "away", lay.GONE: "lost"}
    for trial in range(40):
        w = whole_battle(ODD, STRANGE, trial, RULINGS, policy)
        spec, st, board, side, par = (w[k] for k in (lay.SPEC, lay.ST, lay.BOARD, lay.SIDE, lay.PAR))
        standing = np.flatnonzero(st[:, lay.STATUS] == lay.ON_BOARD)
        assert (board[st[standing, lay.PLACE]] == standing).all()
        assert (board >= 0).sum() == len(standing)
        frames = play_back(decode(w[lay.LOG][: par[lay.LOGGED]], Board()), roster(ODD, STRANGE, RULINGS), RULINGS)
        for k, state in enumerate(frames[-1].states):
            if spec[k, lay.ROLE] == lay.HERO and st[k, lay.STATUS] == lay.RESERVE:
                assert (state.status, state.carrier) == ("riding", st[k, lay.CARRIER])
                assert st[st[k, lay.CARRIER], lay.RIDER] == k
            else:
                assert state.status == words[int(st[k, lay.STATUS])]
        for owner in (0, 1):
            lost = (spec[:, lay.OWNER] == owner) & (st[:, lay.STATUS] == lay.GONE)
            assert spec[lost, lay.COST].sum() == side[owner, lay.POINTS_LOST]
            assert 4 * 2 * frames[-1].points_lost[owner] == points_lost(w, owner)


def test_every_event_is_told_and_drawn():
    seen: Counter[str] = Counter()
    text = ""
    for trial in range(24):
        for policy in ("greedy", "advance"):
            how = BattleOptions(policy, policy, Board(topography="forest"))
            story, events, _ = told((ODD, STRANGE), trial, how, 7)
            seen.update(type(event).__name__ for event in events)
            lines = "\n".join(tell_story(story))
            text += lines
            assert lines.count(" returned from Away to ") == sum(isinstance(e, Returned) for e in events)
            assert lines.count(" regenerated ") == sum(isinstance(e, Regenerated) for e in events)
            if any(isinstance(e, (Left, Returned, Regenerated)) for e in events) and trial < 8:
                assert "return" in storyboard(story, how.board, "x") or "departure" in storyboard(
                    story, how.board, "x"
                )
    for event in ("Left", "Returned", "Regenerated", "Joined", "Dueled"):
        assert seen[event] > 0, event
    expected = (
        " flew to ", " returned from Away to ", " went Away", " regenerated to lane ", " regenerated Away",
        " deserted (", "panicked", "used Mindblast on", "duelled with", "pursued to",
    )  # fmt: skip
    for words in expected:
        assert words in text, words
    more = ("\n".join(tell_story(told((ODD, STRANGE), trial, BattleOptions(), 7)[0])) for trial in range(400))
    assert any(" crushed (" in lines for lines in more)


# ------------------------------------------------------------------ direction


SMALL = ("1 x Elite Foot + general", "4 x Spear", "2 x Shooters")
USUAL = ("1 x Elite Foot + general", "4 x Spear", "2 x Shooters", "2 x Knights", "1 x Skirmishers")


def change(card, plain, copies=4, *, policy="greedy", hero="", topography=None, foe=None, n=1600, rest=USUAL):
    """Change of the score by a card on some stands, on shared dice; what the stands count for stays the same."""
    base = host("base", *rest, f"{copies} x {plain}", heroes=("Hero",) if hero else ())
    other = base
    if hero:
        other = replace(base, heroes=tuple((slot, Hero.read(hero)) for slot, _ in base.heroes))
    for slot, stand in base.stands:
        if card and stand == Stand.read(plain):
            other = other.replace(slot, Stand.read(f"{plain} + {card}"))
    pool = pack_hosts([base, other, foe or base], RULINGS)
    size = pool.sizes[0]
    pool.spec[1, :size, lay.COST] = pool.spec[0, :size, lay.COST]
    options = BattleOptions(policy, policy, Board(topography=topography))
    plain_score, score = (fight_pool(pool, pairs(n, arm, 2), numbers(n), options, 3).score for arm in (0, 1))
    return float(np.mean(score - plain_score))


@pytest.mark.parametrize(
    ("card", "plain", "more"),
    [
        ("Flying: hover", "Javelin Cavalry", {}),
        ("Flying: zoom", "Light Foot", {}),
        ("Regenerate", "Heavy Foot", {}),
        ("Regenerate", "Rabble", {"policy": "advance"}),
        ("Fast", "Light Foot", {}),
        (
            "Terrain Affinity: woods, marsh",
            "Knights",
            {"copies": 6, "topography": "dense_forest", "rest": SMALL, "n": 3000},
        ),
        ("", "Heavy Foot", {"hero": "Hero + Deadly"}),
    ],
)
def test_cards_that_help(card, plain, more):
    assert change(card, plain, **more) > 0.01


@pytest.mark.parametrize(
    ("card", "plain", "more"),
    [
        ("Craven", "Heavy Foot", {}),
        ("Unreliable", "Heavy Foot", {}),
        ("Unreliable", "Heavy Foot", {"policy": "advance"}),
        ("Unruly", "Heavy Foot", {"copies": 8, "rest": SMALL}),
        ("Unruly", "Heavy Foot", {"policy": "advance"}),
        ("Slow", "Heavy Foot", {"copies": 8, "rest": SMALL}),
        ("Slow", "Elite Cavalry", {"copies": 6, "rest": SMALL, "policy": "advance"}),
    ],
)
def test_cards_that_hurt(card, plain, more):
    assert change(card, plain, **more) < -0.01


# ------------------------------------------------------------------ Away


def test_leaving_and_returning_cost_a_command_point_more():
    found = position(
        {"a": ("Raiders + Away", 3, 4, 0), "a2": ("Behemoths + Away", 5, 4, 0), "b": ("Spear", 3, 14, 2)}
    )
    w, st = found.w, found.w[lay.ST]
    for name, cost in (("a", 1), ("a2", 2)):
        i = found[name]
        st[i, lay.BEST] = found.place(3, 5)
        assert (order_cost(w, i), single_cost(w, i)) == (cost, cost)
        st[i, lay.BEST] = TO_AWAY
        assert single_cost(w, i) == cost + 1
        carry_out(w, i, TO_AWAY, 0)
        assert (found.at(name), single_cost(w, i)) == ("away", cost + 1)
    assert points_lost(w, 0) == 2 * (9 + 9)  # half of 4½ points each, in quarters of half-points
    w[lay.SIDE][0, lay.GENERAL_LOST] = 1
    assert single_cost(w, found["a"]) == 3
    out = position({"a": ("Raiders + Away", 3, 4, 0), "b": ("Spear", 3, 14, 2)}, away=("a",), away_command="out")
    assert single_cost(out.w, out["a"]) == 3
    found.check()


@pytest.mark.parametrize(("distance", "gap"), [(2, 2), (4, 4), (0, 1)])
def test_returns_are_free_places_outside_zones_and_far_enough(distance, gap):
    stands = {
        "a": ("Raiders + Away", 1, 1, 0),
        "a2": ("Spear", 6, 3, 0),
        "b": ("Spear", 3, 9, 2),
        "bc": ("camp", 7, 16, 2),
    }
    found = position(stands, away=("a",), away_distance=distance)
    w, i, k, spot = found.w, found["a"], 0, 0
    spots = []
    while spot != NO_MORE:
        spot = landing(w, i, k)
        k += 1
        if spot < 0:
            continue
        lane, row = divmod(spot >> 2, int(w[lay.PAR][lay.STRIDE]))
        lane, row = lane - 1, row - 1
        spots.append((lane, row, spot & 3))
        for x, y in ((3, 9), (7, 16)):
            assert max(2 * (abs(lane - x) - 1), abs(row - y) - 1, 0) >= distance
            assert abs(lane - x) + abs(row - y) > 1
        assert w[lay.ZONE][1, spot >> 2] == 0
        assert w[lay.BOARD][spot >> 2] == -1
    assert (3, 9 + gap + 1, 2) in spots or distance == 0  # behind it, looking at its back
    assert (5, 3, 0) in spots  # beside a friend


def test_a_stand_that_is_away_returns_by_an_order_and_does_not_leave_again_in_that_turn():
    found = position(
        {"a": ("Raiders + Away", 1, 1, 0), "a2": ("Spear", 6, 3, 0), "b": ("Shooters", 3, 9, 2)}, away=("a",), pips=2
    )
    w = found.w
    give_orders(w, 0)
    events = [event for event in found.events() if isinstance(event, Returned)]
    assert [event.who for event in events] == [found["a"]]
    assert found.at("a") == (events[0].at.lane, events[0].at.row)
    assert w[lay.ST][found["a"], lay.MOVED] == 1
    best_single(w, found["a"])
    assert w[lay.ST][found["a"], lay.BEST_GAIN] == 0
    found.check()


def fear(found) -> None:
    """Let threats count for more than they do by the table."""
    found.w[lay.PAR][lay.P_THREAT] = 80
    make_up_mind(found.w, 0)


def test_a_threatened_stand_leaves_unless_that_would_lose_the_battle():
    stands = {
        "a": ("Raiders + Away", 3, 4, 0), "a2": ("Heavy Foot", 1, 4, 0), "b": ("Knights", 3, 9, 2),
        "b2": ("Knights", 5, 9, 2), "b3": ("Knights", 1, 9, 2),
    }  # fmt: skip
    found = position(stands)
    fear(found)
    best_single(found.w, found["a"])
    assert found.w[lay.ST][found["a"], lay.BEST] == TO_AWAY
    give_orders(found.w, 0)
    assert [event.who for event in found.events() if isinstance(event, Left)] == [found["a"]]
    assert found.at("a") == "away"
    last = position(stands, points=6)
    fear(last)
    best_single(last.w, last["a"])
    assert last.w[lay.ST][last["a"], lay.BEST] != TO_AWAY
    plain = position({**stands, "a": ("Raiders", 3, 4, 0)})
    fear(plain)
    best_single(plain.w, plain["a"])
    assert plain.w[lay.ST][plain["a"], lay.BEST] != TO_AWAY


def test_nobody_leaves_out_of_contact_with_an_enemy():
    found = position({"a": ("Raiders + Away", 3, 8, 0), "b": ("Knights", 3, 9, 2)})
    give_orders(found.w, 0)
    assert found.at("a") == (3, 8)


def test_a_stand_returns_to_charge_a_camp_or_a_back():
    stands = {"a": ("Raiders + Away", 1, 1, 0), "b": ("Spear", 6, 9, 2), "bc": ("camp", 3, 16, 2)}
    found = position(stands, away=("a",), pips=2)
    give_orders(found.w, 0)
    lane, row = found.at("a")
    assert (lane, row) == (3, 13)
    assert found.w[lay.ST][found["a"], lay.FACE] == 0


def test_a_hero_lends_away_and_goes_with_his_stand():
    found = position({"a": ("Raiders", 3, 4, 0), "b": ("Spear", 3, 14, 2)}, riders={"ah": ("Hero + Away", "a")})
    w = found.w
    assert w[lay.SPEC][found["a"], lay.FLAGS] & lay.LEAVES
    carry_out(w, found["a"], TO_AWAY, 0)
    assert w[lay.ST][found["a"], lay.RIDER] == found["ah"]
    # Half of 4 points and of 2 for the hero, in quarters of half-points.
    assert points_lost(w, 0) == 2 * (8 + 4)
    take_off(w, found["a"], lay.GONE)
    assert not w[lay.SPEC][found["a"], lay.FLAGS] & lay.LEAVES
    assert found.at("ah") == "away"


# ------------------------------------------------------------------ heroes


def test_a_hero_who_is_away_returns_by_an_order_to_a_stand_clear_of_enemies():
    stands = {
        "a": ("Spear", 3, 8, 0), "a2": ("Heavy Foot", 6, 3, 0), "a3": ("Elite Foot", 2, 3, 0),
        "b": ("Spear", 3, 9, 2),
    }  # fmt: skip
    found = position(stands, riders={"ah": ("Hero + Deadly", "")}, pips=2)
    w, h = found.w, found["ah"]
    assert single_cost(w, h) == 2
    best_carrier(w, h)
    assert w[lay.ST][h, lay.BEST] in (found["a2"], found["a3"])
    assert w[lay.ST][h, lay.BEST_GAIN] > 0
    anywhere = position(stands, riders={"ah": ("Hero + Deadly", "")}, hero_returns="any")
    best_carrier(anywhere.w, h)
    assert anywhere.w[lay.ST][h, lay.BEST] == anywhere["a"]  # where he fights at once
    give_orders(w, 0)
    joined = [event for event in found.events() if isinstance(event, Joined)]
    assert [event.who for event in joined] == [h]
    carrier = joined[0].carrier
    assert w[lay.ST][carrier, lay.RIDER] == h
    assert w[lay.ST][h, lay.STATUS] == lay.RESERVE
    w[lay.SIDE][0, lay.GENERAL_LOST] = 1
    w[lay.ST][h, [lay.STATUS, lay.CARRIER]] = lay.AWAY, -1
    assert single_cost(w, h) == 3


def test_a_hero_rides_into_a_fight_by_an_order_and_not_out_of_one():
    stands = {
        "a": ("Horde", 5, 4, 0), "a2": ("Spear", 3, 8, 0), "a3": ("Spear", 6, 4, 0), "b": ("Elite Foot", 3, 9, 2),
    }  # fmt: skip
    riders = {"ah": ("Hero + Deadly", "a")}
    found = position(stands, riders=riders, pips=1)
    w, st, h = found.w, found.w[lay.ST], found["ah"]
    best_single(w, h)
    assert (st[h, lay.BEST], single_cost(w, h)) == (found["a2"], 1)
    assert st[found["a"], lay.RIDER] == h  # weighing changes nothing
    give_orders(w, 0)
    assert [(e.who, e.carrier) for e in found.events() if isinstance(e, Joined)] == [(h, found["a2"])]
    assert (st[found["a"], lay.RIDER], st[found["a2"], lay.RIDER], st[h, lay.CARRIER]) == (-1, h, found["a2"])
    assert close_total(w, found["a2"], found["b"], 0) == 5
    st[h, lay.MOVED] = 0
    best_single(w, h)
    assert st[h, lay.BEST_GAIN] == 0
    stays = position(stands, riders=riders, hero_move=0)
    best_single(stays.w, h)
    assert stays.w[lay.ST][h, lay.BEST_GAIN] == 0


def test_a_hero_stays_away_without_the_command_points():
    found = position(
        {"a": ("Spear", 3, 3, 0), "b": ("Spear", 3, 16, 2)}, riders={"ah": ("Hero + Deadly", "")}, pips=1
    )
    give_orders(found.w, 0)
    assert found.at("ah") == "away"


def test_a_fast_hero_speeds_his_stand_up_and_no_flyer():
    for text, move, fast in (("Light Foot", 5, 6), ("Elite Cavalry", 6, 8), ("Heavy Foot + Spiked Carts", 2, 2),
                             ("Rabble + Flying: hover", 3, 3)):  # fmt: skip
        found = position({"a": (text, 3, 4, 0), "b": ("Spear", 3, 14, 2)}, riders={"ah": ("Hero + Fast", "a")})
        spec = found.w[lay.SPEC]
        assert spec[found["a"], lay.MOVE] == fast
        take_off(found.w, found["a"], lay.GONE)
        assert spec[found["a"], lay.MOVE] == move


def test_a_champion_wins_most_duels_and_the_loser_goes_away_or_is_lost():
    results: Counter[str] = Counter()
    for trial in range(200):
        found = position(
            {"a": ("Spear", 3, 8, 0), "b": ("Spear", 3, 9, 2)},
            riders={"ah": ("Hero + Champion", "a"), "bh": ("Hero + Prowess", "b")},
        )
        found.w[lay.PAR][lay.TRIAL] = trial
        duel(found.w, found["a"], found["b"])
        fought = [event for event in found.events() if isinstance(event, Dueled)]
        assert len(fought) == 1
        for name in ("ah", "bh"):
            if found.at(name) in ("away", "lost"):
                results[name + " " + str(found.at(name))] += 1
        found.check()
    # Modifiers 5 and 2: 3 more on two dice wins 30 of 36, ties 3, loses 3.
    assert 150 < results["bh away"] + results["bh lost"] < 182
    assert results["bh lost"] > 0
    assert results["ah away"] + results["ah lost"] < 35


# ------------------------------------------------------------------ Flying


def test_flights_pass_over_stands_zones_and_terrain_and_end_on_free_places():
    stands = {"a": ("Javelin Cavalry + Flying: zoom", 3, 4, 0)}
    wall = {f"b{lane}": ("Spear", lane, 8, 2) for lane in range(1, 8)}
    found = position({**stands, **wall})
    w, i = found.w, found["a"]
    assert can_reach(w, i, 0, 5, 0) == 0
    assert may_land(w, i, found.place(3, 10), 0)
    assert may_land(w, i, found.place(3, 9), 2)  # into the back of the wall: 5 MU and about-face
    assert not may_land(w, i, found.place(3, 8), 0)
    assert air_length(w, found.place(3, 4), found.place(6, 12)) == 10
    assert not may_land(w, i, found.place(6, 15), 0)  # √(6² + 11²) is more than 12
    spots = set()
    for k in range(200):
        spot = flight(w, i, k)
        if spot == NO_MORE:
            break
        if spot >= 0:
            assert w[lay.BOARD][spot >> 2] == -1
            spots.add((spot >> 2, spot & 3))
    assert (found.place(3, 9), 2) in spots
    give_orders(w, 0)
    moved = [event for event in found.events() if isinstance(event, Moved)]
    assert moved[0].at.row == 9
    assert moved[0].facing == 2
    found.check()


def test_a_flight_that_ends_in_high_terrain_is_3_mu_at_most():
    terrain = {(3, row): "woods" for row in range(5, 13)} | {(4, row): "steep_hills" for row in range(5, 13)}
    stands = {"a": ("Light Foot + Flying: zoom", 3, 4, 0), "b": ("Spear", 7, 16, 2)}
    found = position(stands, terrain=terrain)
    reached = [row for row in range(5, 13) if may_land(found.w, found["a"], found.place(3, row), 0)]
    assert reached == [5, 6, 7]
    assert may_land(found.w, found["a"], found.place(4, 10), 0)
    assert may_land(found.w, found["a"], found.place(2, 10), 0)
    hills = position(stands, terrain=terrain, flyer_high_terrain="tall_or_hills")
    assert not may_land(hills.w, hills["a"], hills.place(4, 10), 0)
    wagons = position({**stands, "a": ("War Wagons + Flying: zoom", 3, 4, 0)}, terrain=terrain)
    assert not any(may_land(wagons.w, wagons["a"], wagons.place(3, row), 0) for row in range(5, 13))
    assert may_land(wagons.w, wagons["a"], wagons.place(4, 5), 0)


@pytest.mark.parametrize(
    ("enemy", "dangerous"),
    [("Spear", False), ("Spear + Supporting Shooters", True), ("Warriors + Terror", True), ("Spear + Deadly", False)],
)
def test_flyers_make_no_contact_with_dangerous_enemies(enemy, dangerous):
    found = position({"a": ("Javelin Cavalry + Flying: hover", 3, 4, 0), "b": (enemy, 3, 9, 2)})
    w, i = found.w, found["a"]
    assert may_land(w, i, found.place(3, 8), 0) == (not dangerous)
    assert may_land(w, i, found.place(3, 8), 1) == (not dangerous)  # it would still look at us
    assert may_land(w, i, found.place(4, 9), 3) == (not dangerous)  # into its flank
    assert may_land(w, i, found.place(4, 9), 0)
    craven = position({"a": ("Javelin Cavalry + Flying: hover + Craven", 3, 4, 0), "b": (enemy, 3, 9, 2)})
    assert not may_land(craven.w, i, craven.place(3, 8), 0)
    assert not may_land(craven.w, i, craven.place(3, 7), 0)  # in its zone
    assert may_land(craven.w, i, craven.place(4, 9), 0)


def test_a_terrible_hero_makes_his_stand_dangerous():
    found = position(
        {"a": ("Javelin Cavalry + Flying: hover", 3, 4, 0), "b": ("Spear", 3, 9, 2)},
        riders={"bh": ("Hero + Terror", "b")},
    )
    assert not may_land(found.w, found["a"], found.place(3, 8), 0)


def test_flyers_are_groups_of_their_own_and_stop_before_dangerous_enemies():
    stands = {
        "a1": ("Light Foot + Flying: hover", 2, 4, 0), "a2": ("Light Foot + Flying: hover", 3, 4, 0),
        "a3": ("Light Foot", 4, 4, 0), "a4": ("Light Foot", 5, 4, 0), "b": ("Spear + Supporting Shooters", 3, 8, 2),
    }  # fmt: skip
    found = position(stands)
    find_groups(found.w, 0)
    groups = [int(found.w[lay.ST][found[name], lay.GROUP]) for name in ("a1", "a2", "a3", "a4")]
    assert groups[0] == groups[1] != groups[2] == groups[3]
    assert group_reach(found.w, 0, groups[0]) == 2
    assert group_reach(found.w, 0, groups[2]) == 5
    harmless = position({**stands, "b": ("Spear", 3, 8, 2)})
    find_groups(harmless.w, 0)
    assert group_reach(harmless.w, 0, groups[0]) == 3


def test_nothing_blocks_sight_of_flyers_but_the_woods_they_are_in():
    stands = {"a": ("Artillery", 3, 4, 0), "a2": ("Spear", 3, 6, 0), "b": ("Light Foot + Flying: hover", 3, 9, 2)}
    found = position(stands)
    assert sees(found.w, found["a"], found["b"], 8, 0)
    assert not sees((ground := position(stands, flyer_sight=False)).w, ground["a"], ground["b"], 8, 0)
    plain = position({**stands, "b": ("Light Foot", 3, 9, 2)})
    assert not sees(plain.w, plain["a"], plain["b"], 8, 0)
    woods = position(stands, terrain={(3, 9): "woods"})
    assert not sees(woods.w, woods["a"], woods["b"], 8, 0)


def test_zoom_is_faster_than_hover():
    def rows(text: str) -> list[int]:
        return [int(row[lay.MOVE]) for row in pack_host(host("x", f"1 x {text}", camp=None), RULINGS)]

    assert rows("Javelin Cavalry + Flying: zoom") == [12]
    assert rows("Javelin Cavalry + Flying: hover") == [8]
    assert rows("Rabble + Flying: zoom") == [5]


# ------------------------------------------------------------------ Regenerate


@pytest.mark.parametrize(
    ("text", "cost"), [("Rabble + Regenerate", 1), ("Horde + Regenerate", 1), ("Spear + Regenerate", 2),
                       ("Elite Foot + Regenerate + Deadly", 3), ("Rabble + Regenerate + Weaken", 1),
                       ("Rabble + Regenerate + Brittle", 0)],
)  # fmt: skip
def test_lost_stands_come_back_for_the_points_of_the_table(text, cost):
    for lost in (False, True):
        found = position({"a": (text, 3, 4, 0), "a2": ("Spear", 5, 4, 0), "b": ("Spear", 3, 14, 2)}, pips=cost)
        w, i = found.w, found["a"]
        take_off(w, i, lay.GONE)
        w[lay.SIDE][0, lay.GENERAL_LOST] = lost
        assert single_cost(w, i) == cost
        before = points_lost(w, 0)
        assert before == 4 * w[lay.SPEC][i, lay.COST]
        if cost == 0:
            w[lay.SIDE][0, lay.PIPS] = 1
        give_orders(w, 0)
        back = [event for event in found.events() if isinstance(event, Regenerated)]
        assert [event.who for event in back] == [i]
        lane, row = found.at("a")
        assert lane in (1, 7)
        assert 1 <= row <= 8
        assert points_lost(w, 0) == 0
        assert w[lay.ST][i, lay.MOVED] == 1
        found.check()


def test_without_the_points_or_a_free_place_nobody_comes_back():
    found = position(
        {"a": ("Spear + Regenerate", 3, 4, 0), "a2": ("Spear", 5, 4, 0), "b": ("Spear", 3, 14, 2)}, pips=1
    )
    take_off(found.w, found["a"], lay.GONE)
    give_orders(found.w, 0)
    assert found.at("a") == "lost"
    walls = {f"a{lane}{row}": ("Heavy Foot", lane, row, 0) for lane in (1, 7) for row in range(1, 4)}
    full = position(
        {"a": ("Rabble + Regenerate", 3, 4, 0), **walls, "b": ("Spear", 3, 14, 2)}, regenerate_rows="deployment"
    )
    take_off(full.w, full["a"], lay.GONE)
    best_single(full.w, full["a"])
    assert full.w[lay.ST][full["a"], lay.BEST_GAIN] == 0


@pytest.mark.parametrize("text", ["Rabble + Regenerate + Away", "Rabble + Regenerate + Flying: hover"])
def test_stands_with_away_or_flying_come_back_to_away(text):
    found = position({"a": (text, 3, 4, 0), "a2": ("Spear", 5, 4, 0), "b": ("Spear", 3, 14, 2)})
    take_off(found.w, found["a"], lay.GONE)
    give_orders(found.w, 0)
    assert found.at("a") == "away"
    events = [event for event in found.events() if isinstance(event, (Regenerated, Returned))]
    assert [type(event) for event in events] == [Regenerated]  # not onto the board in the same turn
    assert events[0].at is None
    assert points_lost(found.w, 0) == 2 * found.w[lay.SPEC][found["a"], lay.COST]
    found.check()


def test_a_regenerated_general_is_plain():
    found = position({"a": ("Heavy Foot + Regenerate + general", 3, 4, 0), "b": ("Spear", 3, 14, 2)})
    w, i = found.w, found["a"]
    assert close_total(w, i, found["b"], 0) == 5
    take_off(w, i, lay.GONE)
    give_orders(w, 0)
    assert isinstance(found.at("a"), tuple)
    assert close_total(w, i, found["b"], 0) == 4
    assert w[lay.SIDE][0, lay.GENERAL_LOST] == 1
    assert order_cost(w, i) == 2


# ------------------------------------------------------------------ Fierce and Craven


def test_fierce_stands_pursue_whenever_they_win():
    pursued: Counter[str] = Counter()
    for text in ("Elite Cavalry", "Elite Cavalry + Fierce"):
        for trial in range(60):
            found = position({"a": (text, 3, 8, 0), "b": ("Spear", 3, 9, 2)})
            found.w[lay.PAR][lay.TRIAL] = trial
            fight_one(found.w, found["a"], found["b"])
            beaten = any(isinstance(e, Suffered) and e.who == found["b"] for e in found.events())
            follows = any(isinstance(e, Pursued) for e in found.events())
            pursued[f"{text} {beaten} {follows}"] += 1
    assert pursued["Elite Cavalry + Fierce True False"] == 0
    assert pursued["Elite Cavalry + Fierce True True"] > 5
    assert pursued["Elite Cavalry True False"] > pursued["Elite Cavalry True True"]


def test_craven_stands_do_not_pursue_who_they_double():
    found = position({"a": ("Heavy Foot + Craven", 3, 8, 0), "a2": ("Heavy Foot", 5, 8, 0), "b": ("Spear", 3, 9, 2)})
    assert (pursues(found.w, found["a"], found["b"], 1), pursues(found.w, found["a2"], found["b"], 1)) == (0, 1)


def test_craven_stands_enter_no_zone_and_no_contact():
    stands = {
        "a": ("Raiders + Craven", 3, 4, 0),
        "a2": ("Raiders", 5, 4, 0),
        "b": ("Spear", 3, 9, 2),
        "b2": ("Spear", 5, 9, 2),
    }
    found = position(stands)
    w = found.w
    reach = {name: [k for k in range(1, 5) if can_reach(w, found[name], 0, k, 0)] for name in ("a", "a2")}
    assert reach == {"a": [1, 2], "a2": [1, 2, 3, 4]}
    give_orders(w, 0)
    assert w[lay.ZONE][1, w[lay.ST][found["a"], lay.PLACE]] == 0
    side_step = position({"a": ("Raiders + Craven", 4, 7, 0), "b": ("Spear", 3, 9, 2)})
    assert not can_reach(side_step.w, side_step["a"], -1, 0, 0)
    assert can_reach(side_step.w, side_step["a"], 1, 0, 0)


def test_craven_stands_in_a_zone_only_leave_it():
    found = position({"a": ("Raiders + Craven", 3, 7, 0), "b": ("Behemoths", 3, 9, 2)})
    w, i = found.w, found["a"]
    assert not can_reach(w, i, 0, 1, 0)
    rows = []
    for k in range(10):
        spot = landing(w, i, k)
        if spot == NO_MORE:
            break
        rows.append((spot >> 2) - found.place(3, 0))
        assert spot & 3 == 0
    assert rows == [6, 5, 4, 3]
    give_orders(w, 0)
    assert found.at("a")[1] < 7
    hemmed = position({"a": ("Raiders + Craven", 3, 7, 0), "a2": ("Spear", 3, 6, 0), "b": ("Knights", 3, 9, 2)})
    find_groups(hemmed.w, 0)
    assert hemmed.w[lay.ST][hemmed["a"], lay.GROUP] == -1
    best_single(hemmed.w, hemmed["a"])
    assert hemmed.w[lay.ST][hemmed["a"], lay.BEST_GAIN] == 0


def test_craven_stands_may_end_in_difficult_terrain_and_artillery_may_not():
    woods = {(3, row): "woods" for row in range(5, 9)}
    for text, may in (("Raiders + Craven", 1), ("Artillery", 0)):
        found = position({"a": (text, 3, 4, 0), "b": ("Spear", 7, 16, 2)}, terrain=woods)
        assert can_reach(found.w, found["a"], 0, 1, 0) == may


# ------------------------------------------------------------------ Unreliable and Unruly


def test_the_dearest_unreliable_stand_out_of_contact_deserts_on_a_1():
    stands = {
        "a": ("Knights + Unreliable", 3, 8, 0), "a2": ("Heavy Foot + Unreliable", 5, 4, 0),
        "a3": ("Horde + Unreliable", 6, 4, 0), "a4": ("Elite Foot", 7, 4, 0), "b": ("Spear", 3, 9, 2),
    }  # fmt: skip
    seen = set()
    for trial in range(40):
        found = position(stands)
        found.w[lay.PAR][lay.TRIAL] = trial
        command_phase(found.w, 0)
        lost = [event.who for event in found.events() if isinstance(event, Lost)]
        roll = found.w[lay.SIDE][0, lay.PIPS]
        assert lost == ([found["a2"]] if roll == 1 else [])
        seen.add(int(roll))
        found.check()
    assert seen == {1, 2, 3, 4, 5, 6}


def test_away_stands_desert_too_and_of_equals_the_enemy_takes_the_more_dangerous():
    stands = {
        "a": ("Rabble + Unreliable + Regenerate + Away", 3, 8, 0), "a2": ("Horde + Unreliable + Fast", 5, 4, 0),
        "b": ("Spear", 3, 12, 2),
    }  # fmt: skip
    found = position(stands, away=("a",))
    found.w[lay.PAR][lay.TRIAL] = next(t for t in range(99) if _roll(stands, t) == 1)
    command_phase(found.w, 0)
    assert (found.at("a"), isinstance(found.at("a2"), tuple)) == ("lost", True)
    equals = {
        "a": ("Warband + Unreliable", 2, 4, 0),
        "a2": ("Heavy Foot + Unreliable", 5, 4, 0),
        "b": ("Spear", 3, 12, 2),
    }
    tie = position(equals)
    tie.w[lay.PAR][lay.TRIAL] = next(t for t in range(99) if _roll(equals, t) == 1)
    command_phase(tie.w, 0)
    better = max(("a", "a2"), key=lambda name: tie.w[lay.EXCH][tie[name], tie["b"]])
    assert tie.at(better) == "lost"


def _roll(stands, trial):
    found = position(stands)
    found.w[lay.PAR][lay.TRIAL] = trial
    command_phase(found.w, 0)
    return int(found.w[lay.SIDE][0, lay.PIPS])


def test_unruly_stands_cost_a_command_point_more():
    found = position({"a": ("Heavy Foot + Unruly", 3, 4, 0), "a2": ("Heavy Foot", 5, 4, 0), "b": ("Spear", 3, 14, 2)})
    assert (order_cost(found.w, found["a"]), order_cost(found.w, found["a2"])) == (2, 1)


# ------------------------------------------------------------------ terrain


def test_affinity_terrain_is_open_to_its_stands_for_moves_and_fights():
    woods = {(lane, row): "woods" for lane in range(1, 8) for row in range(1, 17)}
    own, plain = "Elite Cavalry + Terrain Affinity: woods, marsh", "Elite Cavalry"
    stands = {"a": (own, 3, 4, 0), "a2": (plain, 5, 4, 0), "b": ("Raiders", 3, 14, 2)}
    found = position(stands, terrain=woods)
    w = found.w
    far = {name: max(k for k in range(1, 9) if can_reach(w, found[name], 0, k, 0)) for name in ("a", "a2")}
    assert far == {"a": 6, "a2": 3}  # Triumph! 35.2; FT 58.1.b
    totals = [close_total(w, found[name], found["b"], 0) for name in ("a", "a2")]
    assert totals == [3, 2]  # FT 58.1.a
    foot = {"b2": ("Elite Foot", 6, 14, 2)}
    knights = {"a": ("Knights + Terrain Affinity: woods, marsh", 3, 4, 0), "a2": ("Knights", 5, 4, 0)}
    home = position({**stands, **knights, **foot}, terrain=woods)
    fates = [close_fate(home.w, home["b2"], home[name], 0, 0) for name in ("a", "a2")]
    assert fates == [lay.DESTROYED, lay.FALLS_BACK]  # FT 58.1.d
    lost = [close_fate(home.w, home[name], home["b2"], 0, 0) for name in ("a", "a2")]
    assert lost == [lay.FALLS_BACK, lay.DESTROYED]  # FT 58.1.c


# ------------------------------------------------------------------ rolls and magic


def test_terror_brittle_and_a_friendly_zone():
    stands = {
        "a": ("Elite Foot", 3, 8, 0), "a2": ("Light Spear + Brittle", 7, 8, 0), "b": ("Raiders + Terror", 3, 9, 2),
        "b2": ("Raiders", 6, 12, 2),
    }  # fmt: skip
    found = position(stands)
    assert close_fate(found.w, found["a"], found["b"], 0, 0) == lay.PANICS
    assert close_fate(found.w, found["a"], found["b2"], 0, 0) == lay.FALLS_BACK
    assert close_fate(found.w, found["a2"], found["b2"], 0, 0) == lay.DESTROYED
    for lane, row, covered in ((4, 8, True), (4, 6, True), (5, 8, False), (3, 5, False)):
        zone = position({**stands, "a3": ("Horde + Negate Magic: zone", lane, row, 0)})
        assert (close_fate(zone.w, zone["a"], zone["b"], 0, 0) == lay.FALLS_BACK) == covered
    hero = position({**stands, "a3": ("Horde", 4, 8, 0)}, riders={"ah": ("Hero + Negate Magic: zone", "a3")})
    assert close_fate(hero.w, hero["a"], hero["b"], 0, 0) == lay.FALLS_BACK


def test_supporting_shooters_and_spiked_carts_count_to_the_front():
    stands = {
        "a": ("Spear + Supporting Shooters", 3, 8, 0), "a2": ("Heavy Foot + Spiked Carts", 5, 8, 0),
        "b": ("Elite Cavalry", 3, 14, 2), "b2": ("Raiders", 6, 14, 2), "b3": ("Warband", 7, 14, 2),
    }  # fmt: skip
    found = position(stands)
    w = found.w

    def total(name: str, enemy: str, contact: int) -> int:
        return close_total(w, found[name], found[enemy], contact)

    assert [total("a", enemy, 0) for enemy in ("b", "b2", "b3")] == [5, 4, 5]
    assert total("a", "b", 1) == 3  # no shooters to the flank, −1 for it
    assert [total("a2", enemy, 0) for enemy in ("b", "b2")] == [5, 4]
    assert total("a2", "b", 1) == 2
    assert w[lay.SPEC][found["a2"], lay.MOVE] == 2


def test_ranged_attack_marksman_and_armored_in_a_battle():
    stands = {
        "a": ("Raiders + Ranged Attack: physical + Marksman", 3, 6, 0),
        "a2": ("Raiders + Ranged Attack: magical", 4, 6, 0),
        "a3": ("Raiders", 5, 6, 0), "b": ("Heavy Foot", 3, 9, 2), "b2": ("Heavy Foot + Armored", 5, 9, 2),
    }  # fmt: skip
    riders = {"ah": ("Hero + Ranged Attack: physical + Marksman", "a3")}
    found = position(stands, riders=riders)
    w = found.w
    # kinds: 1 a physical Ranged Attack, 2 a magical one
    assert attack_total(w, found["a"], found["b"], 1) == 3
    assert attack_total(w, found["a2"], found["b"], 2) == 2
    assert attack_total(w, found["a3"], found["b"], 1) == 3  # FT 42.2: the hero's own shot
    assert attack_total(w, found["a"], found["b2"], 1) == 2  # FT 25.1
    assert attack_total(w, found["a2"], found["b2"], 2) == 2
    assert defence_total(w, found["a"], found["b"], 1) == 3
    shooting_phase(w)
    shooters = [event.who for event in found.events() if isinstance(event, Shot)]
    assert sorted(shooters) == sorted(found[name] for name in ("a", "a2", "a3"))
    # A stand that moved makes no Ranged Attack in its own turn (FT 51.1.b).
    moved = position(stands, riders=riders)
    for name in ("a", "a2", "a3"):
        moved.w[lay.ST][moved[name], lay.MOVED] = 1
    shooting_phase(moved.w)
    assert not [event for event in moved.events() if isinstance(event, Shot)]


@pytest.mark.parametrize(("ruling", "shots"), [("one_shot", 1), ("two_shots", 2)])
def test_a_shooter_with_a_shooting_hero_shoots_once_or_twice(ruling, shots):
    found = position(
        {"a": ("Shooters", 3, 6, 0), "b": ("Spear", 3, 9, 2)},
        riders={"ah": ("Hero + Ranged Attack: magical + Marksman", "a")},
        ranged_hero=ruling,
    )
    shooting_phase(found.w)
    assert sum(isinstance(event, Shot) for event in found.events()) == shots


def test_mindblast_needs_no_sight_and_a_limited_spellblast_is_spent_on_a_1():
    blasts, spent = Counter(), 0
    for trial in range(60):
        found = position(
            {"a": ("Heavy Foot + Mindblast", 3, 4, 0), "a2": ("Spear", 3, 6, 0), "b": ("Horde", 3, 12, 2)}
        )
        found.w[lay.PAR][lay.TRIAL] = trial
        shooting_phase(found.w)
        blasts.update(event.fate for event in found.events() if isinstance(event, Suffered))
        spell = position({"a": ("Heavy Foot + Spellblast: limited, magical", 3, 4, 0), "b": ("Horde", 3, 12, 2)})
        spell.w[lay.PAR][lay.TRIAL] = trial
        shooting_phase(spell.w)
        cast = [event for event in spell.events() if isinstance(event, Shot)]
        assert len(cast) == 1
        one = cast[0].total - 4 == 1
        assert spell.w[lay.ST][spell["a"], lay.SPENT] == int(one)
        spent += one
    assert blasts["panics"] > 0
    assert blasts["falls_back"] > 0
    assert 0 < spent < 30


def test_magic_does_not_touch_who_negates_it():
    for text, touched in (
        ("Horde", True),
        ("Horde + Negate Magic: mindless", False),
        ("Horde + Negate Magic: self", False),
    ):
        fates = set()
        for trial in range(30):
            found = position({"a": ("Heavy Foot + Mindblast", 3, 4, 0), "b": (text, 3, 12, 2)})
            found.w[lay.PAR][lay.TRIAL] = trial
            best_target(found.w, found["a"], 3, 8, lay.FOR_SPELL)
            fates.update(event.fate for event in found.events() if isinstance(event, Suffered))
        assert bool(fates - {"stands"}) == touched


def test_fast_and_slow_are_moves_of_the_table():
    rows = pack_host(
        host("x", "1 x Light Foot + Fast", "1 x Light Foot + Slow", "1 x Knights + Fast", camp=None), RULINGS
    )
    assert sorted(int(row[lay.MOVE]) for row in rows) == [4, 6, 6]


def test_massive_stands_are_deep_and_told_to_crush():
    found = position(
        {"a": ("Warriors + Massive", 3, 8, 0), "a2": ("Heavy Foot", 3, 7, 0), "b": ("Behemoths", 3, 9, 2)}
    )
    for trial in range(60):
        found = position(
            {"a": ("Warriors + Massive", 3, 8, 0), "a2": ("Heavy Foot", 3, 7, 0), "b": ("Behemoths", 3, 9, 2)}
        )
        found.w[lay.PAR][lay.TRIAL] = trial
        close_combat_phase(found.w)
        fates = {event.who: event.fate for event in found.events() if isinstance(event, Suffered)}
        if fates.get(found["a"]) == "falls_back":
            assert fates[found["a2"]] == "destroyed"
            assert found.at("a") == (3, 6)
            break
    else:
        raise AssertionError("the Massive stand never fell back")


def test_leaving_is_weighed_only_by_those_who_may():
    found = position(
        {"a": ("Raiders + Away + general", 3, 4, 0), "a2": ("Raiders", 5, 4, 0), "b": ("Knights", 4, 8, 2)}
    )
    for name in ("a", "a2"):  # a general stays with his army
        found.w[lay.ST][found[name], lay.BEST_GAIN] = 0
        found.w[lay.ST][found[name], lay.BEST] = 99
        weigh_leaving(found.w, found[name], -(10**9))
        assert found.w[lay.ST][found[name], lay.BEST] == 99


def test_flying_transports_fly_4_mu_from_every_enemy_and_never_into_high_terrain_farther_than_3():
    text = "Heavy Foot + Mobile Infantry: flying"
    stands = {"a": (text, 3, 4, 0), "b": ("Spear", 3, 12, 2)}
    found = position(stands, terrain={(1, row): "woods" for row in range(1, 17)})
    w, i = found.w, found["a"]
    ride(w, i)
    assert w[lay.SPEC][i, lay.FLAGS] & lay.LEAVES
    assert [row for row in range(5, 17) if may_land(w, i, found.place(3, row), 0)] == [5, 6]
    assert not may_land(w, i, found.place(1, 4), 0)
    carry_out(w, i, TO_AWAY, 0)
    for k in range(99):
        spot = landing(w, i, k)
        if spot == NO_MORE:
            break
        assert spot < 0 or not near_enemies(w, i, spot >> 2)
    near = position({**stands, "a2": ("Spear", 7, 9, 0), "b": ("Spear", 3, 8, 2)})
    ride(near.w, near["a"])
    assert not any(may_land(near.w, near["a"], near.place(lane, 1), 0) for lane in range(1, 8))
