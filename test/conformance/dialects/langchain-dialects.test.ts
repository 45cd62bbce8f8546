import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { vectorOf } from "../../upstream/embeddings-form.ts";
import { answers } from "./answers.ts";
import { costOf, type DialectGateway, models, serveDialects } from "./dialect-gateway.ts";

let served: DialectGateway;
beforeEach(async () => {
  served = await serveDialects();
});
afterEach(() => served.close());

const ofAnthropic = async (model: string) =>
  new ChatAnthropic({
    model,
    apiKey: await served.key(),
    anthropicApiUrl: served.anthropicURL,
    maxRetries: 0,
    maxTokens: 100,
  });
const ofOpenAI = async (model: string) =>
  new ChatOpenAI({
    model,
    apiKey: await served.key(),
    configuration: { baseURL: served.openaiURL },
    useResponsesApi: true,
    maxRetries: 0,
  });

const clients: { name: string; make: (model: string) => Promise<BaseChatModel>; id: string }[] = [
  { name: "ChatAnthropic, native", make: ofAnthropic, id: models.messages },
  { name: "ChatAnthropic, translated", make: ofAnthropic, id: models.chat },
  { name: "ChatOpenAI with Responses, native", make: ofOpenAI, id: models.responses },
  { name: "ChatOpenAI with Responses, translated", make: ofOpenAI, id: models.chat },
];

const getWeather = tool(({ city }) => `12 degrees in ${city}`, {
  name: "get_weather",
  description: "The weather of a city.",
  schema: z.object({ city: z.string() }),
});

describe.each(clients)("LangChain's $name", ({ make, id }) => {
  it("invokes the model", async () => {
    served.upstream.reply = () => ({ answer: answers.text });
    const message = await (await make(id)).invoke("Hello");
    expect(message.text).toBe("Héllo wörld 🌍");
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("streams the model", async () => {
    served.upstream.reply = () => ({ answer: answers.text });
    const pieces: string[] = [];
    for await (const chunk of await (await make(id)).stream("Hello")) pieces.push(chunk.text);
    expect(pieces.filter((piece) => piece !== "")).toEqual(["Hé", "llo ", "wörld 🌍"]);
    await served.expectCharged(costOf(answers.text.tokens));
  });

  it("calls tools and continues with their results", async () => {
    served.upstream.reply = (_request, before) => ({ answer: before === 0 ? answers.tools : answers.text });
    const chat = await make(id);
    if (chat.bindTools === undefined) throw new Error("The model has no tools.");
    const model = chat.bindTools([getWeather]);
    const first = await model.invoke("Weather?");
    const calls = first.tool_calls ?? [];
    expect(calls).toMatchObject([
      { id: "call_oslo", args: { city: "Oslo" } },
      { id: "call_rome", args: { city: 'R"o"me' } },
    ]);
    const results = calls.map(({ id: tool_call_id = "" }) => new ToolMessage({ content: "12 degrees", tool_call_id }));
    const last = await model.invoke([new HumanMessage("Weather?"), first, ...results]);
    expect(last.text).toBe("Héllo wörld 🌍");
    expect(served.upstream.last().text).toContain("12 degrees");
  });
});

describe("LangChain's OpenAIEmbeddings", () => {
  it("embeds documents and queries", async () => {
    served.upstream.reply = () => ({ answer: answers.text, tokens: 7 });
    const configuration = { baseURL: served.openaiURL };
    const embeddings = new OpenAIEmbeddings({ model: models.embeddings, apiKey: await served.key(), configuration });
    expect(await embeddings.embedDocuments(["a", "b"])).toEqual([vectorOf(0), vectorOf(1)]);
    expect(await embeddings.embedQuery("a")).toEqual(vectorOf(0));
    await served.expectCharged(1_400n);
  });
});
