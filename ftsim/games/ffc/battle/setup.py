"""Set-up: decks shuffled and dealt, kit assigned, spells drawn, the fight deck laid ready."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.fighters import choose_best_arms, muster, refresh
from ftsim.games.ffc.battle.magic import give_spell
from ftsim.games.ffc.battle.rolls import (
    DEAL_ARMOR,
    DEAL_FIGHT,
    DEAL_SPELLS,
    DEAL_WARRIORS,
    DEAL_WEAPONS,
    KIT,
    roll,
    shuffle,
    sort_down,
    withheld,
)
from ftsim.kernels import kernel


@kernel("int64(int64[:, ::1], int64, int64)")
def give_weapon(s: Any, i: int, w: int) -> int:
    """Hand a weapon to a warrior; 0 if he carries all he can."""
    n = s[i, at.ARMS]
    if n >= at.MAX_ARMS:
        return 0
    s[i, at.ARM0 + n] = w
    s[i, at.ARMS] = n + 1
    s[at.WEAPON + w, at.W_AT] = i
    return 1


@kernel("int64(int64[:, ::1], int64, int64)")
def may_wear(s: Any, i: int, a: int) -> int:
    """Whether a warrior may put on one more piece: one shield, one helm, a suit or pieces, or nothing at all."""
    if s[i, at.BARE] == 1:
        return 0
    kind = s[at.ARMOR + a, at.A_TYPE]
    if kind == at.SHIELD_TYPE:
        return 1 if s[i, at.SHIELD_ID] < 0 else 0
    if kind == at.HELM_TYPE:
        return 1 if s[i, at.HELM_ID] < 0 else 0
    if kind == at.FULL:
        return 1 if s[i, at.SUITED] == 0 and s[i, at.PARTS] == 0 else 0
    return 1 if s[i, at.SUITED] == 0 and s[i, at.PARTS] < s[at.RULE, at.R_PARTIAL_LIMIT] else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def put_on(s: Any, i: int, a: int) -> int:
    """A warrior puts on a piece of armor."""
    r = at.ARMOR + a
    kind = s[r, at.A_TYPE]
    s[r, at.A_AT] = i
    if kind == at.SHIELD_TYPE:
        s[i, at.SHIELD_ID] = a
        s[i, at.BLOCK] = s[r, at.A_BLOCK]
        s[i, at.SHIELD_SPEED] = s[r, at.A_SPEED]
        s[i, at.SHIELD_DODGE] = s[r, at.A_DODGE]
        return 0
    if kind == at.HELM_TYPE:
        s[i, at.HELM_ID] = a
        s[i, at.HELM] = s[r, at.A_PLATE]
    elif kind == at.FULL:
        s[i, at.SUITED] = 1
    else:
        s[i, at.PARTS] += 1
    s[i, at.PLATE] += s[r, at.A_PLATE]
    s[i, at.SUIT_SPEED] += s[r, at.A_SPEED]
    s[i, at.SUIT_DODGE] += s[r, at.A_DODGE]
    return 0


@kernel("int64(int64[:, ::1], int64)")
def kit_random(s: Any, side: int) -> int:
    """Every card of a side to a random warrior who may use it."""
    for w in range(s[at.GAME, at.WEAPONS]):
        if s[at.WEAPON + w, at.W_AT] == -10 - side:
            best, top = -1, -1
            for j in range(s[at.SIDE + side, at.MEN_LEFT]):
                i = s[at.MEN + side, j]
                if s[i, at.ARMS] < at.MAX_ARMS:
                    word = roll(s, i + ((w + 1) << 16), KIT)[0]
                    if word > top:
                        best, top = i, word
            if best >= 0:
                give_weapon(s, best, w)
    for a in range(s[at.GAME, at.ARMORS]):
        if s[at.ARMOR + a, at.A_AT] == -10 - side:
            best, top = -1, -1
            for j in range(s[at.SIDE + side, at.MEN_LEFT]):
                i = s[at.MEN + side, j]
                if may_wear(s, i, a) == 1:
                    word = roll(s, i + ((a + 1) << 16), KIT)[1]
                    if word > top:
                        best, top = i, word
            if best >= 0:
                put_on(s, best, a)
    return 0


@kernel("int64(int64[:, ::1], int64)")
def spare_arms(s: Any, side: int) -> int:
    """Weapons left over: to shooters without a hand weapon first, then round by round; `greedy` by worth."""
    for w in range(s[at.GAME, at.WEAPONS]):
        r = at.WEAPON + w
        if s[r, at.W_AT] != -10 - side:
            continue
        man, best = -1, 999_999
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            if s[i, at.ARMS] >= at.MAX_ARMS:
                continue
            need = 4 * s[i, at.ARMS]
            if s[i, at.ARMS] == 1:
                first = s[at.WEAPON + s[i, at.ARM0], at.W_KIND]
                if first == at.MISSILE and s[r, at.W_KIND] != at.MISSILE:
                    need = 1
                elif s[i, at.TWO] == 1 and first == at.HTH and s[r, at.W_KIND] == at.HTH and s[r, at.W_TWO] == 0:
                    need = 0
            if s[at.POLICY + side, at.P_KIND] == at.GREEDY:
                need = 1000 * need - s[i, at.WORTH]
            if need < best:
                man, best = i, need
        if man >= 0:
            give_weapon(s, man, w)
    return 0


@kernel("int64(int64[:, ::1], int64, int64)")
def arm_by_rule(s: Any, side: int, spares: int) -> int:
    """D1 of `simple`: missiles to bow bonus and skill, hand weapons by damage and parry to the most hits.

    With `spares`, what is left goes to those whose only weapon shoots, then to anyone.
    """
    for k in range(s[at.GAME, at.WEAPONS]):
        card = s[at.ARMS_BY_RANK, k]
        r = at.WEAPON + card
        if s[r, at.W_AT] != -10 - side:
            continue
        shoots = s[r, at.W_KIND] == at.MISSILE
        man, best = -1, -999
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            if s[i, at.ARMS] > 0:
                continue
            if shoots:
                fit = 10 * s[i, at.BOW] * s[r, at.W_BOW] + 4 * s[i, at.SKILL] + s[i, at.DAM]
            else:
                fit = 4 * s[i, at.HITS] + s[i, at.DAM]
            if fit > best:
                man, best = i, fit
        if man < 0:
            break
        give_weapon(s, man, card)
    return spare_arms(s, side) if spares == 1 else 0


@kernel("int64(int64[:, ::1], int64)")
def arm_shooters(s: Any, side: int) -> int:
    """D1 of `greedy`: missiles to those who take more with them from the back row than with their hand weapon.

    At most half a side may stand there. The hand weapon stays with its owner.
    """
    half = s[at.SIDE + side, at.MEN_LEFT] // 2
    for k in range(s[at.GAME, at.WEAPONS]):
        card = s[at.ARMS_BY_RANK, k]
        if s[at.WEAPON + card, at.W_KIND] != at.MISSILE or half == 0:
            break
        if s[at.WEAPON + card, at.W_AT] != -10 - side:
            continue
        man, top = -1, 0
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            own = at.WEAPON + (s[i, at.ARM0] if s[i, at.ARMS] > 0 else at.FISTS)
            if s[own, at.W_KIND] != at.MISSILE:
                more = s[at.FIT + i, at.MEAN_LOSS + s[at.WEAPON + card, at.W_CARD]]
                more -= s[at.FIT + i, at.MEAN_LOSS + s[own, at.W_CARD]]
                if more > top:
                    man, top = i, more
        if man >= 0:
            give_weapon(s, man, card)
            last = at.ARM0 + s[man, at.ARMS] - 1
            s[man, last] = s[man, at.ARM0]
            s[man, at.ARM0] = card  # his first weapon from now on
            half -= 1
    return 0


@kernel("int64(int64[:, ::1], int64)")
def arm_by_regret(s: Any, side: int) -> int:
    """D1 of `greedy`: hand weapons by worth-weighted strength; who would lose most without his best is first."""
    for _ in range(at.MAX_WARRIORS):
        man, card, top = -1, -1, -1
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            if s[i, at.ARMS] > 0:
                continue
            # Bare hands are what he falls back on.
            first, second, which = s[at.FIT + i, at.STRENGTH + s[at.WEAPON + at.FISTS, at.W_CARD]], 0, -1
            for w in range(s[at.GAME, at.WEAPONS]):
                if s[at.WEAPON + w, at.W_AT] != -10 - side or s[at.WEAPON + w, at.W_KIND] == at.MISSILE:
                    continue
                fit = s[at.FIT + i, at.STRENGTH + s[at.WEAPON + w, at.W_CARD]]
                if fit > first:
                    first, second, which = fit, first, w
                elif fit > second:
                    second = fit
            if which >= 0 and first - second > top:
                man, card, top = i, which, first - second
        if man < 0:
            break
        give_weapon(s, man, card)
    arm_shooters(s, side)
    return spare_arms(s, side)


@kernel("int64(int64[:, ::1], int64)")
def one_hander(s: Any, i: int) -> int:
    """Whether a warrior's first weapon leaves a hand for a shield."""
    if s[i, at.ARMS] == 0:
        return 1
    if s[i, at.TWO] == 1 and s[i, at.ARMS] > 1:
        return 0
    return 1 - s[at.WEAPON + s[i, at.ARM0], at.W_TWO]


