// @ts-check
/** Shared parts of the library's pages: refusals shown, matches and boards as list items, notes and stars of a place. */

import { call } from "/static/parts/api.js";
import { attempt as attemptShown } from "/static/parts/attempt.js";
import { picture } from "/static/parts/mini.js";
import { counted, el } from "/static/parts/page.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { MINUS, versus } from "/static/parts/words.js";

/**
 * Send a request; a refusal is shown on the page.
 * @template T
 * @param {() => Promise<T>} request
 * @param {(error: import("/static/parts/api.js").Refusal) => (string | HTMLElement)[]} [more] the nodes after the sentence
 * @returns {Promise<T | null>}
 */
export function attempt(request, more = () => []) {
  return attemptShown(request, (error) => [
    error.code === "unknown" ? t("Sign in first: a library belongs to an account.") : error.message,
    ...more(error),
  ]);
}

/** What is typed in a field. @param {HTMLElement} field */
const textOf = (field) => /** @type {HTMLInputElement | HTMLTextAreaElement} */ (field).value;

/** The conditions that are set in a form. @param {HTMLFormElement} form */
export function questionOf(form) {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value),
  );
}

/**
 * Put conditions into a form.
 * @param {HTMLFormElement} form
 * @param {URLSearchParams | Record<string, string>} question
 */
export function fillForm(form, question) {
  const conditions = question instanceof URLSearchParams ? Object.fromEntries(question) : question;
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      field.value = conditions[field.name] ?? "";
  }
}

/** @param {number} length */
export const lengthWords = (length) => (length ? t`match to ${length}` : t("money"));

/** @param {{score: number[], length: number}} match */
export const scoreWords = ({ score, length }) => score.map((points) => counted(points, length)).join("–");

/** @param {any} match a match @param {any} [mark] */
export function matchItem(match, mark) {
  const facts = [
    match.date ?? t("no date"),
    `${scoreWords(match)}, ${lengthWords(match.length)}`,
    ...(match.event ? [match.event] : []),
    ...(match.variant === "backgammon" ? [] : [t(match.game)]),
  ];
  return el(
    "li",
    {},
    mark?.star ? el("span", { class: "star", role: "img", "aria-label": t("starred") }, "★") : null,
    el("a", { href: `/library/match/${match.match}` }, versus(match.names)),
    el("span", { class: "hint" }, facts.join(" · ")),
    ...(mark?.tags ?? []).map((/** @type {string} */ tag) => el("span", { class: "tag" }, tag)),
    el("span", {}, match.reviewed ? t("reviewed") : t("not reviewed")),
  );
}

/**
 * A moment of a game: the place, the roll, and the play or cube action.
 * @param {string} where
 * @param {number[] | null} dice
 * @param {string} deed
 */
export const momentWords = (where, dice, deed) =>
  `${where}${dice ? `, ${dice.join("-")}` : ""}${deed ? `: ${deed}` : ""}`;

/** A board that was found, with its picture; the link opens the analysis board. @param {any} board */
export function boardItem(board) {
  const who = board.names[board.player === "X" ? 0 : 1] || board.player;
  const dice = board.dice ? board.dice.join("-") : "";
  const deed = board.loss === null ? dice || t("before the roll") : `${dice ? `${dice}: ` : ""}${board.played}`;
  const words =
    board.loss === null
      ? null
      : board.loss > 0
        ? el(
            "p",
            {},
            el("span", { class: "cost" }, `${MINUS}${decimal(board.loss, 3)}`),
            " ",
            t`${board.mistake || board.theme || board.verdict}; best ${board.best}`,
          )
        : el("p", {}, t("nothing lost"));
  const where = `${versus(board.names)}, ${t`game ${board.game}, move ${board.move}`}${board.date ? `, ${board.date}` : ""}`;
  return el(
    "li",
    { class: board.verdict ?? "" },
    el(
      "a",
      { class: "open", href: board.address, "aria-label": t`Open ${who}'s ${deed} on the board` },
      picture(board.points, "", board.player),
    ),
    el("p", {}, el("strong", {}, who), `: ${deed}`),
    words,
    el("p", { class: "hint" }, el("a", { href: `/library/match/${board.match}` }, where)),
  );
}

