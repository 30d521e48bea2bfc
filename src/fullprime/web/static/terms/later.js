// @ts-check
/** Terms of the glossary are marked once everything else stands. The glossary is in English, and so are its words. */

const begin = () => { import("/static/terms/marking.js").catch(() => {}); };
const rest = () => {
  if ("requestIdleCallback" in window) requestIdleCallback(begin, { timeout: 2000 });
  else setTimeout(begin, 200);
};

if (document.documentElement.lang === "en") {
  if (document.readyState === "complete") rest();
  else addEventListener("load", rest);
}
