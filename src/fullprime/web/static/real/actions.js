// @ts-check
/** The buttons of the table now, and the sentence about it. */

import { counted, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";
import { actor, answers, mayAnnul, mayDouble } from "/static/real/legal-actions.js";
import { sideNames } from "/static/real/view.js";

/** @typedef {import("/static/real/sitting.js").Sitting} Sitting */
/** @typedef {import("/static/real/sitting.js").Table} Table */

/** @param {string} text @param {() => void} onclick @param {string} [kind] */
const button = (text, onclick, kind = "") => el("button", { type: "button", class: kind, onclick }, text);

/**
 * The buttons of a phase, the main one first.
 * @param {Sitting} sitting
 * @param {Table} table
 * @param {Record<string, (value?: any) => void>} deeds
 * @returns {HTMLElement[]}
 */
export function actions(sitting, table, deeds) {
  const { phase, turn, cube } = table;
  const names = sitting.names;
  const mine = turn === null ? "" : names[actor(table, turn)];
  const phone = sitting.dice === "phone";
  const annul = phone
    ? [
        button(t("Cocked: throw both again"), () => deeds.annul("cocked"), "quiet"),
        button(t("Thrown too early"), () => deeds.annul("early"), "quiet"),
      ]
    : [button(t("Cocked"), () => deeds.annul("cocked"), "quiet")];
  const more = [...(mayAnnul(sitting) ? annul : [])];
  const end = ["won", "between", "over"].includes(phase) ? [] : [button(t("The game is over …"), deeds.over, "quiet")];
  switch (phase) {
    case "opening": {
      const first = [0, 1].map((side) =>
        button(t`${names[actor(table, side)]} begins`, () => deeds.event({ k: "first", who: side })),
      );
      return [
        ...(phone ? [button(t("Throw for the opening"), deeds.throw, "primary")] : sitting.record ? [] : first),
        ...boxButtons(sitting, table, deeds),
        ...more,
      ];
    }
    case "before": {
      const played =
        !phone && !sitting.record ? [button(t`${mine} has played`, () => deeds.event({ k: "end" }), "primary")] : [];
      return [
        ...(phone ? [button(t`Throw: ${mine}`, deeds.throw, "primary")] : played),
        ...(mayDouble(table)
          ? [button(t`${mine} doubles to ${2 * cube.value}`, () => deeds.event({ k: "double", who: turn }))]
          : []),
        ...more,
        ...end,
      ];
    }
    case "thrown":
      return [
        ...(sitting.record && table.dice
          ? []
          : [button(t`${mine} has played`, () => deeds.event({ k: "end" }), "primary")]),
        ...more,
        ...end,
      ];
    case "choose":
      return [1, 2, 3, 4, 5, 6].map((number) =>
        button(t`Double ${number}`, () => deeds.event({ k: "choose", n: number })),
      );
    case "offered":
    case "beaver":
    case "raccoon":
      return [
        ...answers(table).map((word) => button(answerWords(word, table), () => deeds.event({ k: word, who: turn }))),
        ...dropAloneButtons(sitting, table, deeds),
      ];
    case "won":
      return [button(t("The game is over …"), deeds.over, "primary")];
    case "between":
      return [button(t("Next game"), deeds.next, "primary")];
    default:
      return [];
  }
}

/** @param {string} word @param {Table} table */
function answerWords(word, { cube, multiplier }) {
  const offered = cube.offered ?? 2;
  return (
    {
      take: t`Take at ${offered}`,
      drop: t`Drop and lose ${cube.value * multiplier}`,
      beaver: t`Beaver: keep it at ${2 * offered}`,
      raccoon: t`Raccoon: ${2 * offered}`,
    }[word] ?? word
  );
}

/**
 * Partners of the captain may drop alone when the box doubles.
 * @param {Sitting} sitting
 * @param {Table} table
 * @param {Record<string, (value?: any) => void>} deeds
 */
function dropAloneButtons(sitting, table, deeds) {
  if (table.phase !== "offered" || table.turn !== 1 || table.sides[1].length < 2) return [];
  return table.sides[1]
    .slice(1)
    .map((player) =>
      button(t`${sitting.names[player]} drops alone`, () => deeds.event({ k: "out", who: player }), "quiet"),
    );
}

/**
 * Buttons that change the player in the box, before the first throw.
 * @param {Sitting} sitting
 * @param {Table} table
 * @param {Record<string, (value?: any) => void>} deeds
 */
function boxButtons(sitting, table, deeds) {
  if (sitting.names.length < 3 || table.played.length) return [];
  return sitting.names
    .map((name, player) =>
      player === table.sides[0][0] ? null : button(t`${name} takes the box`, () => deeds.seats(player), "quiet"),
    )
    .filter((item) => item !== null);
}

/** A throw, the higher die first. @param {number[]} dice */
const inOrder = (dice) => [...dice].sort((a, b) => b - a).join("-");

/** A sentence about the table now. @param {Sitting} sitting @param {Table} table @param {number[]} tapped */
export function statusWords(sitting, table, tapped) {
  const { phase, turn, dice, cube, lines, rules } = table;
  const names = sitting.names;
  const mine = turn === null ? "" : names[actor(table, turn)];
  const last = lines.at(-1);
  const stake = table.multiplier > 1 ? ` ${t`The stake is doubled to ${table.multiplier}.`}` : "";
  const annulled =
    sitting.events.at(-1)?.k === "annul"
      ? `${sitting.events.at(-1)?.why === "early" ? t("Thrown too early: it does not count.") : t("Cocked: it does not count, both dice are thrown again.")} `
      : "";
  switch (phase) {
    case "opening":
      if (dice && !annulled && !tapped.length)
        return dice[0] === dice[1]
          ? t`${dice[0]} and ${dice[1]}: a tie, throw again.` + stake
          : t("A 2-1 does not open: throw again.");
      return `${annulled}${table.crawford ? `${t("The Crawford game: no cube.")} ` : ""}${sitting.names.length > 2 ? t`Game ${table.game}: each throws one die; ${names[table.sides[0][0]]} is in the box.` : t`Game ${table.game}: each throws one die.`}`;
    case "before": {
      const thrown =
        dice && table.thrower !== null && table.thrower !== turn
          ? `${t`${names[actor(table, table.thrower)]} threw ${inOrder(dice)}.`} `
          : "";
      return `${annulled}${thrown}${mayDouble(table) ? t`${mine} doubles or throws.` : t`${mine} throws.`}${stake}`;
    }
    case "thrown":
      return dice
        ? t`${mine} plays ${inOrder(dice)}.` + stake + choiceWords(sitting, table)
        : t`${mine} begins.` + choiceWords(sitting, table);
    case "choose":
      return t`${mine} names a double.`;
    case "offered":
      return t`${mine} is offered the cube at ${cube.offered}.`;
    case "beaver":
      return t`A beaver: ${mine} answers at ${cube.offered}.`;
    case "raccoon":
      return t`A raccoon: ${mine} answers at ${cube.offered}.`;
    case "won":
      return t`${mine} has borne off the last checker.`;
    case "between":
      return last ? t`${sideNames(last.winners, names)} won ${last.points}: ${last.words}.` : "";
    default: {
      const winner = rules.length ? table.score.findIndex((points) => points >= rules.length) : -1;
      const counts = [winner, 1 - winner].map((side) => counted(table.score[side], rules.length));
      return winner >= 0 ? t`${names[winner]} has won the match, ${counts.join("–")}.` : t("The sitting is over.");
    }
  }
}

/**
 * Sources 003: the winner of the opening also chooses colour and side, in Acey Deucey the table to enter on.
 * @param {Sitting} sitting
 * @param {Table} table
 */
function choiceWords(sitting, table) {
  const { played, choice, opened, rules } = table;
  if (
    choice ||
    opened === null ||
    played.filter(({ k }) => k === "throw").length > 1 + table.ties ||
    !(rules.ties === null || rules.checkers)
  )
    return "";
  return ` ${rules.checkers ? t`${sitting.names[actor(table, opened)]} also chooses the table to enter on.` : t`${sitting.names[actor(table, opened)]} also chooses colour and side.`}`;
}
