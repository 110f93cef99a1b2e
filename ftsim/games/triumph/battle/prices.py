"""Prices of cards in battles from the moments of their trials: by policy, numeraire, ruling and bearer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt

import numpy as np
from scipy.stats import norm

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import Estimate
from ftsim.games.triumph.battle.arms import ONE_LESS, ONE_MORE, Group, Subject
from ftsim.games.triumph.battle.price_trials import UNCOUNTED, PricePlan, PriceSums
from ftsim.games.triumph.price_study import DEFAULT
from ftsim.games.triumph.troop_types import troop_types
from ftsim.pricing.bearers import GAINS, ByBearer, by_bearer
from ftsim.pricing.equal_points import ARMS, EqualPoints, fall_of_worth, priced
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import Ratio, z_of
from ftsim.pricing.readings import shift
from ftsim.pricing.verdict import Judgement, Verdict, benjamini_hochberg, judge, verdict

#: What a point may be, the default first.
NUMERAIRES = ("one stand more", "one stand less", "both sides", "the bearer's kind", "dearer stands")
#: Cards with fewer trials on a kind are not told apart by kind.
#: Share of false claims among all shifts that are called real.
FALSE_DISCOVERIES = 0.05
PLAIN, CARDED, MORE, COST, DIFFERS = (
    ARMS.index(name) for name in ("plain", "carded", "more", "cost_more", "differs")
)


@dataclass(frozen=True, eq=False)
class PricedInBattle:
    """A card with everything that battles say about its price.

    Parameters
    ----------
    subject : Subject
        The card.
    printed : float
        Printed price, the mean over the drawn bearers.
    by_policy : mapping of str to EqualPoints
        The price under each policy; the first is the headline.
    numeraires : mapping of str to Estimate
        The headline price when a point is something else.
    shifts : mapping of (str, str) to Estimate
        How much other rulings move the price, by policy and label, on the same trials.
    bearers : ByBearer or None
        Worth by type; None where it cannot be told, or a hero bears it.
    judgement : Judgement
        The verdict under the headline policy, corrected for all claims.
    uncounted : Estimate or None
        The headline price if victory did not count the points of cards; None where it does not, or was not asked.
    real : frozenset of (str, str)
        Policies and labels whose shifts are more than chance among all shifts of all cards.
    """

    subject: Subject
    printed: float
    by_policy: Mapping[str, EqualPoints]
    numeraires: Mapping[str, Estimate]
    shifts: Mapping[tuple[str, str], Estimate]
    bearers: ByBearer | None
    judgement: Judgement
    uncounted: Estimate | None = None
    real: frozenset[tuple[str, str]] = frozenset()

    @property
    def headline(self) -> EqualPoints:
        """The price under the first policy."""
        return next(iter(self.by_policy.values()))

    @property
    def rulings(self) -> dict[tuple[str, str], Estimate]:
        """Prices under other rulings, by policy and label: the price as set, moved by the shift."""
        return {at: moved(self.by_policy[at[0]].price, move) for at, move in self.shifts.items()}

    @property
    def verdict(self) -> Verdict:
        """The verdict; none on a card that the player never makes anything of."""
        return "undecided" if self.headline.changed == 0 else self.judgement.verdict

    def scenarios(self) -> Iterator[tuple[str, str, Estimate]]:
        """Component, label and price of everything varied alone."""
        for policy, found in list(self.by_policy.items())[1:]:
            yield "policy", policy, found.price
        for name, price in list(self.numeraires.items())[1:]:
            yield "numeraire", name, price
        for (policy, label), price in self.rulings.items():
            yield "rulings", f"{label} ({policy})", price

    def ranges(self) -> dict[str, tuple[float, float]]:
        """Least and greatest price by component with the headline; bearers from the 10th to the 90th per cent."""
        head = self.headline.price
        found = {"sampling": (head.low, head.high)}
        for component, _, price in self.scenarios():
            if component == "rulings":
                continue
            if isfinite(price.value):
                low, high = found.get(component, (head.value, head.value))
                found[component] = (min(low, price.value), max(high, price.value))
        moves = [
            move.value for at, move in self.shifts.items() if at in self.real and at[0] == next(iter(self.by_policy))
        ]
        if moves:
            found["rulings"] = (head.value + min(0.0, *moves), head.value + max(0.0, *moves))
        if self.bearers is not None:
            found["bearers"] = (self.bearers.low, self.bearers.high)
        return found

    def changes(self) -> list[str]:
        """Labels of scenarios that claim another verdict than the headline's."""
        word = self.verdict
        if word not in ("fair", "underpriced", "overpriced"):
            return []
        other = [(label, verdict(self.printed, price)) for _, label, price in self.scenarios()]
        return [label for label, claim in other if claim not in (word, "undecided", "no price")]


