import { type ErrorCode, GatewayError } from "@tollgate/core";

/** The exit code of each kind of failure. */
const exitCodes = {
  usage: 2,
  config: 2,
  not_found: 1,
  conflict: 1,
  violations_found: 1,
  store_failed: 1,
  failed: 1,
  interrupted: 130,
} as const;

/** The codes of errors in the output of --json. */
type FailureCode = keyof typeof exitCodes;

/** A failure that is reported to the operator. Its message consists of complete sentences that say what to do next. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Additional members of the error in the output of --json. */
  readonly details: Readonly<Record<string, string>>;

  constructor(code: FailureCode, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get exitCode(): number {
    return exitCodes[this.code];
  }
}

/** Runs an operation. Rejects with a failure for an error with its code, since the operation advises clients of the API. */
export async function orFailure<T>(
  failures: Readonly<Partial<Record<ErrorCode, Failure>>>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw (GatewayError.is(error) && failures[error.code]) || error;
  }
}

/** Returns the message of a thrown value without a full stop. Some database clients throw errors without a message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "" && error.errors.length > 0)
    return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replace(/\.$/, "");
}
