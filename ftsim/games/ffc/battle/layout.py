"""Where a battle keeps its state: one table of int64, rows for warriors, sides, decks and cards.

A single array keeps the kernels' signatures alike. Rows are named here, columns below them; a
warrior's row is his slot for all dice, so he keeps his luck whoever else is there.
"""

from __future__ import annotations

MAX_WARRIORS = 20  # rows 0 … 19: warriors in play
SIDE = 20  # two rows
GAME = 22
RULE = 23  # rulings as numbers
POLICY = 24  # two rows: parameters of each player
FIGHT = 26  # fight deck, next card first
MAGIC = 27  # spell deck, next card first
PILE = 28  # discarded fight cards by kind
SPELL_AT = 29  # where each spell is: a warrior, or IN_DECK, IN_PILE, OUT_OF_PLAY
QUEUE = 30  # keys of a list being sorted
FIRE = 31  # ranged actions of a turn
PICKERS = 32  # who picks, fastest first
PAIR_A = 33  # pickers of the pairings
PAIR_B = 34  # whom they picked
COPIES = 35  # fight cards by kind that belong to the battle
RANGE_OF = 36  # order of fire of each spell
WEIGHTY = 37  # whether a fight card (0 …) or spell (20 …) is worth an answer
PLAYS = 38  # two rows: fight cards played (0 …), spells cast (20 …), fight cards drawn (40 …)
WEAPON = 40  # 64 rows: weapons in play
ARMOR = 104  # 29 rows: armor in play
START = 140  # 20 rows: warriors as they begin
EXPECT = 160  # 25 rows: six times the mean loss by margin and hits
FIT = 190  # 20 rows: what each weapon does in the hands of each warrior
ARMS_BY_RANK = 210  # weapons, missiles first, best first
ARMOR_BY_RANK = 211  # armor: suits, pieces, helms, shields, best first
SPELL_START = 212  # which spells are in the deck
MEN = 213  # two rows: the living under each side's command, in the order of their slots
DURABLE = 215  # 100 rows, five a warrior: what a panel takes off him, by dodge and parry of his kit
SHARE = 315  # 22 rows: hits being shared out
TAKES = 337  # 25 rows: (k + e / 2h) / 36 by margin and hits, in parts of ONE
LOG = 362  # rows of events
COLUMNS = 96

IN_DECK, IN_PILE, OUT_OF_PLAY = -1, -2, -3
FISTS = 63  # the weapon row of bare hands
MAX_ARMS = 8
FOREVER = 1_000_000
ONE = 1 << 32

# Columns of a warrior: his card
CARD = 0
OWNER = 1
DAM = 2
SPEED = 3
SKILL = 4
DODGE = 5
HITS0 = 6
SPELLS0 = 7
REACH = 8
TWO = 9
STAB = 10
BOW = 11
CASTER = 12
BARE = 13
WORTH = 14

# Columns of a warrior: his state
LORD = 15
ROW = 16
HITS = 17
ALIVE = 18
PLATE = 19
SUIT_SPEED = 20
SUIT_DODGE = 21
HELM = 22
BLOCK = 23
SHIELD_SPEED = 24
SHIELD_DODGE = 25
HELM_ID = 26
SHIELD_ID = 27
PARTS = 28
SUITED = 29
ARMS = 30
ARM0 = 31

# after his arms
USE = 39
SECOND = 40
MODE = 41
BEST_HAND = 42
BEST_SHOT = 43
BEST_THROW = 44
NOW_DAM = 45
NOW_SPEED = 46
NOW_SKILL = 47
NOW_DODGE = 48
NOW_REACH = 49
NOW_PARRY = 50
NOW_PLATE = 51
NOW_BLOCK = 52
LEFT = 53
CAST = 54
HELPLESS = 55
NEUTRAL = 56
CURSE = 57
HARD = 58
UNSEEN = 59
POISON = 60
WOUND = 61
BLOWS = 62
ALLOWED = 63
PAIRED = 64
HELD = 65
SPELLS = 66
HOME = 67
SPELL_ROLLS = 68
OLD_ROW = 69
OLD_USE = 70
OLD_SECOND = 71
OLD_MODE = 72
PLAN_ROW = 73
PLAN_USE = 74
PLAN_SECOND = 75
PLAN_MODE = 76
HOPE_BACK = 77
HOPE_FRONT = 78
HOPE_LOST = 79
CARDED = 80  # the turn in which a fight card was last played on him

