"""The command line: odds with their fixed JSON form, show, list, cost, check, and messages."""

from __future__ import annotations

import json
from fractions import Fraction as F
from importlib.resources import files

import pytest
from typer.testing import CliRunner

from ftsim.cli import app

SHIPPED = files("ftsim.games.warlord").joinpath("data/profiles.yaml").read_text(encoding="utf-8")
ARCHERS = "20 Human B + short bow + leather + 2 ranks"


def run(*words):
    return CliRunner().invoke(app, list(words))


def asked(*words):
    result = run("odds", "warlord", *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(*words):
    """The message of a command that is refused, through the entry point that users run."""
    import subprocess
    import sys
    from pathlib import Path

    done = subprocess.run(
        [str(Path(sys.executable).with_name("ftsim")), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


class TestOdds:
    def test_march(self):
        found = asked("march", ARCHERS, "1 clear + 5 broken + 30 clear", "-s", "turns=2")
        assert set(found) == {"exact", "allowance", "depth", "turns", "assumed"}
        assert found["exact"]
        assert (found["allowance"], found["depth"]) == ("20/1", "4/1")
        assert found["turns"][0]["front"] == "11/1"
        assert [leg["spent"] for leg in found["turns"][0]["legs"]] == ["1/1", "18/1", "1/1"]
        # The move, the depth and the loss are from the example; only the width of a file is assumed.
        assert found["assumed"]["numbers"] == [
            {"key": "base_width.foot", "value": "2", "half": 31.0, "base": 31.0, "double": 31.0}
        ]

    def test_missile(self):
        found = asked("missile", "20 Human B + longbow", "20 Western goblin C", "-s", "b.in=wall")
        assert set(found) == {"exact", "figures", "percent_each", "total_percent", "kills", "mean_kills", "assumed"}
        assert found["total_percent"] == (10 + 6 - 6) * 20
        assert found["kills"] == {"2": {"p": 1.0, "fraction": "1/1"}}
        swept = {n["key"]: n for n in found["assumed"]["numbers"]}
        assert set(swept) == {
            "firing_base.longbow", "firing_range.short", "enemy_armour.unarmoured", "firing_modifier.cover_heavy",
            "percentage_floor.floor",
        }  # fmt: skip
        assert swept["firing_modifier.cover_heavy"]["half"] == 2.6
        assert swept["firing_modifier.cover_heavy"]["double"] == 0.8

    def test_combat(self):
        found = asked("combat", "10 dwarf A + spear", "8 western orc B + polearm + chain")
        assert set(found) == {"exact", "a", "b", "kills", "assumed"}
        assert found["a"] == {"figures": 10, "percent_each": "26/1", "total_percent": 260}
        assert sum(F(pair["fraction"]) for pair in found["kills"].values()) == 1

    def test_fight(self):
        found = asked("fight", "12 Western goblin A + spear", "10 Human C + spear", "-s", "terrain=wall")
        assert set(found) == {
            "exact", "a_wins", "b_wins", "both_destroyed", "unresolved", "endings", "mean_rounds", "mean_left",
            "assumed",
        }  # fmt: skip
        four = sum(found[name]["p"] for name in ("a_wins", "b_wins", "both_destroyed", "unresolved"))
        assert four == pytest.approx(1)
        sampled = asked(
            "fight", "12 Western goblin A + spear", "10 Human C + spear", "-s", "terrain=wall", "-n", "20000"
        )
        assert not sampled["exact"]
        assert sampled["a_wins"]["low"] - 0.02 < found["a_wins"]["p"] < sampled["a_wins"]["high"] + 0.02

    def test_fire(self):
        found = asked("fire", "wood wall", "20 Human B", "-s", "policy=fight", "-s", "defence=10")
        assert {"exact", "defence", "endings", "mean_turns", "mean_survivors", "survivors", "assumed"} <= set(found)
        assert (found["turns_to_half"], found["turns_to_destroy"]) == (3, 4)
        assert sum(p["p"] for p in found["endings"].values()) == pytest.approx(1)
        assert found["assumed"]["numbers"] == []
        rolled = asked("fire", "wood wall", "20 Human B", "-n", "5000")
        assert set(rolled["endings"]["destroyed"]) == {"p", "low", "high"}

    def test_wounds_and_demolition(self):
        assert asked("wounds", "humanoid", "2")["killed"] == {"p": 0.3873, "fraction": "3873/10000"}
        found = asked("demolition", "10 Hill troll B", "wood wall")
        assert found["opening"] == "a breach of 2 cm"
        assert found["down_by_turn"]["10"] <= 1

    @pytest.mark.parametrize("contest", ["march", "missile", "combat", "fight", "fire", "demolition", "wounds"])
    def test_every_contest_prints_for_people(self, contest):
        sides = {
            "march": (ARCHERS, "5 wood + wall + 9 clear"),
            "fire": ("thatch roof", "10 dwarf B"),
            "demolition": ("10 dwarf B + polearm", "door"),
            "wounds": ("giant", "1"),
        }.get(contest, (ARCHERS, "20 Western orc B"))
        result = run("odds", "warlord", contest, *sides)
        assert result.exit_code == 0, result.output
        assert "assumed numbers" in result.stdout or contest == "wounds"

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("march", ARCHERS, "5 lava"), "Unknown kind of terrain 'lava'"),
            (("march", ARCHERS, "5 wood", "-s", "turns=0"), "accepted: 1 to 100"),
            (("march", ARCHERS, "5 wood", "-n", "10"), "rolls no dice"),
            (("march", ARCHERS, "5 wood", "-s", "speed=2"), "Unknown situation 'speed'"),
            (("missile", "20 Human B", ARCHERS), "nothing to shoot with"),
            (("fight", ARCHERS, ARCHERS, "-s", "terrain=river"), "There is no fight in river"),
            (("fight", ARCHERS, ARCHERS, "-r", "cost_model=divisor"), "does not depend on 'cost_model'"),
            (("fight", ARCHERS, "20 hobbit B"), "Unknown race 'hobbit'"),
            (("fight", ARCHERS, "5 giant B"), "no combat_race.giant"),
            (("fire", "wood wall", ARCHERS, "-s", "policy=pray"), "accepted: stay, leave, fight, fight_then_leave"),
            (("wounds", "humanoid", "9"), "accepted: 1 to 6 wounds"),
            (("demolition", ARCHERS, "door"), "cannot harm a building"),
        ],
    )
    def test_bad_input(self, words, message):
        from ftsim.errors import InputError

        result = run("odds", "warlord", *words)
        assert isinstance(result.exception, InputError)
        assert message in str(result.exception)

    def test_a_refusal_is_one_message_and_exit_code_2(self):
        assert "Unknown race 'hobbit'" in refused("odds", "warlord", "fight", ARCHERS, "20 hobbit B")


