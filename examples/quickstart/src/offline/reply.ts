import type { ChatCompletionRequest, ChatMessage } from "@tollgate/core/provider";
import { draftCalls } from "./call-tools.ts";
import type { Draft } from "./draft.ts";
import { readHints } from "./hints.ts";
import {
  imageCount,
  lastUserMessage,
  lastUserText,
  latestInput,
  latestToolResults,
  messageText,
  writtenText,
} from "./message-text.ts";
import { draftReasoning } from "./reasoning.ts";
import { sampleSchema } from "./schema-sample.ts";

/** Returns the answer of the offline provider for the choice `index`. It is the same for the same request. */
export function draftReply(request: ChatCompletionRequest, index: number): Draft {
  const calls = draftCalls(request);
  const reasoning = draftReasoning(request);
  return {
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(calls.length > 0 ? {} : { content: contentFor(request, index) }),
    calls,
  };
}

function contentFor(request: ChatCompletionRequest, index: number): string {
  const format = request.response_format;
  if (format == null) return sentences(request, index);
  if (format.type === "json_object") return JSON.stringify({ answer: sentences(request, index) });
  const { schema } = format.json_schema;
  return JSON.stringify(sampleSchema(schema, readHints(lastUserText(request.messages))));
}

function sentences(request: ChatCompletionRequest, index: number): string {
  const results = latestToolResults(request.messages);
  const answer = results.length > 0 ? quoteResults(request) : echo(request);
  const choice = (request.n ?? 1) > 1 ? [`This is choice ${index + 1} of ${request.n}.`] : [];
  return [answer, ...choice].join(" ");
}

function echo(request: ChatCompletionRequest): string {
  const message = lastUserMessage(request.messages);
  if (message === undefined) return "There is no user message.";
  const effort = request.reasoning_effort;
  return [
    `You said: ${writtenText(message)}`,
    ...imageNote([message]),
    ...(request.messages.length > 1 ? [`(after ${counted(request.messages.length - 1, "earlier message")})`] : []),
    ...(effort == null ? [] : [`(with ${effort} reasoning effort)`]),
  ].join(" ");
}

function quoteResults(request: ChatCompletionRequest): string {
  const calls = new Map(
    request.messages.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.function.name]),
  );
  const answers = latestToolResults(request.messages).map(
    (result) => `${calls.get(result.tool_call_id ?? "") ?? "The tool"} answered: ${messageText(result)}`,
  );
  return [answers.join("\n"), ...imageNote(latestInput(request.messages))].join(" ");
}

function imageNote(messages: readonly ChatMessage[]): readonly string[] {
  const images = messages.reduce((sum, message) => sum + imageCount(message), 0);
  return images > 0 ? [`(with ${counted(images, "image")})`] : [];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
