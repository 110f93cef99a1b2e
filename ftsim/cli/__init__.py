"""The command line. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys

import typer

from ftsim.cli import experiments, lookups, odds, replays
from ftsim.errors import FtsimError, UnknownNameError
from ftsim.notices import listen

app = typer.Typer(
    name="ftsim",
    help="Balance analysis for fantasy battle games: exact odds, prices with their error, published reports.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("publish")(experiments.publish)
app.command("run")(experiments.run)
app.command("report")(experiments.report)
app.command("odds")(odds.odds)
app.command("cost")(lookups.cost)
app.command("show")(lookups.show)
app.command("list")(lookups.list_)
app.command("replay")(replays.replay)
app.command("check")(experiments.check)
app.command("schema")(experiments.schema)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(f"ftsim {version('ftsim')}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    pass


def main() -> None:
    """Run the command line; every foreseen problem is one message and an exit code."""
    listen(_say)
    try:
        app()
    except FtsimError as problem:
        said = str(problem)
        if isinstance(problem, UnknownNameError) and said.endswith("'"):
            said += f"; accepted: one of the {len(problem.known)} that ftsim list shows"
        _say(said)
        sys.exit(problem.exit_code)
    except KeyboardInterrupt:
        _stopped()
    except SystemExit as end:
        # The option parser turns Ctrl-C into 130 before it comes here.
        if end.code == 130:
            _stopped()
        raise
    except BrokenPipeError:
        _hush()
        sys.exit(0)
    except Exception as problem:
        if os.environ.get("FTSIM_DEBUG"):
            raise
        _say(f"internal error: {type(problem).__name__}: {problem}\nSet FTSIM_DEBUG=1 to see where.")
        sys.exit(1)


def _stopped() -> None:
    _say("stopped; finished cells are kept, and the same command goes on from there")
    sys.exit(130)


def _hush() -> None:
    """Let what is left to print go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    print(f"ftsim: {message}", file=sys.stderr)  # noqa: T201
