/** Shortcuts: keys that are typed where no text is expected. */

import { RANKS, SUITS, readCards } from "./cards.js";
import { playCard } from "./deck.js";
import { byId, takesText } from "./dom.js";
import { dealBoard, textOf, withText } from "./fields.js";
import { addPlayer } from "./players.js";
import { emptyQuestion } from "./question.js";

/** What keys do; a rank and a suit, one after the other, play a card. */
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

/** @param {import("./store.js").Store} store */
export function listenToKeys(store) {
  let rank = "";
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && takesText(event.target)) return event.target.blur();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Enter" && !event.altKey && (event.ctrlKey || event.metaKey)) {
      return document.querySelector(".options button.main")?.click();
    }
    if (!isPlain || takesText(event.target) || byId("help").open) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (rank && SUITS.includes(key)) {
      playCard(store, rank + key);
      rank = "";
    } else if (RANKS.includes(key.toUpperCase()) && key.length === 1) {
      rank = key.toUpperCase();
    } else if (SHORTCUTS[key]) {
      rank = "";
      SHORTCUTS[key](store);
    } else return;
    event.preventDefault();
  });
}
