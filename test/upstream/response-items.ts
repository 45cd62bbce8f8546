import type OpenAI from "openai";
import { type AnswerPart, textOf } from "./model-answer.ts";

type Item = OpenAI.Responses.ResponseOutputItem;
/** An event without its number, which the stream adds. */
type Unnumbered<Event> = Event extends unknown ? Omit<Event, "sequence_number"> : never;
type ItemEvent = Unnumbered<OpenAI.Responses.ResponseStreamEvent>;

/** Returns the output item of a part. `redacted thinking` is reasoning without a summary. */
export function itemOf(part: AnswerPart, index: number): Item {
  const id = idOf(part, index);
  if (part.type === "redacted thinking") {
    return { type: "reasoning", id, summary: [], encrypted_content: part.data };
  }
  const text = textOf(part);
  if (part.type === "thinking") {
    return { type: "reasoning", id, summary: [{ type: "summary_text", text }], encrypted_content: part.signature };
  }
  if (part.type === "tool") {
    return { type: "function_call", id, call_id: part.id, name: part.name, arguments: text, status: "completed" };
  }
  const content = part.type === "text" ? outputText(text) : { type: "refusal" as const, refusal: text };
  return { type: "message", id, role: "assistant", status: "completed", content: [content] };
}

const prefixes = { text: "msg", refusal: "msg", thinking: "rs", "redacted thinking": "rs", tool: "fc" } as const;
const idOf = ({ type }: AnswerPart, index: number): string => `${prefixes[type]}_upstream_0${index}`;
const outputText = (text: string) => ({ type: "output_text" as const, text, annotations: [], logprobs: [] });

/** Returns the events of one output item, from `added` to `done`. */
export function itemEvents(part: AnswerPart, output_index: number): ItemEvent[] {
  return [
    { type: "response.output_item.added", output_index, item: openedItem(part, output_index) },
    ...deltaEvents(part, { item_id: idOf(part, output_index), output_index }),
    { type: "response.output_item.done", output_index, item: itemOf(part, output_index) },
  ];
}

function openedItem(part: AnswerPart, index: number): Item {
  const item = itemOf(part, index);
  if (item.type === "function_call") return { ...item, arguments: "", status: "in_progress" };
  if (item.type === "message") return { ...item, content: [], status: "in_progress" };
  return item.type === "reasoning" ? { ...item, summary: [] } : item;
}

interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

function deltaEvents(part: AnswerPart, place: Place): ItemEvent[] {
  if (part.type === "redacted thinking") return [];
  if (part.type === "tool") return argumentEvents(part, place);
  return part.type === "thinking" ? summaryEvents(part.pieces, place) : contentEvents(part.type, part.pieces, place);
}

function argumentEvents(part: Extract<AnswerPart, { readonly type: "tool" }>, place: Place): ItemEvent[] {
  const { name, pieces } = part;
  return [
    ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta" as const, ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, name, arguments: textOf(part) },
  ];
}

function summaryEvents(pieces: readonly string[], item: Place): ItemEvent[] {
  const place = { ...item, summary_index: 0 };
  const text = pieces.join("");
  const part = (text: string) => ({ type: "summary_text" as const, text });
  return [
    { type: "response.reasoning_summary_part.added", ...place, part: part("") },
    ...pieces.map((delta) => ({ type: "response.reasoning_summary_text.delta" as const, ...place, delta })),
    { type: "response.reasoning_summary_text.done", ...place, text },
    { type: "response.reasoning_summary_part.done", ...place, part: part(text) },
  ];
}

function contentEvents(type: "text" | "refusal", pieces: readonly string[], item: Place): ItemEvent[] {
  const place = { ...item, content_index: 0 };
  const text = pieces.join("");
  if (type === "refusal") {
    return [
      { type: "response.content_part.added", ...place, part: { type: "refusal", refusal: "" } },
      ...pieces.map((delta) => ({ type: "response.refusal.delta" as const, ...place, delta })),
      { type: "response.refusal.done", ...place, refusal: text },
      { type: "response.content_part.done", ...place, part: { type: "refusal", refusal: text } },
    ];
  }
  return [
    { type: "response.content_part.added", ...place, part: outputText("") },
    ...pieces.map((delta) => ({ type: "response.output_text.delta" as const, ...place, delta, logprobs: [] })),
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part: outputText(text) },
  ];
}
