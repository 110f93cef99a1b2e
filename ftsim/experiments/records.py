"""Counts that are published with the results: what took long to sample is read again instead of sampled again.

A row holds whole numbers and short texts, never shares or prices; everything else is made from them. The first
column is the cell's hash, so that a count is used only for exactly what it was counted for.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ftsim.errors import InputError
from ftsim.experiments.study import Cell, Columns

COUNTS = "counts.csv"
CELL = "cell"


def counts_text(cells: Sequence[Cell], results: Mapping[str, Columns]) -> str | None:
    """Counts of all recorded cells as CSV, or None when there are none.

    Raises
    ------
    InputError
        If a recorded cell holds something other than whole numbers and texts.
    """
    kept = {cell.id: results[cell.key] for cell in cells if cell.record}
    if not kept:
        return None
    names = list(dict.fromkeys(name for columns in kept.values() for name in columns))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([CELL, *names])
    for identity, columns in kept.items():
        for name, values in columns.items():
            array = np.asarray(values)
            # Texts of a cell that was read from its file come as objects.
            text = array.dtype.kind == "U" or (array.dtype.kind == "O" and all(isinstance(v, str) for v in array))
            if not text and array.dtype.kind not in "iu":
                raise InputError(f"Column {name} of a recorded cell is neither whole numbers nor text")
        size = len(next(iter(columns.values())))
        texts = [[str(v) for v in columns[name]] if name in columns else [""] * size for name in names]
        writer.writerows([identity, *row] for row in zip(*texts, strict=True))
    return out.getvalue()


def read_counts(folders: Iterable[Path]) -> dict[str, Columns]:
    """Recorded columns by the hash of their cell, from results folders; what cannot be read is left out."""
    found: dict[str, Columns] = {}
    for folder in folders:
        try:
            with (folder / COUNTS).open(encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
        except (OSError, UnicodeDecodeError, csv.Error):
            continue
        if not rows or rows[0][:1] != [CELL]:
            continue
        head, *body = rows
        by_cell: dict[str, list[list[str]]] = {}
        for row in body:
            if len(row) == len(head):
                by_cell.setdefault(row[0], []).append(row)
        for identity, group in by_cell.items():
            columns = _columns(head, group)
            if columns is not None:
                found.setdefault(identity, columns)
    return found


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns | None:
    found = {}
    for k, name in enumerate(head[1:], 1):
        texts = [row[k] for row in rows]
        if not any(texts):
            continue  # a column of another kind of cell
        try:
            found[name] = np.array([int(text) for text in texts], dtype=np.int64)
        except ValueError:
            found[name] = np.array(texts)
        except OverflowError:
            return None
    return found or None
