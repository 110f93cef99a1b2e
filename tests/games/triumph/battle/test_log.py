"""The log, decoded and played back, is the battle: positions, losses, points, and lines for people."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from positions import arrays

from ftsim.errors import AuditError, InputError
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import (
    Board,
    pack_hosts,
    terrain_table,
)
from ftsim.games.triumph.battle.engine import BattleOptions, tell
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.log import (
    Deployed,
    Ended,
    Fought,
    GroupMoved,
    Joined,
    Lost,
    Moved,
    Piece,
    Shot,
    Spot,
    Stepped,
    decode,
    play_back,
    roster,
)
from ftsim.games.triumph.battle.replays import told
from ftsim.games.triumph.battle.telling import points_text, tell_story
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.rulings import TriumphRulings

RULINGS = TriumphRulings()


def host(name: str, *stands: str, heroes: tuple[str, ...] = (), **more) -> Host:
    found = []
    for text in stands:
        count, _, notation = text.partition(" x ")
        found += [Stand.read(notation)] * int(count)
    return Host.of(name, found, [Hero.read(text) for text in heroes], **more)


HALL = host(
    "Hall & Axe", "1 x Elite Foot + Deadly + general", "4 x Spear", "3 x Heavy Foot", "2 x Shooters", "1 x Artillery",
    "2 x Knights", heroes=("Hero + Champion",),
)  # fmt: skip
WILD = host(
    "Wild Hunt", "1 x Warband + general", "4 x Warband", "3 x Horse Bow", "2 x Skirmishers", "2 x Behemoths",
    "1 x Rabble + Unreliable", "1 x Javelin Cavalry + Flying: hover", "1 x Bow Levy + Mindblast",
    "2 x Warriors + Terror", heroes=("Hero + Deadly", "Hero + Ranged Attack: physical"),
)  # fmt: skip
MARCHES = [
    BattleOptions(policy, enemy, Board(topography=topography))
    for policy, enemy, topography in (
        ("greedy", "greedy", None),
        ("advance", "advance", "forest"),
        ("greedy", "advance", "arable"),
    )
]
TRIALS = range(24)


def final_state(a: Host, b: Host, trial: int, how: BattleOptions, seed: int):
    """The battle's own arrays at its end: `spec`, `st` and `side` of `layout`."""
    from ftsim.games.triumph.battle.play import play

    world = arrays(a, b, how.rulings, how.board, seed=seed, max_turns=how.max_turns)
    world[lay.SIDE][:, lay.POLICY] = [("advance", "greedy").index(name) for name in (how.policy, how.enemy_policy)]
    world[lay.PAR][lay.TRIAL] = trial
    play(world, terrain_table())
    return world[lay.SPEC], world[lay.ST], world[lay.SIDE], int(world[lay.PAR][lay.STRIDE])


def battle(trial: int, how: BattleOptions, a: Host = HALL, b: Host = WILD):
    log, outcome = tell(a, b, trial, how, 7)
    pieces = roster(a, b, how.rulings)
    events = decode(log, how.board)
    return pieces, events, play_back(events, pieces, how.rulings), outcome.rows[0]


@pytest.mark.parametrize("how", MARCHES, ids=lambda how: f"{how.policy}-{how.enemy_policy}-{how.board.topography}")
def test_played_back_the_log_ends_where_the_battle_does(how):
    words = {lay.ON_BOARD: "on board", lay.AWAY: "away", lay.GONE: "lost"}
    for trial in TRIALS:
        _, _, frames, row = battle(trial, how)
        spec, st, side, stride = final_state(HALL, WILD, trial, how, 7)
        assert list(side[:, lay.POINTS_LOST]) == [row[2], row[3]]
        for k, state in enumerate(frames[-1].states):
            if spec[k, lay.ROLE] == lay.HERO and st[k, lay.STATUS] == lay.RESERVE:
                assert (state.status, state.carrier) == ("riding", st[k, lay.CARRIER])
                continue
            assert state.status == words[int(st[k, lay.STATUS])], (trial, k)
            if state.status == "on board":
                lane, place = divmod(int(st[k, lay.PLACE]), stride)
                assert (state.at, state.facing) == (Spot(lane - 1, place - 1), st[k, lay.FACE]), (trial, k)


@pytest.mark.parametrize("how", MARCHES, ids=lambda how: f"{how.policy}-{how.enemy_policy}-{how.board.topography}")
def test_losses_and_points_agree_with_the_outcome(how):
    for trial in TRIALS:
        pieces, events, frames, row = battle(trial, how)
        lost = [event.who for event in events if isinstance(event, Lost)]
        assert len(lost) == len(set(lost))
        for side in (0, 1):
            assert sum(2 * pieces[who].points for who in lost if pieces[who].side == side) == row[2 + side]
        fights = sum(isinstance(event, Fought) for event in events)
        shots = sum(isinstance(event, Shot) for event in events)
        assert (fights, shots) == (row[4], row[5])
        end = events[-1]
        assert isinstance(end, Ended)
        assert (end.result, end.turn, len(frames)) == (row[0], row[1], row[1] + 1)
        # A side has lost a third, more than the other, at the end and not before.
        thresholds = pack_hosts([HALL, WILD], how.rulings).thresholds
        for frame in frames:
            a, b = frame.points_lost
            decided = int(2 * b >= thresholds[1] and b > a) - int(2 * a >= thresholds[0] and a > b)
            assert decided == (row[0] if frame is frames[-1] else 0)


@pytest.mark.parametrize("how", MARCHES, ids=lambda how: f"{how.policy}-{how.enemy_policy}-{how.board.topography}")
def test_each_stand_has_a_place_of_its_own_on_the_board(how):
    for trial in TRIALS:
        _, _, frames, _ = battle(trial, how)
        for frame in frames:
            places = [state.at for state in frame.states if state.status == "on board"]
            assert len(places) == len(set(places))
            assert all(1 <= at.lane <= how.board.lanes and 1 <= at.row <= how.board.rows for at in places)


