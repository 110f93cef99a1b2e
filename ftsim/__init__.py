"""Balance analysis for fantasy battle games: rules to exact odds to priced verdicts."""

from importlib.metadata import version

__version__ = version("ftsim")
