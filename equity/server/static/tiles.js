/** Cards of a field as tiles: a click takes a card away, a click on a free place picks cards. */

import { cardName, readCards, suitSign } from "./cards.js";
import { h } from "./dom.js";
import { fieldName, sizeOf, textOf, toggleCard } from "./fields.js";

/** The face of a card. @param {string} card */
export function face(card) {
  return [
    h("span", { class: "rank" }, card[0]),
    h("span", { class: "suit", "aria-hidden": "true" }, suitSign(card)),
  ];
}

/**
 * @param {import("./store.js").Store} store
 * @param {string} id
 */
export function tiles(store, id) {
  const node = h("div", { class: "tiles", onclick: () => pick(store, id) });
  let shown = "";
  return {
    node,
    /** @param {import("./store.js").State} state */
    update(state) {
      const cards = readCards(textOf(state.question, id));
      node.classList.toggle("active", state.target === id);
      const size = sizeOf(state.question, id);
      const key = `${cards} ${size}`;
      if (key === shown) return;
      shown = key;
      node.hidden = cards === null;
      if (cards === null) return;
      const free = size === Infinity ? 1 : Math.max(0, size - cards.length);
      node.replaceChildren(
        ...cards.map((card) => tile(store, id, card)),
        ...Array.from({ length: free }, (_, at) => (at ? h("span", { class: "tile free" })
          : freePlace(store, id))),
      );
    },
  };
}

function tile(store, id, card) {
  const remove = (event) => {
    event.stopPropagation();
    const taken = toggleCard(store.get().question, id, card);
    if (taken) store.ask(taken.change, { isStep: true });
    pick(store, id);
  };
  const label = `${fieldName(id)}: take away ${cardName(card)}`;
  const attributes = { type: "button", class: `tile ${card[1]}`, "aria-label": label, onclick: remove };
  return h("button", attributes, ...face(card));
}

/** The place of the next card, which opens the deck. */
function freePlace(store, id) {
  const open = (event) => {
    event.stopPropagation();
    pick(store, id);
    // Those who pressed a key go on with keys.
    if (!event.detail) document.querySelector(".deck [tabindex='0']").focus();
  };
  const label = `${fieldName(id)}: pick a card`;
  return h("button", { type: "button", class: "tile free", "aria-label": label, onclick: open });
}

/** Let cards of the deck go to a field. */
function pick(store, id) {
  store.set({ active: id, isPicking: true });
}
