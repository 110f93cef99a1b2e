"""Dice of a battle by address, the order of a list, and the event log."""

from __future__ import annotations

from typing import Any

from ftsim.addressed import die, words
from ftsim.games.ffc import arithmetic
from ftsim.games.ffc.battle import layout as at
from ftsim.kernels import kernel

# Purposes of dice: fixed numbers, never used again; 0x0F00 marks this game.
DEAL_WARRIORS, DEAL_WEAPONS, DEAL_ARMOR, DEAL_SPELLS, DEAL_FIGHT = 0xF01, 0xF02, 0xF03, 0xF04, 0xF05
ORDER, BLOW, PAIRING, SPELL, POLICY, SIDES, DEAL_PILE, KIT = 0xF06, 0xF07, 0xF08, 0xF09, 0xF0A, 0xF0B, 0xF0C, 0xF0D
WITHHOLD = 0xF0E

# The rule of a blow, compiled from the text that exact odds use.
hit = kernel("int64(int64, int64, int64)")(arithmetic.hit)
hit_faces = kernel("int64(int64, int64)")(arithmetic.hit_faces)
blocked = kernel("int64(int64, int64)")(arithmetic.blocked)
loss = kernel("int64(int64, int64, int64, int64)")(arithmetic.loss)
order_of_blows = kernel("int64(int64, int64, int64, int64, int64)")(arithmetic.order_of_blows)


@kernel("UniTuple(int64, 4)(int64[:, ::1], int64, int64)")
def roll(s: Any, who: int, purpose: int) -> tuple[int, int, int, int]:
    """Four words for who rolls and why, in this trial and turn."""
    return words(s[at.GAME, at.TRIAL], s[at.GAME, at.TURN], who, purpose, s[at.GAME, at.KEY0], s[at.GAME, at.KEY1])


@kernel("int64(int64)")
def d6(word: int) -> int:
    """A six-sided die from a word."""
    return die(word, 6)


@kernel("int64(int64[:, ::1], int64, int64)")
def withheld(s: Any, deck: int, card: int) -> int:
    """Whether a dealt card is set aside in this trial, as some experiments ask: decks 0 … 4."""
    share = s[at.GAME, at.WITHHELD]
    if share == 0:
        return 0
    return 1 if (roll(s, (deck << 8) | card, WITHHOLD)[0] * 100) >> 32 < share else 0


@kernel("int64(int64[:, ::1], int64, int64)")
def pick(s: Any, side: int, options: int) -> int:
    """A player's random choice, 0 … options - 1; each choice of a turn has its own word."""
    s[at.GAME, at.DRAWS] += 1
    w = roll(s, at.SIDE + side + (s[at.GAME, at.DRAWS] << 16), POLICY)
    return (w[0] * options) >> 32


@kernel("int64(int64[:, ::1], int64, int64)")
def sort_down(s: Any, row: int, count: int) -> int:
    """Sort the first `count` numbers of a row, largest first."""
    for k in range(1, count):
        key = s[row, k]
        j = k
        while j > 0 and s[row, j - 1] < key:
            s[row, j] = s[row, j - 1]
            j -= 1
        s[row, j] = key
    return count


@kernel("int64(int64[:, ::1], int64, int64, int64)")
def shuffle(s: Any, row: int, count: int, purpose: int) -> int:
    """Put cards 0 … count - 1 into a row in random order: card c is ordered by its own word.

    So one card more or less leaves the order of the others.
    """
    for block in range((count + 3) // 4):
        w = roll(s, block, purpose)
        c = 4 * block
        s[row, c] = (w[0] << 8) | c
        s[row, c + 1] = (w[1] << 8) | (c + 1)
        s[row, c + 2] = (w[2] << 8) | (c + 2)
        s[row, c + 3] = (w[3] << 8) | (c + 3)
    sort_down(s, row, count)
    for k in range(count):
        s[row, k] &= 255
    return count


@kernel("int64(int64[:, ::1], int64, int64, int64, int64)")
def note(s: Any, what: int, who: int, whom: int, n: int) -> int:
    """Write an event, if there is room for a log."""
    k = s[at.GAME, at.EVENTS]
    if k < s[at.GAME, at.ROOM]:
        r = at.LOG + k
        s[r, at.E_TURN] = s[at.GAME, at.TURN]
        s[r, at.E_WHAT] = what
        s[r, at.E_WHO] = who
        s[r, at.E_WHOM] = whom
        s[r, at.E_N] = n
        s[at.GAME, at.EVENTS] = k + 1
    return 0
