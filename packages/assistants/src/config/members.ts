import { unknownMember } from "@tollgate/core/extension";
import * as v from "valibot";

/** The schema of an object with these members and no others. As valibot does, it reports one unknown member at a time. */
export function members<const Entries extends v.ObjectEntries>(what: string, entries: Entries) {
  const names = Object.keys(entries);
  return v.strictObject(entries, (issue: v.StrictObjectIssue) => sentence(what, names, issue));
}

/** True for the issue that reports an unknown member. */
export const isUnknownMember = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === "strict_object" && issue.expected === "never";

function sentence(what: string, names: readonly string[], issue: v.StrictObjectIssue): string {
  if (issue.expected === "Object") return "must be an object";
  if (!isUnknownMember(issue)) return `is missing. Every ${what} needs it`;
  return unknownMember(`${what === "assistant" ? "an" : "a"} ${what}`, names, String(issue.input));
}
