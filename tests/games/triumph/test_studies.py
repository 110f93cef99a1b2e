"""Studies: planted truths come back, first numbers hold, what cannot be priced gets no number."""

from __future__ import annotations

import os
from dataclasses import replace
from math import isfinite, nan
from types import SimpleNamespace

import numpy as np
import pytest

from ftsim.documents import read_document
from ftsim.errors import InputError
from ftsim.estimates import Estimate
from ftsim.experiments.runner import run_cells
from ftsim.experiments.schema import Experiment, find_experiment, read_experiment, shipped
from ftsim.findings import Table
from ftsim.games import RULESETS
from ftsim.games.triumph import all_study, price_study
from ftsim.games.triumph.cards import cards
from ftsim.games.triumph.close_study import best_bearer
from ftsim.games.triumph.duels import duel_counts
from ftsim.games.triumph.experiment_checks import TRIAL_OPTIONS
from ftsim.games.triumph.grids import (
    COUNT_COLUMNS,
    Counts,
    Grid,
    compute_grid,
    loss_weights,
    named_situations,
    situation_weights,
)
from ftsim.games.triumph.price_study import (
    ClosePlan,
    Pricer,
    Scenario,
    field_weights,
    price_cards,
    variant,
)
from ftsim.games.triumph.ranged import Attack
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import troop_types
from ftsim.pricing.price_line import outlasting, strengths, worth_in_factors
from ftsim.pricing.verdict import hull

TYPES = tuple(t.name for t in troop_types().values())
AFFINITY = "Terrain Affinity: Woods, Wooded Hills"
CARDS = [
    "Deadly", "Hearten", "Prowess", "Weaken", "Brittle", "Terror", "Supporting Shooters", "Spiked Carts", AFFINITY,
]  # fmt: skip
DEFAULT = Scenario("default", "default")


def experiment(**changes):
    base = {
        "schema_version": 1,
        "name": "planted",
        "question": "What are the cards worth?",
        "game": "triumph",
        "contest": "close-combat",
        "sweep": {"card": CARDS},
        "price": ["price-line"],
    }
    return Experiment.model_validate({**base, **changes})


def study(one):
    return RULESETS[one.game].studies[one.contest]()


def computed(one):
    return {cell.key: cell.run() for cell in study(one).cells(one)}


def findings(one, results=None):
    return study(one).findings(one, results or computed(one))


def rows_of(found, table):
    parts = [part for section in found.sections for part in section.parts]
    return next(part for part in parts if part.id == table).rows


@pytest.fixture(scope="session")
def counted():
    """Cells hang neither on the field nor on weights of situations, so one set serves all."""
    return computed(experiment())


@pytest.fixture
def pricer(counted):
    return lambda **changes: Pricer(ClosePlan.of(experiment(**changes)), counted)


@pytest.fixture(scope="session")
def in_the_open(counted):
    return price_cards(Pricer(ClosePlan.of(experiment(situations={"open": 1})), counted))


# ------------------------------------------------------------------ planted truths


def test_a_card_that_is_a_factor_is_worth_exactly_one_factor_in_the_open(in_the_open):
    _, pricings = in_the_open
    base = pricings["default"][1]
    assert np.array_equal(base.cards["Deadly"], base.factor)
    assert base.factors("Deadly") == 1
    assert np.all(base.factors_by_bearer("Deadly") == 1)


def test_a_card_that_does_nothing_in_the_open_is_worth_exactly_nothing_there(in_the_open):
    _, pricings = in_the_open
    base = pricings["default"][1]
    assert np.array_equal(base.change(AFFINITY), np.zeros(16))
    assert base.price(AFFINITY).exact
    assert base.price(AFFINITY).value == base.factors(AFFINITY) == 0


def test_a_card_that_does_nothing_in_the_open_is_worth_something_in_the_woods(pricer):
    assert pricer(situations={"difficult": 1}).price(DEFAULT).factors(AFFINITY) > 0.1


def test_a_promotion_is_worth_exactly_the_difference_of_strengths(pricer):
    base = pricer().price(DEFAULT)
    heavy, elite = TYPES.index("Heavy Foot"), TYPES.index("Elite Foot")
    promoted = replace(base, cards={"promotion": base.plain[[elite]]}, positions={"promotion": [heavy]})
    difference = base.plain[elite] - base.plain[heavy]
    assert difference > 0
    assert promoted.price("promotion") == base.line.points(float(difference))
    assert promoted.factors("promotion") == difference / (base.factor[heavy] - base.plain[heavy])


