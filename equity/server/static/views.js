/** The table of tabs: what each asks, what it needs, and what its options are. */

import { boardSize, chosen, given, ofWhom, opponent, option, over, subject, whole } from "./asked.js";
import { readCards } from "./cards.js";
import { toggled, withCondition } from "./conditions.js";
import { SECOND_BOARD } from "./fields.js";
import { lacksBoard, lacksPlayers, lacksTwo } from "./lacks.js";
import { MONEY_OPTIONS, lacksMoney, mode, moneyFields } from "./money.js";
import { givenPlayers, spotFields } from "./question.js";
import { PQL_EXAMPLES, spotQuery } from "./queries.js";

/**
 * @typedef {import("./question.js").Question} Question
 * @typedef {import("./lacks.js").Lack} Lack
 *
 * @typedef {Object} Option  a field of a tab
 * @property {string} name
 * @property {string} label
 * @property {"select"|"text"|"number"|"check"|"cards"|"area"|"document"} kind
 * @property {[string, string][]|((question: Question) => [string, string][])} [choices]
 * @property {string} [placeholder]
 * @property {(question: Question) => boolean} [when]  whether it is of use
 *
 * @typedef {Object} View
 * @property {string} id
 * @property {string} title
 * @property {string} about  what it shows, a line
 * @property {string} path  the operation that it asks
 * @property {(question: Question) => Lack|null} lacks
 * @property {(question: Question) => Object} fields  of the operation
 * @property {(question: Question) => string} [pathOf]  the operation, if it depends
 * @property {Option[]} [options]
 * @property {boolean} [isAsked]  whether a button asks; others answer by themselves
 * @property {boolean} [isOwn]  whether it has nothing to do with the spot
 * @property {(question: Question, condition: string) => Partial<Question>} [onCondition]  what a
 *   click on a class of hands changes
 * @property {(question: Question) => [string, string][]} [examples]  names and texts
 */

/** How several boards are dealt. */
const runs = (question) => option(question, "boards.runs") || "2";

