"""``play`` at a terminal: the board, the events, a short prompt, a line of the player."""

from __future__ import annotations

from itertools import zip_longest

from fullprime.cli.board_words import board_sentences
from fullprime.cli.play.numbering import FIXED, OWN, number_for_x
from fullprime.cli.standard_input import open_standard_input
from fullprime.cli.terminal import make_console, needs_ascii, say, show_board, width, wrap_text
from fullprime.play.options.rulebook import describe_length
from fullprime.play.table.table import Table
from fullprime.play.table.table_events import Event
from fullprime.rules.board import BoardView
from fullprime.rules.errors import FullprimeError
from fullprime.rules.foreign_text import clean_text
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.score import LEVEL_NAMES, Player
from fullprime.rules.words import format_dice, format_players

HINTS = {
    Phase.CUBE_DECISION: "You may offer a double before you roll: type roll (or just Enter), or double.",
    Phase.PLAY: "Type your play as from/to, for example 13/7 8/7, or one checker at a time; help lists all words.",
    Phase.DOUBLE_OFFERED: "take plays on for twice as much, and you get the cube; drop loses the old value.",
    Phase.CHOOSE_DOUBLE: "A 2-1 played completely: name any double, for example choose 6, and play it.",
    Phase.RESIGNATION_OFFERED: "accept ends the game at what is offered; refuse plays on.",
    Phase.OPENING_ROLL: "Each player throws one die; type both, X's first, for example 31.",
    Phase.ROLL: "Throw your dice and type what you see, for example 52.",
}
_LAST_WORDS = ("game_over", "match_over")


