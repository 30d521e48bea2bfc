// @ts-check
/** One game on the page: what the server tells is drawn, what the person does is told to the server. */

import { Live, Refusal, call, keep, keyOf, ownGames, randomSeed, save } from "/static/parts/api.js";
import { Board } from "/static/board/board.js";
import { showButtons } from "/static/board/buttons.js";
import { Chat } from "/static/game/chat.js";
import { Clocks } from "/static/game/clock.js";
import { ask } from "/static/parts/dialogs.js";
import * as leaving from "/static/game/leaving.js";
import { OwnLinks } from "/static/game/links.js";
import { showProof } from "/static/game/proof.js";
import * as settings from "/static/parts/settings.js";
import { showSettings } from "/static/parts/settings-dialog.js";
import { sound, soundOf } from "/static/game/sound.js";
import { Walk } from "/static/board/tree.js";
import { Tutor } from "/static/game/tutor.js";
import { byId, el } from "/static/parts/page.js";

/** @typedef {import("/static/parts/state").GameState} GameState */
/** @typedef {import("/static/parts/state").BegunState} BegunState */
/** @typedef {import("/static/parts/state").GameEvent} GameEvent */
/** @typedef {import("/static/parts/state").StateMessage} StateMessage */
/** @typedef {import("/static/parts/state").Side} Side */
/** @typedef {import("/static/parts/state").TreeStep} Step */

const id = location.pathname.split("/").pop() ?? "";
/** @param {Side} side @returns {Side} */
const other = (side) => (side === "X" ? "O" : "X");
const narrow = matchMedia("(max-width: 700px) and (orientation: portrait)");
const LEVELS = /** @type {Record<number, string>} */ ({ 1: "a single game", 2: "a gammon", 3: "a backgammon", 4: "a backgammon on the bar" });

/** @type {GameState | null} */
let state = null;
let walk = new Walk(undefined);
let selected = /** @type {number | null} */ (null);
let swapped = false;
let busy = false;
let last = /** @type {[Side, number][]} */ ([]);
/** The roll that was played last: it stays on the board until the next. @type {{side: Side, dice: number[]} | null} */
let played = null;
let live = /** @type {Live | null} */ (null);
const queue = /** @type {(StateMessage & {fresh: boolean})[]} */ ([]);
let showing = false;
/** Advice on the board. @type {import("/static/game/tutor.js").Arrow[]} */
let arrows = [];
let absence = 0;

const board = new Board(byId("board"), {
  onActivate: activate,
  onDrop: (from, to) => { selected = null; const made = reach(from).get(to); if (made) make(made); else draw(); },
  onDouble: quickly,
  onPoint: (slot) => { const steps = mayMove() && walk.pointMaker(slot); if (steps) take(steps); },
  onDice: () => { if (!mayMove()) return; if (walk.complete) finish(); else { swapped = !swapped; draw(); } },
  targets: (slot) => [new Set(walk.targets(slot).keys()), others(slot)],
});
const clocks = new Clocks({
  onFall: () => claim(true),
  onLow: (side, seconds) => { if (state.you === side || state.you === "both") tell({ kind: "info", player: side, text: `You have ${seconds} seconds left.` }); },
});
const chat = new Chat(id, () => keyOf(id), problem);
const chains = new OwnLinks(id);
const tutor = new Tutor(id, () => keyOf(id), (shown) => { arrows = shown; draw(); }, problem);

// -- what may be done -------------------------------------------------------------------------------------------
/** The state of a game that has begun, else null. */
const begun = () => (state && state.status !== "waiting" ? state : null);
/** @param {string} word */
const can = (word) => Boolean(begun()?.legal_actions.includes(word));
const mayMove = () => walk.active && can("move") && !busy;
/** @returns {Side} */
const bottom = () => (state.you === "O" || (state.you === "both" && settings.read().turn && begun()?.turn === "O") ? "O" : "X");
const mover = () => (state.you === "both" && begun()?.turn) || bottom();
/** Where the checker of a place may go: place -> all steps of the play that are then made. @param {number} slot */
function reach(slot) {
  return new Map([...walk.instead(slot), ...[...walk.targets(slot)].map(([to, steps]) => /** @type {[number, Step[]]} */ ([to, [...walk.made, ...steps]]))]);
}
/** @param {number} slot */
const others = (slot) => new Set([...walk.instead(slot).keys()].filter((to) => !walk.targets(slot).has(to)));
/** @returns {Set<number>} */
const none = () => new Set();
const dice = () => (swapped ? [...walk.dice].reverse() : walk.dice);

