import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { drivers, dropKeys, freshPrefix, onRedis, sharedRedis, withoutRedis } from "./connections.ts";

// The processes import the built package.
describe.skipIf(withoutRedis)(onRedis("four processes that share limits"), () => {
  const prefix = freshPrefix();
  afterAll(async () => {
    const connection = await drivers.ioredis(sharedRedis());
    await dropKeys(connection, prefix);
    connection.close();
  });

  it("are granted exactly the limit in total, with both clients", async () => {
    const processes = ["node-redis", "ioredis", "node-redis", "ioredis"].map((client) =>
      spawn(process.execPath, ["concurrent-limits.mjs", sharedRedis(), prefix, client], { cwd: import.meta.dirname }),
    );
    const outputs = processes.map(linesOf);
    for (const output of outputs) expect((await output.next()).value).toBe("ready");
    for (const each of processes) each.stdin.write("go\n");
    const sums: Record<string, number> = {};
    for (const output of outputs) {
      const { value } = await output.next();
      for (const [name, granted] of Object.entries<number>(JSON.parse(value))) sums[name] = (sums[name] ?? 0) + granted;
    }
    // 142 reservations of 7 tokens fit into 1,000, and exactly 50 into 350, for which there are enough places.
    expect(sums).toEqual({ requests: 300, tokens: 142, places: 10, both: 50 });
  }, 30_000);
});

function linesOf(each: ChildProcessWithoutNullStreams): AsyncIterator<string> {
  each.stderr.pipe(process.stderr);
  return createInterface({ input: each.stdout })[Symbol.asyncIterator]();
}
