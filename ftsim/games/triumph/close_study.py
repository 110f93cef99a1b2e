"""What experiments on close combat say: verdicts, what they hang on, and figures of cards that need a battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite, nan
from typing import Any

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import format_number, format_points
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import (
    Column,
    Findings,
    HeatMap,
    Interval,
    IntervalChart,
    OpenPoint,
    Section,
    Table,
)
from ftsim.games.triumph.battle_figures import battle_figures, figures_of
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.counted import counted
from ftsim.games.triumph.glossary import terms
from ftsim.games.triumph.grids import (
    ENGINE_VERSION,
    loss_weights,
    named_situations,
    situation_weights,
)
from ftsim.games.triumph.price_study import (
    DEFAULT,
    PLAIN,
    ClosePlan,
    PricedCard,
    Pricer,
    Pricing,
    Scenario,
    field_weights,
    price_cards,
)
from ftsim.games.triumph.study_parts import (
    CARD,
    FACTORS,
    HULL,
    IMPLIED,
    LINE,
    PRINTED,
    VERDICT,
    assumed_points,
    open_points,
    short,
)
from ftsim.games.triumph.troop_types import PACKAGE, troop_types
from ftsim.pricing.price_line import outlasting, worth_in_factors
from ftsim.pricing.verdict import verdict

COMPONENTS = ("line", "covariates", "field", "situation", "loss weights", "rounds", "rulings")


class CloseCombatStudy:
    """Experiments whose contest is close combat."""

    engine_version = ENGINE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """One cell a ruling and a card, and those of the figures."""
        figures = [figure.grid.cell(figure.key) for figure in figures_of(experiment)]
        if "card" not in experiment.sweep:
            return figures
        return [*ClosePlan.of(experiment).cells(), *figures]

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Prices when asked for, else the counts themselves."""
        plan = ClosePlan.of(experiment)
        pricer = Pricer(plan, results)
        if experiment.trials is not None or not experiment.price:
            return counted(plan, pricer)
        return _priced(plan, pricer, results)


def _priced(plan: ClosePlan, pricer: Pricer, results: Mapping[str, Columns]) -> Findings:
    priced, pricings = price_cards(pricer)
    base = pricings["default"][1]
    sections = [
        _verdicts(priced, base),
        _spread(priced),
        _by_situation(plan, pricer),
        _by_type(priced),
        _line(plan, pricer, pricings),
    ]
    shown = list(figures_of(plan.experiment))
    if shown:
        sections.append(battle_figures(plan, shown, results))
    return Findings(
        answer=_answer(priced),
        because=_because(priced, base),
        sections=sections,
        missing=[
            (cards()[name].name, "price: needs a battle") for name in cards() if cards()[name].modelled == "battle"
        ],
        rulings=open_points("close-combat", plan.rulings),
        assumed=[
            *assumed_points("close-combat", plan.base),
            OpenPoint("Situations", "weights of the mix", "how often each situation is met is an assumption"),
            OpenPoint("Loss weights", plan.experiment.loss_weights, "how much of a loss a retreat is"),
        ],
        method=METHOD,
        terms=terms(),
        files={"prices.csv": _prices(priced)},
        checks={
            "results and fates sum to all dice in every matchup": all(
                counts.identities() for counts in pricer.counts.values()
            ),
            "+1 factor is worth one factor": _unity(base),
        },
    )


METHOD = (
    "One round of close combat is counted over all 36 dice pairs for every pair of stands, in every "
    "situation and under every ruling. Nothing is sampled.",
    "A side that is destroyed leaves the fight; panicking, evading and falling back count as a part of that "
    "(loss weights). Rounds repeat until a side leaves, which gives each matchup a chance to outlast the other. "
    "The mean over situations and the field of opponents, as log-odds, is the strength of a stand.",
    "A card’s worth in factors is its change of strength, averaged over the types that pay for it, divided by "
    "that of +1 to the combat factor on the same types. No price enters, so it is exact under the choices made.",
    "Points come in through the printed prices of the 26 plain types. Regressing cost on strength gives too few "
    "points per unit, strength on cost too many (both are known with error), so the slope is only known to lie "
    "between; move and shooting factor, which prices also pay for, are taken out. The implied price uses the "
    "geometric mean of both slopes; the line interval runs between their outer 95 % limits (HC3 errors).",
    "Field, situation, loss weights, number of rounds, covariates and every ruling are then varied one at a "
    "time. Their ranges are shown each by itself and never added. The verdict rests on the hull of all intervals: "
    "a card is called fair or mispriced only if every scenario says so.",
)


