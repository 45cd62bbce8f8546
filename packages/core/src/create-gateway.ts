import { composeGateway, defaultBasePath, type GatewayEndpoint } from "./compose-gateway.ts";
import { chatCodec } from "./dialects/chat/chat-codec.ts";
import { embeddingsCodec } from "./dialects/embeddings/embeddings-codec.ts";
import { messagesErrors } from "./dialects/messages/answer/messages-errors.ts";
import { countTokens } from "./dialects/messages/count-tokens.ts";
import { messagesCodec } from "./dialects/messages/messages-codec.ts";
import { withAnthropicHeaders } from "./dialects/messages/messages-endpoint.ts";
import { responsesCodec } from "./dialects/responses/responses-codec.ts";
import { deleteResponse, listResponseInput, showResponse } from "./dialects/responses/stored-responses.ts";
import { openaiErrors } from "./edge/render-error.ts";
import { documentRoute, serveDocument } from "./edge/serve-document.ts";
import type { Gateway } from "./gateway.ts";
import { checkOptions } from "./gateway-options/check-options.ts";
import type { ExtendedGatewayOptions, GatewayOptions } from "./gateway-options/gateway-options.ts";
import { gatewaySchema } from "./gateway-options/gateway-schema.ts";
import { modelCall } from "./model-call.ts";
import { isAnthropicClient, modelFormOf } from "./models/anthropic-models.ts";
import { listModels } from "./models/list-models.ts";
import { showModel } from "./models/show-model.ts";
import type { ClientRequest } from "./ports/client-request.ts";
import { withAllParts } from "./with-all-parts.ts";

/**
 * Creates a gateway with assistants, whose session endpoints are in `sessions`. Throws one Error that lists all problems
 * of the options. It connects to nothing before the first request.
 */
export function createGateway<Added extends object>(options: ExtendedGatewayOptions<Added>): Gateway & Added;
/**
 * Creates a gateway. Throws one Error that lists all problems of the options. It connects to nothing before the first
 * request.
 */
export function createGateway(options: GatewayOptions): Gateway;
/** Creates a gateway that serves every endpoint. */
export function createGateway(options: GatewayOptions): Gateway {
  const { openapi, ...checked } = checkOptions<GatewayOptions>(gatewaySchema, options);
  const document = openapi && {
    ...documentRoute,
    handler: serveDocument(openapi, checked.basePath ?? defaultBasePath),
  };
  return composeGateway(withAllParts(checked), {
    endpoints: document === undefined ? endpoints() : [...endpoints(), document],
    errorShape: (request, endpoint) => (isAnthropic(request, endpoint) ? messagesErrors : openaiErrors),
  });
}

const endpoints = (): readonly GatewayEndpoint[] => [
  {
    name: "models",
    method: "GET",
    pattern: "/models",
    handler: withAnthropicHeaders(listModels(modelFormOf), isAnthropicClient),
  },
  {
    name: "models.show",
    method: "GET",
    pattern: "/models/*",
    handler: withAnthropicHeaders(showModel(modelFormOf), isAnthropicClient),
  },
  { name: "chat.completions", method: "POST", pattern: "/chat/completions", handler: modelCall(chatCodec) },
  { name: "responses", method: "POST", pattern: "/responses", handler: modelCall(responsesCodec) },
  { name: "responses.show", method: "GET", pattern: "/responses/:id", handler: showResponse },
  { name: "responses.delete", method: "DELETE", pattern: "/responses/:id", handler: deleteResponse },
  { name: "responses.input", method: "GET", pattern: "/responses/:id/input_items", handler: listResponseInput },
  { name: "embeddings", method: "POST", pattern: "/embeddings", handler: modelCall(embeddingsCodec) },
  { name: "messages", method: "POST", pattern: "/messages", handler: withAnthropicHeaders(modelCall(messagesCodec)) },
  {
    name: "messages.count_tokens",
    method: "POST",
    pattern: "/messages/count_tokens",
    handler: withAnthropicHeaders(countTokens),
  },
];

/** Paths that both APIs have, and unknown ones, are told apart by a header. */
const isAnthropic = (request: ClientRequest, endpoint: string | undefined): boolean =>
  endpoint?.startsWith("messages") || ((endpoint?.startsWith("models") ?? true) && isAnthropicClient(request));
