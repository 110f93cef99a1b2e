"""Points that the rules of Fantasy Triumph leave open, each a field with a default and a reason.

``HA-n`` and ``h-n`` are the numbers under which the questions were collected; a reference that
starts with ``model`` is a choice of ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from ftsim.ruleset import Rulings, ruling


@dataclass(frozen=True)
class TriumphRulings(Rulings):
    """How the open points are decided; see each field's reason with ``ftsim list triumph rulings``."""

    core_version: str = ruling(
        "1.1",
        "1.2",
        ref="HA-0, h-28",
        why="Version of the core factors. 1.2 is known from one snapshot only: Pavise 3 against mounted, "
        "War Wagons shot at 3 with −1 to the shooter.",
    )
    moves_version: str = ruling(
        "1.1",
        "1.2",
        ref="HA-18",
        why="Version of the moves; 1.2 gives Bow Levy, Horde and Rabble one MU more and may hold with 1.1 factors.",
    )
    battle_line_share: int = ruling(
        60,
        50,
        75,
        ref="HA-1",
        why="FT 3.1 is not public: a type counts as battle line when at least this share (per cent) of "
        "its entries in published lists are.",
    )
    behemoth_shatter: str = ruling(
        "skirmishers_light_foot",
        "skirmishers",
        "none",
        ref="HA-2",
        why="The list of who shatters Behemoths breaks off after Skirmishers and a word Light; the "
        "default adds Light Foot, and Artillery when shooting.",
    )
    evade_and_panic: str = ruling(
        "pattern",
        "none",
        "always",
        ref="HA-3",
        why="Who evades (76.3) or panics (76.4) when doubled is not public; the default follows the "
        "pattern of the related game and what the cards say.",
    )
    mounted_in_difficult: str = ruling(
        "knights",
        "all",
        "none",
        ref="HA-4",
        why="76.5 destroys mounted beaten in difficult terrain; one account tells of Knights, nothing of others.",
    )
    rear_support: int = ruling(
        1,
        0,
        2,
        ref="HA-5",
        why="Factor for a supporter of the same type behind Pike, Warband, Warriors, Spear and Light "
        "Spear in open terrain; recipients and value are inferred.",
    )
    shoot_after_moving: str = ruling(
        "all_but_artillery",
        "none",
        ref="HA-6",
        why="Whether shooters may shoot in their own turn after a move; changes how often, not how well.",
    )
    spellblast_factor: int = ruling(
        4,
        3,
        5,
        ref="HA-7",
        why="FT 19 is not public; 4 as for Mindblast, which costs about the same.",
    )
    spellblast_defence: str = ruling(
        "shot_at",
        "cost",
        ref="HA-7",
        why="What a target of Spellblast defends with: its factor when shot at, or its cost as for Mindblast.",
    )
    spellblast_penalties: bool = ruling(
        True,
        False,
        ref="HA-7",
        why="Whether rear, flying and general count for Spellblast as they do for shooting.",
    )
    spellblast_exceptions: bool = ruling(
        False,
        True,
        ref="HA-7",
        why="Whether Shattered, Evade and Panic apply to Spellblast.",
    )
    spellblast_limited: str = ruling(
        "resolves",
        "fizzles",
        ref="HA-7",
        why="Whether a limited Spellblast still takes effect on the natural 1 that spends it.",
    )
    post_roll: str = ruling(
        "simultaneous",
        "loser_first",
        ref="HA-8, h-10",
        why="Prowess, Hearten and Weaken are applied once, together, from the first comparison; or the "
        "loser's first, and Prowess only if that side is still ahead.",
    )
    prowess_in_ranged: bool = ruling(
        False,
        True,
        ref="HA-8, h-9",
        why="FT 50.1 says a combat where its siblings say close combat.",
    )
    general_protects_vs_mindblast: bool = ruling(
        False,
        True,
        ref="HA-9",
        why="Whether a general's stand is harder to hit with Mindblast; Armored, called identical, does not help.",
    )
    duel_result: str = ruling(
        "doubled_lost",
        "away",
        "lost",
        ref="HA-10",
        why="What losing a duel means: Away, and lost when doubled; always Away; always lost.",
    )
    away_casualty_share: str = ruling(
        "1/2",
        "0",
        "1",
        ref="HA-11",
        why="Share of its value that a stand counts as lost while Away; as for Delayed Entry (FT 32.3).",
    )
    overlap: int = ruling(
        -1,
        0,
        -2,
        ref="HA-12",
        why="Factor for each enemy that overlaps.",
    )
    uphill: int = ruling(
        1,
        0,
        2,
        ref="HA-12",
        why="Factor for standing uphill of the enemy.",
    )
    rear: int = ruling(
        -1,
        -2,
        ref="HA-12",
        why="Factor of a stand attacked from the rear.",
    )
    flyer_shot_beaten: str = ruling(
        "no_effect",
        "falls_back",
        ref="HA-13",
        why="What happens to a Flying stand beaten by shooting; a draft of 2019 says nothing does.",
    )
    camp_beaten: str = ruling(
        "sacked",
        "doubled_only",
        ref="HA-14",
        why="Whether a camp is sacked when beaten or only when doubled.",
    )
    affinity_open: str = ruling(
        "literal",
        "helpful",
        ref="HA-15",
        why="A stand in its affinity terrain is in open terrain for all purposes (58.1), so also when "
        "Knights shatter it; or only when that helps it.",
    )
    artillery_transports: bool = ruling(
        True,
        False,
        ref="HA-16",
        why="Mobile Infantry excludes War Wagons among close order foot, not Artillery.",
    )
    ranged_hero: str = ruling(
        "one_shot",
        "two_shots",
        ref="HA-17",
        why="Whether a shooting stand with a hero's Ranged Attack shoots once with the better, or twice (51.3).",
    )
    unreliable_price: str = ruling(
        "reference",
        "card_page",
        ref="h-2",
        why="Unreliable is printed both ways round: −2 for Knights, Behemoths and Fierce with −1 "
        "otherwise (quick reference and worked example), or the reverse.",
    )
    mindless_stops_magic: bool = ruling(
        False,
        True,
        ref="h-3",
        why="FT 46.1 speaks of all kinds of Negate Magic, 46.3 limits Mindless; 46.3 is taken.",
    )
    fierce_for_heroes: bool = ruling(
        False,
        True,
        ref="h-4",
        why="Fierce is priced per hero or stand, but heroes may take no card that lowers their cost.",
    )
    champion_counts_itself: bool = ruling(
        True,
        False,
        ref="h-11",
        why="Whether Champion's own point counts in the hero's cost for duels.",
    )
    brittle_two_prices: str = ruling(
        "smaller",
        "larger",
        ref="h-12",
        why="Which reduction holds when two rows of Brittle's price apply.",
    )
    delayed_entry_cap: str = ruling(
        "per_bearer",
        "total",
        ref="h-13",
        why="Whether the saving is capped at each bearer's cost or at the cost of all together.",
    )
    hold_the_line_cap: str = ruling(
        "class",
        "army",
        ref="h-14",
        why="Whether at most three are for each class or for the army.",
    )
    craven_stops_78_1: bool = ruling(
        False,
        True,
        ref="h-15",
        why="FT 30.1.e changes 78.2 only, so a Craven Pike, which always pursues, still does.",
    )
    mindblast_brittle: str = ruling(
        "doubled",
        "beaten",
        ref="h-16",
        why="When Mindblast destroys a Brittle stand; 44.1.j speaks of doubled.",
    )
    terror_stops_evade: bool = ruling(
        True,
        False,
        ref="h-17",
        why="Terror overrules the result table except Shattered, so a doubled enemy is destroyed even if "
        "it would evade or panic.",
    )
    terror_over_76_5: bool = ruling(
        False,
        True,
        ref="h-18",
        why="Whether a beaten stand that 76.5 would destroy panics from Terror instead.",
    )
    supporting_shooters_stack: bool = ruling(
        False,
        True,
        ref="h-19",
        why="Whether an enemy on several of its lists gives Supporting Shooters more than +1.",
    )
    armored_stacks_with_general: bool = ruling(
        False,
        True,
        ref="h-21",
        why="Armored is called identical to the general's −1, so both together give −1.",
    )
    spiked_carts_armored_rear: bool = ruling(
        True,
        False,
        ref="h-22",
        why="A like core card excludes shots from the rear; this one does not say so.",
    )
    spiked_carts_move: str = ruling(
        "fixed",
        "modified",
        ref="h-23",
        why="Whether Fast and Slow change the 2 MU of Spiked Carts.",
    )
    regenerate_cost: str = ruling(
        "before_refund",
        "after_refund",
        ref="h-24",
        why="Whether Regenerate and Unreliable look at a stand's cost without or with the refund of Delayed Entry.",
    )
    zone_covers_itself: bool = ruling(
        True,
        False,
        ref="h-25",
        why="Whether Negate Magic: Zone protects its own stand (46.1: all kinds).",
    )
    ambush_dense_home: int = ruling(
        2,
        1,
        ref="h-26",
        why="Price of Ambush for an army with a dense home topography that uses it only there.",
    )
    transports_vs_mindblast: bool = ruling(
        False,
        True,
        ref="h-29",
        why="Whether the −1 of Mobile Infantry counts against Mindblast; 44.1.c fixes the defence.",
    )
    total_floor: int = ruling(
        -99,
        1,
        ref="h-30",
        why="Least total a side can have; without one, any win doubles a total of 0 or less.",
    )
    retreat_with_enemy_on_flank: str = ruling(
        "all",
        "fall_back",
        ref="model, 80.2.a",
        why="A stand with an enemy on its flank or rear is destroyed if it must fall back; evading and "
        "panicking begin with a fall back, so they count too.",
    )
    bow_shatter: str = ruling(
        "any",
        "open",
        ref="model, 76.2",
        why="Shooters and Bow Levy are shattered by any mounted; one example by an author adds in the open.",
    )
    camp_counts_as: str = ruling(
        "foot",
        "mounted",
        ref="model, 72",
        why="Which factor a stand uses against a camp.",
    )
    flyer_v_camp: int = ruling(
        -1,
        0,
        ref="model, draft of 2019",
        why="Factor of a Flying stand that attacks a camp.",
    )
    flyer_shot_at: int = ruling(
        -1,
        0,
        ref="model, FT 10.3",
        why="Factor of a Flying target when shot at; the value is from a draft.",
    )
    oasis_hinders_flyers: bool = ruling(
        False,
        True,
        ref="model, FT 9",
        why="A draft names woods, wooded hills and village as terrain that hinders flyers; the card adds "
        "the oasis for stands that may not land there.",
    )
    flyer_high_terrain: str = ruling(
        "tall",
        "tall_or_hills",
        ref="model, FT 9.1.a",
        why="Which terrain is high, so that a flight that ends in it is 3 MU at most: where stand-off flyers may "
        "not land (woods, wooded hills, village, oasis), or every hill too.",
    )
    flyer_sight: bool = ruling(
        True,
        False,
        ref="model, draft of 2019",
        why="Whether nothing blocks sight to and from Flying stands but terrain that either is in.",
    )
    flyers_go_away: bool = ruling(
        True,
        False,
        ref="model, FT 7",
        why="Whether Flying stands may leave by an order as Away stands do; a draft and FT 45.2 speak for it.",
    )
    away_command: str = ruling(
        "in",
        "out",
        ref="model, FT 7",
        why="Whether an order to return from Away also pays for being out of command; a draft of 2019 says so.",
    )
    away_distance: int = ruling(
        2,
        0,
        4,
        ref="model, FT 7",
        why="MU from every enemy at which a stand may return from Away, outside zones.",
    )
    hero_returns: str = ruling(
        "clear",
        "any",
        ref="model, FT 7, 14",
        why="Which stand a hero may join from Away: one that stands where a stand may return, or any.",
    )
    hero_move: int = ruling(
        8,
        0,
        4,
        ref="model, FT 14",
        why="MU that a hero may ride from his stand to another by an order; with 0 he stays with his stand.",
    )
    regenerate_rows: str = ruling(
        "half",
        "deployment",
        ref="model, Triumph! 40.8",
        why="How far along the outer lanes stands with Regenerate come back: its own half, or its deployment zone.",
    )
    retreat_past_skirmishers: str = ruling(
        "all",
        "massive",
        ref="model, Triumph! 81.1",
        why="Who falls back past friendly Skirmishers: FT 43.1.c cites 81.1.c for Massive stands, as a rule for all.",
    )
    command_rolls: int = ruling(
        6,
        4,
        8,
        10,
        ref="model, 60.1",
        why="Command rolls a side makes in a battle, for the chance to lose an Unreliable stand and for "
        "casts of Spellblast.",
    )

    subcommander_point: str = ruling(
        "once",
        "each_order",
        ref="model, FT 4.1.d 56",
        why="The command point of a Subcommander is for moves that include him: one in a turn, or one for each.",
    )
    arrival_place: str = ruling(
        "own_half",
        "deployment_zone",
        ref="model, FT 32.1, 40.8",
        why="Where a group of Delayed Entry comes onto the board, at a side edge: 40.8 is not public.",
    )
    arrival_moves: bool = ruling(
        False,
        True,
        ref="model, FT 32.1",
        why="Whether a group of Delayed Entry may get orders in the turn in which it arrives.",
    )


