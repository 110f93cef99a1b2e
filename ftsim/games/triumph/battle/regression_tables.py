"""Tables of a battle regression, and how it agrees with equal points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ftsim.estimates import Estimate
from ftsim.findings import Column, Table
from ftsim.games.triumph.battle.price_tables import listed
from ftsim.games.triumph.battle.prices import PricedInBattle
from ftsim.games.triumph.battle.regression_trials import NUMERAIRES, RegressionFit, RegressionPrice
from ftsim.games.triumph.study_parts import CARD, PRINTED

#: Two models agree within this many points, or this share of the greater price, whichever is more.
AGREES_POINTS, AGREES_SHARE = 0.25, 0.2


def regression_table(fits: Sequence[RegressionFit]) -> Table:
    """Prices of all cards by battle regression, by policy."""
    prices = [fit.prices() for fit in fits]
    rows = []
    for name, head in prices[0].items():
        row: dict[str, Any] = {
            "card": name,
            "printed": head.printed,
            "inflation": head.inflation,
            "needed": head.battles_needed,
        }
        for fit, found in zip(fits, prices, strict=True):
            price = found[name].price
            known = isfinite(price.value)
            row[fit.policy] = price.value if known else None
            row[f"{fit.policy}_interval"] = (price.low, price.high) if known else None
        rows.append(row)
    columns = [CARD, PRINTED]
    for fit in fits:
        columns += [
            Column(fit.policy, f"{fit.policy}, points", "number", "regression price", 2),
            Column(f"{fit.policy}_interval", f"{fit.policy}, interval", "interval", "regression price", 2),
        ]
    columns += [
        Column("inflation", "Inflation", "number", "inflation", 1),
        Column("needed", "Battles for ± ¼", "number", "trials needed", 0),
    ]
    return Table(
        "regression",
        "Prices by battle regression",
        columns,
        rows,
        "Random legal armies with all cards, totals of 51 ± 12 %; all types and cards fitted at once. Several copies "
        "of a card bring less than one each, and a sum does not know that.",
    )


def worth_table(fits: Sequence[RegressionFit]) -> Table:
    """Worth of a point in log-odds, by numeraire, with its relative error."""
    rows = []
    for fit in fits:
        errors = fit.error_of_point()
        for name, worth in fit.worth_of_point().items():
            rows.append(
                {
                    "policy": fit.policy,
                    "numeraire": name,
                    "worth": worth.value,
                    "interval": (worth.low, worth.high),
                    "error": 100 * errors[name],
                }
            )
    return Table(
        "regression-point",
        "Worth of a point in the regression",
        (
            Column("policy", "Policy"),
            Column("numeraire", "More stands of"),
            Column("worth", "Log-odds a point", "number", "log-odds a point", 4),
            Column("interval", "Interval", "interval", "log-odds a point", 4),
            Column("error", "Standard error, %", "percent", "log-odds a point", 1),
        ),
        rows,
        f"The first, {NUMERAIRES[0]}, is the headline.",
    )


def regression_file(fits: Sequence[RegressionFit]) -> Table:
    """Regression prices as a file."""
    rows = [
        {
            "policy": fit.policy,
            "card": name,
            "printed": price.printed,
            "coefficient": price.coefficient.value,
            "numeraire": numeraire,
            "price": points.value,
            "low": points.low,
            "high": points.high,
        }
        for fit in fits
        for name, price in fit.prices().items()
        for numeraire, points in price.prices.items()
    ]
    columns = (
        Column("policy", "policy"),
        CARD,
        Column("printed", "printed", "number", "printed", 4),
        Column("coefficient", "coefficient", "number", "log-odds a point", 5),
        Column("numeraire", "numeraire"),
        *(Column(key, key, "number", "regression price", 4) for key in ("price", "low", "high")),
    )
    return Table("regression", "regression", columns, rows)


def agreement_table(priced: Sequence[PricedInBattle], fit: RegressionFit, first: Mapping[str, Estimate]) -> Table:
    """Where regression and equal points agree, and what comes between them.

    Steps lead from one price to the other: the same trials with all types bearing the card alike; then the first copy
    in unlike armies full of cards, over what a point is worth there; then any number of copies.

    Parameters
    ----------
    first : mapping of str to Estimate
        Price of a first copy by the regression, from `RegressionData.first_copies`.
    """
    known = fit.prices()
    point = next(iter(fit.worth_of_point().values())).value
    rows = []
    for one in priced:
        name = column_for(one.subject.text, known)
        if name is None:
            continue
        other = known[name]
        row: dict[str, Any] = {"card": one.subject.text, "agrees": agrees(one, other), **_both(one, other)}
        if row["apart"] is not None:
            row |= {"alike": _borne_alike(one), "first": first[name].value}
            row["why"] = _why(row) if row["agrees"] == "no" else ""
        rows.append(row)
    # A share of battles won is four times as much in log-odds where half are won.
    worth = 4 * priced[0].headline.worth_of_point.value if priced else 0.0
    return Table(
        "agreement",
        "Equal points and regression",
        (
            CARD,
            Column("points", "Equal points", "number", "equal points", 2),
            Column("alike", "All bearers alike", "number", "equal points", 2),
            Column("first", "First copy", "number", "regression price", 2),
            Column("regression", "Regression", "number", "regression price", 2),
            Column("apart", "Apart", "number", "regression price", 2),
            Column("agrees", "Agree"),
            Column("why", "Most of it"),
        ),
        rows,
        "Agree: within ¼ point or 20 % of the greater, or within what dice may do. Equal points: one card more, "
        "bearers as often as in published lists, between mirrors without other cards. All bearers alike: each type "
        "weighs as much, by its worth drawn towards their mean. First copy: by the regression, with further copies "
        "apart. Regression: any number of copies. The step that leads farthest towards the regression is named. "
        f"Between mirrors a point of stands is worth {worth:.3f} in log-odds, between unlike armies {point:.3f}, so "
        f"that the same gain is {worth / point:.1f} times as many points there.",
    )


def told_apart(agreement: Table) -> str:
    """Which prices differ between both models, and by what."""
    apart: dict[str, list[str]] = {}
    for row in agreement.rows:
        if row["agrees"] == "no":
            apart.setdefault(str(row["why"]), []).append(str(row["card"]))
    if not apart:
        return "Battle regression and equal points agree within ¼ point, 20 % or their errors for every card."
    most_first = sorted(apart.items(), key=lambda pair: -len(pair[1]))
    parts = "; ".join(f"{_BECAUSE[why]}: {listed(names)}" for why, names in most_first)
    return f"Battle regression and equal points differ by more than ¼ point, 20 % and their errors, {parts}."


def column_for(text: str, known: Mapping[str, Any]) -> str | None:
    """The regression's name of a card as experiments write it; kinds of terrain are all one. None if it has none."""
    name = text if text in known else text.partition(":")[0]
    return name if name in known else None


