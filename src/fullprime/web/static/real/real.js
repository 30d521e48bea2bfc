// @ts-check
/** A phone beside a real board: one sitting at a time, kept on this device event by event. */

import { stayAwake } from "/static/game/awake.js";
import { Refusal } from "/static/parts/api.js";
import { ask } from "/static/parts/dialogs.js";
import { byId, day, el, keepWhole } from "/static/parts/page.js";
import { leadToRules } from "/static/parts/rules-link.js";
import { t } from "/static/parts/texts.js";
import { actions, statusWords } from "/static/real/actions.js";
import { checkPlays } from "/static/real/catching-up.js";
import { mayUndo } from "/static/real/legal-actions.js";
import { fileOf, recordOf } from "/static/real/recorder.js";
import { endOf, Recording } from "/static/real/recording.js";
import { nextSeats, tableOf } from "/static/real/sitting.js";
import * as kept from "/static/real/storage.js";
import { isPromised, nextThrow, proofOf } from "/static/real/throws.js";
import { agreedWords, countsTable, diceShown, payments, scoreSheet, seats, showTimes } from "/static/real/view.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */
/** @typedef {import("/static/real/sitting.js").Event} Event */

/** Dialogs, fetched when one is needed. */
const questions = () => import("/static/real/questions.js");

/** @type {Sitting | null} */
let sitting = null;
/** @type {Table | null} */
let table = null;
/** Dice tapped so far of a throw made by hand. @type {number[]} */
let tapped = [];

/** @param {string} text @param {(string | HTMLElement)[]} [more] the nodes after it */
function showProblem(text, more = []) {
  byId("problem").replaceChildren(text, ...more);
}

/** Store the sitting, and only then show it. @param {Sitting} next */
function keepAndShow(next) {
  const then = tableOf(next);
  try {
    kept.keep(next, then.phase === "over");
  } catch (error) {
    if (!(error instanceof kept.NotKept)) throw error;
    showProblem(error.message);
    return;
  }
  sitting = next;
  table = then;
  tapped = [];
  show();
}

/** Add events to the sitting. @param {Partial<Event>[]} events */
function commit(...events) {
  if (!sitting) return;
  showProblem("");
  keepAndShow({
    ...sitting,
    events: [...sitting.events, ...events.map((event) => /** @type {Event} */ ({ at: Date.now(), ...event }))],
  });
}

const recording = new Recording({ commit, problem: showProblem, won: () => endGame(), catchUp });

/** The look at plays that is going on, if there is one. @type {Promise<string> | null} */
let looking = null;

/** Have the server check the plays that it has not seen; gives the fault, or "". */
function catchUp() {
  const before = sitting;
  if (!before) return Promise.resolve("");
  looking ??= checkPlays(before)
    .then((checked) => {
      // Meanwhile something may have been written down; then the next look finds the rest.
      if (sitting === before && checked.sitting !== before) keepAndShow(checked.sitting);
      return checked.why;
    })
    .finally(() => {
      looking = null;
    });
  return looking;
}

/** Ask for the end of a game, filled in from the record. */
async function endGame() {
  if (!sitting || !table) return;
  const result = await (await questions()).askEnd(sitting, table, endOf(table));
  if (result) commit({ k: "over", ...result });
}

/** The actions of the buttons. @type {Record<string, (value?: any) => void>} */
const deeds = {
  throw: () => {
    if (sitting) commit({ k: "throw", dice: nextThrow(sitting) });
  },
  tap: (number) => {
    tapped = [...tapped, number];
    if (tapped.length === 2) commit({ k: "throw", dice: tapped });
    else show();
  },
  annul: (why) => commit({ k: "annul", why }),
  event: (event) => commit(event),
  over: () => {
    endGame();
  },
  next: () => {
    if (!table || !sitting) return;
    const next = nextSeats(table);
    commit({ k: "next" }, ...(sitting.names.length > 2 ? [{ k: /** @type {const} */ ("seats"), ...next }] : []));
  },
  seats: (box) => {
    if (sitting) commit({ k: "seats", box, team: sitting.names.map((_, at) => at).filter((at) => at !== box) });
  },
};

