"""Illusions: when they are revealed, and what is there then (FT 39)."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import lane_of, row_of
from ftsim.games.triumph.battle.exchanges import look_like
from ftsim.games.triumph.battle.forms import become_real
from ftsim.games.triumph.battle.layout import (
    BEGIN,
    E_REVEALS,
    END,
    FAKE,
    LENT,
    ON_BOARD,
    OWNER,
    PAR,
    PLACE,
    SHOWN,
    SIDE,
    SPEC,
    ST,
    STANDING,
    STATUS,
    TARGET,
    WORLD,
    World,
)
from ftsim.games.triumph.battle.outcomes import note, vanish
from ftsim.kernels import kernel

#: Nearest distance in MU at which an illusion holds.
HOLDS_BEYOND = 2


@kernel(f"void({WORLD}, int64, int64)")
def reveal(w: World, i: int, by: int) -> None:
    """Show what an illusion is: a fake is gone and no loss, a disguised stand takes its place.

    `by` is 0 for its own side, 1 for an enemy near, 2 for an attack, which is used up (FT 39.7).
    """
    st = w[ST]
    if w[SPEC][i, FAKE]:
        vanish(w, i, by)
        return
    note(w, E_REVEALS, i, st[i, PLACE], st[i, SHOWN], by)
    st[i, SHOWN] = -1
    become_real(w, i)
    st[i, LENT] = 1
    look_like(w, i, i)


@kernel(f"void({WORLD})")
def reveal_near(w: World) -> None:
    """At the end of a movement phase: reveal all illusions within 2 MU of an enemy, together."""
    st, spec, side = w[ST], w[SPEC], w[SIDE]
    n = w[PAR][STANDING]
    for i in range(n):
        st[i, TARGET] = 0
        if st[i, SHOWN] < 0 or st[i, STATUS] != ON_BOARD:
            continue
        enemy = 1 - spec[i, OWNER]
        for j in range(side[enemy, BEGIN], side[enemy, END]):
            if st[j, STATUS] == ON_BOARD:
                lanes = abs(lane_of(w, st[j, PLACE]) - lane_of(w, st[i, PLACE]))
                rows = abs(row_of(w, st[j, PLACE]) - row_of(w, st[i, PLACE]))
                if max(2 * (lanes - 1), rows - 1) <= HOLDS_BEYOND:
                    st[i, TARGET] = 1
                    break
    for i in range(n):
        if st[i, TARGET]:
            reveal(w, i, 1)
