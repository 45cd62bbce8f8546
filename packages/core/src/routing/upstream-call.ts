import type { ModelTarget } from "../catalogue/model.ts";
import type { ProviderCall } from "../ports/provider-adapter.ts";
import type { Transport } from "../ports/transport.ts";
import type { Services } from "../services.ts";
import type { Held } from "../steps/hold-balance.ts";
import type { ChatCompletionRequest } from "../wire/chat-completion-request.ts";
import { spliceMembers } from "../wire/splice-members.ts";
import { Cancellation } from "./cancellation.ts";

/** One call of one target: the request as that upstream is to see it. */
export class UpstreamCall implements ProviderCall {
  readonly transport: Transport;
  readonly connectMs: number;
  readonly requestId: string;
  readonly #held: Held;
  readonly target: ModelTarget;
  readonly cancellation = new Cancellation();

  constructor(services: Services, held: Held, target: ModelTarget) {
    this.transport = services.transport;
    this.connectMs = services.upstream.connectMs;
    this.requestId = held.requestId;
    this.#held = held;
    this.target = target;
  }

  get signal(): AbortSignal {
    return this.cancellation.native;
  }

  get request(): ChatCompletionRequest {
    const chat: ChatCompletionRequest = { ...this.#held.chat };
    for (const [name, value] of this.#changes()) {
      if (value === undefined) delete chat[name];
      else chat[name] = value;
    }
    return chat;
  }

  encoded(): Uint8Array {
    const texts = new Map<string, string | undefined>();
    for (const [name, value] of this.#changes())
      texts.set(name, value === undefined ? undefined : JSON.stringify(value));
    return spliceMembers(this.#held.body, this.#held.members, texts);
  }

  /** Ends the call, whatever it is doing. */
  abort(reason: unknown): void {
    this.cancellation.abort(reason);
  }

  #changes(): Map<string, unknown> {
    const { chat, model } = this.#held;
    const changes = new Map<string, unknown>([["model", this.target.upstreamModel]]);
    for (const name of optionalMembers) if (chat[name] === null) changes.set(name, undefined);
    this.#changeStreamOptions(changes);
    this.#changeOutputCap(changes);
    if (model.reasoning !== undefined && chat.reasoning_effort == null) {
      changes.set("reasoning_effort", model.reasoning.defaultEffort);
    }
    return changes;
  }

  #changeStreamOptions(changes: Map<string, unknown>): void {
    const { stream, stream_options: options } = this.#held.chat;
    const asksForUsage = stream === true && this.target.provider.capabilities.streamUsage;
    if (asksForUsage) {
      if (options?.include_usage !== true) changes.set("stream_options", { ...options, include_usage: true });
    } else if (options !== undefined) changes.set("stream_options", undefined);
  }

  #changeOutputCap(changes: Map<string, unknown>): void {
    const { chat } = this.#held;
    const { outputCap } = this.#held.funds;
    if (outputCap === undefined) return;
    const field = this.target.provider.capabilities.outputCapField;
    const other = field === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    if (chat[field] !== outputCap) changes.set(field, outputCap);
    if (chat[other] !== undefined) changes.set(other, undefined);
  }
}

// Null counts as absent, and some upstreams refuse it.
const optionalMembers = [
  "stream",
  "stream_options",
  "temperature",
  "n",
  "max_tokens",
  "max_completion_tokens",
  "tools",
  "tool_choice",
  "reasoning_effort",
  "response_format",
] as const;
