"""Shares and means with 95 % confidence intervals from cases that come in clusters (the recalls of one owner). Pure.

Cases of one owner are alike, so counting them as independent would make an interval too narrow. The variance is that of a ratio of
cluster totals (linearised, Cochran 1977, ch. 6 and 9A); for shares it becomes a design effect by which the number of cases is
divided before Wilson's interval (1927) is drawn. Differences of shares are Newcombe's hybrid score interval (1998, method 10)
over those two, of means Welch's. Student's t stands for the normal quantile, with one degree of freedom less than owners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

FEW = 20
"""Fewer cases say nothing about a rate."""
FEW_CLUSTERS = 5
"""From fewer owners no interval is told: how unlike they are cannot be estimated."""
_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sums:
    """Over the clusters: their number, the cases n and what they add up to (y: hits of a share, the total of a mean), and the sums
    of n², n·y and y²."""

    clusters: int = 0
    n: float = 0
    y: float = 0
    nn: float = 0
    ny: float = 0
    yy: float = 0

    @property
    def ratio(self) -> float:
        return self.y / self.n if self.n else 0.0

    @property
    def variance(self) -> float:
        """Of the ratio: C/(C-1) · Σ(y_c - r·n_c)² / (Σn_c)²; infinite from one cluster."""
        if self.clusters < 2 or not self.n:
            return inf
        r = self.ratio
        squares = max(self.yy - 2 * r * self.ny + r * r * self.nn, 0.0)
        return self.clusters / (self.clusters - 1) * squares / self.n**2


def sums_of(clusters: Sequence[tuple[float, float]]) -> Sums:
    """From (n, y) of each cluster; those without cases do not count."""
    held = [(n, y) for n, y in clusters if n]
    return Sums(
        clusters=len(held),
        n=sum(n for n, _ in held),
        y=sum(y for _, y in held),
        nn=sum(n * n for n, _ in held),
        ny=sum(n * y for n, y in held),
        yy=sum(y * y for _, y in held),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """`value` is None from fewer than FEW cases, `low` and `high` also from fewer than FEW_CLUSTERS owners."""

    n: int
    clusters: int
    value: float | None = None
    low: float | None = None
    high: float | None = None

    def as_json(self) -> dict[str, float | int | None]:
        return {
            "n": self.n,
            "owners": self.clusters,
            "value": _rounded(self.value),
            "low": _rounded(self.low),
            "high": _rounded(self.high),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """Of two estimates, the second less the first; None where one of them has none."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def as_json(self) -> dict[str, float | bool | None]:
        return {
            "value": _rounded(self.value),
            "low": _rounded(self.low),
            "high": _rounded(self.high),
            "is_clear": self.is_clear,
        }


def share_of(sums: Sums) -> Estimate:
    """A share with Wilson's interval over the effective number of cases."""
    if sums.n < FEW:
        return Estimate(n=int(sums.n), clusters=sums.clusters)
    p = sums.ratio
    if sums.clusters < FEW_CLUSTERS:
        return Estimate(n=int(sums.n), clusters=sums.clusters, value=p)
    low, high = wilson(p, effective_cases(sums), quantile(sums.clusters - 1))
    return Estimate(n=int(sums.n), clusters=sums.clusters, value=p, low=low, high=high)


def mean_of(sums: Sums) -> Estimate:
    """A mean with Student's interval over the clusters."""
    if sums.n < FEW:
        return Estimate(n=int(sums.n), clusters=sums.clusters)
    mean = sums.ratio
    if sums.clusters < FEW_CLUSTERS:
        return Estimate(n=int(sums.n), clusters=sums.clusters, value=mean)
    reach = quantile(sums.clusters - 1) * sqrt(sums.variance)
    return Estimate(n=int(sums.n), clusters=sums.clusters, value=mean, low=mean - reach, high=mean + reach)


def difference_of_shares(first: Sums, second: Sums) -> Difference:
    """The second share less the first, with Newcombe's interval."""
    a, b = share_of(first), share_of(second)
    if a.value is None or b.value is None:
        return Difference()
    value = b.value - a.value
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Difference(value=value)
    below = sqrt((b.value - b.low) ** 2 + (a.high - a.value) ** 2)
    above = sqrt((b.high - b.value) ** 2 + (a.value - a.low) ** 2)
    return Difference(value=value, low=max(value - below, -1.0), high=min(value + above, 1.0))


def difference_of_means(first: Sums, second: Sums) -> Difference:
    """The second mean less the first, with Welch's interval over the clusters."""
    a, b = mean_of(first), mean_of(second)
    if a.value is None or b.value is None:
        return Difference()
    value = b.value - a.value
    if a.low is None or b.low is None:
        return Difference(value=value)
    va, vb = first.variance, second.variance
    if va + vb == 0:
        return Difference(value=value, low=value, high=value)
    freedom = (va + vb) ** 2 / (va**2 / (first.clusters - 1) + vb**2 / (second.clusters - 1))
    reach = quantile(freedom) * sqrt(va + vb)
    return Difference(value=value, low=value - reach, high=value + reach)


def effective_cases(sums: Sums) -> float:
    """As many independent cases would say as much; never more than there are.

    Where every case says the same nothing shows how alike an owner's are: then each owner counts once.
    """
    p = sums.ratio
    if p in (0, 1):
        return float(sums.clusters)
    effect = sums.variance / (p * (1 - p) / sums.n)
    return sums.n / max(effect, 1.0)


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's interval of a share seen in n cases."""
    centre = p + z * z / (2 * n)
    reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max((centre - reach) / scale, 0.0), min((centre + reach) / scale, 1.0)


def quantile(freedom: float) -> float:
    """Student's t at 97.5 % (Abramowitz and Stegun 26.7.5); within 1 % from three degrees of freedom."""
    z, v = _Z, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
