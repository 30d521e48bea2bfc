// Written by scripts/write_types.py from the values that it names: change those, then run it again.
/* What the server tells the pages. Fields that may be missing have a question mark. */

/** One of the two sides. */
export type Side = "X" | "O";

/** Where a person sits: `both` are two people at one screen. */
export type Seat = "X" | "O" | "both";

/** Against whom a game is played. */
export type OpponentKind = "bot" | "friend" | "screen";

/** Where the cube is, seen by the player on roll. */
export type CubePlace = "middle" | "mine" | "theirs";

/** What a game waits for. */
export type PhaseName = "opening_roll" | "cube_decision" | "roll" | "double_offered" | "beaver_offered" |
  "raccoon_offered" | "play" | "choose_double" | "resignation_offered" | "over";

/** One checker move of a tree: from, to, whether it hits (1 or 0), and the node after it. */
export type TreeStep = [number, number, number, number];

/** The state of a game as one person sees it; `status` tells the two apart. */
export type GameState = WaitingState | BegunState;

/** Whatever may happen, told apart by `kind`. */
export type GameEvent = OpeningEvent | RollEvent | PlayEvent | ChoiceEvent | OfferEvent | TakeEvent | ResignEvent |
  ResignationOfferEvent | ResignationRefusalEvent | ReplyEvent | TakebackEvent | ForfeitEvent | GameOverEvent |
  MatchOverEvent | NewGameEvent | StepEvent | UndoEvent | InfoEvent | BoardEvent | QuitEvent | ClosedEvent |
  PresenceEvent | ChatEvent;

/** A message of the stream of a game: the events, and the state after them. */
export interface StateMessage {
  /** `state`. */
  type: "state";
  /** The events since the message before; in the first message, all of them. */
  events: GameEvent[];
  /** The state after it, as you see it. */
  state: GameState;
  /** The server's time in seconds since 1970 (UTC), to which clocks refer. */
  now: number;
}

/** A throw for the opening: it decides who begins (`opening`) or is thrown again (`tie`). */
export interface OpeningEvent {
  /** `opening`, or `tie`: both dice alike, or a throw that does not count. */
  kind: "opening" | "tie";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** X's die, then O's. */
  dice: number[];
  /** The factor by which automatic doubles have raised a point. */
  multiplier: number;
}

/** Two dice were thrown. */
export interface RollEvent {
  /** `roll`. */
  kind: "roll";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The two dice as they fell. */
  dice: number[];
}

/** A roll was played. */
export interface PlayEvent {
  /** `play`. */
  kind: "play";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The play in the numbering of the side that made it; empty when none was legal. */
  play: string;
  /** The roll, the higher die first. */
  dice: number[];
  /** True if it was the only legal play and was made by itself. */
  automatic: boolean;
}

/** A double was named, in Acey Deucey. */
export interface ChoiceEvent {
  /** `choose`. */
  kind: "choose";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The number of the double, 1 to 6. */
  number: number;
}

/** The cube was offered, or turned once more as an answer. */
export interface OfferEvent {
  /** `double`, or the answers `beaver` and `raccoon`. */
  kind: "double" | "beaver" | "raccoon";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The value at which the other side may take. */
  offered: number | null;
}

/** The cube was taken. */
export interface TakeEvent {
  /** `take`. */
  kind: "take";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The value of the cube now. */
  cube: number;
}

/** A player offered to lose. */
export interface ResignEvent {
  /** `resign`. */
  kind: "resign";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** 1 a single game, 2 a gammon, 3 a backgammon. */
  level: number | null;
}

/** A player offered to lose, beside the game, which goes on; `sequence` does not count the offer. */
export interface ResignationOfferEvent {
  /** `resignation_offered`. */
  kind: "resignation_offered";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** 1 a single game, 2 a gammon, 3 a backgammon. */
  level: number;
}

