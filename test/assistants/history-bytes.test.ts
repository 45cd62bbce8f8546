import type { ChatMessage } from "@tollgate/core/provider";
import { afterEach, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { scriptOf } from "../support/scripted-model.ts";
import { scriptedProvider } from "../support/scripted-provider.ts";

let under: AssistantUnderTest;

afterEach(() => under.close());

it("sends at most 2 MiB of a large session to a model with a large context window, in whole turns", async () => {
  const provider = scriptedProvider();
  provider.script = scriptOf(() => ({ content: "Hello." }));
  const window = { maxOutputTokens: 100, contextWindow: 10_000_000 };
  const targets = [{ provider, model: "upstream-model" }];
  under = await assistantUnderTest({ gateway: { models: [{ id: "plain", ...window, price: "free", targets }] } });
  const id = await under.session();
  const ref = { id, account: "acme" };
  for (let at = 0; at < 60; at++) {
    const turnId = crypto.randomUUID();
    const messages: ChatMessage[] = [
      { role: "user", content: `${at} ${"x".repeat(50_000)}` },
      { role: "assistant", content: "é".repeat(25_000) },
    ];
    await under.sessions.beginTurn(ref, { turnId, leaseMs: 60_000, historyLimit: 0 });
    await under.sessions.endTurn(ref, { turnId, messages, images: [] });
  }
  expect((await under.say(id)).status).toBe(200);
  const sent = provider.calls[0]?.request.messages.slice(1, -1) ?? [];
  const bytes = sent.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
  expect(bytes).toBeLessThanOrEqual(2_097_152);
  expect(bytes).toBeGreaterThan(2_097_152 - 2 * 51_000);
  expect([sent[0]?.role, String(sent.at(-2)?.content).slice(0, 2)]).toEqual(["user", "59"]);
});
