/** The players of the spot, from two to as many as the game has cards for. */

import { h } from "./dom.js";
import { playerRow } from "./player.js";

/**
 * @param {import("./store.js").Store} store
 * @param {Map<string, any>} games
 */
export function players(store, games) {
  const list = h("div", { class: "rows" });
  const add = h("button", { type: "button", class: "quiet", onclick: () => addPlayer(store, games) },
    "+ Add a player");
  const rows = [];
  return {
    node: h("div", { class: "players-box" }, list, add),
    update(state, _, how = {}) {
      const count = state.question.players.length;
      while (rows.length > count) rows.pop().node.remove();
      while (rows.length < count) {
        rows.push(playerRow(store, rows.length, games));
        list.append(rows[rows.length - 1].node);
      }
      for (const row of rows) row.update(state, how);
      add.hidden = count >= games.get(state.question.game).max_players;
    },
  };
}

/** Make room for one more player, and let cards go there. */
export function addPlayer(store, games) {
  const { players: now, game } = store.get().question;
  if (now.length >= games.get(game).max_players) return;
  store.ask({ players: [...now, ""] });
  store.set({ active: `p${now.length}` });
}
