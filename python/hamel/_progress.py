"""A bar for what takes long."""

from __future__ import annotations

import importlib.util
import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

Update = Optional[Callable[[float], None]]


def _tqdm() -> Any:
    try:
        # The bar of notebooks warns of itself where it has no widgets to be made of.
        if importlib.util.find_spec("ipywidgets") is None:
            from tqdm.std import tqdm
        else:
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def _somebody_looks() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or hasattr(sys, "ps1") or "ipykernel" in sys.modules)


@contextmanager
def progress_of(wanted: bool | None, start: float, until: float) -> Iterator[Update]:
    """What is told how far it has come from `start` to `until`; none where nobody looks, or tqdm is missing.

    Nothing is shown in the first second. `wanted` decides in place of this, and then at once.
    """
    if wanted is None:
        wanted, delay = _somebody_looks(), 1.0
    else:
        delay = 0.0
    tqdm = _tqdm() if wanted else None
    if tqdm is None:
        yield None
        return
    with tqdm(total=100.0, delay=delay, leave=False, bar_format="{l_bar}{bar}| {elapsed}, {remaining} left") as bar:

        def update(t: float) -> None:
            reached = 100.0 * (t - start) / (until - start) if until > start else 100.0
            bar.update(min(reached, 100.0) - bar.n)

        yield update
