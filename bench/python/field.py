"""The vector field of a chain of n links on (S^2)^n, of 10,000 states at once: hamel's, which is derived from energies,
beside the same equations by hand (bench/baseline_chain.hpp says how) in SymPy with NumPy, and in heyoka. CPU time.

    build/bench-venv/bin/python bench/python/field.py build/bench_python.json
"""

import json
import sys
import time

import hamel as hm
import heyoka as hy
import numpy as np
import sympy as sp

STATES = 10_000
GRAVITY = 9.81


def cpu(functions, seconds=6):
    """The least of several CPU times of a call of each, all threads together. They take turns: who shares the machine
    disturbs all of them alike, and each runs three times, so that its memory is in the cache."""
    best, end = dict.fromkeys(functions, np.inf), time.process_time() + seconds
    while time.process_time() < end:
        for name, function in functions.items():
            for _ in range(3):
                begin = time.process_time()
                function()
                best[name] = min(best[name], time.process_time() - begin)
    return best


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


def with_hamel(n):
    m_values, l_values = numbers(n)
    model = hm.Model("chain")
    m, l = model.parameters(m=m_values, l=l_values)
    q = model.coordinates("q", hm.S2, n)
    x = hm.constant([0.0, 0.0, 0.0])
    for i in range(n):
        x = x + l[i] * q[i]
        model.kinetic(m[i] / 2 * hm.norm2(hm.rate(x)))
        model.potential(-m[i] * GRAVITY * x.z)
    field = model.derive().field("omega")
    out = np.empty((6 * n, STATES))
    return lambda y: field(0.0, y, out)


def with_heyoka(n):
    y = [hy.make_vars(f"y{k}") for k in range(6 * n)]
    compiled = hy.cfunc(by_hand(threes(y[: 3 * n]), threes(y[3 * n :])), vars=y)
    out = np.empty((6 * n, STATES))
    return lambda y: compiled(y, outputs=out)


def with_sympy(n, cse):
    """By default lambdify writes out every step of the elimination where it is used; with CSE it finds them again."""
    y = sp.symbols(f"y0:{6 * n}")
    function = sp.lambdify(y, by_hand(threes(y[: 3 * n]), threes(y[3 * n :])), "numpy", cse=cse)
    return lambda y: np.array(np.broadcast_arrays(*function(*y)))


def states(n):
    """Links that point anywhere and turn anyhow: a state for each column."""
    random = np.random.default_rng(1)
    q = random.normal(size=(n, 3, STATES))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    omega = np.cross(q, random.normal(size=(n, 3, STATES)), axis=1)
    return np.ascontiguousarray(np.concatenate([q.reshape(3 * n, -1), omega.reshape(3 * n, -1)]))


def compare(n):
    y = states(n)
    fast = {"hamel": with_hamel(n), "heyoka": with_heyoka(n)}
    slow = {"sympy": with_sympy(n, False), "sympy with cse": with_sympy(n, True)}
    wanted = fast["hamel"](y)
    for other in (fast["heyoka"], *slow.values()):
        assert np.allclose(other(y), wanted, rtol=1e-9, atol=1e-9), f"these are other equations, n = {n}"
    row = {"n": n}
    for functions in (fast, slow):
        times = cpu({name: lambda one=one: one(y) for name, one in functions.items()})
        row |= {name: least / STATES * 1e9 for name, least in times.items()}
    return row


def main():
    rows = [compare(n) for n in (2, 10)]
    print(f"the vector field of {STATES} states of a chain from Python, ns of CPU per state")
    print(f"{'n':>4} {'hamel':>8} {'heyoka':>8} {'SymPy':>8} {'cse=True':>8}   hamel/heyoka (at most 1.1)   SymPy/hamel (at least 50)")
    for row in rows:
        hamel, heyoka, sympy, cse = (row[name] for name in ("hamel", "heyoka", "sympy", "sympy with cse"))
        print(f"{row['n']:>4} {hamel:8.1f} {heyoka:8.1f} {sympy:8.0f} {cse:8.0f}   {hamel / heyoka:26.2f} {sympy / hamel:19.0f} ({cse / hamel:.0f} with cse)")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            json.dump(rows, file, indent=1)


main()
