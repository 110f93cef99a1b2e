"""What the commands share: where things are printed, and how options are read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftsim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from rich.console import Console

    from ftsim.experiments.runner import Progress
    from ftsim.ruleset import Ruleset


def out() -> Console:
    """The console for results: standard output."""
    from rich.console import Console

    class Quiet(Console):
        """A reader who closes the pipe has read enough: that is no error."""

        def on_broken_pipe(self) -> None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0)

    return Quiet(highlight=False, soft_wrap=False)


def err() -> Console:
    """The console for progress and notes: standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_json(data: Mapping[str, Any]) -> None:
    """Results as JSON on standard output, and nothing else there."""
    print(json.dumps(data, indent=2, ensure_ascii=False))  # noqa: T201  # plain: no colours, no wrapping


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: int = 99) -> None:
    """A table; columns from `right` on are set flush right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), box=SIMPLE_HEAD, title_justify="left", title_style="bold")
    for k, name in enumerate(columns):
        table.add_column(Text(name), justify="right" if k >= right else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out().print(table)


def settings(given: Sequence[str], flag: str) -> dict[str, str]:
    """Texts of the form key=value.

    Raises
    ------
    InputError
        If one has no =, or a key is given twice.
    """
    found: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise InputError(f"{flag} {text!r}: expected key=value")
        if key.strip() in found:
            raise InputError(f"{flag} {key.strip()}: given twice")
        found[key.strip()] = value.strip()
    return found


def game(name: str) -> Ruleset:
    """A game by name.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    from ftsim.games import RULESETS

    if name not in RULESETS:
        raise UnknownNameError("game", name, RULESETS)
    return RULESETS[name]


def shown(path: Path) -> str:
    """A path as the caller would write it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """A bar with the time left on standard error; one plain line where there is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("cells"),
        TimeRemainingColumn(),
        console=err(),
    )
    with bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
