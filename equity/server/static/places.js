/** Where an error or a notice belongs: a field of the spot, or an option of a tab. */

/** @typedef {import("./api.js").Problem} Problem */

/** What a place begins with, and the field that it means; "$1" is the number of a player. */
const PLACES = [
  [/^(?:hand|range|player) (\d+)\b/, "p$1"],
  [/^range\b/, "p1"],
  [/^(?:second board|board2)\b/, "board2"],
  [/^board\b/, "board"],
  [/^dead\b/, "dead"],
  [/^(?:stacks|pot|rake|cap|call|bets|own)\b/, "money.$&"],
  [/^(?:at_least|levels|over)\b/, "flops.$&"],
  [/^query\b/, "pql.query"],
];

/**
 * The field of a place such as "range 2, column 4".
 *
 * @param {string|undefined} place
 * @param {number[]} numbers  the number on the page of each player who was asked about
 * @returns {string|null}
 */
export function fieldOf(place, numbers) {
  for (const [pattern, field] of PLACES) {
    const match = pattern.exec(place ?? "");
    if (!match) continue;
    if (field === "p$1" || field === "p1") {
      const number = numbers[Number(match[1] ?? 1) - 1];
      return number === undefined ? null : `p${number}`;
    }
    return field.replace("$&", match[0]);
  }
  return null;
}

/**
 * Notices by the field they belong to; those of no field are under "".
 *
 * @param {string[]} notices  "range 2, column 4: ..."
 * @param {number[]} numbers
 * @returns {Map<string, string[]>}
 */
export function noticesByField(notices, numbers) {
  const found = new Map();
  for (const notice of notices) {
    const [, place, text] = /^([^:]{1,40}): (.*)$/s.exec(notice) ?? [];
    const field = fieldOf(place, numbers);
    const key = field?.match(/^(p\d+|board|dead)$/) ? field : "";
    const kept = found.get(key) ?? [];
    kept.push(key ? text : notice);
    found.set(key, kept);
  }
  return found;
}
