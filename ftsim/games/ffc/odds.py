"""Answers for ``ftsim odds ffc …`` and ``ftsim replay ffc …``, in one fixed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from ftsim.errors import InputError, UnknownNameError
from ftsim.estimates import format_number, proportion
from ftsim.games.ffc.attack import attack, blows, sampled_attack
from ftsim.games.ffc.duel import Duel, sampled_duels
from ftsim.games.ffc.kit import Effects, Fighter, numbers
from ftsim.games.ffc.policies import Policy, parameters
from ftsim.games.ffc.rulings import DECLARED, FfcRulings
from ftsim.ruleset import Answer, Replay
from ftsim.streams import generator, stream_key

BATTLES = 10_000
MOST_DUELS = 200_000
#: Deal both warbands at random.
DEAL = "random"
EVENTS = 20_000
_WORDS = {"yes": True, "no": False}


def _effects(situation: Mapping[str, str], allowed: tuple[str, ...]) -> tuple[Effects, Effects, int]:
    """Effects on both sides, and extra attacks of A, from ``a.row=back``, ``b.cursed=yes`` …."""
    found: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    flurries = 0
    known = {f.name: f.default for f in fields(Effects) if f.name in allowed}
    accepted = [f"{side}.{name}" for side in "ab" for name in ("row" if n == "back" else n for n in known)]
    if "flurry" in allowed:
        accepted.append("a.flurry")
    for key, text in situation.items():
        if key not in accepted:
            raise UnknownNameError("situation", key, accepted)
        side, _, name = key.partition(".")
        if name == "flurry":
            flurries = _number(key, text, 0, 2)
        elif name == "row":
            if text not in ("front", "back"):
                raise InputError(f"Situation {key}: {text!r} is not an option; accepted: front, back")
            found["ab".index(side)]["back"] = text == "back"
        elif isinstance(known[name], bool):
            if text not in _WORDS:
                raise InputError(f"Situation {key}: {text!r} is not an option; accepted: yes, no")
            found["ab".index(side)][name] = _WORDS[text]
        else:
            low, high = (1, 20) if name == "hits" else (0, 8) if name == "wounds" else (0, 2)
            found["ab".index(side)][name] = _number(key, text, low, high)
    return Effects(**found[0]), Effects(**found[1]), flurries


def _number(key: str, text: str, low: int, high: int) -> int:
    if not text.isdigit() or not low <= int(text) <= high:
        raise InputError(f"Situation {key}: {text!r} is not an option; accepted: {low} to {high}")
    return int(text)


def _exact(p: Fraction, name: str = "p") -> dict[str, Any]:
    return {name: float(p), "fraction": f"{p.numerator}/{p.denominator}"}


def _sampled(count: int, trials: int) -> dict[str, Any]:
    estimate = proportion(count, trials)
    return {"p": estimate.value, "low": estimate.low, "high": estimate.high}


def _text(entry: Mapping[str, Any]) -> str:
    if "value" in entry:
        return f"{entry['value']:8.4f}   {entry.get('fraction', '')}"
    if "fraction" in entry:
        return f"{100 * entry['p']:6.2f} %   {entry['fraction'].removesuffix('/1')}"
    half = max(entry["high"] - entry["p"], entry["p"] - entry["low"])
    p, low, high = (format_number(100 * entry[k], error=100 * half) for k in ("p", "low", "high"))
    return f"{p:>6} %   [{low}, {high}]"


ATTACK_EFFECTS = (*(f.name for f in fields(Effects)), "flurry")
DUEL_EFFECTS = ("hits", "throw", "wounds")


def attack_odds(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """All attacks of A on B in one turn."""
    decided = FfcRulings.parse(rulings).only(DECLARED["attack"])
    one, other, flurries = _effects(situation, ATTACK_EFFECTS)
    x, y = Fighter.parse(a, decided), Fighter.parse(b, decided)
    parts = blows(x, y, one, other, decided)
    parts += [parts[0]] * flurries
    hits = numbers(y, other, decided).hits
    if trials is None:
        found = attack(parts, hits)
        data: dict[str, Any] = {
            "exact": True,
            "hit": _exact(found.hit),
            "unblocked": _exact(found.landed),
            "kill": _exact(found.kill),
            "expected_hits_lost": _exact(found.expected, "value"),
            "hits_lost": {str(n): _exact(p) for n, p in found.lost.items()},
        }
    else:
        rng = generator(seed, {"game": "ffc", "contest": "attack", "a": str(x), "b": str(y)})
        counts = sampled_attack(parts, hits, trials, rng)
        mean = sum(n * c for n, c in counts["lost"].items()) / trials
        square = sum(n * n * c for n, c in counts["lost"].items()) / trials
        half = 1.96 * (max(0.0, square - mean * mean) / trials) ** 0.5
        data = {
            "exact": False,
            "hit": _sampled(counts["hit"].get(1, 0), trials),
            "unblocked": _sampled(counts["landed"].get(1, 0), trials),
            "kill": _sampled(counts["kill"].get(1, 0), trials),
            "expected_hits_lost": {"value": mean, "low": mean - half, "high": mean + half},
            "hits_lost": {str(n): _sampled(c, trials) for n, c in sorted(counts["lost"].items())},
        }
    rows = [
        ("attack", "hits", _text(data["hit"])),
        ("attack", "hits past the shield", _text(data["unblocked"])),
        ("attack", "kills", _text(data["kill"])),
        ("attack", "mean hits lost", _text(data["expected_hits_lost"])),
    ]
    rows += [("hits lost", n, _text(entry)) for n, entry in data["hits_lost"].items()]
    note = f"{len(parts)} attack{'s' if len(parts) > 1 else ''}; B has {hits} hits"
    return Answer((str(x), str(y)), trials is None, data, rows, [note])


def duel_odds(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """A duel to the death."""
    decided = FfcRulings.parse(rulings).only(DECLARED["duel"])
    one, other, _ = _effects(situation, DUEL_EFFECTS)
    duel = Duel(Fighter.parse(a, decided), Fighter.parse(b, decided), one, other, decided)
    if trials is None:
        found = duel.solve()
        data: dict[str, Any] = {
            "exact": True,
            "a_wins": _exact(found.a),
            "b_wins": _exact(found.b),
            "both_die": _exact(found.both),
            "unresolved": _exact(found.unresolved),
            "mean_rounds": None if found.rounds is None else _exact(found.rounds, "value"),
        }
    else:
        if trials > MOST_DUELS:
            raise InputError(f"--trials {trials}: duels are exact without it; at most {MOST_DUELS} are rolled")
        rng = generator(seed, {"game": "ffc", "contest": "duel", "a": str(duel.a), "b": str(duel.b)})
        counts = sampled_duels(duel, trials, rng)
        data = {
            "exact": False,
            "a_wins": _sampled(counts["a"], trials),
            "b_wins": _sampled(counts["b"], trials),
            "both_die": _sampled(counts["both"], trials),
            "unresolved": _sampled(counts["unresolved"], trials),
            "mean_rounds": {"value": counts["rounds"] / trials},
        }
    rows = [
        ("duel", "A wins", _text(data["a_wins"])),
        ("duel", "B wins", _text(data["b_wins"])),
        ("duel", "both die", _text(data["both_die"])),
        ("duel", "never ends", _text(data["unresolved"])),
        ("duel", "mean turns", "∞" if data["mean_rounds"] is None else _text(data["mean_rounds"])),
    ]
    return Answer((str(duel.a), str(duel.b)), trials is None, data, rows)


def _policies(settings: dict[str, str]) -> tuple[Policy, Policy]:
    both = settings.pop("policy", "simple")
    names = [settings.pop(f"{side}.policy", both) for side in "ab"]
    changes = {}
    for key in [k for k in settings if k in parameters() and k != "kind"]:
        changes[key] = _number(key, settings.pop(key), 0, 1_000_000)
    return Policy(names[0], changes), Policy(names[1], changes)


def _side(text: str, rulings: FfcRulings) -> tuple[str, tuple[Fighter, ...]]:
    from ftsim.games.ffc.warbands import read_warband

    if text.endswith((".yaml", ".yml")):
        return read_warband(Path(text), rulings)
    head, times, _ = text.partition(" x ")
    if times and head.strip().isdigit():
        from ftsim.games.ffc.battle.driver import warband

        band = warband([text], rulings)
        return f"{len(band)} x {band[0]}", band
    return str(Fighter.parse(text, rulings)), (Fighter.parse(text, rulings),)


def _scenario(a: str, b: str, settings: dict[str, str], rulings: FfcRulings) -> tuple[Any, tuple[str, str]]:
    from ftsim.games.ffc.battle.driver import MAX_SIZE, Scenario

    switches: dict[str, Any] = {}
    for key, name in (("cards", "cards"), ("spells", "magic")):
        text = settings.pop(key, "yes")
        if text not in _WORDS:
            raise InputError(f"Situation {key}: {text!r} is not an option; accepted: yes, no")
        switches[name] = _WORDS[text]
    if (a == DEAL) != (b == DEAL):
        raise InputError(f"Either both sides are {DEAL!r}, or none")
    if a == DEAL:
        sizes = [_number(f"{side}.size", settings.pop(f"{side}.size", "10"), 1, MAX_SIZE) for side in "ab"]
        return Scenario(sizes=(sizes[0], sizes[1]), **switches), (f"{sizes[0]} dealt", f"{sizes[1]} dealt")
    (name_a, one), (name_b, other) = _side(a, rulings), _side(b, rulings)
    return Scenario((one, other), **switches), (name_a, name_b)


def _left_over(settings: Mapping[str, str]) -> None:
    accepted = ["policy", "a.policy", "b.policy", "cards", "spells", "a.size", "b.size"]
    for key in settings:
        raise UnknownNameError("situation", key, [*accepted, *(k for k in parameters() if k != "kind")])


def battle_odds(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """Battles of two warbands: fighters, files, or both dealt at ``random``."""
    from ftsim.games.ffc.battle.driver import play, table

    decided = FfcRulings.parse(rulings)
    settings = dict(situation)
    policies = _policies(settings)
    scenario, names = _scenario(a, b, settings, decided)
    _left_over(settings)
    key = stream_key(seed, {"game": "ffc", "contest": "battle", "a": names[0], "b": names[1]})
    count = trials or BATTLES
    battles = play(table(scenario, policies, decided, key), count, threads=2)
    won, lost, draw, never = battles.counts
    data: dict[str, Any] = {
        "exact": False,
        "trials": count,
        "a_wins": _sampled(won, count),
        "b_wins": _sampled(lost, count),
        "draw": _sampled(draw, count),
        "unresolved": _sampled(never, count),
        "mean_turns": float(battles.turns.mean()),
        "rulings": decided.changed(),
        "policy": {"a": str(policies[0]), "b": str(policies[1])},
    }
    rows = [
        ("battle", "A wins", _text(data["a_wins"])),
        ("battle", "B wins", _text(data["b_wins"])),
        ("battle", "draw", _text(data["draw"])),
        ("battle", "unresolved", _text(data["unresolved"])),
        ("battle", "mean turns", f"{data['mean_turns']:6.2f}"),
    ]
    notes = [f"policies {policies[0]} and {policies[1]}; {count:,} battles"]
    if never:
        notes.append(f"unresolved: nobody has won after {decided.max_turns} turns (ruling max_turns)")
    return Answer(names, False, data, rows, notes)


def replay(a: str, b: str, trial: int, options: Mapping[str, str]) -> Replay:
    """One battle told event by event: the trial of ``ftsim odds ffc battle`` with the same seed."""
    import numpy as np

    from ftsim.games.ffc.battle import layout as at
    from ftsim.games.ffc.battle.driver import table
    from ftsim.games.ffc.battle.log import rosters, tell
    from ftsim.games.ffc.battle.setup import set_up
    from ftsim.games.ffc.battle.turn import block

    settings = dict(options)
    known = {info.name for info in FfcRulings.catalog()}
    decided = FfcRulings.parse({key: settings.pop(key) for key in list(settings) if key in known})
    seed_text = settings.pop("seed", "1")
    if not seed_text.isdigit():
        raise InputError(f"Option seed: {seed_text!r} is not a whole number")
    policies = _policies(settings)
    scenario, names = _scenario(a, b, settings, decided)
    _left_over(settings)
    key = stream_key(int(seed_text), {"game": "ffc", "contest": "battle", "a": names[0], "b": names[1]})
    state = table(scenario, policies, decided, key, events=EVENTS)
    state[at.GAME, at.TRIAL] = trial
    set_up(state)
    start = rosters(state)
    out = np.zeros((1, at.O_COLUMNS), dtype=np.int64)
    block(state, out, trial, 1)
    lines = [*start, *tell(state)]
    result = ("a_wins", "b_wins", "draw", "unresolved")[int(out[0, at.O_RESULT])]
    data = {
        "a": names[0],
        "b": names[1],
        "trial": trial,
        "seed": int(seed_text),
        "result": result,
        "turns": int(out[0, at.O_TURNS]),
        "policy": {"a": str(policies[0]), "b": str(policies[1])},
        "rulings": decided.changed(),
        "events": lines,
    }
    return Replay(f"{names[0]} against {names[1]}, trial {trial}", lines, "", data)


CONTESTS = {"attack": attack_odds, "duel": duel_odds, "battle": battle_odds}
