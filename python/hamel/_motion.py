"""A motion that did not come from an integrator right now: read, rebuilt or unpickled."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from . import _hamel
from ._hamel import Occurrence, State, System

if TYPE_CHECKING:
    from ._types import Array


@dataclass
class Motion:
    """What Run needs of a motion, as of the extension's own."""

    t: Array
    q: Array
    v: Array
    u: Array
    method: str
    steps: int
    final: State
    rejected: int = 0
    halved: int = 0
    ended_by: str = ""
    occurrences: list[Occurrence] = field(default_factory=list)

    @staticmethod
    def of(system: System, t: Array, q: Array, v: Array, u: Array, method: str, steps: int) -> Motion:
        """Its last row is the final state."""
        return Motion(t, q, v, u, method, steps, _hamel._state(system, float(t[-1]), q[-1], v[-1]))

    @staticmethod
    def copied(motion: _hamel._Motion | Motion) -> Motion:
        """The same in Python, for pickles."""
        return Motion(**{name.name: getattr(motion, name.name) for name in fields(Motion)})
