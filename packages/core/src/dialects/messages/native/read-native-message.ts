import type { NativeJson, ReadAnswer } from "../../../answering/model-api.ts";
import { ProviderError } from "../../../errors/provider-error.ts";
import type { PaidCall } from "../../../request/paid-call.ts";
import { guardOf } from "../../../upstream/answer-guard.ts";
import {
  type AnsweringTarget,
  classifyErrorPayload,
  contextOf,
  type FailureContext,
} from "../../../upstream/failure.ts";
import { isFilled, reportsError } from "../../../upstream/frame-reports.ts";
import { asText, decodeUtf8, encodeUtf8 } from "../../../wire/bytes.ts";
import type { MemberChange } from "../../../wire/edits.ts";
import type { PublicModel } from "../../../wire/forwarding/scan-completion.ts";
import { spliceMembers } from "../../../wire/forwarding/splice-members.ts";
import { isJsonObject, isText, tryParseJson } from "../../../wire/json.ts";
import { scanJson } from "../../../wire/json-members.ts";
import { fromMessagesUsage, toMessagesUsage } from "../../../wire/messages-usage.ts";
import { isComplete, type PartialUsage, readImpossibleUsage, readUsage, type Usage } from "../../../wire/usage.ts";
import { NativeOutput } from "../../answers.ts";
import { messageMembers } from "../../known-members.ts";

/** What reading an answer needs of its request. */
interface Asked {
  readonly model: PublicModel & { readonly imageTokens?: number };
  readonly call: Pick<PaidCall["call"], "original">;
}

/**
 * Reads the answer of a target that speaks the Messages API, and puts the public model id into its text. Throws a
 * ProviderError if it is an error, or not a message.
 */
export function readNativeMessage(asked: Asked, target: AnsweringTarget, answer: NativeJson): ReadAnswer {
  const context = contextOf(target, asked.model.id, answer);
  const read = readMessage(asked.model, context, answer.body);
  const guard = guardOf(messageMembers, asked, target, context);
  const json = asText(read.json);
  return guard.suspects(json) ? readMessage(asked.model, context, encodeUtf8(guard.cleanJson(json))) : read;
}

function readMessage(model: Asked["model"], context: FailureContext, body: Uint8Array): ReadAnswer {
  const { message, members } = parseMessage(body, context);
  const modelChange = { name: "model", value: model.id, json: model.idJson };
  const write = (...changes: readonly MemberChange[]): Uint8Array =>
    spliceMembers(body, members, [modelChange, ...changes]);
  const reported = isJsonObject(message["usage"]) ? message["usage"] : {};
  const usage = readMessagesUsage(reported);
  return {
    usage: isComplete(usage) ? usage : undefined,
    output: new NativeOutput(message["content"], isComplete(usage) ? undefined : usage, model.imageTokens, ""),
    answerId: isText(message["id"]) ? message["id"] : undefined,
    finishReasons: [message["stop_reason"]].filter(isText),
    json: write(),
    withUsage: (charged) => write({ name: "usage", value: { ...reported, ...toMessagesUsage(charged) } }),
  };
}

function parseMessage(body: Uint8Array, context: FailureContext) {
  const message = tryParseJson(decodeUtf8(body) ?? "");
  const isMessage = isJsonObject(message) && message["type"] === "message" && Array.isArray(message["content"]);
  if (isJsonObject(message) && (isMessage ? isFilled(message["error"]) : reportsError(message)))
    throw classifyErrorPayload(message, undefined, context);
  const scan = scanJson(body);
  if (isMessage && !("exceeded" in scan)) return { message, members: scan.members };
  throw new ProviderError(
    "invalid_response",
    `${context.provider} answered with something that is not a message. Check that the base URL is that of Anthropic's API.`,
  );
}

/** Reads the usage of an answer of the Messages API. Returns undefined if a count is missing or invalid. */
export function readMessagesUsage(reported: unknown): Usage | PartialUsage | undefined {
  const usage = isJsonObject(reported) ? fromMessagesUsage(reported) : undefined;
  return readUsage(usage) ?? readImpossibleUsage(usage);
}
