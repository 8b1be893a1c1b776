/** Queries to begin with: examples, and the spot of the page as a query. */

import { givenPlayers } from "./question.js";

/** @type {[string, string][]} */
export const PQL_EXAMPLES = [
  [
    "What does a hand flop?",
    "select histogram(flopHandCategory(hero)) as flop\n"
      + "from game='omahahi', hero='JsTs9h8h', villain='*'",
  ],
  [
    "How often do kings flop a set?",
    "select count(flopHandCategory(hero) = flopset) as set\n"
      + "from game='omahahi', hero='KhKd7c2s', villain='30%'",
  ],
  [
    "How much equity on all flops?",
    "select histogram(equity(hero, flop), 10) as equity, median(equity(hero, flop)) as middle\n"
      + "from game='omahahi', hero='AhAsKhKs', villain='9c8c7d6d'",
  ],
  [
    "How often is the nut low quartered?",
    "select count(fractionalRiverEquity(hero) = 1/4) as quartered\n"
      + "from game='omaha8', board='8s6hKc', hero='As2sKdQc', v1='Ah2hKhJc', v2='4c5c6d7d'",
  ],
  [
    "And if the flush comes?",
    "select avg(riverEquity(hero)) as equity, count(winsHi(hero)) as wins\n"
      + "from game='omahahi', board='Kh9h4c', hero='AhQhJdTs', villain='KsKd8c7c'\n"
      + "where flushingBoard(river)",
  ],
];

/**
 * A query about the spot of the page; none if fewer than two players have hands.
 *
 * @param {import("./question.js").Question} question
 * @returns {[string, string][]}
 */
export function spotQuery(question) {
  const { texts, numbers } = givenPlayers(question);
  if (texts.length < 2) return [];
  const names = numbers.map((at) => `player_${at + 1}`);
  const parts = [`game='${question.game}'`];
  for (const name of ["board", "dead"]) {
    if (question[name].trim()) parts.push(`${name}='${question[name].trim()}'`);
  }
  parts.push(...names.map((name, at) => `${name}='${texts[at]}'`));
  const query = `select ${names.map((name) => `avg(riverEquity(${name})) as ${name}_equity`).join(", ")},\n`
    + `  histogram(handType(${names[0]}, river)) as made\nfrom ${parts.join(", ")}`;
  return [["This spot", query]];
}
