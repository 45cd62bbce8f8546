import { composeGateway, type GatewayEndpoint } from "./compose-gateway.ts";
import { chatCodec } from "./dialects/chat/chat-codec.ts";
import type { CorsPolicy } from "./edge/cors.ts";
import type { GatewayExtension } from "./edge/extension.ts";
import type { Gateway } from "./gateway.ts";
import { chatGatewaySchema } from "./gateway-options/chat-gateway-schema.ts";
import { checkOptions } from "./gateway-options/check-options.ts";
import type { GatewayOptions } from "./gateway-options/gateway-options.ts";
import { modelCall } from "./model-call.ts";
import { listModels } from "./models/list-models.ts";
import { openaiModels } from "./models/model-form.ts";
import { showModel } from "./models/show-model.ts";
import type { Limiter } from "./ports/limiter.ts";
import type { Observer } from "./ports/observer.ts";
import type { ContentPart, NoticesPart, UsagePart } from "./request/gateway-parts.ts";

export type { ContentOptions } from "./content/content-options.ts";
export type { CorsOptions, CorsPolicy } from "./edge/cors.ts";
export type { NoticeOptions } from "./notices/notice-options.ts";
export type { UsageOptions } from "./observing/usage-options.ts";
export { contentLog } from "./parts/content-log.ts";
export { corsPolicy } from "./parts/cors-policy.ts";
export { noticeDelivery } from "./parts/notice-delivery.ts";
export { usageRecorder } from "./parts/usage-recorder.ts";
export type { ContentPart, NoticesPart, UsagePart };

/**
 * The options of a gateway that serves chat completions alone. They are those of `@tollgate/core`, except that a limiter and
 * an observer are required, and that parts with code of their own are imported, so that a bundle has only those that it uses.
 */
export interface ChatGatewayOptions
  extends Omit<
    GatewayOptions,
    "content" | "cors" | "limiter" | "messages" | "notices" | "observer" | "openapi" | "responses" | "usage"
  > {
  /** Counts requests, tokens and concurrency. `memoryLimiter()` of `@tollgate/core` counts in one process. */
  readonly limiter: Limiter;
  /** Called for every event. `consoleObserver()` of `@tollgate/core` prints the problems that the host has to fix. */
  readonly observer: Observer;
  /** Made by `contentLog()`. Absent: prompts and answers are not stored. */
  readonly content?: ContentPart;
  /** Made by `corsPolicy()`. Absent: the host handles CORS, and the methods HEAD and OPTIONS. */
  readonly cors?: CorsPolicy;
  /** Made by `noticeDelivery()`. Absent: no notices are written. */
  readonly notices?: NoticesPart;
  /** Made by `usageRecorder()`. Absent: usage is not recorded. */
  readonly usage?: UsagePart;
}

/** The options of such a gateway with an extension, such as assistants. */
export interface ExtendedChatGatewayOptions<Added extends object> extends ChatGatewayOptions {
  /** Made by `assistants()` of `@tollgate/core/assistants`. */
  readonly assistants: GatewayExtension<Added>;
}

/**
 * Creates a gateway with assistants that serves chat completions and the list of models alone. Throws one Error that lists
 * all problems of the options.
 */
export function createGateway<Added extends object>(options: ExtendedChatGatewayOptions<Added>): Gateway & Added;
/**
 * Creates a gateway that serves chat completions and the list of models alone, for bundles that must be small. It is the
 * `createGateway` of `@tollgate/core` without the Messages API, the Responses API and embeddings. Throws one Error that
 * lists all problems of the options.
 */
export function createGateway(options: ChatGatewayOptions): Gateway;
/** Creates a gateway that serves chat completions and the list of models. */
export function createGateway(options: ChatGatewayOptions): Gateway {
  return composeGateway(checkOptions<ChatGatewayOptions>(chatGatewaySchema, options), { endpoints: endpoints() });
}

const endpoints = (): readonly GatewayEndpoint[] => [
  { name: "models", method: "GET", pattern: "/models", handler: listModels(() => openaiModels) },
  { name: "models.show", method: "GET", pattern: "/models/*", handler: showModel(() => openaiModels) },
  { name: "chat.completions", method: "POST", pattern: "/chat/completions", handler: modelCall(chatCodec) },
];
