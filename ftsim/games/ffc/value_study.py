"""The study of values: what every card is worth, from random deals played to the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ftsim._typing import FloatArray
from ftsim.estimates import Estimate, proportion
from ftsim.experiments.provenance import digest_tables
from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Cell, Columns
from ftsim.findings import Column, Findings, Interval, IntervalChart, Section, Table
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle.driver import Battles
from ftsim.games.ffc.battle_cells import battle_cells, battles_of
from ftsim.games.ffc.cards import PACKAGE, fight_cards, spells, warriors
from ftsim.games.ffc.crowds import Crowd, crowd
from ftsim.games.ffc.dominance import same_cards
from ftsim.games.ffc.duel import round_robin
from ftsim.games.ffc.glossary import glossary
from ftsim.games.ffc.policies import Policy
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.games.ffc.study_parts import (
    ENGINE_VERSION,
    WORTH,
    as_file,
    assumed_points,
    base_rulings,
    open_points,
    options,
)
from ftsim.games.ffc.values import DECKS, Fit, PointList, design, fit, mean_of, place, point_list, score, terms, unit
from ftsim.streams import stream_key

TRIALS = 100_000
FEW, CROWD, CROWD_TRIALS = 2, tuple(range(1, 13)), 2000
TITLES = {
    "warrior": "Warriors",
    "weapon": "Weapons",
    "armor": "Armor",
    "spell": "Spells",
    "fight card": "Fight cards",
}


def compute_crowd(one: str, policy: Sequence[Any], settings: Mapping[str, Any], key: int) -> Columns:
    """A few of one warrior against growing numbers of Orcs, all with Long Swords, without cards and spells."""
    found = crowd(
        f"{one} + Long Sword", "Orc + Long Sword", FEW, CROWD, CROWD_TRIALS, key, Policy(policy[0], dict(policy[1])),
        FfcRulings(**settings),
    )  # fmt: skip
    return {"number": np.array(found.numbers), "score": np.array(found.score)}


class ValueStudy:
    """Experiments on what cards are worth in battles."""

    engine_version = ENGINE_VERSION

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """Blocks of battles for each policy, the bare battle, and the crowds."""
        set_ = options(experiment)
        rulings = base_rulings(experiment)
        trials = experiment.trials or TRIALS
        found: list[Cell] = []
        for policy in set_["policies"]:
            for label, scenario in scenarios(set_["withheld"]).items():
                count = trials if label == "full" else max(trials // 2, 2000)
                found += battle_cells(f"{policy.name} {label}", policy, rulings, scenario, experiment.seed, count)
        first = set_["policies"][0]
        for name in set_["crowd"]:
            arguments: dict[str, Any] = {
                "one": name,
                "policy": [first.name, dict(first.changes)],
                "settings": rulings.settings(),
                "key": stream_key(experiment.seed, {"game": "ffc", "contest": "crowd", "one": name}),
            }
            about = {"few": FEW, "numbers": list(CROWD), "trials": CROWD_TRIALS, "parameters": first.numbers()}
            reads = {"engine": ENGINE_VERSION, "contest": "ffc crowd", **about, **arguments}
            found.append(Cell(f"crowd {name}", reads, compute_crowd, arguments))
        return found

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the game's tables."""
        return digest_tables(PACKAGE)

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """Value tables under each policy, plays, points, and what they rest on."""
        set_ = options(experiment)
        names = [policy.name for policy in set_["policies"]]
        battles = {name: battles_of(f"{name} full", results) for name in names}
        fits = {name: fit(design(b.out), score(b.out)) for name, b in battles.items()}
        bare = {name: _bare_fit(battles_of(f"{name} bare", results)) for name in names}
        first = names[0]
        points = point_list(fits[first])
        sections = [_values(deck, fits, bare, points) for deck in DECKS]
        sections.append(_plays(battles[first], fits[first]))
        sections.append(_crowds(set_["crowd"], results))
        sections.append(_points(points, battles, fits, first))
        sections.append(_battles(battles))
        sections.append(_checks_section(fits))
        answer, because = _answer(fits, first)
        return Findings(
            answer=answer,
            because=because,
            sections=sections,
            missing=[
                ("Champion FFC", "its champions, terrain cards and moves are not public"),
                ("drafts and swaps", "warbands are dealt, as the rules say"),
            ],
            rulings=open_points("battle", experiment),
            assumed=assumed_points(),
            method=(
                f"{battles[first].trials:,} random deals a policy, both sides playing alike, each to the end or "
                "to the cap of turns. One joint logistic regression of the result on all 111 cards: +1 for side A, "
                "−1 for side B. A draw or an unresolved battle counts half.",
                f"{set_['withheld']} % of dealt cards are set aside, each by its own die, so that a card is measured "
                "against not having it, and a caster's body apart from his spells. A fight card is measured in the "
                "opening hand against an empty place that is filled in the next turn.",
                "Intervals are sandwich errors of the regression. Policies and rulings are varied apart and never "
                "added to an interval.",
            ),
            terms=glossary(),
            files={"values.csv": _file(fits, bare, points), "battles.csv": as_file(_battle_table(battles))},
            checks=_checks(fits),
        )


