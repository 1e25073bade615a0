"""The vector field of a chain of n links on (S^2)^n, of 10,000 states at once: hamel's, which is derived from energies,
beside the same equations by hand (bench/baseline_chain.hpp says how) in SymPy with NumPy, and in heyoka. CPU time.

    scripts/bench-python.sh field
"""

import json
import sys

import hamel as hm
import heyoka as hy
import numpy as np
import sympy as sp
from chain import GRAVITY, by_hand, numbers, threes
from timing import cpu, use_one_processor

STATES = 10_000


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
        row |= {name: one / STATES * 1e9 for name, one in times.items()}
    return row


def main():
    use_one_processor()
    rows = [compare(n) for n in (2, 10)]
    print(f"the vector field of {STATES} states of a chain from Python, ns of CPU per state")
    print(f"{'n':>4} {'hamel':>8} {'heyoka':>8} {'SymPy':>8} {'cse=True':>8}   hamel/heyoka (at most 1.1)   SymPy/hamel (at least 50)")
    for row in rows:
        hamel, heyoka, sympy, cse = (row[name] for name in ("hamel", "heyoka", "sympy", "sympy with cse"))
        print(f"{row['n']:>4} {hamel:8.1f} {heyoka:8.1f} {sympy:8.0f} {cse:8.0f}   {hamel / heyoka:26.2f} {sympy / hamel:19.0f} ({cse / hamel:.0f} with cse)")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            json.dump({"field": rows}, file, indent=1)


main()
