import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { closedGate } from "../support/gate.ts";
import type { Mind } from "../support/scripted-model.ts";
import { json } from "../support/webhook-target.ts";

let under: AssistantUnderTest;

beforeEach(async () => {
  under = await assistantUnderTest();
});

afterEach(() => under.close());

/** Returns these tool calls in the first round, and then an answer. */
const once =
  (...calls: readonly (readonly [string, object | string])[]): Mind =>
  (_request, call) =>
    call === 1 ? { calls } : { content: "It is on its way." };

const toolResults = (call = 1): unknown[] =>
  (under.provider.calls[call]?.request.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(String(content)));

async function logs(id: string) {
  const page: { data: { [name: string]: unknown }[] } = await (await under.ask("GET", `/${id}/logs`)).json();
  return page.data;
}

async function history(id: string) {
  const page: { data: { role: string; content: unknown }[] } = await (
    await under.ask("GET", `/${id}/messages?limit=100`)
  ).json();
  return page.data;
}

describe("a turn", () => {
  it("sends the webhook of the trigger that the model calls, gives the model the result, and returns its answer", async () => {
    under.think(once(["find_order", { number: 17 }]));
    under.target.answer = (_request, res) => json(res, 200, { state: "shipped" });
    const id = await under.session({ customer: "Ann & Bob" });
    const response = await under.say(id);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      object: "chat.completion",
      model: "plain",
      choices: [{ index: 0, message: { role: "assistant", content: "It is on its way." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    });
    expect(under.target.received).toMatchObject([
      {
        method: "GET",
        url: "/orders/17?customer=Ann%20%26%20Bob",
        headers: { authorization: "Bearer canary-secret-4711" },
      },
    ]);
    expect(toolResults()).toEqual([
      { ok: true, status: 200, directive: "Tell the state in one sentence.", response: { state: "shipped" } },
    ]);
    expect((await history(id)).map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("sends the instructions first, and the triggers as tools", async () => {
    under.think(() => ({ content: "Hello." }));
    await under.say(await under.session());
    const [call] = under.provider.calls;
    expect(call?.request.messages[0]).toMatchObject({
      role: "system",
      content: expect.stringMatching(/^You help the customers of a shop\./),
    });
    expect(call?.request.messages.at(-1)).toEqual({ role: "user", content: "Where is my order?" });
    expect(call?.request.tools?.map((tool) => tool.function.name)).toEqual(["find_order", "place_order"]);
  });

  it("counts as one request, and holds and settles each model call", async () => {
    under.think(once(["find_order", { number: 1 }]));
    const id = await under.session({ customer: "Ann" });
    const before = await under.ask("GET", `/${id}`);
    const after = await under.say(id);
    const left = (response: Response) => Number(response.headers.get("x-ratelimit-remaining"));
    expect(left(before) - left(after)).toBe(1);
    const { entries } = await under.balances.entries({ account: "acme", limit: 10 });
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["credit", 1_000_000_000_000n],
      ["charge", -20_000_000n],
      ["charge", -20_000_000n],
    ]);
    expect(await under.balances.verify()).toEqual([]);
  });

  it("includes earlier turns in the history and their images in the variables", async () => {
    under.think((_request, call) => (call === 2 ? { calls: [["place_order", { item: 'a"b' }]] } : { content: "Yes." }));
    const id = await under.session();
    await under.say(id, { content: "One", images: ["https://pictures.test/1.png"] });
    await under.say(id, { content: "Two", images: ["https://pictures.test/2.png", "https://pictures.test/3.png"] });
    const messages = under.provider.calls[1]?.request.messages.slice(1);
    expect(messages?.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    const pictures = ["https://pictures.test/1.png", "https://pictures.test/2.png", "https://pictures.test/3.png"];
    expect(JSON.parse(under.target.received[0]?.body ?? "")).toEqual({ item: 'a"b', pictures, session: id });
    expect(under.target.received[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("returns invalid_arguments to the model for invalid calls, and sends nothing", async () => {
    under.think(once(["find_order", { number: "x" }], ["find_order", "{"], ["lose_order", {}]));
    const id = await under.session({ customer: "Ann" });
    expect((await under.say(id)).status).toBe(200);
    for (const result of toolResults()) {
      expect(result).toMatchObject({
        ok: false,
        status: null,
        error: { code: "invalid_arguments", outcome: "not_sent" },
      });
    }
    expect(toolResults()).toHaveLength(3);
    expect(under.target.received).toEqual([]);
    expect(await logs(id)).toHaveLength(3);
  });

  it("continues after a failed webhook", async () => {
    under.think(once(["find_order", { number: 1 }]));
    under.target.answer = (_request, res) => json(res, 500, { trace: "internal" });
    const response = await under.say(await under.session({ customer: "Ann" }));
    expect(response.status).toBe(200);
    expect(toolResults()).toMatchObject([{ ok: false, status: 500, error: { code: "http_error" } }]);
    expect(JSON.stringify(toolResults())).not.toContain("internal");
  });

  it("returns unresolved_variable to the model with the name of the variable, and continues", async () => {
    under.think(once(["find_order", { number: 1 }]));
    await under.say(await under.session());
    expect(toolResults()).toMatchObject([{ ok: false, error: { code: "unresolved_variable" } }]);
    expect(JSON.stringify(toolResults())).toContain("customer");
    expect(under.target.received).toEqual([]);
  });

  it("reports each webhook call to the observer, without its content", async () => {
    under.think(once(["find_order", { number: 1 }], ["find_order", {}]));
    const id = await under.session({ customer: "Ann" });
    await under.say(id);
    const calledEvents = under.events.filter(({ type }) => type === "webhook.called");
    const call = { sessionId: id, assistant: "shop", trigger: "find_order" };
    expect(calledEvents).toEqual([
      expect.objectContaining({ ...call, outcome: "succeeded", status: 200, attempts: 1 }),
      expect.objectContaining({ ...call, outcome: "not_sent", status: null, error: "invalid_arguments", attempts: 0 }),
    ]);
    expect(calledEvents[0]).not.toHaveProperty("error");
    expect(JSON.stringify(calledEvents)).not.toMatch(/Ann|orders|canary/);
  });

  it("redacts a secret everywhere, even if the target returns it", async () => {
    under.think(once(["find_order", { number: 1 }]));
    under.target.answer = ({ headers }, res) =>
      json(res, 200, {
        echo: headers.authorization,
        encoded: Buffer.from("x:canary-secret-4711").toString("base64"),
        session: { client_data: { leaked: "canary-secret-4711" } },
      });
    const id = await under.session({ customer: "Ann" });
    const answer = await (await under.say(id)).text();
    const seen = [
      answer,
      JSON.stringify(under.provider.calls.map(({ request }) => request)),
      JSON.stringify(await logs(id)),
      JSON.stringify(await history(id)),
      await (await under.ask("GET", `/${id}`)).text(),
      JSON.stringify(under.events, (_name, value) => (typeof value === "bigint" ? String(value) : value)),
    ];
    expect(under.target.received).toHaveLength(1);
    for (const text of seen) expect(text).not.toMatch(/canary-secret|Y2FuYXJ5LXNlY3JldC/);
  });
});

describe("the limits of a turn", () => {
  it("are eight rounds, and one more without tool calls", async () => {
    under.think(({ tool_choice }) =>
      tool_choice === "none" ? { content: "Enough." } : { calls: [["find_order", { number: 1 }]] },
    );
    const response = await under.say(await under.session({ customer: "Ann" }));
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: "Enough." } }] });
    expect(under.provider.calls).toHaveLength(9);
    expect(under.target.received).toHaveLength(8);
  });

  it("are sixteen webhooks, at most four at once", async () => {
    under.target.answer = (_request, res) => void setTimeout(() => json(res, 200, {}), 20);
    const calls = Array.from({ length: 18 }, (_, number) => ["find_order", { number }] as const);
    under.think(({ tool_choice }) => (tool_choice === "none" ? { content: "Enough." } : { calls }));
    const response = await under.say(await under.session({ customer: "Ann" }));
    expect(response.status).toBe(200);
    expect(under.target.received).toHaveLength(16);
    expect(under.target.maxAtOnce).toBe(4);
    expect(toolResults().filter((result) => JSON.stringify(result).includes("limit_reached"))).toHaveLength(2);
    expect(under.provider.calls).toHaveLength(2);
  });

  it("include a total time for webhooks, in which concurrent ones count once", async () => {
    await under.close();
    const turns = { webhooksMs: 500, webhookMs: 300, parallelWebhooks: 2 };
    under = await assistantUnderTest({ assistants: { turns } });
    under.target.answer = () => undefined;
    const calls = Array.from({ length: 6 }, (_, number) => ["find_order", { number }] as const);
    under.think(({ tool_choice }) => (tool_choice === "none" ? { content: "Enough." } : { calls }));
    const id = await under.session({ customer: "Ann" });
    expect((await under.say(id)).status).toBe(200);
    const codes = toolResults().map((result) => JSON.parse(JSON.stringify(result)).error.code);
    expect(codes.slice(0, 2)).toEqual(["timeout", "timeout"]);
    // A timer may fire slightly early, which leaves less than a millisecond for the last ones.
    for (const code of codes.slice(4)) expect(["limit_reached", "timeout"]).toContain(code);
    expect(under.provider.calls.map(({ request }) => request.tool_choice)).toEqual([undefined, "none"]);
    expect(await logs(id)).toHaveLength(6);
  });

  it("return the content of a model that still calls tools in the last round, without the calls", async () => {
    under.think(() => ({ content: "Hm.", calls: [["find_order", { number: 1 }]] }));
    const response = await under.say(await under.session({ customer: "Ann" }));
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: "Hm." }, finish_reason: "stop" }],
    });
  });

  it("drop whole turns, the oldest first, to fit the context window", async () => {
    under.think(() => ({ content: "word ".repeat(1_500) }));
    const id = await under.session();
    for (let turn = 0; turn < 6; turn++) expect((await under.say(id, { content: `Turn ${turn}` })).status).toBe(200);
    const sent = under.provider.calls.at(-1)?.request.messages ?? [];
    expect(sent[0]?.role).toBe("system");
    expect(sent[1]?.role).toBe("user");
    expect(sent.at(-1)?.content).toBe("Turn 5");
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.length).toBeLessThan(12);
  });
});

