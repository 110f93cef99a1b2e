"""Armies for battles: the archetypes, and random armies that are legal, varied, alike on every machine."""

from __future__ import annotations

import json
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftsim.errors import InputError, UnknownNameError
from ftsim.estimates import z_bound
from ftsim.games.triumph.armies import Army, ArmyHero, Regiment
from ftsim.games.triumph.battle.archetypes import archetype_files, archetypes
from ftsim.games.triumph.battle.build import Board, pack_host, pack_hosts
from ftsim.games.triumph.battle.engine import check_room
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.muster import CHUNK, DRAWN_CARDS, random_army, random_hosts, random_pool
from ftsim.games.triumph.battle.recruits import card_choices
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.lookups import army_cost
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import topographies
from ftsim.games.triumph.troop_types import published_field, troop_types

USUAL = TriumphRulings()
SHOOTING_CARDS = {"armored", "marksman", "ranged_attack"}
ROLL_CARDS = {
    "brittle", "champion", "deadly", "hearten", "mindblast", "negate_magic", "prowess", "spellblast", "spiked_carts",
    "supporting_shooters", "terrain_affinity", "terror", "weaken", *SHOOTING_CARDS,
}  # fmt: skip
#: Cards whose worth needs more of a battle than rolls, moves and magic.
MECHANISMS = {
    "ambush", "delayed_entry", "illusion", "mobile_infantry", "flying", "massive", "regenerate", "away", "pack_train",
    "prepared_defenses", "charge_through", "hold_the_line",
}  # fmt: skip


@pytest.fixture(scope="module")
def hosts():
    return random_hosts(2000, 7)


def types_of(host):
    return Counter(stand.troop_type.id for _, stand in host.stands)


def cards_of(host):
    on_stands = {pick.card.id for _, stand in host.stands for pick in stand.picks}
    return on_stands | {pick.card.id for _, hero in host.heroes for pick in hero.picks}


def as_army(host, points=51):
    """The army of the format that a host stands for, at a home that offers what its stands are used to."""
    needed = set().union(*(stand.affinity for _, stand in host.stands))
    home = next(home for home in topographies().values() if needed <= set(home.terrain) and not home.dense)
    regiments = Counter(stand for _, stand in host.stands)
    heroes = tuple(ArmyHero(hero) for _, hero in host.heroes)
    return Army(host.name, points, home, 2, 2, tuple(Regiment(s, n) for s, n in regiments.items()), heroes)


# Archetypes.


@pytest.mark.parametrize("file", archetype_files().values(), ids=lambda file: file.stem)
def test_an_archetype_is_legal_and_costs_49_to_51_points(file):
    cost = army_cost(file, {})
    assert cost.legal, cost.reasons
    assert 49 <= cost.points <= 51


def test_archetypes_use_every_roll_card_and_every_troop_type_between_them():
    used = set().union(*(cards_of(host) for host in archetypes().values()))
    assert used >= ROLL_CARDS
    assert not used & MECHANISMS
    assert set().union(*(types_of(host) for host in archetypes().values())) == set(troop_types())


def test_archetypes_differ_in_kind():
    sizes = {stem: len(host.stands) for stem, host in archetypes().items()}
    assert len(sizes) >= 12
    assert min(sizes.values()) == 8 == sizes["dragons_and_giants"]
    assert max(sizes.values()) >= 24
    mounted = {
        stem: sum(stand.troop_type.kind == "mounted" for _, stand in host.stands) / len(host.stands)
        for stem, host in archetypes().items()
    }
    assert mounted["steppe_riders"] == 1
    assert mounted["dwarfs"] == 0
    shooting = Counter(stem for stem, host in archetypes().items() for _, s in host.stands if s.troop_type.shooting)
    assert shooting["wood_elves"] >= 5
    assert "barbarians" not in shooting
    assert any({"mindblast", "spellblast"} <= cards_of(host) for host in archetypes().values())


def test_archetypes_are_read_once_and_cannot_be_changed():
    assert archetypes() is archetypes()
    with pytest.raises(TypeError):
        archetypes()["none"] = None


