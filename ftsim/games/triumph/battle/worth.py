"""What it is worth to a stand to be in a place: the fights it changes, its line, its way, and what may come at it.

Worths are integers in the units of `contact.weigh`, so that compiled and plain runs agree.
"""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import enemy_in_front, exchange, lane_of, lowest, side_of_contact, step
from ftsim.games.triumph.battle.layout import (
    BEGIN,
    BOARD,
    END,
    EXCH,
    FACE,
    FIGHT,
    FLAGS,
    IS_CAMP,
    MOVE,
    NEAR,
    NO_CONTACT,
    NOW_FIGHTS,
    NOW_NEARER,
    NOW_SHY,
    NOW_THREAT,
    ON_BOARD,
    OWNER,
    P_LINE,
    P_SHY,
    P_TARGET,
    PAR,
    PINNED,
    PLACE,
    RANGE,
    SHOOT,
    SIDE,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    WORLD,
    World,
)
from ftsim.games.triumph.battle.shooting import shot_kind
from ftsim.kernels import kernel

#: No fight reaches farther: twice the lanes plus the rows from a place to the nearest enemy.
FIGHTS_WITHIN = 5


@kernel(f"int64({WORLD}, int64)", inline=True)
def bout(w: World, i: int) -> int:
    """Expected exchange of the fight of a stand with the enemy it looks at; 0 if there is none."""
    j = enemy_in_front(w, i)
    if j < 0:
        return 0
    if side_of_contact(w, j, i):
        other = enemy_in_front(w, j)
        if other >= 0 and other != i and side_of_contact(w, other, j) == 0:
            return 0  # the enemy fights somebody else: that fight counts
    return exchange(w, i, j)


@kernel(f"int64({WORLD}, int64, int64, int64)")
def bouts_beside(w: World, owner: int, place: int, keep: int) -> int:
    """How the fights of a side on which a stand in a place bears differ from what `FIGHT` holds of them.

    With `keep` they are held from now on.
    """
    st, board, side = w[ST], w[BOARD], w[SIDE]
    stride = w[PAR][STRIDE]
    begin, end = side[owner, BEGIN], side[owner, END]
    total = 0
    for lanes in range(-2, 3):
        most = 2 if lanes == 0 else (0 if lanes in (-2, 2) else 1)
        for rows in range(-most, most + 1):
            k = board[place + lanes * stride + rows]
            if begin <= k < end and (lanes or rows):
                value = bout(w, k)
                total += value - st[k, FIGHT]
                if keep:
                    st[k, FIGHT] = value
    return total


@kernel(f"void({WORLD}, int64)")
def note_fights(w: World, owner: int) -> None:
    """Hold in `FIGHT` what the fights of a side's stands are worth."""
    st, par = w[ST], w[PAR]
    par[NOW_FIGHTS] = 0
    for i in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
        st[i, FIGHT] = 0
        if st[i, STATUS] == ON_BOARD and enemy_in_front(w, i) >= 0:
            st[i, FIGHT] = bout(w, i)
            par[NOW_FIGHTS] = 1


@kernel(f"int64({WORLD}, int64)", inline=True)
def covered(w: World, i: int) -> int:
    """How many friends stand beside a stand and look the same way."""
    st, board, spec = w[ST], w[BOARD], w[SPEC]
    right = step((st[i, FACE] + 1) & 3, w[PAR][STRIDE])
    count = 0
    for sign in (-1, 1):
        k = board[st[i, PLACE] + sign * right]
        if k >= 0 and spec[k, OWNER] == spec[i, OWNER] and st[k, FACE] == st[i, FACE]:
            count += 1
    return count


@kernel(f"int64({WORLD}, int64)", inline=True)
def is_shy(w: World, i: int) -> int:
    """Whether a stand keeps out of reach: under `skirmish`, the fast and those who shoot."""
    return 1 if w[PAR][NOW_SHY] and (w[SPEC][i, MOVE] > 4 or shot_kind(w, i) >= 0) else 0


@kernel(f"int64({WORLD}, int64, int64)")
def place_worth(w: World, i: int, count: int) -> int:
    """What a place is worth to a stand that is in it; with `count`, also the fights around it."""
    st, spec, par = w[ST], w[SPEC], w[PAR]
    owner = spec[i, OWNER]
    value = 2 * par[P_LINE] * covered(w, i)
    place = st[i, PLACE]
    lane = lane_of(w, place)
    touches = enemy_in_front(w, i) >= 0
    nearest, threat, targets = 9999, 0, 0
    shoots = shot_kind(w, i) >= 0
    shy = par[NOW_SHY] and (spec[i, MOVE] > 4 or shoots)
    reach = (spec[i, RANGE] if spec[i, SHOOT] else 3) if shoots else 0
    near, begin = st[i, NEAR], w[SIDE][1 - owner, BEGIN]
    while near:
        j = begin + lowest(w, near)
        near &= near - 1
        lanes = abs(lane_of(w, st[j, PLACE]) - lane)
        rows = st[j, PLACE] - place - (lane_of(w, st[j, PLACE]) - lane) * par[STRIDE]
        far = 2 * lanes + abs(rows)
        nearest = min(nearest, far)
        if st[j, PINNED]:
            continue
        if far - 1 <= spec[j, MOVE] and not spec[j, FLAGS] & (NO_CONTACT | IS_CAMP):
            risk = w[EXCH][j, i]
            if shy:
                risk = max(risk, par[P_SHY])
            threat = max(threat, risk)
        if shoots and lanes <= 1 and not spec[j, FLAGS] & IS_CAMP:
            ahead = rows if st[i, FACE] == 0 else -rows
            if 0 < ahead <= reach + 1:
                targets = 1
    value -= par[NOW_NEARER] * nearest
    if not touches:
        value -= threat * (100 if shy else par[NOW_THREAT]) // 100
        if targets:
            value += par[P_TARGET]
    else:
        value += bout(w, i) - (par[P_SHY] if shy else 0)
    if count and par[NOW_FIGHTS] and nearest <= FIGHTS_WITHIN:
        value += bouts_beside(w, owner, place, 0)
    return value


@kernel(f"int64({WORLD}, int64, int64, int64)")
def worth_at(w: World, i: int, place: int, facing: int) -> int:
    """`place_worth` of a stand taken up from the board, as if it were set down in a place."""
    st, board = w[ST], w[BOARD]
    old, face = st[i, PLACE], st[i, FACE]
    st[i, PLACE], st[i, FACE] = place, facing
    board[place] = i
    value = place_worth(w, i, 1)
    board[place] = -1
    st[i, PLACE], st[i, FACE] = old, face
    return value


@kernel(f"int64({WORLD}, int64, int64, int64)")
def contact_worth(w: World, i: int, place: int, facing: int) -> int:
    """What it gains a side in fights when a stand goes to a place."""
    st, board = w[ST], w[BOARD]
    owner, old, face = w[SPEC][i, OWNER], st[i, PLACE], st[i, FACE]
    board[old] = -1
    st[i, PLACE], st[i, FACE] = place, facing
    board[place] = i
    value = bouts_beside(w, owner, place, 0) + bout(w, i)
    board[place] = -1
    st[i, PLACE], st[i, FACE] = old, face
    board[old] = i
    return value
