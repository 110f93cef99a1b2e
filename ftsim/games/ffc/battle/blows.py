"""One attack with all its windows: Martyr, the dice, damage cards, Shield Wall and Illusions, markers."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.answers import cast, play_on, takes_card
from ftsim.games.ffc.battle.choices import adds_damage, illusionist, marker, martyr, stops_blow
from ftsim.games.ffc.battle.fighters import gain, gain_landed, lose_hits, modifier, refresh
from ftsim.games.ffc.battle.rolls import BLOW, blocked, d6, hit, loss, note, roll
from ftsim.kernels import kernel


@kernel("int64(int64[:, ::1], int64, int64, int64, int64)")
def stopped(s: Any, a: int, d: int, ranged: int, dice: int) -> int:
    """Shield Wall, then Illusions (W2): 1 if the attack has no effect."""
    side = s[d, at.LORD]
    held = s[at.SIDE + side, at.HAND + at.SHIELD_WALL] > 0 and takes_card(s, d) == 1
    wall = held and stops_blow(s, a, d, dice, 0) == 1
    if wall and play_on(s, d, at.SHIELD_WALL, gain_landed(s, a, d, dice)) == 1:
        return 1
    i = illusionist(s, side, a)
    if i >= 0 and stops_blow(s, a, d, dice, 1) == 1 and cast(s, i, at.S_ILLUSIONS, gain_landed(s, a, d, dice)) == 1:
        return 1
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def mark(s: Any, a: int, d: int) -> int:
    """Cards on an enemy just hurt (W3)."""
    side = s[a, at.LORD]
    for _ in range(6):
        h = at.SIDE + side
        if s[h, at.HAND + at.STUNNED] + s[h, at.HAND + at.PAINFUL_WOUND] + s[h, at.HAND + at.POISONED_EDGE] == 0:
            return 0
        card = marker(s, a, d) if takes_card(s, a) == 1 else -1
        if card < 0:
            return 0
        if play_on(s, a, card, 200) == 0:
            continue
        once = s[at.RULE, at.R_MARKERS] == 1
        if card == at.STUNNED:
            s[d, at.HELPLESS] = max(s[d, at.HELPLESS], s[at.GAME, at.TURN])
        elif card == at.PAINFUL_WOUND:
            s[d, at.WOUND] = 1 if once else s[d, at.WOUND] + 1
        else:
            s[d, at.POISON] = 1 if once else s[d, at.POISON] + 1
        note(s, at.EV_DISABLED, d, a, card)
        refresh(s, d)
        if s[at.RULE, at.R_STACKING] == 1:
            return 0
    return 0


@kernel("int64(int64[:, ::1], int64, int64, int64, int64)")
def strike(s: Any, a: int, d: int, ranged: int, more_dam: int) -> int:
    """`a` attacks `d` once.

    Parameters
    ----------
    ranged : int
        1 for fire, 0 hand to hand.
    more_dam : int
        Damage of a second weapon above that of the first.
    """
    foe, own = s[d, at.LORD], s[a, at.LORD]
    s[a, at.BLOWS] += 1
    # W1: Martyr. Whoever steps in keeps his own numbers.
    if foe != own and s[at.SIDE + foe, at.HAND + at.MARTYR] > 0:
        t = martyr(s, a, d)
        if t >= 0 and play_on(s, t, at.MARTYR, gain(s, a, d, ranged)) == 1:
            d = t
    note(s, at.EV_FIRED if ranged == 1 else at.EV_STRUCK, a, d, 0)
    early = s[at.RULE, at.R_CANCEL_WINDOW] == 1
    if early and stopped(s, a, d, ranged, 0) == 1:
        note(s, at.EV_STOPPED, d, a, 0)
        return 0
    w = roll(s, a + (s[a, at.BLOWS] << 16), BLOW)
    lands = hit(d6(w[0]), modifier(s, a, d, ranged), s[at.RULE, at.R_NATURAL])
    if s[at.RULE, at.R_INVISIBILITY] == 1 and s[a, at.UNSEEN] >= s[at.GAME, at.TURN]:
        s[a, at.UNSEEN] = 0
        refresh(s, a)
    if lands == 0:
        note(s, at.EV_MISSED, a, d, d6(w[0]))
        return 0
    if blocked(d6(w[1]), s[d, at.NOW_BLOCK]) == 1:
        note(s, at.EV_STOPPED, d, a, d6(w[1]))
        return 0
    if ranged == 1 and s[at.SIDE + foe, at.SHIELDED] == 1:
        note(s, at.EV_STOPPED, d, a, 0)
        return 0
    # W2: damage cards, then what stops the blow.
    card = at.FLY_TRUE if ranged == 1 else at.MIGHTY_BLOW
    dice = 0
    while s[at.SIDE + own, at.HAND + card] > 0 and dice < 2 and takes_card(s, a) == 1:
        if adds_damage(s, a, d, dice) == 0:
            break
        value = gain_landed(s, a, d, dice + 1) - gain_landed(s, a, d, dice)
        dice += play_on(s, a, card, value)
        if s[at.RULE, at.R_STACKING] == 1:
            break
    if not early and stopped(s, a, d, ranged, dice) == 1:
        note(s, at.EV_STOPPED, d, a, 0)
        return 0
    total = d6(w[2])
    pair = (w[3] * 36) >> 32
    if dice > 0:
        total += pair // 6 + 1
    if dice > 1:
        total += pair % 6 + 1
    lost = loss(total, s[a, at.NOW_DAM] + more_dam, s[d, at.NOW_PLATE], s[at.RULE, at.R_LEAST_LOSS])
    lose_hits(s, d, lost)
    if lost > 0 and s[d, at.HITS] > 0 and foe != own:  # W3
        mark(s, a, d)
    return lost
