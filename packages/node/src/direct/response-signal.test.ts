import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { post, receive } from "../../test-support/receive.ts";
import { ResponseSignal } from "./index.ts";

async function signalOf() {
  const { req, res, client } = await receive(post());
  const signal = new ResponseSignal(res);
  const heard: string[] = [];
  return { req, res, client, signal, heard };
}

it("aborts when the client leaves before its answer, and tells each listener once", async () => {
  const { res, client, signal, heard } = await signalOf();
  for (const name of ["one", "two"]) signal.addEventListener("abort", () => heard.push(name));
  expect(signal.aborted).toBe(false);
  client.resetAndDestroy();
  await once(res, "close");
  expect([signal.aborted, heard]).toEqual([true, ["one", "two"]]);
});

it("aborts when the client leaves within its answer", async () => {
  const { res, client, signal } = await signalOf();
  res.write("begun");
  client.resetAndDestroy();
  await once(res, "close");
  expect(signal.aborted).toBe(true);
});

it("does not abort after an answer that was sent to its end, and when the client leaves then", async () => {
  const { req, res, client, signal, heard } = await signalOf();
  signal.addEventListener("abort", () => heard.push("late"));
  const { socket } = req;
  const closed = [res, socket].map((each) => new Promise((resolve) => each.once("close", resolve)));
  res.end("all");
  await closed[0];
  client.resetAndDestroy();
  await closed[1];
  expect([signal.aborted, heard]).toEqual([false, []]);
});

it("does not call listeners that were removed", async () => {
  const { res, client, signal, heard } = await signalOf();
  const [first, second, third] = ["first", "second", "third"].map((name) => () => void heard.push(name));
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are three.");
  for (const listener of [first, second, third]) signal.addEventListener("abort", listener);
  signal.removeEventListener("abort", second);
  client.resetAndDestroy();
  await once(res, "close");
  expect(heard).toEqual(["first", "third"]);
});

it("is aborted from the beginning when the client has left before", async () => {
  const { res, client } = await receive(post());
  client.resetAndDestroy();
  await once(res, "close");
  expect(new ResponseSignal(res).aborted).toBe(true);
});

/** Requests that came together on one connection, of which none is answered yet. */
async function pipelined(count: number) {
  const responses: ServerResponse[] = [];
  const take = (_req: IncomingMessage, res: ServerResponse) => void responses.push(res);
  const { client } = await receive(post().repeat(count), take);
  return { client, responses, signals: responses.map((res) => new ResponseSignal(res)) };
}

it("aborts when the client of pipelined requests leaves, for those too that wait for their turn", async () => {
  const { client, responses, signals } = await pipelined(3);
  const [first] = responses;
  if (first === undefined) throw new Error("There are three.");
  first.write("begun");
  client.resetAndDestroy();
  await once(first, "close");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

it("aborts no pipelined request that was answered in its turn", async () => {
  const { client, responses, signals } = await pipelined(30);
  for (const res of responses) res.end("all");
  await expect.poll(() => responses.every(({ closed }) => closed)).toBe(true);
  client.resetAndDestroy();
  await expect.poll(() => responses[0]?.req.socket.closed).toBe(true);
  expect(signals.filter(({ aborted }) => aborted)).toEqual([]);
});
