// @ts-check
/**
 * The texts of the pages in the reader's language. The English text is the key, and is shown where a language lacks it.
 * `t` stands before every text that people read; `scripts/write_texts.py` finds them, and a test finds those that were
 * forgotten.
 */

/** The texts of this page's language; one by number has its forms. @type {Record<string, string | string[]>} */
let catalogue = {};

/** The form of a text for a number. @type {(n: number) => number} */
let form = () => 0;

/** The language of this page. */
export const language = document.documentElement.lang || "en";
const figures = new Intl.NumberFormat(language);

const COOKIE = "fullprime_language";

/**
 * The languages that there are, each its tag and its name, and the one that was chosen here; none where there is no
 * choice.
 */
export function languages() {
  const content = document.querySelector("meta[name=languages]")?.getAttribute("content") ?? "";
  return {
    known: content
      .split(";")
      .filter(Boolean)
      .map((pair) => pair.split("=")),
    chosen: new RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(document.cookie)?.[1] ?? "",
  };
}

/**
 * Show the pages in a language from now on; "" for that of the browser. The server translates them, so a cookie
 * carries the choice.
 * @param {string} tag
 */
export function chooseLanguage(tag) {
  document.cookie = `${COOKIE}=${tag}; path=/; SameSite=Lax; max-age=${tag ? 400 * 24 * 3600 : 0}`;
  navigator.serviceWorker?.controller?.postMessage("language");
  location.reload();
}

/**
 * Take the texts of the page's language: the script of a language calls it before those of the page run.
 * @param {typeof catalogue} texts
 * @param {typeof form} rule
 */
export function learn(texts, rule) {
  [catalogue, form] = [texts, rule];
}

/** Without the note that tells two texts apart that are one word in English. @param {string} key */
const bare = (key) => key.split(" // ", 1)[0];

/** A number in the page's language, not the browser's: 10,000. Ratings have no separator. @param {unknown} value */
export const number = (value) =>
  Number.isFinite(value) ? figures.format(/** @type {number} */ (value)) : String(value);

/** A number with decimals in the page's language. @param {number} value @param {number} digits */
export const decimal = (value, digits) => value.toFixed(digits).replace(".", figures.format(0.5)[1]);

/** @param {string} text @param {unknown[]} values @param {number} [count] */
const fillIn = (text, values, count) =>
  text.replace(/\{(n|\d+)\}/g, (mark, name) => number(name === "n" ? (count ?? mark) : (values[name - 1] ?? mark)));

/**
 * A text in the reader's language: t`${name} won the match.`, known to translators as "{1} won the match.", or
 * t("Roll").
 * @param {TemplateStringsArray | string} text @param {unknown[]} values the values of {1}, {2}, ... @returns {string}
 */
export function t(text, ...values) {
  const key = typeof text === "string" ? text : text.reduce((key, part, at) => `${key}{${at}}${part}`);
  const translated = catalogue[key];
  return fillIn(typeof translated === "string" && translated ? translated : bare(key), values);
}

/**
 * A text by number: plural(3, "{n} game", "{n} games").
 * @param {number} count
 * @param {string} one
 * @param {string} other
 * @param {unknown[]} values the values of {1}, {2}, ...
 * @returns {string}
 */
export function plural(count, one, other, ...values) {
  const forms = catalogue[other];
  const text = typeof forms === "object" ? forms[form(count)] : "";
  return fillIn(text || bare(count === 1 ? one : other), values, count);
}
