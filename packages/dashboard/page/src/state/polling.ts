/**
 * Calls a function every `ms` milliseconds while the page is visible, and at once when it becomes visible again after
 * that time. Returns a function that stops it.
 */
export function everyWhileVisible(ms: number, run: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Date.now();
  let stopped = false;
  const next = (): void => {
    clearTimeout(timer);
    if (stopped || document.hidden) return;
    timer = setTimeout(
      async () => {
        await run();
        last = Date.now();
        next();
      },
      Math.max(0, last + ms - Date.now()),
    );
  };
  document.addEventListener("visibilitychange", next);
  next();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", next);
  };
}
