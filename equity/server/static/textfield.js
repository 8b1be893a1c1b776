/** A text of the spot: typed here, or filled from the deck; what is wrong with it stands below. */

import { byId, h } from "./dom.js";
import { fieldName, textOf, withText } from "./fields.js";
import { problemNode } from "./problem.js";

/** Go on to the next player without a hand, or to the board. */
function goOn(store, id) {
  const { players } = store.get().question;
  const open = players.findIndex((text, at) => !text.trim() && `p${at}` !== id);
  byId(`text-${id === "board" || open < 0 ? "board" : `p${open}`}`).focus();
}

/**
 * @param {import("./store.js").Store} store
 * @param {string} id
 * @param {string} placeholder
 */
export function textField(store, id, placeholder) {
  const said = h("div", { class: "said", id: `said-${id}` });
  const input = h("input", {
    type: "text",
    class: "text",
    id: `text-${id}`,
    "aria-label": fieldName(id),
    "aria-describedby": said.id,
    placeholder,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    onfocus: () => store.set({ active: id }),
    onkeydown: (event) => event.key === "Enter" && goOn(store, id),
    oninput: () => {
      const { question } = store.get();
      store.ask(withText(question, id, input.value), { isTyped: true });
    },
  });
  let told = "";
  return {
    input,
    said,
    /** @param {import("./store.js").State} state */
    update(state) {
      const text = textOf(state.question, id);
      if (input.value !== text) input.value = text;
    },
    /**
     * @param {import("./api.js").Problem|null} problem
     * @param {string[]} notices
     */
    tell(problem, notices) {
      const key = JSON.stringify([problem, notices]);
      if (key === told) return;
      told = key;
      input.setAttribute("aria-invalid", String(Boolean(problem)));
      const warnings = problem ? [] : notices.map((text) => h("p", { class: "warning" }, text));
      said.replaceChildren(...(problem ? [problemNode(problem, { isNear: true })] : warnings));
      said.classList.toggle("wrong", Boolean(problem));
    },
  };
}
