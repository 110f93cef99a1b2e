"""Plain exchanges: what two stands front to front in the open expect to take from each other."""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import factor_sum, first_row, gain_code
from ftsim.games.triumph.battle.layout import (
    AS_MOUNTED,
    BEGIN,
    CF_FOOT,
    CF_MOUNTED,
    CLOSE,
    CLOSE_RESULT,
    COST,
    END,
    EXCH,
    FACTORS,
    LOW_FACTOR,
    ODDS,
    OWNER,
    PAR,
    PLAIN,
    S_BEATEN,
    S_DOUBLED,
    S_EXCEPTIONS,
    S_FRONT,
    SHOWN,
    SIDE,
    SPEC,
    ST,
    STANDING,
    W_DESTROYED,
    WORLD,
    World,
)
from ftsim.kernels import kernel


@kernel(f"int64({WORLD}, int64, int64, int64, int64)")
def placed_exchange(w: World, i: int, j: int, at_i: int, at_j: int) -> int:
    """Expected exchange of two stands front to front, each with the situation bits of its place."""
    par, spec = w[PAR], w[SPEC]
    totals = 0
    for turn in range(2):
        own, enemy = (i, j) if turn == 0 else (j, i)
        total = spec[own, CF_MOUNTED] if spec[enemy, AS_MOUNTED] else spec[own, CF_FOOT]
        bits = par[S_FRONT] | par[S_EXCEPTIONS] | (at_i if turn == 0 else at_j)
        total += factor_sum(w, CLOSE, own, enemy, bits)
        total = min(max(total - LOW_FACTOR, 0), FACTORS - 1)
        totals = totals * 100 + total
    counts = w[ODDS][totals // 100, totals % 100, gain_code(w, i), gain_code(w, j)]
    base = par[S_FRONT] | par[S_EXCEPTIONS]
    value = 0
    for doubled in range(2):
        how = par[S_DOUBLED] if doubled else par[S_BEATEN]
        mine = counts[1 - doubled]
        if mine:
            value -= mine * par[W_DESTROYED + first_row(w, CLOSE_RESULT, i, j, base | how | at_i)] * spec[i, COST]
        theirs = counts[3 + doubled]
        if theirs:
            value += theirs * par[W_DESTROYED + first_row(w, CLOSE_RESULT, j, i, base | how | at_j)] * spec[j, COST]
    return value


@kernel(f"int64({WORLD}, int64, int64)")
def plain_exchange(w: World, i: int, j: int) -> int:
    """Expected exchange of two stands front to front in the open, before anything else counts."""
    return placed_exchange(w, i, j, 0, 0)


@kernel(f"void({WORLD})")
def weigh_all(w: World) -> None:
    """Plain exchanges of every stand with every enemy: in truth, and as they seem while nobody is disguised."""
    side, exch = w[SIDE], w[EXCH]
    for i in range(side[0, BEGIN], side[0, END]):
        for j in range(side[1, BEGIN], side[1, END]):
            value = plain_exchange(w, i, j)
            exch[i, j] = value
            exch[j, i] = -value
    for i in range(w[PAR][STANDING]):
        for j in range(w[PAR][STANDING]):
            w[PLAIN][i, j] = exch[i, j]


@kernel(f"void({WORLD}, int64, int64)")
def look_like(w: World, i: int, as_whom: int) -> None:
    """Let the exchanges of a stand with every enemy be those of another, or nothing for -1."""
    st, side, exch, plain = w[ST], w[SIDE], w[EXCH], w[PLAIN]
    enemy = 1 - w[SPEC][i, OWNER]
    for j in range(side[enemy, BEGIN], side[enemy, END]):
        shown = st[j, SHOWN] if st[j, SHOWN] >= 0 else j
        exch[i, j] = plain[as_whom, shown] if as_whom >= 0 else 0
        exch[j, i] = -exch[i, j]
