import { expect, it } from "vitest";
import { asksToThink, toReasoningEffort } from "./reasoning-effort.ts";

const reasoning = { effortLevels: ["none", "low", "medium", "high"], defaultEffort: "medium" };
const enabled = (budget: number) => ({ model: "m", thinking: { type: "enabled", budget_tokens: budget } });

it.each([
  ["a small budget", { ...enabled(1_024), max_tokens: 16_000 }, "low"],
  ["half of the output", { ...enabled(8_000), max_tokens: 16_000 }, "medium"],
  ["almost all of the output, as Claude Code asks for", { ...enabled(31_999), max_tokens: 32_000 }, "high"],
  ["adaptive thinking", { thinking: { type: "adaptive" } }, "medium"],
  ["an effort", { output_config: { effort: "low" } }, "low"],
  ["adaptive thinking with an effort", { thinking: { type: "adaptive" }, output_config: { effort: "max" } }, "high"],
  ["disabled thinking", { thinking: { type: "disabled" } }, "none"],
  ["no setting", {}, undefined],
  ["an unknown effort", { output_config: { effort: "extreme" } }, undefined],
])("maps %s to the nearest level of the model", (_title, request, level) => {
  expect(toReasoningEffort(request, reasoning)).toBe(level);
});

it("returns no level for a model that does not reason", () => {
  expect(toReasoningEffort({ thinking: { type: "adaptive" } }, undefined)).toBeUndefined();
});

it("maps disabled thinking to the lowest level of a model that always reasons", () => {
  const always = { effortLevels: ["high", "low"], defaultEffort: "high" };
  expect(toReasoningEffort({ thinking: { type: "disabled" } }, always)).toBe("low");
  expect(asksToThink({ thinking: { type: "disabled" } })).toBe(false);
  expect(asksToThink({ output_config: { effort: "low" } })).toBe(true);
});
