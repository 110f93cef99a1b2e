"""From hosts, rulings and options to the arrays of `layout`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ftsim.addressed import halves
from ftsim.catalog import read_table
from ftsim.conditions import Condition, RuleRow, Vocabulary
from ftsim.errors import InputError, UnknownNameError
from ftsim.games.triumph.armies import army_format
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.hosts import MAX_STANDS, Host
from ftsim.games.triumph.cards import card_moves, regenerate_command_points
from ftsim.games.triumph.combat import result_counts
from ftsim.games.triumph.grids import loss_weights
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.places import CAMP_FACTOR, CAMPS, is_hindered
from ftsim.games.triumph.rules import rule_tables, vocabularies
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import PACKAGE, troop_types

Ints = NDArray[np.int64]
END_OF_ROWS = -100_000
#: Topography of a board on which each trial draws one.
DRAWN = "drawn"
FLAG_OF = {
    "all_round": lay.ALL_ROUND,
    "no_contact": lay.NO_CONTACT,
    "open_order": lay.OPEN_ORDER,
    "flying": lay.FLYING,
    "negate_zone": lay.NEGATE_ZONE,
    "foot": lay.FOOT,
    "supports": lay.SUPPORTS,
    "unreliable": lay.UNRELIABLE,
    "stand_off": lay.STAND_OFF,
    "craven": lay.CRAVEN,
    "massive": lay.MASSIVE,
    "skirmishes": lay.SKIRMISHES,
    "dangerous": lay.DANGEROUS,
    "leaves": lay.LEAVES,
    "sends_away": lay.SENDS_AWAY,
}


@dataclass(frozen=True)
class Board:
    """The board.

    Parameters
    ----------
    lanes, rows : int
        Lanes of 2 MU and rows of 1 MU.
    front_row : int
        Row of the battle line, from one's own edge.
    topography : str or None
        Where the battle is; ``drawn`` for one drawn in each trial, None for an open board.

    Raises
    ------
    InputError
        If there is no room to deploy, or the topography is unknown.
    """

    lanes: int = 24
    rows: int = 32
    front_row: int = 7
    topography: str | None = None

    def __post_init__(self) -> None:
        if self.lanes < 1 or self.rows < 4:
            raise InputError(f"A board needs at least 1 lane and 4 rows, got {self.lanes} × {self.rows}")
        if not self.front_row >= 0 or 2 * self.front_row + 2 > self.rows:
            raise InputError(
                f"There is no room between two battle lines in row {self.front_row} of {self.rows}: "
                f"accepted: 0 to {(self.rows - 2) // 2}"
            )
        if (self.lanes + 4) << (self.rows + 3).bit_length() > lay.MOST_PLACES:
            raise InputError(
                f"A board of {self.lanes} × {self.rows} is too large: accepted: 120 lanes of 100 rows, or as much"
            )
        if self.topography not in (None, DRAWN, *topography_names()):
            raise UnknownNameError("topography", str(self.topography), (DRAWN, *topography_names()))


@lru_cache(maxsize=1)
def topography_names() -> tuple[str, ...]:
    """Topographies for which terrain can be laid."""
    return tuple(row["topography"] for row in _pieces())


@lru_cache(maxsize=1)
def _pieces() -> tuple[Mapping[str, str], ...]:
    columns = ("topography", "pieces", "compulsory", "optional", "source", "basis")
    return read_table(PACKAGE, "terrain_pieces.csv", columns)


@lru_cache(maxsize=1)
def terrain_table() -> Ints:
    """Pieces by roll, compulsory kind, number of optional kinds and these, a row a topography."""
    kinds = list(terrains())
    table = np.zeros((len(_pieces()), 22), dtype=np.int64)
    for k, row in enumerate(_pieces()):
        optional = [kinds.index(kind) for kind in row["optional"].split()]
        table[k, :11] = [int(n) for n in row["pieces"].split()]
        table[k, 11] = kinds.index(row["compulsory"])
        table[k, 12] = len(optional)
        table[k, 13 : 13 + len(optional)] = optional
    return table


@lru_cache(maxsize=1)
def policy_weights() -> dict[str, int]:
    """Weights of the policies."""
    return {
        row["name"]: row.integer("value")
        for row in read_table(PACKAGE, "policy_weights.csv", ("name", "value", "source", "basis"))
    }


@lru_cache(maxsize=1)
def battle_facts() -> dict[str, int]:
    """Numbers of the rules in command points and MU."""
    return {
        row["name"]: row.integer("value")
        for row in read_table(PACKAGE, "battle_facts.csv", ("name", "value", "source", "basis"))
    }


@lru_cache(maxsize=1)
def _battle_traits() -> tuple[tuple[str, Condition], ...]:
    rows = read_table(PACKAGE, "battle_traits.csv", ("flag", "when", "source", "basis"))
    return tuple((row["flag"], Condition.parse(row["when"])) for row in rows)


# ------------------------------------------------------------------ rules


@lru_cache(maxsize=8)
def pack_rules(rulings: TriumphRulings) -> tuple[Ints, Ints]:
    """The tables of rules as numbers, shape ``(TABLES, rows, ROW_COLUMNS)``, and which of them fit a situation."""
    close, ranged = rule_tables("close-combat", rulings), rule_tables("ranged", rulings)
    mind, spell = rule_tables("mindblast", rulings), rule_tables("spellblast", rulings)
    tables = [
        close.factors["a"].rows,
        ranged.factors["a"].rows,
        ranged.factors["b"].rows,
        mind.factors["a"].rows,
        mind.factors["b"].rows,
        spell.factors["a"].rows,
        spell.factors["b"].rows,
        close.results.rows,
        ranged.results.rows,
        mind.results.rows,
        spell.results.rows,
        close.pursuit.rows,
    ]
    size = 1 + max(len(rows) for rows in tables)
    if size > lay.MOST_RULES:
        raise InputError(f"A table of rules has {size - 1} rows, a battle can read {lay.MOST_RULES - 1}")
    packed = np.full((lay.TABLES, size, lay.ROW_COLUMNS), END_OF_ROWS, dtype=np.int64)
    for t, rows in enumerate(tables):
        for k, row in enumerate(rows):
            packed[t, k] = _packed(row)
    for k, adjustment in enumerate(close.adjustments):
        packed[lay.GAINS, k] = _packed(adjustment.row)
        packed[lay.GAINS, k, lay.SIT_ALL] = int(adjustment.won)
    return packed, _situations(packed)


def _situations(rows: Ints) -> Ints:
    """Which rows each half of a situation allows: a bit a row, shape ``(TABLES, 2, 2 ** HALF_SITUATION)``."""
    fits = np.zeros(lay.SHAPES[lay.FITS], dtype=np.int64)
    bits = np.arange(1 << lay.HALF_SITUATION)
    for half in (0, 1):
        need, ban = (
            (rows[..., k, None] >> half * lay.HALF_SITUATION) & (len(bits) - 1) for k in (lay.SIT_ALL, lay.SIT_NONE)
        )
        allowed = ((bits & need) == need) & ((bits & ban) == 0) & (rows[..., lay.VALUE, None] > END_OF_ROWS)
        fits[:, half] = np.sum(allowed.astype(np.int64) << np.arange(rows.shape[1])[:, None], axis=1)
    return fits


def _packed(row: RuleRow) -> list[int]:
    traits, situations = vocabularies()
    own = [*(traits.bits(group) for group in row.own.groups), 0, 0]
    enemy = [*(traits.bits(group) for group in row.enemy.groups), 0]
    if len(own) > 4 or len(enemy) > 2 or row.situation.groups:
        raise InputError(f"Row {row.name!r} has more alternatives than a battle can read")
    return [
        traits.bits(row.own.every),
        traits.bits(row.own.none),
        own[0],
        own[1],
        traits.bits(row.enemy.every),
        traits.bits(row.enemy.none),
        enemy[0],
        situations.bits(row.situation.every),
        situations.bits(row.situation.none),
        row.value,
    ]


@lru_cache(maxsize=8)
def pack_odds(loser_first: int, floor: int) -> NDArray[np.uint8]:
    """Counts of 36 by both factors and both gains, shape ``(FACTORS, FACTORS, 6, 6, 5)``."""
    size = lay.FACTORS
    grid = np.indices((size, size, 6, 6)).reshape(4, -1)
    total_a, total_b = grid[0] + lay.LOW_FACTOR, grid[1] + lay.LOW_FACTOR
    (won_a, lost_a), (won_b, lost_b) = (np.divmod(code, 3) for code in grid[2:])
    counts = result_counts(total_a, total_b, won_a, lost_a - 1, won_b, lost_b - 1, loser_first, floor)
    return np.ascontiguousarray(counts.reshape(size, size, 6, 6, 5))


# ------------------------------------------------------------------ armies


def pack_host(host: Host, rulings: TriumphRulings) -> Ints:
    """A host as rows of `spec`, by rising slot: stands, heroes, illusions, camps.

    An army with two kinds of camp has a row for each, and uses one of them in a battle.

    Raises
    ------
    InputError
        If there are more rows than a battle can hold, or more classes with Hold the Line.
    """
    rows = [_stand_row(slot, stand, host, rulings) for slot, stand in host.stands]
    rows += [_hero_row(slot, hero, rulings) for slot, hero in host.heroes]
    for row in rows:
        row[lay.DELAYED] = int(row[lay.SLOT] in host.delayed)
    rows.sort(key=lambda row: row[lay.SLOT])
    rows += [_illusion_row(k) for k in range(host.copies("illusion"))]
    if host.camp is not None and (host.camp != "camp" or not host.pack_train):
        rows.append(_camp_row(host.camp, rulings))
    if host.pack_train:  # FT 48: not in one battle with a fortified camp
        rows.append(_camp_row("camp", rulings, train=True))
    if len(rows) > MAX_STANDS:
        raise InputError(
            f"{host.name}: {len(rows)} stands, heroes, illusions and camps, a battle holds {MAX_STANDS} a side"
        )
    return np.array(rows, dtype=np.int64)


def pack_cards(host: Host) -> Ints:
    """Army and event cards of a host by number bought, shape ``(CARD_COLUMNS,)``.

    Raises
    ------
    InputError
        If Ambush is for a home that has no terrain table.
    """
    counts = np.zeros(lay.CARD_COLUMNS, dtype=np.int64)
    counts[lay.ILLUSIONS] = host.copies("illusion")
    counts[lay.DEFENSES] = host.copies("prepared_defenses")
    counts[lay.CHARGES_THROUGH] = host.copies("charge_through")
    for card in host.cards:
        if card.pick.card.id == "ambush":
            counts[lay.AMBUSH] = 1
            if "home only" in card.pick.choices:
                if host.home not in topography_names():
                    raise InputError(f"{host.name}: Ambush at home needs a home topography (FT 24)")
                counts[lay.AMBUSH] = 2 + list(topography_names()).index(host.home)
    for number, stand in enumerate(_held_classes(host)):
        held = [card for card in host.cards if card.pick.card.id == "hold_the_line" and card.troop_class == stand]
        counts[lay.HOLDS_THE_LINE + number] = sum(card.count for card in held)
    return counts


def _held_classes(host: Host) -> list[Stand]:
    """Classes with Hold the Line, in the order of their notation."""
    classes = {card.troop_class for card in host.cards if card.pick.card.id == "hold_the_line"}
    if len(classes) > lay.HOLD_CLASSES:
        raise InputError(
            f"{host.name}: Hold the Line for {len(classes)} classes, at most {lay.HOLD_CLASSES} can be used"
        )
    return sorted((stand for stand in classes if stand is not None), key=str)


def _stand_row(slot: int, stand: Stand, host: Host, rulings: TriumphRulings) -> list[int]:
    traits, _ = vocabularies()
    t = troop_types(rulings)[stand.troop_type.id]
    names = set(stand.names(rulings))
    flags = lay.IS_GENERAL if stand.general else 0
    flags |= lay.SLOWED if t.kind == "mounted" else 0  # Triumph! 35.2
    extra = {flag for flag, when in _battle_traits() if when.holds(names)}
    for flag in extra & set(FLAG_OF):
        flags |= FLAG_OF[flag]
    if stand.has("flying") and not (stand.has("away") or rulings.flyers_go_away):
        flags &= ~lay.LEAVES
    move = stand.move(rulings)
    wing = t.kind == "mounted" or move > 4
    role = lay.SKIRMISH if "skirmish" in extra else (lay.WING if wing else lay.CENTRE)
    row = [0] * lay.SPEC_COLUMNS
    row[lay.SLOT] = slot
    row[lay.COST] = int(2 * stand.cost(rulings, dense=host.dense))
    row[lay.CF_FOOT], row[lay.CF_MOUNTED] = t.cf_vs_foot, t.cf_vs_mounted
    row[lay.MOVE] = move
    row[lay.MOVE_ALONE] = move
    row[lay.MOVE_FAST] = replace(stand, hero=Hero.read("Hero + Fast"), _names={}).move(rulings)
    row[lay.OWN_FLAGS] = flags
    if stand.has("regenerate"):
        row[lay.REGENERATES] = 1 + regenerate_command_points(stand.cost(rulings, dense=host.dense))
    row[lay.DEPTH] = 2 if t.base_depth_mm >= 30 or "deep" in extra else 1
    row[lay.SHOOT], row[lay.SHOT_AT], row[lay.RANGE] = t.shooting, t.shot_at, t.range
    row[lay.TYPE_COST] = t.cost
    row[lay.SURCHARGE] = battle_facts()["surcharge"] if "surcharge" in extra else 0
    row[lay.ROLE] = role
    row[lay.AS_MOUNTED] = int(t.kind == "mounted")
    row[lay.HARD] = _mask(k for k, kind in enumerate(terrains()) if is_hindered(stand, kind, rulings))
    row[lay.AT_HOME] = _mask(list(terrains()).index(kind) for kind in stand.affinity)
    row[lay.FLAGS] = flags
    row[lay.TYPE] = 1 + list(troop_types(rulings)).index(t.id)
    row[lay.BITS] = _bits(traits, names)
    # FT 39.2: what the army shows, and what may be disguised.
    row[lay.SHOWABLE] = 0 if stand.general else (1 if "unruly" in names or stand.has("mobile_infantry") else 3)
    plain = replace(stand, general=False, _names={})
    charges = any(c.troop_class == plain for c in host.cards if c.pick.card.id == "charge_through")
    row[lay.CHARGES] = int(charges)
    row[lay.HOLD_CLASS] = 1 + _held_classes(host).index(plain) if plain in _held_classes(host) else 0
    _attacks(row, names)
    _transports(row, stand, names, rulings)
    return row


def _transports(row: list[int], stand: Stand, names: set[str], rulings: TriumphRulings) -> None:
    """What a stand with transports is while it rides them (FT 45)."""
    pick = next((p for p in stand.picks if p.card.id == "mobile_infantry"), None)
    if pick is None:
        return
    if problems := pick.card.problems("stand", stand.own_names, rulings):
        raise InputError(f"{stand} cannot ride: {'; '.join(problems)} (FT 45)")
    kind = pick.choices[0]
    traits, _ = vocabularies()
    flown = kind == "flying"
    row[lay.TRANSPORTS] = lay.FLOWN if flown else lay.GROUND
    row[lay.RIDE_MOVE] = card_moves()["mobile_infantry", kind, None]
    ridden = (
        (names - {"close_order"}) | {"open_order", "on_transports"} | ({"on_flying_transports"} if flown else set())
    )
    row[lay.RIDE_BITS] = _bits(traits, ridden)
    # FT 45.2: on the ground difficult terrain slows it, through the air only high terrain does; that also goes Away.
    air = lay.FLYING | lay.LEAVES
    row[lay.RIDE_FLAGS] = row[lay.FLAGS] | lay.OPEN_ORDER | lay.RIDING | (air if flown else lay.SLOWED)
    row[lay.RIDE_HARD] = _high_terrain(rulings) if flown else row[lay.HARD]


def _high_terrain(rulings: TriumphRulings) -> int:
    """Kinds of terrain that are high to flyers (FT 9)."""
    hills = rulings.flyer_high_terrain == "tall_or_hills"
    return _mask(k for k, t in enumerate(terrains().values()) if t.blocks_sight or (hills and t.hill))


def _illusion_row(number: int) -> list[int]:
    """A stand that is not there, until it shows itself as one of the army's (FT 39)."""
    row = [0] * lay.SPEC_COLUMNS
    row[lay.SLOT] = 3900 + number
    row[lay.FAKE] = 1
    return row


