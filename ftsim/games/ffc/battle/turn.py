"""One turn, one battle, and a block of battles."""

from __future__ import annotations

from typing import Any

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.fighters import muster
from ftsim.games.ffc.battle.melee import melee_phase
from ftsim.games.ffc.battle.ranged import ranged_phase
from ftsim.games.ffc.battle.rolls import SIDES, note, roll, withheld
from ftsim.games.ffc.battle.setup import set_up
from ftsim.games.ffc.battle.tactics import draw_phase, tactics_phase
from ftsim.kernels import kernel


@kernel("int64(int64[:, ::1], int64)")
def check(s: Any, rows: int) -> int:
    """In debug mode, count every card: 0, or the number of the first law that is broken."""
    cards, spells = s[at.GAME, at.FIGHT_LEFT], 0
    for h in range(at.SIDE, at.SIDE + 2):
        held = 0
        for kind in range(at.FIGHT_KINDS):
            if s[h, at.HAND + kind] < 0:
                return 1
            held += s[h, at.HAND + kind]
        if held != s[h, at.IN_HAND] or held > 7:
            return 2
        cards += held
    for kind in range(at.FIGHT_KINDS):
        cards += s[at.PILE, kind]
    if cards != s[at.GAME, at.FIGHT_TOTAL]:
        return 3
    in_deck = 0
    for spell in range(at.SPELL_KINDS):
        where = s[at.SPELL_AT, spell]
        if where == at.IN_DECK:
            in_deck += 1
        elif where >= 0 and (s[where, at.HELD] >> spell) & 1 == 0:
            return 4
        if where != at.OUT_OF_PLAY:
            spells += 1
    if in_deck != s[at.GAME, at.MAGIC_LEFT] or spells != s[at.GAME, at.MAGIC_TOTAL] - s[at.GAME, at.MAGIC_GONE]:
        return 5
    for side in range(2):
        living, front, back = 0, 0, 0
        for i in range(at.MAX_WARRIORS):
            if s[i, at.OWNER] != side:
                continue
            bits, held = 0, s[i, at.HELD]
            while held > 0:
                bits += held & 1
                held >>= 1
            if bits != s[i, at.SPELLS]:
                return 6
            if s[i, at.ALIVE] == 1:
                living += 1
                if s[i, at.HITS] <= 0 or s[i, at.HITS] > s[i, at.HITS0]:
                    return 7
                if s[i, at.ROW] == 1:
                    back += 1
                else:
                    front += 1
            elif s[i, at.LORD] != side:
                return 8
            if s[i, at.BLOWS] > s[i, at.ALLOWED]:
                return 9
            for k in range(s[i, at.ARMS]):
                if s[at.WEAPON + s[i, at.ARM0 + k], at.W_AT] != i:
                    return 10
        if living != s[at.SIDE + side, at.LIVING]:
            return 11
        if rows == 1 and back > front:
            return 12
    for w in range(s[at.GAME, at.WEAPONS]):
        if s[at.WEAPON + w, at.W_AMMO] < 0:
            return 13
    return 0


@kernel("int64(int64[:, ::1], int64)")
def checked(s: Any, rows: int) -> int:
    """Keep the first broken law, in debug mode."""
    if s[at.GAME, at.CHECKED] == 1 and s[at.GAME, at.FAULT] == 0:
        s[at.GAME, at.FAULT] = check(s, rows)
    return 0


@kernel("int64(int64[:, ::1])")
def begin_turn(s: Any) -> int:
    """The next turn: who goes first (R-20), attacks and spells of all renewed."""
    s[at.GAME, at.TURN] += 1
    turn = s[at.GAME, at.TURN]
    s[at.GAME, at.DRAWS] = 0
    s[at.GAME, at.LOST] = 0
    s[at.GAME, at.SHUFFLES] = 0
    order = s[at.RULE, at.R_TURN_ORDER]
    s[at.GAME, at.FIRST] = 0 if order == 2 else turn % 2 if order == 1 else roll(s, at.SIDE, SIDES)[0] >> 31
    note(s, at.EV_TURN_BEGINS, at.SIDE + s[at.GAME, at.FIRST], -1, turn)
    for side in range(2):
        for k in range(s[at.SIDE + side, at.MEN_LEFT]):
            i = s[at.MEN + side, k]
            s[i, at.LEFT] = 1
            s[i, at.CAST] = 0
            s[i, at.BLOWS] = 0
            s[i, at.ALLOWED] = 0
            s[i, at.SPELL_ROLLS] = 0
    return 0


@kernel("int64(int64[:, ::1])")
def end_turn(s: Any) -> int:
    """The controlled go home and effects of the turn end."""
    if s[at.GAME, at.TAKEN] > 0:
        s[at.GAME, at.TAKEN] = 0
        for i in range(at.MAX_WARRIORS):
            if s[i, at.ALIVE] == 1 and s[i, at.LORD] != s[i, at.OWNER]:
                s[i, at.LORD] = s[i, at.OWNER]
                s[i, at.ROW] = s[i, at.HOME]
        muster(s)
    for h in range(at.SIDE, at.SIDE + 2):
        s[h, at.HASTE] = 0
        s[h, at.BLOODLUST] = 0
        s[h, at.SHIELDED] = 0
    s[at.GAME, at.QUIET] = 0 if s[at.GAME, at.LOST] == 1 else s[at.GAME, at.QUIET] + 1
    return 0


