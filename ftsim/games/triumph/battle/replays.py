"""``ftsim replay triumph``: one trial of a battle between two armies, told, drawn and as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from ftsim.errors import InputError, UnknownNameError
from ftsim.games.triumph.armies import check_army
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.build import Board, pack_hosts, topography_names
from ftsim.games.triumph.battle.engine import BattleOptions, tell
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.log import Event, decode, play_back, roster
from ftsim.games.triumph.battle.storyboard import storyboard
from ftsim.games.triumph.battle.telling import Story, tell_story
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.ruleset import Replay

OPTIONS = ("seed", "policy", "enemy_policy", "topography")
#: Trials are numbered by one word of the dice's address.
MOST_TRIALS = 1 << 32
#: What an open board is called.
OPEN = ("open", "none")


def replay(a: str, b: str, trial: int, options: Mapping[str, str]) -> Replay:
    """One trial of a battle of two armies.

    Parameters
    ----------
    a, b : str
        Army files, or names of shipped archetypes.
    trial : int
        Which trial: it addresses the dice, the edges and the first move.
    options : mapping of str to str
        ``seed``, ``policy``, ``enemy_policy`` (as `policy` by default), ``topography``, and rulings by name.

    Raises
    ------
    UnknownNameError, InputError, IllegalError
        For an option, army or number that does not exist.
    """
    if not 0 <= trial < MOST_TRIALS:
        raise InputError(f"Trial {trial}: accepted: 0 to {MOST_TRIALS - 1}")
    rulings = _rulings(options)
    policy = options.get("policy", "greedy")
    board = Board(topography=_topography(options.get("topography", "open")))
    how = BattleOptions(policy, options.get("enemy_policy", policy), board, rulings)
    seed = _seed(options.get("seed", "1"))
    hosts = (read_host(a, rulings), read_host(b, rulings))
    story, events, data = told(hosts, trial, how, seed)
    title = f"{hosts[0].name} against {hosts[1].name}, trial {trial}"
    settings = {
        "seed": str(seed),
        "policy": how.policy,
        "enemy_policy": how.enemy_policy,
        "topography": board.topography or OPEN[0],
        **{name: str(value) for name, value in rulings.changed().items()},
    }
    words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in settings.items())
    return Replay(
        title,
        tell_story(story),
        storyboard(story, board, f"{title} ({words})"),
        {
            "game": "triumph",
            "sides": [host.name for host in hosts],
            "trial": trial,
            "options": settings,
            **data,
            "events": [_plain(event, story) for event in events],
        },
    )


def told(
    hosts: tuple[Host, Host], trial: int, how: BattleOptions, seed: int
) -> tuple[Story, tuple[Event, ...], dict[str, Any]]:
    """A trial as a story, its events, and what came of it."""
    log, outcome = tell(*hosts, trial, how, seed)
    pieces = roster(*hosts, how.rulings)
    events = decode(log, how.board)
    frames = play_back(events, pieces, how.rulings)
    result, turns, _, _, combats, shots, first, seat = (int(value) for value in outcome.rows[0])
    thresholds = pack_hosts(hosts, how.rulings).thresholds
    story = Story(
        (hosts[0].name, hosts[1].name),
        pieces,
        frames,
        near=0 if seat == 0 else 1,
        first=first,
        thresholds=(Fraction(int(thresholds[0]), 2), Fraction(int(thresholds[1]), 2)),
    )
    lost = frames[-1].points_lost
    data = {
        "result": {1: "a", -1: "b", 0: "draw"}[result],
        "player_turns": turns,
        "points_lost": [float(lost[0]), float(lost[1])],
        "combats": combats,
        "shots": shots,
        "moves_first": "ab"[first],
        "near_edge": "ab"[story.near],
        "pieces": [{**asdict(piece), "side": "ab"[piece.side], "points": float(piece.points)} for piece in pieces],
    }
    return story, events, data


def read_host(text: str, rulings: TriumphRulings) -> Host:
    """An army from a file, or a shipped archetype by name.

    Raises
    ------
    UnknownNameError, InputError, IllegalError
        If there is neither, or the army cannot be used.
    """
    path = Path(text)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        return Host.from_army(check_army(path, rulings))
    known = archetypes()
    wanted = text.casefold().replace(" ", "_").replace("-", "_")
    for name, host in known.items():
        if wanted == name.casefold().replace(" ", "_").replace("-", "_"):
            return host
    if not known:
        raise InputError(f"{text}: no such file; accepted: an army file, such as army.yaml")
    raise UnknownNameError("army file or archetype", text, known)


def _rulings(options: Mapping[str, str]) -> TriumphRulings:
    names = [info.name for info in TriumphRulings.catalog()]
    for name in options:
        if name not in OPTIONS and name not in names:
            raise UnknownNameError("option", name, [*OPTIONS, *names])
    return TriumphRulings.parse({name: text for name, text in options.items() if name not in OPTIONS})


def _topography(text: str) -> str | None:
    name = text.casefold().replace(" ", "_").replace("-", "_")
    if name in OPEN:
        return None
    if name not in topography_names():
        raise UnknownNameError("topography", text, [OPEN[0], *topography_names()])
    return name


def _seed(text: str) -> int:
    # ASCII only: str.isdigit also holds for digits that int refuses.
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"Option seed: {text!r} is not a whole number of at least 0")
    return int(text)


def _plain(event: Event, story: Story) -> dict[str, Any]:
    """An event as JSON: its kind in words, pieces by number."""
    plain: dict[str, Any] = {"event": type(event).__name__.lower()}
    for key, value in asdict(event).items():
        if isinstance(value, Fraction):
            plain[key] = float(value)
        elif key == "moves":
            plain[key] = [{"who": m["who"], **m["at"], "facing": m["facing"]} for m in value]
        elif key == "at":
            plain |= value
        else:
            plain[key] = value
    return plain
