/** The fields that cards go to: "p0" for player 1 and so on, "board", "dead" and "board2". */

import { dealCards, readCards } from "./cards.js";

/** @typedef {import("./question.js").Question} Question */

export const BOARD_SIZE = 5;
/** Where the second board is kept: it belongs to a tab. */
export const SECOND_BOARD = "boards.board2";

/** The number of a player's field, or -1. @param {string} id */
const playerOf = (id) => (/^p\d+$/.test(id) ? Number(id.slice(1)) : -1);

/** What a field is called. @param {string} id */
export function fieldName(id) {
  if (playerOf(id) >= 0) return `Player ${playerOf(id) + 1}`;
  return { board: "Board", dead: "Dead cards", board2: "Second board" }[id] ?? id;
}

/** @param {Question} question @param {string} id */
export function textOf(question, id) {
  if (playerOf(id) >= 0) return question.players[playerOf(id)] ?? "";
  return id === "board2" ? (question.options[SECOND_BOARD] ?? "") : question[id];
}

/**
 * The change that puts a text into a field.
 *
 * @param {Question} question
 * @param {string} id
 * @param {string} text
 * @returns {Partial<Question>}
 */
export function withText(question, id, text) {
  const player = playerOf(id);
  if (player >= 0) return { players: question.players.with(player, text) };
  if (id !== "board2") return { [id]: text };
  return { options: { ...question.options, [SECOND_BOARD]: text } };
}

/** How many cards a field takes. @param {Question} question @param {string} id */
export function sizeOf(question, id) {
  if (playerOf(id) >= 0) return question.hole;
  return id === "dead" ? Infinity : BOARD_SIZE;
}

/** The fields of a question that are shown, in order. @param {Question} question */
export function fieldsOf(question) {
  const isDouble = question.view === "boards" && question.options["boards.runs"] === "board";
  const boards = isDouble ? ["board", "board2"] : ["board"];
  return [...question.players.map((_, at) => `p${at}`), ...boards, "dead"];
}

/** The known cards of a field; none if it has a range or a pattern. */
const cardsOf = (/** @type {Question} */ question, /** @type {string} */ id) =>
  readCards(textOf(question, id)) ?? [];

/** Where each card is that is known. @param {Question} question @returns {Map<string, string>} */
export function holders(question) {
  const found = new Map();
  // The first field counts: two boards may begin alike.
  for (const id of fieldsOf(question)) {
    for (const card of cardsOf(question, id)) if (!found.has(card)) found.set(card, id);
  }
  return found;
}

/** Whether a field has room for a card. */
function hasRoom(question, id) {
  const cards = readCards(textOf(question, id));
  return cards !== null && cards.length < sizeOf(question, id);
}

/**
 * The field that cards go to next: the active one, or the first after it with room.
 *
 * @param {Question} question
 * @param {string} active
 * @returns {string|null}
 */
export function nextField(question, active) {
  if (fieldsOf(question).includes(active) && hasRoom(question, active)) return active;
  const players = question.players.map((_, at) => `p${at}`);
  const start = Math.max(0, players.indexOf(active));
  const order = [...players.slice(start), ...players.slice(0, start), "board"];
  return order.find((id) => hasRoom(question, id)) ?? null;
}

/**
 * Put a card where cards go, or take it from where it is.
 *
 * @param {Question} question
 * @param {string} active
 * @param {string} card
 * @returns {{change: Partial<Question>, active: string, isBoard: boolean}|null}  null if there is
 *   no room
 */
export function toggleCard(question, active, card) {
  const holder = holders(question).get(card);
  const isInActive = cardsOf(question, active).includes(card);
  const isShared = active === "board2" && holder === "board" && !isInActive;
  if ((holder || isInActive) && !isShared) {
    const id = isInActive ? active : holder;
    const left = cardsOf(question, id).filter((one) => one !== card);
    return { change: withText(question, id, left.join("")), active: id, isBoard: id === "board" };
  }
  const id = nextField(question, active);
  if (id === null) return null;
  const change = withText(question, id, cardsOf(question, id).join("") + card);
  const next = nextField({ ...question, ...change }, id) ?? id;
  return { change, active: next, isBoard: id === "board" };
}

/**
 * The change that deals the board at random up to a number of cards.
 *
 * The last street is dealt anew if it is there already.
 *
 * @param {Question} question
 * @param {number} count  3, 4 or 5
 * @returns {Partial<Question>}
 */
export function dealBoard(question, count) {
  const kept = cardsOf(question, "board").slice(0, count === 3 ? 0 : count - 1);
  const all = { ...question, board: kept.join("") };
  const dealt = dealCards(holders(all).keys(), count - kept.length);
  return { board: [...kept, ...dealt].join("") };
}
