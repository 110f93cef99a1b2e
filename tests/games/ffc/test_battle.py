"""Battles: against the exact chain, mirrored, counted card by card, and the same without the compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from ftsim.errors import InputError, UnknownNameError
from ftsim.estimates import z_bound
from ftsim.games.ffc.attack import blow
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.driver import Battles, Scenario, play, table, warband
from ftsim.games.ffc.cards import fight_cards, spells
from ftsim.games.ffc.duel import Duel, round_robin
from ftsim.games.ffc.kit import Effects, Fighter, numbers
from ftsim.games.ffc.policies import NAMES, Policy, parameters, worths
from ftsim.games.ffc.rulings import DECLARED, FfcRulings
from ftsim.games.ffc.study_parts import ENGINE_VERSION
from ftsim.streams import stream_key

USUAL = FfcRulings()
ROOT = Path(__file__).parents[3]


def fought(
    scenario=None, policies=("simple", "simple"), trials=1000, key="test", checked=False, threads=1, **rulings
):
    a, b = (Policy(name) for name in policies)
    state = table(scenario or Scenario(), (a, b), FfcRulings(**rulings), stream_key(1, {"k": key}), checked=checked)
    return play(state, trials, threads=threads)


def against(a: list[str], b: list[str], **options) -> Scenario:
    return Scenario((warband(a, USUAL), warband(b, USUAL)), cards=False, magic=False, **options)


DUELS = [
    ("Orc + Long Sword", "Orc + Long Sword", {}),
    ("Warrior + Long Sword", "Elf + Dagger", {}),
    ("Orc + Spiked Mace", "Orc + Long Sword", {}),
    ("Barbarian + Long Sword", "Knight + Long Sword", {}),
    ("Bugbear + Halberd", "Barbarian + Battle Axe", {}),
    ("Kobold + Club", "Ogre + Battle Axe", {"natural": "six_hits"}),
    ("Orc + Long Sword", "Orc + Long Sword", {"first_strike_tie": "simultaneous"}),
    ("Orc + Long Sword + Kite Shield", "Orc + Long Sword", {}),
    ("Orc + Long Sword + Great Helm", "Orc + Long Sword", {}),
    ("Warrior + Long Sword + Spiked Mace", "Ogre + Battle Axe", {}),
    ("Elf + Long Bow", "Orc + Long Sword", {}),
    ("Elf + Long Bow", "Centaur + Long Bow", {}),
    ("Elf + Long Bow", "Orc + Long Sword", {"shooter_in_melee": "unarmed"}),
    ("Orc", "Orc", {}),
    ("Orc + Long Sword", "Orc + Maul", {"first_strike_tie": "coin"}),
]


@pytest.mark.parametrize(("a", "b", "rulings"), DUELS)
def test_one_warrior_a_side_without_cards_is_the_duel_chain(a, b, rulings):
    decided = FfcRulings(**rulings)
    exact = Duel(Fighter.parse(a), Fighter.parse(b), rulings=decided).solve()
    n = 20_000
    won, lost, both, never = fought(against([a], [b]), trials=n, key=a + b, **rulings).counts
    assert never <= n * 1e-3
    for count, p in ((won, exact.a), (lost, exact.b), (both, exact.both)):
        p = float(p)
        assert abs(count - n * p) <= z_bound(3 * len(DUELS)) * (n * p * (1 - p)) ** 0.5 + never


def test_goblins_with_clubs_never_end():
    battles = fought(against(["Goblin + Club"], ["Goblin + Club"]), trials=50)
    assert battles.counts == (0, 0, 0, 50)
    assert set(battles.turns.tolist()) == {100}
    stopped = fought(against(["Goblin + Club"], ["Goblin + Club"]), trials=50, stalemate_stop=20)
    assert set(stopped.turns.tolist()) == {20}
    assert stopped.counts == (0, 0, 0, 50)


@pytest.mark.verification
@pytest.mark.parametrize("policy", NAMES)
def test_mirrored_players_win_half(policy):
    n = 12_000
    won, lost, _, _ = fought(policies=(policy, policy), trials=n, key=policy).counts
    assert abs(won - lost) <= z_bound(3) * (won + lost) ** 0.5


@pytest.mark.parametrize("policy", NAMES)
def test_every_card_is_counted_at_every_step_of_ten_thousand_battles(policy):
    battles = fought(
        policies=(policy, "random-legal" if policy == "random-legal" else "simple"), trials=3400, checked=True
    )
    assert not np.any(battles.out[:, at.O_FAULT])
    assert battles.plays[:, :14].sum() > 0
    assert battles.plays[:, 20:40].sum() > 0


@pytest.mark.parametrize("name", DECLARED["battle"])
def test_every_ruling_plays_and_keeps_its_cards_and_does_something(name):
    info = FfcRulings.info(name)
    # Greedy takes nobody over who is about to throw or cast.
    players = ("random-legal", "random-legal" if name == "controlled" else "greedy")
    plain = fought(trials=300, key="rulings", policies=players)
    differs = False
    for value in info.alternatives:
        changed = fought(trials=300, key="rulings", policies=players, checked=True, **{name: value})
        assert not np.any(changed.out[:, at.O_FAULT])
        differs |= not np.array_equal(changed.out, plain.out)
    rare = ("armor_split", "stalemate_stop", "max_turns", "spell_deck_empty", "at_cap")
    assert differs or name in rare


def test_every_spell_and_fight_card_is_played():
    for policy in NAMES:
        plays = fought(policies=(policy, policy), trials=2000, key="all").plays.sum(0)
        for k, card in enumerate(fight_cards().values()):
            assert plays[k] > 0, (policy, card.name)
        for k, spell in enumerate(spells().values()):
            assert plays[20 + k] > 0, (policy, spell.name)


def test_same_seed_same_battles_for_any_threads_and_blocks():
    state = table(Scenario(), (Policy("simple"), Policy("greedy")), USUAL, stream_key(9, {}))
    one = play(state, 700)
    for threads, size in ((2, 100), (2, 333), (1, 1)):
        other = play(state, 700, threads=threads, size=size)
        assert np.array_equal(one.out, other.out)
        assert np.array_equal(one.plays, other.plays)
    later = play(state, 50, start=650)
    assert np.array_equal(later.out, one.out[650:])


def test_the_deal_partitions_every_deck():
    out = fought(trials=500).out
    bits = [
        [int(x).bit_count() for x in out[:, c]] for c in (at.O_WARRIORS_A, at.O_WEAPONS_A, at.O_ARMOR_A, at.O_ARMOR_B)
    ]
    assert set(bits[0]) == {10}
    assert set(bits[1]) == {14}
    assert {(a, b) for a, b in zip(bits[2], bits[3], strict=True)} == {(14, 15), (15, 14)}
    assert not np.any(out[:, at.O_ARMOR_A] & out[:, at.O_ARMOR_B])
    assert not np.any(out[:, at.O_SPELLS_A] & out[:, at.O_SPELLS_B])
    aside = fought(trials=200, armor_split="set_aside").out
    assert {int(x).bit_count() for x in aside[:, at.O_ARMOR_A]} == {14}
    # Dealt evenly: every warrior is on side A half the time.
    n = 4000
    masks = fought(trials=n, key="deal").out[:, at.O_WARRIORS_A]
    share = np.array([(masks >> k & 1).mean() for k in range(20)])
    assert np.all(np.abs(share - 0.5) < z_bound(20) * 0.5 / n**0.5)


def test_withheld_cards_are_set_aside_and_counted():
    n = 3000
    out = fought(Scenario(withheld=20), trials=n, checked=True, key="w").out
    assert not np.any(out[:, at.O_FAULT])
    kept = np.array([int(a).bit_count() + int(b).bit_count() for a, b in out[:, [at.O_WEAPONS_A, at.O_WEAPONS_B]]])
    assert abs(kept.mean() - 0.8 * 28) < z_bound(1) * (28 * 0.16 / n) ** 0.5
    men = np.array([int(a).bit_count() + int(b).bit_count() for a, b in out[:, [at.O_WARRIORS_A, at.O_WARRIORS_B]]])
    assert abs(men.mean() - (2 + 0.8 * 18)) < z_bound(1) * (18 * 0.16 / n) ** 0.5


def test_small_battles():
    battles = fought(Scenario(sizes=(6, 6)), trials=300, checked=True)
    assert not np.any(battles.out[:, at.O_FAULT])
    uneven = fought(Scenario(sizes=(3, 10)), trials=400, checked=True)
    assert not np.any(uneven.out[:, at.O_FAULT])
    assert uneven.counts[1] > 4 * uneven.counts[0]


SCRIPT = """
import numpy as np
from ftsim.games.ffc.battle.driver import Scenario, play, table
from ftsim.games.ffc.policies import NAMES, Policy
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.streams import stream_key
with np.errstate(over="ignore"):
    for name in NAMES:
        state = table(Scenario(), (Policy(name), Policy("simple")), FfcRulings(), stream_key(4, {}), events=400)
        battles = play(state, 8)
        print(battles.out.tolist(), battles.plays.tolist())
