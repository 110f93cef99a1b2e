"""Findings: a column of numbers without a definition is refused before any report is written."""

from __future__ import annotations

import pytest

from ftsim.errors import InputError
from ftsim.findings import Column, Findings, Section, Table, Term

TERM = Term("worth", "what it is worth", "2 is 2")


def findings(column, terms=(TERM,)):
    table = Table("x", "A table", (Column("card", "Card"), column), [])
    return Findings("It is so.", [Section("s", "A section", "", (table,))], terms=terms)


@pytest.mark.parametrize("kind", ["number", "points", "percent", "interval", "verdict"])
@pytest.mark.parametrize("term", [None, "unknown"])
def test_a_column_of_numbers_needs_a_definition(kind, term):
    with pytest.raises(InputError, match="Table x: column Worth has no definition"):
        findings(Column("worth", "Worth", kind, term))


def test_a_column_of_text_needs_none():
    assert findings(Column("worth", "Worth"), ()).answer == "It is so."


def test_a_column_with_a_definition_is_accepted():
    assert findings(Column("worth", "Worth", "number", "worth")).terms == (TERM,)
