"""Who beats whom: every army of a set against every other, in whole battles at equal points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from ftsim._typing import FloatArray
from ftsim.estimates import Estimate, proportion
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Drawing, Findings, HeatMap, Section, Table
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.build import Board
from ftsim.games.triumph.battle.engine import BATTLE_VERSION, POLICIES, USUAL_POLICIES, BattleOptions, fight
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.replays import told
from ftsim.games.triumph.battle.storyboard import storyboard
from ftsim.games.triumph.glossary import terms
from ftsim.games.triumph.price_study import DEFAULT
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.study_parts import assumed_in_battle, axis, open_in_battle, topography_of
from ftsim.games.triumph.troop_types import PACKAGE

#: Battles of each pair when the experiment does not say.
USUAL_TRIALS = 2000
#: Most pairs that may fail to be even by chance among those called uneven.
FALSE_DISCOVERIES = 0.05
COLUMNS = ("a_wins", "draws", "b_wins", "first_wins", "turns", "combats", "shots")


@dataclass(frozen=True)
class Plan:
    """What an experiment asks, read once.

    Parameters
    ----------
    armies : tuple of str
        File stems of archetypes.
    policies : tuple of str
        Each plays both sides; the first is the headline.
    trials : int
        Battles of each pair, a multiple of four: edges and first moves rotate with the trial.
    """

    armies: tuple[str, ...]
    policies: tuple[str, ...]
    trials: int
    topography: str | None
    rulings: TriumphRulings

    @classmethod
    def of(cls, experiment: Experiment) -> Plan:
        """The plan of a checked experiment."""
        return cls(
            axis(experiment, "army", tuple(archetypes())),
            axis(experiment, "policy", POLICIES, USUAL_POLICIES),
            -(-(experiment.trials or USUAL_TRIALS) // 4) * 4,
            topography_of(experiment),
            TriumphRulings.parse(experiment.rulings.set),
        )

    def options(self, policy: str) -> BattleOptions:
        """How one policy fights itself."""
        return BattleOptions(policy, policy, Board(topography=self.topography), self.rulings)


def compute_battles(plan: Plan, policy: str, army: str, enemies: Sequence[str], seed: int) -> Columns:
    """Battles of one army against some others, one row an enemy."""
    known = archetypes()
    numbers = np.arange(plan.trials, dtype=np.int64)
    pairs = np.tile(np.array([0, 1], dtype=np.int64), (plan.trials, 1))
    rows = []
    for enemy in enemies:
        # The scenario names no policy: both policies meet the same dice.
        scenario = {"a": army, "b": enemy}
        found = fight([known[army], known[enemy]], pairs, numbers, plan.options(policy), seed, scenario=scenario)
        wins, draws, losses = found.counts()
        result, turns, combats, shots, first = (found.rows[:, k] for k in (0, 1, 4, 5, 6))
        began = int(np.sum(result == np.where(first == 0, 1, -1)))
        rows.append((wins, draws, losses, began, int(turns.sum()), int(combats.sum()), int(shots.sum())))
    return {name: np.array([row[k] for row in rows], dtype=np.int64) for k, name in enumerate(COLUMNS)}


class ArchetypeStudy:
    """Experiments on whole battles between archetypes."""

    engine_version = BATTLE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """For every policy, each army against all that come after it."""
        plan, known = Plan.of(experiment), archetypes()
        found = []
        for policy in plan.policies:
            for k, army in enumerate(plan.armies[:-1]):
                enemies = plan.armies[k + 1 :]
                found.append(
                    Cell(
                        f"{policy}: {army}",
                        {
                            "engine": BATTLE_VERSION,
                            "contest": "battle",
                            "policy": policy,
                            "trials": plan.trials,
                            "seed": experiment.seed,
                            "topography": plan.topography,
                            "rulings": {name: str(value) for name, value in plan.rulings.changed().items()},
                            "armies": [[name, _reads(known[name])] for name in (army, *enemies)],
                            "tables": digest_tables(PACKAGE),
                        },
                        compute_battles,
                        {"plan": plan, "policy": policy, "army": army, "enemies": enemies, "seed": experiment.seed},
                    )
                )
        return found

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Win rates of every pair, and of every army over the others."""
        plan = Plan.of(experiment)
        tallies = {policy: _Tally.of(plan, policy, results) for policy in plan.policies}
        head = tallies[plan.policies[0]]
        order = head.order()
        best, second, worst = (head.names[k] for k in (order[0], order[1], order[-1]))
        top, low = head.mean(order[0]), head.mean(order[-1])
        pairs = len(plan.armies) * (len(plan.armies) - 1) // 2
        because = [
            f"Under {policy}, {tally.uneven()} of {pairs} pairs of armies are uneven, with at most "
            f"{100 * FALSE_DISCOVERIES:.0f} % of them called so by chance; {tally.firsts()}"
            for policy, tally in tallies.items()
        ]
        if len(tallies) > 1:
            because.append(_agreement(tallies))
        where = plan.topography or "an open board"
        rulings = {DEFAULT: plan.rulings}
        return Findings(
            answer=(
                f"On {where.replace('_', ' ')} and under {head.policy}, {best} wins most: {_words(top)} of its "
                f"battles at equal points; {worst} wins least: {_words(low)}."
            ),
            because=because,
            sections=[
                *(_section(tally) for tally in tallies.values()),
                Section("armies", "The armies", "", (_armies(plan),)),
                Section("sample", "One battle", "", (_drawing(plan, head, best, second, experiment.seed),)),
            ],
            missing=[
                ("Scouting, choice of board and deployment by a player", "a player at the table"),
                ("Other policies", "the policies hold and skirmish"),
            ],
            rulings=open_in_battle(rulings),
            assumed=assumed_in_battle(plan.rulings),
            method=(
                f"Every pair fights {plan.trials:,} lane battles, an abstraction of the table: lanes of 2 MU, rows "
                "of 1 MU, one player turn after the other until an army has lost a third of its points. Edges and "
                "first moves change from trial to trial, so that neither favours an army. Both sides play the same "
                "policy.",
                "A draw is a battle that reached the turn cap; it counts as half a win. Intervals are 95 %; those of "
                "an army over all others add the variances of its pairs, which share no dice.",
            ),
            terms=terms(),
            files={"figures.csv": _file(plan, tallies)},
            checks={
                f"every battle under {policy} ends in a win, a loss or a draw": tally.complete(plan.trials)
                for policy, tally in tallies.items()
            },
        )