def test_all_armies_fit_on_the_board(hosts):
    check_room([*archetypes().values(), *hosts], Board())


# Random armies.


def test_random_armies_break_no_rule_of_the_format():
    for host in random_hosts(600, 3, spread=0):
        assert as_army(host).problems(USUAL) == []


def test_random_armies_with_a_spread_break_no_rule_but_the_total(hosts):
    for host in hosts[:600]:
        assert [problem for problem in as_army(host).problems(USUAL) if not problem.startswith("costs ")] == []


def test_random_armies_have_one_general_three_to_five_types_and_enough_stands(hosts):
    for host in hosts:
        assert [slot for slot, stand in host.stands if stand.general] == [0]
        assert 3 <= len(types_of(host)) <= 5
        assert len(host.stands) >= 8


def test_totals_lie_within_the_spread_and_use_it(hosts):
    totals = [host.cost(USUAL) for host in hosts]
    assert min(totals) == Fraction(45)
    assert max(totals) == Fraction(57)
    shares = Counter(int((total - 45) // 3) for total in totals)
    assert all(shares[k] > 350 for k in range(4))


def test_without_a_spread_totals_come_as_near_as_the_types_allow():
    hosts = random_hosts(600, 5, spread=0, card_chance=0.3)
    totals = [host.cost(USUAL) for host in hosts]
    assert max(totals) == 51
    for host, total in zip(hosts, totals, strict=True):
        assert all(total + troop_types()[name].cost > 51 for name in types_of(host))
    # Only what the costs of an army's types cannot make up stays unspent.
    assert sum(total >= Fraction(101, 2) for total in totals) > 0.85 * len(totals)
    assert all(Fraction(101, 2) <= total for total, host in zip(totals, hosts, strict=True) if fills(host))


def fills(host):
    """Whether its free stands can make up any whole number: some of 3 points beside some of 2 or 4."""
    spare = Counter(stand.troop_type.cost for _, stand in host.stands if not stand.picks)
    return spare[3] >= 4 and spare[2] + spare[4] >= 4


def plain_of(host):
    return [stand for _, stand in host.stands if not stand.picks]


def test_every_type_and_every_allowed_card_is_reached(hosts):
    assert set().union(*map(types_of, hosts)) == set(troop_types())
    assert set().union(*map(cards_of, hosts)) == set(DRAWN_CARDS)


@pytest.mark.parametrize("name", sorted(DRAWN_CARDS))
def test_a_card_that_is_wanted_always_finds_a_bearer(name):
    for host in random_hosts(200, 11, cards=(name,), card_chance=1):
        bearers = [stand for _, stand in host.stands if stand.has(name)]
        if name == "champion":
            assert [str(hero) for _, hero in host.heroes] == ["Hero + Champion"]
        else:
            assert 1 <= len(bearers) <= 3
            assert len({stand.troop_type for stand in bearers}) == 1


@pytest.mark.parametrize("name", ["ranged_attack", "negate_magic", "spellblast", "terrain_affinity"])
def test_every_option_of_a_card_is_drawn(name):
    drawn = {
        pick.choices
        for host in random_hosts(1500, 13, cards=(name,), card_chance=1)
        for _, stand in host.stands
        for pick in stand.picks
    }
    assert drawn == set(card_choices(cards()[name]))


def test_all_stand_and_hero_cards_can_be_asked_for_and_their_caps_hold():
    names = [card.id for card in cards().values() if card.bought_for in ("stand", "hero", "stand_or_hero")]
    reached = set()
    for host in random_hosts(600, 17, cards=names, spread=0):
        reached |= cards_of(host)
        assert as_army(host).problems(USUAL) == []
    assert reached == set(names)


def test_plain_armies_have_no_cards_and_no_heroes():
    for host in random_hosts(300, 19, plain=True):
        assert not host.heroes
        assert len(plain_of(host)) == len(host.stands)


def test_an_army_depends_on_its_number_alone(hosts):
    assert random_hosts(5, 7) == hosts[:5]
    assert random_hosts(3, 7, first=1000) == hosts[1000:1003]
    assert random_army(1999, 7) == hosts[1999]
    last = 2**32 - 1
    assert random_army(last, 7) == random_hosts(2, 7, first=last - 1)[1]


def test_seeds_and_numbers_give_different_armies(hosts):
    assert len({host.stands for host in hosts}) == len(hosts)
    other = {host.stands for host in random_hosts(2000, 8)}
    assert not other & {host.stands for host in hosts}


def test_armies_that_do_not_draw_a_card_do_not_change_when_it_is_allowed():
    fewer = random_hosts(400, 23, cards=[name for name in DRAWN_CARDS if name != "terror"], spread=0)
    for old, new in zip(fewer, random_hosts(400, 23, spread=0), strict=True):
        assert "terror" in cards_of(new) or old == new


def test_these_armies_never_change():
    described = [
        "; ".join([*(str(stand) for _, stand in host.stands), *(str(hero) for _, hero in host.heroes)])
        for host in random_hosts(3, 1)
    ]
    assert described == json.loads((Path(__file__).parent / "random_armies.json").read_text(encoding="utf-8"))


def test_slots_are_those_that_hosts_deal(hosts):
    for host in hosts[:300]:
        stands = [stand for _, stand in reversed(host.stands)]
        heroes = [hero for _, hero in reversed(host.heroes)]
        assert Host.of(host.name, stands, heroes) == host


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**63),
    number=st.integers(0, 2**32 - 1),
    points=st.integers(24, 80),
    spread=st.sampled_from([0, 0.1, 0.15, 0.25]),
    chance=st.sampled_from([0, 0.15, 0.5, 1]),
)
def test_armies_of_any_size_are_legal(seed, number, points, spread, chance):
    host = random_army(number, seed, points=points, spread=spread, card_chance=chance)
    problems = as_army(host, points).problems(USUAL)
    assert [problem for problem in problems if not problem.startswith("costs ")] == []
    total = host.cost(USUAL)
    low = Fraction(points) * (1 - Fraction(str(spread))) if spread else points - 4
    assert low <= total <= points * (1 + Fraction(str(spread)))
    assert 3 <= len(types_of(host)) <= 5


