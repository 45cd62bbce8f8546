/** Counters of the mock provider, as `GET /stats` shows them. */
export interface UpstreamStats {
  /** Requests for a completion. */
  requests: number;
  /** Streamed answers begun. */
  streams: number;
  /** Streamed answers sent to their last byte. */
  completed: number;
  /** Answers whose client left before their last byte. */
  aborted: number;
  /** Frames sent, usage and [DONE] among them. */
  frames: number;
  /** When the last client left: nanoseconds of the machine's monotonic clock, in decimal. */
  lastAbortNs: string;
}

/** Reads the counters of the mock provider at a port. */
export async function readStats(port: number): Promise<UpstreamStats> {
  const answer = await fetch(`http://127.0.0.1:${port}/stats`);
  const stats: UpstreamStats = JSON.parse(await answer.text());
  return stats;
}
