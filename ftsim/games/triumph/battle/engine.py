"""Battles of hosts: many trials on threads, one trial with its log, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ftsim.errors import InputError, UnknownNameError
from ftsim.estimates import Estimate, proportion
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import (
    Board,
    Ints,
    Pool,
    new_world,
    pack_hosts,
    parameters,
    terrain_table,
)
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.kernels import announce
from ftsim.streams import stream_key

POLICIES = ("advance", "greedy", "hold", "skirmish")
#: Who plays when an experiment does not say, the headline first.
USUAL_POLICIES = ("greedy", "advance")
BLOCK = 1024
COMPILING = "compiling the battle kernels, once per version: about 40 s"
#: Raised whenever the same trial may end otherwise: results on disk are stale then.
BATTLE_VERSION = 3


@dataclass(frozen=True)
class BattleOptions:
    """How battles are fought.

    Parameters
    ----------
    policy, enemy_policy : str
        Who plays each side.
    board : Board
        Where.
    rulings : TriumphRulings
        How open points are decided.
    max_turns : int
        Player turns after which a battle is drawn.
    shoots : bool
        Whether there is shooting and magic.
    weights : mapping of str to int
        Policy weights that differ from their table.
    flip : bool
        Whether seats are exchanged in every trial.
    """

    policy: str = "greedy"
    enemy_policy: str = "greedy"
    board: Board = Board()
    rulings: TriumphRulings = TriumphRulings()
    max_turns: int = 80
    shoots: bool = True
    weights: Mapping[str, int] = field(default_factory=dict)
    flip: bool = False

    def __post_init__(self) -> None:
        for name in (self.policy, self.enemy_policy):
            if name not in POLICIES:
                raise UnknownNameError("policy", name, POLICIES)
        if self.max_turns < 1:
            raise InputError(f"A battle needs at least one player turn, got {self.max_turns}")


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of some trials, a row each; columns as in `play`."""

    rows: NDArray[np.int32]

    @property
    def result(self) -> NDArray[np.int32]:
        """1 where the first army won, -1 where the second did, 0 for a draw."""
        return self.rows[:, 0]

    @property
    def score(self) -> NDArray[np.float64]:
        """1, ½ or 0."""
        return (self.result + 1) / 2

    def counts(self) -> tuple[int, int, int]:
        """Wins of the first army, draws, wins of the second."""
        return tuple(int(np.sum(self.result == k)) for k in (1, 0, -1))  # type: ignore[return-value]

    def win_rate(self) -> Estimate:
        """Chance of the first army to win, draws counted as half; Wilson interval on the win share when few draw."""
        wins, draws, losses = self.counts()
        n = wins + draws + losses
        if draws == 0:
            return proportion(wins, n)
        mean = (wins + draws / 2) / n
        error = float(np.sqrt(max(float(np.var(self.score)), 1e-12) / n))
        return Estimate(mean, max(mean - 1.96 * error, 0.0), min(mean + 1.96 * error, 1.0), trials=n)


def fight(
    hosts: Sequence[Host],
    pairs: Ints,
    trials: Ints,
    options: BattleOptions,
    seed: int,
    *,
    scenario: Mapping[str, object] | None = None,
    workers: int = 1,
) -> Outcome:
    """Fight trials between hosts.

    Parameters
    ----------
    hosts : sequence of Host
        Armies.
    pairs : array of int64, shape (trials, 2)
        Which host is first and which second in each trial.
    trials : array of int64, shape (trials,)
        Numbers of the trials, which address their dice, edge and first move.
    options : BattleOptions
        How.
    seed : int
        Seed of the experiment.
    scenario : mapping, optional
        What else addresses the dice: arms that are compared share it.
    workers : int
        Threads; the outcome does not depend on them.

    Raises
    ------
    InputError
        If an army does not fit on the board, or numbers do not match.
    """
    check_room(hosts, options.board)
    pool = pack_hosts(hosts, options.rulings)
    return fight_pool(pool, pairs, trials, options, seed, scenario=scenario, workers=workers)


