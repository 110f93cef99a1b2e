"""Pages: one file that asks nobody for anything, where every word and every link leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from ftsim.errors import AuditError
from ftsim.estimates import digits_for
from ftsim.findings import Table
from ftsim.report.page import Entry, render, render_index
from ftsim.report.publish import documents

NAMES = (
    "battle-cards",
    "close-combat-cards",
    "duels",
    "magic",
    "ranged-cards",
    "warlord-terrain",
    "small",
    "sampled",
)
RESULTS = Path(__file__).parents[2] / "results"
PUBLISHED = sorted(str(path.relative_to(RESULTS.parent)) for path in RESULTS.glob("*/index.html"))


@pytest.fixture(params=NAMES)
def page(request, pages):
    return pages[request.param]


@pytest.fixture(params=[*NAMES, *PUBLISHED])
def document(request, pages):
    """A page made now, or one that is published with the project; and the names of the files beside it."""
    if request.param in NAMES:
        return pages[request.param].html, set(pages[request.param].files)
    path = RESULTS.parent / request.param
    return path.read_text(encoding="utf-8"), {file.name for file in path.parent.iterdir()}


@pytest.fixture
def html(document):
    return document[0]


def test_a_page_is_the_same_bytes_every_time(page):
    assert documents(page.experiment, page.study, page.findings) == page.files


@pytest.mark.parametrize("name", ["small", "sampled", "duels"])
def test_a_page_is_the_same_bytes_when_everything_is_made_again(pages, name):
    page = pages[name]
    results = {cell.key: cell.run() for cell in page.study.cells(page.experiment)}
    assert documents(page.experiment, page.study, page.study.findings(page.experiment, results)) == page.files


def test_identifiers_are_unique(html, elements):
    used = Counter(attributes["id"] for _, attributes in elements(html) if "id" in attributes)
    assert [name for name, count in used.items() if count > 1] == []


def test_every_link_and_label_has_its_target(document, elements):
    html, files = document
    found = elements(html)
    known = {attributes.get("id") for _, attributes in found}
    links = [attributes["href"] for tag, attributes in found if tag == "a"]
    named = [attributes["aria-labelledby"] for _, attributes in found if "aria-labelledby" in attributes]
    assert len(links) > 5
    assert {link for link in links if not link.startswith("#")} <= files
    assert {link[1:] for link in links if link.startswith("#")} | {
        name for text in named for name in text.split()
    } <= known


def test_a_page_asks_nobody_for_anything(html, elements):
    for tag, attributes in elements(html):
        assert tag not in ("link", "img", "iframe", "object", "embed", "video", "audio", "base", "form")
        assert "src" not in attributes
    outside = re.sub(r'xmlns(:\w+)?="[^"]*"', "", html)
    assert not re.search(r"(?<!<!DOCTYPE )https?://|@import|url\((?!#)|fetch\(|XMLHttpRequest", outside)


def test_every_drawing_has_a_title(html, elements):
    tags = [tag for tag, _ in elements(html)]
    assert [tags[k + 1] for k, tag in enumerate(tags) if tag == "svg"] == ["title"] * tags.count("svg")


def test_every_column_of_numbers_links_to_its_definition_and_example(html, elements):
    known = {attributes.get("id") for _, attributes in elements(html)}
    for table in re.findall(r'<div class="scroll" .*?</thead>', html, re.DOTALL):
        for head in re.findall(r'<th scope="col">.*?</th>', table, re.DOTALL):
            link = re.search(r'<a class="what" href="#([^"]+)"', head)
            assert link, head
            assert link.group(1) in known
    assert html.count('<dt id="term-') == html.count('class="example"') > 5


def test_every_term_of_the_findings_is_on_the_page(page):
    text = unescape(page.html)
    for term in page.findings.terms:
        assert f"{term.definition}." in text
        assert f"Example: {term.example}." in text


def rows_in(html, table):
    text = html.split(f'aria-labelledby="{table.id}-heading"')[1].split("</tbody>")[0].split("<tbody>")[1]
    for row in text.split("<tr>")[1:]:
        cells = re.findall(r"<t[hd][^>]*>(?:<a [^>]*>)?([^<]*)(?:</a>)?</t[hd]>", row)
        yield [unescape(cell) for cell in cells]


def tables_of(page):
    return [part for section in page.findings.sections for part in section.parts if isinstance(part, Table)]


def test_numbers_have_the_digits_of_their_columns(page):
    for table in tables_of(page):
        for cells in rows_in(page.html, table):
            assert len(cells) == len(table.columns)
            for column, cell in zip(table.columns, cells, strict=True):
                if column.kind in ("number", "percent") and column.interval is None:
                    pattern = rf"−?\d+(\.\d{{{column.digits}}})?" if column.digits else r"−?\d+"
                    assert re.fullmatch(rf"{pattern}|–|−?∞", cell), (table.id, column.title, cell)


def test_a_table_shows_all_its_rows(page):
    for table in tables_of(page):
        assert len(list(rows_in(page.html, table))) == len(table.rows)


def test_sampled_numbers_have_the_digits_of_their_errors(pages):
    page = pages["sampled"]
    table = tables_of(page)[0]
    at = [column.key for column in table.columns].index("b_destroyed")
    for row, cells in zip(table.rows, rows_in(page.html, table), strict=True):
        low, high = row["b_destroyed_range"]
        decimals = len(cells[at].partition(".")[2])
        assert decimals == digits_for((high - low) / 2), (cells[at], row["b_destroyed_range"])


def test_a_page_opens_with_the_question_and_the_answer(page):
    text = unescape(page.html)
    assert text.index(page.experiment.question) < text.index(page.findings.answer) < text.index("<main>")


def test_a_page_says_what_is_not_modelled_what_is_assumed_and_how_to_make_it_again(page):
    text = unescape(page.html)
    for name, reason in page.findings.missing:
        assert f"{name} – {reason}" in text
    for point in (*page.findings.rulings, *page.findings.assumed):
        assert point.why in text
    assert f"bin/ftsim publish {page.experiment.name}" in text
    assert str(page.study.engine_version) in text


def test_no_page_shows_a_number_that_is_none(html):
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", "", html, flags=re.DOTALL)
    words = re.findall(r">([^<>]*)<", body)
    assert not [word for word in words if word.strip().lower() in ("nan", "inf", "-inf", "none", "undefined")]


def test_texts_are_escaped(pages, experiment):
    page = pages["small"]
    assert "Is &lt;Deadly&gt; worth two points &amp; more?" in page.html
    hostile = experiment(report={"title": '</title><script>alert("x")</script>'})
    text = documents(hostile, page.study, page.findings)["index.html"]
    assert "<script>alert" not in text


def test_a_broken_identity_stops_the_report(pages):
    page = pages["small"]
    broken = replace(page.findings, checks={"sums to 36": False, "is one": True, "holds": False})
    with pytest.raises(AuditError, match="sums to 36; holds") as failure:
        render(page.experiment, broken, {"engine_version": 1, "tables": {}, "lock": None})
    assert failure.value.exit_code == 4


def test_an_index_links_every_report_and_escapes_what_it_says():
    entries = [Entry(f"Title {k}", "Why <this>?", "So & so.", f"report-{k}/index.html") for k in range(3)]
    text = render_index(entries)
    assert [f'href="report-{k}/index.html"' in text for k in range(3)] == [True] * 3
    assert "Why &lt;this&gt;?" in text
    assert text == render_index(entries)


def test_the_answer_of_a_sampled_experiment_says_how_often_it_was_rolled(pages):
    assert "5 times" in pages["sampled"].findings.answer
    assert "5 rolls a matchup" in pages["sampled"].html
    assert "exact: every combination of dice" in pages["small"].html
