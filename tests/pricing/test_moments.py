"""Moments add up: any blocks, in any order, give the same whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.pricing.moments import Moments

NAMES = ("a", "b", "c")


def columns(n: int = 1_000, seed: int = 1) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 3, n) / 2, rng.integers(-2, 3, n) / 2, rng.integers(4, 9, n) / 2]


def same(one: Moments, other: Moments) -> bool:
    return all(np.array_equal(getattr(one, x), getattr(other, x)) for x in ("count", "total", "product"))


def test_means_and_covariances_are_those_of_numpy():
    data = columns()
    found = Moments.of(data)
    assert found.mean == pytest.approx(np.mean(data, axis=1))
    assert found.covariance == pytest.approx(np.cov(data))


def test_blocks_in_any_order_give_the_same_sums():
    data = columns()
    parts = [Moments.of([c[k : k + 130] for c in data]) for k in range(0, 1_000, 130)]
    forth, back = parts[0], parts[-1]
    for part in parts[1:]:
        forth = forth + part
    for part in parts[-2::-1]:
        back = back + part
    assert same(forth, back)
    assert same(forth, Moments.of(data))


def test_several_cells_share_columns():
    a, b, c = columns()
    many = np.stack([b, -b, b[::-1]])
    found = Moments.of([a, many, c])
    assert found.count.tolist() == [1_000] * 3
    for k in range(3):
        assert same(found[k], Moments.of([a, many[k], c]))


def test_groups_pool_to_the_whole():
    data = columns()
    group = np.random.default_rng(2).integers(0, 4, 1_000)
    found = Moments.by_group(data, group, 6)
    assert found.count.tolist() == np.bincount(group, minlength=6).tolist()
    for k in range(4):
        assert same(found[k], Moments.of([c[group == k] for c in data]))
    assert same(found.pooled(), Moments.of(data))
    assert np.all(np.isnan(found[5].mean))


def test_cells_come_back_from_the_columns_of_a_results_file():
    found = Moments.by_group(columns(), np.arange(1_000) % 7, 7)
    kept = found.columns(NAMES)
    assert list(kept) == ["n", "a", "b", "c", "a*a", "a*b", "b*b", "a*c", "b*c", "c*c"]
    assert same(Moments.from_columns(kept, NAMES), found)
    with pytest.raises(InputError, match="different names"):
        found.columns(("a", "a", "b"))


def test_bad_columns_are_refused():
    a, b, c = columns()
    with pytest.raises(InputError, match="multiples of ½"):
        Moments.of([a + 0.1, b])
    with pytest.raises(InputError, match="same trials"):
        Moments.of([a, b[:5]])
    with pytest.raises(InputError, match="same trials"):
        Moments.of([a[:0], b[:0]])
    with pytest.raises(InputError, match="same trials"):
        Moments.by_group([a, b], np.zeros(5, dtype=int), 1)
    with pytest.raises(InputError, match="between 0 and 1"):
        Moments.by_group([a], np.full(1_000, 2), 2)
    with pytest.raises(InputError, match="unlike"):
        Moments.of([a, b]) + Moments.of([a, b, c])
