// @ts-check
/** One game on the page: draws the messages of the server, and sends it the player's actions. */

import { Board } from "/static/board/board.js";
import { pause, skip } from "/static/board/motion.js";
import { Mover } from "/static/board/mover.js";
import { renumberPlays } from "/static/board/numbering.js";
import { Actions } from "/static/game/actions.js";
import { Chat } from "/static/game/chat.js";
import { Clocks } from "/static/game/clock.js";
import { Drawer } from "/static/game/drawer.js";
import { Ending } from "/static/game/ending.js";
import { listen } from "/static/game/keyboard.js";
import { Motions } from "/static/game/motions.js";
import { Scene } from "/static/game/scene.js";
import { askForSounds, sound, soundOf } from "/static/game/sound.js";
import { Table } from "/static/game/table.js";
import { Throws } from "/static/game/throws.js";
import { Tutor } from "/static/game/tutor.js";
import { Unfinished } from "/static/game/unfinished.js";
import { Wire } from "/static/game/wire.js";
import { keep, keyOf, save } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import * as preferences from "/static/parts/preferences.js";
import { plural, t } from "/static/parts/texts.js";

/** @typedef {import("/static/parts/state").BegunState} BegunState */
/** @typedef {import("/static/parts/state").GameEvent} GameEvent */
/** @typedef {import("/static/parts/state").StateMessage} StateMessage */
/** @typedef {import("/static/parts/state").Side} Side */

const id = location.pathname.split("/").pop() ?? "";
const table = new Table(id);
const drawer = new Drawer();
const unfinished = new Unfinished(id);
const mover = new Mover(
  () => {
    unfinished.keep(table.state?.sequence, mover.walk.moves);
    draw();
  },
  () => actions.finish(),
);
mover.onStep = (/** @type {import("/static/parts/state").TreeStep[]} */ added) => {
  if (added.length) sound(added.some(([, , hit]) => hit) ? "hit" : "move");
};

const board = new Board(byId("board"), {
  ...mover.handlers,
  onDice: (die, atOnce) => {
    if (scene.past) return;
    if (table.can("roll") && !table.busy && !(table.state.links?.awaits ?? []).length) actions.roll();
    else mover.handlers.onDice(die, atOnce);
  },
  onCube: () => actions.double(),
});
const clocks = new Clocks({
  onFall: () => actions.claim(true),
  onLow: (side, seconds) => {
    if (table.state.you === side || table.state.you === "both")
      addLine({
        kind: "info",
        player: side,
        text: plural(seconds, "You have {n} second left.", "You have {n} seconds left."),
      });
  },
});
const throws = new Throws(table, showProblem);
const scene = new Scene({ table, board, mover, actions: () => actions, throws, clocks });
const wire = new Wire(table, receive, showProblem);
const tutor = new Tutor(
  id,
  () => keyOf(id),
  (shown) => {
    scene.arrows = shown;
    draw();
  },
  showProblem,
  drawer,
);
scene.glow = () => tutor.glow(table.state.sequence, mover.walk.moves);
const actions = new Actions({
  table,
  wire,
  throws,
  tutor,
  mover: () => mover,
  draw,
  tell: addLine,
  problem: showProblem,
});
const chat = new Chat(id, () => keyOf(id), showProblem);
const motions = new Motions((rows) => {
  scene.moving = rows;
  if (rows) draw();
});
/**
 * Plays that make themselves, fetched where the preferences say so.
 * @type {Promise<import("/static/game/automatic.js").Automatic> | null}
 */
let automatic = null;
const ending = new Ending(table, actions);
/** Earlier plies, fetched at the first look at them, and at the end. @type {import("/static/game/look-back.js").LookBack | null} */
let past = null;

const PLIES = ["play", "choose", "double", "take", "drop", "beaver", "raccoon", "resign", "accept", "refuse"];
const queue = /** @type {(StateMessage & {fresh: boolean})[]} */ ([]);
let showing = false;

function draw() {
  scene.draw();
}

