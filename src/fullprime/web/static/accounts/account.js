// @ts-check
/** One's account: signing in and out, the password, the games of this browser, tokens. */

import { me, onSubmit, showTop } from "/static/accounts/accounts.js";
import { call, ownGames } from "/static/parts/api.js";
import { copy } from "/static/parts/clipboard.js";
import { ask } from "/static/parts/dialogs.js";
import { pushButton } from "/static/parts/push.js";
import "/static/parts/preferences.js";
import { byId, day, el } from "/static/parts/page.js";
import { plural, t } from "/static/parts/texts.js";

const CLAIMED = "fullprime.claimed";
let account = await me();

const claimedGames = () => {
  try {
    return new Set(JSON.parse(localStorage.getItem(CLAIMED) ?? "[]"));
  } catch {
    return new Set();
  }
};

/** Games whose keys are here and that no account has taken over yet, as far as this browser knows. */
const unclaimedGames = () => Object.entries(ownGames()).filter(([id]) => !claimedGames().has(id));

async function keepGames() {
  const done = claimedGames();
  let count = 0;
  for (const [game, { key }] of unclaimedGames()) {
    try {
      await call("/account/claim", { game, key });
      count += 1;
    } catch (error) {
      if (/** @type {any} */ (error).status === 0) throw error;
    }
    done.add(game);
  }
  localStorage.setItem(CLAIMED, JSON.stringify([...done]));
  await show();
  byId("own-problem").textContent = "";
  byId("claim").hidden = false;
  byId("claim-games").hidden = true;
  byId("claim-hint").textContent = plural(
    count,
    "{n} game is now in your account. Begun as a guest, it does not count in your results.",
    "{n} games are now in your account. Begun as a guest, they do not count in your results.",
  );
}

let request = 0;

/** The newest answer counts; a box that was ticked while it was on its way stays ticked. */
async function showTokens() {
  const mine = ++request;
  const { tokens, known_scopes: scopes } = await call("/account/tokens");
  if (mine !== request) return;
  byId("tokens").replaceChildren(
    ...tokens.map((token) => {
      const revoke = el("button", { type: "button", "aria-label": t`Revoke the token ${token.name}` }, t("Revoke"));
      revoke.addEventListener("click", async () => {
        byId("made").replaceChildren();
        const refusal = await call(`/account/tokens/${token.id}/revoke`, {}).catch((error) => error);
        byId("token-problem").textContent = refusal?.message ?? "";
        await showTokens();
        byId("tokens-title").focus();
      });
      const used = token.used ? t`used on ${day(token.used)}` : t("not used yet");
      return el(
        "li",
        {},
        el("strong", {}, token.name),
        el("span", { class: "hint" }, `${token.scopes.join(", ")}; ${used}`),
        revoke,
      );
    }),
  );
  const offered = Object.entries(scopes).filter(([scope]) => account.bot || scope !== "bot:play");
  const boxes = new Map(
    [...byId("scopes").querySelectorAll("label")].map((label) => [label.querySelector("input")?.value, label]),
  );
  byId("scopes").replaceChildren(
    el("legend", {}, t("What it may do")),
    ...offered.map(
      ([scope, meaning]) =>
        boxes.get(scope) ??
        el("label", {}, el("input", { type: "checkbox", name: "scope", value: scope }), `${scope}: ${t(meaning)}`),
    ),
  );
}

async function show() {
  showTop(account);
  byId("guest").hidden = Boolean(account.name);
  byId("own").hidden = !account.name;
  byId("made").replaceChildren();
  byId("end-problem").textContent = "";
  if (!account.name) {
    byId("name").focus();
    return;
  }
  byId("own-title").textContent = account.bot ? t`${account.name} (bot)` : account.name;
  byId("own-profile").href = `/profile?name=${encodeURIComponent(account.name)}`;
  byId("username").value = account.name;
  byId("public").checked = account.public;
  byId("bot-line").hidden = account.bot;
  if (!account.bot) pushButton(byId("push"), {}, t("Tell me of my turns and challenges"));
  const games = unclaimedGames().length;
  byId("claim").hidden = !games;
  byId("claim-games").hidden = false;
  byId("claim-hint").textContent = plural(
    games,
    "{n} game that was begun or joined here",
    "{n} games that were begun or joined here",
  );
  await showTokens();
}

