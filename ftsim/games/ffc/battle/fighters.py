"""A warrior in battle: what he may do, the numbers of his weapon in use, what a blow of his is worth."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.rolls import hit_faces, note
from ftsim.kernels import kernel

CURSED = 3  # as in `arithmetic`: what Curse takes off a roll


@kernel("int64(int64[:, ::1], int64)")
def able(s: Any, i: int) -> int:
    """Alive, not helpless and not neutralized."""
    turn = s[at.GAME, at.TURN]
    if s[i, at.ALIVE] == 1 and s[i, at.HELPLESS] < turn and s[i, at.NEUTRAL] < turn:
        return 1
    return 0


@kernel("int64(int64[:, ::1], int64)")
def attackable(s: Any, i: int) -> int:
    """Alive and not neutralized; one about to die (R-23) is spared."""
    return 1 if s[i, at.ALIVE] == 1 and s[i, at.HITS] > 0 and s[i, at.NEUTRAL] < s[at.GAME, at.TURN] else 0


@kernel("int64(int64[:, ::1])")
def over(s: Any) -> int:
    """Whether a side has nobody left, or has lost as many as R-60 sets."""
    a, b = at.SIDE, at.SIDE + 1
    return 1 if s[a, at.LIVING] <= s[a, at.BEATEN] or s[b, at.LIVING] <= s[b, at.BEATEN] else 0


@kernel("int64(int64[:, ::1])")
def muster(s: Any) -> int:
    """Write down anew who lives and under whose command, so that loops need not look at everyone."""
    s[at.SIDE, at.MEN_LEFT] = 0
    s[at.SIDE + 1, at.MEN_LEFT] = 0
    for i in range(at.MAX_WARRIORS):
        if s[i, at.ALIVE] == 1:
            side = s[i, at.LORD]
            n = s[at.SIDE + side, at.MEN_LEFT]
            s[at.MEN + side, n] = i
            s[at.SIDE + side, at.MEN_LEFT] = n + 1
    return 0


@kernel("int64(int64[:, ::1], int64)")
def exposed_row(s: Any, side: int) -> int:
    """The row of `side` that counts as front: the back row too once the front is empty, under R-25."""
    if s[at.RULE, at.R_FRONT_EMPTIED] == 0:
        return 0
    for k in range(s[at.SIDE + side, at.MEN_LEFT]):
        if s[s[at.MEN + side, k], at.ROW] == 0:
            return 0
    return 1


@kernel("int64(int64[:, ::1], int64)")
def refresh(s: Any, i: int) -> int:
    """Work out a warrior's numbers from his card, kit, weapon in use and what lies on him."""
    turn = s[at.GAME, at.TURN]
    lord = at.SIDE + s[i, at.LORD]
    r = at.WEAPON + s[i, at.USE]
    firing = s[i, at.MODE]
    dam = s[i, at.DAM]
    if firing == 1 and s[at.RULE, at.R_MISSILE_DAM] == 1:
        dam = 0
    dam += s[r, at.W_DAM]
    if s[r, at.W_BOW] == 1 or (s[at.RULE, at.R_BOW_BONUS] == 1 and s[r, at.W_KIND] == at.MISSILE):
        dam += s[i, at.BOW]
    speed = s[i, at.SPEED] + s[r, at.W_SPEED] + s[i, at.SUIT_SPEED]
    skill = s[i, at.SKILL]
    dodge = s[i, at.DODGE] + s[i, at.SUIT_DODGE]
    reach = s[i, at.REACH] + s[r, at.W_REACH]
    parry = s[r, at.W_PARRY]
    if firing == 1 and (s[r, at.W_KIND] == at.MISSILE or s[at.RULE, at.R_THROWN_PARRY] == 1):
        parry = 0
    second = s[i, at.SECOND]
    if second >= 0 and s[at.RULE, at.R_TWO_WEAPONS] == 1:
        q = at.WEAPON + second
        dam += max(0, s[q, at.W_DAM] - s[r, at.W_DAM])
        speed += max(0, s[q, at.W_SPEED] - s[r, at.W_SPEED])
        reach += max(0, s[q, at.W_REACH] - s[r, at.W_REACH])
        parry += max(0, s[q, at.W_PARRY] - s[r, at.W_PARRY])
    elif second >= 0 and s[at.RULE, at.R_TWO_WEAPONS] == 2:
        parry += s[at.WEAPON + second, at.W_PARRY]
    hindered = s[r, at.W_TWO] == 1 or second >= 0
    block = 0 if hindered else s[i, at.BLOCK]
    if not (hindered and s[at.RULE, at.R_SHIELD_WITH_TWO_HANDER] == 1):
        speed += s[i, at.SHIELD_SPEED]
        dodge += s[i, at.SHIELD_DODGE]
    wounds = s[i, at.WOUND]
    dam += 2 * s[lord, at.BLOODLUST] - wounds
    skill += s[lord, at.BLOODLUST] - wounds
    dodge += s[lord, at.HASTE] - wounds
    speed += 2 * s[lord, at.HASTE] - wounds
    if s[i, at.UNSEEN] >= turn:
        dodge += 4  # the +3 to skill counts hand to hand only, see `strike`
    plate = s[i, at.PLATE]
    if s[i, at.HARD] >= turn:
        plate += 5
    if s[i, at.CURSE] >= turn:
        skill -= CURSED
        if s[at.RULE, at.R_CURSE] == 0:
            dam -= CURSED
            block = max(0, block - CURSED)
    if s[i, at.HELPLESS] >= turn and s[at.RULE, at.R_HELPLESS_DEFENCE] == 1:
        dodge = 0
        parry = 0
        block = 0
    s[i, at.NOW_DAM] = dam
    s[i, at.NOW_SPEED] = speed
    s[i, at.NOW_SKILL] = skill
    s[i, at.NOW_DODGE] = dodge
    s[i, at.NOW_REACH] = reach
    s[i, at.NOW_PARRY] = parry
    s[i, at.NOW_PLATE] = plate
    s[i, at.NOW_BLOCK] = block
    return 0


