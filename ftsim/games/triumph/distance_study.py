"""Cards that act at a distance: exact figures over the field, points taken or saved by one attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from ftsim._typing import FloatArray
from ftsim.estimates import format_number
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, HeatMap, Lines, Part, Section, Table
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.glossary import terms
from ftsim.games.triumph.grids import ENGINE_VERSION, Counts, Grid, loss_weights
from ftsim.games.triumph.notation import eligible, read_card
from ftsim.games.triumph.places import Place, Situation
from ftsim.games.triumph.price_study import DEFAULT, card_price, field_weights, ruling_scenarios
from ftsim.games.triumph.ranged import CONTEST_OF, Attack, limited_casts
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.study_parts import CARD, PRINTED, assumed_points, open_points
from ftsim.games.triumph.troop_types import PACKAGE, TroopType, published_field, troop_types

#: Places of a target for which figures are given.
PLACES = {
    "front": Situation(),
    "from the rear": Situation(Place(), Place(attacked="rear")),
    "at the general": Situation(Place(), Place(general=True)),
}
TAKEN = Column("taken", "Points taken an attack", "number", "points taken", 3)
KILLS = Column("kills", "By kills only", "number", "kills", 3)
SAVED = Column("saved", "Points saved an attack", "number", "points saved", 3)
PAYS = Column("pays", "Attacks to pay back", "number", "attacks to pay back", 1)
RULED = Column("ruled", "Under other rulings", "interval", "range", 3)
#: Who makes an attack whose figures do not depend on it.
CASTER = "Heavy Foot"


@dataclass(frozen=True)
class Shot:
    """A grid of attacks, with the share of the shooters."""

    key: str
    grid: Grid


def attack_of(text: str) -> Attack | None:
    """The attack that a card gives, or None for a card that guards against attacks."""
    pick = read_card(text)
    if pick.card.id == "ranged_attack":
        return Attack("ranged_attack", pick.choices[0])
    if pick.card.id == "mindblast":
        return Attack("mindblast", "magical")
    if pick.card.id == "spellblast":
        return Attack("spellblast", pick.choices[1], limited=pick.choices[0] == "limited")
    return None


#: Attacks that each guarding card is tried against, by the name shown.
GUARDED = {
    "armored": {"shooting": Attack("shooting"), "Ranged Attack: physical": Attack("ranged_attack")},
    "flying": {"shooting": Attack("shooting")},
    "negate_magic": {
        "Mindblast": Attack("mindblast", "magical"),
        "Ranged Attack: magical": Attack("ranged_attack", "magical"),
        "Spellblast: unlimited, magical": Attack("spellblast", "magical"),
    },
}
MARKSMAN = "marksman"
#: Cards that these studies know.
KNOWN = ("ranged_attack", "mindblast", "spellblast", MARKSMAN, *GUARDED)


class DistanceStudy:
    """Experiments on shooting and magic."""

    engine_version = ENGINE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """One cell a ruling and an attack, with and without each card."""
        return [shot.grid.cell(shot.key) for shot in _shots(experiment)]

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Points taken and saved, by card."""
        counted = {shot.key: Counts.of(shot.grid, results[shot.key]) for shot in _shots(experiment)}
        figures = _Figures(experiment, counted)
        sections = [section for section in (figures.takers(), figures.savers()) if section]
        if any(read_card(text).card.id == "spellblast" for text in figures.names):
            sections.append(_casts(figures.base))
        contests = dict.fromkeys(shot.grid.contest for shot in _shots(experiment))
        return Findings(
            answer=figures.answer(),
            sections=sections,
            missing=[(name, "figures only: how often it is used needs a battle") for name in figures.names],
            rulings=[p for contest in contests for p in open_points(contest, figures.rulings)],
            assumed=[p for contest in contests for p in assumed_points(contest, figures.base)],
            method=(
                "Every attack is counted over all 36 dice pairs against every type, at the front, from the rear "
                "and at a general’s stand. Nothing is sampled.",
                "Points taken are the target’s cost times the loss of its fate (destroyed 1; driven off less), "
                "averaged over the field. They compare attacks with each other; a price needs a battle, which "
                "tells how many attacks there are.",
            ),
            terms=terms(),
            files={"figures.csv": figures.file()},
            checks={
                "results and fates sum to all dice in every matchup": all(c.identities() for c in counted.values())
            },
        )


