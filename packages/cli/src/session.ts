import type { Awaitable } from "@tollgate/core/internal";
import type { AccountAdmin } from "@tollgate/core/store";
import { writeExactJson } from "@tollgate/core/store";
import type { Administrator } from "@tollgate/management/internal";
import { camelCased, type OperationContext } from "@tollgate/management/operations";
import { Failure, reasonOf } from "./failure.ts";
import { systemUser } from "./input/actor.ts";
import { unlessInterrupted } from "./interruption.ts";
import { renderItems, type Table } from "./output/table.ts";
import type { Records } from "./records.ts";
import { type Terminal, write } from "./terminal.ts";

/** The context of a running command: the stores of the config file and the terminal. */
export class Session {
  /** Whether the output is JSON. */
  readonly json: boolean;
  /** What operations work on. They reject with a Failure when a store throws or the command is interrupted. */
  readonly context: OperationContext;
  readonly #records: Records;
  readonly #file: string;
  readonly #terminal: Terminal;

  constructor(records: Records, file: string, terminal: Terminal, json: boolean) {
    this.#records = records;
    this.#file = file;
    this.#terminal = terminal;
    this.json = json;
    const { accounts } = this.accountRecords ?? {};
    this.context = {
      stores: { ...records, ...(accounts && { accounts }) },
      gateway: undefined,
      ask: (call) => this.call(call),
      acceptTerms: (account, versionId) => this.call(() => this.terms.accept(account, versionId)),
      missing: (name) => this.#absent(name),
    };
  }

  get keys(): NonNullable<Records["keys"]> {
    return this.#records.keys ?? this.#missing("keys");
  }

  /** The ids of the gateway's plans; undefined if the config file does not export them. */
  get plans(): Records["plans"] {
    return this.#records.plans;
  }

  get balances(): NonNullable<Records["balances"]> {
    return this.#records.balances ?? this.#missing("balances");
  }

  get accounts(): AccountAdmin {
    return this.accountRecords?.accounts ?? this.#missing("accounts");
  }

  get usage(): NonNullable<Records["usage"]> {
    return this.#records.usage ?? this.#missing("usage");
  }

  get terms(): NonNullable<Records["terms"]> {
    return this.#records.terms ?? this.#missing("terms");
  }

  get sessions(): NonNullable<Records["sessions"]> {
    return this.#records.sessions ?? this.#missing("sessions");
  }

  get audit(): NonNullable<Records["audit"]> {
    return this.#records.audit ?? this.#missing("audit");
  }

  /** Returns who makes the changes of this command. They are recorded if the config file exports an audit log. */
  administrator(actor: string = systemUser()): Administrator {
    return { actor, audit: this.#records.audit, ask: (method) => this.call(method) };
  }

  /** The stores that know whether an account exists; undefined if the config file exports none. */
  get accountRecords(): { readonly accounts: AccountAdmin; readonly keys: Records["keys"] } | undefined {
    const { accounts, balances, keys } = this.#records;
    const known = accounts ?? (balances !== undefined && isAccountAdmin(balances) ? balances : undefined);
    return known && { accounts: known, keys };
  }

  /** Asks a question on the terminal. Undefined where nobody can answer, as in a script. */
  get confirm(): Terminal["confirm"] {
    return this.json ? undefined : this.#terminal.confirm;
  }

  /** Calls a store. Rejects with a Failure when the store throws or the command is interrupted. */
  async call<T>(method: () => Awaitable<T>): Promise<T> {
    try {
      return await unlessInterrupted(method, this.#terminal.signal);
    } catch (error) {
      throw error instanceof Failure ? error : storeFailure(error);
    }
  }

  /** Writes the shape as one line of JSON, or the text, which receives the width of the terminal. */
  show(shape: object, text: (width: number | undefined) => string): Promise<void> {
    const { isTTY, columns } = this.#terminal.out;
    return this.print(this.json ? `${writeExactJson(shape)}\n` : text(isTTY ? columns : undefined));
  }

  /** Writes items of a schema as the member `name` of one line of JSON, or as a table. */
  showItems<Item extends object>(
    name: string,
    schema: Parameters<typeof camelCased>[0],
    items: readonly Item[],
    table: Table<Item>,
  ): Promise<void> {
    const shape = { [name]: items.map((item) => camelCased(schema, item)) };
    return this.show(shape, (width) => renderItems(items, table, width));
  }

  /** Writes text unchanged. */
  print(text: string): Promise<void> {
    return write(this.#terminal.out, text);
  }

  #missing(name: keyof Records): never {
    throw this.#absent(name);
  }

  #absent(name: string): Failure {
    return new Failure(
      "config",
      `This command needs \`${name}\`. Export it from ${this.#file}: export default { ${name} };`,
    );
  }
}

/** The balance stores of Tollgate also implement AccountAdmin. */
const isAccountAdmin = (store: object): store is AccountAdmin =>
  (["listAccounts", "findAccount", "limitSpend", "spendOf"] satisfies (keyof AccountAdmin)[]).every(
    (method) => typeof Reflect.get(store, method) === "function",
  );

/** Converts an error of a store. Stores throw a RangeError for invalid values, and other errors during an outage. */
function storeFailure(error: unknown): Failure {
  if (error instanceof RangeError) return new Failure("usage", `The store rejected the value: ${reasonOf(error)}.`);
  return new Failure("store_failed", `The store failed: ${reasonOf(error)}. Check that it is running, and try again.`);
}