@kernel("int64(int64[:, ::1], int64)")
def refresh_side(s: Any, side: int) -> int:
    """Work out the numbers of every living warrior of a side."""
    for k in range(s[at.SIDE + side, at.MEN_LEFT]):
        refresh(s, s[at.MEN + side, k])
    return 0


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def modifier(s: Any, a: int, d: int, ranged: int) -> int:
    """What is added to the hit die of an attack."""
    m = s[a, at.NOW_SKILL] - s[d, at.NOW_DODGE]
    if ranged == 0:
        m -= s[d, at.NOW_PARRY]
        if s[a, at.UNSEEN] >= s[at.GAME, at.TURN]:
            m += 3
    elif s[a, at.ROW] == 1 and s[at.RULE, at.R_BACK_ROW_PENALTY] == 0:
        m -= 1
    return m


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def landing(s: Any, a: int, d: int, ranged: int) -> int:
    """Of 36 faces of hit and block die, how many land."""
    return hit_faces(modifier(s, a, d, ranged), s[at.RULE, at.R_NATURAL]) * (6 - min(6, s[d, at.NOW_BLOCK]))


@kernel("int64(int64[:, ::1], int64, int64)")
def killing(s: Any, margin: int, hits: int) -> int:
    """Of six damage faces, how many take `hits` or more, with `margin` of damage over armor."""
    return min(6, max(0, 7 + margin - hits))


@kernel("int64(int64[:, ::1], int64, int64)")
def harm(s: Any, margin: int, hits: int) -> int:
    """Six times the mean loss, never more than `hits`."""
    return s[at.EXPECT + min(24, max(0, margin + 12)), min(20, hits)]


@kernel("int64(int64[:, ::1], int64)")
def worth(s: Any, i: int) -> int:
    """What a warrior is worth to a policy, with his spells, which lie face down but are counted."""
    return s[i, at.WORTH] + s[i, at.SPELLS] * s[at.POLICY, at.P_SPELL_WORTH]


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def kill_score(s: Any, a: int, d: int, ranged: int) -> int:
    """Orders targets by the chance to kill and then by the mean loss: both out of 216."""
    margin = s[a, at.NOW_DAM] - s[d, at.NOW_PLATE]
    land = landing(s, a, d, ranged)
    return land * (1000 * killing(s, margin, s[d, at.HITS]) + harm(s, margin, s[d, at.HITS]))


@kernel("int64(int64[:, ::1], int64, int64)")
def takes(s: Any, margin: int, d: int) -> int:
    """A 36th of the chance to kill `d` and half the share of his hits lost, in parts of ONE."""
    return s[at.TAKES + min(24, max(0, margin + 12)), min(20, s[d, at.HITS])]


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def gain(s: Any, a: int, d: int, ranged: int) -> int:
    """What an attack gains: worth of the target x (chance to kill + half the share of his hits lost)."""
    return (worth(s, d) * landing(s, a, d, ranged) * takes(s, s[a, at.NOW_DAM] - s[d, at.NOW_PLATE], d)) >> 32


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def gain_landed(s: Any, a: int, d: int, dice: int) -> int:
    """What a hit that has landed gains, with extra dice counted at their mean."""
    margin = s[a, at.NOW_DAM] - s[d, at.NOW_PLATE] + (7 * dice) // 2
    return (36 * worth(s, d) * takes(s, margin, d)) >> 32