def test_a_stand_has_the_same_strength_in_a_grid_of_its_own(pricer):
    whole = pricer().price(DEFAULT)
    alone = Grid("close-combat", ("Elite Foot",), TYPES, tuple(row.situation for row in named_situations()))
    own, enemy = Counts.of(alone, compute_grid(alone)).losses(loss_weights()["usual"])
    chance = np.tensordot(situation_weights(None), outlasting(own, enemy), axes=1)
    strength = strengths(chance, field_weights("published")).value
    assert np.isclose(strength[0], whole.plain[TYPES.index("Elite Foot")], rtol=1e-13)


def test_two_cards_of_one_effect_have_one_worth(counted, pricer):
    twin = dict(counted)
    twin["default | Hearten"] = {**counted["default | Deadly"]}
    base = Pricer(ClosePlan.of(experiment()), twin).price(DEFAULT)
    assert base.factors("Hearten") == base.factors("Deadly")
    assert base.price("Hearten") == base.price("Deadly")


def test_a_card_from_which_nobody_gains_is_worth_nothing(counted):
    nothing = dict(counted)
    nothing["default | Terror"] = counted["default | plain"]
    base = Pricer(ClosePlan.of(experiment()), nothing).price(DEFAULT)
    assert base.price("Terror") == Estimate(0.0, 0.0, 0.0)


# ------------------------------------------------------------------ first numbers

FIRST = {
    "Deadly": 1.0,
    "Hearten": 0.64,
    "Prowess": 0.19,
    "Weaken": -0.49,
    "Brittle": -1.18,
    "Terror": 0.45,
    "Supporting Shooters": 0.37,
    "Spiked Carts": 0.59,
}


@pytest.mark.parametrize("card", FIRST)
def test_first_numbers_in_factors_hold(in_the_open, card):
    _, pricings = in_the_open
    assert abs(pricings["default"][1].factors(card) - FIRST[card]) < 0.02


@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        ("default", (0.68, 0.36, 1.29)),
        ("no covariates", (0.73, 0.19, 2.04)),
        ("move, shooting, mounted", (0.77, 0.40, 1.33)),
        ("kills only", (0.72, 0.32, 1.88)),
        ("heavy", (0.69, 0.38, 1.25)),
        ("six rounds", (0.64, 0.32, 1.31)),
    ],
)
def test_first_numbers_of_the_line_hold(in_the_open, label, numbers):
    _, pricings = in_the_open
    price = pricings[label][1].price("Deadly")
    assert np.allclose((price.value, price.low, price.high), numbers, atol=0.02)


def test_the_printed_cards_ask_nearly_two_points_a_factor(in_the_open):
    priced, _ = in_the_open
    known = [one for one in priced if one.variant.text in FIRST]
    factors = np.array([one.factors for one in known])
    printed = np.array([one.variant.printed_mean for one in known])
    assert abs(factors @ printed / (factors @ factors) - 1.94) < 0.03


# ------------------------------------------------------------------ what cannot be priced


def kills_only(pricer):
    own, enemy = pricer.counts["default | plain"].losses(loss_weights()["kills only"])
    return outlasting(own, enemy)[0]


def test_by_kills_only_many_matchups_are_certain_and_every_card_still_has_a_price(pricer):
    sums = pricer(situations={"open": 1}, loss_weights="kills only")
    chance = kills_only(sums)
    assert (int(np.sum(chance == 0)), int(np.sum(chance == 1)), chance.size) == (140, 140, 676)
    base = sums.price(Scenario("default", "default", weights="kills only"))
    assert np.all(np.isfinite(base.plain))
    for card in CARDS:
        price = base.price(card)
        assert all(isfinite(x) for x in (price.value, price.low, price.high, base.factors(card)))


def test_with_the_usual_weights_no_matchup_in_the_open_is_certain(pricer):
    own, enemy = pricer().counts["default | plain"].losses(loss_weights()["usual"])
    chance = outlasting(own, enemy)[0]
    assert 0 < chance.min() < chance.max() < 1


