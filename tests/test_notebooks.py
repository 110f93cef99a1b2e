"""The notebooks run from a clean kernel, say what the package says, and are committed without outputs."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from ftsim.estimates import format_number
from ftsim.experiments.schema import RulingsSpec, find_experiment, read_experiment
from ftsim.games import RULESETS
from ftsim.games.triumph.price_study import ClosePlan, Pricer, price_cards

FOLDER = Path(__file__).parent.parent / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
PACKAGES = {"ftsim", "numpy", "pandas", "matplotlib", "pathlib", "tempfile"}


def committed(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=nbformat.NO_CONVERT)


@cache
def executed(name):
    """A notebook after all its cells have run; over sockets in a folder, for workers compete for TCP ports."""
    notebook = committed(name)
    with TemporaryDirectory(prefix="ftsim-") as folder:
        sockets = Config(KernelManager={"transport": "ipc", "connection_file": str(Path(folder) / "kernel.json")})
        where = {"metadata": {"path": str(FOLDER)}}
        NotebookClient(notebook, kernel_name="python3", timeout=400, resources=where, config=sockets).execute()
    return notebook


def printed(notebook, stream="stdout"):
    return "".join(
        output.text
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == stream
    )


def sources(notebook, kind):
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def test_they_are_numbered():
    numbers = [name[:2] for name in NAMES]
    assert numbers[:5] == ["01", "02", "03", "04", "05"]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("name", NAMES)
def test_runs_without_warnings_and_draws(name):
    notebook = executed(name)
    assert "Warning" not in printed(notebook, "stderr")
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    assert 1 <= sum("image/png" in output.get("data", {}) for output in outputs) <= 2
    answer = notebook.cells[-1]
    assert answer.cell_type == "code"
    assert printed(nbformat.v4.new_notebook(cells=[answer]))


@pytest.mark.parametrize("name", NAMES)
def test_is_committed_clean(name):
    notebook = committed(name)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None


@pytest.mark.parametrize("name", NAMES)
def test_reads_easily(name):
    notebook = committed(name)
    kinds = [cell.cell_type for cell in notebook.cells]
    assert kinds[0] == "markdown"
    assert ("code", "code") not in set(pairwise(kinds)), "prose stands between any two code cells"
    assert re.match(r"# .+\?\n\n.+\?", notebook.cells[0].source, re.DOTALL), "it starts with its question"
    assert any(source.rstrip().endswith("## Answer") for source in sources(notebook, "markdown"))
    for source in sources(notebook, "code"):
        assert len(source.splitlines()) <= 9, source


@pytest.mark.parametrize("name", NAMES)
def test_imports_only_public_names_of_known_packages(name):
    for source in sources(committed(name), "code"):
        for package, names in re.findall(r"^(?:from|import) ([\w.]+)(?: import (.+))?", source, re.MULTILINE):
            assert package.partition(".")[0] in PACKAGES
            assert not any(part.strip().startswith("_") for part in [*package.split("."), *names.split(",")])


def test_worth_of_cards_is_what_the_package_says():
    shipped = read_experiment(find_experiment("close-combat-cards"), RULESETS)
    small = shipped.model_copy(update={"rulings": RulingsSpec(), "sweep": {"card": shipped.sweep["card"]}})
    plan = ClosePlan.of(small)
    priced, pricings = price_cards(Pricer(plan, {cell.key: cell.run() for cell in plan.cells()}))
    text = printed(executed("05_what_is_a_card_worth"))
    found = dict(re.findall(r"^([\w ]+): (\S+ factors, \S+ \[.+\] points, \w+)$", text, re.MULTILINE))
    assert found == {
        one.variant.text.partition(":")[0]: f"{format_number(one.factors)} factors, {one.line} points, {one.verdict}"
        for one in priced
    }
    slope = re.search(r"Points per unit of strength: (.+) from (\d+) prices", text)
    assert slope
    assert slope.groups() == (str(pricings["default"][1].line.slope), str(pricings["default"][1].line.prices))
