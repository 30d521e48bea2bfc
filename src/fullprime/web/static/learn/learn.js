// @ts-check
/** The list of lessons, with the learner's progress in each. */

import { me, showTop } from "/static/accounts/accounts.js";
import { isDone, syncProgress } from "/static/learn/progress.js";
import { call } from "/static/parts/api.js";
import { attempt } from "/static/parts/attempt.js";
import { byId, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

/** @param {import("/static/learn/progress.js").Mark | undefined} mark @param {{steps: number}} lesson */
function markWords(mark, { steps }) {
  if (!mark || (!mark.done && !mark.step)) return "";
  if (!mark.done) return t`${mark.step} of ${steps}`;
  if (!isDone(mark)) return t`again: ${mark.right} of ${mark.asked} right`;
  return mark.asked ? t`done, ${mark.right} of ${mark.asked} right` : t("done");
}

/** Where to go on in a lesson that was left. @param {import("/static/learn/progress.js").Mark | undefined} mark */
const stepAnchor = (mark) => (mark && !mark.done && mark.step ? `#${mark.step + 1}` : "");

/**
 * The one thing to do now: cards that are due, then the next lesson; after the last one puzzles.
 * @param {number} due
 * @param {{name: string, title: string} | undefined} lesson
 * @param {Record<string, import("/static/learn/progress.js").Mark>} marks
 */
function showNext(due, lesson, marks) {
  const [href, text] = lesson
    ? [
        `/learn/${lesson.name}${stepAnchor(marks[lesson.name])}`,
        Object.keys(marks).length ? t`Go on: ${t(lesson.title)}` : t("Begin with your first game"),
      ]
    : ["/drill/puzzles", t("Solve puzzles")];
  const step = byId("go-on");
  step.href = due ? "/drill/cards" : href;
  step.textContent = due ? plural(due, "Repeat {n} card that is due", "Repeat {n} cards that are due") : text;
  byId("then").replaceChildren(...(due ? [el("a", { href }, text)] : []));
}

async function begin() {
  const [account, course, cards] = await Promise.all([me(), call("/learn"), call("/drills/cards")]);
  showTop(account);
  const marks = await syncProgress(account.name);
  const all = course.parts.flatMap((/** @type {any} */ part) => part.lessons);
  const done = all.filter((/** @type {any} */ lesson) => isDone(marks[lesson.name])).length;
  byId("sum").textContent = done
    ? plural(all.length, "{1} of {n} lesson done.", "{1} of {n} lessons done.", done)
    : plural(all.length, "{n} lesson.", "{n} lessons.");
  const next = all.find((/** @type {any} */ lesson) => !isDone(marks[lesson.name]));
  showNext(cards.deck.due, next, marks);
  byId("parts").replaceChildren(
    ...course.parts.map((/** @type {any} */ part) =>
      el(
        "section",
        { class: "card", "aria-labelledby": `part-${part.name}` },
        el("h2", { id: `part-${part.name}` }, t(part.title)),
        el(
          "ol",
          { class: "lessons" },
          ...part.lessons.map((/** @type {any} */ lesson) =>
            el(
              "li",
              { class: isDone(marks[lesson.name]) ? "done" : lesson === next ? "next" : "" },
              el(
                "a",
                {
                  href: `/learn/${lesson.name}${stepAnchor(marks[lesson.name])}`,
                  ...(lesson === next ? { "aria-current": "step" } : {}),
                },
                t(lesson.title),
              ),
              el(
                "span",
                { class: `mark ${isDone(marks[lesson.name]) ? "done" : ""}` },
                markWords(marks[lesson.name], lesson),
              ),
              el(
                "span",
                { class: "hint" },
                plural(lesson.minutes, "{1} {n} minute.", "{1} {n} minutes.", t(lesson.about)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

attempt(begin);
