import { describe, expect, it } from "vitest";
import { messagesForm } from "../../upstream/messages-form.ts";
import { type ModelAnswer, someTokens, toolCall } from "../../upstream/model-answer.ts";
import { responsesForm } from "../../upstream/responses-form.ts";
import { eventText, type UpstreamEvent } from "../../upstream/upstream-event.ts";
import { checkMessagesOrder } from "./messages-order.ts";
import { checkResponsesOrder } from "./responses-order.ts";

const answer: ModelAnswer = {
  parts: [
    { type: "thinking", pieces: ["Let me ", "see."], signature: "c2ln" },
    { type: "text", pieces: ["I will ", "look."] },
    toolCall("call_1", "get_weather", { city: "Oslo" }),
    toolCall("call_2", "get_weather", { city: "Rome" }),
  ],
  end: "tools",
  tokens: someTokens,
};

const dialects = [
  // A stream of Messages does not repeat its texts, so that nothing shows a missing one. It may have several message_delta.
  { name: "Messages", form: messagesForm, check: checkMessagesOrder, free: /^(content_block_delta|message_delta)$/ },
  { name: "Responses", form: responsesForm, check: checkResponsesOrder, free: /^$/ },
];

const written = (events: readonly UpstreamEvent[]): string => events.map(eventText).join("");

describe.each(dialects)("the order of a $name stream", ({ form, check, free }) => {
  const events = form.events(answer, "claude");

  it("accepts what the reference describes, and reports how it ended", () => {
    expect(check(written(events))).toBe("complete");
    const failed = events.slice(0, 5);
    expect(check(written([...failed, form.errorEvent("It failed.", failed.length)]))).toBe("error");
  });

  const needed = events.flatMap(({ name }, at) =>
    name === "ping" || free.test(name ?? "") ? [] : [[name, at] as const],
  );

  it.each(needed)("refuses a stream without its %s at %i", (_name, at) => {
    expect(() => check(written(renumbered(events.filter((_event, index) => index !== at))))).toThrow();
  });

  it.each(needed)("refuses a stream whose %s at %i comes twice", (_name, at) => {
    const twice = events.flatMap((event, index) => (index === at ? [event, event] : [event]));
    expect(() => check(written(renumbered(twice)))).toThrow();
  });

  it("refuses a name that is not the type of the data", () => {
    expect(() => check(written(events.map((event) => ({ ...event, name: "message" }))))).toThrow("event line");
  });
});

/** Returns the events with consecutive numbers, so that only their order is wrong. */
function renumbered(events: readonly UpstreamEvent[]): UpstreamEvent[] {
  return events.map((event, sequence_number) => {
    const data = Object(event.data);
    return "sequence_number" in data ? { ...event, data: { ...data, sequence_number } } : event;
  });
}
