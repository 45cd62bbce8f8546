import { memoryResponseStore, type Plan } from "@tollgate/core";
import type { NativeCall } from "@tollgate/core/provider";
import { type Dialect, dialects, type NewKey } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { isEnd } from "../support/end-events.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

const messages = [{ role: "user", content: "Hello" }];
const message = { model: "plain", max_tokens: 10, messages };

/** The calls of each dialect, with the status of one that is not refused. */
const calls: Readonly<Record<Dialect, readonly (readonly [status: number, call: string, body?: object])[]>> = {
  chat: [[200, "POST /chat/completions", { model: "plain", messages }]],
  responses: [
    [200, "POST /responses", { model: "plain", input: "Hello" }],
    [404, "GET /responses/resp_none"],
    [404, "GET /responses/resp_none/input_items"],
    [404, "DELETE /responses/resp_none"],
  ],
  messages: [
    [200, "POST /messages", message],
    [200, "POST /v1/messages", message],
    [200, "POST /messages/count_tokens", message],
  ],
  embeddings: [[200, "POST /embeddings", { model: "embed", input: "Hello" }]],
};

interface Case {
  readonly name: string;
  readonly key?: readonly Dialect[];
  readonly plan?: readonly Dialect[];
}

const table: readonly Case[] = [
  { name: "a key and a plan without a list" },
  ...dialects.map((dialect) => ({ name: `a key with ${dialect} alone`, key: [dialect] })),
  ...dialects.map((dialect) => ({ name: `a plan with ${dialect} alone`, plan: [dialect] })),
  { name: "a key within its plan", key: ["chat"], plan: ["chat", "messages"] },
  {
    name: "a key and a plan that share some",
    key: ["responses", "messages", "chat"],
    plan: ["embeddings", "chat", "messages"],
  },
  { name: "a key and a plan that share none", key: ["chat"], plan: ["messages"] },
  { name: "a key with an empty list", key: [] },
  { name: "a plan with an empty list", plan: [] },
];

/** A gateway that answers in every dialect, on a plan with these dialects. */
function answering(allowed: readonly Dialect[] | undefined): GatewayUnderTest {
  const provider = scriptedProvider({ complete: async () => completionOf("Hi") });
  const embedding = { object: "list", data: [{ object: "embedding", index: 0, embedding: [1] }], model: "up" };
  const embeddings = async (_call: NativeCall) =>
    ({ kind: "json", body: new TextEncoder().encode(JSON.stringify(embedding)) }) as const;
  const price = { input: "1", output: "2" };
  const plan: Plan = { id: "prepaid", billing: "prepaid", limits: { requests: { limit: 1_000 } } };
  return gatewayUnderTest({
    plans: [allowed === undefined ? plan : { ...plan, dialects: allowed }],
    models: [
      { id: "plain", maxOutputTokens: 100, price, targets: [{ provider, model: "up" }] },
      {
        id: "embed",
        kind: "embedding",
        price,
        targets: [{ provider: { ...provider, dialects: { embeddings } }, model: "up" }],
      },
    ],
    responses: { store: memoryResponseStore() },
  });
}

async function ask({ gateway }: GatewayUnderTest, secret: string, call: string, body?: object) {
  const [method = "", path = ""] = call.split(" ");
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const request = new Request(`http://gateway.test/router/v1${path}`, init);
  const response = await gateway.fetch(request);
  const retry = response.headers.get("x-should-retry");
  return { status: response.status, retry, json: await response.json(), wasRead: request.bodyUsed };
}

const keyOf = (tested: GatewayUnderTest, allowed: readonly Dialect[] | undefined): Promise<string> => {
  const wanted: Partial<NewKey> = allowed === undefined ? {} : { dialects: allowed };
  return tested.key(wanted);
};

describe.each(table)("$name", ({ key: ofKey, plan: ofPlan }) => {
  it.each(dialects)("is allowed or refused in the dialect %s at all its endpoints", async (dialect) => {
    const scope = ["key", "plan"][[ofKey, ofPlan].findIndex((list) => list?.includes(dialect) === false)];
    const tested = answering(ofPlan);
    const secret = await keyOf(tested, ofKey);
    for (const [status, call, body] of calls[dialect]) {
      const answer = await ask(tested, secret, call, body);
      if (scope === undefined) expect(answer.status, call).toBe(status);
      else expect(answer, call).toMatchObject(refused(dialect, scope));
    }
    if (scope === undefined) return;
    const end = { type: "request.refused", code: "feature_not_available", account: "acme" };
    expect(tested.events.filter(isEnd)).toMatchObject(calls[dialect].map(() => end));
    expect((await tested.balances.entries({ account: "acme", limit: 9 })).entries).toHaveLength(1);
  });
});

/** What a client gets that may not use a dialect. Its body was not read. */
function refused(dialect: Dialect, scope: string): object {
  const error = { type: "permission_error", message: expect.stringContaining(`\`${dialect}\``) };
  const json =
    dialect === "messages"
      ? { type: "error", error }
      : { error: { ...error, code: "feature_not_available", metadata: { scope, dialect } } };
  return { status: 403, retry: "false", json, wasRead: false };
}

describe("the refusal of a dialect", () => {
  const refusalOf = async (call: string, ofKey?: readonly Dialect[], ofPlan?: readonly Dialect[]) => {
    const tested = answering(ofPlan);
    return (await ask(tested, await keyOf(tested, ofKey), call, {})).json.error.message;
  };

  it("says what the key may call, which is what its plan has too", async () => {
    expect(await refusalOf("POST /messages", ["chat", "responses"], ["responses", "messages", "embeddings"])).toBe(
      "The dialect `messages` (POST /messages) is not available on this key. Use a key that has it. This key may call POST /responses.",
    );
    expect(await refusalOf("POST /embeddings", undefined, ["chat", "messages"])).toBe(
      "The dialect `embeddings` (POST /embeddings) is not available on this plan. Use a key that has it. This key may call POST /chat/completions or POST /messages.",
    );
    expect(await refusalOf("DELETE /responses/resp_none", ["chat"], ["messages"])).toBe(
      "The dialect `responses` (POST /responses) is not available on this key. Use a key that has it.",
    );
  });

  it("comes after those of an unknown key and of terms, and is not counted as a request", async () => {
    const tested = answering(["chat"]);
    expect((await ask(tested, "tg_unknown", "POST /messages", message)).status).toBe(401);
    const limited = await tested.key({ limits: { requests: { limit: 1, windowSeconds: 3_600 } } });
    for (let times = 0; times < 3; times++) expect((await ask(tested, limited, "POST /messages", {})).status).toBe(403);
    expect((await tested.chat(limited)).status).toBe(200);
    expect(tested.gateway.inFlight()).toBe(0);
  });

  it("does not concern the lists of models", async () => {
    const tested = answering([]);
    expect((await tested.models(await tested.key())).status).toBe(200);
  });
});
