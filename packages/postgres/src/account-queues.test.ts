import { describe, expect, it } from "vitest";
import { AccountQueues, type QueuedCall } from "./account-queues.ts";

describe("account queues", () => {
  it("batch the calls of one turn of the event loop, and those that arrive while a batch runs", async () => {
    const { queues, batches, turn, finish } = startQueues();
    for (const id of ["a", "b"]) queues.add("one", end(id));
    expect(batches).toEqual([]);
    await turn();
    for (const id of ["c", "d"]) queues.add("one", end(id));
    await turn();
    expect(batches).toEqual([["a", "b"]]);
    await finish();
    await finish();
    queues.add("one", end("e"));
    await turn();
    expect(batches).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  });

  it("batch the calls of those whom a batch has answered", async () => {
    const { queues, batches, turn, finish } = startQueues();
    const again = (id: string) => () => void Promise.resolve().then(() => queues.add("one", end(id)));
    for (const id of ["a", "b"]) queues.add("one", { ...end(id), resolve: again(`${id} again`) });
    await turn();
    await finish();
    expect(batches).toEqual([
      ["a", "b"],
      ["a again", "b again"],
    ]);
  });

  it("run the batches of different accounts in parallel", async () => {
    const { queues, batches, turn } = startQueues();
    queues.add("one", end("a"));
    queues.add("two", end("b"));
    await turn();
    expect(batches).toEqual([["a"], ["b"]]);
  });

  it("run calls with the same id in separate batches and in order", async () => {
    const { queues, batches, turn, finish } = startQueues();
    for (const id of ["a", "b", "a", "c", "a", "b"]) queues.add("one", end(id));
    await turn();
    for (let left = 3; left > 0; left--) await finish();
    expect(batches).toEqual([["a", "b", "c"], ["a", "b"], ["a"]]);
  });

  it("put at most 250 calls into a batch", async () => {
    const { queues, batches, turn, finish } = startQueues();
    for (let call = 0; call < 600; call++) queues.add("one", end(`${call}`));
    await turn();
    for (let left = 3; left > 0; left--) await finish();
    expect(batches.map((batch) => batch.length)).toEqual([250, 250, 100]);
    expect(batches.flat()).toEqual(Array.from({ length: 600 }, (_, call) => `${call}`));
  });

  it("run calls that must be retried before calls that arrived later", async () => {
    const { queues, batches, turn, finish } = startQueues();
    for (const id of ["a", "b", "c"]) queues.add("one", end(id));
    await turn();
    queues.add("one", end("d"));
    await finish(["c"]);
    await finish();
    expect(batches).toEqual([
      ["a", "b", "c"],
      ["c", "d"],
    ]);
  });
});

/** Queues whose batches run until `finish` is called with the ids to retry. */
function startQueues() {
  const batches: string[][] = [];
  const running: ((retry: readonly string[]) => void)[] = [];
  const run = (_account: string, batch: readonly QueuedCall[]) => {
    batches.push(batch.map(({ id }) => id));
    return new Promise<readonly QueuedCall[]>((resolve) =>
      running.push((retry) => {
        const left = batch.filter(({ id }) => retry.includes(id));
        for (const call of batch) if (call.verb === "end" && !left.includes(call)) call.resolve({ outcome: "ended" });
        resolve(left);
      }),
    );
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const finish = async (retry: readonly string[] = []) => {
    running.shift()?.(retry);
    await turn();
    await turn();
  };
  return { queues: new AccountQueues(run), batches, turn, finish };
}

function end(id: string): QueuedCall {
  const ignore = () => undefined;
  return { verb: "end", id, end: { id, state: "released", charge: 0n }, resolve: ignore, reject: ignore };
}
