import { afterEach, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { allEvents } from "../support/read-stream.ts";
import { scriptOf } from "../support/scripted-model.ts";
import { fails, named } from "./scripts.ts";

let tested: AssistantUnderTest;

afterEach(() => tested.close());

/** A model that calls find_order and then answers. */
const callsTriggerThenAnswers = () =>
  scriptOf((_, call) => (call === 1 ? { calls: [["find_order", { number: 7 }]] } : { content: "It is shipped." }));

it.each([true, false])(
  "every round of a turn fails over to the next target, and skips one whose breaker is open, stream %s",
  async (stream) => {
    const [first, second] = [
      named("first", fails("credentials", { status: 401 })),
      named("second", callsTriggerThenAnswers()),
    ];
    tested = await assistantUnderTest({
      gateway: {
        models: [
          {
            id: "plain",
            maxOutputTokens: 100,
            price: { input: "1000", output: "2000" },
            targets: [first, second].map((provider) => ({ provider, model: "up" })),
          },
        ],
      },
    });
    const response = await tested.say(await tested.session({ customer: "c-1" }), { stream });
    expect(response.status).toBe(200);
    const text = stream ? (await allEvents(response)).join("") : await response.text();
    expect(text).toContain("shipped");
    expect([first.calls.length, second.calls.length]).toEqual([1, 2]);
    const reported = tested.events.filter(({ type }) => type === "model.called" || type === "target.opened");
    expect(reported).toMatchObject([
      { type: "target.opened", provider: "first" },
      { type: "model.called", provider: "second", attempts: 2 },
      { type: "model.called", provider: "second", attempts: 1 },
    ]);
  },
);
