"""Hand-to-hand combat of one turn: who fights, how well, and both sides' losses at once (FW 7, 9; F33-F37, G2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ftsim._typing import IntArray
from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.games.warlord.procedure import Casualties, total_percent
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.races import Weapon, weapons
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import Terrain
from ftsim.games.warlord.units import Unit

SIDES = ("front", "flank", "rear")
CHARGES = ("charge", "counter_charge", "uncontrolled_advance")


def disordered_by_charge(unit: Unit, terrain: Terrain, rulings: WarlordRulings) -> bool:
    """Whether a charge in or into terrain disorders a unit (F33, A-4).

    Woods and fens disorder close order; jungle and swamp any unit; fords any unit that charges,
    counter-charges or advances out of control across or into them.
    """
    rule = terrain.disorders
    if rule == "any" and terrain.id in ("jungle", "swamp") and not rulings.dense_any:
        rule = "close_order"
    return rule == "any" or (rule == "close_order" and not unit.open_order)


def weapon_in(unit: Unit, terrain: Terrain, *, moved: bool = True, enemy_in_building: bool = False) -> Weapon:
    """The weapon a unit fights with (F34, F35).

    Pikes serve neither in woods, jungle, swamp and buildings nor against troops in a building; in
    a fen only if the unit has not moved. Then the secondary weapon serves, or an improvised one.
    """
    if unit.weapon.id != "pike":
        return unit.weapon
    banned = terrain.pikes == "no" or (terrain.pikes == "stationary" and moved) or enemy_in_building
    if not banned:
        return unit.weapon
    return unit.secondary or weapons()["improvised"]


def touching(files: int, figures: int, enemy_files: int, enemy_figures: int, rulings: WarlordRulings) -> int:
    """Figures in base contact: the front rank, but few more than the enemy has opposite."""
    front, enemy = min(files, figures), min(enemy_files, enemy_figures)
    return min(front, enemy + rulings.contact_overlap) if enemy else 0


def front_of(unit: Unit, figures: int, attacked_in: str) -> int:
    """Figures on the side where a unit is attacked: a file's depth on a flank, else the front rank."""
    return -(-figures // unit.files) if attacked_in == "flank" else unit.files


def fighting_figures(unit: Unit, weapon: Weapon, figures: int, contact: int, *, attacked_in: str = "front") -> int:
    """Figures that fight (G2).

    Foot: those in contact, with spears and polearms the whole second rank, with pikes the third
    too; mounted: those in contact. Attacked in flank or rear: only those in contact.
    """
    contact = min(contact, figures)
    if unit.mounted or attacked_in != "front" or contact == 0:
        return contact
    extra = max(0, figures - min(unit.files, figures))
    return contact + min(extra, (weapon.ranks - 1) * unit.files)


def ranks_counted(unit: Unit, figures: int, profiles: Profiles, rulings: WarlordRulings) -> int:
    """Ranks that count for modifiers, at most as many as the sheet says."""
    whole, rest = divmod(figures, unit.files)
    counts = {"counts": rest > 0, "half": 2 * rest >= unit.files and rest > 0, "full": False}[rulings.partial_rank]
    ranks = max(1, whole + int(counts)) if figures else 0
    return min(ranks, int(profiles.number("combat_modifier.max_ranks_counted")))


@dataclass(frozen=True)
class Stance:
    """How a side fights a round.

    Parameters
    ----------
    charged : bool
        Whether it charged into this combat.
    attacked_in : {"front", "flank", "rear"}
        Where the enemy strikes it.
    disordered, hated_foe, uphill : bool
        Whether it is disordered, hates the enemy, and fights up a slope.
    cover : str
        Its own cover.
    weapon : Weapon, optional
        The weapon in hand, when terrain forbids its own.
    fights_fire : bool
        Whether it fights a fire this turn: it is disordered and open to the flank modifier (F56).
    """

    charged: bool = False
    attacked_in: str = "front"
    disordered: bool = False
    hated_foe: bool = False
    uphill: bool = False
    cover: str = "none"
    weapon: Weapon | None = None
    fights_fire: bool = False

    def __post_init__(self) -> None:
        if self.attacked_in not in SIDES:
            raise InputError(f"Unknown side {self.attacked_in!r}; accepted: {', '.join(SIDES)}")


def percentages(
    unit: Unit,
    enemy: Unit,
    own: Stance,
    other: Stance,
    figures: int,
    profiles: Profiles,
    rulings: WarlordRulings,
) -> tuple[tuple[str, Fraction], ...]:
    """The parts of the chance of each figure in per cent: basic percentage, then modifiers (FW 9).

    Parameters
    ----------
    figures : int
        Figures that the unit has left, for its ranks.
    """
    number = profiles.number
    weapon = own.weapon or unit.weapon
    parts = [
        ("basic percentage", number("combat_base.base")),
        (unit.race.name, number(f"combat_race.{unit.race.profile}", unit.race.name)),
        (weapon.name.lower(), number(f"combat_weapon.{weapon.id}")),
        (f"enemy in {enemy.armour.replace('_', ' and ')}", number(f"enemy_armour.{enemy.armour}")),
    ]
    if enemy.shield:
        parts.append(("enemy has shields", number("enemy_armour.shield")))
    ranks = 1 if own.attacked_in != "front" else ranks_counted(unit, figures, profiles, rulings)
    if ranks >= 2:
        parts.append(("two ranks", number("combat_modifier.two_ranks")))
        if ranks > 2:
            parts.append((f"{ranks - 2} more ranks", (ranks - 2) * number("combat_modifier.extra_rank_each")))
    for holds, label, key in (
        (own.charged, "charged", "charged"),
        (other.attacked_in == "flank" or other.fights_fire, "attacks a flank", "flank_attack"),
        (other.attacked_in == "rear", "attacks the rear", "rear_attack"),
        (own.disordered or own.fights_fire, "disordered", "disordered"),
        (own.hated_foe, "hated foe", "hated_foe"),
        (own.uphill, "uphill", "uphill"),
    ):
        if holds:
            parts.append((label, number(f"combat_modifier.{key}")))
    # cover lowers the enemy's percentage, or raises one's own.
    if rulings.cover_acts_on == "opponent" and other.cover != "none":
        parts.append((f"enemy in {other.cover} cover", number(f"combat_modifier.cover_{other.cover}")))
    if rulings.cover_acts_on == "own" and own.cover != "none":
        parts.append((f"{own.cover} cover", -number(f"combat_modifier.cover_{own.cover}")))
    return tuple(parts)


def final_percentage(parts: tuple[tuple[str, Fraction], ...], profiles: Profiles) -> Fraction:
    """Sum of the parts, not below the floor."""
    return max(sum((value for _, value in parts), Fraction(0)), profiles.number("percentage_floor.floor"))


@dataclass(frozen=True)
class Strike:
    """What one side does in a round: figures, per cent each, and the total in whole per cent."""

    figures: int
    parts: tuple[tuple[str, Fraction], ...]
    each: Fraction
    total: int


def strike(
    unit: Unit,
    enemy: Unit,
    own: Stance,
    other: Stance,
    figures: int,
    enemy_figures: int,
    profiles: Profiles,
    rulings: WarlordRulings,
    *,
    contact: int | None = None,
) -> Strike:
    """A side's part of a round.

    Parameters
    ----------
    figures, enemy_figures : int
        Figures left on both sides.
    contact : int, optional
        Figures in base contact; by default from both fronts.
    """
    if contact is None:
        contact = touching(
            front_of(unit, figures, own.attacked_in),
            figures,
            front_of(enemy, enemy_figures, other.attacked_in),
            enemy_figures,
            rulings,
        )
    weapon = own.weapon or unit.weapon
    count = fighting_figures(unit, weapon, figures, contact, attacked_in=own.attacked_in)
    parts = percentages(unit, enemy, own, other, figures, profiles, rulings)
    each = final_percentage(parts, profiles)
    return Strike(count, parts, each, total_percent(each, count))


@dataclass(frozen=True)
class Exchange:
    """A round as a contest: both sides roll a D100 at once; the outcome is both losses.

    Parameters
    ----------
    a, b : Casualties
        What side A does to B, and B to A.
    """

    a: Casualties
    b: Casualties

    @property
    def dice(self) -> Dice:
        """A D100 for each side."""
        return Dice((100, 100))

    @property
    def labels(self) -> tuple[str, ...]:
        """``a kills, b kills`` for every pair."""
        return tuple(f"{x},{y}" for x in self.a.labels for y in self.b.labels)

    def resolve(self, rolls: IntArray) -> IntArray:
        """Position in `labels` for each roll: shape ``(2, n)`` in, ``(n,)`` out."""
        return np.asarray(self.a.resolve(rolls[:1]) * len(self.b.labels) + self.b.resolve(rolls[1:]))

    def law(self) -> dict[tuple[int, int], Fraction]:
        """Exact chance of each pair of losses: (B's, A's); at most four pairs."""
        return {(x, y): p * q for x, p in self.a.law().items() for y, q in self.b.law().items()}
