// @ts-check
/**
 * A text that scrolls in a box of its own says that there is more of it: the box has the class `more` until its end.
 */

/** Letters cut by a pixel or two are no more text. */
const HARDLY = 8;

/** @param {HTMLElement} box */
export function markRest(box) {
  const look = () => {
    box.classList.toggle("more", box.scrollHeight - box.scrollTop - box.clientHeight > HARDLY);
  };
  box.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(box);
  new MutationObserver(look).observe(box, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["hidden"],
  });
  look();
}
