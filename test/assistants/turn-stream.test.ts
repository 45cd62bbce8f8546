import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { closedGate } from "../support/gate.ts";
import { allEvents, eventsOf } from "../support/read-stream.ts";
import { json } from "../support/webhook-target.ts";

let under: AssistantUnderTest;

beforeEach(async () => {
  under = await assistantUnderTest({
    gateway: { streams: { keepAliveMs: 60, responseStartTimeoutMs: 80, stalledMs: 5_000 } },
  });
});

afterEach(() => under.close());

const answerWithTrigger = () =>
  under.think((_request, call) =>
    call === 1
      ? { content: "Let me look. ", calls: [["find_order", { number: 1 }]] }
      : { content: "It is on its way." },
  );

const frames = (events: readonly string[]) =>
  events.filter((event) => event.startsWith("{")).map((event) => JSON.parse(event));

describe("a streamed turn", () => {
  it("is one stream with one id, one role, the content of all rounds, no trigger calls, one end and the total usage", async () => {
    answerWithTrigger();
    const response = await under.say(await under.session({ customer: "Ann" }), { stream: true });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = await allEvents(response);
    expect(events.at(-1)).toBe("[DONE]");
    const all = frames(events);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(new Set(all.map(({ created }) => created)).size).toBe(1);
    expect(all.every(({ model, object }) => model === "plain" && object === "chat.completion.chunk")).toBe(true);
    const choices = all.flatMap((frame) => frame.choices);
    expect(choices.map(({ delta }) => delta.content ?? "").join("")).toBe("Let me look. It is on its way.");
    expect(choices.filter(({ delta }) => "role" in delta)).toHaveLength(1);
    expect(choices[0].delta.role).toBe("assistant");
    expect(JSON.stringify(all)).not.toContain("tool_calls");
    expect(choices.map(({ finish_reason }) => finish_reason).filter((reason) => reason !== null)).toEqual(["stop"]);
    expect(all.filter(({ usage }) => usage !== undefined)).toMatchObject([
      { choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } },
    ]);
  });

  it("sends each word as it arrives", async () => {
    const gate = closedGate();
    under.think((_request, call) =>
      call === 1
        ? { content: "Let me look. ", calls: [["find_order", { number: 1 }]] }
        : { content: "Found.", after: gate.opened },
    );
    const response = await under.say(await under.session({ customer: "Ann" }), { stream: true });
    let text = "";
    for await (const event of eventsOf(response)) {
      if (event.startsWith("{")) text += JSON.parse(event).choices[0]?.delta.content ?? "";
      if (text === "Let me look. ") gate.open();
    }
    expect(text).toBe("Let me look. Found.");
  });

  it("sends keep-alive comments while a webhook is slow", async () => {
    answerWithTrigger();
    under.target.answer = (_request, res) => void setTimeout(() => json(res, 200, {}), 400);
    const events = await allEvents(await under.say(await under.session({ customer: "Ann" }), { stream: true }));
    expect(events.filter((event) => event === ": keep-alive").length).toBeGreaterThan(0);
    expect(events.at(-1)).toBe("[DONE]");
  });

  it("has an error status if it fails before its first content", async () => {
    under.think(() => {
      throw new Error("the model fell over");
    });
    const id = await under.session();
    const response = await under.say(id, { stream: true });
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toContain("application/json");
    answerWithTrigger();
    expect((await under.say(id)).status).toBe(200);
  });

  it("ends with an error frame and without [DONE] if it fails after its first content", async () => {
    under.think((_request, call) => {
      if (call === 1) return { content: "Let me look. ", calls: [["find_order", { number: 1 }]] };
      throw new Error("the model fell over");
    });
    const id = await under.session({ customer: "Ann" });
    const events = await allEvents(await under.say(id, { stream: true }));
    expect(events).not.toContain("[DONE]");
    expect(frames(events).at(-1)).toMatchObject({
      choices: [{ delta: {}, finish_reason: "error" }],
      error: { code: "internal_error" },
    });
    const page = await (await under.ask("GET", `/${id}/messages`)).json();
    expect(page.data).toEqual([]);
    expect(await under.balances.verify()).toEqual([]);
  });

  it("ends with a session_not_found error frame if its session is deleted after its first content", async () => {
    const gate = closedGate();
    under.target.answer = async (_request, res) => {
      await gate.opened;
      json(res, 200, {});
    };
    answerWithTrigger();
    const id = await under.session({ customer: "Ann" });
    const events: string[] = [];
    for await (const event of eventsOf(await under.say(id, { stream: true }))) {
      if (events.push(event) === 1) {
        expect((await under.ask("DELETE", `/${id}`)).status).toBe(204);
        gate.open();
      }
    }
    expect(events.at(-1)).not.toBe("[DONE]");
    expect(frames(events).at(-1)).toMatchObject({
      choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      error: { code: "session_not_found", type: "not_found_error" },
    });
  });

  it("returns 402 if the balance does not cover the first call, and an error frame if it does not cover the second", async () => {
    const poor = { headers: { authorization: `Bearer ${await under.key({ account: "poor" })}` } };
    answerWithTrigger();
    const created = await under.ask("POST", "", {
      body: JSON.stringify({ assistant_id: "shop", client_data: { customer: "Ann" } }),
      headers: { "content-type": "application/json", ...poor.headers },
    });
    const { id } = await created.json();
    expect((await under.say(id, { stream: true }, poor)).status).toBe(402);
    // Enough for one call, whose hold covers the bound of its prompt and 100 output tokens.
    under.balances.credit({ id: "poor", account: "poor", amount: 1_000_000_000n, reason: "test" });
    under.target.answer = async (_request, res) => {
      const { available } = await under.balances.balance("poor");
      await under.balances.debit({ id: crypto.randomUUID(), account: "poor", amount: available, reason: "test" });
      json(res, 200, {});
    };
    const events = await allEvents(await under.say(id, { stream: true }, poor));
    expect(frames(events).at(-1)).toMatchObject({ error: { code: "insufficient_balance" } });
  });

  it("sends status and headers after responseStartTimeoutMs if there is no content yet", async () => {
    const gate = closedGate();
    under.think(() => ({ content: "Late.", after: gate.opened }));
    const response = await under.say(await under.session(), { stream: true });
    expect(response.status).toBe(200);
    gate.open();
    expect((await allEvents(response)).at(-1)).toBe("[DONE]");
  });

  it("aborts the model call when the client disconnects, charges the received output, and does not change the session", async () => {
    const gate = closedGate();
    let aborted = false;
    under.provider.script = {
      stream: async function* ({ signal }) {
        signal.addEventListener("abort", () => {
          aborted = true;
          gate.open();
        });
        yield { choices: [{ index: 0, delta: { content: "One " }, finish_reason: null }] };
        await gate.opened;
      },
    };
    const id = await under.session();
    const response = await under.say(id, { stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => under.gateway.inFlight()).toBe(0);
    expect(aborted).toBe(true);
    expect((await (await under.ask("GET", `/${id}/messages`)).json()).data).toEqual([]);
    const { held, posted } = await under.balances.balance("acme");
    expect(held).toBe(0n);
    expect(posted).toBeLessThan(1_000_000_000_000n);
  });

  it("makes no further model call and leaves no hold if the client disconnected during a webhook", async () => {
    const [reached, gate] = [closedGate(), closedGate()];
    answerWithTrigger();
    under.target.answer = async (_request, res) => {
      reached.open();
      await gate.opened;
      json(res, 200, {});
    };
    const response = await under.say(await under.session({ customer: "Ann" }), { stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    await reached.opened;
    await reader?.cancel();
    gate.open();
    await expect.poll(() => under.gateway.inFlight()).toBe(0);
    expect(under.provider.calls).toHaveLength(1);
    await expect.poll(async () => (await under.balances.balance("acme")).held).toBe(0n);
  });

  it("applies the client's backpressure to the provider", async () => {
    let sent = 0;
    under.provider.script = {
      stream: async function* () {
        for (; sent < 2_000; sent++) {
          yield { choices: [{ index: 0, delta: { content: "x".repeat(10_000) }, finish_reason: null }] };
        }
        yield { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
      },
    };
    const response = await under.say(await under.session(), { stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent).toBeLessThan(200);
    let length = 0;
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      length += next.value.length;
    }
    expect(length).toBeGreaterThan(19_000_000);
  });
});
