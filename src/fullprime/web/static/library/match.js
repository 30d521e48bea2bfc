// @ts-check
/** A match of the library: facts, notes, the costliest decisions, another program's verdicts beside ours, its files. */

import { attempt, boardItem, lengthWords, momentWords, notesOf, scoreWords } from "/static/library/shelf.js";
import { call, save } from "/static/parts/api.js";
import { Job } from "/static/parts/jobs.js";
import { byId, el, fill, keepWhole } from "/static/parts/page.js";
import { decimal, plural, t } from "/static/parts/texts.js";

const number = Number(location.pathname.split("/")[3]);
/** Boards that are shown at first: the costliest. */
const FEW = 6;
/** Formats that a match is saved in most often. */
const FORMATS = [
  ["json", t("our JSON, complete")],
  ["mat", t("match text (.mat)")],
  ["sgf", t("GNU Backgammon (.sgf)")],
  ["xg", t("eXtreme Gammon (.xg)")],
  ["ogxm", t("OpenGammon (.ogxm)")],
];

/**
 * A judge's verdict: its best, the cost of the decision made, and that of the other judge's best.
 * @param {any} judge
 * @param {any} other
 * @param {string} played
 */
function judged(judge, other, played) {
  const verdict = !judge.loss ? judge.best : t`${judge.best}, the play made costs ${decimal(judge.loss, 3)}`;
  const also = judge.other !== null && other.best !== played ? t`; ${other.best} costs ${decimal(judge.other, 3)}` : "";
  return `${judge.program}${judge.level ? ` (${judge.level})` : ""}: ${verdict}${also}`;
}

/** @param {any} decision */
function judgesItem(decision) {
  const settled =
    !decision.rolled_out && decision.difference <= 0.05
      ? ""
      : !decision.rolled_out
        ? t("No rollout yet: it is made when the machine has nothing else to do.")
        : decision.settled === null
          ? t("No rollout can settle this one.")
          : decision.settled.words;
  return el(
    "li",
    {},
    el(
      "div",
      { class: "grow" },
      el(
        "p",
        {},
        el(
          "a",
          { href: decision.address },
          momentWords(t`Game ${decision.game}, move ${decision.move}`, decision.dice, decision.played),
        ),
        " · ",
        t`${decimal(decision.difference, 3)} apart`,
      ),
      el("p", {}, judged(decision.ours, decision.theirs, decision.played)),
      el("p", {}, judged(decision.theirs, decision.ours, decision.played)),
      ...(settled ? [el("p", { class: "hint" }, settled)] : []),
    ),
  );
}

