import type fc from "fast-check";
import { checkProperty, scriptProperty } from "../script.ts";
import { Tally } from "../tally.ts";
import { LedgerCheck } from "./ledger-check.ts";
import type { LedgerSource } from "./ledger-under-test.ts";
import { anyStep, formatStep, type Step } from "./step.ts";

/** Checks ledgers against the model in the given number of scripts, prints the figures and returns them. */
export async function checkAgainstModel(title: string, source: LedgerSource, runs: number): Promise<Tally> {
  const tally = new Tally();
  await checkProperty(title, ledgerProperty(source, tally), runs, tally);
  return tally;
}

/** The property that a ledger matches the model after every step of a script. */
export function ledgerProperty(source: LedgerSource, tally: Tally): fc.IAsyncProperty<unknown> {
  return scriptProperty<Step>(anyStep, formatStep, async (run) => new LedgerCheck(run, await source.next(), tally));
}
