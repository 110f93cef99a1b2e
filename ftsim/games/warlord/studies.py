"""The studies of this game by contest."""

from __future__ import annotations

from collections.abc import Callable

from ftsim.experiments.study import Study
from ftsim.games.warlord.cover_study import CoverStudy
from ftsim.games.warlord.fire_study import FireStudy
from ftsim.games.warlord.points_study import PointsStudy
from ftsim.games.warlord.terrain_study import TerrainStudy

STUDIES: dict[str, Callable[[], Study]] = {
    "terrain": TerrainStudy,
    "fire": FireStudy,
    "cover": CoverStudy,
    "points": PointsStudy,
}