/** An offer to lose that stood beside the game was refused; `sequence` does not count it. */
export interface ResignationRefusalEvent {
  /** `resignation_refused`. */
  kind: "resignation_refused";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
}

/** An offer was answered: the cube dropped, a resignation accepted or refused. */
export interface ReplyEvent {
  /** `drop` answers the cube, `accept` and `refuse` a resignation. */
  kind: "drop" | "accept" | "refuse";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
}

/** The game was taken back to an earlier moment. */
export interface TakebackEvent {
  /** `takeback`. */
  kind: "takeback";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The number of events of the game that still stand. */
  kept: number;
}

/** A side lost on time, by its absence, or because it left. */
export interface ForfeitEvent {
  /** `forfeit`; the `player` is the one who lost. */
  kind: "forfeit";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The way it was lost: `on time`, `by absence` or `by leaving`. */
  how: "on time" | "by absence" | "by leaving";
}

/** A game ended. */
export interface GameOverEvent {
  /** `game_over`; the `player` is the winner. */
  kind: "game_over";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The end of the game. */
  result: GameResult;
  /** The score after it, X's points first. */
  score: number[];
}

/** The end of a game. */
export interface GameResult {
  /** The side that won. */
  winner: Side;
  /** Points won, the cube counted; checkers in games that are settled by checkers. */
  points: number;
  /** 1 a single game, 2 a gammon, 3 a backgammon; null where the points are settled otherwise. */
  level: number | null;
  /** The reason for the end, in words: `borne off`, `drop`, `resignation` … */
  how: string;
  /** The money that the loser pays in money play; null in a match. */
  money: number | null;
}

/** A match was won. */
export interface MatchOverEvent {
  /** `match_over`; the `player` is the winner. */
  kind: "match_over";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The final score, X's points first. */
  score: number[];
}

/** The next game of a match or session begins. */
export interface NewGameEvent {
  /** `new_game`. */
  kind: "new_game";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The number of the game in the match, from 1. */
  game: number;
  /** The score before it, X's points first. */
  score: number[];
  /** True if it is the Crawford game. */
  crawford: boolean;
}

/** Checkers of a play that is not complete, or not confirmed, were moved. */
export interface StepEvent {
  /** `step`. */
  kind: "step";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** All checker moves of the play so far. */
  moves: string[];
  /** The dice that are left to play. */
  left: number[];
  /** True if the play is complete and waits to be confirmed. */
  complete: boolean;
}

/** A checker move of a play that was not finished, or dice typed wrongly, were taken back. */
export interface UndoEvent {
  /** `undo`. */
  kind: "undo";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The checker moves that are left of the play; missing when dice were taken back. */
  moves?: string[];
}

/** The answer to a question, or a word about the session; nothing in the game has changed. */
export interface InfoEvent {
  /** `info`. */
  kind: "info";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** The legal plays, for `plays`. */
  plays?: string[];
  /** The pips of X and O, for `pip`. */
  pips?: number[];
  /** The points of X and O, for `score`. */
  score?: number[];
  /** The engine's advice in a word or two, for `hint`. */
  hint?: string;
}

/** The board was asked for; `text` is its position. */
export interface BoardEvent {
  /** `board`. */
  kind: "board";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
}

/** The person who asked leaves; the game stays as it is. */
export interface QuitEvent {
  /** `quit`. */
  kind: "quit";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
}

/** Nothing more is played: a session was ended, or a match aborted or ended without a result. */
export interface ClosedEvent {
  /** `closed`. */
  kind: "closed";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
}

/** A player has lost the connection, or is back. */
export interface PresenceEvent {
  /** `away` or `back`. */
  kind: "away" | "back";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
}