WEAK = {"field": {"Horde": 1}, "situations": {"open": 1}, "loss_weights": "kills only"}


def test_a_type_that_the_field_cannot_beat_has_a_bound_and_no_price(pricer):
    sums = pricer(**WEAK)
    chance = kills_only(sums)[:, TYPES.index("Horde")]
    base = sums.price(Scenario("default", "default", weights="kills only"))
    assert 0 < np.sum(chance == 1) < 26
    assert np.array_equal(np.isposinf(base.plain), chance == 1)
    assert np.array_equal(np.isneginf(base.plain), chance == 0)
    bounded = ~np.isfinite(base.plain[base.positions["Deadly"]])
    assert np.array_equal(np.isnan(base.factors_by_bearer("Deadly")) & bounded, bounded)
    assert base.line.prices == int(np.isfinite(base.plain).sum())


def test_a_report_says_no_price_where_there_is_only_a_bound(counted, pricer):
    found = findings(experiment(**WEAK), counted)
    base = pricer(**WEAK).price(Scenario("default", "default", weights="kills only"))
    bounded = {name for name, value in zip(TYPES, base.plain, strict=True) if not isfinite(value)}
    rows = {row["bearer"]: row for row in rows_of(found, "bearers") if row["card"] == "Deadly"}
    for name in bounded:
        assert rows[name]["verdict"] == "no price"
        assert not isfinite(rows[name]["implied"])
        assert not isfinite(rows[name]["factors"])
    assert all(isfinite(row["implied"]) for name, row in rows.items() if row["verdict"] != "no price")


@pytest.mark.parametrize("situations", [None, {"open": 1}], ids=["everywhere", "in the open"])
def test_kills_only_reports_need_no_warning(counted, situations):
    one = experiment(loss_weights="kills only", field={"Rabble": 1, "Horde": 1}, situations=situations)
    found = findings(one, counted)
    assert all(found.checks.values())


@pytest.mark.parametrize("opponent", ["Elite Foot", "Behemoths", "Skirmishers"])
def test_one_scenario_without_a_line_does_not_lose_the_others(counted, opponent):
    found = findings(experiment(field={opponent: 1}, situations={"open": 1}), counted)
    row = next(row for row in rows_of(found, "verdicts") if row["card"] == "Deadly")
    assert isfinite(row["implied"])


@pytest.mark.parametrize("field", [{}, {"Knights": 0}])
def test_a_field_of_nobody_is_refused(field):
    with pytest.raises(InputError, match="field is empty"):
        field_weights(field)


def test_opponents_outside_the_sweep_have_no_weight(pricer):
    weights = field_weights("published", ["knights", "spear"])
    assert {TYPES[k] for k in np.flatnonzero(weights)} == {"Knights", "Spear"}
    assert np.isclose(weights.sum(), 1)


# ------------------------------------------------------------------ verdicts


def test_the_hull_of_a_card_holds_every_scenario_and_the_value_of_the_default(in_the_open):
    priced, pricings = in_the_open
    for one in priced:
        prices = [pricing.price(one.variant.text) for _, pricing in pricings.values()]
        assert one.hull == hull(price for price in prices if isfinite(price.value))
        assert one.hull.value == one.line.value


def test_each_range_varies_one_choice_and_ranges_are_not_combined(in_the_open):
    priced, pricings = in_the_open
    deadly = priced[0]
    for component in ("field", "situation", "loss weights", "rounds"):
        values = [
            pricing.price("Deadly").value
            for scenario, pricing in pricings.values()
            if scenario.component in (component, "default")
        ]
        assert deadly.spread[component] == (min(values), max(values))
    assert deadly.spread["line"] == (deadly.line.low, deadly.line.high)
    assert deadly.hull.high == max(pricing.price("Deadly").high for _, pricing in pricings.values())


def test_a_scenario_differs_from_the_default_in_one_thing(pricer):
    swept = pricer()
    first, *others = swept.scenarios()
    assert first.component == "default"
    for one in others:
        same = replace(one, component=first.component, label=first.label)
        differing = [name for name in vars(first) if getattr(same, name) != getattr(first, name)]
        assert len(differing) == 1, one


