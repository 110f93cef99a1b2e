"""A slow scalar twin of the Fantasy Triumph combat rules.

Written from the rules document alone, never from the engine, so that the two
can be compared face by face.  One pair of dice at a time, plain `if` code in
the order of the rules.  Rule numbers: bare ones are core Triumph!, "FT n" are
Fantasy Triumph, "h-n" / "HA-n" the document's resolutions and assumptions.
"""

import csv
import os

# key -> (default, alternatives).  For plain numbers any whole number is taken.
RULINGS = {
    "core_version": ("1.1", ("1.1", "1.2")),
    "behemoth_shatter": ("skirmishers_light_foot", ("skirmishers_light_foot", "skirmishers", "none")),
    "evade_and_panic": ("pattern", ("pattern", "none", "always")),
    "mounted_in_difficult": ("knights", ("knights", "all", "none")),
    "rear_support": (1, (1, 0, 2)),
    "spellblast_factor": (4, (4, 3, 5)),
    "spellblast_defence": ("shot_at", ("shot_at", "cost")),
    "spellblast_penalties": (True, (True, False)),
    "spellblast_limited": ("resolves", ("resolves", "fizzles")),
    "spellblast_exceptions": (False, (False, True)),
    "post_roll": ("simultaneous", ("simultaneous", "loser_first")),
    "prowess_in_ranged": (False, (False, True)),
    "general_protects_vs_mindblast": (False, (False, True)),
    "overlap": (-1, (-1, 0, -2)),
    "uphill": (1, (1, 0, 2)),
    "rear": (-1, (-1, -2)),
    "flyer_shot_beaten": ("no_effect", ("no_effect", "falls_back")),
    "camp_beaten": ("sacked", ("sacked", "doubled_only")),
    "affinity_open": ("literal", ("literal", "helpful")),
    "mindless_stops_magic": (False, (False, True)),
    "craven_stops_78_1": (False, (False, True)),
    "mindblast_brittle": ("doubled", ("doubled", "beaten")),
    "terror_stops_evade": (True, (True, False)),
    "terror_over_76_5": (False, (False, True)),
    "supporting_shooters_stack": (False, (False, True)),
    "armored_stacks_with_general": (False, (False, True)),
    "spiked_carts_armored_rear": (True, (True, False)),
    "zone_covers_itself": (True, (True, False)),
    "transports_vs_mindblast": (False, (False, True)),
    "total_floor": (-99, (-99, 1)),
    "retreat_with_enemy_on_flank": ("all", ("all", "fall_back")),
    "bow_shatter": ("any", ("any", "open")),
    "camp_counts_as": ("foot", ("foot", "mounted")),
    "flyer_v_camp": (-1, (-1, 0)),
    "flyer_shot_at": (-1, (-1, 0)),
    "oasis_hinders_flyers": (False, (False, True)),
}
DEFAULT_RULINGS = {key: value[0] for key, value in RULINGS.items()}

# Readings of the document for which there is no ruling (see the hand-over).
FLYER_AND_REAR_ADD_UP = False  # a flyer counts as shot from behind: once
SHATTER_BEATS_FLYER_NO_EFFECT = True  # flying WWG beaten by ART shooting

CARDS = frozenset(
    """
    armored brittle craven deadly fierce flying hearten hold_the_line marksman
    massive negate_magic_self negate_magic_zone negate_magic_mindless prowess
    spellblast_limited spiked_carts supporting_shooters terror weaken
    transports_ground transports_flying fortified heavily_fortified""".split()
)
GOOD_GOING = ("open", "gentle_hills", "ploughed_fields")
DIFFICULT = ("woods", "wooded_hills", "steep_hills", "rough", "marsh", "dunes", "oasis", "village")
RETREATS = ("falls_back", "evades", "panics")


def _read_types():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "transcription", "troop_types.csv")
    numbers = ("cost", "move", "cf_vs_foot", "cf_vs_mounted", "shooting", "shot_at", "range", "base_depth_mm")
    types = {}
    with open(path, newline="") as handle:
        for row in csv.DictReader(handle):
            for name in numbers:
                row[name] = int(row[name] or 0)
            types[row["id"]] = row
    return types


TYPES = _read_types()


