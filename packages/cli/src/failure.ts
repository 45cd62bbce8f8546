/** What kind of failure ended a command, and the exit code that it gives. */
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

/** The codes that an error has with --json. */
export type FailureCode = keyof typeof exitCodes;

/** A failure that is told to the operator: its message is whole sentences that say what to do next. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Further members of the error with --json. */
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

/** What a thrown value says of itself, without a full stop; some database clients throw errors without a message. */
export function reasonOf(fault: unknown): string {
  if (fault instanceof AggregateError && fault.message === "" && fault.errors.length > 0)
    return reasonOf(fault.errors[0]);
  const message = fault instanceof Error ? fault.message || fault.name : String(fault);
  return message.replace(/\.$/, "");
}
