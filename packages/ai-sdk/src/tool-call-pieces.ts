import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { ToolCallDelta } from "@tollgate/core/provider";
import { writeSignature } from "./thought-signature.ts";

type Part<Type> = Extract<LanguageModelV3StreamPart, { type: Type }>;

interface BegunCall {
  readonly index: number;
  /** Its arguments so far. */
  given: string;
}

/**
 * The tool calls of one stream as pieces of a completion's. A call may come in deltas, whole, or both; its arguments
 * are told once. Calls that the upstream runs itself are left out.
 */
export class ToolCallPieces {
  readonly #calls = new Map<string, BegunCall>();

  /** Calls begun so far. */
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
    call.given += delta;
    return { index: call.index, function: { arguments: delta } };
  }

  /** What a whole call says that its deltas did not. */
  complete(part: Part<"tool-call">): ToolCallDelta | undefined {
    if (part.providerExecuted) return undefined;
    const input = part.input || "{}";
    const signature = writeSignature(part.providerMetadata);
    const call = this.#calls.get(part.toolCallId);
    if (call === undefined) return { ...this.#open(part.toolCallId, part.toolName, input), ...signature };
    // Some models write the whole anew, with other white space; what was told cannot be taken back.
    const rest = input.startsWith(call.given) ? input.slice(call.given.length) : "";
    call.given += rest;
    if (rest === "" && Object.keys(signature).length === 0) return undefined;
    return { index: call.index, function: { arguments: rest }, ...signature };
  }

  #open(id: string, name: string, given: string): ToolCallDelta {
    const index = this.#calls.size;
    this.#calls.set(id, { index, given });
    return { index, id, type: "function", function: { name, arguments: given } };
  }
}
