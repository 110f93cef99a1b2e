"""Random numbers that are addressed, not consumed: Philox4x32-10 (Salmon et al. 2011).

A number is a function of who rolls, when and why, so results depend neither on the number of
workers nor on which other results are computed.

References
----------
Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3", SC '11.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

STREAM_VERSION = 1

_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_MASK = 0xFFFFFFFF


def canonical_json(value: Any) -> str:
    """One spelling for one value: sorted keys, no spaces, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def stream_key(seed: int, scenario: Mapping[str, Any], replicate: int = 0) -> int:
    """64-bit key of a stream of dice.

    Parameters
    ----------
    seed : int
        Seed of the experiment.
    scenario : mapping
        The cell without the axes along which answers are compared, so that those share dice.
    replicate : int
        Number of the repetition.
    """
    text = canonical_json([STREAM_VERSION, seed, dict(scenario), replicate])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def philox(counter: NDArray[np.uint32], key: int) -> NDArray[np.uint32]:
    """Four random 32-bit words for each counter.

    Parameters
    ----------
    counter : array of uint32, shape (4, ...)
        Address of the draw: trial, turn, who rolls, purpose.
    key : int
        64-bit key from `stream_key`.

    Returns
    -------
    array of uint32, shape (4, ...)
    """
    words = [np.asarray(word, dtype=np.uint64) for word in counter]
    keys = [key & _MASK, key >> 32 & _MASK]
    mask, half = np.uint64(_MASK), np.uint64(32)
    for _ in range(10):
        left = words[0] * np.uint64(_MULTIPLIERS[0])
        right = words[2] * np.uint64(_MULTIPLIERS[1])
        words = [
            (right >> half) ^ words[1] ^ np.uint64(keys[0]),
            right & mask,
            (left >> half) ^ words[3] ^ np.uint64(keys[1]),
            left & mask,
        ]
        keys = [(k + weyl) & _MASK for k, weyl in zip(keys, _WEYL, strict=True)]
    return np.stack(words).astype(np.uint32)


def die(word: NDArray[np.uint32], sides: int) -> NDArray[np.int64]:
    """Faces 1 … `sides` from random words; the bias is below `sides` / 2³²."""
    return ((word.astype(np.uint64) * np.uint64(sides)) >> np.uint64(32)).astype(np.int64) + 1


def generator(seed: int, scenario: Mapping[str, Any], replicate: int = 0) -> np.random.Generator:
    """A numpy generator keyed like the dice, for contests outside battles."""
    return np.random.Generator(np.random.Philox(key=stream_key(seed, scenario, replicate)))
