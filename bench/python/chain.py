"""A chain of n links on (S^2)^n with gravity along e3, by hand: bench/baseline_chain.hpp says how."""

import numpy as np

GRAVITY = 9.81


def numbers(n):
    return 1 + 0.1 * np.arange(n), 1 - 0.05 * np.arange(n)  # masses, lengths


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def by_hand(q, omega):
    """q' and omega' of all links, of anything that can be added and multiplied: tensions by Thomas, in O(n)."""
    n = len(q)
    m, l = numbers(n)
    v = [cross(omega[i], q[i]) for i in range(n)]
    right = [float(l[i]) * dot(v[i], v[i]) for i in range(n)]
    right[0] = right[0] + GRAVITY * q[0][2]
    both = [1 / m[i] + (1 / m[i - 1] if i else 0) for i in range(n)]
    inverse, tension, factor = 1 / float(both[0]), [right[0] * (1 / float(both[0]))], []
    for i in range(1, n):
        coupling = -1 / float(m[i - 1]) * dot(q[i - 1], q[i])
        factor.append(coupling * inverse)
        inverse = 1 / (float(both[i]) - coupling * factor[-1])
        tension.append((right[i] - coupling * tension[-1]) * inverse)
    for i in reversed(range(n - 1)):
        tension[i] = tension[i] - factor[i] * tension[i + 1]
    above, force, turns = [0.0, 0.0, -GRAVITY], [tension[0] * x for x in q[0]], []
    for i in range(n):
        following = [tension[i + 1] * x for x in q[i + 1]] if i + 1 < n else [0.0, 0.0, 0.0]
        here = [(following[k] - force[k]) * (1 / float(m[i])) for k in range(3)]
        turns.append(cross(q[i], [(here[k] - above[k]) * (1 / float(l[i])) for k in range(3)]))
        above, force = here, following
    return [x for one in v for x in one] + [x for one in turns for x in one]


def threes(symbols):
    return [symbols[k : k + 3] for k in range(0, len(symbols), 3)]
