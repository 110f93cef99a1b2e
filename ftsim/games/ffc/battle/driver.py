"""From warbands, rulings and policies to a table, and from the table to many battles on threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ftsim._typing import IntArray
from ftsim.addressed import halves
from ftsim.errors import InputError
from ftsim.games.ffc.arithmetic import hit_faces
from ftsim.games.ffc.attack import NATURAL
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.cards import ARMOR_TYPES, KINDS, Weapon, armor, fight_cards, spells, warriors, weapons
from ftsim.games.ffc.kit import Effects, Fighter, Numbers, numbers, unarmored
from ftsim.games.ffc.policies import Policy, worths
from ftsim.games.ffc.rulings import DECLARED, FfcRulings

MAX_SIZE = 10
HAND_SIZE = 7
#: Cards and spells that `simple` answers (decision D17).
WEIGHTY_CARDS = ("mighty_blow", "flurry", "shield_wall")
WEIGHTY_SPELLS = (
    "fireball", "lightning_bolt", "magic_missiles", "raise_dead", "bloodlust", "control", "petrification",
)  # fmt: skip


@dataclass(frozen=True)
class Scenario:
    """What is played.

    Parameters
    ----------
    bands : (sequence of Fighter, sequence of Fighter), optional
        Fixed warbands; without them both sides are dealt at random.
    sizes : (int, int)
        Warriors a side in a random deal; weapons and armor are shared out in the same proportion.
    cards : bool
        Whether fight cards are played.
    magic : bool
        Whether spells are drawn.
    copies : mapping of str to int
        Copies of fight cards that differ from the deck, by card.
    without : tuple of str
        Spells left out of the deck.
    withheld : int
        Per cent of dealt cards set aside at random, each by its own die, so that an experiment can
        tell what a card is worth against none; 0 in the game.
    """

    bands: tuple[tuple[Fighter, ...], tuple[Fighter, ...]] | None = None
    sizes: tuple[int, int] = (10, 10)
    cards: bool = True
    magic: bool = True
    copies: Mapping[str, int] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    withheld: int = 0

    def __post_init__(self) -> None:
        if self.bands is None:
            if min(self.sizes) < 1 or max(self.sizes) > MAX_SIZE:
                raise InputError(f"Warbands of {self.sizes[0]} and {self.sizes[1]}; accepted: 1 to {MAX_SIZE} each")
        else:
            for band in self.bands:
                if not band:
                    raise InputError("A warband needs at least one fighter")
            total = sum(len(band) for band in self.bands)
            if total > at.MAX_WARRIORS:
                raise InputError(f"{total} fighters on both sides; accepted: at most {at.MAX_WARRIORS} together")
            arms = sum(len(fighter.weapons) for band in self.bands for fighter in band)
            if arms > at.FISTS:
                raise InputError(f"{arms} weapons on both sides; accepted: at most {at.FISTS} together")
            worn = sum(len(fighter.armor) for band in self.bands for fighter in band)
            if worn > MAX_ARMOR:
                raise InputError(f"{worn} pieces of armor on both sides; accepted: at most {MAX_ARMOR} together")
            for fighter in (fighter for band in self.bands for fighter in band):
                if len(fighter.weapons) > at.MAX_ARMS:
                    raise InputError(f"{fighter}: at most {at.MAX_ARMS} weapons in a battle")
        if not 0 <= self.withheld <= 50:
            raise InputError(f"{self.withheld} per cent of cards withheld; accepted: 0 to 50")
        for name, count in self.copies.items():
            fight_cards().find(name)
            if not 0 <= count <= 4:
                raise InputError(f"{name}: {count} copies; accepted: 0 to 4")
        size = sum(self.deck())
        if self.cards and not 2 * HAND_SIZE <= size <= DECK_ROOM:
            raise InputError(f"A fight deck of {size} cards; accepted: {2 * HAND_SIZE} (two hands) to {DECK_ROOM}")
        self._check_decks()

    def _check_decks(self) -> None:
        """Refuse decks that do not add up to what is dealt from them."""
        left_out = {spells().find(name).id for name in self.without}
        if self.magic:
            if self.bands is None:
                drawn = sum(man.spells for man in warriors().values())
            else:
                drawn = sum(fighter.warrior.spells for band in self.bands for fighter in band)
            there = sum(spell.copies for spell in spells().values() if spell.id not in left_out)
            if drawn > there:
                raise InputError(f"The casters draw {drawn} spells, but the spell deck has {there}")
        if self.bands is None:
            if sum(self.sizes) > len(warriors()):
                raise InputError(f"{sum(self.sizes)} warriors to deal, but the deck has {len(warriors())}")
            for what, cards in (("weapons", weapons()), ("armor", armor()), ("spells", spells())):
                odd = [card.name for card in cards.values() if card.id != "unarmed" and card.copies != 1]
                if odd:
                    raise InputError(f"Battles deal one copy of each card; the {what} have another count of {odd}")

    def deck(self) -> list[int]:
        """Copies of each fight card."""
        if not self.cards:
            return [0] * at.FIGHT_KINDS
        changed = {fight_cards().find(name).id: count for name, count in self.copies.items()}
        return [changed.get(card.id, card.copies) for card in fight_cards().values()]


MAX_ARMOR = at.START - at.ARMOR
DECK_ROOM = 60


@dataclass(frozen=True, eq=False)
class Battles:
    """Results of battles, one row a trial.

    Parameters
    ----------
    out : array of int, shape (trials, 30)
        Columns as in `layout`, ``O_RESULT`` and following.
    plays : array of int, shape (2, 60)
        By side: fight cards played, spells cast (from 20), fight cards drawn (from 40), over all trials.
    """

    out: IntArray
    plays: IntArray

    @property
    def trials(self) -> int:
        """How many battles."""
        return len(self.out)

    @property
    def result(self) -> IntArray:
        """0 side A won, 1 side B won, 2 draw, 3 unresolved; shape ``(trials,)``."""
        return np.asarray(self.out[:, at.O_RESULT])

    @property
    def turns(self) -> IntArray:
        """Turns played, shape ``(trials,)``."""
        return np.asarray(self.out[:, at.O_TURNS])

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """How many were won by A, by B, drawn, unresolved."""
        a, b, draw, never = (int(np.sum(self.result == code)) for code in range(4))
        return a, b, draw, never


def table(
    scenario: Scenario,
    policies: tuple[Policy, Policy],
    rulings: FfcRulings,
    key: int,
    *,
    events: int = 0,
    checked: bool = False,
) -> IntArray:
    """The state that battles start from, shape ``(rows, COLUMNS)``.

    Parameters
    ----------
    key : int
        64-bit key of the dice.
    events : int
        Room for a log.
    checked : bool
        Count all cards at every step.
    """
    s = np.zeros((at.LOG + events, at.COLUMNS), dtype=np.int64)
    for k, name in enumerate(_RULES):
        info = FfcRulings.info(name)
        value = getattr(rulings, name)
        number = isinstance(info.default, int) and not isinstance(info.default, bool)
        s[at.RULE, k] = value if number else (info.default, *info.alternatives).index(value)
    s[at.RULE, at.R_NATURAL] = NATURAL[rulings.natural]
    for side, policy in enumerate(policies):
        values = policy.numbers()
        s[at.POLICY + side, : len(values)] = values
    s[at.GAME, at.KEY0], s[at.GAME, at.KEY1] = halves(key)
    s[at.GAME, at.ROOM], s[at.GAME, at.CHECKED] = events, int(checked)
    s[at.GAME, at.WITHHELD] = scenario.withheld
    deck = scenario.deck()
    s[at.COPIES, : at.FIGHT_KINDS] = deck
    s[at.GAME, at.FIGHT_TOTAL] = sum(deck)
    left_out = {spells().find(name).id for name in scenario.without}
    for k, spell in enumerate(spells().values()):
        s[at.RANGE_OF, k] = spell.range
        inside = scenario.magic and spell.id not in left_out
        s[at.SPELL_START, k] = s[at.SPELL_AT, k] = at.IN_DECK if inside else at.OUT_OF_PLAY
        s[at.WEIGHTY, 20 + k] = int(spell.id in WEIGHTY_SPELLS)
    s[at.GAME, at.MAGIC_TOTAL] = int(np.sum(s[at.SPELL_AT, : at.SPELL_KINDS] == at.IN_DECK))
    for k, card in enumerate(fight_cards().values()):
        s[at.WEIGHTY, k] = int(card.id in WEIGHTY_CARDS)
    for margin in range(-12, 13):
        for hits in range(21):
            mean = sum(min(max(die + margin, 0), hits) for die in range(1, 7))
            kill = sum(die + margin >= hits for die in range(1, 7))
            s[at.EXPECT + margin + 12, hits] = mean
            if hits:
                # Rounded up by less than any product of it is below a whole number, so that floors are exact.
                s[at.TAKES + margin + 12, hits] = -(-at.ONE * (2 * hits * kill + mean) // (432 * hits))
    if scenario.bands is None:
        _random(s, scenario, rulings)
    else:
        _fixed(s, scenario.bands, rulings)
    return s


_RULES = (
    "natural", "back_row_penalty", "bow_bonus", "missile_dam", "shield_with_two_hander", "two_weapons",
    "thrown_spent", "thrown_parry", "weapon_change", "armor_split", "turn_order", "least_discard", "front_emptied",
    "backstab_from", "backstab_reply", "first_strike_tie", "shooter_in_melee", "doubled_replies", "pairing_order",
    "dead_target", "least_loss", "cancel_window", "spell_targets", "armor_v_spells", "neutralized_targets",
    "helpless_defence", "disabled_cast", "answers_count", "spell_and_attack", "shield_v_spells", "raised",
    "invisibility", "curse", "stacking", "markers", "durations", "spell_deck_empty", "max_turns", "stalemate_stop",
    "dead_spells", "wild_magic_elf", "shooter_picks", "elf_is_caster", "partial_limit", "commit",
    "equal_ranges", "reach_from_back", "pick_ties", "controlled", "sword_breaker", "backstab_card", "height_card",
    "casualties", "at_cap",
)  # fmt: skip
assert sorted(_RULES) == sorted(DECLARED["battle"])


def _warrior_row(s: IntArray, slot: int, fighter: Fighter, rulings: FfcRulings, card: int) -> None:
    man = fighter.warrior
    r = at.START + slot
    values = {
        at.CARD: card, at.DAM: man.dam, at.SPEED: man.speed, at.SKILL: man.skill, at.DODGE: man.dodge,
        at.HITS0: man.hits, at.SPELLS0: man.spells, at.REACH: man.reach, at.TWO: int(man.two_weapons),
        at.STAB: int(man.backstab), at.BOW: man.bow, at.BARE: int(unarmored(man, rulings)),
        at.CASTER: int(man.spells > 0 and (man.id != "elf" or (rulings.elf_is_caster and rulings.wild_magic_elf))),
        at.WORTH: worths()[man.id], at.HITS: man.hits, at.ALIVE: 1, at.HELM_ID: -1, at.SHIELD_ID: -1,
        at.USE: at.FISTS, at.SECOND: -1,
    }  # fmt: skip
    for column, value in values.items():
        s[r, column] = value


def _weapon_row(s: IntArray, place: int, weapon: Weapon, card: int) -> None:
    r = at.WEAPON + place
    s[r, : at.W_AMMO] = (
        card, weapon.dam, KINDS.index(weapon.kind), weapon.range, weapon.speed, weapon.reach, weapon.parry,
        weapon.ammo, weapon.two_handed, weapon.bow,
    )  # fmt: skip
    s[r, at.W_START] = at.OUT_OF_PLAY


def _armor_row(s: IntArray, place: int, card: int) -> None:
    piece = list(armor().values())[card]
    s[at.ARMOR + place, : at.A_AT] = (
        card, ARMOR_TYPES.index(piece.type), piece.armor, piece.block, piece.speed, piece.dodge,
    )  # fmt: skip
    s[at.ARMOR + place, at.A_START] = at.OUT_OF_PLAY


def _random(s: IntArray, scenario: Scenario, rulings: FfcRulings) -> None:
    cards = list(weapons().values())
    for slot, man in enumerate(warriors().values()):
        _warrior_row(s, slot, Fighter(man), rulings, slot)
    s[at.FIT : at.FIT + at.MAX_WARRIORS], s[at.DURABLE : at.DURABLE + 5 * at.MAX_WARRIORS] = panel(rulings)
    for k, weapon in enumerate(cards):
        _weapon_row(s, at.FISTS if weapon.id == "unarmed" else k, weapon, k)
    s[at.GAME, at.WEAPONS] = len(cards) - 1
    s[at.GAME, at.ARMORS] = len(armor())
    for k in range(len(armor())):
        _armor_row(s, k, k)
    order = sorted(range(len(cards) - 1), key=lambda k: _weapon_rank(cards[k]))
    s[at.ARMS_BY_RANK, : len(order)] = order
    pieces = list(armor().values())
    order = sorted(
        range(len(pieces)),
        key=lambda k: (
            _STAGES.index(pieces[k].type),
            -2 * pieces[k].armor - pieces[k].block,
        ),
    )
    s[at.ARMOR_BY_RANK, : len(order)] = order
    s[at.GAME, at.DEALT] = 1
    s[at.SIDE, at.SIZE], s[at.SIDE + 1, at.SIZE] = scenario.sizes


#: Armor is assigned in this order.
_STAGES = ("full", "partial", "helm", "shield")


def _weapon_rank(weapon: Weapon) -> tuple[bool, int]:
    """Missiles first, then by damage, parry and range (decision D1 of `simple`)."""
    return weapon.kind != "missile", -4 * (weapon.dam + weapon.parry) - weapon.range // 4


def _fixed(s: IntArray, bands: tuple[tuple[Fighter, ...], tuple[Fighter, ...]], rulings: FfcRulings) -> None:
    men, arms, pieces = (list(catalog) for catalog in (warriors(), weapons(), armor()))
    _weapon_row(s, at.FISTS, weapons()["unarmed"], arms.index("unarmed"))
    slot = place = worn = 0
    for k in range(at.MAX_WARRIORS):
        s[at.START + k, at.OWNER] = s[at.START + k, at.LORD] = 2
    for side, band in enumerate(bands):
        s[at.SIDE + side, at.SIZE] = len(band)
        for fighter in band:
            _warrior_row(s, slot, fighter, rulings, men.index(fighter.warrior.id))
            r = at.START + slot
            s[r, at.OWNER] = s[r, at.LORD] = side
            for weapon in fighter.weapons:
                if weapon.id == "unarmed":
                    continue
                _weapon_row(s, place, weapon, arms.index(weapon.id))
                s[at.WEAPON + place, at.W_START] = slot
                s[r, at.ARM0 + s[r, at.ARMS]] = place
                s[r, at.ARMS] += 1
                place += 1
            for piece in fighter.armor:
                _armor_row(s, worn, pieces.index(piece.id))
                s[at.ARMOR + worn, at.A_START] = slot
                if piece.type == "shield":
                    s[r, at.SHIELD_ID], s[r, at.BLOCK] = worn, piece.block
                    s[r, at.SHIELD_SPEED], s[r, at.SHIELD_DODGE] = piece.speed, piece.dodge
                else:
                    if piece.type == "helm":
                        s[r, at.HELM_ID], s[r, at.HELM] = worn, piece.armor
                    s[r, at.PLATE] += piece.armor
                    s[r, at.SUIT_SPEED] += piece.speed
                    s[r, at.SUIT_DODGE] += piece.dodge
                worn += 1
            slot += 1
    s[at.GAME, at.WEAPONS], s[at.GAME, at.ARMORS] = place, worn


#: Most armor in the table of durability; five pieces and a helm make 6.
MOST_ARMOR = 9


@lru_cache(maxsize=8)
def panel(rulings: FfcRulings) -> tuple[IntArray, IntArray]:
    """What decision D1 of `greedy` weighs, against a panel of all warriors with Long Swords.

    A blow takes ``k + e / 2h`` of its target: the chance to kill and half the share of his hits. Offence is
    the mean over the panel; what a warrior lets through the mean of the panel's blows on him; strength
    is offence in their sum, near the share of duels he wins.

    Returns
    -------
    fit : array of int, shape (20, COLUMNS)
        By warrior and, from the columns of FIT on, by weapon: strength times his worth, offence
        (millionths; of a missile from the back row), mean hits taken (millionths).
    durable : array of int, shape (100, COLUMNS)
        Millionths let through, five rows a warrior by dodge and parry of his kit together (−2 … 2),
        columns by armor (times 5) and block.
    """
    men = [Fighter(man, (weapons()["long_sword"],)) for man in warriors().values()]
    foes = [numbers(man, Effects(), rulings) for man in men]
    fit = np.zeros((at.MAX_WARRIORS, at.COLUMNS), dtype=np.int64)
    durable = np.zeros((5 * at.MAX_WARRIORS, at.COLUMNS), dtype=np.int64)
    natural = NATURAL[rulings.natural]
    for i, man in enumerate(warriors().values()):
        for kit in range(-2, 3):
            for plate in range(MOST_ARMOR):
                for block in range(5):
                    through = [
                        _takes(foe, foe.skill - man.dodge - kit, plate, man.hits, block, natural)[0] for foe in foes
                    ]
                    durable[5 * i + kit + 2, 5 * plate + block] = round(1e6 * float(np.mean(through)))
        for k, weapon in enumerate(weapons().values()):
            n = numbers(Fighter(man, (weapon,)), Effects(), rulings)
            shoots = weapon.kind == "missile"
            penalty = int(shoots and rulings.back_row_penalty)
            blows = [
                _takes(n, n.skill - foe.dodge - (penalty if shoots else foe.parry), 0, foe.hits, 0, natural)
                for foe in foes
            ]
            offence, mean = (float(np.mean(column)) for column in zip(*blows, strict=True))
            lets = float(durable[5 * i + 2 + n.parry, 0]) / 1e6
            strength = offence / (offence + lets) if offence else 0.0
            fit[i, at.STRENGTH + k] = round(1000 * worths()[man.id] * strength)
            fit[i, at.OFFENCE + k] = round(1e6 * offence)
            fit[i, at.MEAN_LOSS + k] = round(1e6 * mean)
    return fit, durable


def _takes(a: Numbers, modifier: int, armor_: int, hits: int, block: int, natural: int) -> tuple[float, float]:
    """Share of `hits` that a blow of `a` takes, kills counted whole, and the mean hits it takes."""
    land = hit_faces(modifier, natural) / 6 * (6 - block) / 6
    margin = a.dam - armor_
    kill = sum(die + margin >= hits for die in range(1, 7)) / 6
    mean = sum(min(max(die + margin, 0), hits) for die in range(1, 7)) / 6
    return land * (kill + mean / (2 * hits)), land * mean


def play(s: IntArray, trials: int, *, start: int = 0, threads: int = 1, size: int = 2000) -> Battles:
    """Play battles `start` … `start + trials - 1` of a table.

    Results depend neither on `threads` nor on `size`, the trials a thread takes at a time.
    """
    from ftsim.games.ffc.battle.turn import block

    if trials < 1:
        raise InputError(f"The number of trials must be at least 1, got {trials}")
    out = np.zeros((trials, at.O_COLUMNS), dtype=np.int64)
    spans = [(k, min(size, trials - k)) for k in range(0, trials, size)]

    def work(span: tuple[int, int]) -> Any:
        own = s.copy()
        first, count = span
        block(own, out[first : first + count], start + first, count)
        return own[at.PLAYS : at.PLAYS + 2, :60]

    if threads == 1:
        plays = [work(span) for span in spans]
    else:
        with ThreadPoolExecutor(threads) as pool:
            plays = list(pool.map(work, spans))
    return Battles(out, np.sum(plays, axis=0))


def warband(texts: Sequence[str], rulings: FfcRulings) -> tuple[Fighter, ...]:
    """Fighters of a warband from notation, with ``3 x Orc + Long Sword`` for several alike."""
    found: list[Fighter] = []
    for text in texts:
        head, times, rest = text.partition(" x ")
        count, spec = (int(head), rest) if times and head.strip().isdigit() else (1, text)
        if not 1 <= count <= at.MAX_WARRIORS:
            raise InputError(f"{text!r}: {count} fighters; accepted: 1 to {at.MAX_WARRIORS}")
        found += [Fighter.parse(spec, rulings)] * count
    return tuple(found)
