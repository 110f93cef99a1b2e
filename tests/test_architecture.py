"""The engine names no game, games do not know each other, and modules import only what stands above them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "ftsim"

#: Reading order: a module may import those before it (and its own package), nothing after it.
READING_ORDER = (
    "errors", "_typing", "dice", "streams", "outcomes", "trials", "chains", "estimates", "catalog", "conditions",
    "notices", "kernels", "addressed", "findings", "documents", "ruleset", "pricing", "experiments", "report",
    "games", "cli",
)  # fmt: skip
GAMES = sorted(path.name for path in (ROOT / "games").iterdir() if (path / "__init__.py").exists())


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Modules imported when the module runs; imports for type checkers only do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    checked = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if node in checked:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("ftsim")}


def part(name: str) -> str:
    pieces = name.split(".")
    return pieces[1] if len(pieces) > 1 else ""


def here(path: Path) -> str:
    relative = path.relative_to(ROOT)
    return relative.parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_stands_above_it(path):
    own = here(path)
    if own == "__init__":
        assert not imports(path)
        return
    later = READING_ORDER[READING_ORDER.index(own) + 1 :]
    wrong = {name for name in imports(path) if part(name) in later}
    assert not wrong


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_command_line_and_the_list_of_games_know_games(path):
    relative = path.relative_to(ROOT).parts
    if relative[0] == "cli" or relative == ("games", "__init__.py"):
        return
    own = relative[1] if relative[0] == "games" else None
    known = {name.split(".")[2] for name in imports(path) if name.startswith("ftsim.games.") and name.count(".") >= 2}
    assert known & set(GAMES) <= {own}


def test_the_engine_never_names_a_game():
    for path in modules():
        if path.relative_to(ROOT).parts[0] in ("games", "cli"):
            continue
        text = path.read_text(encoding="utf-8").lower()
        assert not [game for game in GAMES if game in text], path


def test_every_module_is_in_the_reading_order():
    assert {here(path) for path in modules()} - {"__init__"} == set(READING_ORDER)


def test_no_module_is_too_long_to_read():
    long = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert not {name: lines for name, lines in long.items() if lines > 700}
