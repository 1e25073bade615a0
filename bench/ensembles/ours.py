"""The members by hamel, from energies alone."""

import hamel as hm
import numpy as np
from chain import numbers
from systems import GRAVITY, INERTIA, Chain, DoublePendulum, FreeBody


def hat(a):
    x, y, z = a.T
    zero = np.zeros_like(x)
    return np.stack([np.stack([zero, -z, y], axis=1), np.stack([z, zero, -x], axis=1), np.stack([-y, x, zero], axis=1)], axis=1)


def pendulum():
    model = hm.Model("double pendulum")
    q = model.coordinates("q", hm.S1, 2)
    model.kinetic(hm.norm2(hm.rate(q[0])) / 2 + hm.norm2(hm.rate(q[0] + q[1])) / 2)
    model.potential(GRAVITY * (2 * q[0].y + q[1].y))
    return model.derive()


def pendulum_starts(y):
    a, rate = y[:, :2], y[:, 2:]
    q = np.stack([np.sin(a), -np.cos(a)], axis=2)
    return {"start.q": q, "start.q'": rate[:, :, None] * np.stack([np.cos(a), np.sin(a)], axis=2)}


def pendulum_ends(table):
    q, v = table["q"], table["q'"]
    return np.hstack([np.arctan2(q[:, :, 0], -q[:, :, 1]), q[:, :, 0] * v[:, :, 1] - q[:, :, 1] * v[:, :, 0]])


def body():
    model = hm.Model("free body")
    R = model.coordinate("R", hm.SO3)
    model.body("body", attitude=R, inertia=np.diag(INERTIA))
    return model.derive()


def body_starts(y):
    return {"start.R'": hat(y[:, 4:])}  # from the identity


def body_ends(table):
    # R' = R hat(omega) by the inverse of R, which is off SO(3) by about the tolerance: the energy does not ask for it
    a, b, c = np.ascontiguousarray(table["R"].transpose(2, 1, 0))
    u, v, w = np.ascontiguousarray(table["R'"].transpose(2, 1, 0))
    rows = np.cross(b, c, axis=0), np.cross(c, a, axis=0), np.cross(a, b, axis=0)
    determinant = (a * rows[0]).sum(axis=0)
    omega = np.stack([(rows[2] * v).sum(axis=0), (rows[0] * w).sum(axis=0), (rows[1] * u).sum(axis=0)], axis=1)
    unknown = np.zeros((len(omega), 4))  # the attitude
    return np.hstack([unknown, omega / determinant[:, None]])


def chain():
    masses, lengths = numbers(Chain.links)
    model = hm.Model("chain")
    m, l = model.parameters(m=masses, l=lengths)
    q = model.coordinates("q", hm.S2, Chain.links)
    x = hm.constant([0.0, 0.0, 0.0])
    for i in range(Chain.links):
        x = x + l[i] * q[i]
        model.kinetic(m[i] / 2 * hm.norm2(hm.rate(x)))
        model.potential(-m[i] * GRAVITY * x.z)
    return model.derive()


def chain_starts(y):
    q, omega = np.split(y.reshape(len(y), 2 * Chain.links, 3), 2, axis=1)
    return {"start.q": q, "start.q'": np.cross(omega, q)}


def chain_ends(table):
    q, v = table["q"], table["q'"]
    return np.concatenate([q, np.cross(q, v)], axis=1).reshape(len(q), -1)


TRANSLATED = {
    DoublePendulum: (pendulum, pendulum_starts, pendulum_ends, dict(q=[[0, -1]] * 2)),
    FreeBody: (body, body_starts, body_ends, dict(R=np.eye(3))),
    Chain: (chain, chain_starts, chain_ends, dict(q=[[0, 0, 1]] * Chain.links)),
}


class Hamel:
    def __init__(self, system, method, setting, values):
        self.name, self.method, self.setting, self.settings = f"hamel, {method}", method, setting, values
        make, self.starts, self.ends, at = TRANSLATED[system]
        self.system, self.duration = make(), system.duration
        self.start = self.system.state(**at)
        if method == "dop853" and system is not Chain:  # ten thousand of these are too few to wait for a compiler
            self.run(system.starts(100_000), 1e-6)

    def members(self, starts, value):
        return self.system.ensemble(
            self.start, self.method, vary=self.starts(starts), until=self.duration, every=self.duration, **{self.setting: value}
        )

    def run(self, starts, value):
        table = self.members(starts, value).run()
        return self.ends(table) if not table.failures else np.full_like(starts, np.nan)


def ours(system):
    steps = [0.2 / 2**k for k in range(10)]
    return [
        Hamel(system, "dop853", "tolerance", [10.0 ** (-k / 4) for k in range(12, 53)]),
        Hamel(system, "gauss8", "step", steps),
        Hamel(system, "variational", "step", steps + [steps[-1] / 2, steps[-1] / 4]),
    ]