/** Ask again when the line is bad: the sequence makes sure that nothing is done twice. @param {object} body @returns {Promise<{events: GameEvent[], moves: string[]}>} */
async function insist(body) {
  for (let tries = 0; ; tries++) {
    try {
      return await call(`/games/${id}/act`, body, keyOf(id));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 0 || tries === 4) throw error;
      await new Promise((done) => { setTimeout(done, 400 * (tries + 1)); });
    }
  }
}

/** @param {string} line */
async function act(line, { announce = true } = {}) {
  if (busy) return false;
  busy = true;
  problem("");
  try {
    const link = line === "roll" ? await linkToRoll() : undefined;
    const answer = await insist({ line, moves: walk.active ? walk.moves : [], sequence: state.sequence, ...(link ? { link } : {}) });
    for (const event of answer.events) {
      if (event.kind === "quit") { location.href = "/"; return true; }
      if (announce && ["info", "board"].includes(event.kind)) tell(event);
    }
    if (answer.moves.length && walk.active) walk.follow(answer.moves);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 409) { walk.made = []; live?.close(); connect(); }
    else problem(error.message);
    return false;
  } finally {
    busy = false;
    selected = null;
    draw();
  }
}

// -- links of the dice ------------------------------------------------------------------------------------------
/** The side whose links this page gives. @returns {Side | null} */
const giver = () => (state?.you === "both" ? "X" : state?.you ?? null);

/** The link that goes with a roll, or undefined where it needs none of ours. A page that has no chain here begins one. */
async function linkToRoll() {
  const { links } = state, side = giver();
  if (!links || !side || begun()?.game_over || !links.needed.includes(side)) return undefined;
  let link = chains.next(links, side);
  if (!link) {
    const anchor = chains.anchor(side, links.number, links.length);
    await call(`/games/${id}/chain`, { number: links.number, anchor }, keyOf(id));
    links.chains.push({ whose: side, first: links.number, anchor });
    link = chains.next(links, side);
  }
  chains.tells(links);
  return link ?? undefined;
}

let answering = 0;

/** Give the link that the server waits for, as soon as it is known. @param {GameState} next */
async function giveLink({ links, you }) {
  const side = you === "both" ? "X" : you;
  if (!links || !side || !links.awaits.includes(side) || answering === links.number) return;
  const link = chains.next(links, side);
  if (!link) return;
  answering = links.number;
  chains.tells(links);
  for (let tries = 0; tries < 5; tries++) {
    try {
      await call(`/games/${id}/link`, { number: links.number, link }, keyOf(id));
      break;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 0) break;
      await new Promise((done) => { setTimeout(done, 400 * (tries + 1)); });
    }
  }
  answering = 0;
}

/** From now on the links of this seat come from here; the page that gave them before gives none any more. */
async function throwHere() {
  const { links } = state, side = giver();
  if (!links || !side) return;
  const anchor = chains.anchor(side, links.number, links.length);
  await call(`/games/${id}/chain`, { number: links.number, anchor }, keyOf(id)).catch((error) => problem(error.message));
}

/** @param {number} slot */
function activate(slot) {
  if (!mayMove()) return;
  if (selected !== null) {
    const made = reach(selected).get(slot);
    if (made) { make(made); return; }
    if (selected === slot) { quickly(slot); return; }
  }
  selected = walk.sources.has(slot) || walk.moved.has(slot) ? slot : null;
  draw();
}

