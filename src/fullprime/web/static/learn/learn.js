// @ts-check
/** The list of lessons, with what has been done of them. */

import { Refusal, call } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { me, showTop } from "/static/people/people.js";
import { together } from "/static/learn/progress.js";
import { plural, t } from "/static/parts/texts.js";

/** @param {import("/static/learn/progress.js").Mark | undefined} mark @param {{steps: number}} lesson */
function words(mark, { steps }) {
  if (!mark || (!mark.done && !mark.step)) return "";
  if (!mark.done) return t`${mark.step} of ${steps}`;
  return mark.asked ? t`done, ${mark.right} of ${mark.asked} right` : t("done");
}

/** Where to go on in a lesson that was left. @param {import("/static/learn/progress.js").Mark | undefined} mark */
const place = (mark) => (mark && !mark.done && mark.step ? `#${mark.step + 1}` : "");

async function begin() {
  try {
    const [account, course] = await Promise.all([me(), call("/school")]);
    showTop(account);
    const marks = await together(account.name);
    const all = course.parts.flatMap((/** @type {any} */ part) => part.lessons);
    const done = all.filter((/** @type {any} */ lesson) => marks[lesson.name]?.done).length;
    byId("sum").textContent = done ? plural(all.length, "{1} of {n} lesson done.", "{1} of {n} lessons done.", done) : plural(all.length, "{n} lesson.", "{n} lessons.");
    const next = all.find((/** @type {any} */ lesson) => !marks[lesson.name]?.done);
    if (next && (done || marks[next.name])) {
      byId("go-on").href = `/learn/${next.name}${place(marks[next.name])}`;
      byId("go-on").textContent = t`Go on: ${t(next.title)}`;
    }
    byId("parts").replaceChildren(...course.parts.map((/** @type {any} */ part) => el("section", { class: "card", "aria-labelledby": `part-${part.name}` },
      el("h2", { id: `part-${part.name}` }, t(part.title)),
      el("ol", { class: "lessons" }, ...part.lessons.map((/** @type {any} */ lesson) => el("li", {},
        el("a", { href: `/learn/${lesson.name}${place(marks[lesson.name])}` }, t(lesson.title)),
        el("span", { class: `mark ${marks[lesson.name]?.done ? "done" : ""}` }, words(marks[lesson.name], lesson)),
        el("span", { class: "hint" }, plural(lesson.minutes, "{1} {n} minute.", "{1} {n} minutes.", t(lesson.about)))))))));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byId("problem").textContent = error.message;
  }
}

begin();
