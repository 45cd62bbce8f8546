import type { NativeJson, ReadAnswer } from "../../../answering/model-api.ts";
import { ProviderError } from "../../../errors/provider-error.ts";
import type { Output } from "../../../money/token-counter.ts";
import type { ModelTarget } from "../../../ports/model.ts";
import type { PaidCall } from "../../../request/paid-call.ts";
import { guardOf } from "../../../upstream/answer-guard.ts";
import { contextOf } from "../../../upstream/failure.ts";
import { readReportedError } from "../../../upstream/frame-reports.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { parseLosslessJson, writeLosslessJson } from "../../../wire/lossless-json.ts";
import { outputBytes, readOutput } from "../../../wire/output-text.ts";
import { isComplete, type ReportedUsage, type Usage } from "../../../wire/usage.ts";
import { responseId, responseReasons } from "../answer/response-marks.ts";
import { readResponseUsage, toResponseUsage } from "../answer/response-usage.ts";
import { responseMembers } from "./known-members.ts";
import { PublicAnswer } from "./public-answer.ts";

/** Reads the response of an upstream that speaks the Responses API. Throws a ProviderError if it is an error, or not one. */
export function readNative(paid: PaidCall, target: ModelTarget, answer: NativeJson): ReadAnswer {
  const { provider } = target;
  const context = contextOf(target, paid.model.id, answer);
  const value = parse(answer.body);
  const error = readReportedError(value, () => context);
  if (error !== undefined) throw error;
  if (!isJsonObject(value) || value["object"] !== "response" || !Array.isArray(value["output"])) {
    throw invalid(provider.name, "something that is not a response");
  }
  const { status } = value;
  if (status !== "completed" && status !== "incomplete") throw invalid(provider.name, "a response that has not ended");
  const response = new PublicAnswer(paid, target).response(value);
  const guard = guardOf(responseMembers, paid, target, context);
  const shown = guard.suspects(writeLosslessJson(response)) ? guard.clean(response) : response;
  return new NativeResponse(shown, value, paid.model.imageTokens);
}

const invalid = (provider: string, received: string): ProviderError =>
  new ProviderError(
    "invalid_response",
    `${provider} answered with ${received}. Check that the base URL is that of an API with POST /responses.`,
  );

function parse(body: Uint8Array): unknown {
  try {
    return parseLosslessJson(decodeUtf8(body) ?? "");
  } catch {
    return undefined;
  }
}

class NativeResponse implements ReadAnswer {
  readonly usage: Usage | undefined;
  readonly output: Output;
  readonly json: string;
  readonly #response: JsonObject;

  constructor(response: JsonObject, upstream: JsonObject, imageTokens: number) {
    const reported = readResponseUsage(upstream["usage"]);
    this.#response = response;
    this.usage = isComplete(reported) ? reported : undefined;
    this.output = new ResponseOutput(upstream, reported, imageTokens);
    this.json = writeLosslessJson(response);
  }

  get answerId(): string | undefined {
    return responseId(this.#response);
  }

  get finishReasons(): readonly string[] {
    return responseReasons(this.#response);
  }

  withUsage(charged: Usage): string {
    return writeLosslessJson({ ...this.#response, usage: toResponseUsage(charged) });
  }
}

/** The output of a response, which is charged if the usage is missing. */
class ResponseOutput implements Output {
  readonly hasHiddenReasoning = false;
  readonly outputBytes: number;
  readonly reported: ReportedUsage | undefined;
  readonly #written: JsonObject;

  constructor({ output }: JsonObject, usage: ReportedUsage["usage"] | undefined, imageTokens: number) {
    this.#written = { content: output };
    this.outputBytes = outputBytes(this.#written, imageTokens);
    this.reported = usage && { usage, outputBytes: this.outputBytes };
  }

  outputText(): string {
    return readOutput(this.#written).texts.join("\n");
  }
}
