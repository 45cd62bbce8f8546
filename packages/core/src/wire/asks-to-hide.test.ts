import { expect, it } from "vitest";
import { asksToHideReasoning } from "./asks-to-hide.ts";

it.each([
  { include_reasoning: false },
  { reasoning: { exclude: true } },
  { reasoning: { enabled: false } },
  { reasoning_format: "hidden" },
  { thinking: { type: "adaptive", display: "omitted" } },
  { thinking_config: { include_thoughts: false } },
  { thinking_config: { includeThoughts: false } },
  { include: ["reasoning.encrypted_content"] },
  { use_encrypted_content: true },
])("hides reasoning: %j", (settings) => {
  expect(asksToHideReasoning(settings)).toBe(true);
});

it.each([
  {},
  { include_reasoning: true },
  { include_reasoning: null },
  { reasoning: { exclude: false, effort: "high" } },
  { reasoning: "exclude" },
  { reasoning_format: "parsed" },
  { thinking: { type: "enabled", budget_tokens: 2_000, display: "summarized" } },
  { include: ["message.output_text.logprobs"] },
])("shows it: %j", (settings) => {
  expect(asksToHideReasoning(settings)).toBe(false);
});
