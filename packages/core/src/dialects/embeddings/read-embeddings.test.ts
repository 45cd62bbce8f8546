import { expect, it } from "vitest";
import { readModel } from "../../catalogue/model.ts";
import { ProviderError } from "../../errors/provider-error.ts";
import { encodeUtf8 } from "../../wire/bytes.ts";
import { promptOfInputs } from "../../wire/prompt.ts";
import { MeasuredInputs } from "./measured-inputs.ts";
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
const content = { original: encodeUtf8(""), prompt: promptOfInputs(new MeasuredInputs(["a", "b"])) };
const read = (json: string) =>
  readEmbeddings({ model, content }, model.targets[0], { kind: "json", body: encodeUtf8(json), hidden: ["up.test"] });

const data =
  '"data":[{"object":"embedding","index":0,"embedding":[0.1,-2.50E-3]},{"object":"embedding","index":1,"embedding":"zcw="}]';

it("puts back the public model id and changes nothing else", () => {
  const given = `{ "object":"list", ${data}, "model":"secret-model","usage":{"prompt_tokens":4,"total_tokens":4},"x":1.10 }`;
  const answer = read(given);
  expect(answer.json).toBe(given.replace("secret-model", "public"));
  expect(answer.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 });
  expect(JSON.parse(answer.withUsage({ prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 })).usage).toEqual({
    prompt_tokens: 9,
    total_tokens: 9,
  });
});

it("adds the model where the upstream names none, and writes the usage that is charged", () => {
  const answer = read(`{${data}}`);
  expect(JSON.parse(answer.json)).toMatchObject({ model: "public" });
  expect(answer.usage).toBeUndefined();
  expect(JSON.parse(answer.withUsage({ prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 }))).toMatchObject({
    model: "public",
    usage: { prompt_tokens: 9, total_tokens: 9 },
  });
});

it.each([
  ['{"total_tokens":7}', 7],
  ['{"prompt_tokens":7,"completion_tokens":90,"total_tokens":97}', 7],
  ['{"prompt_tokens":-1}', undefined],
  ["null", undefined],
])("reads the usage %s", (usage, prompt) => {
  expect(read(`{${data},"usage":${usage}}`).usage?.prompt_tokens).toBe(prompt);
});

const failureOf = (json: string): unknown => {
  try {
    read(json);
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
])("refuses the answer %s", (json, failure) => {
  expect(failureOf(json)).toBe(failure);
});

it("counts the vectors of a large answer without the limits of a request", () => {
  const vectors = Array.from({ length: 2 }, () => ({ embedding: Array.from({ length: 600_000 }, () => 0.5) }));
  expect(read(JSON.stringify({ data: vectors })).json).toContain("0.5");
});
