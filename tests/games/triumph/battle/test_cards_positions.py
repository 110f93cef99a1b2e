"""Army and event cards in positions drawn by hand."""

from __future__ import annotations

import pytest
from positions import arrays

from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Board
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.rulings import TriumphRulings

RULINGS = TriumphRulings()
BOARD = Board(lanes=12, rows=24, front_row=6)


class Position:
    """A board with stands of two sides; side A looks to the far edge (facing 0), side B to the near one."""

    def __init__(self, a: Host, b: Host, *, policy: int = 1) -> None:
        from ftsim.games.triumph.battle.setup import clear_board

        self.w = arrays(a, b, RULINGS, BOARD, seed=7, log=400)
        self.spec, self.st, self.side, self.par, self.log = (
            self.w[name] for name in (lay.SPEC, lay.ST, lay.SIDE, lay.PAR, lay.LOG)
        )
        self.first = int(self.side[1, lay.BEGIN])
        self.side[:, lay.SEAT], self.side[:, lay.POLICY], self.side[:, lay.PIPS] = (0, 1), policy, 6
        self.side[:, lay.CARDS_LEFT :] = self.side[:, lay.CARDS : lay.CARDS_LEFT]
        self.st[:, [lay.SHOWN, lay.RIDER, lay.CARRIER]] = -1
        self.st[:, lay.STATUS] = lay.GONE
        clear_board(self.w)

    def place(self, lane: int, row: int) -> int:
        return (lane + 2) * int(self.par[lay.STRIDE]) + row + 2

    def put(self, who: int, lane: int, row: int, facing: int | None = None) -> Position:
        """Put a piece, numbered as in the log, on a lane and a row from 0."""
        from ftsim.games.triumph.battle.outcomes import put

        put(self.w, who, self.place(lane, row))
        self.st[who, lay.FACE] = (0 if who < self.first else 2) if facing is None else facing
        return self

    def events(self) -> list[int]:
        return [int(event) for event in self.log[: self.par[lay.LOGGED], 1]]


def host(name: str, *stands: str, heroes: tuple[str, ...] = (), **more) -> Host:
    """Stands in the order given, each in a slot of its own, without a camp."""
    found = tuple(enumerate(Stand.read(text) for text in stands))
    leaders = tuple((len(found) + k, Hero.read(text)) for k, text in enumerate(heroes))
    cards = Host.of(name, [stand for _, stand in found], cards=more.pop("cards", ()), camp=None).cards
    return Host(name, found, leaders, camp=None, cards=cards, **more)


@pytest.mark.parametrize(
    ("friend", "row", "charges"),
    [("Spear", 8, True), ("Raiders", 8, False), ("Knights", 8, False), ("Artillery", 8, True), ("Spear", 13, False)],
)
def test_a_charge_goes_through_close_order_foot_into_contact(friend, row, charges):
    from ftsim.games.triumph.battle.options import charge_place

    own = host("own", "Elite Cavalry", friend, cards=["Charge Through for Elite Cavalry"])
    at = Position(own, host("enemy", "Bow Levy")).put(0, 5, 5).put(1, 5, 6).put(2, 5, row)
    assert charge_place(at.w, 0) == (at.place(5, row - 1) if charges else -1)
    if charges:
        at.side[0, lay.PIPS] = 0
        assert charge_place(at.w, 0) == -1


def test_a_charge_is_not_wasted_where_the_way_is_free_or_the_fight_is_lost():
    from ftsim.games.triumph.battle.options import charge_place

    own = host("own", "Elite Cavalry", "Spear", cards=["Charge Through for Elite Cavalry"])
    free = Position(own, host("enemy", "Bow Levy")).put(0, 5, 5).put(1, 8, 6).put(2, 5, 8)
    assert charge_place(free.w, 0) == -1
    lost = Position(own, host("enemy", "Elite Foot + Deadly")).put(0, 5, 5).put(1, 5, 6).put(2, 5, 8)
    assert charge_place(lost.w, 0) == -1


