/** npm passes on the signal that the terminal has already sent; what comes this soon is the same Ctrl-C. */
const sameSignalMs = 300;

/** Calls `finish` at the first SIGINT or SIGTERM and exits with 0 when it has resolved; a later signal exits at once. */
export function onInterrupt(finish: () => Promise<void>): void {
  let first: number | undefined;
  const interrupt = async () => {
    const now = performance.now();
    if (first !== undefined) return now - first > sameSignalMs ? process.exit(130) : undefined;
    first = now;
    await finish();
    process.exit(0);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
}
