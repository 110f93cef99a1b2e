"""Positions drawn by hand: a battle's arrays with stands where a test puts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Board, Ints, new_world, pack_hosts, parameters, terrain_table
from ftsim.games.triumph.battle.contact import match_rows
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.log import Event, Piece, decode, roster
from ftsim.games.triumph.battle.lookout import list_near
from ftsim.games.triumph.battle.movement import mark_zones
from ftsim.games.triumph.battle.outcomes import put
from ftsim.games.triumph.battle.play import field, play
from ftsim.games.triumph.battle.policies import make_up_mind
from ftsim.games.triumph.battle.setup import clear_board
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.streams import stream_key

STATUS = {lay.RESERVE: "reserve", lay.ON_BOARD: "on board", lay.AWAY: "away", lay.GONE: "lost"}


@dataclass
class Position:
    """A position: `w` are the arrays of `layout`; stands are called by the names they were given."""

    w: Any
    names: dict[str, int]
    board: Board
    pieces: tuple[Piece, ...]

    def __getitem__(self, name: str) -> int:
        return self.names[name]

    def at(self, name: str) -> tuple[int, int] | str:
        """Lane and row of a stand, counted from 1, or its status when it is not on the board."""
        st = self.w[lay.ST][self.names[name]]
        if st[lay.STATUS] != lay.ON_BOARD:
            return STATUS[int(st[lay.STATUS])]
        lane, row = divmod(int(st[lay.PLACE]), int(self.w[lay.PAR][lay.STRIDE]))
        return lane - 1, row - 1

    def place(self, lane: int, row: int) -> int:
        """The place of a lane and row."""
        return (lane + 1) * int(self.w[lay.PAR][lay.STRIDE]) + row + 1

    def events(self) -> tuple[Event, ...]:
        """What the log holds."""
        log = self.w[lay.LOG]
        return decode(log[: int(self.w[lay.PAR][lay.LOGGED])], self.board)

    def check(self) -> None:
        """One stand a place, board and stands agree, and points lost are those of the lost stands."""
        spec, st, board, side = (self.w[k] for k in (lay.SPEC, lay.ST, lay.BOARD, lay.SIDE))
        n, size = (int(self.w[lay.PAR][k]) for k in (lay.STANDING, lay.SIZE))
        spec, st, board = spec[:n], st[:n], board[:size]
        standing = np.flatnonzero(st[:, lay.STATUS] == lay.ON_BOARD)
        places = st[standing, lay.PLACE]
        assert len(set(places.tolist())) == len(places)
        assert (board[places] == standing).all()
        assert (board >= 0).sum() == len(places)
        for owner in (0, 1):
            lost = (spec[:, lay.OWNER] == owner) & (st[:, lay.STATUS] == lay.GONE)
            assert spec[lost, lay.COST].sum() == side[owner, lay.POINTS_LOST]


def arrays(
    a: Host, b: Host, rulings: TriumphRulings, board: Board, seed: int = 1, log: int = 4000, max_turns: int = 80
) -> Any:
    """The record of a battle before its set-up."""
    pool = pack_hosts([a, b], rulings)
    par = parameters(rulings, board, stream_key(seed, {"battle": 1}), max_turns=max_turns)
    par[lay.FORCE_TURN] = par[lay.FORCE_FATE] = -1
    world = new_world(par, rulings, events=log)
    field(world, pool.spec[0], int(pool.sizes[0]), pool.spec[1], int(pool.sizes[1]))
    side = world[lay.SIDE]
    side[:, lay.THRESHOLD] = pool.thresholds
    side[:, lay.CARDS : lay.CARDS_LEFT] = pool.cards
    side[:, lay.POLICY] = 1
    side[:, lay.GENERAL] = side[:, lay.CAMP_AT] = -1
    return world


def position(
    stands: Mapping[str, tuple[str, int, int, int]],
    *,
    riders: Mapping[str, tuple[str, str]] = {},
    away: tuple[str, ...] = (),
    terrain: Mapping[tuple[int, int], str] = {},
    lanes: int = 7,
    rows: int = 16,
    points: int = 300,
    pips: int = 6,
    **rulings: Any,
) -> Position:
    """A position of the first side, which looks up the rows, against the second.

    Parameters
    ----------
    stands : mapping
        ``a1`` and so on for the first side, ``b1`` for the second: notation (or ``camp``), lane, row, facing.
    riders : mapping
        Names of heroes: notation and the stand they ride on, or "" for Away.
    away : tuple of str
        Stands that are Away.
    terrain : mapping
        Kinds of terrain by lane and row.
    """
    board, how = Board(lanes, rows, 2), TriumphRulings(**rulings)
    names: dict[str, int] = {}
    hosts = []
    for letter in "ab":
        own = [name for name in stands if name[0] == letter and stands[name][0] != "camp"]
        heroes = [name for name in riders if name[0] == letter]
        camp = next((name for name in stands if name[0] == letter and stands[name][0] == "camp"), None)
        start = len(names)
        for number, name in enumerate([*own, *heroes, *([camp] if camp else [])]):
            names[name] = start + number
        hosts.append(
            Host(
                letter,
                tuple((k, Stand.read(stands[name][0])) for k, name in enumerate(own)),
                tuple((len(own) + k, Hero.read(riders[name][0])) for k, name in enumerate(heroes)),
                points,
                "camp" if camp else None,
            )
        )
    w = arrays(hosts[0], hosts[1], how, board)
    st, spec, side, par = w[lay.ST], w[lay.SPEC], w[lay.SIDE], w[lay.PAR]
    side[:, lay.SEAT] = 0, 1
    side[:, lay.PIPS] = pips
    par[lay.TURN] = 1
    clear_board(w)
    found = Position(w, names, board, roster(hosts[0], hosts[1], how))
    for (lane, row), kind in terrain.items():
        w[lay.TERR][found.place(lane, row)] = list(terrains()).index(kind)
    st[:, lay.RIDER] = st[:, lay.CARRIER] = st[:, lay.SHOWN] = -1
    for name, (_, lane, row, facing) in stands.items():
        i = names[name]
        if name in away:
            st[i, lay.STATUS] = lay.AWAY
        else:
            put(w, i, found.place(lane, row))
        st[i, lay.FACE] = facing
        if spec[i, lay.FLAGS] & lay.IS_GENERAL:
            side[spec[i, lay.OWNER], lay.GENERAL] = i
        if spec[i, lay.FLAGS] & lay.IS_CAMP:
            side[spec[i, lay.OWNER], lay.CAMP_AT] = i
    for name, (_, carrier) in riders.items():
        h = names[name]
        if carrier:
            st[names[carrier], lay.RIDER], st[h, lay.CARRIER] = h, names[carrier]
            match_rows(w, names[carrier])
        else:
            st[h, lay.STATUS] = lay.AWAY
    for owner in (0, 1):
        mark_zones(w, owner)
    make_up_mind(w, 0)
    for i in range(len(names)):
        list_near(w, i)
    found.check()
    return found


def whole_battle(a: Host, b: Host, trial: int, rulings: TriumphRulings, policy: int = 1) -> Any:
    """The arrays after a battle on the usual board."""
    w = arrays(a, b, rulings, Board(), log=20_000)
    w[lay.SIDE][:, lay.POLICY] = policy
    w[lay.PAR][lay.TRIAL] = trial
    play(w, terrain_table())
    return w


def ints(values: Any) -> Ints:
    """An array of whole numbers."""
    return np.array(values, dtype=np.int64)
