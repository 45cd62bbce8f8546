import { expect, expectTypeOf, it } from "vitest";
import { orderAssistant } from "../../test-support/order-assistant.ts";
import type { AssistantConfig, TriggerConfig } from "../definition/assistant-config.ts";
import { defineAssistant } from "./define-assistant.ts";

it("returns its argument, with the names of the triggers in its type", () => {
  expect(orderAssistant.triggers?.map(({ name }) => name)).toEqual(["look_up_order", "create_order"]);
  expectTypeOf(orderAssistant).toEqualTypeOf<AssistantConfig<"look_up_order" | "create_order">>();
  expectTypeOf(orderAssistant).toExtend<AssistantConfig>();
});

it("accepts an assistant without triggers", () => {
  const config = { id: "a", companyId: "c", model: "m" } as const;
  expect(defineAssistant(config)).toBe(config);
});

it("does not compile with a misspelt member", () => {
  const parameters = {};
  const webhook = { type: "WEBHOOK", url: "https://shop.example/", method: "GET" } as const;
  // @ts-expect-error -- the member is named `instructions`.
  defineAssistant({ id: "a", companyId: "c", model: "m", instruction: "" });
  // @ts-expect-error -- the member is named `interpretResponse`.
  defineAssistant({ id: "a", companyId: "c", model: "m", triggers: [{ name: "t", parameters, webhook, show: true }] });
  expectTypeOf<TriggerConfig["name"]>().toEqualTypeOf<string>();
});
