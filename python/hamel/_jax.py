"""The acceleration as a function for JAX, with exact derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from . import _hamel
from ._extend import method_of
from ._hamel import System

if TYPE_CHECKING:
    from ._types import Array


@method_of(System)
def to_jax(self: System, parameters: Sequence[str] = ()) -> Callable[..., Any]:
    """q'' as a function a(q, v, u=None, t=0.0, p=None) for JAX: under jit, vmap, grad, jvp and jacobian.

    q and v are all coordinates and their rates, one after another, as state.q and state.v; p has the values of the named
    parameters, one after another. Derivatives are exact, and those of the motion on its space: directions that leave it
    are projected first, so that gradients are tangent vectors. There are no second derivatives. JAX must use 64 bits:
    jax.config.update("jax_enable_x64", True).
    """
    import jax
    import jax.numpy as jnp

    if jnp.zeros(0, dtype=float).dtype != np.float64:
        raise RuntimeError('JAX rounds to 32 bits: call jax.config.update("jax_enable_x64", True) first')
    accelerations = _hamel._Accelerations(self, list(parameters))
    n = self.space.ambient
    widths = (n, n, self.inputs, accelerations.parameters)

    def rows(t: Any, parts: Sequence[Any]) -> tuple[Array, list[Array], tuple[int, ...]]:
        t = np.asarray(t, dtype=np.float64)
        tables = [np.ascontiguousarray(np.asarray(part, dtype=np.float64).reshape(t.size, width)) for part, width in zip(parts, widths)]
        return np.ascontiguousarray(t.reshape(-1)), tables, t.shape

    def value(t: Any, *parts: Any) -> Array:
        times, tables, batch = rows(t, parts)
        return accelerations.value(times, *tables).reshape(*batch, n)

    def jacobian(t: Any, *parts: Any) -> Array:
        times, tables, batch = rows(t, parts)
        return accelerations.jacobian(times, *tables).reshape(*batch, n, sum(widths))

    def call(function: Callable[..., Array], shape: tuple[int, ...], t: Any, parts: Sequence[Any]) -> Any:
        kind = jax.ShapeDtypeStruct(shape, jnp.float64)
        return jax.pure_callback(function, kind, t, *parts, vmap_method="broadcast_all")

    @jax.custom_jvp
    def a(t: Any, q: Any, v: Any, u: Any, p: Any) -> Any:
        return call(value, (n,), t, (q, v, u, p))

    @a.defjvp
    def a_jvp(primals: Any, tangents: Any) -> Any:
        J = call(jacobian, (n, sum(widths)), primals[0], primals[1:])
        along = jnp.concatenate([jnp.asarray(one, dtype=jnp.float64) for one in tangents[1:]])
        return a(*primals), J @ along

    def numbers(what: str, given: Any, width: int) -> Any:
        if given is None and width > 0:
            raise ValueError(f"{what} has {width} numbers, and none were given")
        array = jnp.zeros(0) if given is None else jnp.atleast_1d(jnp.asarray(given, dtype=jnp.float64))
        if array.shape != (width,):
            raise ValueError(f"{what} must have the shape ({width},), and has {array.shape}; use jax.vmap for many")
        return array

    def acceleration(q: Any, v: Any, u: Any = None, t: Any = 0.0, p: Any = None) -> Any:
        """q'' at a state, for inputs u and parameters p."""
        if u is None and self.inputs:
            u = jnp.zeros(self.inputs)
        parts = [numbers(name, part, width) for name, part, width in zip("qvup", (q, v, u, p), widths)]
        return a(jnp.asarray(t, dtype=jnp.float64), *parts)

    return acceleration
