"""Stands and heroes as people write them: ``Javelin Cavalry + Flying: hover + Prowess``.

A hero rides on a stand after ``with``: ``Elite Foot + Armored with Hero + Deadly``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from ftsim.conditions import holds_for
from ftsim.errors import FtsimError, IllegalError, InputError
from ftsim.games.triumph.cards import Card, card_moves, cards, grants
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains
from ftsim.games.triumph.troop_types import TroopType, troop_types

MIN_STAND_COST = 1  # FT army format
HERO_BASE_COST = 1  # FT army format


@dataclass(frozen=True)
class Pick:
    """A card with the options taken."""

    card: Card
    choices: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What conditions call it: the card, and the card with each option."""
        return (self.card.id, *(f"{self.card.id}_{choice.replace(' ', '_')}" for choice in self.choices))

    def __str__(self) -> str:
        if not self.choices:
            return self.card.name
        shown = (terrains()[c].name if c in terrains() else c for c in self.choices)
        return f"{self.card.name}: {', '.join(shown)}"


@dataclass(frozen=True)
class Hero:
    """A hero and his cards (FT 14-16).

    Parameters
    ----------
    picks : tuple of Pick
        Cards, in the order of the card table.
    """

    picks: tuple[Pick, ...] = ()

    @classmethod
    def parse(cls, text: str, rulings: TriumphRulings | None = None) -> Hero:
        """A legal hero from notation.

        Raises
        ------
        InputError, IllegalError
            If it cannot be read, or breaks rules.
        """
        hero = cls.read(text)
        _refuse(str(hero), hero.problems(rulings or TriumphRulings()))
        return hero

    @classmethod
    def read(cls, text: str) -> Hero:
        """A hero from notation, legal or not."""
        head, *rest = _terms(text)
        if head.casefold() != "hero":
            raise InputError(f"A hero starts with the word Hero, got {head!r}")
        return cls(_picks(rest))

    @property
    def points(self) -> Fraction:
        """Cost with all cards."""
        return self.cost(TriumphRulings())

    def cost(self, rulings: TriumphRulings) -> Fraction:
        """Cost under some rulings."""
        names = self.names
        return sum(
            (pick.card.price(pick.choices, "hero", names, rulings).points for pick in self.picks),
            Fraction(HERO_BASE_COST),
        )

    def payable(self, rulings: TriumphRulings) -> Hero:
        """This hero with only those cards that have a price for him, to price what is not legal."""
        return Hero(tuple(p for p in self.picks if _has_price(p, "hero", self.names, rulings)))

    @property
    def names(self) -> frozenset[str]:
        """What conditions call him."""
        return frozenset(name for pick in self.picks for name in pick.names)

    def has(self, card: str) -> bool:
        """Whether he has a card."""
        return card in self.names

    def duel_modifier(self, rulings: TriumphRulings) -> int | Fraction:
        """What he adds to his die in a duel (FT 14, 28.1)."""
        value = self.cost(rulings)
        if self.has("champion"):
            value += 3 if rulings.champion_counts_itself else 2
        return int(value) if value.denominator == 1 else value

    def problems(self, rulings: TriumphRulings) -> list[str]:
        """Every rule he breaks."""
        broken = _repeats(self.picks)
        for pick in self.picks:
            allowed = pick.card.for_heroes or (pick.card.id == "fierce" and rulings.fierce_for_heroes)
            if not allowed:
                broken.append(f"{pick.card.name} is not for heroes (FT {pick.card.ft})")
                continue
            broken += pick.card.problems("hero", self.names, rulings)
            lowers = pick.card.price(pick.choices, "hero", self.names, rulings).points < 0
            if lowers and not (pick.card.id == "fierce" and rulings.fierce_for_heroes):
                broken.append(f"{pick.card.name}: heroes take no card that lowers their cost (FT army format)")
        return broken

    def __str__(self) -> str:
        return " + ".join(["Hero", *(str(pick) for pick in self.picks)])


