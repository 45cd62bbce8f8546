import { Failure, reasonOf } from "./failure.ts";

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