def _names(experiment: Experiment) -> list[str]:
    given = experiment.sweep["card"]
    return [str(read_card(str(text))) for text in ([given] if isinstance(given, str) else given)]


def _shots(experiment: Experiment) -> Iterator[Shot]:
    for label, rulings in ruling_scenarios(experiment).items():
        types = list(troop_types(rulings).values())
        everyone = tuple(t.name for t in types)
        shooters = tuple(t.name for t in types if t.shooting)

        def shot(name: str, attack: Attack, a: Sequence[str], b: Sequence[str]) -> Shot:
            grid = Grid(
                CONTEST_OF[attack.kind],
                tuple(a),
                tuple(b),
                tuple(PLACES.values()),
                rulings,  # noqa: B023
                attack,
            )
            return Shot(f"{label} | {name}", grid)  # noqa: B023

        seen: set[str] = set()
        for text in _names(experiment):
            card = read_card(text).card.id
            attack = attack_of(text)
            if attack is not None:
                yield shot(f"{text} at all", attack, [CASTER], everyone)
            elif card == MARKSMAN:
                yield shot("shooting at all", Attack("shooting"), shooters, everyone)
                with_card = [f"{name} + {text}" for name in shooters]
                yield shot(f"shooting with {text} at all", Attack("shooting"), with_card, everyone)
            else:
                bearers = [t.name for t in _bearers(text, rulings)]
                for name, way in GUARDED[card].items():
                    who = shooters if way.kind == "shooting" else (CASTER,)
                    if f"{name} at plain" not in seen:
                        seen.add(f"{name} at plain")
                        yield shot(f"{name} at plain", way, who, everyone)
                    yield shot(f"{name} at {text}", way, who, [f"{b} + {text}" for b in bearers])


def _bearers(text: str, rulings: TriumphRulings) -> list[TroopType]:
    pick = read_card(text)
    return [t for t in troop_types(rulings).values() if eligible(t, pick.card, pick.choices, rulings)]


