/** The answer of the tab that is shown: asked when the question changes, sharpened as it comes. */

import { Asker } from "./api.js";
import { afterPause, byId, h } from "./dom.js";
import { headlineFields } from "./headline.js";
import { fieldOf, noticesByField } from "./places.js";
import { problemNode } from "./problem.js";
import { givenPlayers } from "./question.js";
import { findView } from "./views.js";
import { welcome } from "./welcome.js";

/** Those who type go on within this time. */
const PAUSE = 350;

/**
 * @typedef {Object} Shown  what the panel shows
 * @property {string} key  the question, as text
 * @property {string} path
 * @property {Object} fields
 * @property {any} reply
 * @property {import("./api.js").Problem|null} problem
 * @property {import("./lacks.js").Lack|null} lack
 * @property {boolean} isBusy
 * @property {number} done
 */

/** @returns {Shown} */
const nothing = () =>
  ({ key: "", path: "", fields: {}, reply: null, problem: null, lack: null, isBusy: false, done: 0 });

/**
 * Asks the questions of tabs, one at a time.
 *
 * @param {(parts: Partial<Shown>) => void} show
 * @param {() => Shown} shown  what is shown now
 */
function questions(show, shown) {
  const asker = new Asker();
  const ask = () => asker.ask(shown().path, shown().fields, {
    onProgress: (told) => show({ done: told.done, ...(told.answer ? { reply: told } : {}) }),
    onAnswer: (reply) => show({ isBusy: false, done: 1, reply }),
    onError: (problem) => show({ isBusy: false, reply: null, problem }),
  });
  const askSoon = afterPause(ask, PAUSE);
  const stop = () => {
    asker.cancel();
    askSoon.cancel();
  };
  return {
    stop,
    /** Begin with a question; `isAsked` if a button was pressed for it. */
    start(view, question, { isTyped = false, isAsked = false } = {}) {
      const path = view.pathOf?.(question) ?? view.path;
      const fields = view.fields(question);
      const key = view.id + path + JSON.stringify(fields);
      if (key === shown().key && !isAsked) return;
      stop();
      const kept = asker.kept(path, fields);
      // The old answer stays, dimmed, until there is a new one of the same tab.
      const old = shown().key.startsWith(view.id) ? shown().reply : null;
      const base = { ...nothing(), key, path, fields };
      if (kept) return show({ ...base, reply: kept, done: 1 });
      if (view.isAsked && !isAsked) return show(base);
      show({ ...base, reply: old, isBusy: true });
      (isTyped ? askSoon : ask)();
    },
  };
}

/**
 * @param {import("./store.js").Store} store
 * @param {HTMLElement} node  what is filled
 * @param {(shown: Shown) => void} tell  called when what is shown has changed
 */
export function answerPanel(store, node, tell) {
  let shown = nothing();
  const show = (parts) => {
    shown = { ...shown, ...parts };
    draw(store, node, shown);
    tell(shown);
  };
  const asked = questions(show, () => shown);
  const showInstead = (parts) => {
    asked.stop();
    show({ ...nothing(), ...parts });
  };
  node.addEventListener("click", (event) => follow(store, event.target));
  return {
    update(state, before, how = {}) {
      const { question, headline } = state;
      if (before && question === before.question && headline === before.headline) return;
      const view = findView(question.view);
      const lack = view.lacks(question);
      if (lack) return showInstead({ lack });
      if (view.id !== "equity") return asked.start(view, question, how);
      const { isBusy, done, reply, problem } = headline;
      const fields = headlineFields(question);
      showInstead({ key: view.id, path: view.path, fields, isBusy, done, reply, problem });
    },
    /** Ask now, as the button wants. */
    run() {
      const { question } = store.get();
      const view = findView(question.view);
      if (!view.lacks(question)) asked.start(view, question, { isAsked: true });
    },
  };
}

/** What a click on an answer does: it deals a card, or it is about a class of hands. */
function follow(store, target) {
  const { question } = store.get();
  const { card, condition } = target.closest("[data-card], [data-condition]")?.dataset ?? {};
  const change = card
    ? { board: question.board.trim() + card }
    : condition && findView(question.view).onCondition?.(question, condition);
  if (change) store.ask(change, { isStep: true });
}

/** @param {import("./store.js").Store} store @param {HTMLElement} node @param {Shown} shown */
function draw(store, node, { reply, problem, lack, isBusy, done }) {
  node.classList.toggle("old", isBusy && done === 0 && Boolean(reply));
  node.setAttribute("aria-busy", String(isBusy));
  const { question } = store.get();
  markOptions(question, problem);
  if (lack) return node.replaceChildren(lackNode(store, lack));
  if (problem) return node.replaceChildren(h("div", { class: "trouble" }, problemFor(question, problem)));
  if (!reply) {
    const text = isBusy ? "Counting ..." : "Run asks it, and so does Ctrl-Enter.";
    return node.replaceChildren(h("p", { class: "waiting" }, text));
  }
  drawReply(node, reply, givenPlayers(question).numbers);
}

/** Draw an answer; where it is scrolled and what has the focus stay as they are. */
function drawReply(node, reply, numbers) {
  const notices = noticesByField(reply.notices ?? [], numbers).get("") ?? [];
  const scrolled = node.querySelector(".scroll")?.scrollLeft ?? 0;
  const isInside = node.contains(document.activeElement);
  const { card, condition } = document.activeElement.dataset;
  const shown = h("div", { class: "shown" }, ...notices.map((text) => h("p", { class: "warning" }, text)));
  // The server writes these elements and escapes all text in them.
  shown.insertAdjacentHTML("beforeend", reply.html);
  node.replaceChildren(shown);
  const box = node.querySelector(".scroll");
  if (box) box.scrollLeft = scrolled;
  if (!isInside) return;
  const same = [...node.querySelectorAll("button")].find(({ dataset }) =>
    (card ?? condition) && dataset.card === card && dataset.condition === condition);
  (same ?? node).focus();
}

/** Mark the option of the tab that a problem is about. */
function markOptions(question, problem) {
  for (const input of document.querySelectorAll(".options [aria-invalid=true]")) {
    input.removeAttribute("aria-invalid");
  }
  const field = problem && fieldOf(problem.place, givenPlayers(question).numbers);
  const input = field && (byId(field) ?? byId(`text-${field}`));
  if (input?.closest(".options")) input.setAttribute("aria-invalid", "true");
}

/** A problem, in short if a field shows it already. */
function problemFor(question, problem) {
  const field = fieldOf(problem.place, givenPlayers(question).numbers);
  const isShown = /^(p\d+|board|dead)$/.test(field ?? "") && question.view === "equity";
  return problemNode(isShown ? { ...problem, text: null } : problem);
}

function lackNode(store, lack) {
  const { question } = store.get();
  if (!question.players.some((text) => text.trim()) && question.view === "equity") {
    return welcome(store);
  }
  const add = () => store.ask(lack.change(store.get().question), { isStep: true });
  return h("div", { class: "lack" }, h("p", {}, lack.text),
    lack.label ? h("button", { type: "button", class: "main", onclick: add }, lack.label) : null);
}
