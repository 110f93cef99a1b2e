"""Cells on disk: one content-addressed Parquet file each, whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np

from ftsim.errors import InputError
from ftsim.experiments.study import Cell, Columns

SCHEMA_VERSION = 2


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
        import pyarrow.parquet as pq

        path = self.path(cell)
        if not path.exists():
            return None
        try:
            table = pq.ParquetFile(path, page_checksum_verification=True).read()
            about = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
            names = table.column_names
            columns = {name: column.to_numpy() for name, column in zip(names, table.columns, strict=True)}
            sound = about == _about(cell, columns)
        except Exception:  # whatever a damaged file does, it is not read
            return None
        return columns if sound else None

    def save(self, cell: Cell, columns: Columns) -> None:
        """Keep a cell: written under another name and moved into place."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with writable(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        table = pa.table({name: pa.array(np.asarray(values)) for name, values in columns.items()})
        path = self.path(cell)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        with writable(path), scratch(temporary):
            pq.write_table(
                table.replace_schema_metadata(_about(cell, columns)),
                temporary,
                compression="zstd",
                write_page_checksum=True,
            )
            temporary.replace(path)

    def clear(self) -> None:
        """Forget all cells."""
        for path in self.folder.glob("*.parquet"):
            path.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with writable(path), scratch(temporary):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)


def _about(cell: Cell, columns: Columns) -> dict[str, str]:
    """What a cell's file says of itself: whose it is, and a digest of all that it holds."""
    digest = blake2b(digest_size=16)
    for name, values in columns.items():
        array = np.asarray(values)
        text = array.dtype.kind in "OUT"
        digest.update(f"{name} {'text' if text else array.dtype.str} {array.shape}\0".encode())
        digest.update("\0".join(map(str, array)).encode() if text else np.ascontiguousarray(array).tobytes())
    return {"ftsim_cell": cell.id, "ftsim_schema": str(SCHEMA_VERSION), "ftsim_digest": digest.hexdigest()}


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """Say clearly that something cannot be written.

    Raises
    ------
    InputError
        In place of the system's error.
    """
    try:
        yield
    except OSError as problem:
        raise InputError(f"{path}: cannot be written: {problem.strerror}") from None


@contextmanager
def scratch(temporary: Path) -> Iterator[None]:
    """A temporary file that is gone afterwards, whatever happens."""
    try:
        yield
    finally:
        with suppress(OSError):
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
