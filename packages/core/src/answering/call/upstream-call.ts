import { Cancellation } from "../../ports/cancellation.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { NativeCall, NativeMethod, ProviderCall } from "../../ports/provider-adapter.ts";
import type { CallProgress, Transport, TransportRequest, TransportResponse } from "../../ports/transport.ts";
import { AccountSigner } from "../../request/account-signer.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import { type ChatCompletionRequest, type ChatParameters, chatShape } from "../../wire/chat-completion-request.ts";
import type { MemberChange, Removal } from "../../wire/edits.ts";
import { setsReasoningEffort } from "../../wire/feature.ts";
import type { Changes } from "../../wire/forwarding/request-text.ts";
import { fitThinkingBudgets } from "../../wire/forwarding/thinking-budgets.ts";
import { haveMediaInResults } from "../../wire/media-after-results.ts";
import { nullChanges } from "../../wire/shape-of.ts";

/** One call of one target, with the request as it is sent to that upstream: as a chat completion, or in the dialect of its client. */
export class UpstreamCall implements ProviderCall, NativeCall, CallProgress {
  readonly connectMs: number;
  readonly requestId: string;
  readonly #services: Services;
  readonly #paid: PaidCall;
  readonly target: ModelTarget;
  readonly cancellation = new Cancellation();
  activity = 0;
  /** True once the target was called. */
  wasSent = false;
  #onAbort: ((reason: unknown) => void) | undefined;

  constructor(services: Services, paid: PaidCall, target: ModelTarget) {
    this.#services = services;
    this.connectMs = target.limits.connectMs;
    this.requestId = paid.exchange.requestId;
    this.#paid = paid;
    this.target = target;
  }

  /** Records the attempt in the timeline, and in a header what was left out of the request for this target. */
  begin(): void {
    const { exchange, call, hold } = this.#paid;
    const { headers } = exchange;
    this.wasSent = true;
    exchange.report.markAttempt(this.target);
    if (call.native === undefined && !hold.capWasLowered) return;
    const dropped =
      call.native?.dropped(this.target, this.nativeMethod !== undefined, hold.outputCap) ??
      this.#thinkingChanges().flatMap(({ name, value }) => (value === undefined ? [name] : []));
    if (dropped.length > 0) headers[droppedHeader] = dropped.join(", ");
    else delete headers[droppedHeader];
  }

  /** A getter, since a closure in a member of each call made V8 promote whole requests to the old generation. */
  get transport(): Transport {
    return (request) => this.#send(request);
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get request(): ChatCompletionRequest {
    return this.#paid.call.text.changedValue(this.#changed());
  }

  encoded(): Uint8Array {
    const { call, hold, model } = this.#paid;
    const native = this.nativeMethod && call.native;
    if (native !== undefined) return native.text.changed(native.changes(this.target, hold.outputCap, model));
    return call.text.changed(this.#changed());
  }

  /** The method of a target that speaks the dialect of the client. Undefined for one that is called with a chat completion. */
  get nativeMethod(): NativeMethod | undefined {
    return this.#paid.call.nativeMethod(this.target);
  }

  get publicModel(): string {
    return this.#paid.model.id;
  }

  get model(): string {
    return this.target.upstreamModel;
  }

  get usesTools(): boolean {
    const tools = this.#paid.call.chat["tools"];
    return Array.isArray(tools) && tools.length > 0;
  }

  get stream(): boolean {
    return this.#paid.call.stream;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#paid.call.native?.headers ?? {};
  }

  get query(): Readonly<Record<string, string>> {
    return this.#paid.call.native?.query ?? {};
  }

  /** Aborts the call in any state. */
  abort(reason: unknown): void {
    this.cancellation.abort(reason);
    this.#onAbort?.(reason);
  }

  /** Sets a listener that is called when the call is aborted, since an adapter may ignore the signal. */
  onAbort(listener: (reason: unknown) => void): void {
    this.#onAbort = listener;
  }

  /** True if results of tools may have images or files, which the target does not accept there. */
  get #movesMedia(): boolean {
    const { prompt, dialect } = this.#paid.call;
    if (prompt.images.count + prompt.unknown.count === 0) return false;
    if (this.target.provider.capabilities.toolImages === true) return false;
    return dialect !== "chat" || haveMediaInResults(prompt.messages);
  }

  #changed(): Changes {
    const { cacheTtls, provider } = this.target;
    const { call, exchange } = this.#paid;
    // A client of chat completions knows its upstream. Requests that the gateway writes have thoughts only for those that ask.
    const isClients = call.native === undefined && exchange.report.sessionId === undefined;
    const keepsThoughts = provider.capabilities.thoughts ?? isClients;
    const isRemoved = ({ why }: Pick<Removal, "why">) =>
      why === "null" || (why === "thoughts" ? !keepsThoughts : !cacheTtls.has(why));
    return { members: this.#changes(), isRemoved, movesMedia: this.#movesMedia };
  }

  /** Lists all members, since V8 is ten times slower at adding a member to a copy. */
  #send({ method, url, headers, body, signal, connectMs }: TransportRequest): Promise<TransportResponse> {
    this.activity = 0;
    const { transport } = this.#services;
    return transport({ method, url, headers, body, signal, connectMs, progress: this });
  }

