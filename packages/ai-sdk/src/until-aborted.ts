/**
 * Resolves with the result of `work`. Rejects with the signal's reason as soon as it aborts, even if `work` ignores the
 * signal; a later result is passed to `discard`.
 */
export function untilAborted<T>(
  work: PromiseLike<T>,
  signal: AbortSignal,
  discard: (late: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        if (signal.aborted) discard(value);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    );
  });
}