/** @param {any} match */
function show(match) {
  document.title = `${match.title} · Fullprime`;
  byId("title").textContent = match.title;
  byId("facts").replaceChildren(
    ...keepWhole(
      [
        match.date,
        match.info.Event,
        t(match.game),
        lengthWords(match.length),
        scoreWords(match),
        plural(match.games.length, "{n} game", "{n} games"),
        plural(match.rolls, "{n} roll", "{n} rolls"),
      ]
        .filter(Boolean)
        .join(" · "),
    ),
  );
  const newest = match.reviews.find((/** @type {any} */ review) => review.complete);
  byId("rating").textContent = newest
    ? match.names
        .map(
          (/** @type {string} */ name, /** @type {number} */ at) =>
            `${name || "?"}: PR ${newest.pr[at] === null ? "–" : decimal(newest.pr[at], 2)}`,
        )
        .join(", ") +
      (newest.dated ? t` (${newest.level}, by nets that have been replaced since)` : ` (${newest.level})`)
    : t("Not reviewed yet.");
  byId("report").hidden = byId("on-board").hidden = !match.report;
  byId("on-board").setAttribute("href", `/library/match/${number}/board`);
  if (match.report) byId("report").setAttribute("href", match.report);
  byId("review").hidden = Boolean(newest && !newest.dated);
  byId("marks").replaceChildren(
    ...match.marks
      .filter((/** @type {any} */ mark) => mark.game !== null)
      .map((/** @type {any} */ mark) =>
        el(
          "li",
          {},
          el(
            "a",
            { href: mark.address },
            (mark.star ? "★ " : "") + momentWords(t`Game ${mark.game}, move ${mark.move}`, mark.dice, mark.deed),
          ),
          el("span", { class: "hint" }, mark.note),
          ...mark.tags.map((/** @type {string} */ tag) => el("span", { class: "tag" }, tag)),
        ),
      ),
  );
  byId("errors").hidden = !match.errors.length;
  byId("boards").replaceChildren(...match.errors.slice(0, FEW).map(boardItem));
  byId("every-board").hidden = match.errors.length <= FEW;
  byId("every-board").textContent = plural(match.errors.length - FEW, "Show {n} more", "Show {n} more");
  byId("every-board").onclick = () => {
    const more = match.errors.slice(FEW).map(boardItem);
    byId("every-board").hidden = true;
    byId("boards").append(...more);
    more[0].querySelector("a").focus();
  };
  byId("judges").hidden = !match.program || !match.judged;
  byId("judges-said").textContent = match.program
    ? plural(
        match.judged,
        "{1} has judged this match, too: {n} decision has both verdicts; more than 0.05 apart: {2}.",
        "{1} has judged this match, too: {n} decisions have both verdicts; more than 0.05 apart: {2}.",
        match.program,
        match.judges.length || t("none"),
      )
    : "";
  byId("judge-list").replaceChildren(...match.judges.map(judgesItem));
  byId("every-judge").replaceChildren();
  byId("all-judges").open = false;
  byId("games").replaceChildren(
    ...match.games.map((/** @type {any} */ game, /** @type {number} */ at) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, String(at + 1)),
        el("td", {}, game.score.join("–") + (game.crawford ? t(" (Crawford)") : "")),
        el("td", {}, String(game.rolls)),
      ),
    ),
  );
  byId("files").replaceChildren(
    ...match.files.map((/** @type {any} */ file) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", class: "quiet", onclick: () => attempt(() => save(`/library/files/${file.source}`)) },
          file.file,
        ),
        el(
          "span",
          { class: "hint" },
          [
            file.format,
            ...(file.program ? [t`with the analysis of ${file.program}`] : []),
            ...(file.swapped ? [t("the players the other way round")] : []),
            ...file.problems,
          ].join(" · "),
        ),
      ),
    ),
  );
}

async function load() {
  const match = await attempt(() => call(`/library/matches/${number}`));
  if (match) show(match);
  return match;
}

byId("save-file").addEventListener("click", () =>
  attempt(() => save(`/library/matches/${number}/file?format=${byId("format").value}`)),
);
byId("share").addEventListener("click", async () => {
  const [{ ask }, { matchPart }] = await Promise.all([
    import("/static/parts/dialogs.js"),
    import("/static/parts/share-match.js"),
  ]);
  const words = byId("title").textContent ?? "";
  const part = matchPart(`/library/matches/${number}/file?analysis=no`, null, words);
  await ask(t("Share this match"), [part], [["", t("Close"), "primary"]]);
});
byId("remove").addEventListener("click", async () => {
  const { confirmLoss } = await import("/static/parts/confirm-loss.js");
  const loss = t("Its reviews and its notes go with it.");
  if (!(await confirmLoss(t("Forget this match?"), loss, t("Forget it")))) return;
  if (await attempt(() => call("/library/matches/remove", { matches: [number] }))) location.href = "/library";
});
byId("review").addEventListener("click", async () => {
  byId("review").disabled = true;
  await attempt(async () => {
    const job = new Job(
      "/library/review",
      {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ level: "standard", matches: [number] }),
      },
      (state) => {
        byId("told").textContent = state.progress ? t`Reviewing: ${state.state}` : "";
      },
    );
    await job.done;
  });
  byId("review").disabled = false;
  byId("told").textContent = "";
  await load();
});

byId("all-judges").addEventListener("toggle", async () => {
  if (!byId("all-judges").open || byId("every-judge").children.length) return;
  const answer = await attempt(() => call(`/library/matches/${number}/judges`));
  if (answer) byId("every-judge").replaceChildren(...answer.judges.map(judgesItem));
});
fill(byId("format"), FORMATS, "json");
if (await load()) await notesOf(byId("notes"), () => ({ place: `match ${number}` /* not a text */ }), false);
