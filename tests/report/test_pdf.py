"""A report as PDF: tagged for readers, beside its page, or a clear word when there is no browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftsim.cli import app
from ftsim.errors import MissingError
from ftsim.report import pdf
from ftsim.report.pdf import write_pdf


@pytest.fixture
def results(published, tmp_path):
    folder = tmp_path / "results" / "small"
    shutil.copytree(published.folder, folder)
    return folder


@pytest.mark.browser
def test_the_command_writes_a_tagged_pdf_beside_the_page(browser, results, monkeypatch):
    monkeypatch.chdir(results.parent.parent)
    result = CliRunner().invoke(app, ["report", "results/small", "--pdf"])
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == ["results/small/index.html", "results/small/index.pdf"]
    raw = (results / "index.pdf").read_bytes()
    assert raw.startswith(b"%PDF-")
    assert b"/MarkInfo" in raw
    assert b"/StructTreeRoot" in raw
    assert len(raw) > 20_000


def test_without_a_browser_the_message_says_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(MissingError, match="--pdf needs Chromium; install it") as failure:
        write_pdf(tmp_path / "index.html")
    assert failure.value.exit_code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_browser_that_fails_is_reported_and_leaves_no_file(monkeypatch, tmp_path):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho it broke >&2\nexit 7\n")
    broken.chmod(0o755)
    monkeypatch.setattr(pdf.shutil, "which", lambda name: str(broken))
    page = tmp_path / "index.html"
    page.write_text("<html></html>")
    with pytest.raises(MissingError, match="Chromium could not print the report: it broke"):
        write_pdf(page)
    assert not page.with_suffix(".pdf").exists()


def test_a_browser_that_fails_does_not_pass_off_an_old_file_as_new(monkeypatch, tmp_path):
    idle = tmp_path / "chromium"
    idle.write_text("#!/bin/sh\nexit 0\n")
    idle.chmod(0o755)
    monkeypatch.setattr(pdf.shutil, "which", lambda name: str(idle))
    page = Path(tmp_path / "index.html")
    page.write_text("<html></html>")
    page.with_suffix(".pdf").write_bytes(b"old")
    with pytest.raises(MissingError, match="could not print"):
        write_pdf(page)
