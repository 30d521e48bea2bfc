// @ts-check
/** One game on the page: what the server tells is drawn, what the person does is told to the server. */

import { call, keep, keyOf, ownGames, save } from "/static/parts/api.js";
import { Board } from "/static/board/board.js";
import { pause, skip } from "/static/board/motion.js";
import { Mover } from "/static/board/mover.js";
import { numbered } from "/static/board/numbering.js";
import { Automatic } from "/static/game/automatic.js";
import { Chat } from "/static/game/chat.js";
import { Clocks } from "/static/game/clock.js";
import { Deeds } from "/static/game/deeds.js";
import { Drawer } from "/static/game/drawer.js";
import { Ending } from "/static/game/ending.js";
import { listen } from "/static/game/keys.js";
import { Motions } from "/static/game/motions.js";
import { Scene } from "/static/game/scene.js";
import { askForSounds, sound, soundOf } from "/static/game/sound.js";
import { Table } from "/static/game/table.js";
import { Throws } from "/static/game/throws.js";
import { Tutor } from "/static/game/tutor.js";
import { Unfinished } from "/static/game/unfinished.js";
import { Wire } from "/static/game/wire.js";
import { ask } from "/static/parts/dialogs.js";
import { byId, el } from "/static/parts/page.js";
import * as settings from "/static/parts/settings.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").BegunState} BegunState */
/** @typedef {import("/static/parts/state").GameEvent} GameEvent */
/** @typedef {import("/static/parts/state").StateMessage} StateMessage */
/** @typedef {import("/static/parts/state").Side} Side */

const id = location.pathname.split("/").pop() ?? "";
const table = new Table(id);
const drawer = new Drawer();
const unfinished = new Unfinished(id);
const mover = new Mover(() => { unfinished.keep(table.state?.sequence, mover.walk.moves); draw(); }, () => deeds.finish());
mover.onStep = (/** @type {import("/static/parts/state").TreeStep[]} */ added) => { if (added.length) sound(added.some(([, , hit]) => hit) ? "hit" : "move"); };

const board = new Board(byId("board"), {
  ...mover.handlers,
  onDice: () => { if (table.can("roll") && !table.busy && !(table.state.links?.awaits ?? []).length) deeds.roll(); else mover.handlers.onDice(); },
  onCube: () => deeds.double(),
});
const clocks = new Clocks({
  onFall: () => deeds.claim(true),
  onLow: (side, seconds) => { if (table.state.you === side || table.state.you === "both") tell({ kind: "info", player: side, text: plural(seconds, "You have {n} second left.", "You have {n} seconds left.") }); },
});
const throws = new Throws(table, problem);
const scene = new Scene({ table, board, mover, deeds: () => deeds, throws, clocks });
const wire = new Wire(table, heard, problem);
const tutor = new Tutor(id, () => keyOf(id), (shown) => { scene.arrows = shown; draw(); }, problem, drawer);
scene.glow = () => tutor.glow(table.state.sequence, mover.walk.moves);
const deeds = new Deeds({ table, wire, throws, tutor, mover: () => mover, draw, tell, problem });
const chat = new Chat(id, () => keyOf(id), problem);
const motions = new Motions((rows) => { scene.moving = rows; if (rows) draw(); });
const automatic = new Automatic(table, mover, deeds);
const ending = new Ending(table, deeds);

const queue = /** @type {(StateMessage & {fresh: boolean})[]} */ ([]);
let showing = false;

function draw() { scene.draw(); }

/** @param {string} text @param {boolean | HTMLElement} [more] true: the rules refused it, and are one click away; else what stands after it */
function problem(text, more = false) {
  const after = more === true ? el("a", { href: `/rules?game=${id}`, target: "_blank" }, t("The rules")) : more;
  byId("problem").replaceChildren(text, ...(text && after ? [" ", after] : []));
}

/** @param {GameEvent} event */
function tell(event) {
  const line = el("p", { class: `event ${event.kind}` });
  const plays = ["play", "step", "undo"].includes(event.kind);
  line.textContent = plays ? numbered(event.text, event.player, table.state.you === "O" ? "O" : "X") : event.text;
  byId("log").append(line);
  while (byId("log").children.length > 300) byId("log").firstElementChild?.remove();
  drawer.toNewest();
}