def price_all(
    plan: PricePlan, sums: PriceSums, readings: tuple[PricePlan, PriceSums] | None = None
) -> list[PricedInBattle]:
    """Every subject of a plan, in its order.

    Parameters
    ----------
    readings : (PricePlan, PriceSums), optional
        Whose other rulings move these prices; by default those of the plan itself.
    """
    swept, read = readings or (plan, sums)
    head = plan.policies[0]
    rulings = plan.scenarios[DEFAULT]
    by_policy: dict[str, dict[str, EqualPoints]] = {}
    printed: dict[str, float] = {}
    for subject in plan.subjects:
        kinds = sums.subjects[head, DEFAULT, subject.text]
        printed[subject.text] = _printed(subject, kinds, plan)
        by_policy[subject.text] = {
            policy: priced(sums.subjects[policy, DEFAULT, subject.text].pooled()) for policy in plan.policies
        }
    judged = judge(printed, {text: found[head].ratio for text, found in by_policy.items()})
    names = [t.name for t in troop_types(rulings).values()]
    found = []
    for subject in plan.subjects:
        text = subject.text
        kinds = sums.subjects[head, DEFAULT, text]
        shared = sums.shared[head, DEFAULT, subject.group, ONE_MORE]
        moves = {
            (policy, label): shift(read.readings[policy, label, text])
            for label in swept.scenarios
            if label != DEFAULT
            for policy in swept.policies
            if policy in plan.policies and (policy, label, text) in read.readings
        }
        found.append(
            PricedInBattle(
                subject,
                printed[text],
                by_policy[text],
                dict(_numeraires(kinds, shared)),
                moves,
                _bearers(names, kinds) if subject.types else None,
                judged[text],
                priced(sums.subjects[head, UNCOUNTED, text].pooled()).price
                if (head, UNCOUNTED, text) in sums.subjects
                else None,
            )
        )
    return with_real(found)


def with_real(priced: Sequence[PricedInBattle]) -> list[PricedInBattle]:
    """The prices with the shifts that are more than chance, at a rate of false ones among all."""
    keys = [(k, at) for k, one in enumerate(priced) for at, move in one.shifts.items() if isfinite(move.value)]
    moves = [priced[k].shifts[at] for k, at in keys]
    if not moves:
        return list(priced)
    value = np.array([move.value for move in moves])
    error = np.array([standard_error(move) for move in moves])
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(value == 0, 1.0, 2 * norm.sf(np.abs(value) / error))
    real = benjamini_hochberg(p) <= FALSE_DISCOVERIES
    kept: dict[int, set[tuple[str, str]]] = {}
    for (k, at), one in zip(keys, real, strict=True):
        if one:
            kept.setdefault(k, set()).add(at)
    return [replace(one, real=frozenset(kept.get(k, ()))) for k, one in enumerate(priced)]


def standard_error(move: Estimate) -> float:
    """Standard error of a shift, from its interval."""
    return (move.high - move.low) / 2 / z_of()


def moved(price: Estimate, move: Estimate) -> Estimate:
    """A price under another reading: the price as set and the shift, whose errors add up as if of other dice."""
    value = price.value + move.value
    down = sqrt((price.value - price.low) ** 2 + (move.value - move.low) ** 2)
    up = sqrt((price.high - price.value) ** 2 + (move.high - move.value) ** 2)
    if not isfinite(down + up):
        return Estimate(float("nan"), -float("inf"), float("inf"), trials=move.trials)
    return Estimate(value, value - down, value + up, trials=move.trials)


def _printed(subject: Subject, kinds: Moments, plan: PricePlan) -> float:
    """Mean printed price over the bearers that were drawn."""
    by_type = subject.printed_by_type(plan.scenarios[DEFAULT])
    counts = {kind: int(kinds.count[kind]) for kind in by_type}
    trials = sum(counts.values())
    return sum(points * counts[kind] for kind, points in by_type.items()) / trials if trials else subject.printed[0]


def _numeraires(kinds: Moments, shared: Moments) -> Iterator[tuple[str, Estimate]]:
    """The price by each numeraire.

    The last two take a stand's gain by its type from the arm with one stand more, whose trials they
    share with the card's only in part: that covariance is left out, which widens their intervals.
    """
    everything = kinds.pooled()
    for name in ("one stand more", "one stand less", "both sides"):
        yield name, priced(everything, name).price
    ratio = priced(everything).ratio
    for name, unit in (
        ("the bearer's kind", stands_of_kind(shared, kinds.count)),
        ("dearer stands", dearer_stands(shared)),
    ):
        if unit is None:
            yield name, Estimate(float("nan"), -float("inf"), float("inf"))
        else:
            worth, variance = unit
            other = Ratio(ratio.gain, worth, ratio.v_gain, 0.0, variance, ratio.trials, ratio.differing)
            yield name, other.estimate()


