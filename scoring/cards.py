"""Points and violations of the card game for two. Every number of its rules is data: `CardRules` in rules.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.cardgame import INVESTMENT, Card, CardGame, Laid
from scoring.game import Rank, rank
from scoring.rules import CardRules, RuleSet
from scoring.words import counted, listed


@dataclass(frozen=True, slots=True)
class CardViolation:
    """One finding against the rules of the card game.

    Attributes:
        code: which rule, as in the keys of `CardRules.severity`.
        severity: `error` or `warning`.
        round: from 1; None for the whole game.
        player: who; None for the whole game.
        expedition: where; None for the whole game.
        message: for people: where, what was laid, what would be legal, and where the rule set says so.
        rule: where in the rule set it comes from.
    """

    code: str
    severity: str
    round: int | None
    player: str | None
    expedition: str | None
    message: str
    rule: str

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a card game."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class CardResult:
    """A card game scored.

    Attributes:
        game: what was scored.
        rounds: per round and player the points of each expedition and their `total`.
        totals: by player, all rounds together.
        ranking: by falling total; equal ones share a place.
        next_starter: who has more points and so starts the next round; None where both have the same.
        violations: everything that breaks a rule.
    """

    game: CardGame
    rounds: tuple[Mapping[str, Mapping[str, int]], ...]
    totals: Mapping[str, int]
    ranking: tuple[Rank, ...]
    next_starter: str | None
    violations: tuple[CardViolation, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a card game, without its schema."""
        return {
            "rounds": [{player: dict(points) for player, points in entry.items()} for entry in self.rounds],
            "totals": dict(self.totals),
            "ranking": [place.to_dict() for place in self.ranking],
            "next_starter": self.next_starter,
            "violations": [violation.to_dict() for violation in self.violations],
        }


def score_cards(game: CardGame, rules: RuleSet | None = None) -> CardResult:
    """The points of a card game, whether it is legal or not, and what it breaks.

    An expedition counts by the cards laid there, in whatever order, and so does one that the game does not have: what
    of that is not allowed, the violations say.

    Args:
        game: what was laid.
        rules: the numbers of the game; None means the default ones.
    """
    numbers = (rules or RuleSet.default()).cards
    rounds = tuple({player: _points(entry[player], game, numbers) for player in game.players} for entry in game.rounds)
    totals = {player: sum(entry[player]["total"] for entry in rounds) for player in game.players}
    ranking = tuple(rank(totals.items()))
    leader = None if len(set(totals.values())) == 1 else ranking[0].player
    return CardResult(game, rounds, totals, ranking, leader, tuple(_violations(game, numbers)))


def expedition_points(cards: Sequence[Card], rules: CardRules) -> int:
    """The points of one expedition: (sum of numbers - cost) x (1 + investments), then the bonus for many cards."""
    numbers = [card for card in cards if isinstance(card, int)]
    investments = len(cards) - len(numbers)
    if not cards or (not numbers and rules.lone_investments == "not-counted"):
        return 0
    counting = len(cards) if rules.bonus_counts == "all" else len(numbers)
    bonus = rules.bonus_points if counting >= rules.bonus_cards else 0
    return (sum(numbers) - rules.expedition_cost) * (1 + investments) + bonus


def _points(laid: Laid, game: CardGame, rules: CardRules) -> Mapping[str, int]:
    points = {
        colour: expedition_points(laid.get(colour, ()), rules) for colour in dict.fromkeys((*game.colours, *laid))
    }
    return {**points, "total": sum(points.values())}


def _violations(game: CardGame, rules: CardRules) -> Iterator[CardViolation]:
    """By round; within one first what each player laid, expedition by expedition, then what both did together."""
    for number, entry in enumerate(game.rounds, 1):
        for player, laid in entry.items():
            for colour in dict.fromkeys((*game.colours, *laid)):
                place = _Place(rules, number, player, colour)
                if colour not in game.colours:
                    yield place.unknown_expedition(game.colours)
                yield from _order(laid.get(colour, ()), place)
        yield from _together(number, entry, game, rules)
    if rules.rounds and len(game.rounds) != rules.rounds:
        verb = "is" if len(game.rounds) == 1 else "are"
        text = f"there {verb} {counted(len(game.rounds), 'round')}; a game has {rules.rounds}"
        yield _found("round-count", rules, text, rule="rounds")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a finding is, and the words for each kind of it."""

    rules: CardRules
    round: int
    player: str
    expedition: str

    def found(self, code: str, text: str, rule: str = "") -> CardViolation:
        where = f"round {self.round}, {self.player}, {self.expedition}: "
        return _found(code, self.rules, where + text, rule, self.round, self.player, self.expedition)

    def unknown_expedition(self, colours: Sequence[str]) -> CardViolation:
        text = f"this game has no such expedition; legal are {listed(colours)}; its points are counted all the same"
        return self.found("unknown-expedition", text)

    def not_rising(self, card: int, below: int) -> CardViolation:
        return self.found("not-rising", f"{card} lies on {below}; legal is a number higher than {below}")

    def investment_after_number(self, below: int) -> CardViolation:
        text = f"an investment lies on {below}; legal are investments before the first number only"
        return self.found("investment-after-number", text)

    def out_of_range(self, card: int) -> CardViolation:
        rule = "lowest_card" if card < self.rules.lowest_card else "highest_card"
        text = f"there is no card {card}; legal is {self.rules.lowest_card}..{self.rules.highest_card}"
        return self.found("card-out-of-range", text, rule)

    def card_twice(self, card: Card, count: int, owners: Sequence[str]) -> CardViolation:
        text = f"{card} was laid {_times(count)}, by {listed(owners)}; each number card exists once"
        return self.found("card-twice", text)

    def too_many_investments(self, count: int, owners: Sequence[str]) -> CardViolation:
        text = f"{count} investments were laid, by {listed(owners)}; there are {self.rules.investments} of a colour"
        return self.found("too-many-investments", text, "investments")


def _order(cards: Sequence[Card], place: _Place) -> Iterator[CardViolation]:
    """What is wrong with the cards of one expedition by itself, card by card."""
    below: int | None = None
    for card in cards:
        if isinstance(card, str):
            if below is not None:
                yield place.investment_after_number(below)
            continue
        if not place.rules.lowest_card <= card <= place.rules.highest_card:
            yield place.out_of_range(card)
        if below is not None and card <= below:
            yield place.not_rising(card, below)
        below = card


def _together(number: int, entry: Mapping[str, Laid], game: CardGame, rules: CardRules) -> Iterator[CardViolation]:
    """Cards of which both players together laid more than there are; told at the player who laid the last one."""
    for colour in dict.fromkeys((*game.colours, *(colour for laid in entry.values() for colour in laid))):
        owners: dict[Card, list[str]] = {}
        for player, laid in entry.items():
            for card in laid.get(colour, ()):
                owners.setdefault(card, []).append(player)
        for card, players in owners.items():
            place = _Place(rules, number, players[-1], colour)
            if card == INVESTMENT:
                if len(players) > rules.investments:
                    yield place.too_many_investments(len(players), list(dict.fromkeys(players)))
            elif len(players) > 1:
                yield place.card_twice(card, len(players), list(dict.fromkeys(players)))


def _found(
    code: str,
    rules: CardRules,
    message: str,
    rule: str = "",
    number: int | None = None,
    player: str | None = None,
    expedition: str | None = None,
) -> CardViolation:
    place = f"cards.{rule or f'severity.{code}'}"
    shown = f"{place} = {getattr(rules, rule)}" if rule else place
    return CardViolation(code, rules.severity[code], number, player, expedition, f"{message} [rules: {shown}]", place)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