class _Figures:
    """Numbers of one experiment, from its counted cells."""

    def __init__(self, experiment: Experiment, counted: Mapping[str, Counts]) -> None:
        self.experiment = experiment
        self.counted = counted
        self.names = _names(experiment)
        self.rulings = ruling_scenarios(experiment)
        self.base = self.rulings[DEFAULT]
        self.weights = loss_weights()[experiment.loss_weights]
        self.kills = loss_weights()["kills only"]

    def field(self) -> FloatArray:
        return field_weights(self.experiment.field)

    def shooter_shares(self, rulings: TriumphRulings) -> FloatArray:
        """How often each shooting type is met among those that shoot."""
        shares = np.array([published_field()[t.id] for t in troop_types(rulings).values() if t.shooting])
        return np.asarray(shares / shares.sum())

    def loss(self, key: str, weights: FloatArray) -> FloatArray:
        """Loss of the target by one attack, shape (places, shooters, targets)."""
        return self.counted[key].losses(weights)[1]

    def costs(self, rulings: TriumphRulings) -> FloatArray:
        return np.array([t.cost for t in troop_types(rulings).values()], dtype=np.float64)

    def taken(self, label: str, name: str, place: int, weights: FloatArray, shooter: int = 0) -> float:
        """Points that one attack takes on average from the field."""
        loss = self.loss(f"{label} | {name}", weights)[place, shooter]
        return float(self.field() @ (loss * self.costs(self.rulings[label])))

    def varied(self, value: Any) -> tuple[float, float] | None:
        """Least and greatest of a figure over the rulings that are swept."""
        values = [value(label) for label in self.rulings]
        return (min(values), max(values)) if len(values) > 1 else None

    def taker_rows(self) -> list[dict[str, Any]]:
        rows = []
        for text in self.names:
            pick = read_card(text)
            if attack_of(text) is not None:
                name = f"{text} at all"
                printed = float(pick.card.price(pick.choices, "stand", {"foot"}, self.base).points)
                for k, place in enumerate(PLACES):
                    taken = self.taken(DEFAULT, name, k, self.weights)
                    rows.append(
                        {
                            "card": text,
                            "bearer": "any",
                            "place": place,
                            "printed": printed,
                            "taken": taken,
                            "kills": self.taken(DEFAULT, name, k, self.kills),
                            "pays": printed / taken if taken > 0 else inf,
                            "ruled": self.varied(lambda label, n=name, p=k: self.taken(label, n, p, self.weights)),
                        }
                    )
            elif pick.card.id == MARKSMAN:
                rows += self._marksman_rows(text)
        return rows

    def _marksman_rows(self, text: str) -> Iterator[dict[str, Any]]:
        shooters = [t for t in troop_types(self.base).values() if t.shooting]
        name = f"shooting with {text} at all"
        for j, t in enumerate(shooters):
            for k, place in enumerate(PLACES):

                def gain(label: str, weights: FloatArray = self.weights, k: int = k, j: int = j) -> float:
                    more = self.taken(label, name, k, weights, j)
                    return more - self.taken(label, "shooting at all", k, weights, j)

                taken = gain(DEFAULT)
                printed = float(card_price(t, read_card(text), self.base))
                yield {
                    "card": text,
                    "bearer": t.name,
                    "place": place,
                    "printed": printed,
                    "taken": taken,
                    "kills": gain(DEFAULT, self.kills),
                    "pays": printed / taken if taken > 0 else inf,
                    "ruled": self.varied(gain),
                }

    def takers(self) -> Section | None:
        rows = self.taker_rows()
        if not rows:
            return None
        table = Table(
            "takers",
            "What one attack takes",
            (
                CARD,
                Column("bearer", "Bearer"),
                Column("place", "Target"),
                PRINTED,
                TAKEN,
                KILLS,
                PAYS,
                RULED,
            ),
            rows,
            "Exact, mean over the field. Marksman: what it adds to a shot.",
        )
        return Section("takers-section", "Attacks", "", (table, *self._by_target()))

    def _by_target(self) -> list[Part]:
        names = [text for text in self.names if attack_of(text) is not None]
        if not names:
            return []
        types = list(troop_types(self.base).values())
        costs = self.costs(self.base)
        values = [
            [float(x) for x in self.loss(f"{DEFAULT} | {text} at all", self.weights)[0, 0] * costs] for text in names
        ]
        return [
            HeatMap(
                "by-target",
                "Points taken by target",
                names,
                [t.name for t in types],
                values,
                "points an attack",
                None,
                2,
                "At the front.",
            )
        ]

    def saver_rows(self) -> list[dict[str, Any]]:
        rows = []
        for text in self.names:
            pick = read_card(text)
            if pick.card.id not in GUARDED:
                continue
            bearers = _bearers(text, self.base)
            shares = self.field()[[list(troop_types(self.base)).index(t.id) for t in bearers]]
            shares = shares / shares.sum()
            printed = float(np.average([float(card_price(t, pick, self.base)) for t in bearers], weights=shares))
            for name in GUARDED[pick.card.id]:

                def saved(
                    label: str, weights: FloatArray = self.weights, name: str = name, text: str = text
                ) -> float:
                    return float(self._saved(label, name, text, weights).mean_over_field)

                by_bearer = self._saved(DEFAULT, name, text, self.weights)
                best = bearers[int(np.argmax(by_bearer.each))]
                amount = saved(DEFAULT)
                rows.append(
                    {
                        "card": text,
                        "against": name,
                        "printed": printed,
                        "saved": amount,
                        "kills": saved(DEFAULT, self.kills),
                        "pays": printed / amount if amount > 1e-12 else inf,
                        "ruled": self.varied(saved),
                        "best": f"{best.name} {format_number(float(by_bearer.each.max()), 0.5)}",
                    }
                )
        return rows

    def _saved(self, label: str, name: str, text: str, weights: FloatArray) -> _Saved:
        rulings = self.rulings[label]
        types = list(troop_types(rulings).values())
        bearers = _bearers(text, rulings)
        at = [types.index(t) for t in bearers]
        plain = self.loss(f"{label} | {name} at plain", weights)[0]
        guarded = self.loss(f"{label} | {name} at {text}", weights)[0]
        shares = self.shooter_shares(rulings) if plain.shape[0] > 1 else np.ones(1)
        each = (shares @ plain)[at] - shares @ guarded
        each = each * self.costs(rulings)[at]
        field = self.field()[at]
        return _Saved(each, float(each @ field / field.sum()))

    def savers(self) -> Section | None:
        rows = self.saver_rows()
        if not rows:
            return None
        table = Table(
            "savers",
            "What one attack no longer takes from the bearer",
            (
                CARD,
                Column("against", "Against"),
                PRINTED,
                SAVED,
                KILLS,
                PAYS,
                RULED,
                Column("best", "Most saved on"),
            ),
            rows,
            "Exact, mean over the bearers by how often they are fielded. Negative: the card costs points here.",
        )
        return Section("savers-section", "Protection", "", (table,))

    def answer(self) -> str:
        takers = [row for row in self.taker_rows() if row["place"] == "front"]
        parts = []
        attacks = [row for row in takers if attack_of(row["card"]) is not None]
        if attacks:
            best = min(attacks, key=lambda row: row["pays"])
            worst = max(attacks, key=lambda row: row["pays"])
            parts.append(
                f"{best['card']} pays its {best['printed']:g} points back after {best['pays']:.1f} attacks at the "
                f"field’s front"
                + (
                    f", {worst['card']} its {worst['printed']:g} after {worst['pays']:.1f}"
                    if worst is not best
                    else ""
                )
            )
        saved = [row for row in self.saver_rows() if row["saved"] > 0]
        if saved:
            most = min(saved, key=lambda row: row["pays"])
            parts.append(
                f"{most['card']} is earned back soonest against {most['against']}: after {most['pays']:.1f} attacks"
            )
        return (
            "; ".join(parts)
            + ". These are exact figures of single attacks, not prices: a battle decides how many there are."
        )

    def file(self) -> Table:
        rows = [{**row, "kind": "taken", "points": row["taken"]} for row in self.taker_rows()]
        rows += [{**row, "kind": "saved", "points": row["saved"]} for row in self.saver_rows()]
        for row in rows:
            row["pays"] = None if row["pays"] == inf else row["pays"]
        columns = (
            CARD,
            Column("kind", "kind"),
            Column("bearer", "bearer"),
            Column("against", "against"),
            Column("place", "place"),
            Column("printed", "printed", "number", "printed", 4),
            Column("points", "points", "number", "points taken", 6),
            Column("kills", "kills", "number", "kills", 6),
            Column("pays", "pays", "number", "attacks to pay back", 4),
        )
        return Table("figures", "figures", columns, rows)


