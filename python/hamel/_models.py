"""What models and systems do beside what C++ gives them."""

from . import _hamel
from ._hamel import Model, ModelFile, System
from ._run import Run, write_report


def _parameters(self, **values):
    """Parameters by name; formulas of them, in the same order."""
    return tuple(self.parameter(name, value) for name, value in values.items())


def _equations(self, form="omega", latex=False):
    """The equations of motion in one of the forms velocity, omega, mu and pi, one per line."""
    return _hamel.equations(self, form, latex)


def _typeset(self):
    lines = _hamel.equations(self, "omega", True)
    return "$$\\begin{gathered}" + " \\\\ ".join(lines) + "\\end{gathered}$$"


def _to_toml(self, start=None, description=""):
    """The model as the text of a model file, with its start if one is given; families count from 1 there."""
    return _hamel.model_text(self, description) + (_hamel.start_text(start) if start is not None else "")


Model.parameters = _parameters
Model.to_toml = _to_toml
Model.derive = lambda self, path="automatic": _hamel.derive(self, path)
Model.equations = _equations
Model.conserved = lambda self: _hamel.conserved_momenta(self)
Model._repr_latex_ = _typeset


def _integrate(self, start, method="variational", *, until, step=0.0, tolerance=0.0, every=0.0, halvings=0, events=()):
    """The motion from a start: a Run."""
    events = list(events)
    motion = _hamel.integrate(self, start, method, until, step, tolerance, every, halvings, events)
    settings = {"integrator": method, "step": step, "tolerance": tolerance, "until": until, "every": every, "halvings": halvings}
    return Run(self, motion, start, settings, has_events=bool(events))


System.integrate = _integrate
System.value = lambda self, formula, state: _hamel.value_at(self, formula, state)
System.field = lambda self, form="omega": _hamel.Field(self, form)
System.equilibria = lambda self, u=None, seed=1, starts=0: _hamel.equilibria(self, u, seed, starts)
System.linearize = lambda self, state, u=None: _hamel.linearize(self, state, u)


_SETTINGS = ("integrator", "step", "tolerance", "until", "every", "halvings")


def _settings(file, given):
    unknown = set(given) - set(_SETTINGS)
    if unknown:
        raise TypeError(f"there is no setting {', '.join(sorted(unknown))}: there are {', '.join(_SETTINGS)}")
    chosen = _hamel.changed_settings(file, **given)
    return {name: getattr(chosen, name) for name in _SETTINGS}


def _run(self, **settings):
    """The motion of a model file from its start: integrator, step, tolerance, until, every, halvings as in [run]."""
    chosen = _settings(self, settings)
    system = self.derive()
    method = chosen.pop("integrator")
    return system.integrate(self.start(system), method, **chosen)


def _report(self, path, *, overwrite=False, **settings):
    """A page with the motion: as `hamel run --report`."""
    write_report(self, path, overwrite, _settings(self, settings))


ModelFile.derive = lambda self: self.model.derive()
ModelFile.run = _run
ModelFile.report = _report
