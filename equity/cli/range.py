"""``equity range``: the combos of a range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from equity import __version__
from equity.cli.options import (
    cards_option,
    check_files,
    format_options,
    game_option,
    log_to_stderr,
    ordering_option,
    print_answer,
    show_notices,
    strict_option,
)
from equity.errors import EquityError
from equity.ranges import parse
from equity.ranges.touching import touching_percents
from equity.results.formats import Listing, Printable, Style
from equity.rules.cards import ascii_text, format_cards, format_hand
from equity.rules.games import Game, find_game
from equity.spot import check_known_cards, read_board, read_dead

if TYPE_CHECKING:
    from equity.ranges import Range

__all__ = ["range_"]

EXAMPLES = 8


@click.command("range")
@click.argument("expressions", nargs=-1, metavar="EXPR")
@game_option
@cards_option("-b", "--board", "Board cards; combos that hold one are removed.")
@cards_option("-d", "--dead", "Dead cards; combos that hold one are removed.")
@ordering_option
@click.option("--list", "what", flag_value="list", help="Print every live combo.")
@click.option("--classes", "what", flag_value="classes", help="Print every suit-isomorphic class.")
@click.option(
    "--texture",
    "what",
    flag_value="texture",
    help="Break it down by made hands and draws on the board.",
)
@click.option(
    "--against", metavar="RANGE", help="With --texture: the opponent's range, to add equities."
)
@click.option(
    "--help-board",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, wanted: _help_board(ctx) if wanted else None,
    help="List the board conditions, @SET and so on, and exit.",
)
@format_options
@strict_option
@click.option("-q", "--quiet", is_flag=True, help="Print no notices.")
def range_(
    expressions: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    what: str | None,
    against: str | None,
    output: str | None,
    strict: bool,
    quiet: bool,
) -> None:
    """Count and list the combos of a range.

    A comma joins, ':' intersects, '!' subtracts; unnamed cards are free.  Hands
    that differ by a permutation of suits are one class.  Put quotes around *, !
    and $.

    \b
    equity range AA:xxyy                 two aces, double suited
    equity range 'TT+!AA' -b Th7h2c      with a board
    equity range KQJT-9876 --classes     a rundown, class by class
    equity range 5%-10%:xxyy             the second best 5 percent, double suited
    equity range '10%:@TWOPAIR+' -b Th7h2c
    equity range 10% -b Th7h2c --texture --against 'TT,77,@FLUSHDRAW'
    """
    rules = find_game(game)
    tree = parse(_one_expression(expressions, rules), rules, place="range")
    board_cards, dead_cards = read_board(board), read_dead(dead)
    check_known_cards(board_cards, dead_cards)
    if against is not None and what != "texture":
        raise EquityError("requires --texture", place="--against")
    other_tree = None if against is None else parse(against, rules, place="against")

    from equity.ranges import Range

    known: dict[str, Any] = {"board": board_cards, "dead": dead_cards, "ordering": ordering}
    whole = Range(tree, rules, place="range", **known)
    notices = [*tree.notices, *touching_percents([tree], "range")]
    if other_tree is not None:
        notices += other_tree.notices
    show_notices(notices, quiet=quiet, strict=strict)
    if what == "texture":
        from equity.views.breakdown import breakdown

        other = None
        if other_tree is not None:
            other = Range(other_tree, rules, place="against", **known)
        log_to_stderr()
        print_answer(breakdown(whole, board_cards, dead_cards, other), output)
        return
    live = whole.live(board_cards, dead_cards)
    if what == "list":
        print_answer(Listing(["hand", "weight"], _combos(live.range)), output)
    elif what == "classes":
        names = ["class", "combos", "size", "weight"]
        print_answer(Listing(names, _classes(live.range)), output)
    else:
        facts = _facts(rules, whole, live.range, live.by_card, ordering)
        facts |= {"board": format_cards(board_cards), "dead": format_hand(dead_cards)}
        print_answer(_Facts(rules, facts), output)


def _one_expression(expressions: Sequence[str], game: Game) -> str:
    """The range of the command line, or what is wrong with the arguments."""
    check_files(expressions, game, "range")
    if len(expressions) == 1:
        return expressions[0]
    if not expressions:
        raise EquityError("there is none", place="range", hint="write one, such as AA:xxyy")
    joined = ascii_text(",".join(expressions))
    raise EquityError(
        f"{len(expressions)} arguments where one range is wanted",
        place="range",
        hint=f"join ranges by commas, {joined}, and put quotes round spaces",
    )


def _facts(
    game: Game, whole: Range, live: Range, killed_by_card: dict[int, int], ordering: str | None
) -> dict[str, Any]:
    """Return the facts about a range, named as in JSON."""
    from equity.ranges.hands import hand_space
    from equity.ranges.ranking import rank_range

    ranked = rank_range(live, ordering)
    # The cards of all hands of six would take 120 MB.
    step = max(1, len(live) // EXAMPLES)
    examples = hand_space(game.hole).hands(live.index[::step][:EXAMPLES])
    extremes = (whole.weights.min(), whole.weights.max()) if len(whole) else ()
    weights = [_weight(int(weight), whole.scale) for weight in extremes]
    return {
        "version": __version__,
        "game": game.name,
        "range": whole.text,
        "orderings": list(whole.orderings),
        "combos": len(whole),
        "share": whole.share,
        "live": len(live),
        "killed": len(whole) - len(live),
        "killed_by": {format_cards([card]): n for card, n in killed_by_card.items()},
        "classes": live.class_count,
        "ranked_by": ranked.ordering if ranked else None,
        "best_percentile": ranked.best if ranked else None,
        "worst_percentile": ranked.worst if ranked else None,
        "mean_percentile": ranked.mean if ranked else None,
        "least_weight": weights[0] if weights else None,
        "most_weight": weights[-1] if weights else None,
        "warnings": [str(notice) for notice in whole.notices],
        "examples": [format_cards(hand) for hand in examples.tolist()],
    }


def _weight(scaled: int, scale: int) -> int | float:
    """A weight as a number for JSON: whole if it is."""
    weight = Decimal(scaled) / scale
    return int(weight) if weight == int(weight) else float(weight)


def _combos(hands: Range) -> Iterable[tuple[str, int | float]]:
    for hand, weight in zip(hands, hands.weights.tolist(), strict=True):
        yield hand, _weight(weight, hands.scale)


def _classes(hands: Range) -> Iterable[tuple[str, int, int, int | float]]:
    for entry in hands.classes():
        yield entry.text, entry.combos, entry.size, _weight(entry.weight, hands.scale)


def _help_board(ctx: click.Context) -> None:
    """Print the table of predicates and of short forms, and end."""
    from equity.ranges.predicates import ALIASES, PREDICATES

    lines = ["Conditions on a hand and a board of three to five cards, as in 'AA:@SET':", ""]
    lines += [f"  @{row.written:<34} {row.meaning}" for row in PREDICATES]
    lines.append(f"  {'@BLOCKS(expr)20':<35} shares a card with 20 % of expr's live combos or more")
    lines += ["", "Short forms:", ""]
    lines += [f"  @{row.name:<6} @{row.predicate:<14} {row.meaning}" for row in ALIASES]
    click.echo("\n".join(lines))
    ctx.exit()


@dataclass(frozen=True)
class _Facts(Printable):
    """The facts about a range, named as in JSON."""

    game: Game
    facts: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The object for JSON."""
        return self.facts

    def records(self) -> list[dict[str, Any]]:
        """A single row, with lists as text."""
        facts = self.facts
        texts = {
            "killed_by": " ".join(f"{card}:{n}" for card, n in facts["killed_by"].items()),
            "orderings": "; ".join(facts["orderings"]),
            "warnings": "; ".join(facts["warnings"]),
            "examples": " ".join(facts["examples"]),
        }
        return [facts | texts]

    def lines(self, _: Style) -> Iterator[str]:
        """What the range is, its size, and some of its combos."""
        from equity.results.text import heading

        facts = self.facts
        share = f"{facts['share']:.4%}".replace("%", " %")
        killed = ", ".join(f"{card} {n:,}" for card, n in facts["killed_by"].items())
        yield heading(self.game, facts["board"], facts["dead"])
        yield f"range     {facts['range']}"
        yield f"combos    {facts['combos']:,}, {share} of all hands"
        if facts["orderings"]:
            yield f"percent   by the ordering {' and '.join(facts['orderings'])}"
        if killed:
            yield f"live      {facts['live']:,}, {facts['killed']:,} are killed ({killed})"
        yield f"classes   {facts['classes']:,} suit-isomorphic hand classes"
        if facts["ranked_by"]:
            best, worst, mean = (facts[f"{name}_percentile"] for name in ("best", "worst", "mean"))
            yield (
                f"ranked    {best:.2f} % to {worst:.2f} %, mean {mean:.2f} %, "
                f"by {facts['ranked_by']}"
            )
        if {facts["least_weight"], facts["most_weight"]} - {None, 100}:
            yield f"weights   {facts['least_weight']} to {facts['most_weight']}"
        for start in (0, 4):
            examples = facts["examples"][start : start + 4]
            if examples:
                yield f"{'' if start else 'such as':<10}{' '.join(examples)}"