@kernel("int64(int64[:, ::1], int64, int64, int64, int64)")
def strength(s: Any, i: int, plate: int, block: int, dodge: int) -> int:
    """Strength of a warrior with his first weapon and so much armor: offence in offence and what he lets through.

    Against the panel of D1, in millionths. Two weapons strike twice.
    """
    w = at.WEAPON + (s[i, at.ARM0] if s[i, at.ARMS] > 0 else at.FISTS)
    offence = s[at.FIT + i, at.OFFENCE + s[w, at.W_CARD]]
    if s[i, at.TWO] == 1 and s[i, at.ARMS] > 1:
        offence += s[at.FIT + i, at.OFFENCE + s[at.WEAPON + s[i, at.ARM0 + 1], at.W_CARD]]
    if one_hander(s, i) == 0:
        block = 0
    row = at.DURABLE + 5 * i + min(4, max(0, 2 + dodge + s[w, at.W_PARRY]))
    through = s[row, 5 * min(8, plate) + block]
    return 1_000_000 * offence // max(1, offence + through)


@kernel("int64(int64[:, ::1], int64, int64)")
def armor_fit(s: Any, i: int, a: int) -> int:
    """How well a piece serves a warrior: `simple` by hits, `greedy` by worth and what the piece costs him."""
    r = at.ARMOR + a
    kind = s[r, at.A_TYPE]
    if kind == at.SHIELD_TYPE and one_hander(s, i) == 0:
        return -1
    shooter = s[i, at.ARMS] > 0 and s[at.WEAPON + s[i, at.ARM0], at.W_KIND] == at.MISSILE
    if s[at.POLICY + s[i, at.OWNER], at.P_KIND] == at.SIMPLE:
        # Pieces gather on one warrior; who shoots comes last.
        return 10 * s[i, at.HITS] + 20 * s[i, at.PARTS] + (0 if shooter else 40)
    now = strength(s, i, s[i, at.PLATE], s[i, at.BLOCK], s[i, at.SUIT_DODGE] + s[i, at.SHIELD_DODGE])
    plate, block = s[i, at.PLATE] + s[r, at.A_PLATE], max(s[i, at.BLOCK], s[r, at.A_BLOCK])
    dodge = s[i, at.SUIT_DODGE] + s[i, at.SHIELD_DODGE] + s[r, at.A_DODGE]
    more = s[i, at.WORTH] * (strength(s, i, plate, block, dodge) - now)
    # Blows do not reach shooters in the back row: they get what others do not need.
    return more if shooter or more <= 0 else more + (1 << 40)


