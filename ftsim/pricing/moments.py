"""Sums of paired trials from which equal-points prices follow: whole numbers that add up over blocks.

Each trial scores 0, 1 or 2 half-wins in three arms: plain (``s``), with the card (``s + d``) and with one more
stand (``s + g``) that costs ``c`` half-points. A results file keeps these sums, a row for each kind of bearer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nan, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate
from ftsim.pricing.equal_points import EqualPoints, fieller

Ints = NDArray[np.int64]

#: What is summed: counts, half-wins, differences, products; `changed` counts trials that the card decides otherwise.
SUMS = ("n", "s", "ss", "d", "dd", "ds", "g", "gg", "dg", "c", "cc", "dc", "gc", "changed")


def sums_by_kind(plain: Ints, card: Ints, stand: Ints, cost: Ints, kind: Ints, kinds: int) -> dict[str, Ints]:
    """Sums of trials, a row for each kind of bearer.

    Parameters
    ----------
    plain, card, stand : array of int, shape (trials,)
        Half-wins of each arm: 0, 1 or 2.
    cost : array of int, shape (trials,)
        Half-points of the stand more.
    kind : array of int, shape (trials,)
        Kind of the bearer, below `kinds`.

    Returns
    -------
    dict of str to array of int64, shape (kinds,)
        Each of `SUMS`.
    """
    d, g = card - plain, stand - plain
    parts = {
        "n": np.ones_like(d), "s": plain, "ss": plain * plain, "d": d, "dd": d * d, "ds": d * plain, "g": g,
        "gg": g * g, "dg": d * g, "c": cost, "cc": cost * cost, "dc": d * cost, "gc": g * cost, "changed": d != 0,
    }  # fmt: skip
    found = {}
    for name in SUMS:
        total = np.zeros(kinds, dtype=np.int64)
        np.add.at(total, kind, parts[name].astype(np.int64))
        found[name] = total
    return found


@dataclass(frozen=True, eq=False)
class Moments:
    """Means, variances and covariances of paired trials, per trial and in wins and points.

    Parameters
    ----------
    trials : int
        Number of trials.
    plain : float
        Mean score of the plain arm.
    gain, stand_gain, cost : float
        Means of the card's gain, of the stand's, and of the stand's cost.
    covariance : array, shape (3, 3)
        Of gain, stand gain and cost.
    own_dice : float
        Variance of the card's gain if each arm had dice of its own.
    changed : float
        Share of trials that the card decides otherwise.
    """

    trials: int
    plain: float
    gain: float
    stand_gain: float
    cost: float
    covariance: FloatArray
    own_dice: float
    changed: float

    @classmethod
    def of(cls, sums: Mapping[str, float]) -> Moments:
        """Moments of summed trials.

        Raises
        ------
        InputError
            If there are fewer than two trials.
        """
        n = int(sums["n"])
        if n < 2:
            raise InputError(f"A price needs at least two trials, got {n}")
        means = np.array([sums["d"], sums["g"], sums["c"]], dtype=np.float64) / n
        squares = np.array(
            [
                [sums["dd"], sums["dg"], sums["dc"]],
                [sums["dg"], sums["gg"], sums["gc"]],
                [sums["dc"], sums["gc"], sums["cc"]],
            ],
            dtype=np.float64,
        )
        covariance = (squares - n * np.outer(means, means)) / (n - 1) / 4  # from halves to wholes
        plain = sums["s"] / n
        carded = plain + sums["d"] / n
        variances = [sums["ss"] / n - plain**2, (sums["ss"] + 2 * sums["ds"] + sums["dd"]) / n - carded**2]
        gain, stand_gain, cost = (float(x) for x in means / 2)
        changed = sums["changed"] / n
        return cls(n, plain / 2, gain, stand_gain, cost, covariance, sum(variances) / 4 * n / (n - 1), changed)

    def with_point(self, worth: float, variance: float, covariance: float = 0.0) -> _Ratio:
        """The price where a point has another worth than the stand more gives it."""
        return _Ratio(self.gain, worth, float(self.covariance[0, 0]) / self.trials, covariance, variance)

    @property
    def ratio(self) -> _Ratio:
        """Gain of the card over the worth of a point; the mean cost is sampled too, so its error is in."""
        v, n = self.covariance, self.trials
        point = self.stand_gain / self.cost
        residual = (v[1, 1] - 2 * point * v[1, 2] + point**2 * v[2, 2]) / self.cost**2
        shared = (v[0, 1] - point * v[0, 2]) / self.cost
        return _Ratio(self.gain, point, float(v[0, 0]) / n, float(shared) / n, float(residual) / n)

    def price(self, confidence: float = CONFIDENCE) -> EqualPoints:
        """The price by equal points, with the worth of a point and the gain from shared dice."""
        ratio = self.ratio
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        paired = float(self.covariance[0, 0])
        return EqualPoints(
            ratio.estimate(self.trials, confidence, exactly_zero=self.changed == 0),
            _around(ratio.point, ratio.v_bb, z, confidence, self.trials),
            _around(self.gain, ratio.v_aa, z, confidence, self.trials),
            paired,
            self.own_dice / paired if paired > 0 else inf,
            self.changed,
        )

    def trials_for(self, half_width: float, confidence: float = CONFIDENCE) -> float:
        """Trials for a half-width in points; infinite when a point is worth nothing.

        Raises
        ------
        InputError
            If the half-width is not positive.
        """
        if half_width <= 0:
            raise InputError(f"A half-width must be above 0, got {half_width}")
        ratio = self.ratio
        if ratio.point == 0:
            return inf
        price = ratio.gain / ratio.point
        variance = (ratio.v_aa - 2 * price * ratio.v_ab + price**2 * ratio.v_bb) * self.trials
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        return float(np.ceil((z / half_width) ** 2 * variance / ratio.point**2))


@dataclass(frozen=True)
class _Ratio:
    """A gain over the worth of a point, and the covariance matrix of both."""

    gain: float
    point: float
    v_aa: float
    v_ab: float
    v_bb: float

    def estimate(self, trials: int, confidence: float = CONFIDENCE, *, exactly_zero: bool = False) -> Estimate:
        """The price with Fieller's interval; exactly 0 for what changed no trial."""
        if exactly_zero:
            return Estimate(0.0, 0.0, 0.0, confidence, trials)
        if self.point == 0:
            return Estimate(nan, -inf, inf, confidence, trials)
        low, high = fieller(self.gain, self.point, self.v_aa, self.v_ab, self.v_bb, confidence)
        return Estimate(self.gain / self.point, low, high, confidence, trials)


def _around(value: float, variance: float, z: float, confidence: float, trials: int) -> Estimate:
    half = z * sqrt(max(variance, 0.0))
    return Estimate(value, value - half, value + half, confidence, trials)
