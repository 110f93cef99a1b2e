"""Fighters: a warrior with his kit, its legality, and the numbers he fights with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ftsim.errors import IllegalError, InputError, UnknownNameError
from ftsim.games.ffc.arithmetic import CURSED
from ftsim.games.ffc.cards import Armor, Warrior, Weapon, armor, bare_hands, warriors, weapons
from ftsim.games.ffc.rulings import FfcRulings


@dataclass(frozen=True)
class Fighter:
    """A warrior with kit, as ``Knight + Long Sword + Plate Mail + Great Helm``.

    Parameters
    ----------
    warrior : Warrior
        His card.
    weapons : tuple of Weapon
        In order of preference: the first is in use (a Warrior may use the first two).
    armor : tuple of Armor
        Suits, pieces, helm and shield.
    """

    warrior: Warrior
    weapons: tuple[Weapon, ...] = ()
    armor: tuple[Armor, ...] = ()

    @classmethod
    def parse(cls, text: str, rulings: FfcRulings | None = None) -> Fighter:
        """A legal fighter from notation.

        Raises
        ------
        InputError, IllegalError
            If it cannot be read, or breaks rules.
        """
        fighter = cls.read(text)
        problems = fighter.problems(rulings or FfcRulings())
        if problems:
            raise IllegalError(str(fighter), problems)
        return fighter

    @classmethod
    def read(cls, text: str) -> Fighter:
        """A fighter from notation, legal or not."""
        head, *terms = (term.strip() for term in text.split("+"))
        if not head:
            raise InputError(f"{text!r}: a fighter starts with a warrior, then + and his kit")
        warrior = warriors().find(head)
        arms: list[Weapon] = []
        worn: list[Armor] = []
        for term in terms:
            if not term:
                raise InputError(f"{text!r}: nothing stands after a +")
            try:
                arms.append(weapons().find(term))
                continue
            except UnknownNameError:
                pass
            try:
                worn.append(armor().find(term))
            except UnknownNameError:
                known = [w.name for w in weapons().values()] + [a.name for a in armor().values()]
                raise UnknownNameError("weapon or armor", term, known) from None
        order = {piece: k for k, piece in enumerate(armor().values())}
        return cls(warrior, tuple(arms), tuple(sorted(worn, key=lambda piece: order[piece])))

    def __str__(self) -> str:
        return " + ".join((self.warrior.name, *(w.name for w in self.weapons), *(a.name for a in self.armor)))

    def problems(self, rulings: FfcRulings) -> list[str]:
        """Every rule that his kit breaks."""
        found = []
        kinds = [piece.type for piece in self.armor]
        if kinds and unarmored(self.warrior, rulings):
            why = "backstabbers" if self.warrior.backstab else "spellcasters"
            found.append(f"{why} wear no armor, shield or helm: leave out {', '.join(a.name for a in self.armor)}")
        for kind, what in (("shield", "shield"), ("helm", "helm"), ("full", "full suit")):
            if kinds.count(kind) > 1:
                names = ", ".join(a.name for a in self.armor if a.type == kind)
                found.append(f"at most one {what}, got {names}")
        if "full" in kinds and "partial" in kinds:
            found.append("a full suit or partial pieces, not both")
        if kinds.count("partial") > rulings.partial_limit:
            found.append(f"at most {rulings.partial_limit} partial pieces (ruling partial_limit)")
        cards: list[Weapon | Armor] = [*self.weapons, *self.armor]
        for card in dict.fromkeys(cards):
            if cards.count(card) > max(card.copies, 1):
                found.append(f"there is one {card.name} only")
        if any(w.id == "unarmed" for w in self.weapons) and len(self.weapons) > 1:
            found.append("Unarmed stands alone")
        return found

    @property
    def shield(self) -> Armor | None:
        """His shield."""
        return next((piece for piece in self.armor if piece.type == "shield"), None)

    def in_use(self) -> tuple[Weapon, ...]:
        """The weapon he uses: bare hands if he has none, two if he may and they are one-handed HTH weapons."""
        held = self.weapons or (bare_hands(),)
        pair = held[:2]
        if self.warrior.two_weapons and len(pair) == 2 and all(w.kind == "hth" and not w.two_handed for w in pair):
            return pair
        return held[:1]

    def using(self, *arms: Weapon) -> Fighter:
        """The same fighter with these weapons alone."""
        return replace(self, weapons=arms)


def unarmored(warrior: Warrior, rulings: FfcRulings) -> bool:
    """Whether he may wear no armor (backstabbers and spellcasters; the Elf by R-06)."""
    if warrior.id == "elf" and not rulings.elf_is_caster:
        return False
    return warrior.backstab or warrior.spells > 0


@dataclass(frozen=True)
class Effects:
    """What lies on a fighter besides his kit.

    Parameters
    ----------
    back : bool
        He stands in the back row.
    throw : bool
        A thrown weapon is thrown, not held.
    wounds : int
        Painful Wounds.
    hits : int or None
        Hits left; None for all.
    mighty_blows, fly_true : int
        Cards played on his hit.
    cursed, bloodlust, hasted, invisible, invulnerable, helpless : bool
        Spells in force.
    """

    back: bool = False
    throw: bool = False
    wounds: int = 0
    hits: int | None = None
    mighty_blows: int = 0
    fly_true: int = 0
    cursed: bool = False
    bloodlust: bool = False
    hasted: bool = False
    invisible: bool = False
    invulnerable: bool = False
    helpless: bool = False


@dataclass(frozen=True)
class Numbers:
    """The numbers a fighter has with one weapon (section 3 of the rules as we keep them)."""

    dam: int
    speed: int
    skill: int
    dodge: int
    hits: int
    reach: int
    parry: int
    armor: int
    block: int


def numbers(fighter: Fighter, effects: Effects, rulings: FfcRulings, weapon: Weapon | None = None) -> Numbers:
    """His numbers with `weapon`, by default the first in use.

    Skill and dodge hold hand to hand; `ranged_skill` takes off what helps hand to hand only.
    """
    used = fighter.in_use()
    w = weapon or used[0]
    man = fighter.warrior
    throwing = w.kind == "missile" or (w.kind == "thrown" and effects.throw)
    own_dam = man.dam if rulings.missile_dam or not throwing else 0
    bow = man.bow if w.bow or (rulings.bow_bonus == "missiles" and w.kind == "missile") else 0
    hindered = w.two_handed or len(used) > 1  # no shield behind a two-hander or a second weapon
    worn = [
        piece
        for piece in fighter.armor
        if not (piece.type == "shield" and hindered and rulings.shield_with_two_hander == "vanish")
    ]
    block = fighter.shield.block if fighter.shield and not hindered else 0
    wounds = effects.wounds
    dam = own_dam + w.dam + bow - wounds + 2 * effects.bloodlust
    skill = man.skill - wounds + effects.bloodlust + 3 * effects.invisible
    dodge = man.dodge + sum(piece.dodge for piece in worn) - wounds + effects.hasted + 4 * effects.invisible
    speed = man.speed + w.speed + sum(piece.speed for piece in worn) - wounds + 2 * effects.hasted
    reach, parry = w.reach + man.reach, w.parry
    if throwing and (w.kind == "missile" or rulings.thrown_parry == "held"):
        parry = 0
    if len(used) > 1 and rulings.two_weapons == "best_of_both":
        dam += max(x.dam for x in used) - w.dam
        speed += max(x.speed for x in used) - w.speed
        reach += max(x.reach for x in used) - w.reach
        parry += max(x.parry for x in used) - w.parry
    elif len(used) > 1 and rulings.two_weapons == "parries_add":
        parry = sum(x.parry for x in used)
    if effects.cursed:
        skill -= CURSED
        if rulings.curse == "all":
            dam -= CURSED
            block = max(0, block - CURSED)
    if effects.helpless and rulings.helpless_defence == "none":
        dodge = parry = block = 0
    hits = man.hits if effects.hits is None else effects.hits
    plate = sum(piece.armor for piece in fighter.armor) + 5 * effects.invulnerable
    return Numbers(dam, speed, skill, dodge, hits, reach, parry, plate, block)
