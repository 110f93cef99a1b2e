"""What can be wrong with the game's part of an experiment file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ftsim.errors import FtsimError, InputError
from ftsim.experiments.schema import Experiment, included
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.arms import Subject
from ftsim.games.triumph.battle.build import DRAWN, topography_names
from ftsim.games.triumph.battle.engine import POLICIES
from ftsim.games.triumph.battle.price_trials import OPPONENTS
from ftsim.games.triumph.battle_figures import FIGURE_CARDS
from ftsim.games.triumph.distance_study import KNOWN
from ftsim.games.triumph.grids import loss_weights, named_situations
from ftsim.games.triumph.notation import read_card
from ftsim.games.triumph.price_study import field_weights, variant
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.games.triumph.troop_types import troop_types

Problem = tuple[tuple[str | int, ...], str]

#: Battles of a pair that an experiment may ask for.
MOST_TRIALS = 10**7
#: Price models that battles have.
BATTLE_PRICES = ("equal-points", "battle-regression")
#: Options that say how many trials other policies, other rulings and forced fates get.
TRIAL_OPTIONS = ("other_trials", "ruling_trials", "forced_trials", "uncounted_trials", "regression_battles")
#: Axes that each contest sweeps.
AXES = {
    "close-combat": ("card", "troop_type", "opponent", "figures"),
    "ranged": ("card",),
    "magic": ("card",),
    "duel": (),
    "battle": ("army", "policy", "card"),
    "all": (),
}
#: Contests whose rulings an experiment may set and vary.
READS = {
    "close-combat": ("close-combat",),
    "ranged": ("ranged",),
    "magic": ("ranged", "mindblast", "spellblast"),
    "duel": ("duel",),
    "battle": tuple(DECLARED),
    "all": (),
}
#: Rulings that decide prices and figures besides those of the dice.
ALSO = ("moves_version", "command_rolls", "unreliable_price", "brittle_two_prices")


def experiment_problems(experiment: Experiment) -> list[Problem]:
    """What is wrong with the game's part of an experiment, with the key it concerns."""
    found: list[Problem] = []

    def attempt(where: tuple[str | int, ...], make: Callable[..., Any], *arguments: Any) -> None:
        try:
            make(*arguments)
        except FtsimError as problem:
            found.append((where, str(problem)))

    contest = experiment.contest
    for axis in experiment.sweep:
        if axis not in AXES[contest]:
            accepted = ", ".join(AXES[contest]) or "none"
            found.append((("sweep", axis), f"{contest} has no axis {axis!r}; accepted: {accepted}"))
    found += _ruling_problems(experiment)
    if found:
        return found
    if contest == "battle":
        return list(_price_problems(experiment) if experiment.price else _battle_problems(experiment))
    attempt(("field",), field_weights, experiment.field)
    if experiment.options:
        found.append((("options",), f"{contest} takes no options"))
    if experiment.precision is not None:
        found.append((("precision",), f"experiments on {contest} are exact; leave precision out"))
    if experiment.replicates > 1 and experiment.trials is None:
        found.append((("replicates",), "what is exact needs no replicates: give trials, or leave replicates out"))
    for k, model in enumerate(experiment.price):
        if model != "price-line":
            found.append((("price", k), f"{model!r} needs battles; accepted: price-line"))
    if experiment.loss_weights not in loss_weights():
        accepted = ", ".join(loss_weights())
        found.append((("loss_weights",), f"unknown set {experiment.loss_weights!r}; accepted: {accepted}"))
    known = dict.fromkeys(row.id for row in named_situations())
    for name in experiment.situations or {}:
        if name not in known:
            message = f"unknown situation {name!r}; accepted: {', '.join(known)}"
            found.append((("situations", name), message))
    if experiment.situations is not None and sum(experiment.situations.values()) <= 0:
        found.append((("situations",), "at least one situation needs a weight above 0"))
    if contest == "all":
        if not experiment.include:
            found.append((("include",), "contest all joins other experiments: name them under include"))
        attempt(("include",), _joined, experiment)
        return found
    if experiment.include:
        found.append((("include",), "only contest all joins other experiments"))
    found += _sweep_problems(experiment, attempt)
    if contest != "close-combat":
        if experiment.price:
            found.append((("price",), f"{contest} gives figures; only close-combat has the price line"))
        if experiment.trials is not None:
            found.append((("trials",), f"experiments on {contest} are exact; leave trials out"))
    elif experiment.trials is not None and experiment.price:
        found.append((("trials",), "prices are made from exact counts; leave trials out, or leave price out"))
    return found


