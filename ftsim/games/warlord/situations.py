"""Settings of the command line and of experiment options, read one by one with clear messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from ftsim.errors import InputError, UnknownNameError
from ftsim.games.warlord.profile_file import read_profiles, shipped
from ftsim.games.warlord.profiles import Profiles


class Settings:
    """Settings of a contest; what is not asked for is refused by `done`.

    Parameters
    ----------
    given : mapping of str to str
        As the caller wrote them.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = dict(given)
        self._known: list[str] = []

    def text(self, key: str, default: str, accepted: Sequence[str] = ()) -> str:
        """A text, one of those accepted."""
        self._known.append(key)
        value = self._given.pop(key, default)
        if accepted and value not in accepted:
            raise InputError(f"Situation {key}: {value!r} is not an option; accepted: {', '.join(accepted)}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """``yes`` or ``no``."""
        return self.text(key, "yes" if default else "no", ("yes", "no")) == "yes"

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """A whole number between two ends."""
        value = self.text(key, str(default))
        if not value.lstrip("-").isdigit() or not low <= int(value) <= high:
            raise InputError(f"Situation {key}: {value!r} cannot be used; accepted: {low} to {high}")
        return int(value)

    def length(self, key: str, default: str) -> Fraction:
        """Centimetres."""
        value = self.text(key, default)
        try:
            found = Fraction(value)
        except (ValueError, ZeroDivisionError):
            found = Fraction(-1)
        if not 0 <= found <= 10_000:
            raise InputError(f"Situation {key}: {value!r} cannot be used; accepted: cm from 0 to 10000")
        return found

    def optional(self, key: str, low: int, high: int) -> int | None:
        """A whole number, or None when it is not given."""
        if key not in self._given:
            self._known.append(key)
            return None
        return self.whole(key, 0, low, high)

    def profiles(self) -> Profiles:
        """The profile file given under ``profiles``, or the one that ships."""
        path = self.text("profiles", "")
        return read_profiles(Path(path)) if path else shipped()

    def done(self) -> None:
        """Refuse what nobody asked for.

        Raises
        ------
        UnknownNameError
            If a setting is left.
        """
        for key in self._given:
            raise UnknownNameError("situation", key, self._known)
