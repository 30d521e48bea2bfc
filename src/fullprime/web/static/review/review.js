// @ts-check
/** A file is sent, or a game that was played here is named; the review is followed, then its report is opened. */

import { Refusal, call, keyOf } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { rememberReview } from "/static/library/reviews.js";
import { Job, stateWords } from "/static/parts/jobs.js";
import "/static/parts/settings.js";
import { plural, t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

const MOST = 8 * 1024 * 1024;
/** @type {Job | null} */
let job = null;

function problem(text) { byId("problem").textContent = text; }

/** How far a review is, in words and as a bar. */
function news(told) {
  if (location.hash.slice(1) !== told.id) history.replaceState(null, "", `/review#${told.id}`);
  const { progress } = told, bar = byId("progress");
  byId("said").textContent = progress ? t`${progress.name}: game ${Math.min(progress.games + 1, progress.of)} of ${progress.of}` : stateWords(told);
  if (progress) { bar.max = progress.of; bar.value = progress.games; }
  else bar.removeAttribute("value");
}

/** Follow a review to its end. @param {Job} begun */
async function follow(begun) {
  byId("send").hidden = true;
  byId("work").hidden = false;
  byId("stop").focus();
  try {
    job = begun;
    show(await begun.done);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problem(error.message);
    byId("send").hidden = false;
  } finally {
    byId("work").hidden = true;
  }
}

/** A review of one match opens its report; of several, or of none, it says what there is. */
function show(told) {
  const result = told.result ?? { matches: [], unread: [] };
  rememberReview(told, game);
  if (told.error) problem(told.error);
  else if (told.state === "stopped" && !result.matches.length) problem(t("Stopped before a game was finished."));
  if (!result.matches.length) { byId("send").hidden = false; history.replaceState(null, "", "/review"); return; }
  if (result.matches.length === 1 && !result.unread.length && told.state === "done") { location.replace(`/review/${told.id}/1`); return; }
  byId("found").hidden = false;
  byId("send").hidden = false;
  byId("matches").replaceChildren(...result.matches.map((match, index) => el("li", {},
    el("a", { href: `/review/${told.id}/${index + 1}` }, versus(match.players)),
    el("span", { class: "hint" }, [t(match.variant), match.length ? t`match to ${match.length}` : t("money"), match.complete ? plural(match.games, "{n} game", "{n} games") : plural(match.of, "{1} of {n} game", "{1} of {n} games", match.games),
      `${plural(match.decisions, "{n} decision", "{n} decisions")} · ${match.name}`].join(", ")),
    el("a", { href: `/mistakes?review=${told.id}&match=${index + 1}` }, t("Learn from the mistakes")))));
  byId("unread").replaceChildren(...result.unread.map(({ name, why }) => el("li", {}, why.startsWith(name) ? why : `${name}: ${why}`)));
}

function send(file) {
  problem("");
  if (file.size > MOST) { problem(t`${file.name} has ${(file.size / 1048576).toFixed(1)} MB: at most 8 MB are taken.`); return; }
  const about = new URLSearchParams({ name: file.name, level: byId("level").value });
  follow(new Job(`/reviews?${about}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file }, news));
}

function reviewGame(game) {
  const headers = /** @type {Record<string, string>} */ ({ "Content-Type": "application/json" }), key = keyOf(game);
  if (key) headers.Authorization = `Bearer ${key}`;
  follow(new Job(`/games/${encodeURIComponent(game)}/review`, { method: "POST", headers, body: JSON.stringify({ level: byId("level").value }) }, news));
}

byId("file").addEventListener("change", () => { const [file] = byId("file").files; if (file) send(file); });
byId("stop").addEventListener("click", () => job?.stop());
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    const file = kind === "drop" && /** @type {DragEvent} */ (event).dataTransfer?.files[0];
    if (file && !byId("send").hidden) send(file);
  });
}

const game = new URLSearchParams(location.search).get("game");
const known = location.hash.slice(1);
if (location.pathname !== "/review") problem(t("This review is no longer kept: have the file reviewed again."));
else if (game) reviewGame(game);
else if (known) call(`/reviews/${encodeURIComponent(known)}`).then((told) => (["done", "stopped", "failed"].includes(told.state) ? list(told) : follow(Job.known(told.id, news)))).catch((error) => problem(error.message));

/** The matches of a review that is over, the report not being opened by itself. */
function list(told) { show({ ...told, state: told.state === "done" ? "listed" : told.state }); }
