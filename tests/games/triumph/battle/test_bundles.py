"""Cards together on one stand: every subset on the same dice, shares that add up, and what is known beforehand."""

from __future__ import annotations

import numpy as np
import pytest

from ftsim.documents import read_document
from ftsim.experiments.schema import check_experiment
from ftsim.findings import Table
from ftsim.games import RULESETS
from ftsim.games.triumph.battle.arms import Subject, bearer_words, bearers, drawn_armies, one_more, scorer, with_picks
from ftsim.games.triumph.battle.bundles import bundle_of, columns_of, compute_bundle, is_bundle
from ftsim.games.triumph.battle.engine import BattleOptions
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.pricing.attribution import attributed_prices, subsets
from ftsim.report.publish import publish

RULINGS = TriumphRulings()
OPTIONS = BattleOptions("advance", "advance")
TWO = Subject.of("Deadly + Prowess", RULINGS)

TEXT = """\
schema_version: 1
name: small
question: Do they help one another?
game: triumph
contest: battle
seed: 4
trials: 400
sweep:
  card: [Deadly + Prowess, Deadly]
  policy: [advance]
price: [equal-points]
"""


def test_several_cards_on_one_stand_are_a_bundle():
    assert is_bundle(TWO)
    assert not is_bundle(Subject.of("Deadly", RULINGS))
    assert not is_bundle(Subject.of("Hero + Champion + Deadly", RULINGS))


def test_sums_give_what_the_trials_give():
    """Blocks of sums against the same trials kept one by one."""
    blocks = [compute_bundle(OPTIONS, 5, TWO, first, 2000, True) for first in (0, 2000)]
    assert set(blocks[0]) >= set(columns_of(2))
    found = bundle_of(TWO, "advance", RULINGS, blocks)
    base = drawn_armies(TWO.group, 5, 0, 4000, RULINGS, "own")
    scores = scorer(TWO.group, base, OPTIONS, 5, 0)
    words = bearer_words(5, TWO.group, 0, 4000, base.spec.shape[1])
    own, chosen, _ = bearers(TWO, base, words[0], RULINGS)
    more, cost, _ = one_more(own, words[1])
    picks = {str(pick): pick for pick in TWO.picks}
    played = [
        scores(with_picks(own, chosen, tuple(picks[n] for n in some), RULINGS)) for some in subsets(found.cards)
    ]
    slow = attributed_prices(found.cards, np.array(played), scores(more), cost)
    for share, ratio in zip(found.shares, slow.values(), strict=True):
        assert (share.value, share.low, share.high) == pytest.approx(
            (ratio.estimate().value, ratio.estimate().low, ratio.estimate().high)
        )
    assert found.trials == 4000


def test_shares_add_up_to_the_whole_and_synergy_is_what_is_left_over():
    found = bundle_of(TWO, "advance", RULINGS, [compute_bundle(OPTIONS, 6, TWO, 0, 4000, True)])
    assert sum(share.value for share in found.shares) == pytest.approx(found.whole.value)
    alone = sum(one.value for one in found.alone)
    assert found.synergy.value == pytest.approx(found.whole.value - alone)
    assert found.printed == (2.0, 1.0)


def test_a_bundle_is_reported_with_a_row_a_card_and_one_for_the_whole(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(TEXT, encoding="utf-8")
    made = publish(check_experiment(read_document(path), RULESETS), RULESETS["triumph"], tmp_path / "results")
    tables = {p.id: p for s in made.findings.sections for p in s.parts if isinstance(p, Table)}
    assert [row["part"] for row in tables["bundles"].rows] == ["Deadly", "Prowess", "all together"]
    assert (made.folder / "bundles.csv").exists()
