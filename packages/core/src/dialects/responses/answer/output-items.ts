import { isJsonObject, type JsonObject, tryParseJson } from "../../../wire/json.ts";
import { messageTexts } from "../../../wire/message-texts.ts";
import { clientTools, textOr } from "../request/client-tools.ts";

/** Whether an item is whole, or was cut off by a limit. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** A message of the model. */
export interface OutputMessage {
  readonly type: "message";
  readonly id: string;
  readonly role: "assistant";
  readonly status: ItemStatus;
  readonly content: (ReturnType<typeof outputText> | { readonly type: "refusal"; readonly refusal: string })[];
}

/** An item that a translated answer has: a message, reasoning that the model shows, or a call. */
export type OutputItem =
  | OutputMessage
  | {
      readonly type: "reasoning";
      readonly id: string;
      readonly summary: { readonly type: "summary_text"; readonly text: string }[];
    }
  | ReturnType<typeof callItem>;

/** The place of an item in the output of a response. */
interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

/**
 * An event about an item of a translated stream, without its number.
 * Follows https://platform.openai.com/docs/api-reference/responses-streaming
 */
export type ItemEvent =
  | {
      readonly type: "response.output_item.added" | "response.output_item.done";
      readonly output_index: number;
      readonly item: OutputItem;
    }
  | (Place & { readonly content_index: number } & (
        | {
            readonly type: "response.content_part.added" | "response.content_part.done";
            readonly part: OutputMessage["content"][number];
          }
        | { readonly type: "response.output_text.delta"; readonly delta: string; readonly logprobs: never[] }
        | { readonly type: "response.output_text.done"; readonly text: string; readonly logprobs: never[] }
        | { readonly type: "response.refusal.delta"; readonly delta: string }
        | { readonly type: "response.refusal.done"; readonly refusal: string }
      ))
  | (Place & { readonly summary_index: number } & (
        | {
            readonly type: "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done";
            readonly part: { readonly type: "summary_text"; readonly text: string };
          }
        | { readonly type: "response.reasoning_summary_text.delta"; readonly delta: string }
        | { readonly type: "response.reasoning_summary_text.done"; readonly text: string }
      ))
  | (Place &
      (
        | { readonly type: "response.function_call_arguments.delta"; readonly delta: string }
        | {
            readonly type: "response.function_call_arguments.done";
            readonly name: string;
            readonly arguments: string;
          }
        | { readonly type: "response.custom_tool_call_input.delta"; readonly delta: string }
        | { readonly type: "response.custom_tool_call_input.done"; readonly input: string }
      ));

/** Makes the ids of one response, from the id of its request. An item is numbered by its place in the output. */
export class ResponseIds {
  readonly #hex: string;

  constructor(requestId: string) {
    this.#hex = requestId.replaceAll("-", "");
  }

  get response(): string {
    return `resp_${this.#hex}`;
  }

  item(prefix: string, index: number): string {
    return `${prefix}_${this.#hex}${String(index).padStart(4, "0")}`;
  }
}

/** Makes a text part. */
export const outputText = (text: string) => ({
  type: "output_text" as const,
  text,
  annotations: [],
  logprobs: [],
});

/** Makes the item of a call. `otherTools` has the types of the tools that are no functions, by their names. */
export function callItem(
  ids: ResponseIds,
  index: number,
  call: { readonly id: string; readonly name: string; readonly arguments: string },
  otherTools: ReadonlyMap<string, string>,
  status: ItemStatus,
) {
  const { id: call_id, name } = call;
  const type = otherTools.get(name);
  if (type === undefined) {
    const id = ids.item("fc", index);
    return { type: "function_call" as const, id, call_id, name, arguments: call.arguments, status };
  }
  const parsed = tryParseJson(call.arguments);
  const args = isJsonObject(parsed) ? parsed : {};
  const tool = clientTools.get(type);
  if (tool !== undefined) return tool.itemOf(args, { id: ids.item(tool.prefix, index), call_id, status });
  // A custom tool gets the text that stands in the only argument of its function.
  const input = textOr(args["input"], call.arguments);
  return { type: "custom_tool_call" as const, id: ids.item("ctc", index), call_id, name, input, status };
}

/**
 * Translates the message of a chat completion to output items: reasoning, then the message, then its calls. `status` is
 * that of the last item; the others are complete.
 */
export function toOutputItems(
  message: JsonObject,
  ids: ResponseIds,
  otherTools: ReadonlyMap<string, string>,
  status: ItemStatus,
): OutputItem[] {
  const { reasoning, text, refusal } = messageTexts(message);
  const calls = readCalls(message["tool_calls"]);
  const items: OutputItem[] = [];
  if (reasoning !== "") {
    items.push({ type: "reasoning", id: ids.item("rs", 0), summary: [{ type: "summary_text", text: reasoning }] });
  }
  if (text !== "" || refusal !== "") {
    const content: OutputMessage["content"] = text === "" ? [] : [outputText(text)];
    if (refusal !== "") content.push({ type: "refusal", refusal });
    const id = ids.item("msg", items.length);
    items.push({ type: "message", id, role: "assistant", status: calls.length > 0 ? "completed" : status, content });
  }
  for (const [at, call] of calls.entries()) {
    items.push(callItem(ids, items.length, call, otherTools, at === calls.length - 1 ? status : "completed"));
  }
  return items;
}

function readCalls(calls: unknown) {
  return (Array.isArray(calls) ? calls : []).flatMap((call: unknown) => {
    const { id, function: called } = isJsonObject(call) ? call : {};
    if (typeof id !== "string" || !isJsonObject(called)) return [];
    return [{ id, name: textOr(called["name"], ""), arguments: textOr(called["arguments"], "") }];
  });
}
