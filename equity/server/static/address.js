/** Keeps the address of the page and the question the same, so that a link is a spot. */

import { afterPause } from "./dom.js";
import { formatAddress, parseAddress } from "./question.js";

/** Browsers refuse more than a few changes of the address a second. */
const PAUSE = 150;

/** @param {import("./store.js").Store} store */
export function keepAddress(store) {
  const here = () => location.pathname + formatAddress(store.get().question);
  const replace = () => history.replaceState(null, "", here());
  const replaceSoon = afterPause(replace, PAUSE);
  store.subscribe((state, before, { isStep, isOld }) => {
    if (state.question === before.question || isOld) return;
    if (!isStep) return replaceSoon();
    replaceSoon.cancel();
    // What was typed shortly before belongs to the entry that is left.
    history.replaceState(null, "", location.pathname + formatAddress(before.question));
    history.pushState(null, "", here());
  });
  addEventListener("popstate", () => store.ask(parseAddress(location.search), { isOld: true }));
}