/** The checker goes by the first die, or by the other when the first does not move it. @param {number} slot */
function quickly(slot) {
  if (!mayMove()) return;
  selected = null;
  const step = walk.stepWith(slot, [...new Set(dice())]);
  if (step) take([step]);
  else draw();
}

/** @param {Step[]} steps */
function take(steps) { make([...walk.made, ...steps]); }

/** @param {Step[]} made */
function make(made) {
  sound(made.some(([, , hit], at) => hit && !walk.made[at]) ? "hit" : "move");
  walk.made = made;
  selected = null;
  draw();
  if (walk.complete && !settings.read().confirm) finish();
}

function undo() {
  walk.made.pop();
  selected = null;
  draw();
}

async function finish() {
  const held = walk;
  if (!held.complete || busy) return;
  const moves = held.moves.join(" ");
  if (!await considered(moves) || walk !== held) return;
  const done = held.made;
  held.made = [];
  // A refusal that comes after the game has gone on is about another board: its checkers stand as they are.
  if (!await act(moves) && walk === held) held.made = done;
  draw();
}

/** The tutor's word before something is done; false when it is not to be done now. @param {string} line */
async function considered(line) {
  if (!state.help || !Number(settings.read().tutor)) return true;
  const sequence = state.sequence;
  busy = true;
  draw();
  const answer = await tutor.stop(line, begun().turn).finally(() => { busy = false; });
  if (answer === "best" && walk.active) walk.made = [];
  draw();
  return answer === "go" && state.sequence === sequence;
}

async function roll() {
  if (!can("double") || await considered("roll")) act("roll");
}

async function double() {
  const offered = begun().cube.value * 2;
  const answer = await ask(`Double to ${offered}?`, [], [["", "Not now"], ["double", "Double", "primary"]]);
  if (answer && await considered("double")) act("double");
}

async function accept() {
  if (await considered("take")) act("take");
}

/** Something beside the rules; gives what the server answers, or null when it refuses. @param {string} what */
async function also(what, body = {}, quietly = false) {
  problem("");
  try {
    return await call(`/games/${id}/${what}`, body, keyOf(id));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!quietly) problem(error.message);
    return null;
  }
}

const takeBack = () => also("takeback", { sequence: state.sequence });
const claim = (quietly = false) => also("claim", {}, quietly);
const hint = () => tutor.hint(begun().turn);

async function rematch() {
  const answer = await also("rematch");
  if (answer?.game) go(answer.game);
}

/** The same seat of another game has the same key. @param {string} game */
function go(game) {
  keep(game, { key: keyOf(id) });
  location.href = `/game/${game}`;
}

async function drop() {
  const answer = await ask("Drop?", [`You lose the game at ${begun().cube.value}.`], [["", "Think again"], ["drop", "Drop", "danger"]]);
  if (answer && await considered("drop")) act("drop");
}

async function resign() {
  const worth = begun().resign_levels;
  const levels = worth.map((level) => /** @type {[string, string, string]} */ ([String(level), worth.length > 1 ? LEVELS[level] : "Resign", "danger"]));
  const answer = await ask("Resign?", ["Your opponent may refuse."], [["", "Play on"], ...levels]);
  if (answer) act(`resign ${answer}`);
}

// -- telling ----------------------------------------------------------------------------------------------------
/** @param {string} text */
function problem(text) { byId("problem").textContent = text; }

/** @param {GameEvent} event */
function tell(event) {
  const line = el("p", { class: `event ${event.kind}` });
  line.textContent = event.text;
  byId("log").append(line);
  while (byId("log").children.length > 300) byId("log").firstElementChild?.remove();
  byId("log").scrollTop = byId("log").scrollHeight;
}

