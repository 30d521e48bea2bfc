// @ts-check
/** The menu of a narrow page with a board: besides the places, the links that its header has no room for. */

const menu = document.getElementById("places");

/** The links of the header that are not shown, each address once. */
function left() {
  const known = new Set([...(menu?.querySelectorAll("a:not(.also)") ?? [])].map((each) => each.getAttribute("href")));
  return [...document.querySelectorAll("header.top .crumbs a, header.top a.button")].filter((each) => {
    const address = each.getAttribute("href");
    if (!(each instanceof HTMLElement) || each.hidden || each.checkVisibility() || known.has(address)) return false;
    known.add(address);
    return true;
  });
}

menu?.addEventListener("beforetoggle", (event) => {
  for (const each of menu.querySelectorAll(".also")) each.remove();
  if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
  for (const each of left()) {
    const link = document.createElement("a");
    link.className = "also";
    link.href = each.getAttribute("href") ?? "";
    link.textContent = each.textContent;
    menu.append(link);
  }
});
