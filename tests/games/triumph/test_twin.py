"""The engine against a slow scalar twin written from the rules alone, on every pair of faces."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import numpy as np
import pytest

from ftsim.errors import FtsimError
from ftsim.games.triumph.combat import RESULTS, CloseCombat, fate_codes, pursuit_codes
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.places import Camp, Place, Situation
from ftsim.games.triumph.ranged import Attack, RangedAttack
from ftsim.games.triumph.rules import FATES
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings
from ftsim.games.triumph.troop_types import troop_types

_spec = importlib.util.spec_from_file_location("twin", Path(__file__).parent / "twin.py")
twin = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(twin)

TERRAIN = [*twin.GOOD_GOING, *twin.DIFFICULT]
CARDS = [
    "Armored", "Brittle", "Craven", "Deadly", "Fierce", "Flying: hover", "Hearten", "Marksman", "Massive",
    "Negate Magic: self", "Negate Magic: zone", "Negate Magic: mindless", "Prowess", "Spiked Carts",
    "Supporting Shooters", "Terror", "Weaken", "Mobile Infantry: ground", "Mobile Infantry: flying",
    "Terrain Affinity: woods, marsh", "Terrain Affinity: rough, wooded hills",
]  # fmt: skip
FACES = np.indices((6, 6)).reshape(2, -1) + 1


def draw_stand(rng: random.Random, rulings: TriumphRulings) -> Stand:
    while True:
        kind = rng.choice(list(troop_types().values()))
        cards = rng.sample(CARDS, rng.choice([0, 0, 1, 1, 2, 3]))
        try:
            stand = Stand(kind).plus(*cards)
            if not stand.problems(rulings):
                return stand
        except FtsimError:
            continue


def draw_place(rng: random.Random, stand: Stand | Camp) -> Place:
    maybe = lambda: rng.random() < 0.2  # noqa: E731
    if isinstance(stand, Camp):
        return Place()
    return Place(
        terrain=rng.choice(TERRAIN) if rng.random() < 0.5 else "open",
        uphill=maybe(),
        attacked=rng.choice(["front", "front", "flank", "rear"]),
        overlaps=rng.choice([0, 0, 1, 2]),
        supported=maybe(),
        blocked=maybe(),
        in_zone=maybe(),
        general=maybe(),
        on_transports=stand.has("mobile_infantry") and not stand.has("flying") and rng.random() < 0.7,
        hold_the_line=maybe(),
    )


def draw_rulings(rng: random.Random, contest: str) -> TriumphRulings:
    chosen = {}
    for name in DECLARED[contest]:
        info = TriumphRulings.info(name)
        if rng.random() < 0.3:
            chosen[name] = rng.choice(info.alternatives)
    return TriumphRulings(**chosen)


def as_twin(stand: Stand | Camp, place: Place) -> dict:
    if isinstance(stand, Camp):
        kind, cards, affinity = "camp", set(stand.traits[1:]), set()
    else:
        kind, affinity = stand.troop_type.id, stand.affinity
        cards = set()
        for pick in stand.picks:
            if pick.card.id == "negate_magic":
                cards.add(f"negate_magic_{pick.choices[0]}")
            elif pick.card.id == "mobile_infantry":
                if place.on_transports:
                    cards.add(f"transports_{pick.choices[0]}")
            elif pick.card.id != "terrain_affinity":
                cards.add(pick.card.id)
    if place.hold_the_line:
        cards.add("hold_the_line")
    return twin.side(
        kind, cards, place.terrain, affinity, place.uphill, place.attacked, place.overlaps,
        place.supported, place.blocked, place.in_zone, place.general,
    )  # fmt: skip


def as_twin_rulings(rulings: TriumphRulings) -> dict:
    return {name: value for name, value in rulings.settings().items() if name in twin.RULINGS}


@pytest.mark.parametrize("seed", range(40))
def test_close_combat_agrees_with_the_scalar_twin_on_every_face(seed):
    rng = random.Random(seed)
    for _ in range(10):
        rulings = draw_rulings(rng, "close-combat")
        a = draw_stand(rng, rulings)
        b = (
            Camp(rng.choice(["camp", "fortified camp", "heavily fortified camp"]))
            if rng.random() < 0.1
            else (draw_stand(rng, rulings))
        )
        where = Situation(draw_place(rng, a), draw_place(rng, b))
        contest = CloseCombat(a, b, where, rulings)
        results = contest.resolve(FACES)
        fate_a, fate_b = fate_codes(contest.grid, results)
        chase_a, chase_b = pursuit_codes(contest.grid, results)
        counted = np.bincount(results, minlength=5)
        assert counted.tolist() == contest.grid.counts()[0, 0].tolist()
        for k, (die_a, die_b) in enumerate(FACES.T):
            wanted = twin.close_combat(
                as_twin(a, where.a), as_twin(b, where.b), int(die_a), int(die_b), as_twin_rulings(rulings)
            )
            got = {
                "result": RESULTS[results[k]],
                "fate_a": FATES[fate_a[k]],
                "fate_b": FATES[fate_b[k]],
                "pursues_a": bool(chase_a[k]),
                "pursues_b": bool(chase_b[k]),
            }
            assert got == wanted, (str(a), str(b), where, rulings.changed(), die_a, die_b)


@pytest.mark.parametrize("kind", ["shooting", "ranged_attack", "mindblast", "spellblast"])
@pytest.mark.parametrize("seed", range(12))
def test_attacks_at_a_distance_agree_with_the_scalar_twin_on_every_face(kind, seed):
    rng = random.Random(f"{kind}{seed}")
    contest_name = "ranged" if kind in ("shooting", "ranged_attack") else kind
    for _ in range(8):
        rulings = draw_rulings(rng, contest_name)
        while True:
            a = draw_stand(rng, rulings)
            if kind != "shooting" or a.troop_type.shooting:
                break
        b = draw_stand(rng, rulings)
        nature = (
            rng.choice(["physical", "magical"])
            if kind in ("ranged_attack", "spellblast")
            else ("physical" if kind == "shooting" else "magical")
        )
        attack = Attack(kind, nature, limited=kind == "spellblast" and rng.random() < 0.5)
        where = Situation(Place(), draw_place(rng, b))
        contest = RangedAttack(a, b, attack, where, rulings)
        results, fates = contest.resolve(FACES), contest.target_fate(FACES)
        shooter = as_twin(a, where.a)
        if attack.limited:
            shooter["cards"].add("spellblast_limited")
        for k, (die_a, die_b) in enumerate(FACES.T):
            wanted = twin.attack(
                kind, nature, shooter, as_twin(b, where.b), int(die_a), int(die_b), as_twin_rulings(rulings)
            )
            got = {"result": RESULTS[results[k]], "fate_b": FATES[fates[k]]}
            assert got == {key: wanted[key] for key in got}, (
                attack, str(a), str(b), where, rulings.changed(), die_a, die_b,
            )  # fmt: skip
