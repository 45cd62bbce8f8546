const serializationFailure = "40001";
const deadlock = "40P01";
// The server stopped or the connection was lost.
const connectionLost = ["57P01", "57P02", "57P03", "57P05", "ECONNRESET", "ECONNREFUSED", "EPIPE"];

/**
 * Tells whether a retry of the statement can succeed. The statement may have taken effect, so only an idempotent one
 * may be retried.
 */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && error.message === "Connection terminated unexpectedly";
  return [serializationFailure, deadlock, ...connectionLost].includes(code) || code.startsWith("08");
}

/** Tells whether a concurrent change made the transaction fail. It was rolled back. */
export function isSerializationFailure(error: unknown): boolean {
  return codeOf(error) === serializationFailure;
}

/**
 * Tells whether the server or a pooler refused the name of a prepared statement: the connection has no statement of this
 * name (26000), already has one (42P05), or has one whose columns a migration changed (0A000 of this routine). The statement has
 * not run.
 */
export function isNameRefused(error: unknown): boolean {
  const code = codeOf(error);
  // A standby refuses tables that are not logged with the same code.
  if (code === "0A000")
    return error instanceof Error && "routine" in error && error.routine === "RevalidateCachedQuery";
  return code === "26000" || code === "42P05";
}

/** Tells whether a concurrent statement has inserted the same key. This statement was rolled back. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/**
 * Tells whether the database rejected the values of the statement. The same statement can succeed with other values.
 */
export function isInvalidValue(error: unknown): boolean {
  // 21: cardinality violation, 22: data exception, 23: integrity constraint violation, 54: program limit exceeded.
  return error instanceof RangeError || ["21", "22", "23", "54"].includes(codeOf(error)?.slice(0, 2) ?? "");
}

/**
 * Tells whether the database rejected a statement because of one of the calls in it, such as one for an account that is being
 * moved: each of them can run alone. False for an outage, which all of them share.
 */
export function isOfOneCall(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof RangeError || error instanceof TypeError;
  return (
    !isTransient(error) &&
    /^[0-9A-Z]{5}$/.test(code) &&
    !["08", "40", "53", "55", "57", "58", "XX"].includes(code.slice(0, 2))
  );
}

/** Tells whether the statement timed out, on the server or in the client. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === "57014" || (error instanceof Error && error.message === "Query read timeout");
}

/** Returns the error for the caller of a store. Some errors of the database become messages that say what to do. */
export function describedError(error: unknown, schema: string): unknown {
  const code = codeOf(error);
  if (code === "22003") {
    return new RangeError(
      "A balance cannot exceed 2^63 - 1 nano-units in either direction. Nothing was posted; use a smaller amount.",
      {
        cause: error,
      },
    );
  }
  // A table, a function or the schema is missing.
  if (code === "42P01" || code === "42883" || code === "3F000") {
    return new Error(`The schema "${schema}" has no Tollgate tables, or not all of them. Call migratePostgres first.`, {
      cause: error,
    });
  }
  if (code === "25P01") {
    return new Error(
      "The client of `inTransaction` is in no transaction. Begin one on it first, and pass the client itself, not its pool.",
      { cause: error },
    );
  }
  if (code === "42501") {
    return new Error(
      `The role lacks permissions on the schema "${schema}". Grant them, or migrate as another role and pass \`migrate: false\`.`,
      { cause: error },
    );
  }
  return error;
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
