import { anthropic } from "@tollgate/anthropic";
import { createGateway, memoryBalanceStore, memoryKeyStore, memoryUsageStore, openaiCompatible } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { type MockUpstream, startMockUpstream } from "../upstream/mock-upstream.ts";
import { textAnswer } from "../upstream/model-answer.ts";

const messages = [{ role: "user", content: "Hi" }];

/** The body of a request, the start of the ids that its client sees, and how an answer ends, by path. */
const dialects = {
  "chat/completions": { body: { messages }, id: "chatcmpl-", ends: "stop" },
  messages: { body: { messages, max_tokens: 100 }, id: "msg_", ends: "end_turn" },
  responses: { body: { input: "Hi", store: false }, id: "resp_", ends: "completed" },
} as const;

/** A gateway whose model is called by chat completions, and others that are called in the dialects of their clients. */
async function scene(upstream: MockUpstream) {
  const store = memoryUsageStore();
  const balances = memoryBalanceStore();
  balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000n, reason: "test" });
  const keys = memoryKeyStore();
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const key = { baseURL: upstream.url, apiKey: "sk-upstream" };
  const providers = {
    translated: openaiCompatible(key),
    responses: openaiCompatible({ ...key, dialects: ["responses"] }),
    messages: anthropic(key),
  };
  const finishReasons: unknown[] = [];
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: Object.entries(providers).map(([id, provider]) => ({
      id,
      maxOutputTokens: 1_000,
      price: { input: "1", output: "2" },
      targets: [{ provider, model: "upstream-model" }],
    })),
    usage: { store },
    transport: pooledTransport(),
    observer: (event) => {
      if (event.type === "request.completed") finishReasons.push(event.finishReasons);
    },
  });
  return {
    finishReasons,
    ask: async (path: string, body: object) => {
      const response = await gateway.fetch(
        new Request(`http://gateway.test/router/v1/${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
      return response.text();
    },
    /** The ids of the answer in the usage row and in the receipt of the charge. */
    recorded: async () => {
      await gateway.drain();
      const { rows } = await store.list({ limit: 10 });
      const { entries } = balances.entries({ account: "acme", limit: 10 });
      const charges = entries.flatMap(({ receipt }) => receipt?.charge ?? []);
      return [...rows, ...charges].map(({ answerId }) => answerId);
    },
  };
}

describe("the id of an answer", () => {
  const cases = (["translated", "native"] as const).flatMap((way) =>
    (["chat/completions", "messages", "responses"] as const).flatMap((path) =>
      path === "chat/completions" && way === "native" ? [] : [false, true].map((stream) => ({ path, way, stream })),
    ),
  );

  it.each(cases)("is in its row and its receipt as the client has it: $path, $way, stream $stream", async (given) => {
    const { path, way, stream } = given;
    const upstream = await startMockUpstream();
    try {
      const { ask, recorded, finishReasons } = await scene(upstream);
      const model = way === "translated" || path === "chat/completions" ? "translated" : path;
      const text = await ask(path, { ...dialects[path].body, model, stream });
      const id = new RegExp(`"id":\\s*"(${dialects[path].id}[\\w-]+)"`).exec(text)?.[1];
      expect(id, text).toBeDefined();
      expect(await recorded()).toEqual([id, id]);
      // A translated answer ends as the chat completion did.
      expect(finishReasons).toEqual([[way === "native" ? dialects[path].ends : "stop"]]);
    } finally {
      await upstream.close();
    }
  });

  it("is absent when the upstream fails", async () => {
    const upstream = await startMockUpstream();
    upstream.reply = () => ({ answer: textAnswer(["Hi"]), fault: { kind: "status", status: 400 } });
    try {
      const { ask, recorded } = await scene(upstream);
      await ask("chat/completions", { messages, model: "translated" });
      expect(await recorded()).toEqual([undefined]);
    } finally {
      await upstream.close();
    }
  });
});
