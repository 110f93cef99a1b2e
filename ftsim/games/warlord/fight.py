"""Fights to the end: rounds, pushbacks, morale, rout and pursuit as tables that chains and samples share (FW 7, 9).

The state of a fight is the figures left on both sides and the *ground*: where it is fought, and who
charged or is disordered. All that a round needs is looked up by state, so the exact solution and
the sampled process use the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import floor

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.errors import InputError
from ftsim.games.warlord.cover import counts_for_morale, covered_figures, covers_in_combat
from ftsim.games.warlord.melee import (
    Stance,
    disordered_by_charge,
    final_percentage,
    front_of,
    percentages,
    ranks_counted,
    weapon_in,
)
from ftsim.games.warlord.morale import Circumstances, basic_value, is_caught, loss_step, result_edges, results_of
from ftsim.games.warlord.movement import allowance
from ftsim.games.warlord.procedure import total_percent
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import Terrain, terrains
from ftsim.games.warlord.units import Unit

ENDINGS = (
    "a_destroys", "b_destroys", "both_destroyed", "b_routs", "a_routs", "b_retires", "a_retires", "unresolved",
)  # fmt: skip
A_WINS, B_WINS = (0, 3, 5), (1, 4, 6)


@dataclass(frozen=True)
class Fight:
    """Two units that fight until one has gone.

    Parameters
    ----------
    a, b : Unit
        A attacks, B defends.
    terrain : Terrain
        Where B stands; A comes from the open into or up to it.
    charge : bool
        Whether A charges.
    b_attacked_in : {"front", "flank", "rear"}
        Where A strikes B.
    b_follows : bool
        Whether B follows up and pursues where it need not (F37).
    hated : tuple of bool
        Whether A and B hate the enemy.
    """

    a: Unit
    b: Unit
    terrain: Terrain = field(default_factory=lambda: terrains()["clear"])
    charge: bool = True
    b_attacked_in: str = "front"
    b_follows: bool = False
    hated: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        if self.terrain.impassable or self.terrain.id in ("building_exit", "road", "bridge", "gate"):
            raise InputError(f"There is no fight in {self.terrain.name.lower()}")
        if self.terrain.id == "building":
            for unit, does in ((self.a, "attack"), (self.b, "hold")):
                if unit.mounted or not unit.race.buildings:
                    raise InputError(f"{unit} cannot {does} a building: only foot of troll size or smaller can")


@dataclass(frozen=True)
class Ground:
    """Where a round is fought, and in what order.

    Parameters
    ----------
    where : {"here", "inside", "beyond"}
        At the terrain, inside a building, or in the open after a pushback.
    charged : bool
        Whether A has charged into this round.
    disordered : tuple of bool
        Whether A and B are disordered.
    """

    where: str = "here"
    charged: bool = False
    disordered: tuple[bool, bool] = (False, False)


def first_ground(fight: Fight, rulings: WarlordRulings) -> Ground:
    """How the fight begins: a charge in or into bad ground disorders (F33)."""
    disorder = fight.charge and disordered_by_charge(fight.a, fight.terrain, rulings)
    return Ground("here", fight.charge, (disorder, False))


def next_ground(fight: Fight, ground: Ground, winner: str, rulings: WarlordRulings) -> Ground:
    """Where the next round is fought when a side, or nobody, pushes the other back (F37-F39).

    Parameters
    ----------
    winner : {"a", "", "b"}
        Who does better.
    """
    calm = replace(ground, charged=False)
    if not winner or (fight.terrain.shape == "area" and fight.terrain.id != "building"):
        return calm
    if fight.terrain.id == "building":
        if winner == "a":
            # Attackers get in by a pushback; pushed out again, the defenders are disordered.
            if ground.where == "here":
                return replace(calm, where="inside")
            if ground.where == "inside":
                return replace(calm, where="beyond", disordered=(ground.disordered[0], True))
            return calm
        if ground.where == "inside":
            return replace(calm, where="here", disordered=(True, ground.disordered[1]))
    elif winner == "a":
        return replace(calm, where="beyond") if rulings.pushed_off_cover == "lost" else calm
    if ground.where == "beyond":
        return calm
    if holds_ground(fight):
        return replace(calm, charged=fight.charge and rulings.repulsed == "charge")
    return replace(calm, where="beyond")


def holds_ground(fight: Fight) -> bool:
    """Whether B stays at its obstacle or in its building when it wins (F37)."""
    return fight.terrain.optional_pursuit and not fight.b_follows


def stances(fight: Fight, ground: Ground, rulings: WarlordRulings) -> tuple[Stance, Stance]:
    """How both sides fight a round."""
    building, here = fight.terrain.id == "building", ground.where == "here"
    cover_a = cover_b = "none"
    if ground.where != "beyond":
        inside = ground.where == "inside" or (fight.terrain.shape == "area" and not building)
        cover_a, cover_b = covers_in_combat(
            fight.terrain, fight.a.race, fight.b.race, rulings, attacker_inside=inside
        )
    clear = terrains()["clear"]
    # Pikes stacked outside a building are not to be had after a pushback (F36).
    at_a = fight.terrain if ground.where != "beyond" and not (building and here) else clear
    at_b = fight.terrain if building or ground.where != "beyond" else clear
    weapon_a = weapon_in(fight.a, at_a, enemy_in_building=building and ground.where != "beyond")
    weapon_b = weapon_in(fight.b, at_b, moved=False)
    a = Stance(
        ground.charged, "front", ground.disordered[0], fight.hated[0],
        fight.terrain.id == "steep_hill", cover_a, weapon_a,
    )  # fmt: skip
    b = Stance(False, fight.b_attacked_in, ground.disordered[1], fight.hated[1], False, cover_b, weapon_b)
    return a, b


@dataclass(frozen=True, eq=False)
class FightTables:
    """All that a round needs, by ground g and figures left a, b.

    Parameters
    ----------
    total : array of int, shape (2, grounds, A + 1, B + 1)
        Total per cent of both sides.
    result : array of int, shape (2, grounds, A + 1, B + 1, 4)
        Morale result of a beaten side for each face of the D4.
    then : array of int, shape (grounds, 3)
        Next ground when A wins, nobody does, B wins.
    caught : array of int, shape (2, grounds, A + 1, B + 1)
        Figures a side loses to pursuit when it routs.
    share : int
        1 when shares of the enemy decide who does better.
    grounds : tuple of Ground
        In order; the fight begins in the first.
    """

    total: IntArray
    result: IntArray
    then: IntArray
    caught: IntArray
    share: int
    grounds: tuple[Ground, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Figures of both sides at the start."""
        return self.total.shape[2] - 1, self.total.shape[3] - 1


