"""Players: how a side spends its command points."""

from __future__ import annotations

from ftsim.games.triumph.battle.advance import advance
from ftsim.games.triumph.battle.greedy import greedy
from ftsim.games.triumph.battle.layout import (
    BEGIN,
    END,
    FLAGS,
    IS_CAMP,
    NOW_NEARER,
    NOW_SHY,
    NOW_THREAT,
    ON_BOARD,
    P_NEARER,
    P_PATIENCE,
    P_THREAT,
    PAR,
    PINNED,
    POLICY,
    SIDE,
    SPEC,
    ST,
    STATUS,
    TURN,
    WORLD,
    World,
)
from ftsim.games.triumph.battle.movement import in_contact
from ftsim.kernels import kernel

ADVANCE, GREEDY, HOLD, SKIRMISH = range(4)


@kernel(f"void({WORLD}, int64)")
def make_up_mind(w: World, owner: int) -> None:
    """What nearness and threats are worth to a side in this turn, and which enemies cannot charge."""
    par, side, st, spec = w[PAR], w[SIDE], w[ST], w[SPEC]
    policy = side[owner, POLICY]
    patience = max(par[P_PATIENCE] - par[TURN], 0)
    par[NOW_NEARER] = 0 if policy == HOLD and patience else par[P_NEARER]
    par[NOW_THREAT] = par[P_THREAT] * patience // par[P_PATIENCE]
    par[NOW_SHY] = 1 if policy == SKIRMISH and patience else 0
    for j in range(side[1 - owner, BEGIN], side[1 - owner, END]):
        st[j, PINNED] = st[j, STATUS] == ON_BOARD and not spec[j, FLAGS] & IS_CAMP and in_contact(w, j)


@kernel(f"void({WORLD}, int64)")
def give_orders(w: World, owner: int) -> None:
    """Spend the command points of a side as its policy does."""
    make_up_mind(w, owner)
    policy = w[SIDE][owner, POLICY]
    if policy == ADVANCE:
        advance(w, owner)
    else:
        greedy(w, owner)