@kernel("int64(int64[:, ::1])")
def withhold_cards(s: Any) -> int:
    """Set aside cards of the opening hands, where an experiment asks."""
    if s[at.GAME, at.WITHHELD] == 0:
        return 0
    for side in range(2):
        h = at.SIDE + side
        for kind in range(at.FIGHT_KINDS):
            for copy in range(s[h, at.HAND + kind]):
                if withheld(s, 4, (side << 7) | (kind << 3) | copy) == 1:
                    s[h, at.HAND + kind] -= 1
                    s[h, at.IN_HAND] -= 1
                    s[at.PILE, kind] += 1
    return 0


@kernel("int64(int64[:, ::1])")
def play_turn(s: Any) -> int:
    """Draw, tactics, attack; 1 when a side has nobody left."""
    begin_turn(s)
    draw_phase(s)
    if s[at.GAME, at.TURN] == 1:
        withhold_cards(s)
        for kind in range(at.FIGHT_KINDS):
            s[at.GAME, at.OPENING + kind] = s[at.SIDE, at.HAND + kind] - s[at.SIDE + 1, at.HAND + kind]
    checked(s, 0)
    if tactics_phase(s) == 1:
        return 1
    checked(s, 1)
    if ranged_phase(s) == 1:
        return 1
    checked(s, 0)
    if melee_phase(s) == 1:
        return 1
    checked(s, 0)
    end_turn(s)
    return 0


@kernel("int64(int64[:, ::1])")
def lead(s: Any) -> int:
    """Hits left of side A minus those of side B."""
    total = 0
    for i in range(at.MAX_WARRIORS):
        if s[i, at.ALIVE] == 1:
            total += s[i, at.HITS] if s[i, at.OWNER] == 0 else -s[i, at.HITS]
    return total


@kernel("int64(int64[:, ::1], int64[:, ::1], int64, int64)")
def battle(s: Any, out: Any, k: int, trial: int) -> int:
    """Play one battle and write row `k` of the results."""
    s[at.GAME, at.TRIAL] = trial
    set_up(s)
    for column in range(at.O_COLUMNS):
        out[k, column] = 0
    for i in range(at.MAX_WARRIORS):
        if s[i, at.OWNER] < 2:
            out[k, at.O_WARRIORS_A + s[i, at.OWNER]] |= 1 << i
        if s[i, at.OWNER] < 2 and s[i, at.HELD] != 0:
            out[k, at.O_SPELLS_A + s[i, at.OWNER]] |= s[i, at.HELD]
    if s[at.GAME, at.DEALT] == 1:
        for w in range(s[at.GAME, at.WEAPONS]):
            where = s[at.WEAPON + w, at.W_DEALT]
            if where == -10:
                out[k, at.O_WEAPONS_A] |= 1 << w
            elif where == -11:
                out[k, at.O_WEAPONS_B] |= 1 << w
        # Armor is read from the deal, worn or not.
        for a in range(s[at.GAME, at.ARMORS]):
            where = s[at.ARMOR + a, at.A_DEALT]
            if where == -10:
                out[k, at.O_ARMOR_A] |= 1 << a
            elif where == -11:
                out[k, at.O_ARMOR_B] |= 1 << a
    s[at.GAME, at.RESULT] = at.UNRESOLVED
    done = 0
    while done == 0 and s[at.GAME, at.TURN] < s[at.RULE, at.R_MAX_TURNS]:
        done = play_turn(s)
        if s[at.GAME, at.TURN] <= 3:
            out[k, at.O_LEAD1 + s[at.GAME, at.TURN] - 1] = lead(s)
        stop = s[at.RULE, at.R_STALEMATE_STOP]
        if stop > 0 and s[at.GAME, at.QUIET] >= stop:
            break
    if done == 1:
        a = s[at.SIDE, at.LIVING] - s[at.SIDE, at.BEATEN]
        b = s[at.SIDE + 1, at.LIVING] - s[at.SIDE + 1, at.BEATEN]
        s[at.GAME, at.RESULT] = at.WON_A if a > 0 else at.WON_B if b > 0 else at.DRAW
    elif s[at.GAME, at.TURN] >= s[at.RULE, at.R_MAX_TURNS] and s[at.RULE, at.R_AT_CAP] == 1:
        a = lead(s)
        s[at.GAME, at.RESULT] = at.WON_A if a > 0 else at.WON_B if a < 0 else at.DRAW
    note(s, at.EV_ENDED, -1, -1, s[at.GAME, at.RESULT])
    checked(s, 0)
    out[k, at.O_RESULT] = s[at.GAME, at.RESULT]
    out[k, at.O_TURNS] = s[at.GAME, at.TURN]
    out[k, at.O_FAULT] = s[at.GAME, at.FAULT]
    for i in range(at.MAX_WARRIORS):
        if s[i, at.ALIVE] == 1 and s[i, at.OWNER] < 2:
            out[k, at.O_HITS_A + s[i, at.OWNER]] += s[i, at.HITS]
    for kind in range(at.FIGHT_KINDS):
        out[k, at.O_OPENING + kind] = s[at.GAME, at.OPENING + kind]
    return s[at.GAME, at.RESULT]


@kernel("int64(int64[:, ::1], int64[:, ::1], int64, int64)")
def block(s: Any, out: Any, start: int, count: int) -> int:
    """Play `count` battles from trial `start`; the results are rows of `out`."""
    for k in range(count):
        battle(s, out, k, start + k)
    return count
