/** Settles like the promise, or rejects when it takes longer than the timeout. A later result or error is ignored. */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeOut = () => reject(new Error(`no reply within ${milliseconds} ms`));
    // After the event loop was blocked, timers run before I/O. The immediate lets a reply that has already arrived win.
    const timer = setTimeout(() => setImmediate(timeOut), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
