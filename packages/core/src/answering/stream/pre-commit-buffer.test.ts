import { expect, it } from "vitest";
import { PreCommitBuffer } from "./pre-commit-buffer.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (shown: readonly Uint8Array[] | undefined) => shown?.map((each) => new TextDecoder().decode(each));

it("buffers frames before the first content, and returns them in order together with it", () => {
  const buffer = new PreCommitBuffer(100);
  expect([buffer.push(bytes("role"), false), buffer.push(undefined, false), buffer.isCommitted]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect(texts(buffer.push(bytes("content"), true))).toEqual(["role", "content"]);
  expect([buffer.isCommitted, texts(buffer.push(bytes("more"), true)), buffer.push(undefined, true)]).toEqual([
    true,
    ["more"],
    undefined,
  ]);
});

it("returns the buffered frames when an answer ends that has no content", () => {
  const buffer = new PreCommitBuffer(100);
  expect(buffer.push(undefined, true)).toBeUndefined();
  expect(buffer.isCommitted).toBe(false);
  buffer.push(bytes("start"), false);
  expect(texts(buffer.push(undefined, true))).toEqual(["start"]);
});

it("discards the frames of a failed attempt", () => {
  const buffer = new PreCommitBuffer(100);
  buffer.push(bytes("role of the first"), false);
  buffer.clear();
  expect(texts(buffer.push(bytes("content of the second"), true))).toEqual(["content of the second"]);
});

it("buffers at most its limit, and resets the count for each attempt", () => {
  const buffer = new PreCommitBuffer(4);
  expect(buffer.push(bytes("four"), false)).toBeUndefined();
  buffer.clear();
  expect(buffer.push(bytes("four"), false)).toBeUndefined();
  expect([texts(buffer.push(bytes("!"), false)), buffer.isCommitted]).toEqual([["four", "!"], true]);
});