@dataclass(frozen=True)
class Stand:
    """A stand: a troop type, its cards and perhaps a hero attached to it.

    Parameters
    ----------
    troop_type : TroopType
        The type.
    picks : tuple of Pick
        Cards, in the order of the card table.
    hero : Hero, optional
        A hero attached to the stand.
    general : bool
        Whether the army's general is with it.
    """

    troop_type: TroopType
    picks: tuple[Pick, ...] = ()
    hero: Hero | None = None
    general: bool = False
    _names: dict[TriumphRulings, frozenset[str]] = field(default_factory=dict, compare=False, repr=False, hash=False)

    @classmethod
    def parse(cls, text: str, rulings: TriumphRulings | None = None) -> Stand:
        """A legal stand from notation.

        Raises
        ------
        InputError, IllegalError
            If it cannot be read, or breaks rules.

        Examples
        --------
        >>> stand = Stand.parse("javelin cavalry + prowess + flight: hover")
        >>> str(stand)
        'Javelin Cavalry + Flying: hover + Prowess'
        >>> stand.points
        Fraction(6, 1)
        """
        rulings = rulings or TriumphRulings()
        stand = cls.read(text, rulings)
        _refuse(str(stand), stand.problems(rulings))
        return stand

    @classmethod
    def read(cls, text: str, rulings: TriumphRulings | None = None) -> Stand:
        """A stand from notation, legal or not."""
        body, *hero = re.split(r"\s+with\s+", text.strip(), flags=re.IGNORECASE)
        if len(hero) > 1:
            raise InputError(f"{text!r}: a stand carries one hero, with is written once")
        head, *rest = _terms(body)
        general = [term for term in rest if term.casefold() == "general"]
        rest = [term for term in rest if term.casefold() != "general"]
        return cls(
            troop_types(rulings).find(head),
            _picks(rest),
            Hero.read(hero[0]) if hero else None,
            bool(general),
        )

    @property
    def points(self) -> Fraction:
        """Cost of the stand, without army cards it carries and without its hero."""
        return self.cost(TriumphRulings())

    def cost(self, rulings: TriumphRulings, *, dense: bool = False) -> Fraction:
        """Cost of the stand under some rulings, never below 1 point.

        Parameters
        ----------
        rulings : TriumphRulings
            Which printed prices hold.
        dense : bool
            Whether the army's home topography is dense (Terrain Affinity).
        """
        names = self.own_names | ({"dense"} if dense else set())
        total = sum(
            (
                pick.card.price(pick.choices, "stand", names, rulings).points
                for pick in self.picks
                if pick.card.bought_for != "army"
            ),
            Fraction(self.troop_type.cost),
        )
        return max(total, Fraction(MIN_STAND_COST))

    def army_points(self, rulings: TriumphRulings) -> Fraction:
        """Cost of the army cards it carries: transports, which are no part of its value."""
        return sum(
            (
                pick.card.price(pick.choices, "stand", self.own_names, rulings).points
                for pick in self.picks
                if pick.card.bought_for == "army"
            ),
            Fraction(0),
        )

    @property
    def own_names(self) -> frozenset[str]:
        """What conditions call it by itself, without its hero."""
        own = {name for pick in self.picks for name in pick.names}
        return self.troop_type.names | own | ({"general"} if self.general else set())

    def names(self, rulings: TriumphRulings) -> frozenset[str]:
        """What conditions of the combat tables call it: type, cards, the hero's cards, what they grant."""
        if rulings not in self._names:
            found = set(self.own_names)
            if self.hero:
                lent = set(self.hero.names)
                if "marksman" in lent:  # FT 42.2: only for his own Ranged Attack
                    lent = (lent - {"marksman"}) | {"hero_marksman"}
                found |= lent
            settings = rulings.settings()
            found |= {g.grants for g in grants() if g.trait in found and holds_for(settings, g.ruling)}
            found.add(f"counts_as_{self.troop_type.kind}")
            self._names[rulings] = frozenset(found)
        return self._names[rulings]

    @property
    def affinity(self) -> frozenset[str]:
        """Kinds of terrain that count as open to it (FT 58)."""
        return frozenset(c for pick in self.picks if pick.card.id == "terrain_affinity" for c in pick.choices)

    def has(self, card: str) -> bool:
        """Whether the stand itself has a card."""
        return any(pick.card.id == card for pick in self.picks)

    def move(self, rulings: TriumphRulings | None = None) -> int:
        """Tactical move in MU on good going, off its transports."""
        rulings = rulings or TriumphRulings()
        moves, base = card_moves(), self.troop_type.move
        # FT 33: Fast does nothing for flyers, so a hero's does not either.
        lent = self.hero.picks if self.hero and not self.has("flying") else ()
        changed = base
        for pick in (*self.picks, *lent):
            for variant in ("", *pick.choices):
                if pick.card.id in ("fast", "slow", "flying"):
                    changed = moves.get((pick.card.id, variant, base), changed)
        if self.has("spiked_carts"):
            fixed = moves["spiked_carts", "", None]
            change = changed - base if rulings.spiked_carts_move == "modified" else 0
            return fixed + change
        return changed

    def payable(self, rulings: TriumphRulings) -> Stand:
        """This stand with only those cards that have a price for it, to price what is not legal."""
        priced = tuple(p for p in self.picks if _has_price(p, "stand", self.own_names, rulings))
        return replace(self, picks=priced, _names={})

    def plus(self, *texts: str) -> Stand:
        """This stand with more cards, written as in notation."""
        return replace(self, picks=_sorted([*self.picks, *_picks(list(texts))]), _names={})

    def problems(self, rulings: TriumphRulings) -> list[str]:
        """Every rule it breaks by itself or with its hero."""
        broken = _repeats(self.picks)
        for pick in self.picks:
            if not pick.card.for_stands:
                broken.append(f"{pick.card.name} is not for stands (FT {pick.card.ft})")
            else:
                broken += pick.card.problems("stand", self.own_names, rulings)
        if self.hero:
            broken += self.hero.problems(rulings)
        return broken

    def __str__(self) -> str:
        parts = [self.troop_type.name, *(str(pick) for pick in self.picks)]
        if self.general:
            parts.append("general")
        text = " + ".join(parts)
        return f"{text} with {self.hero}" if self.hero else text