def fight_pool(
    pool: Pool,
    pairs: Ints,
    trials: Ints,
    options: BattleOptions,
    seed: int,
    *,
    scenario: Mapping[str, object] | None = None,
    workers: int = 1,
    force: tuple[int, int] | None = None,
) -> Outcome:
    """Fight trials between packed hosts; see `fight`.

    Parameters
    ----------
    force : (int, int), optional
        A player turn, and a fate of `rules.FATES` that a drawn stand of the first army suffers
        at its start: the experiment that measures loss weights.
    """
    if len(pairs) != len(trials) or len(trials) == 0:
        raise InputError(f"{len(pairs)} pairs for {len(trials)} trials; at least one of each is needed")
    par = parameters(
        options.rulings,
        options.board,
        stream_key(seed, {"battle": 1, **(scenario or {})}),
        max_turns=options.max_turns,
        shoots=options.shoots,
        weights=options.weights,
        flip=options.flip,
    )
    par[lay.FORCE_TURN], par[lay.FORCE_FATE] = force or (-1, -1)
    policies = np.tile(
        [POLICIES.index(options.policy), POLICIES.index(options.enemy_policy)], (len(trials), 1)
    ).astype(np.int64)
    outcomes = np.zeros((len(trials), 8), dtype=np.int32)

    def block(start: int) -> None:
        part = slice(start, start + BLOCK)
        _play(new_world(par, options.rulings), pool, pairs[part], trials[part], policies[part], outcomes[part])

    starts = range(0, len(trials), BLOCK)
    if workers == 1:
        for start in starts:
            block(start)
    else:
        with ThreadPoolExecutor(workers) as threads:
            list(threads.map(block, starts))
    return Outcome(outcomes)


def tell(a: Host, b: Host, trial: int, options: BattleOptions, seed: int, **scenario: object) -> tuple[Ints, Outcome]:
    """One trial with its event log: shape ``(events, 6)``, and its outcome."""
    check_room([a, b], options.board)
    pool = pack_hosts([a, b], options.rulings)
    par = parameters(
        options.rulings,
        options.board,
        stream_key(seed, {"battle": 1, **scenario}),
        max_turns=options.max_turns,
        shoots=options.shoots,
        weights=options.weights,
        flip=options.flip,
    )
    par[lay.FORCE_TURN], par[lay.FORCE_FATE] = -1, -1
    world = new_world(par, options.rulings, events=lay.MOST_EVENTS)
    outcomes = np.zeros((1, 8), dtype=np.int32)
    policies = np.array([[POLICIES.index(options.policy), POLICIES.index(options.enemy_policy)]], dtype=np.int64)
    pairs, trials = np.array([[0, 1]], dtype=np.int64), np.array([trial], dtype=np.int64)
    _play(world, pool, pairs, trials, policies, outcomes)
    return world[lay.LOG][: world[lay.PAR][lay.LOGGED]], Outcome(outcomes)


def _play(world: np.void, pool: Pool, pairs: Ints, trials: Ints, policies: Ints, outcomes: NDArray[np.int32]) -> None:
    announce("ftsim.games.triumph.battle.play", "play_block", COMPILING)
    from ftsim.games.triumph.battle.play import play_block

    play_block(
        world,
        pool.spec,
        pool.sizes,
        pool.thresholds,
        pool.cards,
        np.ascontiguousarray(pairs),
        np.ascontiguousarray(trials),
        np.ascontiguousarray(policies),
        terrain_table(),
        outcomes,
    )


def check_room(hosts: Sequence[Host], board: Board) -> None:
    """Refuse a host that cannot be deployed.

    Raises
    ------
    InputError
        If it has more stands than its deployment zone has places.
    """
    places = min(board.lanes, 20) * (board.front_row // 2 + 1)
    for host in hosts:
        if len(host.stands) > max(places, 1):
            raise InputError(
                f"{host.name}: {len(host.stands)} stands do not fit into a deployment zone of {places} places"
            )
