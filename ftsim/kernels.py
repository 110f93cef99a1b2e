"""Kernels: functions that numba compiles, and that run as plain Python just as well.

What was measured is kept here, so that no kernel has to know it: every kernel declares its
signature (without, each mix of integer widths compiles again); scalars are int64; functions
that allocate nothing run without reference counting; the cache folder is named after a hash of
all kernel sources of a game, because numba's own cache does not see a change in an imported
kernel.

Set ``FTSIM_JIT=0`` to run the same functions as plain Python, ``FTSIM_BOUNDS=1`` to have
compiled ones check every index.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ftsim.notices import tell

JIT = os.environ.get("FTSIM_JIT", "1") != "0"
BOUNDS = os.environ.get("FTSIM_BOUNDS", "0") == "1"

F = TypeVar("F", bound=Callable[..., object])


def kernel(signature: str, *, allocates: bool = False, inline: bool = False) -> Callable[[F], F]:
    """Compile a function with the given signature when it is first imported, once per machine.

    Parameters
    ----------
    signature : str
        numba's notation, such as ``"int64(int64, int64[:])"``; integers are int64.
    allocates : bool
        Whether the function makes arrays; others run without reference counting, which is
        1.6 times as fast.
    inline : bool
        Whether callers take it in whole. A tuple of arrays is handed over as some hundred numbers, so that a call
        costs more than what most small functions do.
    """

    def compiled(function: F) -> F:
        if not JIT:
            return function
        numba: Any = import_module("numba")
        numba.config.CACHE_DIR = str(cache_folder(function.__module__))
        options = {"nogil": True, "cache": True, "error_model": "numpy", "boundscheck": BOUNDS}
        if not allocates:
            options["_nrt"] = False
        if inline:
            options["forceinline"] = True
        done: F = numba.njit(signature, **options)(function)
        return done

    return compiled


def cache_folder(module: str) -> Path:
    """Where compiled kernels of a module's game are kept, under the user's cache directory.

    ``FTSIM_CACHE`` names another directory.
    """
    numba: Any = import_module("numba")
    base = os.environ.get("FTSIM_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    about = f"{numba.__version__} {sys.version} {np.__version__} {BOUNDS} {_sources(_game(module))}"
    return Path(base) / "ftsim" / blake2b(about.encode(), digest_size=10).hexdigest()


def announce(module: str, function: str, text: str) -> None:
    """Tell who listens to `notices` that a module is about to be compiled, unless it is loaded or in the cache.

    Parameters
    ----------
    module, function : str
        A kernel that is compiled last; its cache entry stands for all it needs.
    text : str
        What to say.
    """
    if not JIT or module in sys.modules:
        return
    pattern = f"*/{module.rsplit('.', 1)[-1]}.{function}-*.nbi"
    if not any(cache_folder(module).glob(pattern)):
        tell(text)


def _game(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:3]) if parts[:2] == ["ftsim", "games"] else "ftsim"


@cache
def _sources(package: str) -> str:
    """A digest of every kernel source that a package can reach: the engine's and its own."""
    root = Path(__file__).parent
    own = root.joinpath(*package.split(".")[1:])
    files = {root / "kernels.py", *root.glob("*.py"), *own.rglob("*.py")}
    digest = blake2b(digest_size=16)
    for path in sorted(files):
        text = path.read_bytes()
        if b"@kernel(" in text or path.name == "kernels.py":
            digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()
