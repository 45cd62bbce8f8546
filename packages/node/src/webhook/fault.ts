import type { WebhookFailure } from "@tollgate/core/assistants";

/** Why a try of a webhook ended without an answer. The message is for the log alone. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly failure: WebhookFailure;

  constructor(failure: WebhookFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** A fault as it is, and whatever else was thrown as a fault of the given kind. */
export function toFault(thrown: unknown, failure: WebhookFailure): Fault {
  return thrown instanceof Fault ? thrown : new Fault(failure, describe(thrown), { cause: thrown });
}

/** The code of an error of the system, such as ECONNREFUSED, also of several at once. */
export function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function describe(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return [codeOf(thrown), message].filter(Boolean).join(": ") || "It failed without saying why.";
}
