import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { migratePostgres, type PostgresStores, postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";
import type { GatewayTask } from "../processes/gateway-worker.ts";
import { kill } from "../processes/kill.ts";
import { workerPath } from "../processes/worker-path.ts";

/** An account with a balance, and keys of it. */
export interface Customer {
  readonly account: string;
  readonly secrets: readonly string[];
}

interface Gateway {
  readonly port: number;
  readonly process: ChildProcess;
}

/** Processes that serve one gateway, with all its records in PostgreSQL. */
export class Service {
  /** The price of a request, in nano-units. */
  static readonly price = 1_000_000n;

  private constructor(
    private readonly gateways: readonly Gateway[],
    private readonly pool: Pool,
    private readonly stores: PostgresStores,
  ) {}

  /** Creates the tables and starts the processes. */
  static async start(url: string, processes: number): Promise<Service> {
    const schema = "service";
    // A connection that is idle when the server fails may never end.
    const pool = new Pool({ connectionString: url, max: 2, idleTimeoutMillis: 100 }).on("error", () => undefined);
    await migratePostgres(pool, { schema });
    const stores = await postgresStores(pool, { schema, migrate: false });
    const task: GatewayTask = { url, schema, price: "0.001" };
    const gateways = await Promise.all(Array.from({ length: processes }, () => startGateway(task)));
    return new Service(gateways, pool, stores);
  }

  /** The ports at which the processes serve requests. */
  get ports(): readonly number[] {
    return this.gateways.map(({ port }) => port);
  }

  get balances(): PostgresStores["balances"] {
    return this.stores.balances;
  }

  /** Creates an account with this number of keys. */
  async addCustomer(keys: number): Promise<Customer> {
    const account = `customer-${crypto.randomUUID()}`;
    await this.balances.credit({ id: account, account, amount: "1000000", reason: "test" });
    const create = () => this.stores.keys.create({ account, plan: "prepaid" });
    const created = await Promise.all(Array.from({ length: keys }, create));
    return { account, secrets: created.map(({ secret }) => secret) };
  }

  /** Kills the processes. Throws if one had ended by itself. */
  async stop(): Promise<void> {
    const killed = await Promise.all(this.gateways.map(({ process }) => kill(process)));
    await this.pool.end();
    if (killed.includes(false)) throw new Error("A gateway has ended by itself. Its output is above.");
  }
}

async function startGateway(task: GatewayTask): Promise<Gateway> {
  const child = spawn(process.execPath, [workerPath("gateway-worker"), JSON.stringify(task)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [message] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [undefined])]);
  if (message === undefined) throw new Error("A gateway ended before it listened. Its output is above.");
  return { port: Number(Object(message).port), process: child };
}
