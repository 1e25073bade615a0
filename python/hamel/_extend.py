"""Methods that are written in Python, of classes that are written in C++."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def method_of(cls: type, name: str = "") -> Callable[[F], F]:
    """Makes a function a method of the class, under its own name or another, also for stubs and the reference, which look at modules and names."""

    def add(function: F) -> F:
        function.__module__ = cls.__module__
        function.__name__ = name or function.__name__
        function.__qualname__ = f"{cls.__qualname__}.{function.__name__}"
        setattr(cls, function.__name__, function)
        return function

    return add
