import { mergeChunks } from "./dialects/chat/merge-chunks.ts";
import { mergeEvents } from "./dialects/messages/answer/merge-events.ts";
import { lastResponse } from "./dialects/responses/answer/last-response.ts";
import { corsPolicy } from "./edge/cors.ts";
import type { Checked } from "./gateway-options/check-options.ts";
import type { ComposedOptions } from "./gateway-options/composed-options.ts";
import type { GatewayOptions } from "./gateway-options/gateway-options.ts";
import { memoryLimiter } from "./memory/memory-limiter.ts";
import { consoleObserver } from "./observing/console-observer.ts";
import { noticesPart } from "./parts/notice-delivery.ts";
import { responsesPart } from "./parts/stored-responses.ts";
import { usagePart } from "./parts/usage-recorder.ts";
import { contentPart } from "./steps/log-content.ts";

/** Makes the parts that checked options ask for, and the defaults of the limiter and the observer. */
export function withAllParts({
  content,
  cors,
  limiter = memoryLimiter(),
  notices,
  observer,
  responses,
  usage,
  ...others
}: Checked<GatewayOptions>): Checked<ComposedOptions> {
  return {
    ...others,
    limiter,
    observer: observer ?? consoleObserver(),
    observed: observer !== undefined,
    ...(content && { content: contentPart(content, frameMerges) }),
    ...(cors && { cors: corsPolicy(cors) }),
    ...(notices && { notices: noticesPart(notices) }),
    ...(responses && { responses: responsesPart(responses) }),
    ...(usage && { usage: usagePart(usage) }),
  };
}

const frameMerges = { chat: mergeChunks, messages: mergeEvents, responses: lastResponse };
