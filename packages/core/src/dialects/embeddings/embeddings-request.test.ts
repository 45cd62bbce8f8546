import { expect, it } from "vitest";
import { readEmbeddingsRequest } from "./embeddings-request.ts";

const inputsOf = (input: unknown) => {
  const read = readEmbeddingsRequest({ model: "m", input });
  return "problem" in read ? read.problem : read.inputs;
};

it("reads each form of the input as a list of inputs", () => {
  expect(inputsOf("Hello")).toEqual(["Hello"]);
  expect(inputsOf(["Hello", "again"])).toEqual(["Hello", "again"]);
  expect(inputsOf([1, 2, 3])).toEqual([[1, 2, 3]]);
  expect(inputsOf([[1, 2], [0]])).toEqual([[1, 2], [0]]);
  expect(inputsOf(Array.from({ length: 2_048 }, () => "x"))).toHaveLength(2_048);
});

const forms = "must be a string, an array of strings, an array of tokens or an array of arrays of tokens";
const tokens = "must have only whole numbers of at least 0, which are tokens";

it.each([
  [undefined, { param: "input", message: "is required" }],
  [null, { param: "input", message: forms }],
  [7, { param: "input", message: forms }],
  [{ text: "Hello" }, { param: "input", message: forms }],
  ["", { param: "input", message: "is empty. Send a text" }],
  [[], { param: "input", message: "is empty. Send at least one text" }],
  [["a", ""], { param: "input.1", message: "is empty. Send a text, or leave it out" }],
  [["a", 1], { param: "input.1", message: "must be a string, as the first element is" }],
  [[1, "a"], { param: "input", message: tokens }],
  [[1, -1], { param: "input", message: tokens }],
  [[1.5], { param: "input", message: tokens }],
  [[[1], []], { param: "input.1", message: "is empty. Send at least one token, or leave it out" }],
  [[[1], ["a"]], { param: "input.1", message: tokens }],
  [[[1], "a"], { param: "input.1", message: forms }],
  [[{ image: "x" }], { param: "input.0", message: forms }],
  [Array.from({ length: 2_049 }, () => "x"), { param: "input", message: "must have at most 2048 elements" }],
])("refuses %o", (input, problem) => {
  expect(inputsOf(input)).toEqual(problem);
});

it.each([
  [{ dimensions: 0 }, "dimensions", "must be at least 1"],
  [{ dimensions: 1.5 }, "dimensions", "must be a whole number"],
  [{ encoding_format: "int8" }, "encoding_format", 'must be one of "float", "base64"'],
  [{ user: 7 }, "user", "must be a string"],
  [{ model: 7 }, "model", "must be a string"],
  [{ stream: true }, "stream", "must be false, since embeddings are not streamed"],
])("refuses %o", (members, param, message) => {
  expect(readEmbeddingsRequest({ model: "m", input: "Hello", ...members })).toEqual({ problem: { param, message } });
});