def _hero_row(slot: int, hero: Hero, rulings: TriumphRulings) -> list[int]:
    traits, _ = vocabularies()
    rider = Stand(troop_types(rulings)["rabble"], (), hero)
    lent = rider.names(rulings) - Stand(troop_types(rulings)["rabble"]).names(rulings)
    row = [0] * lay.SPEC_COLUMNS
    row[lay.SLOT] = slot
    row[lay.COST] = int(2 * hero.cost(rulings))
    row[lay.ROLE] = lay.HERO
    row[lay.BITS] = _bits(traits, lent)
    row[lay.DUEL] = int(2 * hero.duel_modifier(rulings))
    row[lay.FLAGS] = lay.NEGATE_ZONE if "negate_magic_zone" in lent else 0
    if hero.has("subcommander"):
        row[lay.FLAGS] |= lay.SUBCOMMANDER
    for flag, when in _battle_traits():
        if flag in ("dangerous", "leaves") and when.holds(set(lent)):
            row[lay.FLAGS] |= FLAG_OF[flag]
    row[lay.FLAGS] |= lay.LENDS_FAST if hero.has("fast") else 0
    _attacks(row, set(lent))
    return row


def _camp_row(kind: str, rulings: TriumphRulings, *, train: bool = False) -> list[int]:
    traits, _ = vocabularies()
    form = army_format()
    points = form["heavily_fortified_camp_points"] if kind.startswith("heavily") else form["camp_points"]
    row = [0] * lay.SPEC_COLUMNS
    row[lay.SLOT] = 4001 if train else 4000
    row[lay.COST] = 2 * points
    row[lay.CF_FOOT] = row[lay.CF_MOUNTED] = CAMP_FACTOR
    row[lay.DEPTH] = 1
    row[lay.ROLE] = lay.CAMP
    row[lay.CAMP_KIND] = lay.TRAIN if train else list(CAMPS).index(kind)
    row[lay.AS_MOUNTED] = int(rulings.camp_counts_as == "mounted")
    row[lay.FLAGS] = lay.IS_CAMP | lay.NO_ZONE | lay.NO_CONTACT
    row[lay.BITS] = _bits(traits, {*CAMPS[kind], f"counts_as_{rulings.camp_counts_as}"})
    return row


