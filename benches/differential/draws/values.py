"""Numbers as people write them."""

import math


def r3(x):
    """`x` with three digits."""
    return float(f"{x:.3g}")


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def spread(rng, low, high):
    return r3(log_uniform(rng, low, high))


def around(rng, x):
    """Near `x`: within a factor of three, of the same sign."""
    return r3(x * log_uniform(rng, 1 / 3, 3)) if x else 0.0


def between(rng, low, high):
    return r3(rng.uniform(low, high))


def fresh(taken, stem):
    """A name that is not taken yet."""
    n = 0
    while f"{stem}{n}" in taken:
        n += 1
    return f"{stem}{n}"
