import { expectRule, objectIn, type ServerSentEvent, textIn } from "./server-sent-events.ts";

type Json = Readonly<Record<string, unknown>>;

/** What the events of a text are called in the parts of an item, and which member has the whole text. */
const texts: Readonly<Record<string, string>> = {
  "response.output_text": "text",
  "response.refusal": "refusal",
  "response.reasoning_summary_text": "text",
  "response.reasoning_text": "text",
  "response.function_call_arguments": "arguments",
  "response.custom_tool_call_input": "input",
};
const partAdded = /^response\.(content_part|reasoning_summary_part)\.added$/;
const partDone = /^response\.(content_part|reasoning_summary_part)\.done$/;

/** One output item of a Responses stream, from `added` to `done`. */
export class OpenItem {
  readonly #id: string;
  readonly #type: string;
  #parts = 0;
  #partIsOpen = false;
  #text = "";
  #textIsDone = false;
  #done: Json | undefined;

  constructor(item: Json) {
    this.#id = textIn(item, "id");
    this.#type = textIn(item, "type");
  }

  /** The whole item. Undefined until it is done. */
  get done(): Json | undefined {
    return this.#done;
  }

  /** Takes the next event of this item. Throws if it breaks a rule. */
  take(type: string, event: ServerSentEvent): void {
    expectRule(this.#done === undefined, "The item was already done", event);
    if (type === "response.output_item.done") {
      this.#finish(event);
      return;
    }
    expectRule(event.data["item_id"] === this.#id, `The item_id must be ${this.#id}`, event);
    if (partAdded.test(type)) this.#addPart(event);
    else if (partDone.test(type)) this.#finishPart(event);
    else this.#takeText(type, event);
  }

  #takeText(type: string, event: ServerSentEvent): void {
    const [, base = "", step] = /^(.*)\.(delta|done)$/.exec(type) ?? [];
    const member = texts[base];
    if (member === undefined) throw new Error(`A stream of text, tools and reasoning has no event ${type}.`);
    const isCall = member === "arguments" || member === "input";
    expectRule(isCall || this.#partIsOpen, "A part must be open", event);
    expectRule(!this.#textIsDone, "The text was already done", event);
    if (step === "delta") this.#text += textIn(event.data, "delta");
    else this.#finishText(textIn(event.data, member), event);
  }

  #addPart(event: ServerSentEvent): void {
    expectRule(!this.#partIsOpen, "The part before must be done", event);
    const index = event.data["content_index"] ?? event.data["summary_index"];
    expectRule(index === this.#parts, `The index of the part must be ${this.#parts}`, event);
    this.#partIsOpen = true;
    this.#textIsDone = false;
    this.#text = "";
  }

  #finishPart(event: ServerSentEvent): void {
    expectRule(this.#partIsOpen && this.#textIsDone, "The text of the part must be done", event);
    const part = objectIn(event.data, "part");
    expectRule((part["text"] ?? part["refusal"]) === this.#text, "The part must have the whole text", event);
    this.#partIsOpen = false;
    this.#parts += 1;
  }

  #finishText(text: string, event: ServerSentEvent): void {
    expectRule(text === this.#text, "The whole text must be the deltas together", event);
    this.#textIsDone = true;
  }

  #finish(event: ServerSentEvent): void {
    const item = objectIn(event.data, "item");
    expectRule(item["id"] === this.#id && item["type"] === this.#type, "The item must keep its id and type", event);
    expectRule(!this.#partIsOpen, "The last part must be done", event);
    const call = item["arguments"] ?? item["input"];
    expectRule(call === undefined || (call === this.#text && this.#textIsDone), "The call must be the deltas", event);
    const parts = item["content"] ?? item["summary"];
    expectRule(!Array.isArray(parts) || parts.length === this.#parts, "The item must have every part", event);
    this.#done = item;
  }
}
