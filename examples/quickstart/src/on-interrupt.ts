/** npm forwards the signal that the terminal also sends, so a second signal within this time belongs to the same Ctrl-C. */
const sameSignalMs = 300;

/** Calls `finish` at the first SIGINT or SIGTERM and exits with 0 once it resolves. A later signal exits immediately. */
export function onInterrupt(finish: () => Promise<void>): void {
  let firstAt: number | undefined;
  const interrupt = async () => {
    const now = performance.now();
    if (firstAt !== undefined) return now - firstAt > sameSignalMs ? process.exit(130) : undefined;
    firstAt = now;
    await finish();
    process.exit(0);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
}