// -- the server tells -------------------------------------------------------------------------------------------
/** @param {StateMessage} message @param {boolean} fresh */
function heard(message, fresh) {
  if (fresh) { queue.length = 0; byId("log").replaceChildren(); chat.load(); problem(""); }
  clocks.set(message.state.clock, message.now);
  table.ahead = clocks.ahead;
  throws.give(message.state);
  queue.push({ ...message, fresh });
  if (!showing) show();
}

async function show() {
  showing = true;
  while (queue.length) {
    const message = queue.shift();
    if (message.fresh) motions.forget(); else await travel(message);
    settle(message);
    const slow = settings.pace();
    if (!message.fresh && slow && queue.length) await pause((message.events.some((event) => event.kind === "roll") ? 700 : 300) * slow);
  }
  showing = false;
  automatic.consider();
}

/** Checkers travel from the board that is seen to that of a message. @param {StateMessage} message */
async function travel({ state: next, events }) {
  const held = table.begun;
  if (!held || next.status === "waiting") return;
  const played = events.find((event) => event.kind === "play");
  if (events.some((event) => event.kind === "takeback")) await motions.back(held.points, next.points);
  else if (played) await motions.play(scene.rows, held.points, played.player, played.play, next.points);
  if (events.some((event) => event.kind === "new_game")) motions.forget();
}

/** What a message says is so from now on. @param {StateMessage & {fresh: boolean}} message */
function settle({ state: next, events, fresh }) {
  const before = table.state, held = table.begun;
  table.state = next;
  const now = table.begun;
  const same = before && before.sequence === next.sequence && held?.phase === now?.phase;
  const hadTurn = held && (held.you === held.turn);
  if (!same || !mover.walk.active) { mover.reset(now?.tree); if (fresh) mover.walk.follow(unfinished.of(next.sequence)) || mover.walk.follow([]); }
  // It draws: the moves that were made on the board before are gone by now.
  if (!same && (scene.arrows.length || tutor.open)) tutor.clear();
  if (!fresh && held && now && events.some((event) => event.kind === "play")) scene.last = changes(held, now);
  for (const event of events) {
    if (event.kind === "play") scene.played = { side: event.player, dice: event.dice };
    else if (["new_game", "opening", "roll"].includes(event.kind)) scene.played = null;
    if (event.kind === "chat") { if (chat.hear(event) && !fresh) { soundOf(event); drawer.news(); } continue; }
    if (!fresh) soundOf(event);
    tell(event);
  }
  if (!fresh && next.opponent === "friend" && now && now.turn === now.you && !hadTurn && !now.game_over) sound("turn");
  waiting();
  chat.show(next);
  draw();
  if (ending.show()) drawer.offer();
  if (!fresh && events.some((event) => event.kind === "new_game")) drawer.close();
  offerPush(next);
  const awake = next.status === "playing" && Boolean(next.you) && !next.clock?.days;
  import("/static/game/awake.js").then(({ stayAwake }) => stayAwake(awake)).catch((error) => problem(error.message));
  if (!fresh && before && !before.rematch.game && next.rematch.game && next.you) deeds.go(next.rematch.game);
}

/** By correspondence one wants to be told of one's turn, and whoever waits, that somebody has come. @param {StateMessage["state"]} state */
function offerPush(state) {
  const place = byId("push"), side = state.you;
  const turns = Boolean(state.clock?.days);
  const offered = (turns || state.free_seat) && (side === "X" || side === "O") && !state.ending.how;
  const words = turns ? t("Tell me when it is my turn") : t("Tell me when somebody comes");
  // Few games have it, so that it is fetched where one does.
  if (offered && place.hidden) import("/static/parts/push.js").then(({ pushButton }) => pushButton(place, { game: id, key: keyOf(id) }, words)).catch((error) => problem(error.message));
  place.hidden = !offered;
}

/** Where the player who has just played left from and came to, in their own numbering. @param {BegunState} before @param {BegunState} next @returns {[Side, number][]} */
function changes(before, next) {
  const side = before.on_roll;
  if (!side) return [];
  return before.points[side].flatMap((count, slot) => (count !== next.points[side][slot] ? [[side, slot]] : []));
}

