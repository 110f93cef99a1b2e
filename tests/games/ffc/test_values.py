"""Values: planted worths come back, intervals cover, equal cards agree; dominance, crowds, points."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.driver import Scenario, play, table
from ftsim.games.ffc.crowds import Crowd, crowd
from ftsim.games.ffc.dominance import dominated_warriors, dominated_weapons, same_cards
from ftsim.games.ffc.policies import Policy
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.games.ffc.value_study import leaders, same_worth
from ftsim.games.ffc.values import Term, design, fit, mean_of, place, point_list, score, terms, unit
from ftsim.streams import stream_key

USUAL = FfcRulings()


@pytest.fixture(scope="module")
def deals():
    """Real deals; what happens in the battles is replaced where a truth is planted."""
    state = table(Scenario(withheld=10), (Policy("simple"), Policy("simple")), USUAL, stream_key(3, {}))
    return play(state, 12_000, threads=2)


def test_the_columns_are_the_cards_of_both_sides(deals):
    x = design(deals.out)
    assert x.shape == (12_000, 111)
    assert set(np.unique(x[:, :97])) == {-1.0, 0.0, 1.0}
    # A tenth of the cards is withheld; nobody holds a card of the other.
    share = (x[:, 20:77] == 0).mean()
    assert share == pytest.approx(0.1, abs=0.01)
    spells = x[:, 77:97]
    assert (spells != 0).sum(1).max() <= 15
    assert np.abs(x[:, 97:].sum(1)).max() <= 7


@pytest.mark.verification
def test_planted_worths_come_back_and_intervals_cover(deals):
    x = design(deals.out)
    rng = np.random.default_rng(8)
    truth = rng.normal(0.1, 0.15, size=x.shape[1])
    inside = total = 0
    for _ in range(3):
        chance = 1 / (1 + np.exp(-(x @ truth)))
        found = fit(x, (rng.random(len(x)) < chance).astype(np.float64))
        for k in range(len(truth)):
            e = found.worth(unit(k))
            inside += e.low <= truth[k] <= e.high
            total += 1
        slope = np.mean(chance * (1 - chance))
        # 111 coefficients from 12,000 battles spread the fitted chances a few per cent too far.
        assert found.slope == pytest.approx(slope, rel=0.05)
    # 333 intervals at 95 %: between 91 and 99 % in a sound fit, with room for their dependence.
    assert 0.91 < inside / total < 0.99


def test_draws_count_half():
    out = np.zeros((4, at.O_COLUMNS), dtype=np.int64)
    out[:, at.O_RESULT] = range(4)
    assert score(out).tolist() == [1.0, 0.0, 0.5, 0.5]


def test_a_centred_deck_sums_to_zero_and_points_follow_the_worths(deals):
    found = fit(design(deals.out), score(deals.out))
    for deck in ("warrior", "weapon", "armor", "spell", "fight card"):
        total = sum(found.centred(k).value for k, term in enumerate(terms()) if term.deck == deck)
        assert total == pytest.approx(0, abs=1e-9)
    points = point_list(found)
    men = [points.points[term] for term in terms() if term.deck == "warrior"]
    assert np.mean(men) == pytest.approx(5, abs=0.3)
    assert all(2 * p == int(2 * p) and p >= 0 for p in points.points.values())
    assert Term("fight card", "Flurry") not in points.points
    assert points.total(unit(place("warrior", "Elf"))[None, :])[0] == points.points[Term("warrior", "Elf")]
    tests = same_worth(found)
    assert len(tests) == 1 + sum(len(groups) for groups in same_cards().values())
    from scipy.stats import chi2

    assert min(chi2.sf(value, df) for _, value, df in tests) > 1e-6 / len(tests)


def test_leaders_are_those_that_cannot_be_told_from_the_best(deals):
    found = fit(design(deals.out), score(deals.out))
    names = leaders(found, "spell").replace(" and ", ", ").split(", ")
    assert {"Fireball", "Lightning Bolt"} <= set(names)
    top = place("spell", names[0])
    for k, term in enumerate(terms()):
        if term.deck == "spell" and k != top:
            assert (found.worth(unit(top) - unit(k)).low <= 0) == (term.name in names)


def test_impossible_fits_are_refused(deals):
    x = design(deals.out)
    with pytest.raises(InputError, match="at least 1110"):
        fit(x[:200], score(deals.out)[:200])
    with pytest.raises(InputError):
        mean_of("weapon", ["Elf"])


def test_which_cards_are_dominated():
    """The first report of the rules: dominated hand weapons and warriors."""
    weapons = dominated_weapons()
    spear = {name for name, better in weapons.items() if "Spear" in better}
    assert spear == {
        "Spiked Mace", "Long Sword", "Scimitar", "Tulwar", "Broad Sword", "Bastard Sword", "Maul", "Flail", "Dirk",
        "Short Sword", "Club",
    }  # fmt: skip
    assert {name for name, better in weapons.items() if "Halberd" in better} == {"Great Sword", "War Hammer"}
    assert weapons["Katar"] == ["Dagger"]
    left = {"Dagger", "Knives", "Javelins", "Whip", "Battle Axe", "Spear", "Halberd", "Staff", "Hand Axe"}
    assert not left & set(weapons)
    assert len(left) + len(weapons) == 23
    pairs = {(name, other) for name, better in dominated_warriors().items() for other in better}
    assert {
        ("Orc", "Half-Orc"), ("Half-Orc", "Knight"), ("Knight", "Hobgoblin"), ("Knight", "Warrior"),
        ("Knight", "Barbarian"), ("Hobgoblin", "Barbarian"), ("Dwarf", "Barbarian"), ("Barbarian", "Bugbear"),
        ("Kobold", "Goblin"), ("Bandit", "Assassin"),
    } <= pairs  # fmt: skip
    assert set(dominated_warriors()) == {
        "Orc", "Half-Orc", "Knight", "Hobgoblin", "Dwarf", "Barbarian", "Kobold", "Bandit",
    }  # fmt: skip
    groups = same_cards()
    assert ("Long Sword", "Scimitar", "Tulwar") in groups["weapon"]
    assert len(groups["armor"]) == 9


def test_a_crowd_of_one_kind_is_worth_itself():
    found = crowd(
        "Orc + Long Sword", "Orc + Long Sword", 2, (1, 2, 3), 3000, stream_key(2, {}), Policy("simple"), USUAL
    )
    assert found.score[0] > 0.5 > found.score[2]
    equal = found.equal()
    assert equal is not None
    assert equal.low <= 1 <= equal.high
    assert Crowd(2, (1, 2), (0.9, 0.8), 100).equal() is None
    with pytest.raises(InputError):
        crowd("Orc", "Orc", 0, (1,), 10, 1, Policy("simple"), USUAL)
