"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (query) => [...document.querySelectorAll(query)];
  const links = all("nav li a"), articles = all("article.decision"), marker = document.getElementById("here");
  const byId = new Map(articles.map((article) => [article.id, article]));
  const filters = all(".filters select"), said = document.getElementById("said");
  const wanted = (article) => filters.every((filter) => {
    const value = filter.value, has = article.dataset[filter.name];
    return value === "all" || has === value || (value === "mistakes" && article.classList.contains("mistake"));
  });
  let current = null;

  function show(article, { focus = false } = {}) {
    if (!article) return;
    current = article;
    for (const each of articles) each.classList.toggle("now", each === article);
    for (const link of links) {
      const here = link.hash.slice(1) === article.id;
      link.setAttribute("aria-current", String(here));
      if (here) {
        // Only the list scrolls, never the page.
        const list = link.closest("ol"), line = link.parentElement;
        const above = line.offsetTop - list.offsetTop, below = above + line.offsetHeight - list.clientHeight;
        list.scrollTop = Math.min(above, Math.max(below, list.scrollTop));
      }
    }
    if (marker) { marker.setAttribute("x1", article.dataset.x); marker.setAttribute("x2", article.dataset.x); }
    if (focus) {
      history.replaceState(null, "", "#" + article.id);
      article.focus({ preventScroll: true });
    }
  }
  function visible() { return articles.filter(wanted); }
  function filter() {
    const shown = visible();
    for (const article of articles) article.classList.toggle("out", !wanted(article));
    for (const link of links) link.parentElement.hidden = byId.get(link.hash.slice(1)).classList.contains("out");
    said.textContent = `${shown.length} of ${articles.length} decisions`;
    if (!current || !wanted(current)) show(shown[0]);
  }
  function step(by, mistakesOnly) {
    const shown = visible();
    const place = articles.indexOf(current);
    const rest = by > 0 ? articles.slice(place + 1) : articles.slice(0, Math.max(place, 0)).reverse();
    show(rest.find((each) => shown.includes(each) && (!mistakesOnly || each.classList.contains("mistake"))), { focus: true });
  }
  const keys = { ArrowRight: [1, false], j: [1, false], ArrowLeft: [-1, false], k: [-1, false], n: [1, true], p: [-1, true] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, textarea")) return;
    const known = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!known) return;
    event.preventDefault();
    step(known[0], known[1] || (event.shiftKey && event.key.startsWith("Arrow")));
  });
  for (const button of all("button[data-step]")) {
    button.addEventListener("click", () => step(Number(button.dataset.step), "mistakes" in button.dataset));
  }
  for (const select of filters) select.addEventListener("change", filter);
  window.addEventListener("hashchange", () => show(byId.get(location.hash.slice(1)), { focus: true }));
  const asked = byId.get(location.hash.slice(1));
  filter();
  show(asked || articles.find((each) => each.classList.contains("mistake")) || articles[0]);
})();
