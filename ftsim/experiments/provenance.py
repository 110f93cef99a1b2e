"""Provenance: all that the bytes of a result depend on, and apart from it where they were made."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from ftsim.experiments.schema import Experiment
from ftsim.experiments.study import Study
from ftsim.streams import STREAM_VERSION

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "matplotlib", "statsmodels", "pydantic", "ftsim")


def run_record(experiment: Experiment, study: Study) -> dict[str, Any]:
    """What the bytes depend on: the experiment as read, versions and digests; no time, no place."""
    root = Path(str(files("ftsim"))).parent
    lock = root / "requirements.lock"
    return {
        "experiment": experiment.model_dump(mode="json"),
        "engine_version": study.engine_version,
        "stream_version": STREAM_VERSION,
        "tables": dict(study.provenance()),
        "lock": sha256(lock.read_bytes()).hexdigest()[:16] if lock.exists() else None,
    }


def digest_tables(package: str) -> dict[str, str]:
    """A digest of each table that ships with a package."""
    folder = files(package).joinpath("data")
    return {
        item.name: sha256(item.read_bytes()).hexdigest()[:16]
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith((".csv", ".toml"))
    }


def environment_record() -> dict[str, Any]:
    """Where and when results were made; kept apart, so that making them again changes nothing tracked."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: metadata.version(name) for name in PACKAGES},
        "blas": _blas(),
        "git": _git(),
    }


def as_json(record: Mapping[str, Any]) -> str:
    """A record as it is written."""
    return json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _blas() -> list[dict[str, Any]]:
    from threadpoolctl import threadpool_info

    wanted = ("user_api", "internal_api", "version", "num_threads")
    return [{key: pool.get(key) for key in wanted} for pool in threadpool_info()]


def _git() -> dict[str, Any] | None:
    """Revision and whether files differ from it; None outside a repository."""
    root = Path(str(files("ftsim"))).parent
    try:
        revision = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, timeout=10, check=True
        ).stdout.strip()
        changes = subprocess.run(
            ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return {"revision": revision, "changed": bool(changes.strip())}
