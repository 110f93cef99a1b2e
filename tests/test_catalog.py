"""Tables that say where they are wrong, and names found by any spelling."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.catalog import BASES, Catalog, Source, half_points, parse_table, read_table
from ftsim.errors import InputError, UnknownNameError

steady = settings(deadline=None, derandomize=True)
COLUMNS = ("id", "points", "stands", "source", "basis")
TABLE = """# a comment
id,points,stands,source,basis

deadly,2, yes ,FT 31,printed
# another
weaken,-0.5,no,FT 62,assumed
"""


@dataclass(frozen=True)
class Thing:
    id: str
    name: str
    aliases: tuple[str, ...] = ()


def one_row(**cells):
    usual = {"id": "deadly", "points": "2", "stands": "yes", "source": "FT 31", "basis": "printed"} | cells
    text = ",".join(COLUMNS) + "\n" + ",".join(usual[column] for column in COLUMNS)
    return parse_table("cards.csv", text, COLUMNS)[0]


def test_rows_skip_comments_and_blank_lines_and_know_their_line():
    rows = parse_table("cards.csv", TABLE, COLUMNS)
    assert [(row["id"], row.line) for row in rows] == [("deadly", 4), ("weaken", 6)]
    assert dict(rows[0]) == {
        "id": "deadly",
        "points": "2",
        "stands": "yes",
        "source": "FT 31",
        "basis": "printed",
    }


def test_cells_are_read_as_what_they_are():
    first, second = parse_table("cards.csv", TABLE, COLUMNS)
    assert first.integer("points") == 2
    assert first.flag("stands") is True
    assert second.flag("stands") is False
    assert second.points("points") == Fraction(-1, 2)
    assert second.source == Source("FT 62", "assumed")


def test_a_quoted_cell_may_hold_commas():
    (row,) = parse_table("cards.csv", 'id,name\nx,"a, b"\n', ("id", "name"))
    assert row["name"] == "a, b"


@pytest.mark.parametrize("text", ["id,cost\ndeadly,2", "# note\nid\ndeadly", "points,id\n2,deadly"])
def test_a_wrong_header_names_file_line_and_columns(text):
    line = 2 if text.startswith("#") else 1
    with pytest.raises(InputError, match=rf"cards\.csv, line {line}: columns must be id,points"):
        parse_table("cards.csv", text, ("id", "points"))


@pytest.mark.parametrize("text", ["", "# only a comment\n"])
def test_a_table_without_a_header_is_refused(text):
    with pytest.raises(InputError, match=r"cards\.csv.*columns must be id,points"):
        parse_table("cards.csv", text, ("id", "points"))


@pytest.mark.parametrize("row, cells", [("deadly", 1), ("deadly,2,3", 3)])
def test_a_wrong_number_of_cells_names_file_and_line(row, cells):
    with pytest.raises(InputError, match=rf"cards\.csv, line 3: {cells} cells where 2 belong"):
        parse_table("cards.csv", f"id,points\nhearten,1\n{row}", ("id", "points"))


@pytest.mark.parametrize("price", ["0.25", "1/3", "2.75"])
def test_a_price_off_the_grid_names_file_line_and_column(price):
    with pytest.raises(InputError, match=r"cards\.csv, line 2: points: .* is not a multiple of ½"):
        one_row(points=price).points("points")


@pytest.mark.parametrize("price", ["", "two", "nan", "inf", "1/0"])
def test_what_is_no_price_names_file_line_and_what_is_accepted(price):
    with pytest.raises(InputError, match=r"cards\.csv, line 2: points: .* is not a price; accepted"):
        one_row(points=price).points("points")


@pytest.mark.parametrize(
    "cells, read, message",
    [
        ({"points": "2.5"}, lambda row: row.integer("points"), "points '2.5' .* a whole number"),
        ({"stands": "maybe"}, lambda row: row.flag("stands"), "stands 'maybe' .* yes or no"),
        (
            {"basis": "guessed"},
            lambda row: row.source,
            "basis 'guessed' .* printed, example, measured, inferred, assumed",
        ),
        ({"source": ""}, lambda row: row.source, "source '' .* a rule section or publication"),
    ],
    ids=["integer", "flag", "basis", "source"],
)
def test_a_cell_that_cannot_be_used_names_file_line_column_and_what_is_accepted(cells, read, message):
    with pytest.raises(InputError, match=rf"cards\.csv, line 2: {message}"):
        read(one_row(**cells))


def test_a_source_of_unknown_basis_is_refused():
    assert all(Source("FT 31", basis).basis == basis for basis in BASES)
    with pytest.raises(InputError, match="Unknown basis 'guessed'; accepted: printed"):
        Source("FT 31", "guessed")


@steady
@given(st.integers(-100, 100))
def test_half_points_round_trip_in_every_notation(halves):
    value = Fraction(halves, 2)
    for written in (value, float(value), str(value), f"{float(value):.1f}"):
        assert half_points(written, "here") == value


def test_a_shipped_table_is_read_by_its_name():
    columns = ("trait", "grants", "ruling", "source", "basis")
    rows = read_table("ftsim.games.triumph", "card_grants.csv", columns)
    assert rows
    assert all(row.table == "card_grants.csv" and row.source for row in rows)


THINGS = Catalog(
    "troop type",
    [Thing("bow_levy", "Bow Levy", ("Hordes with bows",)), Thing("knights", "Knights", ("KNT",))],
)


@pytest.mark.parametrize("text", ["bow_levy", "Bow Levy", "bow-levy", "BOWLEVY", "bow levys", "Hordes with Bows"])
def test_a_thing_is_found_by_identifier_name_and_alias(text):
    assert THINGS.find(text).id == "bow_levy"


@pytest.mark.parametrize("text", ["knight", "Knights", "knt", "KNTs"])
def test_a_thing_is_found_in_singular_and_plural(text):
    assert THINGS.find(text).id == "knights"


def test_a_catalog_keeps_the_order_of_its_table():
    assert list(THINGS) == ["bow_levy", "knights"]
    assert len(THINGS) == 2
    assert THINGS["knights"].name == "Knights"


def test_an_unknown_thing_suggests_the_near_ones():
    with pytest.raises(UnknownNameError, match=r"Unknown troop type 'Knihgts' \(did you mean 'Knights'"):
        THINGS.find("Knihgts")


@pytest.mark.parametrize("other", [Thing("b", "KNIGHTS"), Thing("b", "B", ("knights",)), Thing("KNIGHTS", "B")])
def test_a_spelling_of_two_things_is_refused_and_names_both(other):
    with pytest.raises(InputError, match=r"(?i)troop type 'knights' means both knights and"):
        Catalog("troop type", [Thing("knights", "Knights"), other])


def test_two_things_of_one_identifier_are_refused():
    with pytest.raises(InputError, match="knights"):
        Catalog("troop type", [Thing("knights", "Knights"), Thing("knights", "Chevaliers")])