def _attacks(row: list[int], names: set[str]) -> None:
    row[lay.RANGED] = 1 if "ranged_attack_physical" in names else 2 if "ranged_attack_magical" in names else 0
    row[lay.MIND] = int("mindblast" in names)
    if "spellblast" in names:
        row[lay.SPELL] = (2 if "spellblast_magical" in names else 1) + (2 if "spellblast_limited" in names else 0)


def _bits(traits: Vocabulary, names: set[str] | frozenset[str]) -> int:
    return traits.bits(name for name in names if name in traits)


def _mask(positions: Iterable[int]) -> int:
    return sum(1 << k for k in positions)


@dataclass(frozen=True, eq=False)
class Pool:
    """Hosts as arrays, padded to one size.

    Parameters
    ----------
    spec : array, shape (armies, rows, SPEC_COLUMNS)
        Stands, heroes, illusions and camps.
    sizes, thresholds : array, shape (armies,)
        Rows of each army, and the half-points that lose it.
    cards : array, shape (armies, CARD_COLUMNS)
        Army and event cards by number bought; none by default.
    """

    spec: Ints
    sizes: Ints
    thresholds: Ints
    cards: Ints = field(default_factory=lambda: np.zeros((0, lay.CARD_COLUMNS), dtype=np.int64))

    def __post_init__(self) -> None:
        if len(self.cards) == 0:
            object.__setattr__(self, "cards", np.zeros((len(self.sizes), lay.CARD_COLUMNS), dtype=np.int64))