def _unity(base: Pricing) -> bool:
    return bool(np.isclose(worth_in_factors(base.factor, base.plain, base.factor), 1.0, atol=1e-12))


def _answer(priced: Sequence[PricedCard]) -> str:
    said = []
    for word, one_does, many_do in (
        ("overpriced", "costs more than it is worth", "cost more than they are worth"),
        ("underpriced", "costs less than it is worth", "cost less than they are worth"),
        ("fair", "costs what it is worth", "cost what they are worth"),
    ):
        names = [short(one.variant.text) for one in priced if one.verdict == word]
        if names:
            said.append(f"{_list(names)} {one_does if len(names) == 1 else many_do}")
    undecided = [short(one.variant.text) for one in priced if one.verdict == "undecided"]
    if undecided:
        said.append(f"for {_list(undecided)} single combats do not decide")
    text = "; ".join(said) + "."
    return text[0].upper() + text[1:]


def _because(priced: Sequence[PricedCard], base: Pricing) -> list[str]:
    step = mean_finite(base.factor, base.plain)
    one_factor = base.line.points(step)
    sentences = [
        f"The printed prices of the {base.line.prices} plain types only tell that +1 factor is worth "
        f"{one_factor.low:.1f} to {one_factor.high:.1f} points, and that alone is wider than a step of the ½-point "
        "grid, so the line by itself leaves most cards undecided."
    ]
    withheld = [one for one in priced if one.variant.pick.card.gains]
    if withheld:
        parts = [f"{one.variant.pick.card.name} ({', '.join(one.variant.pick.card.gains)})" for one in withheld]
        sentences.append(f"Some cards do more than fight, which only a battle can add: {_list(parts)}.")
    return sentences


def mean_finite(more: FloatArray, less: FloatArray, at: list[int] | None = None) -> float:
    """Mean difference of two strengths where both are numbers; nan if nowhere."""
    with np.errstate(invalid="ignore"):
        change = (more - less) if at is None else (more[at] - less[at])
    finite = change[np.isfinite(change)]
    return float(finite.mean()) if finite.size else nan


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def printed_text(one: PricedCard) -> str:
    """Printed prices of a card in points: one, or the usual and the exceptions."""
    by_price: dict[float, list[str]] = {}
    for t, price in zip(one.variant.bearers, one.variant.printed, strict=True):
        by_price.setdefault(price, []).append(t.name)
    usual = max(by_price, key=lambda price: len(by_price[price]))
    text = format_points(usual)
    for price, names in by_price.items():
        if price != usual:
            text += f" ({format_points(price)} on {', '.join(names)})"
    return text


def _verdicts(priced: Sequence[PricedCard], base: Pricing) -> Section:
    rows = [
        {
            "card": one.variant.text,
            "printed": one.variant.printed_mean,
            "text": printed_text(one),
            "factors": one.factors,
            "implied": one.line.value,
            "line": (one.line.low, one.line.high),
            "without": (one.without_covariates.low, one.without_covariates.high),
            "hull": (one.hull.low, one.hull.high),
            "verdict": one.verdict,
            "beyond": _beyond(one),
            "best": best_bearer(one),
        }
        for one in priced
    ]
    table = Table(
        "verdicts",
        "Verdicts",
        (
            CARD,
            Column("text", "Printed"),
            FACTORS,
            IMPLIED,
            LINE,
            Column("without", "Without covariates", "interval", "line interval"),
            HULL,
            VERDICT,
            Column("beyond", "Not in the fight"),
            Column("best", "Best bearer (factors)"),
        ),
        rows,
        f"Worth in factors is exact. Points rest on the printed prices of {base.line.prices} types.",
    )
    chart = IntervalChart(
        "prices",
        "Implied and printed prices",
        "points",
        [
            Interval(
                short(one.variant.text),
                one.line.value,
                one.line.low,
                one.line.high,
                one.hull.low,
                one.hull.high,
                one.variant.printed_mean,
            )
            for one in priced
            if isfinite(one.line.value)
        ],
        "Dot: implied price. Thick: line interval. Thin: hull of all scenarios. Bar: printed price.",
    )
    return Section("verdicts-section", "What the cards are worth", "", (table, chart))


