import { isJsonObject, type JsonObject, tryParseJson } from "../../../wire/json.ts";
import { messageTexts } from "../../../wire/message-texts.ts";
import { type ClientCall, clientTools } from "../request/client-tools.ts";
import { customInput } from "../request/to-chat-tools.ts";

/** Whether an item is whole, or was cut off by a limit. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** A text of the model. */
export interface OutputText {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: never[];
  readonly logprobs: never[];
}

/** A refusal of the model. */
export interface OutputRefusal {
  readonly type: "refusal";
  readonly refusal: string;
}

/** A message of the model. */
export interface OutputMessage {
  readonly type: "message";
  readonly id: string;
  readonly role: "assistant";
  readonly status: ItemStatus;
  readonly content: (OutputText | OutputRefusal)[];
}

/** Reasoning of the model that it shows. */
export interface OutputReasoning {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: { readonly type: "summary_text"; readonly text: string }[];
}

/** A call of a function. */
export interface OutputFunctionCall {
  readonly type: "function_call";
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly status: ItemStatus;
}

/** A call of a custom tool. */
export interface OutputCustomCall {
  readonly type: "custom_tool_call";
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
  readonly status: ItemStatus;
}

/** An item of a call. */
export type OutputCall = OutputFunctionCall | OutputCustomCall | ClientCall;

/** An item that a translated answer has. */
export type OutputItem = OutputMessage | OutputReasoning | OutputCall;

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
export const outputText = (text: string): OutputText => ({ type: "output_text", text, annotations: [], logprobs: [] });

/** A call of a tool in a chat message. */
export interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Makes the item of a call. `otherTools` has the types of the tools that are no functions, by their names. */
export function callItem(
  ids: ResponseIds,
  index: number,
  call: CalledTool,
  otherTools: ReadonlyMap<string, string>,
  status: ItemStatus,
): OutputCall {
  const { id: call_id, name } = call;
  const type = otherTools.get(name);
  if (type === undefined) {
    return { type: "function_call", id: ids.item("fc", index), call_id, name, arguments: call.arguments, status };
  }
  const tool = clientTools.get(type);
  if (tool !== undefined) {
    const args = tryParseJson(call.arguments);
    return tool.itemOf(isJsonObject(args) ? args : {}, { id: ids.item(tool.prefix, index), call_id, status });
  }
  const input = customInput(call.arguments);
  return { type: "custom_tool_call", id: ids.item("ctc", index), call_id, name, input, status };
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

function readCalls(calls: unknown): CalledTool[] {
  return (Array.isArray(calls) ? calls : []).flatMap((call): CalledTool[] => {
    const { id, function: called } = isJsonObject(call) ? call : {};
    if (typeof id !== "string" || !isJsonObject(called)) return [];
    return [{ id, name: textOr(called["name"], ""), arguments: textOr(called["arguments"], "") }];
  });
}

const textOr = (value: unknown, other: string): string => (typeof value === "string" ? value : other);
