import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { scriptedProvider } from "../../support/scripted-provider.ts";
import { vectorOf } from "../../upstream/embeddings-form.ts";
import { answers } from "./answers.ts";
import { type DialectGateway, models, serveDialects } from "./dialect-gateway.ts";

let served: DialectGateway;
let client: OpenAI;

beforeEach(async () => {
  served = await serveDialects();
  served.upstream.reply = () => ({ answer: answers.text, tokens: 7 });
  client = await served.openai();
});
afterEach(() => served.close());

/** The cost of 7 tokens at 0.1 per million, in nano-units. */
const cost = 700n;
const model = models.embeddings;

describe("embeddings, with the official OpenAI client", () => {
  it("are decoded from base64, which the client asks for by itself", async () => {
    const { data, usage, model: named } = await client.embeddings.create({ model, input: ["a", "b"] });
    expect(data.map(({ embedding }) => embedding)).toEqual([vectorOf(0), vectorOf(1)]);
    expect({ usage, named }).toEqual({ usage: { prompt_tokens: 7, total_tokens: 7 }, named: model });
    expect(served.upstream.last().body).toMatchObject({ encoding_format: "base64", input: ["a", "b"] });
    await served.expectCharged(cost);
  });

  it.each([
    ["a text", "Hello", 1],
    ["texts", ["a", "b", "c"], 3],
    ["tokens", [1, 2, 3], 1],
    ["lists of tokens", [[1, 2], [3]], 2],
  ] as const)("are floats if asked for, from %s", async (_what, given, count) => {
    const input: string | string[] | number[] | number[][] = JSON.parse(JSON.stringify(given));
    const { data } = await client.embeddings.create({ model, input, encoding_format: "float", dimensions: 3 });
    expect(data.map(({ embedding }) => embedding)).toEqual(Array.from({ length: count }, (_, at) => vectorOf(at, 3)));
    await served.expectCharged(cost);
  });

  it("are refused for a model that does not make them, and chats for one that does", async () => {
    await expect(client.embeddings.create({ model: models.chat, input: "Hello" })).rejects.toBeInstanceOf(
      OpenAI.APIError,
    );
    const messages = [{ role: "user" as const, content: "Hello" }];
    await expect(client.chat.completions.create({ model, messages })).rejects.toBeInstanceOf(OpenAI.APIError);
    await expect(client.responses.create({ model, input: "Hello" })).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(served.upstream.requests).toHaveLength(0);
    await served.expectCharged(0n);
  });

  it.each([
    [429, 503],
    [500, 502],
    [400, 400],
  ])("have the status of what failed upstream, from %i", async (status, expected) => {
    served.upstream.reply = () => ({ answer: answers.text, fault: { kind: "status", status } });
    const error = await client.embeddings.create({ model, input: "Hello" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: expected });
    expect(JSON.stringify(error)).not.toContain("gpu-7");
    await served.expectCharged(0n);
  });

  it.each(["reset", "close", "garbage"] as const)("are refused if the answer is cut off: %s", async (kind) => {
    served.upstream.reply = () => ({ answer: answers.text, fault: { kind, before: "the end" } });
    await expect(client.embeddings.create({ model, input: "Hello" })).rejects.toMatchObject({ status: 502 });
    await served.expectCharged(0n);
  });
});

it("embeddings of an upstream that ignores the format are its 768 numbers, whichever the client asks for", async () => {
  const vector = Array.from({ length: 768 }, (_, place) => 1 / 2 ** (place % 20));
  const answer = { object: "list", data: [{ object: "embedding", index: 0, embedding: vector }], model: "up" };
  const embeddings = async () => ({ kind: "json", body: new TextEncoder().encode(JSON.stringify(answer)) }) as const;
  const targets = [{ provider: { ...scriptedProvider(), dialects: { embeddings } }, model: "up" }];
  const tested = gatewayUnderTest({ models: [{ id: "embed", kind: "embedding", price: "free", targets }] });
  const numbers = new OpenAI({
    baseURL: "http://gateway.test/router/v1",
    apiKey: await tested.key(),
    fetch: (url, init) => tested.gateway.fetch(new Request(url, init)),
  });
  for (const encoding_format of [undefined, "float", "base64"] as const) {
    const { data } = await numbers.embeddings.create({
      model: "embed",
      input: "a",
      ...(encoding_format && { encoding_format }),
    });
    const [first] = data;
    expect(first?.embedding).toEqual(
      encoding_format === "base64" ? Buffer.from(new Float32Array(vector).buffer).toString("base64") : vector,
    );
  }
});

describe("models, as the official OpenAI client reads them", () => {
  it("lists and retrieves each by its id", async () => {
    const listed: string[] = [];
    for await (const { id } of client.models.list()) listed.push(id);
    expect(listed).toEqual(expect.arrayContaining([models.chat, models.responses, models.embeddings]));
    expect(await client.models.retrieve(models.responses)).toMatchObject({ id: models.responses, object: "model" });
    await expect(client.models.retrieve("nothing/at-all")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});
