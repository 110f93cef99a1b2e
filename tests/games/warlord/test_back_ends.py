"""The kernels give the same counts compiled, as plain Python, and with every index checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

SCRIPT = """
import json
from fractions import Fraction as F
from ftsim.games.warlord.fight import Fight
from ftsim.games.warlord.fight_kernel import sample_counts as fights, solve
from ftsim.games.warlord.fire import Fire
from ftsim.games.warlord.fire_kernel import sample_counts as fires
from ftsim.games.warlord.movement import Mover
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.profiles import DefenceDice
from ftsim.games.warlord.random_fields import crossing_times
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import terrains
from ftsim.games.warlord.units import Unit

P, R, dice = shipped(), WarlordRulings(), DefenceDice(2, 6)
fight = Fight(Unit.parse("8 Human B + spear"), Unit.parse("8 Western orc C + spear"), terrains()["building"])
mover = Mover("human", F(18), F(4))
print(json.dumps({
    "fires": fires(Fire(dice.chances(), 9, "fight"), 40, 1, dice).tolist(),
    "fights": fights(fight, P, R, 40, 1).tolist(),
    "exact": [round(x, 12) for x in solve(fight, P, R).ends.sum((1, 2)).tolist()],
    "fields": [round(x, 9) for x in crossing_times(["wood", "wall", "bog"], [mover], P, R, 40, 1)[0].tolist()],
}))
"""


def counts(**environment):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return json.loads(done.stdout)


def test_compiled_and_plain_python_agree_to_the_last_count():
    compiled, plain = counts(FTSIM_JIT="1"), counts(FTSIM_JIT="0")
    assert compiled == plain
    assert sum(compiled["fights"][:-1]) == 40


@pytest.mark.verification
def test_no_index_is_out_of_bounds():
    assert counts(FTSIM_BOUNDS="1") == counts(FTSIM_JIT="1")