@pytest.mark.parametrize(("row", "reached"), [(10, False), (11, True), (14, True)])
def test_transports_keep_off_enemies_by_four_mu(row, reached):
    from ftsim.games.triumph.battle.forms import ride
    from ftsim.games.triumph.battle.movement import can_reach

    at = Position(host("own", "Heavy Foot + Mobile Infantry: ground"), host("enemy", "Horde"))
    at.put(0, 5, 2).put(1, 5, row)
    assert not can_reach(at.w, 0, 0, 4, 0)
    ride(at.w, 0)
    # In row 6 it would be 3 MU from row 10, 4 from row 11 and 7 from row 14: within 4 is too near.
    assert bool(can_reach(at.w, 0, 0, 4, 0)) == (row > 11)
    assert bool(can_reach(at.w, 0, 0, 3, 0)) == reached
    assert at.spec[0, lay.MOVE] == 6


def test_ground_transports_are_slow_in_difficult_terrain_and_flying_ones_only_on_high_ground():
    from ftsim.games.triumph.battle.forms import ride
    from ftsim.games.triumph.battle.movement import can_reach
    from ftsim.games.triumph.terrain import terrains

    kinds = list(terrains())
    for way, under, ground, flying in (
        ("marsh", "open", 3, 11),
        ("open", "wooded_hills", 3, 3),
        ("open", "open", 6, 11),
    ):
        for kind, most in (("ground", ground), ("flying", flying)):
            at = Position(host("own", f"Heavy Foot + Mobile Infantry: {kind}"), host("enemy", "Horde"))
            at.put(0, 5, 2).put(1, 0, 23)
            at.w[lay.TERR][at.place(5, 2)] = kinds.index(under)
            at.w[lay.TERR][at.place(5, 4)] = kinds.index(way) if way != "open" else 0
            ride(at.w, 0)
            far = [ahead for ahead in range(12) if can_reach(at.w, 0, 0, ahead, 0)]
            assert max(far) == most, (way, under, kind)


def test_a_beaten_stand_leaves_its_transports_before_it_falls_back():
    from ftsim.games.triumph.battle.fighting import fight
    from ftsim.games.triumph.battle.forms import ride

    at = Position(host("own", "Heavy Foot + Mobile Infantry: ground"), host("enemy", "Elite Foot"))
    at.put(0, 5, 8).put(1, 5, 9)
    ride(at.w, 0)
    before = at.spec[0, lay.BITS]
    fight(at.w, 0, 1)
    events = at.events()
    assert events[:3] == [lay.E_RIDES, lay.E_COMBAT, lay.E_DROPS]
    assert at.spec[0, lay.BITS] != before
    assert (at.spec[0] == at.w[lay.REAL][0]).all()


def test_a_friend_that_falls_back_into_a_fake_finds_nobody_there():
    from ftsim.games.triumph.battle.forms import wear
    from ftsim.games.triumph.battle.outcomes import suffer

    at = Position(host("own", "Heavy Foot", "Spear", cards=["Illusion"]), host("enemy", "Elite Foot"))
    fake = 2
    at.st[fake, lay.SHOWN], at.st[fake, lay.STATUS] = 1, lay.RESERVE
    wear(at.w, fake)
    assert at.spec[fake, lay.CF_FOOT] == at.spec[1, lay.CF_FOOT]
    assert at.w[lay.EXCH][3, fake] == at.w[lay.EXCH][3, 1]
    at.put(0, 5, 8).put(fake, 5, 7).put(3, 5, 9)
    suffer(at.w, 0, lay.FALLS_BACK, 1)
    assert (at.st[0, lay.PLACE], at.st[0, lay.STATUS]) == (at.place(5, 7), lay.ON_BOARD)
    assert at.st[fake, lay.STATUS] == lay.GONE
    assert at.side[0, lay.POINTS_LOST] == 0


