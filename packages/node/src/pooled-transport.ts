import { requireKnown, type Transport, type TransportRequest, type TransportResponse } from "@tollgate/core";
import { Pool } from "undici";
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

/**
 * The Transport for Node: one undici pool for each origin, kept-alive HTTP/1.1 connections, no limit on time but the
 * connection's (the gateway keeps the others), and bodies handed on as they come. Nothing is decompressed.
 */
export function pooledTransport(options: PooledTransportOptions = {}): PooledTransport {
  requireKnown("pooledTransport", options, { connectMs: true, connections: true, idleMs: true });
  const pools = new Pools(options);
  const transport = (request: TransportRequest) => send(pools, request);
  return Object.assign(transport, {
    close: () => pools.end((pool) => pool.close()),
    destroy: () => pools.end((pool) => pool.destroy()),
  });
}

function send(pools: Pools, request: TransportRequest): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const { pool, path } = pools.route(request.url);
    new UpstreamExchange(request.signal, { resolve, reject }).start(pool, path, request);
  });
}

interface Route {
  readonly pool: Pool;
  readonly path: string;
}

const mostRoutes = 1_000;

class Pools {
  readonly #options: PooledTransportOptions;
  readonly #pools = new Map<string, Pool>();
  /** By URL, since to parse one costs more than the rest of a send. */
  readonly #routes = new Map<string, Route>();
  #ended = false;

  constructor(options: PooledTransportOptions) {
    this.#options = options;
  }

  route(url: string): Route {
    return this.#routes.get(url) ?? this.#addRoute(url);
  }

  async end(endPool: (pool: Pool) => Promise<void>): Promise<void> {
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
    const pool = this.#pools.get(origin) ?? openPool(origin, this.#options);
    this.#pools.set(origin, pool);
    if (this.#ended) void pool.destroy();
    return pool;
  }
}

function openPool(origin: string, { connectMs = 5_000, connections, idleMs = 30_000 }: PooledTransportOptions): Pool {
  return new Pool(origin, {
    connections: connections ?? null,
    pipelining: 1,
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
