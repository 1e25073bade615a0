import hamel as hm
import pytest


def pendulum():
    """Double spherical pendulum, z up."""
    model = hm.Model("double spherical pendulum")
    m, l, g = model.parameters(m=[1.0, 2.0], l=[0.7, 0.5], g=9.81)
    q = model.coordinates("q", hm.S2, 2)
    x = [l[0] * q[0]]
    x.append(x[0] + l[1] * q[1])
    model.kinetic(sum(m[k] / 2 * hm.norm2(hm.rate(x[k])) for k in range(2)))
    model.potential(sum(m[k] * g * x[k].z for k in range(2)))
    return model


@pytest.fixture
def model():
    return pendulum()


@pytest.fixture(scope="session")
def system():
    return pendulum().derive()


@pytest.fixture(scope="session")
def start(system):
    return system.state(q=[[0.8, 0, -0.6], [0, 0.6, -0.8]], omega={"q": [[0.6, 0, 0.8], [0, 0.8, 0.6]]})
