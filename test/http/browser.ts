/** A response as a page may read it. */
export interface PageAnswer {
  readonly status: number;
  readonly body: string;
  /** The headers that the page may read, by their lower-case names. */
  readonly readable: Readonly<Record<string, string>>;
}

/** Sends requests as a page of an origin does, with the CORS protocol of the Fetch Standard and without credentials. */
export class Browser {
  readonly #origin: string;
  preflights = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Rejects, as `fetch` in a browser does, if the preflight fails or the page may not read the response. */
  async fetch(
    url: string,
    init: { readonly method?: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<PageAnswer> {
    const { method = "GET", headers, body = null } = init;
    const unsafe = Object.keys(headers).filter((name) => name !== "content-type" || headers[name] !== "text/plain");
    if (unsafe.length > 0 || !safeMethods.includes(method)) await this.#preflight(url, method, unsafe.sort());
    const answer = await fetch(url, { method, headers: { ...headers, origin: this.#origin }, body });
    if (!this.#allows(answer)) throw new TypeError("The page may not read the answer.");
    const exposed = listOf(answer.headers.get("access-control-expose-headers"));
    const readable = [...answer.headers].filter(([name]) => safeHeaders.includes(name) || exposed.includes(name));
    return { status: answer.status, body: await answer.text(), readable: Object.fromEntries(readable) };
  }

  async #preflight(url: string, method: string, unsafe: readonly string[]): Promise<void> {
    this.preflights++;
    const headers = {
      origin: this.#origin,
      "access-control-request-method": method,
      "access-control-request-headers": unsafe.join(","),
    };
    const answer = await fetch(url, { method: "OPTIONS", headers });
    const methods = (answer.headers.get("access-control-allow-methods") ?? "").split(/, */);
    const allowed = listOf(answer.headers.get("access-control-allow-headers"));
    // A wildcard never covers Authorization.
    const covers = (name: string) => allowed.includes(name) || (allowed.includes("*") && name !== "authorization");
    const granted = safeMethods.includes(method) || methods.includes(method);
    if (!answer.ok || !this.#allows(answer) || !granted || !unsafe.every(covers))
      throw new TypeError(`The preflight of ${method} was refused.`);
  }

  #allows({ headers }: Response): boolean {
    const allowed = headers.get("access-control-allow-origin");
    return allowed === "*" || allowed === this.#origin;
  }
}

const safeMethods = ["GET", "HEAD", "POST"];

/** The headers that a page may always read. */
const safeHeaders = ["cache-control", "content-language", "content-length", "content-type", "expires", "last-modified"];

const listOf = (value: string | null): string[] => (value ?? "").toLowerCase().split(/, */);
