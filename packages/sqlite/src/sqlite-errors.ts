/** True for the refusal that another connection's lock causes, in any of its forms (SQLITE_BUSY and its extended codes). */
export function isBusy(error: unknown): boolean {
  return (resultCode(error) & primaryCode) === 5;
}

/** True when an integer would have become a float: arithmetic that passes 64 bits, refused by a STRICT table. */
export function isIntegerOverflow(error: unknown): boolean {
  return resultCode(error) === 3091;
}

// https://sqlite.org/rescode.html: the low byte of an extended code is the primary one.
const primaryCode = 0xff;

function resultCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}