function status() {
  const who = /** @param {Side} side */ (side) => state.names[side === "X" ? 0 : 1];
  if (state.status === "waiting") return state.ending.how ? leaving.words(state) : state.free_seat ? "Waiting for your friend." : "The dice are being prepared.";
  if (state.match_over) return `${who(state.match_winner)} won the match.`;
  if (state.status === "over") return leaving.words(state);
  if (state.late && !state.you) return `You see this game ${state.late < 120 ? `${state.late} seconds` : `${Math.round(state.late / 60)} minutes`} late.`;
  if (state.game_over) return "The game is over.";
  const owed = state.links?.awaits ?? [];
  if (owed.length && state.you && !owed.includes(giver())) return `The dice wait for the page of ${who(owed[0])}.`;
  if (owed.includes(giver())) return chains.next(state.links, giver()) ? "The dice are thrown." : "Your dice are with another device or browser.";
  if (!state.turn) return can("roll") ? "Throw for the opening." : "The opening throw.";
  const mine = state.you === "both" || state.you === state.turn;
  if (!mine && state.away[state.turn]) return `${who(state.turn)} to act, but away.`;
  if (!mine) return state.seats[state.turn === "X" ? 0 : 1] === "human" ? `${who(state.turn)} to act.` : `${who(state.turn)} is thinking.`;
  const name = state.you === "both" ? `${who(state.turn)}: ` : "";
  const say = /** @type {Partial<Record<import("/static/parts/state").PhaseName, string>>} */ ({
    cube_decision: "roll or double.", roll: "roll.", double_offered: `take or drop the cube at ${state.cube.offered}.`,
    beaver_offered: `answer the beaver at ${state.cube.offered}.`, raccoon_offered: `answer the raccoon at ${state.cube.offered}.`,
    choose_double: "choose a double.", resignation_offered: `your opponent resigns ${LEVELS[state.resignation] ?? ""}: accept or refuse.`,
    play: walk.complete ? "finish the play, or undo." : `play ${dice().join(" ")}.`,
  })[state.phase] ?? "";
  return name + (name ? say : say.charAt(0).toUpperCase() + say.slice(1));
}

// -- drawing ----------------------------------------------------------------------------------------------------
/** @returns {Record<Side, number[]>} */
function rows() {
  const { points, on_roll: side } = begun();
  if (!walk.made.length) return points;
  const [mine, theirs] = walk.apply(points[side], points[other(side)]);
  return side === "X" ? { X: mine, O: theirs } : { X: theirs, O: mine };
}

