"""The exact study: duels of all warriors, what a number is worth in them, and dominated cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, HeatMap, Section, Table
from ftsim.games.ffc.cards import PACKAGE, warriors, weapons
from ftsim.games.ffc.dominance import dominated_warriors, dominated_weapons, same_cards
from ftsim.games.ffc.duel import Duel
from ftsim.games.ffc.glossary import glossary
from ftsim.games.ffc.kit import Fighter
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.games.ffc.study_parts import DEFAULT, ENGINE_VERSION, open_points, ruling_scenarios

WEAPONS = ("Long Sword", "Spear", "Battle Axe", "Staff", "Dagger")
CHANGES = (
    ("hits", 1), ("hits", 2), ("hits", -1), ("dam", 1), ("dam", -1), ("skill", 1), ("skill", -1), ("dodge", 1),
    ("dodge", -1), ("speed", 1), ("reach", 1),
)  # fmt: skip
PIECES = ("Great Helm", "Studded", "Chain Mail", "Plate Mail", "Target Shield", "Round Shield", "Kite Shield")


def compute_duels(weapon: str, settings: Mapping[str, Any]) -> Columns:
    """Every warrior against every other with the same weapon, one row a pair."""
    rulings = FfcRulings(**settings)
    arm = weapons().find(weapon)
    fighters = [Fighter(man, (arm,)) for man in warriors().values()]
    n = len(fighters)
    columns: dict[str, Any] = {name: np.zeros(n * n) for name in ("a_wins", "b_wins", "both_die", "unresolved")}
    for i in range(n):
        for j in range(i, n):
            found = Duel(fighters[i], fighters[j], rulings=rulings).solve()
            for place, values in ((i * n + j, (found.a, found.b)), (j * n + i, (found.b, found.a))):
                columns["a_wins"][place], columns["b_wins"][place] = map(float, values)
                columns["both_die"][place] = float(found.both)
                columns["unresolved"][place] = float(found.unresolved)
    return columns


def compute_changes(settings: Mapping[str, Any]) -> Columns:
    """An Orc with a Long Sword and one change against one without; numerators and denominators as text."""
    rulings = FfcRulings(**settings)
    orc = Fighter.parse("Orc + Long Sword", rulings)
    chances = []
    for name, by in CHANGES:
        man = replace(orc.warrior, **{name: getattr(orc.warrior, name) + by})
        chances.append(Duel(replace(orc, warrior=man), orc, rulings=rulings).solve().a)
    for piece in PIECES:
        armed = Fighter.parse(f"Orc + Long Sword + {piece}", rulings)
        chances.append(Duel(armed, orc, rulings=rulings).solve().a)
    return {
        "p": np.array([float(p) for p in chances]),
        "fraction": np.array([f"{p.numerator}/{p.denominator}" for p in chances]),
    }


class DuelStudy:
    """Experiments on exact duels."""

    engine_version = ENGINE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """A round robin for each weapon and ruling, and the table of changes."""
        found = []
        for label, rulings in ruling_scenarios(experiment).items():
            settings = rulings.only(_read()).settings()
            for weapon in WEAPONS if label == DEFAULT else WEAPONS[:1]:
                arguments: dict[str, Any] = {"weapon": weapon, "settings": settings}
                found.append(_cell(f"{label} {weapon}", "duel", compute_duels, arguments))
        base = ruling_scenarios(experiment)[DEFAULT].only(_read()).settings()
        found.append(_cell("changes", "changes", compute_changes, {"settings": base}))
        return found

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Duel shares, changes and dominated cards."""
        names = [man.name for man in warriors().values()]
        shares = {key: _shares(columns) for key, columns in results.items() if key != "changes"}
        base = shares[f"{DEFAULT} {WEAPONS[0]}"]
        order = sorted(range(len(names)), key=lambda k: -base[k])
        robin = Table(
            "round-robin",
            "Duels won against the 19 others, all with the same weapon",
            (
                Column("warrior", "Warrior"),
                *(Column(_key(w), f"{w}, %", "percent", "duel share", 1) for w in WEAPONS),
            ),
            [{"warrior": names[k], **{_key(w): 100 * shares[f"{DEFAULT} {w}"][k] for w in WEAPONS}} for k in order],
            "Exact. A duel that can never end counts half to each.",
        )
        grid = np.asarray(results[f"{DEFAULT} {WEAPONS[0]}"]["a_wins"], dtype=np.float64).reshape(20, 20)
        never = np.asarray(results[f"{DEFAULT} {WEAPONS[0]}"]["unresolved"], dtype=np.float64).reshape(20, 20)
        heat = HeatMap(
            "duel-grid",
            "Chance to win a duel with Long Swords, %",
            [names[k] for k in order],
            [names[k] for k in order],
            [[100 * float(grid[i, j] + never[i, j] / 2) for j in order] for i in order],
            "per cent",
            50.0,
            0,
            "Row against column.",
        )
        changes = results["changes"]
        labels = [f"{name} {by:+d}".replace("-", "−") for name, by in CHANGES] + list(PIECES)
        table = Table(
            "changes",
            "One change on one of two Orcs with Long Swords",
            (
                Column("change", "Change"),
                Column("p", "He wins, %", "percent", "chance", 2),
                Column("fraction", "Exactly"),
            ),
            [
                {"change": label, "p": 100 * float(p), "fraction": str(f)}
                for label, p, f in zip(labels, changes["p"], changes["fraction"], strict=True)
            ],
            "Without the change each wins half.",
        )
        endless = sum(never[i, j] == 1 for i in range(20) for j in range(i, 20))
        sections = [
            Section("robin", "Who wins duels", "", (robin, heat)),
            Section("numbers", "What a number is worth", "", (table,)),
            _dominance(),
        ]
        sections += _varied(experiment, shares, names)
        top, last = names[order[0]], names[order[-1]]
        return Findings(
            answer=(
                f"With Long Swords all round {top} wins {100 * base[order[0]]:.1f} % of duels and {last} "
                f"{100 * base[order[-1]]:.1f} %; {endless} of 210 pairings, mirrors included, can never end."
            ),
            because=(
                "With skill 0 nobody can hit a Goblin, Kobold or Elf who parries: 4 or more is needed, the die "
                "shows at most 6, and dodge 2 and parry 1 take 3 off.",
            ),
            sections=sections,
            missing=[("spells, fight cards, two rows", "exact duels are one warrior a side; see ffc-values")],
            rulings=open_points("duel", experiment),
            method=(
                "An attack has 216 equally likely cells: hit, block and damage die. A duel goes down in hits "
                "only, so each state is solved in fractions from those below it; if nothing can happen it is "
                "unresolved.",
            ),
            terms=glossary(),
            files={"duels.csv": _file(names, grid, never), "shares.csv": replace(robin, id="shares")},
            checks={
                "wins and losses of every pair add up to 1": bool(
                    np.allclose(
                        sum(np.asarray(results[f"{DEFAULT} {WEAPONS[0]}"][k], dtype=np.float64) for k in _PARTS), 1
                    )
                ),
                "the shares of all warriors average one half": bool(abs(base.mean() - 0.5) < 1e-9),
                "a mirror duel is even": bool(np.allclose(np.diag(grid) + np.diag(never) / 2, 0.5)),
            },
        )


