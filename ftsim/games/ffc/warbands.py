"""Warband files: a name and fighters, checked with every broken rule at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from ftsim.documents import Document, Model, read_document, validate
from ftsim.errors import FtsimError, IllegalError, InputError
from ftsim.games.ffc.battle.layout import MAX_WARRIORS
from ftsim.games.ffc.cards import warriors
from ftsim.games.ffc.kit import Fighter
from ftsim.games.ffc.rulings import FfcRulings


class WarbandFile(Model):
    """A warband as a file gives it.

    Parameters
    ----------
    warband : str
        Its name.
    fighters : list of str
        Notation; ``3 x Orc + Long Sword`` for several alike.
    copies : {"one", "any"}
        Whether each card is there once, as in the decks, or as often as wanted.
    """

    warband: Annotated[str, Field(min_length=1)]
    fighters: Annotated[list[str], Field(min_length=1)]
    copies: Annotated[str, Field(pattern="^(one|any)$")] = "one"


def read_fighters(texts: list[str]) -> tuple[Fighter, ...]:
    """Fighters from notation, legal or not."""
    found: list[Fighter] = []
    for text in texts:
        head, times, rest = text.partition(" x ")
        count, spec = (int(head), rest) if times and head.strip().isdigit() else (1, text)
        if not 1 <= count <= MAX_WARRIORS:
            raise InputError(f"{text!r}: {count} fighters; accepted: 1 to {MAX_WARRIORS}")
        found += [Fighter.read(spec)] * count
    return tuple(found)


def band_problems(file: WarbandFile, rulings: FfcRulings) -> list[str]:
    """Every rule that a warband breaks, and what cannot be read."""
    problems = []
    fighters: list[Fighter] = []
    for text in file.fighters:
        try:
            group = read_fighters([text])
        except FtsimError as problem:
            problems.append(str(problem))
            continue
        fighters += group
        problems += [f"{group[0]}: {reason}" for reason in group[0].problems(rulings)]
    if len(fighters) > len(warriors()) // 2:
        problems.append(f"{len(fighters)} fighters; a side has at most {len(warriors()) // 2}")
    if file.copies == "one":
        for what, names in (
            ("warrior", [f.warrior.name for f in fighters]),
            ("weapon", [w.name for f in fighters for w in f.weapons if w.copies]),
            ("armor", [a.name for f in fighters for a in f.armor]),
        ):
            for name in dict.fromkeys(names):
                if names.count(name) > 1:
                    problems.append(f"there is one {what} {name}, got {names.count(name)} (copies: any allows it)")
    return problems


def check_document(document: Document) -> str:
    """What a warband file is, in a few words.

    Raises
    ------
    InputError, IllegalError
        With everything that is wrong with it.
    """
    file = validate(WarbandFile, document)
    problems = band_problems(file, FfcRulings())
    if problems:
        raise IllegalError(f"{document.path.name}: {file.warband}", problems)
    count = len(read_fighters(file.fighters))
    return f"warband {file.warband}, {count} fighter{'s' if count > 1 else ''}, legal"


def read_warband(path: Path, rulings: FfcRulings) -> tuple[str, tuple[Fighter, ...]]:
    """A warband's name and fighters from a file; it must be legal."""
    document = read_document(path)
    file = validate(WarbandFile, document)
    problems = band_problems(file, rulings)
    if problems:
        raise IllegalError(f"{path.name}: {file.warband}", problems)
    return file.warband, read_fighters(file.fighters)
