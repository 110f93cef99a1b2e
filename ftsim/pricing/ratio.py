"""A price as a ratio: what a card gains over what a point gains, both sampled."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, nan, sqrt
from statistics import NormalDist

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate, ripe, time_uniform_z


def z_of(confidence: float = CONFIDENCE) -> float:
    """Standard errors of an ordinary two-sided interval."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def fieller(
    a: float,
    b: float,
    v_aa: float,
    v_ab: float,
    v_bb: float,
    confidence: float = CONFIDENCE,
    *,
    z: float | None = None,
) -> tuple[float, float]:
    """Interval of the ratio a / b from the covariance matrix of both; infinite when b may be 0.

    Parameters
    ----------
    a, b : float
        Estimates of both.
    v_aa, v_ab, v_bb : float
        Their variances and covariance.
    confidence : float
        Coverage.
    z : float, optional
        Standard errors to use in place of those of `confidence`, as of a time-uniform interval.

    References
    ----------
    Fieller (1954), "Some problems in interval estimation".
    """
    z2 = (z_of(confidence) if z is None else z) ** 2
    # (a - π b)² <= z² (v_aa - 2 π v_ab + π² v_bb)
    quadratic = b * b - z2 * v_bb
    linear = a * b - z2 * v_ab
    constant = a * a - z2 * v_aa
    inside = linear * linear - quadratic * constant
    if quadratic <= 0 or inside < 0:
        return -inf, inf
    root = sqrt(inside)
    return (linear - root) / quadratic, (linear + root) / quadratic


@dataclass(frozen=True)
class Ratio:
    """A gain over the worth of a unit, with the errors of both.

    Parameters
    ----------
    gain, unit : float
        What the card adds, and what one unit (a point, a stand) adds, on the same scale.
    v_gain, covariance, v_unit : float
        Variances and covariance of both estimates.
    trials : int
        What they rest on.
    differing : int
        Trials that tell something about the gain: pairs of arms that end differently, or battles of
        armies that differ in the card.
    """

    gain: float
    unit: float
    v_gain: float
    covariance: float
    v_unit: float
    trials: int
    differing: int

    @classmethod
    def of_trials(cls, gain: FloatArray, gain_of_stand: FloatArray, cost: FloatArray) -> Ratio:
        """From each trial's gain, the gain by a stand in it, and that stand's cost; all ``(trials,)``.

        Raises
        ------
        InputError
            If shapes differ, there are fewer than two trials, or costs are not positive on average.
        """
        shapes = {np.shape(x) for x in (gain, gain_of_stand, cost)}
        if len(shapes) != 1 or len(gain) < 2:
            raise InputError(f"The arms need the same trials, at least two; got shapes {shapes}")
        trials = np.stack([gain, gain_of_stand, cost])
        return cls.of_means(trials.mean(axis=1), np.cov(trials), len(gain), int(np.count_nonzero(gain)))

    @classmethod
    def of_means(cls, mean: FloatArray, covariance: FloatArray, trials: int, differing: int) -> Ratio:
        """From means and the covariance of one trial of: gain, gain by a stand, that stand's cost.

        Raises
        ------
        InputError
            If the stand costs nothing on average.
        """
        gain, of_stand, cost = (float(x) for x in mean)
        if cost <= 0:
            raise InputError("The stand more must cost something")
        unit = of_stand / cost
        # The mean cost is sampled too: linearise the ratio of both means.
        way = np.array([[1.0, 0.0, 0.0], [0.0, 1 / cost, -unit / cost]])
        error = way @ covariance @ way.T / trials
        return cls(gain, unit, float(error[0, 0]), float(error[0, 1]), float(error[1, 1]), trials, differing)

    @property
    def nothing(self) -> bool:
        """Whether no trial was changed at all: the card is worth exactly 0."""
        return self.gain == 0 and self.v_gain == 0

    @property
    def value(self) -> float:
        """The ratio; nan where the unit gains nothing."""
        if self.nothing:
            return 0.0
        return self.gain / self.unit if self.unit != 0 else nan

    def variance_at(self, price: float) -> float:
        """Variance of the excess, gain − price × unit."""
        variance = self.v_gain - 2 * price * self.covariance + price * price * self.v_unit
        return max(variance, 0.0)

    def errors_above(self, price: float) -> float:
        """How many standard errors the gain lies above a price; 0 when both are exactly the same."""
        excess = self.gain - price * self.unit
        error = sqrt(self.variance_at(price))
        if error == 0:
            return 0.0 if excess == 0 else inf if excess > 0 else -inf
        return excess / error

    def z(self, confidence: float = CONFIDENCE, planned: int | None = None) -> float:
        """Standard errors of an interval: ordinary, or time-uniform when `planned` trials are named."""
        if planned is None:
            return z_of(confidence)
        return time_uniform_z(self.trials, planned, confidence) if ripe(self.trials, self.differing) else inf

    def estimate(self, confidence: float = CONFIDENCE, planned: int | None = None) -> Estimate:
        """The ratio with its interval by Fieller.

        Parameters
        ----------
        confidence : float
            Coverage.
        planned : int, optional
            Name it when somebody looks at growing results and may stop: the interval then holds at
            all looks together, and has no ends before 2,000 trials and 200 differing pairs.

        Returns
        -------
        Estimate
            nan with infinite ends where the unit's worth cannot be told from nothing: no price.
        """
        if self.nothing and planned is None:
            return Estimate(0.0, 0.0, 0.0, confidence, self.trials)
        # Whether there is a price at all is asked before anybody looks at how much it is.
        if not self.unit_is_known(confidence):
            return Estimate(nan, -inf, inf, confidence, self.trials)
        z = self.z(confidence, planned)
        if z == inf:
            return Estimate(self.value, -inf, inf, confidence, self.trials)
        low, high = fieller(self.gain, self.unit, self.v_gain, self.covariance, self.v_unit, z=z)
        return Estimate(self.value, low, high, confidence, self.trials)

    def unit_is_known(self, confidence: float = CONFIDENCE) -> bool:
        """Whether the interval of the unit's worth stays clear of 0."""
        return self.unit != 0 and abs(self.unit) > z_of(confidence) * sqrt(self.v_unit)

    def gain_estimate(self, confidence: float = CONFIDENCE) -> Estimate:
        """The gain alone."""
        return _around(self.gain, self.v_gain, confidence, self.trials)

    def unit_estimate(self, confidence: float = CONFIDENCE) -> Estimate:
        """The worth of the unit alone."""
        return _around(self.unit, self.v_unit, confidence, self.trials)

    def trials_for(self, half_width: float, confidence: float = CONFIDENCE) -> int:
        """Trials that give the ratio a half-width, from this one as the pilot.

        Raises
        ------
        InputError
            If the half-width is not positive or the unit gains nothing.
        """
        if half_width <= 0:
            raise InputError(f"A half-width must be above 0, got {half_width}")
        if self.unit == 0:
            raise InputError("A pilot in which a point is worth nothing says nothing about trials")
        one_trial = self.variance_at(self.value) * self.trials
        return ceil((z_of(confidence) / half_width) ** 2 * one_trial / self.unit**2)


def _around(value: float, variance: float, confidence: float, trials: int) -> Estimate:
    half = z_of(confidence) * sqrt(max(variance, 0.0))
    return Estimate(value, value - half, value + half, confidence, trials)
