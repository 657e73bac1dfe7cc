"""Whether ensembles of runs agree with those of a tight run, and what the cheapest setting that does costs."""
import itertools
import math
from dataclasses import dataclass

from precision import geometric_mean

# Chance of calling a setting different that is not, all quantities together.
LEVEL = 0.05
# Differences that count for nothing: of lengths [m], and of energies as a part of the mean.
LENGTH, PART_OF_ENERGY = 1e-3, 0.01


def distance(a, b, slack=0.0):
    """Largest distance of the cumulative distributions of two samples (Kolmogorov and Smirnov), when values may be
    moved by `slack` towards the other sample: by how much they differ beyond it."""
    share = lambda sample, x: sum(value <= x for value in sample) / len(sample)
    above = lambda lower, upper: max(share(lower, x) - share(upper, x + slack) for x in lower)
    return max(0.0, above(a, b), above(b, a))


def chance(d, n):
    """Chance that two samples of n values from one distribution are at least `d` apart: exact, by Gnedenko and
    Korolyuk."""
    k = round(d * n)
    if k == 0:
        return 1.0
    terms = ((-1) ** (j - 1) * math.comb(2 * n, n - j * k) for j in range(1, n // k + 1))
    return min(1.0, 2 * sum(terms) / math.comb(2 * n, n))


@dataclass
class Comparison:
    """One quantity of a setting beside the tight run: the chance of what is seen if they are the same, its mean and
    deviation."""

    chance: float
    mean: float
    deviation: float


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    m = mean(values)
    return math.sqrt(sum((v - m) ** 2 for v in values) / max(1, len(values) - 1))


def slack_of(quantity, tight):
    return PART_OF_ENERGY * abs(mean(tight)) if quantity == "energy_lost" else LENGTH


def compare(sample, tight):
    """{quantity: Comparison} of two lists of the same starts' quantities."""
    found = {}
    for quantity in tight[0]:
        a, b = ([run[quantity] for run in runs] for runs in (sample, tight))
        found[quantity] = Comparison(chance(distance(a, b, slack_of(quantity, b)), len(b)), mean(a), deviation(a))
    return found


def agrees(found, quantities):
    """Whether none of the quantities differs: the level is shared among them (Bonferroni)."""
    return all(found[q].chance >= LEVEL / len(quantities) for q in quantities)


def cheapest(settings):
    """(time, setting, bound) of the cheapest of (setting, time, agrees), coarsest first, that agrees and whose finer
    ones all do: what is right by luck does not count. `bound` is True where there is none: then it is the dearest. None
    without any that ended."""
    if not settings:
        return None
    last = itertools.takewhile(lambda tried: tried[2], reversed(settings))
    agreeing = [(time, setting, False) for setting, time, _ in last]
    return min(agreeing) if agreeing else max((time, setting, True) for setting, time, _ in settings)


def ratio(ours, theirs):
    """(how many times longer they take, bound) of two of `cheapest`: ">" where none of theirs agrees, "<" where none of
    ours does. None where neither has one."""
    if ours is None or theirs is None or ours[2] and theirs[2]:
        return None
    return theirs[0] / ours[0], ">" if theirs[2] else "<" if ours[2] else ""


def mean_ratio(ratios):
    return geometric_mean([value for value, _ in ratios])
