"""A report as a tagged PDF, printed by Chromium."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from ftsim.errors import MissingError
from ftsim.experiments.cells import writable

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def write_pdf(page: Path) -> Path:
    """Print a page into a PDF beside it.

    Raises
    ------
    MissingError
        If there is no Chromium, or it fails.
    """
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise MissingError("--pdf needs Chromium; install it, for example with: apt-get install chromium")
    target = page.with_suffix(".pdf")
    with writable(target):
        target.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
            "--no-pdf-header-footer",
            "--export-tagged-pdf",
            f"--print-to-pdf={target.resolve()}",
            page.resolve().as_uri(),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    if done.returncode != 0 or not target.exists():
        last = done.stderr.strip().splitlines()
        raise MissingError(f"Chromium could not print the report: {last[-1] if last else 'no reason given'}")
    return target
