"""Addressed dice: published vectors, keys that differ, the same number whoever asks."""

from __future__ import annotations

from hashlib import blake2b
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from ftsim import streams
from ftsim.streams import canonical_json, die, generator, philox, stream_key

steady = settings(deadline=None, derandomize=True)
WORD = st.integers(0, 2**32 - 1)


def counters(trials, turn=1, who=3, purpose=7):
    first = np.arange(trials, dtype=np.uint32)
    return np.stack([first, *(np.full(trials, word, dtype=np.uint32) for word in (turn, who, purpose))])


def scalar_philox(counter, key):
    c0, c1, c2, c3 = counter
    k0, k1 = key % 2**32, key // 2**32
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c2, 2**32)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return [c0, c1, c2, c3]


# Known answers for philox4x32-10 published with Random123 (Salmon et al. 2011).
@pytest.mark.parametrize(
    "counter, key, words",
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
    ids=["zeros", "ones", "pi"],
)
def test_philox_gives_the_published_words(counter, key, words):
    at = np.array([int(word, 16) for word in counter.split()], dtype=np.uint32)
    low, high = (int(word, 16) for word in key.split())
    assert [f"{word:08x}" for word in philox(at, low | high << 32)] == words.split()


@steady
@given(st.lists(st.tuples(WORD, WORD, WORD, WORD), min_size=1, max_size=5), st.integers(0, 2**64 - 1))
def test_philox_on_arrays_equals_one_counter_at_a_time(rows, key):
    words = philox(np.array(rows, dtype=np.uint32).T, key)
    assert words.dtype == np.uint32
    assert words.T.tolist() == [scalar_philox(row, key) for row in rows]


def test_philox_keeps_the_shape_of_its_counters():
    square = counters(6).reshape(4, 2, 3)
    assert np.array_equal(philox(square, 5), philox(counters(6), 5).reshape(4, 2, 3))


def test_any_trial_replays_alone_and_in_any_order():
    whole = philox(counters(1_000), 99)
    assert np.array_equal(philox(counters(1_000)[:, 417], 99), whole[:, 417])
    assert np.array_equal(philox(counters(1_000)[:, ::-1], 99), whole[:, ::-1])
    parts = [philox(part, 99) for part in np.array_split(counters(1_000), 7, axis=1)]
    assert np.array_equal(np.concatenate(parts, axis=1), whole)


def test_every_part_of_the_address_changes_the_words():
    addresses = [counters(64, *where) for where in [(1, 3, 7), (2, 3, 7), (1, 4, 7), (1, 3, 8)]]
    drawn = [philox(address, key).tobytes() for address in addresses for key in (1, 2, 1 << 32)]
    assert len(set(drawn)) == len(drawn)


def test_a_stream_key_is_the_hash_of_the_canonical_address():
    text = b'[1,7,{"card":"Deadly","troop_type":"Knights"},3]'
    wanted = int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
    assert stream_key(7, {"troop_type": "Knights", "card": "Deadly"}, 3) == wanted


def test_stability_of_a_stream_key_typed_from_a_run():
    assert stream_key(20260131, {"contest": "battle"}) == 15661169768972357807


def test_keys_of_different_seeds_scenarios_and_replicates_are_pairwise_distinct():
    scenarios = [{}, *({"card": card, "n": n} for card in ("Deadly", "Hearten") for n in (1, 11, "1", None))]
    scenarios += [{"n": [1, 1]}, {"n": [11]}, {"n": 1, "card": "Deadly", "more": {}}]
    keys = [
        stream_key(seed, scenario, replicate)
        for seed in (0, 1, -1, 11, 2**64)
        for scenario in scenarios
        for replicate in range(12)
    ]
    assert len(set(keys)) == len(keys)
    assert all(0 <= key < 2**64 for key in keys)


def test_a_key_does_not_depend_on_the_order_in_which_a_scenario_is_written():
    assert stream_key(1, {"a": 1, "b": 2}) == stream_key(1, {"b": 2, "a": 1})


def test_a_new_stream_version_changes_every_key(monkeypatch):
    before = stream_key(1, {"a": 1})
    monkeypatch.setattr(streams, "STREAM_VERSION", streams.STREAM_VERSION + 1)
    assert stream_key(1, {"a": 1}) != before


def test_canonical_json_has_one_spelling_and_no_nan():
    assert canonical_json({"b": [1, 2.5, None], "a": "½"}) == '{"a":"½","b":[1,2.5,null]}'
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"a": float("nan")})


def test_eight_batches_share_no_draws():
    batches = [philox(counters(64), stream_key(5, {"cell": 1}, replicate)) for replicate in range(8)]
    for one, other in combinations(batches, 2):
        assert not np.any(one == other)
    drawn = [generator(5, {"cell": 1}, replicate).integers(0, 2**63, 64) for replicate in range(8)]
    for one, other in combinations(drawn, 2):
        assert not np.any(one == other)


def test_pooled_batches_vary_like_independent_coins():
    pooled = np.zeros(400)
    for study in range(400):
        for replicate in range(8):
            words = philox(counters(64), stream_key(study, {"cell": 1}, replicate))[0]
            pooled[study] += np.count_nonzero(die(words, 2) == 1)
    binomial = 8 * 64 / 4
    assert abs(pooled.var(ddof=1) - binomial) < 3 * binomial * np.sqrt(2 / 399)


def test_a_generator_is_rebuilt_alone_from_its_address():
    row = [generator(5, {"cell": 1}, replicate).integers(0, 100, 20).tolist() for replicate in range(4)]
    assert generator(5, {"cell": 1}, 2).integers(0, 100, 20).tolist() == row[2]


@pytest.mark.parametrize("sides", [2, 6, 8, 10])
@pytest.mark.parametrize("word", range(4))
def test_sixty_thousand_dice_show_all_faces_evenly(sides, word):
    faces = die(philox(counters(60_000), stream_key(20260131, {}))[word], sides)
    counts = np.bincount(faces, minlength=sides + 1)
    assert counts[0] == 0
    assert len(counts) == sides + 1
    assert chisquare(counts[1:]).pvalue > 1e-6


def test_the_four_words_of_a_draw_are_independent_dice():
    words = die(philox(counters(60_000), stream_key(20260131, {})), 6)
    for one, other in combinations(words, 2):
        assert chisquare(np.bincount(6 * (one - 1) + other - 1, minlength=36)).pvalue > 1e-6


@steady
@given(st.integers(1, 1_000), st.data())
def test_a_face_begins_exactly_where_its_share_of_the_words_begins(sides, data):
    face = data.draw(st.integers(1, sides))
    first = -(-(face - 1) * 2**32 // sides)
    last = -(-face * 2**32 // sides) - 1
    assert die(np.array([first, last], dtype=np.uint32), sides).tolist() == [face, face]
