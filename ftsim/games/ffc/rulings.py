"""Points that the FFC text leaves open, each a field with a default and a reason.

``R-n`` are the numbers under which the questions were collected. A field without alternatives is
settled: it is listed so that a reader sees what is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

from ftsim.ruleset import Rulings, ruling


@dataclass(frozen=True)
class FfcRulings(Rulings):
    """How the open points are decided; see each field's reason with ``ftsim list ffc rulings``."""

    copies: str = ruling(
        "one",
        ref="R-01",
        why="How many copies of each warrior, weapon, armor piece and spell: one, as 20 warriors are dealt "
        "10 and 10; the counts are the column copies of the deck tables.",
    )
    armor_split: str = ruling(
        "coin",
        "set_aside",
        ref="R-02",
        why="29 pieces of armor do not halve: a coin says who gets 15, or one piece is set aside.",
    )
    layout: str = ruling(
        "unseen",
        ref="R-03",
        why="Both players equip and lay out without seeing the other; nothing is said about an order.",
    )
    unused_kit: str = ruling(
        "may_stay",
        ref="R-04",
        why="Kit that nobody wears may be left out.",
    )
    race: str = ruling(
        "none",
        ref="R-05",
        why="Race is printed but no rule uses it.",
    )
    elf_is_caster: bool = ruling(
        True,
        False,
        ref="R-06",
        why="Whether the Elf, with one spell, is a spellcaster who may wear no armor.",
    )
    partial_limit: int = ruling(
        5,
        1,
        2,
        ref="R-07",
        why="How many partial pieces a warrior may wear; the text says one or more.",
    )
    rows_count: str = ruling(
        "living",
        ref="R-08",
        why="Every living warrior counts when rows are compared, disabled ones too.",
    )
    ranged_dodge: str = ruling(
        "rating",
        ref="R-09",
        why="The ranged paragraph speaks of a dodge roll; the rating is taken as in hand to hand.",
    )
    natural: str = ruling(
        "none",
        "six_hits",
        "one_misses",
        "both",
        ref="R-10",
        why="Whether a natural 6 always hits or a natural 1 always misses; no rule says so.",
    )
    back_row_penalty: bool = ruling(
        True,
        False,
        ref="R-11",
        why="Firing from the back row costs 1; the text says back rating.",
    )
    bow_bonus: str = ruling(
        "bows",
        "missiles",
        ref="R-12",
        why="Whether the bonus with a bow counts for crossbows too.",
    )
    missile_dam: bool = ruling(
        True,
        False,
        ref="R-13",
        why="Whether the warrior's own damage counts with missiles; one damage rule is printed for all.",
    )
    shield_with_two_hander: str = ruling(
        "penalties_stay",
        "vanish",
        ref="R-14",
        why="A carried shield without benefit still slows; or its penalties vanish.",
    )
    two_weapons: str = ruling(
        "two_attacks",
        "best_of_both",
        "parries_add",
        ref="R-15",
        why="What using two weapons means: an attack with each, or one attack with the better of each number, "
        "or an attack with each and the parry of both.",
    )
    thrown_spent: str = ruling(
        "gone",
        "stays",
        ref="R-16",
        why="Whether a thrown weapon without throws left can still be held.",
    )
    thrown_parry: str = ruling(
        "in_use",
        "held",
        ref="R-17",
        why="Whether a weapon chosen to be thrown still parries while a copy is in hand.",
    )
    weapon_change: str = ruling(
        "none",
        "free",
        ref="R-18",
        why="Whether a shooter may take another weapon in hand after the ranged attacks.",
    )
    full_suits: int = ruling(
        1,
        ref="R-19",
        why="Full suits a warrior may wear.",
    )
    turn_order: str = ruling(
        "random",
        "alternate",
        "fixed",
        ref="R-20",
        why="Who goes first where two choices need an order.",
    )
    least_discard: int = ruling(
        0,
        1,
        ref="R-21",
        why="Whether at least one held fight card must be discarded; the text says some or all.",
    )
    commit: str = ruling(
        "secret",
        "open",
        ref="R-22",
        why="Rows and weapons are chosen by both at once, unseen; or the side that goes second sees the other's.",
    )
    equal_ranges: str = ruling(
        "random",
        "simultaneous",
        ref="R-23",
        why="Ranged attacks with equal scores come in random order; or all of them count, and deaths follow.",
    )
    gamble_target: str = ruling(
        "after",
        ref="R-24",
        why="The target of a gamble is named after the die.",
    )
    front_emptied: str = ruling(
        "needs_six",
        "back_is_front",
        ref="R-25",
        why="Whether the back row counts as front once the front row is empty.",
    )
    reach_from_back: str = ruling(
        "none",
        "six",
        ref="R-26",
        why="Long weapons do not fight from the back row; or a reach of 6 or more does, when the front rows have "
        "paired up, against anyone in front and without a reply.",
    )
    spell_ranges: str = ruling(
        "order_only",
        ref="R-27",
        why="Ranges of spells are an order, not a limit of targets.",
    )
    backstab_from: str = ruling(
        "front",
        "any",
        ref="R-28",
        why="Which row a backstabber attacks from.",
    )
    backstab_reply: bool = ruling(
        False,
        True,
        ref="R-29",
        why="Whether the victim of a backstab strikes back.",
    )
    first_strike_tie: str = ruling(
        "other",
        "coin",
        "simultaneous",
        ref="R-30",
        why="Equal speed or reach on the die for the first blow: the other number decides and then a coin; "
        "or a coin at once; or, when both are equal, blows land together.",
    )
    shooter_in_melee: str = ruling(
        "no_reply",
        "unarmed",
        ref="R-31",
        why="Whether a front-row shooter attacked hand to hand strikes back with bare hands.",
    )
    pick_ties: str = ruling(
        "random",
        "early_doubling",
        ref="R-32",
        why="Equal speeds pick in random order, and unpaired enemies are taken before any is doubled; or a picker "
        "may double at once.",
    )
    doubled_replies: bool = ruling(
        False,
        True,
        ref="R-33",
        why="Whether a warrior attacked by several replies to each; one attack a turn is the rule elsewhere.",
    )
    pairing_order: str = ruling(
        "picking",
        "random",
        "fastest",
        ref="R-34",
        why="Order in which pairings are fought, doublings last: as picked, at random, or by the faster of the two.",
    )
    dead_target: str = ruling(
        "lost",
        "pick_again",
        ref="R-35",
        why="Whether an attack on an enemy already dead is lost.",
    )
    passing: str = ruling(
        "allowed",
        ref="R-36",
        why="A warrior may decline to pick.",
    )
    least_loss: int = ruling(
        0,
        1,
        ref="R-37",
        why="Hits lost to a hit that armor absorbs.",
    )
    dying_blow: str = ruling(
        "none",
        ref="R-38",
        why="A killed warrior does not strike, unless blows land together.",
    )
    cancel_window: str = ruling(
        "hit",
        "declared",
        ref="R-40",
        why="When Shield Wall and Illusions are played: after a hit, or before the die.",
    )
    spell_targets: str = ruling(
        "any",
        "as_weapons",
        ref="R-41",
        why="Whether spells reach both rows, or need the gamble as weapons do.",
    )
    armor_v_spells: bool = ruling(
        False,
        True,
        ref="R-42",
        why="Whether armor reduces damage by spells.",
    )
    neutralized_targets: bool = ruling(
        False,
        True,
        ref="R-43",
        why="Whether a neutralized warrior may be the target of enemy spells.",
    )
    helpless_defence: str = ruling(
        "full",
        "none",
        ref="R-44",
        why="Whether a helpless warrior keeps dodge, parry and block.",
    )
    disabled_cast: str = ruling(
        "none",
        "tactics_and_answers",
        ref="R-45",
        why="Whether disabled casters may cast.",
    )
    answers_count: bool = ruling(
        True,
        False,
        ref="R-46",
        why="Whether a spell cast as an answer is the caster's one spell of the turn.",
    )
    spell_and_attack: str = ruling(
        "both",
        "spell_replaces",
        ref="R-47",
        why="Whether a caster of a ranged spell also attacks with a weapon.",
    )
    controlled: str = ruling(
        "hth",
        "all",
        ref="R-48",
        why="A controlled warrior fights hand to hand if his attack is unspent, and casts nothing; or he also "
        "throws what he holds and casts his spells for his new master.",
    )
    shield_v_spells: bool = ruling(
        False,
        True,
        ref="R-49",
        why="Whether the spell Shield stops ranged spells.",
    )
    raised: str = ruling(
        "full",
        "half_hits",
        "one_hit",
        "naked",
        "enemy_too",
        ref="R-50",
        why="Who returns and how: an own warrior with all hits and kit, half his hits, one hit, or without kit; "
        "or a dead enemy too, for good, with all hits and kit.",
    )
    invisibility: str = ruling(
        "turn",
        "first_attack",
        "battle",
        ref="R-51",
        why="How long Invisibility lasts; no duration is printed.",
    )
    curse: str = ruling(
        "all",
        "hit_only",
        ref="R-52",
        why="Which rolls of the target Curse lowers.",
    )
    stacking: str = ruling(
        "no_limit",
        "one_an_attack",
        "one_a_warrior",
        ref="R-53",
        why="How many fight cards may be played: any number; for each attack one of more damage, one on the hurt and "
        "one more blow; or one a turn on each warrior. Magic Resistance is free.",
    )
    sword_breaker: str = ruling(
        "pairing",
        "carried",
        ref="R-54",
        why="What Sword Breaker can destroy: weapon in use, helm or shield of the enemy paired with; or any weapon "
        "he carries.",
    )
    backstab_card: str = ruling(
        "fighters",
        "anyone",
        ref="R-55",
        why="Backstab is played on front-row fighters; or on anyone whose attack is unspent, a shooter with bare "
        "hands.",
    )
    height_card: str = ruling(
        "shooters",
        "anyone",
        ref="R-56",
        why="Height Adv. is played on back-row warriors who fire; or on those armed hand to hand as well.",
    )
    markers: str = ruling(
        "stack",
        "once",
        "healed",
        ref="R-57",
        why="Whether poison and wounds stack and stay; or count once; or end with Heal.",
    )
    durations: str = ruling(
        "now",
        "next_turn",
        ref="R-58",
        why="Whether the turn of casting is the first of a duration.",
    )
    spell_deck_empty: str = ruling(
        "shuffle",
        "none",
        ref="R-59",
        why="What Wild Magic draws from an empty spell deck.",
    )
    max_turns: int = ruling(
        100,
        50,
        200,
        ref="R-60",
        why="A side wins when it alone has living warriors; a battle ends after so many turns.",
    )
    casualties: int = ruling(
        0,
        3,
        5,
        ref="R-60",
        why="Dead warriors after which a side has lost; 0 for all of them.",
    )
    at_cap: str = ruling(
        "unresolved",
        "hits_left",
        ref="R-60",
        why="What a battle is when its turns are over: unresolved, or won by the side with more hits left.",
    )
    stalemate_stop: int = ruling(
        0,
        20,
        ref="R-61",
        why="Turns without a hit lost after which a battle is unresolved; 0 for never.",
    )
    dead_spells: str = ruling(
        "stay",
        "discarded",
        ref="R-62",
        why="What becomes of a dead caster's spells.",
    )
    wild_magic_elf: bool = ruling(
        True,
        False,
        ref="R-63",
        why="Whether the Elf may draw a spell by Wild Magic.",
    )
    shooter_picks: bool = ruling(
        False,
        True,
        ref="R-64",
        why="Whether front-row shooters pick an opponent in the pairing.",
    )


#: The rulings that each contest reads; it is handed no others.
DECLARED: dict[str, tuple[str, ...]] = {
    "attack": (
        "natural", "back_row_penalty", "bow_bonus", "missile_dam", "shield_with_two_hander", "two_weapons",
        "thrown_parry", "least_loss", "helpless_defence", "curse", "elf_is_caster", "partial_limit",
    ),
    "duel": (
        "natural", "back_row_penalty", "bow_bonus", "missile_dam", "shield_with_two_hander", "two_weapons",
        "thrown_spent", "thrown_parry", "least_loss", "first_strike_tie", "shooter_in_melee", "elf_is_caster",
        "partial_limit",
    ),
    "battle": tuple(info.name for info in FfcRulings.catalog() if info.alternatives),
}  # fmt: skip
