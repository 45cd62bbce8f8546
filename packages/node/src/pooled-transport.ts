import type { Transport } from "@tollgate/core";
import { requireKnown } from "@tollgate/core/internal";
import type { TransportRequest, TransportResponse } from "@tollgate/core/provider";
import type { Pool } from "undici";
import { FetchConnections } from "./fetch-connections.ts";
import { loadPool, type PoolClass } from "./load-pool.ts";

import { UpstreamExchange } from "./upstream-exchange.ts";

/** How connections to providers are kept. */
export interface PooledTransportOptions {
  /** When a connection attempt is given up, in milliseconds; 5,000. A request never waits longer than its own `connectMs`. */
  readonly connectMs?: number;
  /** Connections to one origin; unlimited when absent. Waiting for a free one counts as connecting. */
  readonly connections?: number;
  /** How long an idle connection is kept when the upstream does not say, in milliseconds; 30,000. */
  readonly idleMs?: number;
}

/** A Transport that owns sockets. */
export interface PooledTransport extends Transport {
  /** Lets running requests finish, then closes every connection. Later requests are `unreachable`. */
  close(): Promise<void>;
  /** Closes every connection now; running requests fail. */
  destroy(): Promise<void>;
}

/** What a transport sends with. */
interface Connections {
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/**
 * The Transport for Node: one undici pool for each origin, kept-alive HTTP/1.1 connections, no limit on time but the
 * connection's (the gateway keeps the others), and bodies handed on as they come, decoded where an upstream compresses unasked. Where undici cannot be used, which is
 * on other runtimes such as Bun and with undici 8 on Node 20, it sends with `fetch` and tells so by one `console.warn`.
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
    // At once where it can be, so that no request that follows is sent.
    close: () => connections?.close() ?? opening.then((opened) => opened.close()),
    destroy: () => connections?.destroy() ?? opening.then((opened) => opened.destroy()),
  });
}

interface Route {
  readonly pool: Pool;
  readonly path: string;
}

const mostRoutes = 1_000;

class Pools implements Connections {
  readonly #Pool: PoolClass;
  readonly #options: PooledTransportOptions;
  readonly #pools = new Map<string, Pool>();
  /** By URL, since to parse one costs more than the rest of a send. */
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
    if (this.#routes.size >= mostRoutes) this.#routes.clear();
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
    // undici 8 would agree on HTTP/2, whose streams share one connection.
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: connectMs,
    keepAliveTimeout: idleMs,
    maxHeaderSize: 32_768,
    autoSelectFamily: true,
    // Node gives the first address 250 ms, which is less than a handshake across the world takes.
    autoSelectFamilyAttemptTimeout: 1_000,
  });
}