def tables(fight: Fight, profiles: Profiles, rulings: WarlordRulings) -> FightTables:
    """The tables of a fight."""
    grounds = [first_ground(fight, rulings)]
    then: list[list[int]] = []
    for ground in grounds:  # grows while it is walked
        row = []
        for winner in ("a", "", "b"):
            after = next_ground(fight, ground, winner, rulings)
            if after not in grounds:
                grounds.append(after)
            row.append(grounds.index(after))
        then.append(row)
    size = (fight.a.figures + 1, fight.b.figures + 1)
    total = np.zeros((2, len(grounds), *size), dtype=np.int64)
    result = np.zeros((2, len(grounds), *size, 4), dtype=np.int64)
    lost = np.zeros((2, len(grounds), *size), dtype=np.int64)
    tested: dict[tuple[int, bool, str, str], IntArray] = {}
    for g, ground in enumerate(grounds):
        stance_a, stance_b = stances(fight, ground, rulings)
        total[0, g] = _totals(fight.a, fight.b, stance_a, stance_b, profiles, rulings)
        total[1, g] = _totals(fight.b, fight.a, stance_b, stance_a, profiles, rulings).T
        for side, own, enemy, stance in ((0, fight.a, fight.b, stance_a), (1, fight.b, fight.a, stance_b)):
            state = (side, stance.hated_foe, stance.attacked_in, stance.cover)
            if state not in tested:
                tested[state] = _results(own, enemy, stance, fight.terrain, profiles)
            result[side, g] = tested[state] if side == 0 else tested[state].swapaxes(0, 1)
        if rulings.pursuit == "once":
            b_stays = holds_ground(fight) and ground.where != "beyond"
            if not b_stays and _reaches(fight.b, fight.a, profiles, rulings):
                lost[0, g] = _contact(fight.b, fight.a, stance_b, stance_a, rulings).T
            if _reaches(fight.a, fight.b, profiles, rulings):
                lost[1, g] = _contact(fight.a, fight.b, stance_a, stance_b, rulings)
    return FightTables(
        total, result, np.array(then, dtype=np.int64), lost, int(rulings.win_test == "higher_share"), tuple(grounds)
    )


def _contact(unit: Unit, enemy: Unit, own: Stance, other: Stance, rulings: WarlordRulings) -> IntArray:
    """Figures in base contact for all numbers left, shape (own + 1, enemy + 1)."""
    mine = np.arange(unit.figures + 1)
    theirs = np.arange(enemy.figures + 1)
    front = np.minimum([front_of(unit, int(n), own.attacked_in) for n in mine], mine)
    opposite = np.minimum([front_of(enemy, int(n), other.attacked_in) for n in theirs], theirs)
    touching = np.minimum(front[:, None], opposite[None, :] + rulings.contact_overlap)
    return np.asarray(np.where(opposite[None, :] > 0, touching, 0), dtype=np.int64)


