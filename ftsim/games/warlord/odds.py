"""Answers to ``ftsim odds warlord``: marches, volleys, rounds, fights, fires, wounds and demolition.

Every answer lists the assumed numbers it read and how its first figure moves when they are swept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import isinf, isnan
from typing import Any

from ftsim.errors import InputError
from ftsim.estimates import proportion
from ftsim.games.warlord import fire as fires
from ftsim.games.warlord import hit_charts, melee, missile, movement
from ftsim.games.warlord.assumptions import Swept, sweep
from ftsim.games.warlord.demolition import blows, demolish, opening, structures
from ftsim.games.warlord.fight import ENDINGS, Fight, FightEnd, first_ground, stances
from ftsim.games.warlord.procedure import Casualties
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import DECLARED, WarlordRulings
from ftsim.games.warlord.situations import Settings
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit
from ftsim.ruleset import Answer
from ftsim.streams import generator
from ftsim.trials import simulate

Rows = list[tuple[str, str, str]]


def _rulings(contest: str, given: Mapping[str, str]) -> WarlordRulings:
    """Rulings of a contest; one that it does not read is refused."""
    found = WarlordRulings.parse(given)
    unread = [name for name in given if name not in DECLARED[contest]]
    if unread:
        raise InputError(f"{contest} does not depend on {unread[0]!r}; accepted: {', '.join(DECLARED[contest])}")
    return found


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _number(value: float) -> float | None:
    return None if isinf(value) or isnan(value) else float(value)


def _assumed(figure: str, swept: Sequence[Swept]) -> tuple[dict[str, Any], Rows]:
    """What an answer rests on, for JSON and for the terminal."""
    data = {
        "figure": figure,
        "numbers": [
            {
                "key": s.key,
                "value": s.value,
                "half": _number(s.half),
                "base": _number(s.base),
                "double": _number(s.double),
            }
            for s in swept
        ],
    }  # fmt: skip
    rows: Rows = [
        ("assumed numbers", f"{s.key} = {s.value}", f"{figure}: {s.half:.3f} at × ½, {s.double:.3f} at × 2")
        for s in swept
        if s.spread >= 0.0005
    ]
    still = [s.key for s in swept if s.spread < 0.0005]
    if still:
        rows.append(("assumed numbers", "no visible effect here", ", ".join(still)))
    if not swept:
        rows.append(("assumed numbers", "none", "every number is from the rules or an example"))
    return data, rows


def _chance(p: float, count: int, trials: int | None) -> dict[str, Any]:
    if trials is None:
        return {"p": p}
    found = proportion(count, trials)
    return {"p": found.value, "low": found.low, "high": found.high}


def _percent(chance: Mapping[str, Any]) -> str:
    text = f"{100 * chance['p']:6.2f} %"
    if "fraction" in chance:
        return f"{text}     {chance['fraction']}"
    return text if "low" not in chance else f"{text}   [{100 * chance['low']:.2f}, {100 * chance['high']:.2f}]"


def march(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """Where a unit gets on a path, turn by turn."""
    if trials is not None:
        raise InputError("A march rolls no dice; leave --trials out")
    ruled, settings = _rulings("march", rulings), Settings(situation)
    profiles = settings.profiles()
    unit, path = Unit.parse(a), movement.Path.parse(b)
    turns = settings.whole("turns", 3, 1, 100)
    column = settings.flag("column")
    action = settings.text("move", "normal", movement.ACTIONS)
    how = settings.text("by", "foot", ("foot", "flight", "swim"))
    fires_too = settings.flag("fires")
    enemy = settings.length("enemy", "0") or None
    settings.done()
    goal = None if enemy is None else movement.halts_at(enemy, action)

    def gone(numbers: Profiles) -> movement.March:
        mover = movement.Mover.of(
            unit, numbers, ruled, action=action, fires=fires_too, column=column, how=how, nearest_enemy=enemy
        )
        return movement.march(path, mover, numbers, ruled, turns=turns, goal=goal)

    found = gone(profiles)
    swept, more = _assumed("cm gone", sweep(lambda p: float(gone(p).front), profiles))
    data = {
        "exact": True,
        "allowance": _fraction(found.mover.move),
        "depth": _fraction(found.mover.depth),
        "turns": [
            {
                "front": _fraction(turn.front),
                "spent": _fraction(turn.spent),
                "left": _fraction(turn.left),
                "stopped": turn.stopped,
                "inside": list(turn.inside),
                "legs": [
                    {
                        "from": _fraction(leg.start),
                        "to": _fraction(leg.end),
                        "rate": _fraction(leg.rate),
                        "spent": _fraction(leg.spent),
                        "why": list(leg.why),
                    }
                    for leg in turn.legs
                ],
            }
            for turn in found.turns
        ],
        "assumed": swept,
    }
    rows: Rows = []
    for k, turn in enumerate(found.turns, 1):
        for leg in turn.legs:
            why = f" ({' × '.join(leg.why)})" if leg.why else ""
            rows.append(
                (
                    f"turn {k}",
                    f"{_cm(leg.start)} to {_cm(leg.end)} cm",
                    f"spends {_cm(leg.spent)} cm, {_cm(leg.rate)} a cm{why}",
                )
            )
        state = turn.stopped or (f"still in {', '.join(turn.inside).lower()}" if turn.inside else "clear")
        rows.append((f"turn {k}", f"front at {_cm(turn.front)} cm", f"{_cm(turn.left)} cm left; {state}"))
    note = f"moves {_cm(found.mover.move)} cm a turn, {_cm(found.mover.depth)} cm deep"
    return Answer((str(unit), b), True, data, [*rows, *more], [note])


def _cm(value: Fraction) -> str:
    return f"{float(value):g}"


def volley(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """Figures that a volley kills."""
    ruled, settings = _rulings("missile", rulings), Settings(situation)
    profiles = settings.profiles()
    one, two = Unit.parse(a), Unit.parse(b)
    make = partial(
        missile.volley,
        one,
        two,
        rulings=ruled,
        band=settings.text("range", "short", missile.RANGES),
        shooter_in=settings.text("a.in", "clear"),
        target_in=settings.text("b.in", "clear"),
        touching=settings.flag("touching", True),
        rear_ranks_only=settings.flag("rear_ranks"),
        to_edge=settings.length("edge", "0"),
        at_wall=settings.optional("at_wall", 0, 100),
        storeys=settings.whole("storeys", 1, 1, 9),
        in_melee=settings.flag("in_melee"),
    )
    settings.done()
    shot = make(profiles=profiles)
    law, counts = _law(shot.casualties, trials, seed, {"contest": "missile", "a": a, "b": b})
    swept, more = _assumed("mean kills", sweep(lambda p: float(make(profiles=p).casualties.mean), profiles))
    data = {
        "exact": trials is None,
        "figures": shot.figures,
        "percent_each": _fraction(shot.each),
        "total_percent": shot.casualties.total,
        "kills": law,
        "mean_kills": float(shot.casualties.mean) if trials is None else counts,
        "assumed": swept,
    }
    rows: Rows = [("per cent a figure", name, f"{float(value):+g}") for name, value in shot.parts]
    rows.append(("per cent a figure", "together", f"{float(shot.each):g}"))
    rows.append(("volley", f"{shot.figures} shoot", f"{shot.casualties.total} % in all"))
    rows += [("kills", n, _percent(chance)) for n, chance in law.items()]
    return Answer((str(one), str(two)), trials is None, data, [*rows, *more])


def _law(
    casualties: Casualties, trials: int | None, seed: int, scenario: Mapping[str, Any]
) -> tuple[dict[str, Any], float]:
    """Chances of each number of hits, exact or sampled, and their mean."""
    if trials is None:
        exact = {str(k): {"p": float(p), "fraction": _fraction(p)} for k, p in casualties.law().items()}
        return exact, float(casualties.mean)
    counted = simulate(casualties, trials, generator(seed, scenario))
    found = {
        label: _chance(0.0, int(count), trials)
        for label, count in zip(counted.labels, counted.counts, strict=True)
        if count
    }
    return found, float(counted.expectation([float(label) for label in counted.labels]))


def _fight(a: str, b: str, settings: Settings) -> Fight:
    return Fight(
        Unit.parse(a),
        Unit.parse(b),
        terrains().find(settings.text("terrain", "clear")),
        settings.flag("charge", True),
        settings.text("b.attacked", "front", melee.SIDES),
        settings.flag("b.follows"),
        (settings.flag("a.hates"), settings.flag("b.hates")),
    )


def combat(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """One round of combat: what both sides lose."""
    ruled, settings = _rulings("combat", rulings), Settings(situation)
    profiles = settings.profiles()
    fight = _fight(a, b, settings)
    contacts = (settings.optional("a.contact", 0, 100), settings.optional("b.contact", 0, 100))
    settings.done()

    def round_of(numbers: Profiles) -> tuple[melee.Strike, melee.Strike, melee.Exchange]:
        one, two = stances(fight, first_ground(fight, ruled), ruled)
        n, m = fight.a.figures, fight.b.figures
        from_a = melee.strike(fight.a, fight.b, one, two, n, m, numbers, ruled, contact=contacts[0])
        from_b = melee.strike(fight.b, fight.a, two, one, m, n, numbers, ruled, contact=contacts[1])
        return from_a, from_b, melee.Exchange(Casualties(from_a.total, m), Casualties(from_b.total, n))

    def gain(numbers: Profiles) -> float:
        _, _, both = round_of(numbers)
        return float(both.a.mean - both.b.mean)

    from_a, from_b, both = round_of(profiles)
    pairs: dict[str, Any]
    if trials is None:
        law = {f"{x},{y}": p for (x, y), p in both.law().items()}
        pairs = {key: {"p": float(p), "fraction": _fraction(p)} for key, p in law.items()}
    else:
        counted = simulate(both, trials, generator(seed, {"contest": "combat", "a": a, "b": b}))
        pairs = {
            label: _chance(0.0, int(n), trials) for label, n in zip(counted.labels, counted.counts, strict=True) if n
        }
    swept, more = _assumed("kills by A less kills by B", sweep(gain, profiles))
    sides = {
        name: {"figures": s.figures, "percent_each": _fraction(s.each), "total_percent": s.total}
        for name, s in (("a", from_a), ("b", from_b))
    }
    data = {"exact": trials is None, **sides, "kills": pairs, "assumed": swept}
    rows: Rows = []
    for name, s in (("A", from_a), ("B", from_b)):
        rows += [(f"{name}: per cent a figure", part, f"{float(value):+g}") for part, value in s.parts]
        rows.append((f"{name}: per cent a figure", f"{s.figures} fight", f"{float(s.each):g} each, {s.total} in all"))
    rows += [("A kills, B kills", key, _percent(chance)) for key, chance in pairs.items()]
    return Answer((str(fight.a), str(fight.b)), trials is None, data, [*rows, *more])


def fight(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """A fight to the end."""
    from ftsim.games.warlord.fight_kernel import sample_counts, solve

    ruled, settings = _rulings("fight", rulings), Settings(situation)
    profiles = settings.profiles()
    two = _fight(a, b, settings)
    settings.done()
    if trials is None:
        end, counts = solve(two, profiles, ruled), None
    else:
        row = sample_counts(two, profiles, ruled, trials, seed)
        shape = (len(ENDINGS), two.a.figures + 1, two.b.figures + 1)
        counts = row[:-1].reshape(shape).sum((1, 2))
        end = FightEnd(row[:-1].reshape(shape) / trials, row[-1] / trials, trials)

    def chance(names: Sequence[str]) -> dict[str, Any]:
        at = [ENDINGS.index(name) for name in names]
        p = min(1.0, float(end.ends[at].sum()))
        return _chance(p, 0 if counts is None else int(counts[at].sum()), trials)

    wins = {
        "a_wins": chance(("a_destroys", "b_routs", "b_retires")),
        "b_wins": chance(("b_destroys", "a_routs", "a_retires")),
        "both_destroyed": chance(("both_destroyed",)),
        "unresolved": chance(("unresolved",)),
    }
    how = {name: chance((name,)) for name in ENDINGS}
    swept, more = _assumed("chance that A wins", sweep(lambda p: solve(two, p, ruled).a_wins, profiles))
    left = end.mean_left
    data = {
        "exact": trials is None,
        **wins,
        "endings": how,
        "mean_rounds": _number(end.rounds),
        "mean_left": {"a": left[0], "b": left[1]},
        "assumed": swept,
    }
    rows: Rows = [("who wins", name.replace("_", " "), _percent(p)) for name, p in wins.items() if p["p"] > 0]
    rows += [("how", name.replace("_", " "), _percent(p)) for name, p in how.items() if p["p"] > 0]
    rows.append(("mean", "rounds", f"{end.rounds:6.2f}"))
    rows.append(("mean", "figures left", f"A {left[0]:.2f}, B {left[1]:.2f}"))
    notes = [f"{float(two.a.points(profiles)):g} points against {float(two.b.points(profiles)):g}"]
    return Answer((str(two.a), str(two.b)), trials is None, data, [*rows, *more], notes)


def fire(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """A fire in part A of a building with unit B inside."""
    from ftsim.games.warlord.fire_kernel import sample

    ruled, settings = _rulings("fire", rulings), Settings(situation)
    profiles = settings.profiles()
    part, unit = structures().find(a), Unit.parse(b)
    policy = settings.text("policy", "stay", fires.POLICIES)
    magical = settings.flag("magical")
    known = settings.optional("defence", 1, 200)
    settings.done()

    def burning(numbers: Profiles) -> fires.Fire:
        chances = {known: Fraction(1)} if known is not None else part.chances(numbers)
        return fires.Fire(chances, unit.figures, policy, magical, part.burns, ruled)

    blaze = burning(profiles)
    if trials is None:
        end = fires.solve(blaze)
    else:
        end = sample(blaze, trials, seed, None if known is not None else part.dice(profiles))

    def chance(name: str) -> dict[str, Any]:
        p = min(1.0, end.chance(name))
        return _chance(p, round(p * (trials or 0)), trials)

    endings = {name: chance(name) for name in fires.ENDINGS}
    swept, more = _assumed("mean survivors", sweep(lambda p: fires.solve(burning(p)).mean_survivors, profiles))
    shown = {str(k): float(p) for k, p in enumerate(end.survivors) if p > 0}
    data = {
        "exact": trials is None,
        "defence": {str(v): _fraction(p) for v, p in sorted(blaze.defence.items())},
        "endings": endings,
        "mean_turns": end.mean_turns,
        "mean_survivors": end.mean_survivors,
        "survivors": shown,
        "assumed": swept,
    }
    if known is not None and blaze.goes_on:
        data["turns_to_half"] = fires.turns_to_half(known, magical)
        data["turns_to_destroy"] = fires.turns_to_burn(known, magical)
    rows: Rows = [("how it ends", name.replace("_", " "), _percent(p)) for name, p in endings.items() if p["p"] > 0]
    rows.append(("mean", "turn in which it ends", f"{end.mean_turns:6.2f}"))
    rows.append(("mean", "survivors", f"{end.mean_survivors:6.2f} of {unit.figures}"))
    dice = f"defence value {known}" if known is not None else f"defence value {part.dice(profiles)}"
    kind = "magical fire" if magical else "fire"
    notes = [f"{kind}, {dice}, policy {policy.replace('_', ' ')}"]
    return Answer((part.name, str(unit)), trials is None, data, [*rows, *more], notes)


def wounds(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """What a number B of wounds at once does on hit chart A."""
    if trials is not None:
        raise InputError("Wounds are counted over all faces; leave --trials out")
    ruled = _rulings("wounds", rulings)
    Settings(situation).done()
    name = a.strip().casefold().replace(" ", "_")
    hit_charts.chart(name)
    if not b.isdigit() or not 1 <= int(b) <= 6:
        raise InputError(f"{b!r} cannot be used; accepted: 1 to 6 wounds")
    after = hit_charts.after_wounds(name, {hit_charts.Wounds(): Fraction(1)}, int(b), ruled)
    dead = sum((p for w, p in after.items() if w.dead), Fraction(0))
    stunned = sum((p for w, p in after.items() if w.stunned and not w.dead), Fraction(0))
    data = {
        "exact": True,
        "killed": {"p": float(dead), "fraction": _fraction(dead)},
        "stunned": {"p": float(stunned), "fraction": _fraction(stunned)},
    }
    rows: Rows = [("after all wounds", key, _percent(data[key])) for key in ("killed", "stunned")]  # type: ignore[arg-type]
    return Answer((name.replace("_", " "), f"{b} wounds"), True, data, rows)


def demolition(
    a: str, b: str, situation: Mapping[str, str], rulings: Mapping[str, str], trials: int | None, seed: int
) -> Answer:
    """How long unit A takes to bring part B of a building down."""
    if trials is not None:
        raise InputError("Demolition is an exact chain; leave --trials out")
    ruled, settings = _rulings("demolition", rulings), Settings(situation)
    profiles = settings.profiles()
    unit, part = Unit.parse(a), structures().find(b)
    known = settings.optional("defence", 1, 200)
    settings.done()

    def taken(numbers: Profiles) -> float:
        chances = {known: Fraction(1)} if known is not None else part.chances(numbers)
        return demolish(blows(unit, numbers, ruled), chances).mean_turns

    strikes = blows(unit, profiles, ruled)
    chances = {known: Fraction(1)} if known is not None else part.chances(profiles)
    found = demolish(strikes, chances)
    swept, more = _assumed("mean turns", sweep(taken, profiles))
    data = {
        "exact": True,
        "total_percent": strikes.total,
        "mean_turns": _number(found.mean_turns),
        "down_by_turn": {str(k): p for k, p in enumerate(found.by_turn[:10], 1)},
        "opening": opening(part, unit, profiles),
        "assumed": swept,
    }
    rows: Rows = [("a turn", "points", f"{strikes.total / 100:.2f} on average")]
    rows += [("down after", f"{k} turns", f"{100 * p:6.2f} %") for k, p in enumerate(found.by_turn[:8], 1)]
    rows.append(("mean", "turns", f"{found.mean_turns:6.2f}"))
    rows.append(("then", "opening", opening(part, unit, profiles)))
    return Answer((str(unit), part.name), True, data, [*rows, *more])


CONTESTS: dict[str, Callable[..., Answer]] = {
    "march": march,
    "missile": volley,
    "combat": combat,
    "fight": fight,
    "fire": fire,
    "demolition": demolition,
    "wounds": wounds,
}
