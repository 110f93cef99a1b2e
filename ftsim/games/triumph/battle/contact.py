"""Who touches whom, and what that is worth: situations, totals, results, expected exchanges.

Factors and results come from the same rows as the contests of single combats.
"""

from __future__ import annotations

from ftsim.games.triumph.battle.layout import (
    AS_MOUNTED,
    AT_HOME,
    AT_HOME_BIT,
    BEGIN,
    BITS,
    BOARD,
    CF_FOOT,
    CF_MOUNTED,
    CLOSE,
    CLOSE_RESULT,
    COST,
    DEMOTED,
    END,
    ENEMY_ALL,
    ENEMY_NONE,
    ENEMY_ONE,
    FACE,
    FACTORS,
    FALLS_BACK,
    FITS,
    FLAGS,
    GAINS,
    GENERAL_BIT,
    GROUND_MASK,
    HALF_SITUATION,
    HARD,
    HAS_ZONE,
    HERO,
    HILL_MASK,
    IS_CAMP,
    LENDS_FAST,
    LENT,
    LENT_FLAGS,
    LOST,
    LOW_FACTOR,
    LOWEST,
    MASK,
    MOST_RULES,
    MOVE,
    MOVE_ALONE,
    MOVE_FAST,
    NEGATE_ZONE,
    ODDS,
    ON_BOARD,
    OWN_ALL,
    OWN_FLAGS,
    OWN_NONE,
    OWN_ONE,
    OWN_TWO,
    OWNER,
    PAR,
    PLACE,
    PURSUIT,
    RIDER,
    ROLE,
    ROWS,
    S_BEATEN,
    S_DIFFICULT,
    S_DOUBLED,
    S_EXCEPTIONS,
    S_FRONT,
    S_GROUND,
    S_IN_ZONE,
    S_OVERLAP1,
    S_OVERLAP2,
    S_SUPPORTED,
    S_UPHILL,
    SHIFT,
    SIDE,
    SIT_ALL,
    SIT_NONE,
    SPEC,
    ST,
    STATUS,
    STRIDE,
    SUPPORTS,
    TABLES,
    TERR,
    TYPE,
    VALUE,
    W_DESTROYED,
    WON,
    WORLD,
    World,
)  # fmt: skip
from ftsim.kernels import kernel


@kernel(f"int64({WORLD}, int64)", inline=True)
def lowest(w: World, mask: int) -> int:
    """The number of the lowest bit in a mask."""
    return w[LOWEST][(mask & -mask) % 67]


@kernel(f"int64({WORLD}, int64)", inline=True)
def lane_of(w: World, place: int) -> int:
    """The padded lane of a place; the stride is a power of two, so that this is a shift."""
    return place >> w[PAR][SHIFT]


@kernel(f"int64({WORLD}, int64)", inline=True)
def row_of(w: World, place: int) -> int:
    """The padded row of a place."""
    return place & (w[PAR][STRIDE] - 1)


@kernel("int64(int64, int64)", inline=True)
def step(facing: int, stride: int) -> int:
    """How a place changes one place on in a facing."""
    if facing == 0:
        return 1
    if facing == 1:
        return stride
    if facing == 2:
        return -1
    return -stride


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def neighbour(w: World, i: int, turn: int) -> int:
    """The place next to a stand, `turn` quarter-turns clockwise from where it looks."""
    return w[ST][i, PLACE] + step((w[ST][i, FACE] + turn) & 3, w[PAR][STRIDE])


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def enemy_at(w: World, i: int, place: int) -> int:
    """The enemy of `i` in a place, or -1."""
    j = w[BOARD][place]
    if j >= 0 and w[SPEC][j, OWNER] != w[SPEC][i, OWNER]:
        return j
    return -1


