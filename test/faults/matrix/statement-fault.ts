import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresConnection, PostgresPool, PostgresResult, PostgresStatement } from "@tollgate/postgres";
import { faulty } from "../../support/faulty.ts";
import type { Fault } from "./cell.ts";
import type { Operation, Ports } from "./ports.ts";

/** Runs a statement in place of the pool, with a fault. */
export type Intercept = (statement: PostgresStatement) => Promise<PostgresResult>;

/** A fault of the statements of one operation, or of one port. */
export class StatementFault implements Fault {
  readonly #operation: Operation | keyof Ports;
  readonly #intercept: Intercept;
  readonly #statements: Promise<unknown>[] = [];
  readonly #now = new AsyncLocalStorage<string>();
  #lasts = false;

  constructor(operation: Operation | keyof Ports, intercept: Intercept) {
    this.#operation = operation;
    this.#intercept = intercept;
  }

  /** Returns the pool with this fault in it and in its connections. */
  applyTo(pool: PostgresPool): PostgresPool {
    return {
      connect: () => pool.connect().then((connection) => this.#within(connection)),
      query: (statement) => this.#ask(statement, (each) => pool.query(each)),
    };
  }

  /** Returns the stores on that pool with each call marked, so that the operation of a statement is known. */
  watch(stores: Ports): Ports {
    return {
      keys: this.#mark("keys", stores.keys),
      balances: this.#mark("balances", stores.balances),
      terms: this.#mark("terms", stores.terms),
      limiter: this.#mark("limiter", stores.limiter),
      sessions: this.#mark("sessions", stores.sessions),
    };
  }

  begin(): void {
    this.#lasts = true;
  }

  async lift(): Promise<void> {
    this.#lasts = false;
    await Promise.all(this.#statements);
  }

  #ask(statement: PostgresStatement, ask: Intercept): Promise<PostgresResult> {
    // The beginning and the end of a transaction have no values and are never affected.
    const affected = this.#lasts && statement.values !== undefined && this.#concerns(this.#now.getStore());
    if (!affected) return ask(statement);
    const answer = this.#intercept(statement);
    this.#statements.push(Promise.allSettled([answer]));
    return answer;
  }

  #within(connection: PostgresConnection): PostgresConnection {
    return {
      query: (statement) => this.#ask(statement, (each) => connection.query(each)),
      on: (event, listener) => connection.on(event, listener),
      off: (event, listener) => connection.off(event, listener),
      release: (destroy) => connection.release(destroy),
    };
  }

  #concerns(operation: string | undefined): boolean {
    return operation === this.#operation || operation?.split(".")[0] === this.#operation;
  }

  #mark<Port extends object>(name: string, port: Port): Port {
    return faulty(port, (verb) => (call) => this.#now.run(`${name}.${verb}`, call));
  }
}
