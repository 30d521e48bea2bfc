// @ts-check
/** A match of the library: facts, notes, the costliest decisions, another program's verdicts beside ours, its files. */

import { call, save } from "/static/parts/api.js";
import { byId, el, fill, whole } from "/static/parts/page.js";
import { Job } from "/static/parts/jobs.js";
import { boardItem, lengthWords, momentWords, notesOf, scoreWords, trying } from "/static/library/shelf.js";
import { plural, t } from "/static/parts/texts.js";

const number = Number(location.pathname.split("/")[3]);
/** Boards that are shown at first: the costliest. */
const FEW = 6;
/** Formats that a match is saved in most often. */
const FORMATS = [["json", t("our JSON, complete")], ["mat", t("match text (.mat)")], ["sgf", t("GNU Backgammon (.sgf)")], ["xg", t("eXtreme Gammon (.xg)")], ["ogxm", t("OpenGammon (.ogxm)")]];

/** What a judge says: its best, the cost of what was done, and that of the other judge's best. @param {any} judge @param {any} other @param {string} played */
function judged(judge, other, played) {
  const said = !judge.loss ? judge.best : t`${judge.best}, the play made costs ${judge.loss.toFixed(3)}`;
  const also = judge.other !== null && other.best !== played ? t`; ${other.best} costs ${judge.other.toFixed(3)}` : "";
  return `${judge.program}${judge.level ? ` (${judge.level})` : ""}: ${said}${also}`;
}

/** @param {any} each */
function judgesItem(each) {
  const settled = each.settled === undefined && each.difference <= 0.05 ? "" : each.settled === undefined ? t("No rollout yet: it is made when the machine has nothing else to do.") : each.settled === null ? t("No rollout can settle this one.") : each.settled.words;
  return el("li", {}, el("div", { class: "grow" },
    el("p", {}, el("a", { href: each.address }, momentWords(t`Game ${each.game}, move ${each.move}`, each.dice, each.played)), " · ", t`${each.difference.toFixed(3)} apart`),
    el("p", {}, judged(each.ours, each.theirs, each.played)), el("p", {}, judged(each.theirs, each.ours, each.played)), ...(settled ? [el("p", { class: "hint" }, settled)] : [])));
}

/** @param {any} told */
function show(told) {
  document.title = `${told.title} · Fullprime`;
  byId("title").textContent = told.title;
  byId("facts").replaceChildren(...whole([told.date, told.info.Event, t(told.game), lengthWords(told.length), scoreWords(told), plural(told.games.length, "{n} game", "{n} games"), plural(told.rolls, "{n} roll", "{n} rolls")].filter(Boolean).join(" · ")));
  const newest = told.reviews.find((/** @type {any} */ each) => each.complete);
  byId("rating").textContent = newest ? told.names.map((/** @type {string} */ name, /** @type {number} */ at) => `${name || "?"}: PR ${newest.pr[at] === null ? "–" : newest.pr[at].toFixed(2)}`).join(", ") + (newest.dated ? t` (${newest.level}, by nets that have been replaced since)` : ` (${newest.level})`) : t("Not reviewed yet.");
  byId("report").hidden = !told.report;
  if (told.report) byId("report").setAttribute("href", told.report);
  byId("review").hidden = Boolean(newest && !newest.dated);
  byId("marks").replaceChildren(...told.marks.filter((/** @type {any} */ each) => each.game !== null).map((/** @type {any} */ each) => el("li", {},
    el("a", { href: each.address }, (each.star ? "★ " : "") + momentWords(t`Game ${each.game}, move ${each.move}`, each.dice, each.deed)), el("span", { class: "hint" }, each.note), ...each.tags.map((/** @type {string} */ tag) => el("span", { class: "tag" }, tag)))));
  byId("errors").hidden = !told.errors.length;
  byId("boards").replaceChildren(...told.errors.slice(0, FEW).map(boardItem));
  byId("every-board").hidden = told.errors.length <= FEW;
  byId("every-board").textContent = plural(told.errors.length - FEW, "Show {n} more", "Show {n} more");
  byId("every-board").onclick = () => {
    const more = told.errors.slice(FEW).map(boardItem);
    byId("every-board").hidden = true;
    byId("boards").append(...more);
    more[0].querySelector("a").focus();
  };
  byId("judges").hidden = !told.program || !told.judged;
  byId("judges-said").textContent = told.program ? plural(told.judged, "{1} has judged this match, too: {n} decision has both verdicts; more than 0.05 apart: {2}.", "{1} has judged this match, too: {n} decisions have both verdicts; more than 0.05 apart: {2}.", told.program, told.judges.length || t("none")) : "";
  byId("judge-list").replaceChildren(...told.judges.map(judgesItem));
  byId("every-judge").replaceChildren();
  byId("all-judges").open = false;
  byId("games").replaceChildren(...told.games.map((/** @type {any} */ game, /** @type {number} */ at) => el("tr", {}, el("th", { scope: "row" }, String(at + 1)), el("td", {}, game.score.join("–") + (game.crawford ? t(" (Crawford)") : "")), el("td", {}, String(game.rolls)))));
  byId("files").replaceChildren(...told.files.map((/** @type {any} */ file) => el("li", {},
    el("button", { type: "button", class: "quiet", onclick: () => trying(() => save(`/library/files/${file.source}`)) }, file.file),
    el("span", { class: "hint" }, [file.format, ...(file.program ? [t`with the analysis of ${file.program}`] : []), ...(file.swapped ? [t("the players the other way round")] : []), ...file.problems].join(" · ")))));
}

async function load() {
  const told = await trying(() => call(`/library/matches/${number}`));
  if (told) show(told);
  return told;
}

byId("save-file").addEventListener("click", () => trying(() => save(`/library/matches/${number}/file?format=${byId("format").value}`)));
byId("remove").addEventListener("click", async () => {
  if (!confirm(t("Forget this match, its reviews and its notes?"))) return;
  if (await trying(() => call("/library/matches/remove", { matches: [number] }))) location.href = "/library";
});
byId("review").addEventListener("click", async () => {
  byId("review").disabled = true;
  await trying(async () => {
    const job = new Job("/library/review", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ level: "standard", matches: [number] }) }, (told) => { byId("told").textContent = told.progress ? t`Reviewing: ${told.state}` : ""; });
    await job.done;
  });
  byId("review").disabled = false;
  byId("told").textContent = "";
  await load();
});

byId("all-judges").addEventListener("toggle", async () => {
  if (!byId("all-judges").open || byId("every-judge").children.length) return;
  const told = await trying(() => call(`/library/matches/${number}/judges`));
  if (told) byId("every-judge").replaceChildren(...told.judges.map(judgesItem));
});
fill(byId("format"), FORMATS, "json");
if (await load()) await notesOf(byId("notes"), () => ({ place: `match ${number}` /* not a text */ }), false);
