import { requestUrl } from "../http/request-url.ts";
import type { AdmittedRequest, BodyLimit, CompletionForm, LargerContent } from "../ports/admitted-request.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { type GatewayResponse, jsonTextResponse } from "../ports/gateway-response.ts";
import type { ModelRequest } from "../ports/model-calls.ts";
import type { Admission } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { loadStored } from "../steps/load-stored.ts";
import { readBody } from "../steps/read-body.ts";
import { writeLosslessJson } from "../wire/lossless-json.ts";
import { answerJson, type RunAnswer } from "./answer-json.ts";
import { answerStream } from "./answer-stream.ts";
import { requireModel } from "./own-call.ts";

/** A request at an endpoint of an extension, in the slot of its admission. */
export class RunningRequest implements AdmittedRequest {
  readonly #services: Services;
  readonly #admission: Admission;

  constructor(services: Services, admission: Admission) {
    this.#services = services;
    this.#admission = admission;
  }

  get client(): ClientRequest {
    return this.#admission.exchange.request;
  }

  get requestId(): string {
    return this.#admission.exchange.requestId;
  }

  get account(): string {
    return this.#admission.caller.key.account;
  }

  get url(): URL {
    return requestUrl(this.client);
  }

  readBody(limit?: BodyLimit): Promise<Uint8Array> {
    return readBody(this.#services, this.#admission, limit);
  }

  load<Result extends { readonly outcome: string }>(
    load: (loadBytes: number) => Awaitable<Result | LargerContent>,
    isValid: (result: Result) => boolean,
  ): Promise<Result> {
    return loadStored(this.#services, this.#admission, load, isValid);
  }

  setSession(id: string): void {
    this.#admission.exchange.report.sessionId = id;
  }

  mark(step: string, detail?: string): void {
    this.#admission.exchange.report.mark(step, detail);
  }

  drainSignal(): AbortSignal {
    const { slot } = this.#admission;
    const controller = new AbortController();
    slot.onAbort({ abort: () => controller.abort() });
    if (slot.aborted) controller.abort();
    return controller.signal;
  }

  requireModel(request: ModelRequest): void {
    requireModel(this.#services, this.#admission, request);
  }

  complete({ model, stream }: CompletionForm, run: RunAnswer): Promise<GatewayResponse> {
    return (stream ? answerStream : answerJson)(this.#services, this.#admission, model, run);
  }

  respond(status: number, value?: unknown, headers: Readonly<Record<string, string>> = {}): GatewayResponse {
    const all = { ...this.#admission.exchange.headers, ...headers };
    return value === undefined
      ? { status, headers: all, body: null }
      : jsonTextResponse(status, all, writeLosslessJson(value));
  }
}