# Columns of FIT, by weapon card from here on
STRENGTH = 0
OFFENCE = 32
MEAN_LOSS = 64

# Columns of a sharing out
PART = 32
WHOSE = 64

# Columns of a side
LIVING = 0
IN_HAND = 1
HASTE = 2
BLOODLUST = 3
SHIELDED = 4
SIZE = 5
MEN_LEFT = 6  # how many of its row of MEN are taken
BEATEN = 7  # a side with so many living warriors or fewer has lost

HAND = 20  # cards in hand by kind, from this column on

# Columns of the game
TRIAL = 0
TURN = 1
KEY0 = 2
KEY1 = 3
FIRST = 4
FIGHT_LEFT = 5
MAGIC_LEFT = 6
RESULT = 7
EVENTS = 8
ROOM = 9
DEALT = 10
CHECKED = 11
FAULT = 12
LOST = 13
QUIET = 14
DRAWS = 15
SHUFFLES = 16
FIGHT_TOTAL = 17
MAGIC_TOTAL = 18
WEAPONS = 19
ARMORS = 20
WITHHELD = 21
MAGIC_GONE = 22
OPENING = 40  # by kind of fight card, from this column on
TAKEN = 23  # warriors under Control
AT_ONCE = 24  # 1 while deaths wait for the end of equal range scores

# Columns of a weapon
W_CARD = 0
W_DAM = 1
W_KIND = 2
W_RANGE = 3
W_SPEED = 4
W_REACH = 5
W_PARRY = 6
W_AMMO0 = 7
W_TWO = 8
W_BOW = 9
W_AMMO = 10
W_AT = 11
W_START = 12
W_DEALT = 13

HTH, THROWN, MISSILE = 0, 1, 2

# Columns of a piece of armor
A_CARD = 0
A_TYPE = 1
A_PLATE = 2
A_BLOCK = 3
A_SPEED = 4
A_DODGE = 5
A_AT = 6
A_START = 7
A_DEALT = 8

HELM_TYPE, FULL, PARTIAL, SHIELD_TYPE = 0, 1, 2, 3

# Columns of an event
E_TURN = 0
E_WHAT = 1
E_WHO = 2
E_WHOM = 3
E_N = 4

# Results of a battle
WON_A, WON_B, DRAW, UNRESOLVED = 0, 1, 2, 3

# Fight cards, in the order of their table
BACKSTAB = 0
HEIGHT = 1
SHIELD_WALL = 2
MARTYR = 3
SWORD_BREAKER = 4
FLURRY = 5
RAIN = 6
WILD_MAGIC = 7
MIGHTY_BLOW = 8
MAGIC_RESIST = 9
POISONED_EDGE = 10
PAINFUL_WOUND = 11
FLY_TRUE = 12
STUNNED = 13
FIGHT_KINDS = 14

# Spells, in the order of their table
S_BLOODLUST = 0
S_FREEZE = 1
S_FIREBALL = 2
S_LIGHTNING = 3
S_MISSILES = 4
S_CONTROL = 5
S_SHIELD = 6
S_CHARM = 7
S_RAISE = 8
S_HEAL = 9
S_COUNTER = 10
S_AVOID = 11
S_HARD = 12
S_UNSEEN = 13
S_ILLUSIONS = 14
S_HASTE = 15
S_SHATTER = 16
S_CURSE = 17
S_PETRIFY = 18
S_PARALYZE = 19
SPELL_KINDS = 20

