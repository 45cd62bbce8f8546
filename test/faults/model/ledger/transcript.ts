import type { Balance, LedgerViolation } from "@tollgate/core/store";
import { emptyBooks, inFixedOrder, linesSince, readBooks, withoutPlace } from "./books.ts";
import type { Answer } from "./call.ts";
import type { Line } from "./ledger-model.ts";
import type { LedgerUnderTest } from "./ledger-under-test.ts";
import { accountsIn } from "./real-names.ts";
import { formatStep, type Step } from "./step.ts";
import { takeStep } from "./take-step.ts";

/** The visible results of a step, without the sequences and times of entries, in which stores can differ. */
interface Passage {
  readonly step: string;
  readonly answers: readonly Answer[];
  /** The number of lines of each page, and all lines. */
  readonly pages: { readonly lengths: readonly number[]; readonly lines: readonly Line[] };
  readonly balances: readonly Balance[];
  readonly lines: readonly Line[];
  readonly violations: readonly LedgerViolation[];
}

/** Runs the script and returns the visible results of each step. */
export async function transcriptOf(script: readonly Step[], run: number, real: LedgerUnderTest): Promise<Passage[]> {
  const accounts = accountsIn(run);
  const transcript: Passage[] = [];
  let before = emptyBooks(accounts);
  for (const step of script) {
    const { answers, pages = [] } = await takeStep(step, run, real);
    const after = await readBooks(real.clients[0], accounts);
    transcript.push({
      step: formatStep(step),
      answers,
      pages: { lengths: pages.map((page) => page.length), lines: inFixedOrder(pages.flat().map(withoutPlace)) },
      balances: after.accounts.map(({ balance }) => balance),
      lines: linesSince(before, after),
      violations: after.violations,
    });
    before = after;
  }
  return transcript;
}
