"""Tables and charts of prices in battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, sqrt
from typing import Any

import numpy as np

from ftsim.estimates import Estimate, format_number, format_points
from ftsim.experiments.study import Columns
from ftsim.findings import Column, Interval, IntervalChart, Table
from ftsim.games.triumph.battle.price_trials import FORCED_TURN, MEASURED_FATES, PricePlan, PriceSums
from ftsim.games.triumph.battle.prices import NUMERAIRES, PricedInBattle, moved, plain_stands, point_worths
from ftsim.games.triumph.grids import loss_weights
from ftsim.games.triumph.study_parts import CARD, PRINTED
from ftsim.pricing.ratio import Ratio

#: Half-width in points that lets a price be told from its neighbours on the ½-point grid; above 2 points twice that.
FINE, COARSE, COARSE_ABOVE = 0.125, 0.25, 2.0


def points_text(price: Estimate) -> str:
    """A price with its interval, in digits that its error deserves."""
    if not isfinite(price.value):
        return "no price"
    if price.low == price.high:
        return f"exactly {format_points(price.value)}"
    error = (price.high - price.low) / 2
    value, low, high = (format_number(x, error) for x in (price.value, price.low, price.high))
    return f"{value} [{low}, {high}]"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a row, the first of many."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def decides(plan: PricePlan, one: PricedInBattle) -> str:
    """What decides the verdict on a card, in a sentence."""
    word, price = one.verdict, one.headline.price
    printed = format_points(one.printed) if 2 * one.printed == round(2 * one.printed) else f"{one.printed:.2f}"
    if word == "no price":
        return "The worth of a point cannot be told from nothing: more trials are needed."
    if one.headline.changed == 0:
        return f"No trial ends otherwise with the card under {plan.policies[0]}: this player makes nothing of it."
    ranges = {name: high - low for name, (low, high) in one.ranges().items()}
    widest = max((name for name in ranges if name != "sampling"), key=lambda name: ranges[name], default="sampling")
    if word == "undecided":
        return f"Sampling: {points_text(price)} does not settle on which side of {printed} ± ¼ the price lies."
    changes = one.changes()
    if changes:
        return f"{points_text(price)} against {printed}, but not under {listed(changes, 3)}."
    low, high = one.ranges()[widest]
    error = max((price.high - price.low) / 2, 0.1)
    span = f"{format_number(low, error)} to {format_number(high, error)}"
    return f"{points_text(price)} against {printed}; whatever is varied. Most is moved by {widest}: {span}."


# ------------------------------------------------------------------ tables


def price_chart(priced: Sequence[PricedInBattle]) -> IntervalChart:
    """Prices with their sampling intervals, and the range of policies, numeraires and rulings around them."""
    lines = []
    for one in priced:
        price = one.headline.price
        if not (isfinite(price.low) and isfinite(price.high)):
            continue
        ranges = [pair for name, pair in one.ranges().items() if name != "bearers"]
        lines.append(
            Interval(
                one.subject.text,
                price.value,
                price.low,
                price.high,
                min(low for low, _ in ranges),
                max(high for _, high in ranges),
                one.printed,
            )
        )
    return IntervalChart(
        "price-chart",
        "Price in battle and printed price",
        "points",
        lines,
        "Thick: 95 % sampling interval under the first policy. Thin: also other policies, numeraires and rulings. "
        "Mark: printed.",
    )


def price_table(plan: PricePlan, priced: Sequence[PricedInBattle]) -> Table:
    """The verdict table."""
    rows = []
    for one in priced:
        row: dict[str, Any] = {
            "card": one.subject.text,
            "printed": one.printed,
            "verdict": one.verdict,
            "suggested": one.judgement.suggested if one.verdict != "undecided" else None,
            "decides": decides(plan, one),
        }
        for policy, found in one.by_policy.items():
            row |= _priced(policy, found.price)
        rows.append(row)
    columns = [CARD, PRINTED]
    for policy in plan.policies:
        columns += [
            Column(policy, f"{policy}, points", "number", "equal points", 2),
            Column(f"{policy}_interval", f"{policy}, interval", "interval", "equal points", 2),
        ]
    columns += [
        Column("verdict", "Verdict", "verdict", "battle verdict"),
        Column("suggested", "Suggested", "points", "suggested"),
        Column("decides", "What decides it"),
    ]
    return Table("battle-verdicts", "Prices by equal points", columns, rows)


def _priced(policy: str, price: Estimate) -> dict[str, Any]:
    known = isfinite(price.value)
    return {
        policy: price.value if known else None,
        f"{policy}_interval": (price.low, price.high) if known else None,
    }


def moves_table(priced: Sequence[PricedInBattle]) -> Table:
    """Ranges of the price, each component varied alone."""
    names = ("sampling", "policy", "numeraire", "rulings", "bearers")
    rows = [{"card": one.subject.text, **{name: one.ranges().get(name) for name in names}} for one in priced]
    titles = {"sampling": "Sampling", "policy": "Policy", "numeraire": "Numeraire", "rulings": "Rulings",
              "bearers": "Bearers, 10–90 %"}  # fmt: skip
    columns = [CARD, *(Column(name, titles[name], "interval", "battle range", 2) for name in names)]
    return Table(
        "moves",
        "Least and greatest price, each varied alone",
        columns,
        rows,
        "Ranges of choices are never added. Rulings: those that move the price, under the first policy, by more than "
        "chance among all that were tried.",
    )


def bearer_table(priced: Sequence[PricedInBattle]) -> Table:
    """Spread of worth over bearers, best and worst."""
    rows = []
    for one in priced:
        if one.bearers is None:
            continue
        best, worst = one.bearers.best, one.bearers.worst
        rows.append(
            {
                "card": one.subject.text,
                "between": one.bearers.between,
                "range": (one.bearers.low, one.bearers.high),
                "best": best.name,
                "best_worth": best.shrunk.value,
                "worst": worst.name,
                "worst_worth": worst.shrunk.value,
                "beware": "yes" if best.shrunk.low > one.printed + 0.25 else "",
            }
        )
    return Table(
        "bearers",
        "Spread over bearers",
        (
            CARD,
            Column("between", "Spread, points", "number", "between bearers", 2),
            Column("range", "10–90 %", "interval", "between bearers", 2),
            Column("best", "Best on"),
            Column("best_worth", "Worth there", "number", "bearer worth", 2),
            Column("worst", "Worst on"),
            Column("worst_worth", "Worth there", "number", "bearer worth", 2),
            Column("beware", "Worth more than printed on the best"),
        ),
        rows,
        "A card has one price and is worth more on some types: players will put it there.",
    )


def each_bearer_table(priced: Sequence[PricedInBattle]) -> Table:
    """Worth of every card on every type."""
    rows = [
        {
            "card": one.subject.text,
            "type": bearer.name,
            "worth": bearer.shrunk.value,
            "interval": (bearer.shrunk.low, bearer.shrunk.high),
            "trials": bearer.trials,
        }
        for one in priced
        if one.bearers is not None
        for bearer in one.bearers.bearers
    ]
    return Table(
        "each-bearer",
        "Worth on each type",
        (
            CARD,
            Column("type", "Troop type"),
            Column("worth", "Worth, points", "number", "bearer worth", 2),
            Column("interval", "Interval", "interval", "bearer worth", 2),
            Column("trials", "Trials", "number", "trials", 0),
        ),
        rows,
    )


def point_table(plan: PricePlan, sums: PriceSums) -> Table:
    """Worth of a point by group of cards."""
    rows = [
        {
            "policy": worth.policy,
            "group": str(worth.group),
            "plain": 100 * worth.plain,
            "more": 100 * worth.more.value,
            "more_interval": (100 * worth.more.low, 100 * worth.more.high),
            "less": 100 * worth.less.value,
            "fall": worth.fall.value if isfinite(worth.fall.value) else None,
            "trials": worth.trials,
        }
        for worth in point_worths(plan, sums)
    ]
    return Table(
        "points",
        "Worth of a point",
        (
            Column("policy", "Policy"),
            Column("group", "Armies of"),
            Column("plain", "Battles won, plain, %", "percent", "battles won", 1),
            Column("more", "One stand more, % a point", "percent", "worth of a point", 2),
            Column("more_interval", "Interval", "interval", "worth of a point", 2),
            Column("less", "One stand less, % a point", "percent", "worth of a point", 2),
            Column("fall", "Fall", "number", "fall of worth", 2),
            Column("trials", "Trials", "number", "trials", 0),
        ),
        rows,
        "Room is left for the card: armies that get one of 2 points have 49 without it. All lose at a third of 51.",
    )


def numeraire_table(priced: Sequence[PricedInBattle]) -> Table:
    """Prices when a point is something else."""
    rows = [
        {
            "card": one.subject.text,
            **{name: price.value if isfinite(price.value) else None for name, price in one.numeraires.items()},
        }
        for one in priced
    ]
    columns = [CARD, *(Column(name, name.capitalize(), "number", "numeraire", 2) for name in NUMERAIRES)]
    return Table("numeraires", "Prices by numeraire", columns, rows, "Under the first policy.")


def uncounted_table(priced: Sequence[PricedInBattle]) -> Table | None:
    """Prices if victory did not count the points of cards, beside those with it; None where that was not asked."""
    rows = []
    for one in priced:
        if one.uncounted is None or not isfinite(one.uncounted.value) or not isfinite(one.headline.price.value):
            continue
        price = one.headline.price
        # As if of other dice: those that both share make the interval narrower.
        costs = moved(one.uncounted, Estimate(-price.value, -price.high, -price.low))
        rows.append(
            {
                "card": one.subject.text,
                "printed": one.printed,
                "price": price.value,
                "interval": (price.low, price.high),
                "uncounted": one.uncounted.value,
                "uncounted_interval": (one.uncounted.low, one.uncounted.high),
                "costs": costs.value,
                "costs_interval": (costs.low, costs.high),
            }
        )
    if not rows:
        return None
    return Table(
        "uncounted",
        "What a card's own points cost it",
        (
            CARD,
            PRINTED,
            Column("price", "Price, points", "number", "equal points", 2),
            Column("interval", "Interval", "interval", "equal points", 2),
            Column("uncounted", "If its points were not lost", "number", "points not lost", 2),
            Column("uncounted_interval", "Interval", "interval", "points not lost", 2),
            Column("costs", "Its points cost it", "number", "points not lost", 2),
            Column("costs_interval", "Interval", "interval", "points not lost", 2),
        ),
        rows,
        "Fought again on the same armies and dice: a bearer that is lost counts, to both players, what it costs "
        "without the card. What is left is what the card does on the board.",
    )


#: Prices that surprise, followed back through storyboards to what happens in the battles.
SURPRISES = {
    "Mindblast": "The blasts take little from the enemy: what is left when the points do not count. And the caster "
    "stands in the line like everyone else: when it falls four points more fall with it, near a quarter of the 17 "
    "that lose a battle. Where the card turns a won battle into a lost one, the caster is more often than not among "
    "the fallen. No policy keeps a dear stand back. So the rule of victory and the players decide, not the blast.",
    "Flying: zoom": "The flyer crosses the enemy line alone, takes a stand from behind, and in the next turn is "
    "surrounded by those who turn on it: a stand for a stand, but its own is two points dearer. Where those two "
    "points do not count, flying is worth what it costs. Players who fly in company, or home again in time, would "
    "keep them; these look one turn ahead.",
}


def surprise_table(priced: Sequence[PricedInBattle]) -> Table | None:
    """Prices that surprise, and where they come from; None without any."""
    rows = []
    for one in priced:
        text = SURPRISES.get(one.subject.text)
        price = one.headline.price
        if text is None or one.uncounted is None or not isfinite(one.uncounted.value):
            continue
        if not price.high < min(one.uncounted.low, one.printed):
            continue  # nothing to explain
        rows.append(
            {
                "card": one.subject.text,
                "printed": one.printed,
                "price": points_text(price),
                "uncounted": points_text(one.uncounted),
                "told": text,
            }
        )
    if not rows:
        return None
    return Table(
        "surprises",
        "Surprising prices",
        (
            CARD,
            PRINTED,
            Column("price", "Price, points"),
            Column("uncounted", "If its points were not lost"),
            Column("told", "What happens in the battles"),
        ),
        rows,
        "Followed back through storyboards of mirrored armies under greedy.",
    )


def stand_table(plan: PricePlan, sums: PriceSums, policy: str) -> Table:
    """What one more plain stand of each type is worth."""
    rows = [
        {
            "type": stand.name,
            "cost": stand.cost,
            "worth": stand.worth.value if isfinite(stand.worth.value) else None,
            "interval": (stand.worth.low, stand.worth.high) if isfinite(stand.worth.value) else None,
            "trials": stand.trials,
        }
        for stand in plain_stands(plan, sums, policy)
    ]
    return Table(
        "stands",
        "One more plain stand of each type",
        (
            Column("type", "Troop type"),
            Column("cost", "Printed cost", "points", "printed"),
            Column("worth", "Worth, points", "number", "stand worth", 2),
            Column("interval", "Interval", "interval", "stand worth", 2),
            Column("trials", "Trials", "number", "trials", 0),
        ),
        rows,
        f"Under {policy}; armies that have the type already. A point is a point of one more stand of the army's mix.",
    )


def target(printed: float) -> float:
    """Half-width that a price needs to be told from its neighbours."""
    return FINE if abs(printed) <= COARSE_ABOVE else COARSE


def sampling_table(plan: PricePlan, priced: Sequence[PricedInBattle]) -> Table:
    """How much dice decide, and how many trials a sharper price would take."""
    rows = []
    for one in priced:
        for policy, found in one.by_policy.items():
            known = isfinite(found.price.low) and isfinite(found.price.high)
            half = (found.price.high - found.price.low) / 2
            rows.append(
                {
                    "card": one.subject.text,
                    "policy": policy,
                    "trials": found.ratio.trials,
                    "changed": 100 * found.changed,
                    "variance": found.card_variance,
                    "shared": found.shared_dice_ratio if isfinite(found.shared_dice_ratio) else None,
                    "half": half if known else None,
                    "needed": _needed(found.ratio, target(one.printed) * (1 if policy == plan.policies[0] else 2)),
                }
            )
    return Table(
        "sampling",
        "Dice and trials",
        (
            CARD,
            Column("policy", "Policy"),
            Column("trials", "Trials", "number", "trials", 0),
            Column("changed", "Decided otherwise, %", "percent", "decided otherwise", 1),
            Column("variance", "Var D", "number", "paired variance", 3),
            Column("shared", "Gain from shared dice", "number", "shared dice", 1),
            Column("half", "Half-width, points", "number", "half-width", 2),
            Column("needed", "Trials for the target", "number", "trials needed", 0),
        ),
        rows,
        "Target: half-width ⅛ point, ¼ above 2 points; twice that under other policies than the first.",
    )


def _needed(ratio: Ratio, half: float) -> int | None:
    return ratio.trials_for(half) if ratio.unit > 0 else None


# ------------------------------------------------------------------ loss weights


def loss_rows(policy: str, results: Mapping[str, Columns]) -> list[dict[str, Any]]:
    """How much of a loss each forced fate is, with its interval."""
    columns = results[f"{policy} | forced fates"]
    n = int(columns["trials"][0])
    lost = np.array([int(columns["plain"][0]) - int(forced) for forced in columns["forced"]]) / (2 * n)
    products = np.array([[int(x) for x in columns[f"with_{fate}"]] for fate in MEASURED_FATES]) / (4 * n)
    covariance = (products - np.outer(lost, lost)) / (n - 1)
    rows = []
    for k, fate in enumerate(MEASURED_FATES):
        ratio = Ratio(
            float(lost[k]), float(lost[0]), float(covariance[k, k]), float(covariance[k, 0]), float(covariance[0, 0]),
            n, n,
        )  # fmt: skip
        weight = Estimate(1.0, 1.0, 1.0) if k == 0 else ratio.estimate()
        error = 1.96 * sqrt(max(float(covariance[k, k]), 0.0))
        rows.append(
            {
                "policy": policy,
                "fate": fate.replace("_", " "),
                "lost": 100 * float(lost[k]),
                "lost_interval": (100 * (float(lost[k]) - error), 100 * (float(lost[k]) + error)),
                "weight": weight.value if isfinite(weight.value) else None,
                "interval": (weight.low, weight.high) if isfinite(weight.value) else None,
                "assumed": float(loss_weights()["usual"][k]),
                "trials": n,
            }
        )
    return rows


def loss_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Measured loss weights beside the assumed ones."""
    return Table(
        "loss-weights",
        "Loss of winning chance by one forced fate",
        (
            Column("policy", "Policy"),
            Column("fate", "Fate"),
            Column("lost", "Battles lost by it, %", "percent", "forced loss", 2),
            Column("lost_interval", "Interval", "interval", "forced loss", 2),
            Column("weight", "Weight", "number", "loss weight", 2),
            Column("interval", "Interval", "interval", "loss weight", 2),
            Column("assumed", "Assumed", "number", "loss weight", 2),
            Column("trials", "Trials", "number", "trials", 0),
        ),
        rows,
        f"From player turn {FORCED_TURN} on, the first of one's own stands that is in contact suffers the fate.",
    )


