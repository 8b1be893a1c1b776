/** The question as a plain object, and as the address of the page. */

/**
 * @typedef {Object} Question
 * @property {string} game
 * @property {string[]} players  what is typed for each: a hand, a range, or nothing yet
 * @property {string} board
 * @property {string} dead
 * @property {string} ordering  the hand ranking of percentages; "" is the usual one
 * @property {string} view  the tab that is shown
 * @property {Object<string, string>} options  of tabs, by "view.name"
 * @property {number} hole  how many hole cards the game has; the store keeps it right
 * @property {number} mostPlayers  of the game, as well
 */

import { readCards } from "./cards.js";

export const DEFAULT_GAME = "plo4";
export const LEAST_PLAYERS = 2;
/** Options that are too long for an address, or nobody else's business. */
const UNSHARED = new Set(["batch.text", "hands.text"]);
const FIELDS = { g: "game", b: "board", d: "dead", by: "ordering", v: "view" };

/** @returns {Question} */
export function emptyQuestion() {
  return {
    game: DEFAULT_GAME,
    players: Array(LEAST_PLAYERS).fill(""),
    board: "",
    dead: "",
    ordering: "",
    view: "equity",
    options: {},
    hole: 4,
    mostPlayers: 11,
  };
}

/**
 * The question of an address.
 *
 * @param {string} search  what comes after the "?"
 * @returns {Question}
 */
export function parseAddress(search) {
  const question = emptyQuestion();
  const given = new URLSearchParams(search);
  const players = given.getAll("p");
  while (players.length < LEAST_PLAYERS) players.push("");
  question.players = players;
  for (const [key, value] of given) {
    if (FIELDS[key]) question[FIELDS[key]] = value;
    else if (key.includes(".") && !UNSHARED.has(key)) question.options[key] = value;
  }
  return question;
}

/**
 * The address of a question: "" for an empty one, or "?" and its fields.
 *
 * @param {Question} question
 */
export function formatAddress(question) {
  const usual = emptyQuestion();
  const told = new URLSearchParams();
  const players = [...question.players];
  while (players.length && !players[players.length - 1].trim()) players.pop();
  if (question.game !== usual.game || players.length) told.append("g", question.game);
  for (const player of players) told.append("p", player);
  for (const [key, name] of Object.entries(FIELDS)) {
    if (name !== "game" && question[name] !== usual[name]) told.append(key, question[name]);
  }
  for (const [key, value] of Object.entries(question.options)) {
    if (value && !UNSHARED.has(key)) told.append(key, value);
  }
  // Cards, commas and colons of ranges stay readable in a link.
  const text = told.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%21", "!");
  return text && `?${text}`;
}

/**
 * A function that makes a question fit its game, which may be written as an alias.
 *
 * @param {{name: string, aliases: string[], hole: number, max_players: number}[]} games
 * @returns {(question: Question) => Question}
 */
export function fitter(games) {
  return (question) => {
    const game = games.find(({ name, aliases }) =>
      name === question.game || aliases.includes(question.game)) ?? games[0];
    return { ...question, game: game.name, hole: game.hole, mostPlayers: game.max_players };
  };
}

/** Whether a text is a hand that lacks one card. @param {Question} question @param {number} at */
export const isShort = (question, at) =>
  readCards(question.players[at])?.length === question.hole - 1;

/**
 * The players who have a hand or a range, and their numbers on the page.
 *
 * @param {Question} question
 * @returns {{texts: string[], numbers: number[]}}
 */
export function givenPlayers(question) {
  const numbers = question.players.flatMap((text, at) =>
    (text.trim() && !isShort(question, at) ? [at] : []));
  return { texts: numbers.map((at) => question.players[at].trim()), numbers };
}

/**
 * The fields of an operation that say what the spot is.
 *
 * @param {Question} question
 */
export function spotFields(question) {
  const fields = { players: givenPlayers(question).texts, game: question.game };
  for (const name of ["board", "dead", "ordering"]) {
    if (question[name].trim()) fields[name] = question[name].trim();
  }
  return fields;
}
