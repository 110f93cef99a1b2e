"""Armies as they fight: stands, heroes and a camp in slots that last.

A slot is the lasting identity of a stand: it addresses its dice. Adding or removing a stand
leaves all other slots alone, so that two armies that differ in one stand keep their luck.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ftsim.errors import InputError
from ftsim.games.triumph.armies import Army
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.rulings import TriumphRulings

MAX_STANDS = 64


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
    """

    name: str
    stands: tuple[tuple[int, Stand], ...]
    heroes: tuple[tuple[int, Hero], ...] = ()
    points: int = 51
    camp: str | None = "camp"
    next_slot: int = 0
    dense: bool = False

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
    ) -> Host:
        """A host from stands and heroes in any order: slots follow their notation.

        Raises
        ------
        InputError
            If there are no stands or too many.
        """
        if not 1 <= len(stands) + len(heroes or []) <= MAX_STANDS - 1:
            raise InputError(f"{name}: a host has 1 to {MAX_STANDS - 1} stands and heroes")
        ordered = sorted(stands, key=lambda stand: (not stand.general, str(stand)))
        leaders = sorted(heroes or [], key=str)
        first = len(ordered)
        return cls(
            name,
            tuple(enumerate(ordered)),
            tuple((first + k, hero) for k, hero in enumerate(leaders)),
            points,
            camp,
            first + len(leaders),
            dense,
        )

    @classmethod
    def from_army(cls, army: Army) -> Host:
        """The host of an army of the 51-point format."""
        stands = [part.stand for part in army.regiments for _ in range(part.count)]
        heroes = [hero.hero for hero in army.heroes]
        kinds = {(card.pick.card.id, *card.pick.choices) for card in army.cards}
        camp: str | None = "camp"
        if ("no_camp",) in kinds:
            camp = None
        elif ("fortified_camp", "heavily") in kinds:
            camp = "heavily fortified camp"
        elif ("fortified_camp", "fortified") in kinds:
            camp = "fortified camp"
        return cls.of(army.name, stands, heroes, points=army.points, camp=camp, dense=army.home.dense)

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
        return replace(self, stands=tuple(pair for pair in self.stands if pair[0] != slot))

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
