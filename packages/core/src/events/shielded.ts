/** Returns a listener whose errors, thrown or rejected, are ignored, so that they affect no request. */
export function shielded<Event>(listener: (event: Event) => void): (event: Event) => void {
  return (event) => {
    try {
      const returned: unknown = listener(event);
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // The listener of the host has to handle its own errors.
    }
  };
}
