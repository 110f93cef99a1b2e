"""Cells of Triumph experiments: a grid of matchups in several situations, counted exactly or sampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.catalog import read_table
from ftsim.dice import Dice
from ftsim.experiments.study import Cell, Columns
from ftsim.games.triumph.combat import RESULTS, Matchups, compare, matchups
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.places import Camp, Place, Side, Situation, read_side, side_array
from ftsim.games.triumph.ranged import Attack, attack_grid
from ftsim.games.triumph.rules import FATES, rule_tables
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import PACKAGE
from ftsim.streams import generator

#: Raised whenever the same reads give other numbers; a golden test watches.
ENGINE_VERSION = 1

COUNT_COLUMNS = (
    *RESULTS,
    *(f"a_{fate}" for fate in FATES),
    *(f"b_{fate}" for fate in FATES),
    "a_pursues",
    "b_pursues",
)


@dataclass(frozen=True)
class NamedSituation:
    """A situation of the price models, with its weight in the mix."""

    id: str
    situation: Situation
    mix: float
    basis: str


@lru_cache(maxsize=1)
def named_situations() -> tuple[NamedSituation, ...]:
    """The situations in which cards are priced; some ids have two rows that are met equally often."""
    rows = read_table(PACKAGE, "situations.csv", ("id", "place_a", "place_b", "mix", "source", "basis"))

    def place(text: str) -> Place:
        return Place.parse(dict(part.split("=", 1) for part in text.split()))

    return tuple(
        NamedSituation(
            row["id"],
            Situation(place(row["place_a"]), place(row["place_b"])),
            float(row["mix"]),
            row.source.basis,
        )
        for row in rows
    )


def situation_weights(wanted: Mapping[str, float] | None) -> FloatArray:
    """Weight of each of `named_situations`, summing to 1; the mix when nothing is wanted."""
    rows = named_situations()
    if wanted is None:
        weights = np.array([row.mix for row in rows])
    else:
        copies = {row.id: sum(other.id == row.id for other in rows) for row in rows}
        weights = np.array([wanted.get(row.id, 0.0) / copies[row.id] for row in rows])
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True)
class Grid:
    """Every side of a against every side of b, in each situation.

    Parameters
    ----------
    contest : str
        ``close-combat``, ``ranged``, ``mindblast`` or ``spellblast``.
    a, b : tuple of str
        Notation of the sides.
    situations : tuple of Situation
        Where they meet.
    rulings : TriumphRulings
        How open points are decided; only those that the contest declares count.
    attack : Attack, optional
        How a attacks at a distance.
    bonus : int
        Added to a's factor: the yardstick of worth.
    trials : int, optional
        Rolls of each matchup; exact without.
    seed, replicate : int
        Address of the sampled dice.
    """

    contest: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    situations: tuple[Situation, ...] = (Situation(),)
    rulings: TriumphRulings = TriumphRulings()
    attack: Attack | None = None
    bonus: int = 0
    trials: int | None = None
    seed: int = 0
    replicate: int = 0

    @cached_property
    def declared(self) -> TriumphRulings:
        """The rulings that the contest reads."""
        return self.rulings.only(DECLARED[self.contest])

    @cached_property
    def sides(self) -> tuple[list[Side], list[Side]]:
        """Both lists of sides, read from notation."""
        rulings = self.declared
        return [read_side(text, rulings) for text in self.a], [read_side(text, rulings) for text in self.b]

    def matchups(self, situation: Situation) -> Matchups:
        """The grid in one situation."""
        rulings = self.declared
        a, b = self.sides
        if self.attack is None:
            one = side_array(a, situation.a, situation.b, rulings, ("exceptions",))
            other = side_array(b, situation.b, situation.a, rulings, ("exceptions",))
            found = matchups(self.contest, one, other, rulings)
        else:
            shooters = [side for side in a if isinstance(side, Stand)]
            targets = [side for side in b if isinstance(side, Stand)]
            found = attack_grid(self.attack, shooters, targets, situation, rulings)
        return replace(found, total_a=found.total_a + np.int16(self.bonus)) if self.bonus else found

    def cell(self, key: str) -> Cell:
        """This grid as a cell of an experiment."""
        return Cell(key, self.reads(), compute_grid, {"grid": self})

    def counts(self) -> Counts:
        """The grid, counted."""
        return Counts.of(self, compute_grid(self))

    def reads(self) -> dict[str, Any]:
        """All that the counts depend on: resolved sides, the rows that can apply, rulings, dice."""
        a, b = self.sides
        rulings = self.declared
        return {
            "engine": ENGINE_VERSION,
            "contest": self.contest,
            "attack": asdict(self.attack) if self.attack else None,
            "a": [_resolved(side, rulings) for side in a],
            "b": [_resolved(side, rulings) for side in b],
            "situations": [asdict(situation) for situation in self.situations],
            "rulings": {name: getattr(rulings, name) for name in DECLARED[self.contest]},
            "rows": self._rows(a, b),
            "terrain": [
                [kind, terrains()[kind].difficult, terrains()[kind].hinders_flyers]
                for kind in sorted({p.terrain for s in self.situations for p in (s.a, s.b)})
            ],
            "bonus": self.bonus,
            "trials": self.trials,
            "dice": None if self.trials is None else [self.seed, self.replicate],
        }

    def _rows(self, a: Sequence[Side], b: Sequence[Side]) -> list[list[Any]]:
        """The rows of the tables that can apply here, so that other rows leave this cell alone."""
        rulings = self.declared
        tables = rule_tables(self.contest, rulings)
        names = {name for side in (*a, *b) for name in _trait_names(side, rulings)}
        rows = [*tables.factors["a"].rows, *tables.factors["b"].rows, *tables.results.rows]
        rows += [*tables.pursuit.rows, *(adjustment.row for adjustment in tables.adjustments)]
        placed = {"general", "on_transports", "on_flying_transports", "hold_the_line", "at_home"}
        return [
            [row.name, str(row.own), str(row.enemy), str(row.situation), row.value]
            for row in rows
            if all(
                condition.every <= names | placed and all(group & (names | placed) for group in condition.groups)
                for condition in (row.own, row.enemy)
            )
        ]


def _trait_names(side: Side, rulings: TriumphRulings) -> frozenset[str]:
    if isinstance(side, Camp):
        return frozenset((*side.traits, f"counts_as_{rulings.camp_counts_as}"))
    return side.names(rulings)


def _resolved(side: Side, rulings: TriumphRulings) -> dict[str, Any]:
    if isinstance(side, Camp):
        return {"camp": side.kind}
    t = side.troop_type
    return {
        "names": sorted(side.names(rulings)),
        "affinity": sorted(side.affinity),
        "factors": [t.cf_vs_foot, t.cf_vs_mounted, t.shooting, t.shot_at, t.cost],
    }


def compute_grid(grid: Grid) -> Columns:
    """Counts of a grid: one row a situation, a side of a and a side of b, in that order."""
    parts = [_counts(grid, grid.matchups(situation), k) for k, situation in enumerate(grid.situations)]
    n, m = len(grid.a), len(grid.b)
    columns: dict[str, Any] = {
        "situation": np.repeat(np.arange(len(grid.situations), dtype=np.int16), n * m),
        "a": np.tile(np.repeat(np.array(grid.a), m), len(grid.situations)),
        "b": np.tile(np.array(grid.b), n * len(grid.situations)),
    }
    joined = np.concatenate([part.reshape(n * m, -1) for part in parts])
    for k, name in enumerate(COUNT_COLUMNS):
        columns[name] = joined[:, k]
    return columns


def _counts(grid: Grid, found: Matchups, situation: int) -> IntArray:
    """All columns of counts for one situation, shape ``(n, m, columns)``."""
    fizzles = grid.attack is not None and grid.attack.limited and grid.declared.spellblast_limited == "fizzles"
    if grid.trials is None and not fizzles:
        counts = found.counts()
        results: IntArray = counts.astype(np.int64)
        fates_a, fates_b = found.fates(counts)
        pursuits: IntArray = np.stack(found.pursuits(counts), axis=-1)
    else:
        results, fates_a, fates_b, pursuits = _by_face(grid, found, situation, fizzles)
    if grid.attack is not None:  # whoever attacks at a distance suffers nothing
        fates_a = np.zeros_like(fates_a)
        fates_a[..., FATES.index("stands")] = grid.trials or 36
        pursuits = np.zeros_like(pursuits)
    return np.concatenate([results, fates_a, fates_b, pursuits], axis=-1)


def _by_face(grid: Grid, found: Matchups, situation: int, fizzles: bool) -> tuple[IntArray, ...]:
    """Counts from each pair of faces, each counted once or as often as it was rolled."""
    faces = Dice((6, 6)).faces()
    shape = found.total_a.shape
    times = np.ones((*shape, 36), dtype=np.int64) if grid.trials is None else _rolled(grid, situation)
    results = compare(
        found.total_a[..., None].astype(np.int64) + faces[0],
        found.total_b[..., None].astype(np.int64) + faces[1],
        found.gains_a[0][:, None, None].astype(np.int64),
        found.gains_a[1][:, None, None].astype(np.int64),
        found.gains_b[0][None, :, None].astype(np.int64),
        found.gains_b[1][None, :, None].astype(np.int64),
        found.loser_first,
        found.floor,
    )
    counts = np.stack([np.sum(times * (results == k), axis=-1) for k in range(len(RESULTS))], axis=-1)
    stands = np.full(shape, FATES.index("stands"), dtype=np.int8)
    by_result_a = np.stack([found.fate_a[1], found.fate_a[0], stands, stands, stands], axis=-1)
    by_result_b = np.stack([stands, stands, stands, found.fate_b[0], found.fate_b[1]], axis=-1)
    fate_a = np.take_along_axis(by_result_a, results, axis=-1)
    fate_b = np.take_along_axis(by_result_b, results, axis=-1)
    if fizzles:
        fate_b = np.where(faces[0] == 1, FATES.index("stands"), fate_b)
    fates = [
        np.stack([np.sum(times * (fate == code), axis=-1) for code in range(len(FATES))], axis=-1)
        for fate in (fate_a, fate_b)
    ]
    chase_a = found.pursues_a[0] * counts[..., 3] + found.pursues_a[1] * counts[..., 4]
    chase_b = found.pursues_b[0] * counts[..., 1] + found.pursues_b[1] * counts[..., 0]
    return counts, fates[0], fates[1], np.stack([chase_a, chase_b], axis=-1)


def _rolled(grid: Grid, situation: int) -> IntArray:
    """How often each pair of faces came up in each matchup, shape ``(n, m, 36)``.

    The address names the type of each side and which of its kind it is, not its cards: a stand
    keeps its dice whichever other stands are in the cell, and cards share them.
    """
    times = np.empty((len(grid.a), len(grid.b), 36), dtype=np.int64)
    faces = np.full(36, 1 / 36)
    named = [_kinds(names) for names in (grid.a, grid.b)]
    for i, a in enumerate(named[0]):
        for j, b in enumerate(named[1]):
            scenario = {"contest": grid.contest, "situation": situation, "a": a, "b": b}
            rng = generator(grid.seed, scenario, grid.replicate)
            times[i, j] = rng.multinomial(grid.trials or 1, faces)
    return times


def _kinds(names: Sequence[str]) -> list[str]:
    """The type of each side, with its number among those of its type."""
    seen: dict[str, int] = {}
    kinds = []
    for name in names:
        kind = name.partition(" + ")[0].casefold()
        seen[kind] = seen.get(kind, 0) + 1
        kinds.append(f"{kind} {seen[kind]}")
    return kinds


@dataclass(frozen=True, eq=False)
class Counts:
    """A computed grid with its axes back: every column has shape ``(situations, n, m)``."""

    columns: Mapping[str, IntArray]
    total: int

    @classmethod
    def of(cls, grid: Grid, columns: Columns) -> Counts:
        """From the columns of the grid's cell."""
        shape = (len(grid.situations), len(grid.a), len(grid.b))
        shaped = {name: np.asarray(columns[name], dtype=np.int64).reshape(shape) for name in COUNT_COLUMNS}
        return cls(shaped, grid.trials or 36)

    def losses(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Expected loss of each side in one round, shape ``(situations, n, m)`` each."""
        return tuple(  # type: ignore[return-value]
            sum(
                (weight * self.columns[f"{side}_{fate}"] for fate, weight in zip(FATES, weights, strict=True)),
                np.zeros(next(iter(self.columns.values())).shape),
            )
            / self.total
            for side in "ab"
        )

    def chance(self, column: str) -> FloatArray:
        """Share of the dice that give something, shape ``(situations, n, m)``."""
        return np.asarray(self.columns[column] / self.total)

    def identities(self) -> bool:
        """Results sum to all dice, and so do the fates of each side."""
        results = sum((self.columns[name] for name in RESULTS), np.zeros(1, dtype=np.int64))
        return bool(np.all(results == self.total)) and all(
            bool(np.all(sum((self.columns[f"{side}_{f}"] for f in FATES), np.zeros(1, dtype=np.int64)) == self.total))
            for side in "ab"
        )


@lru_cache(maxsize=1)
def loss_weights() -> dict[str, FloatArray]:
    """How much of a loss each fate is, by set."""
    columns = ("set", *FATES, "source", "basis")
    return {
        row["set"]: np.array([float(row[fate]) for fate in FATES])
        for row in read_table(PACKAGE, "loss_weights.csv", columns)
    }
