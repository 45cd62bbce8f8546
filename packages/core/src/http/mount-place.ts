import type { MissedRequest, MountPlace } from "../ports/mountable.ts";
import { reportMissed, stopIfDone, type WatchedMount, watchForMissed } from "./missed-requests.ts";
import { urlOf } from "./request-url.ts";

/** What a place knows about its mount. */
export interface PlaceOptions {
  /** The variable of the Mountable in code: "gateway". */
  readonly name: string;
  /** The prefix that `fetch` assumes. */
  readonly basePath: string;
  /** Whether a path inside the mount is that of an endpoint. */
  isEndpoint(method: string, path: string): boolean;
}

type Line = (prefix: string, name: string) => string;

/** Where a mount is in its host, and which methods have reached it there. */
export class Place implements MountPlace, WatchedMount {
  readonly #options: PlaceOptions;
  /** The prefix at which requests have first reached it, by their method. */
  readonly #reached = new Map<string, string>();
  readonly #printed = new Set<string>();
  #line: Line = fetchLine;
  #at: string | undefined;
  isDone = true;

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.#at = options.basePath;
  }

  /** Starts to warn about requests that miss the mount. */
  watch(): void {
    this.isDone = false;
    watchForMissed(this);
  }

  describe(line: Line, at?: string): void {
    this.#line = line;
    this.#at = at;
  }

  missed(request: MissedRequest): void {
    reportMissed(request, this);
  }

  /** A request has reached the endpoint at `path`, the end of its URL. Needs to be called only until the place is done. */
  reach(method: string, url: string, path: string): void {
    if (this.#reached.has(method)) return;
    this.#reached.set(method, urlOf(url).pathname.slice(0, -path.length));
    if (method !== "POST") return;
    this.isDone = true;
    stopIfDone();
  }

  awaits(method: string): boolean {
    return !this.#reached.has(method);
  }

  serves(method: string, path: string): boolean {
    const prefix = this.#reached.get(method);
    return prefix !== undefined && path.startsWith(`${prefix}/`);
  }

  endpointIn(method: string, path: string): string | undefined {
    for (let at = path.lastIndexOf("/"); at >= 0; at = at === 0 ? -1 : path.lastIndexOf("/", at - 1)) {
      if (this.#options.isEndpoint(method, path.slice(at))) return path.slice(at);
    }
    return undefined;
  }

  warnMissed(method: string, path: string, endpoint: string): void {
    this.isDone = true;
    const { name } = this.#options;
    const at = this.#at === undefined ? "" : `, which is mounted at "${this.#at || "/"}"`;
    const line = this.#line(path.slice(0, path.length - endpoint.length), name);
    this.warn(
      `${method} "${path}" was answered with 404: it did not reach the endpoint "${endpoint}" of \`${name}\`${at}. To serve it there, ${line}, for all methods and before all handlers that answer 404. Otherwise correct the base URL of the client.`,
    );
  }

  warn(text: string): void {
    if (this.#printed.has(text)) return;
    this.#printed.add(text);
    console.warn(`tollgate: ${text}`);
  }
}

/** For hosts that call `fetch` themselves. */
const fetchLine: Line = (prefix, name) =>
  prefix === ""
    ? `as in a framework that removes the prefix from the URL, call ${name}.fetch(request, { basePath: "" })`
    : `pass every method of "${prefix}/*" to ${name}.fetch(request, { basePath: "${prefix}" })`;
