/** Buttons that copy and save what is shown. */

import { ApiError, ask } from "./api.js";
import { h } from "./dom.js";
import { pictureOf, pngOf } from "./picture.js";
import { formatAddress, givenPlayers, spotFields } from "./question.js";

/**
 * @param {import("./store.js").Store} store
 * @param {HTMLElement} answer  the element with the answer
 * @param {(text: string) => void} say
 */
export function saveBar(store, answer, say) {
  /** @type {import("./answer.js").Shown|null} */
  let shown = null;
  const copyField = (name, what) => () => copy(shown.reply[name], what, say);
  const saveData = (form) => async () =>
    {
    const { text } = await ask(shown.path, shown.fields, { form });
    save(text, `equity.${form}`, TYPES[form]);
  };
  const saveLines = () => save(
    [shown.reply.answer].flat().map((one) => JSON.stringify(one)).join("\n") + "\n",
    "equity.jsonl", TYPES.jsonl);
  const picture = () => pictureOf(answer.querySelector("article"));
  /** What each button is called, what it does, and when it is of use. */
  const rows = [
    ["Copy", "link", () => copy(linkTo(store.get().question), "the link", say), () => true],
    ["Copy", "command", copyField("command", "the command"), () => shown.reply?.command],
    ["Copy", "Python", copyField("python", "the call"), () => shown.reply?.python],
    ["Save", "PNG", async () => save(await pngOf(picture()), "equity.png"), () => shown.reply],
    ["Save", "SVG", () => save(picture().text, "equity.svg", TYPES.svg), () => shown.reply],
    ["Save", "CSV", saveData("csv"), () => shown.reply],
    ["Save", "JSON", saveLines, () => shown.reply],
    ["Save", "report", () => saveReport(store.get().question), (question) =>
      givenPlayers(question).texts.length > 1],
  ];
  const buttons = rows.map(([verb, what, act]) => h("button", {
    type: "button",
    class: "small",
    "aria-label": `${verb} ${what}`,
    onclick: () => Promise.resolve().then(act).catch((error) => say(reason(error))),
  }, what));
  const group = (verb) => h("span", { class: "group" }, h("span", { class: "soft" }, verb),
    ...buttons.filter((_, at) => rows[at][0] === verb));
  return {
    node: h("div", { class: "save" }, group("Copy"), group("Save")),
    /** @param {import("./answer.js").Shown} now */
    update(now) {
      shown = now;
      rows.forEach(([, , , isUseful], at) => {
        buttons[at].hidden = !isUseful(store.get().question);
      });
    },
  };
}

const TYPES = { csv: "text/csv", jsonl: "application/x-ndjson", svg: "image/svg+xml", html: "text/html" };

/** @param {import("./question.js").Question} question */
const linkTo = (question) => location.origin + location.pathname + formatAddress(question);

/** What an error says to those who wanted to save. */
function reason(error) {
  if (error instanceof ApiError) return [error.problem.problem, error.problem.hint].filter(Boolean).join(". ");
  return `It did not work: ${error.message}`;
}

/** Put text on the clipboard. */
async function copy(text, what, say) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Over plain HTTP, or without leave, there is the old way.
    const area = h("textarea", { class: "vh" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`Copied ${what}: ${text.length > 60 ? `${text.slice(0, 60)} ...` : text}`);
}

/** Save a file. @param {string|Blob} data @param {string} name @param {string} [type] */
function save(data, name, type) {
  const blob = data instanceof Blob ? data : new Blob([data], { type });
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Save a page with all views of the spot. */
async function saveReport(question) {
  const { answer } = await ask("report", spotFields(question));
  save(answer.html, "equity-report.html", TYPES.html);
}