/** A player said something. Spectators do not hear it. */
export interface ChatEvent {
  /** `chat`. */
  kind: "chat";
  /** The side that did it or that it concerns; null for the dice of the opening and for both. */
  player: Side | null;
  /** The same in words. */
  text: string;
  /** The words for the players of these sides, who have no names; they stay inside the server. */
  own?: Record<Side, string>;
  /** Those who may read it, where not all may; it stays inside the server. */
  audience?: "players" | "X" | "O";
  /** Its number in the talk of this game. */
  number: number;
  /** The side that said it. */
  side: Side;
  /** The words that were said. */
  said: string;
  /** The time when it was said, in seconds since 1970 (UTC). */
  at: number;
}

/** A game that has not begun: a friend, or a seed of the dice, is awaited. There is no board yet. */
export interface WaitingState {
  /** The name of the game in addresses. */
  id: string;
  /** The kind of opponent: `bot`, `friend`, or `screen` (two people at one screen). */
  opponent: OpponentKind;
  /** The name of the variant, as people write it. */
  title: string;
  /** The length or the stake, in words: `match to 5`, `money` … */
  played_for: string;
  /** The names of the players, X's first. */
  names: string[];
  /** The player in each seat, X's seat first: `human` or the name of a bot. */
  seats: string[];
  /** True for a person who sat down without an account, X's first; false for bots, and where it was not noted. */
  guests: boolean[];
  /** The address of the picture of each player, X's first; null for people and for engine levels without a face. */
  faces: (string | null)[];
  /** True if a player with the invitation may still join. */
  free_seat: boolean;
  /** True if the match changes the ratings of both accounts. */
  rated: boolean;
  /** Seconds after which the win over a player who is away may be claimed; null: never. */
  grace: number | null;
  /** True if hints, a tutor and takebacks are allowed. */
  help: boolean;
  /** Seconds after which spectators see an event. */
  late: number;
  /** The sides whose seed is awaited; the game begins when there are none. */
  missing_seeds: Side[];
  /** The server's commitment, told before any player adds a seed: the anchor of its chain. */
  commitment: string;
  /** The clock of a game between people; null without one. */
  clock: ClockState | null;
  /** The sides that have lost the connection, and since when. */
  away: Away;
  /**
   * The time, in seconds since 1970, from which the side that must act counts as absent: in a rated match without a
   * clock, 15 minutes after the last event; null in any other game.
   */
  overdue: number | null;
  /** The offers to play the same again. */
  rematch: RematchState;
  /** True if there may be something to take back. */
  takebacks: boolean;
  /** The ways to end a game that is not played out. */
  ending: EndingState;
  /** The chains of the dice and the links that are awaited; null while a spectator who is late sees nothing yet. */
  links: LinksState | null;
  /** The choice of colour and side by who won the opening throw; null where nothing was chosen. */
  look: LookChosen | null;
  /** The side that may choose them now: it has won the opening throw and not played yet; null for neither. */
  chooser: Side | null;
  /** The offer to resign; null while none waits. Between people the game goes on: its next event ends the offer. */
  resigning: ResignationOffer | null;
  /** Your seat; null for a spectator. */
  you: Seat | null;
  /** `waiting`. */
  status: "waiting";
  /** The name of the variant, such as `backgammon`. */
  variant: string;
  /** The length of the match, in points; 0 for money play. */
  length: number;
  /** The number of events so far: 0. */
  sequence: number;
}

/** A clock at one moment; times are seconds since 1970 (UTC). */
export interface ClockState {
  /** The control in words. */
  words: string;
  /** Seconds of each turn that cost nothing. */
  delay: number;
  /** Days for each turn of a correspondence game; null for any other. */
  days: number | null;
  /** The reserves in seconds when the turn began, X's first. */
  left: number[];
  /** The side whose clock runs; null when none does. */
  running: Side | null;
  /** The time when the turn began; null while no clock runs. */
  since: number | null;
  /** The time when the flag of the side that must act falls; null while no clock runs. */
  falls: number | null;
}

/** The times since which sides have had no page open, in seconds since 1970 (UTC); present sides are missing. */
export interface Away {
  /** The time since which X has been away. */
  X?: number;
  /** The time since which O has been away. */
  O?: number;
}

