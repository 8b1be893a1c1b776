/** Shortcuts: keys that are typed where no text is expected. */

import { RANKS, SUITS, readCards } from "./cards.js";
import { playCard } from "./deck.js";
import { byId, takesText } from "./dom.js";
import { dealBoard, nextField, textOf, withText } from "./fields.js";
import { addPlayer } from "./players.js";
import { emptyQuestion } from "./question.js";

/** What keys do that are no cards. */
const SHORTCUTS = {
  "?": () => byId("help").showModal(),
  p: (store) => focusField(store.get().question.players.findIndex((text) => !text.trim())),
  b: () => byId("text-board").focus(),
  g: () => byId("game").focus(),
  v: () => document.querySelector("[role=tab][tabindex='0']").focus(),
  r: dealNext,
  "+": addPlayer,
  l: () => document.querySelector("[aria-label='Copy link']").click(),
  m: () => byId("theme").click(),
  e: clearAll,
  Backspace: takeBack,
};

/** @param {number} at  the first player without a hand, or -1 */
const focusField = (at) => byId(`text-p${Math.max(at, 0)}`).focus();

/** Deal the street that comes next, or the flop after the river. */
function dealNext(store) {
  const { question } = store.get();
  const count = readCards(question.board)?.length ?? 0;
  store.ask(dealBoard(question, { 3: 4, 4: 5 }[count] ?? 3), { isStep: true });
}

/** Take the last card of the active field back. */
function takeBack(store) {
  const { question, active } = store.get();
  const cards = readCards(textOf(question, active)) ?? [];
  if (cards.length) store.ask(withText(question, active, cards.slice(0, -1).join("")));
}

/** Begin anew, in the same game. */
export function clearAll(store) {
  const { game, view } = store.get().question;
  store.ask({ ...emptyQuestion(), game, view }, { isStep: true });
  store.set({ active: "p0" });
}

/** What a range may begin with, besides a rank. */
const RANGE_STARTS = "@*([$1";
/** What may follow a rank in a range, besides a suit; other letters are shortcuts. */
const RANGE_GOES_ON = /^[akqjt\dwxyz:*%+\-[@!$,]$/;

/** Type on in the field that cards go to. */
function typeOn(store, text) {
  const { question, active } = store.get();
  const id = nextField(question, active) ?? active;
  const input = byId(`text-${id}`);
  store.ask(withText(question, id, input.value + text), { isTyped: true });
  input.focus();
}

/**
 * What typed keys mean: a rank and a suit play a card, a rank and anything else begin a range.
 *
 * @param {import("./store.js").Store} store
 */
function typist(store) {
  let rank = "";
  return (/** @type {string} */ key) => {
    // Shift is held for capitals; it says nothing by itself.
    if (key === "Shift") return false;
    const before = rank;
    rank = "";
    if (before && SUITS.includes(key)) playCard(store, before + key);
    else if (before && RANGE_GOES_ON.test(key)) typeOn(store, before + key.toUpperCase());
    else if (RANKS.includes(key.toUpperCase()) && key.length === 1) rank = key.toUpperCase();
    else if (RANGE_STARTS.includes(key)) typeOn(store, key);
    else if (SHORTCUTS[key]) SHORTCUTS[key](store);
    else return false;
    return true;
  };
}

/** @param {import("./store.js").Store} store */
export function listenToKeys(store) {
  const type = typist(store);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && takesText(event.target)) return event.target.blur();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      return document.querySelector(".options button.main")?.click();
    }
    if (!isPlain || takesText(event.target) || byId("help").open) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (type(key)) event.preventDefault();
  });
}
