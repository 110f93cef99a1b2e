"""Army and event cards in whole battles: each happens in a log, and helps or hurts as the rules give it."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.games.triumph.armies import Army, ArmyCard, ArmyHero, Regiment
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.arms import joined
from ftsim.games.triumph.battle.build import Board, Pool, pack_cards, pack_hosts
from ftsim.games.triumph.battle.engine import BattleOptions, fight, tell
from ftsim.games.triumph.battle.hosts import Host, read_army_card
from ftsim.games.triumph.battle.log import (
    Ambushed,
    Arrived,
    Charged,
    Commanded,
    Defended,
    Deployed,
    Dropped,
    Ended,
    Fought,
    GroupMoved,
    Held,
    Helped,
    Joined,
    Laid,
    Lost,
    Moved,
    Pursued,
    Readied,
    Revealed,
    Rode,
    Shot,
    Shown,
    decode,
    play_back,
    roster,
)
from ftsim.games.triumph.battle.replays import told
from ftsim.games.triumph.battle.storyboard import storyboard
from ftsim.games.triumph.battle.telling import tell_story
from ftsim.games.triumph.notation import Hero, Stand, read_card
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import topographies

RULINGS = TriumphRulings()
MANY = (
    "Spear", "Heavy Foot", "Shooters", "Pike", "Light Foot", "Bow Levy", "Horde", "Rabble", "Light Spear",
)  # fmt: skip


def host(name: str, *stands: str, heroes: tuple[str, ...] = (), delayed: tuple[str, ...] = (), **more) -> Host:
    found, late = [], []
    for texts, listed in ((stands, found), (delayed, late)):
        for text in texts:
            count, _, spec = text.partition(" x ")
            listed += [Hero.read(spec) if spec.startswith("Hero") else Stand.read(spec)] * int(count)
    return Host.of(name, found, [Hero.read(text) for text in heroes], delayed=late, **more)


# ---------------------------------------------------------------- how cards get into a battle


def test_an_army_brings_all_it_bought():
    riders = Stand.read("Spear + Mobile Infantry: ground")
    raiders = Stand.read("Raiders")
    army = Army(
        "all of it", 51, topographies()["forest"], 2, 2,
        (
            Regiment(Stand.read("Elite Foot + general"), 1), Regiment(Stand.read("Spear"), 3, 2),
            Regiment(riders, 2), Regiment(raiders, 2),
        ),
        (ArmyHero(Hero.read("Hero + Deadly"), True), ArmyHero(Hero.read("Hero + Subcommander"))),
        (
            ArmyCard(read_card("Ambush: home only")), ArmyCard(read_card("Illusion"), 2),
            ArmyCard(read_card("Prepared Defenses"), 3), ArmyCard(read_card("Fortified Camp: heavily")),
            ArmyCard(read_card("Pack Train")), ArmyCard(read_card("Charge Through"), 2, raiders),
            ArmyCard(read_card("Hold the Line"), 3, Stand.read("Spear")),
            ArmyCard(read_card("Hold the Line"), 1, riders),
        ),
    )  # fmt: skip
    found = Host.from_army(army)
    assert len(found.delayed) == 3
    pool = pack_hosts([found], RULINGS)
    spec = pool.spec[0, : pool.sizes[0]]
    cards = pool.cards[0]
    assert cards[lay.AMBUSH] == 2 + 3  # forest is the fourth topography
    assert (cards[lay.ILLUSIONS], cards[lay.DEFENSES], cards[lay.CHARGES_THROUGH]) == (2, 3, 2)
    assert list(cards[lay.HOLDS_THE_LINE : lay.HOLDS_THE_LINE + 3]) == [3, 1, 0]
    assert spec[:, lay.DELAYED].sum() == 3
    assert spec[:, lay.FAKE].sum() == 2
    assert spec[spec[:, lay.FAKE] == 1, lay.COST].sum() == 0
    assert list(np.bincount(spec[:, lay.TRANSPORTS])) == [len(spec) - 2, 2]
    assert set(spec[spec[:, lay.TRANSPORTS] == lay.GROUND, lay.RIDE_MOVE]) == {6}
    assert (spec[:, lay.CHARGES].sum(), sorted(spec[spec[:, lay.HOLD_CLASS] > 0, lay.HOLD_CLASS])) == (
        2,
        [1, 1, 1, 2, 2],
    )
    assert (spec[:, lay.FLAGS] & lay.SUBCOMMANDER > 0).sum() == 1
    camps = spec[spec[:, lay.ROLE] == lay.CAMP]
    assert list(camps[:, lay.CAMP_KIND]) == [lay.HEAVILY_FORTIFIED, lay.TRAIN]
    assert list(camps[:, lay.COST]) == [34, 16]
    # The army's cards are no part of what it can lose (FT 39.6, 45).
    assert found.cost(RULINGS) == army.victory_points(RULINGS)


def test_pools_without_cards_have_none_and_pools_can_be_joined():
    plain, carded = host("plain", "2 x Spear"), host("carded", "2 x Spear", cards=["2 x Prepared Defenses"])
    packed = pack_hosts([plain, carded], RULINGS)
    bare = Pool(packed.spec, packed.sizes, packed.thresholds)
    assert bare.cards.shape == (2, lay.CARD_COLUMNS)
    assert not bare.cards.any()
    assert (joined(bare, packed).cards.sum(axis=1) == [0, 0, 0, 2]).all()


def test_cards_are_read_from_text():
    card = read_army_card("3 x Hold the Line for Spear + Prowess")
    assert (card.count, card.pick.card.id, card.troop_class) == (3, "hold_the_line", Stand.read("Spear + Prowess"))
    assert read_army_card("Ambush: any topography").count == 1


@pytest.mark.parametrize(
    ("message", "more"),
    [
        ("delayed more often", {"delayed": ("1 x Knights",)}),
        ("general cannot arrive late", {"delayed": ("1 x Elite Foot + general",)}),
        ("the army has no Raiders", {"cards": ["Charge Through for Raiders"]}),
        ("no class is named", {"cards": ["Hold the Line"]}),
        ("is no card of a host", {"cards": ["Deadly"]}),
        ("cannot be used", {"cards": [ArmyCard(read_card("Illusion"), 0)]}),
        ("at most 8", {"cards": [f"Hold the Line for {name}" for name in MANY]}),
        ("home topography", {"cards": ["Ambush: home only"]}),
        ("a battle holds 63", {"cards": [f"{n} x Illusion" for n in (60, 5)]}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_clearly(message, more):
    stands = ["1 x Elite Foot + general", *(f"1 x {name}" for name in MANY)]
    with pytest.raises(InputError, match=message):
        pack_hosts([host("odd", *stands, **more)], RULINGS)


@pytest.mark.parametrize("stand", ["Knights", "War Wagons"])
def test_transports_are_for_foot_that_may_have_them(stand):
    with pytest.raises(InputError, match=r"cannot ride.*FT 45"):
        pack_hosts([host("odd", f"1 x {stand} + Mobile Infantry: ground")], RULINGS)


def test_an_illusion_needs_a_stand_to_look_like():
    with pytest.raises(InputError, match="look like"):
        host("alone", "1 x Elite Foot + general", cards=["Illusion"])
    with pytest.raises(InputError, match="no Pack Train"):
        Host("none", ((0, Stand.read("Spear")),), camp=None, pack_train=True)
    assert pack_cards(host("plain", "1 x Spear")).sum() == 0


# ---------------------------------------------------------------- each card happens in a log

SINK = host(
    "all of it", "1 x Elite Foot + general", "3 x Spear", "2 x Raiders", "2 x Heavy Foot + Mobile Infantry: ground",
    "1 x Shooters + Mobile Infantry: flying", "2 x Knights", "1 x Light Foot",
    heroes=("Hero + Subcommander", "Hero + Deadly"), delayed=("1 x Light Foot", "1 x Knights", "1 x Hero + Deadly"),
    cards=["3 x Illusion", "Ambush: any topography", "Hold the Line for Spear", "2 x Charge Through for Raiders",
           "4 x Prepared Defenses", "Pack Train", "Fortified Camp: fortified"],
)  # fmt: skip
FOE = host(
    "foe", "1 x Knights + general", "3 x Knights", "4 x Heavy Foot", "2 x Warband", "2 x Shooters", "1 x Skirmishers",
    cards=["2 x Illusion", "Ambush: any topography"],
)  # fmt: skip
FOREST = Board(topography="forest")
SMALL = Board(lanes=8, rows=20, front_row=5)
NARROW = Board(lanes=4, rows=24, front_row=6)


def battles(a: Host, b: Host, policy: str = "greedy", trials: int = 24, seed: int = 5, **how):
    """Pieces, events and frames of some battles."""
    options = BattleOptions(policy, policy, **how)
    for trial in range(trials):
        log, _ = tell(a, b, trial, options, seed)
        pieces = roster(a, b, RULINGS)
        events = decode(log, options.board)
        yield pieces, events, play_back(events, pieces, RULINGS)


def free_mu(one, other) -> int:
    """MU between two spots."""
    return max(2 * (abs(one.lane - other.lane) - 1), abs(one.row - other.row) - 1, 0)


def of(events, kind):
    return [event for event in events if isinstance(event, kind)]


def home_row(spot, near: bool, board: Board = FOREST) -> int:
    """Rows from the own edge, from 0."""
    return spot.row - 1 if near else board.rows - spot.row


def at_near_edge(pieces, events, side: int) -> bool:
    return next(e.facing for e in of(events, Deployed) if pieces[e.who].side == side) == 0


def test_ambush_happens_by_its_clauses():
    light = host("light", "1 x Raiders + general", "9 x Raiders", cards=["Ambush: any topography"])
    guns = host("guns", "1 x Artillery + general", "9 x Artillery")
    hidden = 0
    for pieces, events, _ in battles(light, guns, board=FOREST):
        (rolled,) = of(events, Readied)
        ambushed = of(events, Ambushed)
        assert rolled.side == 0
        assert len(ambushed) <= rolled.roll
        difficult = [e for e in of(events, Laid) if e.kind not in ("gentle_hills", "ploughed_fields")]
        boxes: dict[tuple[int, int], int] = {}
        near = at_near_edge(pieces, events, 0)
        enemies = [e.at for e in of(events, Deployed) if pieces[e.who].side == 1 and pieces[e.who].kind == "stand"]
        for event in ambushed:
            at = event.at
            assert any(p.low.lane <= at.lane <= p.high.lane and p.low.row <= at.row <= p.high.row for p in difficult)
            assert FOREST.front_row < home_row(at, near) <= FOREST.rows - 1 - 8
            assert all(free_mu(at, enemy) > 2 for enemy in enemies)
            box = ((at.lane - 1) // 8, (at.row - 1) // 16)
            boxes[box] = boxes.get(box, 0) + 1
        assert max(boxes.values(), default=0) <= 2
        hidden += len(ambushed)
    assert hidden > 10
    home = host("home", *["1 x Raiders + general", "9 x Raiders"], cards=["Ambush: home only"], home="marsh")
    for _, events, _ in battles(home, guns, trials=4, board=FOREST):
        assert not of(events, Readied)


def test_ambush_follows_the_topography_that_a_trial_draws():
    guns = host("guns", "1 x Artillery + general", "9 x Artillery")
    drawn = Board(topography="drawn")

    def readied(card: str, **more: str) -> int:
        light = host("light", "1 x Raiders + general", "9 x Raiders", cards=[card], **more)
        return sum(len(of(events, Readied)) for _, events, _ in battles(light, guns, trials=40, board=drawn))

    assert readied("Ambush: any topography") == 40
    assert 0 < readied("Ambush: home only", home="marsh") < 40


def test_delayed_entry_counts_half_until_it_arrives_for_five_points():
    late = host(
        "late", "1 x Spear + general", "5 x Spear", "3 x Knights", heroes=("Hero + Deadly",),
        delayed=("2 x Knights", "1 x Hero + Deadly"),
    )  # fmt: skip
    came = 0
    for pieces, events, frames in battles(late, FOE):
        assert frames[0].points_lost == (Fraction(4 + 4 + 3, 2), 0)
        arrived = of(events, Arrived)
        deployed = {event.who for event in of(events, Deployed)}
        assert not deployed & {event.who for event in arrived}
        near = at_near_edge(pieces, events, 0)
        for event in arrived:
            roll = next(e.roll for e in of(events, Commanded) if e.turn == event.turn)
            assert roll >= 5
            assert event.at.lane in (1, 24)
            assert home_row(event.at, near) < 16
            before = next(f for f in frames if f.turn == event.turn - 1).states
            for k, state in enumerate(before):
                if pieces[k].side == 1 and state.status == "on board":
                    assert free_mu(state.at, event.at) > 0
        if arrived:
            came += 1
            assert len({event.turn for event in arrived}) == 1
            assert any(e.turn == arrived[0].turn and pieces[e.who].kind == "hero" for e in of(events, Joined))
    assert came >= 8
    alone = host("alone", "6 x Spear", heroes=("Hero",), delayed=("1 x Hero",))
    away = [e for _, events, _ in battles(alone, FOE) for e in of(events, Arrived)]
    assert away
    assert all(event.at is None for event in away)


@pytest.mark.parametrize(
    ("card", "least", "cost"), [(None, 3, 8), ("Fortified Camp: fortified", 5, 8), ("Fortified Camp: heavily", 7, 17)]
)
def test_camps_fight_with_their_walls_and_cost_their_points(card, least, cost):
    own = host("own", "1 x Heavy Foot + general", "3 x Heavy Foot", points=40, cards=[card] if card else [])
    totals, sacked = set(), 0
    for pieces, events, frames in battles(own, RAIDERS, trials=150, board=SMALL):
        camp = next(k for k, piece in enumerate(pieces) if piece.kind == "camp" and piece.side == 0)
        totals |= {event.enemy_total for event in of(events, Fought) if event.enemy == camp}
        if any(event.who == camp for event in of(events, Lost)):
            sacked += 1
            assert frames[-1].points_lost[0] >= cost
        assert pieces[camp].points == cost
    assert totals
    assert totals <= set(range(least, least + 6))


RAIDERS = host("raiders", "1 x Javelin Cavalry + general", "7 x Javelin Cavalry", points=40)
FEW = ("1 x Heavy Foot + general", "3 x Heavy Foot")


def test_without_a_camp_there_is_none_and_of_two_camps_one_is_used():
    for pieces, events, _ in battles(host("none", *FEW, cards=["No Camp"]), RAIDERS, trials=4, board=SMALL):
        assert all(piece.side == 1 for piece in pieces if piece.kind == "camp")
        assert sum(pieces[event.who].kind == "camp" for event in of(events, Deployed)) == 1
    both = host("both", *FEW, cards=["Fortified Camp: heavily", "Pack Train"])
    weak, strong = (host(kind, f"1 x {kind} + general", f"3 x {kind}") for kind in ("Artillery", "Behemoths"))
    for enemy, used in ((weak, "Camp A"), (strong, "Train A")):
        for pieces, events, frames in battles(both, enemy, trials=4):
            assert sum(piece.kind == "camp" and piece.side == 0 for piece in pieces) == 2
            camps = [pieces[e.who] for e in of(events, Deployed) if pieces[e.who].kind == "camp"]
            assert [camp.name for camp in camps if camp.side == 0] == [used]
            assert frames[0].points_lost == (0, 0)


def test_a_pack_train_keeps_far_from_fast_enemies_on_the_base_edge():
    train = host("train", *FEW, cards=["Pack Train"])
    for pieces, events, _ in battles(train, RAIDERS, trials=8):
        at = {pieces[e.who].name: e.at for e in of(events, Deployed)}
        place = at["Train A"]
        near = at_near_edge(pieces, events, 0)
        assert home_row(place, near) == 0
        enemies = [spot for name, spot in at.items() if name.startswith("Javelin")]

        def far(lane: int, row: int = place.row, enemies=enemies) -> int:
            return min(2 * abs(spot.lane - lane) + abs(spot.row - row) for spot in enemies)

        assert far(place.lane) == max(far(lane) for lane in range(1, 25))


def test_illusions_show_others_and_are_revealed_without_loss():
    shown = {"stand": 0, "fake": 0}
    ways = set()
    for weight in (0, 10_000):
        for pieces, events, frames in battles(SINK, FOE, board=FOREST, weights={"illusion": weight}):
            models = {event.who: event.model for event in of(events, Shown)}
            for who, model in models.items():
                shown[pieces[who].kind] += 1
                assert pieces[model].kind == "stand"
                assert not pieces[model].general
                assert pieces[model].side == pieces[who].side
            revealed = {event.who: event.turn for event in of(events, Revealed)}
            ways |= {event.by for event in of(events, Revealed)}
            assert set(revealed) <= set(models)
            fakes = {k for k, piece in enumerate(pieces) if piece.kind == "fake"}
            for event in events:
                if isinstance(event, (Fought, Shot)):
                    one, other = event.who, event.enemy if isinstance(event, Fought) else event.target
                    assert not {one, other} & fakes
                    # Nobody fights while he is shown as another.
                    for who in {one, other} & set(models):
                        assert revealed[who] <= event.turn
            assert not {event.who for event in of(events, Lost)} & fakes
            for frame in frames:
                for k in models:
                    state = frame.states[k]
                    if state.shows is None or state.status != "on board":
                        continue
                    for j, other in enumerate(frame.states):
                        if pieces[j].side != pieces[k].side and other.status == "on board" and frame.turn % 2 == 0:
                            assert other.at is not None
    assert min(shown.values()) > 10
    assert ways == {"choice", "enemy near", "attack"} or ways == {"choice", "enemy near"}


def test_a_shot_at_an_illusion_is_used_up():
    guns = host("guns", "1 x Artillery + general", "9 x Artillery")
    own = host("own", "1 x Warband + general", "9 x Warband", cards=["6 x Illusion"])
    spent = 0
    for pieces, events, _ in battles(own, guns, weights={"illusion": 10_000}):
        for event in of(events, Revealed):
            spent += event.by == "attack"
            assert pieces[event.who].kind == "fake"
    assert spent > 0


def test_transports_are_fast_keep_off_and_are_left_in_a_fight():
    riders = host(
        "riders", "1 x Elite Foot + general", "5 x Heavy Foot + Mobile Infantry: ground",
        "3 x Shooters + Mobile Infantry: flying", "2 x Knights",
    )  # fmt: skip
    longest, dropped = 0, 0
    for pieces, events, frames in battles(riders, FOE):
        rode = {event.who: event.kind for event in of(events, Rode)}
        assert sorted(rode.values()) == ["flying"] * 3 + ["ground"] * 5
        at = {}
        riding = set(rode)
        for event in events:
            moves = event.moves if isinstance(event, GroupMoved) else (event,)
            for move in moves:
                if isinstance(move, (Deployed, Moved)):
                    if isinstance(move, Moved) and move.who in riding and move.at != at[move.who]:
                        old = at[move.who]
                        longest = max(longest, math.hypot(move.at.row - old.row, 2 * (move.at.lane - old.lane)))
                        for k, state in enumerate(frames[move.turn - 1].states):
                            if pieces[k].side == 1 and state.status == "on board":
                                assert free_mu(state.at, move.at) > 4  # FT 45.5
                    at[move.who] = move.at
            if isinstance(event, Dropped):
                riding.discard(event.who)
                dropped += 1
            if isinstance(event, (Pursued, Lost)):
                assert event.who not in riding
            if isinstance(event, Shot):
                assert event.who not in riding
    assert 4 < longest <= 12
    assert dropped > 50


def test_defenses_lie_side_by_side_before_the_line_in_the_centre_third():
    own = host("own", "1 x Spear + general", "7 x Spear", cards=["4 x Prepared Defenses"])
    laid = 0
    for pieces, events, _ in battles(own, FOE, trials=8):
        near = at_near_edge(pieces, events, 0)
        spots = [event.at for event in of(events, Defended)]
        lanes = sorted(spot.lane for spot in spots)
        assert lanes == list(range(lanes[0], lanes[0] + len(lanes)))
        assert set(lanes) <= set(range(9, 17))
        assert {home_row(spot, near) for spot in spots} == {FOREST.front_row + 1}
        laid += len(spots)
    assert laid == 4 * 8
    for _, events, _ in battles(own, FOE, policy="advance", trials=2):
        assert not of(events, Defended)


TWO_LINES = ("1 x Spear + general", "3 x Spear", "4 x Knights")
LINE = host("line", "1 x Heavy Foot + general", "3 x Heavy Foot", "4 x Warband")


def test_a_charge_passes_through_friends_into_contact_and_is_spent():
    own = host("own", *TWO_LINES, cards=["3 x Charge Through for Knights"])
    charges = 0
    for pieces, events, frames in battles(own, LINE, trials=120, board=NARROW):
        charged = of(events, Charged)
        assert len(charged) <= 3
        assert [event.left for event in charged] == [2, 1, 0][: len(charged)]
        for event in charged:
            assert pieces[event.who].notation == "Knights"
            move = events[events.index(event) + 1]
            assert isinstance(move, Moved)
            assert (move.who, move.at) == (event.who, event.at)
            old = frames[event.turn - 1].states[event.who].at
            assert old.lane == event.at.lane
            assert abs(old.row - event.at.row) >= 2
            assert any(
                isinstance(e, Fought) and event.who in (e.who, e.enemy) and e.turn == event.turn for e in events
            )
        charges += len(charged)
    assert charges > 0


def test_a_line_held_is_no_pursuit_and_is_spent():
    own = host("own", "1 x Pike + general", "9 x Pike", cards=["3 x Hold the Line for Pike"])
    held = 0
    for pieces, events, _ in battles(own, LINE):
        kept = of(events, Held)
        assert len(kept) <= 3
        for event in kept:
            k = events.index(event)
            assert pieces[event.who].notation.startswith("Pike")
            assert not isinstance(events[k + 1], Pursued)
        held += len(kept)
    assert held > 5


def test_a_subcommander_pays_one_order_a_turn_that_includes_him():
    own = host("own", "1 x Behemoths + general", "5 x Behemoths", heroes=("Hero + Subcommander",))
    helped = 0
    for pieces, events, _ in battles(own, FOE):
        spent = of(events, Helped)
        assert len({event.turn for event in spent}) == len(spent)
        for event in spent:
            assert pieces[event.who].kind == "hero"
            carrier = next(e.carrier for e in reversed(of(events, Joined)) if e.turn <= event.turn)
            order = events[events.index(event) - 1]
            moved = [m.who for m in order.moves] if isinstance(order, GroupMoved) else [order.who]
            assert carrier in moved
        helped += len(spent)
    assert helped > 20


# ---------------------------------------------------------------- each card helps or hurts as the rules give it


def gain(own: Host, carded: Host, enemy: Host, n: int, policy: str, foe: str, **how) -> tuple[float, float]:
    """Change of the win rate by a card on shared dice, and its standard error."""
    options = BattleOptions(policy, foe, **how)
    numbers = np.arange(n, dtype=np.int64)
    pairs = np.tile(np.array([0, 1], dtype=np.int64), (n, 1))
    plain, with_card = (fight([arm, enemy], pairs, numbers, options, seed=4).score for arm in (own, carded))
    change = with_card - plain
    return float(change.mean()), float(change.std() / np.sqrt(n))


GUNS = host("guns", "1 x Artillery + general", "9 x Artillery")
MIX = host("mix", "1 x Knights + general", "3 x Knights", "4 x Spear", "2 x Shooters", "2 x Light Foot")
LINE_OF = (
    "1 x Elite Foot + general", "3 x Spear", "2 x Raiders", "2 x Heavy Foot", "1 x Shooters", "3 x Knights",
    "1 x Light Foot", "1 x Skirmishers",
)  # fmt: skip
SLOW = ("1 x Elite Foot + general", "3 x Elite Foot", "4 x Bow Levy", "3 x Light Foot")
PIKES = ("1 x Pike + general", "9 x Pike")
LANE = {"camp": None, "points": 11}
ONE = {"board": Board(lanes=1, rows=24, front_row=6), "shoots": False}


def camp_case(card: str):
    small = {"points": 24}
    return (host("own", *FEW, **small), host("card", *FEW, cards=[card], **small), RAIDERS, 1000, {"board": SMALL})


DIRECTIONS = {
    "fortified": camp_case("Fortified Camp: fortified"),
    "heavily fortified": camp_case("Fortified Camp: heavily"),
    "no camp": camp_case("No Camp"),
    "pack train": (*camp_case("Pack Train")[:3], 1500, {"board": Board(lanes=16, rows=20, front_row=5)}),
    "ambush": (
        host("own", "1 x Raiders + general", "9 x Raiders"),
        host("card", "1 x Raiders + general", "9 x Raiders", cards=["Ambush: any topography"]),
        GUNS, 600, {"board": FOREST},
    ),
    "illusion": (
        host("own", *SLOW), host("card", *SLOW, cards=["3 x Illusion"]), MIX, 4000, {"weights": {"illusion": 0}},
    ),
    "ground transports": (
        host("own", "1 x Horde + general", "9 x Horde"),
        host("card", "1 x Horde + Mobile Infantry: ground + general", "9 x Horde + Mobile Infantry: ground"),
        GUNS, 400, {"max_turns": 14, "shoots": False},
    ),
    "flying transports": (
        host("own", "1 x Horde + general", "9 x Horde"),
        host("card", "1 x Horde + Mobile Infantry: flying + general", "9 x Horde + Mobile Infantry: flying"),
        GUNS, 400, {"max_turns": 14, "shoots": False},
    ),
    "prepared defenses": (
        host("own", "1 x Spear + general", "7 x Spear"),
        host("card", "1 x Spear + general", "7 x Spear", cards=["6 x Prepared Defenses"]),
        host("knights", "1 x Knights + general", "8 x Knights"), 600, {},
    ),
    "charge through": (
        host("own", "1 x War Wagons + general", "2 x Knights", **LANE),
        host("card", "1 x War Wagons + general", "2 x Knights", cards=["3 x Charge Through for Knights"], **LANE),
        host("guns", "1 x Artillery + general", "2 x Artillery", camp=None, points=9), 400, ONE,
    ),
    "hold the line": (
        host("own", *PIKES), host("card", *PIKES, cards=["3 x Hold the Line for Pike"]), MIX, 3000, {},
    ),
}  # fmt: skip
#: Who plays the side with the card, and who the other: where the rules must show in few battles.
PLAYED = {
    "illusion": ("greedy", "advance"),
    "prepared defenses": ("greedy", "advance"),
    "fortified": ("greedy", "greedy"),
    "no camp": ("greedy", "greedy"),
    "pack train": ("greedy", "greedy"),
}


@pytest.mark.parametrize("card", DIRECTIONS)
def test_a_card_helps(card):
    own, carded, enemy, n, how = DIRECTIONS[card]
    change, error = gain(own, carded, enemy, n, *PLAYED.get(card, ("advance", "advance")), **how)
    assert change > 3 * error > 0, (change, error)


@pytest.mark.parametrize("policy", ["advance", "greedy"])
def test_late_arrival_hurts_without_its_refund(policy):
    own, late = host("own", *LINE_OF), host("late", *LINE_OF, delayed=("2 x Knights",))
    change, error = gain(own, late, FOE, 600, policy, policy)
    assert change < -3 * error


# ---------------------------------------------------------------- the whole is sound


@pytest.mark.parametrize("policy", ["advance", "greedy"])
def test_exchanging_seats_mirrors_every_trial_with_every_card(policy):
    n = 200
    numbers = np.arange(n, dtype=np.int64)
    for topography in (None, "forest"):
        options = BattleOptions(policy, policy, Board(topography=topography))
        for pair in ((0, 1), (1, 0), (0, 0)):
            pairs = np.tile(np.array(pair, dtype=np.int64), (n, 1))
            one = fight([SINK, FOE], pairs, numbers, options, seed=3)
            other = fight([SINK, FOE], pairs, numbers, replace(options, flip=True), seed=3)
            assert (one.rows[:, :7] == other.rows[:, :7]).all()
            back = fight([SINK, FOE], pairs[::-1], numbers[::-1].copy(), options, seed=3)
            assert (back.rows[::-1] == one.rows).all()


@pytest.mark.parametrize("policy", ["advance", "greedy"])
def test_points_lost_are_those_of_stands_lost_with_every_card(policy):
    thresholds = pack_hosts([SINK, FOE], RULINGS).thresholds
    for trial in range(40):
        options = BattleOptions(policy, policy, FOREST)
        log, outcome = tell(SINK, FOE, trial, options, 9)
        pieces = roster(SINK, FOE, RULINGS)
        events = decode(log, options.board)
        frames = play_back(events, pieces, RULINGS)
        row = outcome.rows[0]
        lost = [event.who for event in of(events, Lost)]
        assert len(lost) == len(set(lost))
        for side in (0, 1):
            assert sum(2 * pieces[who].points for who in lost if pieces[who].side == side) == row[2 + side]
        (end,) = of(events, Ended)
        for frame in frames[1:]:
            a, b = frame.points_lost
            decided = int(2 * b >= thresholds[1] and b > a) - int(2 * a >= thresholds[0] and a > b)
            assert decided == (end.result if frame is frames[-1] else 0)


CARD_WORDS = (
    "Ambush", "Delayed Entry", "Illusion", "Mobile Infantry", "left its transports", "Prepared Defenses",
    "Hold the Line", "point of a Subcommander", "Pack train",
)  # fmt: skip


def test_stories_and_pictures_tell_of_every_card():
    words = set()
    for trial in range(40):
        story, _, _ = told((SINK, FOE), trial, BattleOptions("greedy", "greedy", FOREST), 5)
        text = "\n".join(tell_story(story))
        words |= {word for word in CARD_WORDS if word in text}
        drawing = storyboard(story, FOREST, "all of it")
        assert "Prepared Defenses of A" in drawing
        assert "shown as" in drawing
        assert "on transports" in drawing
    assert words == set(CARD_WORDS)


PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from test_cards_army import FOE, FOREST, SINK
from ftsim.games.triumph.battle.engine import BattleOptions, fight
numbers = np.arange(6)
pairs = np.tile(np.array([0, 1]), (6, 1))
for policy in ("advance", "greedy"):
    print(fight([SINK, FOE], pairs, numbers, BattleOptions(policy, policy, FOREST), seed=6).rows.tolist())
"""


def test_plain_python_and_compiled_kernels_agree_with_every_card():
    program = PROGRAM.format(folder=os.path.dirname(__file__))  # noqa: PTH120
    answers = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "FTSIM_JIT": jit},
        ).stdout
        for jit in ("0", "1")
    ]
    assert answers[0] == answers[1]
