"""Published lists: read from their table with clear errors, and armies that stay within them."""

from __future__ import annotations

from collections import Counter

import pytest

from ftsim.errors import InputError
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.published import COLUMNS, ListOption, from_list, read_lists, sample_lists
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import troop_types

USUAL = TriumphRulings()
HEADER = ",".join(COLUMNS)
GOOD = [
    "7,Marsh Folk,LFT/SKM,2,6,all,KNT/LFT,Marsh/Delta,3/1,2",
    "7,Marsh Folk,BLV,0,20,,KNT/LFT,Marsh/Delta,3/1,2",
    "7,Marsh Folk,KNT,1,4,half,KNT/LFT,Marsh/Delta,3/1,2",
    '8,"Hill Folk, later",PIK,10,20,all,PIK,Hilly,0,4',
]


@pytest.fixture
def table(tmp_path):
    def make(*rows, header=HEADER):
        path = tmp_path / "lists.csv"
        path.write_text("\n".join(["# lists", header, *rows]) + "\n", encoding="utf-8")
        return path

    return make


def test_lists_are_read_as_they_stand(table):
    marsh, hill = read_lists(table(*GOOD))
    assert (marsh.id, marsh.name, hill.name) == (7, "Marsh Folk", "Hill Folk, later")
    assert marsh.options == (
        ListOption(("light_foot", "skirmishers"), 2, 6, "all"),
        ListOption(("bow_levy",), 0, 20, "none"),
        ListOption(("knights",), 1, 4, "half"),
    )
    assert marsh.general_types == ("knights", "light_foot")
    assert marsh.home_topographies == ("marsh", "delta")
    assert (marsh.invasion_ratings, marsh.maneuver_ratings) == ((3, 1), (2,))
    assert marsh.costs() == (2 * 3 + 4, 6 * 3 + 20 * 2 + 4 * 4)


def test_rows_may_carry_their_source(table):
    rows = [f"{row},a book,printed" for row in GOOD]
    assert read_lists(table(*rows, header=HEADER + ",source,basis")) == read_lists(table(*GOOD))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x,Folk,PIK,1,2,,PIK,Hilly,0,4", "list_id 'x' cannot be used; accepted: a whole number"),
        ("-1,Folk,PIK,1,2,,PIK,Hilly,0,4", "list_id '-1'"),
        ("9,,PIK,1,2,,PIK,Hilly,0,4", "name ''"),
        ("9,Folk,PYK,1,2,,PIK,Hilly,0,4", "troop_types: Unknown troop type 'PYK'"),
        ("9,Folk,,1,2,,PIK,Hilly,0,4", "troop_types: Unknown troop type ''"),
        ("9,Folk,PIK,-1,2,,PIK,Hilly,0,4", "min_stands '-1'"),
        ("9,Folk,PIK,1.5,2,,PIK,Hilly,0,4", "min_stands '1.5'"),
        ("9,Folk,PIK,3,2,,PIK,Hilly,0,4", "max_stands '2' cannot be used; accepted: a whole number from 3 to 62"),
        ("9,Folk,PIK,0,0,,PIK,Hilly,0,4", "max_stands '0' cannot be used; accepted: a whole number from 1"),
        ("9,Folk,PIK,1,2,some,PIK,Hilly,0,4", "battle_line 'some' cannot be used; accepted: all, half, or nothing"),
        ("9,Folk,PIK,1,2,,Kings,Hilly,0,4", "general_types: Unknown troop type 'Kings'"),
        ("9,Folk,PIK,1,2,,PIK,Hills,0,4", "home_topographies: Unknown topography 'Hills'.*Hilly"),
        ("9,Folk,PIK,1,2,,PIK,Hilly,5,4", "invasion_ratings '5' cannot be used; accepted: 0 to 4"),
        ("9,Folk,PIK,1,2,,PIK,Hilly,0,1//2", "maneuver_ratings '1//2'"),
        ("9,Folk,PIK,1,2,,PIK,Hilly,0", "9 cells where 10 belong"),
        ("7,Marsh People,PIK,1,2,,KNT/LFT,Marsh/Delta,3/1,2", "name 'Marsh People'.*'Marsh Folk' as in line 3"),
        ("7,Marsh Folk,PIK,1,2,,PIK,Marsh/Delta,3/1,2", "general_types 'PIK'.*as in line 3"),
    ],
)
def test_a_bad_row_is_named_with_file_and_line(table, row, message):
    with pytest.raises(InputError, match=f"lists.csv, line 7.*{message}"):
        read_lists(table(*GOOD, row))


