// @ts-check
/** A profile: ratings and their course, results, and the games with their records and reviews. */

import { challengeButton, kindWords, me, onSubmit, showTop } from "/static/accounts/accounts.js";
import { offerFollow } from "/static/accounts/friends.js";
import { accountCounts } from "/static/game/dice-counts.js";
import { call, keyOf, save } from "/static/parts/api.js";
import { byId, day, el, fill } from "/static/parts/page.js";
import "/static/parts/preferences.js";
import { decimal, plural, t } from "/static/parts/texts.js";
import { signed, versus } from "/static/parts/words.js";

const name = new URLSearchParams(location.search).get("name") ?? "";
const path = `/users/${encodeURIComponent(name)}`;
const SVG = "http://www.w3.org/2000/svg";
let page = 1;
let query = "";

function fillTable(place, caption, heads, rows) {
  if (!rows.length) {
    place.replaceChildren();
    return;
  }
  place.replaceChildren(
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el(
      "tbody",
      {},
      ...rows.map(([first, ...cells]) =>
        el("tr", {}, el("th", { scope: "row" }, first), ...cells.map((cell) => el("td", {}, String(cell)))),
      ),
    ),
  );
}

/** The course of a rating, match by match. */
function ratingCourse(words, changes) {
  const values = [changes[0].before, ...changes.map((change) => change.after)];
  const low = Math.min(...values) - 10;
  const high = Math.max(...values) + 10;
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 100 100");
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("class", "course");
  picture.setAttribute("role", "img");
  picture.setAttribute(
    "aria-label",
    plural(
      changes.length,
      "{1}: from {2} to {3} in {n} match",
      "{1}: from {2} to {3} in {n} matches",
      words,
      values[0],
      values[values.length - 1],
    ),
  );
  const line = document.createElementNS(SVG, "polyline");
  line.setAttribute(
    "points",
    values
      .map((value, at) => `${(at * 100) / (values.length - 1)},${100 - ((value - low) * 100) / (high - low)}`)
      .join(" "),
  );
  picture.append(line);
  return el(
    "figure",
    {},
    el(
      "figcaption",
      { class: "hint" },
      plural(
        changes.length,
        "{1}: {2} to {3} in {n} match",
        "{1}: {2} to {3} in {n} matches",
        words,
        Math.min(...values),
        Math.max(...values),
      ),
    ),
    picture,
  );
}

function show(profile, titles) {
  document.title = `${profile.name} · Fullprime`;
  byId("title").textContent = profile.bot ? t`${profile.name} (bot)` : profile.name;
  byId("facts").textContent = profile.public
    ? t`Here since ${day(profile.since)}`
    : t`Here since ${day(profile.since)}; only you see this profile`;
  byId("numbers").hidden = false;
  fillTable(
    byId("ratings"),
    t("Ratings (Glicko-2)"),
    [t("Game"), t("Rating"), "±", t("Matches")],
    Object.entries(profile.ratings).map(([kind, rating]) => [
      kindWords(kind, titles),
      `${rating.rating}${rating.provisional ? "?" : ""}`,
      rating.deviation,
      rating.matches,
    ]),
  );
  const kinds = [...new Set(profile.changes.map((change) => change.kind))];
  byId("course").replaceChildren(
    ...kinds.map((kind) =>
      ratingCourse(kindWords(kind, titles), profile.changes.filter((change) => change.kind === kind).reverse()),
    ),
  );
  fillTable(
    byId("tallies"),
    t("Results"),
    [t("Game"), t("Played"), t("Won"), t("Lost"), t("Points")],
    profile.tallies.map((tally) => [
      t(tally.title),
      tally.games,
      tally.won,
      tally.lost,
      tally.points ? signed(tally.points, 0) : "0",
    ]),
  );
  byId("endings").textContent = endingWords(profile.endings);
  byId("dice").replaceChildren(...accountCounts(profile.dice, profile.name));
  byId("play").textContent =
    profile.pr === null
      ? t("PR: – (no game has been reviewed)")
      : plural(
          profile.reviewed,
          "PR {1} over {2} decisions in {n} reviewed game",
          "PR {1} over {2} decisions in {n} reviewed games",
          decimal(profile.pr, 1),
          profile.decisions,
        );
}

