"""Studies: what an experiment of one contest computes, cell by cell, and what that means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ftsim.streams import canonical_json

if TYPE_CHECKING:
    from ftsim.experiments.schema import Experiment
    from ftsim.findings import Findings

#: Columns of a cell: arrays of one length.
Columns: TypeAlias = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Cell:
    """One piece of an experiment that is computed and kept by itself.

    Parameters
    ----------
    key : str
        Its name among the cells of the experiment, for people.
    reads : mapping
        All that its result depends on; the name of its file is a hash of this.
    compute : callable
        Makes its columns from `arguments`; a function of a module, so that it can travel.
    arguments : mapping
        Passed to `compute` by name.
    record : bool
        Whether its columns, whole numbers and texts, are published with the results, because they
        take long to sample.
    """

    key: str
    reads: Mapping[str, Any]
    compute: Callable[..., Columns] = field(compare=False)
    arguments: Mapping[str, Any] = field(compare=False, default_factory=dict)
    record: bool = field(compare=False, default=False)

    @property
    def id(self) -> str:
        """Name of its file: the same for the same reads, whatever else there is."""
        return sha256(canonical_json(dict(self.reads)).encode()).hexdigest()[:32]

    def run(self) -> Columns:
        """Compute it."""
        return self.compute(**self.arguments)


class Study(Protocol):
    """What experiments of one contest do."""

    engine_version: int

    def cells(self, experiment: Experiment) -> Sequence[Cell]:
        """All cells of an experiment, in a fixed order."""

    def findings(self, experiment: Experiment, results: Mapping[str, Columns]) -> Findings:
        """What the cells say, by cell key."""

    def provenance(self) -> Mapping[str, Any]:
        """Digests of the tables that results depend on."""
