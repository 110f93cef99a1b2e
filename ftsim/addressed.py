"""Addressed dice inside kernels: the same Philox4x32-10 as `streams.philox`, one counter at a time."""

from __future__ import annotations

import numpy as np

from ftsim.kernels import kernel


@kernel("UniTuple(int64, 4)(int64, int64, int64, int64, int64, int64)")
def words(trial: int, turn: int, who: int, purpose: int, key_low: int, key_high: int) -> tuple[int, int, int, int]:
    """Four random 32-bit words for an address.

    Parameters
    ----------
    trial, turn, who, purpose : int
        The four words of the counter, each below 2**32.
    key_low, key_high : int
        Halves of the 64-bit key of `streams.stream_key`.
    """
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    first, second = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    c0, c1, c2, c3 = np.uint64(trial), np.uint64(turn), np.uint64(who), np.uint64(purpose)
    k0, k1 = np.uint64(key_low), np.uint64(key_high)
    for _ in range(10):
        left = c0 * first
        right = c2 * second
        c0 = (right >> half) ^ c1 ^ k0
        c1 = right & mask
        c2 = (left >> half) ^ c3 ^ k1
        c3 = left & mask
        k0 = (k0 + np.uint64(0x9E3779B9)) & mask
        k1 = (k1 + np.uint64(0xBB67AE85)) & mask
    return np.int64(c0), np.int64(c1), np.int64(c2), np.int64(c3)  # type: ignore[return-value]


@kernel("int64(int64, int64)")
def die(word: int, sides: int) -> int:
    """A face 1 … `sides` from a random word; the bias is below `sides` / 2³²."""
    return ((word * sides) >> 32) + 1


def halves(key: int) -> tuple[int, int]:
    """Both halves of a 64-bit key, low one first."""
    return key & 0xFFFFFFFF, key >> 32
