"""hamel: energies in, motion out.

A mechanical system is described by its energies on a product of manifolds; hamel derives its equations of motion and
integrates them so that energy, momenta and manifold are kept.

    import hamel as hm

    model = hm.Model("spherical pendulum")
    m, l, g = model.parameters(m=1.0, l=0.9, g=9.81)
    q = model.coordinate("q", hm.S2)
    x = model.point("x", l * q)
    model.kinetic(m / 2 * hm.norm2(hm.rate(x)))
    model.potential(m * g * x.z)

    system = model.derive()
    start = system.state(q=[0.8, 0, -0.6], omega={"q": [0.6, 0, 0.8]})
    run = system.integrate(start, "variational", step=0.01, until=10)
    run["q"]        # an array: outputs, 3
"""

from . import _formulas, _models
from ._gallery import gallery, load
from ._hamel import *  # noqa: F403
from ._hamel import __version__, space
from ._hamel import parse as parse
from ._run import Run

S1 = space("S", [1])
S2 = space("S", [2])
SO2 = space("SO", [2])
SO3 = space("SO", [3])
SE2 = space("SE", [2])
SE3 = space("SE", [3])
SL2 = space("SL", [2])


def R(n):
    """The space R^n."""
    return space("R", [n])


def Sphere(n):
    """The unit sphere of dimension n, in R^(n+1)."""
    return space("S", [n])


def Stiefel(n, k):
    """Matrices of n rows and k orthonormal columns."""
    return space("Stiefel", [n, k])


R1, R2, R3 = R(1), R(2), R(3)
