// @ts-check
/** Files and folders added to the library: archives of some files each, one after another, with progress and a stop. */

import { zip } from "/static/library/zip.js";
import { Refusal } from "/static/parts/api.js";
import { Job, stateWords } from "/static/parts/jobs.js";
import { byId, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

const MOST = 8 * 1024 * 1024;
const BATCH = 6 * 1024 * 1024;
const FILES = 50;
const SINGLE = /\.(zip|tar|tgz|gz|bz2|xz|7z)$/i;

/** @type {Job | null} */
let job = null;
let stopped = false;

/** A load for the server: a file or an archive by itself, or several files as one archive. @param {File[]} files */
function* batches(files) {
  let some = /** @type {File[]} */ ([]);
  let size = 0;
  for (const file of files) {
    if (SINGLE.test(file.name)) {
      yield [file];
      continue;
    }
    if (some.length && (size + file.size > BATCH || some.length >= FILES)) {
      yield some;
      some = [];
      size = 0;
    }
    some.push(file);
    size += file.size;
  }
  if (some.length) yield some;
}

/** @param {File[]} files @returns {Promise<{name: string, body: Blob}>} */
async function packFiles(files) {
  if (files.length === 1) return { name: files[0].name, body: files[0] };
  const all = await Promise.all(
    files.map(async (file) => ({
      name: file.webkitRelativePath || file.name,
      data: new Uint8Array(await file.arrayBuffer()),
    })),
  );
  return { name: "files.zip", body: zip(all) };
}

/** @param {string} text @param {{done: number, of: number} | null} progress */
function showProgress(text, progress) {
  byId("told").textContent = text;
  const bar = byId("progress");
  if (progress?.done) {
    bar.max = Math.max(1, progress.of);
    bar.value = progress.done;
  } else bar.removeAttribute("value");
}

/** Follow a job of the library. @param {Job} started @param {string} head @returns {Promise<any>} */
async function awaitJob(started, head) {
  job = started;
  const state = await started.done;
  if (state?.error && !state.result) throw new Refusal(400, state.error);
  showProgress(head, null);
  return state?.result ?? null;
}

/** @param {string} head */
const reporter = (head) => (/** @type {any} */ state) => {
  const way = state.progress;
  showProgress(
    way ? head + t`${way.doing} ${Math.min(way.done + 1, way.of)} of ${way.of}` : `${head}${stateWords(state)}`,
    way,
  );
};

/**
 * Do work with its progress shown; a refusal goes to `refused`.
 * @param {() => Promise<void>} work
 * @param {(text: string) => void} refused
 */
async function showWork(work, refused) {
  stopped = false;
  byId("work").hidden = false;
  byId("work").scrollIntoView({ block: "nearest" }); // the button may stand below a long list
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refused(error.message);
  } finally {
    byId("work").hidden = true;
  }
}

/**
 * Add files.
 * @param {File[]} files
 * @param {string} level
 * @param {(text: string) => void} refused
 * @param {() => void} changed
 */
export async function addFiles(files, level, refused, changed) {
  const outcome = /** @type {any[]} */ (
    files
      .filter((file) => file.size > MOST)
      .map((file) => ({ file: file.name, status: "failed", problems: [t("it has more than 8 MB")] }))
  );
  const fit = files.filter((file) => file.size && file.size <= MOST);
  let done = 0;
  let reviewed = 0;
  await showWork(async () => {
    for (const some of batches(fit)) {
      if (stopped) break;
      const { name, body } = await packFiles(some);
      const head = fit.length > some.length ? t`Files ${done + 1} to ${done + some.length} of ${fit.length}: ` : "";
      const result = await awaitJob(
        new Job(
          `/library/files?${new URLSearchParams({ name, level })}`,
          { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body },
          reporter(head),
        ),
        head,
      );
      done += some.length;
      outcome.push(...(result?.files ?? []));
      reviewed += result?.reviewed ?? 0;
      changed();
    }
  }, refused);
  showOutcome(outcome, reviewed);
}

/**
 * Review the matches that have no review.
 * @param {Record<string, string>} question
 * @param {string} level
 * @param {(text: string) => void} refused
 * @param {() => void} changed
 */
export async function reviewAll(question, level, refused, changed) {
  await showWork(async () => {
    const result = await awaitJob(
      new Job(
        "/library/review",
        { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ level, question }) },
        reporter(""),
      ),
      "",
    );
    if (result)
      showOutcome(
        result.failed.map((/** @type {string} */ why) => ({ file: why, status: "failed", problems: [] })),
        result.reviewed,
      );
  }, refused);
  changed();
}

/** @param {any[]} files @param {number} reviewed */
function showOutcome(files, reviewed) {
  const count = (/** @type {string} */ status) => files.filter((file) => file.status === status).length;
  const fresh = files.reduce((sum, file) => sum + (file.new?.length ?? 0), 0);
  byId("outcome").hidden = false;
  byId("outcome").open = count("failed") > 0;
  byId("outcome-title").textContent = plural(
    fresh,
    "{n} new match, {1} files known already, {2} not read; {3} reviewed",
    "{n} new matches, {1} files known already, {2} not read; {3} reviewed",
    count("seen") + count("known"),
    count("failed"),
    reviewed,
  );
  byId("outcome-files").replaceChildren(
    ...files
      .filter((file) => file.status === "failed" || file.problems.length)
      .slice(0, 200)
      .map((file) =>
        el(
          "li",
          {},
          `${file.file}: ${[file.status === "failed" ? t("not read") : file.status, ...file.problems].join("; ")}`,
        ),
      ),
  );
}

byId("stop")?.addEventListener("click", () => {
  stopped = true;
  job?.stop();
});