WITHHELD = {
    ("Terror", "overpriced"): "undecided",
    ("Terror", "fair"): "undecided",
    ("Terror", "underpriced"): "underpriced",
    ("Spiked Carts", "underpriced"): "undecided",
    ("Spiked Carts", "overpriced"): "undecided",
    ("Prowess", "overpriced"): "overpriced",
    ("Prowess", "fair"): "fair",
    ("Prowess", "underpriced"): "underpriced",
}
PRINTED = {"overpriced": 9.0, "fair": 0.5, "underpriced": -9.0}


@pytest.mark.parametrize(("card", "word"), WITHHELD)
def test_a_verdict_is_withheld_where_the_card_does_more_than_fight(card, word):
    one = variant(card, TriumphRulings())
    implied = Estimate(0.5, 0.4, 0.6)
    assert price_study._verdict(one, PRINTED[word], implied) == WITHHELD[card, word]


def test_cards_with_gains_are_told_apart_from_those_that_only_fight(in_the_open):
    priced, _ = in_the_open
    more = {one.variant.pick.card.id for one in priced if one.variant.pick.card.gains}
    assert more == {"terror", "supporting_shooters", "spiked_carts", "terrain_affinity"}


def test_a_type_that_pays_nothing_for_a_card_is_no_bearer():
    assert "artillery" not in {t.id for t in variant("Brittle", TriumphRulings()).bearers}
    assert variant("Deadly", TriumphRulings()).printed_mean == 2


def test_a_card_that_no_type_of_the_sweep_may_take_is_refused():
    with pytest.raises(InputError, match="Brittle: no troop type"):
        variant("Brittle", TriumphRulings(), ["artillery"])


def test_the_answer_names_every_card_once(counted):
    found = findings(experiment(), counted)
    assert all(found.answer.count(card.partition(":")[0]) == 1 for card in CARDS)


# ------------------------------------------------------------------ mirror


@pytest.mark.parametrize("situation", [0, 1], ids=["open", "woods"])
def test_a_matchup_seen_from_the_other_side_is_its_mirror(counted, situation):
    plain = Counts.of(ClosePlan.of(experiment()).grids["default | plain"], counted["default | plain"])
    sides = {"a_doubled": "b_doubled", "a_beaten": "b_beaten", "tie": "tie", "a_destroyed": "b_destroyed"}
    for one, other in {**sides, "a_pursues": "b_pursues"}.items():
        assert np.array_equal(plain.columns[one][situation], plain.columns[other][situation].T)


def test_the_same_place_on_either_side_is_a_mirror_as_well(counted):
    rows = named_situations()
    plain = Counts.of(ClosePlan.of(experiment()).grids["default | plain"], counted["default | plain"])
    for name in ("uphill", "flank", "overlap", "general"):
        one, other = (k for k, row in enumerate(rows) if row.id == name)
        assert rows[one].situation.a == rows[other].situation.b
        assert np.array_equal(plain.columns["a_destroyed"][one], plain.columns["b_destroyed"][other].T)


def test_a_type_against_itself_outlasts_as_often_as_not(pricer):
    own, enemy = pricer().counts["default | plain"].losses(loss_weights()["usual"])
    chance = np.tensordot(situation_weights(None), outlasting(own, enemy), axes=1)
    assert np.allclose(np.diag(chance), 0.5, atol=1e-15)
    assert np.allclose(chance + chance.T, 1, atol=1e-12)


def test_sampled_mirror_matches_show_no_seat():
    trials = 20_000
    grid = Grid("close-combat", TYPES, TYPES, trials=trials, seed=18)
    sums = Counts.of(grid, compute_grid(grid)).columns
    won = sum(sums[f"b_{how}"][0] - sums[f"a_{how}"][0] for how in ("beaten", "doubled"))
    decided = trials - sums["tie"][0]
    assert np.all(np.abs(np.diag(won)) < 4.5 * np.sqrt(np.diag(decided)))


# ------------------------------------------------------------------ identities of grids


@pytest.mark.parametrize("key", ["default | plain", "default | Terror", f"default | {AFFINITY}"])
def test_results_and_fates_sum_to_all_dice(counted, key):
    assert Counts.of(ClosePlan.of(experiment()).grids[key], counted[key]).identities()


