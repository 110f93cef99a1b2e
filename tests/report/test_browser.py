"""Reports in a real browser, on a telephone and on a desk, in light and in dark."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ftsim.report.page import Entry, render_index

pytestmark = pytest.mark.browser
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
NAMES = ("battle-cards", "small", "sampled", "index")


@pytest.fixture(scope="session")
def files(pages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    entries = [
        Entry(one.experiment.title, one.experiment.question, one.findings.answer, f"{name}.html")
        for name, one in pages.items()
    ]
    texts = {name: one.html for name, one in pages.items()} | {"index": render_index(entries)}
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def opened(browser, files):
    """Open a page; what it asks for and what it says on the console is kept."""
    contexts = []

    def open_(name, viewport=DESK, scheme="light"):
        context = browser.new_context(viewport=viewport, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.asked, page.said = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.goto((files / f"{name}.html").as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()


def expand(page):
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_asks_for_nothing_but_itself_and_says_nothing(opened, files, name):
    page = opened(name)
    assert page.asked == [(files / f"{name}.html").as_uri()]
    assert page.said == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_never_scrolls_sideways(opened, name, width):
    page = opened(name, {"width": width, "height": 844})
    expand(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("battle-cards", "light"), ("battle-cards", "dark"), ("sampled", "dark"), ("index", "light"), ("index", "dark")],
)
def test_axe_finds_nothing(opened, name, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(name, PHONE if name == "battle-cards" else DESK, scheme)
    expand(page)
    results = axe.run(page)
    assert results.violations_count == 0, results.generate_report()


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_a_page_follows_the_light(opened):
    light, dark = background(opened("small")), background(opened("small", scheme="dark"))
    assert light == "rgb(255, 255, 255)"
    assert dark != light


def test_charts_follow_the_light(opened):
    colours = [
        opened("small", scheme=scheme).evaluate("getComputedStyle(document.querySelector('svg')).color")
        for scheme in ("light", "dark")
    ]
    assert colours[0] != colours[1]


def column(table, k):
    return [row.locator("th, td").nth(k).inner_text() for row in table.locator("tbody tr").all()]


def shown(texts):
    return [float(text.split(" … ")[0].replace("−", "-").replace("∞", "inf")) for text in texts if text != "–"]


@pytest.mark.parametrize(
    ("name", "table", "title"),
    [
        ("close-combat-cards", "verdicts", "Worth in factors"),
        ("close-combat-cards", "verdicts", "Line interval"),
        ("close-combat-cards", "types", "Outlasts the field"),
        ("magic", "takers", "Points taken"),
    ],
)
def test_pressing_a_heading_sorts_by_number_up_and_then_down(opened, name, table, title):
    page = opened(name)
    part = page.locator(f"[aria-labelledby='{table}-heading'] table")
    titles = [button.inner_text() for button in part.locator("thead th button").all()]
    k = next(k for k, text in enumerate(titles) if text.startswith(title))
    before = column(part, k)
    head = part.locator("thead th").nth(k)
    head.locator("button").click()
    up = shown(column(part, k))
    assert all(one <= other for one, other in pairwise(up))
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").click()
    down = shown(column(part, k))
    assert all(one >= other for one, other in pairwise(down))
    assert head.get_attribute("aria-sort") == "descending"
    assert sorted(before) == sorted(column(part, k))
    assert part.locator("[aria-sort]").count() == 1


def test_pressing_a_heading_of_words_sorts_by_alphabet(opened):
    page = opened("close-combat-cards")
    part = page.locator("[aria-labelledby='verdicts-heading'] table")
    part.locator("thead th button").first.press("Enter")
    names = [name.lower() for name in column(part, 0)]
    assert names == sorted(names)


def test_a_row_stays_together_when_it_is_sorted(opened):
    page = opened("close-combat-cards")
    part = page.locator("[aria-labelledby='verdicts-heading'] table")
    rows = {tuple(row.locator("th, td").all_inner_texts()) for row in part.locator("tbody tr").all()}
    part.locator("thead th button").nth(2).click()
    assert {tuple(row.locator("th, td").all_inner_texts()) for row in part.locator("tbody tr").all()} == rows


def test_a_question_mark_leads_to_a_definition_that_can_be_seen(opened):
    page = opened("small")
    page.locator("a.what").first.click()
    target = page.locator(":target")
    assert target.count() == 1
    assert target.is_visible()


def test_an_entry_of_the_index_opens_its_report(opened):
    page = opened("index")
    page.get_by_role("link", name="Magic").click()
    assert page.locator("h1").inner_text() == "Magic"


def test_everything_can_be_reached_by_keyboard(opened):
    page = opened("small")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")
    assert page.evaluate("[...document.querySelectorAll('.scroll')].every((part) => part.tabIndex === 0)")
