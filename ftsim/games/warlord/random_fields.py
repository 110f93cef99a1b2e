"""Fields laid out at random, the same for every unit, crossed by the hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ftsim._typing import FloatArray
from ftsim.games.warlord.march_kernel import Tracks
from ftsim.games.warlord.movement import Feature, Mover, Path
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import terrains
from ftsim.streams import die, philox, stream_key

#: cm across a field, features on it, greatest width of an area in cm.
LENGTH, FEATURES, WIDEST = 60, 3, 15
_LAYOUT = 0x0711


def crossing_times(
    kinds: Sequence[str],
    movers: Sequence[Mover],
    profiles: Profiles,
    rulings: WarlordRulings,
    fields: int,
    seed: int,
    limit: int = 60,
) -> FloatArray:
    """Turns that movers take over fields of three features each, shape (movers, fields); nan where none passes.

    Each feature is a kind drawn from `kinds`, begins at a whole cm and is 1 to 15 cm wide.
    """
    key = stream_key(seed, {"process": "fields"})
    trial = np.repeat(np.arange(fields, dtype=np.uint32), FEATURES)
    which = np.tile(np.arange(FEATURES, dtype=np.uint32), fields)
    counter = np.stack([trial, np.zeros_like(trial), which, np.full_like(trial, _LAYOUT)])
    words = philox(counter, key)
    kind = die(words[0], len(kinds)) - 1
    start = (die(words[1], LENGTH) - 1).astype(np.float64)
    width = die(words[2], WIDEST).astype(np.float64)
    found = []
    for mover in movers:
        # One feature a kind tells the rows and costs that it brings to this mover.
        sample = Path(tuple(Feature(terrains()[k], Fraction(0), Fraction(1)) for k in kinds), Fraction(LENGTH))
        known = Tracks.of([(sample, mover)], profiles, rulings)
        linear = known.linear[kind]
        tracks = Tracks(
            np.arange(0, fields * FEATURES + 1, FEATURES, dtype=np.int64),
            start,
            start + np.where(linear == 1, 0.0, width),
            np.ascontiguousarray(linear),
            np.ascontiguousarray(known.row[:, kind]),
            np.ascontiguousarray(known.factor[:, kind]),
            np.full(fields, float(LENGTH)),
            np.full(fields, float(mover.move)),
            np.full(fields, float(mover.depth)),
        )
        found.append(tracks.march(rulings, limit)[1])
    return np.stack(found)
