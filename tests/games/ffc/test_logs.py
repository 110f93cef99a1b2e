"""Laws of battle read from logs: poison, neutralized warriors, one spell a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from ftsim._typing import IntArray
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.answers import caster_of, spend_spell
from ftsim.games.ffc.battle.blows import mark
from ftsim.games.ffc.battle.driver import Scenario, table, warband
from ftsim.games.ffc.battle.fighters import lose_hits
from ftsim.games.ffc.battle.magic import raise_dead
from ftsim.games.ffc.battle.setup import set_up
from ftsim.games.ffc.battle.turn import begin_turn, play_turn
from ftsim.games.ffc.policies import NAMES, Policy
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.streams import stream_key

USUAL = FfcRulings()
ROOM = 20_000
TRIALS = 300
Event = tuple[int, int, int, int]


def events(state: IntArray, first: int) -> list[Event]:
    """Events from `first` on: what, who, whom, number."""
    last = int(state[at.GAME, at.EVENTS])
    assert last < ROOM
    rows = state[at.LOG + first : at.LOG + last, [at.E_WHAT, at.E_WHO, at.E_WHOM, at.E_N]].tolist()
    return [(what, who, whom, n) for what, who, whom, n in rows]


def turns(policy: str) -> Iterator[tuple[int, set[int], list[Event]]]:
    """Each turn of many battles: its number, who begins it neutralized, its events."""
    key = stream_key(1, {"k": "logs"})
    state = table(Scenario(), (Policy(policy), Policy("random-legal")), USUAL, key, events=ROOM)
    for trial in range(TRIALS):
        state[at.GAME, at.TRIAL] = trial
        set_up(state)
        done = 0
        while done == 0 and state[at.GAME, at.TURN] < USUAL.max_turns:
            turn, first = int(state[at.GAME, at.TURN]) + 1, int(state[at.GAME, at.EVENTS])
            men = state[: at.MAX_WARRIORS]
            held = np.flatnonzero((men[:, at.ALIVE] == 1) & (men[:, at.NEUTRAL] >= turn))
            done = play_turn(state)
            yield turn, set(held.tolist()), events(state, first)


@pytest.mark.parametrize(("hits", "cards", "later"), [(4, 1, 4), (3, 1, 3), (4, 2, 2), (5, 2, 3)])
def test_poison_kills_in_the_tactics_phase(hits: int, cards: int, later: int) -> None:
    """P7: two who never hit each other, one of them poisoned in turn 3."""
    bands = (warband(["Goblin + Club"], USUAL), warband(["Goblin + Club"], USUAL))
    state = table(Scenario(bands, cards=False, magic=False), (Policy(), Policy()), USUAL, 1, events=ROOM)
    set_up(state)
    for _ in range(3):
        assert play_turn(state) == 0
    state[1, at.HITS] = hits
    state[at.SIDE, [at.HAND + at.POISONED_EDGE, at.IN_HAND]] = cards
    mark(state, 0, 1)
    for turn in range(4, 4 + later):
        assert state[1, at.ALIVE] == 1
        assert state[1, at.HITS] == hits - cards * (turn - 4)
        first = int(state[at.GAME, at.EVENTS])
        done = play_turn(state)
        assert state[at.GAME, at.TURN] == turn
    assert done == 1
    assert events(state, first)[1:] == [
        (at.EV_POISONED, 1, -1, cards), (at.EV_LOST_HITS, 1, -1, cards), (at.EV_KILLED, 1, -1, 0)
    ]  # fmt: skip


@pytest.mark.parametrize("policy", NAMES)
def test_poison_costs_a_hit_a_marker_every_later_turn(policy: str) -> None:
    marks: Counter[int] = Counter()
    seen = 0
    for turn, _, told in turns(policy):
        if turn == 1:
            marks.clear()
        due = {(i, n) for i, n in marks.items() if n > 0}
        assert {(who, n) for what, who, _, n in told if what == at.EV_POISONED} == due
        seen += len(due)
        for before, (what, who, _, n) in zip([(0, 0, 0, 0), *told], told, strict=False):
            if before[0] == at.EV_POISONED:
                assert (what, who, n) == (at.EV_LOST_HITS, before[1], before[3])
            if what == at.EV_DISABLED and n == at.POISONED_EDGE:
                marks[who] += 1
            elif what == at.EV_KILLED:
                marks[who] = 0
    assert seen > 100


@pytest.mark.parametrize("policy", NAMES)
def test_the_neutralized_lose_no_hits_to_enemies(policy: str) -> None:
    frozen: dict[int, int] = {}
    seen = 0
    for turn, held, told in turns(policy):
        if turn == 1:
            frozen.clear()
        held |= {i for i, last in frozen.items() if last >= turn}
        poisoned = -1
        for what, who, _, n in told:
            if what == at.EV_DISABLED and n in (20 + at.S_FREEZE, 20 + at.S_PETRIFY):
                held.add(who)
                if n == 20 + at.S_FREEZE:
                    frozen[who] = turn + 1
            elif what == at.EV_KILLED:
                held.discard(who)
                frozen.pop(who, None)
            elif what == at.EV_LOST_HITS:
                assert who not in held or who == poisoned
            poisoned = who if what == at.EV_POISONED else -1
        seen += len(held)
    assert seen > 300


@pytest.mark.parametrize("policy", NAMES)
def test_a_caster_casts_one_spell_a_turn(policy: str) -> None:
    """Counters and other answers included (R-46)."""
    seen = 0
    for _, _, told in turns(policy):
        casts = Counter(who for what, who, _, _ in told if what == at.EV_SPELL_CAST)
        assert set(casts.values()) <= {1}
        seen += len(casts)
    assert seen > 1000


def test_a_raised_caster_may_cast_though_he_fell_in_a_turn_of_casting() -> None:
    bands = (warband(["Wizard", "Orc"], USUAL), warband(["Orc"], USUAL))
    state = table(Scenario(bands, cards=False), (Policy(), Policy()), USUAL, 1)
    set_up(state)
    begin_turn(state)
    spell, other = np.flatnonzero(state[at.SPELL_AT, : at.SPELL_KINDS] == 0)[:2].tolist()
    spend_spell(state, 0, spell)
    assert caster_of(state, 0, other) == -1
    lose_hits(state, 0, int(state[0, at.HITS]))
    begin_turn(state)
    assert raise_dead(state, 0) == 1
    assert caster_of(state, 0, other) == 0