/** The offers to play the same again, and the new game once there is one. */
export interface RematchState {
  /** The sides that would play again; `both` at one screen. */
  offered: string[];
  /** The id of the new game once there is one. */
  game: string | null;
}

/** The ways to end a game that is not played out, and the way in which it ended. */
export interface EndingState {
  /** The sides that would end it without a result; the other side agrees by offering the same. */
  offered: Side[];
  /**
   * The way in which one player may end it now and lose nothing: `abort` in the first moves, `end` for a session
   * between two games (and at one screen at any time); null where it takes both, or costs the game or the match.
   */
  alone: "abort" | "end" | null;
  /** The points that the other side wins when X leaves now, and when O does; null before and after the game. */
  costs: number[] | null;
  /**
   * The way it ended: `played` to its end, `aborted`, `agreed` (by both, without a result), `ended` (a session),
   * `left`, lost on `time` or by `absence`; null until nothing more is played.
   */
  how: "played" | "aborted" | "agreed" | "ended" | "left" | "time" | "absence" | null;
  /** The side that aborted, ended or left it, was absent or lost on time; null where it was neither side alone. */
  by: Side | null;
}

/** The dice of a game in which every throw needs links. */
export interface LinksState {
  /** The name of the formula: `fullprime-2`. */
  formula: string;
  /** The number of links of each chain. */
  length: number;
  /** The chains, in the order in which they were begun. */
  chains: ChainBegun[];
  /** The number of the next throw, from 1. */
  number: number;
  /** The sides whose links the next throw needs. */
  needed: Side[];
  /** The sides whose links are awaited now, for a throw before which nothing is to be decided. */
  awaits: Side[];
  /** The time since which they are awaited, in seconds since 1970 (UTC); null while none is. */
  since: number | null;
}

/** A side, or the server, has begun a chain of links; its anchor commits it to every link of the chain. */
export interface ChainBegun {
  /** `server`, `X` or `O`. */
  whose: "server" | "X" | "O";
  /** The number of the first throw that it serves. */
  first: number;
  /** The SHA-256 of its first link. */
  anchor: string;
}

/** The winner of the opening throw has chosen the colour of the checkers and the side of the home board. */
export interface LookChosen {
  /** The side that has chosen. */
  by: Side;
  /** The colour of its checkers. */
  colour: "light" | "dark";
  /** The end of the board at which its home board lies, as it sits; the other side sits opposite. */
  home: "right" | "left";
}

/** An offer to resign that waits for an answer. */
export interface ResignationOffer {
  /** The side that offers to lose. */
  by: Side;
  /** 1 a single game, 2 a gammon, 3 a backgammon, 4 a backgammon on the bar. */
  level: number;
}