def stands_of_kind(shared: Moments, drawn: np.ndarray) -> tuple[float, float] | None:
    """Worth of a point in stands of the kinds drawn as bearers, and its variance; None when too few were added."""
    gain, variance, cost, there = _by_type(shared)
    weight = np.where(there, drawn, 0).astype(np.float64)
    if weight.sum() == 0:
        return None
    weight /= weight.sum()
    points = float(weight @ cost)
    return float(weight @ gain) / points, float(weight**2 @ variance) / points**2


def dearer_stands(shared: Moments) -> tuple[float, float] | None:
    """Slope of a stand's gain on its cost, with an intercept, and its variance; None without two costs."""
    gain, variance, cost, there = _by_type(shared)
    trials = np.where(there, shared.count, 0).astype(np.float64)
    if not there.any() or np.ptp(cost[there]) == 0:
        return None
    centred = cost - trials @ cost / trials.sum()
    scale = float(trials @ centred**2)
    share = trials * centred / scale
    return float(share @ gain), float(share**2 @ variance)


def _by_type(shared: Moments) -> tuple[FloatArray, FloatArray, FloatArray, np.ndarray]:
    """Gain of a stand more by its type, its variance, its cost, and which types were added often enough."""
    there = shared.count >= 30
    with np.errstate(invalid="ignore"):
        mean, covariance = shared.mean, shared.covariance
        gain = mean[:, CARDED] - mean[:, PLAIN]
        v = covariance[:, CARDED, CARDED] - 2 * covariance[:, CARDED, PLAIN] + covariance[:, PLAIN, PLAIN]
        variance = v / shared.count
    fill = np.where(there, 1.0, 0.0)
    return (
        np.where(there, np.nan_to_num(gain), 0.0),
        np.where(there, np.nan_to_num(variance), 0.0) * fill,
        np.where(there, np.nan_to_num(mean[:, COST]), 0.0),
        there,
    )


def gains(kinds: Moments) -> Moments:
    """Moments of the columns `bearers.GAINS` from those of the arms; a cell a kind."""
    change = np.zeros((len(GAINS), len(ARMS)), dtype=np.int64)
    change[0, CARDED], change[0, PLAIN] = 1, -1
    change[1, MORE], change[1, PLAIN] = 1, -1
    change[2, COST] = 1
    change[3, DIFFERS] = 1
    return Moments(kinds.count, kinds.total @ change.T, change @ kinds.product @ change.T)


def _bearers(names: Sequence[str], kinds: Moments) -> ByBearer | None:
    try:
        found = gains(kinds)
        on_stands = Moments(*(part[: len(names)] for part in (found.count, found.total, found.product)))
        return by_bearer(names, on_stands)
    except InputError:  # too few bearers, or a point's worth is not known
        return None


@dataclass(frozen=True)
class PlainStand:
    """What one more stand of a type is worth, in points of the army's own mix of stands."""

    name: str
    cost: int
    worth: Estimate
    trials: int


def plain_stands(plan: PricePlan, sums: PriceSums, policy: str) -> list[PlainStand]:
    """Worth of one more stand by type, in points of one more stand of the army's own kinds."""
    rulings = plan.scenarios[DEFAULT]
    shared = _all_groups(plan, sums, policy, ONE_MORE)
    whole = priced(shared.pooled()).ratio
    gain, variance, _, there = _by_type(shared)
    total = shared.count.sum()
    found = []
    for k, t in enumerate(troop_types(rulings).values()):
        if not there[k]:
            continue
        # The type's trials are part of all trials: their share of the mean is common to both.
        common = float(shared.count[k] / total) * float(variance[k]) / float(shared.pooled().mean[COST])
        ratio = Ratio(float(gain[k]), whole.unit, float(variance[k]), common, whole.v_unit, int(shared.count[k]), 0)
        found.append(PlainStand(t.name, t.cost, ratio.estimate(), int(shared.count[k])))
    return found


def _all_groups(plan: PricePlan, sums: PriceSums, policy: str, arm: str) -> Moments:
    groups = [group for group in plan.groups if not group.heroes] or list(plan.groups)
    found = sums.shared[policy, DEFAULT, groups[0], arm]
    for group in groups[1:]:
        found = found + sums.shared[policy, DEFAULT, group, arm]
    return found


@dataclass(frozen=True)
class PointWorth:
    """What a point is worth in the armies of a group."""

    policy: str
    group: Group
    plain: float
    more: Estimate
    less: Estimate
    fall: Estimate
    trials: int


def point_worths(plan: PricePlan, sums: PriceSums) -> list[PointWorth]:
    """Worth of a point with one stand more and one less, by policy and group."""
    found = []
    for policy in plan.policies:
        for group in plan.groups:
            more = sums.shared[policy, DEFAULT, group, ONE_MORE].pooled()
            less = sums.shared[policy, DEFAULT, group, ONE_LESS].pooled()
            found.append(
                PointWorth(
                    policy,
                    group,
                    float(more.mean[PLAIN]),
                    priced(more).worth_of_point,
                    priced(less, "one stand less").worth_of_point,
                    fall_of_worth(more).estimate(),
                    int(more.count),
                )
            )
    return found
