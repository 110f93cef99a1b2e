"""What must hold whatever the stands: mirrored seats, monotone factors, one meaning a spec, rulings that act."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ftsim.errors import FtsimError
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.combat import RESULTS, CloseCombat, matchups, result_counts
from ftsim.games.triumph.duels import duel_counts, until_lost
from ftsim.games.triumph.lookups import cost
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.odds import close_combat, duel, factors, mindblast, ranged, spellblast
from ftsim.games.triumph.places import CAMPS, Camp, Place, Situation, side_array
from ftsim.games.triumph.ranged import Attack, RangedAttack, attack_grid
from ftsim.games.triumph.rules import FATES
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import troop_types

steady = settings(deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
USUAL = TriumphRulings()
TYPES = list(troop_types().values())
FIGHTS = ("close-combat", "ranged", "mindblast", "spellblast")
OPTIONS = [
    "Armored", "Away", "Brittle", "Craven", "Deadly", "Fast", "Fierce", "Flying: hover", "Flying: zoom", "Hearten",
    "Marksman", "Massive", "Mindblast", "Mobile Infantry: ground", "Mobile Infantry: flying", "Negate Magic: self",
    "Negate Magic: zone", "Negate Magic: mindless", "Prowess", "Ranged Attack: physical", "Ranged Attack: magical",
    "Regenerate", "Slow", "Spellblast: limited, magical", "Spellblast: unlimited, physical", "Spiked Carts",
    "Supporting Shooters", "Terrain Affinity: Woods, Wooded Hills", "Terrain Affinity: Marsh, Rough", "Terror",
    "Unreliable", "Unruly", "Weaken",
]  # fmt: skip
OF_HEROES = [
    "Armored", "Away", "Champion", "Deadly", "Fast", "Hearten", "Marksman", "Mindblast", "Negate Magic: self",
    "Negate Magic: zone", "Prowess", "Ranged Attack: magical", "Spellblast: limited, physical", "Subcommander",
    "Terror",
]  # fmt: skip


def legal(stand):
    return not stand.problems(USUAL)


@st.composite
def heroes(draw):
    hero = Hero()
    for text in draw(st.lists(st.sampled_from(OF_HEROES), max_size=3, unique=True)):
        more = Hero.read(f"{hero} + {text}")
        hero = hero if more.problems(USUAL) else more
    return hero


@st.composite
def stands(draw, ridden=True):
    stand = Stand(draw(st.sampled_from(TYPES)))
    for text in draw(st.lists(st.sampled_from(OPTIONS), max_size=4)):
        more = stand.plus(text)
        stand = more if legal(more) else stand
    leader = replace(stand, general=draw(st.booleans()), _names={})
    stand = leader if legal(leader) else stand
    return replace(stand, hero=draw(heroes()), _names={}) if ridden and draw(st.booleans()) else stand


@st.composite
def places(draw, stand):
    flags = {name: draw(st.booleans()) for name in ("uphill", "supported", "blocked", "in_zone", "general")}
    return Place(
        terrain=draw(st.sampled_from([*terrains()])),
        attacked=draw(st.sampled_from(["front", "flank", "rear"])),
        overlaps=draw(st.integers(0, 2)),
        on_transports=isinstance(stand, Stand) and stand.has("mobile_infantry") and draw(st.booleans()),
        hold_the_line=draw(st.booleans()),
        **flags,
    )


@st.composite
def rulings(draw, contest):
    names = draw(st.lists(st.sampled_from(DECLARED[contest]), max_size=4, unique=True))
    return TriumphRulings(**{name: draw(st.sampled_from(TriumphRulings.info(name).alternatives)) for name in names})


@st.composite
def fights(draw):
    a = draw(stands())
    b = draw(st.one_of(stands(), st.builds(Camp, st.sampled_from([*CAMPS]))))
    return a, b, Situation(draw(places(a)), draw(places(b))), draw(rulings("close-combat"))


def everything(grid):
    counts = grid.counts()
    return [array[0, 0].tolist() for array in (counts, *grid.fates(counts), *grid.pursuits(counts))]


@steady
@given(fights())
def test_a_fight_seen_from_the_other_side_is_the_same_fight(fight):
    a, b, where, decided = fight
    result, fate_a, fate_b, chase_a, chase_b = everything(CloseCombat(a, b, where, decided).grid)
    mirrored = everything(CloseCombat(b, a, Situation(where.b, where.a), decided).grid)
    assert mirrored == [result[::-1], fate_b, fate_a, chase_b, chase_a]


@steady
@given(fights())
def test_results_and_fates_of_a_fight_each_sum_to_36_dice_pairs(fight):
    result, fate_a, fate_b, chase_a, chase_b = everything(CloseCombat(*fight).grid)
    assert sum(result) == sum(fate_a) == sum(fate_b) == 36
    assert chase_a <= result[3] + result[4]
    assert chase_b <= result[0] + result[1]
    assert fate_a[FATES.index("stands")] >= sum(result[2:])


@steady
@given(stands())
def test_a_stand_against_its_like_has_even_chances(stand):
    result, fate_a, fate_b, chase_a, chase_b = everything(CloseCombat(stand, stand).grid)
    assert result == result[::-1]
    assert (fate_a, chase_a) == (fate_b, chase_b)


@steady
@given(st.data(), st.sampled_from(["shooting", "ranged_attack", "mindblast", "spellblast"]))
def test_results_and_fates_of_an_attack_sum_to_36_dice_pairs(data, kind):
    a, b = data.draw(stands()), data.draw(stands())
    where = Situation(b=data.draw(places(b)))
    decided = data.draw(rulings("ranged" if kind in ("shooting", "ranged_attack") else kind))
    grid = RangedAttack(a, b, Attack(kind), where, decided).grid
    counts = grid.counts()
    assert counts.sum() == 36
    assert grid.fates(counts)[1].sum() == 36


# Fault 3: no chance moves the wrong way.

SWEEP = np.arange(30)
GAINS = list(product((0, 1), (-1, 0, 1), (0, 1), (-1, 0, 1)))


def sweep(**how):
    # Own factor by enemy factor by what cards add: shape (gains, 30, 30, 5).
    gains, own, enemy = np.meshgrid(np.arange(len(GAINS)), SWEEP, SWEEP, indexing="ij")
    added = np.array(GAINS)[gains.ravel()].T
    return result_counts(own.ravel(), enemy.ravel(), *added, **how).reshape(*gains.shape, 5).astype(int)


@pytest.mark.parametrize("how", [{}, {"loser_first": 1}, {"floor": 1}], ids=str)
def test_no_worse_result_is_rarer_for_a_factor_one_lower(how):
    at_most = sweep(**how).cumsum(axis=-1)
    assert np.all(np.diff(at_most, axis=1) <= 0)
    assert np.all(np.diff(at_most, axis=2) >= 0)


@pytest.mark.parametrize("how", [{}, {"loser_first": 1}, {"floor": 1}], ids=str)
def test_every_count_of_the_sweep_sums_to_36(how):
    assert np.all(sweep(**how).sum(axis=-1) == 36)


def one_card_each(kinds=TYPES):
    plain = [Stand(kind) for kind in kinds]
    return [*plain, *(more for stand in plain for text in OPTIONS if legal(more := stand.plus(text)))]


ENEMIES = [
    *(Stand(kind) for kind in TYPES), *map(Camp, CAMPS),
    *map(Stand.parse, ["Horde + Terror", "Behemoths + Terror", "Knights + Prowess", "Warband + Hearten"]),
    *map(Stand.parse, ["Spear + Weaken", "Knights + Flying: hover", "Raiders + Fierce", "Spear + Deadly"]),
]  # fmt: skip
MONOTONE_PLACES = [
    Place(), Place("woods"), Place("rough"), Place(attacked="flank"), Place(attacked="rear"), Place(in_zone=True),
    Place(blocked=True),  # 83.1, 84.1: who evades or panics falls back first
]  # fmt: skip


def close_grid(ours, theirs, where, decided=USUAL):
    used = decided.only(DECLARED["close-combat"])
    a = side_array(ours, where.a, where.b, used, ("exceptions",))
    b = side_array(theirs, where.b, where.a, used, ("exceptions",))
    return matchups("close-combat", a, b, used)


@pytest.mark.parametrize("place", MONOTONE_PLACES, ids=lambda place: " ".join(place.words()) or "open")
def test_no_stand_with_any_card_is_destroyed_less_often_for_a_factor_one_lower(place):
    grid = close_grid(one_card_each(), ENEMIES, Situation(a=place))
    rows = []
    for factor in SWEEP:
        lowered = replace(grid, total_a=np.full_like(grid.total_a, factor))
        rows.append(lowered.fates(lowered.counts())[0][..., FATES.index("destroyed")])
    assert np.all(np.diff(np.stack(rows), axis=0) <= 0)


@pytest.mark.parametrize("cards_taken", ["", "Hearten", "Prowess", "Weaken", "Deadly", "Terror", "Brittle"])
def test_bare_factors_are_destroyed_no_less_often_for_a_factor_one_lower(cards_taken):
    mine = f" + {cards_taken}" if cards_taken else ""
    for theirs in ("3", "3 + Terror", "6 + Prowess"):
        chances = [
            factors(f"{own}{mine}", theirs, {}, {}, None, 0).data["fate"]["a"]["destroyed"]["p"] for own in range(30)
        ]
        assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize(
    "target", ["Rabble", "Knights + Weaken", "War Wagons", "Skirmishers", "Elite Foot + Hearten"]
)
def test_a_shooter_with_a_higher_factor_destroys_no_less_often(target):
    if target == "Knights + Weaken":  # no such stand: Knights may not take Weaken
        target = "Bad Horse + Weaken"
    grid = attack_grid(Attack("shooting"), [Stand.parse("Shooters")], [Stand.parse(target)], Situation(), USUAL)
    rows = []
    for factor in SWEEP:
        raised = replace(grid, total_a=np.full_like(grid.total_a, factor))
        rows.append(raised.fates(raised.counts())[1][0, 0, FATES.index("destroyed")])
    assert rows == sorted(rows)


@pytest.mark.parametrize("better", ["Deadly", "Hearten", "Prowess"])
@pytest.mark.parametrize("place", [Place(), Place("woods"), Place(attacked="flank")], ids=["open", "woods", "flank"])
def test_a_good_card_for_nothing_never_lowers_the_chance_to_win_or_raises_that_to_lose(better, place):
    plain = [stand for stand in one_card_each() if legal(stand.plus(better))]
    where = Situation(a=place)
    for decided in (USUAL, TriumphRulings(post_roll="loser_first"), TriumphRulings(total_floor=1)):
        without = close_grid(plain, ENEMIES, where, decided).counts().astype(int)
        given_card = close_grid([s.plus(better) for s in plain], ENEMIES, where, decided).counts().astype(int)
        worse = given_card.cumsum(axis=-1) > without.cumsum(axis=-1)
        assert not worse.any()


@steady
@given(stands(ridden=False), stands(), st.sampled_from(["Deadly", "Hearten", "Prowess"]))
def test_a_hero_who_lends_a_good_card_never_makes_things_worse(stand, enemy, better):
    ridden = replace(stand, hero=Hero.parse(f"Hero + {better}"), _names={})
    without = CloseCombat(stand, enemy).grid.counts()[0, 0].astype(int)
    with_card = CloseCombat(ridden, enemy).grid.counts()[0, 0].astype(int)
    assert np.all(with_card.cumsum() <= without.cumsum())


# One meaning, one table.

SAME = [
    (close_combat, ("Shooters", "Behemoths"), ("archers", "ELEPHANTS")),
    (close_combat, ("Knights + Deadly + Terror", "Spear"), ("kn+terror+deadly", "spears")),
    (close_combat, ("Raiders + Flying: hover", "Camp"), ("rdr + flight:hover", "  camp ")),
    (close_combat, ("Horde with Hero + Deadly + Terror", "Pavise"), ("horde WITH hero + terror+deadly", "Pavisiers")),
    (close_combat, ("Heavy Foot", "Fortified camp"), ("heavy_foot", "FORTIFIED   CAMP")),
    (factors, ("3 + Hearten + Prowess", "-1"), ("3+prowess+hearten", " −1 ")),
    (factors, ("4 + Deadly", "2"), ("4 +DEADLY", "2")),
    (ranged, ("Shooters + Marksman", "War Wagons"), ("arc + marksman", "war wagon")),
    (mindblast, ("Horde + Mindblast", "Knights"), ("hrd + MINDBLAST", "knight")),
    (spellblast, ("Horde + Spellblast: limited, magical", "SKM"), ("Hd+spellblast: Magical, Limited", "skirmisher")),
    (duel, ("Hero + Champion + Deadly", "Hero"), ("hero + deadly + champion", "HERO")),
]  # fmt: skip
TWO_WAYS = pytest.mark.parametrize("contest, one, other", SAME, ids=[" v ".join(one) for _, one, _ in SAME])


@TWO_WAYS
def test_one_spec_written_two_ways_has_one_exact_table(contest, one, other):
    assert contest(*one, {}, {}, None, 0).data == contest(*other, {}, {}, None, 0).data


@TWO_WAYS
def test_one_spec_written_two_ways_rolls_the_same_dice(contest, one, other):
    assert contest(*one, {}, {}, 500, 7).data == contest(*other, {}, {}, 500, 7).data


def exact(a, b, situation=None):
    return close_combat(a, b, situation or {}, {}, None, 0).data


def test_a_general_named_in_the_stand_or_in_the_situation_is_one_general():
    named = exact("Knights + general", "Spear")
    assert named == exact("Knights", "Spear", {"a.general": "yes"})
    assert named == exact("Knights + general", "Spear", {"a.general": "yes"})


def test_a_card_of_the_stand_and_the_same_card_of_its_hero_count_once():
    for card in ("Deadly", "Hearten", "Prowess", "Terror", "Armored"):
        own = exact(f"Spear + {card}", "Knights")
        assert own == exact(f"Spear with Hero + {card}", "Knights")
        assert own == exact(f"Spear + {card} with Hero + {card}", "Knights")


def test_terrain_for_both_is_the_terrain_of_each():
    both = exact("Knights", "Spear", {"terrain": "forest"})
    assert both == exact("Knights", "Spear", {"a.terrain": "woods", "b.terrain": "Wood"})
    assert both == exact("Knights", "Spear", {"a.terrain": "woods", "terrain": "woods"})


@pytest.mark.parametrize("better", ["Hearten", "Prowess", "Hearten + Prowess"])
def test_deadly_silences_what_else_the_stand_would_gain(better):
    assert exact(f"Spear + Deadly + {better}", "Knights") == exact("Spear + Deadly", "Knights")


# Rulings: what is declared acts, what is not is not handed over.


@pytest.mark.parametrize("contest", DECLARED)
def test_a_contest_declares_rulings_that_exist_and_each_once(contest):
    assert len(set(DECLARED[contest])) == len(DECLARED[contest])
    assert set(DECLARED[contest]) <= {info.name for info in TriumphRulings.catalog()}


CARDED = [
    "Heavy Foot + Spiked Carts", "Heavy Foot + Brittle", "Spear + Supporting Shooters + Prowess", "Horde + Hearten",
    "Horde + Weaken", "Pike + Craven", "Warband + Fierce", "Raiders + Fierce + Flying: hover", "Knights + Terror",
    "Horse Bow + Flying: zoom", "Behemoths + Terror", "Skirmishers + Negate Magic: zone", "Elite Foot + Armored",
    "Rabble + Negate Magic: mindless", "Spear + Negate Magic: self", "Shooters + Prowess", "Knights + Flying: hover",
    "Raiders + Terrain Affinity: woods, marsh", "Knights + Terrain Affinity: woods, marsh",
    "Bow Levy + Terrain Affinity: woods, marsh", "Elite Foot + Mobile Infantry: flying",
]  # fmt: skip
SIDES = [*map(Stand, TYPES), *map(Stand.parse, CARDED)]
WHERE = [
    Situation(),
    Situation(Place("woods"), Place("woods")),
    Situation(Place("rough"), Place("rough")),
    Situation(Place("oasis"), Place("oasis")),
    Situation(Place(overlaps=1, uphill=True, supported=True), Place()),
    Situation(Place(), Place(overlaps=2)),
    Situation(Place(attacked="rear", overlaps=2), Place(attacked="flank")),
    Situation(Place(), Place(attacked="rear")),
    Situation(Place(), Place(general=True)),
    Situation(Place(general=True), Place(in_zone=True)),
    Situation(Place("woods"), Place(blocked=True)),
]  # fmt: skip
SHOOTERS = [*map(Stand.parse, ["Shooters", "Artillery", "Pavise", "War Wagons", "Shooters + Prowess"])]
RIDERS = [side for side in SIDES if side.has("mobile_infantry")]
#: Other rulings that must be set before some ruling can act.
BASES = {
    "close-combat": [{}, {"bow_shatter": "open"}],
    "ranged": [{}],
    "mindblast": [{}],
    "spellblast": [{}, {"spellblast_exceptions": True}],
}
ATTACKS = {
    "ranged": [Attack("shooting"), Attack("ranged_attack", "physical"), Attack("ranged_attack", "magical")],
    "mindblast": [Attack("mindblast", "magical")],
    "spellblast": [Attack("spellblast", "physical", limited=True), Attack("spellblast", "magical")],
}


def fingerprint(grid):
    counts = grid.counts()
    return [counts, *grid.fates(counts), *grid.pursuits(counts)]


# Everything that can come out of a contest between many sides.
def outcomes(contest, where, decided):
    riding = Situation(where.a, replace(where.b, on_transports=True))
    if contest == "close-combat":
        yield from fingerprint(close_grid(SIDES, [*SIDES, *map(Camp, CAMPS)], where, decided))
        yield from fingerprint(close_grid(SIDES, RIDERS, riding, decided))
        return
    for attack in ATTACKS[contest]:
        yield from fingerprint(attack_grid(attack, SHOOTERS, SIDES, where, decided))
        yield from fingerprint(attack_grid(attack, SHOOTERS, RIDERS, riding, decided))
        one = RangedAttack(SHOOTERS[0], SIDES[0], attack, where, decided)
        yield one.target_fate(one.dice.faces())


@lru_cache
def unchanged(contest, where, decided):
    return tuple(outcomes(contest, where, decided))


def differs(contest, where, base, change):
    one, other = TriumphRulings(**base), TriumphRulings(**{**base, **change})
    pairs = zip(unchanged(contest, where, one), outcomes(contest, where, other), strict=True)
    return any(not np.array_equal(x, y) for x, y in pairs)


CHANGES = [
    (contest, name, option)
    for contest in FIGHTS
    for name in DECLARED[contest]
    for option in TriumphRulings.info(name).alternatives
]


@pytest.mark.parametrize("contest, name, option", CHANGES, ids=lambda part: str(part))
def test_a_declared_ruling_changes_some_outcome(contest, name, option):
    assert any(differs(contest, where, base, {name: option}) for base in BASES[contest] for where in WHERE)


@pytest.mark.parametrize("option", TriumphRulings.info("duel_result").alternatives)
def test_the_meaning_of_a_lost_duel_changes_who_is_lost(option):
    counts = duel_counts(np.array([8]), np.array([2]))
    usual = until_lost(counts, USUAL)
    other = until_lost(counts, TriumphRulings(duel_result=option))
    assert not np.array_equal(usual.ends, other.ends) or not np.array_equal(usual.rounds, other.rounds)


def test_whether_champion_counts_itself_changes_duels():
    pair = ("Hero + Champion", "Hero + Deadly")
    other = duel(*pair, {}, {"champion_counts_itself": "no"}, None, 0).data
    assert duel(*pair, {}, {}, None, 0).data != other


ASKED = {
    "close-combat": [
        (close_combat, ("Knights + Terror", "Spear + Supporting Shooters"), {"terrain": "woods", "b.overlaps": "2"}),
        (close_combat, ("Raiders + Flying: hover + Prowess", "Fortified camp"), {}),
        (close_combat, ("Rabble + Negate Magic: zone", "Warband + Terror"), {"a.attacked": "rear"}),
        (factors, ("3 + Prowess", "4 + Weaken"), {}),
    ],
    "ranged": [
        (ranged, ("Artillery", "War Wagons"), {"b.general": "yes"}),
        (ranged, ("Raiders + Ranged Attack: magical + Prowess", "Rabble + Negate Magic: mindless"), {}),
        (ranged, ("Shooters with Hero + Ranged Attack: physical", "Knights + Flying: hover"), {"b.attacked": "rear"}),
    ],
    "mindblast": [
        (mindblast, ("Horde + Mindblast", "Heavy Foot + Brittle"), {"b.general": "yes"}),
        (mindblast, ("Horde + Mindblast", "Pike + Mobile Infantry: flying"), {"b.on_transports": "yes"}),
    ],
    "spellblast": [
        (spellblast, ("Horde + Spellblast: unlimited, magical", "War Wagons"), {"b.general": "yes"}),
        (spellblast, ("Horde + Spellblast: limited, physical", "Elite Foot + Armored"), {"turns": "6"}),
    ],
    "duel": [(duel, ("Hero + Champion", "Hero + Prowess"), {})],
}
HIDDEN = [
    (contest, info.name)
    for contest in ASKED
    for info in TriumphRulings.catalog()
    if info.name not in DECLARED[contest]
]


@pytest.mark.parametrize("contest, name", HIDDEN, ids=lambda part: part)
def test_an_undeclared_ruling_changes_nothing(contest, name):
    for ask, pair, where in ASKED[contest]:
        usual = ask(*pair, where, {}, None, 0).data
        for option in TriumphRulings.info(name).alternatives:
            text = {True: "yes", False: "no"}.get(option, str(option)) if isinstance(option, bool) else str(option)
            assert ask(*pair, where, {name: text}, None, 0).data == usual, (pair, option)


# Notation.

SPELLINGS = {kind.id: [kind.id, kind.name, *kind.aliases] for kind in TYPES}


@steady
@given(stands())
def test_a_stand_reads_back_from_what_it_writes(stand):
    assert Stand.parse(str(stand)) == stand


@steady
@given(heroes())
def test_a_hero_reads_back_from_what_he_writes(hero):
    assert Hero.parse(str(hero)) == hero


def in_any_case(draw, text):
    return draw(st.sampled_from([str.lower, str.upper, str.title, str]))(text)


def scribbled(draw, head, picks, extra=()):
    texts = [*extra]
    for pick in picks:
        names = [pick.card.name, pick.card.id, *pick.card.aliases]
        shown = str(pick).partition(":")[2]
        texts.append(draw(st.sampled_from(names)) + (f":{shown}" if shown else ""))
    plus = draw(st.sampled_from([" + ", "+", "  +"]))
    return in_any_case(draw, plus.join([head, *draw(st.permutations(texts))]))


@steady
@given(st.data(), stands())
def test_a_stand_is_read_from_old_and_new_names_in_any_order_and_case(data, stand):
    head = data.draw(st.sampled_from(SPELLINGS[stand.troop_type.id]))
    text = scribbled(data.draw, head, stand.picks, ["general"] if stand.general else [])
    if stand.hero:
        text += data.draw(st.sampled_from([" with ", "  WITH "])) + scribbled(data.draw, "hero", stand.hero.picks)
    assert Stand.parse(text) == stand


@pytest.mark.parametrize("card", [card for card in OPTIONS if "," in card])
def test_the_options_of_a_card_may_be_written_in_any_order(card):
    name, _, given_options = card.partition(": ")
    swapped = ", ".join(reversed(given_options.split(", ")))
    bearer = Stand.parse("Raiders")
    assert bearer.plus(f"{name}: {swapped}") == bearer.plus(card)


@steady
@given(stands())
def test_a_stand_costs_at_least_a_point_and_the_same_however_written(stand):
    assert stand.points >= 1
    assert Stand.parse(str(stand).upper()).points == stand.points
    assert (stand.points * 2).denominator == 1


WORDS = [
    "Knights", "hero", "Raider", "+", "+", "+", "with", "general", "Deadly", "Flying", ":", "hover", ",", "woods",
    "marsh",
    "Terrain Affinity", "Champion", "Illusion", "Fierce", "", "é", "-1", "Delayed Entry", "slow",
]  # fmt: skip


@steady
@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
def test_any_scribble_is_read_or_refused_and_what_is_read_is_written_back(text):
    try:
        stand = Stand.read(text)
    except FtsimError:
        return
    assert Stand.read(str(stand)) == stand


@steady
@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
def test_any_scribble_has_a_price_or_is_refused(text):
    try:
        points = cost(text, {}).points
    except FtsimError:
        return
    assert points == round(points * 2) / 2


def test_every_card_that_a_stand_or_hero_may_have_takes_part_in_these_properties():
    used = {text.partition(":")[0] for text in (*OPTIONS, *OF_HEROES)}
    bearers = {card.name for card in cards().values() if card.for_stands or card.for_heroes}
    assert used == bearers


def test_results_are_named_from_the_worst_to_the_best_for_side_a():
    assert RESULTS == ("a_doubled", "a_beaten", "tie", "b_beaten", "b_doubled")
