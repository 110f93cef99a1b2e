"""Every face once in the exact answer, every face often enough in the sample."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from ftsim.dice import Dice
from ftsim.errors import InputError

steady = settings(deadline=None, derandomize=True)


@steady
@given(st.lists(st.integers(1, 7), min_size=1, max_size=4).map(tuple))
def test_faces_are_every_combination_once_with_the_first_die_slowest(sides):
    dice = Dice(sides)
    wanted = list(product(*(range(1, side + 1) for side in sides)))
    assert list(map(tuple, dice.faces().T.tolist())) == wanted
    assert dice.cells == prod(sides) == len(wanted)


def test_three_dice_have_exactly_216_cells():
    assert Dice((6, 6, 6)).faces().shape == (3, 216)


def test_sixty_thousand_rolls_show_all_six_faces_evenly():
    rolls = Dice((6, 6)).roll(60_000, np.random.default_rng(20260131))
    for rolled in rolls:
        counts = np.bincount(rolled, minlength=7)
        assert counts[0] == 0
        assert rolled.max() == 6
        assert chisquare(counts[1:]).pvalue > 1e-6


def test_rolled_dice_have_the_shape_of_faces_and_do_not_copy_each_other():
    rolls = Dice((6, 10)).roll(1_000, np.random.default_rng(1))
    assert rolls.shape == (2, 1_000)
    assert (rolls.min(), rolls[0].max(), rolls[1].max()) == (1, 6, 10)
    assert not np.array_equal(rolls[0], rolls[1])


@pytest.mark.parametrize("sides", [(), (0,), (6, -1)])
def test_dice_without_faces_are_refused(sides):
    with pytest.raises(InputError, match="at least one side"):
        Dice(sides)
