"""A battle in words: a line for each thing that happens, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ftsim.estimates import format_points
from ftsim.games.triumph.battle.log import (
    Ambushed,
    Arrived,
    Charged,
    Commanded,
    Defended,
    Deployed,
    Dropped,
    Dueled,
    Ended,
    Event,
    Fought,
    Frame,
    GroupMoved,
    Held,
    Helped,
    Joined,
    Laid,
    Left,
    Lost,
    Moved,
    Piece,
    Pursued,
    Readied,
    Regenerated,
    Returned,
    Revealed,
    Rode,
    Shot,
    Shown,
    Spot,
    State,
    Stepped,
    Suffered,
)
from ftsim.games.triumph.terrain import terrains

#: Where a stand looks, by its facing.
EDGES = ("the far edge", "the right", "the near edge", "the left")
_FATES = {
    "panics": "panicked",
    "evades": "evaded",
    "falls_back": "fell back",
    "goes_away": "went Away",
    "stands": "stood",
}


@dataclass(frozen=True)
class Story:
    """What is needed to tell a battle.

    Parameters
    ----------
    names : (str, str)
        The armies.
    pieces : tuple of Piece
        What fights, by number.
    frames : tuple of Frame
        Positions and events of each player turn.
    near : int
        The side at the near edge.
    first : int
        The side that moves first.
    thresholds : (Fraction, Fraction)
        Points lost that decide against each side.
    """

    names: tuple[str, str]
    pieces: tuple[Piece, ...]
    frames: tuple[Frame, ...]
    near: int
    first: int
    thresholds: tuple[Fraction, Fraction]

    def army(self, side: int) -> str:
        """An army's name and letter."""
        return f"{self.names[side]} ({'AB'[side]})"

    def active(self, turn: int) -> int:
        """Whose player turn it is."""
        return (self.first + turn - 1) & 1

    def home(self, side: int) -> int:
        """The facing in which a side looks at the enemy's edge."""
        return 0 if side == self.near else 2


def points_text(points: Fraction) -> str:
    """Points with halves and quarters as people write them."""
    if (2 * points).denominator == 1:
        return format_points(float(points))
    whole, rest = divmod(points, 1)
    return f"{whole or ''}{'¼' if rest == Fraction(1, 4) else '¾'}"


def score(story: Story, frame: Frame) -> str:
    """Points lost by both sides."""
    return ", ".join(
        f"{'AB'[side]} {points_text(frame.points_lost[side])} of {points_text(story.thresholds[side])}"
        for side in (0, 1)
    )


def tell_story(story: Story) -> list[str]:
    """The battle, a line an event; consequences of a fight stand in its line."""
    lines = list(_set_up(story))
    for before, frame in zip(story.frames, story.frames[1:], strict=False):
        lines += _player_turn(story, before, frame)
    return lines


def _set_up(story: Story) -> Iterator[str]:
    start = story.frames[0]
    near, far = story.near, 1 - story.near
    yield f"{story.army(near)} at the near edge, {story.army(far)} at the far edge; {'AB'[story.first]} moves first"
    for event in start.events:
        if isinstance(event, Laid):
            yield (
                f"Terrain: {terrains()[event.kind].name} in lanes {event.low.lane} to {event.high.lane}, "
                f"rows {event.low.row} to {event.high.row}"
            )
    for side in (0, 1):
        rows: dict[int, list[tuple[int, str]]] = {}
        for event in start.events:
            if isinstance(event, Deployed) and story.pieces[event.who].side == side:
                piece = story.pieces[event.who]
                about = "" if piece.notation == piece.name.rsplit(" ", 1)[0] else f" [{piece.notation}]"
                if piece.kind == "camp":
                    about = f" [{piece.notation}]" if piece.notation != "Camp" else ""
                rows.setdefault(event.at.row, []).append((event.at.lane, f"{piece}{about}"))
        for row, placed in sorted(rows.items(), reverse=side != near):
            listed = ", ".join(f"{lane} {text}" for lane, text in sorted(placed))
            yield f"{story.army(side)} in row {row}, by lane: {listed}"
    for event in start.events:
        if isinstance(event, Readied):
            yield f"{story.army(event.side)}: up to {_counted(event.roll, 'stand')} may lie in ambush (Ambush)"
        if isinstance(event, Ambushed):
            yield f"{story.pieces[event.who]} lies in ambush at {event.at}"
        if isinstance(event, Defended):
            yield f"{story.army(event.side)} laid a defense at {event.at} (Prepared Defenses)"
        if isinstance(event, Shown):
            yield f"{story.pieces[event.who]} shows itself as {story.pieces[event.model].notation} (Illusion)"
        if isinstance(event, Rode):
            yield f"{story.pieces[event.who]} rides on {event.kind} transports (Mobile Infantry)"
    late = [who for who, state in enumerate(start.states) if state.status == "reserve"]
    for who in late:
        piece = story.pieces[who]
        if piece.kind in ("stand", "hero"):
            yield f"{piece} [{piece.notation}] arrives later (Delayed Entry)"
    for event in start.events:
        if isinstance(event, Joined):
            hero = story.pieces[event.who]
            yield f"{hero} [{hero.notation}] rides with {story.pieces[event.carrier]}"


