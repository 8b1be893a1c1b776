/** Keeps the address of the page and the question the same, so that a link is a spot. */

import { afterPause } from "./dom.js";
import { formatAddress, givenPlayers, parseAddress } from "./question.js";

/** Browsers refuse more than a few changes of the address a second. */
const PAUSE = 150;

/** What the spot is called in tabs, bookmarks and the history. */
function titleOf(question) {
  const { texts } = givenPlayers(question);
  if (!texts.length) return "equity";
  const board = question.board.trim();
  return `${texts.join(" v ")}${board ? ` on ${board}` : ""} - equity`;
}

/** @param {import("./store.js").Store} store */
export function keepAddress(store) {
  document.title = titleOf(store.get().question);
  const here = () => location.pathname + formatAddress(store.get().question);
  const replace = () => history.replaceState(null, "", here());
  const replaceSoon = afterPause(replace, PAUSE);
  store.subscribe((state, before, { isStep, isOld }) => {
    if (state.question === before.question) return;
    document.title = titleOf(state.question);
    if (isOld) return;
    if (!isStep) return replaceSoon();
    replaceSoon.cancel();
    // What was typed shortly before belongs to the entry that is left.
    history.replaceState(null, "", location.pathname + formatAddress(before.question));
    history.pushState(null, "", here());
  });
  addEventListener("popstate", () => store.ask(parseAddress(location.search), { isOld: true }));
}
