"""Orderings: those of the package, those of files, and what a percentage of them is."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from fractions import Fraction
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equity
from equity.errors import DataError
from equity.ranges import Ordering, Range, ordering_names, read_ordering, select_ordering
from equity.ranges.class_notation import class_text
from equity.ranges.hands import hand_space
from equity.ranges.orderings import DEFAULT, ordering_folder
from equity.ranges.tree import Percent
from equity.results.tally import POT, part_of_pot
from equity.rules.cards import format_cards, parse_cards
from equity.rules.games import GAMES, Game

REFERENCE = os.environ.get("EQUITY_REFERENCE")
NAMES = ["ring", "6max", "random"]
EVERY = [(game, name) for game in GAMES for name in NAMES]
by_ordering = pytest.mark.parametrize(
    ("game", "name"), EVERY, ids=[f"{game.name}-{name}" for game, name in EVERY]
)


def percent(high: str, low: str | None = None) -> Percent:
    return Percent(None if low is None else Decimal(low), Decimal(high))


def count(ordering: Ordering, high: str, low: str | None = None) -> int:
    return int(ordering.mask(percent(high, low)).sum())


# Those of the package


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_its_orderings(game: Game) -> None:
    assert set(ordering_names(game.name)) == set(NAMES)
    assert ordering_names(game.name)[0] == DEFAULT


@by_ordering
def test_an_ordering_has_every_class_once(game: Game, name: str) -> None:
    ordering = select_ordering(name, game)
    types = hand_space(game.hole).types
    assert np.array_equal(np.sort(ordering.order), np.arange(types.count))
    assert ordering.combos[-1] == hand_space(game.hole).size
    assert ordering.is_intact
    assert ordering.facts
    assert (ordering.facts.game, ordering.name) == (game.name, name)


@by_ordering
def test_it_is_sorted_by_score_and_ties_by_class(game: Game, name: str) -> None:
    ordering = select_ordering(name, game)
    assert ordering.scores is not None
    scores = -ordering.scores.astype(np.int64)[ordering.order]
    keys = list(zip(scores.tolist(), ordering.order.tolist(), strict=True))
    assert keys == sorted(keys)


@by_ordering
def test_everything_is_everything(game: Game, name: str) -> None:
    ordering = select_ordering(name, game)
    size = hand_space(game.hole).size
    assert count(ordering, "100", "1") == count(ordering, "100") == size
    counts = [count(ordering, str(number)) for number in (1, 2, 10, 35, 99, 100)]
    assert counts == sorted(counts)
    first, rest = ordering.mask(percent("10")), ordering.mask(percent("100", "11"))
    assert np.array_equal(first, ~rest)


@by_ordering
def test_good_hands_are_good(game: Game, name: str) -> None:
    ordering = select_ordering(name, game)
    space = hand_space(game.hole)
    texts = ["AsAhKsKhQsQh", "AsAh2s3h4d5c", "7s2h2d2c7d3c"]
    hands = np.array([parse_cards(text[: 2 * game.hole]) for text in texts], np.uint8)
    aces, wheel, bad = (
        ordering.percentile(int(kind)) for kind in space.types.of(space.index(hands))
    )
    assert aces < 4 or game.low
    assert wheel < (10 if game.low else 25)
    assert bad > 80


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_equities_against_any_hand_average_to_one_half(game: Game) -> None:
    ordering = select_ordering("random", game)
    assert ordering.scores is not None
    assert ordering.facts
    types = hand_space(game.hole).types
    sizes = types.size(np.arange(types.count)).tolist()
    total = sum(a * b for a, b in zip(ordering.scores.tolist(), sizes, strict=True))
    mean = Fraction(total, ordering.facts.units * hand_space(game.hole).size)
    if ordering.facts.standard_error == 0:
        assert mean == Fraction(1, 2)
    else:
        assert abs(mean - Fraction(1, 2)) < Fraction(1, 1000)


@pytest.mark.parametrize("game", [game for game in GAMES if game.hole == 4], ids=lambda g: g.name)
@pytest.mark.parametrize("hand", ["AsAhKsKh", "QsQhQd7c"])
def test_exact_equities_agree_with_a_walk_of_every_opponent(game: Game, hand: str) -> None:
    from equity.engine.sweeping import Deal, Hands, PairWalk

    space = hand_space(4)
    mine = np.array([parse_cards(hand)], np.uint8)
    others = space.hands(np.arange(space.size))
    others = others[~np.isin(others, mine).any(axis=1)]
    assert len(others) == 194_580
    walk = PairWalk(Deal(
        Hands(mine, np.ones(1, np.int64)), Hands(others, np.ones(len(others), np.int64)),
        (), (), game,
    ))  # fmt: skip
    sums = walk.start()
    for number in range(walk.chunk_count):
        walk.run(walk.chunk(number), sums)
    tally = walk.tally([sums])
    won = sum(
        count * sum(share)
        for high, low, count in tally.results(0)
        for share in [part_of_pot(high, low)]
    )
    ordering = select_ordering("random", game)
    assert ordering.scores is not None
    assert ordering.facts
    score = int(ordering.scores[space.types.of(space.index(mine))[0]])
    expected = Fraction(won, POT * tally.weight)
    assert Fraction(score, ordering.facts.units) == expected


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_equities_against_any_hand_agree_with_samples(game: Game) -> None:
    space = hand_space(game.hole)
    # A sample takes a second to make ready with six cards.
    count = 12 if game.hole < 6 else 3
    hands = space.hands(np.random.default_rng(1).integers(0, space.size, count)).tolist()
    for seed, hand in enumerate(hands):
        standing = equity.rank(hand, game)
        result = equity.odds([format_cards(hand), "*"], game, trials=40_000, seed=seed)
        error = result.players[0].std_error
        assert error is not None
        assert error["equity"] is not None
        assert standing.equity is not None
        assert standing.std_error is not None
        assert abs(standing.equity - result.equities[0]) < 5 * (
            error["equity"] + standing.std_error
        )


# What a percentage is


@given(
    st.sampled_from(NAMES),
    st.decimals("0.001", 100, places=3),
    st.decimals(0, 100, places=3) | st.none(),
    st.integers(0, 3),
)
def test_a_percentage_is_what_the_definition_says(
    name: str, high: Decimal, low: Decimal | None, places: int
) -> None:
    quantum = Decimal(1).scaleb(-places)
    high = max(high.quantize(quantum), quantum)
    low = None if low is None else min(low.quantize(quantum), high)
    ordering = select_ordering(name)
    size, scale = hand_space(4).size, 10**places
    # p = ceil(100 * cum / N), at the decimals given, is between the ends.
    p = -(-100 * scale * ordering.combos // size)
    inside = (p <= int(high * scale)) & (p >= int((low or 0) * scale))
    chosen = set(ordering.order[inside].tolist())
    mask = ordering.mask(Percent(low, high))
    assert set(np.unique(hand_space(4).types.of_all[mask]).tolist()) == chosen
    assert mask.sum() == hand_space(4).types.size(ordering.order[inside]).sum()


def test_the_class_that_crosses_the_line_stays_out() -> None:
    ordering = select_ordering("ring")
    for number in (1, 7, 10, 33):
        inside = count(ordering, str(number))
        after = int(ordering.combos[np.searchsorted(ordering.combos, inside) + 1])
        assert 100 * inside <= number * 270_725 < 100 * after
        assert count(ordering, str(number), str(number)) == inside - count(
            ordering, str(number - 1) if number > 1 else "0.0000001"
        )


def test_percentiles_are_what_ranges_cut_at() -> None:
    ordering = select_ordering("6max")
    for hand in ("AsKsQhJh", "9s8s7h6h", "KcKdTc2d", "7c5d5h2s"):
        number = int(hand_space(4).types.of(hand_space(4).index(np.array([parse_cards(hand)])))[0])
        top = ceil(ordering.percentile(number))
        assert hand in Range(f"{top}%6h")
        assert hand not in Range(f"{top - 1}%6h")
        assert ordering.order[ordering.place(number) - 1] == number


@pytest.mark.parametrize(
    ("item", "name"), [("10%", "ring"), ("10%10h", "ring"), ("10%6h", "6max"), ("10%2h", "random")]
)
def test_what_stands_behind_the_sign_names_the_ordering(item: str, name: str) -> None:
    found = Range(item)
    ordering = select_ordering(name)
    assert found.orderings == (ordering.label,)
    assert len(found) == count(ordering, "10")


def test_every_part_of_a_range_says_its_ordering() -> None:
    found = Range("AA,(10%6h:xxyy)@50,20%!KK")
    assert found.orderings == ("6max 1", "ring 1")
    assert (found & Range("5%2h")).orderings == ("6max 1", "ring 1", "random 1")
    assert (found - Range("KK")).orderings == ("6max 1", "ring 1")
    assert found.live("Ah").range.orderings == ("6max 1", "ring 1")
    assert Range("AA").orderings == ()


def test_an_ordering_can_be_chosen() -> None:
    chosen = Range("10%,5%6h", ordering="random")
    assert chosen.orderings == ("random 1", "6max 1")
    assert Range("10%", ordering=select_ordering("random")) == Range("10%2h")
    result = equity.odds(["10%", "AsAhKsKh"], board="Kd7h2c", ordering="random")
    assert result.players[0].orderings == ("random 1",)
    assert result.players[1].orderings == ()
    assert result.to_dict()["players"][0]["orderings"] == ["random 1"]


def test_wrong_orderings() -> None:
    with pytest.raises(equity.OrderingError, match=r"neither an ordering of plo4.* nor a file"):
        Range("10%", ordering="nothing")
    with pytest.raises(equity.OrderingError, match=r"10h \(ring\)"):
        Range("10%9h")
    with pytest.raises(equity.OrderingError, match="used with plo5"):
        Range("10%", "plo5", ordering=select_ordering("ring"))


# Those of files


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ordering by class number turned round, with a heading and comments."""
    space = hand_space(4)
    hands = space.hands(space.types.first(np.arange(space.types.count)))[::-1]
    lines = [class_text(hand) for hand in hands.tolist()]
    path = tmp_path_factory.mktemp("orderings") / "mine.txt"
    heading = "An ordering of my own\n\n# worst first\n"
    path.write_text(heading + "\n".join(lines[:5]) + "  # bad\n\n" + "\n".join(lines[5:]).lower())
    return path


