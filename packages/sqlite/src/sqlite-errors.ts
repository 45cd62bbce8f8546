/** A transaction of the host is open on the connection, of which a step of the store would become a part. */
export class HostTransactionError extends Error {}

/** Tells whether a transaction could not begin because one is open on the connection. SQLite has no code for it. */
export function isWithinTransaction(error: unknown): boolean {
  return error instanceof Error && error.message.includes("within a transaction");
}

/**
 * Tells whether the error passes when another transaction ends: one of the host on the same connection, or one of another
 * connection, with SQLITE_BUSY or one of its extended codes.
 */
export function isBusy(error: unknown): boolean {
  return error instanceof HostTransactionError || (resultCode(error) & primaryCode) === 5;
}

/**
 * Tells whether integer arithmetic exceeded 64 bits. SQLite converts the result to a float, which a STRICT table
 * rejects.
 */
export function isIntegerOverflow(error: unknown): boolean {
  return resultCode(error) === 3091;
}

// https://sqlite.org/rescode.html: the low byte of an extended code is the primary one.
const primaryCode = 0xff;

function resultCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}