#: What each step from equal points to regression changes.
BEARERS, ARMIES, COPIES = "bearers", "other armies", "several copies"
_BECAUSE = {
    BEARERS: "mostly by who bears the card",
    ARMIES: "mostly because armies are unlike there, worth another number of points a gain, and full of other cards",
    COPIES: "mostly by several copies in one army",
}


def _borne_alike(one: PricedInBattle) -> float:
    """The price by equal points if every type that may bear the card did so as often."""
    if one.bearers is None:
        return one.headline.price.value
    types = [bearer.shrunk.value for bearer in one.bearers.bearers]
    return (sum(types) + len(one.bearers.left_out) * one.bearers.mean) / (len(types) + len(one.bearers.left_out))


def _why(row: Mapping[str, Any]) -> str:
    steps = {
        BEARERS: row["alike"] - row["points"],
        ARMIES: row["first"] - row["alike"],
        COPIES: row["regression"] - row["first"],
    }
    return max(steps, key=lambda name: steps[name] * row["apart"])


def _both(one: PricedInBattle, other: RegressionPrice) -> Mapping[str, float | None]:
    a, b = one.headline.price.value, other.price.value
    if not (isfinite(a) and isfinite(b)):
        return {"points": a if isfinite(a) else None, "regression": b if isfinite(b) else None, "apart": None}
    return {"points": a, "regression": b, "apart": b - a}


def agrees(one: PricedInBattle, other: RegressionPrice) -> str:
    """``yes``, ``within their errors`` or ``no``; nothing when one of them has no price."""
    a, b = one.headline.price, other.price
    if not (isfinite(a.value) and isfinite(b.value)):
        return ""
    if abs(a.value - b.value) <= max(AGREES_POINTS, AGREES_SHARE * max(abs(a.value), abs(b.value))):
        return "yes"
    return "within their errors" if a.low <= b.high and b.low <= a.high else "no"