function waiting() {
  const place = byId("waiting"), { state } = table;
  const side = state.you === "both" ? "X" : state.you, mine = side && state.missing_seeds.includes(side);
  const shown = state.status === "waiting" && !mine && !state.ending.how;
  const kind = !shown ? "" : !side ? "watched" : state.free_seat ? "seat" : "seed";
  if (!place.hidden && !shown) drawer.close();
  place.hidden = !shown;
  const warm = byId("warm");
  warm.hidden = kind !== "seat" && kind !== "watched";
  if (warm.hidden) warm.replaceChildren();
  if (kind !== (place.dataset.kind ?? "")) {
    place.dataset.kind = kind;
    place.replaceChildren(...(kind ? invitation(kind) : []));
    if (kind) drawer.open();
  }
  if (!state.ending.how) throws.seed();
}

/** Of a game that has not begun: the one it waits for, and the way out of it. @param {"seat" | "seed" | "watched"} kind */
function invitation(kind) {
  const { state } = table, key = ownGames()[id]?.invitation, parts = [el("h2", {}, kind === "seat" ? t("Invite a friend") : t("Not begun yet"))];
  if (kind !== "seed") {
    const task = el("p", { id: "warm-words", role: "status" }, t("While you wait: "), el("a", { href: "/", target: "_blank" }, t("warm up with the position of the day")), ".");
    import("/static/game/warmup.js").then(({ warmUp }) => warmUp(byId("warm"), task)).catch((error) => problem(error.message));
    if (kind === "watched") return [...parts, el("p", {}, t`${state.names[0]} waits for a second player.`), task];
    if (!key) return [...parts, el("p", {}, t("The link for your friend is in the browser in which you began this game.")), task, callOff()];
    const link = el("div");
    import("/static/parts/share.js").then(({ sharing }) => link.replaceChildren(...sharing(`/game/${id}#invite=${key}`, t("Link for your friend")))).catch((error) => problem(error.message));
    parts.push(el("p", {}, t("Send this link to one person: the first to open it takes the other seat.")),
      link,
      task);
  } else parts.push(el("p", {}, t`The game begins as soon as ${state.names[state.you === "X" ? 1 : 0]} has it open.`));
  return [...parts, callOff()];
}

const callOff = () => el("div", { class: "row" }, el("button", { type: "button", class: "quiet", onclick: () => deeds.callOff() }, t("Call the game off")));

async function enter() {
  const facts = new URLSearchParams(location.hash.slice(1));
  const key = facts.get("key"), invitation = facts.get("invite"), seed = facts.get("dice");
  if (key) keep(id, { key, ...(seed ? { dice: seed } : {}) });
  if (invitation && !keyOf(id)) {
    const input = /** @type {HTMLInputElement} */ (el("input", { id: "name", maxlength: 40, placeholder: t("Guest") }));
    const note = el("p", { class: "hint", role: "alert" });
    // A game that strangers may not watch is not told before one has joined.
    const { state } = await call(`/games/${id}`).catch(() => /** @type {{state: StateMessage["state"] | null}} */ ({ state: null }));
    const about = state ? [el("p", {}, t`${state.names[0]} invites you: ${t(state.title)}, ${state.played_for}.`)] : [];
    for (;;) {
      const answer = await ask(t("Join the game"), [...about, el("label", { for: "name" }, t("Your name")), input, note], [["", t("Only watch")], ["join", t("Join"), "primary"]]);
      if (!answer) break;
      try {
        const joined = await call(`/games/${id}/join`, { invitation, name: input.value.trim() || undefined });
        keep(id, { key: joined.key });
        break;
      } catch (error) {
        note.textContent = error.message;
      }
    }
  }
  if (location.hash) history.replaceState(null, "", location.pathname);
  wire.connect();
}

listen(deeds, mover);
// A click anywhere ends motion that is under way; what it presses counts as well.
addEventListener("pointerdown", skip, { capture: true });
// The two dialogs that few open are fetched when they are.
byId("open-settings").addEventListener("click", () => import("/static/parts/settings-dialog.js").then(({ showSettings }) => showSettings(draw, keyOf(id) ? `${location.origin}/game/${id}#key=${keyOf(id)}&dice=${throws.chains.seed}` : null)).catch((error) => problem(error.message)));
byId("open-rules").href = `/rules?game=${id}`;
byId("open-proof").addEventListener("click", () => import("/static/game/proof.js").then(({ showProof }) => showProof(id)).catch((error) => problem(error.message)));
byId("to-card").href = `/game/${encodeURIComponent(id)}/card`;
byId("save").addEventListener("click", () => save(`/games/${id}/record`, keyOf(id)).catch((error) => problem(error.message)));
askForSounds();

enter();
