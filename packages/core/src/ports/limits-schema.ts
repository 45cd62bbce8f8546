import * as v from "valibot";
import { wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";

/** The longest window of a limit, in seconds: one week. A longer one would overflow the timer of the request counter. */
export const longestWindowSeconds = 604_800;

const window = optionMembers("a window limit", {
  limit: wholeNumber(),
  windowSeconds: v.exactOptional(wholeNumber(1, longestWindowSeconds)),
});

/** The schema of the limits of a plan or a key. */
export const limitsSchema = optionMembers("limits", {
  requests: v.exactOptional(window),
  tokens: v.exactOptional(window),
  concurrency: v.exactOptional(wholeNumber()),
});
