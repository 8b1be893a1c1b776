/** What an empty table shows: how to begin, and spots that are one click away. */

import { h } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { parseAddress } from "./question.js";

/** @param {import("./store.js").Store} store */
export function welcome(store) {
  const open = (address) => store.ask(parseAddress(address), { isStep: true });
  return h("div", { class: "welcome" },
    h("h2", {}, "Who is ahead?"),
    h("p", {}, "Click cards in the deck, or type a hand or a range for each player. The answer "
      + "fills itself in."),
    h("ul", {}, ...EXAMPLES.map(({ title, text, address }) => h("li", {},
      h("button", { type: "button", class: "example", onclick: () => open(address) },
        h("b", {}, title), h("span", {}, text))))));
}
