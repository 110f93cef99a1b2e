"""Random armies with all 37 cards: every card finds a bearer, every army is legal, arrays are the hosts packed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError
from ftsim.estimates import z_bound
from ftsim.games.triumph.armies import Army, ArmyCard, ArmyHero, Regiment
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Board, pack_cards, pack_host, pack_hosts
from ftsim.games.triumph.battle.draws import draw
from ftsim.games.triumph.battle.engine import check_room
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.muster import CHUNK, plan_of, random_army, random_hosts, random_pool
from ftsim.games.triumph.battle.recruits import ALL_CARDS, DRAWN_CARDS, card_choices
from ftsim.games.triumph.battle.tallies import column_of, columns_of, tally
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.notation import Pick, read_card
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import topographies
from ftsim.games.triumph.troop_types import troop_types

USUAL = TriumphRulings()
COMPANION = "Hero + Hearten"
ALL = {"cards": ALL_CARDS, "companion": COMPANION}
CAMPS = {"fortified camp": "Fortified Camp: fortified", "heavily fortified camp": "Fortified Camp: heavily"}


@pytest.fixture(scope="module")
def hosts():
    return random_hosts(2000, 7, **ALL)


def plan(**changes):
    given = {"points": 51, "spread": 0.12, "names": ALL_CARDS, "card_chance": 0.15, "army_chance": 0.5}
    given |= {"companion": COMPANION, "plain": False, "weights": None, "rulings": USUAL, **changes}
    return plan_of(**given)


def as_army(host, points=51):
    """The army of the format that a host stands for."""
    bought = list(host.cards)
    if host.camp is None:
        bought.append(ArmyCard(read_card("No Camp")))
    elif host.camp != "camp":
        bought.append(ArmyCard(read_card(CAMPS[host.camp])))
    if host.pack_train:
        bought.append(ArmyCard(read_card("Pack Train and Herds")))
    numbers = Counter(stand for _, stand in host.stands)
    late = Counter(stand for slot, stand in host.stands if slot in host.delayed)
    regiments = tuple(Regiment(stand, n, late[stand]) for stand, n in numbers.items())
    heroes = tuple(ArmyHero(hero) for _, hero in host.heroes)
    return Army(host.name, points, topographies()[host.home], 2, 2, regiments, heroes, tuple(bought))


# Legality.


def test_armies_with_all_cards_break_no_rule_of_the_format():
    for host in random_hosts(1500, 3, spread=0, **ALL):
        assert as_army(host).problems(USUAL) == []


def test_with_a_spread_they_break_no_rule_but_the_total_which_stays_within_it(hosts):
    totals = tally(plan(), 7, 0, len(hosts), COMPANION).totals
    for host, total in zip(hosts, totals, strict=True):
        army = as_army(host)
        assert [problem for problem in army.problems(USUAL) if not problem.startswith("costs ")] == []
        assert 2 * army.total(USUAL) == total
        assert 45 <= army.total(USUAL) <= 57


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**63),
    number=st.integers(0, 2**32 - 1),
    points=st.integers(24, 80),
    spread=st.sampled_from([0, 0.1, 0.15, 0.25]),
    chance=st.sampled_from([0, 0.15, 0.5, 1]),
    army_chance=st.sampled_from([0, 0.5, 1]),
    companion=st.sampled_from([None, COMPANION]),
)
def test_armies_of_any_size_are_legal(seed, number, points, spread, chance, army_chance, companion):
    given = {"points": points, "spread": spread, "card_chance": chance, "army_chance": army_chance}
    host = random_army(number, seed, cards=ALL_CARDS, companion=companion, **given)
    army = as_army(host, points)
    assert [problem for problem in army.problems(USUAL) if not problem.startswith("costs ")] == []
    low = Fraction(points) * (1 - Fraction(str(spread))) if spread else points - 4
    assert low <= army.total(USUAL) <= points * (1 + Fraction(str(spread)))
    assert 3 <= len({stand.troop_type.id for _, stand in host.stands}) <= 5
    check_room([host], Board())


def test_other_versions_of_the_rules_are_obeyed():
    other = TriumphRulings(core_version="1.2", unreliable_price="card_page", delayed_entry_cap="total")
    for host in random_hosts(300, 43, rulings=other, spread=0, card_chance=0.5, **ALL):
        assert as_army(host).problems(other) == []


def test_the_general_is_never_late_and_classes_are_there(hosts):
    for host in hosts:
        assert host.stands[0][1].general
        assert 0 not in host.delayed
        classes = {replace(stand, general=False, _names={}) for _, stand in host.stands}
        assert all(card.troop_class in classes for card in host.cards if card.pick.card.bought_for == "event")


# Identity.


def test_slots_and_late_stands_are_those_that_hosts_deal(hosts):
    for host in hosts[:300]:
        stands = [stand for _, stand in reversed(host.stands)]
        late = [stand for slot, stand in host.stands if slot in host.delayed]
        bought = [*host.cards, *(ArmyCard(read_card("Pack Train and Herds")) for _ in range(host.pack_train))]
        given = {"camp": host.camp, "cards": bought, "delayed": late, "home": host.home}
        assert Host.of(host.name, stands, [hero for _, hero in reversed(host.heroes)], **given) == host


def test_an_army_depends_on_its_number_alone(hosts):
    assert random_hosts(3, 7, first=1000, **ALL) == hosts[1000:1003]
    assert random_army(1999, 7, **ALL) == hosts[1999]
    last = 2**32 - 1
    assert random_army(last, 7, **ALL) == random_hosts(2, 7, first=last - 1, **ALL)[1]
    assert len({(host.stands, host.cards) for host in hosts}) == len(hosts)


def test_a_pool_is_what_packing_the_hosts_gives(hosts):
    packed, pool = pack_hosts(hosts, USUAL), random_pool(2000, 7, **ALL)
    for name in ("spec", "sizes", "thresholds", "cards"):
        one, other = getattr(packed, name), getattr(pool, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


def test_a_pool_without_a_companion_has_a_hero_for_each_card():
    packed = pack_hosts(random_hosts(500, 9, cards=ALL_CARDS, card_chance=0.5), USUAL)
    pool = random_pool(500, 9, cards=ALL_CARDS, card_chance=0.5)
    assert np.array_equal(packed.spec, pool.spec)
    assert np.array_equal(packed.cards, pool.cards)
    heroes = {str(hero) for host in random_hosts(200, 9, cards=ALL_CARDS) for _, hero in host.heroes}
    assert heroes == {"Hero + Champion", "Hero + Subcommander"}


def test_parts_of_a_pool_do_not_show():
    whole, tail = random_pool(CHUNK + 3, 47, **ALL), random_pool(5, 47, first=CHUNK - 2, **ALL)
    rows = tail.spec.shape[1]
    assert np.array_equal(whole.spec[-5:, :rows], tail.spec)
    assert np.array_equal(whole.cards[-5:], tail.cards)
    host = random_army(CHUNK + 1, 47, **ALL)
    assert np.array_equal(pack_host(host, USUAL), tail.spec[3, : tail.sizes[3]])
    assert np.array_equal(pack_cards(host), tail.cards[3])


def test_cards_for_stands_alone_leave_the_armies_as_they_were():
    host = random_army(0, 1, army_chance=0.9)
    assert host == random_army(0, 1, cards=DRAWN_CARDS)
    assert host.home is None
    assert random_hosts(50, 3, plain=True) == random_hosts(50, 3, plain=True, **ALL)


# What comes up.


def test_every_card_and_every_option_occurs_and_every_type_is_fielded():
    drawn = tally(plan(), 5, 0, 20_000, COMPANION)
    assert {column_of(Pick(card, choices)) for card in cards().values() for choices in card_choices(card)} - {
        "Delayed Entry", "Champion", "Subcommander",
    } | {"Delayed Entry", "Hero + Champion", "Hero + Subcommander", COMPANION} == set(drawn.cards)  # fmt: skip
    assert len({name.removeprefix("Hero + ").split(":")[0] for name in drawn.cards} - {"Hearten"}) == 36
    assert (drawn.counts > 0).any(axis=0).all()


@pytest.mark.verification
def test_every_type_bears_every_card_that_it_may():
    tables = plan()
    seen = np.zeros(len(tables.stands), dtype=np.int64)
    classes = np.zeros((len(tables.offers.picks), len(tables.weights)), dtype=np.int64)
    for first in range(0, 200_000, CHUNK):
        drawn = draw(tables, 5, np.arange(first, min(first + CHUNK, 200_000)))
        seen += np.bincount(drawn.stands.ravel(), weights=drawn.counts.ravel(), minlength=len(seen)).astype(np.int64)
        bought = drawn.purchases
        for n in range(len(classes)):
            of_class = bought.classes[bought.classes[:, n] >= 0, n]
            classes[n] += np.bincount(of_class, minlength=classes.shape[1])
    kinds = {(stand.troop_type.id, column_of(pick)) for stand in tables.stands for pick in stand.picks}
    borne = {
        (stand.troop_type.id, column_of(pick))
        for stand, often in zip(tables.stands, seen, strict=True)
        if often
        for pick in stand.picks
    }
    assert borne == kinds
    assert np.array_equal(classes > 0, np.diff(tables.offers.classes, prepend=0, axis=1) > 0)
    late = [
        stand.troop_type.id for stand, late, n in zip(tables.stands, tables.late, seen, strict=True) if late and n
    ]
    assert late == list(troop_types())


@pytest.mark.parametrize("name", sorted(set(ALL_CARDS) - {"champion", "subcommander"}))
def test_a_card_that_is_wanted_always_finds_a_bearer(name):
    column = cards()[name].name
    tables = plan(names=(name,), card_chance=1.0, army_chance=1.0, companion=None)
    drawn = tally(tables, 11, 0, 300)
    of_card = [k for k, other in enumerate(drawn.cards) if other.split(":")[0] == column]
    copies = drawn.counts[:, len(drawn.types) :][:, of_card].sum(axis=1)
    assert copies.min() == 1
    assert copies.max() == (1 if cards()[name].cap == 1 and cards()[name].cap_per == "army" else 3)


@pytest.mark.verification
def test_cards_copies_and_options_come_as_often_as_they_should():
    n = 20_000
    drawn = tally(plan(), 13, 0, n, COMPANION)
    share = dict(zip(drawn.cards, (drawn.counts[:, len(drawn.types) :] > 0).mean(axis=0), strict=True))

    def near(names, chance):
        bound = z_bound(40) * np.sqrt(chance * (1 - chance) / n)
        return [name for name in names if abs(share[name] - chance) > bound]

    camps = ["Fortified Camp: fortified", "Fortified Camp: heavily", "No Camp", "Pack Train and Herds"]
    assert near(camps, 1 / 5) == []
    assert near(["Ambush: any topography", "Ambush: home only"], 1 / 3) == []
    assert near(["Illusion", "Prepared Defenses", "Charge Through", "Hold the Line", COMPANION], 1 / 2) == []
    assert near(["Hero + Champion", "Hero + Subcommander"], 1 / 4) == []
    for name in ("Armored", "Deadly", "Delayed Entry", "Unruly", "Massive"):
        assert 0.11 < share[name] < 0.15  # at most five a time, and what cannot be paid is left out
    column = len(drawn.types) + drawn.cards.index("Illusion")
    copies = np.bincount(drawn.counts[:, column])[1:] / n
    assert np.all(np.abs(copies - 1 / 6) < z_bound(3) * np.sqrt(5 / 36 / n))


def test_differences_vary_as_a_regression_needs_them_to():
    drawn = tally(plan(), 17, 0, 40_000, COMPANION)
    x = drawn.counts[:20_000].astype(np.float64) - drawn.counts[20_000:]
    gram = x.T @ x / len(x)
    own = 1 / np.diag(np.linalg.inv(gram))
    inflation = np.diag(gram) / own
    types = len(drawn.types)
    by_name = dict(zip(drawn.cards, own[types:], strict=True))
    assert inflation[:types].max() < 3.5
    assert inflation[types:].max() < 2.2
    assert own[:types].min() > 0.8
    for name in ("Deadly", "Hearten", "Brittle", "Delayed Entry", "Massive", "Unruly", "Terror"):
        assert by_name[name] > 0.7
    for name in ("Illusion", "Prepared Defenses", "Charge Through", "Hold the Line"):
        assert by_name[name] > 2
    for name in ("No Camp", "Ambush: home only", "Hero + Subcommander", "Pack Train and Herds"):
        assert by_name[name] > 0.17
    totals = drawn.totals / 2
    # Even over 12 points: each total has a standard deviation of 3.5, a difference one of 4.9.
    assert 4.8 < (totals[:20_000] - totals[20_000:]).std() < 5.2
    shares = np.bincount(((totals - 45) // 3).astype(int), minlength=5)[:4] / len(totals)
    assert np.all(shares > 0.2)


# Counting.


def test_tallies_are_what_hosts_have(hosts):
    counted = tally(plan(), 7, 0, len(hosts), COMPANION)
    assert (counted.types, counted.cards) == columns_of(plan(), COMPANION)
    for host, row in zip(hosts, counted.counts, strict=True):
        found = Counter(stand.troop_type.name for _, stand in host.stands)
        found.update(column_of(pick) for _, stand in host.stands for pick in stand.picks)
        found["Delayed Entry"] += len(host.delayed)
        for _, hero in host.heroes:
            found[COMPANION] += 1
            found.update(f"Hero + {pick}" for pick in hero.picks if pick.card.id != "hearten")
        for bought in as_army(host).cards:
            found[column_of(bought.pick)] += bought.count
        assert {name: n for name, n in found.items() if n} == {
            name: int(n) for name, n in zip((*counted.types, *counted.cards), row, strict=True) if n
        }
    tail = tally(plan(), 7, 1500, 500, COMPANION)
    assert np.array_equal(tail.counts, counted.counts[1500:])


def test_classes_are_marked_on_all_their_stands(hosts):
    pool = random_pool(len(hosts), 7, **ALL)
    for k, host in enumerate(hosts[:500]):
        for name, column in (("charge_through", lay.CHARGES), ("hold_the_line", lay.HOLD_CLASS)):
            of_class = [card.troop_class for card in host.cards if card.pick.card.id == name]
            marked = [replace(s, general=False, _names={}) in of_class for _, s in host.stands]
            assert pool.spec[k, : len(marked), column].tolist() == [int(m) for m in marked]


def test_what_cannot_come_is_refused():
    with pytest.raises(InputError, match="Hero"):
        random_hosts(1, 1, cards=ALL_CARDS, companion="Hero + Slow")
    weights = dict.fromkeys(["Spear", "Pike", "Heavy Foot", "Elite Foot", "Horde"], 1)
    with pytest.raises(InputError, match="No troop type with a weight may have Charge Through"):
        random_hosts(1, 1, cards=["Charge Through"], weights=weights)
