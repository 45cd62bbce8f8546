import { fencedCode } from "./fence-tables.ts";

/** The error of a call for an account while it moves to another shard. It becomes a 503, as an outage does. */
export class AccountMovingError extends Error {
  override readonly name = "AccountMovingError";

  constructor(account: string) {
    super(`The account "${account}" is being moved to another shard. Try again in a moment.`);
  }
}

/** Tells whether a statement failed because it changes an account that is fenced in this shard. */
export const isFenced = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === fencedCode;
