"""Published results are made again and compared: a stale or planted number is found."""

from __future__ import annotations

import json
import shutil

import pytest

from ftsim.errors import AuditError, FtsimError, InputError
from ftsim.games import RULESETS
from ftsim.report.audit import audit
from ftsim.report.publish import publish, read_results, write_site


@pytest.fixture
def results(published, tmp_path):
    """A copy as it is published: without cells and without the record of the machine."""
    folder = tmp_path / "small"
    shutil.copytree(published.folder, folder, ignore=shutil.ignore_patterns("cells", "environment.json", ".lock"))
    return folder


@pytest.fixture(scope="session")
def duels(experiment, tmp_path_factory):
    one = experiment(name="duels", contest="duel", sweep={}, price=[], rulings={})
    return publish(one, RULESETS["triumph"], tmp_path_factory.mktemp("duels"))


def replaced(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


def test_untouched_results_pass(results):
    before = {path.name: path.read_bytes() for path in results.iterdir()}
    assert audit(results, RULESETS) == "results of small, computed again: 3 files agree"
    assert {path.name: path.read_bytes() for path in results.iterdir()} == before


def plant(path, column, change):
    lines = path.read_text().splitlines()
    at = lines[0].split(",").index(column)
    cells = lines[1].split(",")
    digits = len(cells[at].partition(".")[2])
    cells[at] = f"{float(cells[at]) + change:.{digits}f}"
    path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]) + "\n")


@pytest.mark.parametrize(
    ("column", "change"),
    [("printed", 1), ("factors", -0.01), ("implied", 0.0002), ("line_low", 0.0001), ("hull_high", -0.0001)],
)
def test_a_wrong_number_in_prices_is_found(results, column, change):
    plant(results / "prices.csv", column, change)
    with pytest.raises(AuditError, match=r"prices\.csv differs.*ftsim publish small") as failure:
        audit(results, RULESETS)
    assert failure.value.exit_code == 4


def test_a_wrong_verdict_is_found(results):
    replaced(results / "prices.csv", "undecided", "fair")
    with pytest.raises(AuditError, match=r"prices\.csv differs"):
        audit(results, RULESETS)


@pytest.mark.parametrize("change", [1, -1, 5])
def test_a_wrong_count_is_found(duels, tmp_path, change):
    folder = tmp_path / "duels"
    shutil.copytree(duels.folder, folder)
    plant(folder / "figures.csv", "with_wins", change)
    with pytest.raises(AuditError, match=r"figures\.csv differs"):
        audit(folder, RULESETS)


def test_a_wrong_number_in_the_page_is_found(results):
    replaced(results / "index.html", "1.00", "1.01")
    with pytest.raises(AuditError, match=r"index\.html differs"):
        audit(results, RULESETS)


@pytest.mark.parametrize(("old", "new"), [('"engine_version": ', '"engine_version": 9'), ('"lock": "', '"lock": "0')])
def test_a_record_of_another_version_is_found(results, old, new):
    replaced(results / "run.json", old, new)
    with pytest.raises(AuditError, match=r"run\.json differs"):
        audit(results, RULESETS)


def test_a_record_of_another_experiment_is_found(results):
    replaced(results / "run.json", '"Deadly"', '"Hearten"')
    with pytest.raises(AuditError, match=r"prices\.csv differs; index\.html differs"):
        audit(results, RULESETS)


def test_a_missing_row_and_a_missing_file_are_found(results):
    path = results / "prices.csv"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    (results / "index.html").unlink()
    with pytest.raises(AuditError, match=r"prices\.csv differs; index\.html is missing"):
        audit(results, RULESETS)


def test_a_file_that_is_no_text_differs(results):
    (results / "index.html").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AuditError, match=r"index\.html differs"):
        audit(results, RULESETS)


def test_a_folder_in_place_of_a_file_differs(results):
    (results / "prices.csv").unlink()
    (results / "prices.csv").mkdir()
    with pytest.raises(FtsimError, match=r"prices\.csv"):
        audit(results, RULESETS)


RECORDS = [
    "",
    "{",
    "{}",
    "[]",
    "null",
    '"x"',
    "5",
    '{"experiment": null}',
    '{"experiment": {}}',
    '{"experiment": []}',
]


@pytest.mark.parametrize("text", RECORDS)
@pytest.mark.parametrize("read", [audit, read_results])
def test_a_record_that_cannot_be_read_is_refused(results, text, read):
    (results / "run.json").write_text(text)
    with pytest.raises(InputError, match=r"run\.json cannot be read"):
        read(results, RULESETS)


CHANGES = {
    "an unknown game": {"game": "chess"},
    "an unknown contest": {"contest": "melee"},
    "no cards": {"sweep": {}},
    "an unknown card": {"sweep": {"card": ["Deadlee"]}},
    "an unknown set of weights": {"loss_weights": "light"},
    "an unknown ruling": {"rulings": {"set": {}, "sweep": ["overlop"]}},
    "an unknown field": {"field": "publishd"},
    "an unknown situation": {"situations": {"opn": 1.0}},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("read", [audit, read_results])
def test_a_record_of_what_does_not_exist_is_refused(results, change, read):
    record = json.loads((results / "run.json").read_text())
    record["experiment"] |= change
    (results / "run.json").write_text(json.dumps(record))
    with pytest.raises(InputError):
        read(results, RULESETS)


@pytest.mark.parametrize("read", [audit, read_results])
def test_a_folder_without_a_record_is_named(tmp_path, read):
    with pytest.raises(InputError, match=r"there is no run\.json"):
        read(tmp_path, RULESETS)


def test_results_whose_cells_are_gone_are_not_read(results):
    with pytest.raises(InputError, match="is missing, damaged or of another version; run it again with: ftsim run"):
        read_results(results, RULESETS)


def test_a_site_of_one_report_opens_with_it_and_of_two_with_an_index(published, duels, tmp_path):
    one = write_site([published], tmp_path / "one")
    assert one == tmp_path / "one" / "small" / "index.html"
    assert one.read_bytes() == published.page.read_bytes()
    two = write_site([published, duels], tmp_path / "two")
    assert two == tmp_path / "two" / "index.html"
    assert 'href="small/index.html"' in two.read_text()
    assert (tmp_path / "two" / "duels" / "index.html").exists()
    assert (tmp_path / "two" / ".nojekyll").exists()
