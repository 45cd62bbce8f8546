import type { BalanceStore, Entry } from "@tollgate/core/store";
import { type Answer, ask, type Call } from "./call.ts";
import type { LedgerUnderTest } from "./ledger-under-test.ts";
import { callIn, nameIn } from "./real-names.ts";
import type { Asked, Step } from "./step.ts";

/** The result of a step: its calls and their results, or the pages that it read. */
export interface Taken {
  readonly calls: readonly Call[];
  readonly answers: readonly Answer[];
  readonly pages?: readonly (readonly Entry[])[];
}

/** Runs one step of a script. */
export async function takeStep(step: Step, run: number, real: LedgerUnderTest): Promise<Taken> {
  switch (step.does) {
    case "call":
      return callAtOnce(step.asked, run, real);
    case "page":
      return { ...nothing, pages: await readPages(real.clients[step.client], nameIn(run, step.account), step.limit) };
    case "reopen":
      await real.reopen();
      return nothing;
    case "pass":
      await real.passTime(step.milliseconds);
      return nothing;
  }
}

const nothing: Taken = { calls: [], answers: [] };

async function callAtOnce(scripted: readonly Asked[], run: number, real: LedgerUnderTest): Promise<Taken> {
  const asked = scripted.map(({ client, call }) => ({ store: real.clients[client], call: callIn(run, call) }));
  const answers = await Promise.all(asked.map(({ store, call }) => ask(store, call)));
  return { calls: asked.map(({ call }) => call), answers };
}

/** Reads the pages of an account, up to a limit, since a mutant store can repeat them forever. */
async function readPages(store: BalanceStore, account: string, limit: number): Promise<Entry[][]> {
  const pages: Entry[][] = [];
  let after: bigint | undefined;
  do {
    const page = await store.entries({ account, limit, ...(after === undefined ? {} : { after }) });
    pages.push([...page.entries]);
    after = page.next;
  } while (after !== undefined && pages.length < 200);
  return pages;
}
