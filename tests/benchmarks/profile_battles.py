"""Where the time of a battle goes: FTSIM_JIT=0 python tests/benchmarks/profile_battles.py greedy

The kernels run as plain Python under the profiler. Shares of compiled time differ somewhat, for
calls cost less there, but it is the same text. A share contains what is called from it.
"""

from __future__ import annotations

import cProfile
import pstats
import sys

from test_battles import battles

PHASES = (
    "set_up", "weigh_all", "give_orders", "list_near", "find_groups", "group_worth", "best_single", "best_approach",
    "contact_move", "place_worth", "bouts_beside", "distance_to_enemy", "exchange", "shooting_phase",
    "close_combat_phase", "philox",
)  # fmt: skip


def main() -> None:
    policy = sys.argv[1]
    run = battles(12, policy)
    run()
    profile = cProfile.Profile()
    profile.runcall(run)
    found = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    whole = max(row[3] for row in found.values())
    for name in PHASES:
        share = sum(row[3] for key, row in found.items() if key[2] == name) / whole
        calls = sum(row[1] for key, row in found.items() if key[2] == name) / 12
        if calls:
            print(f"{name:20} {share:6.1%} {calls:8.0f} calls a battle")


if __name__ == "__main__":
    main()
