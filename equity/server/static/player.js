/** A player: their hand or range, their equity, and the slider of the best hands. */

import { h } from "./dom.js";
import { factsLine, rangeFacts } from "./facts.js";
import { withText } from "./fields.js";
import { fieldOf, noticesByField } from "./places.js";
import { textField } from "./textfield.js";
import { tiles } from "./tiles.js";

/** The hand rankings of percentages. */
export const ORDERINGS = [
  ["", "at a full table"],
  ["6max", "six-handed"],
  ["random", "against a random hand"],
];

/** The percentage of a text such as "12.5%". @param {string} text */
const percentOf = (text) => Number(/^\s*(\d+(?:\.\d+)?)%\s*$/.exec(text)?.[1] ?? NaN);

/**
 * @param {import("./store.js").Store} store
 * @param {number} at  the number of the player, from 0
 */
export function playerRow(store, at) {
  const id = `p${at}`;
  const text = textField(store, id, "AhAsKhKs, AA:xxyy, 10% ...");
  const cards = tiles(store, id);
  const line = h("p", { class: "combos" });
  const equity = equityFigure();
  const slider = percentSlider(store, id, at);
  const state = { facts: null, problem: null };
  const facts = rangeFacts((found, problem) => {
    state.facts = found;
    state.problem = problem;
    line.textContent = found ? factsLine(found) : "";
    tell(store.get());
  });
  const remove = h("button", {
    type: "button",
    class: "tool",
    "aria-label": `Remove player ${at + 1}`,
    title: "Remove",
    onclick: () => removePlayer(store, at),
  }, "\u00d7");
  const node = h("section", { class: `player seat${at + 1}`, "aria-label": `Player ${at + 1}` },
    h("span", { class: "number", "aria-hidden": "true" }, String(at + 1)),
    h("div", { class: "line" }, text.input, slider.button, remove),
    h("div", { class: "under" }, cards.node, line, equity.figure),
    equity.bar, slider.node, text.said);

  /** Show what is wrong with the text, or what it may mean otherwise. */
  function tell({ headline }) {
    const there = headline.problem && fieldOf(headline.problem.place, headline.numbers) === id;
    const warned = headline.reply
      ? noticesByField(headline.reply.notices ?? [], headline.numbers).get(id) ?? []
      : [];
    const alone = (state.facts?.warnings ?? []).map((one) => one.replace(/^range[^:]*: /, ""));
    text.tell(state.problem ?? (there ? headline.problem : null), [...new Set([...alone, ...warned])]);
  }

  return {
    node,
    update(now, { isTyped } = {}) {
      const { question } = now;
      text.update(now);
      cards.update(now);
      slider.update(question);
      facts.follow(question, at, Boolean(isTyped));
      equity.update(now.headline, at);
      node.classList.toggle("active", now.target === id);
      remove.hidden = question.players.length <= 2 && !question.players[at];
      tell(now);
    },
  };
}

/** Take a player away; of the last two, only the text. */
function removePlayer(store, at) {
  const { players } = store.get().question;
  const left = players.length > 2 ? players.toSpliced(at, 1) : players.with(at, "");
  store.ask({ players: left }, { isStep: true });
  store.set({ active: `p${Math.min(at, left.length - 1)}` });
}

/** The equity in figures, and as a bar of its high and its low. */
function equityFigure() {
  const high = h("i");
  const low = h("i", { class: "low" });
  const bar = h("div", { class: "meter", "aria-hidden": "true" }, high, low);
  const figure = h("p", { class: "figure" });
  return {
    figure,
    bar,
    update(headline, at) {
      const player = headline.reply?.answer?.players?.[headline.numbers.indexOf(at)];
      figure.classList.toggle("old", headline.isBusy && headline.done === 0);
      const whole = player ? player.equity : 0;
      const lows = player?.low?.equity ?? 0;
      high.style.width = `${100 * (whole - lows)}%`;
      low.style.width = `${100 * lows}%`;
      if (!player) return figure.replaceChildren();
      const error = player.std_error?.equity ?? player.std_error?.high ?? null;
      figure.replaceChildren(
        (100 * whole).toFixed(2), h("small", { class: "unit" }, "%"),
        error ? h("small", { class: "error" }, `\u00b1${(100 * error).toFixed(2)}`) : "");
    },
  };
}

/** A slider that writes "10%", the best hands by a ranking. */
function percentSlider(store, id, at) {
  const range = h("input", {
    type: "range", min: 1, max: 100, step: 1,
    "aria-label": `Player ${at + 1}: the best hands, in percent`,
    oninput: () => {
      const { question } = store.get();
      store.ask(withText(question, id, `${range.value}%`), { isTyped: true });
    },
  });
  const told = h("output");
  const ordering = h("select", {
    "aria-label": "Hand ranking",
    onchange: () => store.ask({ ordering: ordering.value }, { isStep: true }),
  }, ...ORDERINGS.map(([value, label]) => h("option", { value }, label)));
  const node = h("div", { class: "slider", hidden: true }, range, told,
    h("label", {}, "best ", ordering));
  const button = h("button", {
    type: "button",
    class: "tool",
    "aria-label": `Player ${at + 1}: the best hands by percent`,
    "aria-expanded": "false",
    title: "The best hands, by percent",
    onclick: () => {
      node.hidden = !node.hidden;
      button.setAttribute("aria-expanded", String(!node.hidden));
      if (!node.hidden) range.focus();
    },
  }, "%");
  return {
    node,
    button,
    update(question) {
      const percent = percentOf(question.players[at]);
      if (!Number.isNaN(percent)) range.value = String(percent);
      told.textContent = Number.isNaN(percent) ? "-" : `${percent} %`;
      ordering.value = question.ordering;
    },
  };
}
