import { computed, signal } from "@preact/signals";

/** Milliseconds after which a request counts as slow. */
const slowAfterMs = 3_000;
const waiting = signal(0);

/** True while a request takes longer than three seconds. */
export const slow = computed(() => waiting.value > 0);

/** Waits for a request, and reports it as slow meanwhile if it is. */
export async function watchNetwork<T>(request: Promise<T>): Promise<T> {
  let counted = false;
  const timer = setTimeout(() => {
    counted = true;
    waiting.value++;
  }, slowAfterMs);
  try {
    return await request;
  } finally {
    clearTimeout(timer);
    if (counted) waiting.value--;
  }
}
