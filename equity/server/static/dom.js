/** Elements of the page: made, filled and found. */

/**
 * Make an element.
 *
 * Keys that begin with "on" are listeners, "dataset" is an object, `false`, `null` and
 * `undefined` leave an attribute out. Styles are classes: the server forbids others.
 *
 * @param {string} name
 * @param {Object<string, *>} [attributes]
 * @param {...(Node|string|null)} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The element of the page with an id. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Whether keys that are typed go to an element as text. @param {EventTarget|null} target */
export function takesText(target) {
  return target instanceof HTMLElement && (
    target.matches("textarea, select, input:not([type=checkbox], [type=range], [type=file])")
  );
}

/**
 * A function that runs after a pause in which it is not called again.
 *
 * @param {(...given: any[]) => void} run
 * @param {number} milliseconds
 */
export function afterPause(run, milliseconds) {
  let timer = 0;
  const later = (/** @type {any[]} */ ...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...given), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}
