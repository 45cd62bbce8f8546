import type { ModelConfig } from "@tollgate/core";
import type { NativeCall } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const prompt = [{ role: "user", content: "Hi" }];
const usage = { input_tokens: 10, output_tokens: 5 };
const message = { id: "msg_1", type: "message", role: "assistant", model: "up", content: [], usage };
const response = { id: "resp_1", object: "response", model: "up", status: "completed", output: [], usage };

/** An output token costs 0.000002, so a balance of 0.1 pays for 50,000. */
const price = { input: "1", output: "2" };

/** A gateway whose model has this maximum, and the requests that its provider received, in any dialect. */
async function cappedGateway({ balance = 1_000_000_000n, native = true, ...model }: Partial<ModelConfig> & Setup = {}) {
  const received: object[] = [];
  const answering = (answer: object) => async (call: NativeCall) => {
    received.push(JSON.parse(new TextDecoder().decode(call.encoded())));
    return { kind: "json", body: new TextEncoder().encode(JSON.stringify(answer)) } as const;
  };
  const provider = scriptedProvider({
    complete: async ({ request }) => {
      received.push(request);
      return completionOf("Hi");
    },
  });
  const dialects = native ? { messages: answering(message), responses: answering(response) } : {};
  const targets = [{ provider: Object.assign(provider, { dialects }), model: "up" }];
  const chatModel = { id: "model", maxOutputTokens: 8_192, price, targets, ...model } as ModelConfig;
  const tested = gatewayUnderTest({ models: [chatModel] });
  tested.balances.credit({ id: "mine", account: "mine", amount: balance, reason: "test" });
  const authorization = `Bearer ${await tested.key({ account: "mine" })}`;
  const headers = { authorization, "content-type": "application/json" };
  const ask = async (path: string, body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify({ model: "model", ...body }) };
    const answered = await tested.gateway.fetch(new Request(`http://gateway.test/router/v1/${path}`, init));
    const told = (name: string) => answered.headers.get(`x-router-${name}`);
    return { status: answered.status, limit: told("output-limit"), dropped: told("dropped"), sent: received.at(-1) };
  };
  return { ...tested, provider, ask };
}

interface Setup {
  readonly balance?: bigint;
  readonly native?: boolean;
}

/** Each way to ask, the member with its cap, and the member in which a native target and a chat target get it. */
const dialects = [
  ["chat/completions", { messages: prompt }, "max_tokens", "max_completion_tokens"],
  ["chat/completions", { messages: prompt }, "max_completion_tokens", "max_completion_tokens"],
  ["messages", { messages: prompt }, "max_tokens", "max_tokens"],
  ["responses", { input: "Hi", store: false }, "max_output_tokens", "max_output_tokens"],
] as const;

// Claude Code and opencode ask every model for 32,000 tokens.
describe.each(dialects)("%s %j %s", (path, body, member, native) => {
  it.each([true, false])(
    "a cap above the model's maximum is lowered to it, and told (native target: %s)",
    async (isNative) => {
      const { ask } = await cappedGateway({ native: isNative });
      const { status, limit, sent } = await ask(path, { ...body, [member]: 32_000 });
      expect([status, limit]).toEqual([200, "8192"]);
      expect(sent).toMatchObject({ [isNative ? native : "max_completion_tokens"]: 8_192 });
    },
  );

  it("a cap up to the model's maximum is not told", async () => {
    const { ask } = await cappedGateway();
    expect(await ask(path, { ...body, [member]: 8_192 })).toMatchObject({ status: 200, limit: null });
  });
});

