"""Flights: where a Flying stand may come down, over stands, zones and terrain (FT 8-11).

A flight is measured straight, 2 MU a lane and 1 MU a row; quarter-turns cost 1 MU each, as on the ground.
"""

from __future__ import annotations

from ftsim.games.triumph.battle.contact import lane_of, row_of, step
from ftsim.games.triumph.battle.layout import (
    BEGIN,
    BOARD,
    END,
    FACE,
    FLAGS,
    HIGH_MASK,
    HIGH_MOVE,
    LANES,
    MOVE,
    NO_CONTACT,
    ON_BOARD,
    OWNER,
    PAR,
    PLACE,
    RIDING,
    ROWS_DEEP,
    SIDE,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    TERR,
    WORLD,
    World,
)
from ftsim.games.triumph.battle.movement import may_end, near_enemies
from ftsim.games.triumph.battle.outcomes import homeward
from ftsim.kernels import kernel

# What `flight` and its like return besides a place and a facing: no such move, and no more of them.
NOT_HERE, NO_MORE = -1, -2
#: Lanes to either side that flights without contact try, each at full, half and no length, ahead and back.
SIDEWAYS, LENGTHS = 5, 5


@kernel(f"int64({WORLD}, int64, int64)")
def air_length(w: World, one: int, other: int) -> int:
    """MU of a straight flight between two places, rounded up."""
    lanes = 2 * abs(lane_of(w, one) - lane_of(w, other))
    rows = abs(row_of(w, one) - row_of(w, other))
    length = max(lanes, rows)
    while length * length < lanes * lanes + rows * rows:
        length += 1
    return length


@kernel(f"int64({WORLD}, int64, int64, int64, int64)")
def offset(w: World, place: int, lanes: int, rows: int, home: int) -> int:
    """The place so many lanes to the right and rows ahead of another, as who looks home sees it; -1 off the board."""
    par = w[PAR]
    sign = 1 if home == 0 else -1
    lane, row = lane_of(w, place) + sign * lanes, row_of(w, place) + sign * rows
    if not 2 <= lane < par[LANES] + 2 or not 2 <= row < par[ROWS_DEEP] + 2:
        return -1
    return lane * par[STRIDE] + row


@kernel(f"int64({WORLD}, int64, int64, int64)")
def may_land(w: World, i: int, place: int, facing: int) -> int:
    """Whether a Flying stand can fly to a free place and look in a facing there."""
    st = w[ST]
    if w[BOARD][place] != -1:
        return 0
    wrong = (facing - st[i, FACE]) & 3
    length = air_length(w, st[i, PLACE], place) + (2 if wrong == 2 else (1 if wrong else 0))
    if length > w[SPEC][i, MOVE]:
        return 0
    if w[SPEC][i, FLAGS] & RIDING:  # FT 45.2, 45.5: where they begin counts too
        high = (w[PAR][HIGH_MASK] >> w[TERR][st[i, PLACE]]) & 1
        if near_enemies(w, i, st[i, PLACE]) or (high and length > w[PAR][HIGH_MOVE]):
            return 0
    return may_end(w, i, place, facing, length)


@kernel(f"int64({WORLD}, int64, int64)")
def flight(w: World, i: int, k: int) -> int:
    """The k-th flight that a policy should weigh, as four times the place plus the facing.

    First into contact with each enemy from each side, then ahead, back and to both sides, and last behind each enemy
    without contact.
    """
    st, side, par = w[ST], w[SIDE], w[PAR]
    owner = w[SPEC][i, OWNER]
    home = homeward(w, owner)
    begin = side[1 - owner, BEGIN]
    enemies = side[1 - owner, END] - begin
    if k < 4 * enemies:
        j, facing = begin + k // 4, (home + k) & 3
        if st[j, STATUS] != ON_BOARD or w[SPEC][i, FLAGS] & NO_CONTACT:
            return NOT_HERE
        place = st[j, PLACE] - step(facing, par[STRIDE])
        return 4 * place + facing if may_land(w, i, place, facing) else NOT_HERE
    k -= 4 * enemies
    if k < SIDEWAYS * LENGTHS:
        lanes, part = k // LENGTHS, k % LENGTHS
        lanes = (lanes + 1) // 2 * (1 if lanes & 1 else -1)  # 0, 1, -1, 2, -2 to its own right
        most = w[SPEC][i, MOVE]
        ahead = 0 if part == 0 else (most if part < 3 else most // 2)
        # The longest flight in these lanes that is not longer than the move.
        while ahead > 0 and 4 * lanes * lanes + ahead * ahead > most * most:
            ahead -= 1
        if part in (2, 4):
            ahead = -ahead
        for nearer in range(2):  # a row less where the end is taken
            rows = ahead - nearer if ahead > 0 else ahead + nearer
            place = offset(w, st[i, PLACE], lanes, rows, home)
            if place >= 0 and may_land(w, i, place, home):
                return 4 * place + home
        return NOT_HERE
    k -= SIDEWAYS * LENGTHS
    if k < enemies:
        j = begin + k
        if st[j, STATUS] != ON_BOARD:
            return NOT_HERE
        place = offset(w, st[j, PLACE], 0, 3, home)
        facing = (home + 2) & 3
        return 4 * place + facing if place >= 0 and may_land(w, i, place, facing) else NOT_HERE
    return NO_MORE
