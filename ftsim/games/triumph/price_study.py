"""Close combat cards priced by the price line: cells, scenarios, verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, nan
from typing import Any

import numpy as np

from ftsim._typing import FloatArray
from ftsim.conditions import setting_text
from ftsim.errors import InputError
from ftsim.estimates import Estimate
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.games.triumph.grids import (
    Counts,
    Grid,
    loss_weights,
    named_situations,
    situation_weights,
)
from ftsim.games.triumph.notation import Pick, Stand, eligible, read_card
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import TroopType, published_field, troop_types
from ftsim.pricing.price_line import PriceLine, outlasting, price_line, strengths, worth_in_factors
from ftsim.pricing.verdict import Verdict, hull, verdict

PLAIN, FACTOR, DEFAULT = "plain", "+1 factor", "default"
#: Prices that types pay for besides fighting; fixed before prices were looked at.
COVARIATES = ("move", "shooting")


@dataclass(frozen=True)
class Variant:
    """A card as it is priced, and the types that pay for it."""

    text: str
    pick: Pick
    bearers: tuple[TroopType, ...]
    printed: tuple[float, ...]

    @property
    def printed_mean(self) -> float:
        """Mean printed price over the bearers."""
        return float(np.mean(self.printed))


@dataclass(frozen=True)
class Scenario:
    """One way to decide everything that is open; `component` says what differs from the default."""

    component: str
    label: str
    ruling: str = DEFAULT
    weights: str = "usual"
    field: str = ""
    situations: str = ""
    horizon: int | None = None
    covariates: tuple[str, ...] = COVARIATES


def variant(text: str, rulings: TriumphRulings, only: Sequence[str] | None = None) -> Variant:
    """A card and its bearers: the types that may take it and pay something other than 0.

    A type that takes the card for nothing (Brittle on Artillery) says nothing about its price.
    """
    pick = read_card(text)
    bearers, printed = [], []
    for t in troop_types(rulings).values():
        if only is not None and t.id not in only:
            continue
        if eligible(t, pick.card, pick.choices, rulings):
            points = float(card_price(t, pick, rulings))
            if points != 0:
                bearers.append(t)
                printed.append(points)
    if not bearers:
        raise InputError(f"{pick}: no troop type of the experiment may take it")
    return Variant(str(pick), pick, tuple(bearers), tuple(printed))


def card_price(troop_type: TroopType, pick: Pick, rulings: TriumphRulings) -> Any:
    """Printed price of a card on a plain stand of a type."""
    stand = Stand(troop_type, (pick,))
    return pick.card.price(pick.choices, "stand", stand.own_names, rulings).points


def field_weights(field: str | Mapping[str, float], only: Sequence[str] | None = None) -> FloatArray:
    """Weight of each troop type as an opponent, summing to 1.

    Parameters
    ----------
    field : {"published", "uniform"} or mapping
        By frequency in published lists, equal, or by hand: names and weights.
    only : sequence of str, optional
        Identifiers of the opponents that count.

    Raises
    ------
    InputError
        If no opponent has a weight above 0, or a name is unknown.
    """
    types = troop_types()
    if field == "published":
        shares = published_field()
        weights = np.array([shares[name] for name in types])
    elif field == "uniform":
        weights = np.ones(len(types))
    elif isinstance(field, str):
        raise InputError(f"Unknown field {field!r}; accepted: published, uniform, or types with weights")
    else:
        by_id = {types.find(name).id: weight for name, weight in field.items()}
        weights = np.array([by_id.get(name, 0.0) for name in types])
    if only is not None:
        weights = weights * np.array([name in only for name in types])
    if weights.sum() <= 0:
        raise InputError("The field is empty: give at least one opponent a weight above 0")
    return np.asarray(weights / weights.sum())


def ruling_scenarios(experiment: Experiment) -> dict[str, TriumphRulings]:
    """The rulings of an experiment: as set, and each swept one changed alone."""
    base = TriumphRulings.parse(experiment.rulings.set)
    found = {DEFAULT: base}
    for name in experiment.rulings.sweep:
        info = TriumphRulings.info(name)
        for option in (info.default, *info.alternatives):
            if option != getattr(base, name):
                found[f"{name}={setting_text(option)}"] = replace(base, **{name: option})
    return found


@dataclass(frozen=True)
class ClosePlan:
    """An experiment on close combat, resolved."""

    experiment: Experiment
    rulings: Mapping[str, TriumphRulings]
    variants: tuple[Variant, ...]
    opponents: tuple[str, ...] | None

    @classmethod
    def of(cls, experiment: Experiment) -> ClosePlan:
        """Resolve the sweep of an experiment."""
        rulings = ruling_scenarios(experiment)
        base = rulings[DEFAULT]
        only = _types(experiment.sweep.get("troop_type", "eligible"))
        opponents = _types(experiment.sweep.get("opponent", "all"))
        names = experiment.sweep["card"]
        variants = tuple(variant(str(text), base, only) for text in names)
        return cls(experiment, rulings, variants, opponents)

    @property
    def base(self) -> TriumphRulings:
        """The rulings as set."""
        return self.rulings[DEFAULT]

    @cached_property
    def grids(self) -> dict[str, Grid]:
        """The grid of each cell, by cell key."""
        types = tuple(t.name for t in troop_types().values())
        situations = tuple(row.situation for row in named_situations())
        found = {}
        for label, rulings in self.labelled():
            common = {
                "b": types,
                "situations": situations,
                "rulings": rulings,
                "trials": self.experiment.trials,
                "seed": self.experiment.seed,
                "replicate": int(label.rpartition(" replicate ")[2]) if " replicate " in label else 0,
            }
            found[f"{label} | {PLAIN}"] = Grid("close-combat", types, **common)  # type: ignore[arg-type]
            found[f"{label} | {FACTOR}"] = Grid("close-combat", types, bonus=1, **common)  # type: ignore[arg-type]
            for one in self.variants:
                stands = tuple(f"{t.name} + {one.text}" for t in one.bearers)
                found[f"{label} | {one.text}"] = Grid("close-combat", stands, **common)  # type: ignore[arg-type]
        return found

    def labelled(self) -> Iterator[tuple[str, TriumphRulings]]:
        """Rulings by label, each once a replicate."""
        for label, rulings in self.rulings.items():
            yield label, rulings
            for replicate in range(1, self.experiment.replicates):
                yield f"{label} replicate {replicate}", rulings

    def cells(self) -> list[Cell]:
        """One cell a ruling and a card."""
        return [grid.cell(key) for key, grid in self.grids.items()]


def _types(given: list[Any] | str) -> tuple[str, ...] | None:
    if given in ("eligible", "all"):
        return None
    names = [given] if isinstance(given, str) else given
    return tuple(troop_types().find(str(name)).id for name in names)


@dataclass(frozen=True, eq=False)
class Pricing:
    """Strengths and prices in one scenario.

    Parameters
    ----------
    line : PriceLine
        Points per unit of strength.
    plain, factor : array of float, shape (types,)
        Strength of plain types, and with +1 factor.
    cards : mapping of str to array, shape (bearers,)
        Strength with each card.
    """

    line: PriceLine
    plain: FloatArray
    factor: FloatArray
    cards: Mapping[str, FloatArray]
    positions: Mapping[str, list[int]]

    def change(self, text: str) -> FloatArray:
        """Change of strength by a card on each bearer; nan where a strength is only bounded."""
        with np.errstate(invalid="ignore"):
            change = self.cards[text] - self.plain[self.positions[text]]
        # Differences of equal sums are 0, not the last bit of a float.
        change = np.where(np.abs(change) < 1e-12, 0.0, change)
        return np.where(np.isfinite(change), change, np.nan)

    def mean_change(self, text: str) -> float:
        """Mean over the bearers with a finite strength; nan if there are none."""
        change = self.change(text)
        return float(np.nanmean(change)) if np.isfinite(change).any() else nan

    def factors(self, text: str) -> float:
        """Worth in factors."""
        at = self.positions[text]
        return worth_in_factors(self.cards[text], self.plain[at], self.factor[at])

    def factors_by_bearer(self, text: str) -> FloatArray:
        """Worth in factors on each bearer."""
        at = self.positions[text]
        with np.errstate(invalid="ignore", divide="ignore"):
            step = self.factor[at] - self.plain[at]
            return np.where(step > 0, self.change(text) / step, np.nan)

    def price(self, text: str) -> Estimate:
        """Implied price with the interval of the line."""
        change = self.mean_change(text)
        return self.line.points(change) if isfinite(change) else Estimate(nan, nan, nan)


class Pricer:
    """Prices of an experiment in any scenario, from its counted cells.

    Parameters
    ----------
    plan : ClosePlan
        The experiment.
    results : mapping of str to Columns
        Columns by cell key.
    """

    def __init__(self, plan: ClosePlan, results: Mapping[str, Columns]) -> None:
        self.plan = plan
        self.counts = {key: Counts.of(grid, results[key]) for key, grid in plan.grids.items()}

    def price(self, scenario: Scenario) -> Pricing:
        """Strengths, line and prices in one scenario."""
        rulings = self.plan.rulings[scenario.ruling]
        weights = loss_weights()[scenario.weights]
        field = field_weights(scenario.field or self.plan.experiment.field, self.plan.opponents)
        where = self._situations(scenario)
        types = list(troop_types(rulings).values())
        order = [t.id for t in types]

        def strength(name: str, where: FloatArray = where) -> FloatArray:
            own, enemy = self.counts[f"{scenario.ruling} | {name}"].losses(weights)
            chance = np.tensordot(where, outlasting(own, enemy, scenario.horizon), axes=1)
            return strengths(chance, field).value

        plain = strength(PLAIN)
        # A price list pays for fighting everywhere, so the line is drawn in all situations, also
        # when a card is looked at in one.
        over_all = strength(PLAIN, self._situations(replace(scenario, situations="")))
        everything = {
            "move": np.array([t.move for t in types], dtype=np.float64),
            "shooting": np.array([t.shooting for t in types], dtype=np.float64),
            "mounted": np.array([t.kind == "mounted" for t in types], dtype=np.float64),
        }
        line = price_line(
            np.array([t.cost for t in types], dtype=np.float64),
            over_all,
            {name: everything[name] for name in scenario.covariates},
        )
        return Pricing(
            line,
            plain,
            strength(FACTOR),
            {one.text: strength(one.text) for one in self.plan.variants},
            {one.text: [order.index(t.id) for t in one.bearers] for one in self.plan.variants},
        )

    def _situations(self, scenario: Scenario) -> FloatArray:
        if scenario.situations:
            return situation_weights({scenario.situations: 1.0})
        return situation_weights(self.plan.experiment.situations)

    def scenarios(self) -> Iterator[Scenario]:
        """The default, then each component varied alone."""
        base = Scenario("default", "default", weights=self.plan.experiment.loss_weights)
        yield base
        yield replace(base, component="line", label="no covariates", covariates=())
        yield replace(base, component="line", label="move, shooting, mounted", covariates=(*COVARIATES, "mounted"))
        for name in ("published", "uniform"):
            if name != self.plan.experiment.field:
                yield replace(base, component="field", label=f"{name} field", field=name)
        seen = dict.fromkeys(row.id for row in named_situations())
        for name in seen:
            yield replace(base, component="situation", label=f"{name} only", situations=name)
        for name in loss_weights():
            if name != base.weights:
                yield replace(base, component="loss weights", label=name, weights=name)
        yield replace(base, component="rounds", label="six rounds", horizon=6)
        for name in self.plan.rulings:
            if name != DEFAULT:
                yield replace(base, component="rulings", label=name, ruling=name)


@dataclass(frozen=True, eq=False)
class PricedCard:
    """A card with everything that is known about its price.

    Parameters
    ----------
    variant : Variant
        The card and its bearers.
    factors : float
        Worth in factors, exact.
    line : Estimate
        Implied price with the interval of the line.
    without_covariates : Estimate
        The same on the line without covariates.
    hull : Estimate
        Hull over all scenarios.
    spread : mapping of str to (float, float)
        Least and greatest implied price by component.
    intervals : mapping of str to (float, float)
        Hull of the line intervals by component.
    verdict : str
        From the hull.
    by_bearer : tuple of PricedBearer
        The same for each type.
    """

    variant: Variant
    factors: float
    line: Estimate
    without_covariates: Estimate
    hull: Estimate
    spread: Mapping[str, tuple[float, float]]
    intervals: Mapping[str, tuple[float, float]]
    verdict: Verdict
    by_bearer: tuple[PricedBearer, ...]


@dataclass(frozen=True)
class PricedBearer:
    """A card on one type."""

    troop_type: TroopType
    printed: float
    factors: float
    line: Estimate
    hull: Estimate
    verdict: Verdict


def price_cards(pricer: Pricer) -> tuple[list[PricedCard], dict[str, tuple[Scenario, Pricing]]]:
    """Every card in every scenario.

    Returns
    -------
    cards : list of PricedCard
    pricings : dict of str to (Scenario, Pricing)
        By label; ``default`` first.
    """
    pricings: dict[str, tuple[Scenario, Pricing]] = {}
    for scenario in pricer.scenarios():
        try:
            pricings[scenario.label] = (scenario, pricer.price(scenario))
        except InputError:
            # A scenario in which printed prices tell nothing gives no interval; the default must.
            if scenario.component == "default":
                raise
    base = pricings["default"][1]
    priced = []
    for one in pricer.plan.variants:
        prices = {label: pricing.price(one.text) for label, (_, pricing) in pricings.items()}
        over_all = _hull(list(prices.values()))
        spread: dict[str, tuple[float, float]] = {"line": (prices["default"].low, prices["default"].high)}
        intervals = dict(spread)
        for label, (scenario, _) in pricings.items():
            name, value = scenario.component, prices[label].value
            if name == "line" and isfinite(value):
                name = "covariates"
            if name == "default" or not isfinite(value):
                continue
            low, high = spread.get(name, (prices["default"].value,) * 2)
            spread[name] = (min(low, value), max(high, value))
            low, high = intervals.get(name, intervals["line"])
            intervals[name] = (min(low, prices[label].low), max(high, prices[label].high))
        priced.append(
            PricedCard(
                one,
                base.factors(one.text),
                prices["default"],
                prices.get("no covariates", Estimate(nan, nan, nan)),
                over_all,
                spread,
                intervals,
                _verdict(one, one.printed_mean, over_all),
                tuple(_bearers(one, pricings)),
            )
        )
    return priced, pricings


def _bearers(one: Variant, pricings: Mapping[str, tuple[Scenario, Pricing]]) -> Iterator[PricedBearer]:
    base = pricings["default"][1]
    factors = base.factors_by_bearer(one.text)
    changes = {label: pricing.change(one.text) for label, (_, pricing) in pricings.items()}
    for k, t in enumerate(one.bearers):
        prices = [
            pricings[label][1].line.points(float(change[k])) if isfinite(change[k]) else Estimate(nan, nan, nan)
            for label, change in changes.items()
        ]
        over_all = _hull(prices)
        yield PricedBearer(
            t, one.printed[k], float(factors[k]), prices[0], over_all, _verdict(one, one.printed[k], over_all)
        )


def _verdict(one: Variant, printed: float, over_all: Estimate) -> Verdict:
    """Verdict on the fight, withheld where the rest of the card could overturn it.

    What a card gains besides fighting can only add to its worth, so a card that fights for less
    than its price may still be fair; what it loses can only take from it.
    """
    word = verdict(printed, over_all)
    card = one.pick.card
    if (card.gains and word in ("overpriced", "fair")) or (card.losses and word in ("underpriced", "fair")):
        return "undecided"
    return word


def _hull(estimates: Sequence[Estimate]) -> Estimate:
    """Hull of the scenarios that give a price; none without a default price."""
    if not isfinite(estimates[0].value):
        return estimates[0]
    return hull(e for e in estimates if isfinite(e.value))
