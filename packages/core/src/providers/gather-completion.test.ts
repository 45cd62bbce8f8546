import { expect, it } from "vitest";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { gatherCompletion } from "./gather-completion.ts";

async function* endless(delta: ChatCompletionChunk["choices"][number]["delta"], told: { chunks: number }) {
  for (; told.chunks < 1_000_000; told.chunks++) yield { choices: [{ index: 0, delta }] };
}

it.each([
  ["text", { content: "x".repeat(1_000_000) }, 20],
  ["chunks without a text", {}, 300_000],
])("gives up a stream of endless %s", async (_name, delta, most) => {
  const told = { chunks: 0 };
  await expect(gatherCompletion(endless(delta, told))).rejects.toMatchObject({ failure: "invalid_response" });
  expect(told.chunks).toBeLessThan(most);
});
