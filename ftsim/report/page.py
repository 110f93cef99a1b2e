"""One self-contained page for an experiment, and an index of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Any

from ftsim.errors import AuditError
from ftsim.experiments.schema import Experiment
from ftsim.findings import Column, Drawing, Findings, HeatMap, IntervalChart, Leaf, Lines, Part, Section, Table
from ftsim.report import figures
from ftsim.report.tables import cell_text, sort_key

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ftsim.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["anchor"] = anchor
    environment.globals["draw"] = _draw
    environment.globals["cell"] = cell_text
    environment.globals["sort_key"] = sort_key
    environment.globals["shade"] = _shade
    environment.globals["heat_text"] = _heat_text
    return environment


def anchor(text: str) -> str:
    """An identifier for a heading or a term."""
    return "".join(c if c.isalnum() else "-" for c in text.lower())


def _draw(part: Part) -> Any:
    from markupsafe import Markup

    if isinstance(part, IntervalChart):
        return Markup(figures.interval_chart(part))  # our own SVG, its texts are escaped
    if isinstance(part, Lines):
        return Markup(figures.line_chart(part))
    if isinstance(part, Drawing):
        return Markup(figures.labelled(part.svg, part.id, part.title, part.description))
    raise TypeError(type(part))


def _heat_text(heat: HeatMap, value: float) -> str:
    return cell_text(Column("", "", "number", digits=heat.digits), value)


def _shade(heat: HeatMap, value: float) -> str:
    """Background of a cell: two hues away from the centre, or one from the least up."""
    if isnan(value):
        return ""
    known = [x for row in heat.values for x in row if not isnan(x)]
    if heat.centre is None:
        top = max(known) or 1.0
        return f"background:rgb(47 129 199/{0.75 * max(value, 0) / top:.2f})"
    reach = max(abs(x - heat.centre) for x in known) or 1.0
    strength = 0.7 * abs(value - heat.centre) / reach
    hue = "47 129 199" if value >= heat.centre else "210 105 30"
    return f"background:rgb({hue}/{strength:.2f})"


def render(experiment: Experiment, findings: Findings, record: Mapping[str, Any]) -> str:
    """The report of an experiment as HTML.

    Parameters
    ----------
    experiment : Experiment
        The question.
    findings : Findings
        The answer.
    record : mapping
        What the bytes depend on, from `provenance.run_record`.

    Raises
    ------
    AuditError
        If an identity that must hold does not.
    """
    return _page(experiment, experiment.title, experiment.question, findings, record)


def render_leaf(experiment: Experiment, leaf: Leaf, record: Mapping[str, Any]) -> str:
    """A page beside the report of an experiment as HTML, which leads back to it."""
    return _page(experiment, leaf.title, leaf.question, leaf.findings, record, back=experiment.title)


def _page(
    experiment: Experiment,
    title: str,
    question: str,
    findings: Findings,
    record: Mapping[str, Any],
    back: str | None = None,
) -> str:
    broken = [name for name, holds in findings.checks.items() if not holds]
    if broken:
        raise AuditError("The report was not written, because a check failed: " + "; ".join(broken))
    exact = experiment.trials is None
    facts = [
        ("Experiment", experiment.name),
        ("Game", experiment.game),
        (
            "Counting",
            "exact: every combination of dice" if exact else f"{experiment.trials:,} rolls a matchup",
        ),
        ("Seed", str(experiment.seed) if not exact else "none, nothing is sampled"),
        ("Engine version", str(record["engine_version"])),
        ("Tables", ", ".join(f"{name} {digest[:8]}" for name, digest in record["tables"].items())),
        ("Lock", str(record["lock"])),
    ]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            title=title,
            question=question,
            back=back,
            findings=findings,
            groups=_groups(findings),
            facts=facts,
            command=f"bin/ftsim publish {experiment.name}",
            kind={Table: "table", HeatMap: "heat"},
            type=type,
        )
    )


def _groups(findings: Findings) -> list[tuple[str, list[Section]]]:
    """Sections by group, in the order of the page."""
    found: dict[str, list[Section]] = {}
    for section in findings.sections:
        found.setdefault(section.group, []).append(section)
    return list(found.items())


@dataclass(frozen=True)
class Entry:
    """A report in an index."""

    title: str
    question: str
    answer: str
    link: str


def render_index(entries: Sequence[Entry]) -> str:
    """An index of reports as HTML."""
    return _environment().get_template("index.html.j2").render(entries=entries)
