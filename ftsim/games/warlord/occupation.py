"""Going into buildings, being in them and coming out (FW 7 buildings; features F13-F16, F36, F39-F41)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ftsim.errors import InputError
from ftsim.games.warlord.movement import Feature, Path
from ftsim.games.warlord.races import weapons
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit

BREAK_FORMATION = "break_formation"
#: cm within which a unit must begin the turn to break formation into a building or behind an obstacle.
REACH = Fraction(5)


@dataclass(frozen=True)
class Entry:
    """Whether a unit gets through an opening this turn, what it costs and why not.

    Parameters
    ----------
    allowed : bool
        Whether it goes in or out.
    whole_move : bool
        Whether that takes the whole move.
    must_narrow : bool
        Whether the formation has to change first.
    reason : str
        What is missing when it is not allowed.
    """

    allowed: bool
    whole_move: bool = False
    must_narrow: bool = False
    reason: str = ""


def enter(
    unit: Unit, opening: str, distance: Fraction, order: str, *, width: Fraction, gate: Fraction | None = None
) -> Entry:
    """Going through a gateway, window or door.

    Gateways cost nothing, but the formation may have to narrow. Anything smaller needs the order
    Break Formation, given within 5 cm at the start of the turn, and takes the whole move.

    Parameters
    ----------
    opening : {"gateway", "window", "door"}
        What it goes through.
    distance : Fraction
        cm to the building at the start of the turn.
    order : str
        The order it has.
    width, gate : Fraction
        Width of the formation, and of a gateway, in cm.
    """
    if opening not in ("gateway", "window", "door"):
        raise InputError(f"Unknown opening {opening!r}; accepted: gateway, window, door")
    if not unit.race.buildings or unit.mounted:
        return Entry(False, reason="only foot of troll size or smaller goes into buildings")
    if opening == "gateway":
        return Entry(True, must_narrow=gate is not None and width > gate)
    if order != BREAK_FORMATION:
        return Entry(False, reason="windows and doors need the order Break Formation")
    if distance > REACH:
        return Entry(False, reason="the unit must begin the turn within 5 cm")
    return Entry(True, whole_move=True)


def man_obstacle(distance: Fraction, order: str, *, in_line: bool) -> Entry:
    """Taking up a wall, hedge or fence: in line up to its base, or by Break Formation from within 5 cm (F25)."""
    if distance == 0 and in_line:
        return Entry(True)
    if order == BREAK_FORMATION and distance <= REACH:
        return Entry(True, whole_move=True)
    return Entry(False, reason="advance in line up to it, or break formation from within 5 cm")


def in_linear_cover(touching: bool, rank: int) -> bool:
    """Whether a rank (from 1) is covered by an obstacle: contact with it, and no more than two ranks (F25, F26)."""
    return touching and rank <= 2


def way_out(inside: Fraction, beyond: Fraction) -> Path:
    """The path out of a building by rout or evade: broken ground and a wall together, then clear (F16).

    Parameters
    ----------
    inside, beyond : Fraction
        cm from the leading edge to the outside, and cm of clear ground after that.
    """
    return Path((Feature(terrains()["building_exit"], Fraction(0), inside),), inside + beyond)


def capacity(floor_cm2: Fraction, base_cm2: Fraction) -> int:
    """Figures that fill the ground floor (F41)."""
    if base_cm2 <= 0:
        raise InputError(f"A base needs an area above 0, got {base_cm2} cm²")
    return int(floor_cm2 // base_cm2)


@dataclass(frozen=True)
class Occupation:
    """A unit in a building, wholly or in part.

    Parameters
    ----------
    unit : Unit
        Who.
    inside : int
        Figures in the building; the others are outside.
    outside_touch : bool
        Whether those outside are in contact with the building.
    pikes_stacked : bool
        Whether its pikes stand outside.
    disordered : bool
        Whether the unit is disordered.
    """

    unit: Unit
    inside: int
    outside_touch: bool = True
    pikes_stacked: bool = False
    disordered: bool = False

    @property
    def split(self) -> bool:
        """Whether some are in and some out."""
        return 0 < self.inside < self.unit.figures

    @property
    def broken_up(self) -> bool:
        """Whether the parts have lost touch, which disorders the unit (F40)."""
        return self.split and not self.outside_touch

    def flees(self, inside_part: bool, outside_part: bool) -> bool:
        """Whether the unit routs or retires when its parts do: either part takes all along (F40)."""
        return inside_part or outside_part


def occupy(unit: Unit, room: int, *, outside_touch: bool = True) -> Occupation:
    """A unit that has gone in by Break Formation: as many as there is room for; pikes stay outside (F36).

    Raises
    ------
    InputError
        If such troops cannot go in.
    """
    if not unit.race.buildings or unit.mounted:
        raise InputError(f"{unit}: only foot of troll size or smaller goes into buildings")
    found = Occupation(unit, min(room, unit.figures), outside_touch, pikes_stacked=unit.weapon.id == "pike")
    return replace(found, disordered=found.broken_up)


def may_assault(unit: Unit, *, touches_opening: bool) -> bool:
    """Whether a unit can attack the troops in a building: only in contact with a door or window (F38)."""
    return touches_opening and unit.race.buildings and not unit.mounted


LEAVES = ("break_formation", "rout", "evade", "retire", "pushback")


def leave(occupation: Occupation, how: str) -> tuple[Unit, bool]:
    """The unit outside again, and whether it is disordered (F36, F39).

    Pikes are taken up again only when leaving by Break Formation; otherwise they are lost for
    the battle. A pushback disorders.
    """
    if how not in LEAVES:
        raise InputError(f"Unknown way out {how!r}; accepted: {', '.join(LEAVES)}")
    unit = occupation.unit
    if occupation.pikes_stacked and how != "break_formation":
        unit = replace(unit, weapon=unit.secondary or weapons()["improvised"], secondary=None)
    return unit, how == "pushback" or (occupation.disordered and how != "break_formation")


def order_test_needed(*, column: bool, on_road: bool, leaves_road: bool, commanded: bool) -> bool:
    """Whether a unit takes its order test in phase 2 (F13).

    A column on a road needs none, unless it wants to leave the road and neither a brigade nor a
    character commands it. Commanded units need none anyway.
    """
    if commanded:
        return False
    return not (column and on_road and not leaves_road)
