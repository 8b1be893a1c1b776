/** Puts the page together: the parts follow the store, and the store the address. */

import { keepAddress } from "./address.js";
import { answerPanel } from "./answer.js";
import { ApiError, ask } from "./api.js";
import { boardField, cardField } from "./board.js";
import { deck } from "./deck.js";
import { afterPause, byId, h } from "./dom.js";
import { nextField } from "./fields.js";
import { keepHeadline, noHeadline } from "./headline.js";
import { clearAll, listenToKeys } from "./keys.js";
import { optionsBar } from "./options.js";
import { players } from "./players.js";
import { problemNode } from "./problem.js";
import { fitter, parseAddress } from "./question.js";
import { saveBar } from "./save.js";
import { spoken } from "./spoken.js";
import { createStore } from "./store.js";
import { tabs } from "./tabs.js";
import { themeSwitch } from "./theme.js";
import { findView } from "./views.js";

/** The choice of the game. */
function gameSelect(store, games) {
  const select = byId("game");
  select.append(...games.map(({ name, title }) => h("option", { value: name }, title)));
  select.addEventListener("change", () => store.ask({ game: select.value }, { isStep: true }));
  return { update: ({ question }) => { select.value = question.game; } };
}

/** A line that appears for some seconds. */
function toast() {
  const node = byId("toast");
  const hide = afterPause(() => node.replaceChildren(), 4000);
  return (text) => {
    node.textContent = text;
    hide();
  };
}

function start(games) {
  const store = createStore({
    question: parseAddress(location.search), active: "p0", isPicking: false, headline: noHeadline(),
  }, fitter(games));
  const panel = byId("answer");
  const say = toast();
  const saves = saveBar(store, panel, say);
  const speak = afterPause((text) => { byId("spoken").textContent = text; }, 600);
  const showDone = ({ isBusy, done }) => {
    byId("progress").hidden = !isBusy;
    byId("progress").classList.toggle("unknown", done === 0);
    byId("progress").firstElementChild.style.width = `${100 * done}%`;
  };
  const answer = answerPanel(store, panel, (shown) => {
    saves.update(shown);
    showDone(shown);
    speak(spoken(shown, findView(store.get().question.view).title));
  });
  const rows = players(store);
  const board = boardField(store);
  const dead = cardField(store, "dead", "Dead cards", "folded cards, say");
  const cards = deck(store);
  const options = optionsBar(store, answer.run);
  const views = tabs(store, panel);
  byId("spot").append(rows.node, board.node, dead.node, cards.node);
  byId("views").prepend(views.node, options.node);
  byId("views").append(saves.node);
  const parts = [gameSelect(store, games), rows, board, dead, cards, views, options, answer];
  const update = (state, before, how) => {
    const target = nextField(state.question, state.active);
    for (const part of parts) part.update({ ...state, target }, before, how);
  };
  store.subscribe(update);
  keepAddress(store);
  update(store.get(), null);
  keepHeadline(store);
  listenToKeys(store);
  byId("clear").addEventListener("click", () => clearAll(store));
  byId("help-button").addEventListener("click", () => byId("help").showModal());
}

themeSwitch(byId("theme"));
try {
  const { answer } = await ask("games", {});
  start(answer);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  byId("answer").append(h("div", { class: "trouble" }, problemNode(error.problem)));
}
