/** The list of tabs, as WAI-ARIA has it: arrow keys move, one tab can be reached with Tab. */

import { h } from "./dom.js";
import { VIEWS, findView } from "./views.js";

/**
 * @param {import("./store.js").Store} store
 * @param {HTMLElement} panel  what the tabs show
 */
export function tabs(store, panel) {
  const open = (view) => store.ask({ view: view.id });
  const buttons = VIEWS.map((view) => h("button", {
    type: "button",
    role: "tab",
    id: `tab-${view.id}`,
    class: view.isOwn ? "own" : null,
    "aria-controls": panel.id,
    title: view.about,
    onclick: () => open(view),
  }, view.title));
  const node = h("div", { class: "tabs", role: "tablist", "aria-label": "Views", onkeydown: move },
    ...buttons);

  function move(event) {
    const at = buttons.indexOf(event.target);
    const last = buttons.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at ? at - 1 : last, Home: 0,
      End: last }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    open(VIEWS[next]);
    buttons[next].focus();
  }

  return {
    node,
    /** @param {import("./store.js").State} state */
    update(state, before) {
      const shown = findView(state.question.view);
      if (before && before.question.view === state.question.view) return;
      VIEWS.forEach((view, at) => {
        buttons[at].setAttribute("aria-selected", String(view === shown));
        buttons[at].tabIndex = view === shown ? 0 : -1;
        // Only the strip of tabs scrolls, not the page.
        if (view === shown) node.scrollLeft = buttons[at].offsetLeft - node.clientWidth / 3;
      });
      panel.setAttribute("aria-labelledby", `tab-${shown.id}`);
      document.body.dataset.view = shown.id;
    },
  };
}
