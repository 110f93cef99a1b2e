"""Pages and lists for people: one thing, all of a kind, and what something costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ftsim.conditions import setting_text
from ftsim.documents import Document, Model, WholeNumber, read_document, validate
from ftsim.errors import FtsimError, InputError, UnknownNameError
from ftsim.games.warlord.demolition import Magic, Structure, magic, structures
from ftsim.games.warlord.hit_charts import chart, chart_names
from ftsim.games.warlord.points import Character, Creature, character_types, creatures, is_character
from ftsim.games.warlord.profile_file import ARMOUR, LOSS_ROWS, check_profiles, read_profiles, shipped
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.races import Race, Weapon, races, weapons
from ftsim.games.warlord.rulings import DECLARED, WarlordRulings
from ftsim.games.warlord.terrain import Terrain, terrains
from ftsim.games.warlord.units import CLASSES, Unit, point_rows
from ftsim.ruleset import Cost, Listing, Page, RulingInfo


def _page(title: str, facts: list[tuple[str, str]]) -> Page:
    return Page(title, facts, {"name": title, **{label.lower().replace(" ", "_"): text for label, text in facts}})


def show(name: str) -> Page:
    """The page of a race, weapon, kind of terrain, part of a building, spell, creature, hit chart, ruling or number.

    Raises
    ------
    UnknownNameError
        If nothing has this name.
    """
    makers: tuple[tuple[Callable[[str], Any], Callable[[Any], Page]], ...] = (
        (races().find, _race),
        (terrains().find, _terrain),
        (weapons().find, _weapon),
        (structures().find, _structure),
        (magic().find, _magic),
        (creatures().find, _creature),
        (WarlordRulings.info, _ruling),
        (_section, _numbers),
        (_chart_name, _chart),
    )
    for find, page in makers:
        try:
            return page(find(name))
        except UnknownNameError:
            continue
    known = [x.name for table in (races(), terrains(), weapons(), structures(), magic(), creatures())
             for x in table.values()]  # fmt: skip
    known += [info.name for info in WarlordRulings.catalog()] + sorted(_sections()) + list(chart_names())
    raise UnknownNameError("name of this game", name, known)


def _race(race: Race) -> Page:
    numbers, owner = shipped(), race.profile
    moves = [
        f"{numbers.values[f'move_normal.{owner}.{a}']} cm {a.replace('_', ' and ')}"
        for a in ARMOUR
        if numbers.has(f"move_normal.{owner}.{a}")
    ]
    losses = []
    for row in LOSS_ROWS:
        key = f"terrain_loss.{owner}.{row}"
        losses.append(f"{row} {numbers.values[key if numbers.has(key) else f'terrain_loss.default.{row}']}")
    rows = point_rows()
    costs = [
        f"{rank} {rows[race.id, rank, False]}"
        + (f" ({rows[race.id, rank, True]} mounted)" if (race.id, rank, True) in rows else "")
        for rank in (*CLASSES, "character")
    ]
    return _page(
        race.name,
        [
            ("Points", ", ".join(costs)),
            ("Moves", ", ".join(moves) or "not in the profiles"),
            ("Loses in terrain", ", ".join(losses)),
            ("Size", "human height or less" if race.size == "small" else "larger than a human"),
            ("Pikes", _yes(race.pikes)),
            ("Open order", _yes(race.open_order)),
            ("Swims", _yes(race.swims)),
            ("Enters buildings", _yes(race.buildings)),
            ("Pulls buildings down", _yes(race.demolishes)),
            ("Source", f"{race.source.text} ({race.source.basis}); moves and losses from {numbers.name}"),
        ],
    )


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _terrain(t: Terrain) -> Page:
    moves = " × ".join(t.uses) + (" (uphill only)" if t.uphill_only else "")
    return _page(
        t.name,
        [
            ("Moves as", "impassable" if t.impassable else moves or "clear"),
            ("Cover from missiles", f"{t.fire_small}; large troops {t.fire_large}"),
            ("Cover in combat", f"{t.combat_small}; large troops {t.combat_large} ({_who(t)})"),
            ("Charges disorder", t.disorders.replace("_", " ")),
            ("Pikes", t.pikes),
            ("Hides", ", ".join(w for w, h in (("inside", t.hides_inside), (t.hides_behind, True)) if h)),
            ("Sight inside", f"{t.sight} cm" if t.sight else "not limited"),
            ("Follow-up and pursuit", "optional for defenders" if t.optional_pursuit else "normal"),
            ("Source", f"{t.source.text} ({t.source.basis})"),
        ],
    )


def _who(t: Terrain) -> str:
    if t.id == "building":
        return "occupants; medium for both sides once attackers are in"
    return "both sides" if t.combat_for == "both" else "each side inside"


def _weapon(w: Weapon) -> Page:
    return _page(
        w.name,
        [
            ("Kind", w.kind),
            ("Ranks that fight", str(w.ranks)),
            ("Harms buildings", _yes(w.demolishes)),
            ("Points", str(shipped().values[f"equipment_points.{w.id}"])),
            ("Source", f"{w.source.text} ({w.source.basis})"),
        ],
    )


def _structure(s: Structure) -> Page:
    dice = shipped().dice(f"defence_dice.{s.defence}")
    return _page(
        s.name,
        [
            ("Part", s.part),
            ("Burns", _yes(s.burns)),
            ("Defence value", f"{dice} (assumed)"),
            ("Source", f"{s.source.text} ({s.source.basis})"),
        ],
    )


def _magic(m: Magic) -> Page:
    return _page(
        m.name,
        [
            ("Damage at once", m.damage or "none"),
            ("Fire", m.fire or "none"),
            ("Hits", m.hits),
            ("Puts out", m.puts_out or "nothing"),
            ("Source", f"{m.source.text} ({m.source.basis})"),
        ],
    )


def _creature(c: Creature) -> Page:
    return _page(c.name, [("Points", str(c.points)), ("Rideable flyer", _yes(c.rideable)), ("Source", c.source.text)])


def _ruling(info: RulingInfo) -> Page:
    used = [contest for contest, names in DECLARED.items() if info.name in names]
    return _page(
        info.name,
        [
            ("Question", info.why),
            ("Default", setting_text(info.default)),
            ("Alternatives", ", ".join(setting_text(option) for option in info.alternatives)),
            ("Reference", info.ref),
            ("Read by", ", ".join(used)),
        ],
    )


def _sections() -> set[str]:
    return {key.partition(".")[0] for key in shipped().values}


def _section(name: str) -> str:
    folded = name.strip().casefold().replace(" ", "_")
    if folded not in _sections():
        raise UnknownNameError("section", name, _sections())
    return folded


def _numbers(section: str) -> Page:
    facts = [
        (key[len(section) + 1 :], f"{value} ({value.basis})")
        for key, value in shipped().values.items()
        if key.startswith(section + ".")
    ]
    return _page(section, facts)


def _chart_name(name: str) -> str:
    folded = name.strip().casefold().replace(" ", "_")
    chart(folded)
    return folded


def _chart(name: str) -> Page:
    facts = []
    for hit in chart(name):
        parts = [hit.wound]
        parts += [f"{hit.percent:+d} %"] if hit.percent else []
        parts += [f"{hit.combat:+d} % in combat"] if hit.combat else []
        parts += [f"move −{hit.move}"] if hit.move else []
        parts += [f"in the air −{hit.air}"] if hit.air else []
        parts += ["crashes if flying"] if hit.crashes else []
        parts += ["flies no more"] if hit.grounded else []
        facts.append((f"{hit.place} {hit.low}-{hit.high}, {hit.column}", ", ".join(parts)))
    return _page(f"{name.replace('_', ' ')} hit chart", facts)


def _list_races() -> Listing:
    rows = []
    for race in races().values():
        costs = [str(point_rows()[race.id, rank, False]) for rank in CLASSES]
        rows.append((race.name, race.profile, *costs, race.size, _yes(race.pikes), _yes(race.open_order)))
    return Listing("Races", ("Race", "Profile", "A", "B", "C", "Size", "Pikes", "Open order"), rows)


def _list_terrain() -> Listing:
    rows = [
        (
            t.name,
            "impassable" if t.impassable else " × ".join(t.uses) or "–",
            f"{t.fire_small}/{t.fire_large}",
            f"{t.combat_small}/{t.combat_large}",
            t.disorders.replace("_", " "),
            t.pikes,
            f"{t.sight} cm" if t.sight else "–",
        )
        for t in terrains().values()
    ]
    columns = ("Terrain", "Moves as", "Cover v missiles", "Cover in combat", "Disorders", "Pikes", "Sight")
    return Listing("Terrain (cover of small/large troops)", columns, rows)


def _list_weapons() -> Listing:
    rows = [
        (w.name, w.kind, str(w.ranks), str(shipped().values[f"equipment_points.{w.id}"])) for w in weapons().values()
    ]
    return Listing("Weapons", ("Weapon", "Kind", "Ranks", "Points"), rows)


def _list_structures() -> Listing:
    rows = [(s.name, s.part, str(s.dice(shipped())), _yes(s.burns)) for s in structures().values()]
    return Listing("Parts of buildings", ("Part", "Kind", "Defence value", "Burns"), rows)


def _list_magic() -> Listing:
    rows = [(m.name, m.damage or "–", m.fire or "–", m.hits, m.puts_out or "–") for m in magic().values()]
    return Listing("Magic and buildings", ("Spell", "Damage", "Fire", "Hits", "Puts out"), rows)


def _list_creatures() -> Listing:
    rows = [(c.name, str(c.points), _yes(c.rideable)) for c in creatures().values()]
    return Listing("Creatures", ("Creature", "Points", "Rideable"), rows)


def _list_characters() -> Listing:
    rows = [
        (k.name, f"× {k.times}", str(k.skill), *(str(p) if p is not None else "not public" for _, p in k.levels))
        for k in character_types().values()
    ]
    return Listing("Kinds of character", ("Kind", "Racial cost", "A skill", "Major", "Master"), rows)


def _list_numbers() -> Listing:
    rows = [(key, str(value), value.basis) for key, value in shipped().values.items()]
    return Listing("Numbers of the profile file", ("Key", "Value", "Basis"), rows)


def _list_rulings() -> Listing:
    rows = [
        (i.name, setting_text(i.default), ", ".join(setting_text(a) for a in i.alternatives), i.ref, i.why)
        for i in WarlordRulings.catalog()
    ]
    return Listing("Rulings", ("Ruling", "Default", "Alternatives", "Reference", "Why"), rows)


def _list_contests() -> Listing:
    rows = [
        ("march", "unit, path", "turns, move, column, by, fires, enemy"),
        ("missile", "unit, unit", "range, a.in, b.in, touching, rear_ranks, edge, at_wall, storeys, in_melee"),
        ("combat", "unit, unit", "terrain, charge, b.attacked, a.hates, b.hates, a.contact, b.contact"),
        ("fight", "unit, unit", "terrain, charge, b.attacked, b.follows, a.hates, b.hates"),
        ("fire", "part of a building, unit", "policy, magical, defence"),
        ("demolition", "unit, part of a building", "defence"),
        ("wounds", "hit chart, number", ""),
    ]
    return Listing("Contests; all but wounds take profiles=FILE", ("Contest", "A, B", "Situations"), rows)


LISTINGS: dict[str, Callable[[], Listing]] = {
    "races": _list_races,
    "terrain": _list_terrain,
    "weapons": _list_weapons,
    "structures": _list_structures,
    "magic": _list_magic,
    "creatures": _list_creatures,
    "characters": _list_characters,
    "numbers": _list_numbers,
    "rulings": _list_rulings,
    "contests": _list_contests,
}


def _numbers_of(options: Mapping[str, str]) -> Profiles:
    for key in options:
        if key != "profiles":
            raise UnknownNameError("option", key, ["profiles"])
    return read_profiles(Path(options["profiles"])) if "profiles" in options else shipped()


def cost(text: str, options: Mapping[str, str]) -> Cost:
    """Points of a unit, a character or a creature."""
    numbers = _numbers_of(options)
    if is_character(text):
        character = Character.parse(text)
        lines = [(label, _points(points)) for label, points in character.lines(numbers)]
        return Cost(text, float(character.points(numbers)), True, (), lines)
    try:
        creature = creatures().find(text)
        return Cost(creature.name, creature.points, True, ())
    except UnknownNameError:
        unit = Unit.parse(text)
    each = unit.points_each(numbers)
    lines = [(f"{unit.figures} figures of {_points(each)}", _points(unit.points(numbers)))]
    return Cost(str(unit), float(unit.points(numbers)), True, (), lines)


def _points(value: Fraction) -> str:
    return f"{float(value):g}"


ARMY = "warlord_army"


class ArmyFile(Model):
    """The form of an army file: units and characters in notation, and creatures by name."""

    warlord_army: WholeNumber
    name: str
    points: WholeNumber | None = None
    units: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()
    creatures: tuple[str, ...] = ()


def army_cost(path: Path, options: Mapping[str, str]) -> Cost:
    """Points of an army file, and whether it keeps to its limit.

    Raises
    ------
    InputError
        If the file cannot be used.
    """
    return _army(read_document(path), _numbers_of(options))


def _army(document: Document, numbers: Profiles) -> Cost:
    army = validate(ArmyFile, document)
    problems, lines, total = [], [], Fraction(0)
    for key, names in (("units", army.units), ("characters", army.characters), ("creatures", army.creatures)):
        for k, name in enumerate(names):
            try:
                if key == "units":
                    points = Unit.parse(name).points(numbers)
                elif key == "characters":
                    points = Character.parse(name).points(numbers)
                else:
                    points = Fraction(creatures().find(name).points)
            except FtsimError as problem:
                problems.append(document.error((key, k), str(problem)))
                continue
            lines.append((name, _points(points)))
            total += points
    if problems:
        raise InputError("\n".join(problems))
    over = army.points is not None and total > army.points
    reasons = [f"{_points(total)} points, over the limit of {army.points}"] if over else []
    return Cost(army.name, float(total), not over, reasons, lines)


def check_army(document: Document) -> str:
    """What an army file is, in a few words.

    Raises
    ------
    InputError
        With everything that is wrong with it.
    """
    found = _army(document, shipped())
    if not found.legal:
        raise InputError(document.error(("points",), found.reasons[0]))
    return f"army {found.title}, {found.points:g} points, legal"


__all__ = ["ARMY", "LISTINGS", "army_cost", "check_army", "check_profiles", "cost", "show"]
