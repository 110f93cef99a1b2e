"""Rulings: one is set and the others keep their defaults, and that is recorded."""

from __future__ import annotations

import pytest

from ftsim.errors import InputError, UnknownNameError
from ftsim.experiments.provenance import run_record
from ftsim.games import RULESETS
from ftsim.games.triumph.price_study import ruling_scenarios
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings

CATALOG = {info.name: info for info in TriumphRulings.catalog()}


@pytest.mark.parametrize("name", CATALOG)
def test_setting_one_ruling_leaves_every_other_at_its_default(name):
    info = CATALOG[name]
    for option in info.alternatives:
        one = TriumphRulings.parse({name: option})
        assert one.changed() == {name: option}
        assert one.settings() == {**TriumphRulings().settings(), name: option}


def test_defaults_are_not_counted_as_changes():
    assert TriumphRulings().changed() == {}
    assert TriumphRulings.parse({name: info.default for name, info in CATALOG.items()}) == TriumphRulings()


@pytest.mark.parametrize("name", CATALOG)
def test_every_option_can_be_written_as_text(name):
    info = CATALOG[name]
    words = {True: "yes", False: "no"}
    for option in (info.default, *info.alternatives):
        text = words[option] if isinstance(option, bool) else str(option)
        assert getattr(TriumphRulings.parse({name: text}), name) == option


@pytest.mark.parametrize("name", CATALOG)
def test_a_ruling_says_why_and_where_it_comes_from(name):
    info = CATALOG[name]
    assert len(info.why) > 20
    assert info.ref
    assert info.alternatives
    assert info.default not in info.alternatives


def test_an_unknown_ruling_is_answered_with_what_was_meant():
    with pytest.raises(UnknownNameError, match=r"Unknown ruling 'overlop' \(did you mean 'overlap'\?\)"):
        TriumphRulings.parse({"overlop": 0})


@pytest.mark.parametrize("option", [7, "7", True, None, "", -1.5])
def test_an_unknown_option_is_answered_with_those_there_are(option):
    with pytest.raises(InputError, match=r"Ruling overlap: .* is not an option; accepted: -1, 0, -2"):
        TriumphRulings.parse({"overlap": option})


@pytest.mark.parametrize("option", [1, 0])
def test_a_number_is_no_truth(option):
    with pytest.raises(InputError, match="spellblast_penalties"):
        TriumphRulings(spellblast_penalties=option)


def test_a_contest_is_handed_only_the_rulings_it_declares():
    changed = TriumphRulings.parse({"overlap": 0, "duel_result": "away"})
    assert changed.only(DECLARED["duel"]).changed() == {"duel_result": "away"}
    assert changed.only(DECLARED["close-combat"]).changed() == {"overlap": 0}


def test_a_sweep_changes_one_ruling_at_a_time(experiment):
    swept = experiment(rulings={"set": {"uphill": 2}, "sweep": ["overlap", "post_roll"]})
    found = {label: rulings.changed() for label, rulings in ruling_scenarios(swept).items()}
    assert found == {
        "default": {"uphill": 2},
        "overlap=0": {"uphill": 2, "overlap": 0},
        "overlap=-2": {"uphill": 2, "overlap": -2},
        "post_roll=loser_first": {"uphill": 2, "post_roll": "loser_first"},
    }


def test_a_report_records_what_was_set_and_what_kept_its_default(experiment, cells):
    one = experiment(rulings={"set": {"overlap": 0}})
    study = RULESETS["triumph"].studies["close-combat"]()
    findings = study.findings(one, {cell.key: cell.run() for cell in cells(one)})
    shown = {point.name.split(" ")[0]: point.setting for point in findings.rulings}
    assert shown["overlap"] == "0"
    assert {name: text for name, text in shown.items() if name != "overlap"} == {
        name: str(CATALOG[name].default) for name in DECLARED["close-combat"] if name != "overlap"
    }
    assert run_record(one, study)["experiment"]["rulings"] == {"set": {"overlap": 0}, "sweep": []}
