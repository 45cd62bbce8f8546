import { describe, expect, it } from "vitest";
import { AccountQueues, type QueuedCall } from "./account-queues.ts";

describe("account queues", () => {
  it("run the first call immediately, and batch the calls that arrive while it runs", async () => {
    const { queues, batches, finish } = startQueues();
    for (const id of ["a", "b", "c"]) queues.add("one", end(id));
    expect(batches).toEqual([["a"]]);
    await finish();
    expect(batches).toEqual([["a"], ["b", "c"]]);
    await finish();
    queues.add("one", end("d"));
    expect(batches).toEqual([["a"], ["b", "c"], ["d"]]);
  });

  it("run the batches of different accounts in parallel", () => {
    const { queues, batches } = startQueues();
    queues.add("one", end("a"));
    queues.add("two", end("b"));
    expect(batches).toEqual([["a"], ["b"]]);
  });

  it("run calls with the same id in separate batches and in order", async () => {
    const { queues, batches, finish } = startQueues();
    for (const id of ["a", "b", "a", "c", "a", "b"]) queues.add("one", end(id));
    for (let left = 4; left > 0; left--) await finish();
    expect(batches).toEqual([["a"], ["b", "a", "c"], ["a", "b"]]);
  });

  it("put at most 250 calls into a batch", async () => {
    const { queues, batches, finish } = startQueues();
    for (let call = 0; call < 600; call++) queues.add("one", end(`${call}`));
    for (let left = 4; left > 0; left--) await finish();
    expect(batches.map((batch) => batch.length)).toEqual([1, 250, 250, 99]);
    expect(batches.flat()).toEqual(Array.from({ length: 600 }, (_, call) => `${call}`));
  });

  it("run calls that must be retried before calls that arrived later", async () => {
    const { queues, batches, finish } = startQueues();
    for (const id of ["a", "b", "c"]) queues.add("one", end(id));
    await finish();
    queues.add("one", end("d"));
    await finish(["c"]);
    await finish();
    expect(batches).toEqual([["a"], ["b", "c"], ["c", "d"]]);
  });
});

/** Queues whose batches run until `finish` is called with the ids to retry. */
function startQueues() {
  const batches: string[][] = [];
  const running: ((retry: readonly string[]) => void)[] = [];
  const run = (_account: string, batch: readonly QueuedCall[]) => {
    batches.push(batch.map(({ id }) => id));
    return new Promise<readonly QueuedCall[]>((resolve) =>
      running.push((retry) => resolve(batch.filter(({ id }) => retry.includes(id)))),
    );
  };
  const finish = async (retry: readonly string[] = []) => {
    running.shift()?.(retry);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queues: new AccountQueues(run), batches, finish };
}

function end(id: string): QueuedCall {
  const ignore = () => undefined;
  return { verb: "end", id, end: { id, state: "released", charge: 0n }, resolve: ignore, reject: ignore };
}