def _player_turn(story: Story, before: Frame, frame: Frame) -> Iterator[str]:
    chain: list[Event] = []
    for event in frame.events:
        if chain and not _belongs(event, chain):
            yield _combat(story, chain)
            chain = []
        if isinstance(event, (Shot, Fought, Dueled)) or chain:
            chain.append(event)
        else:
            yield _line(story, event, before, frame)
    if chain:
        yield _combat(story, chain)
    if frame.points_lost != before.points_lost and not isinstance(frame.events[-1], Ended):
        yield f"  Points lost: {score(story, frame)}"


def _belongs(event: Event, chain: Sequence[Event]) -> bool:
    """Whether an event is a consequence of the combat that began a chain."""
    if isinstance(event, (Suffered, Lost, Pursued, Dropped, Held)):
        return True
    if isinstance(event, Stepped):
        if event.why != "turned":
            return True
        start = chain[0]
        facing = any(isinstance(past, Stepped) and past.why == "turned" for past in chain)
        return isinstance(start, Fought) and event.who == start.enemy and not facing
    return False


def _line(story: Story, event: Event, before: Frame, frame: Frame) -> str:
    pieces = story.pieces
    if isinstance(event, Commanded):
        turn = (event.turn + 1) // 2
        points = "command point" if event.roll == 1 else "command points"
        return f"Turn {turn}, {story.army(event.side)}: {event.roll} {points}"
    if isinstance(event, GroupMoved):
        return f"  {_members(story, event)} advanced {_counted(event.rows, 'row')}"
    if isinstance(event, Moved):
        return f"  {pieces[event.who]} {_moved(story, event, before.states[event.who])}"
    if isinstance(event, Left):
        return f"  {pieces[event.who]} went Away"
    if isinstance(event, Returned):
        return f"  {pieces[event.who]} returned from Away to {event.at}, facing {_looking(story, event)}"
    if isinstance(event, Regenerated):
        where = f"to {event.at}" if event.at else "Away"
        return f"  {pieces[event.who]} regenerated {where} (+{points_text(pieces[event.who].points)})"
    if isinstance(event, Joined):
        return f"  {pieces[event.who]} joined {pieces[event.carrier]}"
    if isinstance(event, Lost):
        return f"  {pieces[event.who]} deserted ({_points(pieces[event.who])})"
    if isinstance(event, Stepped):
        home = event.facing == story.home(pieces[event.who].side)
        return f"  {pieces[event.who]} turned to face {'the front again' if home else EDGES[event.facing]}"
    if isinstance(event, Ended):
        return _end(story, event, frame)
    if told := _card(story, event):
        return f"  {told}"
    raise AssertionError(f"{event} stands alone")  # every other event follows a combat


def _looking(story: Story, event: Returned) -> str:
    home = event.facing == story.home(story.pieces[event.who].side)
    return "the front" if home else EDGES[event.facing]


def _card(story: Story, event: Event) -> str:
    """What an army or event card did; empty for any other event."""
    pieces = story.pieces
    if isinstance(event, Arrived):
        who = pieces[event.who]
        return f"{who} arrived Away" if event.at is None else f"{who} arrived at {event.at} (Delayed Entry)"
    if isinstance(event, Revealed):
        who = pieces[event.who]
        how = {"choice": "showed itself", "enemy near": "was seen through", "attack": "took an attack"}[event.by]
        what = "was never there" if who.kind == "fake" else f"is {who.notation}"
        return f"{who}, shown as {pieces[event.model].notation}, {how}: it {what} (Illusion)"
    if isinstance(event, Rode):
        return f"{pieces[event.who]} rode on {event.kind} transports (Mobile Infantry)"
    if isinstance(event, Dropped):
        return f"{pieces[event.who]} left its transports"
    if isinstance(event, Charged):
        return f"{pieces[event.who]} charged through friends (Charge Through, {event.left} left)"
    if isinstance(event, Held):
        return f"{pieces[event.who]} held its place (Hold the Line, {event.left} left)"
    if isinstance(event, Helped):
        return f"{pieces[event.who]} spent the point of a Subcommander"
    return ""


