"""The log of a battle: numbers decoded into events, and played back to positions.

Lanes and rows are counted from 1, from the left end of the near edge, which is the edge of the
side in the first seat. Facings are 0 to the far edge, then clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ftsim.errors import AuditError, InputError
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Board, Ints, pack_host
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.rules import FATES
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import TroopType

#: Kinds of attack at a distance, as `shooting` numbers them.
ATTACKS = ("shot", "ranged attack", "magical ranged attack", "Mindblast", "Spellblast", "magical Spellblast")
WHYS = ("retreated", "turned", "pushed")
#: How an illusion is revealed, and what transports there are, as `illusions` and `layout` number them.
BYS = ("choice", "enemy near", "attack")
RIDES = ("", "ground", "flying")
#: What counts as lost of a stand that waits in reserve (FT 32.3).
RESERVE_SHARE = Fraction(1, 2)


@dataclass(frozen=True, order=True)
class Spot:
    """A place on the board, counted from 1."""

    lane: int
    row: int

    def __str__(self) -> str:
        return f"lane {self.lane}, row {self.row}"


@dataclass(frozen=True)
class Piece:
    """A stand, hero or camp of a battle.

    Parameters
    ----------
    side : int
        0 for the first army, 1 for the second.
    name, code : str
        What it is called, such as ``Spear A2``, and in short, such as ``SPR2``.
    notation : str
        All there is about it, as people write it.
    kind : {"stand", "hero", "camp", "fake"}
        What it is; a fake is a stand of Illusion that is not there.
    points : Fraction
        What it costs.
    general : bool
        Whether the army's general is with it.
    """

    side: int
    name: str
    code: str
    notation: str
    kind: str
    points: Fraction
    general: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Event:
    """Something that happens; `turn` counts player turns, 0 is the set-up."""

    turn: int


@dataclass(frozen=True)
class Laid(Event):
    """A patch of terrain, from one corner to the other."""

    kind: str
    low: Spot
    high: Spot


@dataclass(frozen=True)
class Deployed(Event):
    """A stand or camp is set up."""

    who: int
    at: Spot
    facing: int


@dataclass(frozen=True)
class Joined(Event):
    """A hero joins a stand."""

    who: int
    carrier: int


@dataclass(frozen=True)
class Commanded(Event):
    """A side rolls for command points."""

    side: int
    roll: int


@dataclass(frozen=True)
class Moved(Event):
    """A stand moves by an order."""

    who: int
    at: Spot
    facing: int


@dataclass(frozen=True)
class GroupMoved(Event):
    """A group moves straight ahead together."""

    moves: tuple[Moved, ...]
    rows: int


@dataclass(frozen=True)
class Shot(Event):
    """An attack at a distance; `result` runs from 0, the shooter doubled, to 4, the target doubled."""

    who: int
    target: int
    attack: str
    total: int
    target_total: int
    result: int


@dataclass(frozen=True)
class Fought(Event):
    """A close combat; `result` runs from 0, `who` doubled, to 4, the enemy doubled."""

    who: int
    enemy: int
    total: int
    enemy_total: int
    result: int


@dataclass(frozen=True)
class Dueled(Event):
    """A duel of heroes; totals in points."""

    who: int
    enemy: int
    total: Fraction
    enemy_total: Fraction


@dataclass(frozen=True)
class Suffered(Event):
    """The fate of who was beaten, as in `rules.FATES`."""

    who: int
    fate: str


@dataclass(frozen=True)
class Stepped(Event):
    """Where a stand is after it retreated, turned, or was pushed by a friend."""

    who: int
    at: Spot
    facing: int
    why: str


@dataclass(frozen=True)
class Pursued(Event):
    """A winner follows up."""

    who: int
    at: Spot


@dataclass(frozen=True)
class Lost(Event):
    """A stand, camp or hero is lost; a hero on a lost stand goes Away."""

    who: int


@dataclass(frozen=True)
class Left(Event):
    """A stand goes Away by an order, with the hero on it."""

    who: int


@dataclass(frozen=True)
class Returned(Event):
    """A stand comes back from Away."""

    who: int
    at: Spot
    facing: int


@dataclass(frozen=True)
class Regenerated(Event):
    """A lost stand comes back: onto the board, or to Away when it has no place."""

    who: int
    at: Spot | None
    facing: int = 0


@dataclass(frozen=True)
class Readied(Event):
    """A side rolls for how many stands may lie in ambush (FT 24.1)."""

    side: int
    roll: int


@dataclass(frozen=True)
class Ambushed(Event):
    """A stand that was just set up lies in ambush."""

    who: int
    at: Spot


@dataclass(frozen=True)
class Shown(Event):
    """An illusion shows another stand of its army (FT 39)."""

    who: int
    model: int


@dataclass(frozen=True)
class Revealed(Event):
    """An illusion is revealed; `by` says how: by choice, by an enemy near, or by an attack, which is used up."""

    who: int
    model: int
    by: str


@dataclass(frozen=True)
class Arrived(Event):
    """A stand or hero of Delayed Entry comes; a hero alone arrives Away, without a place (FT 32)."""

    who: int
    at: Spot | None
    facing: int


@dataclass(frozen=True)
class Rode(Event):
    """A stand rides on transports, on the ground or flying (FT 45)."""

    who: int
    kind: str


@dataclass(frozen=True)
class Dropped(Event):
    """A stand is off its transports for good."""

    who: int


@dataclass(frozen=True)
class Defended(Event):
    """A defense of a side lies in a place (FT 49)."""

    side: int
    at: Spot


@dataclass(frozen=True)
class Charged(Event):
    """The next move passes through friends by Charge Through; `left` cards are left (FT 29)."""

    who: int
    at: Spot
    left: int


@dataclass(frozen=True)
class Held(Event):
    """A winner stays in place by Hold the Line; `left` cards of its class are left (FT 38)."""

    who: int
    left: int


@dataclass(frozen=True)
class Helped(Event):
    """An order costs a point less by a Subcommander (FT 56)."""

    who: int


@dataclass(frozen=True)
class Ended(Event):
    """The end; `result` is 1 when the first army won, -1 when the second did, 0 for a draw."""

    result: int


def roster(a: Host, b: Host, rulings: TriumphRulings) -> tuple[Piece, ...]:
    """Everything that fights, by its number in the log: of each side by rising slot, then the camp."""
    pieces: list[Piece] = []
    for side, host in enumerate((a, b)):
        letter = "AB"[side]
        stands, heroes = dict(host.stands), dict(host.heroes)
        counts: dict[str, int] = {}
        for row in pack_host(host, rulings):
            points, slot = Fraction(int(row[lay.COST]), 2), int(row[lay.SLOT])
            if row[lay.FLAGS] & lay.IS_CAMP:
                train = row[lay.CAMP_KIND] == lay.TRAIN
                kind, code, notation = ("Train", "TRN", "Pack Train") if train else ("Camp", "CAMP", str(host.camp))
                pieces.append(Piece(side, f"{kind} {letter}", code, notation.capitalize(), "camp", points))
                continue
            if row[lay.FAKE]:
                number = counts["Illusion"] = counts.get("Illusion", 0) + 1
                pieces.append(Piece(side, f"Illusion {letter}{number}", f"ILL{number}", "Illusion", "fake", points))
                continue
            stand = stands.get(slot)
            kind, code = ("Hero", "HERO") if stand is None else _called(stand.troop_type)
            number = counts[kind] = counts.get(kind, 0) + 1
            notation = str(heroes[slot] if stand is None else stand)
            role, leads = ("hero", False) if stand is None else ("stand", stand.general)
            pieces.append(Piece(side, f"{kind} {letter}{number}", f"{code}{number}", notation, role, points, leads))
    return tuple(pieces)


def _called(troop_type: TroopType) -> tuple[str, str]:
    """A troop type's name and code."""
    code = next((alias for alias in troop_type.aliases if alias.isupper()), troop_type.name[:3].upper())
    return troop_type.name, code