describe("a request whose cap the store may choose", () => {
  it("takes at most a quarter of the balance, so that parallel ones are not refused", async () => {
    const { ask, balances } = await cappedGateway({ maxOutputTokens: 64_000, balance: 100_000_000n });
    const asked = Array.from({ length: 6 }, () => ask("chat/completions", { messages: prompt }));
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const limits = answers.map(({ limit }) => Number(limit));
    expect(limits[0]).toBeGreaterThan(12_000);
    expect(limits[0]).toBeLessThan(12_500);
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(4_096);
    expect(balances.balance("mine")).toMatchObject({ held: 0n });
  });

  it("is 402 below `minAffordableTokens`, with what the whole request may cost", async () => {
    const tested = gatewayUnderTest();
    tested.balances.credit({ id: "poor", account: "poor", amount: 500_000n, reason: "test" });
    const refused = await tested.chat(await tested.key({ account: "poor" }));
    expect(refused.status).toBe(402);
    const { requested, affordable_output_tokens } = (await refused.json()).error.metadata;
    expect(Number(requested)).toBeGreaterThan(0.002);
    expect(affordable_output_tokens).toBeLessThan(256);
  });

  it("keeps the cap of the client in chat and Responses, and is 402 if that is not covered", async () => {
    const { ask } = await cappedGateway({ maxOutputTokens: 64_000, balance: 100_000_000n });
    expect(await ask("chat/completions", { messages: prompt, max_tokens: 40_000 })).toMatchObject({ limit: null });
    expect((await ask("responses", { input: "Hi", max_output_tokens: 60_000 })).status).toBe(402);
    const lowered = await ask("messages", { messages: prompt, max_tokens: 60_000 });
    expect([lowered.status, Number(lowered.limit) > 12_000]).toEqual([200, true]);
    expect(lowered.sent).toMatchObject({ max_tokens: Number(lowered.limit) });
  });

  it("has a floor of 16,384 tokens for a model that reasons, for each choice", async () => {
    const reasoning = { effortLevels: ["low"], defaultEffort: "low" } as const;
    const { ask } = await cappedGateway({ maxOutputTokens: 64_000, balance: 100_000_000n, reasoning });
    expect((await ask("chat/completions", { messages: prompt })).limit).toBe("16384");
    expect((await ask("chat/completions", { messages: prompt, n: 3 })).limit).toBe("16384");
  });

  it.each([
    [1, 13_000_001n],
    [3, 40_000_007n],
    [7, 199_999_999n],
  ])("never costs more than it holds, with %i choices of all the tokens that it may have", async (n, balance) => {
    const dear = { input: "3.33", output: "17.77", request: "0.000123" };
    const { ask, balances, provider } = await cappedGateway({ maxOutputTokens: 64_000, balance, price: dear });
    let held = 0n;
    provider.script = {
      complete: async ({ request }) => {
        held = balances.balance("mine").held;
        const output = n * (request.max_completion_tokens ?? 0);
        return completionOf("Hi", { prompt_tokens: 40, completion_tokens: output, total_tokens: 40 + output });
      },
    };
    expect((await ask("chat/completions", { messages: prompt, n })).status).toBe(200);
    const cost = balance - balances.balance("mine").posted;
    expect(held > 0n && cost <= held).toBe(true);
    // One more token for each choice would not have been covered, beside the prompt's bound of less than 100 tokens.
    expect(cost).toBeGreaterThan(held - 500_000n);
  });
});

describe("a thinking budget that is not below a lowered cap", () => {
  const reasoning = { effortLevels: ["low", "high"], defaultEffort: "low" } as const;
  const thinking = { type: "enabled", budget_tokens: 31_999 };

  it("becomes one token less than the cap", async () => {
    const { ask } = await cappedGateway({ reasoning });
    const { sent, dropped } = await ask("messages", { messages: prompt, max_tokens: 32_000, thinking });
    expect(sent).toMatchObject({ max_tokens: 8_192, thinking: { type: "enabled", budget_tokens: 8_191 } });
    expect(dropped).toBeNull();
    const chat = await ask("chat/completions", { messages: prompt, max_tokens: 32_000, thinking });
    expect(chat.sent).toMatchObject({ thinking: { type: "enabled", budget_tokens: 8_191 } });
  });

  it("is left out below 1,024, with the edits that need it, and told", async () => {
    const { ask } = await cappedGateway({ reasoning, maxOutputTokens: 1_024 });
    const context_management = { edits: [{ type: "clear_thinking_20251015" }] };
    const body = { messages: prompt, max_tokens: 32_000, thinking };
    const { sent, dropped } = await ask("messages", { ...body, context_management });
    expect(sent).toEqual({ model: "up", messages: prompt, max_tokens: 1_024 });
    expect(dropped).toBe("thinking, context_management");
    const chat = await ask("chat/completions", body);
    expect(chat.sent).not.toHaveProperty("thinking");
    expect(chat.dropped).toBe("thinking");
  });

  it("stays as it is under a cap that the client chose", async () => {
    const { ask } = await cappedGateway({ reasoning });
    const sent = { max_tokens: 2_000, thinking: { type: "enabled", budget_tokens: 4_000 } };
    expect((await ask("messages", { messages: prompt, ...sent })).sent).toMatchObject(sent);
  });
});
