/** The state of a heap after a collection: bytes in use, and the requests that the process had answered by then. */
export interface HeapSample {
  readonly requests: number;
  readonly bytes: number;
}

/** The slope of a line through samples, in bytes per request, and its standard error. */
export interface Slope {
  readonly bytesPerRequest: number;
  readonly standardError: number;
}

const blockCount = 12;

/**
 * Fits a line through the means of 12 blocks of samples. Samples that follow each other are alike, so that the error of a
 * line through all of them would be too small; those of whole blocks are independent (the method of batch means).
 */
export function slopeOf(samples: readonly HeapSample[]): Slope {
  if (samples.length < blockCount) {
    throw new Error(`A slope needs ${blockCount} samples, and there are ${samples.length}. Let the soak run longer.`);
  }
  return fitLine(Array.from({ length: blockCount }, (_, block) => meanOf(blockOf(samples, block))));
}

function blockOf(samples: readonly HeapSample[], block: number): readonly HeapSample[] {
  const startOf = (at: number) => Math.round((at * samples.length) / blockCount);
  return samples.slice(startOf(block), startOf(block + 1));
}

function meanOf(samples: readonly HeapSample[]): HeapSample {
  const mean = (read: (sample: HeapSample) => number) =>
    samples.reduce((sum, each) => sum + read(each), 0) / samples.length;
  return { requests: mean((each) => each.requests), bytes: mean((each) => each.bytes) };
}

/** Least squares. */
function fitLine(samples: readonly HeapSample[]): Slope {
  const count = samples.length;
  const { requests, bytes } = meanOf(samples);
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
