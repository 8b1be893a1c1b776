/** What the options of tabs ask: values, players and fields of operations. */

import { readCards } from "./cards.js";
import { givenPlayers } from "./question.js";

/**
 * @typedef {import("./question.js").Question} Question
 * @typedef {import("./views.js").Option} Option
 */

/** @param {Question} question @param {string} key */
export const option = (question, key) => (question.options[key] ?? "").trim();

/** How many board cards are known; -1 for a pattern. @param {Question} question */
export const boardSize = (question) => readCards(question.board)?.length ?? -1;

/** The fields that have a value. @param {Object<string, *>} fields */
export const given = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "" && value !== null));

/** Options of a tab as fields of the same names. */
export const chosen = (question, view, names) =>
  given(Object.fromEntries(names.map((name) => [name, option(question, `${view}.${name}`)])));

/** A whole number that was typed; other text is left to the server to explain. */
export const whole = (text) => (/^\d+$/.test(text) ? Number(text) : text);

/** The players as choices. @param {Question} question @returns {[string, string][]} */
function players(question) {
  const { texts, numbers } = givenPlayers(question);
  return numbers.map((at, index) => [String(at), `${at + 1}: ${texts[index].slice(0, 24)}`]);
}

/** The number of the player that a tab is about: the one chosen, or the first. */
export function subject(question, view) {
  const { numbers } = givenPlayers(question);
  const wanted = option(question, `${view}.of`);
  return numbers.find((at) => String(at) === wanted) ?? numbers[0] ?? 0;
}

/** The opponent that a tab compares with: one chosen, or none. */
export function opponent(question, view) {
  const wanted = option(question, `${view}.against`);
  const { numbers } = givenPlayers(question);
  const at = numbers.find((one) => String(one) === wanted && one !== subject(question, view));
  return at === undefined ? "" : question.players[at].trim();
}

/** @param {string} view @returns {Option[]} */
export const ofWhom = (view) => [
  { name: "of", label: "Player", kind: "select", choices: players },
  {
    name: "against",
    label: "Against",
    kind: "select",
    choices: (question) => [
      ["", "nobody"],
      ...players(question).filter(([at]) => at !== String(subject(question, view))),
    ],
  },
];

/** What a graph goes over: combos of a range, or the boards to come. */
export function over(question) {
  const wanted = option(question, "graph.over");
  if (wanted) return wanted === "combos" ? "" : wanted;
  const { texts } = givenPlayers(question);
  if (texts.length === 2 && texts.some((text) => readCards(text) === null)) return "";
  return boardSize(question) ? "rivers" : "flops";
}
