// @ts-check
/** What the pages of the library share: refusals told, matches and boards as list items, notes and stars of a place. */

import { Refusal, call } from "/static/parts/api.js";
import { picture } from "/static/parts/mini.js";
import { byId, counted, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";
import { MINUS, versus } from "/static/parts/words.js";

/**
 * Do something; what the server refuses is told.
 * @template T @param {() => Promise<T>} asking @param {(error: Refusal) => (string | HTMLElement)[]} [more] what stands after the sentence
 * @returns {Promise<T | null>}
 */
export async function trying(asking, more = () => []) {
  byId("problem").textContent = "";
  try {
    return await asking();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").replaceChildren(error.status === 401 ? t("Sign in first: a library belongs to an account.") : error.message, ...more(error));
    return null;
  }
}

/** The conditions that are set in a form. @param {HTMLFormElement} form */
export function questionOf(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value));
}

/** Put conditions into a form. @param {HTMLFormElement} form @param {URLSearchParams | Record<string, string>} question */
export function fillForm(form, question) {
  const said = question instanceof URLSearchParams ? Object.fromEntries(question) : question;
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = said[field.name] ?? "";
  }
}

/** @param {number} length */
export const lengthWords = (length) => (length ? t`match to ${length}` : t("money"));

/** @param {{score: number[], length: number}} found */
export const scoreWords = ({ score, length }) => score.map((points) => counted(points, length)).join("–");

/** @param {any} found a match @param {any} [mark] */
export function matchItem(found, mark) {
  const facts = [found.date ?? t("no date"), `${scoreWords(found)}, ${lengthWords(found.length)}`, ...(found.event ? [found.event] : []), ...(found.variant === "backgammon" ? [] : [t(found.game)])];
  return el("li", {},
    mark?.star ? el("span", { class: "star", role: "img", "aria-label": t("starred") }, "★") : null,
    el("a", { href: `/library/match/${found.match}` }, versus(found.names)),
    el("span", { class: "hint" }, facts.join(" · ")),
    ...(mark?.tags ?? []).map((/** @type {string} */ tag) => el("span", { class: "tag" }, tag)),
    el("span", {}, found.reviewed ? t("reviewed") : t("not reviewed")));
}

/** A moment of a game: where it is, the roll, and what was done. @param {string} where @param {number[] | null} dice @param {string} deed */
export const momentWords = (where, dice, deed) => `${where}${dice ? `, ${dice.join("-")}` : ""}${deed ? `: ${deed}` : ""}`;

/** A board that was found, with its picture; the link opens the analysis board. @param {any} board */
export function boardItem(board) {
  const who = board.names[board.player === "X" ? 0 : 1] || board.player, dice = board.dice ? board.dice.join("-") : "";
  const deed = board.loss === null ? dice || t("before the roll") : `${dice ? `${dice}: ` : ""}${board.played}`;
  const words = board.loss === null ? null : board.loss > 0
    ? el("p", {}, el("span", { class: "cost" }, `${MINUS}${board.loss.toFixed(3)}`), " ", t`${board.mistake || board.theme || board.verdict}; best ${board.best}`)
    : el("p", {}, t("nothing lost"));
  const where = `${versus(board.names)}, ${t`game ${board.game}, move ${board.move}`}${board.date ? `, ${board.date}` : ""}`;
  return el("li", { class: board.verdict ?? "" },
    el("a", { class: "open", href: board.address, "aria-label": t`Open ${who}'s ${deed} on the board` }, picture(board.points, "", board.player)),
    el("p", {}, el("strong", {}, who), `: ${deed}`), words, el("p", { class: "hint" }, el("a", { href: `/library/match/${board.match}` }, where)));
}

/**
 * A note, a star, tags and a way into a collection, for a match, a decision or a position.
 * @param {HTMLElement} place where it stands @param {() => {place: string} | {position: any}} named @param {boolean} collects
 */
export async function notesOf(place, named, collects) {
  let mark = await trying(() => call("/library/marks/at", named()));
  if (!mark) { place.hidden = true; return; }
  const note = el("textarea", { maxlength: "10000", "aria-label": t("Note") }), tags = el("input", { maxlength: "400", "aria-label": t("Tags, with commas between them"), placeholder: t("tags, with commas") });
  const star = el("button", { type: "button", "aria-pressed": "false" }, t("☆ Star")), said = el("span", { role: "status", class: "hint" });
  const show = () => {
    /** @type {HTMLTextAreaElement} */ (note).value = mark.note;
    /** @type {HTMLInputElement} */ (tags).value = mark.tags.join(", ");
    star.setAttribute("aria-pressed", String(mark.star));
    star.textContent = mark.star ? t("★ Starred") : t("☆ Star");
  };
  const put = async (/** @type {object} */ change) => {
    const told = await trying(() => call("/library/marks", { ...named(), ...change }));
    if (told) { mark = told; show(); said.textContent = t("Kept."); }
  };
  star.addEventListener("click", () => put({ star: !mark.star }));
  const keep = el("button", { type: "button", class: "primary", onclick: () => put({ note: /** @type {HTMLTextAreaElement} */ (note).value, tags: /** @type {HTMLInputElement} */ (tags).value.split(",").map((tag) => tag.trim()).filter(Boolean) }) }, t("Keep"));
  place.replaceChildren(note, el("div", { class: "row" }, tags), el("div", { class: "row" }, star, keep, ...(collects ? [await collecting(named, said)] : []), said));
  place.hidden = false;
  show();
}

/** How many lists of names have been made: each has an ID of its own. */
let lists = 0;

/** @param {() => object} named @param {HTMLElement} said */
async function collecting(named, said) {
  const found = await trying(() => call("/library/collections"));
  const names = /** @type {string[]} */ ((found?.collections ?? []).map((/** @type {any} */ each) => each.name));
  const list = `collections-${(lists += 1)}`;
  const name = /** @type {HTMLInputElement} */ (el("input", { list, maxlength: "100", "aria-label": t("Collection"), placeholder: t("collection") }));
  const add = el("button", { type: "button" }, t("Add to collection"));
  add.addEventListener("click", async () => {
    const wanted = name.value.trim();
    if (!wanted) { name.focus(); return; }
    const told = await trying(async () => {
      if (!names.includes(wanted)) { await call("/library/collections", { name: wanted }); names.push(wanted); }
      return call("/library/collections/add", { ...named(), name: wanted });
    });
    if (told) said.textContent = plural(told.items, "{1} has {n} position.", "{1} has {n} positions.", wanted);
  });
  return el("span", { class: "row" }, name, el("datalist", { id: list }, ...names.map((each) => el("option", { value: each }))), add);
}