/**
 * @param {string} text
 * @param {boolean | HTMLElement} [more] true: a link to the rules, which refused it; else the node behind it
 */
function showProblem(text, more = false) {
  const after = more === true ? el("a", { href: `/rules?game=${id}`, target: "_blank" }, t("The rules")) : more;
  byId("problem").replaceChildren(text, ...(text && after ? [" ", after] : []));
}

/** @param {GameEvent} event */
function addLine(event) {
  const line = el("p", { class: `event ${event.kind}` });
  const plays = ["play", "step", "undo"].includes(event.kind);
  const text = plays ? renumberPlays(event.text, event.player, table.state.you === "O" ? "O" : "X") : event.text;
  if (PLIES.includes(event.kind)) {
    const name = `${event.player} ${event.kind} ${event.kind === "play" ? event.play : ""}`;
    line.append(el("button", { type: "button", class: "to-ply", tabindex: -1, "data-ply": name }, text));
  } else line.textContent = text;
  byId("log").append(line);
  while (byId("log").children.length > 300) byId("log").firstElementChild?.remove();
  drawer.toNewest();
}

// -- the server tells -------------------------------------------------------------------------------------------
/** @param {StateMessage} message @param {boolean} fresh */
function receive(message, fresh) {
  if (fresh) {
    queue.length = 0;
    byId("log").replaceChildren();
    chat.load();
    showProblem("");
  }
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
    if (message.fresh) motions.forget();
    else await travel(message);
    settle(message);
    const slow = preferences.pace();
    if (!message.fresh && slow && queue.length)
      await pause((message.events.some((event) => event.kind === "roll") ? 700 : 300) * slow);
  }
  showing = false;
  if (preferences.read().automatic) {
    automatic ??= import("/static/game/automatic.js").then(({ Automatic }) => new Automatic(table, mover, actions));
    automatic.then((plays) => plays.consider()).catch((error) => showProblem(error.message));
  }
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

/** Take over the state of a message. @param {StateMessage & {fresh: boolean}} message */
function settle({ state: next, events, fresh }) {
  const before = table.state;
  const held = table.begun;
  table.state = next;
  const now = table.begun;
  const same = before && before.sequence === next.sequence && held?.phase === now?.phase;
  const hadTurn = held && held.you === held.turn;
  if (!same || !mover.walk.active) {
    mover.reset(now?.tree);
    if (fresh) mover.walk.follow(unfinished.of(next.sequence)) || mover.walk.follow([]);
  }
  // It draws: the moves that were made on the board before are gone by now.
  if (!same && (scene.arrows.length || tutor.open)) tutor.clear();
  if (!fresh && held && now && events.some((event) => event.kind === "play")) scene.last = changedPoints(held, now);
  for (const event of events) {
    if (event.kind === "play") scene.played = { side: event.player, dice: event.dice };
    else if (["new_game", "opening", "roll"].includes(event.kind)) scene.played = null;
    if (event.kind === "chat") {
      if (chat.showLine(event) && !fresh) {
        soundOf(event);
        drawer.news();
      }
      continue;
    }
    if (!fresh) soundOf(event);
    addLine(event);
  }
  if (!fresh && next.opponent === "friend" && now && now.turn === now.you && !hadTurn && !now.game_over) sound("turn");
  showWaiting();
  chat.show(next);
  draw();
  if (ending.show()) {
    drawer.offer();
    withPast(() => {});
  }
  if (next.opponent === "friend") showPeople();
  // A connection that was lost and came back has brought nothing new if the number of events is the same.
  if (!fresh || !same) past?.takeEvents(events);
  if (!fresh && events.some((event) => event.kind === "new_game")) drawer.close();
  import("/static/game/beside-board.js")
    .then(({ follow }) => follow(id, next))
    .catch((error) => showProblem(error.message));
  if (!fresh && before && !before.rematch.game && next.rematch.game && next.you) actions.go(next.rematch.game);
}

/** Show the ratings and the presence of the players. */
async function showPeople() {
  if (!table.people) {
    const { People } = await import("/static/game/people.js");
    table.people ??= new People(table, () => {
      draw();
      ending.rate();
    });
  }
  await table.people.look();
}

