/** The facts of a range while it is typed: how many combos it has, or what is wrong with it. */

import { ApiError, ask } from "./api.js";
import { readCards } from "./cards.js";
import { afterPause } from "./dom.js";
import { isShort } from "./question.js";

const PAUSE = 250;

/**
 * Follows the text of a player.
 *
 * @param {(facts: any, problem: import("./api.js").Problem|null) => void} tell  called with the
 *   facts, with a problem, or with neither for a known hand
 */
export function rangeFacts(tell) {
  let key = "";
  let running = new AbortController();
  const fetchFacts = async (fields) => {
    const { signal } = (running = new AbortController());
    try {
      const { answer } = await ask("range", fields, { signal });
      if (!signal.aborted) tell(answer, null);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      tell(null, error.problem);
    }
  };
  const fetchSoon = afterPause(fetchFacts, PAUSE);
  return {
    /**
     * @param {import("./question.js").Question} question
     * @param {number} at  the number of the player
     * @param {boolean} isTyped
     */
    follow(question, at, isTyped) {
      const text = question.players[at];
      const { game, board, dead, ordering } = question;
      const fields = { expression: text.trim(), game, board, dead };
      if (ordering) fields.ordering = ordering;
      const isHand = readCards(text)?.length === question.hole || isShort(question, at);
      const asked = isHand || !fields.expression ? "" : JSON.stringify(fields);
      if (asked === key) return;
      key = asked;
      running.abort();
      if (!asked) {
        fetchSoon.cancel();
        tell(null, null);
      } else (isTyped ? fetchSoon : fetchFacts)(fields);
    },
  };
}

/** The facts as a line. @param {any} facts */
export function factsLine({ combos, live, share }) {
  const count = (number) => number.toLocaleString("en");
  if (live !== combos) return `${count(live)} of ${count(combos)} combos`;
  return `${count(combos)} combos, ${(100 * share).toPrecision(3)} %`;
}