"""


#: Digest of three hundred battles a policy, by engine version: raise ENGINE_VERSION with it, or neither.
GOLDEN = {3: "62e0abf4041c46ef4722879668f1907b"}


def test_battles_change_with_the_version_or_not_at_all():
    digest = sha256()
    for scenario in (Scenario(), Scenario(withheld=10)):
        for policy in NAMES:
            battles = fought(scenario, (policy, policy), trials=300, key="golden")
            digest.update(battles.out.astype("<i8").tobytes())
            digest.update(battles.plays.astype("<i8").tobytes())
    assert digest.hexdigest()[:32] == GOLDEN[ENGINE_VERSION]


def test_plain_python_plays_the_same_battles():
    texts = []
    for jit in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env={**os.environ, "FTSIM_JIT": jit}, capture_output=True, text=True,
            check=True, cwd=ROOT,
        )  # fmt: skip
        texts.append(done.stdout)
    assert texts[0] == texts[1]


FIGHTERS = [
    "Ogre + Halberd + Full Plate", "Goblin + Long Sword + Plate Mail + Great Helm + Kite Shield", "Kobold",
    "Elf + Compound Bow", "Centaur + Heavy Crossbow + Studded + Pot Helm", "Dwarf + Great Sword + Banded + Buckler",
    "Knight + Battle Axe + Chain Mail + Large Shield", "Warrior + Long Sword + Spiked Mace + Round Shield",
    "Bandit + Javelins", "Orc + Spear + Medium Shield",
]  # fmt: skip


@pytest.mark.parametrize("rulings", [{}, {"missile_dam": False, "bow_bonus": "missiles", "helpless_defence": "none"},
                                     {"shield_with_two_hander": "vanish", "two_weapons": "best_of_both",
                                      "curse": "hit_only", "thrown_parry": "held"}])  # fmt: skip
def test_numbers_in_battle_are_the_numbers_of_the_kit(rulings):
    from ftsim.games.ffc.battle.fighters import killing, landing, refresh
    from ftsim.games.ffc.battle.setup import set_up

    decided = FfcRulings(**rulings)
    band = tuple(Fighter.parse(text, decided) for text in FIGHTERS)
    state = table(Scenario((band[:5], band[5:]), cards=False, magic=False), (Policy(), Policy()), decided, 1)
    set_up(state)
    state[at.GAME, at.TURN] = 1
    columns = (
        at.NOW_DAM, at.NOW_SPEED, at.NOW_SKILL, at.NOW_DODGE, at.HITS, at.NOW_REACH, at.NOW_PARRY, at.NOW_PLATE,
        at.NOW_BLOCK,
    )  # fmt: skip
    cases = [
        (Effects(), {}), (Effects(cursed=True), {at.CURSE: 1}), (Effects(wounds=2), {at.WOUND: 2}),
        (Effects(invulnerable=True), {at.HARD: 1}), (Effects(helpless=True), {at.HELPLESS: 1}),
        (Effects(throw=True), {}),
    ]  # fmt: skip
    for effects, marks in cases:
        for i, fighter in enumerate(band):
            weapon = fighter.in_use()[0]
            for column in (at.CURSE, at.WOUND, at.HARD, at.HELPLESS):
                state[i, column] = marks.get(column, 0)
            two = len(fighter.in_use()) > 1
            state[i, at.USE] = state[i, at.ARM0] if fighter.weapons else at.FISTS
            state[i, at.SECOND] = state[i, at.ARM0 + 1] if two else -1
            state[i, at.MODE] = int(weapon.kind == "missile" or (weapon.kind == "thrown" and effects.throw))
            refresh(state, i)
            n = numbers(fighter, effects, decided)
            wanted = (n.dam, n.speed, n.skill, n.dodge, n.hits, n.reach, n.parry, n.armor, n.block)
            assert tuple(int(state[i, c]) for c in columns) == wanted, (fighter, effects)
    # And the chance of a blow is that of the exact odds.
    for a in range(5):
        for d in range(5, 10):
            ranged = int(state[a, at.MODE])
            one = blow(band[a], band[d], Effects(), Effects(throw=band[d].in_use()[0].kind == "thrown"), decided)
            cells = one.cells()
            assert landing(state, a, d, ranged) * 6 == cells.landed.sum()
            margin = int(state[a, at.NOW_DAM] - state[d, at.NOW_PLATE])
            hits = int(state[d, at.HITS])
            assert landing(state, a, d, ranged) * killing(state, margin, hits) == (cells.lost >= hits).sum()


def test_worths_are_the_duels_won():
    found = round_robin("Long Sword")
    from ftsim.games.ffc.cards import warriors

    assert worths() == {w.id: round(1000 * float(found[w.name])) for w in warriors().values()}


def test_policy_parameters_are_in_the_order_of_the_layout():
    names = ["kind", "gamble_factor", "backstab_factor", "risk_percent", "bonus_gain", "wall_loss", "illusion_loss",
             "extra_gain", "martyr_saving", "answer_value", "tactic_gain", "opening_factor", "back_hits",
             "random_percent", "spell_worth", "heal_hits", "shield_archers", "life_turns"]  # fmt: skip
    assert list(parameters()) == names
    assert len(names) - 1 == at.P_LIFE
    assert [k.id for k in fight_cards().values()].index("stunned") == at.STUNNED
    assert [k.id for k in spells().values()].index("paralyzation") == at.S_PARALYZE


def test_bad_scenarios_and_policies_are_refused():
    with pytest.raises(UnknownNameError, match="accepted: greedy, random-legal, simple"):
        Policy("clever")
    with pytest.raises(UnknownNameError, match="gamble_factor"):
        Policy("greedy", {"gamble_facto": 2})
    for make in (
        lambda: Policy("greedy", {"life_turns": 0}),
        lambda: Scenario(sizes=(0, 10)),
        lambda: Scenario(sizes=(11, 9)),
        lambda: Scenario(((), ())),
        lambda: Scenario(copies={"Flurry": 9}),
        lambda: Scenario(copies={"Flury": 1}),
        lambda: Scenario(copies={card.name: 0 for card in fight_cards().values()}),
        lambda: Scenario(without=tuple(spell.name for spell in list(spells().values())[:6])),
        lambda: Scenario((warband(["5 x Wizard"], USUAL), warband(["Orc"], USUAL))),
        lambda: Scenario((warband(["15 x Orc"], USUAL), warband(["15 x Orc"], USUAL))),
        lambda: warband(["40 x Orc"], USUAL),
        lambda: play(table(Scenario(), (Policy(), Policy()), USUAL, 1), 0),
    ):
        with pytest.raises(InputError):
            make()


def test_no_policy_sees_hands_or_spells_of_the_enemy():
    """Swap all that side B hides, from the same visible position: side A plans, aims and picks the same."""
    from ftsim.games.ffc.battle import choices, magic, melee, setup, tactics, turn

    for name in NAMES:
        state = table(Scenario(), (Policy(name), Policy(name)), USUAL, stream_key(11, {}))
        state[at.GAME, at.TRIAL] = 5
        setup.set_up(state)
        for _ in range(3):
            turn.begin_turn(state)
            tactics.draw_phase(state)
            hidden = state.copy()
            h = at.SIDE + 1
            # Another hand of the same size, and other spells under the same warriors.
            deck_cards = hidden[at.FIGHT, : hidden[at.GAME, at.FIGHT_LEFT]].copy()
            hand = np.repeat(np.arange(14), hidden[h, at.HAND : at.HAND + 14])
            pool = np.concatenate([deck_cards, hand])[::-1]
            hidden[h, at.HAND : at.HAND + 14] = np.bincount(pool[: len(hand)], minlength=14)
            hidden[at.FIGHT, : len(deck_cards)] = pool[len(hand) :]
            unseen = [
                k for k in range(20) if state[at.SPELL_AT, k] < 0 or state[state[at.SPELL_AT, k], at.OWNER] == 1
            ]
            turned = dict(zip(unseen, reversed(unseen), strict=True))
            hidden[at.SPELL_AT, :20] = state[at.SPELL_AT, :20]
            for k, j in turned.items():
                hidden[at.SPELL_AT, j] = state[at.SPELL_AT, k]
            for i in range(20):
                if state[i, at.OWNER] == 1:
                    held = [k for k in range(20) if hidden[at.SPELL_AT, k] == i]
                    hidden[i, at.HELD] = sum(1 << k for k in held)
                    assert len(held) == state[i, at.SPELLS]
            seen = []
            for s in (state.copy(), hidden):
                found = [tactics.discard(s, 0), tactics.rows_and_weapons(s, 0), magic.next_tactic(s, 0)]
                own = [i for i in range(20) if s[i, at.OWNER] == 0 and s[i, at.ALIVE] == 1]
                foes = [i for i in range(20) if s[i, at.OWNER] == 1 and s[i, at.ALIVE] == 1]
                found += s[:20, [at.ROW, at.USE, at.SECOND, at.MODE]].ravel().tolist()
                for a in own:
                    found += [choices.best_target(s, a, r, m, 0) for r in (0, 1) for m in (0, 1)]
                    found += [choices.gambles(s, a), choices.backstabs(s, a), choices.reaches_back(s, a, 1)]
                    for d in foes[:4]:
                        found += [
                            choices.breaks(s, a, d), choices.marker(s, a, d), choices.adds_damage(s, a, d, 0),
                            choices.stops_blow(s, d, a, 0, 0), choices.martyr(s, d, a),
                            choices.strikes_again(s, a, d, 0),
                        ]  # fmt: skip
                found += [magic.spell_target(s, 0, k) for k in (at.S_FIREBALL, at.S_FREEZE, at.S_CONTROL)]
                if name == "greedy":
                    found += [magic.best_ranged(s, 0, k) for k in range(20) if s[at.RANGE_OF, k] > 0]
                    found += [magic.tactic_prospect(s, 0, k) for k in range(20) if s[at.RANGE_OF, k] == 0]
                found.append(melee.pair_up(s) * 0)
                seen.append(found)
            assert seen[0] == seen[1]
            tactics.tactics_phase(state)
            turn.end_turn(state)


def test_battles_is_a_record_of_results():
    battles = fought(trials=64)
    assert isinstance(battles, Battles)
    assert sum(battles.counts) == battles.trials == 64
