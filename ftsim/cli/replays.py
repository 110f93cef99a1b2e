"""``ftsim replay``: one trial of a battle, told and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ftsim.cli.output import game, out, print_json, settings, shown
from ftsim.errors import InputError


def replay(
    game_name: Annotated[str, typer.Argument(metavar="GAME", help="The game, such as triumph.")],
    a: Annotated[str, typer.Argument(metavar="A", help="Army file or notation.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other side.")],
    trial: Annotated[int, typer.Option("--trial", min=0, help="Which trial.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="KEY=VALUE", help="A ruling, seed=1, policy=greedy …"),
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a storyboard here.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell one trial of a battle, event by event; with --svg, draw it."""
    ruleset = game(game_name)
    if ruleset.replay is None:
        raise InputError(f"{ruleset.title} has no battles to replay")
    told = ruleset.replay(a, b, trial, settings(option or [], "--option"))
    if svg is not None:
        from ftsim.experiments.cells import write_text

        if not told.svg:
            raise InputError(f"{ruleset.title} draws no storyboard")
        write_text(svg, told.svg)
    if json:
        print_json(told.data)
        return
    out().print(told.title, markup=False, style="bold")
    for line in told.lines:
        out().print(line, markup=False, soft_wrap=True)
    if svg is not None:
        out().print(shown(svg), markup=False, soft_wrap=True)
