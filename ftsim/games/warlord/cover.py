"""Cover: who has how much of it against missiles and in combat (FW 7; F23-F29)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ftsim.errors import InputError
from ftsim.games.warlord.races import Race
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import COVERS, Terrain


def cover_from_missiles(terrain: Terrain, race: Race) -> str:
    """Cover of a unit in an area, in a building, or in contact with an obstacle (F23, F24, F29)."""
    return terrain.fire_small if race.size == "small" else terrain.fire_large


def _combat(terrain: Terrain, race: Race) -> str:
    return terrain.combat_small if race.size == "small" else terrain.combat_large


def covers_in_combat(
    terrain: Terrain,
    attacker: Race,
    defender: Race,
    rulings: WarlordRulings,
    *,
    attacker_inside: bool = False,
    defender_inside: bool = True,
) -> tuple[str, str]:
    """Cover of both sides in hand-to-hand combat (F23, F28, F29, A-14).

    Across an obstacle both have it. In woods and scrub each side that is inside has it. Troops in
    a building have heavy cover against attackers at its windows, who have none; once attackers
    are inside, both have medium cover.

    Returns
    -------
    attacker, defender : str
        Levels of cover.
    """
    if terrain.id == "building":
        if attacker_inside and defender_inside:
            return "medium", "medium"
        return "none", "heavy" if defender_inside else "none"
    if terrain.combat_for == "both":
        return _combat(terrain, attacker), _combat(terrain, defender)
    if rulings.combat_cover_inside == "both_sides" and (attacker_inside or defender_inside):
        attacker_inside = defender_inside = True
    return (
        _combat(terrain, attacker) if attacker_inside else "none",
        _combat(terrain, defender) if defender_inside else "none",
    )


def covered_figures(figures: int, files: int, terrain: Terrain, *, touching: bool) -> int:
    """Figures under cover: behind an obstacle only two ranks in contact with it, elsewhere all (F25, F26)."""
    if terrain.shape != "linear":
        return figures
    return min(figures, 2 * files) if touching else 0


def counts_for_morale(covered: int, figures: int) -> bool:
    """Whether a unit's cover helps its morale: three quarters of its figures must have it."""
    return 4 * covered >= 3 * figures


@dataclass(frozen=True)
class Exposed:
    """Fire aimed at the ranks that an obstacle does not cover (F27).

    Parameters
    ----------
    figures : int
        How many are exposed; no more can be lost.
    distance : Fraction
        cm from the shooters to the first of those ranks.
    """

    figures: int
    distance: Fraction


def exposed_ranks(
    figures: int, files: int, distance: Fraction, rank_depth: Fraction, *, touching: bool = True
) -> Exposed:
    """The ranks behind an obstacle that are not covered, and how far off the first of them is.

    Parameters
    ----------
    distance : Fraction
        cm to the front rank.
    rank_depth : Fraction
        Depth of a rank in cm.
    """
    if files < 1 or figures < 0:
        raise InputError(f"A unit has figures and files, got {figures} and {files}")
    if not touching:
        return Exposed(figures, distance)
    return Exposed(max(0, figures - 2 * files), distance + 2 * rank_depth)


def level(text: str) -> str:
    """A level of cover by name.

    Raises
    ------
    InputError
        If there is no such level.
    """
    if text not in COVERS:
        raise InputError(f"Unknown cover {text!r}; accepted: {', '.join(COVERS)}")
    return text
