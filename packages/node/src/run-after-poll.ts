/** What is to be done: a function, or an object of which many are made and that needs none of its own. */
export type Work = (() => void) | { work(): void };

let waiting: Work[] = [];

/**
 * Calls back once the sockets that are readable now have been read: what comes from many of them in one turn of the event
 * loop is then worked on together, by code that is in the processor's cache, and nobody waits for longer than the turn.
 * Work that throws keeps no other from being done.
 */
export function afterReading(work: Work): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(workOff);
}

function workOff(): void {
  const all = waiting;
  let done = 0;
  waiting = [];
  try {
    for (const work of all) {
      done += 1;
      if (typeof work === "function") work();
      else work.work();
    }
  } finally {
    if (done < all.length) for (const work of all.slice(done)) afterReading(work);
  }
}
