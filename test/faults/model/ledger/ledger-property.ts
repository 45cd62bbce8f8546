import type fc from "fast-check";
import { holdTo, scriptProperty } from "../script.ts";
import { Tally } from "../tally.ts";
import { LedgerCheck } from "./ledger-check.ts";
import type { LedgerSource } from "./ledger-under-test.ts";
import { anyStep, type Step, tellStep } from "./step.ts";

/** Holds ledgers of the source to the model in so many scripts, prints what they came to, and gives it. */
export async function holdToModel(title: string, source: LedgerSource, runs: number): Promise<Tally> {
  const tally = new Tally();
  await holdTo(title, ledgerProperty(source, tally), runs, tally);
  return tally;
}

/** That a ledger is what the model foretells after every step of a script. */
export function ledgerProperty(source: LedgerSource, tally: Tally): fc.IAsyncProperty<unknown> {
  return scriptProperty<Step>(anyStep, tellStep, async (run) => new LedgerCheck(run, await source.next(), tally));
}
