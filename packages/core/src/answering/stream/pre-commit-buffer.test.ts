import { expect, it } from "vitest";
import { PreCommitBuffer } from "./pre-commit-buffer.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (shown: readonly Uint8Array[] | undefined) => shown?.map((each) => new TextDecoder().decode(each));

it("keeps back what comes before the first content, and gives it out with that, in order", () => {
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

it("forgets what it kept of an attempt that failed", () => {
  const buffer = new PreCommitBuffer(100);
  buffer.push(bytes("role of the first"), false);
  buffer.clear();
  expect(texts(buffer.push(bytes("content of the second"), true))).toEqual(["content of the second"]);
});

it("keeps back no more than its limit, and counts anew for each attempt", () => {
  const buffer = new PreCommitBuffer(4);
  expect(buffer.push(bytes("four"), false)).toBeUndefined();
  buffer.clear();
  expect(buffer.push(bytes("four"), false)).toBeUndefined();
  expect([texts(buffer.push(bytes("!"), false)), buffer.isCommitted]).toEqual([["four", "!"], true]);
});
