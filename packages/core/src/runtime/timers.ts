/** Calls a function repeatedly without keeping the process alive. Returns a function that stops it. */
export function every(milliseconds: number, call: () => void): () => void {
  const timer: unknown = setInterval(call, milliseconds);
  if (isNodeTimer(timer)) timer.unref();
  return () => clearInterval(timer as number);
}

/** Calls a function later without keeping the process alive. Returns a function that cancels it. */
export function after(milliseconds: number, call: () => void): () => void {
  const timer: unknown = setTimeout(call, milliseconds);
  if (isNodeTimer(timer)) timer.unref();
  return () => clearTimeout(timer as number);
}

/** Calls a function later and keeps the process alive until then. Returns a function that cancels it. */
export function wait(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}

/**
 * Returns milliseconds on a clock that only goes forward, also when the date of the machine is set. Time limits and leases are
 * measured on it; what is shown or stored is a date.
 */
export const steadyNow = (): number => performance.now();

/** Returns the date of a time on the clock of {@link steadyNow}. */
export const steadyDate = (at: number): Date => new Date(Date.now() + at - steadyNow());

/**
 * Resolves in a later turn of the event loop, after other work of the process. The second timer is needed where the first one
 * is set by a timer: Node runs it in the same turn if that turn takes long.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void wait(0, () => wait(0, resolve)));

/** Resolves or rejects as the answer does, or rejects with a timeout error once the time has passed. */
export function withinTime<T>(
  answer: PromiseLike<T>,
  milliseconds: number,
  toError: (cause: unknown) => unknown = unchanged,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(toError(new Error(`no answer in ${milliseconds} ms`))), milliseconds);
    // A thenable other than a Promise may throw in its `then`, or resolve to another thenable.
    Promise.resolve(answer).then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (cause: unknown) => {
        clearTimeout(timer);
        reject(toError(cause));
      },
    );
  });
}

const unchanged = (cause: unknown): unknown => cause;

const isNodeTimer = (timer: unknown): timer is { unref(): void } =>
  typeof timer === "object" && timer !== null && "unref" in timer;