@kernel(f"int64({WORLD}, int64)", inline=True)
def enemy_in_front(w: World, i: int) -> int:
    """The enemy that a stand looks at, or -1."""
    return enemy_at(w, i, neighbour(w, i, 0))


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def looks_at(w: World, j: int, place: int) -> int:
    """Whether a stand looks into a place; a camp looks everywhere."""
    if w[SPEC][j, FLAGS] & IS_CAMP:
        return 1
    return 1 if neighbour(w, j, 0) == place else 0


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def side_of_contact(w: World, i: int, j: int) -> int:
    """From where `j` meets `i`, which it looks at: 0 front, 1 flank, 2 rear."""
    if looks_at(w, i, w[ST][j, PLACE]):
        return 0
    if w[ST][i, FACE] == w[ST][j, FACE]:
        return 2
    return 1


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def presses(w: World, i: int, place: int) -> int:
    """Whether an enemy in a place overlaps `i`: he does not look away and has nobody of ours in front."""
    z = enemy_at(w, i, place)
    if z < 0 or w[SPEC][z, FLAGS] & IS_CAMP:
        return 0
    if w[ST][z, FACE] == w[ST][i, FACE]:
        return 0
    front = enemy_in_front(w, z)
    if front >= 0 and front != i:
        return 0
    return 1


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def overlaps(w: World, i: int, j: int) -> int:
    """How many enemies overlap `i` in its fight with `j`, at most 2 (Triumph! 68).

    On each side of the stand: an enemy beside it, or beside its enemy; besides, one behind it.
    """
    stride = w[PAR][STRIDE]
    if w[SPEC][i, FLAGS] & IS_CAMP:
        return 0
    face = w[ST][i, FACE]
    right = step((face + 1) & 3, stride)
    place, other = w[ST][i, PLACE], w[ST][j, PLACE]
    ahead = place + step(face, stride)
    count = 0
    for sign in (-1, 1):
        beside = place + sign * right
        if beside == other:
            continue
        pressed = presses(w, i, beside)
        if pressed == 0 and ahead == other:
            pressed = presses(w, i, other + sign * right)
        count += pressed
    behind = place - step(face, stride)
    if behind != other:
        z = enemy_at(w, i, behind)
        if z >= 0 and enemy_in_front(w, z) == i:
            count += 1
    return min(count, 2)


@kernel(f"int64({WORLD}, int64)", inline=True)
def in_friendly_zone(w: World, i: int) -> int:
    """Whether a friend with Negate Magic: Zone is nearer than 2 MU (FT 46.2)."""
    st = w[ST]
    owner = w[SPEC][i, OWNER]
    if not w[SIDE][owner, HAS_ZONE]:
        return 0
    for k in range(w[SIDE][owner, BEGIN], w[SIDE][owner, END]):
        if k == i or st[k, STATUS] != ON_BOARD:
            continue
        flags = w[SPEC][k, FLAGS]
        rider = st[k, RIDER]
        if rider >= 0:
            flags |= w[SPEC][rider, FLAGS]
        if flags & NEGATE_ZONE:
            lanes = abs(lane_of(w, st[k, PLACE]) - lane_of(w, st[i, PLACE]))
            rows = abs(row_of(w, st[k, PLACE]) - row_of(w, st[i, PLACE]))
            if lanes <= 1 and rows <= 2:
                return 1
    return 0


@kernel(f"int64({WORLD}, int64)", inline=True)
def ground_bits(w: World, i: int) -> int:
    """Situation bits of the terrain under a stand, as the stand sees it (FT 9, 58)."""
    par = w[PAR]
    kind = w[TERR][w[ST][i, PLACE]]
    bits = 0
    if kind > 0:
        if (par[GROUND_MASK] >> kind) & 1:
            bits |= par[S_GROUND]
        if (w[SPEC][i, HARD] >> kind) & 1:
            bits |= par[S_DIFFICULT]
    return bits


@kernel(f"int64({WORLD}, int64, int64, int64)", inline=True)
def situation(w: World, i: int, j: int, contact: int) -> int:
    """Situation bits of `i` in its fight with `j`, attacked from 0 front, 1 flank or 2 rear."""
    par, st = w[PAR], w[ST]
    bits = par[S_EXCEPTIONS] | par[S_FRONT + contact]
    if w[SPEC][i, FLAGS] & IS_CAMP:
        return bits
    bits |= ground_bits(w, i)
    hills = par[HILL_MASK]
    if hills and (hills >> w[TERR][st[i, PLACE]]) & 1 and not (hills >> w[TERR][st[j, PLACE]]) & 1:
        bits |= par[S_UPHILL]
    over = overlaps(w, i, j)
    if over >= 1:
        bits |= par[S_OVERLAP1]
    if over >= 2:
        bits |= par[S_OVERLAP2]
    if w[SPEC][i, FLAGS] & SUPPORTS:
        k = w[BOARD][neighbour(w, i, 2)]
        if (
            k >= 0
            and w[SPEC][k, OWNER] == w[SPEC][i, OWNER]
            and w[SPEC][k, TYPE] == w[SPEC][i, TYPE]
            and st[k, FACE] == st[i, FACE]
        ):
            bits |= par[S_SUPPORTED]
    return bits


@kernel(f"int64({WORLD}, int64, int64, int64, int64)", inline=True)
def matching(w: World, table: int, own: int, enemy: int, bits: int) -> int:
    """A bit for each row of a table that applies to a stand against an enemy in a situation."""
    fits = w[FITS][table, 0, bits & ((1 << HALF_SITUATION) - 1)] & w[FITS][table, 1, bits >> HALF_SITUATION]
    return w[MASK][own, table, 0] & w[MASK][enemy, table, 1] & fits


