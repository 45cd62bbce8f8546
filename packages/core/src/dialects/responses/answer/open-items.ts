import {
  callItem,
  type ItemEvent,
  type ItemStatus,
  type OutputItem,
  type OutputMessage,
  outputText,
  type ResponseIds,
} from "./output-items.ts";

/** Reasoning that is being streamed. */
export class OpenReasoning {
  readonly outputIndex: number;
  readonly #id: string;
  #text = "";

  constructor(ids: ResponseIds, outputIndex: number) {
    this.outputIndex = outputIndex;
    this.#id = ids.item("rs", outputIndex);
  }

  open(): ItemEvent[] {
    const item: OutputItem = { type: "reasoning", id: this.#id, summary: [] };
    const part = { type: "summary_text", text: "" } as const;
    return [
      { type: "response.output_item.added", output_index: this.outputIndex, item },
      { type: "response.reasoning_summary_part.added", ...this.#place, part },
    ];
  }

  add(delta: string): ItemEvent {
    this.#text += delta;
    return { type: "response.reasoning_summary_text.delta", ...this.#place, delta };
  }

  /** Ends the item. Returns the events for that, and the item as it is in the response. */
  close() {
    const part = { type: "summary_text", text: this.#text } as const;
    const item: OutputItem = { type: "reasoning", id: this.#id, summary: [part] };
    const events: ItemEvent[] = [
      { type: "response.reasoning_summary_text.done", ...this.#place, text: this.#text },
      { type: "response.reasoning_summary_part.done", ...this.#place, part },
      { type: "response.output_item.done", output_index: this.outputIndex, item },
    ];
    return { events, item };
  }

  get #place() {
    return { item_id: this.#id, output_index: this.outputIndex, summary_index: 0 };
  }
}

/** A message that is being streamed. Its last part is open. */
export class OpenMessage {
  readonly outputIndex: number;
  readonly #id: string;
  readonly #closed: OutputMessage["content"] = [];
  #kind: "text" | "refusal" | undefined;
  #text = "";

  constructor(ids: ResponseIds, outputIndex: number) {
    this.outputIndex = outputIndex;
    this.#id = ids.item("msg", outputIndex);
  }

  open(): ItemEvent[] {
    const item = this.#item("in_progress", []);
    return [{ type: "response.output_item.added", output_index: this.outputIndex, item }];
  }

  add(kind: "text" | "refusal", delta: string): ItemEvent[] {
    const events: ItemEvent[] = [];
    if (this.#kind !== kind) {
      events.push(...this.#closePart());
      this.#kind = kind;
      this.#text = "";
      events.push({ type: "response.content_part.added", ...this.#place, part: partOf(kind, "") });
    }
    this.#text += delta;
    events.push(
      kind === "text"
        ? { type: "response.output_text.delta", ...this.#place, delta, logprobs: [] }
        : { type: "response.refusal.delta", ...this.#place, delta },
    );
    return events;
  }

  close(status: ItemStatus) {
    const events = this.#closePart();
    const item = this.#item(status, this.#closed);
    events.push({ type: "response.output_item.done", output_index: this.outputIndex, item });
    return { events, item };
  }

  #closePart(): ItemEvent[] {
    const kind = this.#kind;
    if (kind === undefined) return [];
    const text = this.#text;
    const part = partOf(kind, text);
    const place = this.#place;
    this.#closed.push(part);
    this.#kind = undefined;
    return [
      kind === "text"
        ? { type: "response.output_text.done", ...place, text, logprobs: [] }
        : { type: "response.refusal.done", ...place, refusal: text },
      { type: "response.content_part.done", ...place, part },
    ];
  }

  #item(status: ItemStatus, content: OutputMessage["content"]): OutputMessage {
    return { type: "message", id: this.#id, role: "assistant", status, content };
  }

  get #place() {
    return { item_id: this.#id, output_index: this.outputIndex, content_index: this.#closed.length };
  }
}

const partOf = (kind: "text" | "refusal", text: string) =>
  kind === "text" ? outputText(text) : ({ type: "refusal", refusal: text } as const);

/** A call of a tool that is being streamed. What is not the text of arguments is known only at its end. */
export class OpenCall {
  readonly outputIndex: number;
  readonly #ids: ResponseIds;
  readonly #otherTools: ReadonlyMap<string, string>;
  readonly #callId: string;
  readonly #name: string;
  readonly #place: { readonly item_id: string; readonly output_index: number };
  #arguments = "";

  constructor(
    ids: ResponseIds,
    outputIndex: number,
    call: { readonly id: string; readonly name: string },
    otherTools: ReadonlyMap<string, string>,
  ) {
    this.outputIndex = outputIndex;
    this.#ids = ids;
    this.#callId = call.id;
    this.#name = call.name;
    this.#otherTools = otherTools;
    this.#place = { item_id: this.#item("in_progress").id, output_index: outputIndex };
  }

  open(): ItemEvent[] {
    const item = this.#item("in_progress");
    return [{ type: "response.output_item.added", output_index: this.outputIndex, item }];
  }

  add(delta: string): ItemEvent[] {
    this.#arguments += delta;
    if (this.#otherTools.has(this.#name)) return [];
    return [{ type: "response.function_call_arguments.delta", ...this.#place, delta }];
  }

  close(status: ItemStatus) {
    const item = this.#item(status);
    const events: ItemEvent[] = [];
    if (item.type === "function_call") {
      const { name, arguments: whole } = item;
      events.push({ type: "response.function_call_arguments.done", ...this.#place, name, arguments: whole });
    } else if (item.type === "custom_tool_call") {
      events.push(
        { type: "response.custom_tool_call_input.delta", ...this.#place, delta: item.input },
        { type: "response.custom_tool_call_input.done", ...this.#place, input: item.input },
      );
    }
    events.push({ type: "response.output_item.done", output_index: this.outputIndex, item });
    return { events, item };
  }

  #item(status: ItemStatus) {
    const call = { id: this.#callId, name: this.#name, arguments: this.#arguments };
    return callItem(this.#ids, this.outputIndex, call, this.#otherTools, status);
  }
}
