/** What a tab needs that the spot does not have, in one friendly line, and a way to add it. */

import { readCards } from "./cards.js";
import { dealBoard } from "./fields.js";
import { givenPlayers, isShort } from "./question.js";

/**
 * @typedef {import("./question.js").Question} Question
 * @typedef {Object} Lack
 * @property {string} text
 * @property {string} [label]  of a button that adds it
 * @property {(question: Question) => Partial<Question>} [change]
 */

/**
 * @param {Question} question
 * @param {number} least
 * @returns {Lack|null}
 */
export function lacksPlayers(question, least) {
  const { numbers } = givenPlayers(question);
  if (numbers.length >= least) return null;
  const open = question.players.findIndex((_, at) => !numbers.includes(at));
  if (open >= 0 && isShort(question, open)) {
    return { text: `Player ${open + 1} has ${question.hole - 1} cards: one more, or a * for any card.` };
  }
  if (!question.players.some((text) => text.trim())) {
    return { text: `Give player ${open + 1} a hand: click cards in the deck, or type a range.` };
  }
  return {
    text: `Give player ${open + 1} a hand or a range, or let them have any hand.`,
    label: "Any hand",
    change: ({ players }) => ({ players: players.with(open, "*") }),
  };
}

/** @param {Question} question @param {string} why @returns {Lack|null} */
export function lacksTwo(question, why) {
  if (givenPlayers(question).numbers.length > 2) return { text: why };
  return lacksPlayers(question, 2);
}

/**
 * @param {Question} question
 * @param {number[]} sizes  numbers of board cards that will do
 * @param {string} text
 * @returns {Lack|null}
 */
export function lacksBoard(question, sizes, text) {
  const cards = readCards(question.board);
  if (cards === null) {
    return {
      text: "The board is a pattern, and this needs known cards. Deal one, or type its cards.",
      label: "Deal a flop",
      change: (now) => dealBoard(now, 3),
    };
  }
  if (sizes.includes(cards.length)) return null;
  if (cards.length < 3) {
    return { text, label: "Deal a flop", change: (now) => dealBoard(now, 3) };
  }
  const most = Math.max(...sizes);
  return {
    text,
    label: `Back to ${most === 4 ? "the turn" : most === 3 ? "the flop" : `${most} cards`}`,
    change: () => ({ board: cards.slice(0, most).join("") }),
  };
}
