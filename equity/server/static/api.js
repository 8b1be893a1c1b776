/** Questions to the server: answers, streams of them, and errors. */

/**
 * @typedef {Object} Problem  what an error says
 * @property {string} problem
 * @property {string} [place]
 * @property {string} [hint]
 * @property {string|null} [text]
 * @property {number|null} [column]
 */

/** An error that the server, or the way to it, has reported. */
export class ApiError extends Error {
  /** @param {Problem} problem @param {string} kind */
  constructor(problem, kind) {
    super(problem.problem);
    this.problem = problem;
    this.kind = kind;
  }
}

/** The error of a response. @param {Response} response */
async function errorOf(response) {
  const told = await response.json().catch(() => null);
  const problem = told?.error ?? { problem: `the server answers ${response.status}` };
  return new ApiError(problem, told?.kind ?? "unexpected");
}

/**
 * Ask a question, whose answer may become better over time.
 *
 * @param {string} path
 * @param {Object} fields
 * @param {{form?: string, signal?: AbortSignal, onProgress?: (reply: any) => void}} [how]
 * @returns {Promise<any>}  the last reply: answer; html, command and python in the form "html";
 *   text in the form "csv"
 */
export async function ask(path, fields, { form = "json", signal, onProgress = () => {} } = {}) {
  const response = await send(path, fields, form, signal);
  if (!response.ok) throw await errorOf(response);
  for await (const { event, data } of events(response.body)) {
    if (event === "progress") onProgress(data);
    else if (event === "error") throw new ApiError(data.error, data.kind);
    else if (event === "answer") return data;
  }
  throw new ApiError({ problem: "the answer broke off" }, "away");
}

async function send(path, fields, form, signal) {
  try {
    return await fetch(`/api/${path}?form=${form}`, {
      method: "POST",
      // A wrong range is part of a stream, so that the console of the browser stays quiet.
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(fields),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const problem = "the server does not answer";
    throw new ApiError({ problem, hint: "is 'equity serve' still running?" }, "away");
  }
}

/**
 * The server-sent events of a body.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{event: string, data: any}>}
 */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const event = { event: "message", data: "" };
      for (const line of part.split("\n")) {
        const [, field, text] = /^(\w*): ?(.*)$/.exec(line) ?? [];
        if (field === "event") event.event = text;
        else if (field === "data") event.data += text;
      }
      if (event.data) yield { event: event.event, data: JSON.parse(event.data) };
    }
  }
}

/**
 * Asks one question at a time: a new one cancels the one before. Answers are kept for a while.
 */
export class Asker {
  #running = new AbortController();
  /** @type {Map<string, any>} */
  #kept = new Map();

  /** Cancel the question that is being answered. */
  cancel() {
    this.#running.abort();
  }

  /** The answer to a question, if it is kept. @param {string} path @param {Object} fields */
  kept(path, fields) {
    return this.#kept.get(path + JSON.stringify(fields));
  }

  /**
   * @param {string} path
   * @param {Object} fields
   * @param {{onProgress: Function, onAnswer: Function, onError: (problem: Problem) => void}} to
   */
  async ask(path, fields, { onProgress, onAnswer, onError }) {
    this.cancel();
    const { signal } = (this.#running = new AbortController());
    try {
      const reply = await ask(path, fields, {
        form: "html",
        signal,
        onProgress: (told) => signal.aborted || onProgress(told),
      });
      this.#keep(path + JSON.stringify(fields), reply);
      if (!signal.aborted) onAnswer(reply);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      onError(error.problem);
    }
  }

  /** @param {string} key @param {any} reply */
  #keep(key, reply) {
    this.#kept.set(key, reply);
    // The first key is the oldest.
    if (this.#kept.size > 30) this.#kept.delete(this.#kept.keys().next().value);
  }
}
