// @ts-check
/** Equities, chances and maps as people read them: tables made of the engine's answers. */

import { depthWords } from "/static/board/depths.js";
import { el } from "/static/parts/page.js";
import { decimal, t } from "/static/parts/texts.js";
import { capital, MINUS, signed } from "/static/parts/words.js";

/** A loss; `rough`: the best was looked at further, so two depths are compared. */
export const loss = (number, rough = false) =>
  number > 0 ? `${rough ? "≈ " : ""}${MINUS}${decimal(number, 3)}` : rough ? "≈ 0" : "";
export const percent = (number, digits = 1) =>
  number === null || number === undefined ? "–" : decimal(100 * number, digits);

/**
 * The arrows of a play for the board.
 * @param {{arrows: [number, number][], mark: string}} play @param {import("/static/parts/state").Side} side
 * @returns {import("/static/game/tutor.js").Arrow[]}
 */
export function arrowsOf({ arrows, mark }, side, also = false) {
  const kind =
    { best: "ok", neutral: "ok", fine: "doubtful", error: "error", blunder: "blunder", rough: "rough" }[mark] ?? "ok";
  return arrows.map(([from, to]) => ({ side, from, to, kind: also ? `${kind} also` : kind }));
}

/** How a loss is called on a row. */
export const rowClass = (mark) =>
  ({ best: "ok", neutral: "ok", fine: "", error: "error", blunder: "blunder" })[mark] ?? "";

/** Five chances in words, or the words of a game settled by checkers. */
export function chancesText([win, gammon, backgammon, loseGammon, loseBackgammon], perChecker = false) {
  if (perChecker)
    return t`wins ${percent(win)} % (${decimal(15 * gammon, 2)} checkers a game), loses ${percent(1 - win)} % (${decimal(15 * loseGammon, 2)})`;
  return t`wins ${percent(win)} % (gammons ${percent(gammon)}, backgammons ${percent(backgammon)}), loses ${percent(1 - win)} % (gammons ${percent(loseGammon)}, backgammons ${percent(loseBackgammon)})`;
}

const row = (name, ...cells) =>
  el("tr", {}, el("th", { scope: "row" }, name), ...cells.map((cell) => el("td", {}, cell)));

/** A cube decision: each action, its equity, its loss. */
export function cubeTable(cube) {
  const best =
    cube.double_take === null ? cube.no_double : Math.max(cube.no_double, Math.min(cube.double_take, cube.double_drop));
  const again = cube.cube.owner ? t("Redouble") : t("Double");
  const goes = cube.reply === "beaver" ? t("beaver") : t("take");
  const line = (name, equity) =>
    equity === null ? null : row(name, signed(equity), Math.abs(equity - best) > 1e-6 ? signed(equity - best) : "");
  return el(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": t("Cube") },
    el(
      "table",
      {},
      el(
        "caption",
        {},
        el("strong", {}, capital(t(cube.action))),
        ` (${depthWords(cube.depth, cube.trials, cube.error)})`,
      ),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col", class: "what" }, t("Action")),
          el("th", { scope: "col" }, t("Equity")),
          el("th", { scope: "col" }, t("Against the best")),
        ),
      ),
      el(
        "tbody",
        {},
        ...[
          line(cube.cube.owner ? t("No redouble") : t("No double"), cube.no_double),
          line(`${again}, ${goes}`, cube.double_take),
          line(t`${again}, drop`, cube.double_drop),
          row(t("Cubeless"), signed(cube.cubeless), ""),
        ].filter((tableRow) => tableRow !== null),
      ),
    ),
  );
}

/** The chances and equities of a position before the roll. */
export function positionTable({ evaluation, per_checker: perChecker }) {
  const { equity, cubeless, value, away, probabilities, depth, exact, trials, error } = evaluation;
  const lines = [
    row(t("Equity"), perChecker ? t`${signed(equity)} checkers` : signed(equity)),
    row(t("Cubeless"), signed(cubeless)),
  ];
  if (away) lines.push(row(t("Match"), `${percent(value, 2)} %`));
  return el(
    "div",
    {},
    el(
      "table",
      {},
      el("caption", {}, exact ? t("Exact") : depthWords(depth, trials, error)),
      el("tbody", {}, ...lines),
    ),
    el("p", { class: "hint" }, chancesText(probabilities, perChecker)),
  );
}

/** Which of nine classes of heat a number has. */
function heat(number, scale) {
  const step = Math.min(4, Math.ceil((4 * Math.abs(number)) / scale - 0.5));
  return step <= 0 ? "heat-0" : `heat-${number > 0 ? "p" : "n"}${step}`;
}

/**
 * A cell of a map, which a click may open.
 * @param {string} kind
 * @param {string} text
 * @param {string} words
 * @param {(() => void) | null} open
 */
function cellOf(kind, text, words, open) {
  if (!open) return el("td", { class: kind, title: words }, text);
  return el(
    "td",
    { class: kind },
    el("button", { type: "button", class: "cell", title: words, "aria-label": words, onclick: open }, text),
  );
}

/**
 * A table of six by six for the 36 throws.
 * @param {any[]} rolls
 * @param {(roll: any) => number} worth
 * @param {(roll: any) => string} words
 * @param {((roll: any) => void) | null} [open]
 */
export function rollTable(caption, rolls, worth, words, open = null) {
  const of = new Map(rolls.map((roll) => [roll.dice.join(), roll]));
  const scale = Math.max(...rolls.map((roll) => Math.abs(worth(roll))), 0.02);
  const faces = [1, 2, 3, 4, 5, 6];
  const cell = (a, b) => {
    const roll = of.get([Math.max(a, b), Math.min(a, b)].join());
    return cellOf(heat(worth(roll), scale), signed(worth(roll)), words(roll), open && (() => open(roll)));
  };
  return el(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": caption },
    el(
      "table",
      { class: "heat" },
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, el("td", {}), ...faces.map((face) => el("th", { scope: "col" }, String(face))))),
      el(
        "tbody",
        {},
        ...faces.map((a) => el("tr", {}, el("th", { scope: "row" }, String(a)), ...faces.map((b) => cell(a, b)))),
      ),
    ),
  );
}

/** Candidates of a rollout with their standard errors. */
export function rolloutTable(result) {
  return el(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": t("Rollout") },
    el(
      "table",
      { class: "rollout" },
      el("caption", {}, t`${result.trials} of ${result.asked} trials`),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("td", {}),
          el("th", { scope: "col", class: "what" }, t("What")),
          ...[t("Equity"), t("± error"), t("Loss"), t("Wins"), t("Gammons")].map((head) =>
            el("th", { scope: "col" }, head),
          ),
        ),
      ),
      el(
        "tbody",
        {},
        ...result.candidates.map((candidate) =>
          el(
            "tr",
            { class: candidate.rank === 1 ? "ok" : "" },
            el("td", {}, String(candidate.rank)),
            el("th", { scope: "row" }, candidate.name),
            el("td", {}, signed(candidate.equity, 4)),
            el("td", {}, candidate.error === null ? "–" : decimal(candidate.error, 4)),
            el(
              "td",
              {},
              candidate.loss > 0
                ? loss(candidate.loss) + (candidate.loss_error === null ? "" : ` ± ${decimal(candidate.loss_error, 3)}`)
                : "",
            ),
            el("td", {}, `${percent(candidate.probabilities[0])} %`),
            el("td", {}, `${percent(candidate.probabilities[1])} %`),
          ),
        ),
      ),
    ),
  );
}
