import type { ChatMessage } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { checkSession } from "./check-sessions.ts";
import type { SessionContents } from "./session-contents.ts";
import { finalWords, imageOf, notePath, type TurnAnswer } from "./turn-attempt.ts";

const turn = (marker: string, at: number): ChatMessage[] => [
  { role: "user", content: marker },
  { role: "assistant", content: null, tool_calls: [] },
  { role: "tool", tool_call_id: "call_1", content: "{}" },
  { role: "assistant", content: finalWords(marker, at) },
];

const whole = (markers: readonly string[]): SessionContents => ({
  messages: markers.flatMap(turn),
  images: markers.map(imageOf),
  loggedPaths: new Set(markers.map(notePath)),
});

const attempt = (marker: string, outcome?: TurnAnswer["outcome"], strange?: string) => ({
  call: { session: "s", marker },
  begunAt: 0,
  ...(outcome && { answer: { outcome, ...(strange !== undefined && { strange }) } }),
});

const kept = [attempt("a", "kept"), attempt("b", "kept")];

const kindsOf = (contents: SessionContents, attempts = kept) =>
  checkSession(contents, attempts).map(({ kind }) => kind);

describe("the check of a session", () => {
  it("finds nothing in whole turns of which every client was told", () => {
    expect(kindsOf(whole(["a", "b"]))).toEqual([]);
  });

  it("allows a turn whose client was told nothing to be there or not", () => {
    const attempts = [attempt("a", "kept"), attempt("b", "failed"), attempt("c")];
    for (const markers of [["a"], ["a", "b"], ["a", "c", "b"]]) expect(kindsOf(whole(markers), attempts)).toEqual([]);
  });

  it.each([
    ["half", { ...whole(["a", "b"]), messages: whole(["a", "b"]).messages.slice(0, -1) }],
    ["half", { ...whole(["a", "b"]), messages: whole(["a", "b"]).messages.slice(1) }],
    ["lost", whole(["a"])],
    ["double", whole(["a", "b", "b"])],
    ["ghost", whole(["a", "b", "c"])],
    ["overlap", { ...whole(["a", "b"]), messages: [...turn("a", 0), ...turn("b", 0)] }],
    ["images", { ...whole(["a", "b"]), images: [imageOf("b")] }],
    ["images", { ...whole(["a", "b"]), images: [imageOf("b"), imageOf("a")] }],
    ["unlogged", { ...whole(["a", "b"]), loggedPaths: new Set([notePath("a")]) }],
  ])("finds what is %s", (kind, contents) => {
    expect(kindsOf(contents)).toContain(kind);
  });

  it("finds a turn that was refused and is there, and an answer that nothing explains", () => {
    expect(kindsOf(whole(["a"]), [attempt("a", "refused")])).toEqual(["ghost"]);
    expect(kindsOf(whole([]), [attempt("a", "failed", "500 Oops")])).toEqual(["strange"]);
  });
});
