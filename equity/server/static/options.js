/** The options of the tab that is shown, and the button of tabs that are asked by hand. */

import { cardField } from "./board.js";
import { h } from "./dom.js";
import { findView } from "./views.js";

/** @typedef {import("./views.js").Option} Option */

/** How an option is shown, by kind: its node and its input. */
const KINDS = {
  select: (key, option, store) => labelled(option, h("select", {
    id: key, onchange: (event) => store.choose(key, event.target.value, { isStep: true }),
  })),
  text: (key, option, store) => labelled(option, textInput(key, option, store, {})),
  number: (key, option, store) => labelled(option,
    textInput(key, option, store, { inputmode: "numeric", size: 4 })),
  check: (key, option, store) => {
    const change = (event) => store.choose(key, event.target.checked ? "1" : "", { isStep: true });
    const input = h("input", { id: key, type: "checkbox", onchange: change });
    return { node: h("label", { class: "option check" }, input, option.label), input };
  },
  cards: (_, option, store) => {
    const field = cardField(store, "board2", option.label, "or type: 4c5c6s");
    return { node: field.node, update: field.update };
  },
  area: (key, option, store) => labelled(option, area(key, option, store, 5), "wide"),
  document: (key, option, store) => {
    const input = area(key, option, store, 8);
    const parts = labelled(option, input, "wide");
    parts.node.append(fileButton((text) => store.choose(key, text)));
    return parts;
  },
};

function labelled(option, input, more = "") {
  return { node: h("label", { class: `option ${more}` }, h("span", {}, option.label), input), input };
}

function textInput(key, option, store, more) {
  return h("input", {
    id: key,
    type: "text",
    class: "text",
    placeholder: option.placeholder,
    spellcheck: "false",
    autocomplete: "off",
    oninput: (event) => store.choose(key, event.target.value, { isTyped: true }),
    ...more,
  });
}

function area(key, option, store, rows) {
  return h("textarea", {
    id: key,
    class: "text",
    rows,
    placeholder: option.placeholder,
    spellcheck: "false",
    oninput: (event) => store.choose(key, event.target.value, { isTyped: true }),
  });
}

/** A button that reads a file of text. @param {(text: string) => void} use */
function fileButton(use) {
  const input = h("input", {
    type: "file",
    class: "file",
    "aria-label": "Choose a file",
    accept: ".csv,.jsonl,.txt,.json,.ohh,.phh,.phhs,text/*",
    onchange: async () => {
      const texts = await Promise.all([...input.files].map((file) => file.text()));
      use(texts.join("\n"));
    },
    multiple: true,
  });
  return input;
}

/**
 * @param {import("./store.js").Store} store
 * @param {() => void} run  asks the question of the tab
 */
export function optionsBar(store, run) {
  const node = h("div", { class: "options" });
  let shown = "";
  /** @type {{option: Option, key: string, input?: any, update?: Function}[]} */
  let parts = [];

  function build(view, options, question) {
    parts = options.map((option) => {
      const key = `${view.id}.${option.name}`;
      return { option, key, ...KINDS[option.kind](key, option, store) };
    });
    const extra = [];
    if (view.isAsked) {
      extra.push(h("button", { type: "button", class: "main", onclick: run }, "Run"));
    }
    if (view.examples) extra.push(exampleMenu(store, view, question));
    node.replaceChildren(...parts.map((part) => part.node), ...extra);
    node.hidden = !node.childElementCount;
  }

  return {
    node,
    /** @param {import("./store.js").State} state */
    update(state) {
      const { question } = state;
      const view = findView(question.view);
      const options = (view.options ?? []).filter((option) => !option.when || option.when(question));
      const key = [view.id, ...options.map(({ name }) => name), view.examples?.(question)].join("|");
      if (key !== shown) build(view, options, question);
      shown = key;
      for (const part of parts) fill(part, state);
    },
  };
}

/** Put the value of the question into an input. */
function fill({ option, key, input, update }, state) {
  if (update) return update(state);
  const value = state.question.options[key] ?? "";
  if (option.kind === "check") input.checked = Boolean(value);
  if (option.kind === "select") fillChoices(option, input, state.question);
  if (option.kind !== "check" && input.value !== value) {
    input.value = value;
    // A choice that is gone: the first one counts.
    if (option.kind === "select" && input.selectedIndex < 0) input.selectedIndex = 0;
  }
}

function fillChoices({ choices }, select, question) {
  const wanted = typeof choices === "function" ? choices(question) : choices;
  const key = JSON.stringify(wanted);
  if (select.dataset.choices === key) return;
  select.dataset.choices = key;
  select.replaceChildren(...wanted.map(([value, label]) => h("option", { value }, label)));
}

/** A menu of texts to begin with. */
function exampleMenu(store, view, question) {
  const examples = view.examples(question);
  const menu = h("select", {
    "aria-label": "Examples",
    onchange: () => {
      if (menu.value) store.choose(`${view.id}.query`, examples[Number(menu.value) - 1][1]);
      menu.value = "";
    },
  }, h("option", { value: "" }, "Examples ..."),
  ...examples.map(([name], at) => h("option", { value: at + 1 }, name)));
  return menu;
}
