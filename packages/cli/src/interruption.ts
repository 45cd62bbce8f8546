import type { Awaitable } from "@tollgate/core/internal";
import { Failure, reasonOf } from "./failure.ts";

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

/** npm forwards a signal that the terminal has already sent, so a second signal within this time is the same Ctrl-C. */
const sameSignalMs = 300;

/**
 * Returns a signal that ends the command early. It aborts at the first SIGINT or SIGTERM, at an uncaught exception, and
 * when the event loop is empty before the command has ended. A second SIGINT or SIGTERM exits immediately with 130.
 */
export function endingSignal(): AbortSignal {
  const ending = new AbortController();
  let first = 0;
  const interrupt = () => {
    const now = performance.now();
    if (!ending.signal.aborted) first = now;
    else if (now - first > sameSignalMs) process.exit(130);
    ending.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  process.once("beforeExit", () => ending.abort(new Failure("failed", neverSettled)));
  process.on("uncaughtException", (error) => ending.abort(new Failure("failed", uncaught(error))));
  return ending.signal;
}

const uncaught = (error: unknown): string =>
  `The config file caused an uncaught error: ${reasonOf(error)}. Look for a client without an \`error\` listener.`;

const neverSettled =
  "A store or the config file waits for a promise that never settles. Look for that promise in the config file.";