/** Notes and tags that are typed and not kept yet, by their place: they are there again when the place is. */
const drafts = new Map();

/**
 * A note, a star, tags and a way into a collection, for a match, a decision or a position.
 * @param {HTMLElement} place where it stands
 * @param {() => {place: string} | {position: any}} named
 * @param {boolean} collects
 */
export async function notesOf(place, named, collects) {
  let mark = await attempt(() => call("/library/marks/at", named()));
  if (!mark) {
    place.hidden = true;
    return;
  }
  const key = JSON.stringify(named());
  const oninput = () => drafts.set(key, { note: textOf(note), tags: textOf(tags) });
  const note = el("textarea", { maxlength: "10000", "aria-label": t("Note"), oninput });
  const tags = el("input", {
    maxlength: "400",
    "aria-label": t("Tags, with commas between them"),
    placeholder: t("tags, with commas"),
    oninput,
  });
  const star = el("button", { type: "button", "aria-pressed": "false" }, t("☆ Star"));
  const status = el("span", { role: "status", class: "hint" });
  const showWords = () => {
    const words = drafts.get(key) ?? { note: mark.note, tags: mark.tags.join(", ") };
    /** @type {HTMLTextAreaElement} */ (note).value = words.note;
    /** @type {HTMLInputElement} */ (tags).value = words.tags;
    if (drafts.has(key)) status.textContent = t("Not kept yet.");
  };
  const showStar = () => {
    star.setAttribute("aria-pressed", String(mark.star));
    star.textContent = mark.star ? t("★ Starred") : t("☆ Star");
  };
  const save = async (/** @type {object} */ change) => {
    const changed = await attempt(() => call("/library/marks", { ...named(), ...change }));
    if (changed) {
      mark = changed;
      // Words that are typed and not kept yet stay, whatever the star does.
      if (!("star" in change)) {
        drafts.delete(key);
        showWords();
      }
      showStar();
      status.textContent = t("Kept.");
    }
  };
  star.addEventListener("click", () => save({ star: !mark.star }));
  const keep = el(
    "button",
    {
      type: "button",
      onclick: () =>
        save({
          note: textOf(note),
          tags: textOf(tags)
            .split(",")
            .map((tag) => tag.trim())
            .filter(Boolean),
        }),
    },
    t("Keep"),
  );
  place.replaceChildren(
    note,
    el("div", { class: "row" }, tags),
    el("div", { class: "row" }, star, keep, ...(collects ? [await collectionForm(named, status)] : []), status),
  );
  place.hidden = false;
  showWords();
  showStar();
}

/** How many lists of names have been made: each has an ID of its own. */
let lists = 0;

/** @param {() => object} named @param {HTMLElement} status */
async function collectionForm(named, status) {
  const library = await attempt(() => call("/library/collections"));
  const names = /** @type {string[]} */ (
    (library?.collections ?? []).map((/** @type {any} */ collection) => collection.name)
  );
  const list = `collections-${(lists += 1)}`;
  const name = /** @type {HTMLInputElement} */ (
    el("input", { list, maxlength: "100", "aria-label": t("Collection"), placeholder: t("collection") })
  );
  const add = el("button", { type: "button" }, t("Add to collection"));
  add.addEventListener("click", async () => {
    const wanted = name.value.trim();
    if (!wanted) {
      name.focus();
      return;
    }
    const collection = await attempt(async () => {
      if (!names.includes(wanted)) {
        await call("/library/collections", { name: wanted });
        names.push(wanted);
      }
      return call("/library/collections/add", { ...named(), name: wanted });
    });
    if (collection)
      status.textContent = plural(collection.items, "{1} has {n} position.", "{1} has {n} positions.", wanted);
  });
  return el(
    "span",
    { class: "row" },
    name,
    el("datalist", { id: list }, ...names.map((name) => el("option", { value: name }))),
    add,
  );
}
