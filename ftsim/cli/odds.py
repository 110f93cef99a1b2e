"""``ftsim odds``: what the dice say about two sides."""

from __future__ import annotations

from typing import Annotated

import typer

from ftsim.cli.output import game, out, print_json, settings
from ftsim.errors import UnknownNameError


def odds(
    game_name: Annotated[str, typer.Argument(metavar="GAME", help="The game, such as triumph.")],
    contest: Annotated[str, typer.Argument(metavar="CONTEST", help="See: ftsim list GAME contests.")],
    a: Annotated[str, typer.Argument(metavar="A", help='Notation, such as "Elite Foot + Deadly".')],
    b: Annotated[str, typer.Argument(metavar="B", help="The other side.")],
    situation: Annotated[
        list[str] | None,
        typer.Option("--situation", "-s", metavar="KEY=VALUE", help="Such as b.terrain=woods."),
    ] = None,
    ruling: Annotated[
        list[str] | None,
        typer.Option("--ruling", "-r", metavar="KEY=VALUE", help="See: ftsim list GAME rulings."),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option("--trials", "-n", min=1, max=10**15, help="Roll so often instead of counting exactly."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the rolls.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Exact odds of A against B; with --trials, sampled ones."""
    ruleset = game(game_name)
    if contest not in ruleset.odds:
        raise UnknownNameError("contest", contest, ruleset.odds)
    answer = ruleset.odds[contest](
        a, b, settings(situation or [], "--situation"), settings(ruling or [], "--ruling"), trials, seed
    )
    if json:
        print_json(answer.data)
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    console = out()
    for name, side in zip("AB", answer.sides, strict=True):
        console.print(Text(f"{name}  {side}", style="bold"))
    for note in answer.notes:
        console.print(Text(f"   {note}", style="dim"))
    table = Table(box=SIMPLE_HEAD, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    table.add_column(justify="left")
    last = ""
    for section, label, text in answer.rows:
        table.add_row(Text("" if section == last else section), Text(label), Text(text))
        last = section
    console.print(table)
    if not answer.exact:
        rolled = answer.data.get("trials", trials)  # battles are sampled unasked and say how often
        console.print(Text(f"  {rolled:,} trials; 95 % intervals", style="dim"))
