"""Rows over grids equal a loop over rows, and conditions read as they are written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.catalog import Source
from ftsim.conditions import Condition, RuleRow, RuleTable, Vocabulary, holds_for, setting_text
from ftsim.errors import InputError, UnknownNameError

steady = settings(deadline=None, derandomize=True)
TRAITS = ("foot", "mounted", "knights", "deadly", "flying", "close_order")
PLACES = ("rear", "uphill", "woods")
SOURCE = Source("a test", "assumed")


def conditions(names):
    some = st.frozensets(st.sampled_from(names), max_size=2)
    group = st.frozensets(st.sampled_from(names), min_size=2, max_size=3)
    return st.builds(Condition, some, some, st.lists(group, max_size=2).map(tuple))


@st.composite
def tables(draw, values, always=False):
    rows = draw(
        st.lists(
            st.builds(
                RuleRow,
                st.just("row"),
                conditions(TRAITS),
                conditions(TRAITS),
                conditions(PLACES),
                values,
                st.just(SOURCE),
            ),
            max_size=6,
        )
    )
    if always:
        rows.append(RuleRow("always", Condition(), Condition(), Condition(), 9, SOURCE))
    return RuleTable(tuple(rows), Vocabulary("trait", TRAITS), Vocabulary("place", PLACES))


STANDS = st.lists(st.frozensets(st.sampled_from(TRAITS)), min_size=1, max_size=5)


@st.composite
def grids(draw):
    """Stands, enemies and a situation: one for each stand, or one for all."""
    own, enemy = draw(STANDS), draw(STANDS)
    place = st.frozensets(st.sampled_from(PLACES))
    if draw(st.booleans()):
        return own, enemy, [draw(place)] * len(own), True
    return own, enemy, draw(st.lists(place, min_size=len(own), max_size=len(own))), False


def as_bits(table, grid):
    own, enemy, places, shared = grid
    situation = table.situations.array(places)
    return table.traits.array(own), table.traits.array(enemy), situation[0] if shared else situation


def applying(table, own, enemy, place):
    return [row for row in table.rows if row.own.holds(own) and row.enemy.holds(enemy) and row.situation.holds(place)]


def every_matchup(table, grid):
    own, enemy, places, _ = grid
    return [
        [applying(table, mine, theirs, place) for theirs in enemy] for mine, place in zip(own, places, strict=True)
    ]


@steady
@given(conditions(TRAITS))
def test_a_condition_reads_as_it_is_written(condition):
    assert Condition.parse(str(condition)) == condition


@steady
@given(conditions(TRAITS), st.frozensets(st.sampled_from(TRAITS)))
def test_a_condition_on_bits_equals_the_condition_on_names(condition, names):
    row = RuleRow("row", condition, Condition(), Condition(), 1, SOURCE)
    table = RuleTable((row,), Vocabulary("trait", TRAITS), Vocabulary("place", PLACES))
    total = table.total(table.traits.array([names]), np.zeros(1, np.int64), np.int64(0))
    assert bool(total[0, 0]) == condition.holds(names)


@steady
@given(tables(st.integers(-9, 9)), grids())
def test_the_total_over_a_grid_equals_a_loop_over_rows(table, grid):
    total = table.total(*as_bits(table, grid))
    assert total.dtype == np.int16
    assert total.tolist() == [
        [sum(row.value for row in rows) for rows in line] for line in every_matchup(table, grid)
    ]


@steady
@given(tables(st.integers(0, 8), always=True), grids())
def test_the_first_row_over_a_grid_equals_a_loop_over_rows(table, grid):
    first = table.first(*as_bits(table, grid))
    assert first.tolist() == [[rows[0].value for rows in line] for line in every_matchup(table, grid)]


@steady
@given(tables(st.integers(0, 8)), grids())
def test_the_rows_used_are_those_that_apply_somewhere(table, grid):
    matchups = [rows for line in every_matchup(table, grid) for rows in line]
    wanted = [row for row in table.rows if any(any(row is other for other in rows) for rows in matchups)]
    assert list(map(id, table.used(*as_bits(table, grid)))) == list(map(id, wanted))


def test_totals_above_a_byte_do_not_wrap():
    rows = tuple(RuleRow("row", Condition(), Condition(), Condition(), 120, SOURCE) for _ in range(50))
    table = RuleTable(rows, Vocabulary("trait", TRAITS), Vocabulary("place", PLACES))
    assert table.total(np.zeros(1, np.int64), np.zeros(2, np.int64), np.int64(0)).tolist() == [[6_000, 6_000]]


def test_a_table_of_results_without_a_last_word_is_refused():
    row = RuleRow("row", Condition.parse("foot"), Condition(), Condition(), 1, SOURCE)
    table = RuleTable((row,), Vocabulary("trait", TRAITS), Vocabulary("place", PLACES))
    bits = table.traits.array([["foot"], ["mounted"]])
    with pytest.raises(InputError, match="always applies"):
        table.first(bits, bits, np.int64(0))


@pytest.mark.parametrize(
    "names, holds",
    [
        ({"close_order", "foot", "knights"}, True),
        ({"close_order", "foot", "chariots", "extra"}, True),
        ({"close_order", "foot"}, False),
        ({"close_order", "knights"}, False),
        ({"close_order", "foot", "knights", "flying"}, False),
    ],
)
def test_a_condition_needs_all_terms_one_of_each_group_and_nothing_forbidden(names, holds):
    assert Condition.parse("close_order foot !flying knights|chariots").holds(names) is holds


def test_an_empty_condition_always_holds():
    assert Condition.parse("  ") == Condition()
    assert Condition().holds([])
    assert str(Condition()) == ""


def test_a_condition_knows_every_name_it_mentions():
    assert Condition.parse("a !b c|d e|f").names == frozenset("abcdef")


@pytest.mark.parametrize("text", ["!", "foot !", "a|", "|a", "a||b", "!a|b", "a|!b", "!!a"])
def test_a_term_that_can_only_be_a_slip_is_refused(text):
    with pytest.raises(InputError):
        Condition.parse(text)


def test_sixty_three_names_fit_and_have_a_bit_each():
    names = [f"n{k}" for k in range(63)]
    vocabulary = Vocabulary("trait", names)
    assert [vocabulary.bits([name]) for name in names] == [1 << k for k in range(63)]
    assert vocabulary.array([names]).tolist() == [2**63 - 1]
    assert list(vocabulary) == names
    assert "n62" in vocabulary
    assert "n63" not in vocabulary


def test_too_many_or_repeated_names_are_refused():
    with pytest.raises(InputError, match="64 traits do not fit"):
        Vocabulary("trait", [f"n{k}" for k in range(64)])
    with pytest.raises(InputError, match="named twice"):
        Vocabulary("trait", ["foot", "foot"])


def test_a_name_outside_the_vocabulary_is_refused_with_a_suggestion():
    vocabulary = Vocabulary("trait", TRAITS)
    with pytest.raises(UnknownNameError, match="did you mean 'mounted'"):
        vocabulary.bits(["mountd"])
    row = RuleRow("row", Condition.parse("!mountd"), Condition(), Condition(), 1, SOURCE)
    with pytest.raises(UnknownNameError, match="did you mean 'mounted'"):
        RuleTable((row,), vocabulary, Vocabulary("place", PLACES))


SETTINGS = {"core_version": "1.1", "rear_support": 1, "terror": True}


@pytest.mark.parametrize(
    "text, holds",
    [
        ("", True),
        ("core_version=1.1", True),
        ("core_version=1.2", False),
        ("core_version!=1.2", True),
        ("core_version!=1.1", False),
        ("rear_support=1 terror=yes", True),
        ("rear_support=1 terror=no", False),
        ("rear_support!=1 terror=yes", False),
    ],
)
def test_a_row_is_in_force_when_every_ruling_is_as_written(text, holds):
    assert holds_for(SETTINGS, text) is holds


def test_a_row_under_an_unknown_ruling_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'terror'"):
        holds_for(SETTINGS, "teror=yes")


def test_an_unknown_ruling_is_refused_behind_a_term_that_does_not_hold():
    with pytest.raises(UnknownNameError):
        holds_for(SETTINGS, "terror=no teror=yes")


@pytest.mark.parametrize("text", ["terror", "terror!"])
def test_a_ruling_without_a_value_is_refused(text):
    with pytest.raises(InputError):
        holds_for(SETTINGS, text)


def test_settings_are_written_as_in_tables():
    assert [setting_text(value) for value in (True, False, 1, 0.5, "literal")] == [
        "yes",
        "no",
        "1",
        "0.5",
        "literal",
    ]
