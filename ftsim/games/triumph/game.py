"""Fantasy Triumph as the engine sees it.

Each part is imported when it is first used, so that a question about odds does not wait for
what only experiments need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.ruleset import Answer, Cost, Listing, OddsFunction, Page, Replay, Ruleset

if TYPE_CHECKING:
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
        if contest == "battle":
            from ftsim.games.triumph.battle.odds import battle

            return battle(a, b, situation, rulings, trials, seed)
        from ftsim.games.triumph import odds

        functions: dict[str, OddsFunction] = {
            "close-combat": odds.close_combat,
            "factors": odds.factors,
            "ranged": odds.ranged,
            "mindblast": odds.mindblast,
            "spellblast": odds.spellblast,
            "duel": odds.duel,
        }
        return functions[contest](a, b, situation, rulings, trials, seed)

    return answer


def _close_combat() -> Study:
    from ftsim.games.triumph.close_study import CloseCombatStudy

    return CloseCombatStudy()


def _at_a_distance() -> Study:
    from ftsim.games.triumph.distance_study import DistanceStudy

    return DistanceStudy()


def _duels() -> Study:
    from ftsim.games.triumph.duel_study import DuelStudy

    return DuelStudy()


def _battles() -> Study:
    from ftsim.games.triumph.battle.studies import BattleStudy

    return BattleStudy()


def _all() -> Study:
    from ftsim.games.triumph.all_study import AllStudy

    return AllStudy()


def _experiment_problems(experiment: Experiment) -> Sequence[tuple[tuple[str | int, ...], str]]:
    from ftsim.games.triumph.experiment_checks import experiment_problems

    return experiment_problems(experiment)


def _show(name: str) -> Page:
    from ftsim.games.triumph import lookups

    return lookups.show(name)


def _listing(kind: str) -> Callable[[], Listing]:
    def table() -> Listing:
        from ftsim.games.triumph import lookups

        return lookups.LISTINGS[kind]()

    return table


def _cost(text: str, options: Mapping[str, str]) -> Cost:
    from ftsim.games.triumph import lookups

    return lookups.cost(text, options)


def _army_cost(path: Path, options: Mapping[str, str]) -> Cost:
    from ftsim.games.triumph import lookups

    return lookups.army_cost(path, options)


def _replay(a: str, b: str, trial: int, options: Mapping[str, str]) -> Replay:
    from ftsim.games.triumph.battle import replays

    return replays.replay(a, b, trial, options)


RULESET = Ruleset(
    id="triumph",
    title="Fantasy Triumph",
    rulings=TriumphRulings,
    odds={
        contest: _odds(contest)
        for contest in ("close-combat", "factors", "ranged", "mindblast", "spellblast", "duel", "battle")
    },
    studies={
        "close-combat": _close_combat,
        "ranged": _at_a_distance,
        "magic": _at_a_distance,
        "duel": _duels,
        "battle": _battles,
        "all": _all,
    },
    show=_show,
    listings={
        kind: _listing(kind)
        for kind in ("troop-types", "cards", "rulings", "contests", "situations", "terrain", "topographies")
    },
    cost=_cost,
    army_cost=_army_cost,
    experiment_problems=_experiment_problems,
    replay=_replay,
)
