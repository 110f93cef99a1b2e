"""A page for each battle card: its rows of every table and chart of a joined report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ftsim.experiments.schema import Experiment
from ftsim.findings import Findings, IntervalChart, Leaf, Part, Section, Table
from ftsim.games.triumph.cards import Card, cards
from ftsim.games.triumph.glossary import terms


def card_name(text: str) -> str:
    """The name of a card, from its notation or from that of a hero who has it."""
    return text.removeprefix("Hero + ").partition(":")[0]


def card_file(name: str) -> str:
    """The file name of a card's page."""
    return "card-" + "".join(c if c.isalnum() else "-" for c in name.lower()) + ".html"


def card_pages(overview: Table, parts: Mapping[str, tuple[Experiment, Findings]]) -> dict[str, Leaf]:
    """Pages by file name, a page a card.

    Parameters
    ----------
    overview : Table
        A row a card, the models side by side.
    parts : mapping of str to (Experiment, Findings)
        What each joined experiment found.
    """
    rows = {str(row["card"]): row for row in overview.rows}
    return {card_file(card.name): _page(card, replace(overview, rows=[rows[card.name]], links={}), parts)
            for card in cards().values()}  # fmt: skip


def _page(card: Card, overview: Table, parts: Mapping[str, tuple[Experiment, Findings]]) -> Leaf:
    sections = [Section("models", "The models side by side", "", (replace(overview, title=card.name, note=""),))]
    for part, found in parts.values():
        for section in found.sections:
            kept = [mine for p in section.parts if (mine := _of_card(p, card.name, part.name)) is not None]
            if kept:
                sections.append(Section(f"{part.name}-{section.id}", section.title, section.text, kept, part.title))
    used = {
        column.term
        for section in sections
        for p in section.parts
        if isinstance(p, Table)
        for column in p.columns
        if column.term
    }
    decided = _decided(card.name, parts)
    return Leaf(
        f"{card.name} (FT {card.ft})",
        f"What is {card.name} worth, and is its printed price right? Printed: {overview.rows[0]['printed']}.",
        Findings(
            answer=decided[0] if decided else f"{card.name}: {overview.rows[0]['state']}.",
            because=decided[1:],
            sections=sections,
            terms=[term for term in terms() if term.name in used],
        ),
    )


def _of_card(part: Part, name: str, prefix: str) -> Part | None:
    """A table or chart with the rows of one card, or None if it has none."""
    if isinstance(part, Table) and part.columns[0].key == "card":
        rows = [row for row in part.rows if card_name(str(row["card"])) == name]
        return replace(part, id=f"{prefix}-{part.id}", rows=rows, links={}) if rows else None
    if isinstance(part, IntervalChart):
        lines = [line for line in part.lines if card_name(line.label) == name]
        return replace(part, id=f"{prefix}-{part.id}", lines=lines) if lines else None
    return None


def _decided(name: str, parts: Mapping[str, tuple[Experiment, Findings]]) -> list[str]:
    """Verdicts of every model in sentences, battles first."""
    found: list[str] = []
    for part, findings in sorted(parts.values(), key=lambda pair: pair[0].contest != "battle"):
        for row in _verdict_rows(findings):
            if card_name(str(row["card"])) == name and row.get("decides"):
                where = "In battle" if part.contest == "battle" else "In close combat"
                found.append(f"{where}, {row['card']}: {row['verdict']}. {row['decides']}")
    return found


def _verdict_rows(findings: Findings) -> Sequence[Mapping[str, Any]]:
    return [
        row
        for section in findings.sections
        for p in section.parts
        if isinstance(p, Table) and p.id in ("verdicts", "battle-verdicts")
        for row in p.rows
    ]
