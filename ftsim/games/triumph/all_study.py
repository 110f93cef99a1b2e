"""All battle cards on one page: the studies that an experiment includes, joined under a table of 37 cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ftsim.conditions import holds_for
from ftsim.estimates import Estimate, format_points
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment, included
from ftsim.experiments.study import Cell, Columns, Study
from ftsim.findings import Column, Findings, IntervalChart, Part, Section, Table
from ftsim.games.triumph.battle.equal_points_study import BattlePriceStudy
from ftsim.games.triumph.battle.price_tables import points_text
from ftsim.games.triumph.battle.regression_tables import column_for
from ftsim.games.triumph.card_pages import card_file, card_pages
from ftsim.games.triumph.cards import Card, cards
from ftsim.games.triumph.close_study import CloseCombatStudy
from ftsim.games.triumph.distance_study import DistanceStudy
from ftsim.games.triumph.duel_study import DuelStudy
from ftsim.games.triumph.glossary import terms
from ftsim.games.triumph.grids import ENGINE_VERSION
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.study_parts import CARD, FACTORS, HULL, IMPLIED, short
from ftsim.games.triumph.troop_types import PACKAGE

STUDIES: dict[str, type[CloseCombatStudy] | type[DistanceStudy] | type[DuelStudy] | type[BattlePriceStudy]] = {
    "battle": BattlePriceStudy,
    "close-combat": CloseCombatStudy,
    "ranged": DistanceStudy,
    "magic": DistanceStudy,
    "duel": DuelStudy,
}
NEEDS_BATTLE = "price: needs a battle"


class AllStudy:
    """Experiments of contest ``all``."""

    engine_version = ENGINE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """The cells of every included experiment."""
        return [
            replace(cell, key=f"{part.name} / {cell.key}")
            for part in included(experiment)
            for cell in _study(part).cells(part)
        ]

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """A table of all cards, then what each included experiment found."""
        own = {
            part.name: {
                key.removeprefix(f"{part.name} / "): columns
                for key, columns in results.items()
                if key.startswith(f"{part.name} / ")
            }
            for part in included(experiment)
        }
        moved = _readings(included(experiment))
        parts = {}
        for part in included(experiment):
            study = _study(part)
            if part in moved.values():
                continue  # it moves the prices of another
            if isinstance(study, BattlePriceStudy) and part.name in moved:
                readings = moved[part.name]
                parts[part.name] = (part, study.findings(part, own[part.name], (readings, own[readings.name])))
            else:
                parts[part.name] = (part, study.findings(part, own[part.name]))
        verdicts, battles = _verdicts(parts), _battles(parts)
        rows = [_row(card, verdicts, battles) for card in cards().values()]
        rows.sort(key=lambda row: (row["state"] == NEEDS_BATTLE, row["state"] == "figures"))
        missing = [(row["card"], str(row["state"])) for row in rows if row["state"] == NEEDS_BATTLE]
        overview = Table(
            "cards",
            "The 37 battle cards",
            (
                CARD,
                Column("ft", "FT"),
                Column("printed", "Printed"),
                FACTORS,
                IMPLIED,
                HULL,
                Column("state", "Line verdict", "verdict", "verdict"),
                *(
                    (
                        Column("battle", "Equal points, in battle"),
                        Column("regression", "Battle regression"),
                        Column("battle_state", "Battle verdict", "verdict", "battle verdict"),
                    )
                    if battles
                    else ()
                ),
                Column("where", "Where it is shown"),
            ),
            rows,
            "Three models side by side. The price line reads single close combats: cards that act at a distance or "
            "in a duel have exact figures there, and cards about movement, deployment, command or staying power no "
            "figures. Battles price them all. A card leads to its own page.",
            {card.name: card_file(card.name) for card in cards().values()},
        )
        charts = [
            chart
            for _, found in parts.values()
            for section in found.sections
            for chart in section.parts
            if isinstance(chart, IntervalChart)
        ]
        priced = sum(row["implied"] is not None for row in rows)
        figures = sum(row["state"] == "figures" for row in rows)
        joined = [Section("all-cards", "All cards", "", (*charts[:2], overview))]
        for part, found in parts.values():
            for section in found.sections:
                joined.append(_under(part, section))
        battle = next((found for part, found in parts.values() if part.contest == "battle"), None)
        close = next((found for part, found in parts.values() if part.contest == "close-combat"), None)
        return Findings(
            answer=battle.answer if battle else close.answer if close else f"{figures} cards have exact figures.",
            because=[
                *((*battle.because, close.answer) if battle and close else ()),
                *(close.because if close else ()),
                f"Of the {len(rows)} cards {priced} are priced from close combats, {figures} have exact figures, "
                + ("and all are priced in battles." if battle else f"and {len(missing)} need a battle."),
            ],
            sections=joined,
            missing=missing,
            rulings=list(dict.fromkeys(point for _, found in parts.values() for point in found.rulings)),
            assumed=list(dict.fromkeys(point for _, found in parts.values() for point in found.assumed)),
            method=list(dict.fromkeys(text for _, found in parts.values() for text in found.method)),
            terms=terms(),
            files={
                **{
                    name if name == "prices.csv" and part.contest != "battle" else f"{part.name}-{name}": table
                    for part, found in parts.values()
                    for name, table in found.files.items()
                },
                "cards.csv": _file(rows),
            },
            checks={
                f"{part.title}: {name}": holds
                for part, found in parts.values()
                for name, holds in found.checks.items()
            },
            pages=card_pages(overview, parts),
        )


def _readings(parts: Sequence[Experiment]) -> dict[str, Experiment]:
    """By the name of an experiment on prices in battle: one on other readings of the rules, of the same trials."""
    battles = [part for part in parts if part.contest == "battle"]
    found: dict[str, Experiment] = {}
    for part in battles:
        for other in battles:
            if not part.rulings.sweep and other.rulings.sweep and _trials_of(part) == _trials_of(other):
                found.setdefault(part.name, other)
    return found


def _trials_of(part: Experiment) -> tuple[object, ...]:
    """What makes the trials of a card: cards, seed, rulings as set, board and opponents."""
    where = (part.options.get(name) for name in ("topography", "opponents"))
    return (part.sweep.get("card"), part.seed, part.rulings.set, *where)


def _study(experiment: Experiment) -> Study:
    return STUDIES[experiment.contest]()


def _under(part: Experiment, section: Section) -> Section:
    """A section of an included experiment, with identifiers that stay unique on the page."""
    renamed: list[Part] = [
        replace(p, id=f"{part.name}-{p.id}") for p in section.parts if not isinstance(p, IntervalChart)
    ]
    return Section(f"{part.name}-{section.id}", section.title, section.text, renamed, part.title)


def _verdicts(parts: Mapping[str, tuple[Experiment, Findings]]) -> dict[str, Mapping[str, Any]]:
    """The verdict row of each priced card, by its name without options."""
    found = {}
    for _, findings in parts.values():
        for section in findings.sections:
            for table in section.parts:
                if isinstance(table, Table) and table.id == "verdicts":
                    found.update({short(str(row["card"])): row for row in table.rows})
    return found


Battles = Mapping[str, Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]]


def _battles(parts: Mapping[str, tuple[Experiment, Findings]]) -> Battles:
    """What battles say of each card: its options, the row of the verdict table and that of the regression."""
    found: dict[str, list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]] = {}
    for part, findings in parts.values():
        if part.contest != "battle":
            continue
        tables = {t.id: t for section in findings.sections for t in section.parts if isinstance(t, Table)}
        fitted = {str(row["card"]): row for row in tables["regression"].rows} if "regression" in tables else {}
        head = tables["battle-verdicts"].columns[2].key
        for row in tables["battle-verdicts"].rows:
            text = str(row["card"])
            name, _, options = text.removeprefix("Hero + ").partition(": ")
            priced = {"policy": head, "value": row[head], "interval": row[f"{head}_interval"], **row}
            column = column_for(text, fitted)
            found.setdefault(name, []).append((options, priced, fitted[column] if column else {}))
    return found


def _told(options: str, text: str) -> str:
    return f"{options}: {text}" if options else text


def _points(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None or interval is None:
        return "no price"
    return points_text(Estimate(value, *interval))


def _row(card: Card, verdicts: Mapping[str, Mapping[str, Any]], battles: Battles) -> dict[str, Any]:
    row: dict[str, Any] = {"card": card.name, "ft": str(card.ft), "printed": price_text(card)}
    known_in_battle = battles.get(card.name, [])
    row["battle"] = "; ".join(_told(o, _points(r["value"], r["interval"])) for o, r, _ in known_in_battle)
    row["regression"] = "; ".join(
        _told(o, _points(f.get(r["policy"]), f.get(f"{r['policy']}_interval"))) for o, r, f in known_in_battle if f
    )
    row["battle_state"] = "; ".join(_told(o, str(r["verdict"])) for o, r, _ in known_in_battle)
    if card.name in verdicts:
        known = verdicts[card.name]
        row |= {key: known[key] for key in ("factors", "implied", "hull")}
        row |= {"state": known["verdict"], "where": "close combat"}
    elif card.modelled == "close-combat":
        row |= {"factors": None, "implied": None, "hull": None, "state": "not in this report", "where": ""}
    elif card.modelled == "battle":
        state = "not in close combat" if known_in_battle else NEEDS_BATTLE
        row |= {"factors": None, "implied": None, "hull": None, "state": state, "where": ""}
    else:
        where = {"ranged": "ranged combat", "magic": "magic", "duel": "duels"}[card.modelled]
        row |= {"factors": None, "implied": None, "hull": None, "state": "figures", "where": where}
    if known_in_battle:
        row["where"] = ", ".join(part for part in (str(row["where"]), "battle") if part)
    return row


def price_text(card: Card) -> str:
    """Printed prices of a card: the usual one, and for whom it differs."""
    usual: dict[tuple[str, str], str] = {}
    others: dict[tuple[str, str], list[str]] = {}
    settings = TriumphRulings().settings()
    for price in card.prices:
        if not holds_for(settings, price.ruling):
            continue
        key = (price.variant, "hero" if price.buyer == "hero" and card.for_stands else "")
        points = format_points(float(price.points))
        if price.when.names:
            names = ", ".join(name.replace("_", " ").title() for name in sorted(price.when.names))
            others.setdefault(key, []).append(f"{points} for {names}")
        else:
            usual[key] = points
    texts = []
    for (variant, buyer), points in usual.items():
        words = " ".join(word for word in (variant, buyer) if word)
        exceptions = f" ({'; '.join(others[variant, buyer])})" if (variant, buyer) in others else ""
        texts.append(f"{words} {points}{exceptions}".strip())
    return ", ".join(texts)


def _file(rows: Sequence[Mapping[str, Any]]) -> Table:
    flat = [
        {
            **row,
            "hull_low": row["hull"][0] if row["hull"] else None,
            "hull_high": row["hull"][1] if row["hull"] else None,
        }
        for row in rows
    ]
    columns = (
        CARD,
        Column("ft", "ft"),
        Column("printed", "printed"),
        Column("factors", "factors", "number", "factors", 4),
        Column("implied", "implied", "number", "implied", 4),
        Column("hull_low", "hull_low", "number", "hull", 4),
        Column("hull_high", "hull_high", "number", "hull", 4),
        Column("state", "state"),
        Column("battle", "battle"),
        Column("regression", "regression"),
        Column("battle_state", "battle_state"),
    )
    return Table("cards", "cards", columns, flat)
