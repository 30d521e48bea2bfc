// @ts-check
/** A file is sent, or a game that was played here is named; the review is followed, then its report is opened. */

import { rememberReview } from "/static/library/reviews.js";
import { call, keyOf, Refusal } from "/static/parts/api.js";
import { Job, stateWords } from "/static/parts/jobs.js";
import { fromFragment, START } from "/static/parts/match-link.js";
import { byId, el } from "/static/parts/page.js";
import "/static/parts/preferences.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { versus } from "/static/parts/words.js";

const MOST = 8 * 1024 * 1024;
/** @type {Job | null} */
let job = null;

function showProblem(text) {
  byId("problem").textContent = text;
}

/** How far a review is, in words and as a bar. */
function showProgress(state) {
  if (location.hash.slice(1) !== state.id) history.replaceState(null, "", `/review#${state.id}`);
  const { progress } = state;
  const bar = byId("progress");
  byId("said").textContent = progress
    ? t`${game ? t("Your match") : progress.name}: game ${Math.min(progress.games + 1, progress.of)} of ${progress.of}`
    : stateWords(state);
  if (progress?.games) {
    bar.max = progress.of;
    bar.value = progress.games;
  } else bar.removeAttribute("value");
}

/** Follow a review to its end. @param {Job} started */
async function followReview(started) {
  byId("send").hidden = true;
  byId("work").hidden = false;
  byId("stop").focus();
  try {
    job = started;
    show(await started.done);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showProblem(error.message);
    byId("send").hidden = false;
  } finally {
    byId("work").hidden = true;
  }
}

/** Open the report of a review of one match; list the matches of others. */
function show(outcome) {
  const result = outcome.result ?? { matches: [], unread: [] };
  rememberReview(outcome, game);
  if (outcome.error) showProblem(outcome.error);
  else if (outcome.state === "stopped" && !result.matches.length) showProblem(t("Stopped before a game was finished."));
  if (!result.matches.length) {
    byId("send").hidden = false;
    history.replaceState(null, "", "/review");
    return;
  }
  if (result.matches.length === 1 && !result.unread.length && outcome.state === "done") {
    location.replace(`/review/${outcome.id}/1/board`);
    return;
  }
  byId("found").hidden = false;
  byId("send").hidden = false;
  byId("matches").replaceChildren(
    ...result.matches.map((match, index) =>
      el(
        "li",
        {},
        el("a", { href: `/review/${outcome.id}/${index + 1}` }, versus(match.players)),
        el(
          "span",
          { class: "hint" },
          [
            t(match.variant),
            match.length ? t`match to ${match.length}` : t("money"),
            match.complete
              ? plural(match.games, "{n} game", "{n} games")
              : plural(match.of, "{1} of {n} game", "{1} of {n} games", match.games),
            `${plural(match.decisions, "{n} decision", "{n} decisions")} · ${match.name}`,
          ].join(", "),
        ),
        el("a", { href: `/mistakes?review=${outcome.id}&match=${index + 1}` }, t("Learn from the mistakes")),
      ),
    ),
  );
  byId("unread").replaceChildren(
    ...result.unread.map(({ name, why }) => el("li", {}, why.startsWith(name) ? why : `${name}: ${why}`)),
  );
}

function sendFile(file) {
  showProblem("");
  if (file.size > MOST) {
    showProblem(t`${file.name} has ${decimal(file.size / 1048576, 1)} MB: at most 8 MB are taken.`);
    return;
  }
  const about = new URLSearchParams({ name: file.name, level: byId("level").value });
  followReview(
    new Job(
      `/reviews?${about}`,
      { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file },
      showProgress,
    ),
  );
}

/** Open the match that is in the link itself. */
async function openLinked() {
  try {
    sendFile(new File([await fromFragment(location.hash)], "match"));
  } catch (error) {
    showProblem(error.message);
  }
}

function reviewGame(game) {
  const headers = /** @type {Record<string, string>} */ ({ "Content-Type": "application/json" });
  const key = keyOf(game);
  if (key) headers.Authorization = `Bearer ${key}`;
  followReview(
    new Job(
      `/games/${encodeURIComponent(game)}/review`,
      { method: "POST", headers, body: JSON.stringify({ level: byId("level").value }) },
      showProgress,
    ),
  );
}

byId("file").addEventListener("change", () => {
  const [file] = byId("file").files;
  if (file) sendFile(file);
});
byId("stop").addEventListener("click", () => job?.stop());
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    const file = kind === "drop" && /** @type {DragEvent} */ (event).dataTransfer?.files[0];
    if (file && !byId("send").hidden) sendFile(file);
  });
}

/** A match is pasted as text or as a file; what is short may be a position, which paste.js reads. */
document.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "";
  const file = event.clipboardData?.files[0] ?? (/\n.*\n/.test(text) ? new File([text], t("pasted text")) : null);
  if (!file || byId("send").hidden) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  sendFile(file);
});

const game = new URLSearchParams(location.search).get("game");
const jobId = location.hash.slice(1);
if (location.pathname !== "/review") showProblem(t("This review is no longer kept: have the file reviewed again."));
else if (game) reviewGame(game);
else if (location.hash.startsWith(START)) openLinked();
else if (jobId)
  call(`/reviews/${encodeURIComponent(jobId)}`)
    .then((state) =>
      ["done", "stopped", "failed"].includes(state.state)
        ? showMatches(state)
        : followReview(Job.known(state.id, showProgress)),
    )
    .catch((error) => showProblem(error.message));

// Another link that is pasted over this page's own only changes the fragment.
addEventListener("hashchange", () => {
  if (location.hash.startsWith(START)) location.reload();
});

/** The matches of a review that is over, the report not being opened by itself. */
function showMatches(outcome) {
  show({ ...outcome, state: outcome.state === "done" ? "listed" : outcome.state });
}
