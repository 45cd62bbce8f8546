import { expect, it } from "vitest";
import { withoutNulls } from "./absent-members.ts";

it("takes away what is null and optional, and leaves every other message as it is", () => {
  const asked = { role: "user", content: "Hello", name: "Ann" } as const;
  const called = { role: "assistant", content: null, refusal: null, name: null, tool_call_id: null } as const;
  const answered = { role: "tool", content: "12", tool_calls: null, tool_call_id: "call_1" } as const;
  const kept = withoutNulls([asked, called, answered]);
  expect(kept).toEqual([
    asked,
    { role: "assistant", content: null, refusal: null },
    { role: "tool", content: "12", tool_call_id: "call_1" },
  ]);
  expect(kept?.[0]).toBe(asked);
  expect(Object.keys(kept?.[1] ?? {})).toEqual(["role", "content", "refusal"]);
  expect(withoutNulls([asked])).toBeUndefined();
});