const ENDINGS = {
  left: t("left"),
  absence: t("by absence"),
  time: t("on time"),
  aborted: t("aborted"),
  agreed: t("ended by both"),
};

/** How often an account left games before the end, in words. */
function endingWords({ games, left, absent, late, aborted }) {
  if (!games) return "";
  const times = (count) =>
    count === 1 ? t("once") : count === 2 ? t("twice") : plural(count, "{n} time", "{n} times");
  const gone = [
    [left, t("left")],
    [absent, t("lost by absence")],
    [late, t("lost on time")],
    [aborted, t("aborted")],
  ]
    .filter(([count]) => count)
    .map(([count, how]) => `${how} ${times(count)}`);
  return gone.length
    ? plural(games, "{n} game against other people: {1}", "{n} games against other people: {1}", gone.join(", "))
    : plural(
        games,
        "{n} game against other people, none left or aborted",
        "{n} games against other people, none left or aborted",
      );
}

function resultWords(game) {
  if (!game.ended) return el("span", {}, t("under way"));
  const points = game.points.join("–");
  const how = ENDINGS[game.ending] ? ` (${ENDINGS[game.ending]})` : "";
  if (game.winner === null) return el("span", {}, points + how);
  const won = game.winner === game.side;
  return el("span", { class: won ? "won" : "lost" }, `${won ? t("won") : t("lost")} ${points}${how}`);
}

function row(game) {
  const facts = [
    day(game.ended ?? game.begun),
    t(game.title),
    game.length ? plural(game.length, "{n} point", "{n} points") : t("money"),
  ];
  if (game.rated)
    facts.push(game.change ? t`rated: ${String(game.change.before)} → ${String(game.change.after)}` : t("rated"));
  if (!game.public) facts.push(t("private"));
  const record = el(
    "button",
    { type: "button", class: "quiet", "aria-label": t`The record of ${versus(game.names)}, ${facts[0]}` },
    t("Record"),
  );
  record.addEventListener("click", () => {
    byId("problem").textContent = "";
    save(`/games/${game.id}/record?format=${encodeURIComponent(byId("format").value)}`, keyOf(game.id)).catch(
      (error) => {
        byId("problem").textContent = error.message;
      },
    );
  });
  return el(
    "li",
    {},
    el("a", { href: `/game/${game.id}` }, versus(game.names)),
    resultWords(game),
    el("span", { class: "hint" }, facts.join(" · ")),
    ...(game.ended ? [el("a", { href: `/review?game=${game.id}` }, t("Review")), record] : []),
  );
}

async function showGames(more) {
  page = more ? page + 1 : 1;
  const answer = await call(`${path}/games?${query}&page=${page}`);
  if (!byId("format").options.length) fill(byId("format"), Object.entries(answer.formats), "mat");
  byId("found").textContent = plural(answer.found, "{n} game", "{n} games");
  byId("games").replaceChildren(...(more ? byId("games").children : []), ...answer.games.map(row));
  byId("more").hidden = page >= answer.pages;
  byId("search").hidden = !query && !answer.found;
}

onSubmit(byId("search"), byId("problem"), async (form) => {
  query = new URLSearchParams(
    [...form].map(([key, value]) => [key, String(value).trim()]).filter(([, value]) => value),
  ).toString();
  await showGames(false);
});
byId("more").addEventListener("click", () =>
  showGames(true).catch((error) => {
    byId("problem").textContent = error.message;
  }),
);

try {
  const [account, options, profile] = await Promise.all([me(), call("/options"), call(path)]);
  showTop(account);
  fill(
    byId("variant"),
    [["", t("any")], ...Object.entries(options.variants).map(([variant, { title }]) => [variant, t(title)])],
    "",
  );
  show(profile, options.variants);
  if (profile.name !== account.name) {
    byId("ways").replaceChildren(challengeButton(profile.name));
    if (account.name) await offerFollow(byId("ways").appendChild(el("span")), profile.name);
  }
  await showGames(false);
  byId("library").hidden = false;
} catch (error) {
  byId("problem").textContent = /** @type {Error} */ (error).message;
  byId("instead").hidden = false;
}