# How often.


def within(hits, trials, chance, checks):
    return abs(hits - trials * chance) <= z_bound(checks) * np.sqrt(trials * chance * (1 - chance))


@pytest.mark.verification
def test_types_cards_copies_and_options_come_as_often_as_they_should():
    n = 8000
    plain = random_hosts(n, 29, plain=True)
    types = Counter(name for host in plain for name in types_of(host))
    assert all(within(types[name], n, 4 / 26, 26) for name in troop_types())
    sizes = Counter(len(types_of(host)) for host in plain)
    assert all(within(sizes[k], n, 1 / 3, 3) for k in (3, 4, 5))
    drawn = random_hosts(n, 31, cards=("hearten", "negate_magic", "champion"), card_chance=0.5)
    for name in ("hearten", "negate_magic", "champion"):
        assert within(sum(name in cards_of(host) for host in drawn), n, 0.5, 3)
    lone = [host for host in drawn if cards_of(host) == {"hearten"}]
    copies = Counter(sum(stand.has("hearten") for _, stand in host.stands) for host in lone)
    assert all(within(copies[k], len(lone), 1 / 3, 3) for k in (1, 2, 3))
    options = Counter(
        next(iter({pick.choices for _, stand in host.stands for pick in stand.picks}))
        for host in drawn
        if cards_of(host) == {"negate_magic"}
    )
    assert all(within(options[choice], options.total(), 1 / 3, 3) for choice in card_choices(cards()["negate_magic"]))