describe("the context window", () => {
  it("never contains a call without its result, and always contains the instructions", async () => {
    const calls = [1, 2].map((number) => ["find_order", { number }] as const);
    under.think(({ messages }) => (messages.at(-1)?.role === "tool" ? { content: "Found." } : { calls }));
    under.target.answer = (_request, res) => json(res, 200, { text: "word ".repeat(700) });
    const id = await under.session({ customer: "Ann" });
    for (let turn = 0; turn < 8; turn++) expect((await under.say(id)).status).toBe(200);
    const sizes = under.provider.calls.map(({ request: { messages } }) => {
      expect(messages[0]?.role).toBe("system");
      expect(messages[1]?.role).toBe("user");
      const called = messages.flatMap(({ tool_calls: calls }) => calls ?? []).map((call) => call.id);
      expect(messages.flatMap(({ role, tool_call_id: result }) => (role === "tool" ? [result] : []))).toEqual(called);
      return messages.length;
    });
    // A turn has five messages. The last call was sent with some of the earlier turns, but not with all.
    expect(sizes.at(-1)).toBeGreaterThan(1 + 5);
    expect(sizes.at(-1)).toBeLessThan(1 + 8 * 5);
  });

  it("includes the descriptions of the triggers", async () => {
    await under.close();
    under = await assistantUnderTest({
      assistant: () => ({
        triggers: Array.from({ length: 20 }, (_, index) => ({
          name: `trigger_${index}`,
          description: "word ".repeat(200),
          parameters: { type: "object" },
          webhook: { type: "WEBHOOK", url: "https://target.test", method: "GET" },
        })),
      }),
    });
    under.think(() => ({ content: "word ".repeat(1_000) }));
    const id = await under.session();
    for (let turn = 0; turn < 5; turn++) expect((await under.say(id, { content: `Turn ${turn}` })).status).toBe(200);
    const sent = under.provider.calls.at(-1)?.request;
    // Without countTokens, a token has four bytes. The window is 8,000 tokens, and the longest answer 100.
    expect(JSON.stringify([sent?.tools, sent?.messages]).length / 4).toBeLessThan(7_900);
    expect(sent?.messages.length).toBeGreaterThan(2);
  });
});

