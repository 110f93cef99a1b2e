"""The archetype armies that come with ftsim, ready to fight."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from ftsim.games.triumph.armies import check_army
from ftsim.games.triumph.battle.hosts import Host


def archetype_files() -> dict[str, Path]:
    """Army files that come with ftsim, by file stem."""
    package = Path(str(files("ftsim")))
    # A checkout has them beside the package, an installed wheel inside it.
    folder = package / "shipped" if (package / "shipped").is_dir() else package.parent / "experiments"
    return {path.stem: path for path in sorted((folder / "armies").glob("*.yaml"))}


@lru_cache(maxsize=1)
def archetypes() -> Mapping[str, Host]:
    """Archetype armies as hosts, by file stem; read once."""
    return MappingProxyType({stem: Host.from_army(check_army(path)) for stem, path in archetype_files().items()})
