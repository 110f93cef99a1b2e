"""Experiment files that cannot be used: every fault at once, with file, line, key and what is accepted."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ftsim.documents import read_document
from ftsim.errors import InputError
from ftsim.experiments.schema import (
    check_experiment,
    find_experiment,
    included,
    json_schema,
    read_experiment,
    shipped,
)
from ftsim.games import RULESETS

GOOD = """schema_version: 1
name: small
question: Is Deadly worth two points?
game: triumph
contest: close-combat
sweep:
  card: [Deadly]
rulings:
  sweep: [overlap]
price: [price-line]
"""
fuzz = settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def check(tmp_path):
    def read(text):
        path = tmp_path / "small.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_experiment(path, RULESETS)

    return read


def message(check, text):
    with pytest.raises(InputError) as problem:
        check(text)
    return str(problem.value)


def test_a_sound_file_is_read(check):
    one = check(GOOD)
    assert (one.name, one.seed, one.trials, one.replicates) == ("small", 1, None, 1)
    assert one.title == "Small"


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


NAMES = {
    "a game": ("triumph", "triumf", "line 4: game: Unknown game 'triumf' (did you mean 'triumph'?)"),
    "a contest": ("close-combat", "close-combt", "line 5: contest: Unknown contest 'close-combt' (did you mean"),
    "a card": (
        "[Deadly]",
        "[Deadlee]",
        "line 7: sweep.card.0: Unknown battle card 'Deadlee' (did you mean 'Deadly'?)",
    ),
    "a ruling": ("[overlap]", "[overlop]", "line 9: rulings.sweep.0: Unknown ruling 'overlop' (did you mean"),
    "a key": ("question", "qestion", "line 3: qestion: unknown key (did you mean 'question'"),
    "a nested key": ("  sweep: [o", "  swep: [o", "line 9: rulings.swep: unknown key (did you mean 'sweep'?)"),
    "an axis": ("  card", "  crad", "line 7: sweep.crad: close-combat has no axis 'crad'; accepted: card"),
    "a price model": ("price-line", "price-lin", "line 10: price.0: input should be 'price-line'"),
}


@pytest.mark.parametrize(("old", "new", "said"), NAMES.values(), ids=NAMES)
def test_an_unknown_name_is_answered_with_what_was_meant(check, old, new, said):
    assert f"small.yaml, {said}" in message(check, changed(old, new))


MORE = {
    "field: publishd": "line 11: field: Unknown field 'publishd'; accepted: published, uniform",
    "field: {Nights: 1}": "line 11: field: Unknown troop type 'Nights' (did you mean 'Knights'?)",
    "field: {Knights: 0}": "line 11: field: The field is empty",
    "field: {Knights: -1}": "line 11: field.Knights: input should be greater than or equal to 0, got -1",
    "situations: {opn: 1}": "line 11: situations.opn: unknown situation 'opn'; accepted: open, difficult",
    "situations: {open: 0}": "line 11: situations: at least one situation needs a weight above 0",
    "situations: {open: .nan}": "line 11: situations.open: input should be a finite number",
    "loss_weights: usul": "line 11: loss_weights: unknown set 'usul'; accepted: usual, measured, kills only, heavy",
    "include: [duels]": "line 11: include: only contest all joins other experiments",
    "trials: 0": "line 11: trials: input should be greater than or equal to 1, got 0",
    "trials: -5": "line 11: trials: input should be greater than or equal to 1, got -5",
    "trials: many": "line 11: trials: should be a whole number, got 'many'",
    "trials: 10": "line 11: trials: prices are made from exact counts; leave trials out, or leave price out",
    "replicates: 0": "line 11: replicates: input should be greater than or equal to 1, got 0",
    "seed: -1": "line 11: seed: input should be greater than or equal to 0, got -1",
    "seed: 1.5": "line 11: seed: input should be a valid integer",
    "seed: '1'": "line 11: seed: should be a whole number, got '1'",
    "seed: true": "line 11: seed: should be a whole number, got True",
    "report: {titel: x}": "line 11: report.titel: unknown key (did you mean 'title'",
    "name: other": "line 11: name is given twice",
    "5: x": "line 11: 5: keys should be strings",
}


@pytest.mark.parametrize("line", MORE)
def test_a_line_that_cannot_be_used_is_named_with_what_is_accepted(check, line):
    assert f"small.yaml, {MORE[line]}" in message(check, GOOD + line + "\n")


VALUES = {
    "an empty axis": ("[Deadly]", "[]", "line 6: sweep: the axis card is empty: give at least one value"),
    "a value twice": ("[Deadly]", "[Deadly, Deadly]", "line 6: sweep: the axis card has a value twice"),
    "a card for a battle": ("[Deadly]", "[Fierce]", "line 7: sweep.card.0: Fierce needs a battle"),
    "no list": ("[Deadly]", "Deadly", "line 6: sweep: the axis card is needed: a list of cards"),
    "a name that is a path": ("small", "../small", "line 2: name: string should match pattern"),
    "a long name": ("small", "a" * 61, "line 2: name: string should have at most 60 characters"),
    "another schema": ("version: 1", "version: 2", "line 1: schema_version: input should be 1, got 2"),
    "an option": ("sweep: [overlap]", "set: {overlap: 7}", "line 9: rulings.set.overlap: Ruling overlap: '7' is not"),
    "a ruling it does not read": (
        "[overlap]",
        "[duel_result]",
        "line 9: rulings.sweep.0: close-combat does not depend on 'duel_result'; accepted: core_version",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), VALUES.values(), ids=VALUES)
def test_a_value_that_cannot_be_used_is_named_with_what_is_accepted(check, old, new, said):
    assert f"small.yaml, {said}" in message(check, changed(old, new))


def test_every_fault_is_named_at_once(check):
    text = GOOD.replace("question:", "qestion:").replace("name: small", "name: SMALL") + "trials: 0\n"
    lines = message(check, text).splitlines()
    assert len(lines) == 4
    assert all(line.startswith("small.yaml, line ") for line in lines)


def test_every_fault_of_the_game_is_named_at_once(check):
    text = changed("[Deadly]", "[Deadlee, Terro]") + "loss_weights: usul\nsituations: {opn: 1}\n"
    assert [line.split(":")[1].strip() for line in message(check, text).splitlines()] == [
        "loss_weights",
        "situations.opn",
        "sweep.card.0",
        "sweep.card.1",
    ]


NO_YAML = {
    "nothing": "",
    "a list": "- a\n",
    "a word": "hello\n",
    "an open quote": GOOD + 'report: {title: "x\n',
    "a tab": "a:\n\tb: c\n",
    "an unknown anchor": "a: *b\n",
    "two documents": GOOD + "---\n" + GOOD,
    "a foreign tag": "a: !!python/object:os.system x\n",
    "a control character": "a: \0\n",
    "another alphabet": "name: é".encode("latin-1"),
    "bytes": bytes(range(256)),
    "no such day": changed("small", "2020-13-45"),
    "no whole number": changed("version: 1", "version: !!int one"),
    "no number": changed("version: 1", "version: !!float one"),
    "no truth": changed("version: 1", "version: !!bool one"),
    "brackets without end": "[" * 600,
    "brackets in brackets": "a: " + "[" * 600 + "]" * 600,
    "an anchor used twice": "a: &x 1\nb: &x 2\n",
    "a list in itself": changed("[Deadly]", "&a [*a]"),
}


@pytest.mark.parametrize("text", NO_YAML.values(), ids=NO_YAML)
def test_a_file_that_is_no_experiment_gets_one_clear_message(check, text):
    assert "small.yaml" in message(check, text)


WRONG = {
    "weights without end": GOOD + "situations: {open: .inf}\n",
    "a field without end": GOOD + "field: {Knights: .inf}\n",
    "weights too large to add": GOOD + "field: {Knights: 1.0e+308, Spear: 1.0e+308}\n",
    "truth for a number": GOOD + "field: {Knights: true}\n",
    "text for a number": GOOD + "field: {Knights: '1'}\n",
    "truth for a version": changed("version: 1", "version: true"),
    "one card in two spellings": changed("[Deadly]", "[Deadly, deadly]"),
    "one card with options in two orders": changed(
        "[Deadly]", "['Terrain Affinity: woods, marsh', 'Terrain Affinity: Woods, Marsh']"
    ),
    "a card that no type of the sweep may take": changed(
        "  card: [Deadly]", "  card: [Brittle]\n  troop_type: [Artillery]"
    ),
    "a field without opponents": changed("  card: [Deadly]", "  card: [Deadly]\n  opponent: [Knights]")
    + "field: {Rabble: 1}\n",
    "replicates of what is exact": GOOD + "replicates: 5\n",
    "a price model of battles": changed("[price-line]", "[equal-points]"),
    "a precision of what is exact": GOOD + "precision: {half_width: 0.1}\n",
    "options it does not have": GOOD + "options: {polcy: greedy}\n",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_cannot_be_run_is_refused_before_it_runs(check, text):
    assert message(check, text).startswith("small.yaml, line ")


ALL = "schema_version: 1\nname: joined\nquestion: All?\ngame: triumph\ncontest: all\ninclude: [{}]\n"


@pytest.mark.parametrize("names", ["", "duel", "battle-cards"], ids=["none", "unknown", "itself joined"])
def test_experiments_that_cannot_be_joined_are_refused(check, names):
    assert "include" in message(check, ALL.format(names))


def test_one_experiment_can_be_joined_alone(check):
    one = check(ALL.format("duels"))
    study = RULESETS["triumph"].studies["all"]()
    findings = study.findings(one, {cell.key: cell.run() for cell in study.cells(one)})
    assert all(findings.checks.values())


# ------------------------------------------------------------------ any change at all

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["Deadly", "Hearten", "open", "all", "eligible", "Knights", "published", "0", "é\n", "a\0"]),
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
KEYS = st.sampled_from(
    ["trials", "seed", "field", "situations", "loss_weights", "include", "report", "replicates", "x", "card", "set"]
)


@st.composite
def mutated(draw):
    document = {
        "schema_version": 1,
        "name": "small",
        "question": "Is Deadly worth two points?",
        "game": "triumph",
        "contest": "close-combat",
        "sweep": {"card": ["Deadly"], "opponent": ["Knights", "Spear"]},
        "rulings": {"set": {"uphill": 1}, "sweep": ["overlap"]},
        "price": ["price-line"],
        "report": {"title": "A title"},
    }
    for _ in range(draw(st.integers(1, 3))):
        inside = draw(st.sampled_from([document, *(part for part in document.values() if isinstance(part, dict))]))
        how = draw(st.sampled_from(["delete", "insert", "retype"]))
        if how == "insert" or not inside:
            inside[draw(KEYS)] = draw(values)
        elif how == "delete":
            del inside[draw(st.sampled_from(sorted(inside)))]
        else:
            inside[draw(st.sampled_from(sorted(inside)))] = draw(values)
    return document


def fault(path):
    try:
        check_experiment(read_document(path), RULESETS)
    except InputError as problem:
        return str(problem)
    return ""


@fuzz
@given(mutated())
def test_no_change_of_keys_and_values_gives_anything_but_a_clear_message(tmp_path, document):
    path = tmp_path / "small.yaml"
    path.write_text(json.dumps(document))
    assert all("small.yaml" in line for line in fault(path).splitlines())


TOKENS = [
    "[", "]", "{", "}", ":", "- ", "&a ", "*a", "!!int ", "? ", "| ", "> ", "'", '"', "#", "\n", "  ", "\t", "%",
    "2020-13-45", "0x", "1e400", ".inf", "~", "<<: ", "---\n", "é", "\0",
]  # fmt: skip


@st.composite
def garbled(draw):
    text = GOOD
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        until = at + draw(st.integers(0, 3))
        text = text[:at] + draw(st.sampled_from(TOKENS)) + text[until:]
    return text


@fuzz
@given(garbled())
def test_no_change_of_characters_gives_anything_but_a_clear_message(tmp_path, text):
    path = tmp_path / "small.yaml"
    path.write_text(text)
    assert all("small.yaml" in line for line in fault(path).splitlines())


# ------------------------------------------------------------------ what is shipped


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_experiment_has_no_faults(name):
    one = read_experiment(find_experiment(name), RULESETS)
    assert one.name == name
    assert all(part.name in shipped() for part in included(one))


def test_a_name_that_is_not_shipped_is_answered_with_what_is():
    with pytest.raises(InputError, match=r"Unknown experiment 'battle-crds' \(did you mean 'battle-cards'"):
        find_experiment("battle-crds")


@pytest.mark.parametrize("name", ["nowhere.yaml", "nowhere.yml"])
def test_a_file_that_is_not_there_is_named(name):
    with pytest.raises(InputError, match=f"{name}: there is no such file"):
        find_experiment(name)


def test_the_schema_describes_what_the_reader_accepts():
    schema = json.loads(json_schema())
    assert set(schema["required"]) == {"schema_version", "name", "question", "game", "contest"}
    assert schema["additionalProperties"] is False
    assert set(read_document(find_experiment("magic")).data) <= set(schema["properties"])
