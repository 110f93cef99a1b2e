"""Decisions of players around an attack: targets, cards on a blow, answers to a blow.

A player sees kit, rows and how many spells lie under a warrior; of hands he sees his own.
"""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.answers import caster_of, takes_card
from ftsim.games.ffc.battle.fighters import attackable, gain, gain_landed, kill_score, killing, landing, worth
from ftsim.games.ffc.battle.rolls import pick
from ftsim.kernels import kernel


@kernel("int64(int64[:, ::1], int64)")
def kind_of(s: Any, side: int) -> int:
    """How a player decides."""
    return s[at.POLICY + side, at.P_KIND]


@kernel("int64(int64[:, ::1], int64)")
def coin(s: Any, side: int) -> int:
    """Whether a random player takes an option."""
    return 1 if pick(s, side, 100) < s[at.POLICY + side, at.P_COIN] else 0


@kernel("int64(int64[:, ::1], int64, int64, int64, int64)")
def best_target(s: Any, a: int, row: int, ranged: int, unpaired: int) -> int:
    """The enemy in a row that `a` would attack, or -1.

    Parameters
    ----------
    row : int
        0 front, 1 back, 2 either.
    unpaired : int
        1 to leave out warriors who are paired already, 2 to choose among all of them in the pairing (R-32).
    """
    side = s[a, at.LORD]
    kind = kind_of(s, side)
    best, top, seen = -1, -1, 0
    for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
        d = s[at.MEN + 1 - side, j]
        if row < 2 and s[d, at.ROW] != row:
            continue
        if attackable(s, d) == 0 or (unpaired == 1 and s[d, at.PAIRED] == 1):
            continue
        if kind == at.RANDOM:
            seen += 1
            if pick(s, side, seen) == 0:
                best = d
            continue
        if kind == at.GREEDY:
            score = gain(s, a, d, ranged)
            if ranged == 0 and unpaired > 0:
                # D9: what the enemy's blow would take counts against the pairing.
                answers = s[d, at.MODE] == 0 and s[d, at.PAIRED] == 0
                score = 100 * score - s[at.POLICY + side, at.P_RISK] * (gain(s, d, a, 0) if answers else 0)
                score += 1_000_000
        else:
            score = kill_score(s, a, d, ranged)
        if score > top:
            best, top = d, score
    return best


@kernel("int64(int64[:, ::1], int64, int64)")
def martyr(s: Any, a: int, d: int) -> int:
    """D10: who takes an attack on `d` upon himself, or -1; the caller knows that the card is held."""
    side = s[d, at.LORD]
    ranged = s[a, at.MODE]
    kind = kind_of(s, side)
    if kind == at.RANDOM and coin(s, side) == 0:
        return -1
    margin = s[a, at.NOW_DAM] - s[d, at.NOW_PLATE]
    kill = landing(s, a, d, ranged) * killing(s, margin, s[d, at.HITS])  # of 216
    if kind == at.SIMPLE and kill * 10 < 4 * 216:
        return -1
    best, least, seen = -1, 1_000_000_000, 0
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        if i == d or attackable(s, i) == 0 or takes_card(s, i) == 0:
            continue
        if kind == at.RANDOM:
            seen += 1
            if pick(s, side, seen) == 0:
                best = i
            continue
        k = landing(s, a, i, ranged) * killing(s, s[a, at.NOW_DAM] - s[i, at.NOW_PLATE], s[i, at.HITS])
        cost = worth(s, i) * k // 216 if kind == at.GREEDY else k * 100 - s[i, at.HITS]
        if cost < least:
            best, least = i, cost
    if kind == at.GREEDY and worth(s, d) * kill // 216 - least < s[at.POLICY + side, at.P_MARTYR]:
        return -1
    if kind == at.SIMPLE and least >= kill * 100:
        return -1
    return best


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def adds_damage(s: Any, a: int, d: int, dice: int) -> int:
    """D11: whether to play one more Mighty Blow or Fly True on a landed hit."""
    side = s[a, at.LORD]
    if kind_of(s, side) == at.RANDOM:
        return coin(s, side)
    if s[d, at.HITS] <= s[a, at.NOW_DAM] - s[d, at.NOW_PLATE] + 1 + dice:
        return 0  # dead already, whatever the dice
    more = gain_landed(s, a, d, dice + 1) - gain_landed(s, a, d, dice)
    return 1 if more >= s[at.POLICY + side, at.P_BONUS] else 0


