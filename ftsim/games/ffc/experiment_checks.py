"""What can be wrong with the game's part of an experiment file."""

from __future__ import annotations

from ftsim.errors import FtsimError
from ftsim.experiments.schema import Experiment
from ftsim.games.ffc.battle.driver import Scenario
from ftsim.games.ffc.cards import warriors
from ftsim.games.ffc.rulings import DECLARED, FfcRulings
from ftsim.games.ffc.study_parts import options

Problem = tuple[tuple[str | int, ...], str]

#: Which rulings an experiment of each contest may set and vary.
READS = {"duel": "duel", "values": "battle", "rulings": "battle"}
#: The regression needs ten battles for each of 111 cards, and the points half of them.
LEAST_TRIALS = 5000


def experiment_problems(experiment: Experiment) -> list[Problem]:
    """What is wrong with the game's part of an experiment, with the key it concerns."""
    found: list[Problem] = []
    contest = experiment.contest
    for axis in experiment.sweep:
        found.append((("sweep", axis), f"{contest} has no axis {axis!r}; accepted: none"))
    reads = DECLARED[READS[contest]]
    for key, names in (("set", list(experiment.rulings.set)), ("sweep", list(experiment.rulings.sweep))):
        for k, name in enumerate(names):
            where: tuple[str | int, ...] = ("rulings", key, name if key == "set" else k)
            try:
                FfcRulings.info(name)
                if key == "set":
                    FfcRulings.parse({name: experiment.rulings.set[name]})
            except FtsimError as problem:
                found.append((where, str(problem)))
                continue
            if name not in reads:
                found.append((where, f"{contest} does not depend on {name!r}; accepted: {', '.join(reads)}"))
    if experiment.price:
        found.append((("price",), "nothing in this game has a printed price; leave price out"))
    if experiment.include:
        found.append((("include",), "only contest all joins other experiments"))
    if experiment.precision is not None:
        found.append((("precision",), f"{contest} takes trials, not a precision"))
    if contest == "duel":
        if experiment.trials is not None:
            found.append((("trials",), "duels are exact; leave trials out"))
        if experiment.options:
            found.append((("options",), "duels have no options"))
        return found
    if experiment.trials is not None and experiment.trials < LEAST_TRIALS:
        found.append((("trials",), f"{experiment.trials} battles are too few for 111 cards; at least {LEAST_TRIALS}"))
    try:
        set_ = options(experiment)
        Scenario(withheld=set_["withheld"])
        if set_["withheld"] == 0:
            found.append((("options", "withheld"), "without cards withheld their worth cannot be told; at least 1"))
        for name in set_["crowd"]:
            warriors().find(name)
    except FtsimError as problem:
        found.append((("options",), str(problem)))
    if contest == "rulings" and not experiment.rulings.sweep:
        found.append((("rulings",), "name the rulings to vary under sweep"))
    return found
