/** The one place where the page keeps its state. */

/**
 * @typedef {import("./question.js").Question} Question
 * @typedef {import("./headline.js").Headline} Headline
 * @typedef {Object} State
 * @property {Question} question
 * @property {string} active  the field that was chosen last
 * @property {boolean} isPicking  whether the deck is open, where there is no room for it
 * @property {Headline} headline  the equities of the spot
 * @property {string|null} [target]  the field that the next card goes to, told to all parts
 */

/**
 * A store of a state; listeners are called after each change with the state and the one before.
 *
 * @param {State} initial
 * @param {(question: Question) => Question} fit  makes a question fit its game
 */
export function createStore(initial, fit) {
  let state = { ...initial, question: fit(initial.question) };
  const listeners = new Set();
  const put = (/** @type {State} */ next, /** @type {Object} */ how) => {
    const before = state;
    state = next;
    for (const listener of [...listeners]) listener(state, before, how);
  };
  return {
    get: () => state,
    /** Change parts of the state. @param {Partial<State>} parts */
    set: (parts) => put({ ...state, ...parts }, {}),
    /**
     * Change parts of the question.
     *
     * @param {Partial<Question>} parts
     * @param {{isStep?: boolean, isTyped?: boolean}} [how]  a step can be taken back with the
     *   browser's button; what is typed may be followed by more
     */
    ask: (parts, how = {}) =>
      put({ ...state, question: fit({ ...state.question, ...parts }) }, how),
    /** Change an option of a tab. @param {string} key @param {string} value */
    choose(key, value, how = {}) {
      this.ask({ options: { ...state.question.options, [key]: value } }, how);
    },
    /** @param {(state: State, before: State, how: Object) => void} listener */
    subscribe: (listener) => listeners.add(listener),
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
