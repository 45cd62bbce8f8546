import type { Output } from "../money/token-counter.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import type { GatewayResponse } from "../ports/gateway-response.ts";
import type { KeyScope } from "../ports/key-store.ts";
import type { ModelTarget } from "../ports/model.ts";
import type { NativeAnswer, ProviderAnswer } from "../ports/provider-adapter.ts";
import type { Call } from "../request/call.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Admission, PaidCall } from "../request/paid-call.ts";
import type { MergeFrames, Services, StreamOptions } from "../request/services.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import type { AnswerMarks, AnswerTranslator } from "../upstream/answer-translator.ts";
import type { FailureContext } from "../upstream/failure.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Usage } from "../wire/usage.ts";

/** An answer in one piece that was read from a target, as JSON for the client. It has not been charged yet. */
export interface ReadAnswer extends AnswerMarks {
  /** The usage that the provider reported. Undefined if it is missing or invalid. */
  readonly usage: Usage | undefined;
  /** The output, from which a missing usage is estimated. */
  readonly output: Output;
  /** The answer with the usage that the provider reported, as text or in UTF-8. */
  readonly json: string | Uint8Array;
  /** Returns the answer with the usage that was charged, if it is another one. */
  withUsage(charged: Usage): string | Uint8Array;
}

/** Reads the answers of targets in one of two forms: chat completions, or the dialect of the client. */
export interface AnswerReader<Given, Read extends ReadAnswer = ReadAnswer> {
  /** Reads an answer in one piece. Throws or rejects with a ProviderError if it is an error, or not an answer. */
  read(paid: PaidCall, target: ModelTarget, answer: Given): Awaitable<Read>;
  /** Returns the translator of one streamed answer. */
  translator(paid: PaidCall, context: StreamContext): AnswerTranslator;
}

/** The surroundings of a streamed answer. */
export interface StreamContext {
  readonly target: ModelTarget;
  readonly usageFrame: Required<StreamOptions>["usageFrame"];
  /** Returns the context of the upstream. Called when the upstream reports an error. */
  failureContext(): FailureContext;
  /** Receives each type of events that the dialect does not have, and that are left out. */
  onUnknownEvent(type: string): void;
}

/** An answer in one piece of a target that speaks the dialect of the client. */
export type NativeJson = Extract<NativeAnswer, { readonly kind: "json" }>;

/** The key that a request presents, or the reason why it cannot be read. */
export type PresentedKey = { readonly key: string } | { readonly problem: "missing" | "malformed" };

/** Where clients send their key. */
export interface KeyHeaders {
  /** The headers as error messages name them. */
  readonly names: string;
  read(request: Pick<ClientRequest, "header">): PresentedKey;
}

/** Which tokens of sessions an endpoint accepts, and no others: those of this session, or none if it is undefined. */
export interface TokenRules {
  readonly session: string | undefined;
}

/** Which keys an endpoint accepts, and where clients send them. */
export interface KeyRules {
  /** Absent: as a bearer token. */
  readonly keyHeaders?: KeyHeaders;
  /** The dialect that the key must have. Absent: a key needs none. */
  readonly dialect?: Dialect;
  /** The scope that the key must have. With "account:read", also the keys of a frozen account may use the endpoint. Absent: "inference". */
  readonly scope?: KeyScope;
  /** Absent: tokens that have the scope, and none of a session. */
  readonly tokens?: TokenRules;
}

/** An endpoint of the gateway, and what answers its requests. `id` is the part of the path that matched `:id` or `*`. */
export interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly pattern: string;
  readonly handler: (services: Services, exchange: Exchange, id: string) => Promise<GatewayResponse>;
}

/**
 * What the gateway knows of one API in which clients call models. All else is the one path of `model-call.ts`. The endpoint that
 * calls models is in `dialectEndpoints`.
 */
export interface ModelApi<Read extends ReadAnswer = ReadAnswer> extends KeyRules {
  readonly dialect: Dialect;
  /** Reads the body of a request. Throws or rejects with 400 for an invalid one. */
  parse(services: Services, admission: Admission, body: Uint8Array): Awaitable<Call>;
  /** Translates answers of targets that were called with a chat completion. */
  readonly translated: AnswerReader<ProviderAnswer, Read>;
  /** Reads answers of targets that speak the dialect. Undefined for chat completions, which need no other form. */
  readonly native: AnswerReader<NativeJson, Read> | undefined;
  /** Returns the output text in one frame of a stream, for a host that counts tokens itself. */
  textOf(frame: JsonObject): string;
  /** Merges the frames of a stream that is stored. */
  readonly mergeFrames: MergeFrames;
  /** Its endpoints that call no model. */
  readonly endpoints: readonly Endpoint[];
  /** Returns the headers that its clients read in addition to those of a response. Absent: none. */
  headers?(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}
