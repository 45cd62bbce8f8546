import { openaiCompatible } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { completionOf } from "../support/scripted-provider.ts";
import { startUpstream } from "../upstream/upstream.ts";
import type { Mount, Variant } from "./mounts/mount.ts";
import { mountedOnce } from "./mounts/mounts.ts";
import { gatewayBehind, prefix } from "./scene.ts";

const delta = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const finish = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const usage = { prompt_tokens: 10, completion_tokens: 900, total_tokens: 910 };
const opening = 1_000_000_000n;
const cost = 10n * 1_000n + 900n * 2_000n;

/** A host whose model hides its reasoning, and a client that can disconnect. */
async function setScene(mount: Mount, variant: Variant) {
  const upstream = await startUpstream();
  const provider = openaiCompatible({ baseURL: upstream.url, apiKey: "sk-upstream" });
  const model = {
    id: "thinker",
    maxOutputTokens: 1_000,
    contextWindow: 8_000,
    reasoning: { effortLevels: ["low"], defaultEffort: "low" },
    price: { input: "1", output: "2" },
    targets: [{ provider, model: "upstream-model" }],
  };
  const tested = gatewayBehind(upstream, "thinker", { models: [model] });
  const authorization = `Bearer ${await tested.key()}`;
  const host = await mount.start({ [prefix]: tested.gateway }, variant);
  const client = new AbortController();
  const body = { model: "thinker", messages: [{ role: "user", content: "Hello" }] };
  return {
    ...tested,
    upstream,
    ask: (stream: boolean) =>
      fetch(`http://127.0.0.1:${host.port}${prefix}/chat/completions`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ ...body, stream }),
        signal: client.signal,
      }),
    leave: () => client.abort(),
    completed: () => tested.events.filter(({ type }) => type === "request.completed"),
    async [Symbol.asyncDispose]() {
      await tested.gateway.drain({ timeoutMs: 0 });
      await host.close();
      await upstream.close();
    },
  };
}

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("reads a stream with hidden reasoning until its usage after the client disconnects, however long it is", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.ask(true);
    const call = await scene.upstream.nextCall();
    await call.frame(delta("one"));
    const reader = (await answering).body?.getReader();
    await reader?.read();
    scene.leave();
    await reader?.read().catch(() => undefined);
    // Far more than a client may leave unread, and more than the buffers of sockets.
    for (let sent = 0; sent < 100; sent++) await call.frame(delta("x".repeat(100_000)));
    await call.frame(finish);
    expect(scene.completed()).toEqual([]);
    await call.frame({ choices: [], usage });
    await call.frame("[DONE]");
    call.end();
    await expect.poll(scene.completed).toMatchObject([{ ending: "client_gone", estimated: false, cost }]);
    expect(scene.balances.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
  });

  it("waits for an answer without streaming after the client disconnects, and charges its usage", async () => {
    await using scene = await setScene(mount, variant);
    const answering = scene.ask(false).catch(() => undefined);
    const call = await scene.upstream.nextCall();
    scene.leave();
    await answering;
    expect(scene.gateway.inFlight()).toBe(1);
    call.json(completionOf("Hi", usage));
    await expect.poll(scene.completed).toMatchObject([{ estimated: false, cost }]);
    expect(call.hasClosed).toBe(true);
    expect(scene.balances.balance("acme")).toMatchObject({ posted: opening - cost, held: 0n });
  });
});
