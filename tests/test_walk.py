"""Hands against hands: against known values and an independent brute force."""

from __future__ import annotations

from fractions import Fraction

import known_values
import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Question, narrow_questions, questions

import equity
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, find_game


def ask(question: Question) -> equity.Result:
    return equity.odds(question.hands, question.game, question.board, question.dead)


def tallies(result: equity.Result) -> list[dict[tuple[int, int | None], int]]:
    return [
        {(high, low): deals for high, low, deals in result.tally.results(player)}
        for player in range(len(result.players))
    ]


def brute_force(question: Question) -> list[dict[tuple[int, int | None], int]]:
    counted = naive.tally(question.hands, question.board, question.dead, question.game.low)
    return [{key: deals for key, deals in player.items() if deals} for player in counted]


@pytest.mark.parametrize("spot", list(known_values.spots()), ids=lambda spot: spot.id)
def test_known_spots(spot: known_values.Spot) -> None:
    result = equity.odds(spot.hands, game=spot.game, board=spot.board, dead=spot.dead)
    assert result.deals == spot.boards
    if result.no_low is not None:
        assert result.deals - result.no_low == spot.low_boards
    for mine, known in zip(result.players, spot.players, strict=True):
        assert mine.equity_exact == known.equity
        assert mine.equity_text == str(mine.equity_exact)
        assert mine.equity_exact * 120 * result.deals == known.pot120
        assert mine.outcomes.get("1", 0) == known.scoop
        assert mine.high.win_count == known.hi_win
        assert mine.high.tie_count == known.hi_tie
        assert mine.high.equity_exact * 120 * result.deals == known.hi120
        if mine.low is None:
            assert known.lo120 == 0
        else:
            assert mine.low.win_count == known.lo_win
            assert mine.low.tie_count == known.lo_tie
            assert mine.low.equity_exact * 120 * result.deals == known.lo120


def test_known_rivers() -> None:
    for spot in known_values.river():
        result = equity.odds(spot.hands, game=spot.game, board=spot.board)
        for mine, known in zip(result.players, spot.players, strict=True):
            assert mine.equity_exact * 120 == known.pot120, spot
            assert mine.high.win_count == known.hi_win, spot
            assert mine.high.tie_count == known.hi_tie, spot
            if mine.low:
                assert mine.low.win_count == known.lo_win, spot
                assert mine.low.tie_count == known.lo_tie, spot


@settings(max_examples=120)
@given(questions(max_runouts_cards=1))
def test_late_streets_against_brute_force(question: Question) -> None:
    assert tallies(ask(question)) == brute_force(question)


@settings(max_examples=25)
@given(questions(max_runouts_cards=2))
def test_flops_against_brute_force(question: Question) -> None:
    assert tallies(ask(question)) == brute_force(question)


@settings(max_examples=60)
@given(questions(few_live=True))
def test_any_street_with_many_dead_cards_against_brute_force(question: Question) -> None:
    assert tallies(ask(question)) == brute_force(question)


@settings(max_examples=120)
@given(narrow_questions())
def test_two_suits_against_brute_force(question: Question) -> None:
    assert tallies(ask(question)) == brute_force(question)


@pytest.mark.parametrize(
    ("game", "hands", "board", "dead"),
    [
        # Straight flushes of several hands in one suit, better and worse.
        ("plo4", ["9c8cAdAh", "6c5cKdKh"], "7c", "2s3s4s5s6s7s8s9sTsJs2h3h4h5h6h7h8h9hThJh"),
        ("o8", ["Ac2cAdAh", "6c5cKdKh", "8c9cQdQh"], "", "TcJcQcKc" + "2s3s4s5s6s7s8s9sTsJsQsKsAs"),
        ("plo6", ["9c8c7cAdAhKs", "6c5c4c3dKdKh"], "Tc", "2s3s4s5s6s7s8s9sTsJsQs2h3h4h5h6h7h8h"),
        # Three and four of a suit on the board already, and quads.
        ("plo5", ["AhKhQsQdJc", "9h8h7s7d6c"], "ThJhQh", ""),
        ("o8", ["AhKh2s3d", "5h4h7s7d"], "2h3h6h", ""),
        ("plo4", ["AhAsKhKs", "QhQsJhJs"], "AdAcQd", ""),
    ],
)
def test_chosen_spots_against_brute_force(
    game: str, hands: list[str], board: str, dead: str
) -> None:
    result = equity.odds(hands, game, board, dead)
    known = naive.tally(
        [naive.cards(hand) for hand in hands],
        naive.cards(board),
        naive.cards(dead),
        find_game(game).low,
    )
    assert tallies(result) == [{key: n for key, n in player.items() if n} for player in known]