/** A game that has begun, with its board. Fields for the player who must play are missing for others. */
export interface BegunState {
  /** The name of the game in addresses. */
  id: string;
  /** The kind of opponent: `bot`, `friend`, or `screen` (two people at one screen). */
  opponent: OpponentKind;
  /** The name of the variant, as people write it. */
  title: string;
  /** The length or the stake, in words: `match to 5`, `money` … */
  played_for: string;
  /** The names of the players, X's first. */
  names: string[];
  /** The player in each seat, X's seat first: `human` or the name of a bot. */
  seats: string[];
  /** True for a person who sat down without an account, X's first; false for bots, and where it was not noted. */
  guests: boolean[];
  /** The address of the picture of each player, X's first; null for people and for engine levels without a face. */
  faces: (string | null)[];
  /** True if a player with the invitation may still join. */
  free_seat: boolean;
  /** True if the match changes the ratings of both accounts. */
  rated: boolean;
  /** Seconds after which the win over a player who is away may be claimed; null: never. */
  grace: number | null;
  /** True if hints, a tutor and takebacks are allowed. */
  help: boolean;
  /** Seconds after which spectators see an event. */
  late: number;
  /** The sides whose seed is awaited; the game begins when there are none. */
  missing_seeds: Side[];
  /** The server's commitment, told before any player adds a seed: the anchor of its chain. */
  commitment: string;
  /** The clock of a game between people; null without one. */
  clock: ClockState | null;
  /** The sides that have lost the connection, and since when. */
  away: Away;
  /**
   * The time, in seconds since 1970, from which the side that must act counts as absent: in a rated match without a
   * clock, 15 minutes after the last event; null in any other game.
   */
  overdue: number | null;
  /** The offers to play the same again. */
  rematch: RematchState;
  /** True if there may be something to take back. */
  takebacks: boolean;
  /** The ways to end a game that is not played out. */
  ending: EndingState;
  /** The chains of the dice and the links that are awaited; null while a spectator who is late sees nothing yet. */
  links: LinksState | null;
  /** The choice of colour and side by who won the opening throw; null where nothing was chosen. */
  look: LookChosen | null;
  /** The side that may choose them now: it has won the opening throw and not played yet; null for neither. */
  chooser: Side | null;
  /** The offer to resign; null while none waits. Between people the game goes on: its next event ends the offer. */
  resigning: ResignationOffer | null;
  /** The name of the variant, such as `backgammon`. */
  variant: string;
  /** The board in our text form, seen by the player on roll. */
  position: string;
  /** The side whose roll it is; null for the throw for the opening. */
  on_roll: Side | null;
  /** The side that must decide something; null for the throw for the opening and when the game is over. */
  turn: Side | null;
  /** The action or answer that the game waits for. */
  phase: PhaseName;
  /** The roll that is to be played, the higher die first; null while there is none. */
  dice: number[] | null;
  /** The doubling cube. */
  cube: CubeState;
  /** The worth of a point now in money: the stake times `multiplier`. */
  stake: number;
  /** The factor by which automatic doubles have raised a point. */
  multiplier: number;
  /** Points of the match; 0 for money play. */
  length: number;
  /** Points won so far, X's first, with a game that has just ended. */
  score: number[];
  /** True if this is the Crawford game, in which neither side may double. */
  crawford: boolean;
  /** True if the Crawford game has been played. */
  post_crawford: boolean;
  /** The number of the game on the board, from 1. */
  game: number;
  /** The number of events of the match that are stored; null for a game that is not. */
  stored: number | null;
  /** The level that is offered by a resignation, 1 to 3; null when none is. */
  resignation: number | null;
  /** The end of the game; only of a game that is over. */
  result?: GameResult;
  /** The game that follows, null after the last; only of a game that is over. */
  next_game?: NextGame | null;
  /** True if the game on the board is over. */
  game_over: boolean;
  /** True if the match has been won. */
  match_over: boolean;
  /** The side that has won the match; null before that. */
  match_winner: Side | null;
  /** The number of events so far; send it with what you do. */
  sequence: number;
  /** The checkers of each side in its own numbering: 0 off, 1-24 points, 25 bar, 26 hand. */
  points: Record<Side, number[]>;
  /** The pips of each side. */
  pips: Record<Side, number>;
  /** The number of checkers of a side. */
  checkers: number;
  /** True if checkers begin in hand, as in Dutch Backgammon and Acey Deucey. */
  has_hand: boolean;
  /**
   * The rules of the variant that bind the player on roll now and are not backgammon's: `enter_all_first` (every
   * checker in hand is entered before another moves), `may_not_hit` (the right to hit has not been earned),
   * `bar_may_wait` (others may move while some are on the bar), `exact_bearoff`.
   */
  special: ("enter_all_first" | "may_not_hit" | "bar_may_wait" | "exact_bearoff")[];
  /** The extras that the player on roll still gets once the roll has been played in full, the next one first. */
  follow_ups: ("choose_double" | "complement" | "roll_again")[];
  /** The levels of a resignation that are worth different points: 1 a single game, 2 a gammon, 3 a backgammon. */
  resign_levels: number[];
  /**
   * The words that may be said now: `roll`, `double`, `take`, `drop`, `move` …; for a person at a board on a server
   * only those that are theirs to say.
   */
  legal_actions: string[];
  /** All plays of the roll as text, each once; only for the player who must play. */
  plays?: string[];
  /** Checker moves that have been made of a play that is not complete; only for the player who must play. */
  moves?: string[];
  /** The ways to play the roll, checker by checker; only on a server, for the player who must play. */
  tree?: PlayTree;
  /** Your seat; null for a spectator. */
  you: Seat | null;
  /** `playing`, or `over` when nothing more is played. */
  status: "playing" | "over";
  /**
   * The words about a resignation that you may say now, in either side's turn: `resign`, or `accept` and `refuse`.
   * Empty against a bot and at one screen, where they are `legal_actions` in their turn.
   */
  beside_actions: string[];
}