def test_a_plus_one_never_makes_a_stand_weaker(pricer):
    base = pricer().price(DEFAULT)
    assert np.all(base.factor > base.plain)


def test_an_attack_at_a_distance_costs_the_attacker_nothing():
    grid = Grid("ranged", ("Shooters",), TYPES, attack=Attack("shooting"))
    columns = compute_grid(grid)
    assert np.all(columns["a_stands"] == 36)
    assert not any(np.any(columns[f"a_{fate}"]) for fate in ("destroyed", "panics", "falls_back"))
    assert not np.any(columns["a_pursues"] + columns["b_pursues"])


def test_columns_of_a_cell_are_all_of_one_length(counted):
    for columns in counted.values():
        assert {len(column) for column in columns.values()} == {len(columns["a"])}
        assert set(COUNT_COLUMNS) <= set(columns)


def test_weights_of_situations_sum_to_one_and_follow_what_is_wanted():
    rows = named_situations()
    for wanted in (None, {"open": 1}, {"open": 2, "uphill": 1}):
        assert np.isclose(situation_weights(wanted).sum(), 1)
    two = situation_weights({"open": 2, "uphill": 1})
    shares = {row.id: sum(w for w, r in zip(two, rows, strict=True) if r.id == row.id) for row in rows}
    assert np.isclose(shares["open"], 2 / 3)
    assert np.isclose(shares["uphill"], 1 / 3)


# ------------------------------------------------------------------ figures


def figures(contest, *names, **changes):
    one = experiment(contest=contest, sweep={"card": list(names)} if names else {}, price=[], **changes)
    return findings(one)


def test_points_taken_and_attacks_to_pay_back_agree(counted):
    found = figures("magic", "Mindblast", "Spellblast: limited, magical")
    rows = [row for row in found.files["figures.csv"].rows if row["kind"] == "taken"]
    assert len(rows) == 6
    for row in rows:
        assert np.isclose(row["pays"] * row["points"], row["printed"])
        assert 0 <= row["kills"] <= row["points"]


def test_a_guard_against_nothing_it_stops_saves_nothing():
    found = figures("magic", "Negate Magic: mindless")
    saved = {row["against"]: row["points"] for row in found.files["figures.csv"].rows}
    assert saved["Mindblast"] > 0
    assert saved["Ranged Attack: magical"] == 0


def test_rulings_widen_a_figure_to_a_range_that_holds_it():
    found = figures("magic", "Mindblast", rulings={"sweep": ["mindblast_brittle", "general_protects_vs_mindblast"]})
    for row in rows_of(found, "takers"):
        low, high = row["ruled"]
        assert low <= row["taken"] <= high


def test_figures_of_attacks_are_no_prices():
    found = figures("ranged", "Marksman", "Armored")
    assert "not prices" in found.answer
    assert "prices.csv" not in found.files


def test_duels_in_the_table_are_those_of_the_dice():
    found = figures("duel")
    for row in found.files["figures.csv"].rows:
        plain = duel_counts(np.array(2 * row["hero"]), np.array(2 * row["enemy"]))
        champion = duel_counts(np.array(2 * row["hero"] + 6), np.array(2 * row["enemy"]))
        assert (row["without_wins"], row["without_ties"]) == (plain.a_wins, plain.tie)
        assert (row["with_wins"], row["with_ties"]) == (champion.a_wins, champion.tie)


def test_heroes_of_equal_cost_win_as_often_as_they_lose():
    for row in figures("duel").files["figures.csv"].rows:
        if row["hero"] == row["enemy"]:
            assert 2 * row["without_wins"] + row["without_ties"] == 36


# ------------------------------------------------------------------ every shipped experiment

SHIPPED = [name for name, path in shipped().items() if read_document(path).data["game"] == "triumph"]


