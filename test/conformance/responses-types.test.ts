import type OpenAI from "openai";
import { expectTypeOf, it } from "vitest";
import type { ItemEvent } from "../../packages/core/src/dialects/responses/answer/output-items.ts";
import type { ResponseObject } from "../../packages/core/src/dialects/responses/answer/response-object.ts";
import type { ResponseEvent } from "../../packages/core/src/dialects/responses/answer/stream-encoder.ts";

type Numbered<Event> = Event extends unknown ? Event & { readonly sequence_number: number } : never;
type EventTypes = OpenAI.Responses.ResponseStreamEvent["type"];

/** Members that repeat the request as the client sent it, one that the client adds, and one that is null until the end. */
type Repeated = "tools" | "tool_choice" | "text" | "reasoning" | "metadata" | "truncation" | "output_text" | "usage";

it("has the events of the `openai` package", () => {
  expectTypeOf<Numbered<ItemEvent>>().toExtend<OpenAI.Responses.ResponseStreamEvent>();
  expectTypeOf<ResponseEvent["type"]>().toExtend<EventTypes>();
});

it("has the members of a response of the `openai` package", () => {
  expectTypeOf<Omit<ResponseObject, Repeated>>().toExtend<Omit<OpenAI.Responses.Response, Repeated>>();
  expectTypeOf<NonNullable<ResponseObject["usage"]>>().toExtend<OpenAI.Responses.ResponseUsage>();
  expectTypeOf<keyof OpenAI.Responses.Response>().extract<Repeated>().toExtend<keyof ResponseObject | "output_text">();
});
