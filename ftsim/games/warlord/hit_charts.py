"""Hit charts: where a character or monster is hit, what that does, and when wounds add up to death (G7)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ftsim.catalog import Source, read_table
from ftsim.errors import UnknownNameError
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.terrain import PACKAGE

WOUNDS = ("nick", "wound", "serious", "critical", "stunned", "blinded", "killed")
_COLUMNS = "chart,place,from,to,column,wound,percent,combat,move,air,also,source,basis"


@dataclass(frozen=True)
class Hit:
    """A cell of a hit chart.

    Parameters
    ----------
    place : str
        Where it is.
    low, high : int
        Faces of the D100.
    column : int
        Face of the D4.
    wound : str
        One of `WOUNDS`.
    percent, combat : int
        Change of combat and firing percentages, and of combat alone.
    move, air : Fraction
        Share of the move lost, on the ground and in the air.
    crashes, grounded : bool
        Whether a flier falls, and whether it flies no more.
    """

    place: str
    low: int
    high: int
    column: int
    wound: str
    percent: int
    combat: int
    move: Fraction
    air: Fraction
    crashes: bool
    grounded: bool
    source: Source

    @property
    def chance(self) -> Fraction:
        """Chance that a wound is this one."""
        return Fraction(self.high - self.low + 1, 400)


@lru_cache(maxsize=1)
def _charts() -> dict[str, tuple[Hit, ...]]:
    found: dict[str, list[Hit]] = {}
    for row in read_table(PACKAGE, "hit_charts.csv", _COLUMNS.split(",")):
        if row["wound"] not in WOUNDS:
            raise row.error("wound", ", ".join(WOUNDS))
        found.setdefault(row["chart"], []).append(
            Hit(
                place=row["place"],
                low=row.integer("from"),
                high=row.integer("to"),
                column=row.integer("column"),
                wound=row["wound"],
                percent=row.integer("percent"),
                combat=row.integer("combat"),
                move=Fraction(row["move"]),
                air=Fraction(row["air"]),
                crashes="crash" in row["also"].split(),
                grounded="grounded" in row["also"].split(),
                source=row.source,
            )
        )
    return {name: tuple(hits) for name, hits in found.items()}


def chart_names() -> tuple[str, ...]:
    """Names of the charts."""
    return tuple(_charts())


def chart(name: str) -> tuple[Hit, ...]:
    """The cells of a chart.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    if name not in _charts():
        raise UnknownNameError("hit chart", name, _charts())
    return _charts()[name]


def look_up(name: str, d100: int, d4: int) -> Hit:
    """The cell for both dice."""
    return next(hit for hit in chart(name) if hit.low <= d100 <= hit.high and hit.column == d4)


@dataclass(frozen=True)
class Wounds:
    """What a figure has taken so far.

    Parameters
    ----------
    critical, serious, ordinary : int
        Wounds that add up (capped where more make no difference).
    stunned, dead : bool
        Whether it is stunned now, and whether it is dead.
    percent, combat : int
        Sum of the changes of its percentages.
    moves : Fraction
        Share of its move that is left.
    """

    critical: int = 0
    serious: int = 0
    ordinary: int = 0
    stunned: bool = False
    dead: bool = False
    percent: int = 0
    combat: int = 0
    moves: Fraction = Fraction(1)
    blinded: bool = False

    @property
    def burden(self) -> Wounds:
        """The part that decides about death."""
        return Wounds(min(self.critical, 1), min(self.serious, 1), min(self.ordinary, 2), self.stunned, self.dead)

    def struck(self, hit: Hit, adds_up: bool, *, while_stunned: bool = False) -> Wounds:
        """The figure after another wound.

        Parameters
        ----------
        hit : Hit
            The wound.
        adds_up : bool
            Whether wounds accumulate on this chart.
        while_stunned : bool
            Whether being struck while stunned is death.
        """
        if self.dead:
            return self
        after = Wounds(
            self.critical + (hit.wound == "critical"),
            self.serious + (hit.wound == "serious"),
            self.ordinary + (hit.wound == "wound"),
            self.stunned or hit.wound == "stunned",
            hit.wound == "killed" or (while_stunned and self.stunned),
            self.percent + hit.percent,
            self.combat + hit.combat,
            self.moves * (1 - hit.move),
            self.blinded or hit.wound == "blinded",
        )
        if adds_up and after.too_many:
            return Wounds(dead=True)
        return after

    @property
    def too_many(self) -> bool:
        """Whether the wounds add up to death.

        A critical wound with any other critical, serious or ordinary one kills; a serious one
        with another serious or two ordinary ones. Nicks, blinding and stuns do not count.
        """
        if self.critical:
            return self.critical + self.serious + self.ordinary > 1
        return self.serious > 1 or (self.serious == 1 and self.ordinary > 1)


def after_wounds(
    name: str, start: dict[Wounds, Fraction], count: int, rulings: WarlordRulings, *, together: bool = True
) -> dict[Wounds, Fraction]:
    """Exact chances of what a figure has taken after `count` further wounds.

    Parameters
    ----------
    name : str
        Its chart.
    start : mapping of Wounds to Fraction
        What it had before.
    count : int
        Further wounds.
    together : bool
        Whether they come at once, as from a fire; the ruling ``two_wounds_stun`` says if a stun by
        one then makes the next deadly. Wounds by attacks always do.
    """
    adds_up = rulings.accumulation_for == "all" or name == "humanoid"
    deadly = rulings.two_wounds_stun if together else True
    now = start
    for _ in range(count):
        after: dict[Wounds, Fraction] = {}
        for wounds, chance in now.items():
            for hit in chart(name):
                struck = wounds.struck(hit, adds_up, while_stunned=deadly).burden
                after[struck] = after.get(struck, Fraction(0)) + chance * hit.chance
        now = after
    return now


def killed(name: str, count: int, rulings: WarlordRulings) -> Fraction:
    """Exact chance that `count` wounds at once kill a fresh figure."""
    after = after_wounds(name, {Wounds(): Fraction(1)}, count, rulings)
    return sum((chance for wounds, chance in after.items() if wounds.dead), Fraction(0))


def fire_survival(name: str, turns: int, rulings: WarlordRulings, kill: Fraction) -> list[Fraction]:
    """Exact chance to be alive after each of some turns in a burning building (F53).

    Each turn the figure fails its roll with chance `kill` and then takes two wounds; a stun
    passes before the next turn.
    """
    now = {Wounds(): Fraction(1)}
    alive = []
    for _ in range(turns):
        burnt = after_wounds(name, now, 2, rulings)
        after: dict[Wounds, Fraction] = {}
        for state, share in ((now, 1 - kill), (burnt, kill)):
            for wounds, chance in state.items():
                rested = Wounds(wounds.critical, wounds.serious, wounds.ordinary, False, wounds.dead)
                after[rested] = after.get(rested, Fraction(0)) + share * chance
        now = after
        alive.append(sum((chance for wounds, chance in now.items() if not wounds.dead), Fraction(0)))
    return alive
