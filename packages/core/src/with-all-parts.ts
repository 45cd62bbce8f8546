import { mergeChunks } from "./dialects/chat/merge-chunks.ts";
import { mergeEvents } from "./dialects/messages/answer/merge-events.ts";
import { lastResponse } from "./dialects/responses/answer/last-response.ts";
import { policyFor } from "./edge/cors.ts";
import type { Checked } from "./gateway-options/check-options.ts";
import type { ComposedOptions } from "./gateway-options/composed-options.ts";
import type { GatewayOptions } from "./gateway-options/gateway-options.ts";
import { memoryLimiter } from "./memory/memory-limiter.ts";
import { consoleObserver } from "./observing/console-observer.ts";
import { contentPart } from "./parts/content-log.ts";
import { noticesPart } from "./parts/notice-delivery.ts";
import { responsesPart } from "./parts/stored-responses.ts";
import { usagePart } from "./parts/usage-recorder.ts";
import type { MergeFrames } from "./steps/log-content.ts";
import type { Dialect } from "./wire/dialect.ts";

/** Makes the parts that checked options ask for, and the defaults of the limiter and the observer. */
export function withAllParts({
  content,
  cors,
  limiter = memoryLimiter(),
  notices,
  observer = consoleObserver(),
  responses,
  usage,
  ...others
}: Checked<GatewayOptions>): Checked<ComposedOptions> {
  return {
    ...others,
    limiter,
    observer,
    ...(content && { content: contentPart(content, frameMerges) }),
    ...(cors && { cors: policyFor(cors) }),
    ...(notices && { notices: noticesPart(notices) }),
    ...(responses && { responses: responsesPart(responses) }),
    ...(usage && { usage: usagePart(usage) }),
  };
}

/** Embeddings have no streams. */
const frameMerges = {
  chat: mergeChunks,
  messages: mergeEvents,
  responses: lastResponse,
} satisfies Record<Exclude<Dialect, "embeddings">, MergeFrames>;
