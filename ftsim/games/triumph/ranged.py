"""Attacks at a distance: shooting, Ranged Attack, Mindblast, Spellblast (Triumph! 57-64; FT 19, 44, 51, 54).

An attack is one-way: whoever makes it suffers nothing, and the target's fate is all there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ftsim._typing import IntArray
from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.games.triumph.combat import RESULTS, Matchups, fate_codes, loser_first, resolve
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.places import CAMPS, Situation, side_array
from ftsim.games.triumph.rules import FATES, rule_tables
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.games.triumph.troop_types import troop_types

KINDS = ("shooting", "ranged_attack", "mindblast", "spellblast")
NATURES = ("physical", "magical")
CONTEST_OF = {
    "shooting": "ranged",
    "ranged_attack": "ranged",
    "mindblast": "mindblast",
    "spellblast": "spellblast",
}
RANGE = {"ranged_attack": 3, "mindblast": 8, "spellblast": 8}  # MU; shooting: see the troop type


@dataclass(frozen=True)
class Attack:
    """A way to attack at a distance.

    Parameters
    ----------
    kind : {"shooting", "ranged_attack", "mindblast", "spellblast"}
        What it is.
    nature : {"physical", "magical"}
        Whether Armored or Negate Magic counts.
    limited : bool
        Whether a natural 1 spends it (Spellblast).
    by_hero : bool
        Whether it is the hero's own Ranged Attack.
    """

    kind: str
    nature: str = "physical"
    limited: bool = False
    by_hero: bool = False

    def __str__(self) -> str:
        if self.kind == "shooting":
            return "shooting"
        name = self.kind.replace("_", " ").title()
        if self.kind == "mindblast":
            return name
        spell = ("limited, " if self.limited else "unlimited, ") if self.kind == "spellblast" else ""
        return f"{name} ({spell}{self.nature}{', the hero’s' if self.by_hero else ''})"


def attacks(stand: Stand, rulings: TriumphRulings) -> tuple[Attack, ...]:
    """Every way in which a stand, or the hero on it, can attack at a distance."""
    found = []
    if troop_types(rulings)[stand.troop_type.id].shooting:
        found.append(Attack("shooting"))
    for bearer in (stand, stand.hero):
        if bearer is None:
            continue
        for pick in bearer.picks:
            if pick.card.id == "ranged_attack":
                found.append(Attack("ranged_attack", pick.choices[0], by_hero=isinstance(bearer, Hero)))
            elif pick.card.id == "mindblast":
                found.append(Attack("mindblast", "magical"))
            elif pick.card.id == "spellblast":
                found.append(Attack("spellblast", pick.choices[1], limited=pick.choices[0] == "limited"))
    return tuple(found)


def attack_grid(
    attack: Attack,
    shooters: Sequence[Stand],
    targets: Sequence[Stand],
    situation: Situation,
    rulings: TriumphRulings,
) -> Matchups:
    """The grid of one kind of attack by every shooter on every target.

    Parameters
    ----------
    attack : Attack
        How they attack; the shooters are assumed to be able to.
    shooters, targets : sequence of Stand
        Side a, shape ``(n,)``, and side b, shape ``(m,)``.
    situation : Situation
        Their places; ``b.attacked`` is ``rear`` when shot from behind.
    rulings : TriumphRulings
        Which rows are in force.
    """
    contest = CONTEST_OF[attack.kind]
    used = rulings.only(DECLARED[contest])
    about = {attack.nature}
    if attack.kind == "ranged_attack":
        about.add("ranged_attack")
    if attack.by_hero:
        about.add("hero_shot")
    if attack.kind == "shooting" or (attack.kind == "spellblast" and used.spellblast_exceptions):
        about.add("exceptions")
    if contest == "ranged" or (attack.kind == "spellblast" and used.spellblast_penalties):
        about.add("penalties")
    seen = about | ({"at_rear"} if situation.b.attacked == "rear" else set())
    a = side_array(shooters, situation.a, situation.b, used, tuple(seen))
    b = side_array(targets, situation.b, situation.a, used, tuple(about))
    tables = rule_tables(contest, used)
    total_a = tables.factors["a"].total(a.bits, b.bits, a.situation)
    total_b = tables.factors["b"].total(b.bits, a.bits, b.situation).T
    if attack.kind == "shooting":
        types = troop_types(used)
        total_a = total_a + np.array([[types[s.troop_type.id].shooting] for s in shooters], dtype=np.int16)
    resists_with_cost = attack.kind == "mindblast" or (
        attack.kind == "spellblast" and used.spellblast_defence == "cost"
    )
    total_b = total_b + (b.cost if resists_with_cost else b.shot_at)[None, :]
    return Matchups(tables, a, b, total_a, total_b, loser_first(used), used.total_floor)


@dataclass(frozen=True, eq=False)
class RangedAttack:
    """One attack at a distance, as a contest.

    Parameters
    ----------
    a, b : Stand
        Who attacks, and the target.
    attack : Attack
        How.
    situation : Situation
        Where they are.
    rulings : TriumphRulings
        How open points are decided.
    """

    a: Stand
    b: Stand
    attack: Attack
    situation: Situation = Situation()
    rulings: TriumphRulings = TriumphRulings()

    def __post_init__(self) -> None:
        one = attack_grid(self.attack, [self.a], [self.b], self.situation, self.rulings)
        object.__setattr__(self, "_grid", one)

    @property
    def dice(self) -> Dice:
        """The attacker's die and the target's."""
        return Dice((6, 6))

    @property
    def labels(self) -> tuple[str, ...]:
        """Results, seen from the attacker."""
        return RESULTS

    @property
    def grid(self) -> Matchups:
        """The matchup as a grid of one by one."""
        return self.__dict__["_grid"]  # type: ignore[no-any-return]

    def resolve(self, rolls: IntArray) -> IntArray:
        """Result of each roll: shape ``(2, n)`` in, ``(n,)`` out."""
        return resolve(self.grid, rolls)

    def target_fate(self, rolls: IntArray) -> IntArray:
        """Position in `FATES` of the target for each roll, shape ``(n,)``."""
        fate = fate_codes(self.grid, self.resolve(rolls))[1]
        if self.attack.limited and self.rulings.spellblast_limited == "fizzles":
            return np.where(rolls[0] == 1, FATES.index("stands"), fate)
        return fate


def best_attack(kinds: Sequence[str], a: Stand, b: Stand, situation: Situation, rulings: TriumphRulings) -> Attack:
    """The attack that destroys the target most often; of equals the one that moves it most often.

    Raises
    ------
    InputError
        If the stand has no attack of these kinds.
    """
    open_to = [attack for attack in attacks(a, rulings) if attack.kind in kinds]
    if situation.a.on_transports:
        raise InputError(f"{a} cannot attack at a distance from its transports (FT 45.4)")
    if not open_to:
        ways = " or ".join(kind.replace("_", " ") for kind in kinds)
        raise InputError(f"{a} has no {ways}")
    faces = Dice((6, 6)).faces()

    def worth(attack: Attack) -> tuple[int, int]:
        fate = RangedAttack(a, b, attack, situation, rulings).target_fate(faces)
        return int(np.sum(fate == FATES.index("destroyed"))), int(np.sum(fate != FATES.index("stands")))

    return max(open_to, key=worth)


def read_target(text: str, rulings: TriumphRulings) -> Stand:
    """A target from notation; camps may not be shot at (Triumph! 62.6)."""
    if " ".join(text.casefold().split()) in CAMPS:
        raise InputError("Camps may not be attacked at a distance (Triumph! 62.6)")
    return Stand.parse(text, rulings)


@dataclass(frozen=True)
class Casts:
    """How long a limited Spellblast lasts (FT 54.2): a natural 1 spends it.

    Parameters
    ----------
    turns : int
        Turns in which it is cast, if not spent.
    expected : Fraction
        Mean number of casts.
    spent : Fraction
        Chance that it is spent by then.
    """

    turns: int
    expected: Fraction
    spent: Fraction


def limited_casts(turns: int) -> Casts:
    """Expected casts and chance to be spent over a battle of `turns` own turns.

    Raises
    ------
    InputError
        If there are no turns.

    Examples
    --------
    >>> limited_casts(2).expected
    Fraction(11, 6)
    """
    if turns < 1:
        raise InputError(f"A battle needs at least one turn, got {turns}")
    left = Fraction(5, 6)
    return Casts(turns, sum((left**k for k in range(turns)), Fraction(0)), 1 - left**turns)
