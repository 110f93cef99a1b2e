"""Attack phase, part 2: backstabs, pairing, doubling, and the blows of each pair."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.answers import play_on, takes_card
from ftsim.games.ffc.battle.blows import strike
from ftsim.games.ffc.battle.choices import backstabs, best_target, breaks, reaches_back, strikes_again
from ftsim.games.ffc.battle.fighters import (
    able,
    attackable,
    bare_fists,
    drop_helm,
    drop_shield,
    drop_weapon,
    exposed_row,
    gain,
    over,
    refresh,
    worth,
)
from ftsim.games.ffc.battle.rolls import ORDER, PAIRING, d6, note, order_of_blows, roll, sort_down
from ftsim.kernels import kernel

LONG = 6  # the reach that fights from the back row, where R-26 lets it


@kernel("int64(int64[:, ::1], int64, int64)")
def blows_of(s: Any, a: int, d: int) -> int:
    """All blows of one attack hand to hand: one with each of two weapons (R-15), then Flurry (W4)."""
    side = s[a, at.LORD]
    s[a, at.LEFT] = 0
    s[a, at.ALLOWED] += 1
    strike(s, a, d, 0, 0)
    second = s[a, at.SECOND]
    if second >= 0 and s[at.RULE, at.R_TWO_WEAPONS] != 1 and s[d, at.ALIVE] == 1 and s[a, at.ALIVE] == 1:
        s[a, at.ALLOWED] += 1
        strike(s, a, d, 0, s[at.WEAPON + second, at.W_DAM] - s[at.WEAPON + s[a, at.USE], at.W_DAM])
    while s[at.SIDE + side, at.HAND + at.FLURRY] > 0 and takes_card(s, a) == 1 and able(s, a) == 1 and over(s) == 0:
        if attackable(s, d) == 0 or s[d, at.LORD] == side:
            d = best_target(s, a, 0, 0, 0)
        if d < 0 or strikes_again(s, a, d, 0) == 0:
            break
        if play_on(s, a, at.FLURRY, gain(s, a, d, 0)) == 1:
            s[a, at.ALLOWED] += 1
            strike(s, a, d, 0, 0)
        if s[at.RULE, at.R_STACKING] == 1:
            break
    return 0


@kernel("int64(int64[:, ::1], int64)")
def may_strike(s: Any, a: int) -> int:
    """Whether he can attack hand to hand now: able, attack unspent, no shooter (R-31)."""
    return 1 if able(s, a) == 1 and s[a, at.LEFT] > 0 and s[a, at.MODE] == 0 else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def answer_blow(s: Any, a: int, d: int) -> int:
    """A blow in return by one whose attack may be spent: of the doubled (R-33), a victim (R-29), a shooter (R-31)."""
    if able(s, a) == 0 or attackable(s, d) == 0:
        return 0
    if s[a, at.MODE] == 1:
        use, second = s[a, at.USE], s[a, at.SECOND]
        bare_fists(s, a)
        s[a, at.ALLOWED] += 1
        strike(s, a, d, 0, 0)
        if s[a, at.ALIVE] == 1:
            s[a, at.USE] = use
            s[a, at.SECOND] = second
            s[a, at.MODE] = 1
            refresh(s, a)
        return 0
    s[a, at.ALLOWED] += 1
    strike(s, a, d, 0, 0)
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def stab(s: Any, a: int, d: int) -> int:
    """An attack on the back row: no reply, unless R-29 gives one."""
    blows_of(s, a, d)
    if s[at.RULE, at.R_BACKSTAB_REPLY] == 1 and over(s) == 0:
        answer_blow(s, d, a)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def worth_opening(s: Any, side: int) -> int:
    """Whether there is anyone behind the enemy's front for Backstab; `simple` wants a caster with spells."""
    simple = s[at.POLICY + side, at.P_KIND] == at.SIMPLE
    for k in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
        d = s[at.MEN + 1 - side, k]
        if s[d, at.ROW] == 1 and (not simple or s[d, at.SPELLS] > 0):
            return 1
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def may_stab(s: Any, i: int, card: int) -> int:
    """Whether Backstab, or Height Adv. under R-56, may be played on a warrior."""
    if takes_card(s, i) == 0:
        return 0
    if card == at.HEIGHT:
        return may_strike(s, i) if s[i, at.ROW] == 1 else 0
    if s[at.RULE, at.R_BACKSTAB_CARD] == 1:
        return 1 if able(s, i) == 1 and s[i, at.LEFT] > 0 else 0
    return may_strike(s, i) if s[i, at.ROW] == 0 else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def stab_cards(s: Any, side: int, card: int) -> int:
    """Play Backstab, or Height Adv. under R-56, on whoever gains most by it; 1 when a side has nobody left."""
    while s[at.SIDE + side, at.HAND + card] > 0 and worth_opening(s, side) == 1:
        best, top = -1, -1
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            if may_stab(s, i, card) == 1:
                d = best_target(s, i, 1, 0, 0)
                if d >= 0 and gain(s, i, d, 0) > top:
                    best, top = i, gain(s, i, d, 0)
        if best < 0:
            break
        target = reaches_back(s, best, 0)
        if target < 0:
            break
        if play_on(s, best, card, top) == 1:
            if s[best, at.MODE] == 1:
                bare_fists(s, best)  # nobody strikes with a bow
            stab(s, best, target)
        if over(s) == 1:
            return 1
    return 0


