"""Charts as inline SVG that follows the page: same bytes every time, ink in the colour of the text."""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING, Any

from ftsim.findings import IntervalChart, Lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Drawn in this colour, replaced by the colour of the page's text.
INK = "#010203"
ACCENT, MARK = "#2f81c7", "#d2691e"
CURVES = (ACCENT, MARK, "#4c9a5b", "#9b6bc3")
_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "ftsim",
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def interval_chart(chart: IntervalChart) -> str:
    """Dots with intervals, one line an item, as SVG."""
    from matplotlib import rc_context

    with rc_context(_STYLE):
        figure, axes = _figure(7.2, 0.9 + 0.42 * len(chart.lines))
        positions = range(len(chart.lines), 0, -1)
        for y, line in zip(positions, chart.lines, strict=True):
            axes.plot([line.wide_low, line.wide_high], [y, y], color=ACCENT, lw=1.2, solid_capstyle="butt")
            axes.plot([line.low, line.high], [y, y], color=ACCENT, lw=5, alpha=0.55, solid_capstyle="butt")
            axes.plot([line.value], [y], "o", color=ACCENT, ms=6)
            if line.printed is not None:
                axes.plot([line.printed] * 2, [y - 0.32, y + 0.32], color=MARK, lw=3, solid_capstyle="butt")
        axes.axvline(0, color=INK, lw=0.6, alpha=0.5)
        axes.set_yticks(list(positions), [line.label for line in chart.lines])
        axes.set_ylim(0.4, len(chart.lines) + 0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=INK, alpha=0.12)
        axes.set_axisbelow(True)
        axes.set_xlabel(chart.axis)
        return _svg(figure, chart.id, chart.title, _spoken(chart))


def _spoken(chart: IntervalChart) -> str:
    parts = [
        f"{line.label}: {line.value:.2f} from {line.low:.2f} to {line.high:.2f}"
        + (f", printed {line.printed:g}" if line.printed is not None else "")
        for line in chart.lines
    ]
    return f"{chart.axis}. " + "; ".join(parts)


def line_chart(chart: Lines) -> str:
    """Curves over a common axis, as SVG."""
    from matplotlib import rc_context

    with rc_context(_STYLE):
        figure, axes = _figure(7.2, 3.4)
        for colour, (name, values) in zip(CURVES, chart.curves.items(), strict=False):
            axes.plot(chart.x, values, "o-", color=colour, lw=2, ms=4)
            axes.annotate(
                name,
                (chart.x[-1], values[-1]),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                color=INK,
            )
        axes.set_xlabel(chart.axis)
        axes.set_ylabel(chart.scale)
        axes.set_ylim(bottom=0)
        axes.grid(color=INK, alpha=0.12)
        axes.margins(x=0.02)
        spoken = "; ".join(
            f"{name}: from {values[0]:.2f} to {values[-1]:.2f}" for name, values in chart.curves.items()
        )
        return _svg(figure, chart.id, chart.title, spoken)


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    figure.patch.set_alpha(0)
    axes: Any = figure.add_subplot()
    axes.patch.set_alpha(0)
    return figure, axes


def _svg(figure: Figure, identifier: str, title: str, description: str) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor").strip()
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    # Matplotlib numbers its groups alike in every figure; identifiers are unique on a page.
    text = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{identifier}-", text)
    head, rest = text.split(">", 1)
    return labelled(re.sub(r' (width|height)="[^"]*"', "", head) + ">" + rest, identifier, title, description)


def labelled(svg: str, identifier: str, title: str, description: str) -> str:
    """An SVG element with a role, a title and a description for those who cannot see it."""
    head, rest = svg.split(">", 1)
    label = f'role="img" aria-labelledby="{identifier}-title {identifier}-desc"'
    return (
        f'{head} {label}><title id="{identifier}-title">{escape(title)}</title>'
        f'<desc id="{identifier}-desc">{escape(description)}</desc>{rest}'
    )
