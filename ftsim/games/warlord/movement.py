"""Moving through terrain: where a unit is and what it spent, turn by turn (FW 7, features F1-F13).

A path is a line; places on it are cm from the front edge of the unit at the start. All arithmetic
is in fractions, for nothing is rounded. Moves to the front are measured from the front edge;
for retiring, evading and routing the rear leads, which is the same sum seen from there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ftsim.errors import InputError
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import Terrain, terrains
from ftsim.games.warlord.units import Unit


@dataclass(frozen=True)
class Feature:
    """A stretch of terrain across the path.

    Parameters
    ----------
    terrain : Terrain
        What it is.
    start, width : Fraction
        Where it begins, and how far it goes, in cm; linear obstacles have no width.
    downhill : bool
        Whether a slope falls in the direction of the move.
    by_road : bool
        Whether a road or bridge leads through it.
    opening : Fraction, optional
        Width of the road, bridge or gate in cm; wider formations must narrow first.
    """

    terrain: Terrain
    start: Fraction
    width: Fraction = Fraction(0)
    downhill: bool = False
    by_road: bool = False
    opening: Fraction | None = None

    @property
    def end(self) -> Fraction:
        """Where it ends."""
        return self.start + self.width

    @property
    def linear(self) -> bool:
        """Whether it is a wall, hedge or fence."""
        return self.terrain.shape == "linear"


@dataclass(frozen=True)
class Path:
    """What a unit meets on its way, in order.

    Notation: stretches joined by ``+``, each a length in cm and what is there, as in
    ``1 clear + 5 broken + 30 clear``. Terrain that overlaps is joined by ``&``
    (``10 steep hill & wood``), obstacles stand without a length (``2 clear + wall + 20 clear``),
    a slope that falls is ``steep hill down``, roads and bridges may have a width
    (``6 river & bridge 4``).
    """

    features: tuple[Feature, ...]
    length: Fraction

    @classmethod
    def parse(cls, text: str) -> Path:
        """Read the notation.

        Raises
        ------
        InputError
            For a stretch that cannot be used.
        """
        place = Fraction(0)
        found: list[Feature] = []
        growing: dict[str, int] = {}
        for stretch in text.split("+"):
            if not stretch.strip():
                raise InputError(f"Path {text!r}: a stretch is empty; expected such as 5 broken")
            match = re.fullmatch(r"\s*(-?\d+(?:[./]\d+)?)?\s*(.+?)\s*", stretch)
            assert match
            kinds = [_kind(word) for word in match[2].split("&")]
            linear = [kind for kind in kinds if kind[0].shape == "linear"]
            if linear and match[1]:
                raise InputError(f"Path {text!r}: {linear[0][0].name.lower()} has no length")
            if not linear and not match[1]:
                raise InputError(f"Path {text!r}: {stretch.strip()!r} needs a length in cm, such as 5 broken")
            width = Fraction(match[1] or 0)
            if width <= 0 and not linear:
                raise InputError(f"Path {text!r}: {match[1]} cm cannot be used; accepted: a length above 0")
            roads = [kind for kind in kinds if kind[0].shape == "passage"]
            opening = min((kind[2] for kind in roads if kind[2] is not None), default=None)
            still: dict[str, int] = {}
            for terrain, downhill, _ in kinds:
                if terrain.shape == "passage" and len(kinds) > 1:
                    continue
                one = Feature(terrain, place, width, downhill, bool(roads), opening)
                name = f"{terrain.id} {downhill} {bool(roads)} {opening}"
                # Terrain that goes on from one stretch to the next is one feature.
                if name in growing and not one.linear:
                    k = growing[name]
                    found[k] = _longer(found[k], width)
                    still[name] = k
                elif terrain.id != "clear":
                    found.append(one)
                    still[name] = len(found) - 1
            growing = still
            place += width
        return cls(tuple(found), place)


def _kind(text: str) -> tuple[Terrain, bool, Fraction | None]:
    text = text.strip()
    match = re.fullmatch(r"(.+?)\s+(\d+(?:\.\d+)?)(?: wide)?", text)
    name, opening = (match[1], Fraction(match[2])) if match else (text, None)
    downhill = name.endswith(" down")
    terrain = terrains().find(name.removesuffix(" down").removesuffix(" up"))
    if opening is not None and terrain.shape != "passage":
        raise InputError(f"{text!r}: only a road, bridge or gateway has a width")
    return terrain, downhill, opening


def _longer(feature: Feature, by: Fraction) -> Feature:
    return Feature(
        feature.terrain,
        feature.start,
        feature.width + by,
        feature.downhill,
        feature.by_road,
        feature.opening,
    )


@dataclass(frozen=True)
class Mover:
    """What of a unit matters to its move.

    Parameters
    ----------
    race : str
        Key in the profiles.
    move : Fraction
        Allowance in cm this turn and every turn.
    depth, width : Fraction
        Of the formation, in cm.
    mounted, column : bool
        How it goes; a column may follow a road.
    how : {"foot", "flight", "swim"}
        Fliers pass everything; swimmers pass rivers.
    """

    race: str
    move: Fraction
    depth: Fraction
    width: Fraction = Fraction(0)
    mounted: bool = False
    column: bool = False
    how: str = "foot"

    def __post_init__(self) -> None:
        if self.move < 0 or self.depth <= 0 or self.width < 0:
            raise InputError(
                f"A unit needs a move of at least 0 and a depth above 0, got {self.move} and {self.depth} cm"
            )
        if self.how not in ("foot", "flight", "swim"):
            raise InputError(f"A unit moves by foot, flight or swim, got {self.how!r}")

    @classmethod
    def of(
        cls,
        unit: Unit,
        profiles: Profiles,
        rulings: WarlordRulings,
        *,
        action: str = "normal",
        fires: bool = False,
        column: bool = False,
        how: str = "foot",
        nearest_enemy: Fraction | None = None,
    ) -> Mover:
        """A unit that makes a move of some kind."""
        if how == "swim" and not unit.race.swims:
            raise InputError(f"{unit.race.name} cannot swim: only characters, some monsters and hill trolls can")
        if column and unit.ranks < unit.files:
            raise InputError(f"A column is at least as deep as wide, got {unit.ranks} ranks of {unit.files}")
        return cls(
            race=unit.race.profile,
            move=allowance(
                unit, profiles, rulings, action=action, fires=fires, column=column, nearest_enemy=nearest_enemy
            ),
            depth=unit.depth(profiles),
            width=unit.width(profiles),
            mounted=unit.mounted,
            column=column,
            how=how,
        )


ACTIONS = ("normal", "charge", "rout", "evade", "retire", "double", "pursuit")


def allowance(
    unit: Unit,
    profiles: Profiles,
    rulings: WarlordRulings,
    *,
    action: str = "normal",
    fires: bool = False,
    column: bool = False,
    nearest_enemy: Fraction | None = None,
) -> Fraction:
    """Move allowance in cm before terrain; move-and-fire comes off first.

    Raises
    ------
    InputError
        For a move that the rules do not allow.
    """
    if action not in ACTIONS:
        raise InputError(f"Unknown move {action!r}; accepted: {', '.join(ACTIONS)}")
    if action == "double" and not (column and nearest_enemy is not None and nearest_enemy >= 50):
        raise InputError("A double move needs a column and 50 cm to the nearest visible enemy")
    if action == "evade" and not unit.open_order:
        raise InputError("Only troops in open order evade")
    if fires and action not in ("normal", "retire"):
        raise InputError(f"Nobody shoots in a {action} move: only normal and retire moves go with shooting")
    owner = "mounted" if unit.mounted else unit.race.profile
    move = profiles.number(f"move_normal.{owner}.{unit.armour}", unit.race.name)
    if unit.open_order:
        move *= 1 + Fraction(rulings.open_order_bonus)
    if action != "normal":
        move *= profiles.number(f"move_factor.{action}")
    if fires:
        if unit.missile is None:
            raise InputError(f"{unit} has nothing to shoot with")
        # Mounted troops make the full move and shoot.
        if not unit.mounted:
            move *= 1 - profiles.number(f"move_and_fire_loss.{unit.missile.id}")
    return move


def cost(loss: Fraction, row: str, rulings: WarlordRulings) -> Fraction:
    """Allowance in cm for a cm of ground, where a share `loss` of the move is lost (A-1)."""
    model = rulings.cost_model
    if row == "ford" and model == "divisor":
        model = rulings.ford_cost
    return 1 + loss if model == "surcharge" else 1 / (1 - loss)


def feature_costs(
    feature: Feature, mover: Mover, profiles: Profiles, rulings: WarlordRulings
) -> dict[str, Fraction | None]:
    """Cost factor of each profile row that a feature brings to a mover; None is impassable."""
    terrain = feature.terrain
    if mover.how == "flight" or (terrain.uphill_only and feature.downhill):
        return {}
    # A column on a road finds everything clear but fords; bridges and gates serve any formation.
    bridged = feature.by_road and feature.opening is not None
    if feature.by_road and terrain.id != "ford" and (mover.column or (bridged and terrain.impassable)):
        return {}
    if terrain.impassable:
        if mover.how != "swim" or terrain.id != "river":
            return {terrain.id: None}
        if rulings.swimming == "free":
            return {}
        loss = profiles.terrain_loss(mover.race, "ford", mover.mounted)
        return {"ford": None if loss is None else cost(loss, "ford", rulings)}
    found: dict[str, Fraction | None] = {}
    for row in terrain.uses:
        loss = profiles.terrain_loss(mover.race, row, mover.mounted)
        found[row] = None if loss is None else cost(loss, row, rulings)
    return found


@dataclass(frozen=True)
class Leg:
    """A part of a move at one rate: from, to (front edge, cm), cost a cm, and what slows it."""

    start: Fraction
    end: Fraction
    rate: Fraction
    why: tuple[str, ...]

    @property
    def spent(self) -> Fraction:
        """Allowance it took."""
        return (self.end - self.start) * self.rate


@dataclass(frozen=True)
class Turn:
    """One turn of a march.

    Parameters
    ----------
    legs : tuple of Leg
        Its parts.
    front : Fraction
        Front edge at the end.
    left : Fraction
        Allowance that was not used; nothing carries over.
    stopped : str
        Why it ended early: ``impassable``, ``too wide``, ``path ends``, ``before the enemy`` or empty.
    inside : tuple of str
        Features that the unit still touches at the end.
    """

    legs: tuple[Leg, ...]
    front: Fraction
    left: Fraction
    stopped: str = ""
    inside: tuple[str, ...] = ()

    @property
    def spent(self) -> Fraction:
        """Allowance used."""
        return sum((leg.spent for leg in self.legs), Fraction(0))


@dataclass(frozen=True)
class March:
    """Several turns along a path."""

    path: Path
    mover: Mover
    turns: tuple[Turn, ...] = field(default=())

    @property
    def front(self) -> Fraction:
        """Where the front edge is."""
        return self.turns[-1].front if self.turns else Fraction(0)

    def at(self, front: Fraction) -> int:
        """Turn, counted from 1, in which the front edge reaches a place; 0 if it never does."""
        return next((k for k, turn in enumerate(self.turns, 1) if turn.front >= front), 0)


#: cm that a normal move keeps from an enemy; only charges and pursuits make contact.
KEEPS_OFF = Fraction(5)


def halts_at(enemy: Fraction, action: str) -> Fraction:
    """Where the front edge halts before an enemy so many cm ahead."""
    return enemy if action in ("charge", "pursuit") else max(Fraction(0), enemy - KEEPS_OFF)


def _touches(feature: Feature, front: Fraction, depth: Fraction, after: bool) -> bool:
    """Whether a unit that goes on from `front` is in the feature: from its front's entry to its rear's exit."""
    if after:
        return feature.start <= front and front - depth < feature.end
    return feature.start < front and front - depth < feature.end


def one_turn(
    path: Path,
    mover: Mover,
    front: Fraction,
    profiles: Profiles,
    rulings: WarlordRulings,
    goal: Fraction | None = None,
) -> Turn:
    """A unit's move of one turn from `front`, as far as the allowance, the path or a `goal` before an enemy goes.

    The cost of a cm is the product over all features that the unit touches, from the front edge
    entering until the rear edge has left (F3, F4). An obstacle that the front reaches this turn
    slows all that is left of the move, and in later turns until the rear is over (A-2).
    """
    costs = [feature_costs(feature, mover, profiles, rulings) for feature in path.features]
    length = path.length if goal is None else min(goal, path.length)
    left, legs, stopped = mover.move, [], ""
    crossed: set[int] = set()
    while left > 0:
        if front >= length:
            stopped = "path ends" if length == path.length else "before the enemy"
            break
        active = []
        for k, feature in enumerate(path.features):
            inside = _touches(feature, front, mover.depth, after=True)
            if feature.linear and feature.start == front:
                crossed.add(k)
            if inside or (k in crossed and rulings.linear_mode == "halve_remaining"):
                active.append(k)
        barred = [path.features[k].terrain.name.lower() for k in active if None in costs[k].values()]
        if barred:
            stopped = f"impassable: {barred[0]}"
            break
        narrow = [
            path.features[k]
            for k in active
            if mover.how == "foot" and (path.features[k].opening or mover.width) < mover.width
        ]
        if narrow:
            stopped = f"too wide for {float(narrow[0].opening or 0):g} cm: the formation must narrow"
            break
        rate, why = Fraction(1), []
        kinds: set[str] = set()
        for k in active:
            for row, factor in costs[k].items():
                if rulings.overlap == "kinds" and row in kinds:
                    continue
                kinds.add(row)
                rate *= factor or 1
                why.append(row)
        ends = [length] + [f.start for f in path.features] + [f.end + mover.depth for f in path.features]
        reach = min((place for place in ends if place > front), default=length)
        reach = min(reach, front + left / rate)
        legs.append(Leg(front, reach, rate, tuple(why)))
        left -= (reach - front) * rate
        front = reach
    inside_now = tuple(f.terrain.name for f in path.features if _touches(f, front, mover.depth, after=False))
    return Turn(_joined(legs), front, left, stopped, inside_now)


def _joined(legs: Sequence[Leg]) -> tuple[Leg, ...]:
    """Legs with equal neighbours made one."""
    found: list[Leg] = []
    for leg in legs:
        if found and (found[-1].rate, found[-1].why) == (leg.rate, leg.why):
            found[-1] = Leg(found[-1].start, leg.end, leg.rate, leg.why)
        else:
            found.append(leg)
    return tuple(found)


def march(
    path: Path,
    mover: Mover,
    profiles: Profiles,
    rulings: WarlordRulings,
    *,
    turns: int = 1,
    goal: Fraction | None = None,
) -> March:
    """A march of some turns; it ends sooner where the path ends or nothing can go on.

    Raises
    ------
    InputError
        If there are no turns.
    """
    if turns < 1:
        raise InputError(f"A march takes at least one turn, got {turns}")
    done: list[Turn] = []
    front = Fraction(0)
    for _ in range(turns):
        turn = one_turn(path, mover, front, profiles, rulings, goal)
        done.append(turn)
        if turn.stopped or turn.front == front:
            break
        front = turn.front
    return March(path, mover, tuple(done))


def turns_to_clear(
    path: Path, mover: Mover, profiles: Profiles, rulings: WarlordRulings, *, limit: int = 100
) -> Fraction | None:
    """Turns, with the share of the last one that is used, until the front is at the end of the path.

    None when the unit never gets there.
    """
    gone = march(path, mover, profiles, rulings, turns=limit)
    last = gone.turns[-1]
    if last.front < path.length or mover.move == 0:
        return None
    return len(gone.turns) - 1 + last.spent / mover.move