def side(
    type_id,
    cards=(),
    terrain="open",
    affinity=(),
    uphill=False,
    attacked="front",
    overlaps=0,
    supported=False,
    blocked=False,
    in_zone=False,
    general=False,
):
    """Convenience: a side dict with everything at its quiet value."""
    return dict(
        type=type_id,
        cards=set(cards),
        terrain=terrain,
        affinity=set(affinity),
        uphill=uphill,
        attacked=attacked,
        overlaps=overlaps,
        supported=supported,
        blocked=blocked,
        in_zone=in_zone,
        general=general,
    )


# ---------------------------------------------------------------- checking


def _rulings(given):
    out = dict(DEFAULT_RULINGS)
    for key, value in (given or {}).items():
        if key not in RULINGS:
            raise ValueError("unknown ruling %r" % (key,))
        default, allowed = RULINGS[key]
        if isinstance(default, (str, bool)) and value not in allowed:
            raise ValueError("ruling %s cannot be %r" % (key, value))
        out[key] = value
    return out


def _check_side(s):
    if s["type"] != "camp" and s["type"] not in TYPES:
        raise ValueError("unknown type %r" % (s["type"],))
    if not CARDS.issuperset(s["cards"]):
        raise ValueError("unknown card in %r" % (s["cards"],))
    if s["terrain"] not in GOOD_GOING and s["terrain"] not in DIFFICULT:
        raise ValueError("unknown terrain %r" % (s["terrain"],))
    if s["attacked"] not in ("front", "flank", "rear"):
        raise ValueError("attacked where? %r" % (s["attacked"],))


# ------------------------------------------------------------ what a side is


def _is_camp(s):
    return s["type"] == "camp"


def _kind(s):
    """'foot' or 'mounted'; a camp is neither."""
    if _is_camp(s):
        return "camp"
    return TYPES[s["type"]]["kind"]


def _order(s):
    """'open' or 'close' as the type has it, on transports too; camp none."""
    if _is_camp(s):
        return ""
    return TYPES[s["type"]]["order"]


def _code(s):
    if _is_camp(s):
        return "CAMP"
    return TYPES[s["type"]]["code"]


def _on_transports(s):
    return "transports_ground" in s["cards"] or "transports_flying" in s["cards"]


def _flies(s):
    """Really Flying: riding on flying transports is not."""
    if "transports_flying" in s["cards"]:
        return False
    return "flying" in s["cards"]


def _ground_bad_for(s, r, use_affinity=True):
    """Is the ground this side stands on difficult *for it*?"""
    kind = s["terrain"]
    if kind not in DIFFICULT:
        return False
    # Flyers are bothered only by what is tall: woods, village, wooded hills
    # (oasis if so ruled).
    if _flies(s):
        tall = ["woods", "village", "wooded_hills"]
        if r["oasis_hinders_flyers"]:
            tall.append("oasis")
        if kind not in tall:
            return False
    # FT 58: home terrain of a stand with Terrain Affinity is as good as open.
    if use_affinity and kind in s["affinity"]:
        return False
    return True


def _immune_to_terror_and_mindblast(s, r):
    # FT 46: any sort of Negate Magic guards against these two.
    if "negate_magic_self" in s["cards"]:
        return True
    if "negate_magic_mindless" in s["cards"]:
        return True
    # h-25: a Zone covers its bearer as well, unless ruled otherwise.
    if "negate_magic_zone" in s["cards"] and r["zone_covers_itself"]:
        return True
    # A friend's Zone closer than 2 MU.
    return bool(s["in_zone"])


def _immune_to_magical_shot(s, r):
    # FT 46: Self and Zone stop magical Ranged Attacks and Spellblasts.
    if "negate_magic_self" in s["cards"]:
        return True
    if "negate_magic_zone" in s["cards"] and r["zone_covers_itself"]:
        return True
    if s["in_zone"]:
        return True
    # FT 46.3 / h-3: Mindless does not help here, unless so ruled.
    if "negate_magic_mindless" in s["cards"] and r["mindless_stops_magic"]:
        return True
    return False


# ------------------------------------------------------ comparing the totals


def _floored(total, r):
    # h-30: no floor by default (-99).
    return max(total, r["total_floor"])


def _compare(total_a, total_b):
    if total_a == total_b:
        return "tie"
    # Twice the loser's total or more is doubling (8 to 4 counts).  With a
    # loser at zero or below every win is one (h-30).
    if total_a > total_b:
        return "b_doubled" if total_a >= 2 * total_b else "b_beaten"
    return "a_doubled" if total_b >= 2 * total_a else "a_beaten"


