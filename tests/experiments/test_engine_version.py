"""The engine's numbers, pinned: they change together with ENGINE_VERSION or not at all."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from ftsim.games.triumph.duel_study import compute_duels
from ftsim.games.triumph.grids import COUNT_COLUMNS, ENGINE_VERSION, Grid, compute_grid
from ftsim.games.triumph.places import Place, Situation
from ftsim.games.triumph.ranged import Attack

#: Digest of the exact counts below, by engine version. When a rule, a table or the counting changes the
#: digest, results on disk are stale: raise ENGINE_VERSION and write the new pair here, together.
GOLDEN = {1: "533c469e99d121d2bd9ec890c32e320a"}

PLAIN = ("Heavy Foot", "Knights", "Shooters", "Skirmishers", "Behemoths", "Warband")
CARDED = (
    "Elite Foot + Deadly",
    "Knights + Prowess",
    "Shooters + Hearten",
    "Warband + Terror",
    "Heavy Foot + Spiked Carts",
    "Spear + Brittle + Weaken",
    "Raiders + Terrain Affinity: woods, marsh",
    "Heavy Foot + Supporting Shooters",
)
SITUATIONS = (
    Situation(),
    Situation(Place(terrain="woods"), Place(terrain="woods")),
    Situation(Place(uphill=True, general=True), Place(attacked="flank", overlaps=1)),
    Situation(Place(attacked="rear", blocked=True), Place(supported=True)),
)
AT_A_DISTANCE = (
    Grid("ranged", ("Shooters", "Artillery + Marksman"), PLAIN, SITUATIONS, attack=Attack("shooting")),
    Grid("ranged", ("Heavy Foot",), (*PLAIN, "Spear + Armored"), SITUATIONS, attack=Attack("ranged_attack")),
    Grid("mindblast", ("Heavy Foot",), PLAIN, attack=Attack("mindblast", "magical")),
    Grid("spellblast", ("Heavy Foot",), PLAIN, attack=Attack("spellblast", "magical", limited=True)),
)


def exact_counts():
    for grid in (Grid("close-combat", CARDED, (*PLAIN, *CARDED, "Camp"), SITUATIONS), *AT_A_DISTANCE):
        columns = compute_grid(grid)
        yield from (columns[name] for name in COUNT_COLUMNS)
    duels = compute_duels(list(range(2, 18)), list(range(2, 24, 3)))
    yield from (duels[name] for name in sorted(duels))


def test_numbers_change_only_with_the_engine_version():
    digest = sha256(b"".join(np.ascontiguousarray(column, dtype="<i8").tobytes() for column in exact_counts()))
    assert {ENGINE_VERSION: digest.hexdigest()[:32]} == GOLDEN, "raise ENGINE_VERSION together with the digest"


def test_the_engine_version_names_every_cell():
    assert AT_A_DISTANCE[0].reads()["engine"] == ENGINE_VERSION