def scenarios(withheld: int) -> dict[str, dict[str, Any]]:
    """What is played: everything, and the bare battle of warriors and kit."""
    return {
        "full": {"withheld": withheld},
        "bare": {"withheld": withheld, "cards": False, "magic": False},
    }


def _bare_fit(battles: Battles) -> Fit:
    x = design(battles.out)
    keep = np.array([term.deck in DECKS[:3] for term in terms()])
    found = fit(x[:, keep], score(battles.out))
    size = len(terms())
    beta, covariance = np.zeros(size), np.zeros((size, size))
    beta[keep] = found.beta
    covariance[np.ix_(keep, keep)] = found.covariance
    return Fit(beta, covariance, found.slope, found.trials, found.explained, found.seat)


def _pair(estimate: Estimate) -> tuple[float, float]:
    return estimate.low, estimate.high


def _values(deck: str, fits: Mapping[str, Fit], bare: Mapping[str, Fit], points: PointList) -> Section:
    first = next(iter(fits))
    centre = deck == "fight card"
    places = [k for k, term in enumerate(terms()) if term.deck == deck]

    def value(found: Fit, k: int) -> Estimate:
        return found.centred(k) if centre else found.points(k)

    places.sort(key=lambda k: -value(fits[first], k).value)
    columns = [Column("card", TITLES[deck][:-1] if deck != "armor" else "Armor")]
    for name in fits:
        word = "centred" if centre else "worth"
        columns.append(Column(name, f"{name}, points of win chance", "number", word, 1))
        columns.append(Column(f"{name}_95", "95 %", "interval", "interval", 1))
        if not centre:
            columns.append(Column(f"{name}_centred", "Centred", "number", "centred", 1))
    if deck in DECKS[:3]:
        columns.append(Column("bare", "Bare battle", "number", "worth", 1))
        columns.append(Column("bare_95", "95 %", "interval", "interval", 1))
    duels = round_robin("Long Sword") if deck == "warrior" else {}
    if duels:
        columns.append(Column("duels", "Duels, %", "percent", "duel share", 1))
    if not centre:
        columns.append(Column("points", "Points", "points", "points"))
    rows, lines = [], []
    for k in places:
        name = terms()[k].name
        row: dict[str, Any] = {"card": name, "points": points.points.get(terms()[k])}
        for policy, found in fits.items():
            estimate = value(found, k)
            row |= {
                policy: estimate.value,
                f"{policy}_95": _pair(estimate),
                f"{policy}_centred": found.centred(k).value,
            }
        row |= {"bare": bare[first].points(k).value, "bare_95": _pair(bare[first].points(k))}
        if duels:
            row["duels"] = 100 * float(duels[name])
        rows.append(row)
        all_ = [value(found, k) for found in fits.values()]
        one = all_[0]
        lines.append(
            Interval(name, one.value, one.low, one.high, min(e.low for e in all_), max(e.high for e in all_))
        )
    note = (
        "Against the mean card of the deck, in the opening hand."
        if centre
        else "Against not having the card. Bare battle: without fight cards and spells."
    )
    table = Table(
        f"values-{deck.replace(' ', '-')}", f"What {TITLES[deck].lower()} are worth", tuple(columns), rows, note
    )
    chart = IntervalChart(
        f"chart-{deck.replace(' ', '-')}",
        f"{TITLES[deck]} under {first}",
        "points of win chance",
        lines,
        "Thick: 95 % interval under the first policy. Thin: hull of the intervals over all policies.",
    )
    return Section(f"section-{deck.replace(' ', '-')}", TITLES[deck], "", (chart, table), "Values")