/** The doubling cube. */
export interface CubeState {
  /** Points at stake: 1, 2, 4 … */
  value: number;
  /** The side that may double; null while both may. */
  owner: Side | null;
  /** The value that is offered and waits for an answer; null when none is. */
  offered: number | null;
  /** True if this game has a cube: not in a match to one point, nor in the Crawford game. */
  in_use: boolean;
}

/** The game that follows one that is over. */
export interface NextGame {
  /** True if it is the Crawford game. */
  crawford: boolean;
}

/** All ways to play a roll, checker by checker. Play begins at node 0. */
export interface PlayTree {
  /**
   * `steps[n]` lists the moves at node n: from, to, 1 for a hit, the node after it. A node without steps is a complete
   * play. Places are those of the player on roll: 0 off, 1-24 points, 25 bar, 26 hand.
   */
  steps: TreeStep[][];
  /** `dice[n]` are the dice still to play at node n. */
  dice: number[][];
}

/** The proof of the dice of a game. */
export interface DiceProof {
  /** The name of the formula that makes the dice: `fullprime-2`. */
  formula: string;
  /** The server's commitment, as it was told before any player added a seed. */
  commitment: string;
  /**
   * The seeds that X and O have added, or the anchors of their chains; empty for a bot, and for the second person at
   * one screen.
   */
  seeds: Record<Side, string>;
  /** The server's part; null until nothing more is played. */
  secret: string | null;
  /** The dice of every throw, in the order in which the formula gives them; null until nothing more is played. */
  throws: number[][] | null;
  /** The number of dice thrown before each throw, as they come again after a takeback; null like `throws`. */
  drawn: number[] | null;
  /** The links with which the throws were made, also while the game is played. */
  links: LinkedProof;
}

/** The chains and the throws of a game in which every throw needs links. */
export interface LinkedProof {
  /** The id of the game. */
  game: string;
  /** The names of the players, X's first. */
  names: string[];
  /** The player in each seat: `human`, or the name of a bot. A bot is a party of the server. */
  seats: string[];
  /** The number of links of each chain. */
  length: number;
  /**
   * Whose link X's throws need, and whose O's, if that side has a chain: a person gives the link for the bot's throws
   * too, and one of two people at one screen for both. The opening needs the links of all of them.
   */
  givers: Side[];
  /** The chains, in the order in which they were begun. */
  chains: ChainBegun[];
  /** Every throw so far, in order. */
  throws: ProvedThrow[];
}

/** One throw, with everything from which it follows. */
export interface ProvedThrow {
  /** Its number in the match, from 1; after a takeback numbers come again, with the same dice. */
  number: number;
  /** The side that threw; `both` for the opening. */
  by: Seat;
  /** The server's link of that number. */
  server: string;
  /**
   * X's part: its link of that number if the throw needs it, else the newest link that X has told for an earlier throw,
   * else the anchor of X's chain; without a chain X's seed.
   */
  x: string;
  /** O's part. */
  o: string;
  /** The sides that gave their link of that number. */
  links: Side[];
  /** The sides that owed a link and gave none, so that the server could know this throw in advance. */
  without: Side[];
  /** The dice in the order of the formula: in the opening X's, then O's. */
  dice: number[];
}