def test_nobody_moves_after_it_is_lost():
    for trial in TRIALS:
        _, events, _, _ = battle(trial, MARCHES[0])
        gone: set[int] = set()
        for event in events:
            moved = event.moves if isinstance(event, GroupMoved) else [event]
            for move in moved:
                if isinstance(move, (Moved, Stepped, Fought, Shot, Joined)):
                    assert move.who not in gone
            if isinstance(event, Lost):
                gone.add(event.who)


def test_the_roster_names_everything_once_and_costs_what_the_hosts_cost():
    pieces = roster(HALL, WILD, RULINGS)
    assert len({piece.name for piece in pieces}) == len(pieces)
    for side, army in enumerate((HALL, WILD)):
        own = [piece for piece in pieces if piece.side == side]
        assert sum(piece.points for piece in own if piece.kind != "camp") == army.cost(RULINGS)
        assert Counter(piece.kind for piece in own) == {
            "stand": len(army.stands), "hero": len(army.heroes), "camp": 1,
        }  # fmt: skip
        assert sum(piece.general for piece in own) == 1
    assert pieces[0] == Piece(0, "Elite Foot A1", "EFT1", "Elite Foot + Deadly + general", "stand", Fraction(6), True)
    codes = {piece.name: piece.code for piece in pieces}
    assert codes["Behemoths B2"] == "ELE2"
    assert codes["Horse Bow B3"] == "HBW3"
    assert codes["Rabble B1"] == "RBL1"


def test_a_row_by_hand_is_decoded():
    board = Board()
    stride = 64
    place = (4 + 2) * stride + 8 + 2
    log = np.array(
        [
            [0, lay.E_DEPLOY, 3, place, 2, 0],
            [1, lay.E_MOVE, 3, place - 2, 2, 1],
            [1, lay.E_MOVE, 4, place - 2 + stride, 2, 1],
            [1, lay.E_GROUP, 3, 2, 0, 0],
            [2, lay.E_COMBAT, 3, 9, 5 * 100 - 1, 4],
            [2, lay.E_SHOT, 3, 9, -2 * 100 + 3, 10],
            [2, lay.E_STEP, 3, place, 1, lay.TURNED],
        ],
        dtype=np.int64,
    )
    events = decode(log, board)
    assert events == (
        Deployed(0, 3, Spot(5, 9), 2),
        GroupMoved(1, (Moved(1, 3, Spot(5, 7), 2), Moved(1, 4, Spot(6, 7), 2)), 2),
        Fought(2, 3, 9, 5, -1, 4),
        Shot(2, 3, 9, "shot", -2, 3, 1),
        Stepped(2, 3, Spot(5, 9), 1, "turned"),
    )
    log[0, 1] = 99
    with pytest.raises(InputError, match="Event 99 of turn 0"):
        decode(log, board)


def test_two_stands_in_one_place_are_an_error_of_the_log():
    pieces = roster(HALL, WILD, RULINGS)
    events = (Deployed(0, 0, Spot(5, 9), 0), Deployed(0, 1, Spot(5, 9), 0))
    with pytest.raises(AuditError, match="are both in lane 5, row 9"):
        play_back(events, pieces, RULINGS)


def test_points_lost_count_a_share_of_who_is_away():
    pieces = roster(HALL, WILD, RULINGS)
    log, _ = tell(HALL, WILD, 0, MARCHES[0], 7)
    events = [event for event in decode(log, Board()) if event.turn == 0]
    riders = {event.carrier: event.who for event in events if isinstance(event, Joined)}
    carrier, hero = next(iter(riders.items()))
    for share, counted in (("1/2", Fraction(1, 2)), ("0", Fraction(0)), ("1", Fraction(1))):
        rulings = replace(RULINGS, away_casualty_share=share)
        last = play_back([*events, Lost(1, carrier)], pieces, rulings)[-1]
        assert (last.states[carrier].status, last.states[hero].status) == ("lost", "away")
        side = pieces[carrier].side
        assert last.points_lost[side] == pieces[carrier].points + counted * pieces[hero].points
        assert last.points_lost[1 - side] == 0


@pytest.mark.parametrize("how", MARCHES, ids=lambda how: f"{how.policy}-{how.enemy_policy}-{how.board.topography}")
def test_lines_speak_of_lanes_rows_and_names_only(how):
    for trial in TRIALS[:8]:
        story, events, _ = told((HALL, WILD), trial, how, 7)
        lines = tell_story(story)
        text = "\n".join(lines)
        assert not re.search(r"Fraction|int64|None|Spot|[{}_]|\bplace \d", text)
        # Lanes and rows end at 32, points at the army's cost, totals below 30.
        assert max(int(number) for number in re.findall(r"\d+", text)) <= 60
        for piece in story.pieces:
            assert piece.name in text
        for event in events:
            if isinstance(event, Lost):
                assert re.search(rf"{story.pieces[event.who].name}\b.*−", text)
        # A line a fight, a shot, a group or single move, and a command roll.
        counts = Counter(type(event).__name__ for event in events)
        assert text.count(" fought ") == counts["Fought"]
        assert text.count(" advanced ") == counts["GroupMoved"]
        assert text.count("Turn ") == counts["Commanded"]
        assert (" won after " in lines[-1]) == (events[-1].result != 0)


def test_quarters_of_points_have_signs():
    assert [points_text(Fraction(k, 4)) for k in (0, 1, 2, 3, 4, 70, 73)] == ["0", "¼", "½", "¾", "1", "17½", "18¼"]
