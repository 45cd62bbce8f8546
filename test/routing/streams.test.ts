import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openaiCompatible } from "@tollgate/core";
import { type ChatCompletionChunk, ProviderError } from "@tollgate/core/provider";
import { pooledTransport } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { eventsOf } from "../support/read-stream.ts";
import { framesOf, routed } from "./routed.ts";
import {
  aborted,
  answersWith,
  chunksBefore,
  contentFrame,
  fails,
  hangs,
  inSequence,
  named,
  roleFrame,
} from "./scripts.ts";

async function* chunksOf(chunks: readonly ChatCompletionChunk[]) {
  yield* chunks;
}

const failed = () => Promise.reject(new ProviderError("failed", "It failed."));

describe("a stream over several targets", () => {
  it("contains nothing of an attempt that failed before its content, and has one id and one role", async () => {
    const first = named("first", { stream: () => chunksBefore([roleFrame("of-the-first")], failed) });
    const { chat, key } = routed([first, named("second", answersWith("two"))]);
    const response = await chat(await key(), { stream: true });
    expect(response.headers.get("x-router-attempts")).toBe("4");
    const frames = await framesOf(response);
    expect(new Set(frames.map(({ id }) => id))).toEqual(new Set(["chatcmpl-upstream"]));
    expect(new Set(frames.map(({ created }) => created)).size).toBe(1);
    expect(frames.filter(({ choices }) => choices[0]?.delta.role === "assistant")).toHaveLength(1);
    expect(frames.at(-1)?.usage).toMatchObject({ completion_tokens: 1 });
  });

  it("fails over after its headers were sent, until the first content", async () => {
    const first = named("first", hangs);
    const second = named("second", { stream: () => chunksBefore([roleFrame("of-the-second")], failed) });
    const { chat, key, reported, ends } = routed([first, second, named("third", answersWith("three"))], {
      streams: { responseStartTimeoutMs: 40 },
      upstream: { firstFrameMs: 1_000 },
    });
    const response = await chat(await key(), { stream: true });
    expect([response.status, response.headers.get("x-router-attempts")]).toEqual([200, "1"]);
    const frames = await framesOf(response);
    expect(frames.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("three");
    expect(new Set(frames.map(({ id }) => id)).size).toBe(1);
    expect(reported("attempt.failed")).toMatchObject([{ failure: "timeout" }, ...Array(3).fill({ failure: "failed" })]);
    expect(ends()).toMatchObject([{ ending: "complete", provider: "third", attempts: 5 }]);
  });

  it("ends with one error frame if all targets fail after its headers were sent", async () => {
    const [first, second] = [
      named("first", hangs),
      named("second", { stream: () => chunksBefore([roleFrame("second")], failed) }),
    ];
    const { chat, key } = routed([first, second], {
      streams: { responseStartTimeoutMs: 40, keepAliveMs: 40 },
      upstream: { firstFrameMs: 1_000 },
      routing: { retries: 0 },
    });
    const response = await chat(await key(), { stream: true });
    expect(response.status).toBe(200);
    const events: string[] = [];
    for await (const event of eventsOf(response)) events.push(event);
    expect(events).toContain(": keep-alive");
    const frames = events.filter((event) => !event.startsWith(":"));
    expect(frames).toHaveLength(1);
    expect(JSON.parse(frames[0] ?? "")).toMatchObject({
      id: "second",
      model: "plain",
      choices: [{ finish_reason: "error" }],
      error: { code: "upstream_failed" },
    });
  });

  it("does not fail over after the first content", async () => {
    const second = named("second", answersWith("two"));
    const first = named("first", { stream: () => chunksBefore([contentFrame("one")], failed) });
    const { ask, ends } = routed([first, second]);
    expect(await ask(true)).toMatchObject({ status: 200, text: "one", code: "upstream_failed", attempts: "1" });
    expect(second.calls).toHaveLength(0);
    expect(ends()).toMatchObject([{ ending: "upstream_failed", provider: "first", attempts: 1 }]);
  });

  it("applies firstFrameMs to each target, and totalMs to all of them", async () => {
    const silent = () => named("silent", hangs);
    const each = routed([silent(), silent(), named("third", answersWith("three"))], { upstream: { firstFrameMs: 80 } });
    expect(await each.ask(true)).toMatchObject({ text: "three", attempts: "3" });
    const all = routed(Array.from({ length: 50 }, silent), { upstream: { firstFrameMs: 80, totalMs: 300 } });
    const got = await all.ask(true);
    expect([got.status, got.code]).toEqual([503, "upstream_timeout"]);
    expect(Number(got.attempts)).toBeLessThan(6);
  });

  it("counts an attempt once if its upstream ends while it is being aborted", async () => {
    let calls = 0;
    const server = createServer((request, response) => {
      calls += 1;
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n');
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port }: Pick<AddressInfo, "port"> = JSON.parse(JSON.stringify(server.address()));
    const transport = pooledTransport();
    try {
      const first = openaiCompatible({ baseURL: `http://127.0.0.1:${port}/v1`, name: "first" });
      const [second, third] = [named("second", answersWith("two")), named("third", answersWith("three"))];
      const { ask, reported } = routed([first, second, third], { transport, upstream: { idleMs: 200 } });
      expect(await ask(true)).toMatchObject({ text: "two", attempts: "2" });
      expect([calls, second.calls.length, third.calls.length]).toEqual([1, 1, 0]);
      expect(reported("attempt.failed")).toMatchObject([{ provider: "first", failure: "timeout" }]);
    } finally {
      await transport.destroy();
      server.closeAllConnections();
      server.close();
    }
  });

  it("pauses the second target as well while the client reads nothing", async () => {
    let produced = 0;
    const second = named("second", {
      stream: async function* () {
        for (; produced < 2_000; produced++) yield contentFrame("x".repeat(1_000));
        yield { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      },
    });
    const { chat, key } = routed([named("first", fails("timeout")), second]);
    const response = await chat(await key(), { stream: true });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(produced).toBeLessThan(1_000);
    const frames = await framesOf(response);
    expect(frames.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toHaveLength(2_000_000);
  });

  it("is incomplete if it is interrupted before all requested choices are finished", async () => {
    const finish = { choices: [{ index: 0, delta: { content: "one" }, finish_reason: "stop" }] };
    const { ask } = routed([named("first", { stream: () => chunksBefore([finish], failed) })]);
    expect(await ask(true, { n: 2 })).toMatchObject({ text: "one", code: "upstream_failed" });
    expect(await ask(true)).not.toHaveProperty("code");
  });

  it("sends its headers early if the frames before its first content exceed the pre-commit buffer", async () => {
    const much = { ...roleFrame("first"), filter: "x".repeat(70_000) };
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    const first = named("first", { stream: () => chunksOf([much, much, contentFrame("one"), end]) });
    const { ask } = routed([first], { streams: { responseStartTimeoutMs: 3_600_000 } });
    expect(await ask(true)).toMatchObject({ status: 200, text: "one" });
  });

  it("can be answered by an upstream that failed at the first attempt", async () => {
    const target = named(
      "target",
      inSequence(
        fails("unreachable"),
        { stream: ({ signal }) => chunksBefore([roleFrame("a")], () => aborted(signal)) },
        answersWith("late"),
      ),
    );
    const { ask } = routed([target, target], { upstream: { idleMs: 100 } });
    expect(await ask(true)).toMatchObject({ status: 200, text: "late", attempts: "3" });
  });
});