function show() {
  if (!sitting || !table) return;
  const closed = sitting.events.at(-1)?.k === "close";
  const playing = table.phase !== "over";
  byId("begin").hidden = true;
  leadToRules({ variant: sitting.variant, setup: { rules: sitting.rules } });
  byId("desk").hidden = byId("papers").hidden = false;
  byId("seats").replaceChildren(...seats(sitting, table));
  byId("dice-shown").replaceChildren(...diceShown(table));
  byId("word").replaceChildren(...keepWhole(statusWords(sitting, table, tapped)));
  byId("acts").replaceChildren(...(closed ? [] : actions(sitting, table, deeds)));
  const hand = sitting.dice === "hand" && ["opening", "before"].includes(table.phase);
  byId("pad").hidden = !hand || closed;
  byId("pad").replaceChildren(...(hand ? dicePad() : []));
  recording.show(sitting, table);
  showPapers(closed);
  byId("undo").disabled = !mayUndo(sitting);
  byId("pause").hidden = !table.clock || !playing;
  byId("pause").textContent = table.clock?.paused ? t("Start the clock") : t("Stop the clock");
  byId("choose").hidden = table.opened === null || !playing;
  byId("close").hidden = closed || (!playing && !sitting.proof);
  showTimes(sitting, table);
  stayAwake(playing && !closed);
}

/** Dice to tap. */
function dicePad() {
  const opening = table?.phase === "opening" && sitting && table;
  const whose = opening ? sitting.names[table.sides[tapped.length ? 1 : 0][0]] : "";
  return [
    el(
      "p",
      {},
      opening
        ? t`${whose}'s die`
        : tapped.length
          ? t`First die ${tapped[0]}; tap the second`
          : t("Tap both dice as they lie"),
    ),
    ...[1, 2, 3, 4, 5, 6].map((number) =>
      el(
        "button",
        { type: "button", "aria-label": t`Die ${number}`, onclick: () => deeds.tap(number) },
        String(number),
      ),
    ),
  ];
}

/** Score, counts and proof. @param {boolean} closed */
function showPapers(closed) {
  if (!sitting || !table) return;
  const games = table.records.some((record) => record.played.some(({ k }) => k === "play"));
  const two = sitting.names.length === 2;
  byId("day").textContent = day(sitting.begun / 1000);
  byId("agreed").textContent = agreedWords(sitting, table);
  byId("games").replaceChildren(...scoreSheet(sitting, table, closed, (game) => sendRecord(game)));
  byId("settlement").hidden = Boolean(table.rules.length) || !table.lines.length;
  byId("payments").replaceChildren(...payments(sitting, table));
  byId("send").hidden = byId("save").hidden = !games || !two;
  byId("counts").replaceChildren(countsTable(sitting, table));
  byId("proof").hidden = !sitting.proof;
  byId("proof-text").replaceChildren(...proofWords(closed));
}

/** @param {boolean} closed */
function proofWords(closed) {
  if (!sitting?.proof) return [];
  if (!isPromised(sitting.proof))
    return [
      el(
        "p",
        {},
        t(
          "The dice of this sitting were promised by an older formula, which is not checked any more: from here on they fall by chance.",
        ),
      ),
    ];
  const { commitment, seeds } = sitting.proof;
  const promise = [
    el(
      "p",
      {},
      t(
        "Before the first throw this device promised a secret; then each player said a number. All throws follow from both, so that nobody can change one. The device knew them all before: look at the promise, and keep it.",
      ),
    ),
    el("p", {}, t("Promise:"), " ", el("code", {}, commitment)),
    el("p", {}, t`Numbers: ${seeds.join(", ") || t("none yet")}`),
  ];
  if (!closed)
    return [
      ...promise,
      el("p", { class: "hint" }, t("The secret is told when the sitting is ended: then everything can be checked.")),
    ];
  const file = URL.createObjectURL(new Blob([JSON.stringify(proofOf(sitting), null, 1)], { type: "application/json" }));
  return [
    ...promise,
    el("p", {}, t("Secret:"), " ", el("code", { id: "secret" }, sitting.proof.secret)),
    el(
      "p",
      {},
      el("a", { id: "proof-file", href: file, download: `dice-${sitting.id}.json` }, t("Save the proof")),
      " · ",
      el("a", { href: "/verify.html", download: "verify.html" }, t("a page that checks it")),
    ),
  ];
}

// -- the record -----------------------------------------------------------------------------------------------------
/** @param {string | Node} text */
function showNote(text) {
  byId("sent").replaceChildren(text);
}

