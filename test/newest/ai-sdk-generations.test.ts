import { createRequire } from "node:module";
import { aiSdk } from "@tollgate/ai-sdk";
import { fetchTransport } from "@tollgate/core";
import type { ChatCompletionChunk, ProviderAdapter } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { callOver, providerErrorOf } from "../providers/calls.ts";
import { textAnswer, toolCall, toolsAnswer } from "../upstream/model-answer.ts";
import { type SdkUpstream, sdkUpstreams } from "./upstreams.ts";

const generations = [
  [6, "v3", process.env["AI_SDK_6_CLIENTS"]],
  [7, "v4", process.env["NEWEST_CLIENTS"]],
] as const;

const answer = textAnswer(["Hel", "lo"], { input: 20, output: 9 });
const calling = toolsAnswer([toolCall("toolu_1", "look", { place: "Oslo" })], ["Let me see."]);

const request = {
  model: "overridden",
  max_tokens: 4_000,
  reasoning_effort: "low",
  messages: [
    {
      role: "user" as const,
      content: [
        { type: "text" as const, text: "What is this?" },
        { type: "image_url" as const, image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      ],
    },
  ],
  tools: [
    {
      type: "function" as const,
      function: { name: "look", parameters: { type: "object", properties: { place: { type: "string" } } } },
    },
  ],
};

describe.each(generations)("aiSdk over the packages of AI SDK %s", (_generation, specification, folder) => {
  describe.each(sdkUpstreams)("$name", (upstream) => {
    /** The provider over a `fetch` that answers with a response and records the bodies that it gets. */
    function providerOver(respond: () => Response) {
      const bodies: string[] = [];
      const model = modelOf(upstream, `${folder}/importer.js`, async (_input: unknown, init: RequestInit) => {
        bodies.push(String(init.body));
        return respond();
      });
      return { provider: aiSdk(model), model, bodies };
    }
    const json = (given: typeof answer) => () => Response.json(upstream.whole(given));
    const streamOf = (events: readonly Uint8Array[]) => () =>
      new Response(Buffer.concat(events), { headers: { "content-type": upstream.streamType } });
    const stream = (given: typeof answer) => streamOf(upstream.events(given));
    const call = () => callOver(fetchTransport(), { request: { ...request, model: upstream.model } });

    it(`has specification ${specification}, and gets text, image, tools and effort`, async () => {
      const { provider, model, bodies } = providerOver(json(answer));
      expect(model.specificationVersion).toBe(specification);
      expect(await provider.complete(call())).toMatchObject({
        choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 20, completion_tokens: 9 },
      });
      for (const part of ["What is this?", "iVBORw0KGgo=", '"look"']) expect(bodies[0]).toContain(part);
      const thinks = /"effort":"low"|"thinkingBudget":|"thinking":\{|"budget_tokens":|"reasoningConfig"/;
      // Of the packages of AI SDK 6, only that of OpenAI reads the provider option.
      if (specification === "v4" || upstream.name === "openai") expect(bodies[0]).toMatch(thinks);
    });

    it("calls a tool, in one piece and in a stream", async () => {
      const { provider } = providerOver(json(calling));
      const called = { name: "look", arguments: '{"place":"Oslo"}' };
      expect(await provider.complete(call())).toMatchObject({
        choices: [{ message: { tool_calls: [{ function: called }] }, finish_reason: "tool_calls" }],
      });
      const chunks = await chunksOf(providerOver(stream(calling)).provider);
      expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
      const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
      expect(JSON.parse(deltas.map((delta) => delta.function?.arguments ?? "").join(""))).toEqual({ place: "Oslo" });
    });

    it("streams text and usage", async () => {
      const chunks = await chunksOf(providerOver(stream(answer)).provider);
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("Hello");
      expect(chunks.at(-1)).toMatchObject({
        choices: [{ finish_reason: "stop" }],
        usage: { prompt_tokens: 20, completion_tokens: 9 },
      });
    });

    it("fails if the stream ends before its end", async () => {
      const events = upstream.events(answer);
      const { provider } = providerOver(streamOf(events.slice(0, events.length / 2)));
      expect((await providerErrorOf(chunksOf(provider))).failure).toBe("invalid_response");
    });

    async function chunksOf(provider: ProviderAdapter): Promise<ChatCompletionChunk[]> {
      const given = await provider.stream(call());
      if (given.kind !== "chunks") throw new Error("The provider returned a stream of bytes.");
      const chunks: ChatCompletionChunk[] = [];
      for await (const chunk of given.chunks) chunks.push(chunk);
      return chunks;
    }
  });
});

/** The model of a package that is installed beside `importer`. */
function modelOf({ name, factory, model }: SdkUpstream, importer: string, fetch: unknown) {
  const create = createRequire(importer)(`@ai-sdk/${name}`)[factory];
  return create({ apiKey: "sk-test", region: "eu-west-1", fetch })(model);
}
