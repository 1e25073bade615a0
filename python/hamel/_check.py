"""What hamel knows about a model file."""

from __future__ import annotations

from dataclasses import dataclass

from . import _hamel
from ._extend import method_of
from ._hamel import Conserved, ConservedClaim, Energy, EquilibriumClaim, ModelFile, State, System


@dataclass
class Check:
    """What hamel knows about a model, and whether what its file claims is true."""

    system: System
    symmetries: Conserved
    start: State | None
    energy: Energy | None
    momenta: dict[str, float]
    equilibria: list[EquilibriumClaim]
    conserved: list[ConservedClaim]
    remarks: list[str]

    @property
    def false_claims(self) -> list[str]:
        """What the file claims and the equations deny: names of [conserved] and [equilibria]."""
        wrong = [one.name for one in self.conserved if not one.holds]
        return wrong + [one.name for one in self.equilibria if not one.holds]

    @property
    def holds(self) -> bool:
        """Whether all that the file claims is true."""
        return not self.false_claims


@method_of(ModelFile)
def check(self: ModelFile) -> Check:
    """Symmetries, claims and the start with its energy and momenta, as `hamel check`."""
    system, symmetries = self.derive(), self.model.conserved()
    start = self.start(system) if self.has_start else None
    return Check(
        system=system,
        symmetries=symmetries,
        start=start,
        energy=system.energy(start) if start is not None and system.has_energies else None,
        momenta={one.name: one.value(system, start) for one in symmetries.momenta} if start is not None else {},
        equilibria=_hamel._examine_equilibria(self, system),
        conserved=_hamel._examine_conserved(self, system),
        remarks=list(self.remarks),
    )