@kernel("int64(int64[:, ::1])")
def backstab_phase(s: Any) -> int:
    """Backstabs, by speed: with the card, or by roll for those with the ability."""
    first = s[at.GAME, at.FIRST]
    for k in range(2):
        side = (first + k) % 2
        if stab_cards(s, side, at.BACKSTAB) == 1:
            return 1
        if s[at.RULE, at.R_HEIGHT_CARD] == 1 and stab_cards(s, side, at.HEIGHT) == 1:
            return 1
    n = 0
    for side in range(2):
        for k in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, k]
            if s[i, at.STAB] == 1 and may_strike(s, i) == 1:
                if s[i, at.ROW] == 1 and s[at.RULE, at.R_BACKSTAB_FROM] == 0:
                    continue
                s[at.QUEUE, n] = ((s[i, at.NOW_SPEED] + 100) << 48) | (roll(s, i, ORDER)[0] << 8) | i
                n += 1
    sort_down(s, at.QUEUE, n)
    for k in range(n):
        i = s[at.QUEUE, k] & 255
        if may_strike(s, i) == 0 or backstabs(s, i) == 0:
            continue
        die = d6(roll(s, i, ORDER)[3])
        if s[i, at.CURSE] >= s[at.GAME, at.TURN] and s[at.RULE, at.R_CURSE] == 0:
            die -= 3
        d = best_target(s, i, 1, 0, 0)
        if die >= 5 and d >= 0:
            stab(s, i, d)
            if over(s) == 1:
                return 1
        else:
            s[i, at.LEFT] = 0
            note(s, at.EV_STAB_FAILED, i, -1, die)
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def break_sword(s: Any, a: int, d: int) -> int:
    """Sword Breaker of a's side on the enemy in his pairing (W0)."""
    side = s[a, at.LORD]
    while s[at.SIDE + side, at.HAND + at.SWORD_BREAKER] > 0 and takes_card(s, a) == 1:
        part = breaks(s, a, d)
        if part == 0:
            return 0
        if play_on(s, a, at.SWORD_BREAKER, worth(s, d) // 3) == 0:
            continue
        note(s, at.EV_BROKEN, d, a, part)
        if part == 1:
            drop_weapon(s, d, s[d, at.USE] if s[d, at.USE] != at.FISTS else s[d, at.ARM0])
            if s[d, at.USE] == at.FISTS:
                s[d, at.MODE] = 0  # a shooter whose bow is gone
                refresh(s, d)
        elif part == 2:
            drop_shield(s, d)
        else:
            drop_helm(s, d)
    return 0


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def fight(s: Any, a: int, d: int, doubling: int) -> int:
    """One pairing: Sword Breaker, the die for the first blow, blows (R-30, R-31, R-33)."""
    if s[a, at.ALIVE] == 0 or s[a, at.LORD] == s[d, at.LORD]:
        return 0
    if attackable(s, d) == 0:
        if s[at.RULE, at.R_DEAD_TARGET] == 1 and may_strike(s, a) == 1:
            d = best_target(s, a, 0, 0, 0)
            if d >= 0:
                blows_of(s, a, d)
        return 0
    if attackable(s, a) == 0:
        return 0
    break_sword(s, a, d)
    break_sword(s, d, a)
    shooter = s[d, at.MODE] == 1 and s[at.RULE, at.R_SHOOTER_IN_MELEE] == 1
    returns = 0  # a blow though his attack is spent
    if shooter or (doubling == 1 and s[at.RULE, at.R_DOUBLED_REPLIES] == 1):
        returns = 1
    if shooter:
        use, second = s[d, at.USE], s[d, at.SECOND]
        bare_fists(s, d)
        speed = s[a, at.NOW_SPEED] - s[d, at.NOW_SPEED]
        reach = s[a, at.NOW_REACH] - s[d, at.NOW_REACH]
        s[d, at.USE] = use
        s[d, at.SECOND] = second
        s[d, at.MODE] = 1
        refresh(s, d)
    else:
        speed = s[a, at.NOW_SPEED] - s[d, at.NOW_SPEED]
        reach = s[a, at.NOW_REACH] - s[d, at.NOW_REACH]
    w = roll(s, a + (doubling << 16), PAIRING)
    first = order_of_blows(d6(w[0]), speed, reach, 1 + (w[1] >> 31), s[at.RULE, at.R_FIRST_STRIKE_TIE])
    both = first == 3
    reply = 1 if doubling == 0 or returns == 1 else 0
    ready = 1 if both and reply == 1 and (may_strike(s, d) == 1 or (returns == 1 and able(s, d) == 1)) else 0
    for k in range(2):
        if k == 1 and ready == 0 and over(s) == 1:  # a Martyr's death may end the battle
            return 0
        if (k == 0) == (first != 2):
            if may_strike(s, a) == 1 and attackable(s, d) == 1:
                blows_of(s, a, d)
        elif reply == 1:
            if ready == 1 and s[d, at.ALIVE] == 0 and attackable(s, a) == 1:
                # Blows land together: the dead one's still counts.
                s[d, at.ALLOWED] += 1
                strike(s, d, a, 0, 0)
            elif may_strike(s, d) == 1 and doubling == 0 and attackable(s, a) == 1:
                blows_of(s, d, a)
            elif returns == 1 and s[a, at.ALIVE] == 1:
                answer_blow(s, d, a)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def haste(s: Any, pair: int) -> int:
    """What orders a pairing under R-34: a die of its picker's, or the speed of the faster of the two."""
    a, d = s[at.PAIR_A, pair], s[at.PAIR_B, pair]
    if s[at.RULE, at.R_PAIRING_ORDER] == 2:
        return max(s[a, at.NOW_SPEED], s[d, at.NOW_SPEED])
    return roll(s, a, ORDER)[0]


@kernel("int64(int64[:, ::1])")
def pair_up(s: Any) -> int:
    """Pairing by speed, unpaired enemies first (R-32), then doubling (marked by 1 << 8); how many pairs."""
    n = 0
    for side in range(2):
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            s[i, at.PAIRED] = 0
            if s[i, at.ROW] != 0:
                # he waits until the front rows have paired up.
                if s[at.RULE, at.R_REACH_FROM_BACK] == 1 and s[i, at.NOW_REACH] >= LONG and may_strike(s, i) == 1:
                    s[at.PICKERS, n] = (s[i, at.NOW_SPEED] << 48) | (roll(s, i, ORDER)[0] << 8) | i
                    n += 1
                continue
            picks = may_strike(s, i)
            if s[i, at.MODE] == 1 and s[at.RULE, at.R_SHOOTER_PICKS] == 1 and able(s, i) == 1:
                picks = 1
            if picks == 1:
                s[at.PICKERS, n] = ((s[i, at.NOW_SPEED] + 100) << 48) | (roll(s, i, ORDER)[0] << 8) | i
                n += 1
    sort_down(s, at.PICKERS, n)
    pairs, late = 0, 0
    for k in range(n):
        i = s[at.PICKERS, k] & 255
        if s[i, at.PAIRED] == 1:
            continue
        early = s[at.RULE, at.R_PICK_TIES] == 1
        d = -1 if s[i, at.ROW] == 1 else best_target(s, i, 0, 0, 2 if early else 1)
        if d >= 0 and s[d, at.PAIRED] == 1:
            d = -1  # he doubles up below, as soon as he may
            s[i, at.PAIRED] = 1
        if d < 0 and s[i, at.PAIRED] == 0 and s[i, at.ROW] == 0 and exposed_row(s, 1 - s[i, at.LORD]) == 1:
            d = best_target(s, i, 1, 0, 1)
        if d < 0:
            s[at.QUEUE, late] = i
            late += 1
            continue
        s[i, at.PAIRED] = 1
        s[d, at.PAIRED] = 1
        s[at.PAIR_A, pairs] = i
        s[at.PAIR_B, pairs] = d
        note(s, at.EV_PAIRED_WITH, i, d, 0)
        pairs += 1
    if s[at.RULE, at.R_PAIRING_ORDER] > 0:
        for k in range(1, pairs):
            j = k
            while j > 0 and haste(s, j - 1) < haste(s, j):
                for row in range(at.PAIR_A, at.PAIR_B + 1):
                    held = s[row, j]
                    s[row, j] = s[row, j - 1]
                    s[row, j - 1] = held
                j -= 1
    for k in range(late):
        i = s[at.QUEUE, k]
        d = best_target(s, i, 0, 0, 0)
        if d < 0 and exposed_row(s, 1 - s[i, at.LORD]) == 1:
            d = best_target(s, i, 1, 0, 0)
        if d >= 0:
            s[at.PAIR_A, pairs] = i
            s[at.PAIR_B, pairs] = d | 256
            note(s, at.EV_DOUBLED, i, d, 0)
            pairs += 1
    return pairs


@kernel("int64(int64[:, ::1])")
def change_weapons(s: Any) -> int:
    """Shooters in front take something in hand after they fired, where R-18 lets them."""
    for side in range(2):
        for k in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, k]
            if s[i, at.ROW] == 0 and s[i, at.MODE] == 1 and s[i, at.BEST_HAND] >= 0:
                s[i, at.USE] = s[i, at.BEST_HAND]
                s[i, at.MODE] = 0
                refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1])")
def melee_phase(s: Any) -> int:
    """Hand to hand: backstabs, pairing, and each pair in turn."""
    if s[at.RULE, at.R_WEAPON_CHANGE] == 1:
        change_weapons(s)
    if backstab_phase(s) == 1:
        return 1
    pairs = pair_up(s)
    for k in range(pairs):
        d = s[at.PAIR_B, k]
        fight(s, s[at.PAIR_A, k], d & 255, d >> 8)
        if over(s) == 1:
            return 1
    return 0