#: The rulings that each contest reads; it is handed no others.
DECLARED: dict[str, tuple[str, ...]] = {
    "close-combat": (
        "core_version", "behemoth_shatter", "evade_and_panic", "mounted_in_difficult", "rear_support",
        "post_roll", "overlap", "uphill", "rear", "camp_beaten", "affinity_open", "craven_stops_78_1",
        "terror_stops_evade", "terror_over_76_5", "supporting_shooters_stack", "zone_covers_itself",
        "total_floor", "retreat_with_enemy_on_flank", "bow_shatter", "camp_counts_as", "flyer_v_camp",
        "oasis_hinders_flyers",
    ),
    "ranged": (
        "core_version", "behemoth_shatter", "evade_and_panic", "prowess_in_ranged",
        "flyer_shot_beaten", "mindless_stops_magic", "armored_stacks_with_general",
        "spiked_carts_armored_rear", "zone_covers_itself", "flyer_shot_at",
    ),
    "mindblast": (
        "general_protects_vs_mindblast", "mindblast_brittle", "transports_vs_mindblast",
        "zone_covers_itself",
    ),
    "spellblast": (
        "core_version", "evade_and_panic", "spellblast_factor", "spellblast_defence",
        "spellblast_penalties", "spellblast_exceptions", "spellblast_limited", "flyer_shot_beaten",
        "mindless_stops_magic", "armored_stacks_with_general", "spiked_carts_armored_rear",
        "zone_covers_itself", "flyer_shot_at",
    ),
    "duel": ("duel_result", "champion_counts_itself"),
    # Battles read all of the above too.
    "battle": (
        "moves_version", "away_casualty_share", "ranged_hero", "fierce_for_heroes", "spiked_carts_move",
        "flyer_high_terrain", "flyer_sight", "flyers_go_away", "away_command", "away_distance",
        "hero_returns", "hero_move", "regenerate_rows", "retreat_past_skirmishers", "subcommander_point",
        "arrival_place", "arrival_moves",
    ),
}  # fmt: skip