class Conversation:
    """One person, or two, at a terminal."""

    def __init__(
        self,
        table: Table,
        *,
        newcomer: bool,
        ascii_only: bool,
        mirror: bool,
        fixed_board: bool,
        numbering: str = OWN,
        in_words: bool = False,
        tutor: float | None = None,
    ) -> None:
        """``tutor``: the loss from which on a choice is warned of before it is made; None for no warnings."""
        self._table = table
        self._in_words = in_words
        self._console = make_console()
        self._ascii = ascii_only or needs_ascii()
        self._mirror = mirror
        self._tutor = tutor
        self._warned_of: tuple[Game, str] | None = None
        """The choice that was warned of last, and the game then: typed again it is meant."""
        self._more: tuple[str, ...] = ()
        """Further reasons for the last warning, which ``why`` tells."""
        self._fixed = numbering == FIXED
        self._turning = table.session.terms.opponent == "screen" and not fixed_board
        self._drawn: tuple[Game, object] | None = None
        self._hints = dict(HINTS) if newcomer else {}
        """The hints that have not been given yet; each is given once."""

    def run(self, unfinished: int | None = None) -> int:
        """Talk until the match is over or a player leaves; gives the exit code."""
        _use_line_editing()
        self._welcome(unfinished)
        try:
            self._tell(self._table.advance())
            while not self._table.is_over:
                self._draw_once()
                self._hint()
                line = input(self._prompt()).strip()
                if self._heard(line):
                    self._farewell()
                    return 0
        except (EOFError, KeyboardInterrupt):
            self._say("")
            self._farewell()
        return 0

    # -- talking ------------------------------------------------------------------------------------------
    def _heard(self, line: str) -> bool:
        """Do the line that was typed; True when the player leaves."""
        line = line or self._enter_means()
        if not line:
            self._say(f"  {HINTS.get(self._table.game.phase, 'Type help for the words there are.')}")
            return False
        turn = self._table.turn
        if line.lower() == "why" and self._more:
            for sentence in self._more:
                self._say(f"  {self._number_plays(sentence, turn)}")
            return False
        warning = self._warning(line)
        if warning:
            self._say(f"  {self._number_plays(warning, turn)}", "yellow")
            return False
        try:
            happened = self._table.run_command(line)
        except FullprimeError as error:
            self._say(f"  {self._number_plays(str(error), turn, line)}", "red")
            return False
        if any(event.kind == "quit" for event in happened):
            return True
        if any(event.kind == "board" for event in happened):
            self._drawn = None
        self._tell([event for event in happened if event.kind != "board"], turn)
        return False

    def _number_plays(self, text: str, player: Player | None, typed: str = "") -> str:
        """A text about plays of a player, by the numbers that are wanted."""
        return number_for_x(text, player, typed) if self._fixed else text

    def _warning(self, line: str) -> str:
        """What the tutor says before a costly choice; empty where it has nothing to say, and for one made again."""
        table = self._table
        if self._tutor is None or table.game.is_over:
            return ""
        from fullprime.analysis.tutor import judge

        try:
            choice = table.reader.describe(line)
            judgement = None if self._warned_of == (table.game, choice) else judge(table.game, choice)
        except FullprimeError:
            return ""  # It is no choice but a word such as help, or it is refused below, with the reason.
        if judgement is None or judgement.loss < max(self._tutor, 0.001):
            return ""
        self._warned_of, self._more = (table.game, choice), judgement.more
        why = f" {judgement.why}" if judgement.why else ""
        return (
            f"The tutor: {judgement.choice} costs {judgement.loss:.2f}, {judgement.best} is best.{why}"
            " Type it again if you mean it" + (", or why for more." if self._more else ".")
        )

    def _enter_means(self) -> str:
        """The action of Enter alone. It never answers an offer: that takes the word itself."""
        table = self._table
        game = table.game
        if game.is_over:
            return "next"
        if table.moves and not table.game.roll_plays.steps(table.reader.state):
            return "done"
        if not table.types_dice and game.phase in (Phase.OPENING_ROLL, Phase.CUBE_DECISION, Phase.ROLL):
            return "roll"
        return ""

    def _tell(self, happened: list[Event], turn: Player | None = None) -> None:
        """Print the events, in order. A throw stands in the line of its play; the end of a game follows the board."""
        followers = [event.kind for event in happened[1:]]
        for event, following in zip_longest(happened, followers):
            if event.kind == "roll" and following == "play":
                continue
            if event.kind in _LAST_WORDS:
                self._draw_once()
            loud = event.kind in _LAST_WORDS or event.kind == "new_game"
            self._say(
                self._number_plays(event.text, turn if event.player is None else event.player), "bold" if loud else ""
            )

    def _say(self, text: str, style: str = "") -> None:
        if self._console.is_terminal:
            self._console.print(wrap_text(clean_text(text), width()), style=style or None)
        else:
            say(text, flush=True)

    def _welcome(self, unfinished: int | None) -> None:
        table = self._table
        checkers = "XO" if self._ascii else "●○"
        who = [
            name if name in "XO" or self._in_words else f"{name} ({checkers[side]})"
            for side, name in enumerate(table.names)
        ]
        settings = table.session.terms.settings
        self._say(f"{settings.variant.title}, {describe_length(settings)}: {format_players(who)}.", "bold")
        if self._table.number is not None and self._table.actions_kept:
            self._say(f"Resumed game {table.number}.")
            return
        if self._hints:
            by = ", and the board is told by your numbers" if self._in_words else ", by the numbers at the board's edge"
            self._say(
                f"Your checkers move from 24 to 1{by}. Another game, length, opponent or rule: fullprime play --help."
            )
        if unfinished is not None:
            self._say(f"Game {unfinished} is unfinished: fullprime play --resume {unfinished} goes on with it.")

    def _farewell(self) -> None:
        table = self._table
        if table.number is None:
            self._say("This game was not stored.")
        else:
            self._say(f"Your game is stored. Go on with it: fullprime play --resume {table.number}")

    def _hint(self) -> None:
        phase = self._table.game.phase
        if self._table.types_dice and phase is Phase.CUBE_DECISION:
            phase = Phase.ROLL
        if phase is Phase.ROLL and not self._table.types_dice:
            return
        hint = self._hints.pop(phase, None)
        if hint is not None:
            self._say(f"  {hint}", "italic")

    # -- showing ------------------------------------------------------------------------------------------
    def _draw_once(self) -> None:
        table = self._table
        now = (table.game, table.moves)
        if self._drawn != now:
            self._drawn = now
            self._say("")
            if self._in_words:
                self._say("\n".join(board_sentences(self._view())))
            else:
                show_board(self._console, self._view())

    def _view(self) -> BoardView:
        table = self._table
        turn = table.turn
        changes: dict[str, object] = {
            "names": table.names,
            "scores": table.session.score.points,
            "home_left": self._mirror,
            "ascii_only": self._ascii,
            "numbers_of": Player.X if self._fixed else None,
            "bottom": turn if self._turning and turn is not None else Player.X,
        }
        if table.moves:
            state = table.reader.state
            changes |= {"position": state.position, "dice": state.dice}
        return BoardView.of(table.game, **changes)

    def _prompt(self) -> str:
        table = self._table
        game = table.game
        return f"{self._asks(table, game)} > "

    def _asks(self, table: Table, game: Game) -> str:
        if game.is_over:
            return "Enter for the next game, or quit"
        if game.turn is None:
            return f"Opening roll: {table.names[0]}'s die, then {table.names[1]}'s" if table.types_dice else "roll"
        name = table.names[game.turn]
        if table.waits_for_dice:
            return f"Dice of {name}"
        match game.phase:
            case Phase.CUBE_DECISION:
                return f"{name}: {'dice' if table.types_dice else 'roll'} or double"
            case Phase.ROLL:
                return f"{name} to roll"
            case Phase.PLAY:
                if not table.moves and game.dice is not None:
                    return f"{name} to play {game.dice.words}"
                state = table.reader.state
                is_complete = not game.roll_plays.steps(state)
                return f"{name}: done or undo" if is_complete else f"{name} to play {format_dice(state.dice)}"
            case Phase.CHOOSE_DOUBLE:
                return f"{name} to choose a double, 1 to 6"
            case Phase.RESIGNATION_OFFERED:
                level = f" a {LEVEL_NAMES[game.resignation or 1]}" if game.settings.variant.cube else ""
                return f"{name}: accept{level} or refuse"
            case _:
                raised = [str(kind) for kind in game.actions() if kind in (ActionKind.BEAVER, ActionKind.RACCOON)]
                return f"{name}: {', '.join(['take', 'drop', *raised])} (cube {game.cube.offered})"


def _use_line_editing() -> None:
    """Arrow keys and history at the prompt, where the system has them."""
    if open_standard_input().isatty():
        try:
            import readline
        except ImportError:
            return
        readline.set_auto_history(True)