@kernel(f"int64({WORLD}, int64, int64, int64, int64)", inline=True)
def factor_sum(w: World, table: int, own: int, enemy: int, bits: int) -> int:
    """Sum of the rows of a table that apply to a stand against an enemy in a situation."""
    hit, total = matching(w, table, own, enemy, bits), 0
    while hit:
        total += w[ROWS][table, lowest(w, hit), VALUE]
        hit &= hit - 1
    return total


@kernel(f"int64({WORLD}, int64, int64, int64, int64)", inline=True)
def first_row(w: World, table: int, own: int, enemy: int, bits: int) -> int:
    """Value of the first row of a table that applies."""
    hit = matching(w, table, own, enemy, bits)
    return w[ROWS][table, lowest(w, hit), VALUE] if hit else -1


@kernel(f"void({WORLD}, int64)")
def match_rows(w: World, i: int) -> None:
    """What its rider lends a stand: flags, a faster move, and the rows that fit it, as own and as enemy."""
    spec, rows, st = w[SPEC], w[ROWS], w[ST]
    bits = spec[i, BITS]
    if st[i, DEMOTED]:  # FT 52: the general stays lost
        bits &= ~w[PAR][GENERAL_BIT]
    rider = st[i, RIDER]
    if not spec[i, FLAGS] & IS_CAMP and spec[i, ROLE] != HERO:
        spec[i, FLAGS] = (spec[i, FLAGS] & ~LENT_FLAGS) | (spec[i, OWN_FLAGS] & LENT_FLAGS)
        spec[i, MOVE] = spec[i, MOVE_ALONE]
    if rider >= 0:
        bits |= spec[rider, BITS]
        st[i, LENT] = 1  # until the next trial, when it is matched alone again
        spec[i, FLAGS] |= spec[rider, FLAGS] & LENT_FLAGS
        if spec[rider, FLAGS] & LENDS_FAST:  # FT 33
            spec[i, MOVE] = spec[i, MOVE_FAST]
    for table in range(TABLES - 1):
        own, enemy = 0, 0
        for k in range(MOST_RULES):
            row = rows[table, k]
            if row[VALUE] < -1000:
                break
            if (
                (bits & row[OWN_ALL]) == row[OWN_ALL]
                and not bits & row[OWN_NONE]
                and (row[OWN_ONE] == 0 or bits & row[OWN_ONE])
                and (row[OWN_TWO] == 0 or bits & row[OWN_TWO])
            ):
                own |= 1 << k
            if (
                (bits & row[ENEMY_ALL]) == row[ENEMY_ALL]
                and not bits & row[ENEMY_NONE]
                and (row[ENEMY_ONE] == 0 or bits & row[ENEMY_ONE])
            ):
                enemy |= 1 << k
        w[MASK][i, table, 0] = own
        w[MASK][i, table, 1] = enemy
    won, lost = 0, 0
    for k in range(MOST_RULES):
        row = rows[GAINS, k]
        if row[VALUE] < -1000:
            break
        if (bits & row[OWN_ALL]) == row[OWN_ALL] and not bits & row[OWN_NONE]:
            if row[SIT_ALL]:
                won += row[VALUE]
            else:
                lost += row[VALUE]
    st[i, WON] = won
    st[i, LOST] = lost


@kernel(f"int64({WORLD}, int64, int64, int64)", inline=True)
def close_total(w: World, i: int, j: int, contact: int) -> int:
    """Close combat total of `i` against `j` before the die."""
    base = w[SPEC][i, CF_MOUNTED] if w[SPEC][j, AS_MOUNTED] else w[SPEC][i, CF_FOOT]
    return base + factor_sum(w, CLOSE, i, j, situation(w, i, j, contact))


@kernel(f"int64({WORLD}, int64, int64, int64, int64)", inline=True)
def first_row_home(w: World, table: int, own: int, enemy: int, bits: int) -> int:
    """`first_row` for an enemy that is at home in the loser's terrain (FT 58.1.d)."""
    rows = w[ROWS][table]
    theirs = w[SPEC][enemy, BITS] | w[PAR][AT_HOME_BIT]
    mine = w[MASK][own, table, 0]
    for k in range(MOST_RULES):
        row = rows[k]
        if row[VALUE] < -1000:
            break
        if (
            (mine >> k) & 1
            and (theirs & row[ENEMY_ALL]) == row[ENEMY_ALL]
            and not theirs & row[ENEMY_NONE]
            and (row[ENEMY_ONE] == 0 or theirs & row[ENEMY_ONE])
            and (bits & row[SIT_ALL]) == row[SIT_ALL]
            and not bits & row[SIT_NONE]
        ):
            return row[VALUE]
    return -1


