/** Tells an observer what happened. Whether it throws now or later, it cannot touch what is going on. */
export function tellObserver<Event>(observer: ((event: Event) => void) | undefined, event: Event): void {
  void Promise.resolve(event)
    .then(observer)
    .catch(() => undefined);
}