def _winner_bonus(s):
    # FT 50 Prowess: +1 for the winner; FT 31: not together with Deadly.
    if "prowess" in s["cards"] and "deadly" not in s["cards"]:
        return 1
    return 0


def _loser_bonus(s):
    bonus = 0
    # FT 37 Hearten: +1 for the loser; FT 31: not together with Deadly.
    if "hearten" in s["cards"] and "deadly" not in s["cards"]:
        bonus += 1
    # FT 62 Weaken: -1 for the loser; Deadly does not change this.
    if "weaken" in s["cards"]:
        bonus -= 1
    return bonus


def _after_roll(total_a, total_b, a, b, r):
    """Prowess, Hearten and Weaken of a close combat; the final totals."""
    # A raw tie has neither winner nor loser.
    if total_a == total_b:
        return total_a, total_b
    if total_a > total_b:
        winner, loser, high, low = a, b, total_a, total_b
    else:
        winner, loser, high, low = b, a, total_b, total_a
    if r["post_roll"] == "simultaneous":
        # HA-8: all of them once, by the raw comparison.
        high += _winner_bonus(winner)
        low += _loser_bonus(loser)
    else:
        # loser first; then Prowess for a side that is still ahead.
        low += _loser_bonus(loser)
        if _floored(high, r) > _floored(low, r):
            high += _winner_bonus(winner)
    high = _floored(high, r)
    low = _floored(low, r)
    if total_a > total_b:
        return high, low
    return low, high


# ----------------------------------------------- 76.2 to 76.5, the exceptions


def _open_for_shatter(loser, winner, r):
    """Does the loser count as standing in the open (76.2, 58.1.d)?"""
    # FT 58.1.d: Knights and Chariots treat their own affinity terrain as open
    # for whoever loses to them in it.
    if _code(winner) in ("KNT", "CHT") and loser["terrain"] in winner["affinity"]:
        return True
    # HA-15: the loser's own affinity makes its terrain open (literal), or is
    # left out because that would not help it (helpful).
    use_affinity = r["affinity_open"] == "literal"
    return not _ground_bad_for(loser, r, use_affinity)


def _shattered_close(loser, winner, r):
    """76.2 in close combat, Brittle (FT 27) not included."""
    low, win = _code(loser), _code(winner)
    mounted_shock = win in ("KNT", "CHT")
    # Foot without close ranks, and Warriors: by Knights, Chariots in the open.
    if low in ("LFT", "LSP", "RBL", "RDR", "WBD", "WRR"):
        if mounted_shock and _open_for_shatter(loser, winner, r):
            return True
    # Other close order foot: likewise, or by Warriors, Warband anywhere.
    if low in ("EFT", "HFT", "HRD", "PAV", "PIK", "SPR"):
        if mounted_shock and _open_for_shatter(loser, winner, r):
            return True
        if win in ("WRR", "WBD"):
            return True
    # Bowmen: by anything mounted, everywhere or in the open by ruling.
    if low in ("ARC", "BLV"):
        if _kind(winner) == "mounted":
            if r["bow_shatter"] == "any":
                return True
            if _open_for_shatter(loser, winner, r):
                return True
    # War Wagons: by Behemoths.
    if low == "WWG" and win == "ELE":
        return True
    # Behemoths: HA-2.
    if low == "ELE":
        if r["behemoth_shatter"] == "skirmishers_light_foot":
            if win in ("SKM", "LFT"):
                return True
        if r["behemoth_shatter"] == "skirmishers":
            if win == "SKM":
                return True
    # Knights and Cataphracts: by Behemoths.
    if low in ("KNT", "CAT") and win == "ELE":
        return True
    # Artillery in contact: by anyone, a camp too.
    if low == "ART":
        return True
    # FT 55: Spiked Carts by Behemoths.
    if "spiked_carts" in loser["cards"] and win == "ELE":
        return True
    return False


def _shattered_by_shooting(target, shooter, r):
    """76.2 when shot at: only Artillery shatters."""
    if _code(shooter) != "ART":
        return False
    if _code(target) == "WWG":
        return True
    # HA-2: Behemoths only under the default ruling.
    if _code(target) == "ELE":
        return r["behemoth_shatter"] == "skirmishers_light_foot"
    return False