def test_illusions_hold_beyond_two_mu_and_what_they_hide_stands_there():
    from ftsim.games.triumph.battle.forms import wear
    from ftsim.games.triumph.battle.illusions import reveal_near

    for row, shown in ((11, True), (10, False)):
        at = Position(host("own", "Heavy Foot", "Spear"), host("enemy", "Elite Foot"))
        at.st[0, lay.SHOWN] = 1
        at.put(0, 5, 7).put(2, 5, row)
        wear(at.w, 0)
        assert at.w[lay.EXCH][2, 0] == at.w[lay.EXCH][2, 1]
        reveal_near(at.w)
        assert (at.st[0, lay.SHOWN] >= 0) == shown
        assert (at.spec[0] == at.w[lay.REAL][0]).all() == (not shown)
        assert at.st[0, lay.PLACE] == at.place(5, 7)


def test_late_stands_come_outside_enemy_zones_on_the_better_flank():
    from ftsim.games.triumph.battle.army_cards import arrive

    own = host("own", "Knights", "Spear", delayed=frozenset({0}))
    for lane, came in ((0, 11), (11, 0)):
        at = Position(own, host("enemy", "Horde", "Spear"))
        # Knights come where the Horde is near, and not beside or before it.
        at.st[0, lay.STATUS] = lay.RESERVE
        at.put(1, 5, 3).put(2, 11 - lane, 12).put(3, lane, 20)
        arrive(at.w, 0)
        assert at.st[0, lay.STATUS] == lay.ON_BOARD
        assert at.st[0, lay.PLACE] == at.place(came, 9)
        assert at.side[0, lay.PIPS] == 1
    poor = Position(own, host("enemy", "Shooters"))
    poor.st[0, lay.STATUS] = lay.RESERVE
    poor.side[0, lay.PIPS] = 4
    arrive(poor.w, 0)
    assert poor.st[0, lay.STATUS] == lay.RESERVE


def test_a_subcommander_pays_a_point_of_one_order():
    from ftsim.games.triumph.battle.movement import find_groups, group_cost, has_orders, move_single, order_cost

    at = Position(host("own", "Behemoths", "Spear", heroes=("Hero + Subcommander",)), host("enemy", "Horde"))
    at.put(0, 5, 5).put(1, 6, 5).put(3, 5, 20)
    at.st[0, lay.RIDER], at.st[2, lay.CARRIER], at.st[2, lay.STATUS] = 2, 0, lay.RESERVE
    assert (order_cost(at.w, 0), order_cost(at.w, 1)) == (1, 1)  # a Behemoth costs 2
    find_groups(at.w, 0)
    assert group_cost(at.w, 0, 0) == 1
    at.side[0, lay.PIPS] = 0
    assert has_orders(at.w, 0)
    move_single(at.w, 0, at.place(5, 6), 0)
    assert (at.side[0, lay.HELPED], order_cost(at.w, 0), has_orders(at.w, 0)) == (1, 2, 0)
    assert lay.E_HELPED in at.events()


def test_the_line_is_held_where_pursuit_ends_badly():
    from ftsim.games.triumph.battle.options import holds_the_line

    own = host("own", "Pike", "Spear", cards=["2 x Hold the Line for Pike"])
    bad = Position(own, host("enemy", "Elite Foot", "Elite Foot", "Elite Foot"))
    bad.put(0, 5, 8).put(2, 5, 10).put(3, 4, 9, 1).put(4, 6, 10)
    assert holds_the_line(bad.w, 0)
    assert bad.side[0, lay.CARDS_LEFT + lay.HOLDS_THE_LINE] == 1
    good = Position(own, host("enemy", "Bow Levy"))
    good.put(0, 5, 8).put(2, 5, 10)
    assert not holds_the_line(good.w, 0)
    assert not holds_the_line(good.w, 1)
