/** The equities of the spot, which the rows of players show whatever tab is open. */

import { Asker } from "./api.js";
import { afterPause } from "./dom.js";
import { givenPlayers, spotFields } from "./question.js";

/**
 * @typedef {Object} Headline
 * @property {string} key  the question that is answered, as text; "" if there is none
 * @property {boolean} isBusy
 * @property {number} done  from 0 to 1
 * @property {number[]} numbers  the number on the page of each player of the answer
 * @property {any} reply
 * @property {import("./api.js").Problem|null} problem
 */

/** Precisions that can be chosen, by name; fields of the question. */
export const PRECISIONS = {
  "": {},
  quick: { error: 0.002 },
  fine: { error: 0.0001 },
  exact: { exact: true },
};
/** Those who type go on within this time. */
const PAUSE = 250;

/** @returns {Headline} */
export function noHeadline() {
  return { key: "", isBusy: false, done: 0, numbers: [], reply: null, problem: null };
}

/** What the headline asks. @param {import("./question.js").Question} question */
export function headlineFields(question) {
  return { ...spotFields(question), ...PRECISIONS[question.options["equity.precision"] ?? ""] };
}

/** Keep the equities of the spot up to date. @param {import("./store.js").Store} store */
export function keepHeadline(store) {
  const asker = new Asker();
  const set = (parts) => store.set({ headline: { ...store.get().headline, ...parts } });
  const ask = () => {
    const fields = headlineFields(store.get().question);
    asker.ask("odds", fields, {
      onProgress: (told) => set({ done: told.done, ...(told.answer ? { reply: told } : {}) }),
      onAnswer: (reply) => set({ isBusy: false, done: 1, reply }),
      onError: (problem) => set({ isBusy: false, reply: null, problem }),
    });
  };
  const askSoon = afterPause(ask, PAUSE);
  const follow = (state, before, { isTyped } = {}) => {
    if (before && state.question === before.question) return;
    const { texts, numbers } = givenPlayers(state.question);
    const fields = headlineFields(state.question);
    const key = texts.length < 2 ? "" : JSON.stringify([fields, numbers]);
    if (key === state.headline.key) return;
    asker.cancel();
    askSoon.cancel();
    if (!key) return store.set({ headline: noHeadline() });
    const kept = asker.kept("odds", fields);
    if (kept) return set({ key, numbers, isBusy: false, done: 1, reply: kept, problem: null });
    // The old answer stays, dimmed, while the same players wait for a new one.
    const isSame = String(numbers) === String(state.headline.numbers);
    const reply = isSame ? state.headline.reply : null;
    set({ key, numbers, isBusy: true, done: 0, reply, problem: null });
    (isTyped ? askSoon : ask)();
  };
  store.subscribe(follow);
  follow(store.get(), null);
}
