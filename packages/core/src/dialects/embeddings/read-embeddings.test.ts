import { describe, expect, it } from "vitest";
import type { ReadAnswer } from "../../answering/model-api.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { readModel } from "../../routing/model.ts";
import { asText, encodeUtf8 } from "../../wire/bytes.ts";
import { promptOfInputs } from "../../wire/prompt.ts";
import { MeasuredInputs } from "./embeddings-request.ts";
import { readEmbeddings } from "./read-embeddings.ts";

const model = readModel({
  id: "public",
  kind: "embedding",
  price: "free",
  targets: [
    {
      model: "secret-model",
      provider: {
        name: "upstream",
        capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
        complete: () => Promise.reject(new Error("No call is made.")),
        stream: () => Promise.reject(new Error("No call is made.")),
      },
    },
  ],
});
const prompt = promptOfInputs(new MeasuredInputs(["a", "b"]));
async function read(json: string, format?: string): Promise<ReadAnswer> {
  const call = {
    original: encodeUtf8(""),
    prompt,
    member: (name: string) => (name === "encoding_format" ? format : undefined),
  };
  const answer = { kind: "json", body: encodeUtf8(json), hidden: ["up.test"] } as const;
  return await readEmbeddings({ model, call }, model.targets[0], answer);
}

const data =
  '"data":[{"object":"embedding","index":0,"embedding":[0.1,-2.50E-3]},{"object":"embedding","index":1,"embedding":[]}]';

it("puts back the public model id and changes nothing else", async () => {
  const given = `{ "object":"list", ${data}, "model":"secret-model","usage":{"prompt_tokens":4,"total_tokens":4},"x":1.10 }`;
  const answer = await read(given);
  expect(asText(answer.json)).toBe(given.replace("secret-model", "public"));
  expect(answer.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 });
  expect(
    JSON.parse(asText(answer.withUsage({ prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 }))).usage,
  ).toEqual({
    prompt_tokens: 9,
    total_tokens: 9,
  });
});

it("adds the model where the upstream names none, and writes the usage that is charged", async () => {
  const answer = await read(`{${data}}`);
  expect(JSON.parse(asText(answer.json))).toMatchObject({ model: "public" });
  expect(answer.usage).toBeUndefined();
  expect(
    JSON.parse(asText(answer.withUsage({ prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 }))),
  ).toMatchObject({
    model: "public",
    usage: { prompt_tokens: 9, total_tokens: 9 },
  });
});

it.each([
  ['{"total_tokens":7}', 7],
  ['{"prompt_tokens":7,"completion_tokens":90,"total_tokens":97}', 7],
  ['{"prompt_tokens":-1}', undefined],
  ["null", undefined],
])("reads the usage %s", async (usage, prompt) => {
  expect((await read(`{${data},"usage":${usage}}`)).usage?.prompt_tokens).toBe(prompt);
});

const failureOf = async (json: string): Promise<unknown> => {
  try {
    await read(json);
    return undefined;
  } catch (error) {
    return ProviderError.is(error) ? error.failure : error;
  }
};

it.each([
  ["", "invalid_response"],
  ["<html></html>", "invalid_response"],
  [`{${data}`, "invalid_response"],
  ['{"data":[{"embedding":[0.1', "invalid_response"],
  ['{"data":[{"embedding":[0.1]}]}', "invalid_response"],
  ['{"data":[{"embedding":[NaN]},{"embedding":[0]}]}', "invalid_response"],
  ['{"data":{}}', "invalid_response"],
  ["[]", "invalid_response"],
  ['{"error":{"message":"Rate limit reached","type":"rate_limit_error","code":429}}', "overloaded"],
])("refuses the answer %s", async (json, failure) => {
  expect(await failureOf(json)).toBe(failure);
});

it("counts the vectors of a large answer without the limits of a request", async () => {
  const vectors = Array.from({ length: 2 }, () => ({ embedding: Array.from({ length: 600_000 }, () => 0.5) }));
  expect(asText((await read(JSON.stringify({ data: vectors }))).json)).toContain("0.5");
});

it.each(["float", "base64"])("reads a large answer in turns of the event loop, as %s", async (format) => {
  const numbers = Array.from({ length: 100_000 }, () => 0.125);
  const base64 = JSON.stringify(Buffer.from(new Float32Array(numbers).buffer).toString("base64"));
  const answerOf = (vector: string) => `{"data":[{"embedding":${vector}},{"embedding":${vector}}],"model":"public"}`;
  let turns = 0;
  const watch = setInterval(() => turns++);
  const { json } = await read(answerOf(JSON.stringify(numbers)), format);
  clearInterval(watch);
  expect(turns).toBeGreaterThan(1);
  expect(asText(json) === answerOf(format === "base64" ? base64 : JSON.stringify(numbers))).toBe(true);
});

it.each([
  ['{"data":[{"embedding":[1]},{"embedding":[2]}],"data":{}}', "something that is not a list"],
  [String.raw`{"data":[{"embedding":[1]}],"d\u0061ta":[{"embedding":[2]}]}`, "1 embeddings for 2 inputs"],
])("counts the vectors of the last member of the name: %s", async (json, message) => {
  await expect(read(json)).rejects.toThrow(message);
});

it("refuses vectors that are not UTF-8", async () => {
  const body = Buffer.from('{"data":[{"embedding":"\xff"},{"embedding":[]}]}', "latin1");
  const call = { original: encodeUtf8(""), prompt, member: () => "base64" };
  const answer = { kind: "json", body, hidden: [] } as const;
  await expect(readEmbeddings({ model, call }, model.targets[0], answer)).rejects.toThrow("not valid UTF-8");
});

const listOf = (...vectors: unknown[]) =>
  JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding, object: "embedding" })), model: "m" });
const vectorsOf = (answer: ReadAnswer) =>
  JSON.parse(asText(answer.json)).data.map(({ embedding }: { readonly embedding: unknown }) => embedding);

describe("vectors in another format than was asked for", () => {
  // The float32 numbers 0.25 and -2, little endian.
  const base64 = "AACAPgAAAMA=";

  it("become base64 of float32, little endian", async () => {
    expect(vectorsOf(await read(listOf([0.25, -2], []), "base64"))).toEqual([base64, ""]);
  });

  it.each([undefined, "float"])("become numbers if %s was asked for", async (format) => {
    expect(vectorsOf(await read(listOf(base64, [0.5]), format))).toEqual([[0.25, -2], [0.5]]);
  });

  it("keep all else to the byte, with the usage that is charged", async () => {
    const given = '{"data": [{"embedding":[0.25,-2],"x":1.10}, {"embedding":"","index":1}],"model":"up","y":2.50}';
    const answer = await read(given, "base64");
    const changed = given.replace("[0.25,-2]", `"${base64}"`).replace('"up"', '"public"');
    expect(asText(answer.json)).toBe(changed);
    const usage = { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 };
    const charged = changed.replace(/\}$/, ',"usage":{"prompt_tokens":9,"total_tokens":9}}');
    expect(asText(answer.withUsage(usage))).toBe(charged);
  });

  it.each([
    [["a"], "base64"],
    [[null], "base64"],
    ["zcw=", "float"],
    ["%", "float"],
    ["AADAfw==", "float"],
  ])("are refused if they are %j and not %s", async (vector, format) => {
    await expect(read(listOf(vector, vector), format)).rejects.toThrow("neither numbers nor base64");
  });
});
