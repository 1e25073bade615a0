"""The same members by others. Each gives a function of starts and a setting; the finer the setting, the better."""

import os

import numpy as np


class Heyoka:
    """Taylor series with steps of their own, in the lanes of a core."""

    settings = [10.0 ** (-k / 4) for k in range(12, 53)]

    def __init__(self, system):
        import heyoka

        self.heyoka, self.system = heyoka, system
        names = [f"y{k}" for k in range(system.starts(1).shape[1])]
        variables = [heyoka.make_vars(name) for name in names]
        self.equations = list(zip(variables, system.rates(variables, heyoka.sin, heyoka.cos)))
        self.made = {}

    def integrator(self, batch, tolerance):
        if (batch, tolerance) not in self.made:
            self.made[batch, tolerance] = self.heyoka.taylor_adaptive_batch(
                self.equations, np.zeros((len(self.equations), batch)), tol=tolerance, compact_mode=len(self.equations) > 20
            )
        return self.made[batch, tolerance]


class HeyokaBatch(Heyoka):
    def __init__(self, system, batch):
        super().__init__(system)
        self.batch, self.name = batch, f"heyoka, batches of {batch}"

    def run(self, starts, tolerance):
        ta, ends = self.integrator(self.batch, tolerance), np.empty_like(starts)
        for k in range(0, len(starts), self.batch):
            ta.set_time(0.0)
            ta.state[:] = starts[k : k + self.batch].T
            ta.propagate_until([self.system.duration] * self.batch)
            ends[k : k + self.batch] = ta.state.T
        return ends


class HeyokaEnsemble(Heyoka):
    def __init__(self, system, batch):
        super().__init__(system)
        self.batch, self.name = batch, "heyoka, ensemble"

    def run(self, starts, tolerance):
        ends = np.empty_like(starts)

        def begin(ta, k):
            ta.set_time(0.0)
            ta.state[:] = starts[k * self.batch : (k + 1) * self.batch].T
            return ta

        made = self.heyoka.ensemble_propagate_until_batch(
            self.integrator(self.batch, tolerance), self.system.duration, len(starts) // self.batch, begin
        )
        for k, one in enumerate(made):
            ends[k * self.batch : (k + 1) * self.batch] = one[0].state.T
        return ends


class Jax:
    """The classical Runge-Kutta method, all members at once."""

    name = "JAX, rk4"
    settings = [0.02 / 2**k for k in range(8)]

    def __init__(self, system):
        import jax

        jax.config.update("jax_enable_x64", True)
        self.jax, self.system, self.made = jax, system, {}

    def run(self, starts, step):
        import jax.numpy as jnp

        steps = round(self.system.duration / step)

        def rates(y):
            return jnp.stack(self.system.rates(list(y), jnp.sin, jnp.cos))

        def advance(_, y):
            a = rates(y)
            b = rates(y + step / 2 * a)
            c = rates(y + step / 2 * b)
            return y + step / 6 * (a + 2 * b + 2 * c + rates(y + step * c))

        if step not in self.made:
            self.made[step] = self.jax.jit(lambda y: self.jax.lax.fori_loop(0, steps, advance, y))
        return np.array(self.made[step](starts.T).block_until_ready()).T


class MuJoCo:
    """Its classical Runge-Kutta method, by rollout."""

    name = "MuJoCo, RK4"
    settings = [0.02 / 2**k for k in range(8)]
    together = 500  # a rollout keeps all steps

    def __init__(self, system):
        import mujoco

        self.mujoco, self.system = mujoco, system

    def run(self, starts, step):
        from mujoco import rollout

        gravity = "0 0 -9.81" if self.system.scale > 1 else "0 0 0"
        text = f"""<mujoco><compiler angle="radian"/><option integrator="RK4" timestep="{step}" gravity="{gravity}"><flag
            contact="disable" constraint="disable"/></option><worldbody>{self.system.mujoco}</worldbody></mujoco>"""
        model = self.mujoco.MjModel.from_xml_string(text)
        data = [self.mujoco.MjData(model) for _ in range(os.cpu_count() or 1)]
        kind, ends = self.mujoco.mjtState.mjSTATE_FULLPHYSICS, np.empty_like(starts)
        numbers = self.mujoco.mj_stateSize(model, kind)
        steps = round(self.system.duration / step)
        for k in range(0, len(starts), self.together):
            begin = self.system.to_mujoco(starts[k : k + self.together])
            states = np.zeros((len(begin), numbers))
            states[:, 1 : 1 + begin.shape[1]] = begin
            kept, _ = rollout.rollout(model, data, states, nstep=steps)
            ends[k : k + self.together] = self.system.from_mujoco(kept[:, -1, 1 : 1 + begin.shape[1]])
        return ends


def peers(system):
    import heyoka

    lanes = heyoka.recommended_simd_size()
    found = [HeyokaBatch(system, size) for size in sorted({lanes, 8})] + [HeyokaEnsemble(system, lanes), Jax(system)]
    return found + ([MuJoCo(system)] if system.mujoco else [])
