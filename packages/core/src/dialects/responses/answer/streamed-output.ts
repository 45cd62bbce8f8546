import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";
import { messageTexts } from "../../../wire/message-texts.ts";
import { OpenCall, OpenMessage, OpenReasoning } from "./open-items.ts";
import type { ItemEvent, ItemStatus, OutputItem, ResponseIds } from "./output-items.ts";

/**
 * The output of a stream so far: turns the deltas of one choice into events about items. Reasoning and messages end when
 * another item begins; calls stay open until the end, since their pieces may alternate.
 */
export class StreamedOutput {
  readonly #ids: ResponseIds;
  readonly #otherTools: ReadonlyMap<string, string>;
  readonly #items: OutputItem[] = [];
  readonly #calls = new Map<unknown, OpenCall>();
  #text: OpenReasoning | OpenMessage | undefined;
  #count = 0;

  constructor(ids: ResponseIds, otherTools: ReadonlyMap<string, string>) {
    this.#ids = ids;
    this.#otherTools = otherTools;
  }

  /** The items that have ended, in the order of the output. */
  get items(): OutputItem[] {
    return this.#items.filter((item) => item !== undefined);
  }

  /** Adds a delta of a chat completion. */
  add(delta: JsonObject): ItemEvent[] {
    const { reasoning, text, refusal } = messageTexts(delta);
    const events: ItemEvent[] = [];
    if (reasoning !== "") this.#addReasoning(reasoning, events);
    if (text !== "") this.#addText("text", text, events);
    if (refusal !== "") this.#addText("refusal", refusal, events);
    const pieces = delta["tool_calls"];
    for (const piece of Array.isArray(pieces) ? pieces : []) if (isJsonObject(piece)) this.#addCall(piece, events);
    return events;
  }

  /** Ends every open item. `status` is that of the last one; the others are complete. */
  close(status: ItemStatus): ItemEvent[] {
    const events: ItemEvent[] = [];
    const open = [...(this.#text === undefined ? [] : [this.#text]), ...this.#calls.values()];
    open.sort((a, b) => a.outputIndex - b.outputIndex);
    for (const item of open) this.#close(item, item.outputIndex === this.#count - 1 ? status : "completed", events);
    this.#text = undefined;
    this.#calls.clear();
    return events;
  }

  #addReasoning(delta: string, events: ItemEvent[]): void {
    if (!(this.#text instanceof OpenReasoning)) {
      this.#closeText(events);
      this.#text = new OpenReasoning(this.#ids, this.#count++);
      events.push(...this.#text.open());
    }
    events.push(this.#text.add(delta));
  }

  #addText(kind: "text" | "refusal", delta: string, events: ItemEvent[]): void {
    if (!(this.#text instanceof OpenMessage)) {
      this.#closeText(events);
      this.#text = new OpenMessage(this.#ids, this.#count++);
      events.push(...this.#text.open());
    }
    events.push(...this.#text.add(kind, delta));
  }

  #addCall(piece: JsonObject, events: ItemEvent[]): void {
    const called = isJsonObject(piece["function"]) ? piece["function"] : {};
    let call = this.#calls.get(piece["index"]);
    if (call === undefined) {
      // A piece of a call that has ended.
      if (!isText(piece["id"])) return;
      this.#closeText(events);
      const begun = { id: piece["id"], name: String(called["name"] ?? "") };
      call = new OpenCall(this.#ids, this.#count++, begun, this.#otherTools);
      this.#calls.set(piece["index"], call);
      events.push(...call.open());
    }
    const { arguments: delta } = called;
    if (typeof delta === "string" && delta !== "") events.push(...call.add(delta));
  }

  #closeText(events: ItemEvent[]): void {
    if (this.#text !== undefined) this.#close(this.#text, "completed", events);
    this.#text = undefined;
  }

  #close(open: OpenReasoning | OpenMessage | OpenCall, status: ItemStatus, events: ItemEvent[]): void {
    const closed = open.close(status);
    this.#items[open.outputIndex] = closed.item;
    events.push(...closed.events);
  }
}
