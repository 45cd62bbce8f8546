import {
  amount,
  arrayOf,
  filledText,
  oneOf,
  optionMembers,
  origin,
  wanted,
  wholeNumber,
} from "@tollgate/core/extension";
import type { KeyScope } from "@tollgate/core/store";
import * as v from "valibot";

interface TokenMembers {
  /** The id of the parent key. All that it may not do, and all that it has used up, its tokens may not do either. */
  readonly keyId: string;
  /** How long the token lives, in seconds; at most 86,400 (24 hours). Default: 900 (15 minutes). */
  readonly expiresInSeconds?: number;
  /** Public model ids that the token may use. Absent: all that its key may. */
  readonly models?: readonly string[];
  /** The end user of all requests, for usage, in place of the `user` that a page sends. 1 to 256 characters. Absent: as the page sends it. */
  readonly endUser?: string;
  /** The origin of the pages that may use it, one of the option `origins`. Absent: all of these. */
  readonly origin?: string;
  /** The most that the token may cost: a decimal string such as "0.50", or nano-units. Absent: as much as its key. */
  readonly spendCap?: bigint | string;
}

/**
 * A token to create. With `session`, it has the scope of a session: it may send messages to that session and read them, and
 * nothing else.
 */
export type NewBrowserToken = TokenMembers &
  (
    | {
        /** What the token may do, of what its key may. Default: ["inference"]. */
        readonly scopes?: readonly KeyScope[];
        readonly session?: never;
      }
    | {
        readonly scopes?: never;
        /** The id of a session of the account, which the server has created. */
        readonly session: string;
      }
  );

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The schema of {@link NewBrowserToken}, for pages of these origins. */
export const newTokenSchema = (origins: readonly string[]) =>
  v.pipe(
    optionMembers("a browser token", {
      keyId: filledText,
      expiresInSeconds: v.exactOptional(wholeNumber(1, longestLifeSeconds), defaultLifeSeconds),
      scopes: v.exactOptional(
        v.pipe(arrayOf("scopes", oneOf("inference", "account:read")), v.minLength(1, "is empty. Name a scope")),
      ),
      session: v.exactOptional(
        v.pipe(
          v.custom<string>(
            (value) => typeof value === "string" && uuid.test(value),
            wanted("must be the id of a session, as POST /session returns it"),
          ),
          v.transform((id) => id.toLowerCase()),
        ),
      ),
      models: v.exactOptional(
        v.pipe(arrayOf("model ids", filledText), v.minLength(1, "is empty. Name a model, or leave it out for all")),
      ),
      endUser: v.exactOptional(
        v.custom<string>(
          (value) => typeof value === "string" && value.length >= 1 && value.length <= 256,
          wanted("must be a string of 1 to 256 characters"),
        ),
      ),
      origin: v.exactOptional(
        v.pipe(
          origin,
          v.check(
            (given) => origins.includes(given),
            `is not one of the option \`origins\`: ${origins.join(", ")}. Name one of these, or add it there`,
          ),
        ),
      ),
      spendCap: v.exactOptional(amount(0n)),
    }),
    v.partialCheck(
      [["scopes"], ["session"]],
      ({ scopes, session }) => scopes === undefined || session === undefined,
      "has both `scopes` and `session`. A token of a session has no other scope, so remove `scopes`",
    ),
  );

/** A browser token whose members were checked. */
export type CheckedToken = v.InferOutput<ReturnType<typeof newTokenSchema>>;

const defaultLifeSeconds = 900;
const longestLifeSeconds = 86_400;
