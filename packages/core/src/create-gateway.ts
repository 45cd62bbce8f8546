import { assembleServices } from "./assemble-services.ts";
import { chatCodec } from "./dialects/chat/chat-codec.ts";
import { embeddingsCodec } from "./dialects/embeddings/embeddings-codec.ts";
import { messagesErrors } from "./dialects/messages/answer/messages-errors.ts";
import { countTokens } from "./dialects/messages/count-tokens.ts";
import { messagesCodec } from "./dialects/messages/messages-codec.ts";
import { withAnthropicHeaders } from "./dialects/messages/messages-endpoint.ts";
import { responsesCodec } from "./dialects/responses/responses-codec.ts";
import { deleteResponse, listResponseInput, showResponse } from "./dialects/responses/stored-responses.ts";
import { drain } from "./drain.ts";
import { type CorsPolicy, corsPolicy } from "./edge/cors.ts";
import { mount, routeTable, withAlias } from "./edge/mount.ts";
import { openaiErrors } from "./edge/render-error.ts";
import { documentRoute, serveDocument } from "./edge/serve-document.ts";
import type { Gateway } from "./gateway.ts";
import { checkOptions } from "./gateway-options/check-options.ts";
import type { ExtendedGatewayOptions, GatewayOptions } from "./gateway-options/gateway-options.ts";
import { inspectGateway } from "./inspect-gateway.ts";
import { modelCall } from "./model-call.ts";
import { isAnthropicClient } from "./models/anthropic-models.ts";
import { listModels } from "./models/list-models.ts";
import { showModel } from "./models/show-model.ts";
import type { ClientRequest } from "./ports/client-request.ts";
import type { Services } from "./request/services.ts";

const routes = [
  { name: "models", method: "GET", pattern: "/models" },
  { name: "models.show", method: "GET", pattern: "/models/*" },
  { name: "chat.completions", method: "POST", pattern: "/chat/completions" },
  { name: "responses", method: "POST", pattern: "/responses" },
  { name: "responses.show", method: "GET", pattern: "/responses/:id" },
  { name: "responses.delete", method: "DELETE", pattern: "/responses/:id" },
  { name: "responses.input", method: "GET", pattern: "/responses/:id/input_items" },
  { name: "embeddings", method: "POST", pattern: "/embeddings" },
  { name: "messages", method: "POST", pattern: "/messages" },
  { name: "messages.count_tokens", method: "POST", pattern: "/messages/count_tokens" },
] as const;

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
/** Creates a gateway, with the members that its extension adds. */
export function createGateway(options: GatewayOptions): Gateway {
  const { assistants, ...checked } = checkOptions(options);
  const services = assembleServices(checked);
  const cors = checked.cors && corsPolicy(checked.cors);
  return { ...routerOf(services, checked, cors), ...assistants?.attach(services, cors) };
}

function routerOf(services: Services, options: GatewayOptions, cors: CorsPolicy | undefined): Gateway {
  const startedAt = new Date();
  const { basePath = "/router/v1", openapi } = options;
  return {
    ...mount(services, {
      basePath,
      variable: "gateway",
      cors,
      // Clients of Anthropic append "/v1/messages" to their base URL, whatever it is.
      routes: withAlias(routeTable(openapi === undefined ? routes : [...routes, documentRoute]), "/v1"),
      errorShape: (request, endpoint) => (isAnthropic(request, endpoint) ? messagesErrors : openaiErrors),
      handlers: {
        models: withAnthropicHeaders(listModels, isAnthropicClient),
        "models.show": withAnthropicHeaders(showModel, isAnthropicClient),
        "chat.completions": modelCall(chatCodec),
        responses: modelCall(responsesCodec),
        "responses.show": showResponse,
        "responses.delete": deleteResponse,
        "responses.input": listResponseInput,
        embeddings: modelCall(embeddingsCodec),
        messages: withAnthropicHeaders(modelCall(messagesCodec)),
        "messages.count_tokens": withAnthropicHeaders(countTokens),
        openapi: serveDocument(openapi, basePath),
      },
    }),
    terms: { accept: (account, versionId) => services.terms.accept(account, versionId) },
    inFlight: () => services.inFlight.count,
    inspect: () => inspectGateway(services, options.plans, startedAt),
    drain: ({ timeoutMs = 30_000 } = {}) => drain(services, timeoutMs),
  };
}

/** Paths that both APIs have, and unknown ones, are told apart by a header. */
const isAnthropic = (request: ClientRequest, endpoint: string | undefined): boolean =>
  endpoint?.startsWith("messages") || ((endpoint?.startsWith("models") ?? true) && isAnthropicClient(request));