def _plays(battles: Battles, found: Fit) -> Section:
    n = battles.trials
    plays = battles.plays.sum(0)
    tables = []
    rows = []
    for k, card in enumerate(fight_cards().values()):
        drawn, worth = int(plays[40 + k]), found.centred(place("fight card", card.name))
        rate = plays[k] / drawn if drawn else 0.0
        rows.append(_play_row(card.name, plays[k] / n, rate, worth))
    tables.append(_play_table("plays-fight", "Fight cards played", rows, "Worth against the mean card of the deck."))
    dealt = dict.fromkeys((spell.name for spell in spells().values()), 0)
    for k, spell in enumerate(spells().values()):
        for column in (at.O_SPELLS_A, at.O_SPELLS_B):
            dealt[spell.name] += int((battles.out[:, column] >> k & 1).sum())
    rows = []
    for k, spell in enumerate(spells().values()):
        cast = plays[20 + k]
        rate = cast / dealt[spell.name] if dealt[spell.name] else 0.0
        rows.append(_play_row(spell.name, cast / n, rate, found.points(place("spell", spell.name))))
    tables.append(
        _play_table("plays-spell", "Spells cast", rows, "As a share of spells dealt; Wild Magic may add to it.")
    )
    return Section("plays", "How often cards are played", "", tuple(tables), "Values")


def _play_row(name: str, times: float, rate: float, worth: Estimate) -> dict[str, Any]:
    usable = rate > 0.01
    return {
        "card": name,
        "times": float(times),
        "rate": 100 * float(rate),
        "worth": worth.value,
        "per_play": worth.value / float(rate) if usable else None,
        "per_play_95": (worth.low / float(rate), worth.high / float(rate)) if usable else None,
    }


def _play_table(id_: str, title: str, rows: list[dict[str, Any]], note: str) -> Table:
    columns = (
        Column("card", "Card"),
        Column("times", "Plays a battle", "number", "plays a battle", 2),
        Column("rate", "Play rate, %", "percent", "play rate", 1),
        WORTH,
        Column("per_play", "Worth per play", "number", "per play", 1),
        Column("per_play_95", "95 %", "interval", "interval", 1),
    )
    return Table(id_, title, columns, sorted(rows, key=lambda row: -row["rate"]), note)


def _crowds(names: Sequence[str], results: Mapping[str, Columns]) -> Section:
    rows = []
    for name in names:
        columns = results[f"crowd {name}"]
        found = Crowd(FEW, tuple(map(int, columns["number"])), tuple(map(float, columns["score"])), CROWD_TRIALS)
        equal = found.equal()
        rows.append(
            {
                "warrior": name,
                "equal": None if equal is None else equal.value,
                "equal_95": None if equal is None else _pair(equal),
                **{f"n{n}": 100 * p for n, p in zip(found.numbers, found.score, strict=True)},
            }
        )
    columns_ = [
        Column("warrior", "Warrior"),
        Column("equal", "Orcs that equal one", "number", "equal number", 2),
        Column("equal_95", "95 %", "interval", "interval", 2),
    ]
    columns_ += [Column(f"n{n}", f"v {n}, %", "percent", "chance", 0) for n in CROWD]
    table = Table(
        "crowds",
        f"Battles won by {FEW} of a kind against Orcs",
        tuple(columns_),
        rows,
        "Long Swords all round, no cards, no spells. A dash: outside the numbers played.",
    )
    return Section("crowds-section", "How many Orcs is one worth?", "", (table,), "Values")


def spreads(
    points: PointList, fits: tuple[Fit, Fit], x: FloatArray, y: FloatArray, tolerance: float
) -> dict[str, tuple[float, int, float]]:
    """Spread of the log-odds that priced cards give, over all deals and over those of nearly equal points.

    The spread is the root of the covariance of two independent fits, so that their errors do not add to it.

    Returns
    -------
    dict
        By group: spread, how many deals, and the share of wins of the side that points favour.
    """
    priced = np.array([term in points.points for term in terms()])
    one, other = (x[:, priced] @ found.beta[priced] for found in fits)
    ahead = points.total(x)
    groups = {"all deals": np.ones(len(y), dtype=bool), "equal points": np.abs(ahead) <= tolerance}
    result = {}
    for name, chosen in groups.items():
        favoured = np.where(ahead > 0, y, np.where(ahead < 0, 1 - y, 0.5))[chosen]
        shared = float(np.cov(one[chosen], other[chosen])[0, 1])
        result[name] = (max(0.0, shared) ** 0.5, int(chosen.sum()), float(favoured.mean()))
    return result