/** The talk in a game. */
export interface TalkLog {
  /** Every line, in order. */
  said: ChatLine[];
  /** The canned phrases by the name under which they are sent. */
  phrases: Record<string, string>;
}

/** One thing that a player said. */
export interface ChatLine {
  /** Its number in the talk of this game. */
  number: number;
  /** The side that said it. */
  side: Side;
  /** The words that were said. */
  said: string;
  /** The time when it was said, in seconds since 1970 (UTC). */
  at: number;
}

/** A score card. */
export interface ScoreCard {
  /** The players, X first. */
  names: string[];
  /** The game, and the length of the match or money play. */
  title: string;
  /** The points to which the match is played; 0 for money. */
  length: number;
  /** The finished games in order. */
  lines: ScoreLine[];
  /** The score now, X's first. */
  score: number[];
  /** What comes next: who has won, or how many points each still needs. */
  next: string;
  /** Money play: the worth of a point, as a decimal number. */
  stake: string;
  /** Who pays whom what, a sentence each; empty for a match. */
  settlement: string[];
  /** Empty rows that stand below the games on paper, to be filled in by hand; 0 once the match is over. */
  rows: number;
}

/** One finished game on a score card. */
export interface ScoreLine {
  /** The number of the game, from 1. */
  game: number;
  /** `X` or `O`. */
  winner: Side;
  /** How it was won, and how its worth comes about: `gammon, cube at 2, stake 5: 20`. */
  words: string;
  /** The points won. */
  points: number;
  /** The running score after it, X's first. */
  score: number[];
  /** `Crawford game` where it was; else empty. */
  note: string;
}

/** The best play, or the right cube action, at every score: as far as it is known. */
export interface ScoreMap {
  /** The most points that a side is away. One point away is after the Crawford game. */
  length: number;
  /** The level of the engine that was asked for. */
  level: string;
  /** The roll; None where the cube action is looked for. */
  dice: [number, number] | null;
  /** The value of a cube that is not in the middle. */
  turned: number;
  /** The number of cells of the whole map. */
  asked: number;
  /** The number of cells that are known at the level that was asked for. */
  done: number;
  /** One for each place of the cube, for money and then for each score; those that are not known yet are left out. */
  cells: ScoreCell[];
}

/** The right choice at one score with the cube at one place; equities in units of the present cube. */
export interface ScoreCell {
  /** Where the cube is: in the `middle`, `mine` (the player's on roll) or `theirs`. */
  cube: CubePlace;
  /** Points that the player on roll, and then the opponent, still needs; None for money. */
  away: [number, number] | null;
  /**
   * A letter for the best play; of a cube action `-` no double, `DT` double and take, `DP` double and drop, `DB` double
   * and beaver, `TG` too good, `=` double or not, `ND` no double because a beaver would come.
   */
  sign: string;
  /** The best play, or the right action of both players. */
  best: string;
  /** The worth to the player on roll when the right choice is made. */
  equity: number;
  /** What the smallest wrong choice costs: the second best play, or a wrong action; None where there is no choice. */
  margin: number | null;
  /** The level of the engine that found it: first a quick look, then the level that was asked for. */
  level: string;
  /** The plays that were looked at as far as the best, or the actions with the cube that the rules allow. */
  options: Option[];
}

