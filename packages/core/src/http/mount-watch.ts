import type { MissedRequest, MountDiagnostics } from "../ports/mountable.ts";
import { nodeChannels } from "../wire/platform.ts";
import { urlOf } from "./request-url.ts";

/** The mount that a {@link MountWatch} watches. */
interface WatchOptions {
  /** The variable of the Mountable in code: "gateway". */
  readonly name: string;
  /** The prefix that `fetch` assumes. */
  readonly basePath: string;
  /** Whether a path inside the mount is that of an endpoint. */
  isEndpoint(method: string, path: string): boolean;
}

type Line = (prefix: string, name: string) => string;

/** Knows which methods have reached a mount at which prefix, and warns about requests that miss it. */
export class MountWatch implements MountDiagnostics, WatchedMount {
  readonly #options: WatchOptions;
  /** The prefix at which requests have first reached it, by their method. */
  readonly #reached = new Map<string, string>();
  readonly #printed = new Set<string>();
  #line: Line = fetchLine;
  #at: string | undefined;
  isDone = true;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#at = options.basePath;
  }

  /** Starts to warn about requests that miss the mount. */
  start(): void {
    this.isDone = false;
    watchForMissed(this);
  }

  describeMount(line: Line, at?: string): void {
    this.#line = line;
    this.#at = at;
  }

  missed(request: MissedRequest): void {
    reportMissed(request, this);
  }

  /** A request has reached the endpoint at `path`, the end of its URL. Needs to be called only until the watch is done. */
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

/** A mount of this process, as seen by the search for the one that a request has missed. */
export interface WatchedMount {
  /** True once a POST has reached it, or it has warned. */
  readonly isDone: boolean;
  /** True if no request with this method has reached it yet. */
  awaits(method: string): boolean;
  /** True if requests with this method have reached it at the prefix of this path. */
  serves(method: string, path: string): boolean;
  /** Returns the endpoint with which a path ends; undefined for none. */
  endpointIn(method: string, path: string): string | undefined;
  warnMissed(method: string, path: string, endpoint: string): void;
}

/**
 * All mounts of the process. Those that are done stay, because a 404 of theirs must not count as missing another. The references are weak,
 * because a host may replace its gateways.
 */
const mounts = new Set<WeakRef<WatchedMount>>();
let isObserving = false;

/** Observes the requests of this process until a mount is done. */
export function watchForMissed(mount: WatchedMount): void {
  mounts.add(new WeakRef(mount));
  observe(true);
}

/** Stops observing when all mounts are done, so that responses cost nothing. */
export function stopIfDone(): void {
  if (livingMounts().every(({ isDone }) => isDone)) observe(false);
}

/**
 * Lets the mount warn that a request has missed: the one whose endpoint is the longest end of the path, and of several the
 * one that the request came to. Only a request with a key counts, since scanners try many paths without.
 */
export function reportMissed(request: MissedRequest, passed?: WatchedMount): void {
  const living = livingMounts();
  if (living.every(({ isDone }) => isDone) || request.url.length > maxUrlLength) return;
  if (request.header("authorization") === undefined && request.header("x-api-key") === undefined) return;
  const { method } = request;
  const { pathname } = urlOf(request.url);
  const found = living
    .map((mount) => ({ mount, endpoint: mount.endpointIn(method, pathname) ?? "" }))
    .filter(({ endpoint }) => endpoint !== "");
  const longest = Math.max(...found.map(({ endpoint }) => endpoint.length));
  const best = found.filter(({ endpoint }) => endpoint.length === longest);
  if (best.some(({ mount }) => mount.serves(method, pathname))) return;
  const candidates = best.filter(({ mount }) => !mount.isDone && mount.awaits(method));
  const missed = candidates.find(({ mount }) => mount === passed) ?? candidates[0];
  missed?.mount.warnMissed(method, pathname, missed.endpoint);
}

/** The search looks at every end of a path, so its cost grows with the square of the length. */
const maxUrlLength = 512;

function livingMounts(): readonly WatchedMount[] {
  return [...mounts].flatMap((reference) => {
    const mount = reference.deref();
    if (mount === undefined) mounts.delete(reference);
    return mount ?? [];
  });
}

/** Node publishes each response of node:http when it is finished. */
function observe(wanted: boolean): void {
  if (wanted === isObserving) return;
  isObserving = wanted;
  if (wanted) nodeChannels?.subscribe(finished, onFinished);
  else nodeChannels?.unsubscribe(finished, onFinished);
}

const finished = "http.server.response.finish";

function onFinished({ request, response }: FinishedResponse): void {
  if (response.statusCode !== 404) return;
  const { method = "GET", url = "/", originalUrl, headers } = request;
  // Frameworks that remove the prefix of a mount from `url` keep the whole in `originalUrl`.
  reportMissed({ method, url: originalUrl ?? url, header: (name) => headers[name] });
  stopIfDone();
}

/** The used part of the message on Node's channel. */
interface FinishedResponse {
  readonly request: {
    readonly method?: string;
    readonly url?: string;
    readonly originalUrl?: string;
    readonly headers: Readonly<Record<string, unknown>>;
  };
  readonly response: { readonly statusCode: number };
}
