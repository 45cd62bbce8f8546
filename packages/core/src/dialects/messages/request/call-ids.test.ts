import { expect, it } from "vitest";
import { toChatCallId, toMessagesCallId } from "./call-ids.ts";

it.each([
  "call_abc-123",
  "toolu_01A09q90qw90lq917835lq9",
  "functions.get_weather:0",
  "ünï/+=",
  "",
  "x".repeat(65),
  "toolu_b64_Zg",
])("returns the id %j of an upstream after an id that Anthropic accepts", (id) => {
  expect(toMessagesCallId(id)).toMatch(/^[\w-]+$/);
  expect(toChatCallId(toMessagesCallId(id))).toBe(id);
});

it("keeps an id that is already accepted, and one that it has not made", () => {
  expect(toMessagesCallId("call_1")).toBe("call_1");
  expect(toChatCallId("toolu_b64_!")).toBe("toolu_b64_!");
});
