import type { CheckedPlan } from "../catalogue/checked-plan.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { Run } from "../limits/in-flight.ts";
import type { Bound, OutputBound } from "../money/cost.ts";
import { RequestReport } from "../observing/request-report.ts";
import type { SumCalls } from "../observing/sum-calls.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Model, ModelTarget } from "../ports/model.ts";
import type { NativeMethod } from "../ports/provider-adapter.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";
import type { Dialect } from "../wire/dialect.ts";
import { RequestText } from "../wire/forwarding/forward-request.ts";
import type { Inspection } from "../wire/forwarding/inspect-request.ts";
import { type Prompt, promptOf } from "../wire/prompt.ts";
import type { NativeRequest } from "./native-request.ts";

/** A request whose key is known and active. */
export interface Authenticated extends RequestContext {
  readonly key: ApiKey;
  readonly plan: CheckedPlan;
}

/** A request of an account that has accepted the terms in force. */
export interface Consented extends Authenticated {
  /** Versions of which the account has accepted one; empty when none is in force. */
  readonly acceptableTerms: readonly string[];
}

/** A request in a dialect that its key and plan have, or one at an endpoint for all keys. */
export interface Entitled extends Consented {
  readonly dialectChecked: true;
}

/** A request that was counted against its limits and is running. Its run must be ended. */
export interface Admitted extends Entitled {
  readonly run: Run;
}

/** A request whose body has been read. */
export interface WithBody extends Admitted {
  readonly body: Uint8Array;
}

/** A request whose body is valid in its dialect. */
export interface Parsed extends Admitted {
  readonly content: RequestContent;
}

/** A request for a model that its key may use. */
export interface Selected extends Parsed {
  readonly model: Model;
}

/** A request whose features are allowed for its key, plan and model. */
export interface Permitted extends Selected {
  readonly featuresChecked: true;
}

/** A request whose parameters match the model's configuration. */
export interface Checked extends Permitted {
  readonly parametersChecked: true;
}

/** A request with upper bounds for its tokens, which are reserved in the limits of its key together with its concurrency. */
export interface Reserved extends Checked {
  /** An upper bound for the tokens of the prompt. */
  readonly promptBound: number;
  readonly outputBound: OutputBound;
}

/** The maximum cost of a request, and the hold that covers it. */
export interface Funds {
  /** Undefined on a plan that does not bill. */
  readonly holdId: string | undefined;
  /** Nano-units. */
  readonly amount: bigint;
  /** The cap on output tokens per choice that is sent upstream; undefined: the maximum of the model. */
  readonly outputCap: number | undefined;
  /** True when the cap is lower than the client's, or than the model's maximum if the client gave none. */
  readonly capWasLowered: boolean;
}

/** A request whose maximum cost is held. Its bill must be opened, and closed once. */
export interface Held extends Reserved {
  readonly funds: Funds;
}

/** The money and the tokens that were reserved for a request. */
export const boundOf = ({
  funds,
  promptBound,
  outputBound,
}: Pick<Held, "funds" | "promptBound" | "outputBound">): Bound => ({
  amount: funds.amount,
  tokens: promptBound + outputBound.total,
});

/** The headers of every answer: request id, state of the rate limits, number of attempts and a lowered output cap. */
export function answerHeaders({ meta, funds }: Held, attempts: number): Record<string, string> {
  const { headers } = meta;
  headers["x-router-attempts"] = String(attempts);
  if (funds.capWasLowered) headers["x-router-output-limit"] = String(funds.outputCap);
  return headers;
}

const noBytes = new Uint8Array();
const noPrompt = promptOf([]);

