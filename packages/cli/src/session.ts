import type { Awaitable } from "@tollgate/core/internal";
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
  readonly #terminal: Terminal;

  constructor(records: Records, file: string, terminal: Terminal, json: boolean) {
    this.json = json;
    this.context = contextOf(records, file, terminal.signal);
    this.plans = records.plans;
    this.#terminal = terminal;
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
  const { balances, accounts = balances !== undefined && isAccountAdmin(balances) ? balances : undefined } = records;
  const ask = async <T>(call: () => Awaitable<T>): Promise<T> => {
    try {
      return await unlessInterrupted(call, signal);
    } catch (error) {
      throw error instanceof Failure ? error : storeFailure(error);
    }
  };
  const missing = (name: keyof Records | keyof OperationContext["stores"]): Failure =>
    new Failure("config", `This command needs \`${name}\`. Export it from ${file}: export default { ${name} };`);
  return {
    stores: { ...records, ...(accounts && { accounts }) },
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

/** Converts an error of a store. Stores throw a RangeError for invalid values, and other errors during an outage. */
function storeFailure(error: unknown): Failure {
  if (error instanceof RangeError) return new Failure("usage", `The store rejected the value: ${reasonOf(error)}.`);
  return new Failure("store_failed", `The store failed: ${reasonOf(error)}. Check that it is running, and try again.`);
}
