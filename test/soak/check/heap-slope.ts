/** The state of a heap after a collection: bytes in use, and the requests that the process had answered by then. */
export interface HeapSample {
  readonly requests: number;
  readonly bytes: number;
}

/** A line through samples by least squares: bytes per request. */
export interface Slope {
  readonly bytesPerRequest: number;
  readonly standardError: number;
}

/** Fits a line through at least three samples. */
export function slopeOf(samples: readonly HeapSample[]): Slope {
  const count = samples.length;
  if (count < 3) throw new Error(`A slope needs three samples, and there are ${count}. Let the soak run longer.`);
  const mean = (read: (sample: HeapSample) => number) => samples.reduce((sum, each) => sum + read(each), 0) / count;
  const [requests, bytes] = [mean((each) => each.requests), mean((each) => each.bytes)];
  const sum = (read: (sample: HeapSample) => number) => samples.reduce((total, each) => total + read(each), 0);
  const spread = sum((each) => (each.requests - requests) ** 2);
  const bytesPerRequest = sum((each) => (each.requests - requests) * (each.bytes - bytes)) / spread;
  const residuals = sum((each) => (each.bytes - bytes - bytesPerRequest * (each.requests - requests)) ** 2);
  return { bytesPerRequest, standardError: Math.sqrt(residuals / (count - 2) / spread) };
}

/** Returns a violation if a heap grows by more than twice the error of its slope and by more than a floor for the whole window. */
export function checkHeap(samples: readonly HeapSample[], floorBytes: number): string[] {
  const { bytesPerRequest, standardError } = slopeOf(samples);
  const growth = bytesPerRequest * ((samples.at(-1)?.requests ?? 0) - (samples[0]?.requests ?? 0));
  if (bytesPerRequest <= 2 * standardError || growth <= floorBytes) return [];
  const figures = `${bytesPerRequest.toFixed(1)} ± ${standardError.toFixed(1)} bytes per request, ${Math.round(growth)} in all`;
  return [`The heap grows by ${figures}.`];
}
