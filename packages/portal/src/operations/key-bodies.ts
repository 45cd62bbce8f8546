import type { KeyChanges } from "@tollgate/core/store";
import { members, optionalEntries, spend, text, time, wholeNumber } from "@tollgate/management/internal";
import * as v from "valibot";

const expiry = v.pipe(
  time,
  v.check((date) => date.getTime() > Date.now(), "must be in the future. To end a key now, revoke it"),
);

/** The body of a new key. */
export const newKey = v.pipe(
  members("a new key", optionalEntries({ name: text, spend, expires_at: expiry })),
  v.transform(({ expires_at, ...others }) => ({ ...others, ...(expires_at && { expiresAt: expires_at }) })),
);

/** The changes of a key in a body. Null removes a member. */
export const keyChanges = v.pipe(
  members("the changes of a key", optionalEntries({ name: v.nullable(text), spend: v.nullable(spend) })),
  v.transform((changes): Pick<KeyChanges, "name"> & { readonly spend?: v.InferOutput<typeof spend> | null } => changes),
);

const maxGraceSeconds = 604_800;

/** The body of a rotation. */
export const rotation = members("a rotation", { grace_seconds: wholeNumber(0, maxGraceSeconds) });
