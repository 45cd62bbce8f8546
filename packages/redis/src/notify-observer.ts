/** Passes an event to the observer asynchronously, and ignores its errors. */
export function notifyObserver<Event>(observer: ((event: Event) => void) | undefined, event: Event): void {
  void Promise.resolve(event)
    .then(observer)
    .catch(() => undefined);
}
