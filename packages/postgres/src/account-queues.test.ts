import { describe, expect, it } from "vitest";
import { AccountQueues, type Turn } from "./account-queues.ts";

describe("the queues of accounts", () => {
  it("start the first call at once, and let what comes meanwhile go together", async () => {
    const { queues, batches, finish } = startQueues();
    for (const id of ["a", "b", "c"]) queues.add("one", end(id));
    expect(batches).toEqual([["a"]]);
    await finish();
    expect(batches).toEqual([["a"], ["b", "c"]]);
    await finish();
    queues.add("one", end("d"));
    expect(batches).toEqual([["a"], ["b", "c"], ["d"]]);
  });

  it("do not make accounts wait for each other", () => {
    const { queues, batches } = startQueues();
    queues.add("one", end("a"));
    queues.add("two", end("b"));
    expect(batches).toEqual([["a"], ["b"]]);
  });

  it("keep what has the same id apart and in its order", async () => {
    const { queues, batches, finish } = startQueues();
    for (const id of ["a", "b", "a", "c", "a", "b"]) queues.add("one", end(id));
    for (let left = 4; left > 0; left--) await finish();
    expect(batches).toEqual([["a"], ["b", "a", "c"], ["a", "b"]]);
  });

  it("take at most 250 calls together", async () => {
    const { queues, batches, finish } = startQueues();
    for (let call = 0; call < 600; call++) queues.add("one", end(`${call}`));
    for (let left = 4; left > 0; left--) await finish();
    expect(batches.map((batch) => batch.length)).toEqual([1, 250, 250, 99]);
    expect(batches.flat()).toEqual(Array.from({ length: 600 }, (_, call) => `${call}`));
  });

  it("let what must come again go before what came later", async () => {
    const { queues, batches, finish } = startQueues();
    for (const id of ["a", "b", "c"]) queues.add("one", end(id));
    await finish();
    queues.add("one", end("d"));
    await finish(["c"]);
    await finish();
    expect(batches).toEqual([["a"], ["b", "c"], ["c", "d"]]);
  });
});

/** Queues whose batches run until they are finished, with the ids that must come again. */
function startQueues() {
  const batches: string[][] = [];
  const running: ((again: readonly string[]) => void)[] = [];
  const run = (_account: string, batch: readonly Turn[]) => {
    batches.push(batch.map(({ id }) => id));
    return new Promise<readonly Turn[]>((resolve) =>
      running.push((again) => resolve(batch.filter(({ id }) => again.includes(id)))),
    );
  };
  const finish = async (again: readonly string[] = []) => {
    running.shift()?.(again);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queues: new AccountQueues(run), batches, finish };
}

function end(id: string): Turn {
  const nobody = () => undefined;
  return { verb: "end", id, end: { id, state: "released", charge: 0n }, resolve: nobody, reject: nobody };
}
