"""How cells are written, on pages and in files; the only place that formats them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite, isnan
from typing import Any

from ftsim.errors import InputError
from ftsim.estimates import digits_for, format_points
from ftsim.findings import Column, Table

DASH = "–"


def cell_text(column: Column, value: Any, row: Mapping[str, Any] | None = None) -> str:
    """A cell as people read it: a dash for nothing, a proper minus, digits as the column or the error says."""
    if row is not None and column.interval is not None:
        low, high = row[column.interval]
        column = replace(column, digits=digits_for((high - low) / 2))
    if value is None:
        return DASH
    if column.kind in ("text", "verdict"):
        return str(value)
    if column.kind == "interval":
        low, high = value
        ends = [_number(end, column.digits) for end in (low, high)]
        return " … ".join(dict.fromkeys(ends)) if _known(low, high) else DASH
    if column.kind == "points":
        try:
            return format_points(float(value))
        except InputError:
            return _number(float(value), column.digits)
    return _number(float(value), column.digits)


def sort_key(column: Column, value: Any) -> str:
    """What a table sorts by: a plain number, or nothing for text."""
    if value is None or column.kind in ("text", "verdict"):
        return ""
    number = value[0] if column.kind == "interval" else value
    return repr(float(number)) if isfinite(float(number)) else ("1e300" if float(number) > 0 else "-1e300")


def _known(*values: float) -> bool:
    return not any(isnan(value) for value in values)


def _number(value: float, digits: int) -> str:
    if isnan(value):
        return DASH
    if not isfinite(value):
        return "∞" if value > 0 else "−∞"
    text = f"{abs(value):.{digits}f}"
    return f"−{text}" if value < 0 and float(text) != 0 else text


def table_csv(table: Table) -> str:
    """A table as CSV: plain numbers with the column's digits, empty for nothing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    for row in table.rows:
        writer.writerow([_plain(column, row.get(column.key)) for column in table.columns])
    return out.getvalue()


def _plain(column: Column, value: Any) -> str:
    if value is None or (isinstance(value, float) and not isfinite(value)):
        return ""
    if column.kind in ("text", "verdict"):
        return str(value)
    text = f"{float(value):.{column.digits}f}"
    return text.lstrip("-") if float(text) == 0 else text
