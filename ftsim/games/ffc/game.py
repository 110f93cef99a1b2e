"""The FFC warband game as the engine sees it; each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ftsim.games.ffc.rulings import FfcRulings
from ftsim.ruleset import Answer, Cost, Listing, OddsFunction, Page, Replay, Ruleset

if TYPE_CHECKING:
    from ftsim.documents import Document
    from ftsim.experiments.schema import Experiment
    from ftsim.experiments.study import Study


def _odds(contest: str) -> OddsFunction:
    def answer(
        a: str,
        b: str,
        situation: Mapping[str, str],
        rulings: Mapping[str, str],
        trials: int | None,
        seed: int,
    ) -> Answer:
        from ftsim.games.ffc import odds

        return odds.CONTESTS[contest](a, b, situation, rulings, trials, seed)

    return answer


def _duels() -> Study:
    from ftsim.games.ffc.duel_study import DuelStudy

    return DuelStudy()


def _values() -> Study:
    from ftsim.games.ffc.value_study import ValueStudy

    return ValueStudy()


def _rulings() -> Study:
    from ftsim.games.ffc.ruling_study import RulingStudy

    return RulingStudy()


def _experiment_problems(experiment: Experiment) -> Sequence[tuple[tuple[str | int, ...], str]]:
    from ftsim.games.ffc.experiment_checks import experiment_problems

    return experiment_problems(experiment)


def _show(name: str) -> Page:
    from ftsim.games.ffc import lookups

    return lookups.show(name)


def _listing(kind: str) -> Callable[[], Listing]:
    def table() -> Listing:
        from ftsim.games.ffc import lookups

        return lookups.LISTINGS[kind]()

    return table


def _cost(text: str, options: Mapping[str, str]) -> Cost:
    from ftsim.games.ffc import lookups

    return lookups.cost(text, options)


def _army_cost(path: Path, options: Mapping[str, str]) -> Cost:
    from ftsim.games.ffc import lookups

    return lookups.army_cost(path, options)


def _check(document: Document) -> str:
    from ftsim.games.ffc.warbands import check_document

    return check_document(document)


def _replay(a: str, b: str, trial: int, options: Mapping[str, str]) -> Replay:
    from ftsim.games.ffc import odds

    return odds.replay(a, b, trial, options)


RULESET = Ruleset(
    id="ffc",
    title="FFC warband card game",
    rulings=FfcRulings,
    odds={contest: _odds(contest) for contest in ("attack", "duel", "battle")},
    studies={"duel": _duels, "values": _values, "rulings": _rulings},
    show=_show,
    listings={
        kind: _listing(kind)
        for kind in ("warriors", "weapons", "armor", "spells", "fight-cards", "rulings", "policies", "contests")
    },
    cost=_cost,
    army_cost=_army_cost,
    experiment_problems=_experiment_problems,
    replay=_replay,
    files={"warband": _check},
)