def _battle_problems(experiment: Experiment) -> Iterator[Problem]:
    """What is wrong with an experiment on whole battles between armies."""
    if "card" in experiment.sweep:
        yield ("sweep", "card"), "cards are priced in battles by a model; give price: [equal-points]"
    usual = {name: info.default for name, info in Experiment.model_fields.items()}
    for key in ("field", "situations", "loss_weights", "price", "include", "replicates", "precision"):
        if getattr(experiment, key) not in (usual[key], [], None):
            yield (key,), f"experiments on battles do not read {key}; leave it out"
    if experiment.rulings.sweep:
        yield ("rulings", "sweep"), "experiments on battles vary no rulings; set them, one experiment each"
    for axis, known in (("army", tuple(archetypes())), ("policy", POLICIES)):
        yield from _names(experiment, axis, known)
        if axis == "army" and len(experiment.sweep.get(axis, "all")) < 2:
            yield ("sweep", axis), "a battle needs at least two armies"
    yield from _battle_options(experiment, ())
    if (experiment.trials or 0) > MOST_TRIALS:
        yield ("trials",), f"at most {MOST_TRIALS:,} battles of each pair, got {experiment.trials:,}"


def _price_problems(experiment: Experiment) -> Iterator[Problem]:
    """What is wrong with an experiment that prices cards in battles."""
    usual = {name: info.default for name, info in Experiment.model_fields.items()}
    for key in ("field", "situations", "loss_weights", "include", "replicates", "precision"):
        if getattr(experiment, key) not in (usual[key], [], None):
            yield (key,), f"prices in battles do not read {key}; leave it out"
    for k, model in enumerate(experiment.price):
        if model not in BATTLE_PRICES:
            yield ("price", k), f"battles have no {model!r}; accepted: {', '.join(BATTLE_PRICES)}"
    if "equal-points" not in experiment.price:
        yield ("price",), "prices in battles begin with equal-points; battle-regression may come with it"
    if "army" in experiment.sweep:
        yield ("sweep", "army"), "cards are priced in random armies; leave army out"
    yield from _names(experiment, "policy", POLICIES)
    given = experiment.sweep.get("card")
    if given is None:
        yield ("sweep",), "the axis card is needed: a list of cards"
        return
    rulings = TriumphRulings.parse(experiment.rulings.set)
    seen: set[str] = set()
    for k, text in enumerate([given] if isinstance(given, str) else given):
        try:
            name = Subject.of(str(text), rulings).text
        except FtsimError as problem:
            yield ("sweep", "card", k), str(problem)
            continue
        if name in seen:
            yield ("sweep", "card", k), f"{name} is there twice"
        seen.add(name)
    yield from _battle_options(experiment, TRIAL_OPTIONS)
    if (experiment.trials or 0) > MOST_TRIALS:
        yield ("trials",), f"at most {MOST_TRIALS:,} trials of each card, got {experiment.trials:,}"


def _names(experiment: Experiment, axis: str, known: Sequence[str]) -> Iterator[Problem]:
    given = experiment.sweep.get(axis, "all")
    if given == "all":
        return
    for k, name in enumerate([given] if isinstance(given, str) else given):
        if name not in known:
            yield ("sweep", axis, k), f"unknown {axis} {name!r}; accepted: {', '.join(known)}"


def _battle_options(experiment: Experiment, numbers: Sequence[str]) -> Iterator[Problem]:
    """Where battles are fought, and numbers of trials besides the main one."""
    for name, value in experiment.options.items():
        if name in numbers:
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_TRIALS:
                yield ("options", name), f"a number of trials from 0 to {MOST_TRIALS:,}, got {value!r}"
        elif numbers and name == "opponents":
            if value not in OPPONENTS:
                yield ("options", name), f"unknown opponents {value!r}; accepted: {', '.join(OPPONENTS)}"
        elif name != "topography":
            accepted = ", ".join(("topography", *(("opponents", *numbers) if numbers else ())))
            yield ("options", name), f"unknown option {name!r}; accepted: {accepted}"
        elif value not in ("open", DRAWN, *topography_names()):
            accepted = ", ".join(("open", DRAWN, *topography_names()))
            yield ("options", name), f"unknown topography {value!r}; accepted: {accepted}"


