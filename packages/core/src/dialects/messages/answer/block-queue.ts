import { type JsonObject, tryParseJson } from "../../../wire/json.ts";

/** An event of a stream. */
export type StreamEvent = JsonObject & { readonly type: string };

interface OpenBlock {
  readonly kind: "text" | "thinking" | "tool_use";
  /** The index of its tool call; -1 for other blocks. */
  readonly call: number;
  readonly id: string;
  name: string;
  /** Text that waits until the blocks before it are closed. */
  unsent: string;
  /** All text of a tool call. */
  whole: string;
  hasStarted: boolean;
}

/**
 * Turns the pieces of an answer into blocks that start and stop one after another, as clients of the Messages API expect.
 * Pieces of calls that interleave wait until the arguments of the call before them are whole.
 */
export class BlockQueue {
  /** The first one is open; the others wait. */
  readonly #blocks: OpenBlock[] = [];
  readonly #closedCalls = new Set<number>();
  #index = 0;

  /** Adds a piece of text or thinking. */
  addText(kind: "text" | "thinking", text: string): readonly StreamEvent[] {
    const last = this.#blocks.at(-1);
    const block = last?.kind === kind ? last : this.#append(kind, -1, "");
    block.unsent += text;
    return this.#advance();
  }

  /** Adds what a chunk has of a tool call. `index` identifies the call, and an absent id or name is empty. */
  addCall(index: number, id: string, name: string, json: string): readonly StreamEvent[] {
    if (this.#closedCalls.has(index)) return [];
    const block = this.#blocks.find(({ call }) => call === index) ?? this.#append("tool_use", index, id);
    block.name += name;
    block.unsent += json;
    block.whole += json;
    return this.#advance();
  }

  /** Closes all blocks. */
  close(): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const block of this.#blocks.splice(0)) {
      this.#flush(block, events);
      events.push(this.#stop(block));
    }
    return events;
  }

  #append(kind: OpenBlock["kind"], call: number, id: string): OpenBlock {
    const block = { kind, call, id, name: "", unsent: "", whole: "", hasStarted: false };
    this.#blocks.push(block);
    return block;
  }

  #advance(): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    for (let [block] = this.#blocks; block !== undefined; [block] = this.#blocks) {
      // Some upstreams send the name of a call after its id.
      if (block.kind !== "tool_use" || block.name !== "") this.#flush(block, events);
      if (this.#blocks.length === 1 || !isComplete(block)) break;
      events.push(this.#stop(block));
      this.#blocks.shift();
    }
    return events;
  }

  #flush(block: OpenBlock, events: StreamEvent[]): void {
    const index = this.#index;
    if (!block.hasStarted) events.push({ type: "content_block_start", index, content_block: startOf(block) });
    block.hasStarted = true;
    if (block.unsent !== "") events.push({ type: "content_block_delta", index, delta: deltaOf(block) });
    block.unsent = "";
  }

  #stop({ call }: OpenBlock): StreamEvent {
    if (call >= 0) this.#closedCalls.add(call);
    const index = this.#index;
    this.#index += 1;
    return { type: "content_block_stop", index };
  }
}

function startOf({ kind, id, name }: OpenBlock): JsonObject {
  if (kind === "text") return { type: "text", text: "" };
  if (kind === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { type: "tool_use", id, name, input: {} };
}

function deltaOf({ kind, unsent }: OpenBlock): JsonObject {
  if (kind === "text") return { type: "text_delta", text: unsent };
  if (kind === "thinking") return { type: "thinking_delta", thinking: unsent };
  return { type: "input_json_delta", partial_json: unsent };
}

/** True for a block to which nothing can be added. */
function isComplete({ kind, whole }: OpenBlock): boolean {
  if (kind !== "tool_use") return true;
  return whole.trimEnd().endsWith("}") && tryParseJson(whole) !== undefined;
}