@dataclass(frozen=True, eq=False)
class _Saved:
    each: FloatArray
    mean_over_field: float


def _casts(rulings: TriumphRulings) -> Section:
    turns = list(range(1, 13))
    casts = [limited_casts(n) for n in turns]
    rows = [{"turns": str(c.turns), "expected": float(c.expected), "spent": 100 * float(c.spent)} for c in casts]
    card = cards()["spellblast"]
    prices = {price.variant: float(price.points) for price in card.prices}
    return Section(
        "casts-section",
        "How long a limited Spellblast lasts",
        f"Limited costs {prices['limited']:g}, unlimited {prices['unlimited']:g} points. Cast every turn, the "
        f"limited one gives {float(limited_casts(rulings.command_rolls).expected):.2f} casts in "
        f"{rulings.command_rolls} turns.",
        (
            Table(
                "casts",
                "Casts of a limited Spellblast, exact",
                (
                    Column("turns", "Own turns"),
                    Column("expected", "Expected casts", "number", "expected casts"),
                    Column("spent", "Spent by then, %", "percent", "chance", 1),
                ),
                rows,
            ),
            Lines(
                "casts-chart",
                "Expected casts",
                "own turns",
                "casts",
                [float(n) for n in turns],
                {"limited": [float(c.expected) for c in casts], "unlimited": [float(n) for n in turns]},
            ),
        ),
    )