/** One possible play or action. */
export interface Option {
  /** The play, or the action, as players write it. */
  text: string;
  /** The equity for the player who decides. */
  equity: number;
  /** The loss against the best option, 0 or more. */
  loss: number;
  /** The equity as points of the stake, or as the chance to win the match. */
  value: number;
  /** Plies of look-ahead behind these numbers. */
  depth: number;
  /** Win, win a gammon or better, win a backgammon, lose a gammon or worse, lose a backgammon; of a checker play. */
  chances?: [number, number, number, number, number];
  /** Each checker move of a play: from, to, the die, 1 for a hit. */
  moves?: TreeStep[];
  /** Standard error of an equity that was rolled out. */
  deviation?: number;
}

/** What goes on among people, some seconds old at most. */
export interface LobbyNow {
  /** The people who play each other or wait, with a page open. */
  present: number;
  /** Accounts among them that show their profile, by name: two dozen at most. */
  people: PresentAccount[];
  /** Games of paired people, the latest first: six at most. */
  games: WatchedGame[];
  /** The highest ratings of short matches of backgammon. */
  leaders: RatedAccount[];
}

/** An account that has a page open at a board, or waits for an opponent. */
export interface PresentAccount {
  /** The name of the account. */
  name: string;
  /** True if it is a program. */
  bot: boolean;
  /** The rating of short matches of backgammon; null without one. */
  short_rating: RatingShown | null;
}

/** A rating as it is today. */
export interface RatingShown {
  /** The rating in whole points. */
  rating: number;
  /** One standard deviation of the error of the rating. */
  deviation: number;
  /** True for one that does not stand in the list: too few matches, opponents or days of play, or too long ago. */
  provisional: boolean;
  /** The number of rated matches. */
  matches: number;
}

/** A game that is played now and that everybody may watch. */
export interface WatchedGame {
  /** The id of the game, as in addresses. */
  id: string;
  /** The names of X and O. */
  names: [string, string];
  /** Points of X and O. */
  score: [number, number];
  /** Points of the match. */
  length: number;
  /** The checkers of X in its own numbers: 0 off, 1 to 24, 25 bar, 26 hand. */
  x: number[];
  /** The checkers of O in its own numbers. */
  o: number[];
}

/** An account in the list of the best. */
export interface RatedAccount {
  /** The name of the account. */
  name: string;
  /** True if it is a program. */
  bot: boolean;
  /** The rating in whole points. */
  rating: number;
  /** One standard deviation of the error of the rating. */
  deviation: number;
  /** True for one that does not stand in the list: too few matches, opponents or days of play, or too long ago. */
  provisional: boolean;
  /** The number of rated matches. */
  matches: number;
}

/** The accounts that the account follows. Only the account itself reads this. */
export interface FriendList {
  /** Those who are here first, each group by name. */
  friends: Friend[];
}

/** An account that the account follows. */
export interface Friend {
  /** The name of the account. */
  name: string;
  /** True if it is a program. */
  bot: boolean;
  /** True if it has a page open at a board, or waits for an opponent; null for a private profile. */
  is_here: boolean | null;
  /** The rating of short matches of backgammon; null without one, and for a private profile. */
  short_rating: RatingShown | null;
  /** The time since when the account follows it. */
  since: number;
}

/** A challenge: a session that waits for its second player. */
export interface Challenge {
  /** True if the creator has an account. */
  account: boolean;
  /** True if that is the account of a program. */
  bot: boolean;
  /** The account that is challenged; None for everybody. */
  target: string | null;
  /** The game. */
  variant: string;
  /** Its name in words. */
  title: string;
  /** Points of the match; 0 for money. */
  length: number;
  /** The same in words, with the rules that are not the usual ones. */
  played_for: string;
  /** The clock as its creator named it: a name, `12+600` or `3d`; None without one. */
  clock: string | null;
  /** True if others may watch. */
  spectators: boolean;
  /** The creator's rating of that kind and its deviation; None without one. */
  rating: [number, number] | null;
  /** The id with which the challenge is accepted. */
  id: string;
  /** The name of its creator. */
  name: string;
  /** True if the match changes ratings. */
  rated: boolean;
  /** The time when it was made. */
  created: number;
  /** The time when it expires. */
  expires: number;
}