_PARTS = ("a_wins", "b_wins", "both_die", "unresolved")


def _read() -> tuple[str, ...]:
    from ftsim.games.ffc.rulings import DECLARED

    return DECLARED["duel"]


def _cell(key: str, kind: str, compute: Any, arguments: Mapping[str, Any]) -> Cell:
    return Cell(
        key,
        {"engine": ENGINE_VERSION, "contest": kind, "changes": list(map(list, CHANGES)), **arguments},
        compute,
        arguments,
    )


def _key(weapon: str) -> str:
    return weapon.lower().replace(" ", "_")


def _shares(columns: Columns) -> Any:
    wins = np.asarray(columns["a_wins"], dtype=np.float64).reshape(20, 20)
    level = np.asarray(columns["unresolved"], dtype=np.float64) + np.asarray(columns["both_die"], dtype=np.float64)
    total = wins + level.reshape(20, 20) / 2
    return (total.sum(1) - np.diag(total)) / 19


def _dominance() -> Section:
    same = Table(
        "same",
        "The same card under several names",
        (Column("deck", "Deck"), Column("cards", "Cards")),
        [{"deck": deck, "cards": " = ".join(group)} for deck, groups in same_cards().items() for group in groups],
    )
    tables = [same]
    for what, found in (("weapon", dominated_weapons()), ("warrior", dominated_warriors())):
        tables.append(
            Table(
                f"dominated-{what}s",
                f"Dominated {what}s",
                (Column("card", what.capitalize()), Column("by", "Never better than")),
                [{"card": name, "by": ", ".join(better)} for name, better in found.items()],
                "On no column better than the other card: damage, speed, reach, parry, hands, throws and range of "
                "weapons used in hand; all printed numbers, abilities and the armor ban of warriors.",
            )
        )
    return Section("dominance", "Cards that others make useless", "", tuple(tables))


def _varied(experiment: Experiment, shares: Mapping[str, Any], names: Sequence[str]) -> list[Section]:
    labels = [label for label in ruling_scenarios(experiment) if label != DEFAULT]
    if not labels:
        return []
    base = shares[f"{DEFAULT} {WEAPONS[0]}"]
    rows = [
        {
            "warrior": name,
            "default": 100 * base[k],
            **{label: 100 * shares[f"{label} {WEAPONS[0]}"][k] for label in labels},
        }
        for k, name in enumerate(names)
    ]
    columns = [Column("warrior", "Warrior"), Column("default", "As set, %", "percent", "duel share", 1)]
    columns += [Column(label, f"{label}, %", "percent", "duel share", 1) for label in labels]
    table = Table("rulings", "Duels won under other rulings", tuple(columns), rows, "All with Long Swords, exact.")
    return [Section("varied", "Other rulings", "", (table,))]


def _file(names: Sequence[str], grid: Any, never: Any) -> Table:
    rows = [
        {"a": a, "b": b, "a_wins": float(grid[i, j]), "unresolved": float(never[i, j])}
        for i, a in enumerate(names)
        for j, b in enumerate(names)
    ]
    return Table(
        "duels",
        "duels",
        (
            Column("a", "a"),
            Column("b", "b"),
            Column("a_wins", "a_wins", "number", "chance", 6),
            Column("unresolved", "unresolved", "number", "chance", 6),
        ),
        rows,
    )
