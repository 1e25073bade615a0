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

from . import _ensemble, _formulas, _jax, _model, _model_file, _notebook, _studies, _system  # noqa: F401
from ._check import Check as Check
from ._ensemble import Ensemble as Ensemble
from ._ensemble import EnsembleTable as EnsembleTable
from ._ensemble import Failure as Failure
from ._ensemble import Keep as Keep
from ._ensemble import SweepFile as SweepFile
from ._ensemble import joined as joined
from ._gallery import Gallery as Gallery
from ._gallery import gallery as gallery
from ._gallery import load as load
from ._hamel import *  # noqa: F403
from ._hamel import Space, space
from ._hamel import __version__ as __version__
from ._record import Record as Record
from ._routh import Reduction as Reduction
from ._run import Run as Run
from ._sympy import from_sympy as from_sympy
from ._sympy import sympy_symbols as sympy_symbols
from ._vary import Distribution as Distribution
from ._vary import Vary as Vary
from ._vary import cap as cap
from ._vary import grid as grid
from ._vary import listed as listed
from ._vary import lognormal as lognormal
from ._vary import normal as normal
from ._vary import samples as samples
from ._vary import uniform as uniform
from ._vary import zip as zip

S1 = space("S", [1])
S2 = space("S", [2])
SO2 = space("SO", [2])
SO3 = space("SO", [3])
SE2 = space("SE", [2])
SE3 = space("SE", [3])
SL2 = space("SL", [2])


def R(n: int) -> Space:
    """The space R^n."""
    return space("R", [n])


def Sphere(n: int) -> Space:
    """The unit sphere of dimension n, in R^(n+1)."""
    return space("S", [n])


def Stiefel(n: int, k: int) -> Space:
    """Matrices of n rows and k orthonormal columns."""
    return space("Stiefel", [n, k])


R1, R2, R3 = R(1), R(2), R(3)
