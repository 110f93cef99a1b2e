"""Draw and tactics phases: hands, poison, rows, weapons, tactics spells and Wild Magic."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.choices import coin, kind_of
from ftsim.games.ffc.battle.fighters import lose_hits, over, refresh, refresh_side
from ftsim.games.ffc.battle.magic import cast_tactic, next_tactic, wild_magic
from ftsim.games.ffc.battle.prospects import mean_danger, mean_gain
from ftsim.games.ffc.battle.rolls import DEAL_PILE, note, pick, roll, sort_down
from ftsim.kernels import kernel

HAND_SIZE = 7
LONG = 6  # as in `melee`: the reach that fights from the back row, where R-26 lets it


@kernel("int64(int64[:, ::1], int64, int64)")
def useless(s: Any, side: int, card: int) -> int:
    """Whether a fight card has no use left for a side, as far as it can see."""
    if card == at.WILD_MAGIC:
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            if s[s[at.MEN + side, j], at.CASTER] == 1:
                return 0
        return 1
    if card == at.FLY_TRUE or card == at.RAIN or card == at.HEIGHT:
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            if s[i, at.BEST_SHOT] >= 0 or s[i, at.BEST_THROW] >= 0:
                return 0
        return 1
    if card == at.MAGIC_RESIST:
        for j in range(s[at.SIDE + 1 - side, at.MEN_LEFT]):
            if s[s[at.MEN + 1 - side, j], at.SPELLS] > 0:
                return 0
        return 1
    return 0


@kernel("int64(int64[:, ::1], int64)")
def discard(s: Any, side: int) -> int:
    """D19: cards laid down before drawing; at least as many as R-21 asks."""
    h = at.SIDE + side
    gone = 0
    random = kind_of(s, side) == at.RANDOM
    for card in range(at.FIGHT_KINDS):
        n = s[h, at.HAND + card]
        if n == 0:
            continue
        if (random and pick(s, side, 4) == 0) or (not random and useless(s, side, card) == 1):
            s[h, at.HAND + card] = 0
            s[h, at.IN_HAND] -= n
            s[at.PILE, card] += n
            gone += n
    if gone == 0 and s[at.RULE, at.R_LEAST_DISCARD] == 1:
        for card in range(at.FIGHT_KINDS):
            if s[h, at.HAND + card] > 0:
                s[h, at.HAND + card] -= 1
                s[h, at.IN_HAND] -= 1
                s[at.PILE, card] += 1
                break
    return gone


@kernel("int64(int64[:, ::1])")
def refill_fight(s: Any) -> int:
    """The discard pile, shuffled, becomes the fight deck; how many cards."""
    n = 0
    s[at.GAME, at.SHUFFLES] += 1
    for kind in range(at.FIGHT_KINDS):
        words = roll(s, kind | (s[at.GAME, at.SHUFFLES] << 16), DEAL_PILE)
        for copy in range(min(4, s[at.PILE, kind])):
            s[at.FIGHT, n] = (words[copy] << 8) | kind
            n += 1
        s[at.PILE, kind] = 0
    sort_down(s, at.FIGHT, n)
    for k in range(n):
        s[at.FIGHT, k] &= 255
    s[at.GAME, at.FIGHT_LEFT] = n
    return n


@kernel("int64(int64[:, ::1])")
def draw_phase(s: Any) -> int:
    """Discards, then one card each in turn until both hold seven or no card is left."""
    first = s[at.GAME, at.FIRST]
    if s[at.GAME, at.TURN] > 1:
        discard(s, first)
        discard(s, 1 - first)
    waiting = 0
    side = first
    while waiting < 2:
        h = at.SIDE + side
        if s[h, at.IN_HAND] >= HAND_SIZE:
            waiting += 1
        else:
            left = s[at.GAME, at.FIGHT_LEFT]
            if left == 0:
                left = refill_fight(s)
            if left == 0:
                break
            card = s[at.FIGHT, left - 1]
            s[at.GAME, at.FIGHT_LEFT] = left - 1
            s[h, at.HAND + card] += 1
            s[h, at.IN_HAND] += 1
            s[at.PLAYS + side, 40 + card] += 1
            waiting = 0
        side = 1 - side
    return 0


@kernel("int64(int64[:, ::1])")
def poison_phase(s: Any) -> int:
    """Each poison marker costs a hit."""
    for i in range(at.MAX_WARRIORS):
        if s[i, at.ALIVE] == 1 and s[i, at.POISON] > 0:
            note(s, at.EV_POISONED, i, -1, s[i, at.POISON])
            lose_hits(s, i, s[i, at.POISON])
    return 0


@kernel("int64(int64[:, ::1], int64)")
def take_hand(s: Any, i: int) -> int:
    """Take the best hand weapon in use, both of two for who may; bare hands without."""
    best = s[i, at.BEST_HAND]
    s[i, at.MODE] = 0
    s[i, at.SECOND] = -1
    s[i, at.USE] = best if best >= 0 else at.FISTS
    if (
        s[i, at.TWO] == 1
        and best >= 0
        and s[at.WEAPON + best, at.W_TWO] == 0
        and s[at.WEAPON + best, at.W_KIND] == at.HTH
    ):
        top = -99
        for k in range(s[i, at.ARMS]):
            w = s[i, at.ARM0 + k]
            r = at.WEAPON + w
            if w != best and s[r, at.W_KIND] == at.HTH and s[r, at.W_TWO] == 0 and s[r, at.W_DAM] > top:
                s[i, at.SECOND] = w
                top = s[r, at.W_DAM]
    refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def take_shot(s: Any, i: int) -> int:
    """Take a missile in use, or a weapon to throw; 0 if he has neither.

    D4: nobody throws away the last copy of the only weapon he has in hand.
    """
    w = s[i, at.BEST_SHOT]
    if w < 0:
        w = s[i, at.BEST_THROW]
        if w < 0 or (s[at.WEAPON + w, at.W_AMMO] < 2 and s[i, at.BEST_HAND] == w and s[i, at.ARMS] == 1):
            return 0
    s[i, at.USE] = w
    s[i, at.SECOND] = -1
    s[i, at.MODE] = 1
    refresh(s, i)
    return 1


@kernel("int64(int64[:, ::1], int64)")
def take_best_hand(s: Any, i: int) -> int:
    """D3 of `greedy`: the hand weapon with the best of what its blow gains and what it lets through."""
    take_hand(s, i)
    if s[i, at.ARMS] < 2 or s[i, at.SECOND] >= 0:
        return 0
    best, top = s[i, at.USE], -1
    for k in range(s[i, at.ARMS]):
        w = s[i, at.ARM0 + k]
        if s[at.WEAPON + w, at.W_KIND] != at.MISSILE:
            s[i, at.USE] = w
            refresh(s, i)
            offence = mean_gain(s, i, 0)
            score = 10_000 * offence // (1 + offence + mean_danger(s, i))
            if score > top:
                best, top = w, score
    s[i, at.USE] = best
    refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def hope(s: Any, i: int) -> int:
    """D2 of `greedy`: how much better a warrior is off in the back row; notes what he gains and loses in each."""
    s[i, at.ROW] = 1
    behind = mean_gain(s, i, 1) if take_shot(s, i) == 1 else 0
    s[i, at.ROW] = 0
    ahead = mean_gain(s, i, 1) if s[i, at.MODE] == 1 else 0
    take_best_hand(s, i)
    blow = mean_gain(s, i, 0)
    if s[at.RULE, at.R_REACH_FROM_BACK] == 1 and s[i, at.NOW_REACH] >= LONG:
        behind = max(behind, blow)
    s[i, at.HOPE_BACK] = behind
    s[i, at.HOPE_FRONT] = max(ahead, blow)
    s[i, at.HOPE_LOST] = mean_danger(s, i)
    return behind - s[i, at.HOPE_FRONT] + s[i, at.HOPE_LOST]


@kernel("int64(int64[:, ::1], int64, int64)")
def back_number(s: Any, side: int, n: int) -> int:
    """D2 of `greedy`: how many of the `n` warriors in the QUEUE, who wish most for the back row, to put there.

    Every legal number is tried. The fewer stand in front, the more of the enemy's blows each takes.
    """
    foe = 1 - side
    blows = 0
    for j in range(s[at.SIDE + foe, at.MEN_LEFT]):
        blows += 1 - s[s[at.MEN + foe, j], at.ROW]
    best, top = 0, -1_000_000_000
    for back in range(n // 2 + 1):
        total, lost = 0, 0
        for k in range(n):
            i = s[at.QUEUE, k] & 255
            if k < back:
                total += s[i, at.HOPE_BACK]
            else:
                total += s[i, at.HOPE_FRONT]
                lost += s[i, at.HOPE_LOST]
        total = 100 * total - 100 * lost * blows // (n - back)
        if total > top:
            best, top = back, total
    return best


@kernel("int64(int64[:, ::1], int64, int64)")
def back_wish(s: Any, i: int, kind: int) -> int:
    """D2: how much a warrior is wanted in the back row; 0 or less for the front."""
    if kind == at.SIMPLE:
        if s[i, at.SPELLS] > 0:
            return 3000 + s[i, at.SPELLS] * 10 - s[i, at.HITS]
        if s[i, at.BEST_SHOT] >= 0:
            return 2000 - s[i, at.HITS]
        if s[i, at.HITS] <= s[at.POLICY + s[i, at.OWNER], at.P_BACK]:
            return 1000 - s[i, at.HITS]
        return 0
    return hope(s, i)


@kernel("int64(int64[:, ::1], int64, int64)")
def arm(s: Any, i: int, kind: int) -> int:
    """D3, D4: the weapon in use, and whether a thrown one is thrown."""
    side = s[i, at.OWNER]
    if kind == at.RANDOM:
        n = s[i, at.ARMS]
        s[i, at.SECOND] = -1
        w = s[i, at.ARM0 + pick(s, side, n)] if n > 0 else at.FISTS
        s[i, at.USE] = w
        r = at.WEAPON + w
        thrown = s[r, at.W_KIND] == at.THROWN and s[r, at.W_AMMO] > 0
        s[i, at.MODE] = 1 if s[r, at.W_KIND] == at.MISSILE or (thrown and coin(s, side) == 1) else 0
        refresh(s, i)
        return 0
    if s[i, at.ROW] == 1:
        if take_shot(s, i) == 0:
            if kind == at.GREEDY:
                take_best_hand(s, i)
            else:
                take_hand(s, i)
        return 0
    if kind == at.GREEDY:
        if take_shot(s, i) == 0:
            take_best_hand(s, i)
            return 0
        # D4: what is thrown neither parries nor strikes back, so its danger counts as well.
        fire = mean_gain(s, i, 1) - mean_danger(s, i)
        shot = s[i, at.USE]
        take_best_hand(s, i)
        if fire > mean_gain(s, i, 0) - mean_danger(s, i):
            s[i, at.USE] = shot
            s[i, at.SECOND] = -1
            s[i, at.MODE] = 1
            refresh(s, i)
        return 0
    take_hand(s, i)
    throw = s[i, at.BEST_THROW]
    spare = s[i, at.ARMS] >= 2 and throw >= 0 and s[at.WEAPON + throw, at.W_AMMO] >= 2
    if s[i, at.BEST_HAND] < 0 or (spare and s[i, at.BEST_HAND] != throw):
        take_shot(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def rows_and_weapons(s: Any, side: int) -> int:
    """Free movement between rows, the front at least as many as the back, and a weapon for each."""
    kind = kind_of(s, side)
    living, n = s[at.SIDE + side, at.MEN_LEFT], 0
    for j in range(living):
        i = s[at.MEN + side, j]
        s[i, at.OLD_ROW] = s[i, at.ROW]
        s[i, at.OLD_USE] = s[i, at.USE]
        s[i, at.OLD_SECOND] = s[i, at.SECOND]
        s[i, at.OLD_MODE] = s[i, at.MODE]
        wish = pick(s, side, 3) - 1 if kind == at.RANDOM else back_wish(s, i, kind)
        s[i, at.ROW] = 0
        if wish > 0 or kind == at.GREEDY:
            s[at.QUEUE, n] = ((wish + 1_000_000) << 8) | i
            n += 1
    sort_down(s, at.QUEUE, n)
    for k in range(back_number(s, side, n) if kind == at.GREEDY else min(n, living // 2)):
        s[s[at.QUEUE, k] & 255, at.ROW] = 1
    for j in range(living):
        arm(s, s[at.MEN + side, j], kind)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def hide_plan(s: Any, side: int) -> int:
    """Keep a side's plan and show its warriors as they stood, so that the other side plans unseen (R-22)."""
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        s[i, at.PLAN_ROW] = s[i, at.ROW]
        s[i, at.PLAN_USE] = s[i, at.USE]
        s[i, at.PLAN_SECOND] = s[i, at.SECOND]
        s[i, at.PLAN_MODE] = s[i, at.MODE]
        s[i, at.ROW] = s[i, at.OLD_ROW]
        s[i, at.USE] = s[i, at.OLD_USE]
        s[i, at.SECOND] = s[i, at.OLD_SECOND]
        s[i, at.MODE] = s[i, at.OLD_MODE]
        refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def show_plan(s: Any, side: int) -> int:
    """Take up the rows and weapons that were planned."""
    for j in range(s[at.SIDE + side, at.MEN_LEFT]):
        i = s[at.MEN + side, j]
        s[i, at.ROW] = s[i, at.PLAN_ROW]
        s[i, at.USE] = s[i, at.PLAN_USE]
        s[i, at.SECOND] = s[i, at.PLAN_SECOND]
        s[i, at.MODE] = s[i, at.PLAN_MODE]
        refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1])")
def tactics_phase(s: Any) -> int:
    """Poison, rows and weapons of both, then tactics spells and Wild Magic in turns."""
    poison_phase(s)
    if over(s) == 1:
        return 1
    first = s[at.GAME, at.FIRST]
    # The other policies do not look at the enemy here.
    hidden = kind_of(s, 1 - first) == at.GREEDY and s[at.RULE, at.R_COMMIT] == 0
    if hidden or kind_of(s, first) == at.GREEDY:
        refresh_side(s, 0)
        refresh_side(s, 1)
    rows_and_weapons(s, first)
    if hidden:
        hide_plan(s, first)
    rows_and_weapons(s, 1 - first)
    if hidden:
        show_plan(s, first)
    passed = 0
    side = first
    for _ in range(60):
        if passed == 2:
            break
        done = 0
        if s[at.SIDE + side, at.HAND + at.WILD_MAGIC] > 0:
            done = wild_magic(s, side)
        spell = next_tactic(s, side)
        if spell >= 0:
            cast_tactic(s, side, spell)
            done = 1
        passed = 0 if done == 1 else passed + 1
        side = 1 - side
    return 0
