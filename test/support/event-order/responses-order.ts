import type { StreamEnd } from "./messages-order.ts";
import { OpenItem } from "./open-item.ts";
import { expectRule, objectIn, readEvents, type ServerSentEvent, textIn } from "./server-sent-events.ts";

/**
 * Checks the order and the content of a whole Responses stream, and returns how it ended. Throws for a stream that breaks a
 * rule or just stops. Follows https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function checkResponsesOrder(text: string): StreamEnd {
  const order = new ResponsesOrder();
  for (const event of readEvents(text)) order.take(event);
  return order.end();
}

const ends: Readonly<Record<string, StreamEnd>> = {
  "response.completed": "complete",
  "response.incomplete": "complete",
  "response.failed": "error",
};

class ResponsesOrder {
  #taken = 0;
  #id = "";
  #end: StreamEnd | undefined;
  readonly #items: OpenItem[] = [];

  take(event: ServerSentEvent): void {
    const type = textIn(event.data, "type");
    expectRule(event.name === type, "The event line must have the type of the data", event);
    expectRule(this.#end === undefined || type === "error", "Nothing may follow the end", event);
    expectRule(event.data["sequence_number"] === this.#taken, `The sequence_number must be ${this.#taken}`, event);
    this.#takeAt(this.#taken, type, event);
    this.#taken += 1;
  }

  end(): StreamEnd {
    if (this.#end === undefined) throw new Error("The stream has no event that ends a response.");
    return this.#end;
  }

  #takeAt(at: number, type: string, event: ServerSentEvent): void {
    if (type === "error") {
      this.#end = "error";
      expectRule(textIn(event.data, "message").length > 1, "An error says what failed", event);
      return;
    }
    if (at <= 1) this.#takeOpening(at, type, event);
    else if (ends[type] !== undefined) this.#takeEnd(type, event);
    else if (type === "response.output_item.added") this.#addItem(event);
    else this.#takeOfItem(type, event);
  }

  #takeOfItem(type: string, event: ServerSentEvent): void {
    expectRule(type !== "response.created" && type !== "response.in_progress", "Only the first two events open", event);
    const item = this.#items[Number(event.data["output_index"])];
    if (item === undefined) throw new Error(`The item of this event was not added: ${JSON.stringify(event)}`);
    item.take(type, event);
  }

  #takeOpening(at: number, type: string, event: ServerSentEvent): void {
    const expected = ["response.created", "response.in_progress"][at];
    expectRule(type === expected, `Event ${at} must be ${expected}`, event);
    const response = objectIn(event.data, "response");
    expectRule(response["status"] === "in_progress", "The response must be in progress", event);
    expectRule(JSON.stringify(response["output"]) === "[]", "The response must have no output yet", event);
    if (at === 0) this.#id = textIn(response, "id");
    expectRule(response["id"] === this.#id, "The id must stay the same", event);
  }

  #addItem(event: ServerSentEvent): void {
    expectRule(
      event.data["output_index"] === this.#items.length,
      `The output_index must be ${this.#items.length}`,
      event,
    );
    this.#items.push(new OpenItem(objectIn(event.data, "item")));
  }

  #takeEnd(type: string, event: ServerSentEvent): void {
    const response = objectIn(event.data, "response");
    expectRule(type === `response.${textIn(response, "status")}`, "The status must be that of the event", event);
    expectRule(response["id"] === this.#id, "The id must stay the same", event);
    this.#end = ends[type];
    if (this.#end === "error") {
      expectRule(textIn(objectIn(response, "error"), "message").length > 1, "A failure says why", event);
      return;
    }
    expectRule(Number.isSafeInteger(objectIn(response, "usage")["total_tokens"]), "The response needs a usage", event);
    const done = this.#items.map(({ done: item }) => item);
    expectRule(JSON.stringify(response["output"]) === JSON.stringify(done), "The output must be the items done", event);
  }
}
