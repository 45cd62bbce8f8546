import type { Observer } from "../ports/observer.ts";

/** Returns an observer whose errors, thrown or rejected, are ignored, so that they affect no request. */
export function shielded(observer: Observer): Observer {
  return (event) => {
    try {
      const returned: unknown = observer(event);
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // The host's observer has to handle its own errors.
    }
  };
}