/** The format of a table of spots: lines of JSON, or CSV. @param {string} text */
const formatOf = (text) => (/^\s*[[{]/.test(text) ? "jsonl" : "csv");

/** @type {View[]} */
export const VIEWS = [
  {
    id: "equity",
    title: "Equity",
    about: "Each player's share of the pot",
    path: "odds",
    lacks: (question) => lacksPlayers(question, 2),
    // The headline asks for all tabs.
    fields: spotFields,
    options: [
      {
        name: "precision",
        label: "Precision",
        kind: "select",
        when: (question) => givenPlayers(question).texts.length > 1,
        choices: [
          ["", "usual: exact, or \u00b10.05 %"],
          ["quick", "quick: \u00b10.2 %"],
          ["fine", "fine: \u00b10.01 %"],
          ["exact", "exact, however long"],
        ],
      },
    ],
  },
  {
    id: "streets",
    title: "Streets",
    about: "Equity on each street of this board",
    path: "views/streets",
    lacks: (question) => lacksPlayers(question, 2)
      ?? lacksBoard(question, [3, 4, 5], "Streets need a flop, at least."),
    fields: spotFields,
  },
  {
    id: "next",
    title: "Next card",
    about: "What each card does to player 1; click one to deal it",
    path: "views/next",
    lacks: (question) => lacksPlayers(question, 2) ?? lacksBoard(
      question, [3, 4], "The next card needs a flop or a turn, and a card still to come."),
    fields: (question) => ({
      ...spotFields(question),
      ...(option(question, "next.two") && boardSize(question) === 3 ? { two: true } : {}),
    }),
    options: [
      {
        name: "two",
        label: "turn and river together",
        kind: "check",
        when: (question) => boardSize(question) === 3,
      },
    ],
  },
  {
    id: "graph",
    title: "Graph",
    about: "How equity is spread over hands of a range, or over boards",
    path: "views/graph",
    lacks: (question) => lacksPlayers(question, 2)
      ?? (over(question) ? lacksBoard(question, [0, 3, 4],
        "All cards are out: there is one board left, and nothing to spread over.") : null),
    fields: (question) => ({
      ...spotFields(question),
      ...given({ over: over(question), best: whole(option(question, "graph.best")),
        worst: whole(option(question, "graph.best")) }),
    }),
    options: [
      {
        name: "over",
        label: "Over",
        kind: "select",
        choices: [["", "what fits"], ["combos", "hands of the ranges"], ["flops", "flops"],
          ["turns", "turns"], ["rivers", "rivers"]],
      },
      {
        name: "best",
        label: "Best and worst hands",
        kind: "number",
        placeholder: "0",
        when: (question) => !over(question),
      },
    ],
  },
  {
    id: "texture",
    title: "Texture",
    about: "What a range has on this board; click a class to keep only it",
    path: "range/texture",
    lacks: (question) => lacksPlayers(question, 1)
      ?? lacksBoard(question, [3, 4, 5], "Texture needs a board: three cards, at least."),
    fields: (question) => {
      const { players: _, ...spot } = spotFields(question);
      const expression = question.players[subject(question, "texture")].trim();
      return { expression, ...spot, ...given({ against: opponent(question, "texture") }) };
    },
    options: ofWhom("texture"),
    onCondition: (question, condition) => {
      const at = subject(question, "texture");
      const range = withCondition(question.players[at].trim(), condition);
      return { players: question.players.with(at, range) };
    },
  },
  {
    id: "flops",
    title: "Flops",
    about: "What a hand or a range makes on the boards to come; click lines to add them up",
    path: "views/flops",
    lacks: (question) => lacksPlayers(question, 1) ?? (boardSize(question) === 5
      ? lacksBoard(question, [4], "All cards are out.")
      : lacksBoard(question, [0, 1, 2, 3, 4], "")),
    fields: (question) => {
      const hand = question.players[subject(question, "flops")].trim();
      const against = opponent(question, "flops");
      return {
        ...spotFields(question),
        players: [hand],
        ...given({ against }),
        ...chosen(question, "flops", ["by", "at_least", ...(against ? ["levels"] : [])]),
      };
    },
    options: [
      ...ofWhom("flops"),
      {
        name: "by",
        label: "Split by",
        kind: "select",
        choices: [["", "nothing"], ["suits", "suits"], ["pairs", "pairs"], ["high", "high card"]],
      },
      { name: "at_least", label: "At least", kind: "text", placeholder: "@SET,@NFD,@WRAP13+" },
      {
        name: "levels",
        label: "Equity levels",
        kind: "text",
        placeholder: "45,65",
        when: (question) => Boolean(opponent(question, "flops")),
      },
    ],
    onCondition: (question, condition) => {
      const wanted = toggled(option(question, "flops.at_least"), condition);
      return { options: { ...question.options, "flops.at_least": wanted } };
    },
  },
  {
    id: "blockers",
    title: "Blockers",
    about: "How the cards of a hand, and dead cards, change a range",
    path: "views/blockers",
    lacks: (question) => {
      const lack = lacksTwo(question, "Blockers are of one hand against one range: take away all"
        + " other players.") ?? lacksBoard(question, [0, 3, 4, 5], "Blockers need a whole flop.");
      if (lack) return lack;
      const [hand, range] = givenPlayers(question).texts.map((text) => readCards(text) !== null);
      if (hand && !range) return null;
      const text = "Blockers are of a known hand, player 1, against a range, player 2.";
      const change = ({ players: [first, second] }) => ({ players: [second, first] });
      return !hand && range ? { text, label: "Exchange the players", change } : { text };
    },
    fields: spotFields,
  },
  {
    id: "boards",
    title: "Two boards",
    about: "Run it twice or three times, or play two boards at once",
    path: "odds",
    lacks: (question) => lacksPlayers(question, 2) ?? (runs(question) === "board"
      ? null : lacksBoard(question, [0, 3, 4], "All cards are out: nothing is left to run.")),
    fields: (question) => ({
      ...spotFields(question),
      ...(runs(question) === "board"
        ? { board2: option(question, SECOND_BOARD) } : { runs: Number(runs(question)) }),
    }),
    options: [
      {
        name: "runs",
        label: "Boards",
        kind: "select",
        choices: [["", "run it twice"], ["3", "run it three times"], ["board", "two boards"]],
      },
      {
        name: "board2",
        label: "Second board",
        kind: "cards",
        when: (question) => runs(question) === "board",
      },
    ],
  },
  {
    id: "money",
    title: "Money",
    about: "Side pots and rake, the price of a call, pot-limit raises",
    path: "odds",
    pathOf: (question) => (mode(question) === "limit" ? "potlimit" : "odds"),
    lacks: lacksMoney,
    fields: moneyFields,
    options: MONEY_OPTIONS,
  },
  {
    id: "pql",
    title: "PQL",
    about: "Any question about deals, in the query language",
    path: "pql",
    lacks: (question) =>
      (option(question, "pql.query") ? null : { text: "Write a query, or take an example." }),
    fields: (question) => given({
      query: option(question, "pql.query"),
      ordering: question.ordering,
    }),
    options: [
      {
        name: "query",
        label: "Query",
        kind: "area",
        placeholder: "select avg(riverEquity(hero)) from game='omahahi', hero='AhAsKhKs', villain='*'",
      },
    ],
    isAsked: true,
    isOwn: true,
    examples: (question) => [...spotQuery(question), ...PQL_EXAMPLES],
  },
  {
    id: "batch",
    title: "Batch",
    about: "A table of spots in, a table of answers out",
    path: "batch",
    lacks: (question) => (option(question, "batch.text")
      ? null : { text: "Choose a file, or paste a table: hero, villain and board are columns." }),
    fields: (question) => {
      const text = question.options["batch.text"] ?? "";
      const { game, ordering } = question;
      return { text, format: formatOf(text), ...given({ game, ordering }) };
    },
    options: [
      {
        name: "text",
        label: "Spots, as CSV or lines of JSON",
        kind: "document",
        placeholder: "hero,villain,board\nAhAsKhKs,9c8c7d6d,Th7h2c\nAA:xxyy,10%,",
      },
    ],
    isAsked: true,
    isOwn: true,
  },
  {
    id: "hands",
    title: "Hands",
    about: "Hand histories in; all-in equity, and luck, out",
    path: "hands",
    lacks: (question) => (option(question, "hands.text")
      ? null : { text: "Choose a file of hands, or paste some: PokerStars, GGPoker, OHH, PHH." }),
    fields: (question) => ({
      text: question.options["hands.text"] ?? "",
      ...chosen(question, "hands", ["player"]),
    }),
    options: [
      {
        name: "text",
        label: "Hand histories",
        kind: "document",
        placeholder: "PokerStars Hand #1: Omaha Pot Limit ($1/$2) ...",
      },
      { name: "player", label: "Player, for the graph", kind: "text", placeholder: "Hero" },
    ],
    isAsked: true,
    isOwn: true,
  },
];

/** The tab of a name; the first one for a name that is none. @param {string} id */
export const findView = (id) => VIEWS.find((view) => view.id === id) ?? VIEWS[0];