/** Do something at a click; a refusal is shown beside the button. */
function onClick(id, action, place = byId("own-problem")) {
  byId(id).addEventListener("click", async () => {
    place.textContent = "";
    try {
      await action();
    } catch (error) {
      place.textContent = /** @type {Error} */ (error).message;
    }
  });
}

async function signOut(everywhere, tokens = false) {
  await call("/account/sign-out", { everywhere, tokens });
  account = await me(true);
  await show();
}

onSubmit(byId("enter"), byId("enter-problem"), async (form, button) => {
  const way = button?.value === "sign-up" ? "sign-up" : "sign-in";
  await call(`/account/${way}`, { name: String(form.get("name")).trim(), password: form.get("password") });
  byId("enter").reset();
  account = await me(true);
  await show();
  byId("own-title").focus();
});
onSubmit(byId("change"), byId("change-problem"), async (form) => {
  const tokens = form.has("tokens");
  await call("/account/password", { old: form.get("old"), new: form.get("new"), tokens });
  byId("change").reset();
  byId("username").value = account.name;
  byId("change-problem").textContent = "";
  await showTokens();
  await ask(
    t("The password is changed"),
    [
      tokens
        ? t("All other browsers are signed out, and all tokens are revoked.")
        : t("All other browsers are signed out."),
    ],
    [["", t("Good"), "primary"]],
  );
});
onSubmit(byId("token"), byId("token-problem"), async (form) => {
  const created = await call("/account/tokens", { name: form.get("name"), scopes: form.getAll("scope") });
  byId("token").reset();
  await showTokens();
  const status = el("span", { class: "hint" });
  const button = el("button", { type: "button" }, t("Copy"));
  button.addEventListener("click", async () => {
    status.textContent = await copy(created.token).catch((error) => error.message);
  });
  byId("made").replaceChildren(
    ...[t("The token, shown only now:"), " ", el("code", { class: "token" }, created.token), " ", button, " ", status],
  );
  button.focus();
});
onClick("leave", () => signOut(false));
onClick("everywhere", async () => {
  const revoke = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", checked: "" }));
  const sure = await ask(
    t("Sign out everywhere?"),
    [
      t("Every browser is signed out, this one too. Programs go on with their tokens unless you revoke them too."),
      el("p", { class: "check" }, el("label", {}, revoke, t("Revoke all tokens for programs"))),
    ],
    [
      ["", t("No")],
      ["yes", t("Sign out everywhere"), "primary"],
    ],
  );
  if (sure) await signOut(true, revoke.checked);
});
onClick("claim-games", keepGames);
onClick(
  "bot",
  async () => {
    const sure = await ask(
      t("The account of a program?"),
      [t("It is shown as a bot from now on, for good.")],
      [
        ["", t("No")],
        ["yes", t("Yes"), "primary"],
      ],
    );
    if (!sure) return;
    await call("/account/bot", {});
    account = await me(true);
    await show();
  },
  byId("end-problem"),
);
onClick(
  "remove",
  async () => {
    const input = /** @type {HTMLInputElement} */ (
      el("input", { id: "last", type: "password", maxlength: 200, autocomplete: "current-password" })
    );
    const sure = await ask(
      t("Remove the account?"),
      [el("p", { class: "field" }, el("label", { for: "last" }, t("Your password")), input)],
      [
        ["", t("No")],
        ["yes", t("Remove it"), "danger"],
      ],
    );
    if (!sure) return;
    await call("/account/remove", { password: input.value });
    account = await me(true);
    await show();
  },
  byId("end-problem"),
);
byId("public").addEventListener("change", () =>
  call("/account/profile", { public: byId("public").checked }).catch((error) => {
    byId("own-problem").textContent = error.message;
  }),
);

await show();
