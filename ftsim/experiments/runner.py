"""Running cells: what is there is kept, what is missing is computed, on one core or many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ftsim.errors import InputError, MissingError, PartialError
from ftsim.experiments.cells import CellStore
from ftsim.experiments.study import Cell, Columns

#: Called after each cell with how many are done and how many there are.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class RunReport:
    """What a run did.

    Parameters
    ----------
    results : dict of str to Columns
        Columns by cell key, in the order of the cells.
    computed, kept : int
        How many cells were computed now, and how many were there.
    damaged : tuple of str
        Files that were there but could not be used, and were made again.
    published : int
        How many of the kept cells were read from published counts.
    """

    results: dict[str, Columns]
    computed: int
    kept: int
    damaged: tuple[str, ...]
    published: int = 0


def run_cells(
    cells: Sequence[Cell],
    folder: Path,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    published: Mapping[str, Columns] | None = None,
) -> RunReport:
    """Compute the missing cells of an experiment and return all of them.

    The driver writes every file; an interrupted run keeps what is finished.

    Parameters
    ----------
    cells : sequence of Cell
        All cells; equal ones are computed once.
    folder : Path
        Results folder of the experiment.
    workers : int
        Processes.
    scheduler : str, optional
        Address of a Dask scheduler that computes instead.
    fresh : bool
        Compute everything again.
    progress : callable, optional
        Told after each cell.
    published : mapping of str to Columns, optional
        Published counts by the hash of their cell, used where there is no file, unless `fresh`.

    Raises
    ------
    PartialError
        If some cells failed; the others are kept.
    InputError
        If `workers` is not positive.
    """
    if workers < 1:
        raise InputError(f"The number of workers must be at least 1, got {workers}")
    store = CellStore(folder)
    if fresh:
        store.clear()
    found: dict[str, Columns] = {}
    missing: dict[str, Cell] = {}
    damaged = []
    recorded = 0
    for cell in cells:
        if cell.id in found or cell.id in missing:
            continue
        columns = store.load(cell)
        if columns is None and not fresh and published and cell.record and cell.id in published:
            columns = published[cell.id]
            recorded += 1
        if columns is None:
            if store.path(cell).exists():
                damaged.append(store.path(cell).name)
            missing[cell.id] = cell
        else:
            found[cell.id] = columns
    kept, total = len(found), len(found) + len(missing)
    failures: list[str] = []
    done = kept
    if progress:
        progress(done, total)
    for cell, outcome in _computed(list(missing.values()), workers, scheduler):
        done += 1
        if isinstance(outcome, str):
            failures.append(f"{cell.key}: {outcome}")
        else:
            store.save(cell, outcome)
            found[cell.id] = outcome
        if progress:
            progress(done, total)
    if failures:
        shown = "\n".join(f"  - {failure}" for failure in failures[:10])
        raise PartialError(f"{len(failures)} of {total} cells failed; the others are kept:\n{shown}")
    results = {cell.key: found[cell.id] for cell in cells}
    return RunReport(results, len(missing), kept, tuple(damaged), recorded)


def _computed(cells: Sequence[Cell], workers: int, scheduler: str | None) -> Iterator[tuple[Cell, Columns | str]]:
    if not cells:
        return
    if workers == 1 and scheduler is None:
        for cell in cells:
            yield cell, _attempt(cell)
        return
    from joblib import Parallel, delayed

    # Short cells travel together; those whose counts are recorded take long, so that each goes alone.
    size = 1 if any(cell.record for cell in cells) else max(1, min(16, len(cells) // (workers * 4)))
    batches = [cells[k : k + size] for k in range(0, len(cells), size)]
    with _backend(workers, scheduler):
        jobs = Parallel(n_jobs=workers if scheduler is None else -1, return_as="generator_unordered")
        for batch in jobs(delayed(_attempt_batch)(list(batch)) for batch in batches):
            yield from batch


def _attempt_batch(cells: Sequence[Cell]) -> list[tuple[Cell, Columns | str]]:
    return [(cell, _attempt(cell)) for cell in cells]


def _attempt(cell: Cell) -> Columns | str:
    try:
        return cell.run()
    except Exception as problem:  # one cell's failure must not lose the others
        return f"{type(problem).__name__}: {problem}"


def _backend(workers: int, scheduler: str | None) -> AbstractContextManager[Any]:
    from joblib import parallel_config

    if scheduler is None:
        return parallel_config(backend="loky") if workers > 1 else nullcontext()
    try:
        from distributed import Client
    except ImportError:
        raise MissingError("--scheduler needs the extra 'distributed': pip install 'ftsim[distributed]'") from None
    try:
        client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as problem:
        raise InputError(f"--scheduler {scheduler}: no Dask scheduler answers there ({problem})") from None
    return _DaskSession(client)


class _DaskSession(AbstractContextManager[None]):
    """A joblib backend on a Dask client that is closed again."""

    def __init__(self, client: Any) -> None:
        from joblib import parallel_config

        self._client = client
        self._config = parallel_config(backend="dask")

    def __enter__(self) -> None:
        self._config.__enter__()

    def __exit__(self, *problem: Any) -> None:
        self._config.__exit__(*problem)
        self._client.close()
