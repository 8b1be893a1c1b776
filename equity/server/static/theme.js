/** Light or dark: as the system has it, or as a switch was set. */

const KEY = "equity-theme";
const ORDER = ["", "light", "dark"];
const NAMES = { "": "as the system", light: "light", dark: "dark" };

/** The theme that was chosen before; none where a browser keeps nothing. */
function kept() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {HTMLButtonElement} button */
export function themeSwitch(button) {
  const show = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    button.title = `Colours: ${NAMES[theme]}`;
    button.setAttribute("aria-label", button.title);
    button.dataset.theme = theme || "auto";
  };
  let theme = ORDER.includes(kept()) ? kept() : "";
  show(theme);
  button.addEventListener("click", () => {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
    show(theme);
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // It is forgotten with the page.
    }
  });
}
