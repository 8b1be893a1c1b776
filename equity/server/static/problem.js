/** An error as the page shows it: what is wrong, what would be right, and where it is. */

import { h } from "./dom.js";

/**
 * @param {import("./api.js").Problem} problem
 * @param {{isNear?: boolean}} [how]  whether it stands below the text that it is about
 */
export function problemNode(problem, { isNear = false } = {}) {
  const { text, column, hint } = problem;
  const place = problem.place && !isNear ? `${problem.place}: ` : "";
  const told = h("p", {}, h("b", {}, place + problem.problem), hint ? `. ${sentence(hint)}` : "");
  if (!text || !column) return told;
  // A caret below the column; long texts scroll together with it.
  const lines = text.slice(0, column - 1).split("\n");
  const line = text.split("\n")[lines.length - 1];
  const caret = `${" ".repeat(lines[lines.length - 1].length)}^`;
  return h("div", {}, told, h("pre", { class: "caret", tabindex: 0 }, `${line}\n${caret}`));
}

/** @param {string} text */
const sentence = (text) => text[0].toUpperCase() + text.slice(1);
