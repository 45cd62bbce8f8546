import { describe, expect, it } from "vitest";
import { closedGate } from "../support/gate.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";

const url = "http://gateway.local/router/v1/chat/completions";

async function requestOf({ key }: ReturnType<typeof gatewayUnderTest>, body: object = {}) {
  const small = { model: "plain", messages: [{ role: "user", content: "Hello" }], ...body };
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(small) };
}

describe("the fetch of a gateway", () => {
  it("takes the arguments of the Fetch standard, without its gateway", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = { complete: async () => completionOf("Hi") };
    const { fetch }: { fetch: typeof globalThis.fetch } = tested.gateway;
    const init = await requestOf(tested);
    const answers = await Promise.all([
      fetch(url, init),
      fetch(new URL(url), init),
      fetch(new Request(url, init)),
      fetch(new Request(url), init),
      fetch(new Request(`${url}?a=1`, init), { signal: new AbortController().signal }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await expect(fetch("/router/v1/models")).rejects.toThrow(TypeError);
    expect((await fetch("http://gateway.local/elsewhere")).status).toBe(404);
  });

  it("rejects with the reason of a signal that is aborted before the answer, and calls no provider after it", async () => {
    const tested = gatewayUnderTest();
    const gate = closedGate();
    tested.provider.script = {
      async complete() {
        gate.open();
        return new Promise(() => undefined);
      },
    };
    const init = await requestOf(tested);
    const reason = new Error("too late");
    await expect(tested.gateway.fetch(url, { ...init, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(tested.provider.calls).toHaveLength(0);
    const controller = new AbortController();
    const answer = tested.gateway.fetch(url, { ...init, signal: controller.signal });
    await gate.opened;
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await tested.gateway.drain({ timeoutMs: 0 });
    expect(tested.balances.balance("acme").held).toBe(0n);
  });

  it.each(["a stream", "a long answer"])("breaks off %s with the reason of the signal", async (kind) => {
    const tested = gatewayUnderTest();
    const long = "x".repeat(1_000_000);
    tested.provider.script = { complete: async () => completionOf(long), stream: () => chunksOf(["Hello", long]) };
    const controller = new AbortController();
    const init = await requestOf(tested, { stream: kind === "a stream" });
    const { body } = await tested.gateway.fetch(url, { ...init, signal: controller.signal });
    const reader = body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(reader?.read()).rejects.toBe(reason);
    await tested.gateway.drain();
    expect(tested.gateway.inFlight()).toBe(0);
  });

  it("pauses the provider of a client that does not read", async () => {
    const tested = gatewayUnderTest();
    let sent = 0;
    const words = Array.from({ length: 2_000 }, () => "x".repeat(1_000));
    tested.provider.script = {
      async *stream() {
        for await (const chunk of chunksOf(words)) {
          sent += 1;
          yield chunk;
        }
      },
    };
    const response = await tested.gateway.fetch(url, await requestOf(tested, { stream: true }));
    let before = -1;
    while (sent > before) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(sent).toBeLessThan(200);
    expect((await response.text()).match(/x{1000}/g)).toHaveLength(2_000);
  });
});
