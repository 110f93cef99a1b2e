"""What a row of `spec` is for the moment: itself, riding on transports, or another type than it is."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import match_rows
from ftsim.games.triumph.battle.layout import LENT, REAL, SPEC, ST, WORLD, World
from ftsim.kernels import kernel


@kernel(f"void({WORLD}, int64)")
def become_real(w: World, i: int) -> None:
    """Make a row what it is in truth, and match its rules anew."""
    spec, real = w[SPEC], w[REAL]
    for c in range(spec.shape[1]):
        spec[i, c] = real[i, c]
    w[ST][i, LENT] = 0
    match_rows(w, i)
