"""What a greedy player expects: mean gains, what a spell changes in them, and the best sharing out of hits.

All of it from section 6 of the rules as we keep them, for one turn ahead, in hundredths of worth.
"""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.fighters import able, attackable, gain, refresh, refresh_side, worth
from ftsim.kernels import kernel

HIT = 1000  # thousandths, so that parts of a worth are not lost in a division


@kernel("int64(int64[:, ::1], int64, int64)")
def mean_gain(s: Any, i: int, ranged: int) -> int:
    """Mean gain of a warrior's attack, as armed now, over the living enemies."""
    total = 0
    foe = 1 - s[i, at.LORD]
    n = s[at.SIDE + foe, at.MEN_LEFT]
    for j in range(n):
        total += gain(s, i, s[at.MEN + foe, j], ranged)
    return total // max(1, n)


@kernel("int64(int64[:, ::1], int64)")
def mean_danger(s: Any, i: int) -> int:
    """Mean gain of a blow against a warrior, over the enemies who fight hand to hand."""
    total, n = 0, 0
    foe = 1 - s[i, at.LORD]
    for j in range(s[at.SIDE + foe, at.MEN_LEFT]):
        d = s[at.MEN + foe, j]
        if s[d, at.MODE] == 0:
            total += gain(s, d, i, 0)
            n += 1
    return total // max(1, n)


@kernel("int64(int64[:, ::1], int64)")
def front_gain(s: Any, i: int) -> int:
    """Mean gain of a warrior's attack, as armed now, over the enemies in front."""
    total, n = 0, 0
    foe = 1 - s[i, at.LORD]
    for j in range(s[at.SIDE + foe, at.MEN_LEFT]):
        d = s[at.MEN + foe, j]
        if s[d, at.ROW] == 0 and attackable(s, d) == 1:
            total += gain(s, i, d, s[i, at.MODE])
            n += 1
    return total // max(1, n)


@kernel("int64(int64[:, ::1], int64)")
def acts(s: Any, i: int) -> int:
    """Whether a warrior is going to attack this turn, by what lies open."""
    return 1 if s[i, at.LEFT] > 0 and (s[i, at.MODE] == 1 or s[i, at.ROW] == 0) and able(s, i) == 1 else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def side_gain(s: Any, side: int, shooters: int) -> int:
    """What all attacks of a side gain this turn, or only those of its shooters."""
    total = 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        if acts(s, i) == 1 and (shooters == 0 or s[i, at.MODE] == 1):
            total += front_gain(s, i)
    return total


@kernel("int64(int64[:, ::1], int64)")
def danger(s: Any, i: int) -> int:
    """What the enemy's attacks of this turn gain from a front-row warrior, shared evenly among his row."""
    if s[i, at.ROW] == 1:
        return 0
    side = s[i, at.LORD]
    front, total = 0, 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        front += 1 - s[s[at.MEN + side, j], at.ROW]
    for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
        d = s[at.MEN + 1 - side, j]
        if acts(s, d) == 1:
            total += gain(s, d, i, s[d, at.MODE])
    return total // front


@kernel("int64(int64[:, ::1], int64, int64)")
def whole_side(s: Any, side: int, spell: int) -> int:
    """What Bloodlust adds to the attacks of a side, or Haste takes from those of its enemy."""
    column = at.BLOODLUST if spell == at.S_BLOODLUST else at.HASTE
    whose = side if spell == at.S_BLOODLUST else 1 - side
    h = at.SIDE + side
    if s[h, column] == 1:
        return 0
    before = side_gain(s, whose, 0)
    s[h, column] = 1
    refresh_side(s, side)
    after = side_gain(s, whose, 0)
    s[h, column] = 0
    refresh_side(s, side)
    return after - before if spell == at.S_BLOODLUST else before - after


@kernel("int64(int64[:, ::1], int64, int64)")
def protection(s: Any, i: int, spell: int) -> int:
    """What Invulnerability (two turns) or Invisibility (one, and skill hand to hand) is worth on a warrior."""
    column = at.HARD if spell == at.S_HARD else at.UNSEEN
    turn = s[at.GAME, at.TURN]
    if s[i, column] >= turn:
        return 0
    held = s[i, column]
    blow = front_gain(s, i) if acts(s, i) == 1 else 0
    harm = danger(s, i)
    s[i, column] = turn
    refresh(s, i)
    harm -= danger(s, i)
    blow = front_gain(s, i) - blow if acts(s, i) == 1 else 0
    s[i, column] = held
    refresh(s, i)
    return 2 * harm if spell == at.S_HARD else harm + blow


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def part(s: Any, i: int, x: int, healing: int) -> int:
    """What `x` hits on a warrior are worth, in thousandths: taken from him, or given back.

    As in `gain`: all of him if they kill, else half the share of his hits.
    """
    hits = s[i, at.HITS]
    if healing == 1:
        return HIT * worth(s, i) * x // (2 * (hits + x))
    if s[at.RULE, at.R_ARMOR_V_SPELLS] == 1:
        x -= max(0, s[i, at.NOW_PLATE])
    if x <= 0:
        return 0
    return HIT * worth(s, i) if x >= hits else HIT * worth(s, i) * x // (2 * hits)


@kernel("int64(int64[:, ::1], int64, int64)")
def best_parts(s: Any, points: int, healing: int) -> int:
    """D20 of `greedy`: share `points` out among the warriors named in SHARE rows 1 …, exactly.

    Row t holds, for 0 … points, the most that the first t warriors give, and how many hits the last
    of them gets for it (from PART on). The warriors and their number (row 0) are the caller's.
    Returns the worth, in thousandths.
    """
    n = s[at.SHARE, at.WHOSE]
    for q in range(points + 1):
        s[at.SHARE, q] = 0
    for t in range(1, n + 1):
        i = s[at.SHARE + t, at.WHOSE]
        most = s[i, at.HITS0] - s[i, at.HITS] if healing == 1 else points
        for q in range(points + 1):
            best, which = s[at.SHARE + t - 1, q], 0
            for x in range(1, min(q, most) + 1):
                value = s[at.SHARE + t - 1, q - x] + part(s, i, x, healing)
                if value > best:
                    best, which = value, x
            s[at.SHARE + t, q] = best
            s[at.SHARE + t, at.PART + q] = which
    return s[at.SHARE + n, points]


@kernel("int64(int64[:, ::1], int64)")
def name_hurt(s: Any, side: int) -> int:
    """Name the own warriors whom Heal can help, for `best_parts`; how many."""
    n = 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        if s[i, at.HITS] < s[i, at.HITS0]:
            n += 1
            s[at.SHARE + n, at.WHOSE] = i
    s[at.SHARE, at.WHOSE] = n
    return n
