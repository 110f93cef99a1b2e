"""Processes by the million: contiguous blocks of trials on threads, counts added up."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ftsim._typing import IntArray
from ftsim.trials import check_trials

BLOCK = 50_000


def in_blocks(one: Callable[[int, int], IntArray], trials: int, threads: int = 2) -> IntArray:
    """Sum of the counts of all blocks.

    Dice are addressed by trial, so the sum depends neither on the blocks nor on the threads.

    Parameters
    ----------
    one : callable
        Counts of the trials from a first one, so many: ``one(first, count)``.
    trials : int
        How many in all.
    threads : int
        Blocks that run at a time.

    Raises
    ------
    InputError
        If `trials` is not positive.
    """
    check_trials(trials)
    blocks = [(k, min(BLOCK, trials - k)) for k in range(0, trials, BLOCK)]
    if threads == 1 or len(blocks) == 1:
        parts = [one(*block) for block in blocks]
    else:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(lambda block: one(*block), blocks))
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