def trimmed(name):
    """A shipped experiment with one sweep of rulings and few battles: the same tables in a hundredth of the time."""
    one = read_experiment(find_experiment(name), RULESETS)
    changes = {"rulings": one.rulings.model_copy(update={"sweep": one.rulings.sweep[:1]})}
    if one.contest == "battle":
        few = dict.fromkeys(TRIAL_OPTIONS, 100) | {"regression_battles": 4000}
        options = {key: few.get(key, value) for key, value in one.options.items()}
        changes |= {"trials": 100 if one.price else 20, "options": options}
    return one.model_copy(update=changes)


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """Cells that are computed once in a session, also where several processes test."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shelf"


@pytest.fixture(scope="session")
def found(shelf):
    """Findings of every shipped experiment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_study, "included", lambda one: [trimmed(name) for name in one.include])
        shelved = {one.name: (one, run_cells(study(one).cells(one), shelf).results) for one in map(trimmed, SHIPPED)}
        return {name: findings(one, results) for name, (one, results) in shelved.items()}


def tables(one):
    yield from (part for section in one.sections for part in section.parts if isinstance(part, Table))
    yield from one.files.values()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_column_of_numbers_has_a_definition_and_an_example(found, name):
    terms = {term.name: term for term in found[name].terms}
    for table in tables(found[name]):
        for column in table.columns:
            if column.kind != "text":
                assert len(terms[column.term].definition) > 15, (table.id, column.title)
                assert any(c.isdigit() for c in terms[column.term].example), column.term


@pytest.mark.parametrize("name", SHIPPED)
def test_no_number_hides_in_a_column_of_text(found, name):
    for table in tables(found[name]):
        for column in table.columns:
            if column.kind in ("text", "verdict"):
                assert all(isinstance(row.get(column.key, ""), str) for row in table.rows), (table.id, column.key)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_identity_holds(found, name):
    assert found[name].checks
    assert all(found[name].checks.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_identifiers_of_sections_and_parts_are_unique(found, name):
    used = [section.id for section in found[name].sections]
    used += [part.id for section in found[name].sections for part in section.parts]
    assert len(set(used)) == len(used)


def test_the_joined_report_prices_all_cards_in_battles(found):
    rows = rows_of(found["battle-cards"], "cards")
    assert sorted(row["card"] for row in rows) == sorted(card.name for card in cards().values())
    assert not found["battle-cards"].missing
    assert all(row["battle"] and row["battle_state"] for row in rows)


def test_without_battles_the_joined_report_says_what_needs_them(found, monkeypatch, shelf):
    one = trimmed("battle-cards")
    parts = [trimmed(name) for name in one.include if name not in ("all-cards", "card-rulings")]
    monkeypatch.setattr(all_study, "included", lambda _: parts)
    results = run_cells(study(one).cells(one), shelf).results
    joined = findings(one, results)
    rows = rows_of(joined, "cards")
    needing = {row["card"] for row in rows if row["state"] == all_study.NEEDS_BATTLE}
    assert needing == {name for name, _ in joined.missing}
    assert needing == {card.name for card in cards().values() if card.modelled == "battle"}


def test_what_is_not_modelled_is_never_a_zero(found):
    for row in rows_of(found["battle-cards"], "cards"):
        if row["state"] == all_study.NEEDS_BATTLE:
            assert (row["factors"], row["implied"], row["hull"]) == (None, None, None)


def test_the_joined_report_agrees_with_its_parts(found):
    whole = {row["card"]: row for row in rows_of(found["battle-cards"], "cards")}
    for row in rows_of(found["close-combat-cards"], "verdicts"):
        joined = whole[row["card"].partition(":")[0]]
        assert (joined["state"], joined["implied"], joined["hull"]) == (row["verdict"], row["implied"], row["hull"])


def test_the_joined_report_moves_prices_by_the_readings_of_another_experiment(found):
    joined = {row["card"]: row for row in rows_of(found["battle-cards"], "all-cards-shifts")}
    alone = {row["card"]: row for row in rows_of(found["card-rulings"], "shifts")}
    assert joined.keys() == alone.keys()
    assert all(joined[card]["shift"] == alone[card]["shift"] for card in joined)
    prices = [section for section in found["battle-cards"].sections if section.id.startswith("card-rulings")]
    assert prices == []


def test_a_bound_is_no_number_for_the_best_bearer():
    one = SimpleNamespace(by_bearer=[SimpleNamespace(factors=nan)])
    assert best_bearer(one) == "–"


def test_worth_in_factors_of_nothing_known_is_no_number():
    unknown = np.array([np.inf])
    assert np.isnan(worth_in_factors(unknown, unknown, unknown))
