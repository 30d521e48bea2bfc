"""Random matches, fast: every kind of action that match text can describe, plays in the readers' canonical form."""

from __future__ import annotations

import random
from itertools import islice

from fullprime.formats.recording import walk
from fullprime.rules.dice import Roll
from fullprime.rules.game import ACCEPT, Action, ActionKind, Game, Phase, choose, opening, play, resign, roll
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Score, Settings
from fullprime.rules.variants import BACKGAMMON, Variant


def random_settings(rng: random.Random, variant: Variant = BACKGAMMON, money: bool | None = None) -> Settings:
    if rng.random() < 0.3 if money is None else money:
        beavers = rng.random() < 0.5
        return Settings(
            variant=variant, jacoby=rng.random() < 0.5, beavers=beavers, raccoons=beavers and rng.random() < 0.5
        )
    return Settings(variant=variant, length=rng.choice((1, 3, 5, 7, 11)), crawford=rng.random() < 0.9)


def legal_play(game: Game, rng: random.Random) -> Action:
    """A random legal play in canonical form, without listing all of them."""
    moves = rng.choice(list(islice(game.roll_plays.iterate(), rng.choice((1, 3, 9))))).moves
    hops = tuple((move.source, move.target) for move in moves)
    made = walk.find_play(game, hops, any(move.hit for move in moves))
    assert made is not None
    return play(made)


def illegal_play(game: Game, rng: random.Random) -> Setup:
    """The board after one checker has moved any number of points, whatever the dice and the rules say."""
    own = game.position.player
    while True:
        source = rng.choice([place for place in range(2, 26) if own[place]] or [1])
        after, left_out = walk.force_moves(game.position, ((source, rng.randrange(1, source + 1)),))
        if not left_out:
            return Setup(game.end_turn_at(after), "illegal play")


def random_game(
    settings: Settings, score: Score, rng: random.Random, resignations: float = 0.004, illegal: float = 0.0
) -> GameRecord:
    """A game in which this share of the rolls is followed by an offer to resign, or played against the rules."""
    start = game = Game.new(settings, score)
    events: list[Event] = []

    def do(event: Event) -> None:
        nonlocal game
        game = event.game if isinstance(event, Setup) else game.act(event)
        events.append(event)

    while not game.is_over:
        match game.phase:
            case Phase.OPENING_ROLL:
                do(opening(*rng.sample(range(1, 7), 2)))
            case Phase.PLAY if illegal and rng.random() < illegal:
                do(illegal_play(game, rng))
            case Phase.PLAY:
                do(legal_play(game, rng))
            case Phase.CUBE_DECISION | Phase.ROLL if rng.random() < resignations:
                do(resign(rng.choice(game.resignation_levels)))
                do(ACCEPT)
            case Phase.CUBE_DECISION if rng.random() < 0.06:
                do(Action(ActionKind.DOUBLE))
            case Phase.DOUBLE_OFFERED | Phase.BEAVER_OFFERED | Phase.RACCOON_OFFERED:
                do(Action(rng.choice([k for k in game.actions() for _ in range(1 if k is ActionKind.DROP else 3)])))
            case _:
                do(roll(Roll(rng.randint(1, 6), rng.randint(1, 6))))
    return GameRecord(start, tuple(events))


def random_match(
    rng: random.Random,
    settings: Settings | None = None,
    games: int = 4,
    resignations: float = 0.004,
    illegal: float = 0.0,
) -> Match:
    """A match of at most so many games (it need not be finished)."""
    settings = settings or random_settings(rng)
    score: Score = Score.start(settings)
    records: list[GameRecord] = []
    while len(records) < games and score.match_winner(settings) is None:
        record = random_game(settings, score, rng, resignations, illegal)
        records.append(record)
        result = record.result
        assert result is not None
        score = score.after(result, settings)
    names = rng.choice((("Ada Lovelace", "Blaise P."), ("Jürgen", "名人"), ("x-1", "o_2")))
    return Match(settings, names, tuple(records))


def random_record(start: Game, rng: random.Random, longest: int = 120) -> GameRecord:
    """A game of random actions of every kind that is allowed."""
    game, events = start, []
    while not game.is_over and len(events) < longest:
        kind = rng.choice(game.actions())
        if kind is ActionKind.RESIGN and rng.random() < 0.9:
            continue
        dice = rng.randint(1, 6), rng.randint(1, 6)
        match kind:
            case ActionKind.OPENING:
                action = opening(*dice)
            case ActionKind.ROLL:
                action = roll(Roll(*dice))
            case ActionKind.PLAY:
                action = play(rng.choice(game.legal_plays))
            case ActionKind.CHOOSE:
                action = choose(dice[0])
            case ActionKind.RESIGN:
                action = resign(rng.choice(game.resignation_levels))
            case _:
                action = Action(kind)
        game = game.act(action)
        events.append(action)
    return GameRecord(start, tuple(events), comments={0: "first é", -1: "the game"})