def _lost_in_difficult(loser, r):
    """76.5: mounted beaten in terrain difficult for them (58.1.c: not home)."""
    if r["mounted_in_difficult"] == "none":
        return False
    if not _ground_bad_for(loser, r):
        return False
    # HA-4: Knights, or everything mounted.
    if r["mounted_in_difficult"] == "knights":
        return _code(loser) == "KNT"
    return _kind(loser) == "mounted"


def _evades(loser, winner, r):
    """76.3 (HA-3): does a doubled stand evade instead of dying?"""
    low, win = _code(loser), _code(winner)
    if r["evade_and_panic"] == "none":
        return False
    if r["evade_and_panic"] == "always":
        return low in ("SKM", "HBW", "JCV")
    # 58.1.e: here the ground counts as it physically is.
    in_difficult = loser["terrain"] in DIFFICULT
    if low == "SKM":
        # from close order foot, Warband, Raiders, Behemoths anywhere
        if _kind(winner) == "foot" and _order(winner) == "close":
            return True
        if win in ("WBD", "RDR", "ELE"):
            return True
        # from other mounted only out of difficult terrain
        if _kind(winner) == "mounted" and in_difficult:
            return True
    if low in ("HBW", "JCV"):
        # from foot that neither shoots nor skirmishes, in the open
        if _kind(winner) == "foot" and win not in ("ARC", "BLV", "SKM"):
            return not in_difficult
    return False


def _panics(loser, winner, r):
    """76.4 (HA-3): does a doubled stand panic instead of dying?"""
    if _code(loser) != "RBL" or r["evade_and_panic"] == "none":
        return False
    if r["evade_and_panic"] == "always":
        return True
    # before mounted, in (physically, 58.1.f) difficult terrain
    if _kind(winner) == "mounted" and loser["terrain"] in DIFFICULT:
        return True
    # before close order foot, Warband and Raiders anywhere
    if _kind(winner) == "foot" and _order(winner) == "close":
        return True
    return _code(winner) in ("WBD", "RDR")


def _blocked_outcome(s, fate):
    """What becomes of a retreat with no room behind (rule 80; 83.1 and 84.1 begin with a fall back)."""
    if fate not in ("falls_back", "evades", "panics") or not s["blocked"]:
        return fate
    # h-20: Massive stands are not stopped by others.
    if "massive" in s["cards"]:
        return fate
    # FT 10.5: an open order flyer goes Away instead (45.6: not when the wings
    # are only its transports').
    if _flies(s) and _order(s) == "open":
        return "goes_away"
    return "destroyed"


# -------------------------------------------------------------- close combat


def _close_total(s, enemy, die, r):
    camp_enemy = _is_camp(enemy)
    enemy_mounted = _kind(enemy) == "mounted"
    # Which of the two factors: by the enemy's kind; a camp by ruling.
    use_mounted = enemy_mounted
    if camp_enemy:
        use_mounted = r["camp_counts_as"] == "mounted"

    if _is_camp(s):
        # 72.1: a camp has 2 against all; FT 36: +2, heavily +4.
        total = die + 2
        if "heavily_fortified" in s["cards"]:
            total += 4
        elif "fortified" in s["cards"]:
            total += 2
    elif use_mounted:
        factor = TYPES[s["type"]]["cf_vs_mounted"]
        # Core v1.2: Pavise are one worse against mounted.
        if s["type"] == "pavise" and r["core_version"] == "1.2":
            factor = 3
        total = die + factor
    else:
        total = die + TYPES[s["type"]]["cf_vs_foot"]

    # The general's own stand.
    if s["general"]:
        total += 1
    # Attacked on the flank (always -1) or from behind (HA-12).
    if s["attacked"] == "flank":
        total -= 1
    if s["attacked"] == "rear":
        total += r["rear"]
    # Every overlapping enemy (HA-12).
    total += r["overlap"] * s["overlaps"]

    # Own ground difficult: mounted -1; close order foot -2, against foot only;
    # open order foot nothing; a camp nothing.
    if not _is_camp(s) and _ground_bad_for(s, r):
        if _kind(s) == "mounted":
            total -= 1
        if _kind(s) == "foot" and _order(s) == "close":
            against_foot = _kind(enemy) == "foot"
            if camp_enemy:
                against_foot = r["camp_counts_as"] == "foot"
            if against_foot:
                total -= 2

    # Standing higher (HA-12).
    if s["uphill"]:
        total += r["uphill"]
    # Rear support (HA-5): five types, only on ground good for them.
    if s["supported"] and _code(s) in ("PIK", "WBD", "WRR", "SPR", "LSP"):
        if not _ground_bad_for(s, r):
            total += r["rear_support"]
    # A flyer assaulting a camp.
    if camp_enemy and _flies(s):
        total += r["flyer_v_camp"]
    # FT 45.6: still on the transports.
    if _on_transports(s):
        total -= 1
    # FT 31: Deadly.
    if "deadly" in s["cards"]:
        total += 1
    # FT 57: Supporting Shooters, only to the front, against four sorts of
    # enemy; once however many apply (h-19), or for each by ruling.
    if "supporting_shooters" in s["cards"] and s["attacked"] == "front":
        met = 0
        if _code(enemy) in ("WBD", "WRR"):
            met += 1
        if "fierce" in enemy["cards"]:
            met += 1
        if _flies(enemy):
            met += 1
        if enemy_mounted:
            met += 1
        if r["supporting_shooters_stack"]:
            total += met
        elif met:
            total += 1
    # FT 55: Spiked Carts against mounted to the front.
    if "spiked_carts" in s["cards"] and s["attacked"] == "front":
        if enemy_mounted:
            total += 2
    return _floored(total, r)