/** @param {(past: import("/static/game/look-back.js").LookBack) => void} act */
function withPast(act) {
  if (past) act(past);
  else
    import("/static/game/look-back.js")
      .then(({ LookBack }) => {
        past ??= new LookBack({ table, scene, mover, draw, problem: showProblem });
        act(past);
      })
      .catch((error) => showProblem(error.message));
}

/**
 * Where the player who has just played left from and came to, in their own numbering.
 * @param {BegunState} before
 * @param {BegunState} next
 * @returns {[Side, number][]}
 */
function changedPoints(before, next) {
  const side = before.on_roll;
  if (!side) return [];
  return before.points[side].flatMap((count, slot) => (count !== next.points[side][slot] ? [[side, slot]] : []));
}

function showWaiting() {
  const place = byId("waiting");
  const { state } = table;
  const side = state.you === "both" ? "X" : state.you;
  const mine = side && state.missing_seeds.includes(side);
  const shown = state.status === "waiting" && !mine && !state.ending.how;
  const kind = !shown ? "" : !side ? "watched" : state.free_seat ? "seat" : "seed";
  if (!place.hidden && !shown) drawer.close();
  place.hidden = !shown;
  const warm = byId("warm");
  warm.hidden = kind !== "seat" && kind !== "watched";
  if (warm.hidden) warm.replaceChildren();
  if (kind !== (place.dataset.kind ?? "")) {
    place.dataset.kind = kind;
    place.replaceChildren();
    if (kind) {
      showInvitation(place, kind);
      drawer.open();
    }
  }
  if (!state.ending.how) throws.seed();
}

/** @param {HTMLElement} place @param {"seat" | "seed" | "watched"} kind */
function showInvitation(place, kind) {
  import("/static/game/invitation.js")
    .then(({ invitation }) => {
      if (place.dataset.kind === kind)
        place.replaceChildren(
          ...invitation({ id, state: table.state, kind, problem: showProblem, callOff: () => actions.callOff() }),
        );
    })
    .catch((error) => showProblem(error.message));
}

async function enter() {
  const facts = new URLSearchParams(location.hash.slice(1));
  const key = facts.get("key");
  const invitation = facts.get("invite");
  const seed = facts.get("dice");
  if (key) keep(id, { key, ...(seed ? { dice: seed } : {}) });
  if (invitation && !keyOf(id)) {
    const { join } = await import("/static/game/invitation.js");
    await join(id, invitation);
  }
  if (location.hash) history.replaceState(null, "", location.pathname);
  wire.connect();
}

board.yieldsArrows = true;
scene.onLookBack = () => withPast((plies) => plies.step(-1));
listen(actions, mover, () => past || scene.onLookBack());
byId("log").addEventListener("click", (/** @type {MouseEvent} */ { target }) => {
  const line = target instanceof Element ? target.closest("[data-ply]") : null;
  if (line instanceof HTMLElement) withPast((plies) => plies.toLine(line));
});
// A click anywhere ends motion that is under way, and counts as well.
addEventListener("pointerdown", skip, { capture: true });
// The two dialogs that few open are fetched when needed.
byId("open-preferences").addEventListener("click", () =>
  import("/static/parts/preferences-dialog.js")
    .then(({ showPreferences }) =>
      showPreferences(
        draw,
        keyOf(id) ? `${location.origin}/game/${id}#key=${keyOf(id)}&dice=${throws.chains.seed}` : null,
      ),
    )
    .catch((error) => showProblem(error.message)),
);
byId("open-rules").href = `/rules?game=${id}`;
byId("open-proof").addEventListener("click", () =>
  import("/static/game/proof.js").then(({ showProof }) => showProof(id)).catch((error) => showProblem(error.message)),
);
byId("to-card").href = `/game/${encodeURIComponent(id)}/card`;
byId("save").addEventListener("click", () =>
  save(`/games/${id}/record`, keyOf(id)).catch((error) => showProblem(error.message)),
);
askForSounds();

enter();
