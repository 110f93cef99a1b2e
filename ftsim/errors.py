"""What can go wrong, each with one clear message: what, where, what would be accepted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any


class FtsimError(Exception):
    """Base of every error meant for a user; the command line prints its message and no traceback."""

    exit_code = 2


class InputError(FtsimError, ValueError):
    """Raised for a value, name or file that cannot be used; the message says what would be."""


class UnknownNameError(InputError):
    """Raised when a name is not in a catalog; suggests the nearest ones.

    Parameters
    ----------
    kind : str
        What was looked up, such as ``"battle card"``.
    name : str
        The name as the user wrote it.
    known : iterable of str
        Every accepted spelling.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        options = sorted(set(known))
        self.kind, self.name, self.known = kind, name, tuple(options)
        super().__init__(f"Unknown {kind} {name!r}{_suggestion(name, options)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.name, self.known)


class IllegalError(InputError):
    """Raised for a stand, hero or army that breaks rules; lists every broken rule at once."""

    def __init__(self, what: str, reasons: Sequence[str]) -> None:
        self.what, self.reasons = what, tuple(reasons)
        super().__init__(f"{what} is not legal:\n" + "\n".join(f"  - {reason}" for reason in reasons))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.reasons)


class MissingError(FtsimError):
    """Raised when the machine lacks something ftsim needs, such as a browser for PDF."""

    exit_code = 3


class AuditError(FtsimError):
    """Raised when ftsim's own check of a result fails."""

    exit_code = 4


class PartialError(FtsimError):
    """Raised when some cells of an experiment failed; the others are kept."""

    exit_code = 5


def _suggestion(name: str, options: Sequence[str]) -> str:
    folded = {option.casefold(): option for option in options}
    close = [folded[match] for match in get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.6)]
    if close:
        return f" (did you mean {' or '.join(repr(option) for option in close)}?)"
    if len(options) <= 40:
        return f"; accepted: {', '.join(options)}"
    return ""
