"""Names of coordinates, rates and components: in one place what belongs to `q'[0].z`."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, NamedTuple, Sequence

if TYPE_CHECKING:
    from ._types import Array

_GREEK = set(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split()
)
_PATTERN = re.compile(r"(?P<base>[^\[.']+)(?P<p1>')?(?:\[(?P<index>\d+)\])?(?P<p2>')?(?:\.(?P<letter>[xyzw])|\[(?P<entry>[\d, ]+)\])?$")


class Name(NamedTuple):
    """q'[0].z in its parts."""

    base: str
    member: str | None
    is_rate: bool
    component: str | None

    @property
    def coordinate(self) -> str:
        """The coordinate or family, without what is asked of it."""
        return self.base + (f"[{self.member}]" if self.member is not None else "")

    @property
    def of_rates(self) -> str:
        """The coordinate, or its rate."""
        return self.base + ("'" if self.is_rate else "") + (f"[{self.member}]" if self.member is not None else "")


def parsed(name: str) -> Name:
    """The parts of a name; refuses what cannot be one."""
    found = _PATTERN.match(name)
    if not found:
        raise KeyError(f"{name!r} is no name of a coordinate: write q, q', q[0], q'[0] or q[0].z")
    component = found["letter"] or (found["entry"] and found["entry"].replace(" ", ""))
    return Name(found["base"], found["index"], bool(found["p1"] or found["p2"]), component)


def typeset(name: str) -> str:
    """A name for matplotlib: q'[0].z is $\\dot q_{0z}$."""
    try:
        one = parsed(name)
    except KeyError:
        return name
    letter = f"\\{one.base}" if one.base in _GREEK else one.base if len(one.base) == 1 else f"\\mathrm{{{one.base}}}"
    letter = letter.replace("_", "\\_")
    if one.is_rate:
        letter = f"\\dot{{{letter}}}"
    below = ",".join(part for part in (one.member, one.component) if part)
    return f"${letter}_{{{below}}}$" if below else f"${letter}$"


def suggestion(name: str, known: list[str]) -> str:
    """'; did you mean q?', or what there is."""
    near = difflib.get_close_matches(name, known, 1)
    some = ", ".join(known[:6]) + (", ..." if len(known) > 6 else "")
    return f"; did you mean {near[0]}?" if near else f"; there is {some}"


def coordinate(system: str, layout: Sequence[tuple[str, int, int, int]], q: Array, v: Array, name: str) -> Array:
    """A coordinate or its rate, of tables with a row for each state: a view; a family has one more dimension."""
    plain = name.replace("'", "", 1)
    numbers = q if plain == name else v
    members = [one for one in layout if one[0] == plain or re.sub(r"\[\d+\]$", "", one[0]) == plain]
    if not members:
        names = ", ".join(one[0] for one in layout[:6])
        raise KeyError(f"{system} has no coordinate {plain}; there is {names}")
    _, first, rows, cols = members[0]
    is_family = members[0][0] != plain
    whole = numbers[:, first : first + rows * cols * len(members)].reshape(len(numbers), len(members), cols, rows).swapaxes(-1, -2)
    if not is_family:
        whole = whole[:, 0]
    if cols == 1:
        whole = whole[..., 0]
        if rows == 1:
            whole = whole[..., 0]
    return whole