describe("client data in webhook responses", () => {
  it("is available as variables from the next round on", async () => {
    under.think((_request, call) => (call <= 2 ? { calls: [["find_order", { number: call }]] } : { content: "Done." }));
    under.target.answer = ({ url }, res) =>
      json(res, 200, { session: { client_data: { customer: `after ${url.split("?")[0]}`, old: null } } });
    const id = await under.session({ customer: "Ann", old: 1 });
    await under.say(id);
    expect(under.target.received.map(({ url }) => url)).toEqual([
      "/orders/1?customer=Ann",
      "/orders/2?customer=after%20%2Forders%2F1",
    ]);
    const record = await (await under.ask("GET", `/${id}`)).json();
    expect(record).toMatchObject({ client_data: { customer: "after /orders/2" } });
    expect(record.client_data).not.toHaveProperty("old");
  });

  it("and client data that a client sets meanwhile are visible to the next round, but not to the running one", async () => {
    const put = async (customer: string) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ client_data: { customer } });
      expect((await under.ask("PUT", `/${id}`, { body, headers })).status).toBe(200);
    };
    const calls = Array.from({ length: 5 }, (_, number) => ["find_order", { number }] as const);
    under.think((_request, call) => (call <= 2 ? { calls } : { content: "Done." }));
    under.target.answer = async ({ url }, res) => {
      if (url === "/orders/0?customer=Ann") await put("Bob");
      json(res, 200, {});
    };
    const id = await under.session({ customer: "Ann" });
    expect((await under.say(id)).status).toBe(200);
    const seen = under.target.received.map(({ url }) => url.split("=")[1]);
    expect(seen).toEqual([...Array(5).fill("Ann"), ...Array(5).fill("Bob")]);
  });

  it("is merged in the order of the calls, whichever responds first", async () => {
    under.think(once(["find_order", { number: 1 }], ["find_order", { number: 2 }]));
    under.target.answer = ({ url }, res) =>
      void setTimeout(
        () => json(res, 200, { session: { client_data: { last: url.split("?")[0] } } }),
        url.startsWith("/orders/1") ? 150 : 0,
      );
    const id = await under.session({ customer: "Ann" });
    await under.say(id);
    expect(await (await under.ask("GET", `/${id}`)).json()).toMatchObject({ client_data: { last: "/orders/2" } });
    const [newest, older] = await logs(id);
    expect([older?.["merged_keys"], newest?.["merged_keys"]]).toEqual([["last"], ["last"]]);
  });
});

