import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { OwnPostgres } from "../../support/own-postgres.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";

/**
 * How a server fails. `crashed`: the connections to it end at once, and clients reach the standby after its promotion. `moved
 * early`: clients reach the standby before its promotion, when it only reads. `cut off`: its machine loses the network to the
 * standby, and then to its clients, which do not see that their connections have ended.
 */
export const failures = ["crashed", "moved early", "cut off"] as const;

/** One of them. */
export type Failure = (typeof failures)[number];

/** How long a server that is cut off from its standby has clients before it is killed. */
const cutOffMs = 300;

/** A PostgreSQL server with one standby, and the proxy that clients connect to. */
export class PostgresPair {
  #primary: OwnPostgres;
  #standby: Standby;

  private constructor(
    primary: OwnPostgres,
    standby: Standby,
    private readonly clients: TcpProxy,
    private readonly settings: Settings,
  ) {
    this.#primary = primary;
    this.#standby = standby;
  }

  /** Starts both servers. `synchronousCommit` is the setting of that name: what a commit waits for at the standby. */
  static async start(synchronousCommit: "remote_apply" | "on" | "local"): Promise<PostgresPair> {
    const settings = { synchronous_commit: synchronousCommit, synchronous_standby_names: "*" };
    const primary = await OwnPostgres.start({ settings, programs: ["pg_basebackup"] });
    try {
      const standby = await addStandby(primary, settings);
      return new PostgresPair(primary, standby, await TcpProxy.to(primary.url), settings);
    } catch (error) {
      await primary.stop();
      throw error;
    }
  }

  /** The URL of the proxy. */
  get url(): string {
    return this.clients.url;
  }

  /** The URL of the standby itself. */
  get standbyUrl(): string {
    return this.#standby.server.url;
  }

  /** Interrupts or restores the network between the servers. */
  set replication(network: "pass" | "lost") {
    this.#standby.link.network = network;
  }

  /** Kills the server and starts it again, without a promotion. */
  async restart(): Promise<void> {
    await this.#primary.kill();
    await this.#primary.start();
  }

  /** Kills the server, promotes its standby, and moves the clients. Returns when that was done, in milliseconds since the Unix epoch. */
  async failOver(failure: Failure): Promise<number> {
    const { server, link } = this.#standby;
    if (failure === "cut off") {
      link.network = "lost";
      await sleep(cutOffMs);
      this.clients.network = "lost";
    }
    await this.#primary.kill();
    // What the lost network has not delivered is lost with the machine.
    link.stop();
    if (failure === "moved early") this.clients.moveTo(server.url)();
    await runOn(server.url, "ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()");
    await server.promote();
    if (failure === "crashed") this.clients.moveTo(server.url)();
    // The connections to the killed server stay as they are: nothing tells the clients that it is gone.
    if (failure === "cut off") this.clients.moveTo(server.url);
    const promotedAt = Date.now();
    await this.#primary.stop();
    this.#primary = server;
    return promotedAt;
  }

  /** Gives the server that was promoted a standby, for which its commits then wait. */
  async addStandby(): Promise<void> {
    this.#standby = await addStandby(this.#primary, this.settings);
  }

  async stop(): Promise<void> {
    this.clients.stop();
    this.#standby.link.stop();
    await Promise.all([this.#primary.stop(), this.#standby.server.stop()]);
  }
}

type Settings = Readonly<Record<string, string>>;

interface Standby {
  readonly server: OwnPostgres;
  /** The proxy through which it receives the log of the primary. */
  readonly link: TcpProxy;
}

async function addStandby(primary: OwnPostgres, settings: Settings): Promise<Standby> {
  const link = await TcpProxy.to(primary.url);
  try {
    const server = await OwnPostgres.standbyOf(link.url, { settings });
    await runOn(primary.url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
    while ((await synchronousStandbys(primary)) === 0) await sleep(20);
    return { server, link };
  } catch (error) {
    link.stop();
    throw error;
  }
}

const synchronousStandbys = async ({ url }: OwnPostgres): Promise<number> =>
  (await runOn(url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length;

/** Runs statements on a connection of their own, and returns the rows of the last one. */
async function runOn(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new Client(url);
  await client.connect();
  let rows: readonly unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}