# Parameters of a policy, in the order of their table
P_KIND = 0
P_GAMBLE = 1
P_STAB = 2
P_RISK = 3
P_BONUS = 4
P_WALL = 5
P_ILLUSION = 6
P_EXTRA = 7
P_MARTYR = 8
P_ANSWER = 9
P_TACTIC = 10
P_OPENING = 11
P_BACK = 12
P_COIN = 13
P_SPELL_WORTH = 14
P_HEAL = 15
P_ARCHERS = 16
P_LIFE = 17
RANDOM, SIMPLE, GREEDY = 0, 1, 2

# Rulings that battles read; the place of an option in its list, or the option where it is a number
R_NATURAL = 0
R_BACK_ROW_PENALTY = 1
R_BOW_BONUS = 2
R_MISSILE_DAM = 3
R_SHIELD_WITH_TWO_HANDER = 4
R_TWO_WEAPONS = 5
R_THROWN_SPENT = 6
R_THROWN_PARRY = 7
R_WEAPON_CHANGE = 8
R_ARMOR_SPLIT = 9
R_TURN_ORDER = 10
R_LEAST_DISCARD = 11
R_FRONT_EMPTIED = 12
R_BACKSTAB_FROM = 13
R_BACKSTAB_REPLY = 14
R_FIRST_STRIKE_TIE = 15
R_SHOOTER_IN_MELEE = 16
R_DOUBLED_REPLIES = 17
R_PAIRING_ORDER = 18
R_DEAD_TARGET = 19
R_LEAST_LOSS = 20
R_CANCEL_WINDOW = 21
R_SPELL_TARGETS = 22
R_ARMOR_V_SPELLS = 23
R_NEUTRALIZED_TARGETS = 24
R_HELPLESS_DEFENCE = 25
R_DISABLED_CAST = 26
R_ANSWERS_COUNT = 27
R_SPELL_AND_ATTACK = 28
R_SHIELD_V_SPELLS = 29
R_RAISED = 30
R_INVISIBILITY = 31
R_CURSE = 32
R_STACKING = 33
R_MARKERS = 34
R_DURATIONS = 35
R_SPELL_DECK_EMPTY = 36
R_MAX_TURNS = 37
R_STALEMATE_STOP = 38
R_DEAD_SPELLS = 39
R_WILD_MAGIC_ELF = 40
R_SHOOTER_PICKS = 41
R_ELF_IS_CASTER = 42
R_PARTIAL_LIMIT = 43
R_COMMIT = 44
R_EQUAL_RANGES = 45
R_REACH_FROM_BACK = 46
R_PICK_TIES = 47
R_CONTROLLED = 48
R_SWORD_BREAKER = 49
R_BACKSTAB_CARD = 50
R_HEIGHT_CARD = 51
R_CASUALTIES = 52
R_AT_CAP = 53

# Events
EV_TURN_BEGINS = 0
EV_ROWS = 1
EV_PLAYED = 2
EV_SPELL_CAST = 3
EV_CANCELLED = 4
EV_FIRED = 5
EV_STRUCK = 6
EV_MISSED = 7
EV_STOPPED = 8
EV_LOST_HITS = 9
EV_KILLED = 10
EV_HESITATED = 11
EV_STAB_FAILED = 12
EV_PAIRED_WITH = 13
EV_DOUBLED = 14
EV_BROKEN = 15
EV_DISABLED = 16
EV_RAISED = 17
EV_HEALED = 18
EV_POISONED = 19
EV_ENDED = 20
EV_MOVED_OVER = 21
EV_OUT_OF_AMMO = 22

# Columns of the result of a trial; 14 for the opening hands follow
O_RESULT = 0
O_TURNS = 1
O_WARRIORS_A = 2
O_WARRIORS_B = 3
O_WEAPONS_A = 4
O_WEAPONS_B = 5
O_ARMOR_A = 6
O_ARMOR_B = 7
O_SPELLS_A = 8
O_SPELLS_B = 9
O_FAULT = 10
O_LEAD1 = 11
O_LEAD2 = 12
O_LEAD3 = 13
O_HITS_A = 14
O_HITS_B = 15
O_OPENING = 16
O_COLUMNS = 30
