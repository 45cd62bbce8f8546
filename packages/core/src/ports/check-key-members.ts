import * as v from "valibot";
import { arrayOf, wanted } from "../options/leaves.ts";
import { problemsOf } from "../options/problems.ts";
import type { KeyChanges } from "./key-admin.ts";
import { limitsSchema } from "./limits-schema.ts";
import { spendLimitSchema } from "./spend-schema.ts";

const maxTags = 16;
const maxTagLength = 64;

const tag = v.custom<string>(
  (value) => typeof value === "string" && value !== "" && value.length <= maxTagLength,
  wanted(`must be a text of 1 to ${maxTagLength} characters`),
);

/** The schema of the members whose values a store checks. Null removes a member, and undefined leaves it as it is. */
const keyMembersSchema = v.looseObject({
  limits: v.nullish(limitsSchema),
  spend: v.nullish(spendLimitSchema),
  tags: v.nullish(
    v.pipe(
      arrayOf("texts", tag),
      v.maxLength(maxTags, ({ input }) => `must have at most ${maxTags} tags, not ${input.length}`),
    ),
  ),
});

/** Returns the members of a key if its limits, spend limit and tags are valid, and otherwise throws a RangeError that lists every problem. */
export function checkedKeyMembers<Members extends KeyChanges>(members: Members): Members {
  const problems = problemsOf(keyMembersSchema, members);
  if (problems.length > 0) throw new RangeError(problems.join(" "));
  return members;
}
