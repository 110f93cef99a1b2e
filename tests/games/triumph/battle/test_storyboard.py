"""Storyboards: well-formed drawings that show every stand of every turn, the same bytes each time."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ftsim.games.triumph.battle.build import Board
from ftsim.games.triumph.battle.engine import BattleOptions
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.log import Laid, Lost
from ftsim.games.triumph.battle.replays import told
from ftsim.games.triumph.battle.storyboard import COLUMNS, storyboard
from ftsim.games.triumph.notation import Hero, Stand

SVG = "{http://www.w3.org/2000/svg}"


def host(name: str, *stands: str, heroes: tuple[str, ...] = ()) -> Host:
    found = []
    for text in stands:
        count, _, notation = text.partition(" x ")
        found += [Stand.read(notation)] * int(count)
    return Host.of(name, found, [Hero.read(text) for text in heroes])


ODD = host('<Odd> & "Even"', "1 x Knights + general", "6 x Heavy Foot", "2 x Shooters", heroes=("Hero + Prowess",))
PLAIN = host("Plain", "1 x Spear + general", "5 x Spear", "3 x Horse Bow", "2 x Skirmishers")


def drawn(trial: int, policy: str = "greedy", topography: str | None = "forest"):
    how = BattleOptions(policy, policy, Board(topography=topography))
    story, _, _ = told((ODD, PLAIN), trial, how, 7)
    text = storyboard(story, how.board, f"{story.names[0]} against {story.names[1]}, trial {trial}")
    return story, text, ElementTree.fromstring(text)


def texts(node) -> list[str]:
    return [element.text or "" for element in node.iter(f"{SVG}text")]


@pytest.mark.parametrize("policy", ["greedy", "advance"])
@pytest.mark.parametrize("topography", [None, "forest"])
def test_a_frame_shows_every_stand_that_is_on_the_board(policy, topography):
    for trial in range(4):
        story, text, root = drawn(trial, policy, topography)
        assert len(text.encode()) < 400_000
        frames = root.findall(f"{SVG}g")
        last = [story.frames[0], *story.frames[2::2]]
        if len(story.frames) % 2 == 0:
            last.append(story.frames[-1])
        assert len(frames) == len(last)
        for frame, shown in zip(last, frames, strict=True):
            board = shown.find(f"{SVG}g")
            names = [title.text for title in board.iter(f"{SVG}title")]
            standing = [
                piece.name
                for piece, state in zip(story.pieces, frame.states, strict=True)
                if state.status == "on board"
            ]
            found = [name.split(":")[0] for name in names if not name.endswith(" lost")]
            assert found == standing
            patches = [event for event in story.frames[0].events if isinstance(event, Laid)]
            assert len(board.findall(f"{SVG}rect[@class='w']")) == len(patches)


def test_losses_are_crossed_in_the_frame_of_their_turn_and_counted_below():
    story, _, root = drawn(2)
    frames = root.findall(f"{SVG}g")
    crossed = sum(path.get("class") == "x" for frame in frames for path in frame.iter(f"{SVG}path"))
    lost = [event for frame in story.frames for event in frame.events if isinstance(event, Lost)]
    assert crossed == sum(story.pieces[event.who].kind != "hero" for event in lost) > 0
    for event in lost:
        frame = frames[(event.turn + 1) // 2]
        assert any(str(story.pieces[event.who]) in line for line in texts(frame))
    assert any(line.endswith("won.") for line in texts(frames[-1]))
    for number, frame in enumerate(frames):
        assert texts(frame)[0] == (f"Turn {number}" if number else "Deployment")
        assert any(line.startswith("Points lost: A ") for line in texts(frame))


def test_frames_wrap_into_columns():
    _, _, root = drawn(2)
    places = [tuple(map(float, g.get("transform")[10:-1].split())) for g in root.findall(f"{SVG}g")]
    assert len(places) > COLUMNS
    assert len({x for x, _ in places}) == COLUMNS
    assert len({y for _, y in places}) == -(-len(places) // COLUMNS)
    width, height = (float(root.get(key)) for key in ("width", "height"))
    assert all(0 <= x < width and 0 <= y < height for x, y in places)


def test_names_are_escaped_and_colour_follows_the_page():
    _, text, root = drawn(1)
    assert root.find(f"{SVG}title").text.startswith('<Odd> & "Even" against Plain')
    assert "<Odd>" not in text
    assert "currentColor" in text
    # Sides differ in shape as well: square corners and round ones.
    corners: dict[str, set[str | None]] = {"a": set(), "b": set()}
    for rect in root.iter(f"{SVG}rect"):
        side = (rect.get("class") or "none").split()[0]
        if side in corners:
            corners[side].add(rect.get("rx"))
    assert corners["a"]
    assert corners["b"]
    assert not corners["a"] & corners["b"]


def test_the_same_battle_is_the_same_bytes():
    assert drawn(5)[1] == drawn(5)[1]
    assert drawn(5)[1] != drawn(6)[1]
