/** A repeating timer that does not keep a process alive; gives back what ends it. */
export function every(milliseconds: number, beat: () => void): () => void {
  const timer: unknown = setInterval(beat, milliseconds);
  if (isNodeTimer(timer)) timer.unref();
  return () => clearInterval(timer as number);
}

const isNodeTimer = (timer: unknown): timer is { unref(): void } =>
  typeof timer === "object" && timer !== null && "unref" in timer;
