"""Experiments of contest ``battle``: with price models they price cards, without them armies meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns, Study
from ftsim.findings import Findings
from ftsim.games.triumph.battle.archetype_study import ArchetypeStudy
from ftsim.games.triumph.battle.engine import BATTLE_VERSION
from ftsim.games.triumph.battle.equal_points_study import BattlePriceStudy
from ftsim.games.triumph.troop_types import PACKAGE


class BattleStudy:
    """What an experiment on battles asks for."""

    engine_version = BATTLE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """The cells of the study that the experiment means."""
        return _meant(experiment).cells(experiment)

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """What that study finds."""
        return _meant(experiment).findings(experiment, results)


def _meant(experiment: Experiment) -> Study:
    return BattlePriceStudy() if experiment.price else ArchetypeStudy()
