/** Adds a condition such as "@SET" to a range. */

/**
 * The parts of a text between commas that are in no brackets.
 *
 * @param {string} text
 */
function items(text) {
  const found = [""];
  let depth = 0;
  for (const letter of text) {
    if ("([".includes(letter)) depth += 1;
    else if (")]".includes(letter)) depth -= 1;
    if (letter === "," && depth === 0) found.push("");
    else found[found.length - 1] += letter;
  }
  return found.map((item) => item.trim());
}

/** A list of conditions with one more, or without it. @param {string} list */
export function toggled(list, condition) {
  const all = items(list).filter(Boolean);
  const left = all.filter((one) => one !== condition);
  return (left.length < all.length ? left : [...all, condition]).join(",");
}

/**
 * A range with a condition for all of its hands; without it, if it was the last one.
 *
 * @param {string} range
 * @param {string} condition  "@SET", "@PAIR!@NFD"
 */
export function withCondition(range, condition) {
  const last = `:${condition}`;
  if (range.endsWith(last)) return range.slice(0, -last.length);
  const parts = items(range);
  if (parts.length === 1 && !/@\d+$/.test(parts[0])) return `${parts[0]}:${condition}`;
  if (!parts.some((part) => /@\d+$/.test(part))) return `(${range.trim()}):${condition}`;
  // Weights stand at the end of each part.
  return parts
    .map((part) => part.replace(/^(.*?)(@\d+)?$/s, (_, hands, weight = "") =>
      `${hands}:${condition}${weight}`))
    .join(",");
}