def test_a_file_is_an_ordering(own: Path) -> None:
    ordering = read_ordering(own)
    assert np.array_equal(ordering.order, np.arange(16_432)[::-1])
    assert "2s2h2d2c" in Range("1%", ordering=own)
    found = Range("1%", ordering=ordering)
    assert found.orderings == (f"mine.txt {ordering.version}",)
    assert len(ordering.version) == 8


def test_texts_of_classes() -> None:
    texts = {
        "AsKsQhJh": "(AK)(QJ)",
        "AsAhAdAc": "AAAA",
        "AsKsQsJs": "(AKQJ)",
        "2hAs7hAh": "(A72)A",
        "Kh9hQs8s": "(K9)(Q8)",
    }
    for hand, text in texts.items():
        assert class_text(parse_cards(hand)) == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:-1], "AAAA is missing"),
        (lambda lines: [*lines, lines[7]], "is on lines 8 and 16433"),
        (lambda lines: [*lines[:3], "(AK)QX", *lines[3:]], "line 4: '(AK)QX' is no class"),
        (lambda lines: [*lines[:3], "(AK)Q", *lines[3:]], "line 4: '(AK)Q' has 3 cards"),
        (lambda lines: [*lines[:3], "(AA)KQ", *lines[3:]], "line 4: '(AA)KQ' has a card twice"),
        (lambda lines: [*lines[:3], "((AK)Q)J", *lines[3:]], "is no class of hands"),
        (lambda lines: ["no orderings", "here"], "no line is a class"),
        (lambda lines: [], "no line is a class"),
    ],
)  # fmt: skip
def test_files_that_are_none(own: Path, tmp_path: Path, change, message: str) -> None:  # type: ignore[no-untyped-def]
    space = hand_space(4)
    hands = space.hands(space.types.first(np.arange(space.types.count)))[::-1]
    path = tmp_path / "wrong.txt"
    path.write_text("\n".join(change([class_text(hand) for hand in hands.tolist()])))
    with pytest.raises(equity.OrderingError) as raised:
        read_ordering(path)
    assert message in str(raised.value)


