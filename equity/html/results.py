"""Equities, pots, chips and calls as HTML."""

from __future__ import annotations

from fractions import Fraction

from equity.double_board.answers import Double
from equity.html.cards import cards, hand_or_range
from equity.html.charts import Bar, bar
from equity.html.tables import error, facts, footing, heading, notices, share, table
from equity.html.tags import Child, Markup, el, join
from equity.money.amounts import plain
from equity.money.boards import BoardsMoney
from equity.money.calls import PotOdds
from equity.money.limits import PotLimit
from equity.money.payouts import Money, chip_lines
from equity.results.player import PlayerResult
from equity.results.result import Result
from equity.results.result import footing as result_footing
from equity.results.text import percent

__all__ = ["call", "double", "money", "pot_limit", "result"]

#: Parts of the pot as they are called; others are sums of thirds and the like.
_PARTS = {
    Fraction(1): "scoop",
    Fraction(3, 4): "3/4",
    Fraction(1, 2): "half",
    Fraction(1, 4): "quarter",
    Fraction(0): "nothing",
}


def result(found: Result) -> Markup:
    """The equity of every player, and how it is made up."""
    game = found.spot.game
    rows = [_player(number, player, found) for number, player in enumerate(found.players)]
    return join(
        [
            heading(game, found.board, found.dead),
            notices(found.warnings),
            el("ol", rows, class_="players"),
            _hi_lo(found) if game.low else _high(found),
            footing(*result_footing(found)),
        ]
    )


def _player(number: int, player: PlayerResult, found: Result) -> Markup:
    """The equity in large figures, with its bar."""
    parts = [player.equity]
    if player.low is not None:
        parts = [player.high.equity, player.low.equity]
    whole = el(
        "span",
        percent(player.equity_exact),
        el("span", "%", class_="unit"),
        error(player.equity_error),
        class_="equity",
        title=None if found.sample or found.partial else f"exactly {player.equity_text}",
    )
    combos = f"{player.live:,} of {player.combos:,} combos" if player.combos > 1 else ""
    live = f"{player.combos:,} combos" if player.live == player.combos > 1 else combos
    return el(
        "li",
        el("span", hand_or_range(player.range), el("small", live) if live else None, class_="who"),
        whole,
        bar(Bar(parts, player.equity_error), number),
    )


def _errors(player: PlayerResult) -> dict[str, float | None]:
    return {**(player.std_error or {}), **(player.split_error or {})}


def _high(found: Result) -> Markup:
    rows = []
    for number, player in enumerate(found.players, 1):
        errors, weight = _errors(player), found.weight
        rows.append(
            [
                _short(number, player.range),
                share(Fraction(player.high.win_count, weight), errors.get("scoop")),
                share(Fraction(player.high.tie_count, weight), errors.get("high_tie")),
            ]
        )
    return table(["player", "wins %", "ties %"], rows, caption="How often each player wins")


def _hi_lo(found: Result) -> Markup:
    """High and low apart, and how often each part of the pot is won."""
    occurring = {part for player in found.players for part in player.outcomes_exact}
    others = ["other"] if occurring - _PARTS.keys() else []
    names = [*_PARTS.values()]
    titles = [*names[:-1], *others, names[-1]]
    rows = []
    for number, player in enumerate(found.players, 1):
        errors = _errors(player)
        shares = dict.fromkeys(titles, Fraction(0))
        for part, count in player.outcomes_exact.items():
            shares[_PARTS.get(part, "other")] += Fraction(count, found.weight)
        keys = {"scoop": "scoop", "half": "1/2", "quarter": "1/4", "nothing": "0"}
        low = player.low
        rows.append(
            [
                _short(number, player.range),
                share(player.high.equity_exact, errors.get("high")),
                share(low.equity_exact if low else None, errors.get("low")),
                *(
                    share(part, errors.get(keys.get(name, name)) if part else None)
                    for name, part in shares.items()
                ),
            ]
        )
    return table(
        ["player", "high %", "low %", *(f"{title} %" for title in titles)],
        rows,
        caption="Share of the pot with high and low, and how often each part is won",
    )


def _short(number: int, text: str) -> Child:
    return [el("b", str(number)), " ", hand_or_range(text)]


def double(found: Double) -> Markup:
    """Two boards, or a board that is run several times."""
    rows = []
    parts = list(dict.fromkeys(part for player in found.players for part in player.outcomes))
    for number, player in enumerate(found.players, 1):
        rows.append(
            [
                _short(number, player.range),
                share(
                    player.both.mean if player.equity_exact is None else player.equity_exact,
                    player.std_error,
                ),
                *(share(alone.mean, alone.mean_error) for alone in player.alone),
                f"{player.spread:.3f}",
                *(share(player.outcomes.get(part, Fraction(0))) for part in parts),
            ]
        )
    boards = [el("span", f"board {at} ", cards(text)) for at, text in enumerate(found.boards, 1)]
    titles = ["player", "equity %", *(f"board {at} %" for at in range(1, len(found.boards) + 1))]
    return join(
        [
            el("p", boards, class_="heading"),
            notices(found.warnings),
            table(
                [*titles, "spread", *(f"{part} %" for part in parts)],
                rows,
                caption="The part of the pot won over all boards",
            ),
            footing(*found.footing()),
        ]
    )


def money(found: Money) -> Markup:
    """Pots and chips of players who are all in."""
    pots = [
        [
            pot.name,
            plain(pot.amount),
            plain(pot.rake) if pot.rake else "-",
            [
                el("span", f"{at + 1}: {percent(part)}%", error(wrong), class_="cell")
                for at, part, wrong in zip(
                    pot.members, pot.equities_exact, pot.std_errors, strict=True
                )
            ],
        ]
        for pot in found.pots
    ]
    chips = [
        [
            _short(number, player.range),
            plain(player.put_in),
            plain(player.returned) if player.returned else "-",
            f"{player.expected:,.2f}",
            f"{player.net:+,.2f}",
        ]
        for number, player in enumerate(found.players, 1)
    ]
    spot = found.pots[0].result.spot
    is_double = isinstance(found, BoardsMoney)
    return join(
        [
            heading(spot.game, spot.board_text, spot.dead_text)
            if is_double
            else result(found.result),
            table(["pot", "chips", "rake", "equity by player"], pots, caption="Pots"),
            table(
                ["player", "put in", "returned", "expected", "net"], chips, caption="Expected chips"
            ),
            footing(chip_lines(found)[-1]),
        ]
    )


def call(found: PotOdds) -> Markup:
    """A call: the equity that it needs, and that it has."""
    asked = found.call
    sign = "is worth more than a fold" if found.gain > 0 else "is worth less than a fold"
    return join(
        [
            facts(
                [
                    ("to call", plain(asked.amount)),
                    ("pot after the call", plain(asked.total)),
                    ("equity needed", f"{percent(asked.needed)} %"),
                    ("your equity", [percent(found.equity_exact), " %", error(found.std_error)]),
                    ("EV of calling", f"{found.gain:+,.2f}: it {sign}"),
                ]
            ),
            result(found.result),
        ]
    )


def pot_limit(found: PotLimit) -> Markup:
    """The largest raise, with its arithmetic."""
    pairs: list[tuple[str, Child]] = [("arithmetic", found.line)]
    if found.highest:
        pairs.append(("to call", plain(found.call)))
    pairs.append(("largest raise to", plain(found.raise_to)))
    if found.min_raise_to is not None:
        pairs.append(("smallest raise to", plain(found.min_raise_to)))
    return facts(pairs)
