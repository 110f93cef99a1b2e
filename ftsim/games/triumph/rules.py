"""The tables of combat rules, compiled for some rulings: factors, adjustments, results, pursuit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from ftsim.catalog import Row, read_table
from ftsim.conditions import Condition, RuleRow, RuleTable, Vocabulary, holds_for
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.games.triumph.troop_types import PACKAGE

#: What can happen to a side (Triumph! 75-84); codes of the result table.
FATES = ("destroyed", "panics", "evades", "falls_back", "goes_away", "stands")
CONTESTS = ("close-combat", "ranged", "mindblast", "spellblast")

_COLUMNS = {
    "factors.csv": "row,contest,side,own,enemy,situation,value,ruling,source,basis",
    "adjustments.csv": "row,contest,own,situation,value,ruling,source,basis",
    "results.csv": "row,contest,own,enemy,situation,result,ruling,source,basis",
    "pursuit.csv": "row,own,enemy,situation,pursues,ruling,source,basis",
}


@dataclass(frozen=True)
class Adjustment:
    """A change to a side's total after the first comparison."""

    row: RuleRow
    won: bool


@dataclass(frozen=True, eq=False)
class RuleTables:
    """The rows in force for one contest.

    Parameters
    ----------
    factors : mapping of str to RuleTable
        Tactical factors of ``a`` and ``b`` (attacker and target at a distance).
    adjustments : tuple of Adjustment
        Changes for the winner or the loser of the first comparison; at a distance both sides have them.
    results : RuleTable
        Fate of the loser.
    pursuit : RuleTable
        Whether the winner pursues, 1 or 0.
    """

    factors: Mapping[str, RuleTable]
    adjustments: tuple[Adjustment, ...]
    results: RuleTable
    pursuit: RuleTable


def rule_tables(contest: str, rulings: TriumphRulings) -> RuleTables:
    """The rows in force for a contest under the rulings it declares.

    Raises
    ------
    UnknownNameError
        If there is no such contest.
    """
    if contest not in CONTESTS:
        raise UnknownNameError("contest", contest, CONTESTS)
    return _rule_tables(contest, rulings.only(DECLARED[contest]))


@lru_cache(maxsize=256)
def _rule_tables(contest: str, rulings: TriumphRulings) -> RuleTables:
    settings = rulings.settings()
    traits, situations = vocabularies()

    def chosen(name: str) -> list[Row]:
        return [
            row
            for row in _rows(name)
            if contest in row.get("contest", contest).split("|") and holds_for(settings, row["ruling"])
        ]

    def compiled(rows: list[RuleRow]) -> RuleTable:
        return RuleTable(tuple(rows), traits, situations)

    factors: dict[str, list[RuleRow]] = {"a": [], "b": []}
    for row in chosen("factors.csv"):
        value = _value(row, settings)
        for side in {"both": "ab", "attacker": "a", "target": "b"}[row["side"]]:
            factors[side].append(_rule(row, value))
    adjustments = tuple(
        Adjustment(_rule(row, _value(row, settings)), row["situation"] == "won") for row in chosen("adjustments.csv")
    )
    results = [_rule(row, _code(row, "result", FATES)) for row in chosen("results.csv")]
    return RuleTables(
        {side: compiled(rows) for side, rows in factors.items()},
        adjustments,
        compiled([row for one in results for row in (*_blocked(one), one)]),
        compiled([_rule(row, _code(row, "pursues", ("no", "yes"))) for row in chosen("pursuit.csv")]),
    )


def _blocked(row: RuleRow) -> Iterator[RuleRow]:
    """What a row that evades or panics becomes when the way back is blocked.

    Both begin with a fall back (Triumph! 83.1, 84.1), which a Massive stand is never denied
    (FT 43.1), which sends an open order flyer Away (FT 10.5), and which destroys all others.
    """
    if FATES[row.value] not in ("panics", "evades"):
        return
    where = replace(row.situation, every=row.situation.every | {"blocked"})
    common = row.own.none | {"massive"}
    flyer = replace(row.own, every=row.own.every | {"flying", "open_order"}, none=common)
    yield replace(row, name=f"{row.name}: flyer blocked", own=flyer, situation=where, value=FATES.index("goes_away"))
    other = replace(row.own, none=common)
    yield replace(row, name=f"{row.name}: blocked", own=other, situation=where, value=FATES.index("destroyed"))


@lru_cache(maxsize=1)
def vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """Bits of stands and of situations: every name that some row mentions."""
    traits: dict[str, None] = {}
    situations: dict[str, None] = {}
    for name in _COLUMNS:
        for row in _rows(name):
            for column, names in (("own", traits), ("enemy", traits), ("situation", situations)):
                names.update(dict.fromkeys(sorted(Condition.parse(row.get(column, "")).names)))
    return Vocabulary("trait", list(traits)), Vocabulary("situation", list(situations))


@cache
def _rows(name: str) -> tuple[Row, ...]:
    return read_table(PACKAGE, name, _COLUMNS[name].split(","))


def _rule(row: Row, value: int) -> RuleRow:
    situation = "" if row["situation"] in ("won", "lost") else row["situation"]
    return RuleRow(
        row["row"],
        Condition.parse(row["own"]),
        Condition.parse(row.get("enemy", "")),
        Condition.parse(situation),
        value,
        row.source,
    )


def _value(row: Row, settings: Mapping[str, object]) -> int:
    if not row["value"].startswith("$"):
        return row.integer("value")
    value = settings.get(row["value"][1:])
    if not isinstance(value, int):
        raise row.error("value", "a whole number or $ and the name of a whole-number ruling")
    return value


def _code(row: Row, column: str, accepted: tuple[str, ...]) -> int:
    if row[column] not in accepted:
        raise row.error(column, ", ".join(accepted))
    return accepted.index(row[column])


def assumed_rows(contest: str, rulings: TriumphRulings) -> list[RuleRow]:
    """The rows in force for a contest whose basis is an assumption."""
    tables = rule_tables(contest, rulings)
    rows = [*tables.factors["a"].rows, *tables.factors["b"].rows, *tables.results.rows]
    if contest == "close-combat":
        rows += tables.pursuit.rows
    rows += [adjustment.row for adjustment in tables.adjustments]
    unique = {(row.name, row.source.text): row for row in rows if row.source.basis == "assumed"}
    return list(unique.values())


def check_rules() -> None:
    """Read every table under default rulings, so that a broken file is found at once.

    Raises
    ------
    InputError
        If a table cannot be read.
    """
    for contest in CONTESTS:
        if not rule_tables(contest, TriumphRulings()).results.rows:
            raise InputError(f"No results for {contest}")
