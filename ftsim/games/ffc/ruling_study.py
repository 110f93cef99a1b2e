"""The study of rulings: what battles become, and which conclusions hold, under each alternative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ftsim.estimates import Estimate, proportion
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, Section, Table
from ftsim.games.ffc.battle_cells import battle_cells, battles_of
from ftsim.games.ffc.cards import PACKAGE, armor, warriors
from ftsim.games.ffc.glossary import glossary
from ftsim.games.ffc.study_parts import (
    DEFAULT,
    ENGINE_VERSION,
    as_file,
    assumed_points,
    open_points,
    options,
    ruling_scenarios,
)
from ftsim.games.ffc.value_study import scenarios
from ftsim.games.ffc.values import Fit, design, fit, mean_of, place, score, terms, unit

TRIALS = 40_000
SHOOTERS = ("Short Bow", "Long Bow", "Light Crossbow", "Heavy Crossbow", "Compound Bow")
HOLDS, FAILS, OPEN = "holds", "turns round", "open"


class RulingStudy:
    """Experiments on rulings in battles."""

    engine_version = ENGINE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """Blocks of battles for every policy and ruling, on the same deals and dice."""
        set_ = options(experiment)
        found: list[Cell] = []
        for policy in set_["policies"]:
            for label, rulings in ruling_scenarios(experiment).items():
                name = f"{policy.name} {label}"
                scenario = scenarios(set_["withheld"])["full"]
                found += battle_cells(name, policy, rulings, scenario, experiment.seed, experiment.trials or TRIALS)
        return found

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """A tornado table of battles and values, and the conclusions that survive."""
        set_ = options(experiment)
        names = [policy.name for policy in set_["policies"]]
        labels = list(ruling_scenarios(experiment))
        fits: dict[tuple[str, str], Fit] = {}
        lengths: list[dict[str, Any]] = []
        for name in names:
            for label in labels:
                battles = battles_of(f"{name} {label}", results)
                fits[name, label] = fit(design(battles.out), score(battles.out))
                never = proportion(battles.counts[3], battles.trials)
                lengths.append(
                    {
                        "policy": name,
                        "ruling": label,
                        "turns": float(battles.turns.mean()),
                        "unresolved": 100 * never.value,
                        "unresolved_95": (100 * never.low, 100 * never.high),
                        "explained": 100 * fits[name, label].explained,
                        "rank": _rank(fits[name, DEFAULT], fits[name, label], "warrior"),
                        "rank_spells": _rank(fits[name, DEFAULT], fits[name, label], "spell"),
                        "moved": _moved(fits[name, DEFAULT], fits[name, label]),
                    }
                )
        battles_table = Table(
            "tornado",
            "Battles and values under other rulings",
            (
                Column("policy", "Policy"),
                Column("ruling", "Ruling"),
                Column("turns", "Mean turns", "number", "turns", 2),
                Column("unresolved", "Unresolved, %", "percent", "chance", 2),
                Column("unresolved_95", "95 %", "interval", "interval", 2),
                Column("explained", "Deal explains, %", "percent", "explained", 1),
                Column("rank", "Order of warriors", "number", "rank correlation", 3),
                Column("rank_spells", "Order of spells", "number", "rank correlation", 3),
                Column("moved", "Moved most"),
            ),
            lengths,
            "Orders against those of the rulings as set; an order of close cards also moves by chance. Moved most: "
            "the card whose worth changes most, in points of win chance.",
        )
        rows, survive = [], []
        for title, weights in conclusions().items():
            row: dict[str, Any] = {"conclusion": title}
            verdicts = {}
            for (name, label), found in fits.items():
                estimate = found.worth(weights, 100 * found.slope)
                verdicts[name, label] = _verdict(estimate)
            base = fits[names[0], DEFAULT].worth(weights, 100 * fits[names[0], DEFAULT].slope)
            row |= {"gap": base.value, "gap_95": (base.low, base.high)}
            holds = [key for key, verdict in verdicts.items() if verdict == HOLDS]
            fails = [f"{label} ({name})" for (name, label), verdict in verdicts.items() if verdict == FAILS]
            unsure = [f"{label} ({name})" for (name, label), verdict in verdicts.items() if verdict == OPEN]
            row |= {"holds": f"{len(holds)} of {len(verdicts)}", "fails": ", ".join(fails), "open": ", ".join(unsure)}
            if len(holds) == len(verdicts):
                survive.append(title)
            rows.append(row)
        conclusions_table = Table(
            "conclusions",
            "Which conclusions survive",
            (
                Column("conclusion", "Conclusion"),
                Column("gap", "As set", "number", "conclusion", 1),
                Column("gap_95", "95 %", "interval", "interval", 1),
                Column("holds", "Holds in"),
                Column("fails", "Turns round under"),
                Column("open", "Open under"),
            ),
            rows,
            "Holds: the whole 95 % interval is above 0. Turns round: it is below. Open: it contains 0.",
        )
        answer = (
            f"{len(survive)} of {len(rows)} conclusions hold under every ruling and policy: {'; '.join(survive)}."
            if survive
            else f"None of {len(rows)} conclusions holds under every ruling and policy."
        )
        return Findings(
            answer=answer,
            sections=[
                Section("conclusions-section", "Conclusions", "", (conclusions_table,)),
                Section("tornado-section", "Ruling by ruling", "", (battles_table, _top_table(fits))),
            ],
            rulings=open_points("battle", experiment),
            assumed=assumed_points(),
            method=(
                f"{experiment.trials or TRIALS:,} battles a ruling and policy on the same deals and dice; one "
                "regression of all cards for each, as in ffc-values.",
            ),
            terms=glossary(),
            files={"tornado.csv": as_file(battles_table), "conclusions.csv": as_file(conclusions_table)},
            checks={
                "both seats are worth the same in every scenario": all(
                    abs(f.seat.value) < 5 * f.seat.half_width / 1.96 for f in fits.values()
                )
            },
        )


def conclusions() -> dict[str, Any]:
    """Statements that are a difference of worths above 0, as weights of the regression."""
    men = [w.name for w in warriors().values()]
    casters = [w.name for w in warriors().values() if w.spells > 1]
    held = sum(w.spells for w in warriors().values() if w.spells > 1) / len(casters)
    weapons = [t.name for t in terms() if t.deck == "weapon"]
    heavy = [a.name for a in armor().values() if a.type == "full" and a.armor >= 3]
    light = [a.name for a in armor().values() if a.type == "full" and a.armor == 1]
    burning = ("Fireball", "Lightning Bolt")
    spells = [t.name for t in terms() if t.deck == "spell" and t.name not in burning]

    def above(deck: str, one: Sequence[str], other: Sequence[str]) -> Any:
        return mean_of(deck, one) - mean_of(deck, other)

    return {
        "the Elf is worth more than the mean warrior": above("warrior", ["Elf"], men),
        "the Elf is worth more than the Bugbear": above("warrior", ["Elf"], ["Bugbear"]),
        "the Bugbear is worth more than the Ogre": above("warrior", ["Bugbear"], ["Ogre"]),
        "a Goblin is worth more than an Orc": above("warrior", ["Goblin"], ["Orc"]),
        "a Goblin is worth more than an Ogre": above("warrior", ["Goblin"], ["Ogre"]),
        "the Bandit is worth less than the mean warrior": above("warrior", men, ["Bandit"]),
        "casters of two spells or more are worth more than the mean warrior": above("warrior", casters, men)
        + held * mean_of("spell"),
        "missile weapons are worth more than others": above(
            "weapon", SHOOTERS, [w for w in weapons if w not in SHOOTERS]
        ),
        "the Heavy Crossbow is worth more than the Battle Axe": above("weapon", ["Heavy Crossbow"], ["Battle Axe"]),
        "heavy suits are worth more than light ones": above("armor", heavy, light),
        "damage spells of 2d6 are worth more than other spells": above("spell", burning, spells),
        "Shield Wall is worth more than the mean fight card": unit(place("fight card", "Shield Wall"))
        - mean_of("fight card"),
        "Magic Resist is worth more than the mean fight card": unit(place("fight card", "Magic Resist"))
        - mean_of("fight card"),
    }


def _verdict(estimate: Estimate) -> str:
    return HOLDS if estimate.low > 0 else FAILS if estimate.high < 0 else OPEN


def _rank(one: Fit, other: Fit, deck: str) -> float:
    from scipy.stats import spearmanr

    chosen = np.array([t.deck == deck for t in terms()])
    return float(spearmanr(one.beta[chosen], other.beta[chosen])[0])


def _moved(one: Fit, other: Fit) -> str:
    change = 100 * (other.beta * other.slope - one.beta * one.slope)
    if not np.any(change):
        return "–"
    k = int(np.argmax(np.abs(change)))
    return f"{terms()[k].name} {change[k]:+.1f}".replace("-", "−")


def _top_table(fits: Mapping[tuple[str, str], Fit]) -> Table:
    rows = []
    for (name, label), found in fits.items():
        row: dict[str, Any] = {"policy": name, "ruling": label}
        for deck, key in (("warrior", "warriors"), ("weapon", "weapons"), ("spell", "spells")):
            places = [k for k, t in enumerate(terms()) if t.deck == deck]
            places.sort(key=lambda k: -float(found.beta[k]))
            row[key] = ", ".join(terms()[k].name for k in places[:3])
        rows.append(row)
    columns = (
        Column("policy", "Policy"),
        Column("ruling", "Ruling"),
        Column("warriors", "Best warriors"),
        Column("weapons", "Best weapons"),
        Column("spells", "Best spells"),
    )
    return Table("best", "The best three", columns, rows, "By worth; close ones change places by chance.")
