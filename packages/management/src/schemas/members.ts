import { unknownMember } from "@tollgate/core/internal";
import * as v from "valibot";

/** Makes the schema of an object that refuses unknown members, with the nearest known name. `what` is a noun with its article, and
 * `others` are known names whose members are read elsewhere. */
export function members<Entries extends v.ObjectEntries>(
  what: string,
  entries: Entries,
  others: readonly string[] = [],
) {
  const names = [...Object.keys(entries), ...others];
  return v.strictObject(entries, ({ expected, received, input }: v.StrictObjectIssue) => {
    if (expected === "never") return unknownMember(what, names, String(input));
    return expected === "Object" ? `must be ${what}, not ${received}` : `is missing. It is required in ${what}`;
  });
}
