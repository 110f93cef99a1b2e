"""Tables of a battle regression, and how it agrees with equal points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ftsim.findings import Column, Table
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


def agreement_table(priced: Sequence[PricedInBattle], fit: RegressionFit) -> Table:
    """Where regression and equal points agree, and where not."""
    known = fit.prices()
    rows = []
    for one in priced:
        other = known.get(one.subject.text)
        if other is None:
            continue
        rows.append({"card": one.subject.text, "agrees": agrees(one, other), **_both(one, other)})
    return Table(
        "agreement",
        "Equal points and regression",
        (
            CARD,
            Column("points", "Equal points", "number", "equal points", 2),
            Column("regression", "Regression", "number", "regression price", 2),
            Column("apart", "Apart", "number", "regression price", 2),
            Column("agrees", "Agree"),
        ),
        rows,
        "Agree: within ¼ point or 20 % of the greater, or within what dice may do. Regression: several copies, all "
        "types equally often, and enemies with cards; equal points: one card, types as in published lists.",
    )


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