@kernel("int64(int64[:, ::1], int64, int64, int64, int64)")
def stops_blow(s: Any, a: int, d: int, dice: int, spell: int) -> int:
    """D12: whether the defender stops a hit with Shield Wall (0) or Illusions (1)."""
    side = s[d, at.LORD]
    if kind_of(s, side) == at.RANDOM:
        return coin(s, side)
    harm = gain_landed(s, a, d, dice)
    return 1 if harm >= s[at.POLICY + side, at.P_ILLUSION if spell == 1 else at.P_WALL] else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def marker(s: Any, a: int, d: int) -> int:
    """D13: which card to play on an enemy just hurt, or -1."""
    side = s[a, at.LORD]
    h = at.SIDE + side
    if kind_of(s, side) == at.RANDOM:
        if coin(s, side) == 0:
            return -1
        start = pick(s, side, 3)
        for k in range(3):
            card = (at.POISONED_EDGE, at.PAINFUL_WOUND, at.STUNNED)[(start + k) % 3]
            if s[h, at.HAND + card] > 0:
                return card
        return -1
    if s[h, at.HAND + at.STUNNED] > 0 and s[d, at.LEFT] > 0 and s[d, at.HELPLESS] < s[at.GAME, at.TURN]:
        return at.STUNNED
    if s[h, at.HAND + at.PAINFUL_WOUND] > 0 and 2 * s[d, at.HITS] >= s[d, at.HITS0]:
        return at.PAINFUL_WOUND
    if s[h, at.HAND + at.POISONED_EDGE] > 0 and s[d, at.HITS] >= 3:
        return at.POISONED_EDGE
    return -1


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def strikes_again(s: Any, a: int, d: int, ranged: int) -> int:
    """D14: whether to play Flurry or Rain of Arrows for one more attack on `d`."""
    side = s[a, at.LORD]
    if kind_of(s, side) == at.RANDOM:
        return coin(s, side)
    return 1 if gain(s, a, d, ranged) >= s[at.POLICY + side, at.P_EXTRA] else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def breaks(s: Any, a: int, d: int) -> int:
    """D15: what of `d` Sword Breaker destroys: 1 weapon, 2 shield, 3 helm, 0 for nothing."""
    side = s[a, at.LORD]
    armed = 1 if s[d, at.USE] != at.FISTS and s[d, at.MODE] == 0 else 0
    if s[at.RULE, at.R_SWORD_BREAKER] == 1 and s[d, at.ARMS] > 0:
        armed = 1
    if kind_of(s, side) == at.RANDOM:
        if coin(s, side) == 0:
            return 0
        start = pick(s, side, 3)
        for k in range(3):
            part = (start + k) % 3 + 1
            if part == 1 and armed == 1:
                return 1
            if part == 2 and s[d, at.SHIELD_ID] >= 0:
                return 2
            if part == 3 and s[d, at.HELM_ID] >= 0:
                return 3
        return 0
    if worth(s, d) < 400:
        return 0
    if armed == 1 and s[d, at.ARMS] <= 1:
        return 1
    if s[d, at.SHIELD_ID] >= 0 and s[d, at.NOW_BLOCK] > 0:
        return 2
    return armed


@kernel("int64(int64[:, ::1], int64)")
def gambles(s: Any, a: int) -> int:
    """D7: whether a shooter gambles for the back row though there is a target in front."""
    side = s[a, at.LORD]
    kind = kind_of(s, side)
    if kind == at.SIMPLE:
        return 0
    back = best_target(s, a, 1, 1, 0)
    if back < 0:
        return 0
    if kind == at.RANDOM:
        return coin(s, side)
    front = best_target(s, a, 0, 1, 0)
    return 1 if gain(s, a, back, 1) > s[at.POLICY + side, at.P_GAMBLE] * gain(s, a, front, 1) else 0


@kernel("int64(int64[:, ::1], int64)")
def backstabs(s: Any, a: int) -> int:
    """D8: whether a backstabber rolls for the back row."""
    side = s[a, at.LORD]
    kind = kind_of(s, side)
    back = best_target(s, a, 1, 0, 0)
    if back < 0:
        return 0
    if kind == at.RANDOM:
        return coin(s, side)
    front = best_target(s, a, 0, 0, 0)
    if front < 0:
        return 1
    if kind == at.SIMPLE:
        return 1 if landing(s, a, front, 0) == 0 else 0
    return 1 if gain(s, a, back, 0) > s[at.POLICY + side, at.P_STAB] * gain(s, a, front, 0) else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def reaches_back(s: Any, a: int, ranged: int) -> int:
    """D16: whom in the back row to attack by Backstab or Height Adv., or -1 to keep the card."""
    side = s[a, at.LORD]
    kind = kind_of(s, side)
    back = best_target(s, a, 1, ranged, 0)
    if back < 0:
        return -1
    if kind == at.RANDOM:
        return back if coin(s, side) == 1 else -1
    if kind == at.SIMPLE:
        return back if s[back, at.SPELLS] > 0 and landing(s, a, back, ranged) > 0 else -1
    front = best_target(s, a, 0, ranged, 0)
    ahead = 0 if front < 0 else gain(s, a, front, ranged)
    return back if 10 * gain(s, a, back, ranged) > s[at.POLICY + side, at.P_OPENING] * ahead else -1


@kernel("int64(int64[:, ::1], int64, int64)")
def illusionist(s: Any, side: int, a: int) -> int:
    """Who can cast Illusions against an attack of `a`, or -1."""
    return caster_of(s, side, at.S_ILLUSIONS) if s[a, at.LORD] != side else -1
