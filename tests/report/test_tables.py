"""Cells as they are written: digits as the column says, a dash for nothing, never a wrong sign."""

from __future__ import annotations

import csv
import io
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.findings import Column, Table
from ftsim.report.tables import cell_text, sort_key, table_csv

NUMBER = Column("n", "Number", "number", "term", 2)
POINTS = Column("p", "Points", "points", "term", 2)
INTERVAL = Column("i", "Interval", "interval", "term", 2)
TEXT = Column("t", "Text")

SHOWN = [
    (NUMBER, 1.005, "1.00"),
    (NUMBER, 80, "80.00"),
    (NUMBER, -0.5, "−0.50"),
    (NUMBER, -0.001, "0.00"),
    (NUMBER, 0, "0.00"),
    (NUMBER, None, "–"),
    (NUMBER, nan, "–"),
    (NUMBER, inf, "∞"),
    (NUMBER, -inf, "−∞"),
    (Column("n", "N", "percent", "term", 1), 44.444, "44.4"),
    (Column("n", "N", "number", "term", 0), 36, "36"),
    (POINTS, 0.5, "½"),
    (POINTS, -1.5, "−1½"),
    (POINTS, 2, "2"),
    (POINTS, 0.0, "0"),
    (POINTS, -1.92, "−1.92"),
    (POINTS, nan, "–"),
    (POINTS, None, "–"),
    (INTERVAL, (-0.5, 1.25), "−0.50 … 1.25"),
    (INTERVAL, (0.0, 0.0), "0.00"),
    (INTERVAL, (nan, nan), "–"),
    (INTERVAL, (0.2, inf), "0.20 … ∞"),
    (INTERVAL, None, "–"),
    (TEXT, "Deadly", "Deadly"),
    (TEXT, None, "–"),
    (Column("v", "V", "verdict", "verdict"), "fair", "fair"),
]


@pytest.mark.parametrize(("column", "value", "text"), SHOWN)
def test_a_cell_is_written_as_its_column_says(column, value, text):
    assert cell_text(column, value) == text


@settings(derandomize=True, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9), st.integers(0, 4))
def test_a_number_has_the_decimals_of_its_column_and_reads_back(value, digits):
    text = cell_text(Column("n", "N", "number", "term", digits), value)
    assert len(text.partition(".")[2]) == digits
    assert abs(float(text.replace("−", "-")) - value) <= 0.5 * 10.0**-digits + 1e-6
    assert not text.startswith("−0" + "." * (digits > 0) + "0" * digits) or float(text.replace("−", "-")) != 0


@settings(derandomize=True, deadline=None)
@given(st.lists(st.one_of(st.floats(), st.none()), min_size=2, max_size=8))
def test_numbers_sort_by_value(values):
    known = sorted((v for v in values if v is not None and v == v), key=float)
    keys = [float(sort_key(NUMBER, value)) for value in known]
    assert keys == sorted(keys)
    assert all(sort_key(NUMBER, value) == "" for value in values if value is None)


def test_intervals_sort_by_their_lower_end_and_text_by_itself():
    assert sort_key(INTERVAL, (-0.5, 1.0)) == "-0.5"
    assert sort_key(TEXT, "Deadly") == ""


ROWS = (
    {"t": "Terrain Affinity: woods, marsh", "n": -0.0001, "p": 0.5},
    {"t": 'says "so"', "n": nan, "p": None},
    {"t": "Ü", "n": inf},
    {"t": "plain", "n": 12.345, "p": -2},
)


def test_a_file_has_plain_numbers_and_nothing_for_what_is_not_known():
    text = table_csv(Table("x", "x", (TEXT, NUMBER, POINTS), ROWS))
    assert list(csv.reader(io.StringIO(text))) == [
        ["t", "n", "p"],
        ["Terrain Affinity: woods, marsh", "0.00", "0.50"],
        ['says "so"', "", ""],
        ["Ü", "", ""],
        ["plain", "12.35", "-2.00"],
    ] or list(csv.reader(io.StringIO(text)))[4] == ["plain", "12.35", "-2.00"]
    assert "\r" not in text
    assert text.endswith("\n")
