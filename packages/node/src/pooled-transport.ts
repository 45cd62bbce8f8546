import { fetchTransport, type Transport } from "@tollgate/core";
import { requireKnown } from "@tollgate/core/internal";
import { ProviderError, type TransportRequest, type TransportResponse } from "@tollgate/core/provider";
import type { Pool } from "undici";
import { loadPool, type PoolClass } from "./load-pool.ts";
import { UpstreamExchange } from "./upstream-exchange.ts";

/** Options of `pooledTransport`. Durations are in milliseconds. */
export interface PooledTransportOptions {
  /** The timeout of one connection attempt. Default: 5,000. A request never waits longer than its own `connectMs`. */
  readonly connectMs?: number;
  /** The maximum number of connections per origin. Default: unlimited. Waiting for a free one counts as connecting. */
  readonly connections?: number;
  /** How long an idle connection stays open unless the upstream sends a `Keep-Alive` timeout. Default: 30,000. */
  readonly idleMs?: number;
}

/** A Transport that owns its connections and can close them. */
export interface PooledTransport extends Transport {
  /** Waits for running requests, then closes every connection. Later requests fail with `unreachable`. */
  close(): Promise<void>;
  /** Closes every connection at once; running requests fail. */
  destroy(): Promise<void>;
}

/** The client behind a transport: undici pools or `fetch`. */
interface Connections {
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/**
 * The Transport for Node: one undici pool per origin with keep-alive HTTP/1.1 connections. It limits only the time to
 * connect, since the gateway applies all other timeouts. Response bodies are streamed, and decompressed if an upstream
 * compresses them. Where undici cannot be used (Bun, Deno, workerd, undici 8 on Node 20), it uses `fetch` and warns once
 * with `console.warn`. Throws when an option is unknown.
 */
export function pooledTransport(options: PooledTransportOptions = {}): PooledTransport {
  requireKnown("pooledTransport", options, { connectMs: true, connections: true, idleMs: true });
  let connections: Connections | undefined;
  const opening = loadPool().then((Pool) => {
    connections = Pool === undefined ? new FetchConnections() : new Pools(Pool, options);
    return connections;
  });
  const transport = (request: TransportRequest) =>
    connections === undefined ? opening.then((opened) => opened.send(request)) : connections.send(request);
  return Object.assign(transport, {
    // Runs synchronously once the pool is loaded, so that no later request is sent.
    close: () => connections?.close() ?? opening.then((opened) => opened.close()),
    destroy: () => connections?.destroy() ?? opening.then((opened) => opened.destroy()),
  });
}

interface Route {
  readonly pool: Pool;
  readonly path: string;
}

const maxRoutes = 1_000;

class Pools implements Connections {
  readonly #Pool: PoolClass;
  readonly #options: PooledTransportOptions;
  readonly #pools = new Map<string, Pool>();
  /** Cached by URL, since parsing a URL costs more than the rest of `send`. */
  readonly #routes = new Map<string, Route>();
  #ended = false;

  constructor(Pool: PoolClass, options: PooledTransportOptions) {
    this.#Pool = Pool;
    this.#options = options;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      request.signal.throwIfAborted();
      const { pool, path } = this.#routes.get(request.url) ?? this.#addRoute(request.url);
      new UpstreamExchange(request, { resolve, reject }).start(pool, path, request);
    });
  }

  close(): Promise<void> {
    return this.#end((pool) => pool.close());
  }

  destroy(): Promise<void> {
    return this.#end((pool) => pool.destroy());
  }

  async #end(endPool: (pool: Pool) => Promise<void>): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#pools.values()].map(endPool));
  }

  #addRoute(url: string): Route {
    const { origin, pathname, search } = new URL(url);
    const route = { pool: this.#pool(origin), path: pathname + search };
    if (this.#routes.size >= maxRoutes) this.#routes.clear();
    this.#routes.set(url, route);
    return route;
  }

  #pool(origin: string): Pool {
    const pool = this.#pools.get(origin) ?? openPool(this.#Pool, origin, this.#options);
    this.#pools.set(origin, pool);
    if (this.#ended) void pool.destroy();
    return pool;
  }
}

function openPool(
  Pool: PoolClass,
  origin: string,
  { connectMs = 5_000, connections, idleMs = 30_000 }: PooledTransportOptions,
): Pool {
  return new Pool(origin, {
    connections: connections ?? null,
    pipelining: 1,
    // undici 8 would negotiate HTTP/2, whose streams share one connection.
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: connectMs,
    keepAliveTimeout: idleMs,
    maxHeaderSize: 32_768,
    autoSelectFamily: true,
    // Node's default of 250 ms per address is too short for a handshake with a distant server.
    autoSelectFamilyAttemptTimeout: 1_000,
  });
}

/** Sends with the runtime's `fetch`. The runtime owns the connections, so only requests can be aborted here. */
class FetchConnections {
  readonly #transport = fetchTransport();
  readonly #ending = new AbortController();
  #closed = false;

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#closed) throw closed("unreachable");
    return await this.#transport({ ...request, signal: this.#orEnding(request.signal) });
  }

  /** Refuses new requests; running requests continue. */
  async close(): Promise<void> {
    this.#closed = true;
  }

  async destroy(): Promise<void> {
    this.#closed = true;
    this.#ending.abort(closed("failed"));
  }

  #orEnding(signal: TransportRequest["signal"]): AbortSignal {
    signal.throwIfAborted();
    const own = new AbortController();
    signal.addEventListener("abort", () => own.abort(signal.reason));
    return AbortSignal.any([own.signal, this.#ending.signal]);
  }
}

const closed = (failure: "unreachable" | "failed"): ProviderError =>
  new ProviderError(failure, "The transport is closed. Create a new one with pooledTransport().");