def test_five_suits_are_too_many(tmp_path: Path) -> None:
    path = tmp_path / "wrong.txt"
    path.write_text("AKQJT\n")
    with pytest.raises(equity.OrderingError, match="5 suits"):
        read_ordering(path, "plo5")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\xd8\xff")
    for path in (tmp_path, tmp_path / "nowhere", tmp_path / "binary"):
        with pytest.raises(DataError):
            read_ordering(path)


# Those of other people

if REFERENCE:
    PUBLISHED = Path(REFERENCE, "reference")

    @pytest.mark.parametrize(
        ("file", "high", "low", "combos"),
        [
            ("ppt_plo4_ring.txt", "15", None, 40_600),
            ("ppt_plo4_ring.txt", "50", "30", 56_849),
            ("ppt_plo4_6max.txt", "15", None, 40_608),
        ],
    )
    def test_published_counts(file: str, high: str, low: str | None, combos: int) -> None:
        assert count(read_ordering(PUBLISHED / file), high, low) == combos

    @pytest.mark.parametrize(
        ("file", "game", "name", "correlation", "overlap"),
        [
            ("ppt_plo4_ring.txt", "plo4", "ring", 0.99, 0.94),
            ("ppt_plo4_6max.txt", "plo4", "6max", 0.999, 0.98),
            ("ppt_plo5_9max.txt", "plo5", "ring", 0.98, 0.92),
        ],
    )
    def test_published_orderings_are_like_ours(
        file: str, game: str, name: str, correlation: float, overlap: float
    ) -> None:
        theirs, ours = read_ordering(PUBLISHED / file, game), select_ordering(name, game)
        places = np.array([np.argsort(ordering.order) for ordering in (ours, theirs)])
        assert np.corrcoef(places)[0, 1] > correlation
        for number in (10, 20, 30):
            mine, other = (item.mask(percent(str(number))) for item in (ours, theirs))
            assert (mine & other).sum() > overlap * other.sum()


def test_facts_are_readable() -> None:
    folder = ordering_folder()
    told = (folder.parent / "PROVENANCE.md").read_text()
    sizes = 0
    for path in folder.iterdir():
        sizes += path.stat().st_size
        if path.suffix == ".json":
            facts = json.loads(path.read_text())
            assert facts["version"] == "1"
            assert facts["description"]
            assert f"| {facts['game']} | {facts['name']} | `{facts['digest']}` |" in told
    assert sizes < 20_000_000
