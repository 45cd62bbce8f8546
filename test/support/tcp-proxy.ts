import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * The state of the network: bytes pass at once ("pass") or `lateMs` milliseconds later; they are held back until the
 * state changes, as when packets are lost and retransmitted ("lost"); or every connection is reset, including each new
 * one ("reset").
 */
export type Network = "pass" | "lost" | "reset" | { readonly lateMs: number };

/** A TCP proxy on the loopback interface whose network can be interrupted and restored at any time. */
export class TcpProxy {
  readonly #server: Server;
  #target: URL;
  readonly #links = new Set<Link>();
  #network: Network = "pass";

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** Starts a proxy to the server of a URL. */
  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The server's URL with the host and port of this proxy. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has stopped.");
    return Object.assign(new URL(this.#target), { host: `127.0.0.1:${address.port}` }).href;
  }

  set network(network: Network) {
    this.#network = network;
    for (const link of this.#links) link.apply(network);
  }

  /**
   * Connects new clients to the server of another URL, over a network that passes. The connections to the previous server keep
   * the state of theirs, until the returned function resets them.
   */
  moveTo(url: string): () => void {
    const previous = [...this.#links];
    this.#target = new URL(url);
    this.#network = "pass";
    return () => {
      for (const link of previous) link.apply("reset");
    };
  }

  stop(): void {
    this.network = "reset";
    this.#server.close();
  }

  #accept(client: Socket): void {
    const link = new Link(client, connect(Number(this.#target.port), this.#target.hostname));
    this.#links.add(link);
    client.once("close", () => this.#links.delete(link));
    link.apply(this.#network);
  }
}

/** One connection through the proxy. */
class Link {
  readonly #ends: readonly [client: Socket, server: Socket];
  readonly #directions: readonly [Direction, Direction];

  constructor(client: Socket, server: Socket) {
    this.#ends = [client, server];
    this.#directions = [new Direction(client, server), new Direction(server, client)];
  }

  apply(network: Network): void {
    for (const direction of this.#directions) {
      direction.pass(network === "lost" ? undefined : typeof network === "object" ? network.lateMs : 0);
    }
    for (const end of this.#ends) {
      if (network === "reset") end.resetAndDestroy();
      else if (network === "lost") end.pause();
      else end.resume();
    }
  }
}

/** One direction of a connection. It keeps the order of the bytes, even when the network changes. */
class Direction {
  /** Undefined: nothing arrives. */
  #lateMs: number | undefined = 0;
  readonly #inTransit: { readonly at: number; readonly arrive: () => void }[] = [];

  constructor(from: Socket, to: Socket) {
    from.setNoDelay(true);
    from.on("data", (bytes) => this.#send(() => to.writable && to.write(bytes)));
    from.on("end", () => this.#send(() => to.end()));
    from.on("error", () => undefined);
    from.on("close", (failed) => failed && this.#send(() => to.destroy()));
  }

  /** Sets how late bytes and ends of connections arrive, in milliseconds; undefined: not before the next call. */
  pass(lateMs: number | undefined): void {
    const wasLost = this.#lateMs === undefined;
    this.#lateMs = lateMs;
    if (wasLost && lateMs !== undefined) this.#deliver();
  }

  #send(arrive: () => void): void {
    this.#inTransit.push({ at: performance.now() + (this.#lateMs ?? 0), arrive });
    if (this.#inTransit.length === 1) this.#deliver();
  }

  #deliver(): void {
    for (let [first] = this.#inTransit; first !== undefined && this.#lateMs !== undefined; [first] = this.#inTransit) {
      const wait = first.at - performance.now();
      if (wait > 0) return void setTimeout(() => this.#deliver(), wait);
      first.arrive();
      this.#inTransit.shift();
    }
  }
}