/** What a dialect reads from the body of a request. */
export interface ReadContent {
  readonly dialect: Dialect;
  /** The request without its messages, as a chat completion. */
  readonly chat: ChatParameters;
  readonly prompt: Prompt;
  /** The request as a chat completion. For another dialect it is made on first access. */
  readonly text: RequestText | (() => RequestText);
  /** The length of the body in bytes. */
  readonly bytes: number;
  /** Findings from the text of the body, which the parsed request does not contain. */
  readonly inspected: Pick<Inspection, "steering" | "ttl" | "asksForHour" | "spellings">;
  /** The request in its own dialect. Undefined for a chat completion. */
  readonly native: NativeRequest | undefined;
  /** True if the request asks for reasoning that its answer does not show. Absent: it does not. */
  readonly hidesReasoning?: boolean;
  /** What the dialect calls parameters of a chat completion, for errors. Absent: the same. */
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * The content of a request. Checks, bounds and prices read it as a chat completion, whatever its dialect. A target that
 * speaks its dialect receives the body that the client sent, with some members changed.
 */
export class RequestContent {
  readonly dialect: Dialect;
  readonly bytes: number;
  readonly inspected: ReadContent["inspected"];
  readonly hidesReasoning: boolean;
  readonly #names: ReadContent["names"];
  #chat: ChatParameters;
  #prompt: Prompt;
  #text: ReadContent["text"];
  #native: NativeRequest | undefined;

  constructor({ dialect, chat, prompt, text, bytes, inspected, hidesReasoning = false, native, names }: ReadContent) {
    this.dialect = dialect;
    this.bytes = bytes;
    this.inspected = inspected;
    this.hidesReasoning = hidesReasoning;
    this.#chat = chat;
    this.#prompt = prompt;
    this.#text = text;
    this.#native = native;
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

  get prompt(): Prompt {
    return this.#prompt;
  }

  /** The request as a chat completion, so that numbers can be forwarded with their original digits. */
  get text(): RequestText {
    if (typeof this.#text === "function") this.#text = this.#text();
    return this.#text;
  }

  /** The request in its own dialect. Undefined for a chat completion, and after the prompt was released. */
  get native(): NativeRequest | undefined {
    return this.#native;
  }

  /** The body as the client sent it. */
  get original(): Uint8Array {
    return (this.#native ?? this).text.original;
  }

  /** Returns the value of a short member of the body that the client sent, in any dialect. */
  member(name: string): unknown {
    return (this.#native ?? this).text.member(name);
  }

  /** Why only targets that speak the dialect of the request can serve it. Undefined if all can. */
  get untranslatable(): GatewayError | undefined {
    return this.#native?.untranslatable;
  }

  /** Returns the method by which a target answers in the dialect of the request, or undefined if it needs a chat completion. */
  nativeMethod({ provider }: ModelTarget): NativeMethod | undefined {
    return this.dialect === "chat" ? undefined : provider.dialects?.[this.dialect];
  }

  /** Releases the memory of the prompt, which a stream does not need after it has begun. Messages and text are empty afterwards. */
  forgetPrompt(): void {
    const { model, stream, stream_options } = this.#chat;
    this.#chat = { model, stream, stream_options };
    this.#prompt = noPrompt;
    this.#text = new RequestText(noBytes, { members: [], cuts: [] }, { ...this.#chat, messages: [] });
    this.#native = undefined;
  }
}

/** Data for the response and the events of a request, which its checks add to. */
export interface ResponseMeta {
  /** Headers of the response: the request id, and later the state of the rate limits. */
  readonly headers: Record<string, string>;
  readonly report: RequestReport;
  /** Adds up the calls of a turn, each of which emits an event of its own. Undefined for a request that is one call. */
  readonly sumCalls: SumCalls | undefined;
}

/** A received request with its ids and its start time. */
export interface RequestContext {
  readonly request: ClientRequest;
  /** A UUID that identifies the request in stores. The request id does not, since clients may choose it. */
  readonly id: string;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly meta: ResponseMeta;
}

/** Creates the context of a request. A valid `x-request-id` of the client becomes its request id. */
export function receive(request: ClientRequest): RequestContext {
  const id = crypto.randomUUID();
  const requestId = readRequestId(request.header("x-request-id")) ?? `req_${id}`;
  const startedAt = Date.now();
  const report = new RequestReport(id, requestId, startedAt);
  return {
    request,
    id,
    requestId,
    startedAt,
    meta: { headers: { "x-request-id": requestId }, report, sumCalls: undefined },
  };
}

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the request id that a client sent, or undefined if it is missing or invalid. */
export function readRequestId(given: string | undefined): string | undefined {
  return given !== undefined && acceptable.test(given) ? given : undefined;
}