def decode(log: Ints, board: Board) -> tuple[Event, ...]:
    """The events of a log, shape ``(events, 6)``: turn, event, who and three numbers.

    Raises
    ------
    InputError
        If a row is no event.
    """
    shift = (board.rows + 3).bit_length()

    def spot(place: int) -> Spot:
        return Spot((place >> shift) - 1, (place & ((1 << shift) - 1)) - 1)

    kinds = list(terrains())
    events: list[Event] = []
    group: list[Moved] = []
    for turn, event, who, first, second, third in log.tolist():
        if event == lay.E_MOVE:
            move = Moved(turn, who, spot(first), second)
            # The members of a group are written down before the group.
            (group if third else events).append(move)
        elif event == lay.E_GROUP:
            events.append(GroupMoved(turn, tuple(group), first))
            group = []
        elif event == lay.E_TERRAIN:
            ends = spot(first), spot(second)
            low = Spot(min(s.lane for s in ends), min(s.row for s in ends))
            high = Spot(max(s.lane for s in ends), max(s.row for s in ends))
            events.append(Laid(turn, kinds[who], low, high))
        elif event == lay.E_DEPLOY:
            events.append(Deployed(turn, who, spot(first), second))
        elif event == lay.E_ATTACH:
            events.append(Joined(turn, who, first))
        elif event == lay.E_COMMAND:
            events.append(Commanded(turn, who, first))
        elif event in (lay.E_SHOT, lay.E_SPELL):
            result, attack = divmod(third, 10)
            events.append(Shot(turn, who, first, ATTACKS[attack], *_totals(second), result))
        elif event == lay.E_COMBAT:
            events.append(Fought(turn, who, first, *_totals(second), third))
        elif event == lay.E_DUEL:
            events.append(Dueled(turn, who, first, Fraction(second, 2), Fraction(third, 2)))
        elif event == lay.E_FATE:
            events.append(Suffered(turn, who, FATES[first]))
        elif event == lay.E_STEP:
            events.append(Stepped(turn, who, spot(first), second, WHYS[third]))
        elif event == lay.E_PURSUES:
            events.append(Pursued(turn, who, spot(first)))
        elif event == lay.E_LOST:
            events.append(Lost(turn, who))
        elif event in _CARD_EVENTS:
            events.append(_CARD_EVENTS[event](turn, who, first, second, third, spot))
        elif event == lay.E_LEAVES:
            events.append(Left(turn, who))
        elif event == lay.E_RETURNS:
            events.append(Returned(turn, who, spot(first), second))
        elif event == lay.E_REGENERATES:
            events.append(Regenerated(turn, who, spot(first), second))
        elif event == lay.E_RISES_AWAY:
            events.append(Regenerated(turn, who, None))
        elif event == lay.E_END:
            events.append(Ended(turn, who))
        else:
            raise InputError(f"Event {event} of turn {turn} is none of a battle")
    return tuple(events)


