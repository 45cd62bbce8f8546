import { optionMembers, origin } from "@tollgate/core/extension";
import * as v from "valibot";

/** The options of {@link browserTokens}. */
export interface BrowserTokenOptions {
  /**
   * A random text of at least 32 characters that is the same in all processes, or a list of them, of which the first signs and
   * all verify. To replace one, add the new one behind it in all processes, then put it first, and remove the old one after the
   * longest life of a token.
   */
  readonly secret: string | readonly string[];
  /** The origins whose pages may use tokens, as browsers send them: "https://app.example". Preflights from them are answered. */
  readonly origins: readonly string[];
}

/** HMAC with SHA-256 needs a key of the size of its digest (RFC 7518, section 3.2). */
const secretText = v.custom<string>(
  (value) => typeof value === "string" && value.length >= 32,
  // Without the value, since it may be a secret.
  "must be a random text of at least 32 characters. Make one with `openssl rand -base64 32`",
);

const secret = v.pipe(
  v.lazy((value) => (Array.isArray(value) ? v.array(secretText) : secretText)),
  v.transform((given) => (typeof given === "string" ? [given] : given)),
  v.rawTransform(
    ({
      dataset: {
        value: [first, ...others],
      },
      addIssue,
      NEVER,
    }): readonly [string, ...string[]] => {
      if (first !== undefined) return [first, ...others];
      addIssue({ message: "is empty. Give at least one secret" });
      return NEVER;
    },
  ),
);

/** The schema of {@link BrowserTokenOptions}. */
export const optionsSchema = optionMembers("the options of browserTokens", {
  secret,
  origins: v.pipe(
    v.array(origin, 'must be a list of origins, such as ["https://app.example"]. All origins ("*") are not possible'),
    v.minLength(1, 'is empty. Give the origins of the pages that use tokens, such as ["https://app.example"]'),
  ),
});
