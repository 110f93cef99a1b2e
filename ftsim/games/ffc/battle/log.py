"""A battle told event by event."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ftsim._typing import IntArray
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.cards import fight_cards, spells, warriors, weapons

SIDES = "AB"
ENDINGS = ("side A has won", "side B has won", "a draw", "the battle is unresolved")
PARTS = ("", "weapon", "shield", "helm")


def tell(s: IntArray) -> list[str]:
    """The events of the battle just played with a table that has room for them."""
    names = _names(s)
    lines = []
    for k in range(int(s[at.GAME, at.EVENTS])):
        row = s[at.LOG + k]
        event = tuple(int(row[c]) for c in (at.E_WHAT, at.E_WHO, at.E_WHOM, at.E_N))
        text = _text(event, names, s)
        if text:
            lines.append(text)
    if s[at.GAME, at.EVENTS] == s[at.GAME, at.ROOM]:
        lines.append("(the log is full; later events are not told)")
    return lines


def rosters(s: IntArray) -> list[str]:
    """Who stands on each side after set-up, with kit and spells."""
    men, arms = list(warriors().values()), list(weapons().values())
    magic = [spell.name for spell in spells().values()]
    lines = []
    for side in range(2):
        lines.append(f"side {SIDES[side]}")
        for i in range(at.MAX_WARRIORS):
            if s[i, at.OWNER] != side:
                continue
            kit = [arms[int(s[at.WEAPON + s[i, at.ARM0 + k], at.W_CARD])].name for k in range(int(s[i, at.ARMS]))]
            kit += [name for a, name in _worn(s) if a == i]
            held = [magic[k] for k in range(at.SPELL_KINDS) if s[i, at.HELD] >> k & 1]
            spell_text = f" (spells: {', '.join(held)})" if held else ""
            lines.append("  " + " + ".join([men[int(s[i, at.CARD])].name, *kit]) + spell_text)
    return lines


def _worn(s: IntArray) -> list[tuple[int, str]]:
    from ftsim.games.ffc.cards import armor

    pieces = list(armor().values())
    return [
        (int(s[at.ARMOR + a, at.A_AT]), pieces[int(s[at.ARMOR + a, at.A_CARD])].name)
        for a in range(int(s[at.GAME, at.ARMORS]))
    ]


def _names(s: IntArray) -> list[str]:
    men = [man.name for man in warriors().values()]
    cards = [int(s[i, at.CARD]) for i in range(at.MAX_WARRIORS)]
    owners = [int(s[i, at.OWNER]) for i in range(at.MAX_WARRIORS)]
    told = s[at.LOG : at.LOG + int(s[at.GAME, at.EVENTS])]
    for before, event in pairwise(told):
        # Who rose for the enemy is named after the side that he began on.
        if before[at.E_WHAT] == at.EV_RAISED and event[at.E_WHAT] == at.EV_MOVED_OVER:
            owners[int(event[at.E_WHO])] ^= 1
    found = []
    for i in range(at.MAX_WARRIORS):
        alike = [j for j in range(at.MAX_WARRIORS) if cards[j] == cards[i] and owners[j] == owners[i]]
        number = f" {alike.index(i) + 1}" if len(alike) > 1 else ""
        side = SIDES[owners[i]] if owners[i] < 2 else "-"
        found.append(f"{side}'s {men[cards[i]]}{number}")
    return [*found, "A", "B"]


def _text(event: Sequence[int], names: Sequence[str], s: Any) -> str:
    what, who, whom, n = event
    one = names[who] if 0 <= who < len(names) else ""
    other = names[whom] if 0 <= whom < len(names) else ""
    if what == at.EV_TURN_BEGINS:
        return f"turn {n}: {one} goes first"
    if what == at.EV_PLAYED:
        return f"  {one} plays {_card(n)}"
    if what == at.EV_SPELL_CAST:
        return f"  {one} casts {_card(20 + n)}"
    if what == at.EV_CANCELLED:
        return f"  {one}'s {_card(n)} is cancelled"
    if what == at.EV_DISABLED:
        return f"  {other}: {_card(n)} on {one}"
    if what == at.EV_BROKEN:
        return f"  {other} destroys the {PARTS[n]} of {one}"
    if what == at.EV_OUT_OF_AMMO:
        return f"  {one} has thrown the last of {list(weapons().values())[int(s[at.WEAPON + n, at.W_CARD])].name}"
    if what == at.EV_ENDED:
        return ENDINGS[n]
    return {
        at.EV_FIRED: f"  {one} fires at {other}",
        at.EV_STRUCK: f"  {one} strikes at {other}",
        at.EV_MISSED: f"    {n}: a miss",
        at.EV_STOPPED: f"    {one} is not harmed" + (f" (block {n})" if n else ""),
        at.EV_LOST_HITS: f"    {one} loses {n}",
        at.EV_KILLED: f"    {one} is dead",
        at.EV_HESITATED: f"  {one} hesitates ({n})",
        at.EV_STAB_FAILED: f"  {one} finds no way to the back row ({n})",
        at.EV_PAIRED_WITH: f"  {one} picks {other}",
        at.EV_DOUBLED: f"  {one} doubles up on {other}",
        at.EV_RAISED: f"  {one} returns with {n}",
        at.EV_HEALED: f"    {one} regains {n}",
        at.EV_POISONED: f"  poison on {one}",
        at.EV_MOVED_OVER: f"  {one} now fights for {other}",
    }.get(what, "")


def _card(n: int) -> str:
    return list(spells().values())[n - 20].name if n >= 20 else list(fight_cards().values())[n].name