def _close_fate(loser, winner, doubled, r):
    """Section (e): the first row that fits decides."""
    # HA-14: a camp is sacked when it loses (or only when doubled).
    if _is_camp(loser):
        if doubled or r["camp_beaten"] == "sacked":
            return "destroyed"
        return "stands"

    # FT 59: Terror of the primary enemy, unless the loser is immune.
    terror = "terror" in winner["cards"] and not _is_camp(winner)
    if terror and _immune_to_terror_and_mindblast(loser, r):
        terror = False

    # Row 1: FT 27, Brittle does not survive losing a close combat.
    if "brittle" in loser["cards"]:
        return "destroyed"
    # 76.2 Shattered.
    if _shattered_close(loser, winner, r):
        return "destroyed"

    if not doubled:
        # 76.5; by the other reading of h-18 Terror comes before it.
        if _lost_in_difficult(loser, r):
            if not (terror and r["terror_over_76_5"]):
                return "destroyed"
        if terror:
            fate = "panics"
        else:
            fate = "falls_back"
    else:
        # 76.5
        if _lost_in_difficult(loser, r):
            return "destroyed"
        # h-17: Terror leaves no evading or panicking when doubled.
        if terror and r["terror_stops_evade"]:
            return "destroyed"
        # 76.3, then 76.4, else lost.
        if _evades(loser, winner, r):
            fate = "evades"
        elif _panics(loser, winner, r):
            fate = "panics"
        else:
            return "destroyed"

    # 80.2.a: nowhere to go with the enemy on flank or rear.
    if loser["attacked"] in ("flank", "rear"):
        if r["retreat_with_enemy_on_flank"] == "all" and fate in RETREATS:
            return "destroyed"
        if fate == "falls_back":
            return "destroyed"
    return _blocked_outcome(loser, fate)


def _pursues(winner, doubled, r):
    # A camp goes nowhere.
    if _is_camp(winner):
        return False
    # Artillery and War Wagons never pursue.
    if _code(winner) in ("ART", "WWG"):
        return False
    # FT 38: Hold the Line cancels this pursuit.
    if "hold_the_line" in winner["cards"]:
        return False
    craven = "craven" in winner["cards"]
    # 78.1: five types always do; h-15: Craven does not stop that, by default.
    if _code(winner) in ("KNT", "ELE", "WRR", "WBD", "PIK"):
        if not (craven and r["craven_stops_78_1"]):
            return True
    # FT 34: Fierce always does.
    if "fierce" in winner["cards"]:
        return True
    # FT 30: Craven does not pursue on doubling.
    if craven:
        return False
    # 78.2: whoever doubles its enemy.
    return doubled


