/** The players of the spot, from two to as many as the game has cards for. */

import { h } from "./dom.js";
import { playerRow } from "./player.js";

/** @param {import("./store.js").Store} store */
export function players(store) {
  const list = h("div", { class: "rows" });
  const add = h("button", { type: "button", class: "quiet", onclick: () => addPlayer(store) },
    "+ Add a player");
  const rows = [];
  return {
    node: h("div", { class: "players-box" }, list, add),
    update(state, _, how = {}) {
      const count = state.question.players.length;
      while (rows.length > count) rows.pop().node.remove();
      while (rows.length < count) {
        rows.push(playerRow(store, rows.length));
        list.append(rows[rows.length - 1].node);
      }
      for (const row of rows) row.update(state, how);
      add.hidden = count >= state.question.mostPlayers;
    },
  };
}

/** Make room for one more player, and let cards go there. */
export function addPlayer(store) {
  const { players: now, mostPlayers } = store.get().question;
  if (now.length >= mostPlayers) return;
  store.ask({ players: [...now, ""] });
  store.set({ active: `p${now.length}` });
}
