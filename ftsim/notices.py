"""What a user who waits should hear; libraries never print on their own."""

from __future__ import annotations

from collections.abc import Callable

_LISTENERS: list[Callable[[str], None]] = []


def listen(say: Callable[[str], None] | None) -> None:
    """Have notices passed to a function from now on; None for nobody."""
    _LISTENERS[:] = [] if say is None else [say]


def tell(text: str) -> None:
    """Pass a line of text to who listens."""
    for say in _LISTENERS:
        say(text)
