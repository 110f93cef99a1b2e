"""Planted truth: worths that are known go through both models, and come back as promised.

The fake ruleset is in `fake_ruleset.py`. Full runs are marked ``long``; the normal run takes a
seeded sample of them. `pytest -s` prints what was measured.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.pricing.equal_points import fall_of_worth, priced_cards
from ftsim.pricing.matchups import Matchups
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import Ratio
from ftsim.pricing.regression import Numeraire
from ftsim.pricing.verdict import judge, three_tests

_spec = importlib.util.spec_from_file_location("fake_ruleset", Path(__file__).parent / "fake_ruleset.py")
assert _spec is not None
assert _spec.loader is not None
fake = importlib.util.module_from_spec(_spec)
sys.modules["fake_ruleset"] = fake
_spec.loader.exec_module(fake)

LOOKS = 50
TRUE = fake.TRUE_PRICE
EDGE = np.isclose(np.abs(TRUE - fake.PRINTED), fake.MARGIN)


@cache
def numeraire() -> Numeraire:
    return fake.point_of(fake.Armies.draw(np.random.default_rng(51), 50_000))


@cache
def worths(trials: int) -> np.ndarray:
    return fake.calibrated(np.random.default_rng(52), trials)


class Tally:
    """What studies found: intervals that hold the truth, and claims that are not so."""

    def __init__(self) -> None:
        self.covered: list[np.ndarray] = []
        self.claims: list[int] = []
        self.false: list[int] = []

    def add(self, ratios: dict[str, Ratio], verdicts: dict[str, str]) -> None:
        estimates = [ratio.estimate() for ratio in ratios.values()]
        self.covered.append(
            np.array(
                [e.low <= truth <= e.high and np.isfinite(e.low) for e, truth in zip(estimates, TRUE, strict=True)]
            )
        )
        self.say(verdicts)

    def say(self, verdicts: dict[str, str]) -> None:
        self.claims.append(fake.claims(verdicts))
        self.false.append(fake.false_claims(verdicts))

    @property
    def by_card(self) -> np.ndarray:
        return np.mean(self.covered, axis=0)

    @property
    def false_share(self) -> float:
        """Mean over studies of the share of claims that are false: what Benjamini–Hochberg promises."""
        return float(np.mean([f / max(c, 1) for f, c in zip(self.false, self.claims, strict=True)]))

    def report(self, what: str) -> None:
        decided = sum(self.claims) / (37 * len(self.claims))
        said = f"{decided:.1%} of cards decided, {self.false_share:.2%} of claims false"
        if self.covered:
            said = f"coverage {self.by_card.mean():.2%} (lowest card {self.by_card.min():.1%}), {said}"
        print(f"\n{what}: {len(self.claims)} studies, {said}")  # noqa: T201


def words(judged: dict) -> dict[str, str]:
    return {name: j.verdict for name, j in judged.items()}


def regression_study(seed: int, matchups: int) -> tuple[Matchups, np.random.Generator]:
    rng = np.random.default_rng((61, seed))
    armies = fake.Armies.draw(rng, max(matchups // 2, 2_000))
    return fake.fight(rng, armies, fake.true_coefficients(numeraire()), matchups), rng


def regression_studies(studies: int, matchups: int) -> Tally:
    tally = Tally()
    for seed in range(studies):
        rows, _ = regression_study(seed, matchups)
        ratios = fake.regress(rows, numeraire()).card_ratios()
        tally.add(ratios, words(judge(fake.PRICES, ratios)))
    tally.report(f"Battle regression, {matchups:,} matchups")
    return tally


def equal_points_studies(studies: int, trials: int, calibration: int) -> Tally:
    tally = Tally()
    for seed in range(studies):
        moments = fake.play_arms(np.random.default_rng((62, seed)), worths(calibration), trials)[0]
        ratios = fake.ratios_of(moments)
        tally.add(ratios, words(judge(fake.PRICES, ratios)))
    tally.report(f"Equal points, {trials:,} trials")
    return tally


class Looks:
    """A study that looks fifty times: each card keeps its first verdict, the study stops at its first."""

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.each, self.first = Tally(), Tally()
        self.edge_ever = self.edge_peeked = 0

    def watch(self, looks) -> None:
        said: dict[str, str] = {}
        first: dict[str, str] = {}
        ever = np.zeros(37, dtype=bool)
        peeked = np.zeros(37, dtype=bool)
        for ratios in looks:
            for name, word in words(judge(fake.PRICES, ratios, planned=self.planned)).items():
                if word in ("underpriced", "overpriced", "fair"):
                    said.setdefault(name, word)
            first = first or dict(said)
            for k in np.flatnonzero(EDGE):
                name = fake.CARDS[k]
                # What a 95 % interval that lies wholly on one side claims: 5 % for the time-uniform
                # p, which is two-sided, and 2.5 % for the ordinary one-sided one.
                for flags, planned, level in ((ever, self.planned, 0.05), (peeked, None, 0.025)):
                    if not flags[k]:
                        t = three_tests(fake.PRICES[name], ratios[name], planned=planned)
                        flags[k] = min(t.under, t.over, t.fair) <= level
        self.each.say(said)
        self.first.say(first)
        self.edge_ever += int(ever.sum())
        self.edge_peeked += int(peeked.sum())

    def report(self, what: str) -> None:
        self.each.report(f"{what}, {LOOKS} looks, each card's first verdict")
        self.first.report(f"{what}, {LOOKS} looks, the study's first verdict")
        edges = EDGE.sum() * len(self.each.claims)
        print(  # noqa: T201
            f"Cards at the edge of the margin, uncorrected, ever decided: {self.edge_ever / edges:.2%} "
            f"(peeking with ordinary intervals: {self.edge_peeked / edges:.1%})"
        )


def regression_looks(studies: int, first: int, last: int) -> Looks:
    found = Looks(planned=last)
    sizes = np.unique(np.geomspace(first, last, LOOKS).astype(int))
    for seed in range(studies):
        rows, _ = regression_study(10_000 + seed, last)

        def looks(rows=rows):
            beta = None
            for n in sizes:
                fit = fake.regress(rows.first(int(n)), numeraire(), beta, tolerance=1e-6)
                beta = fit.coefficient
                yield fit.card_ratios()

        found.watch(looks())
    found.report(f"Battle regression to {last:,} matchups")
    return found


def equal_points_looks(studies: int, last: int, calibration: int) -> Looks:
    found = Looks(planned=last)
    for seed in range(studies):
        blocks = fake.play_arms(np.random.default_rng((63, seed)), worths(calibration), last, LOOKS)

        def looks(blocks=blocks):
            so_far: Moments | None = None
            for block in blocks:
                so_far = block if so_far is None else so_far + block
                yield fake.ratios_of(so_far)

        found.watch(looks())
    found.report(f"Equal points to {last:,} trials")
    return found


# A sample in the normal run.


def test_a_sample_of_regression_studies_covers_the_truth_and_claims_little_that_is_false():
    tally = regression_studies(25, 10_000)
    assert 0.93 <= tally.by_card.mean() <= 0.97
    assert tally.false_share <= 0.05


def test_a_sample_of_equal_points_studies_covers_the_truth_and_claims_little_that_is_false():
    tally = equal_points_studies(25, 5_000, 50_000)
    assert 0.93 <= tally.by_card.mean() <= 0.97
    assert tally.false_share <= 0.05


def test_a_sample_of_studies_that_look_fifty_times_claims_little_that_is_false():
    for found in (equal_points_looks(6, 8_000, 50_000), regression_looks(2, 2_000, 8_000)):
        assert sum(found.each.claims) > 0
        assert found.each.false_share <= 0.05
        assert found.first.false_share <= 0.05


def test_with_varied_totals_the_worth_of_a_point_is_known_to_two_percent():
    rows, _ = regression_study(1, 60_000)
    kappa = fake.regress(rows, numeraire()).ratio(fake.TYPES[0])
    print(f"\nStandard error of a point's worth at 60,000 matchups: {np.sqrt(kappa.v_unit) / kappa.unit:.2%}")  # noqa: T201
    assert np.sqrt(kappa.v_unit) <= 0.02 * kappa.unit


def test_with_exactly_equal_totals_prices_slide_at_equal_fit_and_are_refused():
    rng = np.random.default_rng(64)
    armies = fake.Armies.draw(rng, 60_000)
    equal = fake.Armies(armies.counts[armies.totals == 51], armies.totals[armies.totals == 51])
    assert len(equal.counts) > 1_000
    rows = fake.fight(rng, equal, fake.true_coefficients(numeraire()), 20_000)
    with pytest.raises(InputError, match=r"exactly equal points.*slides every price"):
        fake.regress(rows, numeraire())
    # One fit of the many that are equally good: least squares on log-odds is enough to show it.
    x, y = rows.difference.astype(float), rows.halves / 2
    values = np.linalg.eigvalsh(x.T @ x)
    assert values[0] < 1e-9 * values[-1]
    beta = np.linalg.lstsq(x, 4 * (y - 0.5), rcond=None)[0]
    cost = np.concatenate([fake.COST, fake.PRINTED])
    share = np.array([numeraire().share[t] for t in fake.TYPES]) / fake.COST
    prices, fits, excesses = [], [], []
    for slide in (0.05, 0.1, 0.2, 0.4, 10.0):
        slid = beta + slide * cost
        kappa = share @ slid[:26]
        fits.append(x @ slid)
        prices.append(slid[26:] / kappa)
        excesses.append(slid[26:] - kappa * fake.PRINTED)
    assert all(np.allclose(fit, fits[0], atol=1e-9) for fit in fits)
    assert all(np.allclose(excess, excesses[0], atol=1e-9) for excess in excesses)
    away = [np.abs(price - fake.PRINTED).max() for price in prices]
    assert away == sorted(away, reverse=True)
    assert away[0] > 4 * away[3]
    assert away[-1] < 0.2


def test_a_stand_taken_away_is_worth_more_a_point_than_one_added_when_points_fall_off():
    """Where a battle is a coin with a straight log-odds, both sides are worth the same."""
    moments = fake.play_arms(np.random.default_rng(65), worths(50_000), 20_000)[0]
    fall = fall_of_worth(moments[0]).estimate()
    assert fall.low < 1 < fall.high
    more = priced_cards(fake.CARDS, moments)
    less = priced_cards(fake.CARDS, moments, "one stand less")
    both = priced_cards(fake.CARDS, moments, "both sides")
    for name in fake.CARDS:
        ends = sorted(abs(found[name].price.value) for found in (more, less))
        assert ends[0] <= abs(both[name].price.value) <= ends[1]
        assert both[name].worth_of_point.half_width < more[name].worth_of_point.half_width


# In full.


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_regression_covers_the_truth_in_four_hundred_studies():
    tally = regression_studies(400, 20_000)
    assert 0.93 <= tally.by_card.mean() <= 0.97
    assert tally.by_card.min() >= 0.91
    assert tally.false_share <= 0.05


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_equal_points_cover_the_truth_in_four_hundred_studies():
    tally = equal_points_studies(400, 10_000, 200_000)
    assert 0.93 <= tally.by_card.mean() <= 0.97
    assert tally.by_card.min() >= 0.91
    assert tally.false_share <= 0.05


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "studies",
    [lambda: equal_points_looks(400, 10_000, 200_000), lambda: regression_looks(400, 2_000, 10_000)],
    ids=["equal points", "battle regression"],
)
def test_four_hundred_studies_that_look_fifty_times_claim_little_that_is_false(studies):
    found = studies()
    assert sum(found.each.claims) > 400
    assert found.each.false_share <= 0.05
    assert found.first.false_share <= 0.05
    assert found.edge_ever <= 0.05 * EDGE.sum() * 400
    assert found.edge_peeked > 2 * found.edge_ever
