import { ok } from "node:assert/strict";
import { ProviderError } from "@tollgate/core/provider";

/** Returns the reason of a rejected promise. Throws when the promise resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (cause: unknown) => ({ cause }),
  );
  if ("cause" in outcome) return outcome.cause;
  throw new Error(`The provider must throw a ProviderError here, but returned ${JSON.stringify(outcome.value)}.`);
}

/** Returns the ProviderError of a rejected promise. Throws in every other case. */
export async function providerErrorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const cause = await rejectionOf(promise);
  if (ProviderError.is(cause)) return cause;
  throw new Error(`The provider must throw a ProviderError here, but threw ${describe(cause)}.`, { cause });
}

/** Checks that an aborted call rejects with the signal's reason or a ProviderError. */
export async function expectAborted(promise: Promise<unknown>, reason: unknown): Promise<void> {
  const cause = await rejectionOf(promise);
  ok(
    cause === reason || ProviderError.is(cause),
    `An aborted call must throw the signal's reason or a ProviderError, but threw ${describe(cause)}.`,
  );
}

/** Returns all text of an error that a log can contain. */
export function everythingOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return describe(error);
  const own = Object.getOwnPropertyNames(error).map((name) => describe(Reflect.get(error, name)));
  return `${own.join(" ")} ${everythingOf(error.cause, depth + 1)}`;
}

function describe(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
