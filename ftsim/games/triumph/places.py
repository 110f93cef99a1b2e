"""Where the sides of a combat stand, and sides as arrays: traits, situation, factors.

A place is seen by its own side: the same woods are difficult to one stand and open to another
(FT 9, 58).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ftsim._typing import BoolArray
from ftsim.conditions import Bits
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.rules import vocabularies
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import troop_types

CAMPS = {
    "camp": ("camp",),
    "fortified camp": ("camp", "fortified"),
    "heavily fortified camp": ("camp", "heavily_fortified"),
}
CAMP_FACTOR = 2  # Triumph! 72.1, FT 36.2


@dataclass(frozen=True)
class Place:
    """Where and how one side stands in a combat.

    Parameters
    ----------
    terrain : str
        Kind of terrain under its fighting edge.
    uphill : bool
        Higher than the enemy.
    attacked : {"front", "flank", "rear"}
        From where this stand is attacked, or shot at.
    overlaps : int
        Enemies that overlap it, 0 to 2.
    supported : bool
        A stand of its type supports it from behind.
    blocked : bool
        Its fall back is blocked by stands, none of them Massive, that it can neither pass nor push.
    in_zone : bool
        A friend with Negate Magic: Zone is nearer than 2 MU.
    general : bool
        The army's general is with it.
    on_transports : bool
        It still rides its Mobile Infantry transports.
    hold_the_line : bool
        Its side plays Hold the Line on it.
    """

    terrain: str = "open"
    uphill: bool = False
    attacked: str = "front"
    overlaps: int = 0
    supported: bool = False
    blocked: bool = False
    in_zone: bool = False
    general: bool = False
    on_transports: bool = False
    hold_the_line: bool = False

    @classmethod
    def parse(cls, settings: Mapping[str, str]) -> Place:
        """A place from ``key=value`` texts.

        Raises
        ------
        UnknownNameError, InputError
            For a key or a value that does not exist.
        """
        known = {f.name: f.default for f in fields(cls)}
        values: dict[str, Any] = {}
        for key, text in settings.items():
            if key not in known:
                raise UnknownNameError("situation", key, known)
            if key == "terrain":
                values[key] = terrains().find(text).id
            elif key == "attacked":
                values[key] = _one_of(key, text, ("front", "flank", "rear"))
            elif key == "overlaps":
                values[key] = int(_one_of(key, text, ("0", "1", "2")))
            else:
                values[key] = _one_of(key, text, ("yes", "no")) == "yes"
        return cls(**values)

    def words(self) -> list[str]:
        """What differs from the open field, in words."""
        said = [] if self.terrain == "open" else [f"in {terrains()[self.terrain].name.lower()}"]
        said += [] if self.attacked == "front" else [f"attacked on the {self.attacked}"]
        said += [f"overlapped by {self.overlaps}"] if self.overlaps else []
        flags = ("uphill", "supported", "blocked", "in_zone", "general", "on_transports", "hold_the_line")
        return said + [flag.replace("_", " ") for flag in flags if getattr(self, flag)]


@dataclass(frozen=True)
class Situation:
    """A place for each side."""

    a: Place = Place()
    b: Place = Place()

    @classmethod
    def parse(cls, settings: Mapping[str, str]) -> Situation:
        """A situation from texts: ``terrain=woods`` for both sides, ``a.uphill=yes`` for one.

        Only the terrain may be given for both sides at once.
        """
        sides: dict[str, dict[str, str]] = {"a": {}, "b": {}}
        for key, text in settings.items():
            side, dot, name = key.partition(".")
            if dot and side in sides:
                sides[side][name] = text
            elif key == "terrain":
                for values in sides.values():
                    values.setdefault(key, text)
            else:
                accepted = ["terrain", *(f"{s}.{f.name}" for s in "ab" for f in fields(Place))]
                raise UnknownNameError("situation", key, accepted)
        return cls(Place.parse(sides["a"]), Place.parse(sides["b"]))

    def words(self) -> str:
        """The situation in words."""
        parts = [f"{side} {', '.join(p.words())}" for side, p in (("A", self.a), ("B", self.b)) if p.words()]
        return "; ".join(parts) or "open ground, front to front"


def _one_of(key: str, text: str, accepted: Sequence[str]) -> str:
    if text not in accepted:
        raise InputError(f"Situation {key}: {text!r} is not an option; accepted: {', '.join(accepted)}")
    return text


@dataclass(frozen=True)
class Camp:
    """A camp as a side of a close combat (Triumph! 72, FT 36)."""

    kind: str = "camp"

    @property
    def traits(self) -> tuple[str, ...]:
        """What conditions call it."""
        return CAMPS[self.kind]

    def __str__(self) -> str:
        return self.kind.capitalize()


Side = Stand | Camp


@lru_cache(maxsize=4096)
def read_side(text: str, rulings: TriumphRulings) -> Side:
    """A camp or a legal stand from notation."""
    folded = " ".join(text.casefold().split())
    return Camp(folded) if folded in CAMPS else Stand.parse(text, rulings)


@dataclass(frozen=True, eq=False)
class SideArray:
    """Many sides in one place, as arrays of shape ``(n,)``.

    Parameters
    ----------
    bits : array of int64
        Traits, with what the place adds.
    situation : array of int64
        Bits of the place as each side sees it: terrain is difficult to one and open to another.
    cf_vs_foot, cf_vs_mounted : array of int16
        Close combat factors.
    mounted : array of bool
        Whether enemies use their factor against mounted.
    shot_at, cost : array of int16
        Factor when shot at, and cost of the type (what Mindblast is resisted with).
    """

    bits: Bits
    situation: Bits
    cf_vs_foot: NDArray[np.int16]
    cf_vs_mounted: NDArray[np.int16]
    mounted: BoolArray
    shot_at: NDArray[np.int16]
    cost: NDArray[np.int16]


def side_array(
    sides: Sequence[Side],
    place: Place,
    other: Place,
    rulings: TriumphRulings,
    extra: Sequence[str] = (),
) -> SideArray:
    """Arrays of sides that stand in `place` against an enemy in `other`.

    Parameters
    ----------
    sides : sequence of Stand or Camp
        The sides.
    place, other : Place
        Their place and the enemy's; 58.1.d looks at the enemy's terrain.
    rulings : TriumphRulings
        Decide what cards grant and what hinders flyers.
    extra : sequence of str
        More situation names, such as the kind of attack.
    """
    traits, situations = vocabularies()
    types = troop_types(rulings)
    bits, where = [], []
    numbers = np.zeros((5, len(sides)), dtype=np.int16)
    for k, side in enumerate(sides):
        names = _names(side, place, other, rulings)
        bits.append(traits.bits(name for name in names if name in traits))
        seen = _situation_names(side, place, rulings)
        where.append(situations.bits(name for name in (*seen, *extra) if name in situations))
        if isinstance(side, Camp):
            numbers[:, k] = (CAMP_FACTOR, CAMP_FACTOR, rulings.camp_counts_as == "mounted", 0, 0)
        else:
            t = types[side.troop_type.id]
            numbers[:, k] = (t.cf_vs_foot, t.cf_vs_mounted, t.kind == "mounted", t.shot_at, t.cost)
    return SideArray(
        np.array(bits, dtype=np.int64),
        np.array(where, dtype=np.int64),
        numbers[0],
        numbers[1],
        numbers[2].astype(np.bool_),
        numbers[3],
        numbers[4],
    )


def _names(side: Side, place: Place, other: Place, rulings: TriumphRulings) -> set[str]:
    if isinstance(side, Camp):
        return {*side.traits, f"counts_as_{rulings.camp_counts_as}"}
    names = set(side.names(rulings))
    if place.general:
        names.add("general")
    if place.hold_the_line:
        names.add("hold_the_line")
    if place.on_transports:
        if "mobile_infantry" not in names:
            raise InputError(f"{side} has no transports to ride on (FT 45)")
        names.add("on_transports")
        if "mobile_infantry_flying" in names:
            names.add("on_flying_transports")
    if other.terrain in side.affinity:  # FT 58.1.d
        names.add("at_home")
    return names


def is_hindered(stand: Stand, kind: str, rulings: TriumphRulings) -> bool:
    """Whether a kind of terrain is difficult to a stand (Triumph! 32; FT 9, 58.1)."""
    if kind in stand.affinity:
        return False
    terrain = terrains()[kind]
    if "flying" in stand.names(rulings):
        return terrain.hinders_flyers or (terrain.id == "oasis" and rulings.oasis_hinders_flyers)
    return terrain.difficult


def _situation_names(side: Side, place: Place, rulings: TriumphRulings) -> set[str]:
    seen = {place.attacked}
    terrain = terrains()[place.terrain]
    if isinstance(side, Stand):
        if terrain.difficult:
            seen.add("difficult_ground")
        if is_hindered(side, place.terrain, rulings):
            seen.add("difficult")
    for flag in ("uphill", "supported", "blocked", "in_zone"):
        if getattr(place, flag):
            seen.add(flag)
    if place.overlaps >= 1:
        seen.add("overlapped_once")
    if place.overlaps == 2:
        seen.add("overlapped_twice")
    return seen