def test_a_row_with_an_empty_source_is_refused(table):
    with pytest.raises(InputError, match=r"line 3: basis 'rumour' cannot be used; accepted: printed"):
        read_lists(table(GOOD[0] + ",a book,rumour", header=HEADER + ",source,basis"))


def test_a_bad_file_is_named(table, tmp_path):
    with pytest.raises(InputError, match=r"none.csv: cannot be read: No such file"):
        read_lists(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_lists(tmp_path)
    with pytest.raises(InputError, match="has no lists"):
        read_lists(table())
    with pytest.raises(InputError, match=r"line 2: columns must be list_id,name"):
        read_lists(table(*GOOD, header="a,b"))
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_lists(tmp_path / "bytes.csv")


# Armies of lists.


def assign(need, options):
    """Whether stands of these types can be shared out among options within their bounds, by search."""
    if not options:
        return not any(need.values())
    option, *rest = options

    def shares(types, room):
        if not types:
            yield {}
            return
        for n in range(min(need[types[0]], room) + 1):
            for other in shares(types[1:], room - n):
                yield {types[0]: n, **other}

    for share in shares(option.troop_types, option.most):
        if sum(share.values()) >= option.least and assign(need - Counter(share), rest):
            return True
    return False


@pytest.mark.parametrize("published", sample_lists(), ids=lambda published: str(published.id))
def test_an_army_of_a_list_stays_within_it(published):
    armies = [from_list(published, 51, number, 3) for number in range(25)]
    for host in armies:
        counts = Counter(stand.troop_type.id for _, stand in host.stands)
        # Options with fewest types first, so that the search ends soon.
        assert assign(counts, sorted(published.options, key=lambda option: len(option.troop_types)))
        assert 47 < host.cost(USUAL) <= 51
        (leader,) = [stand for _, stand in host.stands if stand.general]
        assert leader.troop_type.id in published.general_types
        assert (host.points, host.heroes, host.camp) == (51, (), "camp")
    # The narrowest list offers three mixes, each led by either of its types.
    assert len({host.stands for host in armies}) >= 3


def test_every_type_that_may_lead_does():
    (mongols,) = [published for published in sample_lists() if published.id == 570]
    hosts = [from_list(mongols, 51, number, 3) for number in range(60)]
    assert {stand.troop_type.id for host in hosts for _, stand in host.stands if stand.general} == {
        "elite_cavalry",
        "horse_bow",
    }


def test_a_dozen_lists_come_along_and_field_every_type():
    assert len(sample_lists()) == 12
    fielded = {name for published in sample_lists() for option in published.options for name in option.troop_types}
    assert fielded == set(troop_types())


def test_an_army_depends_on_list_number_and_seed_alone():
    one, two = sample_lists()[3], sample_lists()[4]
    again = [from_list(one, 51, number, 9) for number in (4, 2)]
    from_list(two, 51, 1, 9)
    assert [from_list(one, 51, number, 9) for number in (2, 4)] == again[::-1]
    assert from_list(one, 51, 4, 10) != again[0]
    assert isinstance(again[0], Host)


def test_other_sizes_are_drawn_and_impossible_ones_refused(table):
    marsh, hill = read_lists(table(*GOOD))
    assert 32 < from_list(marsh, 36, 0, 1).cost(USUAL) <= 36
    with pytest.raises(InputError, match="List 8, Hill Folk, later: no army of 24 points: its least numbers cost 30"):
        from_list(hill, 24, 0, 1)
    with pytest.raises(InputError, match="no army of 80 points: all its stands cost 60"):
        from_list(hill, 80, 0, 1)


def test_least_numbers_are_paid_even_where_dear_types_could_be_drawn(table):
    (tight,) = read_lists(table("9,Folk,KNT/RBL,10,12,,RBL,Hilly,0,4"))
    for number in range(40):
        host = from_list(tight, 25, number, 1)
        counts = Counter(stand.troop_type.id for _, stand in host.stands)
        assert host.cost(USUAL) <= 25
        assert 10 <= counts.total() <= 12
        assert counts["rabble"] >= 8


def test_a_list_without_stands_of_its_generals_is_led_by_any(table):
    (odd,) = read_lists(table("9,Folk,PIK,10,20,,RDR,Hilly,0,4"))
    host = from_list(odd, 51, 0, 1)
    assert sum(stand.general for _, stand in host.stands) == 1


def test_a_dense_home_is_kept(table):
    (deep,) = read_lists(table("9,Folk,HFT,10,20,,HFT,Dense Underground,0,4"))
    assert from_list(deep, 51, 0, 1).dense
