"""Dice of a battle, by who rolls and why."""

from __future__ import annotations

from ftsim.addressed import words
from ftsim.games.triumph.battle.layout import KEY_HIGH, KEY_LOW, OWNER, PAR, SLOT, SPEC, TRIAL, TURN, WORLD, World
from ftsim.kernels import kernel


@kernel(f"int64({WORLD}, int64, int64)")
def word_of(w: World, who: int, purpose: int) -> int:
    """The first random word of a stand in the present player turn."""
    par = w[PAR]
    address = w[SPEC][who, OWNER] * 4096 + w[SPEC][who, SLOT] + 1
    return words(par[TRIAL], par[TURN], address, purpose, par[KEY_LOW], par[KEY_HIGH])[0]


@kernel(f"int64({WORLD}, int64, int64)")
def second_word_of(w: World, who: int, purpose: int) -> int:
    """The second random word of a stand in the present player turn."""
    par = w[PAR]
    address = w[SPEC][who, OWNER] * 4096 + w[SPEC][who, SLOT] + 1
    return words(par[TRIAL], par[TURN], address, purpose, par[KEY_LOW], par[KEY_HIGH])[1]


@kernel(f"int64({WORLD}, int64, int64)")
def side_word(w: World, side: int, purpose: int) -> int:
    """A random word of a side in the present player turn."""
    par = w[PAR]
    return words(par[TRIAL], par[TURN], 65000 + side, purpose, par[KEY_LOW], par[KEY_HIGH])[0]


@kernel(f"int64({WORLD}, int64, int64)")
def numbered_word(w: World, number: int, purpose: int) -> int:
    """A random word that belongs to a number, such as a box of terrain."""
    par = w[PAR]
    return words(par[TRIAL], par[TURN], 60000 + number, purpose, par[KEY_LOW], par[KEY_HIGH])[0]