# ------------------------------------------------------------------ files


def loss_file(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Measured loss weights as a file."""
    flat = [
        {**row, "low": row["interval"][0], "high": row["interval"][1]} if row["interval"] else row for row in rows
    ]
    columns = (
        Column("policy", "policy"),
        Column("fate", "fate"),
        Column("lost", "lost", "number", "forced loss", 4),
        *(Column(key, key, "number", "loss weight", 4) for key in ("weight", "low", "high", "assumed")),
        Column("trials", "trials", "number", "trials", 0),
    )
    return Table("loss_weights", "loss_weights", columns, flat)


def price_file(plan: PricePlan, priced: Sequence[PricedInBattle]) -> Table:
    """Prices as a file: a row a card, policy and scenario."""
    rows = []
    for one in priced:
        cases = [("default", policy, found.price) for policy, found in one.by_policy.items()]
        cases += [("numeraire", name, price) for name, price in one.numeraires.items()]
        cases += [("rulings", f"{label} ({policy})", price) for (policy, label), price in one.rulings.items()]
        for component, label, price in cases:
            rows.append(
                {
                    "card": one.subject.text,
                    "printed": one.printed,
                    "component": component,
                    "label": label,
                    "price": price.value,
                    "low": price.low,
                    "high": price.high,
                    "trials": price.trials,
                    "verdict": one.verdict if (component, label) == ("default", plan.policies[0]) else "",
                }
            )
    columns = (
        CARD,
        Column("printed", "printed", "number", "printed", 4),
        Column("component", "component"),
        Column("label", "label"),
        *(Column(key, key, "number", "equal points", 4) for key in ("price", "low", "high")),
        Column("trials", "trials", "number", "trials", 0),
        Column("verdict", "verdict"),
    )
    return Table("prices", "prices", columns, rows)


def bearer_file(priced: Sequence[PricedInBattle]) -> Table:
    """Worth by bearer as a file."""
    table = each_bearer_table(priced)
    rows = [{**row, "low": row["interval"][0], "high": row["interval"][1]} for row in table.rows]
    columns = (
        CARD,
        Column("type", "type"),
        *(Column(key, key, "number", "bearer worth", 4) for key in ("worth", "low", "high")),
        Column("trials", "trials", "number", "trials", 0),
    )
    return Table("bearers", "bearers", columns, rows)
