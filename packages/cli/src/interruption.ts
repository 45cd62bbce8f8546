import type { Awaitable } from "@tollgate/core/internal";
import { Failure } from "./failure.ts";

/**
 * Returns the result of the work. When the signal aborts first, rejects with a Failure without waiting for the work.
 */
export async function unlessInterrupted<T>(work: () => Awaitable<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work();
  if (signal.aborted) throw failureOf(signal);
  let interrupt = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(failureOf(signal));
  });
  signal.addEventListener("abort", interrupt);
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}

/** The reason of the signal if it is a Failure, and otherwise a generic one. */
const failureOf = ({ reason }: AbortSignal): Failure =>
  reason instanceof Failure ? reason : new Failure("interrupted", "Interrupted.");
