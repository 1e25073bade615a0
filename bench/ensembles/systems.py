"""What is compared: equations by hand for those who need them, starts, and the energy of an end, the same for all."""

import numpy as np

GRAVITY = 9.81
INERTIA = np.array([1.0, 2.0, 3.0])


class DoublePendulum:
    """In the plane, with masses and lengths 1: angles from below, and their rates."""

    name = "double pendulum"
    duration = 10.0

    @staticmethod
    def starts(members):
        random = np.random.default_rng(1)
        return np.hstack([random.uniform(-1.5, 1.5, (members, 2)), random.uniform(-1, 1, (members, 2))])

    @staticmethod
    def rates(y, sin, cos):
        a, b, u, v = y
        s, c = sin(a - b), cos(a - b)
        first = -GRAVITY * 2 * sin(a) - v * v * s
        second = -GRAVITY * sin(b) + u * u * s
        both = 2 - c * c
        return [u, v, (first - c * second) / both, (2 * second - c * first) / both]

    @staticmethod
    def energy(y):
        a, b, u, v = np.asarray(y).T
        return u**2 + v**2 / 2 + u * v * np.cos(a - b) - GRAVITY * (2 * np.cos(a) + np.cos(b))

    scale = GRAVITY

    mujoco = """
      <body><joint name="a" axis="0 1 0"/><inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/>
        <body pos="0 0 -1"><joint name="b" axis="0 1 0"/><inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/>
        </body></body>"""

    @staticmethod
    def to_mujoco(y):  # its second angle is from the first link
        a, b, u, v = np.asarray(y).T
        return np.stack([a, b - a, u, v - u], axis=1)

    @staticmethod
    def from_mujoco(state):
        a, b, u, v = np.asarray(state).T
        return np.stack([a, a + b, u, u + v], axis=1)


class FreeBody:
    """Moments of inertia 1, 2, 3: a unit quaternion, and the angular velocity in the body."""

    name = "free body"
    duration = 10.0

    @staticmethod
    def starts(members):
        random = np.random.default_rng(2)
        return np.hstack([np.tile([1.0, 0, 0, 0], (members, 1)), random.normal(size=(members, 3))])

    @staticmethod
    def rates(y, sin, cos):
        w, a, b, c, x, y, z = y
        return [
            (-a * x - b * y - c * z) / 2, (w * x + b * z - c * y) / 2, (w * y + c * x - a * z) / 2, (w * z + a * y - b * x) / 2,
            (INERTIA[1] - INERTIA[2]) / INERTIA[0] * y * z,
            (INERTIA[2] - INERTIA[0]) / INERTIA[1] * z * x,
            (INERTIA[0] - INERTIA[1]) / INERTIA[2] * x * y,
        ]  # fmt: skip

    @staticmethod
    def energy(y):
        return np.asarray(y)[:, 4:] ** 2 @ INERTIA / 2

    scale = 1.0

    mujoco = """<body><joint type="ball"/><inertial pos="0 0 0" mass="1" diaginertia="1 2 3"/></body>"""

    @staticmethod
    def to_mujoco(y):
        return np.asarray(y)

    @staticmethod
    def from_mujoco(state):
        return np.asarray(state)


class Chain:
    """Ten links on (S^2)^10, as in bench/python/chain.py: directions and angular velocities. In MuJoCo such links, without
    inertia about themselves, do not exist."""

    name = "chain of 10"
    duration = 10.0
    links = 10
    mujoco = None

    @classmethod
    def starts(cls, members):
        random = np.random.default_rng(3)
        q = np.array([0.0, 0.0, 1.0]) + 0.3 * random.normal(size=(members, cls.links, 3))
        q /= np.linalg.norm(q, axis=2, keepdims=True)
        omega = np.cross(q, 0.3 * random.normal(size=q.shape), axis=2)
        return np.concatenate([q, omega], axis=1).reshape(members, -1)

    @staticmethod
    def rates(y, sin, cos):
        from chain import by_hand, threes

        half = len(y) // 2
        return by_hand(threes(y[:half]), threes(y[half:]))

    @classmethod
    def energy(cls, y):
        from chain import numbers

        m, l = numbers(cls.links)
        q, omega = np.split(np.asarray(y).reshape(len(y), 2 * cls.links, 3), 2, axis=1)
        x = np.cumsum(l[:, None] * q, axis=1)
        v = np.cumsum(l[:, None] * np.cross(omega, q), axis=1)
        return (m * (v**2).sum(axis=2) / 2).sum(axis=1) - GRAVITY * (m * x[:, :, 2]).sum(axis=1)

    scale = GRAVITY * 10


SYSTEMS = (DoublePendulum, FreeBody, Chain)