def _points(points: PointList, battles: Mapping[str, Battles], fits: Mapping[str, Fit], first: str) -> Section:
    # Points come from one half of the deals, the check from the other.
    x, y = design(battles[first].out), score(battles[first].out)
    half = len(y) // 2
    train, judge = fit(x[:half], y[:half]), fit(x[half:], y[half:])
    proposed = point_list(train)
    rows = []
    for name, (spread, count, favoured) in spreads(proposed, (train, judge), x[half:], y[half:], 1.0).items():
        share = proportion(round(favoured * count), count) if count else None
        rows.append(
            {
                "deals": name,
                "count": count,
                "spread": spread,
                "favoured": 100 * favoured,
                "favoured_95": None if share is None else (100 * share.low, 100 * share.high),
            }
        )
    table = Table(
        "equal-points",
        "Do equal points make even battles?",
        (
            Column("deals", "Deals"),
            Column("count", "Battles", "number", "chance", 0),
            Column("spread", "Spread of log-odds", "number", "spread", 2),
            Column("favoured", "Side with more points wins, %", "percent", "chance", 1),
            Column("favoured_95", "95 %", "interval", "interval", 1),
        ),
        rows,
        "Points from the first half of the deals, the check on the second. Equal: within one point. What is left "
        "is mostly the rounding to halves; fight cards are luck and stay out of the spread.",
    )
    return Section(
        "points-section",
        "A point list for warbands that are built",
        f"One point is {points.unit:.3f} of log-odds, so that a mean warrior costs 5. Fight cards are drawn by both "
        "and have no price.",
        (table,),
        "Values",
    )


def _battle_table(battles: Mapping[str, Battles]) -> Table:
    rows = []
    for name, b in battles.items():
        won, _, draw, never = b.counts
        share = proportion(never, b.trials)
        row = {
            "policy": name,
            "battles": b.trials,
            "a": 100 * won / b.trials,
            "unresolved": 100 * share.value,
            "unresolved_95": (100 * share.low, 100 * share.high),
            "draws": 100 * draw / b.trials,
            "mean": float(b.turns.mean()),
            "median": float(np.median(b.turns)),
            "long": float(np.percentile(b.turns, 95)),
        }
        for k, column in enumerate((at.O_LEAD1, at.O_LEAD2, at.O_LEAD3), 1):
            ahead = np.sign(b.out[:, column])
            decided = (b.result < 2) & (ahead != 0)
            row[f"lead{k}"] = 100 * float(np.mean((b.result[decided] == 0) == (ahead[decided] > 0)))
        rows.append(row)
    columns = (
        Column("policy", "Policy"),
        Column("battles", "Battles", "number", "chance", 0),
        Column("a", "Side A wins, %", "percent", "chance", 2),
        Column("draws", "Draws, %", "percent", "chance", 2),
        Column("unresolved", "Unresolved, %", "percent", "chance", 2),
        Column("unresolved_95", "95 %", "interval", "interval", 2),
        Column("mean", "Mean turns", "number", "turns", 1),
        Column("median", "Median", "number", "turns", 0),
        Column("long", "95 % within", "number", "turns", 0),
        Column("lead1", "Leader after turn 1 wins, %", "percent", "chance", 1),
        Column("lead2", "after 2", "percent", "chance", 1),
        Column("lead3", "after 3", "percent", "chance", 1),
    )
    return Table(
        "battles",
        "How battles go",
        columns,
        rows,
        "The leader has more hits left over all warriors; decided battles.",
    )


def _battles(battles: Mapping[str, Battles]) -> Section:
    return Section("battles-section", "How battles go", "", (_battle_table(battles),), "Battles")


def _checks_section(fits: Mapping[str, Fit]) -> Section:
    rows = []
    for name, found in fits.items():
        weights = unit(place("spell", "Fireball")) - unit(place("spell", "Lightning Bolt"))
        gap = found.worth(weights, 100 * found.slope)
        rows.append({"policy": name, "what": "Fireball − Lightning Bolt", "gap": gap.value, "gap_95": _pair(gap)})
        for deck, groups in same_cards().items():
            for group in groups:
                rows.append({"policy": name, **_group_gap(found, deck, group)})
    table = Table(
        "consistency",
        "Cards that are the same must be worth the same",
        (
            Column("policy", "Policy"),
            Column("what", "Cards"),
            Column("gap", "Largest gap", "number", "worth", 1),
            Column("gap_95", "95 %", "interval", "interval", 1),
        ),
        rows,
        "Of groups of more than two, the first and last by worth: their gap is large by selection.",
    )
    return Section("consistency-section", "Built-in checks", "", (table,), "Battles")


def _group_gap(found: Fit, deck: str, group: Sequence[str]) -> dict[str, Any]:
    ordered = sorted(group, key=lambda name: -float(found.beta[place(deck, name)]))
    top, last = ordered[0], ordered[-1]
    gap = found.worth(unit(place(deck, top)) - unit(place(deck, last)), 100 * found.slope)
    return {"what": f"{top} − {last}", "gap": gap.value, "gap_95": _pair(gap)}


