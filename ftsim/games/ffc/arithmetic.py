"""One blow in integers: did it hit, was it blocked, what did it cost.

Exact odds call these for every face; battles compile the same functions (``@kernel(...)`` in
``battle.rolls``), so a rule stands here once.
"""

from __future__ import annotations

#: Natural faces with a meaning of their own (R-10), as bits.
SIX_HITS, ONE_MISSES = 1, 2
#: A hit needs this total: die + skill - dodge - parry.
NEEDED = 4
#: What Curse takes off a roll of its target.
CURSED = 3


def hit(die: int, modifier: int, natural: int) -> int:
    """Whether a blow hits, 1 or 0: 4 or more after skill, dodge, parry and place."""
    if natural & SIX_HITS and die == 6:
        return 1
    if natural & ONE_MISSES and die == 1:
        return 0
    return 1 if die + modifier >= NEEDED else 0


def blocked(die: int, block: int) -> int:
    """Whether a shield stops a hit, 1 or 0: the die lies within its range."""
    return 1 if die <= block else 0


def loss(dice: int, dam: int, armor: int, least: int) -> int:
    """Hits lost to an unblocked hit: dice + damage - armor, at least `least` (R-37)."""
    lost = dice + dam - armor
    return lost if lost > least else least


def hit_faces(modifier: int, natural: int) -> int:
    """How many of six faces hit."""
    faces = 3 + modifier
    low = 1 if natural & SIX_HITS else 0
    high = 5 if natural & ONE_MISSES else 6
    return low if faces < low else high if faces > high else faces


def order_of_blows(die: int, speed: int, reach: int, coin: int, tie: int) -> int:
    """Who strikes first in a pairing: 1 for A, 2 for B, 3 for both at once.

    Parameters
    ----------
    die : int
        1-3 compares speed, 4-6 reach.
    speed, reach : int
        A's number minus B's.
    coin : int
        1 for A, 2 for B.
    tie : int
        Ruling R-30: 0 the other number and then the coin, 1 the coin at once, 2 at once when both are equal.
    """
    first, second = (speed, reach) if die <= 3 else (reach, speed)
    if first == 0 and tie != 1:
        first = second
    if first != 0:
        return 1 if first > 0 else 2
    return 3 if tie == 2 else coin
