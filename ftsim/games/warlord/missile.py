"""Shooting: who may, how well, and what it costs the target (FW 7, 8; F30-F32, G1, G2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ftsim.errors import InputError
from ftsim.games.warlord.cover import cover_from_missiles, exposed_ranks, level
from ftsim.games.warlord.procedure import Casualties, total_percent
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import Terrain, terrains
from ftsim.games.warlord.units import Unit

RANGES = ("short", "long")


def firing_figures(unit: Unit, profiles: Profiles, figures: int | None = None) -> int:
    """Figures that shoot in the open: as many ranks as the race's sheet says (G2).

    Parameters
    ----------
    figures : int, optional
        Figures left; by default all.
    """
    left = unit.figures if figures is None else figures
    ranks = int(profiles.number(f"ranks_firing.{unit.race.profile}", unit.race.name))
    return min(left, ranks * unit.files)


def firing_from(
    unit: Unit,
    terrain: Terrain,
    profiles: Profiles,
    rulings: WarlordRulings,
    *,
    to_edge: Fraction = Fraction(0),
    at_wall: int | None = None,
    storeys: int = 1,
    figures: int | None = None,
) -> int:
    """Figures that shoot out of terrain (F30-F32).

    Out of woods, jungle and swamp only the front rank shoots, and only from within the sight
    distance of the edge. Out of a building only those shoot that touch the wall, once a storey.

    Parameters
    ----------
    to_edge : Fraction
        cm from the front rank to the edge.
    at_wall : int, optional
        Figures in contact with the wall that is fired through, on one storey; by default the front rank.
    storeys : int
        Storeys that the unit holds.
    """
    left = unit.figures if figures is None else figures
    if terrain.id == "building":
        touching = min(unit.files if at_wall is None else at_wall, left)
        times = storeys if rulings.storeys == "per_storey" else 1
        return min(touching * times, left)
    if terrain.front_rank_fires:
        if terrain.sight is not None and to_edge > terrain.sight:
            return 0
        return min(left, unit.files)
    return firing_figures(unit, profiles, left)


@dataclass(frozen=True)
class Aim:
    """What a volley meets.

    Parameters
    ----------
    band : {"short", "long"}
        Range.
    cover : str
        Cover of the target.
    in_melee : bool
        Whether the target fights hand to hand.
    character : bool
        Whether the target is a character, who counts as open order.
    """

    band: str = "short"
    cover: str = "none"
    in_melee: bool = False
    character: bool = False

    def __post_init__(self) -> None:
        if self.band not in RANGES:
            raise InputError(f"Unknown range {self.band!r}; accepted: {', '.join(RANGES)}")
        level(self.cover)


def percentages(
    shooter: Unit, target: Unit, aim: Aim, profiles: Profiles, rulings: WarlordRulings
) -> tuple[tuple[str, Fraction], ...]:
    """The parts of the chance of each shooter in per cent: basic percentage, then modifiers (FW 8).

    Raises
    ------
    InputError
        If the shooters have nothing to shoot with, or may not shoot into a melee (A-12).
    """
    if shooter.missile is None:
        raise InputError(f"{shooter} has nothing to shoot with; add a short bow, longbow, crossbow or javelin")
    if aim.in_melee and not rulings.fire_into_melee:
        raise InputError("Nobody shoots into a melee (ruling fire_into_melee)")
    number = profiles.number
    parts = [
        (f"{shooter.missile.name.lower()}, {aim.band} range", number(f"firing_base.{shooter.missile.id}")),
        (f"{aim.band} range", number(f"firing_range.{aim.band}")),
        (f"target in {target.armour.replace('_', ' and ')}", number(f"enemy_armour.{target.armour}")),
    ]
    if target.shield:
        parts.append(("target has shields", number("enemy_armour.shield")))
    if aim.cover != "none":
        parts.append((f"{aim.cover} cover", number(f"firing_modifier.cover_{aim.cover}")))
    if aim.character:
        parts.append(("target is a character", number("firing_modifier.character")))
    elif target.open_order:
        parts.append(("target in open order", number("firing_modifier.open_order")))
    return tuple(parts)


def final_percentage(parts: tuple[tuple[str, Fraction], ...], profiles: Profiles) -> Fraction:
    """Sum of the parts, not below the floor."""
    return max(sum((value for _, value in parts), Fraction(0)), profiles.number("percentage_floor.floor"))


@dataclass(frozen=True)
class Volley:
    """One unit shooting at another.

    Parameters
    ----------
    shooter, target : Unit
        Who shoots at whom.
    parts : tuple of (str, Fraction)
        Parts of the percentage of each shooter.
    each : Fraction
        Final firing percentage.
    figures : int
        How many shoot.
    casualties : Casualties
        What the dice make of it.
    """

    shooter: Unit
    target: Unit
    parts: tuple[tuple[str, Fraction], ...] = field(repr=False)
    each: Fraction
    figures: int
    casualties: Casualties


def volley(
    shooter: Unit,
    target: Unit,
    profiles: Profiles,
    rulings: WarlordRulings,
    *,
    band: str = "short",
    shooter_in: str = "clear",
    target_in: str = "clear",
    touching: bool = True,
    rear_ranks_only: bool = False,
    to_edge: Fraction = Fraction(0),
    at_wall: int | None = None,
    storeys: int = 1,
    in_melee: bool = False,
) -> Volley:
    """A volley with its exact two-point law.

    Parameters
    ----------
    shooter_in, target_in : str
        Terrain in or behind which they stand.
    touching : bool
        Whether the target touches its obstacle; without, there is no cover.
    rear_ranks_only : bool
        Whether only ranks that an obstacle does not cover are aimed at (F27).
    """
    place, other = terrains().find(target_in), terrains().find(shooter_in)
    cover = cover_from_missiles(place, target.race)
    most = target.figures
    if place.shape == "linear" and not touching:
        cover = "none"
    if rear_ranks_only:
        if place.shape != "linear":
            raise InputError(f"Ranks stand exposed behind a wall, hedge or fence, not in {place.name.lower()}")
        depth = profiles.number(f"base_depth.{target.body}")
        most = exposed_ranks(target.figures, target.files, Fraction(0), depth, touching=touching).figures
        cover = "none"
    aim = Aim(band, cover, in_melee)
    parts = percentages(shooter, target, aim, profiles, rulings)
    each = final_percentage(parts, profiles)
    figures = firing_from(shooter, other, profiles, rulings, to_edge=to_edge, at_wall=at_wall, storeys=storeys)
    return Volley(shooter, target, parts, each, figures, Casualties(total_percent(each, figures), most))
