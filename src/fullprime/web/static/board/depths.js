// @ts-check
/** Words for how far the engine looked. */

/** @param {number} depth plies @returns {string} */
export const depthWords = (depth) => (depth === 0 ? "static" : `${depth}-ply`);

/** The sentence below a list of plays that has losses between two depths. */
export const ROUGH = "≈ compares two depths: the best play was looked at further than this one.";
