"""Outcome moves on positions drawn by hand: who falls back where, and whom it pushes, passes or crushes."""

from __future__ import annotations

import pytest
from positions import position

from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.fighting import fight
from ftsim.games.triumph.battle.outcomes import pursue, suffer

FOOT, DEEP, SKIRMISH = "Heavy Foot", "Horde", "Skirmishers"
MASSIVE, FLYER = "Warriors + Massive", "Javelin Cavalry + Flying: hover"

# A beaten stand a in lane 3, row 8 looks up and falls back down the rows; what stands behind it, and where all end.
CASES = {
    "free": ({"a": (FOOT, 3, 8, 0)}, {"a": (3, 7)}),
    "free, deep base": ({"a": (DEEP, 3, 8, 0)}, {"a": (3, 6)}),
    "to the sides": ({"a": (DEEP, 3, 8, 1)}, {"a": (1, 8)}),
    "push": ({"a": (FOOT, 3, 8, 0), "a2": (FOOT, 3, 7, 0)}, {"a": (3, 7), "a2": (3, 6)}),
    "push twice": ({"a": (DEEP, 3, 8, 0), "a2": (FOOT, 3, 7, 0)}, {"a": (3, 6), "a2": (3, 5)}),
    "push blocked": (
        {"a": (FOOT, 3, 8, 0), "a2": (FOOT, 3, 7, 0), "a3": (FOOT, 3, 6, 0)},
        {"a": "lost", "a2": "lost", "a3": (3, 6)},
    ),
    "pushed to the edge": (
        {"a": (FOOT, 3, 2, 0), "a2": (FOOT, 3, 1, 0)},
        {"a": "lost", "a2": "lost"},
    ),
    "block: looks elsewhere": (
        {"a": (FOOT, 3, 8, 0), "a2": (FOOT, 3, 7, 1)},
        {"a": "lost", "a2": "lost"},
    ),
    "block: own camp": ({"a": (FOOT, 3, 8, 0), "ac": ("camp", 3, 7, 0)}, {"a": "lost", "ac": (3, 7)}),
    "edge": ({"a": (FOOT, 3, 1, 0)}, {"a": "lost"}),
    "edge, deep base": ({"a": (DEEP, 3, 2, 0)}, {"a": "lost"}),
    "enemy behind looks away": (
        {"a": (FOOT, 3, 8, 0), "b1": (FOOT, 3, 7, 2)},
        {"a": "lost", "b1": (3, 7)},
    ),
    "enemy a row behind": (
        {"a": (DEEP, 3, 8, 0), "b1": (FOOT, 3, 6, 2)},
        {"a": "lost", "b1": (3, 6)},
    ),
    "enemy in the rear": ({"a": (FOOT, 3, 8, 0), "b1": (FOOT, 3, 7, 0)}, {"a": "lost", "b1": (3, 7)}),
    "enemy on the flank": ({"a": (FOOT, 3, 8, 0), "b1": (FOOT, 2, 8, 1)}, {"a": "lost", "b1": (2, 8)}),
    "enemy beside looks on": ({"a": (FOOT, 3, 8, 0), "b1": (FOOT, 2, 8, 2)}, {"a": (3, 7), "b1": (2, 8)}),
    # Triumph! 81.1.c
    "past skirmishers": (
        {"a": (FOOT, 3, 8, 0), "a2": (SKIRMISH, 3, 7, 0)},
        {"a": (3, 6), "a2": (3, 7)},
    ),
    "skirmishers without room behind": (
        {"a": (FOOT, 3, 8, 0), "a2": (SKIRMISH, 3, 7, 0), "a3": (FOOT, 3, 6, 0)},
        {"a": "lost", "a2": "lost", "a3": (3, 6)},
    ),
    # FT 43.1.c
    "Massive: free": ({"a": (MASSIVE, 3, 8, 0)}, {"a": (3, 6)}),
    "Massive crushes a friend": (
        {"a": (MASSIVE, 3, 8, 0), "a2": (FOOT, 3, 7, 0)},
        {"a": (3, 6), "a2": "lost"},
    ),
    "Massive crushes two": (
        {"a": (MASSIVE, 3, 8, 0), "a2": (FOOT, 3, 7, 0), "b1": (FOOT, 3, 6, 2)},
        {"a": (3, 6), "a2": "lost", "b1": "lost"},
    ),
    "Massive passes skirmishers": (
        {"a": (MASSIVE, 3, 8, 0), "a2": (SKIRMISH, 3, 7, 0)},
        {"a": (3, 6), "a2": (3, 7)},
    ),
    "Massive passes skirmishers at its last row": (
        {"a": (MASSIVE, 3, 8, 0), "a2": (SKIRMISH, 3, 6, 0)},
        {"a": (3, 5), "a2": (3, 6)},
    ),
    "Massive crushes skirmishers without room behind": (
        {"a": (MASSIVE, 3, 8, 0), "a2": (SKIRMISH, 3, 7, 0), "a3": (FOOT, 3, 6, 0)},
        {"a": (3, 6), "a2": "lost", "a3": "lost"},
    ),
    "Massive does not pass enemy skirmishers": (
        {"a": (MASSIVE, 3, 8, 0), "b1": (SKIRMISH, 3, 7, 2)},
        {"a": (3, 6), "b1": "lost"},
    ),
    "Massive meets a Massive friend": (
        {"a": (MASSIVE, 3, 8, 0), "a2": (MASSIVE, 3, 6, 0)},
        {"a": "lost", "a2": "lost"},
    ),
    "Massive meets a Massive enemy": (
        {"a": (MASSIVE, 3, 8, 0), "b1": (MASSIVE, 3, 7, 2)},
        {"a": "lost", "b1": (3, 7)},
    ),
    "Massive at the edge": ({"a": (MASSIVE, 3, 2, 0)}, {"a": "lost"}),
    "Massive with an enemy on the flank": (
        {"a": (MASSIVE, 3, 8, 0), "b1": (FOOT, 2, 8, 1)},
        {"a": "lost", "b1": (2, 8)},
    ),
    # FT 43.1.b and d
    "into a Massive friend": ({"a": (FOOT, 3, 8, 0), "a2": (MASSIVE, 3, 7, 0)}, {"a": "lost", "a2": (3, 7)}),
    "into a Massive friend that looks elsewhere": (
        {"a": (FOOT, 3, 8, 0), "a2": (MASSIVE, 3, 7, 1)},
        {"a": "lost", "a2": (3, 7)},
    ),
    "pushed into a Massive friend": (
        {"a": (FOOT, 3, 8, 0), "a2": (FOOT, 3, 7, 0), "a3": (MASSIVE, 3, 6, 0)},
        {"a": (3, 7), "a2": "lost", "a3": (3, 6)},
    ),
    # FT 10.5
    "flyer before a friend": ({"a": (FLYER, 3, 8, 0), "a2": (FOOT, 3, 7, 0)}, {"a": "away", "a2": (3, 7)}),
    "flyer before an enemy": ({"a": (FLYER, 3, 8, 0), "b1": (FOOT, 3, 7, 2)}, {"a": "away", "b1": (3, 7)}),
    "flyer before a flying enemy": ({"a": (FLYER, 3, 8, 0), "b1": (FLYER, 3, 7, 2)}, {"a": "lost", "b1": (3, 7)}),
    "flyer with an enemy in the rear": ({"a": (FLYER, 3, 8, 0), "b1": (FOOT, 3, 7, 0)}, {"a": "lost"}),
    "flyer at the edge": ({"a": (FLYER, 3, 1, 0)}, {"a": "lost"}),
    "close order flyer": (
        {"a": ("Artillery + Flying: hover", 3, 8, 0), "a2": (FOOT, 3, 7, 1)},
        {"a": "lost", "a2": "lost"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("turned", [False, True])
def test_falling_back(case, turned):
    stands, expected = CASES[case]
    if turned:  # the other side's stand does the same seen from its own edge
        stands = {
            {"a": "b", "b": "a"}[name[0]] + name[1:]: (text, 8 - lane, 17 - row, (face + 2) & 3)
            for name, (text, lane, row, face) in stands.items()
        }
        if not any(name[0] == "a" for name in stands):
            stands["ax"] = (FOOT, 7, 16, 0)
        expected = {
            {"a": "b", "b": "a"}[name[0]] + name[1:]: (end if isinstance(end, str) else (8 - end[0], 17 - end[1]))
            for name, end in expected.items()
        }
    elif not any(name[0] == "b" for name in stands):
        stands = {**stands, "bx": (FOOT, 7, 16, 2)}
    found = position(stands)
    suffer(found.w, found["b" if turned else "a"], lay.FALLS_BACK, 1)
    assert {name: found.at(name) for name in expected} == expected
    found.check()


def test_only_massive_stands_fall_back_past_skirmishers_under_the_other_ruling():
    stands = {"a": (FOOT, 3, 8, 0), "a2": (SKIRMISH, 3, 7, 0), "b1": (FOOT, 7, 16, 2)}
    found = position(stands, retreat_past_skirmishers="massive")
    suffer(found.w, found["a"], lay.FALLS_BACK, 1)
    assert (found.at("a"), found.at("a2")) == ((3, 7), (3, 6))
    found = position({**stands, "a": (MASSIVE, 3, 8, 0)}, retreat_past_skirmishers="massive")
    suffer(found.w, found["a"], lay.FALLS_BACK, 1)
    assert (found.at("a"), found.at("a2")) == ((3, 6), (3, 7))


@pytest.mark.parametrize(
    ("fate", "blocker", "expected", "facing"),
    [
        (lay.EVADES, None, (3, 7), 0),  # 1 back and 4 more
        (lay.EVADES, (3, 9), (3, 10), 0),  # stops before any stand
        (lay.PANICS, None, (3, 6), 2),  # 1 back, about-face, a move of 5
        (lay.PANICS, (3, 8), (3, 9), 2),
    ],
)
def test_evading_and_panicking_stop_before_any_stand(fate, blocker, expected, facing):
    stands = {"a": (SKIRMISH, 3, 12, 0), "b1": (FOOT, 7, 16, 2)}
    if blocker:
        stands["a2"] = (FOOT, *blocker, 1)
    found = position(stands)
    suffer(found.w, found["a"], fate, 1)
    assert found.at("a") == expected
    assert found.w[lay.ST][found["a"], lay.FACE] == facing
    found.check()


def test_running_off_the_board_is_being_lost():
    found = position({"a": (SKIRMISH, 3, 4, 0), "b1": (FOOT, 7, 16, 2)})
    suffer(found.w, found["a"], lay.PANICS, 1)
    assert found.at("a") == "lost"


def test_a_stand_that_runs_from_a_panic_is_not_pushed_until_an_order_rallies_it():
    for fled, expected in ((1, ("lost", "lost")), (0, ((3, 9), (3, 10)))):
        # Both look home: the first after a panic, the other falls back onto it.
        found = position({"a": (FOOT, 3, 8, 2), "a2": (FOOT, 3, 9, 2), "b1": (FOOT, 7, 16, 2)})
        found.w[lay.ST][found["a2"], lay.FLED] = fled
        suffer(found.w, found["a"], lay.FALLS_BACK, 1)
        assert (found.at("a"), found.at("a2")) == expected


@pytest.mark.parametrize(
    ("stand", "ahead", "expected"),
    [
        (FOOT, None, (3, 9)),
        (DEEP, None, (3, 10)),
        (DEEP, ("b1", FOOT, 3, 10, 2), (3, 9)),  # into contact
        (DEEP, ("b1", FOOT, 3, 9, 2), (3, 8)),
        (DEEP, ("a2", FOOT, 3, 10, 0), (3, 9)),
        (MASSIVE, ("b1", FOOT, 3, 10, 2), (3, 9)),
    ],
)
def test_pursuit_goes_the_base_depth_and_stops_before_any_stand(stand, ahead, expected):
    stands = {"a": (stand, 3, 8, 0), "b9": (FOOT, 7, 16, 2)}
    if ahead:
        stands[ahead[0]] = ahead[1:]
    found = position(stands)
    pursue(found.w, found["a"])
    assert found.at("a") == expected
    found.check()


def test_a_pursuit_into_contact_is_fought_in_the_next_turn():
    """Knights that destroy or drive back an enemy may meet the next one, and do not fight twice."""
    met = 0
    for trial in range(40):
        found = position({"a": ("Knights", 3, 8, 0), "b1": (FOOT, 3, 9, 2), "b2": (FOOT, 3, 11, 2)})
        found.w[lay.PAR][lay.TRIAL] = trial
        fight(found.w, found["a"], found["b1"])
        if found.at("b1") == "lost" and found.at("a") == (3, 10):
            met += 1
            assert found.w[lay.ST][found["a"], lay.FOUGHT] == 1
            assert found.w[lay.ST][found["b2"], lay.FOUGHT] == 0
        found.check()
    assert met > 5


def test_a_stand_attacked_in_the_flank_turns_when_it_stands_and_is_lost_when_beaten():
    ends = set()
    for trial in range(60):
        found = position({"a": (FOOT, 2, 8, 1), "b1": (FOOT, 3, 8, 2)})
        found.w[lay.PAR][lay.TRIAL] = trial
        fight(found.w, found["a"], found["b1"])
        end = found.at("b1")
        assert end in ((3, 8), "lost")
        if end == (3, 8):
            assert found.w[lay.ST][found["b1"], lay.FACE] == 3
        ends.add(end)
        found.check()
    assert len(ends) == 2
