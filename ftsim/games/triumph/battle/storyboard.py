"""A storyboard of a battle: a picture of the board after each full turn, side by side.

Side A is filled squares, side B hatched rounded ones, so that it reads without colour; all ink
follows the colour of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from ftsim.games.triumph.battle.build import Board
from ftsim.games.triumph.battle.log import (
    Arrived,
    Charged,
    Defended,
    Dueled,
    Ended,
    Fought,
    Frame,
    GroupMoved,
    Held,
    Laid,
    Left,
    Lost,
    Moved,
    Regenerated,
    Returned,
    Revealed,
    Shot,
    Spot,
    State,
)
from ftsim.games.triumph.battle.telling import Story, score
from ftsim.games.triumph.terrain import terrains

COLUMNS = 3
#: Width of a lane and height of a row, in pixels; a row is drawn deeper than on the table, for the letters.
LANE, ROW = 19, 12
_GAP, _MARGIN, _HEAD, _TITLE = 26, 18, 23, 44
_CAPTION, _CAPTION_LINES = 12, 8
_FILLS = ("#2f81c7", "#d2691e")

_STYLE = f"""<style>
.sb{{font-family:sans-serif;font-size:9px}}
.sb text{{fill:currentColor;stroke:none}}
.sb .t{{font-size:13px;font-weight:bold}}
.sb .h{{font-size:11px;font-weight:bold}}
.sb .c{{font-size:5.8px;font-weight:600;text-anchor:middle}}
.sb .s{{font-size:4.9px}}
.sb .k{{font-size:7px;opacity:.75}}
.sb .n{{font-size:6px;opacity:.6;text-anchor:middle}}
.sb .p{{fill:none;stroke:currentColor}}
.sb .a{{fill:{_FILLS[0]};stroke:currentColor;stroke-width:.5}}
.sb .b{{fill:url(#sb-b);stroke:{_FILLS[1]};stroke-width:.9}}
.sb .a+.c{{fill:#fff}}
.sb .l{{stroke:currentColor;stroke-width:1.5}}
.sb .f{{stroke:currentColor;stroke-width:1.5;fill:none}}
.sb .m{{stroke:currentColor;stroke-width:.6;stroke-opacity:.45;fill:none}}
.sb .g{{fill:none;stroke:currentColor;stroke-width:.5;stroke-dasharray:1.5 1}}
.sb .x{{stroke:currentColor;stroke-width:1;fill:none}}
.sb .w{{fill:currentColor;fill-opacity:.09;stroke:currentColor;stroke-opacity:.5;stroke-width:.6}}
.sb .v{{fill:none;stroke:currentColor;stroke-width:.7;stroke-opacity:.6}}
.sb .d{{fill:url(#sb-d);stroke:none}}
</style>
<defs><pattern id="sb-b" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="3" height="3" fill="{_FILLS[1]}" fill-opacity=".22"/>
<path d="M0 0V3" stroke="{_FILLS[1]}" stroke-width=".8" stroke-opacity=".6"/></pattern>
<pattern id="sb-d" width="6" height="6" patternUnits="userSpaceOnUse">
<circle cx="3" cy="3" r=".7" fill="currentColor" fill-opacity=".45"/></pattern></defs>"""


def storyboard(story: Story, board: Board, title: str) -> str:
    """An SVG drawing with a frame for the set-up and for every full turn of both sides.

    Parameters
    ----------
    story : Story
        The battle.
    board : Board
        Its size.
    title : str
        What stands above it.
    """
    full = _full_turns(story.frames)
    wide, high = board.lanes * LANE, board.rows * ROW
    captions = [_caption(story, turns) for turns in full]
    tops = [_TITLE]
    for k in range(0, len(full), COLUMNS):
        lines = max(len(caption) for caption in captions[k : k + COLUMNS])
        tops.append(tops[-1] + _HEAD + high + _CAPTION * lines + _GAP)
    width = 2 * _MARGIN + min(COLUMNS, len(full)) * (wide + _GAP) - _GAP
    height = tops[-1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'class="sb" role="img"><title>{escape(title)}</title>{_STYLE}',
        f'<text class="t" x="{_MARGIN}" y="16">{escape(title)}</text>',
        *_legend(story),
    ]
    for k, turns in enumerate(full):
        x, y = _MARGIN + (k % COLUMNS) * (wide + _GAP), tops[k // COLUMNS]
        before = full[k - 1][-1] if k else turns[0]
        parts.append(f'<g transform="translate({x} {y})">')
        parts += _frame(story, board, turns, before)
        for number, line in enumerate(captions[k], 1):
            parts.append(f'<text y="{_HEAD + high + _CAPTION * number}">{escape(line)}</text>')
        parts.append("</g>")
    parts.append("</svg>\n")
    return "\n".join(parts)


def _full_turns(frames: Sequence[Frame]) -> list[tuple[Frame, ...]]:
    """The set-up, then the player turns in pairs; the last may be alone."""
    return [tuple(frames[:1]), *(tuple(frames[k : k + 2]) for k in range(1, len(frames), 2))]


def _legend(story: Story) -> Iterator[str]:
    x = _MARGIN
    for side in (0, 1):
        name = story.army(side)
        radius = 0 if side == 0 else 3
        yield (
            f'<rect class="{"ab"[side]}" x="{x}" y="23" width="14" height="7" rx="{radius}"/>'
            f'<text x="{x + 18}" y="30">{escape(name)}</text>'
        )
        x += 40 + 5 * len(name)
    signs = "bar: front · line: where it came from · crossed: lost in this turn · thick: general · star: hero"
    states = [state for frame in story.frames for state in frame.states]
    signs += " · »: on transports" if any(state.rides for state in states) else ""
    signs += " · ?: illusion" if any(state.shows is not None for state in states) else ""
    yield f'<text x="{x}" y="30">{signs}</text>'


def _frame(story: Story, board: Board, turns: Sequence[Frame], before: Frame) -> Iterator[str]:
    last = turns[-1]
    wide, high = board.lanes * LANE, board.rows * ROW
    number = (last.turn + 1) // 2
    yield f'<text class="h" y="11">{f"Turn {number}" if number else "Deployment"}</text>'
    yield f'<g transform="translate(0 {_HEAD})"><rect class="p" width="{wide}" height="{high}"/>'
    for lane in range(4, board.lanes + 1, 4):
        yield f'<text class="n" x="{(lane - 0.5) * LANE:g}" y="-2">{lane}</text>'
    for row in range(4, board.rows + 1, 4):
        yield f'<text class="n" x="-6" y="{(board.rows - row + 0.5) * ROW + 2:g}">{row}</text>'
    yield from _terrain(story, board)
    gone = {e.who for turn in turns for e in turn.events if isinstance(e, Lost)}
    ghosts = [(who, last.states[who]) for who in sorted(gone) if story.pieces[who].kind != "hero"]
    taken = {state.at for state in last.states if state.status == "on board"}
    for who, state in ghosts:
        if state.at not in taken:
            yield _ghost(story, board, who, state)
    for who, state in enumerate(last.states):
        old = before.states[who]
        if state.status == "on board" and state.at and old.at and old.at != state.at:
            (x1, y1), (x2, y2) = _middle(old.at, board), _middle(state.at, board)
            yield f'<path class="m" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>'
    for who, state in enumerate(last.states):
        if state.status == "on board":
            riders = [story.pieces[k].name for k, other in enumerate(last.states) if other.carrier == who]
            yield _stand(story, board, who, state, riders)
    for _, state in ghosts:
        if state.at:
            # Where the winner has taken the place, a small cross in its corner.
            x, y = _middle(state.at, board)
            free = state.at not in taken
            yield (
                f'<path class="x" d="M{x - 7:g} {y - 4:g}l14 8m0-8l-14 8"/>'
                if free
                else (f'<path class="x" d="M{x + 6:g} {y - 7:g}l4 4m0-4l-4 4"/>')
            )
    yield "</g>"


def _middle(at: Spot, board: Board) -> tuple[float, float]:
    return (at.lane - 0.5) * LANE, (board.rows - at.row + 0.5) * ROW


def _terrain(story: Story, board: Board) -> Iterator[str]:
    for event in story.frames[0].events:
        if isinstance(event, Defended):
            x, y, width, height = _box(board, event.at)
            yield (
                f'<g><title>Prepared Defenses of {"AB"[event.side]}</title><rect class="d" x="{x - 0.8:g}" '
                f'y="{y - 0.9:g}" width="{LANE}" height="{ROW}"/><path class="v" d="M{x:g} {y + height:g}'
                f"l{width / 4:g} {-height:g}l{width / 4:g} {height:g}l{width / 4:g} {-height:g}l{width / 4:g} "
                f'{height:g}"/></g>'
            )
        if not isinstance(event, Laid):
            continue
        x, y = (event.low.lane - 1) * LANE, (board.rows - event.high.row) * ROW
        width = (event.high.lane - event.low.lane + 1) * LANE
        height = (event.high.row - event.low.row + 1) * ROW
        kind = terrains()[event.kind]
        area = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="5"'
        dots = f'<rect class="d" {area}/>' if kind.difficult else ""
        yield f'<rect class="w" {area}/>{dots}<text class="k" x="{x + 3}" y="{y + 7}">{escape(kind.name)}</text>'


def _box(board: Board, at: Spot) -> tuple[float, float, float, float]:
    x, y = _middle(at, board)
    return x - LANE / 2 + 0.8, y - ROW / 2 + 0.9, LANE - 1.6, ROW - 1.8


def _stand(story: Story, board: Board, who: int, state: State, riders: Sequence[str]) -> str:
    piece = story.pieces[who]
    assert state.at is not None
    x, y, width, height = _box(board, state.at)
    middle_x, middle_y = _middle(state.at, board)
    name = ", ".join([piece.name if piece.kind == "camp" else f"{piece.name}: {piece.notation}", *riders])
    radius = 0 if piece.side == 0 else 2.6
    code = piece.code + ("*" if riders else "")
    if state.shows is not None:
        shown = story.pieces[state.shows]
        name += f", shown as {shown.notation}"
        code = shown.code.rstrip("0123456789") + "?"
    if state.rides:
        name += ", on transports"
        code += "»"
    front = ""
    if piece.kind != "camp":
        front = (
            f"M{x + 1:g} {y:g}h{width - 2:g}M{middle_x:g} {y:g}v-1.6",
            f"M{x + width:g} {y + 1:g}v{height - 2:g}M{x + width:g} {middle_y:g}h1.6",
            f"M{x + 1:g} {y + height:g}h{width - 2:g}M{middle_x:g} {y + height:g}v1.6",
            f"M{x:g} {y + 1:g}v{height - 2:g}M{x:g} {middle_y:g}h-1.6",
        )[state.facing]
        front = f'<path class="f" d="{front}"/>'
    kind = "ab"[piece.side] + (" l" if piece.general else "")
    return (
        f'<g><title>{escape(name)}</title><rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{height:g}" rx="{radius}"/><text class="{_letters(code)}" x="{middle_x:g}" y="{middle_y + 2.2:g}">'
        f"{escape(code)}</text>{front}</g>"
    )


def _ghost(story: Story, board: Board, who: int, state: State) -> str:
    if state.at is None:
        return ""
    piece = story.pieces[who]
    x, y, width, height = _box(board, state.at)
    middle_x, middle_y = _middle(state.at, board)
    return (
        f'<g><title>{escape(piece.name)} lost</title><rect class="g" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{height:g}" rx="{0 if piece.side == 0 else 2.6}"/>'
        f'<text class="{_letters(piece.code)}" x="{middle_x:g}" y="{middle_y + 2:g}">{escape(piece.code)}</text></g>'
    )


def _plural(what: str) -> str:
    """More than one of what a caption counts."""
    many = {"illusion revealed": "illusions revealed", "charge through friends": "charges through friends",
            "line held": "lines held"}  # fmt: skip
    return many.get(what, f"{what}s")


def _letters(code: str) -> str:
    """The class of a stand's letters: small where there are many."""
    return "c s" if len(code) > 4 else "c"


def _caption(story: Story, turns: Sequence[Frame]) -> list[str]:
    """What happened, in a few lines."""
    said = []
    for turn in turns:
        if turn.turn == 0:
            near, far = story.near, 1 - story.near
            said.append(
                f"{'AB'[near]} at the near edge, {'AB'[far]} at the far edge; {'AB'[story.first]} moves first."
            )
            continue
        counts = {
            "group move": sum(isinstance(e, GroupMoved) for e in turn.events),
            "single move": sum(isinstance(e, Moved) for e in turn.events),
            "departure": sum(isinstance(e, Left) for e in turn.events),
            "return": sum(isinstance(e, (Returned, Regenerated)) for e in turn.events),
            "shot": sum(isinstance(e, Shot) for e in turn.events),
            "combat": sum(isinstance(e, Fought) for e in turn.events),
            "duel": sum(isinstance(e, Dueled) for e in turn.events),
            "arrival": sum(isinstance(e, Arrived) for e in turn.events),
            "illusion revealed": sum(isinstance(e, Revealed) for e in turn.events),
            "charge through friends": sum(isinstance(e, Charged) for e in turn.events),
            "line held": sum(isinstance(e, Held) for e in turn.events),
        }
        parts = [f"{n} {_plural(what) if n > 1 else what}" for what, n in counts.items() if n]
        text = f"{'AB'[story.active(turn.turn)]}: {', '.join(parts) or 'nothing happened'}."
        gone = [str(story.pieces[event.who]) for event in turn.events if isinstance(event, Lost)]
        said.append(text + (f" Lost: {', '.join(gone)}." if gone else ""))
        end = turn.events[-1]
        if isinstance(end, Ended):
            said.append("Drawn." if end.result == 0 else f"{story.army(0 if end.result > 0 else 1)} won.")
    lines = [f"Points lost: {score(story, turns[-1])}"]
    states = turns[-1].states
    away = [str(piece) for piece, state in zip(story.pieces, states, strict=True) if state.status == "away"]
    if away:
        said.append(f"Away: {', '.join(away)}.")
    for text in said:
        lines += wrap(text, 92)
    if len(lines) > _CAPTION_LINES:
        lines = [*lines[: _CAPTION_LINES - 1], lines[_CAPTION_LINES - 1] + " …"]
    return lines
