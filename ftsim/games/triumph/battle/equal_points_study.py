"""Experiments that price cards in battles by equal points: what they compute, and the sentences that decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ftsim.estimates import format_number
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Findings, Part, Section
from ftsim.games.triumph.battle import price_tables as tables
from ftsim.games.triumph.battle.build import DRAWN
from ftsim.games.triumph.battle.bundles import bundle_file, bundle_table
from ftsim.games.triumph.battle.engine import BATTLE_VERSION
from ftsim.games.triumph.battle.price_tables import listed
from ftsim.games.triumph.battle.price_trials import PricePlan, PriceSums
from ftsim.games.triumph.battle.prices import PricedInBattle, price_all
from ftsim.games.triumph.battle.regression_tables import (
    agreement_table,
    regression_file,
    regression_table,
    told_apart,
    worth_table,
)
from ftsim.games.triumph.battle.regression_trials import RegressionData, RegressionPlan
from ftsim.games.triumph.battle.ruling_tables import reading_table, shift_table, shifts
from ftsim.games.triumph.glossary import terms
from ftsim.games.triumph.price_study import DEFAULT
from ftsim.games.triumph.study_parts import assumed_in_battle, open_in_battle
from ftsim.games.triumph.troop_types import PACKAGE

REGRESSION = "battle-regression"

#: An experiment and its results, when another one's prices are moved by its readings of the rules.
Swept = tuple[Experiment, Mapping[str, Columns]] | None


class BattlePriceStudy:
    """Experiments of contest ``battle`` that ask for prices by equal points."""

    engine_version = BATTLE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """Blocks of trials by policy, rulings and group of cards; then the forced fates."""
        found = PricePlan.of(experiment).cells()
        if REGRESSION in experiment.price:
            found += RegressionPlan.of(experiment).cells()
        return found

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns], readings: Swept = None) -> Findings:
        """Prices, what moves them, how sure they are, what a point is worth.

        Parameters
        ----------
        readings : (Experiment, mapping of str to columns), optional
            Another experiment on the same cards, whose other readings of the rules move these prices.
        """
        plan = PricePlan.of(experiment)
        sums = PriceSums.of(plan, results)
        swept, read = plan, sums
        if readings is not None:
            swept = PricePlan.of(readings[0])
            read = PriceSums.of(swept, readings[1])
        priced = price_all(plan, sums, (swept, read))
        head = plan.policies[0]
        parts = [
            _section("prices", "Prices in battle", tables.price_chart(priced), tables.price_table(plan, priced)),
            _section("moves", "What moves a price", tables.moves_table(priced)),
            _section("bearers", "Worth by bearer", tables.bearer_table(priced), tables.each_bearer_table(priced)),
            _section("point", "What a point is", tables.point_table(plan, sums), tables.numeraire_table(priced)),
            _section("stands", "Plain stands", tables.stand_table(plan, sums, head)),
            _section("sampling", "How sure", tables.sampling_table(plan, priced)),
        ]
        moved = shifts(priced)
        if moved:
            parts.insert(
                2, _section("readings", "Other readings of the rules", reading_table(moved), shift_table(moved))
            )
        if (uncounted := tables.uncounted_table(priced)) is not None:
            parts.insert(2, _section("uncounted", "Cards as points to lose", uncounted))
        if (surprises := tables.surprise_table(priced)) is not None:
            parts.insert(2, _section("surprises", "Surprising prices", surprises))
        files = {"prices.csv": tables.price_file(plan, priced), "bearers.csv": tables.bearer_file(priced)}
        if bundles := plan.bundles(results):
            parts.insert(1, _section("bundles", "Cards together", bundle_table(bundles)))
            files["bundles.csv"] = bundle_file(bundles)
        if plan.forced_trials:
            weights = [row for policy in plan.policies for row in tables.loss_rows(policy, results)]
            parts.append(
                Section("loss-section", "How much of a loss each fate is", "", (tables.loss_table(weights),))
            )
            files["loss_weights.csv"] = tables.loss_file(weights)
        notes = because(plan, priced)
        if REGRESSION in experiment.price:
            data = RegressionData.of(RegressionPlan.of(experiment), results)
            fits = [data.fit(policy) for policy in plan.policies]
            agreement = agreement_table(priced, fits[0], data.first_copies(head))
            parts.append(
                _section("regression", "Battle regression", agreement, regression_table(fits), worth_table(fits))
            )
            files["regression.csv"] = regression_file(fits)
            notes.append(told_apart(agreement))
        rulings = swept.scenarios
        return Findings(
            answer=answer(plan, priced),
            because=notes,
            sections=parts,
            missing=[],
            rulings=open_in_battle(rulings),
            assumed=assumed_in_battle(plan.scenarios[DEFAULT]),
            method=method(plan),
            terms=terms(),
            files=files,
            checks={
                "every kind of bearer adds up to all trials": all(
                    int(sums.subjects[policy, DEFAULT, s.text].count.sum()) == plan.trials_of(policy, DEFAULT)
                    for policy in plan.policies
                    for s in plan.subjects
                ),
            },
        )


def _section(name: str, title: str, *parts: Part) -> Section:
    return Section(f"{name}-section", title, "", parts)


def answer(plan: PricePlan, priced: Sequence[PricedInBattle]) -> str:
    """The answer in one sentence."""
    words = {word: [p.subject.text for p in priced if p.verdict == word] for word in
             ("underpriced", "overpriced", "fair", "undecided", "no price")}  # fmt: skip
    told = [f"{len(names)} {word} ({listed(names)})" for word, names in words.items() if names]
    return f"In battles under {plan.policies[0]}, of {len(priced)} prices: {'; '.join(told)}."


def because(plan: PricePlan, priced: Sequence[PricedInBattle]) -> list[str]:
    """What the reader must know: how firm the verdicts are, and how the policies differ."""
    claimed = [p for p in priced if p.verdict in ("fair", "underpriced", "overpriced")]
    firm = [p.subject.text for p in claimed if not p.changes()]
    found = [
        f"{len(firm)} of {len(claimed)} verdicts stay the same under every policy, numeraire and ruling tried"
        + (f": {listed(firm)}." if firm else ".")
        if claimed
        else "No price is told from its neighbours on the half-point grid: more trials would be needed."
    ]
    head = priced[0].headline.worth_of_point
    found.append(
        f"A point of plain stands wins {100 * head.value:.2f} % more battles under {plan.policies[0]} "
        f"[{100 * head.low:.2f}, {100 * head.high:.2f}]."
    )
    moved = shifts(priced)
    if moved:
        touched = list(dict.fromkeys(s.card for s in moved if s.real))
        readings = len({s.label for s in moved})
        errors = [s.error for s in moved if s.error > 0]
        half, most = (1.96 * float(x) for x in np.quantile(errors or [0.0], (0.5, 0.9)))
        alike = len(moved) - len(errors)
        found.append(
            f"{readings} other readings of open points were tried, each alone: {len(touched)} of {len(priced)} "
            "prices move more than chance does"
            + (f", those of {listed(touched)}." if touched else ".")
            + f" In {alike:,} of {len(moved):,} cases no trial goes otherwise; half of the other shifts are known to "
            f"± {format_number(half, half)} points, nine in ten to ± {format_number(most, most)}."
        )
    found.append(
        "Victory counts printed cost: a card on a stand makes its loss dearer, which the price holds against it, the "
        "more the more it costs. A player who never uses a card shows nothing of its worth, one who uses it badly "
        "little: verdicts are on the card in the hands of these players."
    )
    return found


def method(plan: PricePlan) -> list[str]:
    """How it was done."""
    rulings = plan.scenarios[DEFAULT]
    where = {None: "an open board", DRAWN: "boards of a topography drawn each time"}.get(
        plan.topography, f"boards of the topography {plan.topography}"
    )
    return [
        "Each trial draws an army from the 26 troop types, as often as published lists field them, and plays whole "
        f"lane battles on {where} with the same dice, edge and first move in every arm: plain, with the card on a "
        "drawn bearer, with one more plain stand of the army's own kinds, with one less. The opponent is "
        + (
            "the plain army's own mirror, so that every trial is even and a point decides most."
            if plan.mirror
            else "another army of 51 points, drawn by itself."
        )
        + " Both sides play the same policy.",
        "Price: mean gain by the card over mean gain by the stand, times the mean cost of that stand; interval by "
        "Fieller. Where a point's worth is within its error of 0 there is no price.",
        "Verdict: three tests a card against the printed price ± ¼ point, Benjamini–Hochberg at 5 % over all.",
        "Where no stand may bear a card, one becomes an eligible type of like cost in every arm. Cards for heroes "
        f"are priced on a hero with Hearten, with whom both armies come. Core version {rulings.core_version}.",
    ]