/** Have the record checked, put into the library and reviewed. @param {number} [game] of more than two players */
async function sendRecord(game) {
  if (!sitting || !table) return;
  const mine = sitting.id;
  showProblem("");
  try {
    const wrong = await catchUp();
    if (wrong) {
      showProblem(wrong);
      return;
    }
    const { keepRecord } = await import("/static/real/sending.js").catch(() => {
      throw new Refusal(0, "");
    });
    showNote(
      await keepRecord(await fileOf(recordOf(sitting, table, game)), `${sitting.names.join("-")}.json`, showNote),
    );
    noteWaiting(mine, null);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 0) {
      noteWaiting(mine, game ?? 0);
      showNote(t("No connection: the record is kept here, and goes to the server as soon as there is one."));
    } else showProblem(error.message);
  }
}

/** Remember that a record waits for a connection, or that none does. @param {string} id @param {number | null} game */
function noteWaiting(id, game) {
  const waiting = kept.read(kept.WAITING, /** @type {Record<string, number>} */ ({}));
  if (game === null) delete waiting[id];
  else waiting[id] = game;
  try {
    kept.write(kept.WAITING, waiting);
  } catch (error) {
    if (!(error instanceof kept.NotKept)) throw error;
    showProblem(error.message);
  }
}

/** When the connection is back: check the plays that no server has seen, and send the records that wait. */
async function onConnection() {
  try {
    if (!recording.again()) showProblem(await catchUp());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  const waiting = kept.read(kept.WAITING, /** @type {Record<string, number>} */ ({}));
  if (sitting && waiting[sitting.id] !== undefined && navigator.onLine) sendRecord(waiting[sitting.id] || undefined);
}

async function saveRecord() {
  if (!sitting || !table) return;
  try {
    const wrong = await catchUp();
    if (wrong) {
      showProblem(wrong);
      return;
    }
    const link = /** @type {HTMLAnchorElement} */ (
      el("a", {
        href: URL.createObjectURL(await fileOf(recordOf(sitting, table))),
        download: `${sitting.names.join("-")}.json`,
      })
    );
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showProblem(error.message);
  }
}

// -- begin and end --------------------------------------------------------------------------------------------------
/** @param {Sitting} next */
async function begin(next) {
  if (next.proof) {
    const numbers = await (await questions()).askNumbers(next);
    if (!numbers) return;
    next.proof.seeds = numbers;
  }
  keepAndShow(next);
  if (sitting) history.replaceState(null, "", `/real#${sitting.id}`);
  byId("desk").scrollIntoView();
}

/** @param {string} id */
function open(id) {
  const stored = kept.sitting(id);
  if (!stored) {
    showProblem(t("This sitting is not on this device."));
    showList();
    return;
  }
  sitting = stored;
  table = tableOf(stored);
  history.replaceState(null, "", `/real#${id}`);
  show();
  onConnection();
}

function showList() {
  sitting = table = null;
  stayAwake(false);
  history.replaceState(null, "", `/real${location.search}`);
  byId("begin").hidden = false;
  byId("desk").hidden = byId("papers").hidden = true;
  import("/static/real/begin.js")
    .then(({ showForm }) => {
      if (!sitting) showForm({ begin, open, problem: showProblem });
    })
    .catch((error) => showProblem(error.message));
}

byId("undo").addEventListener("click", () => {
  if (sitting && mayUndo(sitting)) keepAndShow({ ...sitting, events: sitting.events.slice(0, -1) });
});
byId("pause").addEventListener("click", () => commit({ k: table?.clock?.paused ? "go" : "pause" }));
byId("choose").addEventListener("click", async () => {
  const text = sitting && table ? await (await questions()).askChoice(sitting, table) : null;
  if (text) commit({ k: "choice", text });
});
byId("close").addEventListener("click", async () => {
  if (
    await ask(
      t("End the sitting"),
      [
        el(
          "p",
          {},
          sitting?.proof
            ? t("The score stands, and the secret of the dice is told. Nothing more can be written down.")
            : t("The score stands. Nothing more can be written down."),
        ),
      ],
      [
        ["", t("Go on")],
        ["end", t("End it"), "primary"],
      ],
    )
  )
    commit({ k: "close" });
});
byId("leave").addEventListener("click", showList);
byId("print").addEventListener("click", () => print());
byId("send").addEventListener("click", () => sendRecord());
byId("save").addEventListener("click", saveRecord);
addEventListener("online", onConnection);
addEventListener("preferences", show);
setInterval(() => {
  if (!sitting || !table?.clock || document.hidden) return;
  const fallen = showTimes(sitting, table);
  if (fallen !== null) byId("word").textContent = t`${sitting.names[table.sides[fallen][0]]}'s time is up.`;
}, 250);

const wanted = location.hash.slice(1);
if (wanted && kept.sitting(wanted)) open(wanted);
else showList();