def _moved(story: Story, event: Moved, old: State) -> str:
    home = event.facing == story.home(story.pieces[event.who].side)
    looks = "" if home else f", facing {EDGES[event.facing]}"
    if old.at == event.at:
        return f"turned to face {EDGES[event.facing]}"
    flies = "Flying" in story.pieces[event.who].notation
    return f"{'flew' if flies else 'moved'} to {event.at}{looks}"


def _members(story: Story, event: GroupMoved) -> str:
    codes = [story.pieces[move.who].code for move in sorted(event.moves, key=lambda m: (m.at.lane, m.at.row))]
    lanes = sorted(move.at.lane for move in event.moves)
    where = f"lane {lanes[0]}" if lanes[0] == lanes[-1] else f"lanes {lanes[0]} to {lanes[-1]}"
    return f"Group of {len(codes)} in {where} ({', '.join(codes)})"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _points(piece: Piece) -> str:
    plural = "point" if piece.points == 1 else "points"
    return f"−{points_text(piece.points)} {plural}{', the general' if piece.general else ''}"


def _combat(story: Story, chain: Sequence[Event]) -> str:
    """One shot, fight or duel with all that came of it."""
    start, pieces = chain[0], story.pieces
    if isinstance(start, Dueled):
        one, other = pieces[start.who], pieces[start.enemy]
        head = f"{one} duelled with {other}, {points_text(start.total)} to {points_text(start.enemy_total)}: "
        if start.total == start.enemy_total:
            return f"  {head}neither prevailed"
        beaten = other if start.total > start.enemy_total else one
        if any(isinstance(event, Lost) for event in chain):
            return f"  {head}{beaten} fell ({_points(beaten)})"
        return f"  {head}{beaten} went Away"
    assert isinstance(start, (Shot, Fought))
    if isinstance(start, Shot):
        enemy, total, other_total = start.target, start.total, start.target_total
        verb = "shot at" if start.attack == "shot" else f"used {start.attack} on"
    else:
        enemy, total, other_total, verb = start.enemy, start.total, start.enemy_total, "fought"
    head = f"  {pieces[start.who]} {verb} {pieces[enemy]}, {_number(total)} to {_number(other_total)}: "
    loser = enemy if start.result > 2 else start.who
    shot_off = isinstance(start, Shot) and start.result <= 2
    if start.result == 2 or shot_off:
        parts = ["no effect" if shot_off else "neither gave way"]
    else:
        how = "doubled" if start.result in (0, 4) else "beaten"
        parts = [
            f"{pieces[loser]} {how}, {what}" if (what := _fate(story, chain, loser)) else f"{pieces[loser]} {how}"
        ]
    for event in chain[1:]:
        if isinstance(event, Lost) and event.who != loser:
            crushed = any(isinstance(past, Suffered) and past.who == event.who for past in chain)
            parts.append(
                f"{pieces[event.who]} {'crushed' if crushed else 'lost behind it'} ({_points(pieces[event.who])})"
            )
        elif isinstance(event, Stepped) and event.why == "pushed":
            parts.append(f"{pieces[event.who]} pushed to {event.at}")
        elif isinstance(event, Stepped) and event.why == "turned":
            parts.append(f"{pieces[event.who]} turned to face {EDGES[event.facing]}")
        elif isinstance(event, (Revealed, Dropped, Held)):
            parts.append(_card(story, event))
        elif isinstance(event, Pursued):
            parts.append(f"{pieces[event.who]} pursued to {event.at}")
    return head + "; ".join(parts)


def _fate(story: Story, chain: Sequence[Event], loser: int) -> str:
    fates = [event.fate for event in chain if isinstance(event, Suffered) and event.who == loser]
    lost = any(isinstance(event, Lost) and event.who == loser for event in chain)
    steps = [e.at for e in chain if isinstance(e, Stepped) and e.who == loser and e.why == "retreated"]
    points = f" ({_points(story.pieces[loser])})"
    if not fates:
        return ""
    if fates[-1] == "destroyed":
        return ("sacked" if story.pieces[loser].kind == "camp" else "destroyed") + points
    if lost:
        return ("could not fall back and was lost" if not steps else f"{_FATES[fates[-1]]} off the board") + points
    if fates[-1] == "stands":
        return "stood"
    return _FATES[fates[-1]] + _to(steps)


def _to(steps: Sequence[Spot]) -> str:
    return f" to {steps[-1]}" if steps else ""


def _number(total: int) -> str:
    return f"−{-total}" if total < 0 else str(total)


def _end(story: Story, event: Ended, frame: Frame) -> str:
    turn = _counted((event.turn + 1) // 2, "turn")
    if event.result == 0:
        return f"Drawn after {turn}; points lost: {score(story, frame)}"
    return f"{story.army(0 if event.result > 0 else 1)} won after {turn}; points lost: {score(story, frame)}"
