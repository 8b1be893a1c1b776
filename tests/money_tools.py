"""What the tests of money share."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import strategies as st

from equity.money import (
    Money,
)
from equity.rules.games import GAMES

GAME_NAMES = [game.name for game in GAMES]
AA, RUN, QQ = "AhAsKhKs", "9c8c7d6d", "QcQdJcJd"
#: A short stack has the only low that there is.
SHORT_LOW = (["As2sTd9d", "KhKsJhJs", "QhQsJcTc"], "o8", "8d5h3cKdQc")
#: What somebody puts in.
AMOUNTS = st.decimals(Decimal("0.01"), 500, places=2).map(Fraction)


def balance(money: Money) -> None:
    """Nothing is lost: payouts and rake are what was put in, and so is each pot."""
    players = money.players
    assert sum(player.expected_exact for player in players) + money.rake == money.stakes.put_in
    assert sum(player.put_in for player in players) + money.stakes.pot == money.stakes.put_in
    assert sum(player.net_exact for player in players) == money.stakes.pot - money.rake
    assert sum(pot.rake for pot in money.pots) == money.rake
    for pot in money.pots:
        assert sum(pot.payouts) + pot.rake == pot.amount
        assert sum(pot.equities_exact) == 1