def pack_hosts(hosts: Sequence[Host], rulings: TriumphRulings) -> Pool:
    """Several hosts together; a third of the points, in half-points, decides (Triumph! 2)."""
    rows = [pack_host(host, rulings) for host in hosts]
    spec = np.zeros((len(rows), max(len(r) for r in rows), lay.SPEC_COLUMNS), dtype=np.int64)
    for k, row in enumerate(rows):
        spec[k, : len(row)] = row
    top, bottom = army_format()["victory_share"]
    thresholds = [-(-2 * host.points * top // bottom) for host in hosts]
    return Pool(
        spec,
        np.array([len(r) for r in rows]),
        np.array(thresholds, dtype=np.int64),
        np.array([pack_cards(host) for host in hosts]),
    )


# ------------------------------------------------------------------ parameters


def parameters(
    rulings: TriumphRulings,
    board: Board,
    key: int,
    *,
    max_turns: int = 80,
    shoots: bool = True,
    weights: Mapping[str, int] | None = None,
    loss: str = "usual",
    flip: bool = False,
) -> Ints:
    """The parameters of battles, shape ``(PAR_COLUMNS,)``.

    Parameters
    ----------
    rulings : TriumphRulings
        How open points are decided.
    board : Board
        Where it is fought.
    key : int
        Key of the dice, from `streams.stream_key`.
    max_turns : int
        Player turns after which a battle is drawn.
    shoots : bool
        Whether there is shooting and magic.
    weights : mapping, optional
        Policy weights that differ from the table.
    loss : str
        Set of loss weights that policies use.
    flip : bool
        Whether seats are exchanged.
    """
    _, situations = vocabularies()
    par = np.zeros(lay.PAR_COLUMNS, dtype=np.int64)
    par[lay.LANES], par[lay.ROWS_DEEP], par[lay.FRONT_ROW] = board.lanes, board.rows, board.front_row
    par[lay.SHIFT] = (board.rows + 3).bit_length()
    par[lay.STRIDE] = 1 << par[lay.SHIFT]
    par[lay.SIZE] = (board.lanes + 4) * par[lay.STRIDE]
    par[lay.KEY_LOW], par[lay.KEY_HIGH] = halves(key)
    par[lay.MAX_TURNS], par[lay.SHOOTS], par[lay.FLIP] = max_turns, int(shoots), int(flip)
    par[lay.LOSER_FIRST] = int(rulings.post_roll == "loser_first")
    par[lay.FLOOR] = rulings.total_floor
    par[lay.RETREAT_ALL] = int(rulings.retreat_with_enemy_on_flank == "all")
    names = list(topography_names())
    if board.topography == DRAWN:
        par[lay.TOPOGRAPHY] = lay.DRAWN_BOARD
    else:
        par[lay.TOPOGRAPHY] = lay.OPEN_BOARD if board.topography is None else names.index(board.topography)
    par[lay.W_DESTROYED : lay.W_STANDS + 1] = np.round(100 * loss_weights()[loss]).astype(np.int64)
    chosen = {**policy_weights(), **(weights or {})}
    for name in weights or {}:
        if name not in policy_weights():
            raise UnknownNameError("policy weight", name, policy_weights())
    # Hundredths of a point in the units of `contact.weigh`: 1/36 of half-points in per cent.
    for name, at in (
        ("nearer", lay.P_NEARER), ("target", lay.P_TARGET),
        ("line", lay.P_LINE), ("shy", lay.P_SHY),
    ):  # fmt: skip
        par[at] = chosen[name] * 72
    par[lay.P_THREAT], par[lay.P_PATIENCE] = chosen["threat"], max(chosen["patience"], 1)
    par[lay.DUEL_LOSS] = ("doubled_lost", "away", "lost").index(rulings.duel_result)
    for name, at in (
        ("front", lay.S_FRONT), ("flank", lay.S_FLANK), ("rear", lay.S_REAR), ("difficult", lay.S_DIFFICULT),
        ("difficult_ground", lay.S_GROUND), ("overlapped_once", lay.S_OVERLAP1),
        ("overlapped_twice", lay.S_OVERLAP2), ("uphill", lay.S_UPHILL), ("supported", lay.S_SUPPORTED),
        ("in_zone", lay.S_IN_ZONE), ("beaten", lay.S_BEATEN), ("doubled", lay.S_DOUBLED),
        ("exceptions", lay.S_EXCEPTIONS), ("penalties", lay.S_PENALTIES), ("physical", lay.S_PHYSICAL),
        ("magical", lay.S_MAGICAL), ("ranged_attack", lay.S_RANGED_ATTACK), ("at_rear", lay.S_AT_REAR),
    ):  # fmt: skip
        par[at] = situations.bits([name])
    kinds = list(terrains().values())
    par[lay.GROUND_MASK] = _mask(k for k, kind in enumerate(kinds) if kind.difficult)
    par[lay.HILL_MASK] = _mask(k for k, kind in enumerate(kinds) if kind.hill)
    par[lay.SIGHT_MASK] = _mask(k for k, kind in enumerate(kinds) if kind.blocks_sight)
    par[lay.SPELL_DEFENCE_COST] = int(rulings.spellblast_defence == "cost")
    par[lay.SPELL_EXCEPTIONS] = int(rulings.spellblast_exceptions)
    par[lay.SPELL_PENALTIES] = int(rulings.spellblast_penalties)
    par[lay.SPELL_FIZZLES] = int(rulings.spellblast_limited == "fizzles")
    par[lay.AT_HOME_BIT] = vocabularies()[0].bits(["at_home"])
    par[lay.HELPS_ONCE] = int(rulings.subcommander_point == "once")
    par[lay.ARRIVES_AT] = ("own_half", "deployment_zone").index(rulings.arrival_place)
    par[lay.ARRIVES_MOVED] = int(not rulings.arrival_moves)
    par[lay.DEFENSE_KIND] = list(terrains()).index("prepared_defenses")
    par[lay.P_ILLUSION], par[lay.P_AMBUSH] = chosen["illusion"], chosen["ambush"]
    par[lay.P_DEFENDS], par[lay.P_LEAVES] = chosen["defends"], chosen["leaves"]
    facts = battle_facts()
    par[lay.COMMAND_NEAR], par[lay.COMMAND_FAR] = facts["command_near"], facts["command_far"]
    par[lay.ORDER_COST], par[lay.AWAY_COST] = facts["order"], facts["to_or_from_away"]
    par[lay.OUT_COST], par[lay.HIGH_MOVE] = facts["out_of_command"], facts["flight_into_high_terrain"]
    par[lay.AWAY_OUT] = int(rulings.away_command == "out")
    par[lay.AWAY_GAP] = rulings.away_distance
    par[lay.HIGH_MASK] = _high_terrain(rulings)
    par[lay.P_AWAY] = chosen["away"]
    par[lay.S_HERO_SHOT] = situations.bits(["hero_shot"])
    par[lay.TWO_SHOTS] = int(rulings.ranged_hero == "two_shots")
    par[lay.PASS_ALL] = int(rulings.retreat_past_skirmishers == "all")
    par[lay.HERO_CLEAR] = int(rulings.hero_returns == "clear")
    par[lay.HERO_MOVE] = rulings.hero_move
    par[lay.RETURN_ROWS] = board.rows // 2 if rulings.regenerate_rows == "half" else board.front_row + 1
    par[lay.FLYER_SIGHT] = int(rulings.flyer_sight)
    par[lay.GENERAL_BIT] = vocabularies()[0].bits(["general"])
    par[lay.AWAY_SHARE] = {"1/2": 2, "0": 0, "1": 4}[rulings.away_casualty_share]
    return par


def new_world(par: Ints, rulings: TriumphRulings, *, events: int = 0) -> np.void:
    """The record of a battle, with rules, odds and parameters, and without armies.

    Parameters
    ----------
    par : array of int64, shape (PAR_COLUMNS,)
        From `parameters`.
    rulings : TriumphRulings
        How open points are decided.
    events : int
        Room for events in the log.
    """
    one: np.void = np.zeros(1, dtype=lay.WORLD_DTYPE)[0]
    one[lay.BOARD] = -2
    one[lay.PAR] = par
    one[lay.PAR][lay.LOG_ROOM] = min(events, lay.MOST_EVENTS)
    rows, one[lay.FITS] = pack_rules(rulings)
    one[lay.ROWS] = END_OF_ROWS
    one[lay.ROWS][:, : rows.shape[1]] = rows
    bits = np.arange(63)
    one[lay.LOWEST][[(1 << int(k)) % 67 for k in bits]] = bits
    one[lay.ODDS] = pack_odds(int(par[lay.LOSER_FIRST]), int(par[lay.FLOOR]))
    return one
