import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { Stream } from "openai/streaming";
import { describe, expect, it } from "vitest";
import { mountedOnce } from "./mounts/mounts.ts";
import { setSessionScene } from "./session-scene.ts";

describe.each(mountedOnce)("a streamed turn in $title", ({ mount, variant }) => {
  it.each(["", "/assistants/v1"])('can be parsed by the official client, at "%s"', async (prefix) => {
    await using scene = await setSessionScene(mount, variant, prefix);
    const session = await scene.create();
    const json = { "content-type": "application/json" };
    const body = JSON.stringify({ content: "Hello", stream: true });
    const response = await scene.ask("POST", `${session}/messages`, body, json);
    expect(response.status).toBe(200);
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of Stream.fromSSEResponse<ChatCompletionChunk>(response, new AbortController())) {
      chunks.push(chunk);
    }
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Hello.");
    expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason)).at(-1)).toBe("stop");
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 10, total_tokens: 12 });
    const history = await (await scene.ask("GET", `${session}/messages`)).json();
    expect(history.data).toMatchObject([
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hello." },
    ]);
  });
});
