import type { WebhookFailure } from "@tollgate/core/extension";

/** The reason why an attempt failed without a response. The message is only for logs. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly failure: WebhookFailure;

  constructor(failure: WebhookFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** Returns a Fault unchanged and wraps any other thrown value in a Fault of the given kind. */
export function toFault(thrown: unknown, failure: WebhookFailure): Fault {
  return thrown instanceof Fault ? thrown : new Fault(failure, describe(thrown), { cause: thrown });
}

/** The code of a system error, such as ECONNREFUSED, or of an AggregateError. Undefined when there is none. */
export function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function describe(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return [codeOf(thrown), message].filter(Boolean).join(": ") || "The connection failed without an error message.";
}
