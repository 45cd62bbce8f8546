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

const complete = (markers: readonly string[]): SessionContents => ({
  messages: markers.flatMap(turn),
  images: markers.map(imageOf),
  loggedPaths: new Set(markers.map(notePath)),
});

const attempt = (marker: string, outcome?: TurnAnswer["outcome"], unexpected?: string) => ({
  call: { session: "s", marker },
  begunAt: 0,
  ...(outcome && { answer: { outcome, ...(unexpected !== undefined && { unexpected }) } }),
});

const completed = [attempt("a", "completed"), attempt("b", "completed")];

const kindsOf = (contents: SessionContents, attempts = completed) =>
  checkSession(contents, attempts).map(({ kind }) => kind);

describe("the check of a session", () => {
  it("reports nothing for complete turns whose clients got an answer", () => {
    expect(kindsOf(complete(["a", "b"]))).toEqual([]);
  });

  it("accepts a turn without a recorded answer, whether or not it is there", () => {
    const attempts = [attempt("a", "completed"), attempt("b", "failed"), attempt("c")];
    for (const markers of [["a"], ["a", "b"], ["a", "c", "b"]])
      expect(kindsOf(complete(markers), attempts)).toEqual([]);
  });

  it.each([
    ["half", { ...complete(["a", "b"]), messages: complete(["a", "b"]).messages.slice(0, -1) }],
    ["half", { ...complete(["a", "b"]), messages: complete(["a", "b"]).messages.slice(1) }],
    ["lost", complete(["a"])],
    ["double", complete(["a", "b", "b"])],
    ["ghost", complete(["a", "b", "c"])],
    ["overlap", { ...complete(["a", "b"]), messages: [...turn("a", 0), ...turn("b", 0)] }],
    ["images", { ...complete(["a", "b"]), images: [imageOf("b")] }],
    ["images", { ...complete(["a", "b"]), images: [imageOf("b"), imageOf("a")] }],
    ["unlogged", { ...complete(["a", "b"]), loggedPaths: new Set([notePath("a")]) }],
  ])("reports %s", (kind, contents) => {
    expect(kindsOf(contents)).toContain(kind);
  });

  it("reports a refused turn that is there, and an unexpected answer", () => {
    expect(kindsOf(complete(["a"]), [attempt("a", "refused")])).toEqual(["ghost"]);
    expect(kindsOf(complete([]), [attempt("a", "failed", "500 Oops")])).toEqual(["unexpected"]);
  });
});
