"""Fantasy Warlord as the engine sees it; each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.ruleset import Answer, Cost, Listing, OddsFunction, Page, Ruleset

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
        from ftsim.games.warlord import odds

        return odds.CONTESTS[contest](a, b, situation, rulings, trials, seed)

    return answer


def _study(contest: str) -> Callable[[], Study]:
    def make() -> Study:
        from ftsim.games.warlord import studies

        return studies.STUDIES[contest]()

    return make


def _experiment_problems(experiment: Experiment) -> Sequence[tuple[tuple[str | int, ...], str]]:
    from ftsim.games.warlord.experiment_checks import experiment_problems

    return experiment_problems(experiment)


def _show(name: str) -> Page:
    from ftsim.games.warlord import lookups

    return lookups.show(name)


def _listing(kind: str) -> Callable[[], Listing]:
    def table() -> Listing:
        from ftsim.games.warlord import lookups

        return lookups.LISTINGS[kind]()

    return table


def _cost(text: str, options: Mapping[str, str]) -> Cost:
    from ftsim.games.warlord import lookups

    return lookups.cost(text, options)


def _army_cost(path: Path, options: Mapping[str, str]) -> Cost:
    from ftsim.games.warlord import lookups

    return lookups.army_cost(path, options)


def _check_profiles(document: Document) -> str:
    from ftsim.games.warlord.profile_file import check_profiles

    return check_profiles(document)


def _check_army(document: Document) -> str:
    from ftsim.games.warlord.lookups import check_army

    return check_army(document)


RULESET = Ruleset(
    id="warlord",
    title="Fantasy Warlord, terrain chapter",
    rulings=WarlordRulings,
    odds={
        contest: _odds(contest)
        for contest in ("march", "missile", "combat", "fight", "fire", "demolition", "wounds")
    },
    studies={contest: _study(contest) for contest in ("terrain", "fire", "cover", "points")},
    show=_show,
    listings={
        kind: _listing(kind)
        for kind in (
            "races", "terrain", "weapons", "structures", "magic", "creatures", "characters", "numbers", "rulings",
            "contests",
        )
    },
    cost=_cost,
    army_cost=_army_cost,
    experiment_problems=_experiment_problems,
    files={"warlord_profiles": _check_profiles, "warlord_army": _check_army},
)  # fmt: skip