describe("a session", () => {
  it("is busy while a turn runs, and available after it", async () => {
    const gate = closedGate();
    under.think(() => ({ content: "Hello.", after: gate.opened }));
    const id = await under.session();
    const first = under.say(id);
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    const second = await under.say(id);
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { code: "session_busy", type: "conflict_error" } });
    gate.open();
    expect((await first).status).toBe(200);
    expect((await under.say(id)).status).toBe(200);
  });

  it("is unchanged by a failed turn, except for logs and client data", async () => {
    under.think((_request, call) => {
      if (call === 1) return { calls: [["find_order", { number: 1 }]] };
      if (call === 2) throw new Error("the model fell over");
      return { content: "Now it works." };
    });
    under.target.answer = (_request, res) => json(res, 200, { session: { client_data: { seen: true } } });
    const id = await under.session({ customer: "Ann" });
    expect((await under.say(id)).status).toBe(500);
    expect(await history(id)).toEqual([]);
    expect(await logs(id)).toHaveLength(1);
    expect(await (await under.ask("GET", `/${id}`)).json()).toMatchObject({ client_data: { seen: true } });
    expect((await under.say(id)).status).toBe(200);
    expect((await history(id)).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(await under.balances.verify()).toEqual([]);
  });

  it("returns the same 404 if it is of another account, unknown or has an invalid id", async () => {
    under.think(() => ({ content: "Hello." }));
    const id = await under.session();
    const headers = { authorization: `Bearer ${await under.key({ account: "other" })}` };
    const bodies = await Promise.all(
      [under.say(id, {}, { headers }), under.say(crypto.randomUUID()), under.say("1")].map(async (pending) => {
        const response = await pending;
        expect(response.status).toBe(404);
        return await response.json();
      }),
    );
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it("expires after 30 days by default", async () => {
    const create = vi.spyOn(under.sessions, "create");
    await under.session();
    expect(create).toHaveBeenCalledWith(expect.objectContaining({ ttlMs: 30 * 24 * 60 * 60 * 1_000 }));
  });

  it("that was deleted during a turn ends the turn with 404", async () => {
    const gate = closedGate();
    under.think(() => ({ content: "Hello.", after: gate.opened }));
    const id = await under.session();
    const running = under.say(id);
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    expect((await under.ask("DELETE", `/${id}`)).status).toBe(204);
    gate.open();
    const response = await running;
    expect([response.status, (await response.json()).error.code]).toEqual([404, "session_not_found"]);
  });

  it("that was deleted before a webhook prevents the webhook", async () => {
    const id = await under.session({ customer: "Ann" });
    const mind = once(["find_order", { number: 1 }]);
    const gate = closedGate();
    under.think((request, call) => ({ ...mind(request, call), after: gate.opened }));
    const running = under.say(id);
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    expect((await under.ask("DELETE", `/${id}`)).status).toBe(204);
    gate.open();
    expect((await running).status).toBe(404);
    expect(under.target.received).toEqual([]);
  });
});

describe("a message", () => {
  it.each([
    [{ content: 5 }, "content"],
    [{ content: undefined }, "content"],
    [{ images: "x" }, "images"],
    [{ images: [1] }, "images.0"],
    [{ images: ["https://pictures.test/1.png", "data:text/plain;base64,AAAA"] }, "images.1"],
    [{ stream: "yes" }, "stream"],
    [{ extra: 1 }, "extra"],
  ])("%j is rejected with the name of the field", async (body, param) => {
    const response = await under.say(await under.session(), body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_request", param } });
  });

  it("without content gets an error that says what to send, even for the body of a chat completion", async () => {
    const messages = [{ role: "user", content: "Where is my order?" }];
    const response = await under.say(await under.session(), { content: undefined, messages });
    const message = "`content` is required. Send the user's message as a string or an array of parts.";
    expect(await response.json()).toMatchObject({ error: { message } });
  });
});

describe("a client that disconnects", () => {
  it("does not stop running webhooks, which are logged, but no further round starts", async () => {
    const gate = closedGate();
    under.think(once(["find_order", { number: 1 }]));
    under.target.answer = async (_request, res) => {
      await gate.opened;
      json(res, 200, { session: { client_data: { seen: true } } });
    };
    const id = await under.session({ customer: "Ann" });
    const client = new AbortController();
    const answer = under.say(id, {}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => under.target.received).toHaveLength(1);
    client.abort();
    gate.open();
    await answer;
    await expect.poll(() => under.gateway.inFlight()).toBe(0);
    expect(under.provider.calls).toHaveLength(1);
    expect(await logs(id)).toMatchObject([{ outcome: "succeeded", merged_keys: ["seen"] }]);
    expect(await history(id)).toEqual([]);
    await expect.poll(async () => (await under.say(id)).status).toBe(200);
  });
});

describe("a client that disconnects while webhooks are queued", () => {
  it("does not stop the running ones, and has the others logged as not sent", async () => {
    const gate = closedGate();
    under.think(once(...Array.from({ length: 6 }, (_, number) => ["find_order", { number }] as const)));
    under.target.answer = async (_request, res) => {
      await gate.opened;
      json(res, 200, {});
    };
    const id = await under.session({ customer: "Ann" });
    const client = new AbortController();
    const answer = under.say(id, {}, { signal: client.signal }).catch(() => undefined);
    await expect.poll(() => under.target.received).toHaveLength(4);
    client.abort();
    gate.open();
    await answer;
    await expect.poll(() => under.gateway.inFlight()).toBe(0);
    expect(under.target.received).toHaveLength(4);
    const outcomes = (await logs(id)).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual([...Array(2).fill("not_sent"), ...Array(4).fill("succeeded")]);
  });
});

describe("a drain", () => {
  it("lets a turn finish", async () => {
    const gate = closedGate();
    under.think((_request, call) => ({ content: "Bye.", ...(call === 1 ? { after: gate.opened } : {}) }));
    const id = await under.session();
    const running = under.say(id);
    await expect.poll(() => under.provider.calls).toHaveLength(1);
    const drained = under.gateway.drain();
    expect((await under.say(id)).status).toBe(503);
    gate.open();
    expect((await running).status).toBe(200);
    await drained;
  });

  it("aborts a turn with a hanging webhook at its timeout", async () => {
    under.think(once(["find_order", { number: 1 }]));
    under.target.answer = () => undefined;
    const id = await under.session({ customer: "Ann" });
    const running = under.say(id);
    await expect.poll(() => under.target.received).toHaveLength(1);
    await under.gateway.drain({ timeoutMs: 50 });
    const response = await running;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: "draining" } });
  });
});
