"""Duels to the death, exactly: one warrior a side, front row, fixed kit, no cards.

A turn is ranged fire in order of range, then one pairing. Hits and ammunition only go down, so
each state is solved from those below it: what leaves it, divided by the chance that it is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ftsim.errors import InputError
from ftsim.games.ffc.arithmetic import blocked, hit, loss, order_of_blows
from ftsim.games.ffc.attack import Blow, blows, lost_by, throws, together
from ftsim.games.ffc.cards import bare_hands, warriors, weapons
from ftsim.games.ffc.kit import Effects, Fighter, numbers
from ftsim.games.ffc.rulings import FfcRulings

TIES = {"other": 0, "coin": 1, "simultaneous": 2}


@dataclass(frozen=True)
class DuelResult:
    """Where a duel ends.

    Parameters
    ----------
    a, b, both, unresolved : Fraction
        Chances that A alone lives, B alone lives, both die, or it never ends.
    rounds : Fraction or None
        Mean number of turns; None where it may never end.
    """

    a: Fraction
    b: Fraction
    both: Fraction
    unresolved: Fraction
    rounds: Fraction | None


class State(NamedTuple):
    """Hits left and throws left of both."""

    hits_a: int
    hits_b: int
    ammo_a: int
    ammo_b: int


@dataclass(frozen=True)
class Duel:
    """Two fighters and what lies on them; `Effects.throw` makes a thrower throw until his ammunition is gone."""

    a: Fighter
    b: Fighter
    effects_a: Effects = field(default_factory=Effects)
    effects_b: Effects = field(default_factory=Effects)
    rulings: FfcRulings = field(default_factory=FfcRulings)

    def __post_init__(self) -> None:
        for fighter, effects in ((self.a, self.effects_a), (self.b, self.effects_b)):
            if effects.back:
                raise InputError(f"{fighter}: a duel is fought in the front row")

    @property
    def start(self) -> State:
        """All hits, all throws."""
        hits = [
            fighter.warrior.hits if effects.hits is None else effects.hits
            for fighter, effects in ((self.a, self.effects_a), (self.b, self.effects_b))
        ]
        ammo = [
            fighter.in_use()[0].ammo if effects.throw and fighter.in_use()[0].kind == "thrown" else 0
            for fighter, effects in ((self.a, self.effects_a), (self.b, self.effects_b))
        ]
        return State(hits[0], hits[1], ammo[0], ammo[1])

    def armed(self, ammo_a: int, ammo_b: int) -> Turn:
        """What happens in a turn that begins with so many throws left."""
        a, one = _with_ammo(self.a, self.effects_a, ammo_a, self.rulings)
        b, other = _with_ammo(self.b, self.effects_b, ammo_b, self.rulings)
        return Turn(a, b, one, other, self.rulings)

    def solve(self) -> DuelResult:
        """The exact answer."""
        return _solve(self, self.start, {}, {})


def _with_ammo(fighter: Fighter, effects: Effects, ammo: int, rulings: FfcRulings) -> tuple[Fighter, Effects]:
    """A thrower whose throws are gone takes what else he carries; a lasting missile is not counted."""
    first = fighter.in_use()[0]
    if first.kind != "thrown" or not effects.throw or ammo > 0:
        return fighter, effects
    rest = fighter.weapons if rulings.thrown_spent == "stays" else fighter.weapons[1:]
    return replace(fighter, weapons=rest), replace(effects, throw=False)


@dataclass(frozen=True)
class Turn:
    """The laws of one turn of two fighters."""

    a: Fighter
    b: Fighter
    effects_a: Effects
    effects_b: Effects
    rulings: FfcRulings

    @property
    def fires(self) -> tuple[bool, bool]:
        """Whether each fires."""
        return (
            throws(self.a.in_use()[0], self.effects_a),
            throws(self.b.in_use()[0], self.effects_b),
        )

    def melee_side(self, which: int) -> tuple[Fighter, Effects]:
        """A fighter hand to hand: one who fires has nothing to parry with (R-31)."""
        fighter, effects = ((self.a, self.effects_a), (self.b, self.effects_b))[which]
        if self.fires[which] and fighter.in_use()[0].kind == "missile" and self.rulings.shooter_in_melee == "unarmed":
            return fighter.using(bare_hands()), effects
        return fighter, effects

    @cached_property
    def fire(self) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """Hits lost by B and by A to ranged fire."""
        to_b = (
            _law(blows(self.a, self.b, self.effects_a, self.effects_b, self.rulings))
            if self.fires[0]
            else {0: Fraction(1)}
        )
        to_a = (
            _law(blows(self.b, self.a, self.effects_b, self.effects_a, self.rulings))
            if self.fires[1]
            else {0: Fraction(1)}
        )
        return to_b, to_a

    @cached_property
    def melee(self) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """Hits lost by B and by A to blows hand to hand."""
        (a, one), (b, other) = self.melee_side(0), self.melee_side(1)
        strikes = [not fires or self.rulings.shooter_in_melee == "unarmed" for fires in self.fires]
        one, other = replace(one, throw=False), replace(other, throw=False)
        to_b = _law(blows(a, b, one, other, self.rulings)) if strikes[0] else {0: Fraction(1)}
        to_a = _law(blows(b, a, other, one, self.rulings)) if strikes[1] else {0: Fraction(1)}
        return to_b, to_a

    @cached_property
    def first_strike(self) -> dict[int, Fraction]:
        """Chance that A (1), B (2) or both at once (3) strike first."""
        (a, one), (b, other) = self.melee_side(0), self.melee_side(1)
        x, y = numbers(a, one, self.rulings), numbers(b, other, self.rulings)
        tie = TIES[self.rulings.first_strike_tie]
        law: dict[int, Fraction] = {}
        for die in range(1, 7):
            for coin in (1, 2):
                who = order_of_blows(die, x.speed - y.speed, x.reach - y.reach, coin, tie)
                law[who] = law.get(who, Fraction(0)) + Fraction(1, 12)
        return law

    def fire_order(self) -> dict[int, Fraction]:
        """Chance that A (1) or B (2) fires first: the higher range, equal ones in random order (R-23)."""
        one, other = self.a.in_use()[0].range, self.b.in_use()[0].range
        if all(self.fires) and one == other:
            return {1: Fraction(1, 2), 2: Fraction(1, 2)}
        first_a = self.fires[0] and (not self.fires[1] or one > other)
        return {1: Fraction(1)} if first_a else {2: Fraction(1)}

    def outcomes(self, hits_a: int, hits_b: int) -> Iterator[tuple[int, int, Fraction]]:
        """Hits left after the turn, with chances; 0 for dead."""
        for x, y, p in _exchange(hits_a, hits_b, self.fire, self.fire_order()):
            if x == 0 or y == 0:
                yield x, y, p
                continue
            for u, v, q in _exchange(x, y, self.melee, self.first_strike):
                yield u, v, p * q


def _law(parts: list[Blow]) -> dict[int, Fraction]:
    total = {0: Fraction(1)}
    for part in parts:
        total = together(total, lost_by(part))
    return total


def _exchange(
    hits_a: int,
    hits_b: int,
    laws: tuple[dict[int, Fraction], dict[int, Fraction]],
    order: dict[int, Fraction],
) -> Iterator[tuple[int, int, Fraction]]:
    """Blows in some order: who is dead does not strike back, unless both strike at once (R-38)."""
    to_b, to_a = laws
    for who, chance in order.items():
        if chance == 0:
            continue
        for n, p in to_b.items():
            for m, q in to_a.items():
                left_a, left_b = max(0, hits_a - m), max(0, hits_b - n)
                if who == 1 and left_b == 0:
                    left_a = hits_a
                elif who == 2 and left_a == 0:
                    left_b = hits_b
                yield left_a, left_b, chance * p * q


def _solve(
    duel: Duel, state: State, known: dict[State, DuelResult], turns: dict[tuple[int, int], Turn]
) -> DuelResult:
    if state in known:
        return known[state]
    zero, one = Fraction(0), Fraction(1)
    if state.hits_a == 0 or state.hits_b == 0:
        both = one if state.hits_a == state.hits_b else zero
        result = DuelResult(one * (state.hits_a > 0), one * (state.hits_b > 0), both, zero, zero)
        known[state] = result
        return result
    ammo = (state.ammo_a, state.ammo_b)
    if ammo not in turns:
        turns[ammo] = duel.armed(*ammo)
    turn = turns[ammo]
    fires = turn.fires
    law: dict[State, Fraction] = {}
    for x, y, p in turn.outcomes(state.hits_a, state.hits_b):
        # A throw is spent whether or not it hits.
        after = State(
            x,
            y,
            max(0, state.ammo_a - (fires[0] and state.ammo_a > 0)),
            max(0, state.ammo_b - (fires[1] and state.ammo_b > 0)),
        )
        law[after] = law.get(after, zero) + p
    stay = law.pop(state, zero)
    if stay == 1:
        result = DuelResult(zero, zero, zero, one, None)
    else:
        parts = [(p / (1 - stay), _solve(duel, after, known, turns)) for after, p in law.items() if p]
        a, b, both, never = (
            sum((p * getattr(r, name) for p, r in parts), zero) for name in ("a", "b", "both", "unresolved")
        )
        endless = any(r.rounds is None for _, r in parts)
        rounds = None if endless else 1 / (1 - stay) + sum((p * (r.rounds or zero) for p, r in parts), zero)
        result = DuelResult(a, b, both, never, rounds)
    known[state] = result
    return result


def sampled_duels(duel: Duel, trials: int, rng: np.random.Generator, cap: int = 1000) -> dict[str, int]:
    """Duels rolled blow by blow: how often each ending came up, and ``rounds`` of all of them together.

    Alive after `cap` turns counts as ``unresolved``. A plain simulation that shares only the arithmetic
    of one blow with the chain.
    """
    counts = {"a": 0, "b": 0, "both": 0, "unresolved": 0, "rounds": 0}
    for _ in range(trials):
        hits = [duel.start.hits_a, duel.start.hits_b]
        ammo = [duel.start.ammo_a, duel.start.ammo_b]
        turns = 0
        while min(hits) > 0 and turns < cap:
            turns += 1
            turn = duel.armed(ammo[0], ammo[1])
            _rolled_turn(turn, hits, rng)
            ammo = [n - 1 if n > 0 and fired else n for n, fired in zip(ammo, turn.fires, strict=True)]
        counts["rounds"] += turns
        alive = (hits[0] > 0, hits[1] > 0)
        counts[{(True, False): "a", (False, True): "b", (False, False): "both"}.get(alive, "unresolved")] += 1
    return counts


def _rolled_turn(turn: Turn, hits: list[int], rng: np.random.Generator) -> None:
    fires = turn.fires
    if any(fires):
        order = turn.fire_order()
        first = 1 if rng.random() < order.get(1, 0) else 2
        sides = [(turn.a, turn.effects_a), (turn.b, turn.effects_b)]
        for who in (first - 1, 2 - first):
            if fires[who] and min(hits) > 0:
                hits[1 - who] = max(0, hits[1 - who] - _rolled(sides[who], sides[1 - who], turn.rulings, rng))
    if min(hits) <= 0:
        return
    sides = [turn.melee_side(0), turn.melee_side(1)]
    sides = [(fighter, replace(effects, throw=False)) for fighter, effects in sides]
    strikes = [not f or turn.rulings.shooter_in_melee == "unarmed" for f in fires]
    x, y = (numbers(fighter, effects, turn.rulings) for fighter, effects in (turn.melee_side(0), turn.melee_side(1)))
    first = order_of_blows(
        int(rng.integers(1, 7)),
        x.speed - y.speed,
        x.reach - y.reach,
        int(rng.integers(1, 3)),
        TIES[turn.rulings.first_strike_tie],
    )
    lost = [0, 0]
    for who in (0, 1) if first != 2 else (1, 0):
        if strikes[who] and (first == 3 or hits[who] > 0):
            lost[1 - who] = _rolled(sides[who], sides[1 - who], turn.rulings, rng)
            if first != 3:
                hits[1 - who] = max(0, hits[1 - who] - lost[1 - who])
    if first == 3:
        hits[0], hits[1] = max(0, hits[0] - lost[0]), max(0, hits[1] - lost[1])


def _rolled(
    one: tuple[Fighter, Effects], other: tuple[Fighter, Effects], rulings: FfcRulings, rng: np.random.Generator
) -> int:
    total = 0
    for part in blows(one[0], other[0], one[1], other[1], rulings):
        dice = [int(d) for d in rng.integers(1, 7, size=2 + part.dice)]
        if hit(dice[0], part.modifier, part.natural) and not blocked(dice[1], part.block):
            total += loss(sum(dice[2:]), part.dam, part.armor, part.least)
    return total


def round_robin(weapon: str, rulings: FfcRulings | None = None) -> dict[str, Fraction]:
    """Every warrior with the same weapon against every other: mean of wins and half of what never ends."""
    decided = rulings or FfcRulings()
    arm = weapons().find(weapon)
    fighters = [Fighter(warrior, (arm,)) for warrior in warriors().values()]
    score = {f.warrior.name: Fraction(0) for f in fighters}
    for k, a in enumerate(fighters):
        for b in fighters[k + 1 :]:
            result = Duel(a, b, rulings=decided).solve()
            level = (result.unresolved + result.both) / 2
            score[a.warrior.name] += result.a + level
            score[b.warrior.name] += result.b + level
    return {name: total / (len(fighters) - 1) for name, total in score.items()}
