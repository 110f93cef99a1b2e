"""A Dask cluster computes the same bytes as one process here."""

from __future__ import annotations

import pytest

from ftsim.errors import InputError
from ftsim.games import RULESETS
from ftsim.report.publish import publish

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster():
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        dashboard_address=None,
        host="127.0.0.1",
        protocol="tcp",
    ) as one:
        yield one.scheduler_address


def test_a_dask_cluster_writes_the_same_bytes(swept, reference, contents, cluster, tmp_path):
    made = publish(swept, RULESETS["triumph"], tmp_path, scheduler=cluster)
    assert made.run.computed == len(reference.run.results)
    assert contents(made.folder) == contents(reference.folder)


@pytest.mark.parametrize("address", ["nonsense", "tcp://", "ftp://127.0.0.1:1"])
def test_an_address_without_a_scheduler_is_refused(experiment, address, tmp_path):
    with pytest.raises(InputError, match="--scheduler"):
        publish(experiment(), RULESETS["triumph"], tmp_path, scheduler=address)
