"""Armies as they fight: stands, heroes and a camp in slots that last.

A slot is the lasting identity of a stand: it addresses its dice. Adding or removing a stand
leaves all other slots alone, so that two armies that differ in one stand keep their luck.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ftsim.errors import InputError
from ftsim.games.triumph.armies import Army, ArmyCard
from ftsim.games.triumph.notation import Hero, Stand, read_card
from ftsim.games.triumph.rulings import TriumphRulings

MAX_STANDS = 63
#: Cards that decide what camp there is, event cards, which are bought for a class, and all that a host keeps.
CAMP_CARDS = ("fortified_camp", "no_camp", "pack_train")
CLASS_CARDS = ("charge_through", "hold_the_line")
HOST_CARDS = ("ambush", "illusion", "prepared_defenses", *CLASS_CARDS)


@dataclass(frozen=True)
class Host:
    """An army in a battle.

    Parameters
    ----------
    name : str
        What it is called.
    stands : tuple of (int, Stand)
        Slots and stands, by rising slot.
    heroes : tuple of (int, Hero)
        Slots and heroes.
    points : int
        Size of the game, a third of which decides it.
    camp : str or None
        ``camp``, ``fortified camp``, ``heavily fortified camp``, or None for no camp.
    next_slot : int
        The slot that the next stand gets; retired slots are never used again.
    dense : bool
        Whether the home topography is dense.
    cards : tuple of ArmyCard
        Army cards without those of the camp, and event cards; transports are written on stands.
    delayed : frozenset of int
        Slots of stands and heroes that arrive late (FT 32).
    home : str or None
        Identifier of the home topography, for Ambush.
    pack_train : bool
        Whether the camp may be a Pack Train and Herds (FT 48).

    Raises
    ------
    InputError
        If a card cannot be used by this army.
    """

    name: str
    stands: tuple[tuple[int, Stand], ...]
    heroes: tuple[tuple[int, Hero], ...] = ()
    points: int = 51
    camp: str | None = "camp"
    next_slot: int = 0
    dense: bool = False
    cards: tuple[ArmyCard, ...] = ()
    delayed: frozenset[int] = frozenset()
    home: str | None = None
    pack_train: bool = False

    def __post_init__(self) -> None:
        stands = dict(self.stands)
        for slot in sorted(self.delayed):
            if slot not in stands and slot not in dict(self.heroes):
                raise InputError(f"{self.name}: slot {slot} is delayed, but nobody has it (FT 32)")
            if slot in stands and stands[slot].general:
                raise InputError(f"{self.name}: the general cannot arrive late (FT 32.4)")
        classes = {replace(stand, general=False, _names={}) for stand in stands.values()}
        for card in self.cards:
            name = card.pick.card.id
            if name not in HOST_CARDS:
                raise InputError(f"{self.name}: {card.pick.card.name} is no card of a host: {', '.join(HOST_CARDS)}")
            if card.count < 1:
                raise InputError(f"{self.name}: {card.count} × {card.pick} cannot be used; accepted: 1 or more")
            if name in CLASS_CARDS and card.troop_class not in classes:
                wanted = "no class is named" if card.troop_class is None else f"the army has no {card.troop_class}"
                raise InputError(f"{self.name}: {card.pick.card.name}: {wanted} (FT {card.pick.card.ft})")
        if self.pack_train and self.camp is None:
            raise InputError(f"{self.name}: without a camp there is no Pack Train (FT 47, 48)")
        if self.copies("illusion") and all(stand.general for stand in stands.values()):
            raise InputError(f"{self.name}: Illusion needs a stand to look like that is not the general's (FT 39.1)")

    @classmethod
    def of(
        cls,
        name: str,
        stands: list[Stand],
        heroes: list[Hero] | None = None,
        *,
        points: int = 51,
        camp: str | None = "camp",
        dense: bool = False,
        cards: Sequence[ArmyCard | str] = (),
        delayed: Sequence[Stand | Hero] = (),
        home: str | None = None,
    ) -> Host:
        """A host from stands and heroes in any order: slots follow their notation.

        Parameters
        ----------
        name, stands, heroes, points, camp, dense, home
            As in the class.
        cards : sequence of ArmyCard or str
            Army and event cards, ``3 x Prepared Defenses`` or ``Hold the Line for Spear`` as text.
            No Camp, Fortified Camp and Pack Train decide the camp.
        delayed : sequence of Stand or Hero
            Those that arrive late, each as often as it does.

        Raises
        ------
        InputError
            If there are no stands or too many, or a card cannot be used.
        """
        if not 1 <= len(stands) + len(heroes or []) <= MAX_STANDS - 1:
            raise InputError(f"{name}: a host has 1 to {MAX_STANDS - 1} stands and heroes")
        ordered = sorted(stands, key=lambda stand: (not stand.general, str(stand)))
        leaders = sorted(heroes or [], key=str)
        first = len(ordered)
        found = [read_army_card(card) if isinstance(card, str) else card for card in cards]
        kinds = {(card.pick.card.id, *card.pick.choices) for card in found}
        if ("no_camp",) in kinds:
            camp = None
        elif ("fortified_camp", "heavily") in kinds:
            camp = "heavily fortified camp"
        elif ("fortified_camp", "fortified") in kinds:
            camp = "fortified camp"
        return cls(
            name,
            tuple(enumerate(ordered)),
            tuple((first + k, hero) for k, hero in enumerate(leaders)),
            points,
            camp,
            first + len(leaders),
            dense,
            tuple(card for card in found if card.pick.card.id not in CAMP_CARDS),
            _late(name, [*ordered, *leaders], list(delayed)),
            home,
            ("pack_train",) in kinds and camp is not None,
        )

    @classmethod
    def from_army(cls, army: Army) -> Host:
        """The host of an army of the 51-point format."""
        stands = [part.stand for part in army.regiments for _ in range(part.count)]
        heroes = [hero.hero for hero in army.heroes]
        late: list[Stand | Hero] = [part.stand for part in army.regiments for _ in range(part.delayed)]
        late += [hero.hero for hero in army.heroes if hero.delayed]
        return cls.of(
            army.name,
            stands,
            heroes,
            points=army.points,
            dense=army.home.dense,
            cards=army.cards,
            delayed=late,
            home=army.home.id,
        )

    def copies(self, card: str) -> int:
        """How many copies of an army or event card it has."""
        return sum(bought.count for bought in self.cards if bought.pick.card.id == card)

    def with_stand(self, stand: Stand) -> Host:
        """This host with one more stand, in a fresh slot."""
        stands = (*self.stands, (self.next_slot, stand))
        return replace(self, stands=stands, next_slot=self.next_slot + 1)

    def without(self, slot: int) -> Host:
        """This host without the stand in a slot, which is retired.

        Raises
        ------
        InputError
            If no stand has that slot.
        """
        if slot not in dict(self.stands):
            raise InputError(f"{self.name} has no stand in slot {slot}")
        stands = tuple(pair for pair in self.stands if pair[0] != slot)
        return replace(self, stands=stands, delayed=self.delayed - {slot})

    def replace(self, slot: int, stand: Stand) -> Host:
        """This host with another stand in a slot: it keeps the dice of the old one.

        Raises
        ------
        InputError
            If no stand has that slot.
        """
        if slot not in dict(self.stands):
            raise InputError(f"{self.name} has no stand in slot {slot}")
        return replace(self, stands=tuple((k, stand if k == slot else old) for k, old in self.stands))

    def cost(self, rulings: TriumphRulings) -> Fraction:
        """Cost of its stands and heroes."""
        stands = sum((stand.cost(rulings, dense=self.dense) for _, stand in self.stands), Fraction(0))
        return stands + sum((hero.cost(rulings) for _, hero in self.heroes), Fraction(0))


def read_army_card(text: str) -> ArmyCard:
    """An army or event card from text: ``3 x Prepared Defenses``, ``Charge Through for Raiders``."""
    count, name, bearer = re.fullmatch(r"(?:(\d+) x )?(.*?)(?: for (.*))?", text.strip()).groups()  # type: ignore[union-attr]
    return ArmyCard(read_card(name), int(count or 1), Stand.read(bearer) if bearer else None)


def _late(name: str, everyone: list[Stand | Hero], delayed: list[Stand | Hero]) -> frozenset[int]:
    """Slots of those that arrive late: the last ones of each kind."""
    slots: set[int] = set()
    for who in delayed:
        free = [slot for slot, other in enumerate(everyone) if other == who and slot not in slots]
        if not free:
            raise InputError(f"{name}: {who} is delayed more often than the army has it (FT 32)")
        slots.add(free[-1])
    return frozenset(slots)
