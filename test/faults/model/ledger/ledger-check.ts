import { deepStrictEqual } from "node:assert/strict";
import type { Entry } from "@tollgate/core/store";
import type { Checker } from "../script.ts";
import type { Tally } from "../tally.ts";
import { type Books, emptyBooks, readBooks } from "./books.ts";
import { ledgersAfter } from "./expectation.ts";
import { brokenInvariants } from "./invariants.ts";
import { type Ledger, newLedger } from "./ledger-model.ts";
import type { LedgerUnderTest } from "./ledger-under-test.ts";
import { accountsIn, nameIn } from "./real-names.ts";
import type { Client, Step } from "./step.ts";
import { takeStep } from "./take-step.ts";

/** Runs the steps of one script on a store, and checks the model and the invariants after each. */
export class LedgerCheck implements Checker<Step> {
  readonly #run: number;
  readonly #real: LedgerUnderTest;
  readonly #tally: Tally;
  /** The possible ledgers after the results so far. */
  #ledgers: readonly Ledger[] = [newLedger];
  #books: Books;
  /** The client of the next read. The clients alternate, since both must see the same state. */
  #reader: Client = 0;

  constructor(run: number, real: LedgerUnderTest, tally: Tally) {
    this.#run = run;
    this.#real = real;
    this.#tally = tally;
    this.#books = emptyBooks(accountsIn(run));
  }

  async take(step: Step): Promise<void> {
    const before = this.#books;
    const { calls, answers, pages } = await takeStep(step, this.#run, this.#real);
    for (const [at, { outcome }] of answers.entries()) this.#tally.add(`${calls[at]?.verb} ${outcome}`);
    if (calls.length !== 1) this.#tally.add(calls.length > 1 ? "concurrent calls" : step.does);
    const after = await this.#readBooks();
    const broken = brokenInvariants(before, after, calls);
    if (broken.length > 0) throw new Error(broken.join("\n"));
    this.#ledgers = ledgersAfter(this.#ledgers, { calls, answers, before, after });
    if (step.does === "pass") this.#passTime(step.milliseconds);
    if (step.does === "page") deepStrictEqual(pages, pagesOf(this.#entriesOf(step.account), step.limit));
  }

  #passTime(milliseconds: number): void {
    this.#ledgers = this.#ledgers.map((ledger) => ({ ...ledger, now: ledger.now + milliseconds }));
  }

  async #readBooks(): Promise<Books> {
    this.#reader = this.#reader === 0 ? 1 : 0;
    this.#books = await readBooks(this.#real.clients[this.#reader], accountsIn(this.#run));
    return this.#books;
  }

  #entriesOf(name: string): readonly Entry[] {
    const account = nameIn(this.#run, name);
    return this.#books.accounts.find((each) => each.account === account)?.entries ?? [];
  }
}

/** Returns the expected pages: all are full except the last, and none is empty unless there are no entries. */
function pagesOf(entries: readonly Entry[], limit: number): Entry[][] {
  const pages = Math.max(1, Math.ceil(entries.length / limit));
  return Array.from({ length: pages }, (_, at) => entries.slice(at * limit, (at + 1) * limit));
}
