import { expect, it } from "vitest";
import type { ChatCompletionChunk } from "../wire/chat-completion.ts";
import { gatherCompletion } from "./completion-body.ts";

async function* endless(delta: ChatCompletionChunk["choices"][number]["delta"], sent: { chunks: number }) {
  for (; sent.chunks < 1_000_000; sent.chunks++) yield { choices: [{ index: 0, delta }] };
}

it.each([
  ["text", { content: "x".repeat(1_000_000) }, 20],
  ["chunks without a text", {}, 300_000],
])("rejects an endless stream of %s", async (_name, delta, most) => {
  const sent = { chunks: 0 };
  await expect(gatherCompletion(endless(delta, sent))).rejects.toMatchObject({ failure: "invalid_response" });
  expect(sent.chunks).toBeLessThan(most);
});
