"""A million double pendulums and free bodies by JAX on a GPU: the classical Runge-Kutta method around equations by hand, in
angles and quaternions, in double precision. Beside the figures of hamel_gpu (scripts/bench-gpu.sh).

    python3 bench/gpu/jax_rk4.py [MEMBERS] [STEPS]
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "ensembles"))

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from systems import DoublePendulum, FreeBody  # noqa: E402

jax.config.update("jax_enable_x64", True)


def advanced(system, step, steps):
    def rates(y):
        return jnp.stack(system.rates(list(y), jnp.sin, jnp.cos))

    def advance(_, y):
        a = rates(y)
        b = rates(y + step / 2 * a)
        c = rates(y + step / 2 * b)
        return y + step / 6 * (a + 2 * b + 2 * c + rates(y + step * c))

    return jax.jit(lambda y: jax.lax.fori_loop(0, steps, advance, y))


def main():
    members, steps = (int(word) for word in (sys.argv[1:] + ["1000000", "2000"][len(sys.argv) - 1 :]))
    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}")
    for system, step in ((DoublePendulum, 0.002), (FreeBody, 0.005)):
        run = advanced(system, step, steps)
        starts = jax.device_put(system.starts(members).T)
        run(starts).block_until_ready()
        seconds = float("inf")
        for _ in range(3):
            begin = time.perf_counter()
            run(starts).block_until_ready()
            seconds = min(seconds, time.perf_counter() - begin)
        print(f"  {system.name}, rk4: {members} members, {steps} steps: {members * steps / seconds:.3e} steps/s")


main()