Spots = Callable[[int], Spot]


def _ambush(turn: int, who: int, first: int, second: int, _third: int, spot: Spots) -> Event:
    return Readied(turn, who, second) if first < 0 else Ambushed(turn, who, spot(first))


def _arrival(turn: int, who: int, first: int, second: int, _third: int, spot: Spots) -> Event:
    return Arrived(turn, who, None if first < 0 else spot(first), second)


#: Events of army and event cards: turn, who, three numbers, and how a number becomes a place.
_CARD_EVENTS: Mapping[int, Callable[[int, int, int, int, int, Spots], Event]] = {
    lay.E_AMBUSH: _ambush,
    lay.E_SHOWS: lambda turn, who, model, _2, _3, _spot: Shown(turn, who, model),
    lay.E_REVEALS: lambda turn, who, _1, model, by, _spot: Revealed(turn, who, model, BYS[by]),
    lay.E_ARRIVES: _arrival,
    lay.E_RIDES: lambda turn, who, kind, _2, _3, _spot: Rode(turn, who, RIDES[kind]),
    lay.E_DROPS: lambda turn, who, _1, _2, _3, _spot: Dropped(turn, who),
    lay.E_DEFENSE: lambda turn, who, place, _2, _3, spot: Defended(turn, who, spot(place)),
    lay.E_CHARGES: lambda turn, who, place, left, _3, spot: Charged(turn, who, spot(place), left),
    lay.E_HOLDS: lambda turn, who, _1, left, _3, _spot: Held(turn, who, left),
    lay.E_HELPED: lambda turn, who, _1, _2, _3, _spot: Helped(turn, who),
}


def _totals(both: int) -> tuple[int, int]:
    """Two totals from one number: a hundred times the first plus the second, which may be negative."""
    second = (both + 50) % 100 - 50
    return (both - second) // 100, second


@dataclass(frozen=True)
class State:
    """Where a piece is.

    Parameters
    ----------
    status : {"reserve", "on board", "riding", "away", "lost", "gone"}
        Heroes ride; who was never set up is in reserve; a fake stand that was revealed is gone.
    at : Spot or None
        Its place, or its last.
    facing : int
        Where it looks.
    carrier : int or None
        The stand that a hero rides on.
    rides : bool
        Whether a stand rides on transports.
    shows : int or None
        The piece that an illusion looks like.
    """

    status: str = "reserve"
    at: Spot | None = None
    facing: int = 0
    carrier: int | None = None
    rides: bool = False
    shows: int | None = None


