"""A picture of a march: the path with its terrain, and where the unit stands after each turn."""

from __future__ import annotations

from html import escape

from ftsim.findings import Drawing
from ftsim.games.warlord.movement import March

_DASH = {"wood": "2 3", "jungle": "1 2", "swamp": "2 2 6 2", "bog": "6 3", "fen": "6 3 1 3", "scrub": "1 4"}
_WIDTH, _LEFT = 720.0, 12.0


def path_drawing(march: March, identifier: str, title: str) -> Drawing:
    """A march as an SVG drawing in the colour of the text; a bar a turn shows the unit from rear to front."""
    length = float(max(march.path.length, march.front)) or 1.0
    depth = float(march.mover.depth)
    scale = (_WIDTH - 2 * _LEFT) / (length + depth)

    def x(place: float) -> float:
        return round(_LEFT + (place + depth) * scale, 2)

    height = 74 + 26 * (len(march.turns) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height}" '
        'font-family="sans-serif" font-size="11" fill="currentColor" stroke="none">'
    ]
    spoken = []
    for k, feature in enumerate(march.path.features):
        start, end = float(feature.start), float(feature.end)
        name = feature.terrain.name + (" by road" if feature.by_road else "")
        name += " down" if feature.downhill else ""
        y = 14 + 12 * (k % 2)
        if feature.linear:
            parts.append(
                f'<rect x="{x(start) - 2:g}" y="30" width="4" height="{height - 50}" opacity="0.75"/>'
                f'<text x="{x(start) + 4:g}" y="{y}">{escape(name)}</text>'
            )
        else:
            dash = _DASH.get(feature.terrain.id, "")
            parts.append(
                f'<rect x="{x(start):g}" y="30" width="{(end - start) * scale:.2f}" height="{height - 50}" '
                f'fill="currentColor" fill-opacity="0.10" stroke="currentColor" stroke-opacity="0.6"'
                + (f' stroke-dasharray="{dash}"' if dash else "")
                + f'/><text x="{x(start) + 2:g}" y="{y}">{escape(name)}</text>'
            )
        spoken.append(f"{name} from {start:g} to {end:g} cm" if not feature.linear else f"{name} at {start:g} cm")
    places = [0.0, *(float(turn.front) for turn in march.turns)]
    for k, front in enumerate(places):
        y = 40 + 26 * k
        label = "start" if k == 0 else f"turn {k}: {front:g} cm"
        parts.append(
            f'<rect x="{x(front - depth):g}" y="{y}" width="{depth * scale:.2f}" height="12" '
            f'fill="currentColor" fill-opacity="0.8"/>'
        )
        # The start is written below its bar, where nothing lies yet.
        anchor = "end" if x(front) > 0.75 * _WIDTH else "start"
        place = x(front - depth) if k == 0 else x(front - depth) - 4 if anchor == "end" else x(front) + 4
        drop = 23 if k == 0 else 10
        parts.append(f'<text x="{place:g}" y="{y + drop}" text-anchor="{anchor}">{escape(label)}</text>')
    base = height - 14
    parts.append(f'<path d="M{x(0):g} {base}H{x(length):g}" stroke="currentColor" fill="none"/>')
    step = 5 if length <= 60 else 10
    for mark in range(0, int(length) + 1, step):
        parts.append(
            f'<path d="M{x(mark):g} {base}v4" stroke="currentColor" fill="none"/>'
            f'<text x="{x(mark):g}" y="{base + 13}" text-anchor="middle">{mark}</text>'
        )
    parts.append("</svg>")
    stops = "; ".join(f"turn {k}: front at {float(turn.front):g} cm" for k, turn in enumerate(march.turns, 1))
    return Drawing(identifier, title, "".join(parts), f"{', '.join(spoken) or 'clear ground'}. {stops}.")
