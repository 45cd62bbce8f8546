import type { Awaitable } from "@tollgate/core/internal";
import { Failure, reasonOf } from "./failure.ts";
import { unlessInterrupted } from "./interruption.ts";
import type { Records } from "./records.ts";
import { type Terminal, write } from "./terminal.ts";

/** What a running command works with: the stores of the config file, and the operator's terminal. */
export class Session {
  /** True when the operator asked for JSON. */
  readonly json: boolean;
  readonly #records: Records;
  readonly #file: string;
  readonly #terminal: Terminal;

  constructor(records: Records, file: string, terminal: Terminal, json: boolean) {
    this.#records = records;
    this.#file = file;
    this.#terminal = terminal;
    this.json = json;
  }

  get keys(): NonNullable<Records["keys"]> {
    return this.#records.keys ?? this.#lacking("keys");
  }

  /** The ids of the gateway's plans; undefined when the config file does not tell them. */
  get plans(): Records["plans"] {
    return this.#records.plans;
  }

  get balances(): NonNullable<Records["balances"]> {
    return this.#records.balances ?? this.#lacking("balances");
  }

  /** Calls a store. What it throws becomes a Failure, and so does an interruption while it is asked. */
  async ask<T>(call: () => Awaitable<T>): Promise<T> {
    try {
      return await unlessInterrupted(call, this.#terminal.signal);
    } catch (fault) {
      throw fault instanceof Failure ? fault : storeFailure(fault);
    }
  }

  /** Writes the shape as one line of JSON, or else the text; the text is given the width of the terminal. */
  show(shape: object, text: (width: number | undefined) => string): Promise<void> {
    const { isTTY, columns } = this.#terminal.out;
    return this.print(this.json ? `${JSON.stringify(shape)}\n` : text(isTTY ? columns : undefined));
  }

  /** Writes text as it is. */
  print(text: string): Promise<void> {
    return write(this.#terminal.out, text);
  }

  #lacking(name: keyof Records): never {
    throw new Failure(
      "config",
      `This command needs \`${name}\`; export it from ${this.#file}: export default { ${name} };`,
    );
  }
}

/** Stores throw a RangeError for what they can never take, and anything else when they are out of order. */
function storeFailure(fault: unknown): Failure {
  if (fault instanceof RangeError) return new Failure("usage", `The store refused it: ${reasonOf(fault)}.`);
  return new Failure("store_failed", `The store failed: ${reasonOf(fault)}. Check that it runs, and try again.`);
}
