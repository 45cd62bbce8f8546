import type { PaidCall } from "../../../request/paid-call.ts";
import type { Usage } from "../../../wire/usage.ts";
import { ResponsesNativeRequest } from "../request/native-request.ts";
import { type Echo, type EchoedMembers, noEcho } from "../request/request-echo.ts";
import { type OutputItem, ResponseIds } from "./output-items.ts";
import { type ResponseUsage, toResponseUsage } from "./response-usage.ts";

/** A response. Follows https://platform.openai.com/docs/api-reference/responses/object */
export interface ResponseObject extends EchoedMembers {
  readonly id: string;
  readonly object: "response";
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: "in_progress" | "completed" | "incomplete" | "failed";
  readonly error: ResponseError | null;
  readonly incomplete_details: { readonly reason: "max_output_tokens" | "content_filter" } | null;
  readonly model: string;
  readonly output: OutputItem[];
  readonly usage: ResponseUsage | null;
}

/** Why a response failed. */
export interface ResponseError {
  readonly code: "server_error" | "rate_limit_exceeded";
  readonly message: string;
}

/** What a translated response takes from its request. */
export interface ResponseHead {
  readonly ids: ResponseIds;
  readonly createdAt: number;
  readonly model: string;
  readonly echo: Echo;
}

/** Returns what the response to a request takes from it. It refers to the tools and instructions, but not to the input. */
export function headOf({ exchange, model, call }: Pick<PaidCall, "exchange" | "model" | "call">): ResponseHead {
  const { id, startedAt } = exchange;
  const { native } = call;
  const echo = native instanceof ResponsesNativeRequest ? native.echo : noEcho;
  return { ids: new ResponseIds(id), createdAt: Math.floor(startedAt / 1000), model: model.id, echo };
}

/** What tells one state of a response from another. */
export interface ResponseState {
  readonly status: ResponseObject["status"];
  readonly output: OutputItem[];
  readonly usage?: Usage;
  readonly error?: ResponseError;
  readonly incomplete?: ResponseObject["incomplete_details"];
}

/** Makes the response in one of its states. */
export function responseObject({ ids, createdAt, model, echo }: ResponseHead, state: ResponseState): ResponseObject {
  const { status, output, usage, error, incomplete } = state;
  return {
    id: ids.response,
    object: "response",
    created_at: createdAt,
    status,
    completed_at: status === "completed" ? Math.floor(Date.now() / 1000) : null,
    error: error ?? null,
    incomplete_details: incomplete ?? null,
    model,
    output,
    ...echo.members,
    usage: usage === undefined ? null : toResponseUsage(usage),
  };
}

/** How a response ends. */
export type ResponseEnding = Pick<ResponseState, "incomplete"> & { readonly status: "completed" | "incomplete" };

/** Translates a finish_reason of a chat completion. */
export function endingOf(finishReason: string | undefined): ResponseEnding {
  if (finishReason === "length") return { status: "incomplete", incomplete: { reason: "max_output_tokens" } };
  if (finishReason === "content_filter") return { status: "incomplete", incomplete: { reason: "content_filter" } };
  return { status: "completed" };
}
