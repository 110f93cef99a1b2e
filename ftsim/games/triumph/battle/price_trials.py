"""Trials that price cards in battles: what an experiment asks, its cells, and their sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.games.triumph.battle.arms import (
    ONE_LESS,
    ONE_MORE,
    POINTS,
    Group,
    Played,
    Subject,
    drawn_armies,
    group_subjects,
    joined,
    play_arms,
)
from ftsim.games.triumph.battle.build import Board, Ints
from ftsim.games.triumph.battle.bundles import Bundle, bundle_of, compute_bundle, is_bundle
from ftsim.games.triumph.battle.engine import BATTLE_VERSION, POLICIES, USUAL_POLICIES, BattleOptions, fight_pool
from ftsim.games.triumph.price_study import DEFAULT, ruling_scenarios
from ftsim.games.triumph.rules import FATES
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.study_parts import axis, topography_of
from ftsim.games.triumph.troop_types import PACKAGE, troop_types
from ftsim.pricing.equal_points import ARMS
from ftsim.pricing.moments import Moments
from ftsim.pricing.readings import READING

#: Trials of a cell: so many armies are in memory at once.
BLOCK = 8192
USUAL_TRIALS = 20_000
#: Player turn in which a fate is forced on a stand, to measure how much of a loss it is.
FORCED_TURN = 3
#: Fates whose weights are measured, against being destroyed.
MEASURED_FATES = ("destroyed", "panics", "evades", "falls_back")
#: Tables that no battle reads.
NOT_READ = ("terms.csv", "sample_lists.csv")
ARM, KIND = "arm", "kind"
#: Instead of rulings: trials in which bearers count as lost without their cards.
UNCOUNTED = "points of cards not counted"
#: Opponents of priced armies, the default first.
OPPONENTS = ("mirror", "drawn")


@dataclass(frozen=True)
class PricePlan:
    """What an experiment asks, read once.

    Parameters
    ----------
    subjects : tuple of Subject
        What is priced.
    policies : tuple of str
        Each plays both sides; the first is the headline.
    trials, other_trials, ruling_trials, forced_trials, uncounted_trials : int
        Trials of each group of cards under the first policy and under the others, under another ruling, of each
        forced fate, and where victory does not count cards; multiples of four, for seats and first moves rotate.
    topography : str or None
        Where battles are; None for an open board.
    mirror : bool
        Whether opponents are mirrors of the plain army, or drawn.
    scenarios : mapping of str to TriumphRulings
        The rulings as set, and each swept one changed alone.
    seed : int
        Seed of armies and dice.
    """

    subjects: tuple[Subject, ...]
    policies: tuple[str, ...]
    trials: int
    other_trials: int
    ruling_trials: int
    forced_trials: int
    uncounted_trials: int
    topography: str | None
    mirror: bool
    scenarios: Mapping[str, TriumphRulings]
    seed: int

    @classmethod
    def of(cls, experiment: Experiment) -> PricePlan:
        """The plan of a checked experiment."""
        scenarios = ruling_scenarios(experiment)
        given = experiment.sweep.get("card", [])
        texts = [given] if isinstance(given, str) else [str(text) for text in given]
        trials = experiment.trials or USUAL_TRIALS

        def number(name: str, usual: int) -> int:
            return -(-int(str(experiment.options.get(name, usual))) // 4) * 4

        return cls(
            tuple(Subject.of(text, scenarios[DEFAULT]) for text in texts),
            axis(experiment, "policy", POLICIES, USUAL_POLICIES),
            -(-trials // 4) * 4,
            number("other_trials", trials),
            number("ruling_trials", trials // 4),
            number("forced_trials", 0),
            number("uncounted_trials", 0),
            topography_of(experiment),
            experiment.options.get("opponents", OPPONENTS[0]) == OPPONENTS[0],
            scenarios,
            experiment.seed,
        )

    def options(self, policy: str, label: str = DEFAULT) -> BattleOptions:
        """How one policy fights itself under some rulings."""
        return BattleOptions(policy, policy, Board(topography=self.topography), self._rulings(label))

    def _rulings(self, label: str) -> TriumphRulings:
        return self.scenarios[DEFAULT if label == UNCOUNTED else label]

    @property
    def groups(self) -> dict[Group, list[Subject]]:
        """Subjects by the armies they share."""
        return group_subjects(self.subjects)

    def arms_of(self, label: str, group: Group) -> list[Subject]:
        """What is priced with the armies of a group; where cards are not counted, those that victory counts."""
        return [s for s in self.groups[group] if label != UNCOUNTED or s.counts]

    def trials_of(self, policy: str, label: str) -> int:
        """Trials of each group."""
        if label == UNCOUNTED:
            return self.uncounted_trials if policy == self.policies[0] else 0
        if label != DEFAULT:
            return self.ruling_trials
        return self.trials if policy == self.policies[0] else self.other_trials

    def blocks(self) -> Iterator[tuple[str, str, Group, int, int]]:
        """Policy, rulings, group, first trial and number of trials of every cell."""
        for label in (DEFAULT, UNCOUNTED):
            for policy in self.policies:
                for group in self.groups:
                    for first, count in self._parts(policy, label, group):
                        yield policy, label, group, first, count
        readings = [label for label in self.scenarios if label != DEFAULT]
        for policy in self.policies:
            for group in self.groups:
                # Readings of one block follow one another, so that a worker plays it once as the rulings are set.
                for first, count in self._parts(policy, readings[0], group) if readings else ():
                    for label in readings:
                        yield policy, label, group, first, count

    def _parts(self, policy: str, label: str, group: Group) -> Iterator[tuple[int, int]]:
        """First trial and number of trials of each block of a group."""
        total = self.trials_of(policy, label) if self.arms_of(label, group) else 0
        for first in range(0, total, BLOCK):
            yield first, min(BLOCK, total - first)

    def bundle_blocks(self) -> Iterator[tuple[str, Subject, int, int]]:
        """Policy, bundle, first trial and number of trials of the cells in which all subsets are played."""
        for policy in self.policies:
            total = self.trials_of(policy, DEFAULT)
            for subject in filter(is_bundle, self.subjects):
                for first in range(0, total, BLOCK):
                    yield policy, subject, first, min(BLOCK, total - first)

    def bundles(self, results: Mapping[str, Columns]) -> list[Bundle]:
        """What each card of a bundle earns, under each policy."""
        blocks: dict[tuple[str, Subject], list[Columns]] = {}
        for policy, subject, first, _ in self.bundle_blocks():
            blocks.setdefault((policy, subject), []).append(results[bundle_key(policy, subject, first)])
        rulings = self.scenarios[DEFAULT]
        return [bundle_of(subject, policy, rulings, found) for (policy, subject), found in blocks.items()]

    def cells(self) -> list[Cell]:
        """Cells of the prices, of the subsets of bundles, then of the forced fates."""
        found = []
        for policy, label, group, first, count in self.blocks():
            subjects = self.arms_of(label, group)
            more: dict[str, object] = {"pooled": True, "counted": False} if label == UNCOUNTED else {}
            paired: dict[str, object] = {}
            if label not in (DEFAULT, UNCOUNTED):
                paired, more = {"as_set": self.options(policy)}, {"paired": True}
            drawn = {"first": first, "count": count, "mirror": self.mirror}
            found.append(
                self._cell(
                    block_key(policy, label, group, first),
                    policy,
                    label,
                    {"group": str(group), "arms": [s.text for s in subjects], **drawn, **more},
                    compute_reading if paired else compute_arms,
                    {"group": group, "subjects": subjects, **drawn, **(paired or more)},
                )
            )
        for policy, subject, first, count in self.bundle_blocks():
            found.append(
                self._cell(
                    bundle_key(policy, subject, first),
                    policy,
                    DEFAULT,
                    {"bundle": subject.text, "first": first, "count": count, "mirror": self.mirror},
                    compute_bundle,
                    {"subject": subject, "first": first, "count": count, "mirror": self.mirror},
                )
            )
        if self.forced_trials:
            for policy in self.policies:
                found.append(
                    self._cell(
                        f"{policy} | forced fates",
                        policy,
                        DEFAULT,
                        {"forced": FORCED_TURN, "count": self.forced_trials},
                        compute_fates,
                        {"count": self.forced_trials},
                    )
                )
        return found

    def _cell(
        self,
        key: str,
        policy: str,
        label: str,
        reads: Mapping[str, object],
        compute: object,
        arguments: Mapping[str, object],
    ) -> Cell:
        common = {
            "engine": BATTLE_VERSION,
            "contest": "battle prices",
            "policy": policy,
            "seed": self.seed,
            "topography": self.topography,
            "rulings": {name: str(value) for name, value in self._rulings(label).changed().items()},
            "tables": tables_read(),
        }
        given = {"options": self.options(policy, label), "seed": self.seed, **arguments}
        return Cell(key, {**common, **reads}, compute, given, record=True)  # type: ignore[arg-type]


def block_key(policy: str, label: str, group: Group, first: int) -> str:
    """Key of a cell of prices."""
    return f"{policy} | {label} | {group} | from {first}"


def bundle_key(policy: str, subject: Subject, first: int) -> str:
    """Key of a cell of a bundle."""
    return f"{policy} | bundle {subject.text} | from {first}"


@lru_cache(maxsize=1)
def tables_read() -> dict[str, str]:
    """Digests of the tables that battles depend on."""
    return {name: digest for name, digest in digest_tables(PACKAGE).items() if name not in NOT_READ}


def compute_arms(
    options: BattleOptions,
    seed: int,
    group: Group,
    subjects: Sequence[Subject],
    first: int,
    count: int,
    mirror: bool,
    pooled: bool = False,
    counted: bool = True,
) -> Columns:
    """Sums of one block: a row for each arm and kind of bearer that came up, or a row for each arm."""
    played = play_arms(group, subjects, options, seed, first, count, mirror=mirror, counted=counted)
    kinds = len(troop_types(options.rulings)) + 1
    parts: dict[str, list[Ints]] = {}
    for k, name in enumerate(arm_names(subjects)):
        moments = played[name].moments(kinds)
        columns = (moments.pooled() if pooled else moments).columns(ARMS)
        there = columns["n"] > 0
        columns = {ARM: np.full(len(there), k), KIND: np.arange(len(there)), **columns}
        for column, values in columns.items():
            parts.setdefault(column, []).append(values[there])
    return {column: np.concatenate(values) for column, values in parts.items()}


def compute_reading(
    options: BattleOptions,
    seed: int,
    group: Group,
    subjects: Sequence[Subject],
    first: int,
    count: int,
    mirror: bool,
    as_set: BattleOptions,
) -> Columns:
    """Sums of one block under other rulings beside the same trials as the rulings are set: a row for each subject."""
    # The same worker plays the same trials under many rulings: as set, once is enough.
    where = (repr(as_set), seed, group, tuple(s.text for s in subjects), first, count, mirror)
    if where not in _AS_SET:
        if len(_AS_SET) >= _KEPT:
            _AS_SET.pop(next(iter(_AS_SET)))
        _AS_SET[where] = play_arms(group, subjects, as_set, seed, first, count, mirror=mirror)
    usual = _AS_SET[where]
    played = play_arms(group, subjects, options, seed, first, count, mirror=mirror)
    found = [
        Moments.of(
            [column for x in (played[s.text], usual[s.text]) for column in (x.plain, x.carded, x.more, x.cost_more)]
        )
        for s in subjects
    ]
    rows = [moments.columns(READING) for moments in found]
    return {
        ARM: np.arange(len(rows)),
        **{name: np.concatenate([row[name] for row in rows]) for name in rows[0]},
    }


#: Trials as set that this process has played, and how many blocks of them it keeps.
_AS_SET: dict[tuple[object, ...], dict[str, Played]] = {}
_KEPT = 4


def arm_names(subjects: Sequence[Subject]) -> list[str]:
    """Arms of a group in the order of their numbers."""
    return [ONE_MORE, ONE_LESS, *(subject.text for subject in subjects)]


def compute_fates(options: BattleOptions, seed: int, count: int) -> Columns:
    """Half-wins, one row a forced fate: nothing forced first; and the products that errors need."""
    group = Group(POINTS, False)
    total = dict.fromkeys(("none", *MEASURED_FATES), 0)
    squares = np.zeros((len(MEASURED_FATES), len(MEASURED_FATES)), dtype=np.int64)
    for first in range(0, count, BLOCK):
        size = min(BLOCK, count - first)
        own = drawn_armies(group, seed, first, size, options.rulings, "own")
        enemy = drawn_armies(group, seed, first, size, options.rulings, "enemy")
        both, at = joined(own, enemy), np.arange(size)
        pairs, numbers = np.stack([at, size + at], axis=1), np.arange(first, first + size, dtype=np.int64)

        def halves(fate: str | None, both=both, pairs=pairs, numbers=numbers) -> Ints:  # type: ignore[no-untyped-def]
            force = None if fate is None else (FORCED_TURN, FATES.index(fate))
            found = fight_pool(both, pairs, numbers, options, seed, scenario={"equal-points": POINTS}, force=force)
            return found.result.astype(np.int64) + 1

        plain = halves(None)
        outcomes = [halves(fate) for fate in MEASURED_FATES]
        lost = np.array([plain - forced for forced in outcomes])
        total["none"] += int(plain.sum())
        for fate, forced in zip(MEASURED_FATES, outcomes, strict=True):
            total[fate] += int(forced.sum())
        squares += lost @ lost.T
    columns: dict[str, Ints] = {
        "trials": np.full(len(MEASURED_FATES), count, dtype=np.int64),
        "plain": np.full(len(MEASURED_FATES), total["none"], dtype=np.int64),
        "forced": np.array([total[fate] for fate in MEASURED_FATES], dtype=np.int64),
    }
    for k, fate in enumerate(MEASURED_FATES):
        columns[f"with_{fate}"] = squares[:, k]
    return columns


# ------------------------------------------------------------------ sums of all blocks


@dataclass(frozen=True, eq=False)
class PriceSums:
    """Moments of all trials, by policy, rulings and arm; a cell for each kind of bearer.

    Parameters
    ----------
    subjects : mapping of (str, str, str) to Moments
        By policy, label of the rulings and notation.
    shared : mapping of (str, str, Group, str) to Moments
        The arms with one stand more and one less, of each group.
    readings : mapping of (str, str, str) to Moments
        Under other rulings, beside the same trials as set; one cell, over the columns `READING`.
    """

    subjects: Mapping[tuple[str, str, str], Moments]
    shared: Mapping[tuple[str, str, Group, str], Moments]
    readings: Mapping[tuple[str, str, str], Moments]

    @classmethod
    def of(cls, plan: PricePlan, results: Mapping[str, Columns]) -> PriceSums:
        """Add up the cells of a plan."""
        subjects: dict[tuple[str, str, str], Moments] = {}
        shared: dict[tuple[str, str, Group, str], Moments] = {}
        readings: dict[tuple[str, str, str], Moments] = {}
        for policy, label, group, first, _ in plan.blocks():
            columns = results[block_key(policy, label, group, first)]
            if label not in (DEFAULT, UNCOUNTED):
                rows = Moments.from_columns(columns, READING)
                for k, subject in enumerate(plan.arms_of(label, group)):
                    key = (policy, label, subject.text)
                    readings[key] = readings[key] + rows[k] if key in readings else rows[k]
                continue
            for k, name in enumerate(arm_names(plan.arms_of(label, group))):
                found = _by_kind(columns, k)
                if name in (ONE_MORE, ONE_LESS):
                    at = (policy, label, group, name)
                    shared[at] = shared[at] + found if at in shared else found
                else:
                    key = (policy, label, name)
                    subjects[key] = subjects[key] + found if key in subjects else found
        return cls(subjects, shared, readings)


def _by_kind(columns: Columns, arm: int) -> Moments:
    """The moments of one arm of a block, a cell for each kind of bearer."""
    mine = np.asarray(columns[ARM]) == arm
    kind = np.asarray(columns[KIND])[mine].astype(np.int64)
    kinds, m = len(troop_types()) + 1, len(ARMS)
    there = Moments.from_columns({name: np.asarray(values)[mine] for name, values in columns.items()}, ARMS)
    count, total = np.zeros(kinds, dtype=np.int64), np.zeros((kinds, m), dtype=np.int64)
    product = np.zeros((kinds, m, m), dtype=np.int64)
    count[kind], total[kind], product[kind] = there.count, there.total, there.product
    return Moments(count, total, product)
