"""Several cards on one stand: who earns what, by Shapley, in points of one more plain stand.

Every subset of the cards rides on the same stand of the same army, on the same dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np

from ftsim.estimates import Estimate
from ftsim.experiments.study import Columns
from ftsim.findings import Column, Table
from ftsim.games.triumph.battle.arms import Subject, bearer_words, bearers, drawn_armies, one_more, scorer, with_picks
from ftsim.games.triumph.battle.engine import BattleOptions
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.pricing.attribution import MOST_CARDS, shapley_weights, subsets
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import Ratio


@dataclass(frozen=True)
class Bundle:
    """What a bundle is worth, and each card of it.

    Parameters
    ----------
    text, policy : str
        The bundle, and who plays.
    cards : tuple of str
        Its cards.
    shares, alone : tuple of Estimate
        Points of each card in the bundle, which add up to `whole`, and by itself.
    printed : tuple of float
        Printed prices, the mean over those who may bear the bundle.
    whole, synergy : Estimate
        Points of all cards together, and what of it no card earns alone.
    trials : int
        Trials of each subset.
    """

    text: str
    policy: str
    cards: tuple[str, ...]
    shares: tuple[Estimate, ...]
    alone: tuple[Estimate, ...]
    printed: tuple[float, ...]
    whole: Estimate
    synergy: Estimate
    trials: int


def is_bundle(subject: Subject) -> bool:
    """Whether a subject is several cards on one stand, few enough to play all their subsets."""
    return subject.bought == "stand" and 2 <= len(subject.picks) <= MOST_CARDS


def columns_of(cards: int) -> tuple[str, ...]:
    """Columns of a bundle's sums: shares times the factorial of the number of cards, so that they are whole."""
    return (
        *(f"share_{k}" for k in range(cards)),
        *(f"alone_{k}" for k in range(cards)),
        "whole", "synergy", "more", "cost",
    )  # fmt: skip


def compute_bundle(
    options: BattleOptions, seed: int, subject: Subject, first: int, count: int, mirror: bool
) -> Columns:
    """Sums of one block of trials of every subset of a bundle."""
    rulings, group = options.rulings, subject.group
    base = drawn_armies(group, seed, first, count, rulings, "own")
    scores = scorer(group, base, options, seed, first, mirror=mirror)
    words = bearer_words(seed, group, first, count, base.spec.shape[1])
    own, chosen, _ = bearers(subject, base, words[0], rulings)
    more, cost, _ = one_more(own, words[1])
    names = [str(pick) for pick in subject.picks]
    by_name = dict(zip(names, subject.picks, strict=True))
    played = np.array(
        [scores(with_picks(own, chosen, tuple(by_name[n] for n in some), rulings) if some else own)
         for some in subsets(names)]
    )  # fmt: skip
    m, plain, full = len(names), played[0], played[-1]
    shares = np.rint(shapley_weights(m) * factorial(m)) @ played
    alone = played[1 << np.arange(m)] - plain
    rows = [*shares, *alone, full - plain, full - plain - alone.sum(0), scores(more) - plain, cost]
    return Moments.of(rows).columns(columns_of(m))


def bundle_of(subject: Subject, policy: str, rulings: TriumphRulings, blocks: Sequence[Columns]) -> Bundle:
    """What the blocks of a bundle say."""
    m = len(subject.picks)
    names = columns_of(m)
    sums = sum((Moments.from_columns(block, names).pooled() for block in blocks[1:]),
               Moments.from_columns(blocks[0], names).pooled())  # fmt: skip
    mean, covariance, n = sums.mean, sums.covariance, int(sums.count)

    def points(column: str, scale: int = 1) -> Estimate:
        at = [names.index(column), names.index("more"), names.index("cost")]
        size = np.array([1 / scale, 1.0, 1.0])
        return Ratio.of_means(mean[at] * size, covariance[np.ix_(at, at)] * np.outer(size, size), n, n).estimate()

    return Bundle(
        subject.text,
        policy,
        tuple(str(pick) for pick in subject.picks),
        tuple(points(f"share_{k}", factorial(m)) for k in range(m)),
        tuple(points(f"alone_{k}") for k in range(m)),
        subject.printed_by_card(rulings),
        points("whole"),
        points("synergy"),
        n,
    )


def bundle_table(found: Sequence[Bundle]) -> Table:
    """A row a card of a bundle, and one for the whole."""
    rows: list[Mapping[str, object]] = []
    for bundle in found:
        for k, card in enumerate(bundle.cards):
            rows.append(_row(bundle, card, bundle.printed[k], bundle.shares[k], bundle.alone[k]))
        rows.append(
            {
                **_row(bundle, "all together", sum(bundle.printed), bundle.whole, None),
                "alone": bundle.whole.value - bundle.synergy.value,
                "alone_interval": None,
            }
        )
    return Table(
        "bundles",
        "Who earns a bundle's worth",
        (
            Column("bundle", "Cards on one stand"),
            Column("policy", "Policy"),
            Column("part", "Card"),
            Column("printed", "Printed", "number", "printed", 2),
            Column("share", "Share, points", "number", "Shapley value", 2),
            Column("interval", "Interval", "interval", "Shapley value", 2),
            Column("alone", "By itself, points", "number", "equal points", 2),
            Column("alone_interval", "Interval", "interval", "equal points", 2),
        ),
        rows,
        "A card's share is its mean addition over all orders in which the cards could be given; shares add up to the "
        "whole. In the last row of a bundle `by itself` is the sum over its cards: where it is less than the share, "
        "the cards help one another.",
    )


def _row(bundle: Bundle, part: str, printed: float, share: Estimate, alone: Estimate | None) -> dict[str, object]:
    return {
        "bundle": bundle.text,
        "policy": bundle.policy,
        "part": part,
        "printed": printed,
        "share": share.value,
        "interval": (share.low, share.high),
        "alone": alone.value if alone else None,
        "alone_interval": (alone.low, alone.high) if alone else None,
    }


def bundle_file(found: Sequence[Bundle]) -> Table:
    """The same as a file."""
    table = bundle_table(found)
    rows = [{**row, "low": row["interval"][0], "high": row["interval"][1]} for row in table.rows]
    columns = (
        *(Column(name, name) for name in ("bundle", "policy", "part")),
        Column("printed", "printed", "number", "printed", 4),
        *(Column(name, name, "number", "Shapley value", 4) for name in ("share", "low", "high")),
        Column("alone", "alone", "number", "equal points", 4),
    )
    return Table("bundles", "bundles", columns, rows)
