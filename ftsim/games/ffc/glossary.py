"""Words of the reports, from their table."""

from __future__ import annotations

from functools import lru_cache

from ftsim.catalog import read_table
from ftsim.findings import Term
from ftsim.games.ffc.cards import PACKAGE


@lru_cache(maxsize=1)
def glossary() -> tuple[Term, ...]:
    """Every term with its definition and example."""
    rows = read_table(PACKAGE, "terms.csv", ("term", "definition", "example"))
    return tuple(Term(row["term"], row["definition"], row["example"]) for row in rows)
