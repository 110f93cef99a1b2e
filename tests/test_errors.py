"""What messages say, and that errors reach the user from a worker."""

from __future__ import annotations

import pickle

import pytest

from ftsim import errors
from ftsim.errors import IllegalError, InputError, UnknownNameError

CARDS = ("Deadly", "Hearten", "Prowess", "Weaken")


def test_an_unknown_name_suggests_the_near_ones():
    error = UnknownNameError("battle card", "Dedly", CARDS)
    assert str(error) == "Unknown battle card 'Dedly' (did you mean 'Deadly'?)"
    assert (error.kind, error.name) == ("battle card", "Dedly")


def test_suggestions_ignore_case_and_keep_the_spelling_of_the_catalog():
    assert "'Deadly'" in str(UnknownNameError("battle card", "DEADLI", CARDS))


def test_at_most_three_names_are_suggested():
    message = str(UnknownNameError("option", "x10", (f"x1{k}" for k in range(1, 9))))
    assert message.count("'x1") == 1 + 3


def test_a_name_like_nothing_lists_what_is_accepted():
    message = str(UnknownNameError("battle card", "qqq", reversed(CARDS)))
    assert message == "Unknown battle card 'qqq'; accepted: Deadly, Hearten, Prowess, Weaken"


def test_a_name_like_nothing_does_not_list_a_long_catalog():
    assert str(UnknownNameError("thing", "qqq", map(str, range(41)))) == "Unknown thing 'qqq'"


def test_an_illegal_thing_lists_every_broken_rule():
    error = IllegalError("Knights + Craven", ["too many cards", "not for mounted"])
    assert str(error) == "Knights + Craven is not legal:\n  - too many cards\n  - not for mounted"
    assert error.reasons == ("too many cards", "not for mounted")


@pytest.mark.parametrize(
    "name, code",
    [
        ("FtsimError", 2),
        ("InputError", 2),
        ("UnknownNameError", 2),
        ("IllegalError", 2),
        ("MissingError", 3),
        ("AuditError", 4),
        ("PartialError", 5),
    ],
)
def test_each_error_has_the_documented_exit_code(name, code):
    kind = getattr(errors, name)
    assert issubclass(kind, errors.FtsimError)
    assert kind.exit_code == code


@pytest.mark.parametrize(
    "error",
    [
        InputError("No data"),
        UnknownNameError("battle card", "Dedly", CARDS),
        IllegalError("Knights + Craven", ["too many cards"]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_comes_back_whole_from_another_process(error):
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)
