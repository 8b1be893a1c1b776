"""The rules of poker: cards, games, hand ranks, and the tables made from them."""
