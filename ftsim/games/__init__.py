"""The games that ftsim knows, by the name used on the command line."""

from __future__ import annotations

from ftsim.games.ffc.game import RULESET as FFC
from ftsim.games.triumph.game import RULESET as TRIUMPH
from ftsim.games.warlord.game import RULESET as WARLORD
from ftsim.ruleset import Ruleset

RULESETS: dict[str, Ruleset] = {"triumph": TRIUMPH, "ffc": FFC, "warlord": WARLORD}
