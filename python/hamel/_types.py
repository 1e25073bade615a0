"""The words of annotations and stubs, for type checkers alone: nothing imports this while it runs."""

import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike as ArrayLike

from ._hamel import Formula, State

Array = npt.NDArray[np.float64]
FormulaLike = Union[Formula, float, npt.NDArray[Any], Sequence[Any]]  # numbers and formulas may be mixed in a list
NamedNumbers = Mapping[str, ArrayLike]
NamedFormulas = Mapping[str, FormulaLike]
NamedTexts = Mapping[str, Union[str, ArrayLike]]
Path = Union[str, "os.PathLike[str]"]
InputValues = Optional[Union[ArrayLike, NamedNumbers]]
Inputs = Optional[Union[ArrayLike, NamedFormulas, Callable[[State], Union[ArrayLike, NamedNumbers]]]]