def _has_price(pick: Pick, buyer: str, names: frozenset[str], rulings: TriumphRulings) -> bool:
    try:
        pick.card.price(pick.choices, buyer, names, rulings)
    except InputError:
        return False
    return True


def _refuse(what: str, problems: Sequence[str]) -> None:
    if problems:
        raise IllegalError(what, problems)


def _repeats(picks: Sequence[Pick]) -> list[str]:
    ids = [pick.card.id for pick in picks]
    return [
        f"{pick.card.name} is taken more than once (FT {pick.card.ft})"
        for k, pick in enumerate(picks)
        if pick.card.id in ids[:k]
    ]


def _terms(text: str) -> list[str]:
    terms = [term.strip() for term in text.split("+")]
    if not all(terms):
        raise InputError(f"{text!r}: each + needs a name on both sides")
    return terms


def _picks(terms: Sequence[str]) -> tuple[Pick, ...]:
    return _sorted([_pick(term) for term in terms])


def _sorted(picks: Sequence[Pick]) -> tuple[Pick, ...]:
    order = list(cards())
    return tuple(sorted(picks, key=lambda pick: (order.index(pick.card.id), pick.choices)))


@lru_cache(maxsize=4096)
def _pick(term: str) -> Pick:
    name, _, options = term.partition(":")
    card = cards().find(name.strip())
    return Pick(card, card.choose([o.strip() for o in options.split(",") if o.strip()]))


def read_card(term: str) -> Pick:
    """A card with its options from notation, such as ``Fortified Camp: heavily``."""
    return _pick(term.strip())


def is_hero(text: str) -> bool:
    """Whether some notation means a hero rather than a stand."""
    return text.strip().casefold().split("+")[0].strip() == "hero"


def eligible(troop_type: TroopType, card: Card, choices: Sequence[str], rulings: TriumphRulings) -> bool:
    """Whether a plain stand of a type may take a card."""
    try:
        stand = Stand(troop_type, (Pick(card, tuple(choices)),))
        return not stand.problems(rulings)
    except FtsimError:
        return False
