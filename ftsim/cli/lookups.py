"""``ftsim cost``, ``show`` and ``list``: what things cost, are and are called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ftsim.cli.output import game, out, print_json, print_table, settings
from ftsim.errors import UnknownNameError

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Game = Annotated[str, typer.Argument(metavar="GAME", help="The game, such as triumph.")]


def cost(
    game_name: Game,
    what: Annotated[str, typer.Argument(metavar="SPEC|ARMY.yaml", help="Notation, or an army file.")],
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="KEY=VALUE", help="A ruling, or topography=Forest."),
    ] = None,
    json: Json = False,
) -> None:
    """Points of a stand, hero or army file, and every rule it breaks."""
    from ftsim.estimates import format_points

    ruleset = game(game_name)
    given = settings(option or [], "--option")
    found = ruleset.army_cost(Path(what), given) if what.endswith((".yaml", ".yml")) else ruleset.cost(what, given)
    if json:
        print_json({"points": found.points, "legal": found.legal, "reasons": list(found.reasons)})
        return
    if found.lines:
        print_table(
            found.title,
            ("Part", "Points"),
            [*found.lines, ("together", format_points(found.points))],
            right=1,
        )
    else:
        out().print(f"{found.title}: {format_points(found.points)}", markup=False)
    if found.legal:
        out().print("legal")
    else:
        out().print("not legal:", *(f"  - {reason}" for reason in found.reasons), sep="\n", markup=False)


def show(
    game_name: Game,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A troop type, card, terrain or ruling.")],
    json: Json = False,
) -> None:
    """The page of one thing."""
    page = game(game_name).show(name)
    if json:
        print_json(page.data)
        return
    from rich.table import Table
    from rich.text import Text

    out().print(Text(page.title, style="bold"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for label, text in page.facts:
        table.add_row(Text(label), Text(text))
    out().print(table)


def list_(
    game_name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The game; without it, all games.")
    ] = None,
    kind: Annotated[str | None, typer.Argument(metavar="[KIND]", help="Such as cards or rulings.")] = None,
    json: Json = False,
) -> None:
    """Tables of a game: troop types, cards, rulings …; without a kind, the kinds there are."""
    if game_name is None:
        from ftsim.games import RULESETS

        rows = [(name, ruleset.title) for name, ruleset in RULESETS.items()]
        title, columns = "Games", ("Game", "Title")
    else:
        ruleset = game(game_name)
        if kind is None:
            rows = [(name, listing().title) for name, listing in ruleset.listings.items()]
            title, columns = f"Lists of {ruleset.title}", ("Kind", "What")
        elif kind not in ruleset.listings:
            raise UnknownNameError("list", kind, ruleset.listings)
        else:
            listing = ruleset.listings[kind]()
            if json:
                keys = [name.lower() for name in listing.columns]
                print_json({kind: [dict(zip(keys, row, strict=True)) for row in listing.rows]})
                return
            print_table(listing.title, listing.columns, listing.rows)
            return
    if json:
        print_json({"list": [list(row) for row in rows]})
    else:
        print_table(title, columns, rows)
