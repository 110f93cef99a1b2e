"""The game on the command line and in experiment files: fixed JSON, lists, checks, replays, clear errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftsim.cli import app
from ftsim.documents import read_document
from ftsim.errors import FtsimError, InputError
from ftsim.experiments.schema import check_experiment
from ftsim.games import RULESETS
from ftsim.games.ffc import lookups, odds
from ftsim.games.ffc.game import RULESET
from ftsim.report.audit import audit
from ftsim.report.publish import publish

ROOT = Path(__file__).parents[3]


def run(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def asked(contest: str, a: str, b: str, *options: str) -> dict:
    return json.loads(run("odds", "ffc", contest, a, b, "--json", *options))


def test_odds_of_an_attack_have_the_fixed_form():
    found = asked("attack", "Orc + Long Sword", "Orc + Long Sword")
    assert set(found) == {"exact", "hit", "unblocked", "kill", "expected_hits_lost", "hits_lost"}
    assert found["hit"] == {"p": pytest.approx(1 / 3), "fraction": "1/3"}
    assert found["expected_hits_lost"] == {"value": pytest.approx(11 / 6), "fraction": "11/6"}
    assert found["hits_lost"]["0"]["fraction"] == "2/3"
    flurry = asked("attack", "Orc + Long Sword", "Orc + Long Sword", "-s", "a.flurry=1")
    assert flurry["kill"]["fraction"] == "11/27"
    back = asked("attack", "Elf + Long Bow", "Sorcerer + Club", "-s", "a.row=back")
    assert back["kill"]["fraction"] == "2/3"
    six = asked("attack", "Orc + Long Sword", "Goblin + Club", "-r", "natural=six_hits")
    assert six["hit"]["fraction"] == "1/6"
    rolled = asked("attack", "Orc + Long Sword", "Orc + Long Sword", "-n", "20000")
    assert not rolled["exact"]
    assert rolled["hit"]["low"] < 1 / 3 < rolled["hit"]["high"]


def test_odds_of_a_duel_have_the_fixed_form():
    found = asked("duel", "Half-Orc + Long Sword", "Orc + Long Sword")
    assert set(found) == {"exact", "a_wins", "b_wins", "both_die", "unresolved", "mean_rounds"}
    assert found["a_wins"]["fraction"] == "11/20"
    assert found["mean_rounds"]["fraction"] == "639/250"
    endless = asked("duel", "Goblin + Club", "Goblin + Club")
    assert endless["unresolved"]["fraction"] == "1/1"
    assert endless["mean_rounds"] is None
    rolled = asked("duel", "Half-Orc + Long Sword", "Orc + Long Sword", "-n", "2000")
    assert rolled["a_wins"]["low"] < 0.55 < rolled["a_wins"]["high"]
    assert "never ends" in run("odds", "ffc", "duel", "Goblin + Club", "Goblin + Club")


def test_odds_of_a_battle_have_the_fixed_form():
    red, green = (str(ROOT / "experiments" / "ffc" / f"{name}_company.yaml") for name in ("red", "green"))
    found = asked("battle", red, green, "-n", "500")
    keys = {"exact", "trials", "a_wins", "b_wins", "draw", "unresolved", "mean_turns", "rulings", "policy"}
    assert set(found) == keys
    assert (found["exact"], found["trials"]) == (False, 500)
    assert found["a_wins"]["low"] <= found["a_wins"]["p"] <= found["a_wins"]["high"]
    dealt = asked(
        "battle", "random", "random", "-n", "200", "-s", "a.size=10", "-s", "b.size=4", "-s", "policy=greedy"
    )
    assert dealt["a_wins"]["p"] > 0.7
    bare = asked(
        "battle", "Half-Orc + Long Sword", "Orc + Long Sword", "-n", "5000", "-s", "cards=no", "-s", "spells=no"
    )
    assert bare["a_wins"]["low"] - 0.02 < 0.55 < bare["a_wins"]["high"] + 0.02


@pytest.mark.parametrize(
    ("contest", "a", "b", "situation", "rulings", "message"),
    [
        ("attack", "Orc", "Knigth", {}, {}, "did you mean 'Knight'"),
        ("attack", "Orc", "Orc", {"a.rwo": "back"}, {}, "a.row"),
        ("attack", "Orc", "Orc", {"a.row": "middle"}, {}, "accepted: front, back"),
        ("attack", "Orc + Club", "Orc", {"a.row": "back"}, {}, "from the back row"),
        ("attack", "Orc", "Orc", {"b.hits": "0"}, {}, "accepted: 1 to 20"),
        ("duel", "Orc", "Orc", {}, {"natural": "never"}, "six_hits"),
        ("duel", "Elf + Pot Helm", "Orc", {}, {}, "spellcasters wear no armor"),
        ("battle", "random", "Orc", {}, {}, "Either both sides"),
        ("battle", "Orc", "Orc", {"policy": "clever"}, {}, "random-legal"),
        ("battle", "Orc", "Orc", {"magic": "no"}, {}, "accepted"),
        ("battle", "30 x Orc", "Orc", {}, {}, "accepted: 1 to 20"),
        ("battle", "missing.yaml", "Orc", {}, {}, "cannot be read"),
    ],
)
def test_bad_questions_get_one_clear_message(contest, a, b, situation, rulings, message):
    with pytest.raises(FtsimError, match=message):
        odds.CONTESTS[contest](a, b, situation, rulings, None, 1)


def test_a_bad_question_exits_with_2():
    done = CliRunner().invoke(app, ["odds", "ffc", "duel", "Elff", "Orc"])
    assert isinstance(done.exception, InputError) or done.exit_code == 2


def test_pages_and_lists():
    for kind in RULESET.listings:
        listing = RULESET.listings[kind]()
        assert listing.rows
        assert all(len(row) == len(listing.columns) for row in listing.rows)
    for name in ("Ogre", "Spear", "Kite Shield", "Fireball", "Flurry", "natural", "Knight + Long Sword"):
        page = RULESET.show(name)
        assert page.title
        assert page.facts
    with pytest.raises(FtsimError, match="did you mean 'Fireball'"):
        RULESET.show("Firebal")
    assert not lookups.cost("Elf + Pot Helm", {}).legal
    assert lookups.cost("Orc + Pot Helm", {}).legal


def test_warband_files_are_checked(tmp_path):
    good = ROOT / "experiments" / "ffc" / "red_company.yaml"
    assert "6 fighters, legal" in run("check", str(good))
    bad = tmp_path / "bad.yaml"
    bad.write_text(
        "warband: Mob\nfighters:\n  - Elf + Pot Helm\n  - Orc + Long Sword\n  - Knigth\n  - Knight + Long Sword\n",
        encoding="utf-8",
    )
    with pytest.raises(FtsimError) as refused:
        RULESET.files["warband"](read_document(bad))
    for part in ("spellcasters", "Knigth", "one weapon Long Sword"):
        assert part in str(refused.value)


def test_replays_are_the_same_every_time_and_tell_the_end():
    first = odds.replay("random", "random", 7, {"policy": "greedy"})
    again = odds.replay("random", "random", 7, {"policy": "greedy"})
    assert first == again
    assert first.lines[-1] in ("side A has won", "side B has won", "a draw", "the battle is unresolved")
    other = odds.replay("random", "random", 8, {"policy": "greedy"})
    assert other.lines != first.lines
    assert "turn 1" in run("replay", "ffc", "Orc + Long Sword", "Orc + Club", "--trial", "2")
    with pytest.raises(FtsimError, match="seed"):
        odds.replay("Orc", "Orc", 0, {"seed": "x"})


def test_a_replay_is_the_trial_of_the_odds():
    from ftsim.games.ffc.battle.driver import Scenario, play, table, warband
    from ftsim.games.ffc.policies import Policy
    from ftsim.games.ffc.rulings import FfcRulings
    from ftsim.streams import stream_key

    a, b = "Orc + Long Sword", "Goblin + Whip"
    rulings = FfcRulings()
    key = stream_key(1, {"game": "ffc", "contest": "battle", "a": a, "b": b})
    state = table(Scenario((warband([a], rulings), warband([b], rulings))), (Policy(), Policy()), rulings, key)
    results = play(state, 20).result
    names = ("a_wins", "b_wins", "draw", "unresolved")
    assert [odds.replay(a, b, k, {}).data["result"] for k in range(20)] == [names[r] for r in results]


@pytest.mark.parametrize("name", ["ffc-duels", "ffc-values", "ffc-rulings"])
def test_shipped_experiments_have_no_faults(name):
    experiment = check_experiment(read_document(ROOT / "experiments" / f"{name}.yaml"), RULESETS)
    cells = RULESET.studies[experiment.contest]().cells(experiment)
    assert len({cell.key for cell in cells}) == len(cells)
    assert len({cell.id for cell in cells}) == len(cells)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("contest: duel\ntrials: 10", "duels are exact"),
        ("contest: values\ntrials: 10", "too few"),
        ("contest: values\noptions: {policy: [clever]}", "clever"),
        ("contest: values\noptions: {withheld: 0}", "at least 1"),
        ("contest: values\noptions: {withheld: 80}", "accepted: 0 to 50"),
        ("contest: values\noptions: {gamble: 2}", "gamble_factor"),
        ("contest: values\nsweep: {card: [Flurry]}", "no axis"),
        ("contest: rulings", "under sweep"),
        ("contest: rulings\nrulings: {sweep: [race]}", "does not depend"),
        ("contest: values\nrulings: {set: {natural: maybe}}", "six_hits"),
        ("contest: values\nprice: [price-line]", "printed price"),
    ],
)
def test_bad_experiments_name_key_and_line(tmp_path, text, message):
    path = tmp_path / "bad.yaml"
    path.write_text(f"schema_version: 1\nname: bad\nquestion: Why?\ngame: ffc\n{text}\n", encoding="utf-8")
    with pytest.raises(InputError, match=message) as refused:
        check_experiment(read_document(path), RULESETS)
    assert "bad.yaml, line" in str(refused.value)


def small(folder: Path, name: str, text: str):
    path = folder / f"{name}.yaml"
    path.write_text(f"schema_version: 1\nname: {name}\nquestion: What?\ngame: ffc\n{text}\n", encoding="utf-8")
    return check_experiment(read_document(path), RULESETS)


def test_a_small_experiment_on_values_reports(tmp_path):
    experiment = small(
        tmp_path, "small-values", "contest: values\ntrials: 5000\noptions: {policy: simple, crowd: [Ogre]}"
    )
    done = publish(experiment, RULESET, tmp_path / "results")
    page = done.page.read_text(encoding="utf-8")
    for words in ("points of win chance", "Orcs that equal one", "Fireball − Lightning Bolt", "Play rate"):
        assert words in page
    rows = (done.folder / "values.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 111 + 77


def test_a_small_experiment_on_rulings_is_kept_and_checks_itself(tmp_path):
    experiment = small(
        tmp_path,
        "small-rulings",
        "contest: rulings\ntrials: 5000\noptions: {policy: simple}\nrulings: {sweep: [natural]}",
    )
    done = publish(experiment, RULESET, tmp_path / "results")
    assert done.run.computed == 4
    assert publish(experiment, RULESET, tmp_path / "results").run.computed == 0
    assert "agree" in audit(done.folder, RULESETS)


def test_policy_parameters_are_set_in_the_experiment_file(tmp_path):
    from ftsim.games.ffc.policies import parameters
    from ftsim.games.ffc.study_parts import options

    experiment = small(
        tmp_path, "bold", "contest: values\ntrials: 5000\noptions: {policy: greedy, gamble_factor: 9, back_hits: 0}"
    )
    (policy,) = options(experiment)["policies"]
    found = dict(zip(parameters(), policy.numbers(), strict=True))
    assert (policy.name, found["gamble_factor"], found["back_hits"]) == ("greedy", 9, 0)
    assert found["extra_gain"] == parameters()["extra_gain"][2]
    plain = RULESET.studies["values"]().cells(experiment.model_copy(update={"options": {"policy": "greedy"}}))
    bold = RULESET.studies["values"]().cells(experiment)
    assert not {cell.id for cell in plain} & {cell.id for cell in bold}


def test_battles_are_sampled_unasked_and_say_how_often():
    assert "10,000 trials" in run("odds", "ffc", "battle", "random", "random")