@kernel(f"int64({WORLD}, int64, int64, int64, int64)", inline=True)
def close_fate(w: World, i: int, j: int, contact: int, doubled: int) -> int:
    """Fate of `i` when beaten or doubled by `j`."""
    par = w[PAR]
    bits = par[S_EXCEPTIONS] | par[S_FRONT + contact] | (par[S_DOUBLED] if doubled else par[S_BEATEN])
    if not w[SPEC][i, FLAGS] & IS_CAMP:
        bits |= ground_bits(w, i)
        if in_friendly_zone(w, i):
            bits |= par[S_IN_ZONE]
    # FT 58.1.d: Knights and Chariots at home in the loser's terrain.
    if w[SPEC][j, AT_HOME] and (w[SPEC][j, AT_HOME] >> w[TERR][w[ST][i, PLACE]]) & 1:
        return first_row_home(w, CLOSE_RESULT, i, j, bits)
    return first_row(w, CLOSE_RESULT, i, j, bits)


@kernel(f"int64({WORLD}, int64, int64, int64)")
def pursues(w: World, i: int, j: int, doubled: int) -> int:
    """Whether `i` pursues after beating or doubling `j` (Triumph! 78)."""
    return first_row(w, PURSUIT, i, j, w[PAR][S_DOUBLED] if doubled else w[PAR][S_BEATEN])


@kernel(f"int64({WORLD}, int64)", inline=True)
def gain_code(w: World, i: int) -> int:
    """One number below 6 for what a stand gains when ahead and when behind."""
    return w[ST][i, WON] * 3 + w[ST][i, LOST] + 1


@kernel(f"int64({WORLD}, int64)", inline=True)
def enemy_on_flank_or_rear(w: World, i: int) -> int:
    """Whether an enemy is in contact with the flank or the rear of a stand."""
    for turn in (1, 2, 3):
        place = neighbour(w, i, turn)
        z = enemy_at(w, i, place)
        if z >= 0 and enemy_in_front(w, z) == i and not w[SPEC][z, FLAGS] & IS_CAMP:
            return 1
    return 0


@kernel(f"int64({WORLD}, int64, int64)", inline=True)
def loss(w: World, i: int, fate: int) -> int:
    """What a fate costs a stand where it stands, in half-points times per cent.

    Falling back is the end of a stand with an enemy on flank or rear, or at its back (Triumph!
    80.2), and of two stands when the friend behind cannot be pushed (Triumph! 82).
    """
    par, spec = w[PAR], w[SPEC]
    if fate == FALLS_BACK:
        if enemy_on_flank_or_rear(w, i):
            return par[W_DESTROYED] * spec[i, COST]
        back = neighbour(w, i, 2)
        k = w[BOARD][back]
        if k == -2 or (k >= 0 and spec[k, OWNER] != spec[i, OWNER]):
            return par[W_DESTROYED] * spec[i, COST]
        if k >= 0:
            beyond = w[BOARD][2 * back - w[ST][i, PLACE]]
            if beyond != -1 or w[ST][k, FACE] != w[ST][i, FACE]:
                return par[W_DESTROYED] * (spec[i, COST] + (0 if spec[k, FLAGS] & IS_CAMP else spec[k, COST]))
    return par[W_DESTROYED + fate] * spec[i, COST]


@kernel(f"int64({WORLD}, int64, int64, int64, int64, int64, int64)", inline=True)
def weigh(w: World, i: int, j: int, total_i: int, total_j: int, contact_i: int, contact_j: int) -> int:
    """Expected exchange of a fight for `i`: what `j` loses less what `i` loses.

    In 1/36 of half-points times the weights of `loss_weights` in per cent; negative is bad.
    """
    a = min(max(total_i - LOW_FACTOR, 0), FACTORS - 1)
    b = min(max(total_j - LOW_FACTOR, 0), FACTORS - 1)
    counts = w[ODDS][a, b, gain_code(w, i), gain_code(w, j)]
    value = 0
    if counts[0]:
        value -= counts[0] * loss(w, i, close_fate(w, i, j, contact_i, 1))
    if counts[1]:
        value -= counts[1] * loss(w, i, close_fate(w, i, j, contact_i, 0))
    if counts[3]:
        value += counts[3] * loss(w, j, close_fate(w, j, i, contact_j, 0))
    if counts[4]:
        value += counts[4] * loss(w, j, close_fate(w, j, i, contact_j, 1))
    return value


@kernel(f"int64({WORLD}, int64, int64)")
def exchange(w: World, i: int, j: int) -> int:
    """Expected exchange for `i`, which looks at `j`, where both stand."""
    contact_j = side_of_contact(w, j, i)
    return weigh(w, i, j, close_total(w, i, j, 0), close_total(w, j, i, contact_j), 0, contact_j)
