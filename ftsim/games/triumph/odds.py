"""Answers for ``ftsim odds triumph …``: exact by default, sampled on request, in one fixed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ftsim._typing import IntArray
from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.estimates import format_number, proportion
from ftsim.games.triumph import duels
from ftsim.games.triumph.combat import RESULTS, CloseCombat, Matchups, fate_codes, loser_first, pursuit_codes, resolve
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.places import SideArray, Situation, read_side
from ftsim.games.triumph.ranged import (
    KINDS,
    Attack,
    RangedAttack,
    attacks,
    best_attack,
    limited_casts,
    read_target,
)
from ftsim.games.triumph.rules import FATES, rule_tables, vocabularies
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.ruleset import Answer
from ftsim.streams import generator
from ftsim.trials import every_face, sampled_faces, tally


@dataclass(frozen=True)
class Tally:
    """How often each pair of faces counts: once each, or as often as it was rolled."""

    times: IntArray
    total: int
    exact: bool

    @classmethod
    def of(cls, dice: Dice, trials: int | None, seed: int, scenario: Mapping[str, Any]) -> Tally:
        """All faces, or a sample addressed by the seed and the question."""
        if trials is None:
            return cls(every_face(dice), dice.cells, True)
        return cls(sampled_faces(dice, trials, generator(seed, scenario)), trials, False)

    def chance(self, count: int) -> dict[str, Any]:
        """A chance in the fixed form: with a fraction when exact, with an interval when sampled."""
        if self.exact:
            from fractions import Fraction

            share = Fraction(count, self.total)
            return {"p": float(share), "fraction": f"{share.numerator}/{share.denominator}"}
        estimate = proportion(count, self.total)
        return {"p": estimate.value, "low": estimate.low, "high": estimate.high}

    def chances(self, labels: tuple[str, ...], codes: IntArray) -> dict[str, Any]:
        """The chance of each label."""
        counts = tally(codes, self.times, len(labels))
        return {label: self.chance(int(n)) for label, n in zip(labels, counts, strict=True)}


def _text(entry: Mapping[str, Any]) -> str:
    if "fraction" in entry:
        return f"{100 * entry['p']:6.2f} %   {entry['fraction'].removesuffix('/1')}"
    half = max(entry["high"] - entry["p"], entry["p"] - entry["low"])
    p, low, high = (format_number(100 * entry[k], error=100 * half) for k in ("p", "low", "high"))
    return f"{p:>6} %   [{low}, {high}]"


def _rows(data: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    words = ("A doubled", "A beaten", "tie", "B beaten", "B doubled")
    rows = [("result", label, _text(entry)) for label, entry in zip(words, data["result"].values(), strict=True)]
    for side in ("a", "b"):
        for fate, entry in data["fate"][side].items():
            if entry["p"] > 0:
                rows.append((f"fate of {side.upper()}", fate.replace("_", " "), _text(entry)))
    return rows


def _combat_data(
    counted: Tally, results: IntArray, fates: tuple[IntArray, IntArray], pursuits: tuple[IntArray, IntArray]
) -> dict[str, Any]:
    fate = {}
    for side, codes, chase in zip("ab", fates, pursuits, strict=True):
        fate[side] = counted.chances(FATES, codes)
        fate[side]["pursues"] = counted.chance(int(np.sum(counted.times * chase)))
    return {"exact": counted.exact, "result": counted.chances(RESULTS, results), "fate": fate}


def close_combat(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """Close combat of two stands, or of a stand and a camp."""
    decided = TriumphRulings.parse(rulings)
    where = Situation.parse(situation)
    contest = CloseCombat(read_side(a, decided), read_side(b, decided), where, decided)
    faces = contest.dice.faces()
    counted = Tally.of(
        contest.dice, trials, seed, {"contest": "close-combat", "a": str(contest.a), "b": str(contest.b)}
    )
    results = contest.resolve(faces)
    data = _combat_data(counted, results, fate_codes(contest.grid, results), pursuit_codes(contest.grid, results))
    total_a, total_b = int(contest.grid.total_a[0, 0]), int(contest.grid.total_b[0, 0])
    factors = f"factors {total_a:+d} and {total_b:+d}, {where.words()}"
    return Answer((str(contest.a), str(contest.b)), counted.exact, data, _rows(data), [factors])


def factors(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """Close combat of bare totals, such as ``3 + Hearten`` against ``4``."""
    if situation:
        raise InputError("Bare factors have no situation: put its factors into the totals")
    decided = TriumphRulings.parse(rulings)
    used = decided.only(DECLARED["close-combat"])
    one = _bare_grid(a, b, used)
    scenario = {"contest": "factors", "a": _spelled(a), "b": _spelled(b)}
    counted = Tally.of(Dice((6, 6)), trials, seed, scenario)
    results = resolve(one, Dice((6, 6)).faces())
    data = _combat_data(counted, results, fate_codes(one, results), pursuit_codes(one, results))
    return Answer((a.strip(), b.strip()), counted.exact, data, _rows(data))


def _spelled(text: str) -> str:
    """Bare factors in one spelling, so that they roll the same dice however they are written."""
    total, *names = (term.strip().casefold() for term in text.replace("−", "-").split("+"))
    return " + ".join([str(int(total)), *sorted(names)])


def _bare_grid(a: str, b: str, used: TriumphRulings) -> Matchups:
    tables = rule_tables("close-combat", used)
    traits, situations = vocabularies()
    acting = {name for adj in tables.adjustments for name in adj.row.own.names} | {"terror", "brittle"}
    front = np.array([situations.bits(["front", "exceptions"])], dtype=np.int64)
    sides, totals = [], []
    for text in (a, b):
        head, *terms = (term.strip() for term in text.replace("−", "-").split("+"))
        try:
            total = int(head)
        except ValueError:
            raise InputError(
                f"{text!r}: bare factors start with a whole number, then + and cards that act on a roll"
            ) from None
        names = [term.casefold().replace(" ", "_") for term in terms]
        for name, term in zip(names, terms, strict=True):
            if name not in acting:
                accepted = ", ".join(sorted(n.replace("_", " ").title() for n in acting))
                raise InputError(f"{term!r} does not act on bare factors; accepted: {accepted}")
        if not -20 <= total <= 40:
            raise InputError(f"A factor of {total} is out of range; accepted: -20 to 40")
        zero = np.zeros(1, dtype=np.int16)
        bits = np.array([traits.bits(names)], dtype=np.int64)
        sides.append(SideArray(bits, front, zero, zero, zero.astype(np.bool_), zero, zero))
        totals.append(total)
    one, other = sides
    total_a = tables.factors["a"].total(one.bits, other.bits, front) + totals[0]
    total_b = tables.factors["b"].total(other.bits, one.bits, front).T + totals[1]
    return Matchups(tables, one, other, total_a, total_b, loser_first(used), used.total_floor)


def _at_a_distance(
    kinds: tuple[str, ...],
    contest_name: str,
    a: str,
    b: str,
    situation: Mapping[str, str],
    rulings: Mapping[str, str],
    trials: int | None,
    seed: int,
) -> tuple[Answer, Attack]:
    decided = TriumphRulings.parse(rulings)
    settings = dict(situation)
    wanted = settings.pop("attack", None)
    where = Situation.parse(settings)
    attacker, target = Stand.parse(a, decided), read_target(b, decided)
    if wanted is not None:
        accepted = [attack.kind for attack in attacks(attacker, decided) if attack.kind in kinds]
        if wanted not in accepted:
            raise InputError(f"{attacker} has no attack {wanted!r}; accepted: {', '.join(accepted) or 'none'}")
        kinds = (wanted,)
    attack = best_attack(kinds, attacker, target, where, decided)
    contest = RangedAttack(attacker, target, attack, where, decided)
    faces = contest.dice.faces()
    scenario = {"contest": contest_name, "a": str(attacker), "b": str(target)}
    counted = Tally.of(contest.dice, trials, seed, scenario)
    results = contest.resolve(faces)
    stands = np.full(results.shape, FATES.index("stands"))
    nobody = np.zeros_like(results)
    data = _combat_data(counted, results, (stands, contest.target_fate(faces)), (nobody, nobody))
    words = where.words()
    note = (
        f"{attack}: {int(contest.grid.total_a[0, 0]):+d} against {int(contest.grid.total_b[0, 0]):+d}"
        f"{'' if words.startswith('open ground') else ', ' + words}"
    )
    answer = Answer((str(attacker), str(target)), counted.exact, data, _rows(data), [note])
    return answer, attack


def ranged(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """One shot: normal shooting or Ranged Attack, whichever is better (HA-17)."""
    answer, _ = _at_a_distance(KINDS[:2], "ranged", a, b, situation, rulings, trials, seed)
    decided = TriumphRulings.parse(rulings)
    ways = [w for w in attacks(Stand.parse(a, decided), decided) if w.kind in KINDS[:2]]
    if len({way.kind for way in ways}) > 1:  # FT 51.3: two Ranged Attacks are one
        shots = "each once" if decided.ranged_hero == "two_shots" else "once, with the better"
        answer = replace(answer, notes=[*answer.notes, f"it can shoot in {len(ways)} ways: {shots} a turn"])
    return answer


def mindblast(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """One Mindblast (FT 44)."""
    return _at_a_distance(("mindblast",), "mindblast", a, b, situation, rulings, trials, seed)[0]


def spellblast(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """One Spellblast (FT 54; ruling HA-7); ``turns`` sets the battle for a limited one."""
    settings = dict(situation)
    decided = TriumphRulings.parse(rulings)
    turns = settings.pop("turns", str(decided.command_rolls))
    if not (turns.isascii() and turns.isdecimal()) or not 1 <= int(turns) <= 1000:
        raise InputError(f"Situation turns: {turns!r} is not an option; accepted: 1 to 1000")
    answer, attack = _at_a_distance(("spellblast",), "spellblast", a, b, settings, rulings, trials, seed)
    if not attack.limited:
        return answer
    casts = limited_casts(int(turns))
    chance = {"p": float(casts.spent), "fraction": _fraction(casts.spent)}
    rows = [
        *answer.rows,
        (
            f"over {turns} turns",
            "expected casts",
            f"{float(casts.expected):6.3f}     {_fraction(casts.expected)}",
        ),
        (f"over {turns} turns", "spent", _text(chance)),
    ]
    return replace(answer, rows=rows)


def _fraction(value: Any) -> str:
    return f"{value.numerator}/{value.denominator}"


def duel(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """A duel of two heroes, once and repeated."""
    if situation:
        raise InputError("A duel has no situation")
    decided = TriumphRulings.parse(rulings)
    contest = duels.Duel(Hero.parse(a, decided), Hero.parse(b, decided), decided)
    counted = Tally.of(contest.dice, trials, seed, {"contest": "duel", "a": str(contest.a), "b": str(contest.b)})
    chances = counted.chances(duels.LABELS, contest.resolve(contest.dice.faces()))
    data: dict[str, Any] = {
        "exact": counted.exact,
        "a_wins": chances["a_wins"],
        "b_wins": chances["b_wins"],
        "tie": chances["tie"],
    }
    rows = [
        ("one duel", "A wins", _text(data["a_wins"])),
        ("one duel", "B wins", _text(data["b_wins"])),
        ("one duel", "tie", _text(data["tie"])),
    ]
    two_a, two_b = (np.array([m]) for m in contest.modifiers)
    counts = duels.duel_counts(two_a, two_b)
    for name, for_a, for_b, chain in (
        ("until one wins", "A wins in the end", "B wins in the end", duels.until_won(counts)),
        ("until one is lost", "B is lost first", "A is lost first", duels.until_lost(counts, decided)),
    ):
        first, second = chain.ends[0, 0]
        unresolved = chain.unresolved[0, 0]
        rows.append((name, for_a, f"{100 * first:6.2f} %"))
        rows.append((name, for_b, f"{100 * second:6.2f} %"))
        if unresolved > 0:
            rows.append((name, "never ends", f"{100 * unresolved:6.2f} %"))
        else:
            rows.append((name, "mean rounds", f"{chain.rounds[0, 0]:6.2f}"))
    notes = [
        f"modifiers {contest.modifiers[0] / 2:g} and {contest.modifiers[1] / 2:g}; "
        f"losing means: {decided.duel_result.replace('_', ' ')} (ruling duel_result)"
    ]
    return Answer((str(contest.a), str(contest.b)), counted.exact, data, rows, notes)
