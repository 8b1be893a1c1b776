/** Cards: how they are read, written and drawn. A card is text such as "Ah". */

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
export const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

const SIGNS = { s: "\u2660", h: "\u2665", d: "\u2666", c: "\u2663" };
const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
const LETTERS = { "\u2660": "s", "\u2665": "h", "\u2666": "d", "\u2663": "c" };
const ONE = /(10|[2-9TJQKA])([shdc\u2660\u2665\u2666\u2663])[\s,-]*/giy;

/**
 * The cards of a text, or null if it is anything but cards with rank and suit.
 *
 * @param {string} text
 * @returns {string[]|null}
 */
export function readCards(text) {
  const found = [];
  ONE.lastIndex = 0;
  const trimmed = text.trim();
  while (ONE.lastIndex < trimmed.length) {
    const match = ONE.exec(trimmed);
    if (!match) return null;
    const suit = match[2].toLowerCase();
    found.push((match[1] === "10" ? "T" : match[1].toUpperCase()) + (LETTERS[suit] ?? suit));
  }
  return found;
}

/** The name of a card in words: "ace of spades". @param {string} card */
export function cardName(card) {
  return `${RANK_NAMES[card[0]] ?? card[0]} of ${SUIT_NAMES[card[1]]}`;
}

/** The sign of a card's suit. @param {string} card */
export const suitSign = (card) => SIGNS[card[1]];

/**
 * Some cards at random from those that are left.
 *
 * @param {Iterable<string>} used
 * @param {number} count
 */
export function dealCards(used, count) {
  const gone = new Set(used);
  const left = DECK.filter((card) => !gone.has(card));
  const dealt = [];
  while (dealt.length < count && left.length) {
    const place = crypto.getRandomValues(new Uint32Array(1))[0] % left.length;
    dealt.push(...left.splice(place, 1));
  }
  return dealt;
}
