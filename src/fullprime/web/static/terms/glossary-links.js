// @ts-check
/**
 * Work that waits until everything else stands: terms of the glossary are marked, which is in English as its words are,
 * and a position may be pasted.
 */

const begin = () => {
  if (document.documentElement.lang === "en") import("/static/terms/marking.js").catch(() => {});
  import("/static/board/paste.js").catch(() => {});
};
const whenIdle = () => {
  if ("requestIdleCallback" in window) requestIdleCallback(begin, { timeout: 2000 });
  else setTimeout(begin, 200);
};

if (document.readyState === "complete") whenIdle();
else addEventListener("load", whenIdle);
