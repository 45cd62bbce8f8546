import type { BodyShare } from "../access/limits/body-budget.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { NativeMethod } from "../ports/provider-adapter.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Inspection } from "../wire/forwarding/inspection.ts";
import { RequestText, type SentText } from "../wire/forwarding/request-text.ts";
import { type Prompt, promptOf } from "../wire/prompt.ts";
import type { NativeRequest } from "./native-request.ts";

const noBytes = new Uint8Array();
const noPrompt = promptOf([]);

/** What a dialect reads from the body of a request. */
export interface ReadCall {
  readonly dialect: Dialect;
  /** The request without its messages, as a chat completion. */
  readonly chat: ChatParameters;
  readonly prompt: Prompt;
  /** The body as the client sent it. */
  readonly body: RequestText;
  /** Translates a request of another dialect to a chat completion. Called when a target needs it. Absent: it is one. */
  readonly translate?: () => SentText;
  /** The length of the body in bytes. */
  readonly bytes: number;
  /** Findings from the text of the body, which the parsed request does not contain. */
  readonly inspected: Pick<Inspection, "pricedMembers" | "ttl" | "asksForHour" | "spellings">;
  /** The request in its own dialect. Undefined for a chat completion. */
  readonly native: NativeRequest | undefined;
  /** True if the request asks for reasoning that its answer does not show. Absent: it does not. */
  readonly hasHiddenReasoning?: boolean;
  /** The part of the body budget that its bytes use. Absent: none, since the gateway wrote the request itself. */
  readonly share?: BodyShare | undefined;
  /** What the dialect calls parameters of a chat completion, for errors. Absent: the same. */
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * The call of a model that a request asks for. Checks, bounds and prices read it as a chat completion, whatever its dialect.
 * A target that speaks its dialect receives the body that the client sent, with some members changed.
 */
export class Call {
  readonly dialect: Dialect;
  readonly bytes: number;
  readonly inspected: ReadCall["inspected"];
  readonly hasHiddenReasoning: boolean;
  readonly #share: BodyShare | undefined;
  readonly #names: ReadCall["names"];
  #chat: ChatParameters;
  #prompt: Prompt;
  #body: RequestText;
  #translate: ReadCall["translate"];
  #translated: SentText | undefined;
  #native: NativeRequest | undefined;

  constructor({
    dialect,
    chat,
    prompt,
    body,
    translate,
    bytes,
    inspected,
    hasHiddenReasoning = false,
    native,
    share,
    names,
  }: ReadCall) {
    this.dialect = dialect;
    this.bytes = bytes;
    this.inspected = inspected;
    this.hasHiddenReasoning = hasHiddenReasoning;
    this.#chat = chat;
    this.#prompt = prompt;
    this.#body = body;
    this.#translate = translate;
    this.#native = native;
    this.#share = share;
    this.#names = names;
  }

  /** Returns what the client calls a parameter of a chat completion. */
  nameOf(parameter: string): string {
    return this.#names?.[parameter] ?? parameter;
  }

  /** The request without its messages. */
  get chat(): ChatParameters {
    return this.#chat;
  }

  /** True if the client asks for a stream. */
  get stream(): boolean {
    return this.#chat.stream === true;
  }

  get prompt(): Prompt {
    return this.#prompt;
  }

  /** The request as a chat completion, which keeps the digits of its numbers. */
  get text(): SentText {
    this.#translated ??= this.#translate?.() ?? this.#body;
    return this.#translated;
  }

  /** The request in its own dialect. Undefined for a chat completion, and after the prompt was released. */
  get native(): NativeRequest | undefined {
    return this.#native;
  }

  /** The body as the client sent it. */
  get original(): Uint8Array {
    return this.#body.original;
  }

  /** Returns the value of a short member of the body that the client sent, in any dialect. */
  member(name: string): unknown {
    return this.#body.member(name);
  }

  /** Why only targets that speak the dialect of the request can serve it. Undefined if all can. */
  get untranslatable(): GatewayError | undefined {
    return this.#native?.untranslatable;
  }

  /** Returns the method by which a target answers in the dialect of the request, or undefined if it needs a chat completion. */
  nativeMethod({ provider }: ModelTarget): NativeMethod | undefined {
    return this.dialect === "chat" ? undefined : provider.dialects?.[this.dialect];
  }

  /**
   * Releases the memory of the prompt, which a stream does not need after it has begun, and its part of the budget. Messages
   * and text are empty afterwards. A request that is stored with its answer keeps its bytes, which stay counted.
   */
  releaseBody(): void {
    const { model, stream, stream_options } = this.#chat;
    const isStored = this.#native?.onAnswer !== undefined;
    this.#chat = { model, stream, stream_options };
    this.#prompt = noPrompt;
    this.#body = new RequestText(noBytes, { members: [], removals: [] }, { ...this.#chat, messages: [] });
    this.#translate = undefined;
    this.#translated = undefined;
    this.#native = undefined;
    if (!isStored) this.#share?.release();
  }
}
