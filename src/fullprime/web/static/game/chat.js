// @ts-check
/** Talk between two players: canned phrases, a line of one's own, and muting. */

import { isGuest } from "/static/game/words.js";
import { call, Refusal } from "/static/parts/api.js";
import { byId, el } from "/static/parts/page.js";
import { t } from "/static/parts/texts.js";

const MUTED = "fullprime.muted";
/** @typedef {import("/static/parts/state").GameState} GameState */

/** @returns {Record<string, boolean>} */
function mutedGames() {
  try {
    return JSON.parse(localStorage.getItem(MUTED) ?? "{}");
  } catch {
    return {};
  }
}

export class Chat {
  /** @param {string} id @param {() => string | null} key @param {(problem: string) => void} problem */
  constructor(id, key, problem) {
    this.id = id;
    this.key = key;
    this.problem = problem;
    this.shownNumbers = new Set();
    this.open = false;
    /** @type {GameState | null} */
    this.state = null;
  }

  get isMuted() {
    return Boolean(mutedGames()[this.id]);
  }

  /** Shown to the two people of a game, once there are two. @param {GameState} state */
  async show(state) {
    this.state = state;
    const wanted = state.opponent === "friend" && state.you !== null && !state.free_seat;
    byId("talk").hidden = !wanted;
    if (!wanted || this.open) return;
    this.open = true;
    byId("open-drawer").textContent = t("Moves and talk");
    this.mark();
    byId("say").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const input = /** @type {HTMLInputElement} */ (byId("words"));
      if (input.value.trim())
        this.send({ text: input.value.trim() }).then((well) => {
          if (well) input.value = "";
        });
    });
    byId("phrase").addEventListener("change", () => {
      const select = /** @type {HTMLSelectElement} */ (byId("phrase"));
      if (select.value) this.send({ phrase: select.value });
      select.value = "";
    });
    byId("mute").addEventListener("click", () => {
      const all = mutedGames();
      if (all[this.id]) delete all[this.id];
      else all[this.id] = true;
      localStorage.setItem(MUTED, JSON.stringify(all));
      this.mark();
    });
    byId("report").addEventListener("click", async () =>
      (await import("/static/game/report.js")).report(this.id, this.key(), this.problem),
    );
    await this.load();
  }

  /** Fetch all the talk, as after a lost connection. */
  async load() {
    if (!this.open) return;
    try {
      /** @type {import("/static/parts/state").TalkLog} */
      const { said, phrases } = await call(`/games/${this.id}/chat`, undefined, this.key());
      byId("phrase").replaceChildren(
        el("option", { value: "" }, t("Say …")),
        ...Object.entries(phrases).map(([name, text]) => el("option", { value: name }, text)),
      );
      for (const line of said) this.showLine(line);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  mark() {
    byId("mute").textContent = this.isMuted ? t("Unmute") : t("Mute");
    byId("talk").classList.toggle("muted", this.isMuted);
    byId("muted-note").hidden = !this.isMuted;
  }

  /**
   * Show a line of talk; true if it is news to be heard.
   * @param {import("/static/parts/state").ChatLine} line
   */
  showLine({ number, side, said }) {
    if (!this.open || this.shownNumbers.has(number)) return false;
    this.shownNumbers.add(number);
    const mine = side === this.state.you;
    const name = el("strong", { "data-plain": true });
    const called = this.state.names[side === "X" ? 0 : 1];
    name.textContent = `${isGuest(this.state, side) ? t`${called} (guest)` : called}: `;
    const words = el("span");
    words.textContent = said;
    const box = byId("said");
    box.append(el("p", { class: mine ? "mine" : "theirs" }, name, words));
    while (box.children.length > 200) box.firstElementChild?.remove();
    box.scrollTop = box.scrollHeight;
    return !mine && !this.isMuted;
  }

  /** @param {{text?: string, phrase?: string}} body */
  async send(body) {
    try {
      await call(`/games/${this.id}/chat`, body, this.key());
      this.problem("");
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.problem(error.message);
      return false;
    }
  }
}