def close_combat(a, b, die_a, die_b, rulings):
    r = _rulings(rulings)
    _check_side(a)
    _check_side(b)
    if _is_camp(a) and _is_camp(b):
        raise ValueError("two camps do not fight")
    # Step 1 totals, step 2 the cards played on the raw result, step 3 outcome.
    raw_a = _close_total(a, b, die_a, r)
    raw_b = _close_total(b, a, die_b, r)
    total_a, total_b = _after_roll(raw_a, raw_b, a, b, r)
    result = _compare(total_a, total_b)
    out = {"result": result, "fate_a": "stands", "fate_b": "stands", "pursues_a": False, "pursues_b": False}
    if result == "tie":
        return out
    doubled = result.endswith("doubled")
    if result.startswith("b_"):
        out["fate_b"] = _close_fate(b, a, doubled, r)
        out["pursues_a"] = _pursues(a, doubled, r)
    else:
        out["fate_a"] = _close_fate(a, b, doubled, r)
        out["pursues_b"] = _pursues(b, doubled, r)
    return out


# ------------------------------------------------------- attacks at a distance


def _armored(target, r):
    # FT 25
    if "armored" in target["cards"]:
        return True
    # FT 55: Spiked Carts are; h-22: behind too, unless ruled otherwise.
    if "spiked_carts" in target["cards"]:
        if not r["spiked_carts_armored_rear"] and target["attacked"] == "rear":
            return False
        return True
    return False


def _attacker_penalty(kind, physical, target, r):
    """General's stand, Armored, v1.2 War Wagons: 0, -1 (or -2 by ruling)."""
    if kind == "mindblast":
        # HA-9: only the general, only by ruling; FT 25: Armored does not help.
        if target["general"] and r["general_protects_vs_mindblast"]:
            return -1
        return 0
    general = bool(target["general"])
    # HA-7: may be left out for a Spellblast.
    if kind == "spellblast" and not r["spellblast_penalties"]:
        general = False
    armored = physical and _armored(target, r)
    wagon = r["core_version"] == "1.2" and _code(target) == "WWG"
    # h-21: one and the same factor, or Armored on top of the general's.
    if r["armored_stacks_with_general"] and general and armored:
        return -2
    if general or armored or wagon:
        return -1
    return 0


def _target_penalty(kind, target, r):
    """Flying, shot from the rear, on transports."""
    if kind == "mindblast":
        # FT 44.1.c fixes the defence; h-29 by ruling lets transports count.
        if _on_transports(target) and r["transports_vs_mindblast"]:
            return -1
        return 0
    penalty = 0
    # FT 45.6: on transports.
    if _on_transports(target):
        penalty -= 1
    # HA-7: the next two may be left out for a Spellblast.
    if kind == "spellblast" and not r["spellblast_penalties"]:
        return penalty
    # From behind.
    rear = -1 if target["attacked"] == "rear" else 0
    # FT 10.3: flyers, and those on flying transports.
    air = 0
    if _flies(target) or "transports_flying" in target["cards"]:
        air = r["flyer_shot_at"]
    if FLYER_AND_REAR_ADD_UP:
        return penalty + rear + air
    return penalty + min(rear, air)


def _shot_at(target, r):
    # Core v1.2: War Wagons defend with 3 (and hamper the shooter).
    if target["type"] == "war_wagons" and r["core_version"] == "1.2":
        return 3
    return TYPES[target["type"]]["shot_at"]


def _attack_fate(kind, shooter, target, result, r):
    """What happens to a target that is neither immune nor safe."""
    if result not in ("b_beaten", "b_doubled"):
        return "stands"
    doubled = result == "b_doubled"

    if kind == "mindblast":
        # FT 44.1.j and h-16: panic instead of death; Brittle dies.
        if "brittle" in target["cards"]:
            if doubled or r["mindblast_brittle"] == "beaten":
                return "destroyed"
        if doubled:
            return _blocked_outcome(target, "panics")
        return _blocked_outcome(target, "falls_back")

    # 76.2 counts for normal shooting only (FT 51: never for a Ranged Attack;
    # a Spellblast at most counts as shooting by something not Artillery, and
    # nothing else shatters by shooting).
    shattered = kind == "shooting" and _shattered_by_shooting(target, shooter, r)
    # 76.3-76.4: normal shooting; Spellblast by ruling; Ranged Attack never.
    exceptions = kind == "shooting"
    if kind == "spellblast" and r["spellblast_exceptions"]:
        exceptions = True

    if doubled:
        if shattered:
            return "destroyed"
        if exceptions and _evades(target, shooter, r):
            return _blocked_outcome(target, "evades")
        if exceptions and _panics(target, shooter, r):
            return _blocked_outcome(target, "panics")
        return "destroyed"

    if shattered and SHATTER_BEATS_FLYER_NO_EFFECT:
        return "destroyed"
    # HA-13: a flyer that is merely beaten does not have to go back.
    if _flies(target) and r["flyer_shot_beaten"] == "no_effect":
        return "stands"
    if shattered:
        return "destroyed"
    return _blocked_outcome(target, "falls_back")


