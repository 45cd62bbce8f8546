import { expect, it } from "vitest";
import { CountedOutput } from "./native-reader.ts";

/** The bytes that each event adds. A number is a delta that was counted without parsing. */
const countsOf = (events: readonly (object | number)[]) => {
  const counted = new CountedOutput(100);
  return events.map((event) => (typeof event === "number" ? counted.add(event) : counted.take({ ...event }).bytes));
};

const part = { type: "output_text", text: "hello", annotations: [] };
const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [part] };

it("counts what a stream repeats once", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "c", name: "pay" };
  expect(
    countsOf([
      { type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } },
      { type: "response.output_item.added", item: { ...message, status: "in_progress", content: [] } },
      { type: "response.content_part.added", item_id: "msg_1", part: { ...part, text: "" } },
      5,
      { type: "response.output_text.done", item_id: "msg_1", text: "hello" },
      { type: "response.content_part.done", item_id: "msg_1", part },
      { type: "response.output_item.done", item: message },
      { type: "response.output_item.added", item: { ...call, arguments: "" } },
      2,
      { type: "response.function_call_arguments.done", item_id: "fc_1", name: "pay", arguments: "{}" },
      { type: "response.output_item.done", item: { ...call, arguments: "{}" } },
      { response: { output: [message, { ...call, arguments: "{}" }] } },
    ]),
  ).toEqual([0, 0, 0, 5, 0, 0, 0, 3, 2, 0, 0, 0]);
});

it.each([
  [{ type: "response.output_text.done", text: "hello" }, 5],
  [{ type: "response.refusal.done", refusal: "No." }, 3],
  [{ type: "response.reasoning_summary_text.done", text: "Hm." }, 3],
  [{ type: "response.reasoning_summary_part.done", part: { type: "summary_text", text: "Hm." } }, 3],
  [{ type: "response.function_call_arguments.done", arguments: "{}" }, 2],
  [{ type: "response.custom_tool_call_input.done", input: "ls" }, 2],
  [{ type: "response.mcp_call_arguments.done", arguments: "{}" }, 2],
  [{ type: "response.code_interpreter_call_code.done", code: "1+1" }, 3],
  [{ type: "response.content_part.done", part }, 5],
  [{ type: "response.output_item.done", item: message }, 5],
  [{ type: "response.output_item.added", item: { type: "function_call", name: "f", arguments: "{}" } }, 3],
  [{ type: "response.audio.delta", delta: "UklG" }, 4],
  [{ type: "response.image_generation_call.partial_image", partial_image_b64: "AAAA" }, 400],
  [{ type: "response.output_item.done", item: { type: "image_generation_call", result: "AAAA" } }, 400],
  [{ response: { output: [message] } }, 5],
])("counts output that stands only in %j", (event, bytes) => {
  expect(countsOf([event])).toEqual([bytes]);
});

it("counts what a done event has beyond its pieces", () => {
  expect(countsOf([2, { type: "response.output_text.done", text: "hello" }])).toEqual([2, 3]);
});

it.each([
  { type: "response.web_search_call.searching", item_id: "ws_1", output_index: 0, sequence_number: 3 },
  { type: "response.in_progress", response: { id: "resp_1", model: "m" } },
  { type: "response.image_generation_call.in_progress", item_id: "ig_1" },
  { type: "response.output_text.annotation.added", annotation: { type: "url_citation", url: "https://a.test" } },
  {},
])("counts nothing in %j", (event) => {
  expect(countsOf([event])).toEqual([0]);
});