@kernel("int64(int64[:, ::1], int64)")
def die_now(s: Any, i: int) -> int:
    """A warrior is killed."""
    s[i, at.ALIVE] = 0
    s[i, at.LEFT] = 0
    s[at.SIDE + s[i, at.OWNER], at.LIVING] -= 1
    side = s[i, at.LORD]
    n = s[at.SIDE + side, at.MEN_LEFT] - 1
    s[at.SIDE + side, at.MEN_LEFT] = n
    k = 0
    while s[at.MEN + side, k] != i:
        k += 1
    for j in range(k, n):
        s[at.MEN + side, j] = s[at.MEN + side, j + 1]
    s[i, at.LORD] = s[i, at.OWNER]
    if s[at.RULE, at.R_DEAD_SPELLS] == 1 and s[i, at.HELD] != 0:
        for k in range(at.SPELL_KINDS):
            if (s[i, at.HELD] >> k) & 1:
                s[at.SPELL_AT, k] = at.IN_PILE
        s[i, at.HELD] = 0
        s[i, at.SPELLS] = 0
    note(s, at.EV_KILLED, i, -1, 0)
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def lose_hits(s: Any, i: int, lost: int) -> int:
    """Take hits off a warrior, who dies at 0."""
    if lost <= 0 or s[i, at.ALIVE] == 0 or s[i, at.HITS] <= 0:
        return 0
    s[i, at.HITS] -= lost
    s[at.GAME, at.LOST] = 1
    note(s, at.EV_LOST_HITS, i, -1, lost)
    if s[i, at.HITS] <= 0 and s[at.GAME, at.AT_ONCE] == 0:
        die_now(s, i)
    return lost


@kernel("int64(int64[:, ::1])")
def bury(s: Any) -> int:
    """Those whose death waited for others' fire die (R-23)."""
    for i in range(at.MAX_WARRIORS):
        if s[i, at.ALIVE] == 1 and s[i, at.HITS] <= 0:
            die_now(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def choose_best_arms(s: Any, i: int) -> int:
    """Note a warrior's best weapon in hand, best missile and best thrown weapon after a change of kit."""
    hand, shot, throw = -1, -1, -1
    top_hand, top_shot, top_throw = -99, -99, -99
    for k in range(s[i, at.ARMS]):
        w = s[i, at.ARM0 + k]
        r = at.WEAPON + w
        if s[r, at.W_KIND] == at.MISSILE:
            score = 4 * s[r, at.W_DAM] + s[r, at.W_RANGE] + 4 * s[r, at.W_BOW] * s[i, at.BOW]
            if score > top_shot:
                shot, top_shot = w, score
        else:
            score = 4 * (s[r, at.W_DAM] + s[r, at.W_PARRY]) + s[r, at.W_SPEED] + s[r, at.W_REACH] // 2
            if s[r, at.W_TWO] == 1:
                score -= 2 * s[i, at.BLOCK]
            if score > top_hand:
                hand, top_hand = w, score
            if s[r, at.W_KIND] == at.THROWN and s[r, at.W_AMMO] > 0:
                score = 4 * s[r, at.W_DAM] + s[r, at.W_AMMO]
                if score > top_throw:
                    throw, top_throw = w, score
    s[i, at.BEST_HAND] = hand
    s[i, at.BEST_SHOT] = shot
    s[i, at.BEST_THROW] = throw
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def drop_weapon(s: Any, i: int, w: int) -> int:
    """A weapon is destroyed or thrown away for good; its bearer goes on with bare hands this turn."""
    n = s[i, at.ARMS]
    for k in range(n):
        if s[i, at.ARM0 + k] == w:
            for j in range(k, n - 1):
                s[i, at.ARM0 + j] = s[i, at.ARM0 + j + 1]
            s[i, at.ARMS] = n - 1
            s[at.WEAPON + w, at.W_AT] = at.OUT_OF_PLAY
            break
    if s[i, at.SECOND] == w:
        s[i, at.SECOND] = -1
    if s[i, at.USE] == w:
        s[i, at.USE] = s[i, at.SECOND] if s[i, at.SECOND] >= 0 else at.FISTS
        s[i, at.SECOND] = -1
    choose_best_arms(s, i)
    refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def drop_shield(s: Any, i: int) -> int:
    """A shield is destroyed, and its penalties with it."""
    s[at.ARMOR + s[i, at.SHIELD_ID], at.A_AT] = at.OUT_OF_PLAY
    s[i, at.SHIELD_ID] = -1
    s[i, at.BLOCK] = 0
    s[i, at.SHIELD_SPEED] = 0
    s[i, at.SHIELD_DODGE] = 0
    refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def drop_helm(s: Any, i: int) -> int:
    """A helm is destroyed."""
    s[at.ARMOR + s[i, at.HELM_ID], at.A_AT] = at.OUT_OF_PLAY
    s[i, at.HELM_ID] = -1
    s[i, at.PLATE] -= s[i, at.HELM]
    s[i, at.HELM] = 0
    refresh(s, i)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def bare_fists(s: Any, i: int) -> int:
    """A shooter attacked hand to hand answers with bare hands (R-31)."""
    s[i, at.USE] = at.FISTS
    s[i, at.SECOND] = -1
    s[i, at.MODE] = 0
    refresh(s, i)
    return 0
