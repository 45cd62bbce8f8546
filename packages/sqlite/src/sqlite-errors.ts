/** Tells whether another connection's lock caused the error: SQLITE_BUSY or one of its extended codes. */
export function isBusy(error: unknown): boolean {
  return (resultCode(error) & primaryCode) === 5;
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