  #changes(): readonly MemberChange[] {
    const changes: MemberChange[] = [
      { name: "model", value: this.target.upstreamModel, json: this.target.upstreamModelJson },
    ];
    this.#changeStreamOptions(changes);
    this.#changeOutputCap(changes);
    changes.push(...this.#thinkingChanges());
    this.#addReasoningEffort(changes);
    removeNulls(changes, this.#paid.call.chat);
    const { ttl } = this.#paid.call.inspected;
    if (ttl !== undefined && !this.target.cacheTtls.has(ttl)) changes.push({ name: "cache_control", value: undefined });
    // A push would reserve memory for sixteen more.
    return changes.concat(this.#idChanges());
  }

  #addReasoningEffort(changes: MemberChange[]): void {
    const { model, call } = this.#paid;
    const { chat, inspected } = call;
    if (model.reasoning === undefined || chat.reasoning_effort != null) return;
    if (setsReasoningEffort(chat, inspected.spellings)) return;
    if (this.target.provider.capabilities.refusedFields?.includes("reasoning_effort")) return;
    changes.push({ name: "reasoning_effort", value: model.reasoning.defaultEffort });
  }

  /** In other dialects the translated request has none. */
  #idChanges(): readonly MemberChange[] {
    const { call, caller } = this.#paid;
    if (call.dialect !== "chat") return none;
    return new AccountSigner(this.#services.secrets, caller.key.account).idChanges(call.chat, this.target.provider);
  }

  #changeStreamOptions(changes: MemberChange[]): void {
    const { stream, stream_options: options } = this.#paid.call.chat;
    const asksForUsage = stream === true && this.target.provider.capabilities.streamUsage;
    if (asksForUsage && options?.include_usage !== true) {
      changes.push({ name: "stream_options", value: { ...options, include_usage: true } });
    } else if (!asksForUsage && options !== undefined) {
      changes.push({ name: "stream_options", value: undefined });
    }
  }

  #thinkingChanges(): readonly MemberChange[] {
    const { call, hold } = this.#paid;
    if (!hold.capWasLowered || hold.outputCap === undefined) return none;
    return fitThinkingBudgets(call.chat, hold.outputCap);
  }

  #changeOutputCap(changes: MemberChange[]): void {
    const { chat } = this.#paid.call;
    const { outputCap } = this.#paid.hold;
    if (outputCap === undefined) return;
    const field = this.target.provider.capabilities.outputCapField;
    const other = field === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    if (chat[field] !== outputCap) changes.push({ name: field, value: outputCap });
    if (chat[other] !== undefined) changes.push({ name: other, value: undefined });
  }
}

const droppedHeader = "x-router-dropped";
const none: readonly MemberChange[] = [];

/** Removes null members that are not changed otherwise: null counts as absent, and some upstreams refuse it. */
function removeNulls(changes: MemberChange[], chat: ChatParameters): void {
  for (const change of nullChanges(chat, chatShape)) {
    if (changes.every(({ name }) => name !== change.name)) changes.push(change);
  }
}