def attack(kind, nature, shooter, target, die_shooter, die_target, rulings):
    r = _rulings(rulings)
    _check_side(shooter)
    _check_side(target)
    if kind not in ("shooting", "ranged_attack", "mindblast", "spellblast"):
        raise ValueError("unknown kind of attack %r" % (kind,))
    if nature not in ("physical", "magical"):
        raise ValueError("unknown nature of attack %r" % (nature,))
    # 62.6: no shooting at camps; and camps do not attack.
    if _is_camp(target) or _is_camp(shooter):
        raise ValueError("camps neither shoot nor are shot at")
    # Bow and gun are never magical; a Mindblast is never warded by armour.
    physical = nature == "physical"
    if kind == "shooting":
        physical = True
    if kind == "mindblast":
        physical = False

    # The attacker's factor, and what the target defends with.
    if kind == "shooting":
        attack_factor = TYPES[shooter["type"]]["shooting"]
        if attack_factor == 0:
            raise ValueError("%s cannot shoot" % shooter["type"])
        defence = _shot_at(target, r)
    elif kind == "ranged_attack":
        attack_factor = 2
        defence = _shot_at(target, r)
    elif kind == "mindblast":
        # FT 44: 4 against the plain cost of the type.
        attack_factor = 4
        defence = TYPES[target["type"]]["cost"]
    else:
        # HA-7
        attack_factor = r["spellblast_factor"]
        if r["spellblast_defence"] == "shot_at":
            defence = _shot_at(target, r)
        else:
            defence = TYPES[target["type"]]["cost"]

    # FT 42: Marksman helps shooting and Ranged Attack.
    if kind in ("shooting", "ranged_attack") and "marksman" in shooter["cards"]:
        attack_factor += 1
    attack_factor += _attacker_penalty(kind, physical, target, r)
    defence += _target_penalty(kind, target, r)

    total_a = _floored(die_shooter + attack_factor, r)
    total_b = _floored(die_target + defence, r)
    # HA-8: Prowess at a distance only by ruling; whoever is ahead gets it.
    # Hearten and Weaken are for close combat only.
    if r["prowess_in_ranged"] and kind in ("shooting", "ranged_attack"):
        if total_a > total_b:
            total_a += _winner_bonus(shooter)
        elif total_b > total_a:
            total_b += _winner_bonus(target)
    result = _compare(total_a, total_b)

    fate = _attack_fate(kind, shooter, target, result, r)
    # FT 46: Negate Magic makes the whole attack void for its target.
    if kind == "mindblast":
        if _immune_to_terror_and_mindblast(target, r):
            fate = "stands"
    elif not physical and _immune_to_magical_shot(target, r):
        fate = "stands"

    # FT 54.2: a limited Spellblast is used up by a natural 1, after taking
    # effect or without it.
    expended = kind == "spellblast" and die_shooter == 1 and "spellblast_limited" in shooter["cards"]
    if expended and r["spellblast_limited"] == "fizzles":
        fate = "stands"
    return {"result": result, "fate_b": fate, "expended": expended}


# ----------------------------------------------------------------------- duel


def duel(modifier_a, modifier_b, die_a, die_b):
    # HA-10: die plus modifier, the higher wins.
    if modifier_a + die_a > modifier_b + die_b:
        return "a"
    if modifier_a + die_a < modifier_b + die_b:
        return "b"
    return "tie"


# ----------------------------------------------------------------- self-check