def _beyond(one: PricedCard) -> str:
    card = one.variant.pick.card
    said = ", ".join([*(f"+ {text}" for text in card.gains), *(f"− {text}" for text in card.losses)])
    word = verdict(one.variant.printed_mean, one.hull)
    return f"{said} ({word} for the fight alone)" if word not in ("undecided", one.verdict) else said


def best_bearer(one: PricedCard) -> str:
    """The type on which a card is worth most, with its worth in factors."""
    known = [b for b in one.by_bearer if isfinite(b.factors)]
    if not known:
        return "–"
    best = max(known, key=lambda b: b.factors)
    return f"{best.troop_type.name} {format_number(best.factors, error=0.1)}"


def _spread(priced: Sequence[PricedCard]) -> Section:
    rows = [{"card": one.variant.text, **{name: one.spread.get(name) for name in COMPONENTS}} for one in priced]
    hulls = [{"card": one.variant.text, **{name: one.intervals.get(name) for name in COMPONENTS}} for one in priced]
    columns = (
        CARD,
        Column("line", "Line", "interval", "line interval"),
        *(Column(name, name.capitalize(), "interval", "range") for name in COMPONENTS[1:]),
    )
    return Section(
        "spread-section",
        "What each price hangs on",
        "Each column varies one choice and leaves all others as they are. The ranges are not errors of one "
        "estimate and must not be added.",
        (
            Table("spread", "Implied price by what is varied, in points", columns, rows),
            Table(
                "hulls",
                "Line interval by what is varied, in points",
                (CARD, *(Column(name, name.capitalize(), "interval", "hull") for name in COMPONENTS)),
                hulls,
                "The hull of the line intervals when only this is varied; the verdict rests on the hull of a row.",
            ),
        ),
    )


def _by_situation(plan: ClosePlan, pricer: Pricer) -> Section:
    names = list(dict.fromkeys(row.id for row in named_situations()))
    base = Scenario("default", "default", weights=plan.experiment.loss_weights)
    by_name = {}
    for name in names:
        try:
            by_name[name] = pricer.price(replace(base, situations=name, label=name, component="situation"))
        except InputError:
            continue
    mixed = pricer.price(base)
    rows = []
    for one in plan.variants:
        row: dict[str, Any] = {"card": one.text, "mix": mixed.factors(one.text)}
        step = mean_finite(mixed.factor, mixed.plain, mixed.positions[one.text])
        for name, pricing in by_name.items():
            row[name] = (
                pricing.factors(one.text) if name == "open" else pricing.mean_change(one.text) / step if step else nan
            )
        rows.append(row)
    weights = situation_weights(plan.experiment.situations)
    shares = {
        name: sum(w for w, r in zip(weights, named_situations(), strict=True) if r.id == name) for name in names
    }
    columns = (
        CARD,
        Column("mix", "As weighted", "number", "factors"),
        *(Column(name, f"{name.capitalize()} ({100 * shares[name]:.0f} %)", "number", "factors") for name in names),
    )
    return Section(
        "situation-section",
        "Worth in factors by situation",
        "Open: measured against +1 factor in open ground. Other situations: against +1 factor in the mix, so "
        "that columns compare.",
        (Table("situations", "Worth in factors, exact", columns, rows),),
    )