@kernel("int64(int64[:, ::1], int64)")
def armor_side(s: Any, side: int) -> int:
    """Suits first, strongest first, then pieces, helms and shields, each to whom it fits best."""
    for k in range(s[at.GAME, at.ARMORS]):
        card = s[at.ARMOR_BY_RANK, k]
        if s[at.ARMOR + card, at.A_AT] != -10 - side:
            continue
        man, best = -1, 0
        for j in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, j]
            if may_wear(s, i, card) == 1:
                fit = armor_fit(s, i, card)
                if fit > best:
                    man, best = i, fit
        if man >= 0:
            put_on(s, man, card)
    return 0


@kernel("int64(int64[:, ::1], int64, int64, int64, int64, int64)")
def deal_kind(s: Any, first: int, count: int, column: int, share: int, purpose: int) -> int:
    """Deal shuffled cards: the first `share` to side A, the rest to side B (marked -10 and -11 until assigned)."""
    shuffle(s, at.QUEUE, count, purpose)
    for k in range(count):
        r = first + s[at.QUEUE, k]
        s[r, column] = -10 if k < share else -11
        if withheld(s, 1 if first == at.WEAPON else 2, s[at.QUEUE, k]) == 1:
            s[r, column] = at.OUT_OF_PLAY
        s[r, column + 2] = s[r, column]  # as dealt, whatever becomes of it
    return 0


