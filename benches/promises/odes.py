"""Independent references: classical Runge-Kutta on equations of motion reduced by hand."""

import math


def trajectory(rate, state, times, longest):
    """States of x' = rate(x) at `times`, by steps of at most `longest`."""
    out, now = [], 0.0
    for t in times:
        n = max(1, math.ceil((t - now) / longest)) if t > now else 0
        for _ in range(n):
            state = step(rate, state, (t - now) / n)
        now = t
        out.append(state)
    return out


def step(rate, x, h):
    def moved(k, part):
        return [a + part * h * b for a, b in zip(x, k)]

    k1 = rate(x)
    k2 = rate(moved(k1, 0.5))
    k3 = rate(moved(k2, 0.5))
    k4 = rate(moved(k3, 1.0))
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


def one_degree(mass, potential, e=1e-5):
    """Rates of (q, v) with kinetic energy mass(q) v²/2 and a potential, both by differences of the fourth order."""

    def slope(f, q):
        return (8 * (f(q + e) - f(q - e)) - (f(q + 2 * e) - f(q - 2 * e))) / (12 * e)

    def rate(x):
        q, v = x
        return [v, (-0.5 * slope(mass, q) * v * v - slope(potential, q)) / mass(q)]

    return rate


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotated(q, v):
    """v from the axes of the body to those of the world; q = (w, x, y, z)."""
    w, u = q[0], q[1:4]
    t = [2 * x for x in cross(u, v)]
    return [a + w * b + c for a, b, c in zip(v, t, cross(u, t))]


def spin(inertia, torque):
    """Rates of (quaternion, angular velocity in the body) of a body about a fixed point; `torque(q)` in the body."""

    def rate(x):
        q, w = x[:4], x[4:]
        dq = [
            0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
            0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
            0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]),
            0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]),
        ]
        gyro = cross(w, [i * a for i, a in zip(inertia, w)])
        return dq + [(m - g) / i for m, g, i in zip(torque(q), gyro, inertia)]

    return rate
