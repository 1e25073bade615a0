"""What models and systems do beside what C++ gives them."""

from . import _hamel
from ._hamel import Model, ModelFile, System
from ._run import Run


def _parameters(self, **values):
    """Parameters by name; formulas of them, in the same order."""
    return tuple(self.parameter(name, value) for name, value in values.items())


def _equations(self, form="omega", latex=False):
    """The equations of motion in one of the forms velocity, omega, mu and pi, one per line."""
    return _hamel.equations(self, form, latex)


def _typeset(self):
    lines = _hamel.equations(self, "omega", True)
    return "$$\\begin{gathered}" + " \\\\ ".join(lines) + "\\end{gathered}$$"


Model.parameters = _parameters
Model.derive = lambda self, path="automatic": _hamel.derive(self, path)
Model.equations = _equations
Model.conserved = lambda self: _hamel.conserved_momenta(self)
Model._repr_latex_ = _typeset


def _integrate(self, start, method="variational", *, until, step=0.0, tolerance=0.0, every=0.0, halvings=0, events=()):
    """The motion from a start: a Run."""
    motion = _hamel.integrate(self, start, method, until, step, tolerance, every, halvings, list(events))
    return Run(self, motion)


System.integrate = _integrate
System.field = lambda self, form="omega": _hamel.Field(self, form)
System.equilibria = lambda self, u=None, seed=1, starts=0: _hamel.equilibria(self, u, seed, starts)
System.linearize = lambda self, state, u=None: _hamel.linearize(self, state, u)


def _settings(file, given):
    saved = file.settings
    chosen = {name: getattr(saved, name) for name in ("integrator", "step", "tolerance", "until", "every", "halvings")}
    unknown = set(given) - set(chosen)
    if unknown:
        raise TypeError(f"there is no setting {', '.join(sorted(unknown))}: there are {', '.join(chosen)}")
    if "step" in given and "tolerance" not in given:
        chosen["tolerance"] = 0.0
    chosen.update(given)
    return chosen


def _run(self, **settings):
    """The motion of a model file from its start: integrator, step, tolerance, until, every, halvings as in [run]."""
    chosen = _settings(self, settings)
    system = self.derive()
    method = chosen.pop("integrator")
    return system.integrate(self.start(system), method, **chosen)


def _report(self, path, *, overwrite=False, **settings):
    """A page with the motion: as `hamel run --report`."""
    import os
    import tempfile

    if os.path.exists(path) and not overwrite:
        raise FileExistsError(f"{path} exists; overwrite=True writes over it")
    chosen = _settings(self, settings)
    system = self.derive()
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.h5")
        _hamel.record_run(self, system, self.start(system), path=record, overwrite=False, **chosen)
        _hamel.write_report(os.fspath(path), record, self, overwrite)


ModelFile.derive = lambda self: self.model.derive()
ModelFile.run = _run
ModelFile.report = _report
