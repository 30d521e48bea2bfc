/* How the search of the site orders what it has found. Sphinx loads this after its own search (html_search_scorer).

   First come the entry of the glossary and the pages on the word (search_words.py), then names of Python, then pages
   that contain it; pages on how Fullprime is made, which contain most words, come last. */

{
  const MADE = /^(adr|training-log)\/|^(architecture|changelog|contributing|engine-core|engine-vectors|modules)$/;

  let asked = "";
  const perform = Search._performSearch;
  Search._performSearch = (query, ...words) => {
    asked = query.trim().toLowerCase();
    return perform(query, ...words);
  };

  var Scorer = {
    objNameMatch: 11,
    objPartialMatch: 3,
    objPrio: { 0: 0, 1: 0, 2: 0 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
    score: (result) => {
      const [page, title, , , score, , kind] = result;
      const made = MADE.test(page) ? 30 : 0;
      // The page itself, so that it is not shown a second time for its text.
      if (kind === "index" && page !== "glossary") result[2] = "";
      if (kind === "title" && title.split(" > ").at(-1).toLowerCase() === asked) return 110 - made;
      // A name that the front door exports comes before the members of its values.
      if (kind === "object" && score >= Scorer.objNameMatch) return title.split(".").length === 2 ? 90 : score;
      // The glossary as a whole contains every word; its entries have been found by their titles.
      if (kind === "text" && page === "glossary") return -50;
      return score - made;
    },
  };

  // The name of the package is part of every name in it: a word such as "prime" would find all of them.
  const search = Search.performObjectSearch;
  Search.performObjectSearch = (word, words) =>
    search(word, words).filter(([, name]) => name.replace(/^fullprime\./, "").toLowerCase().includes(word));
}
