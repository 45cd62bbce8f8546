import * as v from "valibot";
import { arrayOf, date, filledText, flag, oneOf, wanted } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { requireArgument } from "../options/problems.ts";
import { dialects } from "../wire/dialect.ts";
import { features } from "../wire/feature.ts";
import type { KeyChanges, NewKey } from "./key-admin.ts";
import { limitsSchema } from "./limits-schema.ts";
import { spendLimitSchema } from "./spend-schema.ts";

const maxTags = 16;
const maxTagLength = 64;

const tag = v.custom<string>(
  (value) => typeof value === "string" && value !== "" && value.length <= maxTagLength,
  wanted(`must be a text of 1 to ${maxTagLength} characters`),
);

const nullable = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(v.nullable(schema));

/** The members that can be changed. Null removes a member, and undefined leaves it as it is. */
const changeable = {
  name: nullable(v.string(wanted("must be a string"))),
  models: nullable(arrayOf("model ids", filledText)),
  features: nullable(arrayOf("features", oneOf(...features))),
  dialects: nullable(arrayOf("dialects", oneOf(...dialects))),
  limits: nullable(limitsSchema),
  spend: nullable(spendLimitSchema),
  tags: nullable(
    v.pipe(
      arrayOf("texts", tag),
      v.maxLength(maxTags, ({ input }) => `must have at most ${maxTags} tags, not ${input.length}`),
    ),
  ),
  logContent: nullable(flag),
  expiresAt: nullable(date),
} satisfies Record<keyof KeyChanges, v.GenericSchema>;

const changesSchema = optionMembers("the changes of a key", changeable);
const newKeySchema = optionMembers("a new key", { account: filledText, plan: filledText, ...changeable });

/** Returns a copy of the changes of a key if they are valid, and otherwise throws a RangeError that lists every problem. */
export const checkedKeyMembers = (changes: KeyChanges) => requireArgument(changesSchema, changes);

/** Returns a copy of a new key if it is valid, and otherwise throws a RangeError that lists every problem. */
export const checkedNewKey = (wanted: NewKey) => requireArgument(newKeySchema, wanted);