@dataclass(frozen=True, eq=False)
class _Tally:
    """Counts of one policy: ``[i, j]`` is army i against army j."""

    policy: str
    names: tuple[str, ...]
    wins: FloatArray
    draws: FloatArray
    turns: FloatArray
    first_wins: int
    battles: int

    @classmethod
    def of(cls, plan: Plan, policy: str, results: Mapping[str, Columns]) -> _Tally:
        size = len(plan.armies)
        wins, draws, turns = (np.zeros((size, size)) for _ in range(3))
        first = battles = 0
        for k, army in enumerate(plan.armies[:-1]):
            columns = results[f"{policy}: {army}"]
            wins[k, k + 1 :], wins[k + 1 :, k] = columns["a_wins"], columns["b_wins"]
            draws[k, k + 1 :] = draws[k + 1 :, k] = columns["draws"]
            turns[k, k + 1 :] = turns[k + 1 :, k] = columns["turns"]
            first += int(columns["first_wins"].sum())
            battles += int(sum(columns[name].sum() for name in ("a_wins", "draws", "b_wins")))
        names = tuple(archetypes()[army].name for army in plan.armies)
        return cls(policy, names, wins, draws, turns, first, battles)

    @property
    def fought(self) -> FloatArray:
        return self.wins + self.wins.T + self.draws

    def score(self) -> FloatArray:
        """Share of battles won, draws as half; nan on the diagonal."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.wins + self.draws / 2) / self.fought)

    def mean(self, k: int) -> Estimate:
        """An army against all others, met equally often."""
        others = np.arange(len(self.names)) != k
        share, fought = self.score()[k, others], self.fought[k, others]
        square = (self.wins[k, others] + self.draws[k, others] / 4) / fought
        # A pair that never lost still varies: half a battle either way keeps its variance above 0.
        variance = np.maximum(square - share**2, 0.5 / fought) / fought
        value = float(share.mean())
        error = 1.96 * float(np.sqrt(variance.sum())) / len(share)
        return Estimate(value, max(value - error, 0.0), min(value + error, 1.0), trials=int(fought.sum()))

    def order(self) -> list[int]:
        """Armies from the one that wins most to the one that wins least."""
        return sorted(range(len(self.names)), key=lambda k: -self.mean(k).value)

    def uneven(self) -> int:
        """Pairs that are not even, false discoveries held."""
        score, fought = self.score(), self.fought
        chances = [
            2 * stats.norm.sf(abs(score[i, j] - 0.5) * 2 * np.sqrt(fought[i, j]))
            for i, j in combinations(range(len(self.names)), 2)
        ]
        return int(np.sum(stats.false_discovery_control(chances) <= FALSE_DISCOVERIES))

    def firsts(self) -> str:
        """What moving first is worth, in words."""
        share = proportion(self.first_wins, self.battles - int(np.triu(self.draws).sum()))
        return f"the army that moves first wins {_words(share)} of the battles that are won."

    def complete(self, trials: int) -> bool:
        off = ~np.eye(len(self.names), dtype=bool)
        return bool(np.all(self.fought[off] == trials))


def _reads(host: Host) -> list[Any]:
    """All of a host that a battle depends on."""
    return [
        [[slot, str(stand)] for slot, stand in host.stands],
        [[slot, str(hero)] for slot, hero in host.heroes],
        host.points,
        host.camp,
        host.dense,
    ]


def _words(share: Estimate) -> str:
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def _agreement(tallies: Mapping[str, _Tally]) -> str:
    (one, first), (other, second) = list(tallies.items())[:2]
    size = range(len(first.names))
    rank = stats.spearmanr([first.mean(k).value for k in size], [second.mean(k).value for k in size]).statistic
    return f"The orders of the armies under {one} and {other} agree with a rank correlation of {rank:.2f}."


def _section(tally: _Tally) -> Section:
    order, score = tally.order(), tally.score()
    rows: list[dict[str, Any]] = []
    for k in order:
        share = tally.mean(k)
        others = [j for j in order if j != k]
        easy = max(others, key=lambda j: float(score[k, j]))
        hard = min(others, key=lambda j: float(score[k, j]))
        fought = float(tally.fought[k, others].sum())
        rows.append(
            {
                "army": tally.names[k],
                "wins": 100 * share.value,
                "interval": (100 * share.low, 100 * share.high),
                "easy": f"{tally.names[easy]}, {100 * score[k, easy]:.0f} %",
                "hard": f"{tally.names[hard]}, {100 * score[k, hard]:.0f} %",
                "draws": 100 * float(tally.draws[k].sum()) / fought,
                "turns": float(tally.turns[k].sum()) / fought,
            }
        )
    table = Table(
        f"armies-{tally.policy}",
        "Battles won against all others",
        (
            Column("army", "Army"),
            Column("wins", "Battles won, %", "percent", "battles won", 1, "interval"),
            Column("interval", "Interval", "interval", "battles won", 1),
            Column("easy", "Easiest enemy"),
            Column("hard", "Hardest enemy"),
            Column("draws", "Draws, %", "percent", "drawn battles", 2),
            Column("turns", "Player turns", "number", "player turns", 1),
        ),
        rows,
        "All enemies are met equally often.",
    )
    names = [tally.names[k] for k in order]
    heat = HeatMap(
        f"pairs-{tally.policy}",
        "Battles that the row wins against the column, %",
        names,
        names,
        [[float("nan") if i == j else 100 * float(score[i, j]) for j in order] for i in order],
        "per cent",
        50.0,
        0,
        "Armies in the order of the table. Draws count as half.",
    )
    return Section(f"policy-{tally.policy}", f"Both sides play {tally.policy}", "", (table, heat))


def _armies(plan: Plan) -> Table:
    rows = []
    for name in plan.armies:
        host = archetypes()[name]
        counts = Counter(str(stand) for _, stand in host.stands)
        parts = [f"{n} × {text}" if n > 1 else text for text, n in counts.items()]
        rows.append(
            {
                "army": host.name,
                "file": name,
                "stands": "; ".join([*parts, *(str(hero) for _, hero in host.heroes)]),
                "camp": host.camp or "none",
            }
        )
    titles = {"army": "Army", "file": "File", "stands": "Stands and heroes", "camp": "Camp"}
    columns = [Column(key, title) for key, title in titles.items()]
    return Table("army-lists", "What they are made of", columns, rows)


def _drawing(plan: Plan, tally: _Tally, one: str, other: str, seed: int) -> Drawing:
    files = {archetypes()[army].name: army for army in plan.armies}
    how = plan.options(tally.policy)
    story, _, data = told((archetypes()[files[one]], archetypes()[files[other]]), 0, how, seed)
    settings = {
        "seed": seed,
        "policy": tally.policy,
        "topography": plan.topography or "open",
        **plan.rulings.changed(),
    }
    chosen = " ".join(f"-o {name}={value}" for name, value in settings.items())
    title = f"{one} against {other}, trial 0"
    result = {"a": f"{one} wins", "b": f"{other} wins", "draw": "nobody wins"}[data["result"]]
    return Drawing(
        "storyboard",
        "The two armies that win most, turn by turn",
        storyboard(story, how.board, title),
        f"Storyboard of a battle of {one} against {other}: {result} after {data['player_turns']} player turns.",
        f"One battle, not the usual course: {result} after {data['player_turns']} player turns. "
        f"Any trial can be told: ftsim replay triumph {files[one]} {files[other]} --trial 0 {chosen}",
    )


def _file(plan: Plan, tallies: Mapping[str, _Tally]) -> Table:
    rows = []
    for policy, tally in tallies.items():
        for i, j in combinations(range(len(plan.armies)), 2):
            wins, draws, losses = (int(x) for x in (tally.wins[i, j], tally.draws[i, j], tally.wins[j, i]))
            share = proportion(wins, plan.trials)
            rows.append(
                {
                    "policy": policy,
                    "army": plan.armies[i],
                    "enemy": plan.armies[j],
                    "wins": wins,
                    "draws": draws,
                    "losses": losses,
                    "share_won": share.value,
                    "low": share.low,
                    "high": share.high,
                    "player_turns": tally.turns[i, j] / plan.trials,
                }
            )
    counts = ("wins", "draws", "losses")
    columns = (
        *(Column(key, key) for key in ("policy", "army", "enemy")),
        *(Column(key, key, "number", "battles won", 0) for key in counts),
        *(Column(key, key, "number", "battles won", 4) for key in ("share_won", "low", "high")),
        Column("player_turns", "player_turns", "number", "player turns", 2),
    )
    return Table("pairs", "pairs", columns, rows)