def test_weights_of_types_are_obeyed():
    few = {"Elite Foot": 1, "Knights": 1, "Bow Levy": 1, "Rabble": 1, "Pike": 1}
    wanted = {troop_types().find(name).id for name in few}
    assert set().union(*(types_of(host) for host in random_hosts(200, 37, weights=few, cards=["Deadly"]))) == wanted
    often = Counter(
        name for host in random_hosts(1500, 41, weights=published_field(), plain=True) for name in types_of(host)
    )
    assert often["bow_levy"] > 5 * often["artillery"] > 0


def test_other_versions_of_the_rules_are_obeyed():
    other = TriumphRulings(core_version="1.2", unreliable_price="card_page")
    for host in random_hosts(200, 43, rulings=other, spread=0, cards=("unreliable", "deadly"), card_chance=1):
        assert host.cost(other) <= 51
        assert as_army(host).problems(other) == []


# Arrays.


@pytest.mark.parametrize("plain", [False, True])
def test_a_pool_is_what_packing_the_hosts_gives(plain, hosts):
    hosts = random_hosts(2000, 7, plain=True) if plain else hosts
    packed, pool = pack_hosts(hosts, USUAL), random_pool(2000, 7, plain=plain)
    for name in ("spec", "sizes", "thresholds"):
        one, other = getattr(packed, name), getattr(pool, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


def test_a_pool_follows_its_rulings_and_numbers():
    other = TriumphRulings(core_version="1.2", camp_counts_as="mounted")
    packed = pack_hosts(random_hosts(50, 7, rulings=other, first=5), other)
    assert np.array_equal(packed.spec, random_pool(50, 7, other, first=5).spec)


def test_parts_of_a_pool_do_not_show():
    whole = random_pool(CHUNK + 3, 47)
    tail = random_pool(5, 47, first=CHUNK - 2)
    rows = tail.spec.shape[1]
    assert np.array_equal(whole.spec[-5:, :rows], tail.spec)
    assert np.array_equal(whole.sizes[-5:], tail.sizes)
    assert np.array_equal(pack_host(random_army(CHUNK + 1, 47), USUAL), tail.spec[3, : tail.sizes[3]])


def test_no_armies_are_an_empty_pool():
    assert random_hosts(0, 1) == []
    assert random_pool(0, 1).spec.shape[0] == 0


# Bad input.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"points": 20}, "20 points.*accepted: 24 to 80"),
        ({"points": 81}, "accepted: 24 to 80"),
        ({"spread": 0.02}, "spread of 0.02.*accepted: 0, or 0.04 to 0.25"),
        ({"spread": -0.1}, "spread of -0.1"),
        ({"spread": 0.3}, "spread of 0.3"),
        ({"card_chance": 1.5}, "accepted: 0 to 1"),
        ({"army_chance": -0.5}, "chance of cards of -0.5"),
        ({"weights": {"Knights": 1}}, "at least 5 troop types"),
        ({"weights": {"Knights": -1}}, "weight of -1"),
        (
            {"weights": dict.fromkeys(["KNT", "BLV", "SKM", "PIK", "HRD"], 1), "cards": ["Spiked Carts"]},
            "Spiked Carts",
        ),
        ({"first": 2**32}, "accepted: numbers 0 to"),
        ({"first": -1}, "accepted: numbers 0 to"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        random_hosts(1, 1, **arguments)


def test_an_unknown_card_or_type_is_named():
    with pytest.raises(UnknownNameError, match="Deadly"):
        random_hosts(1, 1, cards=["Deadlie"])
    with pytest.raises(UnknownNameError, match="Knights"):
        random_hosts(1, 1, weights={"Knigts": 1})


@pytest.mark.speed
def test_thousands_of_armies_a_second():
    start = time.process_time()
    random_hosts(2000, 53, card_chance=0.16)  # a plan of its own, so its tables count too
    hosts_time = time.process_time() - start
    random_pool(10, 53)
    start = time.process_time()
    random_pool(20000, 53)
    rate = 20000 / (time.process_time() - start)
    assert hosts_time < 3, f"2,000 hosts with their tables: {hosts_time:.2f} s"
    assert rate > 10_000, f"{rate:,.0f} armies a second in a pool"
