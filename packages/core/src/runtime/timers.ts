/** A repeating timer that does not keep a process alive; gives back what ends it. */
export function every(milliseconds: number, beat: () => void): () => void {
  const timer: unknown = setInterval(beat, milliseconds);
  if (isNodeTimer(timer)) timer.unref();
  return () => clearInterval(timer as number);
}

/** One call later, which does not keep a process alive; gives back what calls it off. */
export function after(milliseconds: number, call: () => void): () => void {
  const timer: unknown = setTimeout(call, milliseconds);
  if (isNodeTimer(timer)) timer.unref();
  return () => clearTimeout(timer as number);
}

/** One call later, for which a process stays alive, since somebody waits for what it does; gives back what calls it off. */
export function wait(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}

/** What comes within the time, or a rejection: its own, else one that says how long was waited. */
export function withinTime<T>(
  answer: PromiseLike<T>,
  milliseconds: number,
  toError: (cause: unknown) => unknown = asItIs,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(toError(new Error(`no answer in ${milliseconds} ms`))), milliseconds);
    // A thenable that is no Promise may throw from its `then`, or come to another thenable.
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

const asItIs = (cause: unknown): unknown => cause;

const isNodeTimer = (timer: unknown): timer is { unref(): void } =>
  typeof timer === "object" && timer !== null && "unref" in timer;