def _by_type(priced: Sequence[PricedCard]) -> Section:
    types = [t.name for t in troop_types().values()]
    values = []
    for one in priced:
        known = {b.troop_type.name: b.factors for b in one.by_bearer}
        values.append([known.get(name, nan) for name in types])
    heat = HeatMap(
        "by-type",
        "Worth in factors by bearer",
        [short(one.variant.text) for one in priced],
        types,
        values,
        "factors",
        0.0,
        1,
        "Empty: the type cannot take the card, or pays nothing for it.",
    )
    rows = [
        {
            "card": one.variant.text,
            "bearer": b.troop_type.name,
            "printed": b.printed,
            "factors": b.factors,
            "implied": b.line.value,
            "line": (b.line.low, b.line.high),
            "hull": (b.hull.low, b.hull.high),
            "verdict": b.verdict,
        }
        for one in priced
        for b in one.by_bearer
    ]
    table = Table(
        "bearers",
        "Verdict for every card on every type",
        (CARD, Column("bearer", "Bearer"), PRINTED, FACTORS, IMPLIED, LINE, HULL, VERDICT),
        rows,
    )
    return Section(
        "bearers-section",
        "The same card on different troops",
        "A card has one price and many worths.",
        (heat, table),
    )


def _line(plan: ClosePlan, pricer: Pricer, pricings: Mapping[str, tuple[Scenario, Pricing]]) -> Section:
    base = pricings["default"][1]
    types = list(troop_types(plan.base).values())
    weights = loss_weights()[plan.experiment.loss_weights]
    own, enemy = pricer.counts[f"{DEFAULT} | {PLAIN}"].losses(weights)
    where = situation_weights(plan.experiment.situations)
    chance = np.tensordot(where, outlasting(own, enemy), axes=1)
    rows = []
    for label, (scenario, pricing) in pricings.items():
        step = mean_finite(pricing.factor, pricing.plain)
        if scenario.component in ("default", "line", "field", "loss weights", "rounds"):
            value = pricing.line.points(step)
            rows.append({"scenario": label, "implied": value.value, "line": (value.low, value.high)})
    strength_rows = [
        {
            "type": t.name,
            "printed": float(t.cost),
            "chance": 100 * float(pricer_chance),
            "strength": float(s),
        }
        for t, s, pricer_chance in zip(types, base.plain, _mean_chance(chance, plan), strict=True)
    ]
    return Section(
        "line-section",
        "The price line and the field",
        "",
        (
            Table(
                "line",
                "What +1 factor is worth",
                (Column("scenario", "Line"), IMPLIED, LINE),
                rows,
                "Each line is drawn through the printed prices of the plain types.",
            ),
            Table(
                "types",
                "Strength of the plain types",
                (
                    Column("type", "Troop type"),
                    PRINTED,
                    Column("chance", "Outlasts the field, %", "percent", "strength", 1),
                    Column("strength", "Strength", "number", "strength"),
                ),
                strength_rows,
            ),
            HeatMap(
                "matchups",
                "Chance to outlast the other, %",
                [t.name for t in types],
                [t.name for t in types],
                [[100 * float(x) for x in row] for row in chance],
                "per cent",
                50.0,
                0,
                "Row against column, plain stands, situations as weighted.",
            ),
        ),
    )


def _mean_chance(chance: FloatArray, plan: ClosePlan) -> FloatArray:
    return np.asarray(chance @ field_weights(plan.experiment.field, plan.opponents))


def _prices(priced: Sequence[PricedCard]) -> Table:
    def row(card: str, bearer: str, printed: float, factors: float, one: Any) -> dict[str, Any]:
        return {
            "card": card,
            "bearer": bearer,
            "printed": printed,
            "factors": factors,
            "implied": one.line.value,
            "line_low": one.line.low,
            "line_high": one.line.high,
            "hull_low": one.hull.low,
            "hull_high": one.hull.high,
            "verdict": one.verdict,
        }

    rows = []
    for one in priced:
        rows.append(row(one.variant.text, "all", one.variant.printed_mean, one.factors, one))
        rows += [row(one.variant.text, b.troop_type.name, b.printed, b.factors, b) for b in one.by_bearer]
    keys = ("printed", "factors", "implied", "line_low", "line_high", "hull_low", "hull_high")
    columns = (
        CARD,
        Column("bearer", "Bearer"),
        *(Column(key, key, "number", "implied", 4) for key in keys),
        Column("verdict", "verdict"),
    )
    return Table("prices", "prices", columns, rows)
