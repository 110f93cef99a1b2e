"""Who sees whom: crests, woods, buildings, and what fliers find (FW 7; F17-F22, A-5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ftsim.errors import InputError
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import Terrain

POSITIONS = ("in the open", "inside", "behind")


@dataclass(frozen=True)
class Hiding:
    """Where a unit is that does not want to be seen.

    Parameters
    ----------
    terrain : Terrain
        What hides it.
    position : {"in the open", "inside", "behind"}
        Where it stands to that; behind a hill is behind its crest.
    to_edge : Fraction
        cm from the edge, when inside.
    shown : bool
        Whether it has shot, come out or been revealed.
    roof : bool
        Whether a building has one.
    """

    terrain: Terrain
    position: str = "inside"
    to_edge: Fraction = Fraction(0)
    shown: bool = False
    roof: bool = True

    def __post_init__(self) -> None:
        if self.position not in POSITIONS:
            raise InputError(f"Unknown position {self.position!r}; accepted: {', '.join(POSITIONS)}")


@dataclass(frozen=True)
class Observer:
    """Who looks.

    Parameters
    ----------
    distance : Fraction
        cm to the unit.
    inside : bool
        Whether the observer is in the same wood.
    flying : bool
        Whether it flies at Flight Height.
    beyond : bool
        Whether it has come round or over what hides the unit.
    at_opening : bool
        Whether it stands at a door or window.
    """

    distance: Fraction
    inside: bool = False
    flying: bool = False
    beyond: bool = False
    at_opening: bool = False


@dataclass(frozen=True)
class Sight:
    """Whether a unit is seen, whether it must stand on the table, and why."""

    seen: bool
    on_table: bool
    why: str


def sight(hiding: Hiding, observer: Observer, rulings: WarlordRulings) -> Sight:
    """Whether an observer sees a unit, and whether it is placed on the table."""
    terrain = hiding.terrain
    if hiding.position == "behind":
        return _behind(terrain, observer)
    if hiding.position == "inside" and terrain.id == "building":
        return _in_building(hiding, observer)
    if hiding.position == "inside" and terrain.hides_inside and terrain.sight is not None:
        return _in_wood(hiding, observer, Fraction(terrain.sight), rulings)
    return Sight(True, True, "nothing hides it")


def _behind(terrain: Terrain, observer: Observer) -> Sight:
    if terrain.hides_behind == "no":
        return Sight(True, True, f"{terrain.name} does not hide what is behind it")
    if observer.flying:
        return Sight(True, True, "a flier at Flight Height sees over it")
    if observer.beyond:
        return Sight(True, True, "the observer is past it")
    what = "the crest" if terrain.hides_behind == "crest" else terrain.name.lower()
    return Sight(False, False, f"behind {what}")


def _in_building(hiding: Hiding, observer: Observer) -> Sight:
    if hiding.shown:
        return Sight(True, True, "it has shot or come out")
    if observer.at_opening:
        return Sight(True, True, "the observer is at a door or window")
    if observer.flying and not hiding.roof:
        return Sight(True, True, "a flier looks in where there is no roof")
    return Sight(False, False, "inside the building")


def _in_wood(hiding: Hiding, observer: Observer, reach: Fraction, rulings: WarlordRulings) -> Sight:
    """Inside, sight is short both ways; fliers see nothing and must land."""
    if observer.flying:
        return Sight(False, hiding.shown, "trees hide it from fliers")
    if observer.distance <= reach:
        return Sight(True, True, f"within {reach} cm")
    if observer.inside:
        return Sight(False, True, f"farther than {reach} cm among trees, but an enemy is in the wood")
    if hiding.shown and hiding.to_edge <= reach and rulings.sight_into_wood == "revealed":
        return Sight(True, True, "it has shown itself near the edge")
    return Sight(False, hiding.shown, "inside the wood")


def may_shoot_out(hiding: Hiding) -> bool:
    """Whether a unit inside woods is near enough to the edge to shoot out of them (F31)."""
    return hiding.terrain.sight is None or hiding.to_edge <= hiding.terrain.sight
