"""Rotations as rows of matrices, and the angles and quaternions that files have for them."""

import math

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def product(a, b):
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def turned(a, v):
    return tuple(sum(a[i][k] * v[k] for k in range(3)) for i in range(3))


def transposed(a):
    return tuple(tuple(a[j][i] for j in range(3)) for i in range(3))


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def about(axis, angle):
    n = math.sqrt(sum(x * x for x in axis))
    x, y, z = (c / n for c in axis)
    c, s = math.cos(angle), math.sin(angle)
    d = 1 - c
    return (
        (c + x * x * d, x * y * d - z * s, x * z * d + y * s),
        (y * x * d + z * s, c + y * y * d, y * z * d - x * s),
        (z * x * d - y * s, z * y * d + x * s, c + z * z * d),
    )


def mirrored(v):
    """The image of a place or a direction in the plane y = 0."""
    return (v[0], -v[1], v[2])


def mirrored_rotation(a):
    """The rotation of the image of a body, in the image of its frame; likewise a matrix of inertia."""
    return tuple(tuple(x if (i == 1) == (k == 1) else -x for k, x in enumerate(row)) for i, row in enumerate(a))


def from_rpy(rpy):
    r, p, y = rpy
    return product(about((0, 0, 1), y), product(about((0, 1, 0), p), about((1, 0, 0), r)))


def rpy(a):
    """Angles about the fixed x, then y, then z."""
    p = math.atan2(-a[2][0], math.hypot(a[0][0], a[1][0]))
    if math.hypot(a[0][0], a[1][0]) > 1e-9:
        return (math.atan2(a[2][1], a[2][2]), p, math.atan2(a[1][0], a[0][0]))
    return (math.atan2(-a[1][2], a[1][1]), p, 0.0)


def from_quaternion(q):
    w, x, y, z = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def quaternion(a):
    t = a[0][0] + a[1][1] + a[2][2]
    if t > 0:
        w = math.sqrt(1 + t) / 2
        return (w, (a[2][1] - a[1][2]) / (4 * w), (a[0][2] - a[2][0]) / (4 * w), (a[1][0] - a[0][1]) / (4 * w))
    i = max(range(3), key=lambda k: a[k][k])
    j, k = (i + 1) % 3, (i + 2) % 3
    s = math.sqrt(1 + a[i][i] - a[j][j] - a[k][k]) / 2
    q = [0.0] * 4
    q[0] = (a[k][j] - a[j][k]) / (4 * s)
    q[1 + i], q[1 + j], q[1 + k] = s, (a[j][i] + a[i][j]) / (4 * s), (a[k][i] + a[i][k]) / (4 * s)
    return tuple(q)


def any_rotation(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    n = math.sqrt(sum(x * x for x in q))
    return from_quaternion([x / n for x in q])


def quarter(rng):
    """A turn by 90 or 180 degrees about an axis of the frame, as exact as angles of a file are."""
    angles = [0.0, 0.0, 0.0]
    angles[rng.randrange(3)] = rng.choice([1, 2, 3]) * math.pi / 2
    return from_rpy(angles)
