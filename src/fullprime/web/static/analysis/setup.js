// @ts-check
/** A setup in the address of a page, and out of it. */

/** @param {any} setup */
export function toAddress(setup) {
  const found = new URLSearchParams();
  if (setup.variant !== "backgammon") found.set("variant", setup.variant);
  if (setup.position) found.set("position", setup.position);
  if (setup.on_roll !== "X") found.set("on_roll", setup.on_roll);
  if (setup.dice) found.set("dice", setup.dice.join(""));
  for (const [name, value] of Object.entries(setup.rules)) found.set(`rule.${name}`, value);
  if (setup.score.some(Boolean)) found.set("score", setup.score.join("-"));
  if (setup.crawford) found.set("crawford", "yes");
  else if (setup.crawford === false && Math.max(...setup.score) === Number(setup.rules.length) - 1) found.set("crawford", "no");
  if (setup.cube !== 1) found.set("cube", setup.cube);
  if (setup.owner) found.set("owner", setup.owner);
  for (const name of ["offered", "choose"]) if (setup[name]) found.set(name, "yes");
  if (setup.follow_ups?.length) found.set("follow_ups", setup.follow_ups.join("+"));
  if (setup.multiplier !== 1) found.set("multiplier", setup.multiplier);
  return found.toString();
}

/** @param {string} search @returns {{id: string | null, setup: any}} */
export function fromAddress(search) {
  const asked = new URLSearchParams(search);
  const setup = /** @type {any} */ ({});
  const copy = (name, read = (text) => text) => { const text = asked.get(name); if (text) setup[name] = read(text); };
  for (const name of ["variant", "position", "on_roll", "owner"]) copy(name);
  for (const name of ["cube", "multiplier"]) copy(name, Number);
  for (const name of ["offered", "choose", "crawford"]) copy(name, (text) => text === "yes");
  copy("dice", (text) => [...text].map(Number));
  copy("score", (text) => text.split("-").map(Number));
  copy("follow_ups", (text) => text.split("+"));
  const rules = [...asked].filter(([name]) => name.startsWith("rule.")).map(([name, value]) => [name.slice(5), value]);
  if (rules.length) setup.rules = Object.fromEntries(rules);
  return { id: asked.get("id"), setup };
}
