"""Battles between random armies with all cards, for battle regression: cells, their outcomes, and prices from them.

Armies are functions of a seed and their number, so a cell keeps outcomes alone, two bits a battle, and a digest of
what its armies had; differences in stands and cards are made again from the numbers when prices are wanted. Battle n
is between armies 2n and 2n + 1, with the dice, edge and first move of trial n under every policy.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.games.triumph.battle.arms import COMPANION, POINTS
from ftsim.games.triumph.battle.build import Board, Ints, Pool
from ftsim.games.triumph.battle.engine import BATTLE_VERSION, POLICIES, USUAL_POLICIES, BattleOptions, fight_pool
from ftsim.games.triumph.battle.muster import (
    ALL_CARDS,
    USUAL_ARMY_CHANCE,
    USUAL_CHANCE,
    USUAL_SPREAD,
    plan_of,
    random_pool,
)
from ftsim.games.triumph.battle.price_trials import BLOCK, tables_read
from ftsim.games.triumph.battle.recruits import Recruits
from ftsim.games.triumph.battle.tallies import columns_of, printed_of, tally
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.price_study import DEFAULT, ruling_scenarios
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.study_parts import axis, topography_of
from ftsim.games.triumph.troop_types import published_field, troop_types
from ftsim.pricing.matchups import Matchups
from ftsim.pricing.ratio import Ratio
from ftsim.pricing.regression import BattleRegression, Numeraire, battle_regression
from ftsim.streams import generator

#: Battles under each policy: what it takes to know the worth of a point to 2 %, at 6 % for 50,000 battles.
USUAL_BATTLES = 470_000
#: What a point may be, the default first.
NUMERAIRES = ("all types", "foot", "mounted", "published lists")
#: Columns of a cell.
OUTCOMES, ARMIES, FIRST, WINS, DRAWS, LOSSES = "outcomes", "armies", "first", "wins", "draws", "losses"
#: First letter of outcomes as text, so that no table takes them for a number.
_MARK = "~"
#: Battles in which a column must differ to have a coefficient of its own.
_LEAST_DIFFERING = 100


@dataclass(frozen=True)
class RegressionPlan:
    """What an experiment asks of a battle regression, read once.

    Parameters
    ----------
    battles : int
        Battles under each policy; a multiple of four, for seats and first moves rotate.
    policies : tuple of str
        Each plays both sides; the first is the headline.
    topography : str or None
        Where battles are; None for an open board.
    rulings : TriumphRulings
        How open points are decided.
    seed : int
        Seed of armies and dice.
    names : tuple of str
        Identifiers of the cards in the armies.
    block : int
        Battles of a cell.
    """

    battles: int
    policies: tuple[str, ...]
    topography: str | None
    rulings: TriumphRulings
    seed: int
    names: tuple[str, ...] = ALL_CARDS
    block: int = BLOCK

    @classmethod
    def of(cls, experiment: Experiment) -> RegressionPlan:
        """The plan of a checked experiment: options ``regression_battles``, ``regression_cards``, ``topography``."""
        usual = experiment.trials or USUAL_BATTLES
        battles = int(str(experiment.options.get("regression_battles", usual)))
        given = experiment.options.get("regression_cards", "all")
        texts = [given] if not isinstance(given, list) else given
        names = ALL_CARDS if given == "all" else tuple(cards().find(str(text)).id for text in texts)
        return cls(
            -(-battles // 4) * 4,
            axis(experiment, "policy", POLICIES, USUAL_POLICIES),
            topography_of(experiment),
            ruling_scenarios(experiment)[DEFAULT],
            experiment.seed,
            names,
        )

    @property
    def armies(self) -> Drawn:
        """The armies that fight."""
        return Drawn(self.seed, self.names, self.rulings)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """First battle and number of battles of every block."""
        for first in range(0, self.battles, self.block):
            yield first, min(self.block, self.battles - first)

    def cells(self) -> list[Cell]:
        """A cell for each policy and block."""
        found = []
        for policy in self.policies:
            options = BattleOptions(policy, policy, Board(topography=self.topography), self.rulings)
            for first, count in self.blocks():
                reads = {
                    "engine": BATTLE_VERSION,
                    "contest": "battle regression",
                    "policy": policy,
                    "seed": self.seed,
                    "topography": self.topography,
                    "rulings": {name: str(value) for name, value in self.rulings.changed().items()},
                    "tables": tables_read(),
                    "cards": list(self.names),
                    "first": first,
                    "count": count,
                }
                given = {"armies": self.armies, "options": options, "first": first, "count": count}
                found.append(Cell(cell_key(policy, first), reads, compute_battles, given, record=True))
        return found


def cell_key(policy: str, first: int) -> str:
    """Key of a cell."""
    return f"{policy} | regression | from {first}"


@dataclass(frozen=True)
class Drawn:
    """The armies of a regression: random ones with cards, and a companion where cards for heroes are among them.

    All troop types are equally likely, so that the worth of each is known about as well.

    Parameters
    ----------
    seed : int
        Seed of the experiment.
    names : tuple of str
        Identifiers of the cards.
    rulings : TriumphRulings
        How open points are decided.
    """

    seed: int
    names: tuple[str, ...]
    rulings: TriumphRulings

    @property
    def companion(self) -> str | None:
        """Who brings the cards for heroes: the same hero as where these cards are priced by equal points."""
        return COMPANION if any(cards()[name].bought_for == "hero" for name in self.names) else None

    @property
    def key(self) -> int:
        """Seed of the armies."""
        return int(generator(self.seed, {"armies": "regression"}).integers(0, 2**31))

    @property
    def tables(self) -> Recruits:
        """What they are made of."""
        return plan_of(
            POINTS,
            USUAL_SPREAD,
            self.names,
            USUAL_CHANCE,
            USUAL_ARMY_CHANCE,
            self.companion,
            False,
            None,
            self.rulings,
        )

    def pool(self, first: int, count: int) -> Pool:
        """Both armies of some battles, one after the other."""
        return random_pool(
            2 * count,
            self.key,
            self.rulings,
            first=2 * first,
            points=POINTS,
            cards=self.names,
            companion=self.companion,
        )

    def differences(self, first: int, count: int) -> Differences:
        """What the first army of each battle has more than the second."""
        found = tally(self.tables, self.key, 2 * first, 2 * count, self.companion)
        difference = found.counts[0::2] - found.counts[1::2]
        any_ = (found.counts[:, len(found.types) :] > 0).astype(np.int8)
        return Differences(
            np.asarray(difference, dtype=np.int8),
            any_[0::2] - any_[1::2],
            found.totals[0::2] - found.totals[1::2],
            found.counts.sum(axis=0, dtype=np.int64),
        )


@dataclass(frozen=True, eq=False)
class Differences:
    """Differences between both armies of some battles.

    Parameters
    ----------
    counts : array of int8, shape (battles, columns)
        Stands of each type, then cards, first army minus second; an army has 64 stands at most.
    any : array of int8, shape (battles, cards)
        Whether an army has a card at all, first army minus second.
    halves : array, shape (battles,)
        Half-points, first army minus second.
    fielded : array, shape (columns,)
        How many of each all these armies have together.
    """

    counts: NDArray[np.int8]
    any: NDArray[np.int8]
    halves: Ints
    fielded: Ints

    @property
    def digest(self) -> str:
        """Tells these armies from others."""
        return blake2b(np.ascontiguousarray(self.counts).tobytes(), digest_size=8).hexdigest()


# ------------------------------------------------------------------ cells


def compute_battles(armies: Drawn, options: BattleOptions, first: int, count: int) -> Columns:
    """One block of battles."""
    pairs = np.arange(2 * count, dtype=np.int64).reshape(count, 2)
    trials = np.arange(first, first + count, dtype=np.int64)
    found = fight_pool(
        armies.pool(first, count), pairs, trials, options, armies.seed, scenario={"regression": POINTS}
    )
    return record(first, found.result, armies.differences(first, count))


def record(first: int, result: NDArray[np.integer], armies: Differences) -> Columns:
    """A block's outcomes, 1, 0 or -1 for the first army, as the columns of a cell."""
    return {
        OUTCOMES: np.array([packed(result)]),
        ARMIES: np.array([f"{_MARK}{armies.digest}"]),
        FIRST: np.array([first], dtype=np.int64),
        WINS: np.array([int(np.sum(result == 1))]),
        DRAWS: np.array([int(np.sum(result == 0))]),
        LOSSES: np.array([int(np.sum(result == -1))]),
    }


