import type { Observer } from "../ports/observer.ts";

/** An observer that cannot touch a request, whatever it throws, and whether it throws now or later. */
export function shielded(observer: Observer): Observer {
  return (event) => {
    try {
      const returned: unknown = observer(event);
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // An observer's fault is its own.
    }
  };
}