def same_worth(found: Fit) -> list[tuple[str, float, int]]:
    """For each group of equal cards, the chi-square of their worths being equal, and its degrees of freedom."""
    groups: list[tuple[str, tuple[str, ...]]] = [("spell", ("Fireball", "Lightning Bolt"))]
    groups += [(deck, group) for deck, all_ in same_cards().items() for group in all_]
    result = []
    for deck, group in groups:
        first = unit(place(deck, group[0]))
        contrasts = np.array([unit(place(deck, name)) - first for name in group[1:]])
        gaps = contrasts @ found.beta
        covariance = contrasts @ found.covariance @ contrasts.T
        result.append((f"{deck}: {group[0]}", float(gaps @ np.linalg.solve(covariance, gaps)), len(gaps)))
    return result


def _checks(fits: Mapping[str, Fit]) -> dict[str, bool]:
    from scipy.stats import chi2

    found = {}
    for name, one in fits.items():
        tests = same_worth(one)
        worst = min(float(chi2.sf(value, df)) for _, value, df in tests)
        found[f"equal cards have equal worths under {name}"] = worst > 1e-6 / len(tests)
        z = abs(one.seat.value) / (one.seat.half_width / 1.96)
        found[f"both seats are worth the same under {name}"] = z < 5
    return found


def leaders(found: Fit, deck: str) -> str:
    """The best card of a deck, with those that cannot be told from it (95 %), best first."""
    places = [k for k, term in enumerate(terms()) if term.deck == deck]
    places.sort(key=lambda k: -float(found.beta[k]))
    top = places[0]
    names = [terms()[k].name for k in places if k == top or found.worth(unit(top) - unit(k)).low <= 0]
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


def _answer(fits: Mapping[str, Fit], first: str) -> tuple[str, list[str]]:
    def order(found: Fit, deck: str) -> list[str]:
        places = [k for k, term in enumerate(terms()) if term.deck == deck]
        return [terms()[k].name for k in sorted(places, key=lambda k: -float(found.beta[k]))]

    found = fits[first]
    last = order(found, "warrior")[-1]
    best = found.points(place("warrior", order(found, "warrior")[0]))
    worst = found.points(place("warrior", last))
    answer = (
        f"Under {first}, the best warriors are {leaders(found, 'warrior')}, worth {best.value:.1f} points of win "
        f"chance; the least is {last}, {worst.value:.1f}. The best weapons are {leaders(found, 'weapon')}, the best "
        f"spells {leaders(found, 'spell')}. The deal explains {100 * found.explained:.0f} % of who wins."
    )
    because = []
    for name, other in list(fits.items())[1:]:
        tops = "; ".join(leaders(other, deck) for deck in ("warrior", "weapon", "spell"))
        because.append(f"Under {name} the best warriors, weapons and spells are: {tops}.")
    shooters = ("Short Bow", "Long Bow", "Light Crossbow", "Heavy Crossbow", "Compound Bow")
    others = [t.name for t in terms() if t.deck == "weapon" and t.name not in shooters]
    weights = mean_of("weapon", shooters) - mean_of("weapon", others)
    gap = found.worth(weights, 100 * found.slope)
    because.append(f"A missile weapon is worth {gap.value:.1f} points more than another weapon, on average.")
    men = {w.name for w in warriors().values() if w.spells}
    body = found.worth(mean_of("warrior", sorted(men)) - mean_of("warrior"), 100 * found.slope)
    spell = found.worth(mean_of("spell"), 100 * found.slope)
    because.append(
        f"A caster without his spells is worth {body.value:+.1f} points against a mean warrior, and each spell "
        f"{spell.value:.1f} more.".replace("-", "−")
    )
    return answer, because


def _file(fits: Mapping[str, Fit], bare: Mapping[str, Fit], points: PointList) -> Table:
    rows = []
    for k, term in enumerate(terms()):
        for scenario, group in (("full", fits), ("bare", bare)):
            if scenario == "bare" and term.deck not in DECKS[:3]:
                continue
            for policy, found in group.items():
                e, c = found.points(k), found.centred(k)
                rows.append(
                    {
                        "deck": term.deck, "card": term.name, "scenario": scenario, "policy": policy,
                        "worth": e.value, "low": e.low, "high": e.high, "centred": c.value,
                        "points": points.points.get(term),
                    }
                )  # fmt: skip
    text = [Column(key, key) for key in ("deck", "card", "scenario", "policy")]
    numbers = [Column(key, key, "number", "worth", 2) for key in ("worth", "low", "high", "centred")]
    return Table("values", "values", (*text, *numbers, Column("points", "points", "number", "points", 1)), rows)