if __name__ == "__main__":
    ORDER = ("a_doubled", "a_beaten", "tie", "b_beaten", "b_doubled")

    def counts(function, key="result"):
        seen = {}
        for x in range(1, 7):
            for y in range(1, 7):
                value = function(x, y)[key]
                seen[value] = seen.get(value, 0) + 1
        return seen

    def check(label, a, b, expected):
        seen = counts(lambda x, y: close_combat(a, b, x, y, {}))
        got = tuple(seen.get(name, 0) for name in ORDER)
        fates = counts(lambda x, y: close_combat(a, b, x, y, {}), "fate_b")
        print("%-44s %-16s fate_b %s" % (label, "/".join(map(str, got)), fates))
        assert got == expected, (label, got, expected)

    lft, wbd, skm = side("light_foot"), side("warband"), side("skirmishers")
    hft, eft = side("heavy_foot"), side("elite_foot")
    assert len(TYPES) == 26
    # the printed odds of section (c)
    check("3v3 light foot, warband", lft, wbd, (2, 13, 6, 13, 2))
    check("4v3 heavy foot, light foot", hft, lft, (0, 10, 5, 17, 4))
    check("5v3 elite foot, light foot", eft, lft, (0, 6, 4, 20, 6))
    check("5v5 elite foot, elite foot", eft, eft, (0, 15, 6, 15, 0))
    check("4v2 heavy foot, skirmishers", hft, skm, (0, 6, 4, 17, 9))
    check("3v3 light foot + Prowess, warband", side("light_foot", {"prowess"}), wbd, (2, 13, 6, 11, 4))
    check("3v3 light foot + Hearten, warband", side("light_foot", {"hearten"}), wbd, (0, 10, 11, 13, 2))
    # S7: Knight attacked from behind by foot in bad terrain fights at 1
    bad = side("knights", terrain="woods", attacked="rear")
    assert _close_total(bad, lft, 0, DEFAULT_RULINGS) == 1
    # S5b: shooting 3 v 3 kills with 6-1 and 5-1 only
    kills = [
        (x, y)
        for x in range(1, 7)
        for y in range(1, 7)
        if attack("shooting", "physical", side("shooters"), hft, x, y, {})["fate_b"] == "destroyed"
    ]
    assert kills == [(5, 1), (6, 1)], kills
    print("shooting 3v3 kills on", kills)
    for label, kind, nature, who, whom in (
        ("artillery at war wagons", "shooting", "physical", side("artillery"), side("war_wagons")),
        ("artillery at behemoths", "shooting", "physical", side("artillery"), side("behemoths")),
        ("pavise at skirmishers", "shooting", "physical", side("pavise"), skm),
        (
            "shooters at flying elite cavalry",
            "shooting",
            "physical",
            side("shooters"),
            side("elite_cavalry", {"flying"}),
        ),
        ("mindblast at knights", "mindblast", "magical", side("light_foot"), side("knights")),
        (
            "magical ranged attack at Negate Self",
            "ranged_attack",
            "magical",
            side("light_foot"),
            side("knights", {"negate_magic_self"}),
        ),
        (
            "limited spellblast at knights",
            "spellblast",
            "magical",
            side("light_foot", {"spellblast_limited"}),
            side("knights"),
        ),
    ):

        def face(x, y):
            return attack(kind, nature, who, whom, x, y, {})

        print(
            "%-44s %s | %s | expended %d"
            % (label, counts(face), counts(face, "fate_b"), counts(face, "expended").get(True, 0))
        )
    for label, a, b in (
        ("knights v spear", side("knights"), side("spear")),
        ("warriors v horde, Terror", side("warriors", {"terror"}), side("horde")),
        ("knights v heavily fortified camp", side("knights"), side("camp", {"heavily_fortified"})),
        ("raiders v horse bow", side("raiders"), side("horse_bow")),
        ("warband v rabble", wbd, side("rabble")),
    ):

        def face(x, y):
            return close_combat(a, b, x, y, {})

        print(
            "%-44s %s | A %s | B %s | A pursues %d"
            % (
                label,
                counts(face),
                counts(face, "fate_a"),
                counts(face, "fate_b"),
                counts(face, "pursues_a").get(True, 0),
            )
        )
    faces = [duel(4, 2, x, y) for x in range(1, 7) for y in range(1, 7)]
    print("duel 4 v 2: a %d tie %d b %d" % tuple(faces.count(word) for word in ("a", "tie", "b")))
    print("all printed odds of section (c) reproduced")
