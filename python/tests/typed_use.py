"""All of the package as typed code; mypy reads it, nothing runs it."""

from typing import List, Tuple

import hamel as hm
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def formulas(a: hm.Formula, v: hm.Formula) -> List[hm.Formula]:
    sums = [a + 1, 1 + a, a - 2.0, 2.0 - a, a * v, 3 * v, v / 2, 1 / a, a**2, 2**a, -a, +a, abs(a)]
    products = [v @ v, np.eye(3) @ v, hm.dot(v, v), hm.cross(v, [0, 0, 1]), hm.hat(v) @ v, hm.constant([a, a])]
    parts = [v[0], v[-1], v[0:2], hm.hat(v)[0, 1], v.x, v.y, v.z, hm.hat(v).T, *v]
    choices = [hm.where(a < 1, a, 2 * a), hm.where(a >= v.x, 1, 0)]
    functions = [hm.sin(a), hm.atan2(a, 1), hm.norm(v), hm.norm2(v), hm.rate(v), hm.columns(v, v), np.sin(a)]
    shape: Tuple[int, ...] = v.shape
    name: str = repr(a.named("a")) + hm.latex(a) + str(shape)
    return sums + products + parts + choices + functions if name else []


def models() -> hm.Model:
    model = hm.Model("m")
    m, g = model.parameters(m=1.0, g=9.81)
    l = model.parameter("l", [1.0, 2.0])
    q = model.coordinate("q", hm.S2)
    R, x = model.coordinate("R", hm.SO3), model.coordinates("x", hm.R(2), 3)
    bob = model.point("bob", l[0] * q)
    model.kinetic(m / 2 * hm.norm2(hm.rate(bob)) + sum(hm.norm2(hm.rate(one)) for one in x))
    model.potential(m * g * bob.z)
    model.dissipation(0.1 * hm.norm2(hm.rate(q)))
    model.body("body", attitude=R, inertia=np.diag([1.0, 2.0, 3.0]), mass=m)
    u = model.input("u")
    model.force(bob, [u, 0, 0])
    model.torque(R, hm.omega(R))
    model.law(u, -q.x, sample=0.1)
    lines: List[str] = model.equations("mu", latex=True)
    conserved: bool = model.conserved().energy_conserved
    text: str = model.to_toml(description="a model") + "".join(lines) + str(conserved) + model.name
    values: Array = model.parameter_values["l"]
    return model.with_(m=2.0, l=values) if text else model.open()


def systems(model: hm.Model) -> Array:
    system = model.derive()
    start = system.state({"q": [0, 0, -1]}, R=np.eye(3), omega={"q": [1, 0, 0]}, t=1.0)
    energy: float = system.energy(start).total
    heavier = system.with_({"l[0]": 3.0}, m=2)
    numbers: Array = heavier.acceleration(start, u=[energy]) + system.momentum(start) + start["q"] + start.q
    name, first, rows, columns = system.layout[0]
    degrees: int = system.degrees_of_freedom + first + rows * columns + len(name)
    field = system.field("pi")
    rates: Array = field(0.0, field.pack(start))
    return numbers + rates + field.unpack(0.0, rates).v if degrees else numbers


def motions(system: hm.System, start: hm.State, z: hm.Formula) -> hm.Run:
    events = [hm.Event("a", z, direction="rising"), hm.Event("b", lambda state: float(state["q"][0]), terminal=True)]
    run = system.integrate(start, "gauss8", step=0.1, until=10.0, every=0.5, events=events)
    times: List[float] = [one.state.t for one in run.occurrences] + [run.final.t]
    numbers: Array = run["q"] + run.t[0] + run.value(z)[0] + times[0]
    run.to_pandas().plot()
    run.plot("q").set_title(f"{run.method} {run.steps} {numbers}")
    run.report("run.html", overwrite=True)
    return run


def analysis(system: hm.System, model: hm.Model) -> Array:
    found = system.equilibria(seed=2)
    names: List[str] = [one.name + one.verdict for one in found if one.eigenvalues[0].real < 0]
    linear = system.linearize(found["hanging" if names else "inverted"].state)
    A, B = linear.first_order()
    regulator = hm.lqr(linear, Q={"x": 2.0}, R={"u": [0.1]})
    reach: bool = hm.controllability(linear).complete
    law: hm.Formula = hm.feedback(model, linear, regulator)
    point, rate = regulator.gains["x"]
    return A - B @ regulator.gain + point + rate + linear.M if reach and law else A


def files() -> hm.Run:
    file = hm.gallery["heavy-top"] if "heavy-top" in hm.gallery else hm.load("file.toml", set={"m": 2, "l": "[1, 2]"})
    other: hm.ModelFile = hm.parse(file.text, set={"m": 2.0})
    system = other.derive()
    start: hm.State = other.start(system)
    other.report("page.html", until=start.t + file.settings.until)
    try:
        return file.run(until=1.0)
    except (hm.SourceError, hm.StepError) as error:
        raise SystemExit(str(error) + hm.__version__)
