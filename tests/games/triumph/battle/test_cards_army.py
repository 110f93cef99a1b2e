"""Army and event cards in whole battles: each happens in a log, and helps or hurts as the rules give it."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.games.triumph.armies import Army, ArmyCard, ArmyHero, Regiment
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.arms import joined
from ftsim.games.triumph.battle.build import Pool, pack_cards, pack_hosts
from ftsim.games.triumph.battle.hosts import Host, read_army_card
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
        ("a battle holds 64", {"cards": [f"{n} x Illusion" for n in (60, 5)]}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_clearly(message, more):
    stands = ["1 x Elite Foot + general", *(f"1 x {name}" for name in MANY)]
    with pytest.raises(InputError, match=message):
        pack_hosts([host("odd", *stands, **more)], RULINGS)


def test_an_illusion_needs_a_stand_to_look_like():
    with pytest.raises(InputError, match="look like"):
        host("alone", "1 x Elite Foot + general", cards=["Illusion"])
    with pytest.raises(InputError, match="no Pack Train"):
        Host("none", ((0, Stand.read("Spear")),), camp=None, pack_train=True)
    assert pack_cards(host("plain", "1 x Spear")).sum() == 0
