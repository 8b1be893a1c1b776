/** The deck: click a card to put it where cards go, click it again to take it back. */

import { DECK, RANKS, SUITS, cardName } from "./cards.js";
import { h } from "./dom.js";
import { fieldName, holders, toggleCard } from "./fields.js";
import { face } from "./tiles.js";

/** How the arrow keys move, in columns and rows. */
const MOVES = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  Home: [-RANKS.length, 0], End: [RANKS.length, 0],
};

/**
 * Put a card from the deck into the spot.
 *
 * @param {import("./store.js").Store} store
 * @param {string} card
 */
export function playCard(store, card) {
  const { question, active } = store.get();
  const played = toggleCard(question, active, card);
  if (!played) return;
  store.ask(played.change, { isStep: played.isBoard });
  store.set({ active: played.active });
}

function cardButton(store, card, isFirst) {
  return h("button", {
    type: "button",
    class: `tile ${card[1]}`,
    "aria-label": cardName(card),
    "aria-pressed": "false",
    tabindex: isFirst ? 0 : -1,
    dataset: { deck: card },
    onclick: () => playCard(store, card),
  }, ...face(card));
}

/** @param {import("./store.js").Store} store */
export function deck(store) {
  const buttons = new Map(DECK.map((card, at) => [card, cardButton(store, card, at === 0)]));
  const grid = h("div", { class: "grid", role: "group", "aria-label": "Deck", onkeydown: move },
    ...buttons.values());
  const target = h("b");
  const done = h("button", { type: "button", class: "quiet done",
    onclick: () => store.set({ isPicking: false }) }, "Done");
  const node = h("aside", { class: "deck", "aria-label": "Deck of cards" },
    h("p", { class: "where" }, "Cards go to ", target, done), grid);

  /** The arrow keys move between cards; one card at a time can be reached with Tab. */
  function move(event) {
    const step = MOVES[event.key];
    const card = event.target.closest("[data-deck]")?.dataset.deck;
    if (!step || !card) return;
    event.preventDefault();
    const within = (value, most) => Math.min(most, Math.max(0, value));
    const column = within(RANKS.indexOf(card[0]) + step[0], RANKS.length - 1);
    const row = within(SUITS.indexOf(card[1]) + step[1], SUITS.length - 1);
    const next = buttons.get(RANKS[column] + SUITS[row]);
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  return {
    node,
    /** @param {import("./store.js").State} state */
    update(state) {
      const used = holders(state.question);
      for (const [card, button] of buttons) {
        button.setAttribute("aria-pressed", String(used.has(card)));
        button.title = used.has(card) ? fieldName(used.get(card)) : "";
      }
      target.textContent = state.target ? fieldName(state.target).toLowerCase() : "nowhere: all is full";
      document.body.classList.toggle("picking", Boolean(state.isPicking));
    },
  };
}
