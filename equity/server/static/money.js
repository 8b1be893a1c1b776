/** The tab about money: side pots, a call, or a pot-limit raise. */

import { chosen, option } from "./asked.js";
import { lacksPlayers } from "./lacks.js";
import { givenPlayers, spotFields } from "./question.js";

/** The mode of the tab about money. */
export const mode = (question) => option(question, "money.mode") || "stacks";
const isMode = (...modes) => (question) => modes.includes(mode(question));

/** The fields of the operation. @param {import("./question.js").Question} question */
export function moneyFields(question) {
  if (mode(question) === "limit") {
    return { pot: "0", ...chosen(question, "money", ["pot", "bets", "own"]) };
  }
  const names = { stacks: ["stacks", "pot", "rake", "cap"], call: ["call", "pot", "rake", "cap"] };
  return { ...spotFields(question), ...chosen(question, "money", names[mode(question)]) };
}

/** @param {import("./question.js").Question} question @returns {import("./lacks.js").Lack|null} */
export function lacksMoney(question) {
  if (mode(question) === "limit") return null;
  const lack = lacksPlayers(question, 2);
  if (lack) return lack;
  const { numbers } = givenPlayers(question);
  if (mode(question) === "stacks" && !option(question, "money.stacks")) {
    const text = `Write what each of the ${numbers.length} players is all in for, with commas.`;
    const stacks = numbers.map(() => 100).join(",");
    const change = ({ options }) => ({ options: { ...options, "money.stacks": stacks } });
    return { text, label: "100 each", change };
  }
  if (mode(question) === "call" && !(option(question, "money.call") && option(question, "money.pot"))) {
    return { text: "Write the price of the call, and the pot with the bet in it." };
  }
  return null;
}

/** @type {import("./views.js").Option[]} */
export const MONEY_OPTIONS = [
  {
    name: "mode",
    label: "What",
    kind: "select",
    choices: [["", "all-in pots"], ["call", "a call of player 1"], ["limit", "a pot-limit raise"]],
  },
  { name: "stacks", label: "Stacks", kind: "text", placeholder: "100,60,40", when: isMode("stacks") },
  { name: "call", label: "To call", kind: "text", placeholder: "50", when: isMode("call") },
  { name: "pot", label: "Pot", kind: "text", placeholder: "150" },
  { name: "rake", label: "Rake", kind: "text", placeholder: "5%", when: isMode("stacks", "call") },
  { name: "cap", label: "Cap", kind: "text", placeholder: "3", when: isMode("stacks", "call") },
  { name: "bets", label: "Bets of others", kind: "text", placeholder: "10,10", when: isMode("limit") },
  { name: "own", label: "Own bet", kind: "text", placeholder: "0", when: isMode("limit") },
];
