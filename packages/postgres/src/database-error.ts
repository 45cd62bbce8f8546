const serializationFailure = "40001";
const deadlock = "40P01";
// The server or the connection went away.
const brokenOff = ["57P01", "57P02", "57P03", "57P05", "ECONNRESET", "ECONNREFUSED", "EPIPE"];

/** True when the same statement may succeed in a moment. It may have taken effect: only repeatable statements may be run again. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && error.message === "Connection terminated unexpectedly";
  return [serializationFailure, deadlock, ...brokenOff].includes(code) || code.startsWith("08");
}

/** True when the statement met a change that its transaction was not to see. It was undone. */
export function isSerializationFailure(error: unknown): boolean {
  return codeOf(error) === serializationFailure;
}

/** True when another statement has written the same key since this one began. It was undone. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/** True when the database refused what it was given, so that other arguments may succeed in its place. */
export function isRefusedContent(error: unknown): boolean {
  // 21: cardinality, 22: data, 23: integrity, 54: limits of the program.
  return error instanceof RangeError || ["21", "22", "23", "54"].includes(codeOf(error)?.slice(0, 2) ?? "");
}

/** True when the time that the host allows a statement was up, on the server or in the client. */
export function tookTooLong(error: unknown): boolean {
  return codeOf(error) === "57014" || (error instanceof Error && error.message === "Query read timeout");
}

/** The error as the caller of a store is to see it: in words that say what to do where the database's own do not. */
export function explained(error: unknown, schema: string): unknown {
  const code = codeOf(error);
  if (code === "22003") {
    return new RangeError("A balance cannot exceed 2^63 - 1 nano-units either way. Nothing was booked; book less.", {
      cause: error,
    });
  }
  if (code === "42P01") {
    return new Error(`The schema "${schema}" lacks tables of Tollgate. Call migratePostgres first.`, { cause: error });
  }
  if (code === "42501") {
    return new Error(
      `The role may not work on the schema "${schema}". Grant it what it lacks, or migrate as another role and pass \`migrate: false\`.`,
      { cause: error },
    );
  }
  return error;
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
