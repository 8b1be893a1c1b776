/** A picture of an answer: the elements of the page drawn as one SVG, with their colours in it. */

const NAMESPACE = "http://www.w3.org/2000/svg";
const MARGIN = 16;
/** Properties of shapes that style sheets set. */
const PAINTED = ["fill", "stroke", "stroke-width", "opacity", "font", "text-anchor"];
/** Pixels of a PNG for each of the page. */
const SCALE = 2;

/**
 * Draw an element.
 *
 * @param {HTMLElement} article
 * @returns {{text: string, width: number, height: number}}
 */
export function pictureOf(article) {
  // A picture says what it is about; on the page the spot stands beside the answer.
  article.classList.add("whole");
  try {
    return drawn(article);
  } finally {
    article.classList.remove("whole");
  }
}

/** @param {HTMLElement} article */
function drawn(article) {
  const frame = article.getBoundingClientRect();
  const inside = [...article.querySelectorAll(".scroll")].map((box) => box.scrollWidth);
  const width = Math.ceil(Math.max(frame.width, ...inside)) + 2 * MARGIN;
  const height = Math.ceil(frame.height) + 2 * MARGIN;
  const root = make("svg", { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}` });
  root.append(make("rect", { width, height, fill: colourOf(article, "background-color") }));
  const at = (box) => ({ x: box.left - frame.left + MARGIN, y: box.top - frame.top + MARGIN });
  walk(article, root, at);
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

function make(name, attributes) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

const colourOf = (element, name) => getComputedStyle(element).getPropertyValue(name);

/** Draw what is below an element, in the order of the page. */
function walk(element, root, at) {
  for (const child of element.childNodes) {
    if (child instanceof SVGSVGElement) root.append(drawChart(child, at));
    else if (child instanceof HTMLElement && child.getClientRects().length) {
      drawBox(child, root, at);
      if (child.matches("ol > li")) drawNumber(child, root, at);
      walk(child, root, at);
    } else if (child instanceof Text) drawText(child, root, at);
  }
}

/** The background of an element, and the line above it. */
function drawBox(element, root, at) {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const place = { ...at(box), width: box.width };
  const fill = style.backgroundColor;
  if (!/^rgba\(.*, 0\)$|^transparent$/.test(fill)) {
    root.append(make("rect", { ...place, height: box.height, fill, rx: parseFloat(style.borderRadius) || 0 }));
  }
  const line = parseFloat(style.borderTopWidth);
  if (line) root.append(make("rect", { ...place, height: line, fill: style.borderTopColor }));
}

/** Text where it stands, line by line. */
function drawText(node, root, at) {
  const style = getComputedStyle(node.parentElement);
  const range = document.createRange();
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    const { x, y } = at(box);
    root.append(write(word, style, { x, y: y + box.height / 2 }));
  }
}

/** The number of an entry of a list, which is not in the text. */
function drawNumber(entry, root, at) {
  const number = [...entry.parentElement.children].indexOf(entry) + 1;
  const first = entry.querySelector(".who, .cards, .range") ?? entry;
  const box = first.getBoundingClientRect();
  const { x } = at(entry.parentElement.getBoundingClientRect());
  const place = { x, y: at(box).y + box.height / 2 };
  root.append(write(String(number), getComputedStyle(entry), place));
}

/** A word in the style of an element. */
function write(word, style, place) {
  const text = make("text", {
    ...place, fill: style.color, "dominant-baseline": "central",
    "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight,
  });
  text.textContent = word;
  return text;
}

/** A chart of the answer, with the colours of the style sheet in it. */
function drawChart(chart, at) {
  const box = chart.getBoundingClientRect();
  const copy = chart.cloneNode(true);
  const copies = copy.querySelectorAll("*");
  chart.querySelectorAll("*").forEach((shape, number) => {
    const style = getComputedStyle(shape);
    for (const name of PAINTED) {
      const value = style.getPropertyValue(name);
      if (name === "font") copies[number].setAttribute("font-size", style.fontSize);
      else copies[number].setAttribute(name, value);
    }
    if (shape instanceof SVGTextElement) copies[number].setAttribute("font-family", style.fontFamily);
  });
  const place = { ...at(box), width: box.width, height: box.height, overflow: "visible" };
  for (const [key, value] of Object.entries(place)) copy.setAttribute(key, String(value));
  return copy;
}

/**
 * A picture as a PNG.
 *
 * @param {{text: string, width: number, height: number}} picture
 * @returns {Promise<Blob>}
 */
export async function pngOf({ text, width, height }) {
  const image = new Image();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * width, SCALE * height];
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob(
    (blob) => (blob ? done(blob) : fail(new Error("the picture is too large"))), "image/png"));
}
