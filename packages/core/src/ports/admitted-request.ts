import type { Awaitable } from "../runtime/awaitable.ts";
import type { ClientRequest } from "./client-request.ts";
import type { GatewayResponse } from "./gateway-response.ts";
import type { ModelCalls, ModelRequest, OwnAnswer } from "./model-calls.ts";

/**
 * A request to an endpoint of an extension that was admitted: its key is valid, the terms are accepted, and it is counted in
 * the limits of its key and of the process.
 */
export interface AdmittedRequest {
  /** The request as the client sent it. */
  readonly client: ClientRequest;
  readonly requestId: string;
  /** The account of the key. */
  readonly account: string;
  /** Path and query, as a URL with the host `localhost`. */
  readonly url: URL;
  /** Reads the body, which may have at most `maxBodyBytes` of the gateway unless a limit is given. Rejects with 413, 408 or 503. */
  readBody(limit?: BodyLimit): Promise<Uint8Array>;
  /**
   * Loads stored content whose size the store limits to `loadBytes`, and counts its bytes like those of a body. `isValid` checks
   * what the store returned. Rejects with 413 for content that could never fit, and with 503 when there is no memory left.
   */
  load<Result extends { readonly outcome: string }>(
    load: (loadBytes: number) => Awaitable<Result | LargerContent>,
    isValid: (result: Result) => boolean,
  ): Promise<Result>;
  /** Records the session that the request belongs to: for events, and to prefer the target that has its prompt cached. */
  setSession(id: string): void;
  /** Adds a step to the timeline in the events of the request. */
  mark(step: string, detail?: string): void;
  /** Returns a signal that aborts when a drain ends the request. It replaces the one before, and a call of a model replaces it. */
  drainSignal(): AbortSignal;
  /** Throws 404 for a model that the key may not use, and 403 for a feature that key, plan or model does not have. */
  requireModel(request: ModelRequest): void;
  /**
   * Answers with a chat completion that is made from any number of calls of models, as JSON or as a stream of all of them. Its
   * usage is their sum. An error before the first content rejects; a later one ends the stream with an error frame.
   */
  complete(form: CompletionForm, run: (calls: ModelCalls) => Promise<OwnAnswer>): Promise<GatewayResponse>;
  /** Returns a response with a value as JSON, whose exact numbers keep their digits; with no body if the value is undefined. */
  respond(status: number, value?: unknown, headers?: Readonly<Record<string, string>>): GatewayResponse;
}

/** The maximum size of a body in bytes, and the advice in the error for a larger one. */
export interface BodyLimit {
  readonly maxBodyBytes: number;
  /** "Send a shorter history or smaller images." when absent. */
  readonly advice?: string;
}

/** A store's answer that content has more bytes than it may load. */
export interface LargerContent {
  readonly outcome: "larger";
  readonly bytes: number;
}

/** The public model id in a completion, and whether it is streamed. */
export interface CompletionForm {
  readonly model: string;
  readonly stream: boolean;
}
