import { expect } from "vitest";
import { exchange } from "./exchange.ts";
import type { MountAddress } from "./host-report.ts";
import { postOf, prefix, smallChat } from "./hostile-request.ts";

/**
 * Sends small chat completions one after another with a key of its own, each on a new connection. Returns the median of their
 * durations in milliseconds. Fails unless each is answered.
 */
export async function askSteadily({ port, steady }: MountAddress, count = 40): Promise<number> {
  const durations: number[] = [];
  for (let asked = 0; asked < count; asked++) {
    const start = performance.now();
    const [response] = await exchange(port, postOf(`${prefix}/chat/completions`, steady, smallChat));
    durations.push(performance.now() - start);
    expect(response).toMatchObject({ status: 200, complete: true });
  }
  return durations.sort((a, b) => a - b)[count >> 1] ?? 0;
}
