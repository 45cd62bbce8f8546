import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import { type Connection, drivers } from "./connections.ts";
import { OwnRedisServer } from "./own-redis-server.ts";

const slots = 16_384;
const masters = 3;

interface Node {
  readonly server: OwnRedisServer;
  readonly busPort: number;
  readonly connection: Connection;
}

/** Three masters of Redis Cluster with a third of the slots each, and at most one replica. */
export class OwnRedisCluster {
  readonly #nodes: readonly Node[];

  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  static async start(): Promise<OwnRedisCluster> {
    const cluster = new OwnRedisCluster(await Promise.all(Array.from({ length: masters + 1 }, startNode)));
    await cluster.#join();
    return cluster;
  }

  get url(): string {
    return this.#master(0).server.url;
  }

  /** Returns the master of a key's slot. */
  async masterOf(key: string): Promise<number> {
    const slot = Number(await this.#master(0).connection.command("CLUSTER", "KEYSLOT", key));
    return Math.floor((slot * masters) / slots);
  }

  /** Makes the spare server a replica of a master, and waits until it has its keys. */
  async replicate(master: number): Promise<void> {
    const id = String(await this.#master(master).connection.command("CLUSTER", "MYID"));
    const replica = this.#master(masters).connection;
    await replica.command("CLUSTER", "REPLICATE", id);
    await until(async () => String(await replica.command("INFO", "replication")).includes("master_link_status:up"));
  }

  /** Waits until the replica has the writes of its master. */
  async waitForReplica(master: number): Promise<void> {
    const { connection } = this.#master(master);
    await until(async () => isReplicated(String(await connection.command("INFO", "replication"))));
  }

  async kill(master: number): Promise<void> {
    await this.#master(master).server.kill();
  }

  async stop(): Promise<void> {
    for (const { connection } of this.#nodes) connection.close();
    await Promise.all(this.#nodes.map(({ server }) => server.stop()));
  }

  async #join(): Promise<void> {
    const first = this.#master(0);
    for (const [index, { connection, server, busPort }] of this.#nodes.entries()) {
      await connection.command("CLUSTER", "SET-CONFIG-EPOCH", String(index + 1));
      if (index < masters) await connection.command("CLUSTER", "ADDSLOTSRANGE", ...rangeOf(index));
      if (index > 0)
        await first.connection.command("CLUSTER", "MEET", "127.0.0.1", String(server.port), String(busPort));
    }
    for (const { connection } of this.#nodes)
      await until(async () => {
        const info = String(await connection.command("CLUSTER", "INFO"));
        return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${masters + 1}`);
      });
  }

  #master(index: number): Node {
    const node = this.#nodes[index];
    if (node === undefined) throw new Error(`The cluster has no server ${index}.`);
    return node;
  }
}

/** True when the replica of a server has all that the server has written. */
export function isReplicated(info: string): boolean {
  const offset = /master_repl_offset:(\d+)/.exec(info)?.[1];
  return offset !== undefined && new RegExp(`state=online,offset=${offset},`).test(info);
}

/** Waits until a check holds. */
export async function until(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries++) {
    if (tries === 500) throw new Error("The servers did not reach the state that the test waits for in 10 s.");
    await sleep(20);
  }
}

const rangeOf = (index: number): [string, string] => [
  String(Math.ceil((index * slots) / masters)),
  String(Math.ceil(((index + 1) * slots) / masters) - 1),
];

async function startNode(): Promise<Node> {
  const busPort = await freePort();
  const server = await OwnRedisServer.start([
    ...["--cluster-enabled", "yes", "--cluster-node-timeout", "500"],
    ...["--repl-diskless-sync-delay", "0"],
    ...["--cluster-port", String(busPort), "--cluster-announce-ip", "127.0.0.1"],
  ]);
  return { server, busPort, connection: await drivers["node-redis"](server.url) };
}
