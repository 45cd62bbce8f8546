import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ModelConfig } from "@tollgate/core";
import { type Awaitable, checkModels } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/store";
import { camelCase, type OperationContext } from "@tollgate/management/operations";
import { Failure, reasonOf } from "./failure.ts";
import { unlessInterrupted } from "./interruption.ts";
import { renderItems, type Table } from "./output/table.ts";
import { isAccountAdmin, type Records } from "./records.ts";
import { type Terminal, write } from "./terminal.ts";

/** What a running command works with: the stores of the config file and the terminal. */
export class Session {
  /** Whether the output is JSON. */
  readonly json: boolean;
  /** What operations work on. They reject with a Failure when a store throws or the command is interrupted. */
  readonly context: OperationContext;
  /** The ids of the gateway's plans; undefined if the config file does not export them. */
  readonly plans: Records["plans"];
  /** The path of the config file. */
  readonly file: string;
  readonly #records: Records;
  readonly #terminal: Terminal;

  constructor(records: Records, file: string, terminal: Terminal, json: boolean) {
    this.json = json;
    this.context = contextOf(records, file, terminal.signal);
    this.plans = records.plans;
    this.file = file;
    this.#records = records;
    this.#terminal = terminal;
  }

  /** Aborts when the operator interrupts the command. */
  get signal(): AbortSignal | undefined {
    return this.#terminal.signal;
  }

  /** Whether the config file exports `models`. */
  get hasModels(): boolean {
    return this.#records.models !== undefined;
  }

  /** Returns the models of the gateway. Throws a Failure if the config file does not export valid ones. */
  get models(): readonly ModelConfig[] {
    const { models } = this.#records;
    if (models === undefined) throw missingRecord("models", this.file);
    const list = typeof models === "function" ? models() : models;
    const [problem] = checkModels(list);
    if (problem !== undefined) throw new Failure("config", `${this.file}: ${problem}`);
    return list;
  }

  /** The payments of the gateway. Throws a Failure if the config file does not export them. */
  get payments(): NonNullable<Records["payments"]> {
    const { payments } = this.#records;
    if (payments === undefined) throw missingRecord("payments", this.file);
    return payments;
  }

  /** The shards of the stores. Throws a Failure if the config file does not export them. */
  get shards(): NonNullable<Records["shards"]> {
    const { shards } = this.#records;
    if (shards === undefined) throw missingRecord("shards", this.file);
    return shards;
  }

  /** Reads a text file, whose path is relative to the working directory. */
  async readFile(path: string): Promise<string> {
    try {
      return await readFile(resolve(this.#terminal.cwd, path), "utf8");
    } catch (error) {
      throw new Failure("usage", `The file ${path} cannot be read: ${reasonOf(error)}.`);
    }
  }

  /** Asks a question on the terminal. Undefined where nobody can answer, as in a script. */
  get confirm(): Terminal["confirm"] {
    return this.json ? undefined : this.#terminal.confirm;
  }

  /** Writes the shape as one line of JSON, or the text, which receives the width of the terminal. */
  show(shape: object, text: (width: number | undefined) => string): Promise<void> {
    const { isTTY, columns } = this.#terminal.out;
    return this.print(this.json ? `${writeLosslessJson(shape)}\n` : text(isTTY ? columns : undefined));
  }

  /** Writes items of a schema as the member `name` of one line of JSON, or as a table. */
  showItems<Item extends object>(
    name: string,
    schema: Parameters<typeof camelCase>[0],
    items: readonly Item[],
    table: Table<Item>,
  ): Promise<void> {
    const shape = { [name]: items.map(camelCase(schema)) };
    return this.show(shape, (width) => renderItems(items, table, width));
  }

  /** Writes text unchanged. */
  print(text: string): Promise<void> {
    return write(this.#terminal.out, text);
  }
}

function contextOf(records: Records, file: string, signal: AbortSignal | undefined): OperationContext {
  const { payments, ...stores } = records;
  const { balances, accounts = balances !== undefined && isAccountAdmin(balances) ? balances : undefined } = stores;
  const ask = async <T>(call: () => Awaitable<T>): Promise<T> => {
    try {
      return await unlessInterrupted(call, signal);
    } catch (error) {
      throw error instanceof Failure ? error : storeFailure(error);
    }
  };
  const missing = (name: keyof OperationContext["stores"]): Failure => missingRecord(name, file);
  return {
    stores: { ...stores, ...(accounts && { accounts }), ...(payments && { payments: payments.store }) },
    gateway: undefined,
    ask,
    missing,
    async acceptTerms(account, versionId) {
      const { terms } = records;
      if (terms === undefined) throw missing("terms");
      return ask(() => terms.accept(account, versionId));
    },
  };
}

const missingRecord = (name: string, file: string): Failure =>
  new Failure("config", `This command needs \`${name}\`. Export it from ${file}: export default { ${name} };`);

/** Converts an error of a store. Stores throw a RangeError for invalid values, and other errors during an outage. */
function storeFailure(error: unknown): Failure {
  if (error instanceof RangeError) return new Failure("usage", `The store rejected the value: ${reasonOf(error)}.`);
  return new Failure("store_failed", `The store failed: ${reasonOf(error)}. Check that it is running, and try again.`);
}
