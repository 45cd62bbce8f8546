import type { JsonObject } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { answerEmbeddings } from "./embeddings.ts";

interface Answered {
  readonly model: string;
  readonly data: readonly { readonly index: number; readonly embedding: number[] }[];
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

function ask(request: JsonObject) {
  const encoded = () => new TextEncoder().encode(JSON.stringify(request));
  const answer = answerEmbeddings({ encoded, model: "offline-embedding" });
  if (answer.kind !== "json") throw new Error("expected JSON");
  return JSON.parse(new TextDecoder().decode(answer.body));
}

function vectorsOf(request: JsonObject): number[][] {
  const { data }: Answered = ask(request);
  return data.map(({ embedding }) => embedding);
}

const dot = (left: readonly number[] = [], right: readonly number[] = []) =>
  left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

describe("embeddings", () => {
  it("have one vector of length 1 for each input, in order", () => {
    const { model, data }: Answered = ask({ input: ["red apples", "green pears", " "] });
    expect(model).toBe("offline-embedding");
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const { embedding } of data) {
      expect(embedding).toHaveLength(1_536);
      expect(dot(embedding, embedding)).toBeCloseTo(1, 3);
    }
  });

  it("are equal for equal texts, and closer for texts that share words", () => {
    const input = ["red apples are sweet", "Red apples are sweet!", "green apples are sour", "trains leave at noon"];
    const [first, same, near, far] = vectorsOf({ input });
    expect(same).toEqual(first);
    expect(dot(first, near)).toBeGreaterThan(dot(first, far) + 0.2);
  });

  it("have the requested dimensions, of which one is the fewest", () => {
    expect(vectorsOf({ input: "Hello", dimensions: 8 })[0]).toHaveLength(8);
    expect(vectorsOf({ input: ["on", "off and on"], dimensions: 1 }).map(([value = 0]) => Math.abs(value))).toEqual([
      1, 1,
    ]);
  });

  it("are little-endian 32-bit floats in base64", () => {
    const request = { input: "Hello there", dimensions: 8 };
    const [vector] = vectorsOf(request);
    const { data } = ask({ ...request, encoding_format: "base64" });
    const bytes = Buffer.from(data[0].embedding, "base64");
    expect(Array.from({ length: 8 }, (_, index) => bytes.readFloatLE(index * 4))).toEqual(
      vector?.map((value) => Math.fround(value)),
    );
  });

  it.each([
    ["a text", "Hello there", 1, 3],
    ["texts", ["Hello there", "you"], 2, 4],
    ["tokens", [5, 7, 9], 1, 3],
    ["lists of tokens", [[5, 7], [9]], 2, 3],
  ])("accept %s and count its tokens", (_title, input, vectors, tokens) => {
    const { data, usage }: Answered = ask({ input });
    expect(data).toHaveLength(vectors);
    expect(usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
  });
});