def packed(result: NDArray[np.integer]) -> str:
    """Outcomes as text: two bits each, 0 lost, 1 drawn, 2 won, four to a byte, the first in the lowest bits."""
    codes = np.zeros(-(-len(result) // 4) * 4, dtype=np.uint8)
    codes[: len(result)] = np.asarray(result) + 1
    fours = codes.reshape(-1, 4) << np.array([0, 2, 4, 6], dtype=np.uint8)
    return _MARK + b64encode(np.bitwise_or.reduce(fours, axis=1).tobytes()).decode("ascii")


def unpacked(text: str, count: int) -> NDArray[np.int8]:
    """Outcomes from text.

    Raises
    ------
    InputError
        If the text is not that of so many outcomes.
    """
    try:
        held = np.frombuffer(b64decode(text.removeprefix(_MARK), validate=True), dtype=np.uint8)
    except Error:
        raise InputError("Recorded outcomes of battles cannot be read") from None
    codes = (held[:, None] >> np.array([0, 2, 4, 6], dtype=np.uint8) & 3).ravel()
    if not text.startswith(_MARK) or len(held) != -(-count // 4) or codes[:count].max(initial=0) > 2:
        raise InputError(f"Recorded outcomes of battles are not those of {count} battles")
    return codes[:count].astype(np.int8) - 1


# ------------------------------------------------------------------ regressions


@dataclass(frozen=True, eq=False)
class RegressionData:
    """All battles of a plan.

    Parameters
    ----------
    types, cards : tuple of str
        Columns.
    differences : Differences
        What the armies of every battle differ in.
    result : mapping of str to array of int8, shape (battles,)
        Outcomes by policy: 1, 0 or -1 for the first army.
    printed : mapping of str to float
        Printed price of each card's column, the mean over its bearers.
    costs : mapping of str to float
        Cost of a stand of each type.
    """

    types: tuple[str, ...]
    cards: tuple[str, ...]
    differences: Differences
    result: Mapping[str, NDArray[np.int8]]
    printed: Mapping[str, float]
    costs: Mapping[str, float]

    @classmethod
    def of(cls, plan: RegressionPlan, results: Mapping[str, Columns]) -> RegressionData:
        """From the cells of a plan; the armies are drawn anew.

        Raises
        ------
        InputError
            If a cell's outcomes cannot be read, or are of other armies than the plan draws now.
        """
        parts = [plan.armies.differences(first, count) for first, count in plan.blocks()]
        found: dict[str, NDArray[np.int8]] = {}
        for policy in plan.policies:
            outcomes = []
            for (first, count), part in zip(plan.blocks(), parts, strict=True):
                columns = results[cell_key(policy, first)]
                if str(columns[ARMIES][0]) != f"{_MARK}{part.digest}":
                    raise InputError(
                        f"{cell_key(policy, first)}: these outcomes are of other armies; count them anew"
                    )
                outcomes.append(unpacked(str(columns[OUTCOMES][0]), count))
            found[policy] = np.concatenate(outcomes)
        tables = plan.armies.tables
        types, names = columns_of(tables, plan.armies.companion)
        whole = Differences(
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.any for part in parts]),
            np.concatenate([part.halves for part in parts]),
            np.sum([part.fielded for part in parts], axis=0),
        )
        costs = {t.name: float(t.cost) for t in troop_types(plan.rulings).values()}
        return cls(types, names, whole, found, printed_of(tables, plan.armies.companion), costs)

    def numeraires(self) -> dict[str, Numeraire]:
        """What a point is: spread over types as points were spent on their stands here, or in published lists."""
        fielded = dict(zip(self.types, self.differences.fielded.tolist(), strict=False))
        spent = {name: fielded[name] * self.costs[name] for name in self.types}
        kinds = {t.name: t.kind for t in troop_types().values()}
        published = {troop_types()[key].name: share for key, share in published_field().items()}
        found = {"all types": Numeraire.of("all types", spent)}
        for kind in ("foot", "mounted"):
            found[kind] = Numeraire.of(kind, spent, [name for name in self.types if kinds[name] == kind])
        listed = {name: published.get(name, 0.0) * self.costs[name] for name in self.types}
        return found | {"published lists": Numeraire.of("published lists", listed)}

    def fit(self, policy: str, battles: int | None = None) -> RegressionFit:
        """The regression under one policy, of all battles or the first so many."""
        n = len(self.differences.counts) if battles is None else battles
        score = (self.result[policy][:n].astype(np.float64) + 1) / 2
        numeraires = self.numeraires()
        found = battle_regression(
            Matchups.of_battles(self.differences.counts[:n], score),
            {name: self.costs[name] for name in self.types},
            {name: self.printed[name] for name in self.cards},
            numeraires[NUMERAIRES[0]],
            totals=self.differences.halves[:n] / 2,
        )
        width = len(self.types)
        fielded = dict(zip(self.cards, self.differences.fielded[width:].tolist(), strict=True))
        return RegressionFit(policy, found, numeraires, self.printed, fielded)

    def first_copies(self, policy: str) -> dict[str, Estimate]:
        """Price of the first copy of each card in an army, where further copies have a worth of their own."""
        width = len(self.types)
        further = self.differences.counts[:, width:] - self.differences.any
        # A column that hardly ever differs would be told apart by who won those few battles.
        several = [k for k in range(len(self.cards)) if np.count_nonzero(further[:, k]) >= _LEAST_DIFFERING]
        columns = np.concatenate(
            [self.differences.counts[:, :width], self.differences.any, further[:, several]], axis=1
        )
        numeraire = self.numeraires()[NUMERAIRES[0]]
        found = battle_regression(
            Matchups.of_battles(columns, (self.result[policy].astype(np.float64) + 1) / 2),
            {name: self.costs[name] for name in self.types},
            {name: self.printed[name] for name in self.cards}
            | {f"further {self.cards[k]}": self.printed[self.cards[k]] for k in several},
            numeraire,
            totals=self.differences.halves / 2,
        )
        return {name: found.price(name, numeraire) for name in self.cards}


@dataclass(frozen=True)
class RegressionPrice:
    """What a regression says of one card, with one choice of its options.

    Parameters
    ----------
    name : str
        Its column, as experiments write it.
    printed : float
        Printed price, the mean over its bearers.
    coefficient : Estimate
        Log-odds of one more.
    prices : mapping of str to Estimate
        Points, by numeraire; the first is the headline. Intervals by Fieller.
    ratio : Ratio
        Coefficient over the worth of a point, for verdicts.
    inflation : float
        How many times more variance it has because it goes with other columns.
    own_variance : float
        Variance of its differences given all others.
    battles_needed : int
        Battles that give the price the half-width asked for.
    """

    name: str
    printed: float
    coefficient: Estimate
    prices: Mapping[str, Estimate]
    ratio: Ratio
    inflation: float
    own_variance: float
    battles_needed: int

    @property
    def price(self) -> Estimate:
        """The headline price."""
        return next(iter(self.prices.values()))


@dataclass(frozen=True, eq=False)
class RegressionFit:
    """A battle regression under one policy, and what follows from it.

    Parameters
    ----------
    policy : str
        Who played both sides.
    regression : BattleRegression
        Coefficients and their covariance.
    numeraires : mapping of str to Numeraire
        What a point may be.
    printed : mapping of str to float
        Printed prices.
    fielded : mapping of str to int
        How many of each card the armies had.
    """

    policy: str
    regression: BattleRegression
    numeraires: Mapping[str, Numeraire]
    printed: Mapping[str, float]
    fielded: Mapping[str, int]

    def worth_of_point(self, confidence: float = CONFIDENCE) -> dict[str, Estimate]:
        """Log-odds of a point, by numeraire."""
        return {name: self.regression.worth_of_point(point, confidence) for name, point in self.numeraires.items()}

    def error_of_point(self) -> dict[str, float]:
        """Standard error of the worth of a point as a share of it, by numeraire."""
        ratios = {name: self.regression.ratio(self.regression.types[0], n) for name, n in self.numeraires.items()}
        return {name: float(np.sqrt(ratio.v_unit)) / abs(ratio.unit) for name, ratio in ratios.items()}

    def prices(self, half_width: float = 0.25, confidence: float = CONFIDENCE) -> dict[str, RegressionPrice]:
        """Every card and option.

        Parameters
        ----------
        half_width : float
            Half-width in points for which battles are forecast.
        confidence : float
            Coverage of all intervals.
        """
        whole = self.regression
        inverse = np.linalg.inv(whole.gram)
        found = {}
        for name in whole.cards:
            k = whole.names.index(name)
            ratio = whole.ratio(name)
            by_numeraire = {kind: whole.price(name, n, confidence) for kind, n in self.numeraires.items()}
            found[name] = RegressionPrice(
                name,
                self.printed[name],
                whole.log_odds(name, confidence),
                by_numeraire,
                ratio,
                float(whole.gram[k, k] * inverse[k, k]),
                float(1 / (inverse[k, k] * whole.matchups)),
                ratio.trials_for(half_width, confidence),
            )
        return found

    def options_together(self, numeraire: str = NUMERAIRES[0]) -> dict[str, Ratio]:
        """Each of the cards as one, its options weighted as often as they were fielded."""
        return {
            card: self.regression.ratio(shares, self.numeraires[numeraire]) for card, shares in self._shares().items()
        }

    def _shares(self) -> dict[str, dict[str, float]]:
        groups: dict[str, dict[str, float]] = {}
        for name in self.regression.cards:
            groups.setdefault(name.split(":")[0], {})[name] = float(self.fielded[name])
        return {
            card: {name: n / sum(counts.values()) for name, n in counts.items()} for card, counts in groups.items()
        }
