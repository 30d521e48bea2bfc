(() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const links = all(".work nav li a");
  const marker = document.getElementById("here");
  const detail = document.getElementById("detail");
  const filters = all(".filters select");
  const said = document.getElementById("said");
  const name = (link) => link.hash.slice(1);
  const order = new Map(links.map((link, index) => [name(link), index]));
  const isMistake = (link) => ["doubtful", "error", "blunder"].includes(link.parentElement.dataset.verdict);
  const wanted = (link) =>
    filters.every((filter) => {
      const { value } = filter;
      return (
        value === "all" ||
        link.parentElement.dataset[filter.name] === value ||
        (value === "mistakes" && isMistake(link))
      );
    });
  let current = null;
  let coming = null;

  /** The decisions that were right, where a server has them beside the page. */
  function fetchRest() {
    coming ??= !detail.dataset.rest
      ? Promise.resolve()
      : fetch(detail.dataset.rest)
          .then(async (answer) => {
            if (!answer.ok) throw new Error(answer.statusText);
            const came = new DOMParser().parseFromString(await answer.text(), "text/html");
            const standing = [...detail.children];
            for (const shape of came.querySelectorAll(".shared [id]")) {
              if (!document.getElementById(shape.id)) document.querySelector(".shared defs").append(shape);
            }
            const both = [...standing, ...came.querySelectorAll("article")];
            detail.append(...both.sort((a, b) => order.get(a.id) - order.get(b.id)));
            filter();
            document.dispatchEvent(new Event("decisions"));
          })
          .catch((error) => {
            coming = null;
            throw error;
          });
    return coming;
  }
  async function show(link, { focus = false } = {}) {
    if (!link) return;
    current = link;
    for (const each of links) each.setAttribute("aria-current", String(each === link));
    // Only the list scrolls, never the page.
    const list = link.closest("ol");
    const line = link.parentElement;
    const above = line.offsetTop - list.offsetTop;
    const below = above + line.offsetHeight - list.clientHeight;
    list.scrollTop = Math.min(above, Math.max(below, list.scrollTop));
    if (!document.getElementById(name(link))) {
      try {
        await fetchRest();
      } catch {
        said.textContent = said.dataset.textAway;
        return;
      }
      if (current !== link) return;
    }
    const article = document.getElementById(name(link));
    for (const each of detail.children) each.classList.toggle("now", each === article);
    if (marker) {
      marker.setAttribute("x1", article.dataset.x);
      marker.setAttribute("x2", article.dataset.x);
    }
    if (focus) {
      history.replaceState(null, "", link.hash);
      article.focus({ preventScroll: true });
      // Where the list does not stand beside it, or the page was scrolled on, its head comes into view.
      const { top } = article.getBoundingClientRect();
      if (top < 0 || top > innerHeight * 0.6) article.scrollIntoView({ block: "start" });
    }
  }
  function filter() {
    const shown = links.filter(wanted);
    for (const link of links) {
      const out = !shown.includes(link);
      link.parentElement.hidden = out;
      document.getElementById(name(link))?.classList.toggle("out", out);
    }
    said.textContent = said.dataset.text.replace("{1}", shown.length).replace("{2}", links.length);
    if (current && !shown.includes(current)) show(shown[0]);
  }
  function step(by, mistakesOnly) {
    const place = links.indexOf(current);
    const rest = by > 0 ? links.slice(place + 1) : links.slice(0, Math.max(place, 0)).reverse();
    show(
      rest.find((link) => wanted(link) && (!mistakesOnly || isMistake(link))),
      { focus: true },
    );
  }
  const keys = {
    ArrowRight: [1, false],
    j: [1, false],
    ArrowLeft: [-1, false],
    k: [-1, false],
    n: [1, true],
    p: [-1, true],
  };
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
  // A link to the decision that the address already names changes no address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#d"]');
    const found = link && links[order.get((link.getAttribute("href") ?? "").slice(1))];
    if (!found || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(found, { focus: true });
  });
  for (const select of filters) select.addEventListener("change", filter);
  window.addEventListener("hashchange", () => show(links[order.get(location.hash.slice(1))], { focus: true }));
  const asked = links[order.get(location.hash.slice(1))];
  const standing = document.querySelector("article.now");
  filter();
  show(asked ?? links[order.get(standing?.id)] ?? links[0], { focus: Boolean(asked) });
  /** Fetch them when there is time; a server that is busy is asked again, a few times. */
  function fetchLater(tries) {
    const fetchNow = () =>
      fetchRest().catch(() => {
        if (tries > 1) setTimeout(fetchLater, 5000, tries - 1);
      });
    if (window.requestIdleCallback) requestIdleCallback(fetchNow, { timeout: 2000 });
    else setTimeout(fetchNow);
  }
  if (detail.dataset.rest) fetchLater(4);
})();
