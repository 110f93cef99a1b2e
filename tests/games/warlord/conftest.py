"""What the tests of this game share."""

from __future__ import annotations

from math import sqrt

import pytest

from ftsim.estimates import z_bound


def _check(counts, chances, trials):
    """Counts of cells against their exact chances: z-bound, and Bernstein's bound where cells are rare."""
    bound = z_bound(chances.size)
    for count, chance in zip(counts.ravel(), chances.ravel(), strict=True):
        p = min(max(float(chance), 0.0), 1.0)
        if p < 1e-15:
            assert count == 0
            continue
        # Bernstein: no cell of any chance lies farther out more often than the z-bound allows.
        spread = bound * sqrt(trials * p * (1 - p))
        assert abs(count - trials * p) <= spread + bound**2 / 3 + 1e-6


@pytest.fixture(scope="session")
def check_counts():
    """Assert that sampled counts agree with exact chances: ``check_counts(counts, chances, trials)``."""
    return _check