class TestLookups:
    @pytest.mark.parametrize(
        "kind",
        [
            "races", "terrain", "weapons", "structures", "magic", "creatures", "characters", "numbers", "rulings",
            "contests",
        ],
    )  # fmt: skip
    def test_lists(self, kind):
        result = run("list", "warlord", kind, "--json")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)[kind]

    @pytest.mark.parametrize(
        ("name", "word"),
        [
            ("Western goblin", "Points"),
            ("jungle", "wood × scrub"),
            ("pike", "Ranks that fight"),
            ("thatch", "2D6"),
            ("Fire Ball", "magical"),
            ("griffin", "216"),
            ("linear_mode", "halve_remaining"),
            ("combat_modifier", "charged"),
            ("humanoid", "torso 46-73, 3"),
        ],
    )
    def test_show(self, name, word):
        result = run("show", "warlord", name)
        assert result.exit_code == 0, result.output
        assert word in " ".join(result.stdout.split())

    def test_cost(self):
        hero = "Human warrior hero + CF 4 + MF 5 + combat 55 + 3 skills + spear + sword + mail and plate + shield"
        assert json.loads(run("cost", "warlord", hero, "--json").stdout)["points"] == 513
        assert json.loads(run("cost", "warlord", "20 Human B + spear + shield", "--json").stdout)["points"] == 680
        assert json.loads(run("cost", "warlord", "griffin", "--json").stdout)["points"] == 216


class TestFiles:
    def test_a_profile_file_is_checked(self, tmp_path):
        path = tmp_path / "my_profiles.yaml"
        path.write_text(SHIPPED, encoding="utf-8")
        result = run("check", str(path))
        assert result.exit_code == 0, result.output
        assert "140 numbers still assumed, no faults" in " ".join(result.stdout.split())

    def test_a_faulty_profile_file_is_refused_with_file_line_and_what_is_accepted(self, tmp_path):
        path = tmp_path / "my_profiles.yaml"
        path.write_text(SHIPPED.replace("{wall: 1/2 example}", "{wall: 5/4}"), encoding="utf-8")
        line = next(k for k, text in enumerate(SHIPPED.splitlines(), 1) if "{wall: 1/2 example}" in text)
        message = " ".join(refused("check", str(path)).split())
        assert f"my_profiles.yaml, line {line}: terrain_loss.orc.wall: 5/4 cannot be used" in message
        assert "accepted: a fraction from 0 to below 1" in message

    def test_another_file_changes_results(self, tmp_path):
        path = tmp_path / "mine.yaml"
        path.write_text("warlord_profiles: 1\nname: mine\nbase_depth: {foot: 3, mounted: 4}\n", encoding="utf-8")
        found = asked("march", ARCHERS, "1 clear + 5 broken + 30 clear", "-s", f"profiles={path}")
        assert found["depth"] == "6/1"

    def test_an_army_file(self, tmp_path):
        path = tmp_path / "army.yaml"
        path.write_text(
            "warlord_army: 1\nname: Raiders\npoints: 1500\nunits:\n  - 20 Western goblin A + spear\n"
            "characters:\n  - Western goblin thief + 2 skills\ncreatures: [giant wolf]\n",
            encoding="utf-8",
        )
        assert "army Raiders, 812 points, legal" in run("check", str(path)).stdout
        assert json.loads(run("cost", "warlord", str(path), "--json").stdout) == {
            "points": 812.0, "legal": True, "reasons": [],
        }  # fmt: skip
        path.write_text("warlord_army: 1\nname: Raiders\nunits:\n  - 20 hobbit A\n", encoding="utf-8")
        assert "army.yaml, line 4: units.0: Unknown race 'hobbit'" in refused("check", str(path))
