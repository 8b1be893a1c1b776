/** The board and the dead cards, and buttons that deal at random. */

import { h } from "./dom.js";
import { dealBoard } from "./fields.js";
import { fieldOf, noticesByField } from "./places.js";
import { textField } from "./textfield.js";
import { tiles } from "./tiles.js";

export const STREETS = [[3, "Flop"], [4, "Turn"], [5, "River"]];

/**
 * A field of cards with its name.
 *
 * @param {import("./store.js").Store} store
 * @param {string} id
 * @param {string} label
 * @param {string} placeholder
 * @param {...Node} more  after the name
 */
export function cardField(store, id, label, placeholder, ...more) {
  const text = textField(store, id, placeholder);
  const cards = tiles(store, id);
  const node = h("section", { class: `cardfield ${id}`, "aria-label": label },
    h("div", { class: "name" }, h("label", { for: text.input.id }, label), ...more),
    h("div", { class: "both" }, cards.node, text.input), text.said);
  return {
    node,
    /** @param {import("./store.js").State} state */
    update(state) {
      const { headline } = state;
      text.update(state);
      cards.update(state);
      node.classList.toggle("active", state.target === id);
      const isHere = headline.problem && fieldOf(headline.problem.place, headline.numbers) === id;
      const notices = noticesByField(headline.reply?.notices ?? [], headline.numbers).get(id) ?? [];
      text.tell(isHere ? headline.problem : null, notices);
    },
  };
}

/** The board, with buttons that deal a street. @param {import("./store.js").Store} store */
export function boardField(store) {
  const deal = (count) => store.ask(dealBoard(store.get().question, count), { isStep: true });
  const buttons = STREETS.map(([count, name]) => h("button", {
    type: "button",
    class: "small",
    "aria-label": `Deal a random ${name.toLowerCase()}`,
    title: `Deal a random ${name.toLowerCase()}`,
    onclick: () => deal(count),
  }, name));
  const random = h("span", { class: "deal" }, h("span", { class: "soft" }, "random"), ...buttons);
  return cardField(store, "board", "Board", "or type: Kh9h4c", random);
}
