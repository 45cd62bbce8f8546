import { describe, expect, it } from "vitest";
import type { ChatMessage } from "./chat-completion-request.ts";
import { resultsAfterCalls } from "./results-after-calls.ts";

const calling = (...ids: string[]): ChatMessage => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
});
const result = (id: string, content = id): ChatMessage => ({ role: "tool", tool_call_id: id, content });
const system: ChatMessage = { role: "system", content: "Be brief." };
const developer: ChatMessage = { role: "developer", content: "Be polite." };
const user: ChatMessage = { role: "user", content: "Well?" };
const answer: ChatMessage = { role: "assistant", content: "Fine." };
const none = (id: string) => result(id, "The call has no result.");

describe("resultsAfterCalls", () => {
  it("returns messages without calls as they are", () => {
    const messages = [system, user, answer];
    expect(resultsAfterCalls(messages)).toBe(messages);
  });

  it.each<[string, ChatMessage[], ChatMessage[]]>([
    [
      "nothing if they are in order",
      [user, calling("a"), result("a"), answer],
      [user, calling("a"), result("a"), answer],
    ],
    ["a system message", [calling("a"), system, result("a"), user], [calling("a"), result("a"), system, user]],
    [
      "several messages between results of parallel calls",
      [calling("a", "b"), developer, result("b"), user, result("a"), answer],
      [calling("a", "b"), result("b"), result("a"), developer, user, answer],
    ],
    [
      "calls in messages of their own",
      [calling("a"), calling("b"), result("a"), result("b")],
      [calling("a"), result("a"), calling("b"), result("b")],
    ],
    [
      "a call without a result",
      [calling("a", "b"), result("b"), user],
      [calling("a", "b"), result("b"), none("a"), user],
    ],
    ["nothing after a call at the end", [user, calling("a")], [user, calling("a")]],
    ["no result without a call", [user, result("x"), answer], [user, result("x"), answer]],
    [
      "an id that is used again",
      [calling("a"), result("a", "1"), user, calling("a"), system, result("a", "2")],
      [calling("a"), result("a", "1"), user, calling("a"), result("a", "2"), system],
    ],
  ])("moves %s", (_name, given, expected) => {
    expect(resultsAfterCalls(given)).toEqual(expected);
  });
});