@given(questions(max_runouts_cards=5), st.permutations(range(4)), st.randoms())
def test_suits_order_of_cards_and_of_players_do_not_matter(
    question: Question, suits: list[int], random: object
) -> None:
    result = tallies(ask(question))

    def moved(cards: tuple[int, ...]) -> tuple[int, ...]:
        shuffled = [card // 4 * 4 + suits[card % 4] for card in cards]
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        return tuple(shuffled)

    order = list(range(len(question.hands)))
    random.shuffle(order)  # type: ignore[attr-defined]
    other = Question(
        question.game,
        tuple(moved(question.hands[at]) for at in order),
        moved(question.board),
        moved(question.dead),
    )
    assert tallies(ask(other)) == [result[at] for at in order]


@given(questions(max_runouts_cards=5))
def test_the_pot_is_won_once(question: Question) -> None:
    result = ask(question)
    assert sum(result.equities_exact) == 1
    live = 52 - sum(map(len, (*question.hands, question.board, question.dead)))
    boards = 1
    for drawn in range(5 - len(question.board)):
        boards = boards * (live - drawn) // (drawn + 1)
    assert result.deals == boards
    for player in result.players:
        assert sum(player.outcomes.values()) == result.deals
        low = player.low.equity_exact if player.low else 0
        assert player.equity_exact == player.high.equity_exact + low


@given(questions(max_runouts_cards=3), st.data())
def test_a_street_is_the_mean_of_the_next(question: Question, data: st.DataObject) -> None:
    """The tally of a spot is the sum over the next card, each board counted once a card."""
    board = question.board[:4]
    spot = Question(question.game, question.hands, board, question.dead)
    now = ask(spot).tally
    taken = {card for cards in (*spot.hands, spot.board, spot.dead) for card in cards}
    later = None
    for card in range(52):
        if card in taken:
            continue
        tally = ask(Question(spot.game, spot.hands, (*board, card), spot.dead)).tally
        later = tally if later is None else later + tally
    assert later is not None
    times = 5 - len(board)
    assert later.counts == tuple(
        tuple(tuple(times * deals for deals in row) for row in player) for player in now.counts
    )


@pytest.mark.parametrize("game", list(GAMES), ids=lambda game: game.name)
def test_as_many_players_as_the_deck_allows(game: equity.Game) -> None:
    deck = list(range(51, -1, -1))
    players = game.max_players()
    hands = [deck[at * game.hole : (at + 1) * game.hole] for at in range(players)]
    question = Question(game, tuple(map(tuple, hands)), (), ())
    assert tallies(ask(question)) == brute_force(question)


def test_mirrored_hands_share_evenly() -> None:
    result = equity.odds(["AdAhKdKh", "AcAsKcKs"])
    assert result.equities_exact == (Fraction(1, 2), Fraction(1, 2))
    assert [player.high.win_count for player in result.players] == [193_992, 193_992]
    assert result.players[0].high.tie_count == 698_024


def test_each_game_deals_its_own_hands() -> None:
    plo6 = equity.odds(["2s2d2h2cAsAd", "3s3d3h3c8s8d"], game="plo6")
    assert plo6.deals == 658_008
    assert plo6.equities_exact == (Fraction(7495, 9139), Fraction(1644, 9139))
    plo4 = equity.odds(["2s2d2h2c", "3s3d3h3c"])
    assert plo4.equities_exact == (Fraction(0), Fraction(1))


def test_threads_do_not_share_memory() -> None:
    from concurrent.futures import ThreadPoolExecutor

    spots = [spot for spot in known_values.spots() if not spot.board][:40]
    with ThreadPoolExecutor(4) as pool:
        results = pool.map(
            lambda spot: equity.odds(spot.hands, spot.game, spot.board, spot.dead), spots * 5
        )
        for spot, result in zip(spots * 5, results, strict=True):
            assert [p.equity_exact for p in result.players] == [p.equity for p in spot.players]


def test_a_question_leaves_nothing_for_the_next() -> None:
    """All are asked in the same memory, with more and fewer cards in hands and on boards."""
    spots = [spot for spot in known_values.spots() if len(spot.hands) == 2]
    for spot in sorted(spots, key=lambda spot: spot.id[::-1]):
        equity.odds(["AhKhQhJhTh9h", "2c3c4c5c6c7c"], "plo6-8", "AsKs2d3d4d", "8d 9d 5h")
        result = equity.odds(spot.hands, spot.game, spot.board, spot.dead)
        assert [player.equity_exact for player in result.players] == [
            player.equity for player in spot.players
        ]


def test_texts_and_numbers_are_the_same_cards() -> None:
    text = equity.odds(["AhAsKhKs", "9c8c7d6d"], board="2c3d4h", dead="5s")
    numbers = equity.odds([[50, 51, 46, 47], [28, 24, 21, 17]], board=[0, 5, 10], dead=[15])
    assert text.tally == numbers.tally
    assert format_cards([50, 51, 46, 47]) == "AhAsKhKs"
