import numpy as np
import pytest

from ftsim import addressed
from ftsim.streams import philox, stream_key

VECTORS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), VECTORS)
def test_the_kernel_gives_the_published_vectors(counter, key, words):
    assert addressed.words(*counter, *key) == words


def test_the_kernel_and_the_arrays_give_the_same_words():
    key = stream_key(7, {"card": "Deadly"})
    rng = np.random.default_rng(1)
    counters = rng.integers(0, 2**32, size=(4, 200), dtype=np.uint32)
    whole = philox(counters, key)
    for k in range(counters.shape[1]):
        assert addressed.words(*map(int, counters[:, k]), *addressed.halves(key)) == tuple(map(int, whole[:, k]))


def test_a_die_shows_every_face_and_no_other():
    faces = [addressed.die(word, 6) for word in (0, 2**32 - 1, 2**31, 715827882, 715827883)]
    assert faces == [1, 6, 4, 1, 2]
