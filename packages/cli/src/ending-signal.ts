import { Failure, reasonOf } from "./failure.ts";

/** npm passes on the signal that the terminal has already sent; what comes this soon is the same Ctrl-C. */
const sameSignalMs = 300;

/**
 * A signal that ends the command early: it aborts at the first SIGINT or SIGTERM, and when the process has nothing left
 * to wait for although the command has not ended, or when something fails that nobody waits for. A later SIGINT or SIGTERM exits at once with 130.
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
  process.once("beforeExit", () => ending.abort(new Failure("failed", neverAnswered)));
  process.on("uncaughtException", (fault) => ending.abort(new Failure("failed", stray(fault))));
  return ending.signal;
}

const stray = (fault: unknown): string =>
  `Something that the config file started has failed: ${reasonOf(fault)}. Look for a client without an \`error\` listener.`;

const neverAnswered =
  "A store or the config file waits for something that never comes. Look for a promise in the config file that nothing settles.";
