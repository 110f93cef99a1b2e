"""The decks against a second transcription, read from the source's own lists; kit legality and notation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ftsim.errors import IllegalError, InputError, UnknownNameError
from ftsim.games.ffc.cards import armor, fight_cards, spells, warriors, weapons
from ftsim.games.ffc.kit import Effects, Fighter, numbers
from ftsim.games.ffc.rulings import FfcRulings

SECOND = Path(__file__).parent / "transcription"
USUAL = FfcRulings()


def lines(name: str) -> list[list[str]]:
    text = (SECOND / f"{name}.txt").read_text(encoding="utf-8")
    return [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]


def number(text: str) -> int:
    return 0 if text in ("-", "") else int(text)


def test_warriors_agree():
    rows = lines("warriors")
    assert [w.name for w in warriors().values()] == [row[0] for row in rows]
    for w, (name, race, dam, speed, skill, dodge, hits, cast, notes) in zip(warriors().values(), rows, strict=True):
        assert (w.name, w.race) == (name, race)
        assert (w.dam, w.speed, w.skill, w.dodge) == tuple(map(number, (dam, speed, skill, dodge))), name
        assert (w.hits, w.spells) == (int(hits), int(cast)), name
        assert w.reach == (int(notes.removeprefix("Reach ")) if notes.startswith("Reach") else 0), name
        assert w.two_weapons == notes.startswith("May use 2"), name
        assert w.backstab == (notes == "Back-Stab"), name
        assert w.bow == (int(notes.split()[1]) if notes.startswith("Damage") else 0), name


def test_weapons_agree():
    rows = lines("weapons")
    ours = list(weapons().values())  # bare hands, below the list, come last
    assert [w.name for w in ours] == [row[0] for row in rows]
    for w, (name, mark, dam, range_, speed, reach, parry) in zip(ours, rows, strict=True):
        assert w.dam == number(dam), name
        kind = "hth" if range_ == "H" else "thrown" if range_.endswith("T") else "missile"
        assert w.kind == kind, name
        assert w.range == (0 if kind == "hth" else int(range_.removesuffix("T"))), name
        assert (w.speed, w.reach, w.parry) == (number(speed), number(reach), number(parry)), name
        assert w.two_handed == (mark == "(2-H)"), name
        assert w.ammo == (int(mark.strip("()")) if mark and not w.two_handed else 0), name
        assert w.bow == name.endswith("Bow"), name


def test_armor_agrees():
    rows = lines("armor")
    assert [a.name for a in armor().values()] == [row[0] for row in rows]
    codes = {"H": "helm", "F": "full", "P": "partial", "S": "shield"}
    for a, (name, kind, plate, block, speed, notes) in zip(armor().values(), rows, strict=True):
        assert a.type == codes[kind], name
        assert a.armor == int(plate), name
        assert a.block == (0 if block == "-" else int(block.removeprefix("1-"))), name
        assert a.speed == number(speed), name
        assert a.dodge == (int(notes.removeprefix("Dodge ")) if notes else 0), name


def test_spells_and_fight_cards_agree():
    rows = lines("spells")
    assert [[s.name, s.cast] for s in spells().values()] == [row[:2] for row in rows]
    for s, (name, _, numbers_) in zip(spells().values(), rows, strict=True):
        ours = re.findall(r"-?\d+(?:d\d)?", s.effect.replace("−", "-"))
        assert ours == numbers_.lower().replace("+", "").split(), name
    assert [[c.name, str(c.copies)] for c in fight_cards().values()] == lines("fight_cards")


def test_the_decks_have_their_sizes():
    assert len(warriors()) == 20
    assert sum(w.copies for w in weapons().values()) == 28
    assert sum(a.copies for a in armor().values()) == 29
    assert sum(s.copies for s in spells().values()) == 20
    assert sum(c.copies for c in fight_cards().values()) == 28
    assert sum(w.hits for w in warriors().values()) == 111
    assert sum(w.spells for w in warriors().values()) == 15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ogre + Halberd + Full Plate", (7, -5, 0, -3, 10, 8, 1, 4, 0)),
        ("Goblin + Long Sword + Plate Mail + Great Helm + Kite Shield", (1, -2, 0, 0, 4, 2, 1, 5, 4)),
        ("Kobold", (-3, 4, 0, 2, 3, -1, 0, 0, 0)),
        ("Elf + Compound Bow", (3, 2, 2, 2, 4, 0, 0, 0, 0)),
        ("Centaur + Heavy Crossbow + Studded + Pot Helm", (5, 0, 1, -1, 8, 0, 0, 3, 0)),
        ("Dwarf + Great Sword + Banded + Buckler", (5, -5, 0, 1, 7, 4, 1, 3, 0)),
        (
            "Warrior + Spear + Bear Skins + Hauberk + Greaves + Armbands + Breast Plate + Pot Helm + Medium Shield",
            (3, 1, 2, 1, 6, 7, 1, 6, 3),
        ),
        ("Knight + Battle Axe + Chain Mail + Large Shield", (5, -4, 1, -1, 6, 3, 1, 3, 0)),
    ],
)
def test_the_numbers_of_an_equipped_fighter(text, expected):
    n = numbers(Fighter.parse(text), Effects(), USUAL)
    assert (n.dam, n.speed, n.skill, n.dodge, n.hits, n.reach, n.parry, n.armor, n.block) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Elf + Pot Helm", 1),
        ("Bandit + Buckler", 1),
        ("Orc + Buckler + Kite Shield", 1),
        ("Orc + Pot Helm + Great Helm", 1),
        ("Orc + Plate Mail + Leather", 1),
        ("Orc + Plate Mail + Greaves", 1),
        ("Wizard + Plate Mail + Greaves + Pot Helm + Great Helm + Dagger + Dagger", 4),
    ],
)
def test_a_bad_kit_is_refused_with_every_broken_rule(text, count):
    assert len(Fighter.read(text).problems(USUAL)) == count
    with pytest.raises(IllegalError) as refused:
        Fighter.parse(text)
    assert len(refused.value.reasons) == count


def test_notation_round_trips_in_one_order():
    text = "knight + long sword + Kite shield + plate mail + great helm"
    fighter = Fighter.parse(text)
    assert str(fighter) == "Knight + Long Sword + Great Helm + Plate Mail + Kite Shield"
    assert Fighter.parse(str(fighter)) == fighter


def test_unknown_cards_are_named_with_a_suggestion():
    with pytest.raises(UnknownNameError, match="did you mean 'Knight'"):
        Fighter.parse("Knigth + Long Sword")
    with pytest.raises(UnknownNameError, match="did you mean 'Long Sword'"):
        Fighter.parse("Knight + Long Swrd")
    for text in ("", "Knight + ", "+ Long Sword"):
        with pytest.raises(InputError):
            Fighter.parse(text)


def test_the_elf_may_wear_armor_if_he_is_no_caster():
    assert not Fighter.read("Elf + Pot Helm").problems(FfcRulings(elf_is_caster=False))


def test_the_rulings_are_all_there():
    refs = [int(info.ref.removeprefix("R-")) for info in FfcRulings.catalog()]
    assert sorted(set(refs)) == [n for n in range(1, 65) if n != 39]
    # Victory has three: casualties, length, and what is left at the end.
    assert sorted(refs) == sorted([*set(refs), 60, 60])
