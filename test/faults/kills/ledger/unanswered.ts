import { readJournal } from "../../processes/journal.ts";
import type { LedgerAnswer, LedgerCall } from "./calls.ts";

/** Returns the calls of the previous process whose outcome is unknown. */
export function unanswered(path: string): readonly LedgerCall[] {
  const open = new Map<string, LedgerCall>();
  for (const { recorded } of readJournal<LedgerCall, LedgerAnswer>(path)) {
    const { call, answer } = recorded;
    const name = Object.values(call).join(" ");
    if (answer === undefined || answer.error !== undefined) open.set(name, call);
    else open.delete(name);
  }
  return [...open.values()];
}