/** @returns {import("/static/board/board.js").DiceGroup[]} */
function shownDice() {
  const now = begun();
  if (!now.dice || now.phase !== "play") {
    return played && !now.game_over ? [{ side: played.side, numbers: played.dice, used: [true, true] }] : [];
  }
  const whole = now.dice[0] === now.dice[1] ? /** @type {number[]} */ (Array(4).fill(now.dice[0])) : swapped ? [...now.dice].reverse() : now.dice;
  const left = walk.active ? [...walk.dice] : [...whole];
  const used = whole.map((number) => {
    const at = left.indexOf(number);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
  return [{ side: now.on_roll, numbers: whole, used }];
}

/** @param {HTMLElement} place @param {Side} side */
function player(place, side) {
  const index = side === "X" ? 0 : 1, now = begun();
  const pips = rows()[side].reduce((sum, count, slot) => sum + count * Math.min(slot, 25), 0);
  const away = now.length ? `${now.score[index]} of ${now.length}` : `${now.score[index]}`;
  const chip = el("span", { class: `chip ${side.toLowerCase()}`, "aria-hidden": "true" });
  const name = el("strong");
  name.textContent = state.names[index];
  const facts = [`pips ${pips}`, `score ${away}`];
  if (now.cube.in_use && now.cube.owner === side) facts.push(`cube ${now.cube.value}`);
  const info = el("span", { class: "facts" });
  info.textContent = facts.join(" · ");
  place.replaceChildren(chip, name, info, el("span", { class: "clock", "data-clock": side, role: "timer", "aria-label": `Clock of ${state.names[index]}`, hidden: true }));
  if (side === "X" && now.crawford) place.append(el("span", { class: "sign" }, "Crawford game"));
  if (side === "X" && now.multiplier > 1) place.append(el("span", { class: "sign" }, `stake × ${now.multiplier}`));
  place.classList.toggle("turn", now.turn === side && !now.game_over);
}

function draw() {
  if (!state) return;
  const look = settings.read(), now = begun();
  if (now) {
    const side = mover();
    const moving = mayMove();
    board.draw({
      rows: rows(), bottom: bottom(), mover: side, you: Boolean(state.you), hand: now.has_hand,
      names: { X: state.names[0], O: state.names[1] }, portrait: narrow.matches, homeLeft: look.home === "left", numbers: look.numbers,
      sources: moving ? walk.sources : none(), selected, last,
      targets: moving && selected !== null ? new Set(walk.targets(selected).keys()) : none(),
      moved: moving ? walk.moved : none(), others: moving && selected !== null ? others(selected) : none(), arrows,
      dice: shownDice(), cube: now.cube.in_use || now.cube.value > 1 ? now.cube : null,
    });
    player(byId("player-top"), other(bottom()));
    player(byId("player-bottom"), bottom());
    clocks.tick();
  }
  byId("board").hidden = !now;
  const said = status();
  if (byId("status").textContent !== said) byId("status").textContent = said;
  byId("title").textContent = `${state.title}, ${state.played_for}${state.rated ? ", rated" : ""}`;
  document.title = `${state.names.join(" – ")} · Fullprime`;
  byId("save").hidden = !now;
  byId("command").hidden = !state.you || !now;
  buttons();
}

function buttons() {
  const wanted = /** @type {import("/static/board/buttons.js").Button[]} */ ([]);
  const now = begun(), gameOver = Boolean(now?.game_over);
  const mine = state.you && (state.you === "both" || state.you === now?.turn);
  if (can("double") && !(state.links && chains.hasTold(state.links))) wanted.push(["double", "Double", double, "apart"]);
  if (can("move")) {
    wanted.push(["undo", "Undo", undo, "", !walk.made.length]);
    wanted.push(["done", "Done", finish, "primary", !walk.complete]);
  }
  const owed = state.links?.awaits ?? [];
  if (can("roll") && !owed.length) wanted.push(["roll", "Roll", () => roll(), "primary"]);
  if (owed.includes(giver()) && !chains.next(state.links, giver())) wanted.push(["here", "Throw on this device", throwHere, "primary"]);
  if (can("drop")) wanted.push(["drop", "Drop", drop, "apart"]);
  if (can("raccoon")) wanted.push(["raccoon", "Raccoon", () => act("raccoon")]);
  if (can("beaver")) wanted.push(["beaver", "Beaver", () => act("beaver")]);
  if (can("take")) wanted.push(["take", "Take", accept, "primary"]);
  if (can("refuse")) wanted.push(["refuse", "Refuse", () => act("refuse")]);
  if (can("accept")) wanted.push(["accept", "Accept", () => act("accept"), "primary"]);
  if (can("choose")) for (let n = 1; n <= 6; n++) wanted.push([`choose-${n}`, `${n} ${n}`, () => act(`choose ${n}`)]);
  if (can("resign")) wanted.push(["resign", "Resign", resign, "quiet"]);
  if (state.takebacks && !walk.made.length && (mine || gameOver)) wanted.push(["back", "Take back", takeBack, "quiet"]);
  if (state.help && mine) wanted.push(["hint", "Hint", hint, "quiet"]);
  const withheld = state.you && owed.length && !owed.includes(giver()) ? state.links.since : undefined;
  const gone = state.you && state.you !== "both" ? state.away[other(state.you)] ?? withheld : undefined;
  if (gone && state.grace && !gameOver) {
    const left = gone + state.grace - clocks.now;
    if (left <= 0) wanted.push(["claim", "Claim the win", () => claim(), "apart"]);
    else { clearTimeout(absence); absence = setTimeout(draw, 1000 * left + 200); }
  }
  if (state.you && state.status === "playing") {
    wanted.push(leaving.button(state, end));
    if (now?.game_over && !now.match_over) wanted.push(["next", "Next game", () => act("next"), "primary"]);
  }
  if (state.you && state.status === "over") {
    const { offered, game } = state.rematch;
    if (game) wanted.push(["rematch", "To the rematch", () => go(game)]);
    else wanted.push(["rematch", state.you !== "both" && offered.includes(other(state.you)) ? "Accept the rematch" : offered.includes(state.you) ? "Rematch offered" : "Rematch", rematch, "", offered.includes(state.you)]);
    wanted.push(["again", "New game", () => { location.href = "/"; }, "primary"]);
  }
  if (gameOver && state.sequence && (state.you || state.status === "over")) {
    wanted.push(["review", "Review", () => { location.href = `/review?game=${id}`; }, "quiet"]);
  }
  if (showButtons(byId("actions"), wanted, busy) && can("move")) board.goTo(mover(), Math.max(...walk.sources, 1));
}

async function end() {
  const how = await leaving.choose(state);
  if (how) await also("close", { how });
}

// -- the server tells -------------------------------------------------------------------------------------------
/** @param {StateMessage} message @param {boolean} fresh */
function heard(message, fresh) {
  if (fresh) { queue.length = 0; byId("log").replaceChildren(); chat.load(); }
  clocks.set(message.state.clock, message.now);
  giveLink(message.state);
  queue.push({ ...message, fresh });
  if (!showing) show();
}

async function show() {
  showing = true;
  while (queue.length) {
    const { state: next, events, fresh } = queue.shift();
    const before = state, held = begun();
    state = next;
    const now = begun();
    const same = before && before.sequence === next.sequence && held?.phase === now?.phase;
    const hadTurn = held && (held.you === held.turn);
    if (!same && (arrows.length || !byId("advice").hidden)) tutor.clear();
    if (!same || !walk.active) { walk = new Walk(now?.tree); selected = null; swapped = false; }
    if (!fresh && held && now && events.some((event) => event.kind === "play")) last = changes(held, now);
    for (const event of events) {
      if (event.kind === "play") played = { side: event.player, dice: event.dice };
      else if (["new_game", "opening", "roll"].includes(event.kind)) played = null;
      if (event.kind === "chat") { if (chat.hear(event) && !fresh) soundOf(event); continue; }
      if (!fresh) soundOf(event);
      tell(event);
    }
    if (!fresh && state.opponent === "friend" && now && now.turn === now.you && !hadTurn && !now.game_over) sound("turn");
    waiting();
    chat.show(state);
    draw();
    if (!fresh && before && !before.rematch.game && state.rematch.game && state.you) go(state.rematch.game);
    const slow = settings.pace();
    if (!fresh && slow && queue.length) {
      const what = events.some((event) => event.kind === "play") ? 650 : 800;
      await new Promise((done) => { setTimeout(done, what * slow); });
    }
  }
  showing = false;
}

/** Where the player who has just played left from and came to, in their own numbering. @param {BegunState} before @param {BegunState} next @returns {[Side, number][]} */
function changes(before, next) {
  const side = before.on_roll;
  if (!side) return [];
  return before.points[side].flatMap((count, slot) => (count !== next.points[side][slot] ? [[side, slot]] : []));
}

function waiting() {
  const place = byId("waiting");
  const side = state.you === "both" ? "X" : state.you, mine = side && state.missing_seeds.includes(side);
  const show = state.status === "waiting" && side && !mine && !state.ending.how;
  const kind = !show ? "" : state.free_seat ? "seat" : "seed";
  place.hidden = !show;
  if (kind !== place.dataset.kind) {
    place.dataset.kind = kind;
    place.replaceChildren(...(kind ? invitation(kind === "seat") : []));
  }
  if (mine && !state.ending.how && !seeding) addSeed();
}

/** Of a game that has not begun: the one it waits for, and the way out of it. @param {boolean} free */
function invitation(free) {
  const key = ownGames()[id]?.invitation, parts = [el("h2", {}, free ? "Invite a friend" : "Not begun yet")];
  if (free && key) {
    const link = `${location.origin}/game/${id}#invite=${key}`;
    const input = /** @type {HTMLInputElement} */ (el("input", { id: "invite", readonly: true, value: link, "aria-label": "Link for your friend" }));
    parts.push(el("p", {}, "Send this link to one person: whoever opens it first takes the other seat."),
      el("div", { class: "row" }, input, el("button", { type: "button", onclick: () => { input.select(); navigator.clipboard?.writeText(link); } }, "Copy")));
  } else if (!free) parts.push(el("p", {}, `The game begins as soon as ${state.names[state.you === "X" ? 1 : 0]} has it open.`));
  return [...parts, el("div", { class: "row" }, el("button", { type: "button", class: "quiet", onclick: () => also("close", { how: "abort" }) }, "Call the game off"))];
}

let seeding = false;

/** Our part of the dice is chosen only now that the server has committed to its own. */
async function addSeed() {
  seeding = true;
  const { links } = state;
  const seed = links ? chains.anchor(giver(), 1, links.length) : ownGames()[id]?.seed ?? randomSeed();
  keep(id, { seed, commitment: ownGames()[id]?.commitment ?? state.commitment });
  await call(`/games/${id}/seed`, links ? { seed, links: true } : { seed }, keyOf(id)).catch((error) => problem(error.message));
}

function connect() {
  live = new Live(id, keyOf(id), {
    onState: heard,
    onLink: (up, reason) => {
      document.body.classList.toggle("offline", !up);
      problem(up ? "" : reason ? `The server says: ${reason}.` : "The connection is lost; trying again.");
    },
  });
}

async function enter() {
  const facts = new URLSearchParams(location.hash.slice(1));
  const key = facts.get("key"), invitation = facts.get("invite"), seed = facts.get("dice");
  if (key) keep(id, { key, ...(seed ? { dice: seed } : {}) });
  if (invitation && !keyOf(id)) {
    const input = /** @type {HTMLInputElement} */ (el("input", { id: "name", maxlength: 40, value: "Guest" }));
    const note = el("p", { class: "hint" });
    for (;;) {
      const answer = await ask("Join the game", [el("label", { for: "name" }, "Your name"), input, note], [["", "Only watch"], ["join", "Join", "primary"]]);
      if (!answer) break;
      try {
        const joined = await call(`/games/${id}/join`, { invitation, name: input.value });
        keep(id, { key: joined.key });
        break;
      } catch (error) {
        note.textContent = error.message;
      }
    }
  }
  if (location.hash) history.replaceState(null, "", location.pathname);
  connect();
}

// -- keys and forms ---------------------------------------------------------------------------------------------
byId("command").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (byId("line"));
  const line = input.value.trim();
  if (!line) return;
  if (["undo", "u", "back", "takeback"].includes(line) && (walk.made.length || state.takebacks)) {
    input.value = "";
    if (walk.made.length) undo(); else await takeBack();
    return;
  }
  if (["done", "confirm", "end"].includes(line) && walk.complete) { input.value = ""; await finish(); return; }
  if (await act(line)) input.value = "";
});

document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || !(at instanceof Element)) return;
  if (at.closest("input, select, textarea, dialog")) return;
  if (event.key === "Escape") { selected = null; draw(); return; }
  if (event.key === " " && at.closest("button, summary, a")) return;
  const name = { r: "roll", d: "double", f: "done", " ": "done", u: "undo", Backspace: "undo", n: "next", t: "take", b: "back", h: "hint" }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (event.key === "/") { event.preventDefault(); byId("line").focus(); }
  else if (event.key.toLowerCase() === "x" && mayMove()) { swapped = !swapped; draw(); }
  else if (name) {
    const button = /** @type {HTMLButtonElement | null} */ (byId("actions").querySelector(`[data-act="${name}"]:enabled`));
    if (button) { event.preventDefault(); button.click(); }
  }
});

byId("open-settings").addEventListener("click", () => showSettings(draw, keyOf(id) ? `${location.origin}/game/${id}#key=${keyOf(id)}&dice=${chains.seed}` : null));
byId("open-proof").addEventListener("click", () => showProof(id));
byId("save").addEventListener("click", () => save(`/games/${id}/record`, keyOf(id)).catch((error) => problem(error.message)));
narrow.addEventListener("change", draw);

enter();