@dataclass(frozen=True)
class Frame:
    """A battle after a player turn, or after the set-up.

    Parameters
    ----------
    turn : int
        The player turn, 0 for the set-up.
    states : tuple of State
        Of all pieces.
    events : tuple of Event
        What happened in the turn.
    points_lost : (Fraction, Fraction)
        What counts as lost by each side.
    """

    turn: int
    states: tuple[State, ...]
    events: tuple[Event, ...]
    points_lost: tuple[Fraction, Fraction]


def play_back(events: Sequence[Event], pieces: Sequence[Piece], rulings: TriumphRulings) -> tuple[Frame, ...]:
    """Positions after the set-up and after each player turn.

    Raises
    ------
    AuditError
        If two stands would be in one place.
    """
    states = [State() for _ in pieces]
    frames = []
    for turn, happened in _by_turn(events):
        for event in happened:
            for who, state in _changes(event, states, pieces):
                states[who] = state
        _check_places(turn, states, pieces)
        frames.append(Frame(turn, tuple(states), happened, _points_lost(states, pieces, rulings)))
    return tuple(frames)


def _by_turn(events: Sequence[Event]) -> Iterator[tuple[int, tuple[Event, ...]]]:
    for turn in range(max((event.turn for event in events), default=0) + 1):
        yield turn, tuple(event for event in events if event.turn == turn)


def _changes(event: Event, states: Sequence[State], pieces: Sequence[Piece]) -> Iterator[tuple[int, State]]:
    """New states of the pieces that an event changes."""
    if isinstance(event, Regenerated) and event.at is None:
        yield event.who, State("away")
    elif isinstance(event, Returned | Regenerated):
        yield event.who, State("on board", event.at, event.facing)
    elif isinstance(event, (Deployed, Moved, Stepped)):
        yield event.who, replace(states[event.who], status="on board", at=event.at, facing=event.facing)
    elif isinstance(event, GroupMoved):
        for move in event.moves:
            yield from _changes(move, states, pieces)
    elif isinstance(event, Pursued):
        yield event.who, replace(states[event.who], at=event.at)
    elif isinstance(event, Arrived):
        state = State("away") if event.at is None else State("on board", event.at, event.facing)
        yield event.who, state
    elif isinstance(event, Rode):
        yield event.who, replace(states[event.who], rides=True)
    elif isinstance(event, Dropped):
        yield event.who, replace(states[event.who], rides=False)
    elif isinstance(event, Shown):
        yield event.who, replace(states[event.who], shows=event.model)
    elif isinstance(event, Revealed):
        yield (
            event.who,
            replace(states[event.who], shows=None, status="gone" if pieces[event.who].kind == "fake" else "on board"),
        )
    elif isinstance(event, Joined):
        yield event.who, State("riding", carrier=event.carrier)
    elif isinstance(event, Left) or (isinstance(event, Suffered) and event.fate == "goes_away"):
        yield event.who, replace(states[event.who], status="away")
    elif isinstance(event, Dueled) and event.total != event.enemy_total:
        # A hero who is lost by it follows as an event of its own.
        yield (event.enemy if event.total > event.enemy_total else event.who), State("away")
    elif isinstance(event, Lost):
        yield event.who, replace(states[event.who], status="lost", carrier=None)
        for hero, state in enumerate(states):  # FT 39.7.a
            if state.carrier == event.who:
                yield hero, State("away")


def _check_places(turn: int, states: Sequence[State], pieces: Sequence[Piece]) -> None:
    taken: dict[Spot, int] = {}
    for who, state in enumerate(states):
        if state.status != "on board" or state.at is None:
            continue
        if state.at in taken:
            raise AuditError(
                f"Player turn {turn}: {pieces[who]} and {pieces[taken[state.at]]} are both in {state.at}"
            )
        taken[state.at] = who


def _points_lost(
    states: Sequence[State], pieces: Sequence[Piece], rulings: TriumphRulings
) -> tuple[Fraction, Fraction]:
    shares: Mapping[str, Fraction] = {
        "lost": Fraction(1),
        "away": Fraction(rulings.away_casualty_share),
        "reserve": RESERVE_SHARE,
    }
    sums = [Fraction(0), Fraction(0)]
    for state, piece in zip(states, pieces, strict=True):
        if state.status == "reserve" and piece.kind == "camp":
            continue  # a second camp that is not used in this battle (FT 36, 48)
        status = state.status
        if state.carrier is not None and states[state.carrier].status == "away":
            status = "away"
        sums[piece.side] += shares.get(status, Fraction(0)) * piece.points
    return sums[0], sums[1]
