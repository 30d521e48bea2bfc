// @ts-check
/** A position that is pasted on a page: it goes to the page's own reader, else to the analysis board. */

/** The most that an identifier has. */
const MOST = 600;

/** The page's own handler of pastes. @type {((text: string) => void) | null} */
let own = null;

/** Have pastes read by this page. @param {(text: string) => void} read */
export function takePastes(read) {
  own = read;
}

document.addEventListener("paste", (event) => {
  const at = event.target;
  const text = event.clipboardData?.getData("text").trim() ?? "";
  if (
    !text ||
    text.length > MOST ||
    (at instanceof Element && at.closest("input, textarea, select, [contenteditable], dialog"))
  )
    return;
  event.preventDefault();
  if (own) own(text);
  else import("/static/board/pasted.js").then(({ offerPasted: offer }) => offer(text));
});
