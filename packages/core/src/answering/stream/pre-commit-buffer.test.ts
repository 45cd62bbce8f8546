import { expect, it } from "vitest";
import { PreCommitBuffer } from "./pre-commit-buffer.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (shown: readonly Uint8Array[] | undefined) => shown?.map((each) => new TextDecoder().decode(each));

it("keeps back what comes before the first content, and gives it out with that, in order", () => {
  const early = new PreCommitBuffer(100);
  expect([early.pass(bytes("role"), false), early.pass(undefined, false), early.shown]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect(texts(early.pass(bytes("content"), true))).toEqual(["role", "content"]);
  expect([early.shown, texts(early.pass(bytes("more"), true)), early.pass(undefined, true)]).toEqual([
    true,
    ["more"],
    undefined,
  ]);
});

it("forgets what it kept of an attempt that failed", () => {
  const early = new PreCommitBuffer(100);
  early.pass(bytes("role of the first"), false);
  early.drop();
  expect(texts(early.pass(bytes("content of the second"), true))).toEqual(["content of the second"]);
});

it("keeps back no more than its limit, and counts anew for each attempt", () => {
  const early = new PreCommitBuffer(4);
  expect(early.pass(bytes("four"), false)).toBeUndefined();
  early.drop();
  expect(early.pass(bytes("four"), false)).toBeUndefined();
  expect([texts(early.pass(bytes("!"), false)), early.shown]).toEqual([["four", "!"], true]);
});
