"""Cells on disk: one content-addressed Parquet file each, whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ftsim.errors import InputError
from ftsim.experiments.study import Cell, Columns

SCHEMA_VERSION = 1


class CellStore:
    """The cells of one experiment.

    Parameters
    ----------
    folder : Path
        Results folder of the experiment; cells lie below it in ``cells``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "cells"

    def path(self, cell: Cell) -> Path:
        """Where a cell is kept."""
        return self.folder / f"{cell.id}.parquet"

    def load(self, cell: Cell) -> Columns | None:
        """Columns of a finished cell, or None when it has to be computed.

        A file that is damaged, or was written by another version of this module, is not read.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.path(cell)
        if not path.exists():
            return None
        try:
            table = pq.ParquetFile(path, page_checksum_verification=True).read()
        except (pa.ArrowException, OSError):
            return None
        about = table.schema.metadata or {}
        if about.get(b"ftsim_cell") != cell.id.encode() or about.get(b"ftsim_schema") != str(SCHEMA_VERSION).encode():
            return None
        return {name: column.to_numpy() for name, column in zip(table.column_names, table.columns, strict=True)}

    def save(self, cell: Cell, columns: Columns) -> None:
        """Keep a cell: written under another name and moved into place."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.folder.mkdir(parents=True, exist_ok=True)
        table = pa.table({name: pa.array(np.asarray(values)) for name, values in columns.items()})
        about = {"ftsim_cell": cell.id, "ftsim_schema": str(SCHEMA_VERSION), "ftsim_key": cell.key}
        path = self.path(cell)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            pq.write_table(
                table.replace_schema_metadata(about),
                temporary,
                compression="zstd",
                write_page_checksum=True,
            )
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget all cells."""
        for path in self.folder.glob("*.parquet"):
            path.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def claim(folder: Path) -> Iterator[None]:
    """Hold a results folder, so that two runs never mix their files in it.

    Raises
    ------
    InputError
        If another run holds it.
    """
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as problem:
        raise InputError(f"{folder}: cannot be written: {problem.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"{folder}: another run is writing here; wait for it, or choose another folder with --results"
            ) from None
        yield