def _totals(
    unit: Unit, enemy: Unit, own: Stance, other: Stance, profiles: Profiles, rulings: WarlordRulings
) -> IntArray:
    """Total per cent for all numbers left, shape (own + 1, enemy + 1); as `melee.strike`."""
    contact = _contact(unit, enemy, own, other, rulings)
    mine = np.arange(unit.figures + 1)
    count = contact.copy()
    weapon = own.weapon or unit.weapon
    if not unit.mounted and own.attacked_in == "front":
        extra = np.minimum(np.maximum(0, mine - np.minimum(unit.files, mine)), (weapon.ranks - 1) * unit.files)
        count += np.where(contact > 0, extra[:, None], 0)
    by_ranks: dict[int, list[int]] = {}
    most = int(count.max())
    rows = []
    for n in range(unit.figures + 1):
        ranks = ranks_counted(unit, n, profiles, rulings)
        if ranks not in by_ranks:
            each = final_percentage(percentages(unit, enemy, own, other, n, profiles, rulings), profiles)
            by_ranks[ranks] = [total_percent(each, k) for k in range(most + 1)]
        rows.append(by_ranks[ranks])
    return np.asarray(np.take_along_axis(np.array(rows, dtype=np.int64), count, axis=1))


def _results(unit: Unit, enemy: Unit, own: Stance, terrain: Terrain, profiles: Profiles) -> IntArray:
    """Morale result for all numbers left and faces of the D4, shape (own + 1, enemy + 1, 4)."""
    size, others = unit.figures + 1, enemy.figures + 1
    step = np.array([loss_step(unit.figures, n) for n in range(size)])
    mine, theirs = np.arange(size)[:, None], np.arange(others)[None, :]
    # The enemy's number: as it is, at least double, at most half.
    many = np.where(theirs >= 2 * mine, 1, np.where(2 * theirs <= mine, 2, 0))
    # Cover helps morale while three quarters of the figures have it: deep units behind obstacles do not.
    covered = np.array(
        [int(counts_for_morale(covered_figures(n, unit.files, terrain, touching=True), n)) for n in range(size)]
    )
    values = np.zeros((2, 11, 3), dtype=np.int64)
    for c, cover in enumerate(("none", own.cover)):
        for k, (double, half) in enumerate(((False, False), (True, False), (False, True))):
            state = Circumstances(
                hated_foe=own.hated_foe,
                attacked_in=own.attacked_in,
                enemy_double=double,
                enemy_half=half,
                cover=cover,
            )
            modifier = state.modifier(profiles)
            for s in sorted(set(step.tolist())):
                values[c, s, k] = floor(basic_value(unit.morale_class, s, profiles) + modifier)
    cells = results_of(values[..., None] + np.arange(1, 5), result_edges(profiles))
    return np.asarray(cells[covered[:, None], step[:, None], many])


def _reaches(winner: Unit, loser: Unit, profiles: Profiles, rulings: WarlordRulings) -> bool:
    """Whether a winner's pursuit reaches a routing loser, both moving from contact."""
    rout = allowance(loser, profiles, rulings, action="rout")
    return is_caught(rout, allowance(winner, profiles, rulings, action="pursuit"))


@dataclass(frozen=True, eq=False)
class FightEnd:
    """How a fight ends.

    Parameters
    ----------
    ends : array of float, shape (endings, A + 1, B + 1)
        Chance of each ending with so many figures left.
    rounds : float
        Mean number of rounds; infinite when it may never end.
    trials : int or None
        Sample size; None when exact.
    """

    ends: FloatArray
    rounds: float
    trials: int | None = None

    def chance(self, ending: str) -> float:
        """Chance of an ending."""
        return float(self.ends[ENDINGS.index(ending)].sum())

    @property
    def a_wins(self) -> float:
        """Chance that B is destroyed, routs or retires."""
        return float(self.ends[list(A_WINS)].sum())

    @property
    def b_wins(self) -> float:
        """Chance that A is destroyed, routs or retires."""
        return float(self.ends[list(B_WINS)].sum())

    @property
    def score(self) -> float:
        """A's chance to win, with half of what nobody wins."""
        return self.a_wins + (1 - self.a_wins - self.b_wins) / 2

    @property
    def mean_left(self) -> tuple[float, float]:
        """Mean figures left on both sides."""
        left = self.ends.sum(0)
        return float(left.sum(1) @ np.arange(left.shape[0])), float(left.sum(0) @ np.arange(left.shape[1]))
