import type { Awaitable } from "@tollgate/core/internal";
import { Failure } from "./failure.ts";

/** What the work gives, unless the signal aborts first: then a Failure, and work that has begun is left to itself. */
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

/** Whoever aborts may say why, as a Failure. */
const failureOf = ({ reason }: AbortSignal): Failure =>
  reason instanceof Failure ? reason : new Failure("interrupted", "Interrupted.");