@kernel("int64(int64[:, ::1])")
def deal(s: Any) -> int:
    """A random deal: warriors by the sizes of both sides, weapons and armor by halves (R-02)."""
    size_a, size_b = s[at.SIDE, at.SIZE], s[at.SIDE + 1, at.SIZE]
    shuffle(s, at.QUEUE, at.MAX_WARRIORS, DEAL_WARRIORS)
    for k in range(at.MAX_WARRIORS):
        i = s[at.QUEUE, k]
        owner = 0 if k < size_a else 1 if k < size_a + size_b else 2
        s[i, at.OWNER] = owner
        s[i, at.LORD] = owner
        # Never the first of a side: somebody has to fight.
        if owner == 2 or (k != 0 and k != size_a and withheld(s, 0, i) == 1):
            s[i, at.OWNER] = 2
            s[i, at.ALIVE] = 0
    muster(s)
    # Weapons and armor are shared out by the sizes of the sides, halves when they are equal.
    both = size_a + size_b
    weapons = s[at.GAME, at.WEAPONS]
    deal_kind(s, at.WEAPON, weapons, at.W_AT, weapons * size_a // both, DEAL_WEAPONS)
    armors = s[at.GAME, at.ARMORS]
    odd = (armors * size_a) % both
    share = armors * size_a // both
    if odd * 2 == both and s[at.RULE, at.R_ARMOR_SPLIT] == 0 and roll(s, 64, DEAL_ARMOR)[0] >> 31 == 1:
        share += 1
    deal_kind(s, at.ARMOR, armors, at.A_AT, share, DEAL_ARMOR)
    if odd * 2 == both and s[at.RULE, at.R_ARMOR_SPLIT] == 1:
        s[at.ARMOR + s[at.QUEUE, armors - 1], at.A_AT] = at.OUT_OF_PLAY
        s[at.ARMOR + s[at.QUEUE, armors - 1], at.A_DEALT] = at.OUT_OF_PLAY
    for side in range(2):
        kind = s[at.POLICY + side, at.P_KIND]
        if kind == at.RANDOM:
            kit_random(s, side)
        else:
            if kind == at.SIMPLE:
                arm_by_rule(s, side, 1)
            else:
                arm_by_regret(s, side)
            armor_side(s, side)
    return 0


@kernel("int64(int64[:, ::1])")
def set_up(s: Any) -> int:
    """Everything before the first turn."""
    for i in range(at.MAX_WARRIORS):
        for k in range(at.PLAN_MODE + 1):
            s[i, k] = s[at.START + i, k]
    for w in range(s[at.GAME, at.WEAPONS]):
        s[at.WEAPON + w, at.W_AMMO] = s[at.WEAPON + w, at.W_AMMO0]
        s[at.WEAPON + w, at.W_AT] = s[at.WEAPON + w, at.W_START]
    for a in range(s[at.GAME, at.ARMORS]):
        s[at.ARMOR + a, at.A_AT] = s[at.ARMOR + a, at.A_START]
    s[at.GAME, at.TURN] = 0
    s[at.GAME, at.EVENTS] = 0
    s[at.GAME, at.FAULT] = 0
    s[at.GAME, at.QUIET] = 0
    s[at.GAME, at.DRAWS] = 0
    s[at.GAME, at.SHUFFLES] = 0
    if s[at.GAME, at.DEALT] == 1:
        deal(s)
    for h in range(at.SIDE, at.SIDE + 2):
        s[h, at.LIVING] = 0
        s[h, at.IN_HAND] = 0
        s[h, at.HASTE] = 0
        s[h, at.BLOODLUST] = 0
        s[h, at.SHIELDED] = 0
        for k in range(at.FIGHT_KINDS):
            s[h, at.HAND + k] = 0
    # Spells: each caster draws his number, in the order of the table.
    s[at.GAME, at.TAKEN] = 0
    muster(s)
    magic = 0
    if s[at.GAME, at.MAGIC_TOTAL] > 0:
        shuffle(s, at.QUEUE, at.SPELL_KINDS, DEAL_SPELLS)
        for k in range(at.SPELL_KINDS):
            spell = s[at.QUEUE, at.SPELL_KINDS - 1 - k]
            s[at.SPELL_AT, spell] = s[at.SPELL_START, spell]
            if s[at.SPELL_AT, spell] == at.IN_DECK:
                s[at.MAGIC, magic] = spell
                magic += 1
    s[at.GAME, at.MAGIC_LEFT] = magic
    s[at.GAME, at.MAGIC_GONE] = 0
    for i in range(at.MAX_WARRIORS):
        if s[i, at.OWNER] > 1:
            continue
        s[at.SIDE + s[i, at.OWNER], at.LIVING] += 1
        for _ in range(s[i, at.SPELLS0]):
            give_spell(s, i)
        for spell in range(at.SPELL_KINDS):
            if (s[i, at.HELD] >> spell) & 1 and withheld(s, 3, spell) == 1:
                s[i, at.HELD] &= ~(1 << spell)
                s[i, at.SPELLS] -= 1
                s[at.SPELL_AT, spell] = at.OUT_OF_PLAY
                s[at.GAME, at.MAGIC_GONE] += 1
        s[i, at.CARDED] = 0
        choose_best_arms(s, i)
        s[i, at.USE] = s[i, at.BEST_HAND] if s[i, at.BEST_HAND] >= 0 else at.FISTS
        s[i, at.SECOND] = -1
        refresh(s, i)
    for h in range(at.SIDE, at.SIDE + 2):
        fallen = s[at.RULE, at.R_CASUALTIES]
        s[h, at.BEATEN] = max(0, s[h, at.LIVING] - fallen) if fallen > 0 else 0
    # The fight deck: copies of each kind in one random order.
    n = 0
    for kind in range(at.FIGHT_KINDS):
        s[at.PILE, kind] = 0
        words = roll(s, kind, DEAL_FIGHT)
        for copy in range(min(4, s[at.COPIES, kind])):
            s[at.FIGHT, n] = (words[copy] << 8) | kind
            n += 1
    sort_down(s, at.FIGHT, n)
    for k in range(n):
        s[at.FIGHT, k] &= 255
    s[at.GAME, at.FIGHT_LEFT] = n
    return 0
