"""Charts: the same bytes every time, a title and a description for those who cannot see them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from ftsim.findings import Interval, IntervalChart, Lines
from ftsim.report.figures import interval_chart, line_chart

CHART = IntervalChart(
    "prices",
    "Implied & printed <prices>",
    "points",
    [
        Interval("Deadly & <more>", 0.7, 0.4, 1.3, 0.2, 2.0, 2.0),
        Interval("Prowess", -0.1, -0.2, 0.3, -0.5, 0.9),
    ],
)
LINES = Lines(
    "casts", "Expected <casts>", "turns", "casts", [1.0, 2.0, 3.0], {"limited": [1.0, 1.8, 2.5], "un": [1, 2, 3]}
)
DRAWN = {"intervals": (interval_chart, CHART), "curves": (line_chart, LINES)}


@pytest.fixture(params=DRAWN)
def drawn(request):
    draw, chart = DRAWN[request.param]
    return draw(chart), chart


def test_a_chart_is_the_same_bytes_every_time():
    assert all(draw(chart) == draw(chart) for draw, chart in DRAWN.values())


def test_a_chart_is_sound_xml_and_tells_no_date(drawn):
    svg, _ = drawn
    ElementTree.fromstring(svg)
    assert "metadata" not in svg
    assert not re.search(r"20\d\d-\d\d-\d\d", svg)


def test_a_chart_has_a_title_and_a_description_by_which_it_is_named(drawn):
    svg, chart = drawn
    root = ElementTree.fromstring(svg)
    title, description = list(root)[:2]
    assert title.text == chart.title
    assert description.text
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert root.get("role") == "img"


def test_identifiers_are_unique_and_every_reference_has_its_target(drawn):
    svg, chart = drawn
    names = re.findall(r'\bid="([^"]+)"', svg)
    assert len(set(names)) == len(names)
    assert all(name.startswith(chart.id) for name in names)
    assert set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', svg)) <= {(n, "") for n in names} | {
        ("", n) for n in names
    }


def test_two_charts_on_a_page_share_no_identifier():
    found = [set(re.findall(r'\bid="([^"]+)"', draw(chart))) for draw, chart in DRAWN.values()]
    assert not found[0] & found[1]


def test_the_description_says_every_number_of_the_chart():
    svg = interval_chart(CHART)
    assert "Prowess: -0.10 from -0.20 to 0.30" in svg.replace("−", "-")
    assert "0.70 from 0.40 to 1.30, printed 2" in svg


def test_a_chart_follows_the_colour_of_the_page(drawn):
    svg, _ = drawn
    assert "currentColor" in svg
    assert "#000000" not in svg


def test_a_chart_scales_with_the_page(drawn):
    svg, _ = drawn
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox")
    assert root.get("width") is root.get("height") is None