def _joined(experiment: Experiment) -> None:
    """Refuse to join an experiment twice, or one that joins others itself."""
    parts = included(experiment)
    if len({part.name for part in parts}) < len(parts):
        raise InputError("an experiment is joined twice")
    for part in parts:
        if part.contest == "all":
            raise InputError(f"{part.name} joins experiments itself and cannot be joined")


def _ruling_problems(experiment: Experiment) -> Iterator[Problem]:
    reads = [name for contest in READS[experiment.contest] for name in DECLARED[contest]]
    for name, value in experiment.rulings.set.items():
        try:
            TriumphRulings.parse({name: value})
        except FtsimError as problem:
            yield ("rulings", "set", name), str(problem)
            continue
        if name not in (*reads, *ALSO):
            yield ("rulings", "set", name), _not_read(experiment, name, reads)
    for k, name in enumerate(experiment.rulings.sweep):
        try:
            TriumphRulings.info(name)
        except FtsimError as problem:
            yield ("rulings", "sweep", k), str(problem)
            continue
        if name not in reads:
            yield ("rulings", "sweep", k), _not_read(experiment, name, reads)


def _is_type(name: str) -> bool:
    try:
        troop_types().find(name)
    except FtsimError:
        return False
    return True


def _not_read(experiment: Experiment, name: str, reads: Sequence[str]) -> str:
    accepted = ", ".join(reads) or "none"
    return f"{experiment.contest} does not depend on {name!r}; accepted: {accepted}"


def _sweep_problems(experiment: Experiment, attempt: Callable[..., None]) -> Iterator[Problem]:
    sweep = experiment.sweep
    if experiment.contest == "duel":
        return
    if "card" not in sweep or isinstance(sweep["card"], str):
        yield ("sweep",), "the axis card is needed: a list of cards"
        return
    rulings = TriumphRulings.parse(experiment.rulings.set)
    chosen: dict[str, tuple[str, ...] | None] = {}
    for axis, word in (("troop_type", "eligible"), ("opponent", "all")):
        given = sweep.get(axis, word)
        if given == word:
            continue
        wanted = [str(name) for name in ([given] if isinstance(given, str) else given)]
        for k, text in enumerate(wanted):
            attempt(("sweep", axis, k), troop_types().find, text)
        known = [troop_types().find(text).id for text in wanted if _is_type(text)]
        chosen[axis] = tuple(known)
    if chosen.get("opponent"):
        attempt(("field",), field_weights, experiment.field, chosen["opponent"])
    seen: set[str] = set()
    for k, card_text in enumerate(sweep["card"]):
        where = ("sweep", "card", k)
        try:
            pick = read_card(str(card_text))
        except FtsimError as problem:
            yield where, str(problem)
            continue
        card = pick.card
        if str(pick) in seen:
            yield where, f"{pick} is there twice"
        seen.add(str(pick))
        if experiment.contest == "close-combat":
            if card.modelled != "close-combat":
                does = "needs a battle" if card.modelled == "battle" else f"acts in {card.modelled}"
                yield where, f"{card.name} {does}, not in a close combat: it has no price here"
            else:
                attempt(where, variant, str(card_text), rulings, chosen.get("troop_type"))
        elif card.id not in KNOWN:
            names = ", ".join(name.replace("_", " ").title() for name in KNOWN)
            yield where, f"{card.name} does not act at a distance; accepted: {names}"
    figures = sweep.get("figures", [])
    for k, figure in enumerate([figures] if isinstance(figures, str) else figures):
        try:
            card = read_card(str(figure)).card
        except FtsimError as problem:
            yield ("sweep", "figures", k), str(problem)
            continue
        if card.id not in FIGURE_CARDS:
            names = ", ".join(name.replace("_", " ").title() for name in FIGURE_CARDS)
            yield ("sweep", "figures", k), f"{card.name} has no figure; accepted: {names}"
