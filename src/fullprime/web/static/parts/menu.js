// @ts-check
/** The menu of a narrow page with a board: besides the places, the links that its header has no room for. */

const menu = document.getElementById("places");

/** The links of the header that the page has no room for, each address once. */
function hiddenLinks() {
  const addresses = new Set(
    [...(menu?.querySelectorAll("a:not(.also)") ?? [])].map((link) => link.getAttribute("href")),
  );
  return [...document.querySelectorAll("header.top .crumbs a, header.top a.button")].filter((link) => {
    const address = link.getAttribute("href");
    if (!(link instanceof HTMLElement) || link.hidden || link.checkVisibility() || addresses.has(address)) return false;
    addresses.add(address);
    return true;
  });
}

menu?.addEventListener("beforetoggle", (event) => {
  for (const link of menu.querySelectorAll(".also")) link.remove();
  if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
  for (const entry of hiddenLinks()) {
    const link = document.createElement("a");
    link.className = "also";
    link.href = entry.getAttribute("href") ?? "";
    link.textContent = entry.textContent;
    menu.append(link);
  }
});
