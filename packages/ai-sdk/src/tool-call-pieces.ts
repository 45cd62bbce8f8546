import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { ToolCallDelta } from "@tollgate/core/provider";
import { writeSignature } from "./thought-signature.ts";

type Part<Type> = Extract<LanguageModelV3StreamPart, { type: Type }>;

interface OpenCall {
  readonly index: number;
  /** The arguments that were emitted so far. */
  emitted: string;
}

/**
 * Maps the tool calls of one stream to deltas. A call may arrive in deltas, complete, or as both; its arguments are
 * emitted once. Calls that the upstream executes are left out.
 */
export class ToolCallPieces {
  readonly #calls = new Map<string, OpenCall>();

  /** The number of calls so far. */
  get count(): number {
    return this.#calls.size;
  }

  begin({ id, toolName, providerExecuted }: Part<"tool-input-start">): ToolCallDelta | undefined {
    if (providerExecuted || this.#calls.has(id)) return undefined;
    return this.#open(id, toolName, "");
  }

  add({ id, delta }: Part<"tool-input-delta">): ToolCallDelta | undefined {
    const call = this.#calls.get(id);
    if (call === undefined || delta === "") return undefined;
    call.emitted += delta;
    return { index: call.index, function: { arguments: delta } };
  }

  /** Returns what a complete call adds to the deltas before it. */
  complete(part: Part<"tool-call">): ToolCallDelta | undefined {
    if (part.providerExecuted) return undefined;
    const input = part.input || "{}";
    const signature = writeSignature(part.providerMetadata);
    const call = this.#calls.get(part.toolCallId);
    if (call === undefined) return { ...this.#open(part.toolCallId, part.toolName, input), ...signature };
    // Some models format the complete arguments differently from the deltas. What was emitted cannot be changed.
    const rest = input.startsWith(call.emitted) ? input.slice(call.emitted.length) : "";
    call.emitted += rest;
    if (rest === "" && Object.keys(signature).length === 0) return undefined;
    return { index: call.index, function: { arguments: rest }, ...signature };
  }

  #open(id: string, name: string, args: string): ToolCallDelta {
    const index = this.#calls.size;
    this.#calls.set(id, { index, emitted: args });
    return { index, id, type: "function", function: { name, arguments: args } };
  }
}
