import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { post, receive } from "../../test-support/receive.ts";
import { ResponseSignal } from "./index.ts";

async function signalOf() {
  const { req, res, client } = await receive(post());
  const signal = new ResponseSignal(res);
  const calls: string[] = [];
  return { req, res, client, signal, calls };
}

it("aborts when the client disconnects before the response, and calls each listener once", async () => {
  const { res, client, signal, calls } = await signalOf();
  for (const name of ["one", "two"]) signal.addEventListener("abort", () => calls.push(name));
  expect(signal.aborted).toBe(false);
  client.resetAndDestroy();
  await once(res, "close");
  expect([signal.aborted, calls]).toEqual([true, ["one", "two"]]);
});

it("aborts when the client disconnects during the response", async () => {
  const { res, client, signal } = await signalOf();
  res.write("begun");
  client.resetAndDestroy();
  await once(res, "close");
  expect(signal.aborted).toBe(true);
});

it("does not abort after a complete response, even when the client disconnects later", async () => {
  const { req, res, client, signal, calls } = await signalOf();
  signal.addEventListener("abort", () => calls.push("late"));
  const { socket } = req;
  const closed = [res, socket].map((each) => new Promise((resolve) => each.once("close", resolve)));
  res.end("all");
  await closed[0];
  client.resetAndDestroy();
  await closed[1];
  expect([signal.aborted, calls]).toEqual([false, []]);
});

it("does not call listeners that were removed", async () => {
  const { res, client, signal, calls } = await signalOf();
  const [first, second, third] = ["first", "second", "third"].map((name) => () => void calls.push(name));
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are three.");
  for (const listener of [first, second, third]) signal.addEventListener("abort", listener);
  signal.removeEventListener("abort", second);
  client.resetAndDestroy();
  await once(res, "close");
  expect(calls).toEqual(["first", "third"]);
});

it("is aborted from the start when the client has already disconnected", async () => {
  const { res, client } = await receive(post());
  client.resetAndDestroy();
  await once(res, "close");
  expect(new ResponseSignal(res).aborted).toBe(true);
});

/** Sends several requests at once on one connection; none is answered yet. */
async function pipelined(count: number) {
  const responses: ServerResponse[] = [];
  const take = (_req: IncomingMessage, res: ServerResponse) => void responses.push(res);
  const { client } = await receive(post().repeat(count), take);
  return { client, responses, signals: responses.map((res) => new ResponseSignal(res)) };
}

it("aborts all pipelined requests when their client disconnects, including those still waiting", async () => {
  const { client, responses, signals } = await pipelined(3);
  const [first] = responses;
  if (first === undefined) throw new Error("There are three.");
  first.write("begun");
  client.resetAndDestroy();
  await once(first, "close");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

it("does not abort pipelined requests that were answered", async () => {
  const { client, responses, signals } = await pipelined(30);
  for (const res of responses) res.end("all");
  await expect.poll(() => responses.every(({ closed }) => closed)).toBe(true);
  client.resetAndDestroy();
  await expect.poll(() => responses[0]?.req.socket.closed).toBe(true);
  expect(signals.filter(({ aborted }) => aborted)).toEqual([]);
});
