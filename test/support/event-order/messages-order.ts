import { expectRule, objectIn, readEvents, type ServerSentEvent, textIn } from "./server-sent-events.ts";

/** How a stream ended: as a whole answer, or with an event that reports an error. */
export type StreamEnd = "complete" | "error";

/**
 * Checks the order and the content of a whole Messages stream, and returns how it ended. Throws for a stream that breaks a
 * rule or just stops. Follows https://platform.claude.com/docs/en/build-with-claude/streaming#event-types
 */
export function checkMessagesOrder(text: string): StreamEnd {
  const order = new MessagesOrder();
  for (const event of readEvents(text)) order.take(event);
  return order.end();
}

interface OpenBlock {
  readonly type: string;
  json: string;
}

type State = "new" | "blocks" | "delta" | StreamEnd;

const deltaTypes: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
  server_tool_use: ["input_json_delta"],
};

class MessagesOrder {
  #state: State = "new";
  #blocks = 0;
  #open: OpenBlock | undefined;
  #toolUses = 0;

  take(event: ServerSentEvent): void {
    const type = textIn(event.data, "type");
    expectRule(event.name === type, "The event line must have the type of the data", event);
    expectRule(this.#state !== "complete" && this.#state !== "error", "Nothing may follow the end", event);
    if (type === "ping") return;
    const step = this.#steps[type];
    if (step === undefined) throw new Error(`Messages has no event of the type ${type}.`);
    step(event);
  }

  end(): StreamEnd {
    if (this.#state === "complete" || this.#state === "error") return this.#state;
    throw new Error("The stream has neither a message_stop nor an error.");
  }

  readonly #steps: Readonly<Record<string, (event: ServerSentEvent) => void>> = {
    message_start: (event) => {
      const message = objectIn(event.data, "message");
      expectRule(this.#state === "new", "message_start must come first", event);
      expectRule(JSON.stringify(message["content"]) === "[]", "message_start must have no content", event);
      expectRule(message["stop_reason"] === null, "message_start must have no stop_reason", event);
      const usage = objectIn(message, "usage");
      expectRule(
        isCount(usage["input_tokens"]) && isCount(usage["output_tokens"]),
        "message_start needs a usage",
        event,
      );
      this.#state = "blocks";
    },
    content_block_start: (event) => {
      expectRule(this.#state === "blocks", "A block must come after message_start and before message_delta", event);
      expectRule(this.#open === undefined, "The block before must be stopped", event);
      expectRule(event.data["index"] === this.#blocks, `The index must be ${this.#blocks}`, event);
      const type = textIn(objectIn(event.data, "content_block"), "type");
      this.#open = { type, json: "" };
      if (type === "tool_use") this.#toolUses += 1;
    },
    content_block_delta: (event) => {
      const open = this.#openBlock(event);
      const delta = objectIn(event.data, "delta");
      const isOfBlock = deltaTypes[open.type]?.includes(textIn(delta, "type")) === true;
      expectRule(isOfBlock, `The delta must be one of ${open.type}`, event);
      if (delta["type"] === "input_json_delta") open.json += textIn(delta, "partial_json");
    },
    content_block_stop: (event) => {
      const { json } = this.#openBlock(event);
      if (json !== "") JSON.parse(json);
      this.#open = undefined;
      this.#blocks += 1;
    },
    message_delta: (event) => {
      expectRule(
        this.#state === "blocks" || this.#state === "delta",
        "message_delta must come after message_start",
        event,
      );
      expectRule(this.#open === undefined, "The last block must be stopped", event);
      const reason = textIn(objectIn(event.data, "delta"), "stop_reason");
      expectRule(
        (reason === "tool_use") === this.#toolUses > 0 || reason === "max_tokens",
        "stop_reason must fit",
        event,
      );
      expectRule(isCount(objectIn(event.data, "usage")["output_tokens"]), "message_delta needs a usage", event);
      this.#state = "delta";
    },
    message_stop: (event) => {
      expectRule(this.#state === "delta", "message_stop must come after message_delta", event);
      this.#state = "complete";
    },
    error: (event) => {
      const error = objectIn(event.data, "error");
      expectRule(
        textIn(error, "type") !== "" && textIn(error, "message").length > 1,
        "An error says what failed",
        event,
      );
      this.#state = "error";
    },
  };

  #openBlock(event: ServerSentEvent): OpenBlock {
    if (this.#open === undefined || event.data["index"] !== this.#blocks) {
      throw new Error(`This must belong to the open block: ${JSON.stringify(event)}`);
    }
    return this.#open;
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
