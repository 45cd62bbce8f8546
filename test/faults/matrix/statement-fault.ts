import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresConnection, PostgresPool, PostgresResult, PostgresStatement } from "@tollgate/postgres";
import { faulty } from "../../support/faulty.ts";
import type { Fault } from "./cell.ts";
import type { Operation, Ports } from "./ports.ts";

/** What befalls a statement on its way to the server. */
export type Meet = (statement: PostgresStatement) => Promise<PostgresResult>;

/** A fault of the statements that one operation makes, or all of one port. */
export class StatementFault implements Fault {
  readonly #operation: Operation | keyof Ports;
  readonly #meet: Meet;
  readonly #statements: Promise<unknown>[] = [];
  readonly #now = new AsyncLocalStorage<string>();
  #lasts = false;

  constructor(operation: Operation | keyof Ports, meet: Meet) {
    this.#operation = operation;
    this.#meet = meet;
  }

  /** The pool under stores, with this fault in it and in every connection that it gives. */
  befall(pool: PostgresPool): PostgresPool {
    return {
      connect: () => pool.connect().then((connection) => this.#within(connection)),
      query: (statement) => this.#ask(statement, (each) => pool.query(each)),
    };
  }

  /** The stores on that pool, such that it can be told which operation a statement is made for. */
  watch(stores: Ports): Ports {
    return {
      keys: this.#mark("keys", stores.keys),
      balances: this.#mark("balances", stores.balances),
      terms: this.#mark("terms", stores.terms),
      limiter: stores.limiter,
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

  #ask(statement: PostgresStatement, ask: Meet): Promise<PostgresResult> {
    // The beginning and the end of a transaction have no values, and belong to their connection.
    const befallen = this.#lasts && statement.values !== undefined && this.#concerns(this.#now.getStore());
    if (!befallen) return ask(statement);
    const answer = this.#meet(statement);
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
