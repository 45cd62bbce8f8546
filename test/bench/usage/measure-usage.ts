import { alternate, type Rounds } from "../rounds.ts";
import { measureRecording } from "./recording-overhead.ts";

/** What the recording of usage adds to a request, in microseconds, in each round. */
export interface UsageResults {
  readonly recording: Rounds<"request", number>;
}

const slices = 20;

/** Measures it in this process. */
export async function measureUsage(rounds: number): Promise<UsageResults> {
  return { recording: await alternate(["request"], rounds, () => measureRecording(slices)) };
}
