import {
  consoleObserver,
  type GatewayEvent,
  memoryBalanceStore,
  memoryContentStore,
  memoryKeyStore,
  memoryLimiter,
  memoryUsageStore,
} from "@tollgate/core";
import {
  type ChatGatewayOptions,
  contentLog,
  corsPolicy,
  createGateway,
  noticeDelivery,
  usageRecorder,
} from "@tollgate/core/chat";
import type { RequestContentRecord } from "@tollgate/core/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answersWith, named } from "../routing/scripts.ts";
import { completionOf } from "../support/scripted-provider.ts";

const provider = named("one", {
  ...answersWith("Hello"),
  complete: async () => completionOf("Hello", { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }),
});

async function chatGateway(options: Partial<ChatGatewayOptions> = {}, balances = memoryBalanceStore()) {
  const keys = memoryKeyStore();
  const gateway = createGateway({
    keys,
    balances,
    limiter: memoryLimiter(),
    observer: consoleObserver(),
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "upstream-model" }],
        logContent: true,
      },
    ],
    ...options,
  });
  balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000n, reason: "test" });
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const request = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    gateway.fetch(
      new Request(`http://gateway.test/router/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const send = async (method: string, path: string, body?: object) => {
    const response = await request(method, path, body);
    return { status: response.status, body: await response.json() };
  };
  return { gateway, balances, request, send };
}

const messages = [{ role: "user", content: "Hi" }];

describe("the gateway of @tollgate/core/chat", () => {
  it("answers and charges a chat completion, and lists its models", async () => {
    const { balances, send } = await chatGateway();
    const answer = await send("POST", "/chat/completions", { model: "plain", messages });
    expect(answer).toMatchObject({ status: 200, body: { object: "chat.completion", model: "plain" } });
    // One token each way, at 1 and 2 per million.
    expect(balances.balance("acme").available).toBe(1_000_000_000n - 3_000n);
    expect(await send("GET", "/models")).toMatchObject({ status: 200, body: { data: [{ id: "plain" }] } });
    expect(await send("GET", "/models/plain")).toMatchObject({ status: 200, body: { id: "plain" } });
  });

  it.each(["/messages", "/messages/count_tokens", "/responses", "/embeddings"])(
    "has no endpoint at %s, and names those that it has",
    async (path) => {
      const { send } = await chatGateway();
      expect(await send("POST", path, { model: "plain" })).toMatchObject({
        status: 404,
        body: {
          error: {
            message: "There is no endpoint at this path. The endpoints are /models, /models/{id}, /chat/completions.",
          },
        },
      });
    },
  );
});

describe("a part of the gateway of @tollgate/core/chat", () => {
  it("records usage and stores content, also of streams", async () => {
    const usage = memoryUsageStore();
    const stored: RequestContentRecord[] = [];
    const store = {
      record: (given: readonly RequestContentRecord[]) => void stored.push(...given),
      find: () => undefined,
      prune: () => 0,
    };
    const { gateway, request } = await chatGateway({
      usage: usageRecorder({ store: usage }),
      content: contentLog({ store }),
    });
    for (const stream of [false, true])
      await (await request("POST", "/chat/completions", { model: "plain", messages, stream })).text();
    await gateway.drain();
    expect(gateway.inspect().usage).toEqual({ pending: 0, dropped: 0 });
    expect((await usage.list({ limit: 10 })).rows).toMatchObject([{ model: "plain" }, { model: "plain" }]);
    const answer = { request: { messages }, response: { choices: [{ message: { content: "Hello" } }] } };
    expect(stored).toMatchObject([answer, answer]);
  });

  it("writes notices, which reach the observer", async () => {
    // The first search for notices is then 250 ms after the first request.
    vi.spyOn(Math, "random").mockReturnValue(0.05);
    onTestFinished(() => void vi.restoreAllMocks());
    const events: GatewayEvent[] = [];
    const balances = memoryBalanceStore();
    const { request } = await chatGateway(
      {
        observer: (event) => void events.push(event),
        notices: noticeDelivery({ outbox: balances, lowBalance: "0.999999" }),
      },
      balances,
    );
    await request("POST", "/chat/completions", { model: "plain", messages });
    await expect
      .poll(() => events.filter(({ type }) => type === "notice"), { timeout: 8_000 })
      .toMatchObject([{ notice: { account: "acme" } }]);
  });

  it("answers preflights", async () => {
    const { request } = await chatGateway({ cors: corsPolicy({ origins: ["https://app.example"] }) });
    const preflight = { origin: "https://app.example", "access-control-request-method": "POST" };
    const response = await request("OPTIONS", "/chat/completions", undefined, preflight);
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://app.example");
  });
});

describe("createGateway of @tollgate/core/chat", () => {
  const options = () => ({
    keys: memoryKeyStore(),
    balances: memoryBalanceStore(),
    limiter: memoryLimiter(),
    observer: consoleObserver(),
    plans: [{ id: "prepaid", billing: "prepaid" as const }],
    models: [],
  });
  /** As a host without types calls it. */
  const create = (wrong: object) => () => createGateway(Object.assign(options(), wrong));

  it.each(["messages", "responses", "openapi"])("refuses the option `%s`, which belongs to what it lacks", (option) => {
    expect(create({ [option]: {} })).toThrow(
      `\`${option}\` is not a member of the options of createGateway of @tollgate/core/chat.`,
    );
  });

  it.each([
    ["content", { store: memoryContentStore() }, "contentLog()"],
    ["cors", { origins: "*" }, "corsPolicy()"],
    ["notices", { outbox: memoryBalanceStore() }, "noticeDelivery()"],
    ["usage", { store: memoryUsageStore() }, "usageRecorder()"],
    ["usage", contentLog({ store: memoryContentStore() }), "usageRecorder()"],
    ["usage", usageRecorder, "usageRecorder()"],
    ["limiter", {}, "memoryLimiter()"],
    ["observer", {}, "consoleObserver()"],
  ])("says what makes the option `%s`", (option, wrong, maker) => {
    expect(create({ [option]: wrong })).toThrow(maker);
  });

  it("checks the options of parts", () => {
    expect(() => usageRecorder({ store: memoryUsageStore(), retentionDays: 0 })).toThrow("usageRecorder cannot start:");
    expect(() => corsPolicy({ origins: ["app.example"] })).toThrow("corsPolicy cannot start:");
  });
});
