"""How a battle lies in memory: a record of small integer arrays, and what their columns mean.

The kernels take the whole record, which costs one pointer a call. A place is one integer,
``(lane + 2) * stride + row + 2``, on a board padded by two places all round, so that no step
needs a bounds test; the stride is a power of two. Facings are 0 away from the first edge, 1, 2,
3 clockwise; a step in a facing adds `+1`, `+stride`, `-1`, `-stride`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

#: The record, which kernels take whole.
World: TypeAlias = Any

# The arrays of the record.
(
    SPEC, MASK, ROWS, ST, BOARD, TERR, ZONE, SIDE, PAR, LOG, EXCH, REAL, PLAIN, FITS, LOWEST, ODDS,
) = FIELDS = (
    "spec", "mask", "rows", "st", "board", "terr", "zone", "side", "par", "log", "exch", "real", "plain", "fits",
    "lowest", "odds",
)  # fmt: skip

# Columns of `spec`, one row a stand, a camp, a hero or an illusion. They change in a battle only while a stand rides
# on transports or shows another type (`REAL` keeps what it is), or a hero lends it something (`contact.match_rows`).
(
    SLOT, OWNER, COST, CF_FOOT, CF_MOUNTED, MOVE, DEPTH, SHOOT, SHOT_AT, RANGE, TYPE_COST, SURCHARGE, ROLE,
    AS_MOUNTED, HARD, FLAGS, RANGED, MIND, SPELL, TYPE, BITS, AT_HOME, DUEL,
    DELAYED, FAKE, TRANSPORTS, RIDE_MOVE, RIDE_HARD, RIDE_BITS, RIDE_FLAGS, CHARGES, HOLD_CLASS, CAMP_KIND, SHOWABLE,
) = range(34)  # fmt: skip
# Of the cards for stands: the move by itself and with a Fast hero, the flags by itself, and 1 + the command points
# that bring it back when lost, 0 for never (FT 52).
MOVE_ALONE, MOVE_FAST, OWN_FLAGS, REGENERATES = range(34, 38)
SPEC_COLUMNS = 38

# Values of `spec[TRANSPORTS]` (FT 45), and of `spec[CAMP_KIND]` (FT 36, 48).
NO_TRANSPORTS, GROUND, FLOWN = range(3)
PLAIN_CAMP, FORTIFIED, HEAVILY_FORTIFIED, TRAIN = range(4)

# Roles at deployment.
CENTRE, WING, SKIRMISH, CAMP, HERO = range(5)

# Flags of `spec[FLAGS]`.
IS_GENERAL, IS_CAMP, ALL_ROUND, NO_CONTACT, OPEN_ORDER, FLYING, NEGATE_ZONE, FOOT, SUPPORTS, NO_ZONE, UNRELIABLE = (
    1 << k for k in range(11)
)
SUBCOMMANDER, SLOWED, RIDING = (1 << k for k in range(20, 23))
# Of the cards for stands. `STAND_OFF`: Artillery and War Wagons; `DANGEROUS`: to Flying enemies (FT 11); `LEAVES`:
# may go Away by an order; `SENDS_AWAY`: comes back from the dead to Away (FT 52.1.c).
STAND_OFF, CRAVEN, MASSIVE, SKIRMISHES, DANGEROUS, LEAVES, SENDS_AWAY, LENDS_FAST = (1 << k for k in range(30, 38))
# What a hero lends to his stand of these.
LENT_FLAGS = DANGEROUS | LEAVES

# Columns of `st`, the state of each row of `spec`.
(
    PLACE, FACE, STATUS, MOVED, FOUGHT, GROUP, RIDER, WON, LOST, CARRIER, SPENT, BEST, BEST_GAIN, BEST_FACE, TARGET,
    NEAR, HERE, HEAD, HOLDS,
    SHOWN, LENT, AMBUSHES,
    # Panicked, and not yet ordered; came back without the general (FT 52).
    FLED, DEMOTED,
    PINNED, CLOSEST, DUE, FIGHT, MEMBERS,
) = range(29)  # fmt: skip
ST_COLUMNS = 29

# Values of `st[STATUS]`.
RESERVE, ON_BOARD, AWAY, GONE = range(4)

# Columns of a pool's `cards`: army and event cards by number bought. `AMBUSH` is 1 for any topography, 2 and the
# topography's number for the home only; Hold the Line is counted by class, `spec[HOLD_CLASS]` from 1.
HOLD_CLASSES = 8
AMBUSH, ILLUSIONS, DEFENSES, CHARGES_THROUGH, HOLDS_THE_LINE = range(5)
CARD_COLUMNS = HOLDS_THE_LINE + HOLD_CLASSES

# Columns of `side`: its cards as bought, and those that are left, stand at the end.
(
    POINTS_LOST, THRESHOLD, GENERAL, CAMP_AT, PIPS, POLICY, SEAT, BEGIN, END, GENERAL_LOST, HAS_ZONE,
    HELPED, WAITS, CARDS,
) = range(14)  # fmt: skip
CARDS_LEFT = CARDS + CARD_COLUMNS
SIDE_COLUMNS = CARDS_LEFT + CARD_COLUMNS

# Tables of rows, by first index of `rows` and second of `mask`.
(
    CLOSE, RANGED_BY, RANGED_AT, MIND_BY, MIND_AT, SPELL_BY, SPELL_AT,
    CLOSE_RESULT, RANGED_RESULT, MIND_RESULT, SPELL_RESULT, PURSUIT, GAINS,
) = range(13)  # fmt: skip
TABLES = 13
# Columns of a row.
OWN_ALL, OWN_NONE, OWN_ONE, OWN_TWO, ENEMY_ALL, ENEMY_NONE, ENEMY_ONE, SIT_ALL, SIT_NONE, VALUE = range(10)
ROW_COLUMNS = 10

# Parameters.
(
    LANES, ROWS_DEEP, STRIDE, SIZE, TURN, ACTIVE, TRIAL, KEY_LOW, KEY_HIGH, MAX_TURNS, FRONT_ROW, SHOOTS,
    LOSER_FIRST, FLOOR, RETREAT_ALL, LOGGED, TOPOGRAPHY, FIRST, SHOTS, COMBATS,
    W_DESTROYED, W_PANICS, W_EVADES, W_FALLS_BACK, W_AWAY, W_STANDS,
    P_NEARER, P_TARGET, P_LINE, P_THREAT, P_PATIENCE, DUEL_LOSS,
    S_FRONT, S_FLANK, S_REAR, S_DIFFICULT, S_GROUND, S_OVERLAP1, S_OVERLAP2, S_UPHILL, S_SUPPORTED,
    S_IN_ZONE, S_BEATEN, S_DOUBLED, S_EXCEPTIONS, S_PENALTIES, S_PHYSICAL, S_MAGICAL, S_RANGED_ATTACK,
    S_AT_REAR, GROUND_MASK, HILL_MASK, SIGHT_MASK, SPELL_DEFENCE_COST, SPELL_EXCEPTIONS,
    SPELL_PENALTIES, SPELL_FIZZLES, AT_HOME_BIT, GENERAL_BIT, COMMAND_NEAR, COMMAND_FAR, AWAY_SHARE,
    FORCE_FATE, FORCE_TURN, FLIP, RESULT, SHIFT, FORCED,
    HELPS_ONCE, ARRIVES_AT, ARRIVES_MOVED, DEFENSE_KIND, P_ILLUSION, P_AMBUSH, P_DEFENDS, P_LEAVES,
    ORDER_COST, AWAY_COST, OUT_COST, AWAY_OUT, AWAY_GAP, HIGH_MASK, HIGH_MOVE, P_AWAY, S_HERO_SHOT, TWO_SHOTS,
    PASS_ALL, HERO_CLEAR, RETURN_ROWS, FLYER_SIGHT, HERO_MOVE,
    P_SHY, NOW_NEARER, NOW_THREAT, NOW_SHY, NOW_FIGHTS, STANDING, LOG_ROOM, LAID,
) = range(99)  # fmt: skip
PAR_COLUMNS = 99

# Values of `par[TOPOGRAPHY]` besides the number of a topography: no terrain, or a topography drawn each trial.
OPEN_BOARD, DRAWN_BOARD = -1, -2
# `par[LAID]` is the topography of the trial, or `OPEN_BOARD`.

# Purposes of dice; fixed numbers, never reused.
FOR_SEAT, FOR_DEPLOY, FOR_TERRAIN, FOR_COMMAND, FOR_CLOSE, FOR_SHOT, FOR_SPELL, FOR_DUEL = range(1, 9)
FOR_AMBUSH, FOR_SECOND_SHOT = 20, 30

# Fates, as in `rules.FATES`.
DESTROYED, PANICS, EVADES, FALLS_BACK, GOES_AWAY, STANDS = range(6)

# Events of the log.
(
    E_DEPLOY, E_COMMAND, E_MOVE, E_GROUP, E_SHOT, E_COMBAT, E_FATE, E_STEP, E_LOST, E_PURSUES, E_END, E_DUEL,
    E_TERRAIN, E_ATTACH, E_SPELL,
) = range(15)  # fmt: skip
# Events of army and event cards.
E_AMBUSH, E_SHOWS, E_REVEALS, E_ARRIVES, E_RIDES, E_DROPS, E_DEFENSE, E_CHARGES, E_HOLDS, E_HELPED = range(40, 50)
# Events of the cards for stands: by an order Away, and back from there; back from the dead, onto the board or Away.
E_LEAVES, E_RETURNS, E_REGENERATES, E_RISES_AWAY = range(20, 24)
# Why an `E_STEP` was taken: in retreat, to face an enemy or the front, pushed by a friend.
RETREATED, TURNED, PUSHED = range(3)

# The factors for which odds are tabulated.
LOW_FACTOR, FACTORS = -8, 26

# The record. Its arrays have room for the largest battle; `par` says how much of them is used.
MOST_ROWS, MOST_PLACES, MOST_EVENTS, MOST_RULES = 128, 1 << 14, 20_000, 62
HALF_SITUATION = 11
# One column more than there are stands, so that the rows of a small battle do not fall on the same cache lines.
PAIRS = (MOST_ROWS, MOST_ROWS + 8)
SHAPES: dict[str, tuple[int, ...]] = {
    SPEC: (MOST_ROWS, SPEC_COLUMNS),
    MASK: (MOST_ROWS, TABLES, 2),
    ROWS: (TABLES, MOST_RULES, ROW_COLUMNS),
    ST: (MOST_ROWS, ST_COLUMNS),
    BOARD: (MOST_PLACES,),
    TERR: (MOST_PLACES,),
    ZONE: (2, MOST_PLACES),
    SIDE: (2, SIDE_COLUMNS),
    PAR: (PAR_COLUMNS,),
    LOG: (MOST_EVENTS, 6),
    EXCH: PAIRS,
    REAL: (MOST_ROWS, SPEC_COLUMNS),
    PLAIN: PAIRS,
    # Bits of the rows of a table that a situation allows: by its lower half of bits, and by its upper half.
    FITS: (TABLES, 2, 1 << HALF_SITUATION),
    # The number of the only bit in a mask, by the mask modulo 67, which is another one for each of them.
    LOWEST: (67,),
    ODDS: (FACTORS, FACTORS, 6, 6, 5),
}
KINDS = {name: "uint8" if name == ODDS else "int64" for name in FIELDS}
WORLD_DTYPE = np.dtype([(name, KINDS[name], SHAPES[name]) for name in FIELDS], align=True)
# The same for signatures of kernels.
_PLACED = [
    f"({name!r}, {{'type': NestedArray({KINDS[name]}, {SHAPES[name]}), 'offset': {WORLD_DTYPE.fields[name][1]}}})"
    for name in FIELDS
    if WORLD_DTYPE.fields
]
WORLD = f"Record([{', '.join(_PLACED)}], {WORLD_DTYPE.itemsize}, True)"
