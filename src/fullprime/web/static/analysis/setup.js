// @ts-check
/** A setup in the address of a page, and out of it. */

/** @param {any} setup */
export function toAddress(setup) {
  const fields = new URLSearchParams();
  if (setup.variant !== "backgammon") fields.set("variant", setup.variant);
  if (setup.position) fields.set("position", setup.position);
  if (setup.on_roll !== "X") fields.set("on_roll", setup.on_roll);
  if (setup.dice) fields.set("dice", setup.dice.join(""));
  for (const [name, value] of Object.entries(setup.rules)) fields.set(`rule.${name}`, value);
  if (setup.score.some(Boolean)) fields.set("score", setup.score.join("-"));
  if (setup.crawford) fields.set("crawford", "yes");
  else if (setup.crawford === false && Math.max(...setup.score) === Number(setup.rules.length) - 1)
    fields.set("crawford", "no");
  if (setup.cube !== 1) fields.set("cube", setup.cube);
  if (setup.owner) fields.set("owner", setup.owner);
  for (const name of ["offered", "choose"]) if (setup[name]) fields.set(name, "yes");
  if (setup.follow_ups?.length) fields.set("follow_ups", setup.follow_ups.join("+"));
  if (setup.multiplier !== 1) fields.set("multiplier", setup.multiplier);
  return fields.toString();
}

/**
 * The address of a board at which X is on roll, as lessons and puzzles tell it.
 * @param {any} board
 */
export const boardAddress = ({ variant, position, score, length, crawford, cube, dice }) =>
  toAddress({
    variant,
    rules: { length: String(length) },
    position,
    on_roll: "X",
    score,
    crawford: length ? crawford : null,
    cube: cube.value,
    owner: cube.owner,
    offered: false,
    dice,
    choose: false,
    follow_ups: null,
    multiplier: 1,
  });

/** @param {string} search @returns {{id: string | null, setup: any}} */
export function fromAddress(search) {
  const fields = new URLSearchParams(search);
  const setup = /** @type {any} */ ({});
  /** @param {string} name @param {(text: string) => unknown} [read] */
  const copy = (name, read = (text) => text) => {
    const text = fields.get(name);
    if (text) setup[name] = read(text);
  };
  for (const name of ["variant", "position", "on_roll", "owner"]) copy(name);
  for (const name of ["cube", "multiplier"]) copy(name, Number);
  for (const name of ["offered", "choose", "crawford"]) copy(name, (text) => text === "yes");
  copy("dice", (text) => [...text].map(Number));
  copy("score", (text) => text.split("-").map(Number));
  copy("follow_ups", (text) => text.split("+"));
  const rules = [...fields].filter(([name]) => name.startsWith("rule.")).map(([name, value]) => [name.slice(5), value]);
  if (rules.length) setup.rules = Object.fromEntries(rules);
  return { id: fields.get("id"), setup };
}
