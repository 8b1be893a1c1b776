/** The answer in words, for those who hear the page. */

/**
 * @param {import("./answer.js").Shown} shown
 * @param {string} title  of the tab
 */
export function spoken({ reply, problem, lack, isBusy }, title) {
  if (lack) return lack.text;
  if (problem) return `${problem.problem}. ${problem.hint ?? ""}`;
  if (!reply || isBusy) return "";
  const { players, exact } = reply.answer;
  if (title !== "Equity" || !players) return `${title}: answered`;
  const shares = players.map(({ range, equity }) => `${range} ${(100 * equity).toFixed(2)} percent`);
  return `${shares.join(", ")}, ${exact ? "exact" : "sampled"}`;
}
