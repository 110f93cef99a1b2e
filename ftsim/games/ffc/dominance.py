"""Cards that are never better than another one: the same under two names, or worse on every column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ftsim.games.ffc.cards import Warrior, Weapon, armor, warriors, weapons
from ftsim.games.ffc.kit import unarmored
from ftsim.games.ffc.rulings import FfcRulings


def same_cards() -> dict[str, list[tuple[str, ...]]]:
    """Groups of cards whose every number is equal, by deck."""
    return {
        "warrior": _groups((w.name, _warrior(w)) for w in warriors().values()),
        "weapon": _groups((w.name, _weapon(w)) for w in weapons().values() if w.copies),
        "armor": _groups((a.name, (a.type, a.armor, a.block, a.speed, a.dodge)) for a in armor().values()),
    }


def _groups(cards: Iterable[tuple[str, tuple[object, ...]]]) -> list[tuple[str, ...]]:
    found: dict[tuple[object, ...], list[str]] = {}
    for name, numbers in cards:
        found.setdefault(numbers, []).append(name)
    return [tuple(names) for names in found.values() if len(names) > 1]


def _weapon(w: Weapon) -> tuple[int, ...]:
    """Columns where more is better; one hand is more than two."""
    held = w.kind != "missile"
    return (w.dam, w.speed, w.reach, w.parry, -w.two_handed, held, w.kind != "hth", w.range, w.ammo)


def _warrior(w: Warrior) -> tuple[int, ...]:
    """Columns where more is better, the ability and the armor ban among them."""
    rulings = FfcRulings()
    return (
        w.dam, w.speed, w.skill, w.dodge, w.hits, w.spells, w.reach, w.two_weapons, w.backstab, w.bow,
        -unarmored(w, rulings),
    )  # fmt: skip


def _beats(one: Sequence[int], other: Sequence[int]) -> bool:
    return one != other and all(x >= y for x, y in zip(one, other, strict=True))


def dominated_weapons() -> dict[str, list[str]]:
    """Hand weapons that another is never worse than, and which those are."""
    held = [w for w in weapons().values() if w.copies and w.kind != "missile"]
    return _dominated({w.name: _weapon(w) for w in held})


def dominated_warriors() -> dict[str, list[str]]:
    """Warriors that another is never worse than, and which those are."""
    return _dominated({w.name: _warrior(w) for w in warriors().values()})


def _dominated(numbers: dict[str, tuple[int, ...]]) -> dict[str, list[str]]:
    found = {}
    for name, own in numbers.items():
        better = [other for other, theirs in numbers.items() if _beats(theirs, own)]
        if better:
            found[name] = better
    return found
