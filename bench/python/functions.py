"""What a function of Python costs beside a formula, as the input of a run (held, or asked at every stage), as an event and
as an output. CPU time.

    scripts/bench-python.sh field
"""

import json
import os
import sys

import hamel as hm
import numpy as np
from timing import cpu, use_one_processor

STEPS = 2_000


def mass():
    """A mass on a spring and a damper: nothing else to compute."""
    model = hm.Model("mass")
    x, u = model.coordinate("x", hm.R1), model.input("u")
    model.kinetic(hm.rate(x) ** 2 / 2)
    model.force_on(x, u)
    system = model.derive()
    force = (-x - hm.rate(x), lambda state: -state["x"] - state["x'"])
    return system, system.state(x=1.0), force, (x, lambda state: float(state["x"]))


def chain(links=10):
    """A chain of links on the sphere with drag at its end: the functions use NumPy."""
    model = hm.Model(f"chain of {links}")
    q, u = model.coordinates("q", hm.S2, links), model.input("u", 3)
    x = [q[0]]
    for k in range(1, links):
        x.append(x[-1] + q[k])
    model.kinetic(sum(hm.norm2(hm.rate(one)) / 2 for one in x))
    model.potential(9.81 * sum(one.z for one in x))
    model.force(x[-1], u)
    system = model.derive()
    force = (-0.1 * hm.rate(x[-1]), lambda state: -0.1 * state["q'"].sum(axis=0))
    start = system.state(q=[[0.6, 0.0, -0.8]] * links)
    return system, start, force, (x[-1].z + links / 2, lambda state: state["q"][:, 2].sum() + links / 2)


def inputs(given):
    return {"u": given} if isinstance(given, hm.Formula) else given


def costs(system, start, force, level):
    """Microseconds of a step of rk4 and what is added to it, or of an output: by a formula, by a function."""

    def run(**options):
        return system.integrate(start, "rk4", step=1e-3, until=1e-3 * STEPS, **options)

    by_formula, by_function = (run(inputs=inputs(one)).final.q for one in force)
    assert np.allclose(by_formula, by_function, rtol=1e-9, atol=1e-9), "the function is another one"
    values = run().value
    kinds = {
        "input, held for a step": (force, lambda given: run(inputs=inputs(given))),
        "input, at every stage": (force, lambda given: run(inputs=inputs(given), continuous=True)),
        "event": (level, lambda given: run(events=[hm.Event("level", given)])),
        "output": (level, values),
    }
    rows = []
    for kind, ((formula, function), call) in kinds.items():
        without = (lambda: None) if kind == "output" else run
        calls = {"the step": without, "formula": lambda: call(formula), "function": lambda: call(function)}
        times = {name: one / STEPS * 1e6 for name, one in cpu(calls, seconds=1.5).items()}
        rows.append({"kind": kind} | times | {name: times[name] - times["the step"] for name in ("formula", "function")})
    return rows


def main():
    use_one_processor()
    table = {}
    print("what a formula and a function of Python add to a step of rk4, or take for an output, us of CPU")
    print(f"{'':>12} {'':<24} {'the step':>9} {'formula':>9} {'function':>9}")
    for make in (mass, chain):
        made = make()
        name = made[0].name
        table[name] = costs(*made)
        for row in table[name]:
            print(f"{name:>12} {row['kind']:<24} {row['the step']:9.2f} {row['formula']:9.2f} {row['function']:9.2f}")
    if len(sys.argv) > 1:
        whole = {}
        if os.path.exists(sys.argv[1]):
            with open(sys.argv[1]) as file:
                whole = json.load(file)
        with open(sys.argv[1], "w") as file:
            json.dump(whole | {"functions": table}, file, indent=1)


main()
