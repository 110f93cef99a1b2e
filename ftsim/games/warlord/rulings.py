"""Points that Fantasy Warlord leaves open, each a field with a default and a reason.

``A-n`` are the numbers under which contradictions and gaps of the text were collected; a
reference that starts with ``model`` is a choice of ours. Numbers that are not public stand in
the profile file, not here.
"""

from __future__ import annotations

from dataclasses import dataclass

from ftsim.ruleset import Rulings, ruling


@dataclass(frozen=True)
class WarlordRulings(Rulings):
    """How the open points are decided; see each field's reason with ``ftsim list warlord rulings``."""

    cost_model: str = ruling(
        "divisor",
        "surcharge",
        ref="A-1",
        why="A loss f costs 1/(1 − f) a cm in every printed example but the ford's, which costs 1 + f. The "
        "default keeps all examples, together with ford_cost.",
    )
    ford_cost: str = ruling(
        "surcharge",
        "divisor",
        ref="A-1",
        why="The ford's example charges a quarter more for a quarter lost; divisor treats fords like the rest.",
    )
    linear_mode: str = ruling(
        "halve_remaining",
        "clear_depth",
        ref="A-2",
        why="The wall's example halves all that is left of the move, whatever the depth; clear_depth charges "
        "only until the rear has crossed, as in an area without width.",
    )
    open_order_bonus: str = ruling(
        "1/4",
        "0",
        ref="A-3",
        why="Open order moves a quarter farther, yet archers in open order move a flat 20 cm in an example; "
        "profiles hold the move in close order.",
    )
    dense_any: bool = ruling(
        True,
        False,
        ref="A-4",
        why="Jungle and swamp disorder any unit that charges, woods and fens only close order; False treats "
        "all four like woods.",
    )
    sight_into_wood: str = ruling(
        "revealed",
        "near_only",
        ref="A-5",
        why="Whether a unit that has fired out of a wood or was revealed may be shot at from outside at any "
        "range, or only within the sight distance.",
    )
    partial_extinguish: bool = ruling(
        False,
        True,
        ref="A-6",
        why="Whether points put out count when the turn's fire is not wholly out; True takes them off its damage.",
    )
    magic_on_stone: str = ruling(
        "first_only",
        "burns_on",
        ref="A-7",
        why="Magical fire strikes what does not burn once, for three points; or it goes on as on wood.",
    )
    collapse_kills: int = ruling(
        0,
        50,
        100,
        ref="A-8",
        why="Chance in per cent that a figure still inside dies when the object is destroyed; nothing is said of it.",
    )
    storeys: str = ruling(
        "per_storey",
        "one_rank",
        ref="A-9",
        why="Figures at the wall shoot once a storey, at most as many as there are; or only one rank shoots.",
    )
    first_fire_roll: str = ruling(
        "same_turn",
        "next_turn",
        ref="A-10",
        why="Whether the first casualties are rolled for in the phase 1 in which half is burnt, or a turn later.",
    )
    overlap: str = ruling(
        "features",
        "kinds",
        ref="A-11",
        why="A long unit in two features pays for both; kinds lets each row of the profile count once.",
    )
    fire_into_melee: bool = ruling(
        False,
        True,
        ref="A-12",
        why="Whether units may shoot at enemies that are fighting hand to hand.",
    )
    combat_cover_inside: str = ruling(
        "each_side_inside",
        "both_sides",
        ref="A-14",
        why="In woods and scrub cover helps each side that stands inside; or both as soon as one does.",
    )
    cover_acts_on: str = ruling(
        "opponent",
        "own",
        ref="A-15",
        why="Cover in combat lowers the percentage of the enemy, or raises one's own by as much.",
    )
    fire_dice: str = ruling(
        "1-100",
        "0-99",
        ref="A-16",
        why="With 1 to 100 a figure dies from 51 with 50 per cent and a point is put out from 50 with 51; with "
        "0 to 99 each is one per cent less.",
    )
    structure_armour: str = ruling(
        "unarmoured",
        "mail_plate",
        ref="A-17",
        why="Which armour a door, wall or roof counts as when weapons strike it.",
    )
    two_wounds_stun: bool = ruling(
        False,
        True,
        ref="8.4",
        why="Whether a figure stunned by the first of two wounds is killed by the second, as by an attack.",
    )
    accumulation_for: str = ruling(
        "all",
        "humanoid",
        ref="10",
        why="Accumulation of wounds is stated for humanoids; the default holds it for giants and monsters too.",
    )
    fire_fighting_from: int = ruling(
        2,
        1,
        ref="model, 8.6",
        why="Turn of the fire in which fighting it can begin: a fire lit in phase 8 leaves no time for an order.",
    )
    contact_overlap: int = ruling(
        1,
        0,
        2,
        ref="model, 5.2",
        why="How many figures more than the enemy's front touch him; 1 keeps the examples of 5 against 4.",
    )
    partial_rank: str = ruling(
        "counts",
        "half",
        "full",
        ref="model, 5.6",
        why="When an incomplete rank counts for modifiers: always, from half its files, or only when full.",
    )
    win_test: str = ruling(
        "more_casualties",
        "higher_share",
        ref="model, 5.10",
        why="Who does better: the side that kills more figures, or a larger share of the enemy's.",
    )
    pushed_off_cover: str = ruling(
        "lost",
        "kept",
        ref="model, 5.10",
        why="A defender pushed back from an obstacle fights on without its cover, or the lines stay.",
    )
    repulsed: str = ruling(
        "renew",
        "charge",
        ref="model, 5.11",
        why="When defenders hold their obstacle the beaten attackers come on again, without or with the bonus "
        "of a charge.",
    )
    pursuit: str = ruling(
        "once",
        "none",
        ref="model, 5.12",
        why="Whether winners whose pursuit reaches the routers strike them once.",
    )
    swimming: str = ruling(
        "as_ford",
        "free",
        ref="model, 2.14",
        why="What a swimmer pays in a river: as in a ford, or nothing.",
    )


MOVES = ("cost_model", "ford_cost", "linear_mode", "open_order_bonus", "overlap", "swimming")
MELEE = (
    "dense_any", "combat_cover_inside", "cover_acts_on", "contact_overlap", "partial_rank", "win_test",
)  # fmt: skip

#: The rulings that each contest reads; it is handed no others.
DECLARED: dict[str, tuple[str, ...]] = {
    "march": MOVES,
    "missile": ("storeys", "fire_into_melee", "sight_into_wood"),
    "combat": MELEE,
    "fight": (*MELEE, "pushed_off_cover", "repulsed", "pursuit", "open_order_bonus"),
    "fire": (
        "partial_extinguish", "magic_on_stone", "collapse_kills", "first_fire_roll", "fire_dice",
        "fire_fighting_from",
    ),
    "demolition": ("structure_armour", "contact_overlap", "partial_rank"),
    "wounds": ("two_wounds_stun", "accumulation_for"),
}  # fmt: skip
