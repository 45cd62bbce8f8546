import type { GatewayEvent } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { isEnd } from "../support/end-events.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { allEvents } from "../support/read-stream.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

const usage = {
  prompt_tokens: 9,
  completion_tokens: 5,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

/** Groups the start event of each request with its end events. Every request must have one of each. */
function pairs(events: readonly GatewayEvent[]) {
  const started = events.filter((event) => event.type === "request.started");
  return started.map((start) => ({
    start,
    ends: events.filter(isEnd).filter((end) => end.requestId === start.requestId),
  }));
}

describe("the end event of a completion", () => {
  it.each([false, true])("has the account, model, provider, usage and cost, stream %s", async (stream) => {
    const tested = gatewayUnderTest();
    tested.provider.script = {
      complete: async () => ({ ...completionOf("Hi"), usage }),
      stream: () => chunksOf(["Hi"], usage),
    };
    const response = await tested.chat(
      await tested.key(),
      { stream },
      { headers: { "x-request-id": "of-the-client" } },
    );
    await response.text();
    const [{ ends } = { ends: [] }] = pairs(tested.events);
    const [charge] = tested.balances
      .entries({ account: "acme", limit: 10 })
      .entries.filter(({ kind }) => kind === "charge");
    expect(ends).toEqual([
      {
        type: "request.completed",
        id: expect.any(String),
        requestId: "of-the-client",
        at: expect.any(Number),
        endpoint: "chat.completions",
        dialect: "chat",
        status: 200,
        ending: "complete",
        durationMs: expect.any(Number),
        keyId: expect.any(String),
        account: "acme",
        plan: "prepaid",
        timeline: expect.any(Array),
        model: "plain",
        provider: "scripted",
        upstreamModel: "upstream-model",
        attempts: 1,
        usage: expect.objectContaining(usage),
        tokens: { input: 9, cachedInput: 4, cacheWrite5m: 2, cacheWrite1h: 0, output: 5, reasoning: 3 },
        estimated: false,
        implausible: false,
        cost: -(charge?.amount ?? 0n),
        holdId: charge?.reference,
        attemptMs: expect.any(Number),
        answerId: "chatcmpl-upstream",
        finishReasons: ["stop"],
        ...(stream ? { firstContentMs: expect.any(Number) } : {}),
      },
    ]);
  });

  it("is sent once for an interrupted stream, with the sent status and the ending", async () => {
    const tested = gatewayUnderTest();
    tested.provider.script = {
      stream: async function* () {
        yield { choices: [{ index: 0, delta: { content: "one " } }] };
        throw new Error("reset");
      },
    };
    await (await tested.chat(await tested.key(), { stream: true })).text();
    expect(pairs(tested.events)).toMatchObject([
      { ends: [{ type: "request.completed", status: 200, ending: "upstream_failed", estimated: true }] },
    ]);
  });

  it("is sent for an unknown path and for a method that is not allowed", async () => {
    const { gateway, events } = gatewayUnderTest();
    await gateway.fetch(new Request("http://gateway.test/router/v1/nothing"));
    await gateway.fetch(new Request("http://gateway.test/router/v1/models", { method: "PUT" }));
    expect(pairs(events)).toMatchObject([
      { start: { endpoint: "unknown" }, ends: [{ type: "request.refused", endpoint: "unknown", status: 404 }] },
      { start: { endpoint: "unknown" }, ends: [{ type: "request.refused", endpoint: "unknown", status: 405 }] },
    ]);
  });
});

describe("the end event of other endpoints", () => {
  it("is sent once for each, with the status, key and account", async () => {
    const { ask, create, key, events } = sessionsUnderTest();
    const secret = await key();
    const { id } = await create(secret);
    for (const path of ["/session", `/session/${id}`, `/session/${id}/messages`, `/session/${id}/logs`]) {
      await ask(secret, "GET", path);
    }
    await ask(secret, "PUT", `/session/${id}`, { client_data: {} });
    await ask(secret, "DELETE", `/session/${id}`);
    await ask(secret, "GET", `/session/${id}`);
    const all = pairs(events);
    expect(all.map(({ ends }) => ends.map(({ status }) => status))).toEqual(
      [201, 200, 200, 200, 200, 200, 204, 404].map((status) => [status]),
    );
    for (const { start, ends } of all) {
      expect(ends[0]).toMatchObject({ endpoint: start.endpoint, account: "acme", keyId: expect.any(String) });
      expect(ends[0]).not.toHaveProperty("cost");
    }
  });
});

describe("the end event of a turn", () => {
  let under: AssistantUnderTest;
  beforeEach(async () => {
    under = await assistantUnderTest();
  });
  afterEach(() => under.close());

  it.each([false, true])(
    "has the totals of its model calls, each of which has its own event, stream %s",
    async (stream) => {
      under.think((_request, call) =>
        call === 1 ? { content: "Let me look. ", calls: [["find_order", { number: 1 }]] } : { content: "Found." },
      );
      const response = await under.say(await under.session({ customer: "Ann" }), { stream });
      if (stream) await allEvents(response);
      else await response.text();
      await expect.poll(() => pairs(under.events).at(-1)?.ends).toHaveLength(1);
      const calls = under.events.filter((event) => event.type === "model.called");
      expect(calls).toHaveLength(2);
      const end = pairs(under.events).at(-1)?.ends[0];
      expect(end).toMatchObject({
        type: "request.completed",
        endpoint: "sessions.messages.create",
        status: 200,
        ending: "complete",
        usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
        attempts: 2,
        cost: calls.reduce((sum, { cost }) => sum + cost, 0n),
      });
      expect(new Set(calls.map(({ holdId }) => holdId)).size).toBe(2);
      // The end event is the last event of a request.
      expect(under.events.filter((event) => "requestId" in event && event.requestId === end?.requestId).at(-1)).toBe(
        end,
      );
    },
  );
});
